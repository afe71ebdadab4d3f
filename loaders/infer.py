"""What follows from the facts of editions comes into their graphs of inferred statements, all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from .building.workshop import workshop
from .graph.quads import TripleSet
from .store import Store
from .workers import Telling


def write_inferred(
    store: str | Path | Store, inferred: Mapping[str, Iterable[str]], *, progress: Telling | None = None
) -> int:
    """Replace `edition/{id}/inferred` of each edition named, and renew what plain queries see.

    `inferred` is edition → triples as N-Triples without the full stop, ``<s> <p> <o>``; an edition of
    which nothing follows loses the graph. Either all is written or nothing. Returns how many triples were.

    Raises `UnknownNameError` for an edition that is not loaded, `StoreError` when the store cannot be
    written.
    """
    triples = {edition: TripleSet(lines) for edition, lines in inferred.items()}
    with workshop(store, progress) as shop, shop.assembly() as assembly:
        assembly.infer(triples)
    return sum(map(len, triples.values()))
