"""Open a triple store behind one protocol: in memory, in a folder, or at any SPARQL 1.1 endpoint."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ...ontology import UsageError
from ..http.addresses import TORN, is_torn, without_password
from .protocol import FORMAT, MEMORY, Store, settle_base, value_of
from .query import PreparedQuery, admit, prepare
from .results import AnswerBounds, Cells, Solutions, Triples, Value

if TYPE_CHECKING:
    from pathlib import Path

_HOST = re.compile(r"[A-Za-z0-9.-]+:\d+(?:/\S*)?")
"""A server given without ``http://``."""


def open_store(location: str | Path, *, write: bool = False) -> Store:
    """Return the store at a location: a folder, ``http(s)://…``, or ``:memory:``.

    For the address of a server, or of one of its data sets, the usual paths are tried.

    A folder that will be written to need not exist. Raises `StoreMissingError` if there is no store to read,
    `StoreError` if the folder is not a store, `UsageError` for any other kind of address.
    """
    place = str(location)
    if place == MEMORY:
        from .local import MemoryStore

        return MemoryStore()
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://", place)
    if scheme and scheme[1].lower() not in {"http", "https"}:
        raise UsageError(
            f"a store is a folder or an address with http:// or https://, not {without_password(place)}"
        )
    if "\0" in place:
        raise UsageError("no folder can have a NUL character in its name")
    if is_torn(place):
        raise UsageError(f"{without_password(place)} is not a web address: {TORN}")
    if scheme:
        from .client import endpoint_address
        from .endpoint import EndpointStore

        return EndpointStore(endpoint_address(place))
    if _HOST.fullmatch(place) and not os.path.exists(place):
        raise UsageError(
            f"{place} is neither a folder nor an address", way_out=f"To use a server, write http://{place}"
        )
    from .folder import FolderStore

    store = FolderStore(place)
    if not write:
        store.refresh()
    return store
