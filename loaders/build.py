"""Documents fill a store: read, derived, joined across editions and switched in, whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path

from ..ontology.errors import StoreMissingError, UsageError
from .building.account import Account, Refused
from .building.indexes import index_editions
from .building.prepare import Prepared, Task, prepare
from .building.workshop import workshop
from .reading.source import Source, decode
from .store import Store
from .store.protocol import settle_base
from .workers import Telling


def starter_sources() -> list[Source]:
    """Return the bundled starter rules, in the order of their names."""
    folder = resources.files("rulesgraph.loaders") / "starter"
    pages = sorted((page for page in folder.iterdir() if page.name.endswith(".txt")), key=lambda p: p.name)
    return [decode(page.read_bytes(), page.name) for page in pages]


def find_files(sources: Iterable[str | Path | Source]) -> list[str | Path | Source]:
    """Open up folders into their files (sorted, without hidden ones); anything else stays as it is.

    Raises `UsageError` for a folder without files.
    """
    found: list[str | Path | Source] = []
    for source in sources:
        if source == "":
            raise UsageError(
                "a source has no name", way_out="Name a file or a folder; an empty name is none."
            )
        if isinstance(source, Source) or not Path(source).is_dir():
            found.append(source)
            continue
        root = Path(source)
        inside = [
            path
            for path in sorted(root.rglob("*"))
            if not path.is_dir() and not any(part.startswith(".") for part in path.relative_to(root).parts)
        ]
        if not inside:
            raise UsageError(
                "the folder holds no files",
                where=str(root),
                way_out="Name a file or a folder with rules texts.",
            )
        found.extend(inside)
    return found


def build(
    sources: Sequence[str | Path | Source] = (),
    store: str | Path | Store = "rulesgraph-store",
    *,
    base: str | None = None,
    strict: bool = False,
    progress: Telling | None = None,
) -> Account:
    """Load documents into a store (or what stands at its location) and switch to the result at once.

    Without `sources` the bundled starter rules are loaded. Good documents load, bad ones are listed in
    `Account.refused`; with `strict` a single bad one keeps all out. When nothing is loadable the store
    stays untouched (and is not created). A document that is loaded again replaces its former self.

    Raises `StoreError` when the store cannot be used and `UsageError` for a base that differs from the
    store's own.
    """
    started = time.perf_counter()
    chosen = find_files(sources) if sources else list(starter_sources())
    with workshop(store, progress, new=True) as shop:
        ground = _base_of(shop.store, base)
        tasks = [Task(item, place, ground, shop.scratch, strict) for place, item in enumerate(chosen)]
        count = len(tasks)
        done = list(shop.workers.map(prepare, tasks, lambda n: shop.tell("reading", n, count), start=True))
        shop.tell("reading", count, count)
        refused = tuple(it for it in done if isinstance(it, Refused))
        prepared = [it for it in done if isinstance(it, Prepared)]
        if not prepared or (strict and refused):
            return Account((), refused, 0, time.perf_counter() - started)
        latest = {it.document: it for it in prepared}
        with shop.assembly(base) as assembly:
            assembly.add(list(latest.values()))
            assembly.finish()
        index_editions(shop, assembly.written)
    summaries = tuple(it.summary for it in prepared)
    return Account(summaries, refused, assembly.quads, time.perf_counter() - started)


def _base_of(store: Store, wanted: str | None) -> str:
    """Return the base that the store will have: its own, else what is wanted, else the usual one."""
    try:
        stored: str | None = store.meta().base
    except StoreMissingError:
        stored = None
    return settle_base(stored, wanted, store.location)


def drop(edition: str, store: str | Path | Store, *, progress: Telling | None = None) -> None:
    """Take an edition out of a store (or of what stands at its location), and renew all that rested on it.

    Raises `UnknownNameError` when it is not loaded.
    """
    with workshop(store, progress) as shop:
        with shop.assembly() as assembly:
            assembly.remove(edition)
            assembly.finish()
        index_editions(shop, assembly.written)
