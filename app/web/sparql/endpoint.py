"""Answer the requests of the SPARQL 1.1 Protocol: with a complete answer, or with a reason."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import closing
from typing import Any, TypeVar

from pyoxigraph import BlankNode, Literal, NamedNode, Triple, serialize
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from ....loaders.store.documents import GRAPHS as WRITERS
from ....ontology.errors import StoreExhaustedError, StoreTimeoutError
from ....ontology.terms import PREFIXES
from ..current import Snapshot, snapshot_of
from ..headers import DATA_SECURITY, has_already
from ..limits import ServiceLimits
from ..negotiation import preferred
from .executor import QueryExecutor
from .protocol import GRAPHS, METHODS, Formats, QueryRequest, asked_of, content_type, negotiated
from .worker_process import AnswerFile, CrowdedError, WorkerAnswer

PAGE = "text/html"

_SOON = 5
"""Seconds after which who was sent away may try again."""

_LOOK = 0.2
"""Seconds that a query runs before it is watched whether its client is still there."""

_BLOCK = 1 << 18

_T = TypeVar("_T")

PATHS = ("/sparql", "/sparql/")

ErrorHandler = Callable[[Request, Exception], Awaitable[Response]]
"""What answers a request that ended with an error."""

_METHODS = frozenset(METHODS.split(", "))

"""What every answer says besides its own headers."""


class Endpoint:
    """An ASGI application for one address; `app.state.executor` of the service answers.

    `handlers` say what to answer to a kind of error, the first that fits. One that only fits as `Exception`
    goes on to the server, which logs it.
    """

    def __init__(self, handlers: Mapping[type[Exception], ErrorHandler], told: Mapping[str, str]) -> None:
        """Make the endpoint; its answers have the headers `told`, and those of data."""
        self._handlers = handlers
        self._told = [
            (name.lower().encode(), text.encode()) for name, text in {**DATA_SECURITY, **told}.items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request, unforeseen = Request(scope, receive), None
        try:
            response = await self._respond(request)
        except ClientDisconnect:
            return
        except Exception as error:
            kind = next(it for it in self._handlers if isinstance(error, it))
            unforeseen = error if kind is Exception else None
            response = await self._handlers[kind](request, error)
        response.raw_headers += self._told
        await response(scope, receive, send)
        if unforeseen is not None:
            raise unforeseen

    async def _respond(self, request: Request) -> Response:
        method = request.method
        if method == "OPTIONS":
            return Response(None, 204, {"Allow": METHODS, "Accept-Post": _POSTS})
        if method not in _METHODS:
            raise HTTPException(405, "Method Not Allowed", {"Allow": METHODS})
        executor: QueryExecutor = request.app.state.executor
        asked = await _in_time(request, executor.limits)
        snapshot = snapshot_of(request)
        accept = request.headers.get("accept")
        if asked is None:
            return _described(request, snapshot, accept)
        formats = negotiated(accept, asked.form)
        if formats == (None, None):
            raise HTTPException(406, _NONE)
        return await answered(request, snapshot, asked, formats)


async def answered(request: Request, snapshot: Snapshot, asked: QueryRequest, formats: Formats) -> Response:
    """Answer with what a query gives, or with 304 where the client has that already.

    Raises `HTTPException` where there is no turn to be had and for a query that has to be ended,
    `UsageError` for one that is refused, `ClientDisconnect` when nobody waits any more.
    """
    executor: QueryExecutor = request.app.state.executor
    tag = tag_of(snapshot, asked, formats)
    if request.method != "POST" and has_already(request, tag):
        return Response(None, 304, _headers(tag))
    found: WorkerAnswer | None = executor.kept(tag)
    if found is None:
        found = await _unless_gone(request, _answer(executor, snapshot, asked, formats, request, tag))
    return _written(request, found, formats, tag)


async def _in_time(request: Request, limits: ServiceLimits) -> QueryRequest | None:
    """Return what a request asks; raise `HTTPException` where its body does not come to its end."""
    if request.method != "POST":
        return await asked_of(request, limits.query)
    try:
        async with asyncio.timeout(limits.timeout):
            return await asked_of(request, limits.query)
    except TimeoutError:
        raise HTTPException(408, "The request did not come to its end.") from None


_POSTS = "application/x-www-form-urlencoded, application/sparql-query"
_NONE = "No format that this endpoint writes is accepted: ask for application/sparql-results+json, say."


async def _answer(
    executor: QueryExecutor,
    snapshot: Snapshot,
    asked: QueryRequest,
    formats: Formats,
    request: Request,
    tag: str,
) -> WorkerAnswer:
    client = request.client.host if request.client else ""
    try:
        return await executor.answer(snapshot, asked, formats.names, client, tag)
    except CrowdedError as error:
        reason = str(error)
    except TimeoutError:
        reason = "Other queries took all the time that this one could wait."
    except (StoreTimeoutError, StoreExhaustedError) as error:
        reason = "\n".join(it for it in (error.what, error.way_out) if it)
    raise HTTPException(503, reason, {"Retry-After": str(_SOON)})


def _written(request: Request, found: WorkerAnswer, formats: Formats, tag: str) -> Response:
    kind, body = found
    if kind == "unwanted":
        raise HTTPException(406, _NONE)
    media = formats.results if kind == "results" else formats.graph
    assert media is not None
    headers = answer_headers(media, tag if request.method != "POST" else None)
    if isinstance(body, bytes):
        return Response(body, headers=headers)
    return StreamingResponse(_blocks(body), headers=headers)


async def _blocks(file: AnswerFile) -> AsyncIterator[bytes]:
    """Yield the blocks of a file as fast as the client takes them."""
    with closing(file):
        while block := file.read(_BLOCK):
            yield block


def tag_of(snapshot: Snapshot, asked: QueryRequest, formats: Formats) -> str:
    """Return the entity tag of an answer."""
    graphs = [repr(asked.default_graphs), repr(asked.named_graphs)]
    return snapshot.etag("sparql", asked.query, *graphs, str(formats.results), str(formats.graph))


def answer_headers(media: str, tag: str | None) -> dict[str, str]:
    """Return the headers of an answer of a media type that are its own."""
    return {**_headers(tag), "Content-Type": content_type(media)}


def _headers(tag: str | None) -> dict[str, str]:
    told = {"Cache-Control": "public, max-age=0, must-revalidate", "Vary": "Accept"}
    return told if tag is None else {**told, "ETag": tag}


def _described(request: Request, snapshot: Snapshot, accept: str | None) -> Response:
    """Return the description of the service; clients that prefer a page are led to the form for queries."""
    if preferred(accept, [*GRAPHS, PAGE]) == PAGE:
        return RedirectResponse(str(request.url_for("query")), 303, {"Vary": "Accept"})
    media = negotiated(accept).graph
    if media is None:
        raise HTTPException(406, "The description of the service is RDF: ask for text/turtle, say.")
    address = str(request.url.replace(query=""))
    tag = snapshot.etag("description", address, media)
    if has_already(request, tag):
        return Response(None, 304, _headers(tag))
    headers = {**_headers(tag), "Content-Type": content_type(media)}
    return Response(description(snapshot, address, media), headers=headers)


async def _unless_gone(request: Request, work: Coroutine[Any, Any, _T]) -> _T:
    """Do work for a client, but stop when the client has gone and raise `ClientDisconnect`.

    Raises `HTTPException` if the server stops.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    watch: asyncio.Task[None] | None = None
    gone = over = False

    def leave(watched: asyncio.Task[None]) -> None:
        nonlocal gone
        if not over and not watched.cancelled():
            gone = True
            task.cancel()

    def look() -> None:
        nonlocal watch
        watch = loop.create_task(_gone(request))
        watch.add_done_callback(leave)

    looking = loop.call_later(_LOOK, look)
    try:
        return await work
    except asyncio.CancelledError:
        task.uncancel()
        if gone:
            raise ClientDisconnect from None
        raise HTTPException(503, "The service stops.", {"Retry-After": str(_SOON)}) from None
    finally:
        over = True
        looking.cancel()
        if watch is not None:
            watch.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


