"""Read what a page tells of its things: passages with links where they name others, and their history."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..ontology.grouping import grouped
from ..ontology.terms import PREFIXES, RG
from .graph import QUERIES, Graph, Rows, in_words, rows_of
from .selection import NodeKind, Passage, Stretch, ThingHistory

if TYPE_CHECKING:
    from ..loaders.linking.mentions import MentionFinder
    from ..queries.session import Cells, Scope, Session

BATCH = 400
"""How many IRIs stand in one VALUES block."""

_NUMBER = PREFIXES["skos"] + "notation"
_UNIT_KINDS = {RG.Note: "note", RG.Ruling: "ruling", RG.Example: "example"}


def read_passages(rows: Rows, graph: Graph, chosen: Sequence[str]) -> dict[str, tuple[Passage, ...]]:
    """Return the passages of each chosen thing, in the order in which they stand in their document."""
    owners = _owners(rows, graph, chosen)
    texts = _texts(rows, {unit for units in owners.values() for unit in units})
    spans = _spans(rows, graph, texts)
    attributions = _attributions(rows, texts)
    mentions = _mention_finder(graph, [text.text for text in texts.values()])
    shown = frozenset(chosen)
    return {
        owner: tuple(
            replace(
                it,
                pieces=_pieces(graph, shown, mentions, owner, it.text, spans[it.iri]),
                attribution=attributions.get(it.iri, ""),
            )
            for it in sorted((texts[u] for u in units & texts.keys()), key=_place_in_document)
        )
        for owner, units in owners.items()
    }


def _place_in_document(passage: Passage) -> tuple[str, int, str]:
    return passage.document, passage.lines[0], passage.iri


Span = tuple[int, int, str]
"""Start, end (exclusive) and the thing that stands there."""


MANY = 1000
"""From so many texts on, all that a query finds is read at once, and what was not asked for is left out."""


def _ask(rows: Rows, name: str, iris: Iterable[str], many: float = math.inf) -> Iterator[Sequence[str]]:
    """Yield the rows of a query about some IRIs, which stand in its first column; from `many` on at once."""
    wanted = sorted(set(iris))
    if len(wanted) >= many:
        kept = frozenset(wanted)
        yield from in_words(row for row in rows(QUERIES.bound(name, {})) if row[0] in kept)
        return
    for at in range(0, len(wanted), BATCH):
        yield from in_words(rows(QUERIES.bound(name, {"it": wanted[at : at + BATCH]})))


def _owners(rows: Rows, graph: Graph, chosen: Sequence[str]) -> dict[str, set[str]]:
    """Return the units whose words are shown for each thing: of a term its entries', of a rule its own."""
    owners: dict[str, set[str]] = defaultdict(set)
    terms = [iri for iri in chosen if graph.things[iri].kind is NodeKind.TERM]
    for owner, unit in _ask(rows, "units_of_terms", terms):
        owners[owner].add(unit)
    for iri in chosen:
        if graph.things[iri].kind in (NodeKind.CHAPTER, NodeKind.RULE):
            owners[iri].add(iri)
    held = (unit for units in owners.values() for unit in units)
    examples = grouped((unit, example) for unit, example in _ask(rows, "examples", held, MANY))
    return {owner: units.union(*(examples[unit] for unit in units)) for owner, units in owners.items()}


def _texts(rows: Rows, units: Collection[str]) -> dict[str, Passage]:
    """Return the text of each unit as one piece."""
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for unit, by, value in _ask(rows, "texts", units, MANY):
        said[unit][by] = value
    kinds = {str(unit): str(cls) for unit, cls in rows(QUERIES.bound("kinds_of_texts", {}))}
    documents = _documents(rows, said)
    texts: dict[str, Passage] = {}
    for unit, of in said.items():
        if RG.text in of:
            first = int(of.get(RG.firstLine, 0))
            texts[unit] = Passage(
                _UNIT_KINDS.get(kinds.get(unit, ""), "text"),
                (Stretch(of[RG.text]),),
                of.get(_NUMBER, ""),
                documents.get(unit, ""),
                (first, int(of.get(RG.lastLine, first))),
                iri=unit,
            )
    return texts


def _documents(rows: Rows, units: Collection[str]) -> dict[str, str]:
    """Return the title of the document of each text, of several the first; where there is one alone, that."""
    titles = [str(title or "") for _, title in rows(QUERIES.bound("documents", {}))]
    if len(titles) == 1:
        return dict.fromkeys(units, titles[0])
    found = sorted(_ask(rows, "documents_of_texts", units, MANY), key=str, reverse=True)
    return {unit: str(title) for unit, title in found}


def _in_place(reference: Sequence[str]) -> tuple[str, int, int, str]:
    """Return what puts references in the order of their texts."""
    unit, start, end, to = reference
    return unit, int(start), int(end), to


def _spans(rows: Rows, graph: Graph, units: Iterable[str]) -> dict[str, list[Span]]:
    """Return where each unit refers to things: an entry that is no rule stands for its term."""
    spans: dict[str, list[Span]] = defaultdict(list)
    found = sorted(_ask(rows, "references", units, MANY), key=_in_place)
    for unit, start, end, to in found:
        target = graph.same.get(to, to)
        if target not in graph.things or graph.things[target].kind is NodeKind.ENTRY:
            target = graph.term_of.get(to, target)
        spans[unit].append((int(start), int(end), target))
    return spans


def _attributions(rows: Rows, units: Iterable[str]) -> dict[str, str]:
    told = _ask(rows, "attributions", units, MANY)
    found = grouped((unit, f"{name} {date}" if date else str(name)) for unit, name, date in told)
    return {unit: ", ".join(names) for unit, names in found.items()}


def _mention_finder(graph: Graph, texts: Iterable[str]) -> MentionFinder:
    """Return what finds the names of the terms of a graph in some texts."""
    from ..loaders.linking.mentions import MentionFinder, VerbsUsed

    terms = (thing for thing in graph.things.values() if thing.kind is NodeKind.TERM)
    return MentionFinder({it.iri: (it.label, *it.names) for it in terms}, VerbsUsed(texts))


def _pieces(
    graph: Graph,
    chosen: Collection[str],
    mentions: MentionFinder,
    owner: str,
    text: str,
    references: Iterable[Span],
) -> tuple[Stretch, ...]:
    """Return the text of an owner in pieces: references first, then the names of terms that it mentions.

    A piece leads to things that are chosen; a reference to another one leads to the nearest whole that is.
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
    return tuple(_cut(text, spans))


def _cut(text: str, spans: Mapping[tuple[int, int], Sequence[str]]) -> Iterator[Stretch]:
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


def read_history(session: Session, scope: Scope, things: Mapping[str, NodeKind]) -> ThingHistory:
    """Return the history of things, given by IRI and kind: of rules their own, of terms that of entries."""
    from ..queries.history.trace import histories_of

    loaded = {it.id: str(it.issued) for it in session.editions() if it.issued}
    items = {iri: iri for iri, kind in things.items() if kind in (NodeKind.CHAPTER, NodeKind.RULE)}
    defined = in_words(rows_of(session, scope)(QUERIES.bound("entries", {})))
    for entry, term in sorted((entry, term) for term, _, entry, _ in defined):
        if things.get(term) is NodeKind.TERM:
            items[entry] = term
    lives: dict[str, Sequence[Cells]] = {}
    for edition in scope.editions:
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
    # An edition that is not loaded has a day, and nothing to link to.
    return [(name if name in loaded else "", day) for day, name in days], stages
