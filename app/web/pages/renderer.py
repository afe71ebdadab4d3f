"""Render the pages of one service, and cache them while there is room."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ....ontology import RulesgraphError
from ...python.picture import PictureRequest
from ..current import Snapshot, snapshot_of
from ..headers import compressed, has_already, takes_gzip
from ..limits import MakingCache, retrieve_error
from ..service_limits import ServiceLimits
from .layout import Page, PageContext
from .overview import terms_page
from .pictures import PictureDrawer, map_page

Made = TypeVar("Made")

ROOM = 64 << 20
"""How many characters of pages are cached."""

ROOM_COMPRESSED = 16 << 20
"""How many bytes of compressed pages are cached."""


class Renderer:
    """Renders pages from one state of the store at a time; any task of one event loop may call it.

    Each service has its own renderer: the editions in memory, the cached pages and the process that draws
    pictures belong to one store, and end with their service.

    Pages are rendered in one thread: their shared data (the index of words, the editions in memory) then
    needs no lock, and more threads would be no faster, as Python runs one of them at a time.
    """

    def __init__(self, limits: ServiceLimits) -> None:
        self._limits = limits
        self.home = ""  # the address of the service, if known
        self.public = ""  # the one for everybody, if there is one
        self._thread = ThreadPoolExecutor(1, "pages")
        self._digest = ""
        self._context: PageContext | None = None
        self._pages: MakingCache[Page] = MakingCache(ROOM, lambda page: len(page.html) + len(page.words))
        self._compressed: MakingCache[bytes] = MakingCache(ROOM_COMPRESSED, len)
        self._drawer = PictureDrawer()
        self._prefetched = ""

    async def page(self, snapshot: Snapshot, key: Hashable, make: Callable[[PageContext], Page]) -> Page:
        """Return the page that `make` makes, or the cached or pending one under the same key."""
        return await self._pages.get_or_make((snapshot.digest, key), lambda: self.run(snapshot, make))

    async def picture(self, snapshot: Snapshot, wanted: PictureRequest) -> Page:
        """Return the page of a map or a view, drawn once for a state of the store.

        Raises `HTTPException` if it cannot be drawn, and the errors of `PictureDrawer.draw`.
        """
        return await self._pages.get_or_make(
            (snapshot.digest, wanted), lambda: self._pictured(snapshot, wanted)
        )

    async def compressed(self, snapshot: Snapshot, key: Hashable, text: str) -> bytes:
        """Return the text of a key, compressed once for all clients that accept it so."""
        return await self._compressed.get_or_make(
            (snapshot.digest, key), lambda: asyncio.to_thread(lambda: compressed(text.encode()))
        )

    def prefetch_map(self, snapshot: Snapshot) -> None:
        """Start drawing the map as soon as pages of a state are read: no other page takes as long."""
        if self._prefetched != snapshot.digest:
            self._prefetched = snapshot.digest
            self._map = asyncio.ensure_future(self.picture(snapshot, PictureRequest()))
            self._map.add_done_callback(retrieve_error)

    async def warm(self, snapshot: Snapshot) -> None:
        """Render a page of the newest edition, so that no visitor waits for the edition to be read."""
        with suppress(RulesgraphError):
            await self.page(snapshot, "terms", terms_page)

    async def close(self) -> None:
        """End the process that draws a picture, and the thread, after the page that it is rendering."""
        await self._pages.close()
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _pictured(self, snapshot: Snapshot, wanted: PictureRequest) -> Page:
        if wanted.editions or not wanted.around:  # the editions in memory have everything around a thing
            location, memory = snapshot.rules.session.store.location, self._limits.memory
            generation, found = await self._drawer.draw(location, wanted, memory)
            # After a build in between the process saw a newer state than this request.
            if generation == snapshot.generation:
                if isinstance(found, Page):
                    return found
                raise HTTPException(*found)
        return await self.run(snapshot, lambda context: map_page(context, wanted))

    async def run(self, snapshot: Snapshot, make: Callable[[PageContext], Made]) -> Made:
        """Return the result of `make` with the editions of a state of the store."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._make, snapshot, make)

    def _make(self, snapshot: Snapshot, make: Callable[[PageContext], Made]) -> Made:
        if self._context is None or self._digest != snapshot.digest:
            self._context = PageContext(snapshot.rules, rows=self._limits.rows, home=self.home)
            self._context.canonical = self.public or self._context.canonical
            self._digest = snapshot.digest
        return make(self._context)


LONGEST = 400
"""The number of characters of a request's parameter that are read."""


def renderer_of(request: Request) -> Renderer:
    """Return the renderer of the service that received a request."""
    renderer: Renderer = request.app.state.renderer
    return renderer


async def shown(request: Request, key: Hashable, make: Callable[[PageContext], Page]) -> Response:
    """Answer with a page, or with 304 if the client has it already."""
    snapshot, renderer = snapshot_of(request), renderer_of(request)
    page = await renderer.page(snapshot, key, make)
    renderer.prefetch_map(snapshot)
    return await page_response(request, snapshot, key, page)


async def page_response(request: Request, snapshot: Snapshot, key: Hashable, page: Page) -> Response:
    """Answer with a page: its own security policy if it has one, and the address where it belongs."""
    headers = {"Content-Type": "text/html; charset=utf-8"}
    if page.policy:
        headers["Content-Security-Policy"] = page.policy
    if page.status == 200:
        home = renderer_of(request).public or snapshot.rules.session.iris.base
        headers["Link"] = f'<{home}{page.address.removesuffix("index.html")}>; rel="canonical"'
    return await text_response(request, snapshot, key, page.html, headers, page.status)


async def text_response(
    request: Request, snapshot: Snapshot, key: Hashable, text: str, headers: dict[str, str], status: int = 200
) -> Response:
    """Answer with the text of a key, or with 304 if the client has it already."""
    packed = takes_gzip(request.headers.get("accept-encoding"))
    etag = snapshot.etag("page", repr(key), "gzip" if packed else "")
    headers |= {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept"}
    if status == 200 and has_already(request, etag):
        return Response(status_code=304, headers=headers)
    if not packed:
        return Response(text, status, headers)
    headers |= {"Content-Encoding": "gzip", "Vary": "Accept, Accept-Encoding"}
    return Response(await renderer_of(request).compressed(snapshot, key, text), status, headers)


def asked_for(request: Request, *names: str) -> tuple[str, ...]:
    """Return the parameters of a request by their names, ``""`` for missing ones."""
    return tuple(" ".join(request.query_params.get(name, "").split())[:LONGEST] for name in names)
