"""The read model of an edition: what its graphs state, reading each property once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from ...ontology.grouping import grouped
from ...ontology.statements import TYPE
from ...ontology.terms import DCTERMS, RG
from .editions import Scope
from .session import Session

_AT_ONCE = 400
"""How many things stand in one block of values."""

_MANY = 1000
"""From so many things on, all that is said by a property is read, and what was not asked for is left out."""

_CLASSES = (RG.Rule, RG.Section, RG.Entry, RG.Note, RG.Ruling, RG.Example)

PlacedReference = tuple[str, int, int, str]
"""A text, the start and the end of a reference in it, and what that leads to."""


class Statements:
    """What the graphs of a scope state, or some of them; who looks at one scope in several ways shares it."""

    def __init__(self, session: Session, scope: Scope, graphs: Sequence[str] = ()) -> None:
        self.session, self.scope = session, scope
        self._graphs = graphs or scope.default_graphs
        self._read: dict[str, list[tuple[str, str]]] = {}

    def pairs(self, by: str) -> list[tuple[str, str]]:
        """Return all that is said by a property, thing and value, as the store has it."""
        if by not in self._read:
            self._read[by] = self.session.pairs(self._graphs, by)
        return self._read[by]

    def of(self, things: Collection[str], by: str) -> Iterator[tuple[str, str]]:
        """Yield what is said of some things by a property, in order."""
        if len(things) >= _MANY or by in self._read:
            wanted = frozenset(things)
            yield from sorted(pair for pair in self.pairs(by) if pair[0] in wanted)
            return
        asked = sorted(things)
        for start in range(0, len(asked), _AT_ONCE):
            some = asked[start : start + _AT_ONCE]
            yield from sorted(self.session.pairs(self._graphs, by, of=some))

    @cached_property
    def classes(self) -> dict[str, list[str]]:
        """The classes of rules, sections, entries, notes, rulings and examples."""
        return grouped(sorted(self.session.pairs(self._graphs, TYPE, to=_CLASSES)))

    @cached_property
    def parts(self) -> dict[str, list[str]]:
        """What each thing consists of, one level down."""
        return grouped((whole, part) for part, whole in self.pairs(DCTERMS.isPartOf))

    @cached_property
    def references(self) -> list[PlacedReference]:
        """All references, as the store has them."""
        rows = self.session.run("session", "placed_references", self._graphs)
        return [
            (str(unit), start, end, str(to))
            for unit, start, end, to in rows
            if isinstance(start, int) and isinstance(end, int)
        ]

    @property
    def titles(self) -> list[str]:
        """The titles of the editions that are seen, the newest first."""
        seen = (it for it in self.session.editions() if it.id in self.scope.editions)
        return [it.title for it in seen] or ["Rules"]
