"""Read only the part of a graph that is looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Sized
from dataclasses import fields

from ..ontology.grouping import grouped
from ..ontology.query_files import literal
from ..ontology.terms import RG
from .graph import (
    KIND_OF,
    PART_OF,
    QUERIES,
    Graph,
    Rows,
    add_numbered,
    add_parts,
    asking,
    classes,
    definitions,
    in_words,
    read_graph,
    read_terms,
)
from .selection import LinkKind, NodeKind

MANY = 600
"""From so many things on, reading all there is at once is quicker than asking about each."""


class LazyGraph(Graph):
    """A graph that knows all terms, and of the links and of what has a number what it was made to know.

    Where links end that is not among its `things` yet, `locate` brings it.
    """

    def __init__(self, rows: Rows) -> None:
        super().__init__()
        self._rows = rows
        self._ask = asking(rows)
        self._is_whole = False
        self._known: set[str] = set()
        self._located: set[str] = set()
        self._unfolded: set[str] = set()
        read_terms(self, self._ask)
        self._classes = classes(self._ask)
        self._twins = grouped((rule, cited) for cited, rule in self.same.items())
        self._places = list(self._ask("cited_places"))

    def link(self, source: str, kind: LinkKind, target: str) -> None:
        """Add a link between two things, whether or not they are there yet."""
        source, target = self.same.get(source, source), self.same.get(target, target)
        if source != target and self._is_thing(source) and self._is_thing(target):
            self.links[source].setdefault(target, set()).add(kind)
            self.into[target].add(source)

    def _is_thing(self, iri: str) -> bool:
        return iri in self.things or self._classes.get(iri) in (RG.Rule, RG.Section)

    def know(self, iris: Iterable[str]) -> None:
        """Read the links of some things, and what those things are."""
        new = {self.same.get(iri, iri) for iri in iris} - self._known
        self._known |= new
        if new and not self._is_whole and not self._grown(self._known):
            self.locate(new)
            self._read_links(new)

    def locate(self, iris: Iterable[str]) -> None:
        """Read what some things are, and what they are part of."""
        new = self._numbered(iris) - self._located
        parents: list[tuple[str, str]] = []
        while new and not self._is_whole:
            self._located |= new
            marks = self._ask("marks_of", it=self._with_twins(new))
            numbered = {iri: self._classes[iri] for iri in sorted(new)}
            add_numbered(self, numbered, (row for row in marks if row[1] != PART_OF))
            above = [(iri, whole) for iri, by, whole in marks if by == PART_OF]
            parents += above
            new = self._numbered(whole for _, whole in above) - self._located
        add_parts(self, parents)

    def unfold(self, iris: Iterable[str]) -> None:
        """Read the parts of some rules or sections on all levels."""
        above = self._numbered(iris) - self._unfolded
        while above and not self._is_whole:
            self._unfolded |= above
            rows = self._ask("parts", it=self._with_twins(above))
            below = {it for it in self._numbered(part for _, part in rows) if self._classes[it] == RG.Rule}
            if self._grown(below):
                return
            self.locate(below)
            for iri in above & self.parts.keys():
                self.parts[iri].sort()
            above = below - self._unfolded

    def by_name(self, names: Iterable[str] = ()) -> dict[str, str]:
        """Return the thing that each IRI, number and name stands for; those with these `names` are read."""
        names = set(names)
        # A rule or section is called by its number, with its title after it or a word before it.
        numbers = {part for name in names for part in (name.split()[:1] + name.split()[-1:])}
        if numbers and not self._grown(numbers):
            self.locate(it for (it,) in self._ask("numbers", number=map(literal, sorted(numbers))))
            self.locate(names)
        return super().by_name()

    def _numbered(self, iris: Iterable[str]) -> set[str]:
        return {self.same.get(iri, iri) for iri in iris} & self._classes.keys()

    def _with_twins(self, iris: Iterable[str]) -> list[str]:
        """Return things with the cited rules that are the same."""
        return [node for iri in sorted(iris) for node in (iri, *self._twins[iri])]

    def _read_links(self, ends: Collection[str]) -> None:
        nodes = self._with_twins(ends)
        for name in ("links_out", "links_into"):
            for source, by, target in self._found(name, nodes):
                self.link(source, KIND_OF[by], target)
        terms = sorted(filter(self._is_term, ends))
        rules = {term: definitions(self, term) for term in terms}
        self.locate(rule for found in rules.values() for rule in found)
        for term, found in rules.items():
            self.things[term].loaded |= any(self.things[rule].loaded for rule in found)
        named = [*self._found("mentioned", nodes), *self._found("mentioning", terms)]
        for unit, term in named:
            if self._classes.get(unit) == RG.Rule:
                self.link(unit, LinkKind.MENTION, term)
        near = [place for place in self._places if not self._known.isdisjoint(place)]
        self.locate(end for place in near for end in place)
        for source, target in near:
            super().link(source, LinkKind.CITATION, target)

    def _found(self, name: str, iris: Collection[str]) -> Iterable[Sequence[str]]:
        """Return the rows of a query about some things, in any order."""
        return in_words(self._rows(QUERIES.bound(name, {"it": iris}))) if iris else ()

    def _is_term(self, iri: str) -> bool:
        return iri in self.things and self.things[iri].kind is NodeKind.TERM

    def _grown(self, asked: Sized) -> bool:
        """Tell whether so much is asked for that all there is was read instead."""
        if len(asked) > MANY and not self._is_whole:
            self._is_whole = True
            whole = read_graph(self._rows)
            for part in fields(Graph):
                setattr(self, part.name, getattr(whole, part.name))
        return self._is_whole
