"""A store's location becomes a session that questions can be asked of."""

from __future__ import annotations

from ..loaders.store import Store, open_store
from ..ontology.iris import Iris
from ..queries.runner import Session


def open_session(location: str) -> Session:
    """Open the store at a location for reading.

    Raises `StoreMissingError` when nothing was ever built there, `StoreError` when it cannot be used.
    """
    return session_on(open_store(location))


def session_on(store: Store) -> Session:
    """Return a session on an open store, with the base that its data was built with."""
    return Session(store, Iris(store.meta().base))
