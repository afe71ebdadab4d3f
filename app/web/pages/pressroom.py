"""Requests for pages become pages, each made once for a state of the store and kept while there is room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from ..compression import compressed
from .keeping import Keeping, Made, heard
from .map import PictureWish, map_page
from .page import Page
from .shelf import Shelf
from .studio import Studio

if TYPE_CHECKING:
    from ..current import Snapshot


ROOM = 64 << 20
"""How many characters of pages are kept."""

ROOM_COMPRESSED = 16 << 20
"""How many bytes of pages that were compressed."""


class Pressroom:
    """Makes pages from one state of the store at a time; `ask` may be called from any task of one loop.

    Pages are made in one thread: what they share (the index of words, editions that were read) is used by
    nobody else, and more threads would take no less time. Pictures that take seconds are made elsewhere.
    """

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, "pages")
        self._digest = ""
        self._shelf: Shelf | None = None
        self._pages: Keeping[Page] = Keeping(ROOM, lambda page: len(page.html) + len(page.words))
        self._compressed: Keeping[bytes] = Keeping(ROOM_COMPRESSED, len)
        self._studio = Studio()
        self._foreseen = ""

    async def ask(self, snapshot: Snapshot, key: Hashable, make: Callable[[Shelf], Page]) -> Page:
        """Return the page that `make` makes, or the one that was or is being made under the same key."""
        return await self._pages.once((snapshot.digest, key), lambda: self.run(snapshot, make))

    async def picture(self, snapshot: Snapshot, wish: PictureWish, memory: int) -> Page:
        """Return the page of a map or a view, made once for a state of the store, in so many bytes of memory.

        Raises `HTTPException` where there is none, and what `Studio.make` raises.
        """
        return await self._pages.once((snapshot.digest, wish), lambda: self._pictured(snapshot, wish, memory))

    async def compressed(self, snapshot: Snapshot, key: Hashable, text: str) -> bytes:
        """Return a text that was asked for under a key, compressed once for all who take it so."""
        return await self._compressed.once(
            (snapshot.digest, key), lambda: asyncio.to_thread(lambda: compressed(text.encode()))
        )

    def foresee(self, snapshot: Snapshot, memory: int) -> None:
        """Begin to make the map of a state of which somebody reads pages: it is what takes longest."""
        if self._foreseen != snapshot.digest:
            self._foreseen = snapshot.digest
            self._map = asyncio.ensure_future(self.picture(snapshot, PictureWish(), memory))
            self._map.add_done_callback(heard)

    def close(self) -> None:
        """End what is made in processes of their own."""
        self._studio.close()

    async def _pictured(self, snapshot: Snapshot, wish: PictureWish, memory: int) -> Page:
        if not wish.around:  # what is around a thing is at hand in the editions that were read
            found = await self._studio.make(snapshot, wish, memory)
            if found.generation == snapshot.generation:
                if found.page is None:
                    raise HTTPException(found.status, found.reason)
                return found.page
        return await self.run(snapshot, lambda shelf: map_page(shelf, wish))

    async def run(self, snapshot: Snapshot, make: Callable[[Shelf], Made]) -> Made:
        """Return what `make` makes of the editions of a state of the store."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._make, snapshot, make)

    def _make(self, snapshot: Snapshot, make: Callable[[Shelf], Made]) -> Made:
        if self._shelf is None or self._digest != snapshot.digest:
            self._shelf, self._digest = Shelf(snapshot.rules), snapshot.digest
        return make(self._shelf)
