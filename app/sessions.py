"""A store's location becomes a session that questions can be asked of."""

from __future__ import annotations

from ..loaders.store import open_store
from ..queries.runner import Session


def open_session(location: str, timeout: float | None = None) -> Session:
    """Open the store at a location for reading; each query may take `timeout` seconds.

    Raises `StoreMissingError` when nothing was ever built there, `StoreError` when it cannot be used.
    """
    return Session(open_store(location), timeout=timeout)
