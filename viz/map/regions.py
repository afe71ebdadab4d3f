"""Sort the things of a graph into the regions of a map.

A section of the rules is a region, a chapter a region within it, and a rule with its parts a block of that; a
term is in the block of the rule that defines it. Things outside of all sections are sorted by initial.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from ...ontology import grouped, unaccented
from ...queries.reliance.walk import natural
from ..graph import Graph
from ..selection import LinkKind, NodeKind

GROUPS_FROM = 60
"""A chapter with this many blocks is divided into groups by kind."""

KIND_FROM = 5
"""This many blocks of a kind make a group."""

COMMON = 0.9
"""A kind that more than this share of a chapter's blocks have does not make a group."""


ELSEWHERE = "Names without a rule"
"""The name of the region of things that belong to no rule of the edition."""


@dataclass(slots=True)
class ChapterRegion:
    """A chapter, or the things with one initial: its mark (or none) and blocks of things in reading order.

    `groups` names the group of each block, or is empty.
    """

    name: str
    mark: str = ""
    blocks: list[list[str]] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)

    @property
    def things(self) -> list[str]:
        """Everything in it, the mark first."""
        return [*filter(None, [self.mark]), *chain.from_iterable(self.blocks)]


@dataclass(slots=True)
class SectionRegion:
    """A section, or the things outside of all sections: its mark (or none) and its chapters."""

    name: str
    mark: str = ""
    chapters: list[ChapterRegion] = field(default_factory=list)


def regions_of(graph: Graph, kinds: Mapping[str, Sequence[str]]) -> list[SectionRegion]:
    """Return the sections in the order of their numbers; each thing of the graph is in exactly one.

    `kinds` are the kinds of terms in the game: large chapters are divided by them.
    """
    attached = _attached_terms(graph)
    sections = []
    for iri in _in_order(graph, (t.iri for t in graph.things.values() if t.kind is NodeKind.SECTION)):
        wholes = _in_order(graph, graph.parts.get(iri, ()))
        chapters = [_chapter(graph, whole, attached, kinds) for whole in wholes]
        if chapters:
            chapters[0].blocks.extend([[term] for term in attached.get(iri, ())])
            sections.append(SectionRegion(graph.things[iri].label, iri, chapters))
    placed = {it.mark for it in sections}
    placed.update(iri for section in sections for chapter in section.chapters for iri in chapter.things)
    rest = [iri for iri in graph.things if iri not in placed]
    return [*sections, *_by_initial(graph, rest, len(placed) > len(rest))]


def _chapter(
    graph: Graph, iri: str, attached: Mapping[str, Sequence[str]], kinds: Mapping[str, Sequence[str]]
) -> ChapterRegion:
    own = [[term] for term in attached.get(iri, ())]
    blocks = [
        [
            one
            for it in _in_order(graph, (rule, *graph.parts_below(rule)))
            for one in (it, *attached.get(it, ()))
        ]
        for rule in _in_order(graph, graph.parts.get(iri, ()))
    ]
    chapter = ChapterRegion(graph.things[iri].label, iri, [*own, *blocks])
    chapter.groups = _groups(chapter.blocks, kinds)
    return chapter


def _groups(blocks: Sequence[Sequence[str]], kinds: Mapping[str, Sequence[str]]) -> list[str]:
    """Name the group of each block: the most frequent kind of its terms that is not too common."""
    if len(blocks) < GROUPS_FROM:
        return []
    of_block = [{kind for iri in block for kind in kinds.get(iri, ())} for block in blocks]
    number = Counter(kind for found in of_block for kind in found)
    named = [found for found in of_block if found]
    dividing = {kind for kind, n in number.items() if KIND_FROM <= n <= COMMON * len(named)}
    if len(dividing) < 2:
        return []
    return [max(found & dividing, key=lambda kind: (number[kind], kind), default="") for found in of_block]


def _attached_terms(graph: Graph) -> dict[str, list[str]]:
    """Return the terms that belong to each section, chapter or rule, by name."""
    terms = (it.iri for it in graph.things.values() if it.kind is NodeKind.TERM)
    at = {term: rule for term in terms if (rule := _rule_of(graph, term))}
    by_name = sorted(at, key=lambda iri: (folded(graph.things[iri].label), iri))
    return grouped((at[term], term) for term in by_name)


def _rule_of(graph: Graph, term: str) -> str:
    """Return the rule that a term belongs to: one that defines it, one it cites, or that of its targets."""
    seen: set[str] = set()
    while term not in seen:
        seen.add(term)
        links = graph.links.get(term, {})
        for kind in (LinkKind.DEFINITION, LinkKind.NOTE, LinkKind.CITATION):
            places = (it for it, kinds in links.items() if kind in kinds and _stands_in_a_section(graph, it))
            if ordered := _in_order(graph, places):
                return ordered[0]
        onward = (it for it, kinds in links.items() if kinds & {LinkKind.REDIRECT, LinkKind.RENAMING})
        term = min(onward, default=term)
    mentions = Counter(
        graph.whole.get(rule, rule)
        for rule in graph.into.get(term, ())
        if _stands_in_a_section(graph, rule) and graph.things[rule].kind is NodeKind.RULE
    )
    return min(mentions, key=lambda iri: (-mentions[iri], natural(graph.things[iri].number)), default="")


def _stands_in_a_section(graph: Graph, iri: str) -> bool:
    """Return whether a thing is a rule, chapter or section below a section of the graph."""
    thing = graph.things[iri]
    if thing.kind is NodeKind.SECTION:
        return bool(graph.parts.get(iri))
    top = next((it for it in graph.wholes(iri) if graph.things[it].kind is NodeKind.SECTION), "")
    return thing.kind in (NodeKind.CHAPTER, NodeKind.RULE) and bool(top)


def _by_initial(graph: Graph, rest: Sequence[str], beside: bool) -> list[SectionRegion]:
    """Return sections for the rest, by the first letter of names; a single one beside other sections."""
    chapters: dict[str, ChapterRegion] = {}
    for iri in sorted(rest, key=lambda it: (folded(_title(graph, it)), it)):
        letter = "" if beside else initial(_title(graph, iri))
        chapters.setdefault(letter, ChapterRegion(letter)).blocks.append([iri])
    return [SectionRegion(letter or ELSEWHERE, "", [chapter]) for letter, chapter in chapters.items()]


def _title(graph: Graph, iri: str) -> str:
    thing = graph.things[iri]
    return thing.label.removeprefix(thing.number).strip() or thing.label


def initial(name: str) -> str:
    """Return the letter under which a name is sorted; digits and signs share ``#``.

    >>> [initial(name) for name in ("élan", "702.1", "Ærathi")]
    ['E', '#', 'Æ']
    """
    letter = folded(name)[:1].upper()
    return letter if letter.isalpha() else "#"


def folded(name: str) -> str:
    """Return a name without case and accents, as names are sorted."""
    return unaccented(name).casefold()


def _in_order(graph: Graph, iris: Iterable[str]) -> list[str]:
    return sorted(iris, key=lambda iri: (natural(graph.things[iri].number), iri))
