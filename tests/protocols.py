"""Read manifests of protocol tests in the W3C's form as requests with the expected answers."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pyoxigraph
from rdflib import RDF, Graph, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
UT = Namespace("http://www.w3.org/2009/sparql/tests/test-update#")
HT = Namespace("http://www.w3.org/2011/http#")
CNT = Namespace("http://www.w3.org/2011/content#")
LABEL = URIRef("http://www.w3.org/2000/01/rdf-schema#label")


@dataclass(frozen=True)
class Exchanged:
    """A request of a test, and what is expected: first digits of the status, kind of answer, truth."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes | None
    statuses: frozenset[int]
    form: str
    truth: bool | None


@dataclass(frozen=True)
class ProtocolCase:
    """A test; `graphs` (name → file of N-Triples) must be in the store."""

    name: str
    graphs: dict[str, Path]
    exchanges: tuple[Exchanged, ...]


def cases(manifest: Path) -> Iterator[ProtocolCase]:
    """Yield the tests of a manifest in its order."""
    graph = Graph().parse(manifest, format="turtle", publicID=manifest.parent.resolve().as_uri() + "/")
    [entries] = graph.objects(None, MF.entries)
    for test in Collection(graph, entries):
        data = {
            str(graph.value(it, LABEL)): Path(urlsplit(str(graph.value(it, UT.graph))).path)
            for it in graph.objects(test, UT.graphData)
        }
        action = graph.value(test, MF.action)
        requests = Collection(graph, graph.value(action, HT.requests) or RDF.nil)
        name = str(test).rpartition("#")[2]
        yield ProtocolCase(name, data, tuple(_exchange(graph, request) for request in requests))


def _exchange(graph: Graph, request: Node) -> Exchanged:
    head = graph.value(request, HT.headers)
    headers = {
        str(graph.value(it, HT.fieldName)): str(graph.value(it, HT.fieldValue))
        for it in (Collection(graph, head) if head else ())
    }
    content = graph.value(request, HT.body)
    body = None
    if content is not None:
        encoding = str(graph.value(content, CNT.characterEncoding) or "utf-8")
        body = str(graph.value(content, CNT.chars)).strip().encode(encoding)
    expected = graph.value(request, HT.resp)
    truth = graph.value(expected, MF.expectedBoolean)
    return Exchanged(
        str(graph.value(request, HT.methodName)),
        str(graph.value(request, HT.absolutePath)),
        headers,
        body,
        frozenset(int(str(it)[-3]) for it in graph.objects(expected, MF.expectedStatus)),
        str(graph.value(expected, MF.expectedFormat) or ""),
        None if truth is None else str(truth) == "true",
    )


def failure(address: str, case: ProtocolCase) -> str:
    """Send the requests of a test to a server; return what is wrong with an answer, or nothing."""
    for exchange in case.exchanges:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
        connection.request(exchange.method, exchange.path, exchange.body, exchange.headers)
        answer = connection.getresponse()
        text, kind = answer.read(), answer.headers.get_content_type()
        connection.close()
        if answer.status // 100 not in exchange.statuses:
            return f"the status is {answer.status}: {text[:200]!r}"
        wrong = _misfit(exchange, kind, text)
        if wrong:
            return wrong
    return ""


def _misfit(exchange: Exchanged, kind: str, text: bytes) -> str:
    if exchange.form in ("boolean", "tabular"):
        format = pyoxigraph.QueryResultsFormat.from_media_type(kind)
        if format is None:
            return f"{kind} is no type of results"
        found = pyoxigraph.parse_query_results(text, format=format)
        if isinstance(found, pyoxigraph.QueryBoolean) != (exchange.form == "boolean"):
            return f"this is not of the form {exchange.form}: {text[:200]!r}"
        if exchange.truth is not None and bool(found) != exchange.truth:
            return f"the answer is {bool(found)}"
    elif exchange.form == "RDF":
        rdf = pyoxigraph.RdfFormat.from_media_type(kind)
        if rdf is None:
            return f"{kind} is no type of RDF"
        list(pyoxigraph.parse(text, format=rdf))
    return ""
