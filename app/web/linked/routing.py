"""Answer requests for things, by a redirect (303) or with their page or data, and for downloads."""

from __future__ import annotations

import asyncio
import re
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from datetime import date
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from ....loaders.store.query import PreparedQuery
from ....loaders.store.worker_protocol import dumping
from ....ontology.errors import StoreExhaustedError, UsageError
from ..current import Snapshot, snapshot_of
from ..errors import PAGE, form_of, refusal
from ..headers import has_already, preferred, takes_gzip
from ..limits import FairTurns, end
from ..pages.addresses import MEDIA, page_of, sought
from ..pages.layout import Page, PageContext
from ..pages.page_table import NAMES, THINGS, missing_page, thing_page
from ..pages.renderer import asked_for, renderer_of, shown
from ..pages.rule import rule_page
from ..sparql.endpoint import answered
from ..sparql.protocol import Formats
from .data import DUMPS, ENDINGS, QUERIES, exists, statements, written

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*")
"""The allowed names of an edition; they become part of a header."""


async def download(request: Request) -> Response:
    """Answer with the graphs of an edition as one file, which is made like any answer to a query.

    Raises `UnknownNameError` for an edition that is not loaded, `UsageError` for one that exceeds the size of
    an answer.
    """
    name, _, ending = request.path_params["file"].rpartition(".")
    if ending not in ENDINGS:
        raise HTTPException(404, f"Downloads end in {', '.join(f'.{it}' for it in ENDINGS)}.")
    if not _NAME.fullmatch(name):
        raise HTTPException(404)
    snapshot, run = snapshot_of(request), renderer_of(request).run
    graphs = await run(snapshot, lambda context: context.session.scope(name).default_graphs)
    asked = PreparedQuery(QUERIES.bound("everything", {}), default_graphs=tuple(graphs), named_graphs=())
    try:
        response = await answered(request, snapshot, asked, Formats(None, MEDIA[ending]))
    except UsageError as error:
        raise UsageError(
            "this edition is too large for a single response",
            way_out="`rulesgraph export` writes files of any size.",
        ) from error
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    return response


AT_ONCE = 4
"""The maximum number written at the same time."""

LONGEST = 1800
"""The seconds after which one is cut off, however slowly its client reads."""

_BLOCK = 1 << 18


class _InTurn(StreamingResponse):
    """An answer that takes a turn while it is sent; raises `CrowdedError` if there is none."""

    def __init__(self, turns: FairTurns, content: AsyncIterator[bytes], headers: Mapping[str, str]) -> None:
        super().__init__(content, headers=headers)
        self._turns = turns

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._turns.turn("", LONGEST):
            await super().__call__(scope, receive, send)


