"""Answer the requests of the SPARQL 1.1 Protocol: with a complete answer, or with a reason."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import closing
from typing import Any, TypeVar
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode, RdfFormat, parse, serialize
from starlette.endpoints import HTTPEndpoint
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from ....loaders.store.query import PreparedQuery
from ....ontology import PREFIXES
from ....queries.session.empty import remarks_on
from ..current import Snapshot, snapshot_of
from ..headers import HINT, has_already, preferred
from ..service_limits import ServiceLimits
from .executor import AnswerFile, QueryExecutor, WorkerAnswer
from .protocol import GRAPHS, Formats, QueryRequest, asked_of, content_type, negotiated

PAGE = "text/html"

_LOOK = 0.2
"""The seconds between two checks whether the client of a query is still there."""

_BLOCK = 1 << 18

_T = TypeVar("_T")

HELP = "/ns.html"
"""Help with a query that finds nothing: the page of the vocabulary."""

_LONGEST_REMARK = 500
"""The number of characters in a header about a query: remarks quote from it."""


class Endpoint(HTTPEndpoint):
    """The address of the endpoint; `app.state.executor` of the service answers."""

    async def get(self, request: Request) -> Response:
        """Answer a query, or describe the service if there is none."""
        executor: QueryExecutor = request.app.state.executor
        asked = await _in_time(request, executor.limits)
        snapshot = snapshot_of(request)
        accept = request.headers.get("accept")
        if asked is None:
            return _described(request, snapshot, accept)
        query, form, edition = asked
        formats = negotiated(accept, form)
        if formats == (None, None):
            raise HTTPException(406, _NONE)
        return await answered(request, snapshot, query, formats, edition)

    head = post = get

    async def options(self, request: Request) -> Response:
        """Say what may be sent."""
        return Response(None, 204, {"Allow": "GET, HEAD, POST, OPTIONS", "Accept-Post": _POSTS})


async def answered(
    request: Request, snapshot: Snapshot, asked: PreparedQuery, formats: Formats, edition: str = ""
) -> Response:
    """Answer with the result of a query, about an edition if one is named, or with 304 if the client has it.

    Raises the errors of `QueryExecutor.answer`, `ClientDisconnect` when the client has gone.
    """
    executor: QueryExecutor = request.app.state.executor
    graphs = (repr(asked.default_graphs), repr(asked.named_graphs), edition)
    tag = snapshot.etag("sparql", asked.text, *graphs, str(formats.results), str(formats.graph))
    if request.method != "POST" and has_already(request, tag):
        return Response(None, 304, _headers(tag))
    client = request.client.host if request.client else ""
    answer = executor.answer(snapshot, asked, formats, client, tag, edition)
    return _written(request, await unless_gone(request, answer), formats, tag, asked.text)


async def _in_time(request: Request, limits: ServiceLimits) -> QueryRequest | None:
    """Return the query of a request; raise `HTTPException` if its body is incomplete."""
    try:
        async with asyncio.timeout(limits.timeout):
            return await asked_of(request, limits.query)
    except TimeoutError:
        raise HTTPException(408, "The request was incomplete.") from None


_POSTS = "application/x-www-form-urlencoded, application/sparql-query"
_NONE = (
    "This endpoint cannot write any format you accept: try application/sparql-results+json for SELECT and "
    "ASK, text/turtle for CONSTRUCT and DESCRIBE."
)


def _written(request: Request, found: WorkerAnswer, formats: Formats, tag: str, query: str) -> Response:
    kind, body = found
    if kind == "unwanted":
        raise HTTPException(406, _NONE)
    media = formats.results if kind == "results" else formats.graph
    assert media is not None
    headers = {**_headers(tag if request.method != "POST" else None), "Content-Type": content_type(media)}
    is_empty = isinstance(body, bytes) and (_is_empty(body) if kind == "results" else not body)
    if remarks := remarks_on(query, is_empty=is_empty, edition=request.query_params.get("edition")):
        # RFC 8288: links that help with the answer. RFC 9111 has withdrawn the field Warning.
        said = " ".join(" ".join(remarks).split())[:_LONGEST_REMARK]
        headers["Link"] = f"<{HELP}>; rel=\"help\"; title*=UTF-8''{quote(said, safe='')}"
        headers[HINT] = "".join(it if " " <= it <= "~" else "?" for it in said)
    if isinstance(body, bytes):
        return Response(body, headers=headers)
    return StreamingResponse(_blocks(body), headers=headers)


def _is_empty(body: bytes) -> bool:
    """Return whether results have no rows, or are false, in any format.

    Without rows there is one line of names, or nothing between the marks.
    """
    ends = (
        b'"bindings":[]}}',
        b"<results></results></sparql>",
        b'"boolean":false}',
        b">false</boolean></sparql>",
    )
    return body.endswith(ends) or body == b"false" or (body[:1] not in b"<{" and body.count(b"\n") == 1)


async def _blocks(answer: AnswerFile) -> AsyncIterator[bytes]:
    """Yield the blocks of a file as fast as the client takes them."""
    with closing(answer):
        while block := answer.file.read(_BLOCK):
            yield block


def _headers(tag: str | None) -> dict[str, str]:
    told = {"Cache-Control": "public, max-age=0, must-revalidate", "Vary": "Accept"}
    return told if tag is None else {**told, "ETag": tag}


def _described(request: Request, snapshot: Snapshot, accept: str | None) -> Response:
    """Return the description of the service; clients that prefer a page are redirected to the query form."""
    if preferred(accept, [*GRAPHS, PAGE]) == PAGE:
        return RedirectResponse(str(request.url_for("query")), 303, {"Vary": "Accept"})
    media = negotiated(accept).graph
    if media is None:
        raise HTTPException(406, "The description of the service is RDF: try text/turtle.")
    address = str(request.url.replace(query=""))
    tag = snapshot.etag("description", address, media)
    if has_already(request, tag):
        return Response(None, 304, _headers(tag))
    headers = {**_headers(tag), "Content-Type": content_type(media)}
    return Response(description(snapshot, address, media), headers=headers)


async def unless_gone(request: Request, work: Coroutine[Any, Any, _T]) -> _T:
    """Do work for a client, but stop when the client has gone and raise `ClientDisconnect`."""
    task = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({task}, timeout=_LOOK))[0]:
            if await request.is_disconnected():
                raise ClientDisconnect
        return task.result()
    finally:
        task.cancel()


_PREFIXES = {
    **PREFIXES,
    "sd": "http://www.w3.org/ns/sparql-service-description#",
    "formats": "http://www.w3.org/ns/formats/",
}
_DESCRIPTION = """\
_:service a sd:Service ; sd:endpoint {address} ; sd:supportedLanguage sd:SPARQL11Query ;
    sd:resultFormat formats:SPARQL_Results_JSON, formats:SPARQL_Results_XML, formats:SPARQL_Results_CSV,
        formats:SPARQL_Results_TSV, formats:Turtle, formats:N-Triples, formats:RDF_XML, formats:JSON-LD ;
    sd:defaultDataset _:dataset .
_:dataset a sd:Dataset ; sd:defaultGraph _:default .
_:default a sd:Graph ; dcterms:title {title} .
"""


def description(snapshot: Snapshot, address: str, media: str) -> bytes:
    """Return the description of the endpoint at an address, in the format of a media type."""
    session = snapshot.rules.session
    turtle = [f"@prefix {name}: <{iri}> ." for name, iri in _PREFIXES.items()]
    title = Literal(f"What queries without GRAPH see: {session.scope().label}", language="en")
    turtle.append(_DESCRIPTION.format(address=NamedNode(address), title=title))
    for number, name in enumerate(session.store.graphs()):
        graph, iri = f"_:graph{number}", NamedNode(name)
        turtle.append(f"_:dataset sd:namedGraph {graph} . {graph} a sd:NamedGraph ; sd:name {iri} .")
    about = (it.triple for it in parse("\n".join(turtle), RdfFormat.TURTLE))
    return serialize(about, format=RdfFormat.from_media_type(media), prefixes=_PREFIXES) or b""
