"""Read what a page shows about its things: passages with links to the things they name, and history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from ..ontology import DCTERMS, RDFS_LABEL, RG, SKOS, grouped
from ..queries.session import Cells
from ..queries.session.statements import Statements
from .graph import Graph
from .selection import NodeKind, Passage, Stretch, ThingHistory

if TYPE_CHECKING:
    from ..loaders.linking.mentions import MentionFinder

_PLACE = attrgetter("document", "lines", "iri")
_UNIT_KINDS = {RG.Note: "note", RG.Ruling: "ruling", RG.Example: "example"}


def read_passages(stated: Statements, graph: Graph, chosen: Sequence[str]) -> dict[str, tuple[Passage, ...]]:
    """Return the passages of each chosen thing, in document order."""
    owners, texts = _owners(stated, graph, chosen)
    spans = _spans(stated, graph, texts)
    attributions = _attributions(stated, texts)
    mentions = _mention_finder(graph, [text.text for text in texts.values()])
    shown = frozenset(chosen)
    return {
        owner: tuple(
            replace(
                it,
                pieces=_pieces(graph, shown, mentions, owner, it.text, spans[it.iri]),
                attribution=attributions.get(it.iri, ""),
            )
            for it in sorted((texts[u] for u in units & texts.keys()), key=_PLACE)
        )
        for owner, units in owners.items()
    }


Span = tuple[int, int, str]
"""The start, the end (exclusive) and the thing named there."""


def _owners(
    stated: Statements, graph: Graph, chosen: Sequence[str]
) -> tuple[dict[str, set[str]], dict[str, Passage]]:
    """Return the units whose words are shown for each thing, and these words.

    A term has its entries, a rule itself and all examples below it.
    """
    parts = stated.parts
    terms = {iri for iri in chosen if graph.things[iri].kind is NodeKind.TERM}
    owners: dict[str, set[str]] = defaultdict(set)
    for entry, term in stated.pairs(RG.defines):
        if term in terms:
            owners[term].update(parts[entry])
    for unit, term in stated.pairs(RG.about):
        if term in terms:
            owners[term].add(unit)
    for iri in chosen:
        if graph.things[iri].kind in (NodeKind.CHAPTER, NodeKind.RULE):
            owners[iri].add(iri)
    units = {unit for several in owners.values() for unit in several}
    below = {unit: [it for it in parts[unit] if RG.Example in stated.classes[it]] for unit in units}
    texts = _texts(stated, units.union(*below.values()))
    for owner, several in owners.items():
        several.update(*(below[unit] for unit in [*several] if unit in texts or unit == owner))
    return owners, texts


def _texts(stated: Statements, units: Collection[str]) -> dict[str, Passage]:
    """Return the text of each unit as one piece."""
    numbers, firsts, lasts = (dict(stated.of(units, by)) for by in (SKOS.notation, RG.firstLine, RG.lastLine))
    documents = _documents(stated, units)
    texts: dict[str, Passage] = {}
    for unit, text in stated.of(units, RG.text):
        first = int(firsts.get(unit, 0))
        kind = next((name for cls, name in _UNIT_KINDS.items() if cls in stated.classes[unit]), "text")
        lines = (first, int(lasts.get(unit, first)))
        place = (numbers.get(unit, ""), documents.get(unit, ""), lines)
        texts[unit] = Passage(kind, (Stretch(text),), *place, iri=unit)
    return texts


def _documents(stated: Statements, units: Collection[str]) -> dict[str, str]:
    """Return the title of each text's document, or of the first of several."""
    document = stated.session.iris.document
    loaded = {document(it.id): it.title for edition in stated.session.editions() for it in edition.documents}
    titles = {it: loaded[it] for it in stated.scope.documents}
    if len(titles) == 1:
        return dict.fromkeys(units, *titles.values())
    wholes = grouped(stated.pairs(DCTERMS.isPartOf))

    def found(unit: str) -> list[str]:
        return [title for it in wholes[unit] for title in ([titles[it]] if it in titles else found(it))]

    return {unit: min(found(unit), default="") for unit in units}


def _spans(stated: Statements, graph: Graph, units: Collection[str]) -> dict[str, list[Span]]:
    """Return where each unit refers to things; an entry that is not a rule stands for its term."""
    spans: dict[str, list[Span]] = defaultdict(list)
    for unit, start, end, to in sorted(it for it in stated.references if it[0] in units):
        target = graph.same.get(to, to)
        if target not in graph.things or graph.things[target].kind is NodeKind.ENTRY:
            target = graph.term_of.get(to, target)
        spans[unit].append((start, end, target))
    return spans


