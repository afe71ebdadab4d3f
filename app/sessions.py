"""A store's location becomes a session that questions can be asked of."""

from __future__ import annotations

import re

from ..loaders.store import open_store
from ..queries.runner import Session


def open_session(location: str, timeout: float | None = None) -> Session:
    """Open the store at a location for reading; each query may take `timeout` seconds.

    Raises `StoreMissingError` when nothing was ever built there, `StoreError` when it cannot be used.
    """
    return Session(open_store(location), timeout=timeout)


def without_password(location: str) -> str:
    """Return a store's location as it may be shown.

    >>> without_password("https://ada:secret@rules.example/sparql"), without_password("rulesgraph-store")
    ('https://rules.example/sparql', 'rulesgraph-store')
    """
    return re.sub(r"^(https?://)[^/@]*@", r"\1", location)