_SD = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS = "http://www.w3.org/ns/formats/"
_WRITTEN = (
    "SPARQL_Results_JSON SPARQL_Results_XML SPARQL_Results_CSV SPARQL_Results_TSV "
    "Turtle N-Triples RDF_XML JSON-LD"
).split()
_VOID = "http://rdfs.org/ns/void#"
_TYPE = NamedNode(f"{PREFIXES['rdf']}type")


def description(snapshot: Snapshot, address: str, media: str) -> bytes:
    """Return the description of the endpoint at an address, in the format of a media type."""
    session = snapshot.rules.session
    service, dataset, default = (BlankNode(name) for name in ("service", "dataset", "default"))
    about = [
        Triple(service, _TYPE, _sd("Service")),
        Triple(service, _sd("endpoint"), NamedNode(address)),
        Triple(service, _sd("supportedLanguage"), _sd("SPARQL11Query")),
        *(Triple(service, _sd("resultFormat"), NamedNode(_FORMATS + name)) for name in _WRITTEN),
        Triple(service, _sd("defaultDataset"), dataset),
        Triple(dataset, _TYPE, _sd("Dataset")),
        Triple(dataset, _sd("defaultGraph"), default),
        Triple(default, _TYPE, _sd("Graph")),
        Triple(
            default,
            NamedNode(f"{PREFIXES['dcterms']}title"),
            Literal(f"What plain queries see: {session.scope().label}", language="en"),
        ),
    ]
    for number, name in enumerate(session.store.graphs()):
        graph = BlankNode(f"graph{number}")
        about += [
            Triple(dataset, _sd("namedGraph"), graph),
            Triple(graph, _TYPE, _sd("NamedGraph")),
            Triple(graph, _sd("name"), NamedNode(name)),
        ]
    prefixes = {**PREFIXES, "sd": _SD, "formats": _FORMATS, "void": _VOID}
    return serialize(about, format=WRITERS[GRAPHS[media]], prefixes=prefixes) or b""


def _sd(name: str) -> NamedNode:
    return NamedNode(_SD + name)
