"""A graph becomes who lives where: countries of towns, towns of districts, districts of blocks of houses.

Sections are countries, chapters towns, a rule with its parts a block, and a term lives in the block of the
rule that defines it. What no section holds is sorted into countries by its initial.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..graph import Graph
from ..selection import LinkKind, NodeKind

DISTRICTS_FROM = 60
"""So many blocks a town must have to be divided into districts by kind."""

KIND_FROM = 5
"""So many blocks of a kind make a district."""

COMMON = 0.9
"""A kind that so great a share of a town's blocks has divides nothing."""


ELSEWHERE = "Names without a rule"
"""What the country of the things is called that live at no rule of the edition."""


@dataclass(slots=True)
class Town:
    """A chapter, or the things of one initial: its mark (or none) and blocks of things in reading order.

    `districts` names the district of each block, or is empty.
    """

    name: str
    mark: str = ""
    blocks: list[list[str]] = field(default_factory=list)
    districts: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return bool(self.mark) + sum(map(len, self.blocks))


@dataclass(slots=True)
class Country:
    """A section, or what no section holds: its mark (or none) and its towns."""

    name: str
    mark: str = ""
    towns: list[Town] = field(default_factory=list)

    def __len__(self) -> int:
        return bool(self.mark) + sum(map(len, self.towns))


def settle(graph: Graph, kinds: Mapping[str, Sequence[str]]) -> list[Country]:
    """Return the countries in the order of their numbers; each thing of the graph lives in just one place.

    `kinds` are the kinds of terms in the game: large towns are divided by them.
    """
    lodgers = _lodgers(graph)
    countries = []
    for section in _in_order(graph, (t.iri for t in graph.things.values() if t.kind is NodeKind.SECTION)):
        towns = [
            _town(graph, whole, lodgers, kinds) for whole in _in_order(graph, graph.parts.get(section, ()))
        ]
        if towns:
            country = Country(graph.things[section].label, section, towns)
            country.towns[0].blocks.extend([[lodger] for lodger in lodgers.get(section, ())])
            countries.append(country)
    housed = {iri for country in countries for iri in residents(country)}
    rest = [iri for iri in graph.things if iri not in housed]
    return [*countries, *_by_initial(graph, rest, len(housed) > len(rest))]


def residents(country: Country) -> Iterator[str]:
    """Yield every thing that lives in a country."""
    if country.mark:
        yield country.mark
    for town in country.towns:
        if town.mark:
            yield town.mark
        for block in town.blocks:
            yield from block


def _town(
    graph: Graph, chapter: str, lodgers: Mapping[str, Sequence[str]], kinds: Mapping[str, Sequence[str]]
) -> Town:
    own = [[lodger] for lodger in lodgers.get(chapter, ())]
    blocks = [
        [one for it in (rule, *_below(graph, rule)) for one in (it, *lodgers.get(it, ()))]
        for rule in _in_order(graph, graph.parts.get(chapter, ()))
    ]
    town = Town(graph.things[chapter].label, chapter, [*own, *blocks])
    town.districts = _districts(town.blocks, kinds)
    return town


def _below(graph: Graph, rule: str) -> Iterator[str]:
    for part in _in_order(graph, graph.parts.get(rule, ())):
        yield part
        yield from _below(graph, part)


def _districts(blocks: Sequence[Sequence[str]], kinds: Mapping[str, Sequence[str]]) -> list[str]:
    """Name the district of each block: the most frequent kind of its terms that is not everybody's."""
    if len(blocks) < DISTRICTS_FROM:
        return []
    of_block = [{kind for iri in block for kind in kinds.get(iri, ())} for block in blocks]
    number = Counter(kind for found in of_block for kind in found)
    named = [found for found in of_block if found]
    dividing = {kind for kind, n in number.items() if KIND_FROM <= n <= COMMON * len(named)}
    if len(dividing) < 2:
        return []
    return [max(found & dividing, key=lambda kind: (number[kind], kind), default="") for found in of_block]


def _lodgers(graph: Graph) -> dict[str, list[str]]:
    """Return the terms that live at each section, chapter or rule, by name."""
    found: dict[str, list[str]] = defaultdict(list)
    at: dict[str, str] = {}
    for term in (thing.iri for thing in graph.things.values() if thing.kind is NodeKind.TERM):
        home = _home(graph, term)
        if home:
            at[term] = home
    for term in sorted(at, key=lambda iri: (folded(graph.things[iri].label), iri)):
        found[at[term]].append(term)
    return found


def _home(graph: Graph, term: str) -> str:
    """Return the rule that a term lives at: what defines it, what it cites, or where what it leads to is."""
    seen: set[str] = set()
    while term not in seen:
        seen.add(term)
        for kind in (LinkKind.DEFINITION, LinkKind.NOTE, LinkKind.CITATION):
            places = [
                other
                for other, found in graph.links.get(term, {}).items()
                if kind in found and _is_place(graph, other)
            ]
            if places:
                return min(places, key=lambda iri: (_order(graph, iri), iri))
        onward = [
            other
            for other, found in sorted(graph.links.get(term, {}).items())
            if found & {LinkKind.REDIRECT, LinkKind.RENAMING}
        ]
        term = onward[0] if onward else term
    mentions = Counter(
        graph.whole.get(rule, rule)
        for rule in graph.into.get(term, ())
        if _is_place(graph, rule) and graph.things[rule].kind is NodeKind.RULE
    )
    return min(mentions, key=lambda iri: (-mentions[iri], _order(graph, iri)), default="")


def _is_place(graph: Graph, iri: str) -> bool:
    """Tell whether a thing is a rule, chapter or section that stands below a section of the graph."""
    thing = graph.things[iri]
    if thing.kind is NodeKind.SECTION:
        return bool(graph.parts.get(iri))
    top = next((it for it in graph.wholes(iri) if graph.things[it].kind is NodeKind.SECTION), "")
    return thing.kind in (NodeKind.CHAPTER, NodeKind.RULE) and bool(top)


def _by_initial(graph: Graph, rest: Sequence[str], beside: bool) -> list[Country]:
    """Return what no section holds: countries by the first letter of names; beside greater ones, one."""
    towns: dict[str, Town] = {}
    for iri in sorted(rest, key=lambda it: (folded(_title(graph, it)), it)):
        letter = "" if beside else initial(_title(graph, iri))
        towns.setdefault(letter, Town(letter)).blocks.append([iri])
    return [Country(letter or ELSEWHERE, "", [town]) for letter, town in towns.items()]


def _title(graph: Graph, iri: str) -> str:
    thing = graph.things[iri]
    return thing.label.removeprefix(thing.number).strip() or thing.label


def initial(name: str) -> str:
    """Return the letter that a name is sorted under: digits and signs share ``#``.

    >>> [initial(name) for name in ("élan", "702.1", "Ærathi")]
    ['E', '#', 'Æ']
    """
    letter = folded(name)[:1].upper()
    return letter if letter.isalpha() else "#"


def folded(name: str) -> str:
    """Return a name without case and accents, as names are sorted."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


def _in_order(graph: Graph, iris: Iterable[str]) -> list[str]:
    return sorted(iris, key=lambda iri: (_order(graph, iri), iri))


def _order(graph: Graph, iri: str) -> tuple[tuple[int, str], ...]:
    """Return what numbers are sorted by: 702.9 stands before 702.10, and 702.9a after 702.9."""
    return tuple(
        (int(n or 0), letters) for n, letters in re.findall(r"(\d*)([^\d.]*)", graph.things[iri].number)
    )
