"""Talk to a SPARQL 1.1 endpoint: send requests, read answers, and find its content, graph by graph."""

from __future__ import annotations

import netrc
import os
import re
import urllib.parse
from collections.abc import Sequence

import pyoxigraph
from pyoxigraph import Literal, NamedNode, QueryResultsFormat, RdfFormat

from ...ontology import PREFIXES, QueryFiles
from ...ontology.errors import StoreError, StoreTimeoutError, UsageError
from ..http.addresses import in_one_line, is_loopback, without_password
from ..http.exchange import BUSY, Credentials, ExchangeError, Reply, Request, exchange
from .results import LARGEST_ANSWER, AnswerBounds, Row, Solutions, Triples, reading

_DEFAULT_SECONDS = 600.0
"""Seconds to wait for an answer when no time limit is given."""

_PAUSES = (0.2, 0.8)
"""Seconds before each repetition of a request, when the server is busy or hangs up."""

_PARTIAL = 206
"""The status of a partial answer that was not requested as one."""

_SHOWN = 300
"""How many characters of a server's own message an error quotes."""

_QUERIES = QueryFiles.beside(__name__)

_RESULTS = "application/sparql-results+json, application/sparql-results+xml;q=0.8"
_GRAPHS = "application/n-triples, text/turtle;q=0.8, application/rdf+xml;q=0.5"
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}

_CUT = "x-sparql-maxrows"
"""The header in which Virtuoso says after how many rows it cut off the answer."""

_XSD_BOOLEAN = f'"datatype": "{PREFIXES["xsd"]}boolean", "value": '
_MENDED = tuple(
    (found.encode(), meant.encode())
    for found, meant in (
        (f'{_XSD_BOOLEAN}"1"', f'{_XSD_BOOLEAN}"true"'),
        (f'{_XSD_BOOLEAN}"0"', f'{_XSD_BOOLEAN}"false"'),
        ('"type": "bnode", "value": "nodeID://', '"type": "bnode", "value": "'),
    )
)
"""What Virtuoso writes in its JSON, and the correct form. In literals, the quotes are escaped."""


class RefusedError(StoreError):
    """The endpoint answered with an error; `status` is that of HTTP."""

    def __init__(self, status: int, what: str, *, where: str, way_out: str = "") -> None:
        self.status = status
        super().__init__(what, where=where, way_out=way_out)