async def dump(request: Request) -> Response:
    """Answer with one of `DUMPS`, or with 304 if the client has it already."""
    name = request.url.path.rpartition("/")[2]
    _, media = DUMPS[name]
    ending = name.split(".")[1]
    snapshot = snapshot_of(request)
    is_archive = name.endswith(".gz")
    packed = is_archive or takes_gzip(request.headers.get("accept-encoding"))
    headers = {
        "ETag": snapshot.etag("dump", name, "gzip" if packed else ""),
        "Cache-Control": "no-cache",
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Type": f"{media}; charset=utf-8" if media == "application/trig" else media,
    }
    if not is_archive:
        headers |= {"Vary": "Accept-Encoding", **({"Content-Encoding": "gzip"} if packed else {})}
    if has_already(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    if request.method == "HEAD":
        return Response(headers=headers)
    return _InTurn(request.app.state.dumps, _written(snapshot, ending, packed), headers)


async def _written(snapshot: Snapshot, ending: str, packed: bool) -> AsyncIterator[bytes]:
    """Yield blocks as fast as the client takes them; the hold on the store stays until the end.

    Raises `StoreExhaustedError` if it is cut off: the client sees that the file is incomplete.
    """
    location = snapshot.rules.session.store.location
    command = dumping(location, snapshot.generation, ending, packed)
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
    # A client that is slow enough does not even request the next block.
    late = asyncio.get_running_loop().call_later(LONGEST, end, process)
    try:
        assert process.stdout is not None
        while block := await process.stdout.read(_BLOCK):
            yield block
        if await process.wait():
            raise StoreExhaustedError("the download was interrupted", where=location)
    finally:
        late.cancel()
        end(process)


_DESCRIBED = ("/.well-known/void", "/void", "/catalog")
"""Addresses where clients look for the description of the data set."""

_BY_MEDIA = {media: ending for ending, media in MEDIA.items()}
_ALSO = {
    "application/xhtml+xml": "html",
    "application/json": "jsonld",
    "application/x-turtle": "ttl",
    "text/plain": "nt",
}


async def thing(request: Request) -> Response:
    """Redirect from a thing to its page or its data, or show either if the address says which."""
    snapshot = snapshot_of(request)
    address = request.url.path.removeprefix("/")
    iri, ending = sought(snapshot.rules.session.iris, address)
    if ending == "html":
        make = partial(thing_page, iri=iri)
        page = await renderer_of(request).page(snapshot, ("thing", iri), make)
        if page.status == 200 and page.address != address:
            return RedirectResponse(f"/{page.address}", 301, {"Cache-Control": "no-cache"})
        return await _told(request, ("thing", iri), make)
    if ending:
        return await _data(request, iri, ending)
    if not await renderer_of(request).run(snapshot, lambda context: exists(context, iri)):
        return await _told(request, ("missing", iri), partial(missing_page, iri=iri))
    return _redirected(request, page_of(snapshot.rules.session.iris, iri), address)


async def _told(request: Request, key: Hashable, make: Callable[[PageContext], Page]) -> Response:
    """Answer with a page; for a missing thing, a client that wants no page gets only its title."""
    page = await renderer_of(request).page(snapshot_of(request), key, make)
    if page.status != 200 and form_of(request) != PAGE:
        return refusal(request, page.status, page.title)
    return await shown(request, key, make)


def _redirected(request: Request, page: str, address: str) -> Response:
    """Return 303 to the client's preferred form of a thing, or 406."""
    media = preferred(request.headers.get("accept"), [*_BY_MEDIA, *_ALSO])
    links = ", ".join(
        f'</{address}.{ending}>; rel="alternate"; type="{media}"' for media, ending in _BY_MEDIA.items()
    )
    headers = {"Vary": "Accept", "Link": links, "Cache-Control": "no-cache"}
    if media is None:
        offered = ", ".join(_BY_MEDIA)
        return refusal(request, 406, f"This is available as {offered}.", headers)
    ending = _BY_MEDIA.get(media) or _ALSO[media]
    return RedirectResponse(f"/{page}" if ending == "html" and page else f"/{address}.{ending}", 303, headers)


async def _data(request: Request, iri: str, ending: str) -> Response:
    snapshot, run = snapshot_of(request), renderer_of(request).run
    etag = snapshot.etag("data", iri, ending)
    address = request.url.path.removesuffix(f".{ending}")
    headers = {
        "ETag": etag,
        "Cache-Control": "no-cache",
        "Link": f'<{iri}>; rel="canonical", <{address}.html>; rel="alternate"; type="text/html"',
    }
    if has_already(request, etag) and await run(snapshot, lambda context: exists(context, iri)):
        return Response(status_code=304, headers=headers)
    body = await run(snapshot, lambda context: written(context, statements(context, iri), ending))
    if not body:
        return await _told(request, ("missing", iri), partial(missing_page, iri=iri))
    return Response(body, headers=headers, media_type=MEDIA[ending])


async def rule_of_a_day(request: Request) -> Response:
    """Show the thing that has a number today, or had it on a day (`asof`)."""
    number = request.path_params["number"]
    (day,) = asked_for(request, "asof")
    asof = None
    if day:
        try:
            asof = date.fromisoformat(day)
        except ValueError as error:
            raise UsageError(f"{day!r} is not a date", way_out="Write a date like 2008-03-17.") from error
    key, make = ("rule", number, day), partial(_rule, number=number, asof=asof)
    page = await renderer_of(request).page(snapshot_of(request), key, make)
    if page.status == 200 and not asof:
        return RedirectResponse(f"/{page.address}", 302, {"Cache-Control": "no-cache"})
    return await _told(request, key, make)


def _rule(context: PageContext, number: str, asof: date | None) -> Page:
    edition = context.in_force(asof) if asof else context.newest
    if edition is None:
        raise UsageError(
            f"no loaded edition was in force on {asof}", way_out="The front page lists the editions."
        )
    for iri in (context.iris.rule(edition.id, number), context.iris.section(edition.id, number)):
        if context.snapshot(edition.id).has(iri):
            return rule_page(context, iri, asof)
    return missing_page(context, context.iris.rule(edition.id, number), f"rule/{number}")


def linked_routes() -> list[BaseRoute]:
    """Return the routes of all addresses below the base."""
    return [
        *(Route(path, RedirectResponse("/dataset.ttl", 302), methods=["GET"]) for path in _DESCRIBED),
        *(Route(f"/download/{name}", dump, name=name) for name in DUMPS),
        Route("/download/{file}", download),
        Route("/rule/{number}", rule_of_a_day),
        *(Route(f"/{kind}/{{rest:path}}", thing) for kind in THINGS),
        *(Route(f"/{name}", thing) for name in NAMES),
        *(Route(f"/{name}.{ending}", thing) for name in NAMES for ending in MEDIA),
    ]
