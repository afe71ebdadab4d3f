"""The editions of a store in a folder get their indexes: those that they lack, and no others stay."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ...ontology.iris import Iris
from ..editions import editions_in
from ..indexing.shelf import open_index, sweep
from ..store.folder import FolderStore
from .workshop import Workshop


class ToIndex(NamedTuple):
    """An edition of the store at a place: its documents (IRIs), and the files of its graphs in a state."""

    location: str
    edition: str
    documents: tuple[str, ...]
    written: Mapping[str, Path]
    state: tuple[int, str]


def index_editions(shop: Workshop, written: Mapping[str, Path]) -> None:
    """Make the indexes that a store in a folder lacks; other stores have theirs made when they are asked.

    `written` are the files of the graphs that were renewed, and spare asking the store for them.
    They are made from what was switched to: one that fails to be made is made when it is first needed.
    """
    if not isinstance(shop.store, FolderStore):
        return
    state = shop.store.state()
    iris = Iris(shop.store.meta().base)
    documents = {
        name: tuple(iris.document(document) for document in info.documents)
        for name, info in editions_in(shop.store, iris).items()
    }
    tasks = []
    for name in sweep(shop.store, iris, documents):
        its = documents[name]
        files = {graph: written[graph] for graph in (*its, iris.derived(name)) if graph in written}
        tasks.append(ToIndex(shop.store.location, name, its, files, state))
    work = make if shop.workers.are_started else partial(make, store=shop.store)
    for _ in shop.workers.map(work, tasks, lambda n: shop.tell("indexing", n, len(tasks))):
        pass
    shop.tell("indexing", len(tasks), len(tasks))


def make(task: ToIndex, store: FolderStore | None = None) -> None:
    """See that the index of one edition is there; another build may have switched to another state of it.

    Opening the `store` once more is not free, but it cannot be given to another process.
    """
    store = store or FolderStore(task.location)
    written = task.written if store.state() == task.state else {}
    open_index(store, Iris(store.meta().base), task.edition, task.documents, written).close()
