"""Read what questions are made from: the citations, definitions and former numbers of an edition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from ...loaders.language.numbers import order, wholes
from ...ontology.grouping import grouped
from ...ontology.terms import RG, SKOS
from ..history.links import place_in, steps, timeline
from ..session import Session


class EditionLinks:
    """What one edition of the comprehensive rules says, by number.

    Raises `UsageError` if no edition of the comprehensive rules is loaded, or the named one is not of them,
    and `UnknownNameError` if it is not loaded.
    """

    def __init__(self, session: Session, edition: str | None = None) -> None:
        loaded = timeline(session)
        place = place_in(loaded, edition, session) if edition else len(loaded) - 1
        self.edition = loaded[place]
        self.before = loaded[place - 1] if place else None
        self._session = session
        iris = session.iris
        document = iris.document(self.edition.documents[0].id)
        self._graphs = (document, iris.derived(self.edition.id))
        self._terms = iris.graph("terms")

    @cached_property
    def _number_of(self) -> Mapping[str, str]:
        """The number of each rule that stands in the document, by its IRI."""
        standing = dict(self._session.pairs(self._graphs[:1], RG.firstLine))
        numbers = self._session.pairs(self._graphs[:1], SKOS.notation)
        parse = self._session.iris.parse
        return {it: number for it, number in numbers if it in standing and parse(it).kind == "rule"}

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of all rules, in their order."""
        return tuple(sorted({*self._number_of.values()}, key=order))

    @cached_property
    def _own(self) -> Mapping[str, list[str]]:
        """What each rule itself cites."""
        number, cites = self._number_of, self._session.pairs(self._graphs, RG.cites)
        return grouped(sorted({(number[a], number[b]) for a, b in cites if a in number and b in number}))

    @cached_property
    def cites(self) -> dict[str, frozenset[str]]:
        """What each rule or a part of it cites, but for itself and its own parts."""
        found: dict[str, set[str]] = defaultdict(set)
        for citing, cited in self._own.items():
            for whole in wholes(citing):
                found[whole] |= {it for it in cited if whole not in wholes(it)}
        return {number: frozenset(cited) for number, cited in found.items() if cited}

    @cached_property
    def cited_by(self) -> dict[str, frozenset[str]]:
        """Which rules cite a rule itself, but for itself and its parts."""
        own = ((citing, it) for citing, cited in self._own.items() for it in cited)
        found = grouped((it, citing) for citing, it in own if it not in wholes(citing))
        return {number: frozenset(citing) for number, citing in found.items()}

    @cached_property
    def _definitions(self) -> tuple[tuple[str, str], ...]:
        """Each term, by its name, with each rule that defines it."""
        number, names = self._number_of, dict(self._session.pairs((self._terms,), SKOS.prefLabel))
        defined = self._session.pairs(self._graphs, RG.definedBy)
        found = sorted({(names[term], term, number[it]) for term, it in defined if it in number})
        return tuple((name, rule) for name, _, rule in found)

    @cached_property
    def defined_by(self) -> dict[str, str]:
        """The one rule that defines a term, by its name; terms with several are left out."""
        found = grouped(dict.fromkeys(self._definitions))
        return {name: numbers[0] for name, numbers in found.items() if len(numbers) == 1}

    @cached_property
    def defines(self) -> dict[str, frozenset[str]]:
        """The terms that each rule defines, by their names."""
        found = grouped((number, name) for name, number in self._definitions)
        return {number: frozenset(names) for number, names in found.items()}

    @cached_property
    def moved(self) -> dict[str, str]:
        """The number of each rule that had another in the edition before, by that one; word for word."""
        if self.before is None:
            return {}
        found: dict[str, set[str]] = defaultdict(set)
        iris = self._session.iris
        for step in steps(self._session, self.edition.id):
            old, new = iris.parse(step.item), iris.parse(step.other)
            if old.kind == "rule" and step.change.value == "renumbered" and old.key != new.key:
                found[old.key].add(new.key)
        return {old: next(iter(new)) for old, new in found.items() if len(new) == 1}


def in_order(numbers: Iterable[str]) -> tuple[str, ...]:
    """Return rule numbers as they stand in the rules."""
    return tuple(sorted(numbers, key=order))
