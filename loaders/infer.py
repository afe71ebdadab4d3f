"""What follows from the facts of editions comes into their graphs of inferred statements, all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from ..ontology.errors import UnknownNameError
from ..ontology.iris import Iris
from .building.assemble import Assembly, Progress
from .graph.quads import TripleSet
from .store import Store, open_store
from .workers import Workers


def write_inferred(
    store: str | Path | Store, inferred: Mapping[str, Iterable[str]], *, progress: Progress | None = None
) -> int:
    """Replace `edition/{id}/inferred` of each edition named, and renew what plain queries see.

    `inferred` is edition → triples as N-Triples without the full stop, ``<s> <p> <o>``; an edition of
    which nothing follows loses the graph. Either all is written or nothing. Returns how many triples were.

    Raises `UnknownNameError` for an edition that is not loaded, `StoreError` when the store cannot be
    written.
    """
    triples = {edition: TripleSet(lines) for edition, lines in inferred.items()}
    with (
        TemporaryDirectory(prefix="rulesgraph-") as folder,
        Workers() as workers,
        (open_store(store) if isinstance(store, str | Path) else store).rewrite() as rewrite,
    ):
        tell = progress or (lambda _label, _done, _total: None)
        assembly = Assembly(rewrite, Iris(rewrite.base), Path(folder), workers, tell)
        for edition in triples:
            if edition not in assembly.editions:
                raise UnknownNameError("loaded edition", edition, tuple(assembly.editions))
        assembly.infer(triples)
    return sum(map(len, triples.values()))
