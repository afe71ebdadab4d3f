"""Requests for pages become pages, each made once for a state of the store and kept while there is room."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from .page import Page
from .shelf import Shelf

if TYPE_CHECKING:
    from ..current import Snapshot

Made = TypeVar("Made")

ROOM = 64 << 20
"""How many characters of pages are kept."""


class Pressroom:
    """Makes pages from one state of the store at a time; `ask` may be called from any task of one loop.

    Pages are made in one thread: what they share (the index of words, editions that were read) is used by
    nobody else, and more threads would take no less time.
    """

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, "pages")
        self._digest = ""
        self._shelf: Shelf | None = None
        self._kept: OrderedDict[Hashable, Page] = OrderedDict()
        self._size = 0

    async def ask(self, snapshot: Snapshot, key: Hashable, make: Callable[[Shelf], Page]) -> Page:
        """Return the page that `make` makes, or the one that was made under the same key."""
        named = (snapshot.digest, key)
        page = self._kept.get(named)
        if page is not None:
            self._kept.move_to_end(named)
            return page
        page = await self.run(snapshot, make)
        self._keep(named, page)
        return page

    async def run(self, snapshot: Snapshot, make: Callable[[Shelf], Made]) -> Made:
        """Return what `make` makes of the editions of a state of the store."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._make, snapshot, make)

    def _make(self, snapshot: Snapshot, make: Callable[[Shelf], Made]) -> Made:
        if self._shelf is None or self._digest != snapshot.digest:
            self._shelf, self._digest = Shelf(snapshot.rules), snapshot.digest
        return make(self._shelf)

    def _keep(self, named: Hashable, page: Page) -> None:
        if named in self._kept:
            return
        self._kept[named] = page
        self._size += len(page.html)
        while self._size > ROOM:
            _, gone = self._kept.popitem(last=False)
            self._size -= len(gone.html)
