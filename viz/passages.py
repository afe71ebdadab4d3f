"""The words of the things that are shown: passages with their place, and links where they name others."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..ontology.terms import PREFIXES, RG
from .graph import QUERIES, Graph, Rows, in_words
from .selection import NodeKind, Passage, Stretch

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
    linker = _Linker(graph, chosen, [text.text for text in texts.values()])
    return {
        owner: tuple(
            _passage(
                unit,
                texts[unit],
                linker.pieces(owner, texts[unit].text, spans[unit]),
                attributions.get(unit, ""),
            )
            for unit in sorted((u for u in units if u in texts), key=lambda u: texts[u].place)
        )
        for owner, units in owners.items()
    }


@dataclass(frozen=True, slots=True)
class _Text:
    """One unit as the store has it; `place` orders the units of a thing."""

    kind: str
    text: str
    number: str
    document: str
    lines: tuple[int, int]
    place: tuple[str, int, str]


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
    examples = defaultdict(set)
    for unit, example in _ask(rows, "examples", (unit for units in owners.values() for unit in units), MANY):
        examples[unit].add(example)
    return {owner: units.union(*(examples[unit] for unit in units)) for owner, units in owners.items()}


def _texts(rows: Rows, units: Collection[str]) -> dict[str, _Text]:
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for unit, by, value in _ask(rows, "texts", units, MANY):
        said[unit][by] = value
    kinds = {str(unit): str(cls) for unit, cls in rows(QUERIES.bound("kinds_of_texts", {}))}
    documents = _documents(rows, said)
    texts: dict[str, _Text] = {}
    for unit, of in said.items():
        if RG.text in of:
            first = int(of.get(RG.firstLine, 0))
            lines = (first, int(of.get(RG.lastLine, first)))
            document = documents.get(unit, "")
            kind = _UNIT_KINDS.get(kinds.get(unit, ""), "text")
            number = str(of.get(_NUMBER, ""))
            texts[unit] = _Text(kind, str(of[RG.text]), number, document, lines, (document, first, unit))
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
    graph.locate(to for _, _, _, to in found)
    for unit, start, end, to in found:
        target = graph.same.get(to, to)
        if target not in graph.things or graph.things[target].kind is NodeKind.ENTRY:
            target = graph.term_of.get(to, target)
        spans[unit].append((int(start), int(end), target))
    return spans


def _attributions(rows: Rows, units: Iterable[str]) -> dict[str, str]:
    found: dict[str, list[str]] = defaultdict(list)
    for unit, name, date in _ask(rows, "attributions", units, MANY):
        found[unit].append(f"{name} {date}" if date else str(name))
    return {unit: ", ".join(names) for unit, names in found.items()}


def _passage(unit: str, text: _Text, pieces: tuple[Stretch, ...], attribution: str) -> Passage:
    return Passage(text.kind, pieces, text.number, text.document, text.lines, attribution, unit)


class _Linker:
    """Cuts a text where it names something that is shown."""

    def __init__(self, graph: Graph, chosen: Collection[str], texts: Iterable[str]) -> None:
        from ..loaders.linking.mentions import MentionFinder
        from ..loaders.linking.usage import VerbsUsed

        self._graph = graph
        self._chosen = frozenset(chosen)
        self._finder = MentionFinder(
            {
                thing.iri: (thing.label, *thing.names)
                for thing in graph.things.values()
                if thing.kind is NodeKind.TERM
            },
            VerbsUsed(texts),
        )

    def pieces(self, owner: str, text: str, references: Iterable[Span]) -> tuple[Stretch, ...]:
        """Return the text in pieces: references first, then the names of terms that the owner mentions."""
        spans: dict[tuple[int, int], list[str]] = {}
        for start, end, target in references:
            targets = spans.setdefault((start, end), [])
            shown = self._shown(target)
            if shown and shown != owner and shown not in targets:
                targets.append(shown)
        mentioned = self._graph.links.get(owner, {})
        for mention in self._finder.find(text, list(spans), owner):
            if mention.slug in self._chosen and mention.slug in mentioned:
                spans[mention.start, mention.end] = [mention.slug]
        return tuple(_cut(text, spans))

    def _shown(self, target: str) -> str:
        """Return the thing, or the nearest whole of it, that is shown."""
        return next((iri for iri in (target, *self._graph.wholes(target)) if iri in self._chosen), "")


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