class Client:
    """Queries one server, and reads its answers; `location` is the address without user and password.

    These come from the address (``http://user:password@host/…``), or else from the environment
    (``$RULESGRAPH_TOKEN``, or ``$RULESGRAPH_USER`` and ``$RULESGRAPH_PASSWORD``), or else from ``~/.netrc``,
    and go only to that scheme, host and port. Raises `UsageError` for an invalid address, for a token that no
    header can contain, and if credentials from the environment would be sent over ``http:`` to another
    machine; its methods raise `StoreError` for an invalid answer, and for one that the server says it cut
    short.
    """

    def __init__(self, address: str) -> None:
        try:
            parts = urllib.parse.urlsplit(address)
        except ValueError as error:
            raise UsageError(f"{without_password(address)} is not a web address: {error}") from None
        self.location = without_password(parts._replace(fragment="").geturl())
        self._origin = _origin(self.location)
        self._credentials = _credentials(parts)

    def post(
        self,
        url: str,
        body: bytes,
        headers: dict[str, str],
        timeout: float | None = None,
        retry: bool = True,
        size: int = LARGEST_ANSWER,
    ) -> Reply:
        """Send a POST and read the whole answer; with `retry`, up to three times while the server is busy.

        The answer may have at most `size` bytes. Raises `StoreTimeoutError`, `RefusedError` for a status of
        300 or more, and `StoreError` if no answer, or only part of one, arrives.
        """
        limit = timeout or _DEFAULT_SECONDS
        request = Request(
            url,
            "POST",
            body,
            headers,
            credentials=self._credentials if _origin(without_password(url)) == self._origin else None,
            pauses=_PAUSES if retry else (),
        )
        try:
            answer = exchange(request, size, limit)
        except ExchangeError as error:
            raise self._failed(error, limit) from error
        if answer.status >= 300 or answer.status == _PARTIAL:
            raise self._refused(answer)
        return answer

    def _failed(self, error: ExchangeError, limit: float) -> StoreError:
        way_out = "Is the server running, and is this its address?"
        match error.failure:
            case "late":
                return StoreTimeoutError(
                    f"the endpoint took longer than {limit:g} s",
                    where=self.location,
                    way_out="Ask for less, allow more time, or check the load on the server.",
                )
            case "broken off":
                what = f"the endpoint closed the connection ({error})"
                way_out = "Its log may say why; it probably hit a time limit or ran out of memory."
            case "too large":
                what, way_out = f"the answer cannot be used: {error}", "Ask for less, with a LIMIT."
            case "refused":
                what = "no server answers there"
            case _:
                what = f"the endpoint cannot be reached: {error}"
        return StoreError(what, where=self.location, way_out=way_out)

    def _refused(self, answer: Reply) -> RefusedError:
        target = without_password(answer.headers.get("location", ""))
        way_out = ""
        if answer.status < 400 and target:
            way_out = f"The endpoint has moved: use {target}"
        elif answer.status in {401, 403}:
            way_out = (
                "Give user and password in $RULESGRAPH_USER and $RULESGRAPH_PASSWORD, a token in "
                "$RULESGRAPH_TOKEN, or user and password in ~/.netrc."
            )
        elif answer.status in {404, 405}:
            way_out = "Is this the address of the SPARQL endpoint itself?"
        elif answer.status in BUSY:
            way_out = "Try again later."
        said = _plain(answer.body[: 64 * _SHOWN], answer.media_type)
        what = f"the endpoint refused the request: {answer.status} {answer.reason}{said and ': '}{said}"
        return RefusedError(answer.status, what, where=self.location, way_out=way_out)

    def ask(
        self,
        text: str,
        fields: Sequence[tuple[str, str]] = (),
        timeout: float | None = None,
        *,
        wants_graph: bool = False,
        retry: bool = True,
        size: int = LARGEST_ANSWER,
    ) -> Reply:
        """Send a query with fields of the protocol, as `post` does; the answer may have `size` bytes."""
        body = urllib.parse.urlencode([("query", text), *fields]).encode()
        headers = {**_FORM, "Accept": _GRAPHS if wants_graph else _RESULTS}
        return self.post(self.location, body, headers, timeout, retry, size)

    def results(self, answer: Reply) -> pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean:
        """Read the answer to a SELECT or an ASK."""
        if _CUT in answer.headers:
            raise self._cut_off(answer.headers[_CUT])
        return self._read(answer)

    def truth(self, found: pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean) -> bool:
        """Read the answer to an ASK; Virtuoso's is a table with one row for yes and no rows for no."""
        if isinstance(found, pyoxigraph.QueryBoolean):
            return bool(found)
        return any(
            term is not None and str(term).startswith('"1"') for [term] in Solutions(found, self.location)
        )

    def triples(self, answer: Reply, bounds: AnswerBounds | None) -> Triples:
        """Read the answer to a CONSTRUCT or a DESCRIBE."""
        known = RdfFormat.from_media_type(answer.media_type)
        if known is None:
            raise self._no_sparql(answer)
        quads = pyoxigraph.parse(input=answer.body, format=known)
        return Triples((quad.triple for quad in quads), self.location, bounds=bounds)

    def rows(self, name: str, graph: str | None = None, page: str = "") -> tuple[list[Row], bool]:
        """Run a SELECT of this package over one graph or the default; also return if rows are missing."""
        answer = self._ask_file(name, graph, page)
        found = self._read(answer)
        assert isinstance(found, pyoxigraph.QuerySolutions)
        return list(Solutions(found, self.location)), _CUT in answer.headers

    def whole(self, name: str) -> list[Row]:
        """Run a SELECT of this package that must return all its rows."""
        rows, cut = self.rows(name)
        if cut:
            raise self._cut_off(str(len(rows)))
        return rows

    def sizes(self) -> dict[str, int]:
        """Return the number of triples in every named graph of the server."""
        return {
            graph.value: int(count.value)
            for graph, count in self.whole("sizes")
            if isinstance(graph, NamedNode) and isinstance(count, Literal)
        }

    def names(self, name: str) -> list[str]:
        """Return the IRIs in the only column of a SELECT of this package."""
        return [found.value for (found,) in self.whole(name) if isinstance(found, NamedNode)]

    def holds(self, graph: str) -> bool:
        """Return whether a graph has triples."""
        return self.truth(self._read(self._ask_file("holds", graph)))

    def _ask_file(self, name: str, graph: str | None = None, page: str = "") -> Reply:
        fields = [] if graph is None else [("default-graph-uri", graph)]
        return self.ask(_QUERIES.read("queries", name) + page, fields)

    def _read(self, answer: Reply) -> pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean:
        known = QueryResultsFormat.from_media_type(answer.media_type)
        if known is None:
            raise self._no_sparql(answer)
        body = answer.body
        for found, meant in _MENDED:
            body = body.replace(found, meant)
        with reading(self.location):
            return pyoxigraph.parse_query_results(input=body, format=known)

    def _cut_off(self, rows: str) -> StoreError:
        return StoreError(
            f"the endpoint truncates answers after {rows} rows",
            where=self.location,
            way_out="Ask for less with a LIMIT, or raise ResultSetMaxRows on the server.",
        )

    def _no_sparql(self, answer: Reply) -> StoreError:
        return StoreError(
            f"the answer is {answer.media_type}, not SPARQL results",
            where=self.location,
            way_out="Check that this is the address of the SPARQL endpoint itself, not of a page about it.",
        )


