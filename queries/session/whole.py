"""Choose the store in which all links of an edition stand: the store itself, or a view beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ...loaders.store import Store
from ...ontology.iris import GRAPHS, Iris
from .editions import Edition

MOST_IN_VIEW = 4
"""So many editions, at most, are seen together with all their links."""


_MOST_OPEN = 8
"""So many views, at most, are open at a time: those that were asked last."""


class WholeStores:
    """The views of one store, each of which is opened once while it is asked."""

    def __init__(self, store: Store, iris: Iris) -> None:
        self._store = store
        self._iris = iris
        self._views: dict[tuple[str, ...], Store] = {}

    def holding(self, graphs: Sequence[str], editions: Callable[[], Sequence[Edition]]) -> Store:
        """Return the store with all links of the editions that some graphs belong to.

        Where less is kept of them it is a view, as long as they are few.
        """
        iris = self._iris
        places = {graph: iris.parse(graph) for graph in graphs}
        if not any(place.kind in ("document", "derived") for place in places.values()):
            return self._store
        loaded = editions()
        of_document = {document.id: it.id for it in loaded for document in it.documents}
        names = {of_document.get(it.key) if it.kind == "document" else it.edition for it in places.values()}
        chosen = tuple(it for it in loaded if it.id in names)
        made = sum(it.keeps_places for it in chosen)
        if not 0 < made <= MOST_IN_VIEW:
            return self._store
        held = [iris.graph(name) for name in ("terms", "ontology", "wordings")]
        apart = tuple(g for g, it in places.items() if it.kind not in ("document", *GRAPHS) and g not in held)
        key = (*(it.id for it in chosen), *apart)
        view = self._views.pop(key, None)
        if view is None:
            from .views import open_view  # questions about the current edition do without

            view = open_view(self._store, iris, chosen, apart)
        self._views[key] = view
        while len(self._views) > _MOST_OPEN:
            self._views.pop(next(iter(self._views))).close()
        return view

    @contextmanager
    def briefly(self) -> Iterator[None]:
        """Close what is opened within the block when it ends."""
        before = {*self._views}
        yield
        for key in self._views.keys() - before:
            self._views.pop(key).close()
