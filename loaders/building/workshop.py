"""Where a store is changed: a folder for what is not yet loaded, processes, and who hears how far it is."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ...ontology.iris import Iris
from ..scratch import scratch_folder
from ..store import Store, open_store
from ..workers import Telling, Workers
from .assemble import Assembly


@dataclass(frozen=True)
class Workshop:
    """What every change of a store needs; made by `workshop`, and gone with its `with`."""

    store: Store
    scratch: Path
    workers: Workers
    tell: Telling

    @contextmanager
    def assembly(self, base: str | None = None) -> Iterator[Assembly]:
        """Change the store: leaving the block well switches to the new state, see `Store.rewrite`."""
        with self.store.rewrite(base=base) as rewrite:
            yield Assembly(rewrite, Iris(rewrite.base), self.scratch, self.workers, self.tell)


@contextmanager
def workshop(
    store: str | Path | Store, progress: Telling | None = None, *, new: bool = False
) -> Iterator[Workshop]:
    """Open a workshop for a store, or for what stands at its location, which need not exist when `new`."""
    target = open_store(store, write=new) if isinstance(store, str | Path) else store
    with without_collector(), scratch_folder() as scratch, Workers() as workers:
        yield Workshop(target, scratch, workers, progress or _quiet)


@contextmanager
def without_collector() -> Iterator[None]:
    """Let the collector of cycles rest, here and in workers that are forked meanwhile.

    A change makes millions of records and hardly a cycle: looking for some took a tenth of a build. What is
    left of them counts as old afterwards, or the next object made would have all of it looked through.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if not gc.get_freeze_count():  # else it would let go of what somebody froze
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def _quiet(_label: str, _done: int, _total: int) -> None:
    return None