def _plain(body: bytes, media_type: str) -> str:
    """Return the beginning of a message in one line, an HTML page without its tags."""
    text = body.decode("utf-8", "replace")
    if "html" in media_type:
        text = re.sub(r"(?s)<(style|script|title)\b.*?</\1>|<[^>]*>", " ", text)
    text = in_one_line(text)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _origin(address: str) -> tuple[str, str]:
    parts = urllib.parse.urlsplit(address)
    return parts.scheme.lower(), parts.netloc.lower()


def _credentials(parts: urllib.parse.SplitResult) -> Credentials | None:
    if parts.username:
        return urllib.parse.unquote(parts.username), urllib.parse.unquote(parts.password or "")
    if token := _from_environment("RULESGRAPH_TOKEN", parts):
        if not re.fullmatch(r"[!-~]+", token):
            raise UsageError(
                "$RULESGRAPH_TOKEN is not a token: it contains white space or letters outside ASCII"
            )
        return token
    if user := _from_environment("RULESGRAPH_USER", parts):
        return user, os.environ.get("RULESGRAPH_PASSWORD", "")
    try:
        found = netrc.netrc(os.environ.get("NETRC")).authenticators(parts.hostname or "")
    except FileNotFoundError:
        return None
    except (OSError, netrc.NetrcParseError) as error:
        raise StoreError(f"~/.netrc cannot be read: {error}") from error
    return (found[0], found[2] or "") if found else None


def _from_environment(name: str, parts: urllib.parse.SplitResult) -> str:
    """Return an environment variable; raise `UsageError` if others could read it on the way to the server."""
    value = os.environ.get(name, "")
    if value and parts.scheme.lower() != "https" and not is_loopback(parts.hostname or ""):
        raise UsageError(
            f"${name} is not sent over plain http to another machine",
            where=without_password(parts.geturl()),
            way_out="Name an https:// address. User and password in the address, or in ~/.netrc when "
            f"${name} is not set, are sent.",
        )
    return value


_ENDPOINTS = ("/query", "/sparql")
"""Where the servers of Oxigraph, rulesgraph and Virtuoso answer; Fuseki does after the name of a data set."""

_NOT_AN_ENDPOINT = {404, 405, 410, 415, 501}
"""Statuses that a server gives for an address that is not an endpoint."""


def endpoint_address(address: str) -> str:
    """Return the address to which a server, or one of its data sets, takes queries.

    An address that ends like those of endpoints, or whose server is busy or fails, stays as it is.

    Raises `UsageError` for an invalid address, `StoreError` when nothing answers there, when a password is
    required and not given, or when there is no endpoint.
    """
    Client(address)  # refuses an invalid address
    parts = urllib.parse.urlsplit(address)
    path = parts.path.rstrip("/")
    if path.endswith(_ENDPOINTS):
        return address
    below = [path + it for it in _ENDPOINTS]
    elsewhere = True
    for it in [parts.path, *below] if path else [*below, "/"]:  # some answer at their root
        place = parts._replace(path=it).geturl()
        try:
            answer = Client(place).ask("ASK { }", timeout=20.0, retry=False)
        except RefusedError as error:
            if error.status in {401, 403}:
                raise
            elsewhere = elsewhere and error.status in _NOT_AN_ENDPOINT
            continue
        if "sparql-results" in answer.media_type:
            return place
    if elsewhere:
        raise _no_endpoint(without_password(parts._replace(path=path, fragment="").geturl()), path)
    return address


def _no_endpoint(address: str, path: str) -> StoreError:
    """Return the error for an address where a server answers but has no endpoint."""
    below = " or ".join(path + it for it in _ENDPOINTS)
    way_out = "Check the name of the data set, or give the address of the endpoint itself."
    if not path:
        names = f"{address}/NAME (Fuseki), {address}/repositories/NAME (GraphDB)"
        way_out = f"Give the data set you mean: {names};\n  or the endpoint itself."
    return StoreError(
        f"the server has no SPARQL endpoint there, nor at {below}", where=address, way_out=way_out
    )
