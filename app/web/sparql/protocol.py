"""Read the requests of the SPARQL 1.1 Protocol: a query, its dataset, and the formats of its answer."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ....loaders.store.query import PreparedQuery
from ....ontology import grouped
from ..headers import preferred

FORM, DIRECT = "application/x-www-form-urlencoded", "application/sparql-query"

_MOST_FIELDS = 200
"""The maximum number of fields in a request."""

_CHARSET = re.compile(r"(?i)\bcharset\s*=\s*\"?([^\s;\"]*)")
_NO_UPDATES = "This endpoint is read-only. Use `rulesgraph build` to change the store."


QueryRequest = tuple[PreparedQuery, str | None, str]
"""A query, not prepared yet, with the graphs that its request names, and the format and the edition it names.

If a request names graphs of only one kind, there are none of the other.
"""


async def asked_of(request: Request, longest: int) -> QueryRequest | None:
    """Return the query of a request; None if it has no query and is no POST.

    Raises `HTTPException` with the status and the reason for anything that the protocol does not allow, and
    for a body or a query beyond `longest` bytes.
    """
    is_posted = request.method == "POST"
    try:
        fields = _fields(request.scope["query_string"])
        fields += await _posted(request, longest) if is_posted else []
    except UnicodeDecodeError:
        raise HTTPException(400, "The request is not in UTF-8.") from None
    except ValueError:
        raise HTTPException(400, "The request has too many fields.") from None
    asked = _asked(fields, longest)
    if asked is None and is_posted:
        raise HTTPException(400, "The request has no query: the field `query` is missing.")
    return asked


def _asked(fields: list[tuple[str, str]], longest: int) -> QueryRequest | None:
    values = grouped(fields)
    if values["update"]:
        raise HTTPException(400, _NO_UPDATES)
    queries, default, named = (values[it] for it in ("query", "default-graph-uri", "named-graph-uri"))
    form, edition = next(iter(values["format"]), None), "".join(values["edition"][-1:]).strip()
    if len(queries) > 1:
        raise HTTPException(400, f"A request must have one query; this one has {len(queries)}.")
    if not queries:
        return None
    [query] = queries
    if len(query) > longest or (not query.isascii() and len(query.encode()) > longest):
        raise HTTPException(413, f"A query may have at most {longest} bytes.")
    if edition and (default or named):
        raise HTTPException(
            400, "A request names an edition or graphs, not both: an edition has its own graphs."
        )
    if default or named:
        return PreparedQuery(query, default_graphs=tuple(default), named_graphs=tuple(named)), form, ""
    return PreparedQuery(query), form, edition


async def _posted(request: Request, longest: int) -> list[tuple[str, str]]:
    """Return the fields of a body: those of a form, or the one of a bare query."""
    kind, _, parameters = request.headers.get("content-type", "").partition(";")
    kind = kind.strip().lower()
    if kind == "application/sparql-update":
        raise HTTPException(415, _NO_UPDATES)
    if kind not in (FORM, DIRECT):
        given = f"not {kind}" if kind else "and none is named"
        raise HTTPException(415, f"The body must be {FORM} or {DIRECT}, {given}.")
    charset = _CHARSET.search(parameters)
    if charset and charset[1].lower() not in ("utf-8", "utf8"):
        raise HTTPException(415, "A query must be in UTF-8.")
    body = await _body(request, 3 * longest if kind == FORM else longest)
    return _fields(body) if kind == FORM else [("query", body.decode())]


async def _body(request: Request, most: int) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise HTTPException(413, f"The body of a request may have at most {most} bytes.")
    return bytes(body)


def _fields(data: bytes) -> list[tuple[str, str]]:
    """Return the fields of a form, blank ones too; raises `ValueError` if they are too many."""
    return parse_qsl(data.decode(), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS)


RESULTS = {
    "application/sparql-results+json": "json",
    "application/sparql-results+xml": "xml",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
}
"""For SELECT and ASK, with the names that a request may give them; the first is the default."""

GRAPHS = {
    "text/turtle": "turtle",
    "application/n-triples": "ntriples",
    "application/rdf+xml": "rdfxml",
    "application/ld+json": "jsonld",
    "text/plain": "ntriples",
    "application/xml": "rdfxml",
    "text/xml": "rdfxml",
    "application/json": "jsonld",
}
"""For CONSTRUCT, DESCRIBE and the description of the service."""

_TEXT = frozenset(("text/csv", "text/tab-separated-values", "text/turtle", "text/plain", "text/xml"))


class Formats(NamedTuple):
    """The media type for either kind of answer; None if the client accepts none."""

    results: str | None
    graph: str | None


@lru_cache(256)
def negotiated(accept: str | None, asked: str | None = None) -> Formats:
    """Return what a client wants: a format that is `asked` for by name, such as ``csv``, wins over `Accept`.

    Clients have their own names for formats; unknown ones do not count.

    >>> negotiated("text/csv, text/turtle;q=0.5")
    Formats(results='text/csv', graph='text/turtle')
    >>> negotiated("text/csv, text/turtle", "ntriples")
    Formats(results='text/csv', graph='application/n-triples')
    """
    return Formats(
        _named(RESULTS, asked) or preferred(accept, [*RESULTS]),
        _named(GRAPHS, asked) or preferred(accept, [*GRAPHS]),
    )


def content_type(media: str) -> str:
    """Return the header for a media type: types of text need their encoding named."""
    return f"{media}; charset=utf-8" if media in _TEXT else media


def _named(offers: dict[str, str], name: str | None) -> str | None:
    return next((media for media, known in offers.items() if known == name), None)
