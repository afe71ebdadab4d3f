"""Names become what they stand for in an edition: one node for each thing that cannot be another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from ...ontology.iris import Iris
from ..graph.quads import node
from .kinds import game_kinds


class Senses:
    """The things that the names of an edition stand for.

    Kinds that one thing can have at once go to one node; kinds that exclude each other, the abilities
    of a term that represents several, and the numbered senses of an entry go to nodes of their own.
    """

    def __init__(self, iris: Iris, edition: str) -> None:
        self._iris, self._edition = iris, edition
        self._classes: dict[str, list[set[str]]] = defaultdict(list)

    def of(self, name: str, cls: str, taken: Iterable[str] = (), is_sense: bool = False) -> str:
        """Return the node of what the slug `name` stands for as a `cls`, none of those `taken`."""
        nodes = self._classes[name]
        free = [n for n in range(len(nodes)) if self._node(name, n) not in taken]
        same = [n for n in free if cls in nodes[n]]
        fitting = (
            [n for n in free if all(game_kinds().agree(cls, other) for other in nodes[n])] if cls else free
        )
        found = next(iter(same or ([] if is_sense else fitting)), len(nodes))
        if found == len(nodes):
            nodes.append(set())
        if cls:
            nodes[found].add(cls)
        return self._node(name, found)

    def _node(self, name: str, place: int) -> str:
        return node(self._iris.sense(self._edition, name, place + 1))
