"""Answer requests for pages, with entity tags, and for the files that pages need."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256
from mimetypes import guess_type
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ....loaders.store.query import PreparedQuery
from ....ontology import RulesgraphError, UsageError, compact
from ....queries.answering.running import bound
from ....queries.catalogue.questions import asked, example_of, question
from ...python.picture import PictureRequest
from ..current import Snapshot, snapshot_of
from ..errors import status_of
from ..headers import has_already, preferred
from ..limits import CrowdedError
from ..sparql.endpoint import unless_gone
from ..sparql.executor import QueryExecutor
from ..sparql.protocol import Formats
from .addresses import MEDIA
from .asking import INDEXES, SEARCH, search_files, search_names
from .layout import Page, PageContext, static_files
from .page_table import PAGES, PageKind
from .pictures import DEEPEST, MAP, WORDS
from .query import QueryOutcome, completions, query_page, things_in
from .renderer import LONGEST, asked_for, page_response, renderer_of, shown, text_response

_FORMATS = Formats("application/sparql-results+json", "application/n-triples")
"""Those that the page of a query reads."""

Answering = Callable[[Request], Awaitable[Response]]


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


async def _data(request: Request, address: str, make: Callable[[PageContext], str], *asked: str) -> Response:
    """Answer with the JSON that `make` makes for `asked`, once for a state of the store."""
    snapshot, key = snapshot_of(request), (address, *asked)
    page = await renderer_of(request).page(
        snapshot, key, lambda context: Page(200, address, make(context), address)
    )
    return await text_response(request, snapshot, key, page.html, {"Content-Type": "application/json"})


async def vocabulary_names(request: Request) -> Response:
    """Answer with the names that the query editor completes while the user types."""
    return await _data(request, "vocabulary.json", lambda context: compact(completions(context)))


async def search_part(request: Request) -> Response:
    """Answer with a part of the index with which a browser searches an edition."""
    part, [edition] = request.path_params["part"], asked_for(request, "edition")
    address = SEARCH.format(part)
    if address not in INDEXES:
        raise HTTPException(404)
    if part == "names":
        return await _data(request, address, lambda context: search_names(context, edition), edition)
    return await _data(request, address, lambda context: search_files(context, edition)[address], edition)


async def _page(kind: PageKind, request: Request) -> Response:
    """Show one of the pages of a kind."""
    values = tuple(request.path_params.values())
    values += asked_for(request, *kind.asked(*values))
    return await shown(request, (kind.pattern, *values), lambda context: kind.page(context, *values))


async def changes(request: Request) -> Response:
    """Show which editions can be compared, or redirect to the comparison of the two given."""
    before, after = asked_for(request, "before", "after")
    if before and after:
        return RedirectResponse(f"/changes/{quote(before, safe='')}/{quote(after, safe='')}.html", 303)
    return await _page(_KINDS["changes.html"], request)


def wanted_picture(request: Request) -> PictureRequest:
    """Return the picture that the parameters of an address request; others are ignored."""
    around, depth, name, edition, editions = asked_for(
        request, "around", "depth", "answer", "edition", "editions"
    )
    values = (value[:LONGEST] for value in request.query_params.getlist("with")[:4])
    return PictureRequest(
        around=around or None,
        depth=min(int(depth), DEEPEST) if around and depth.isdecimal() else 1,
        answer=(name, *values) if name else (),
        edition=edition or None,
        editions=editions or None,
    )


async def picture(request: Request) -> Response:
    """Show the map, or a part of the graph: around a thing, or of an answer."""
    return await _pictured(request, wanted_picture(request))


async def _pictured(request: Request, wanted: PictureRequest) -> Response:
    snapshot = snapshot_of(request)
    page = await renderer_of(request).picture(snapshot, wanted)
    return await page_response(request, snapshot, ("map", *wanted), page)


async def map_words(request: Request) -> Response:
    """Answer with the words of a map, which its page fetches when the user opens a text."""
    snapshot, wanted = snapshot_of(request), wanted_picture(request)
    page = await renderer_of(request).picture(snapshot, wanted)
    if not page.words:
        raise HTTPException(404, "This page already contains its text.")
    headers = {"Content-Type": "application/json"}
    return await text_response(request, snapshot, ("words", *wanted), page.words, headers)


async def query(request: Request) -> Response:
    """Show the form for queries, with the result if there is a query to run."""
    text = request.query_params.get("query", "")
    example, field, form = asked_for(request, "example", "field", "as")
    plain = field == "plain"
    chosen = question(example) if example else None
    values = asked_for(request, *(it.name for it in chosen.parameters)) if chosen else ()
    snapshot, run, outcome = snapshot_of(request), renderer_of(request).run, None
    make = partial(query_page, plain=plain, chosen=(chosen, values))
    if chosen and values and all(values) and not text.strip():
        try:
            text = await run(
                snapshot, lambda context: asked(chosen, bound(context.session, chosen, values)[0])
            )
        except UsageError as error:
            outcome = QueryOutcome(reason=error.what, status=status_of(error))
    if not text.strip():
        first = partial(make, query=example_of(chosen) if chosen else "", outcome=outcome)
        return await shown(request, ("query", example, plain, *values), first)
    outcome = await _run(request, snapshot, text)
    base = snapshot.rules.session.iris.base
    things = await run_in_threadpool(things_in, outcome, base) if form == "graph" else ()
    if things:
        return await _pictured(request, PictureRequest(things=things))
    page = await run(snapshot, partial(make, query=text, outcome=outcome))
    return Response(page.html, page.status, {"Cache-Control": "no-cache"}, media_type="text/html")


async def _run(request: Request, snapshot: Snapshot, text: str) -> QueryOutcome:
    executor: QueryExecutor = request.app.state.executor
    client = request.client.host if request.client else ""
    key = snapshot.etag("query page", text)
    try:
        answer = executor.answer(snapshot, PreparedQuery(text), _FORMATS, client, key)
        kind, found = await unless_gone(request, answer)
    except CrowdedError as error:
        if executor.stops:
            raise  # a stopping service renders no more pages
        return QueryOutcome(reason=str(error), status=503)
    except RulesgraphError as error:
        return QueryOutcome(reason=str(error), status=status_of(error))
    if isinstance(found, bytes):
        return QueryOutcome(kind, found)
    if found.length > _MOST_SHOWN:
        return QueryOutcome(reason=_TOO_LARGE.format(found.length), status=413)
    return QueryOutcome(kind, await run_in_threadpool(found.file.read))


_MOST_SHOWN = 16 << 20
"""The size in bytes of the largest answer of which a page shows the first rows."""

_TOO_LARGE = "The result has {:,} bytes, too many for a page. Add LIMIT, or query the endpoint: /sparql"


async def _redirect(pattern: str, request: Request) -> Response:
    """Redirect to the address of a pattern, with all parameters."""
    target = pattern.format(**{name: quote(value) for name, value in request.path_params.items()})
    return RedirectResponse(f"/{target}?{request.url.query}".rstrip("?"), 308)


async def _or_data(kind: PageKind, page: Answering, request: Request) -> Response:
    """Show a page, or redirect requests for data to that of the page."""
    endings = {media: ending for ending, media in MEDIA.items()}
    media = preferred(request.headers.get("accept"), [*endings]) if kind.data else None
    if media in (None, MEDIA["html"]):
        return await page(request)
    return RedirectResponse(f"/{kind.data}.{endings[media]}", 303, {"Vary": "Accept"})


_ROBOTS = "User-agent: *\nDisallow: /sparql\nDisallow: /query.html\nDisallow: /map\n"
"""What crawlers are asked to leave alone: addresses that compute something for each new question."""

_KINDS = {it.pattern: it for it in PAGES}

_ANSWERS = {"changes.html": changes, MAP: picture, "query.html": query}
"""The handlers of pages that do more with a request than show a page."""


def page_routes() -> list[BaseRoute]:
    """Return the routes of all pages that are not about one thing, and of the files that pages need."""
    routes: list[BaseRoute] = [
        Route("/static/{name}", static_file),
        Route(f"/{SEARCH.format('{part}')}", search_part),
        Route("/vocabulary.json", vocabulary_names),
        Route(f"/{WORDS}", map_words),
        Route("/vocabulary", partial(_redirect, "ns.html")),
        Route("/favicon.ico", partial(_redirect, "static/icon.svg")),
        Route("/robots.txt", PlainTextResponse(_ROBOTS), methods=["GET"]),
    ]
    for kind in PAGES:
        answer = _ANSWERS.get(kind.pattern) or partial(_page, kind)
        name = kind.pattern.removesuffix(".html")
        routes.append(Route(f"/{kind.pattern}", answer, name=name))
        routes += [Route(f"/{it}", partial(_or_data, kind, answer)) for it in kind.also]
        # Search and map are linked without an ending, where the server answers them.
        led = partial(_redirect, next(iter(kind.also), "") or kind.pattern)
        routes += [Route(f"/{it}", partial(_or_data, kind, led)) for it in kind.short]
    return routes
