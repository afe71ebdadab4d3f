"""Read the statements of an edition's graphs, each property once."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from ...ontology import DCTERMS, RG, TYPE, grouped
from .editions import Scope
from .session import Session

_AT_ONCE = 400
"""The number of things in a block of VALUES."""

_MANY = 1000
"""For this number of things or more, all statements of a property are read and the rest is ignored."""

_CLASSES = (RG.Rule, RG.Section, RG.Entry, RG.Note, RG.Ruling, RG.Example)

PlacedReference = tuple[str, int, int, str]
"""A text, the start and end of a reference in it, and its target."""


class Statements:
    """The statements in a scope's graphs, or in some of them; several users of one scope share it."""

    def __init__(self, session: Session, scope: Scope, graphs: Sequence[str] = ()) -> None:
        self.session, self.scope = session, scope
        self._graphs = graphs or scope.default_graphs
        self._read: dict[str, list[tuple[str, str]]] = {}

    def pairs(self, by: str) -> list[tuple[str, str]]:
        """Return all statements of a property as thing and value, in the form of the store."""
        if by not in self._read:
            self._read[by] = self.session.pairs(self._graphs, by)
        return self._read[by]

    def of(self, things: Collection[str], by: str) -> Iterator[tuple[str, str]]:
        """Yield the values of a property for some things, in order."""
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
        """Thing → its classes, for rules, sections, entries, notes, rulings and examples."""
        return grouped(sorted(self.session.pairs(self._graphs, TYPE, to=_CLASSES)))

    @cached_property
    def parts(self) -> dict[str, list[str]]:
        """Thing → its parts, one level down."""
        return grouped((whole, part) for part, whole in self.pairs(DCTERMS.isPartOf))

    @cached_property
    def references(self) -> list[PlacedReference]:
        """All references, in the form of the store."""
        rows = self.session.run("session", "placed_references", self._graphs)
        return [
            (str(unit), start, end, str(to))
            for unit, start, end, to in rows
            if isinstance(start, int) and isinstance(end, int)
        ]

    @property
    def titles(self) -> list[str]:
        """The titles of the scope's editions, newest first."""
        seen = (it for it in self.session.editions() if it.id in self.scope.editions)
        return [it.title for it in seen] or ["Rules"]
