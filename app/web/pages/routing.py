"""Addresses of pages become answers: pages with their entity tags, and the files that pages need."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from hashlib import sha256
from mimetypes import guess_type
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ....ontology.errors import RulesgraphError
from ....ontology.json_values import Json
from ....queries.catalogue.questions import question
from ..compression import takes_gzip
from ..current import Snapshot, snapshot_of
from ..errors import status_of
from ..freshness import has_already
from ..limits import ServiceLimits
from ..sparql.desk import QueryDesk
from ..sparql.protocol import QueryRequest
from ..sparql.turns import CrowdedError
from .about import about_page
from .changes import changes_page, difference_page
from .completions import completions
from .defects import defects_page
from .edition import terms_page
from .front import front_page
from .map import PictureWish
from .names import names
from .page import Page
from .press import static_files
from .pressroom import Pressroom
from .query import QueryOutcome, query_page, things_in
from .question import question_page, questions_page
from .search import search_page
from .shelf import Shelf

PRESSROOM = Pressroom()
"""Where the pages of this process are made."""

LONGEST = 400
"""How many characters of what people ask are read."""

PageMaker = Callable[[Shelf], Page]


async def shown(request: Request, key: Hashable, make: PageMaker) -> Response:
    """Answer with a page, or with 304 where the client has it already."""
    snapshot = snapshot_of(request)
    page = await PRESSROOM.ask(snapshot, key, make)
    PRESSROOM.foresee(snapshot, _limits(request).memory)
    return await _answered(request, snapshot, key, page)


def _limits(request: Request) -> ServiceLimits:
    limits: ServiceLimits = request.app.state.limits
    return limits


async def _answered(request: Request, snapshot: Snapshot, key: Hashable, page: Page) -> Response:
    headers = {"Content-Type": "text/html; charset=utf-8"}
    if page.policy:
        headers["Content-Security-Policy"] = page.policy
    if page.status == 200:
        canonical = snapshot.rules.session.iris.base + page.address
        headers["Link"] = f'<{canonical}>; rel="canonical"'
    return await _given(request, snapshot, key, page.html, headers, page.status)


async def _given(
    request: Request, snapshot: Snapshot, key: Hashable, text: str, headers: dict[str, str], status: int = 200
) -> Response:
    """Answer with what was asked for under a key, or with 304 where the client has it already."""
    packed = takes_gzip(request.headers.get("accept-encoding"))
    etag = snapshot.etag("page", repr(key), "gzip" if packed else "")
    headers |= {"ETag": etag, "Cache-Control": "no-cache", "Vary": "Accept"}
    if status == 200 and has_already(request, etag):
        return Response(status_code=304, headers=headers)
    if not packed:
        return Response(text, status, headers)
    headers |= {"Content-Encoding": "gzip", "Vary": "Accept, Accept-Encoding"}
    return Response(await PRESSROOM.compressed(snapshot, key, text), status, headers)


def asked_for(request: Request, *names: str) -> tuple[str, ...]:
    """Return what the address asks for by some names, ``""`` for what is not there."""
    return tuple(" ".join(request.query_params.get(name, "").split())[:LONGEST] for name in names)


async def static_file(request: Request) -> Response:
    """Answer with a style sheet, a script or a drawing of ours."""
    name = request.path_params["name"]
    if name not in static_files():
        raise HTTPException(404)
    body = static_files()[name]
    etag = f'"{sha256(body).hexdigest()[:24]}"'
    headers = {"ETag": etag, "Cache-Control": "public, max-age=3600"}
    if has_already(request, etag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=guess_type(name)[0] or "application/octet-stream")


async def search(request: Request) -> Response:
    """Show what is found for the words behind a question mark."""
    words, edition = asked_for(request, "q", "edition")
    return await shown(request, ("search", words, edition), lambda shelf: search_page(shelf, words, edition))


async def one_question(request: Request) -> Response:
    """Show a question of the catalogue, answered where it has all that it asks about."""
    name = request.path_params["name"]
    (edition,) = asked_for(request, "edition")
    values = asked_for(request, *(it.name for it in question(name).parameters))
    return await shown(
        request,
        ("question", name, values, edition),
        lambda shelf: question_page(shelf, name, values, edition),
    )


async def known_names(request: Request) -> Response:
    """Answer with the names that are completed as one types, each with its page."""
    return await _listed(request, "names", lambda shelf: names(shelf, shelf.newest.id))


async def vocabulary_names(request: Request) -> Response:
    """Answer with the names that are completed as one writes a query."""
    return await _listed(request, "vocabulary names", completions)


async def _listed(request: Request, what: str, listed: Callable[[Shelf], Json]) -> Response:
    snapshot = snapshot_of(request)
    etag = snapshot.etag(what)
    headers = {"ETag": etag, "Cache-Control": "public, max-age=600"}
    if has_already(request, etag):
        return Response(status_code=304, headers=headers)
    return JSONResponse(await PRESSROOM.run(snapshot, listed), headers=headers)


async def about(request: Request) -> Response:
    """Show what is known of the data."""
    rows = _limits(request).rows
    return await shown(request, ("about", rows), lambda shelf: about_page(shelf, rows))


async def changes(request: Request) -> Response:
    """Show which editions can be compared, or lead to the two that are named."""
    before, after = asked_for(request, "before", "after")
    if before and after:
        return RedirectResponse(f"/changes/{quote(before, safe='')}/{quote(after, safe='')}.html", 303)
    return await shown(request, "changes", changes_page)


async def difference(request: Request) -> Response:
    """Show what changed between two editions."""
    before, after = (request.path_params[name] for name in ("before", "after"))
    return await shown(
        request, ("difference", before, after), lambda shelf: difference_page(shelf, before, after)
    )


async def defects(request: Request) -> Response:
    """Show the defects of an edition."""
    name = request.path_params["edition"]
    return await shown(request, ("defects", name), lambda shelf: defects_page(shelf, name))


def _wish(request: Request) -> PictureWish:
    """Return what a view is to show: what is around a thing, or an answer; without any of these all."""
    around, depth, answer, edition, editions = asked_for(
        request, "around", "depth", "answer", "edition", "editions"
    )
    values = tuple(value[:LONGEST] for value in request.query_params.getlist("with")[:4])
    return PictureWish.of(around, depth, answer, values, edition, editions)


async def picture(request: Request) -> Response:
    """Show the map, or a part of the graph: around a thing, or of an answer."""
    return await _pictured(request, _wish(request))


async def _pictured(request: Request, wish: PictureWish) -> Response:
    snapshot = snapshot_of(request)
    return await _answered(request, snapshot, ("map", *wish), await _drawn(request, snapshot, wish))


async def _drawn(request: Request, snapshot: Snapshot, wish: PictureWish) -> Page:
    try:
        return await PRESSROOM.picture(snapshot, wish, _limits(request).memory)
    except CrowdedError as error:
        reason = "Too many pictures are being drawn. Try again in a moment."
        raise HTTPException(503, reason, {"Retry-After": "5"}) from error


async def map_words(request: Request) -> Response:
    """Answer with the words of a map, which its page fetches when somebody wants to read."""
    snapshot, wish = snapshot_of(request), _wish(request)
    page = await _drawn(request, snapshot, wish)
    if not page.words:
        raise HTTPException(404, "This view has all of its words in its page.")
    return await _given(request, snapshot, ("words", *wish), page.words, {"Content-Type": "application/json"})


async def query(request: Request) -> Response:
    """Show the form for queries, with what a query gives that it is asked to run."""
    text = request.query_params.get("query", "")
    example, field, form = asked_for(request, "example", "field", "as")
    plain = field == "plain"
    if not text.strip():
        text = question(example).query if example else ""
        key = ("query", example, plain)
        return await shown(request, key, lambda shelf: query_page(shelf, text, plain=plain))
    snapshot = snapshot_of(request)
    outcome = await _run(request, snapshot, text)
    base = snapshot.rules.session.iris.base
    things = await run_in_threadpool(things_in, outcome, base) if form == "graph" else ()
    if things:
        return await _pictured(request, PictureWish(things=things))
    page = await PRESSROOM.run(snapshot, lambda shelf: query_page(shelf, text, outcome, plain=plain))
    return Response(page.html, page.status, {"Cache-Control": "no-cache"}, media_type="text/html")


async def _run(request: Request, snapshot: Snapshot, text: str) -> QueryOutcome:
    desk: QueryDesk = request.app.state.desk
    client = request.client.host if request.client else ""
    key = snapshot.etag("query page", text)
    asked = QueryRequest(text, None, None, None)
    try:
        kind, found = desk.kept(key) or await desk.answer(snapshot, asked, ("json", "ntriples"), client, key)
    except (CrowdedError, TimeoutError):
        return QueryOutcome(reason="Too many queries are waiting. Try again in a moment.", status=503)
    except RulesgraphError as error:
        return QueryOutcome(reason=str(error), status=status_of(error))
    if isinstance(found, bytes):
        return QueryOutcome(kind, found)
    return QueryOutcome(kind, found.whole())


def _page(key: str, make: PageMaker) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return await shown(request, key, make)

    return answer


_ELSEWHERE = {
    **{name: f"/{name}.html" for name in ("about", "changes", "defects", "query", "questions", "terms")},
    "ask": "/search",
    "diff": "/changes.html",
    "vocabulary": "/ns.html",
}
"""Addresses that people type, and where what they mean stands."""


async def elsewhere(request: Request) -> Response:
    """Lead from an address that people type to the one of the page, with all that was asked for."""
    path = request.url.path.strip("/")
    target = _ELSEWHERE.get(path) or f"/{quote(path)}.html"
    return RedirectResponse(f"{target}?{request.url.query}".rstrip("?"), 308)


def page_routes() -> list[BaseRoute]:
    """Return the routes of pages that are no page of one thing."""
    return [
        Route("/static/{name}", static_file),
        *(Route(address, _page("front", front_page)) for address in ("/", "/index.html")),
        Route("/names.json", known_names),
        Route("/vocabulary.json", vocabulary_names),
        Route("/terms.html", _page("terms", terms_page)),
        Route("/questions.html", _page("questions", questions_page)),
        Route("/about.html", about),
        Route("/defects.html", _page("defects", defects_page)),
        Route("/defects/{edition}.html", defects),
        *(Route(address, search) for address in ("/search", "/search.html")),
        *(Route(address, picture) for address in ("/map", "/map.html")),
        Route("/map/words.json", map_words),
        Route("/query.html", query, name="query"),
        Route("/question/{name}.html", one_question),
        Route("/question/{name}", elsewhere),
        Route("/changes.html", changes),
        Route("/changes/{before}/{after}.html", difference),
        Route("/changes/{before}/{after}", elsewhere),
        Route("/defects/{edition}", elsewhere),
        *(Route(f"/{name}", elsewhere) for name in _ELSEWHERE),
    ]
