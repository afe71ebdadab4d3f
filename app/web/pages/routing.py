"""Addresses of pages become answers: pages with their entity tags, and the files that pages need."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from functools import cache
from hashlib import sha256
from importlib import resources
from mimetypes import guess_type

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ..current import snapshot_of
from .desk import Desk
from .edition import terms_page
from .front import front_page
from .page import Page
from .shelf import Shelf

DESK = Desk()
"""Where the pages of this process are made."""

LONGEST = 400
"""How many characters of what people ask are read."""

PageMaker = Callable[[Shelf], Page]


async def shown(request: Request, key: Hashable, make: PageMaker) -> Response:
    """Answer with a page, or with 304 where the client has it already."""
    snapshot = snapshot_of(request)
    page = await DESK.ask(snapshot, key, make)
    etag = snapshot.etag("page", repr(key))
    headers = {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept"}
    if page.policy:
        headers["Content-Security-Policy"] = page.policy
    if page.status == 200:
        canonical = snapshot.rules.session.iris.base + page.address
        headers["Link"] = f'<{canonical}>; rel="canonical"'
    if page.status == 200 and etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(page.html, page.status, headers, media_type="text/html")


def asked_for(request: Request, *names: str) -> tuple[str, ...]:
    """Return what the address asks for by some names, ``""`` for what is not there."""
    return tuple(" ".join(request.query_params.get(name, "").split())[:LONGEST] for name in names)


async def static_file(request: Request) -> Response:
    """Answer with a style sheet, a script or a drawing of ours."""
    name = request.path_params["name"]
    body, etag = _file(name)
    headers = {"ETag": etag, "Cache-Control": "public, max-age=3600"}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=guess_type(name)[0] or "application/octet-stream")


@cache
def _file(name: str) -> tuple[bytes, str]:
    folder = resources.files(__package__) / "static"
    known = {it.name: it for it in folder.iterdir()}
    if name not in known:
        raise HTTPException(404)
    body = known[name].read_bytes()
    return body, f'"{sha256(body).hexdigest()[:24]}"'


def _page(key: str, make: PageMaker) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return await shown(request, key, make)

    return answer


def page_routes() -> list[BaseRoute]:
    """Return the routes of pages that are no page of one thing."""
    return [
        Route("/static/{name}", static_file),
        Route("/", _page("front", front_page)),
        Route("/index.html", _page("front", front_page)),
        Route("/terms.html", _page("terms", terms_page)),
    ]