def _attributions(stated: Statements, units: Collection[str]) -> dict[str, str]:
    """Return the authorities, with dates, at the end of some texts."""
    held = grouped((it, unit) for unit, it in stated.of(units, RG.attribution))
    days = dict(stated.of(held, RG.asOf))
    named = [*stated.of(held, RG.authority)]
    names = dict(stated.of({it for _, it in named}, RDFS_LABEL))
    told = sorted(
        (unit, names[who], days.get(it, "")) for it, who in named if who in names for unit in held[it]
    )
    found = grouped((unit, f"{name} {day}".rstrip()) for unit, name, day in told)
    return {unit: ", ".join(several) for unit, several in found.items()}


def _mention_finder(graph: Graph, texts: Iterable[str]) -> MentionFinder:
    """Return a finder for the names of a graph's terms in some texts."""
    from ..loaders.linking.mentions import MentionFinder, verbs_used

    terms = (thing for thing in graph.things.values() if thing.kind is NodeKind.TERM)
    return MentionFinder({it.iri: (it.label, *it.names) for it in terms}, verbs_used(texts))


def _pieces(
    graph: Graph,
    chosen: Collection[str],
    mentions: MentionFinder,
    owner: str,
    text: str,
    references: Iterable[Span],
) -> tuple[Stretch, ...]:
    """Return the text of an owner in pieces: references first, then the names of terms that it mentions.

    A piece leads to chosen things; a reference to another thing leads to the nearest chosen whole.
    """
    spans: dict[tuple[int, int], list[str]] = {}
    for start, end, target in references:
        targets = spans.setdefault((start, end), [])
        shown = next((iri for iri in (target, *graph.wholes(target)) if iri in chosen), "")
        if shown and shown != owner and shown not in targets:
            targets.append(shown)
    mentioned = graph.links.get(owner, {})
    for mention in mentions.find(text, list(spans), owner):
        if mention.slug in chosen and mention.slug in mentioned:
            spans[mention.start, mention.end] = [mention.slug]
    return tuple(cut(text, spans))


def cut(text: str, spans: Mapping[tuple[int, int], Sequence[str]]) -> Iterator[Stretch]:
    """Yield a text in stretches, each with its targets: a part of two spans belongs to the first.

    >>> [(it.text, it.targets) for it in cut("A moth sits.", {(2, 6): ["x:moth"]})]
    [('A ', ()), ('moth', ('x:moth',)), (' sits.', ())]
    """
    at = 0
    for (start, end), targets in sorted(spans.items()):
        if not targets or start < at:
            continue
        if start > at:
            yield Stretch(text[at:start])
        yield Stretch(text[start:end], tuple(targets))
        at = end
    if at < len(text):
        yield Stretch(text[at:])


# -- what became of the things -----------------------------------------------------------------------


def read_history(stated: Statements, things: Mapping[str, NodeKind]) -> ThingHistory:
    """Return the history of things, given by IRI and kind; terms have the history of their entries."""
    from ..queries.history.trace import histories_of

    session = stated.session
    loaded = {it.id: str(it.issued) for it in session.editions() if it.issued}
    items = {iri: iri for iri, kind in things.items() if kind in (NodeKind.CHAPTER, NodeKind.RULE)}
    for entry, term in sorted(stated.pairs(RG.defines)):
        if things.get(term) is NodeKind.TERM:
            items[entry] = term
    lives: dict[str, Sequence[Cells]] = {}
    for edition in stated.scope.editions:
        parsed = {item: session.iris.parse(item) for item in items}
        names = {item: it.key for item, it in parsed.items() if it.edition == edition}
        for item, life in histories_of(session, edition, names).items():
            lives.setdefault(items[item], life)
    named = {str(row[0]) for life in lives.values() for row in life} | loaded.keys()
    days = sorted((loaded.get(name) or name.removeprefix("cr-"), name) for name in named)
    place = {name: at for at, (_, name) in enumerate(days)}
    stages = {
        thing: [(place[str(row[0])], str(row[1] or ""), str(row[2])) for row in life]
        for thing, life in lives.items()
    }
    # An edition that is not loaded has a date, but nothing to link to.
    return [(name if name in loaded else "", day) for day, name in days], stages
