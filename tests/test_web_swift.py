"""What is answered where its bytes come in is what the service answers, and nothing else is taken there."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from live import service
from rulesgraph.app.web.sparql.swift import _LARGEST, _manner
from sweep import first

TERMS = "SELECT ?term ?name { ?term a rg:Term ; skos:prefLabel ?name } ORDER BY ?name"
LONG = "SELECT ?x { VALUES ?x { " + "'something' " * 200 + "} }"
ENDLESS = f"SELECT (COUNT(*) AS ?n) {{ {' '.join(f'?s{n} ?p{n} ?o{n} .' for n in range(8))} }}"


@pytest.fixture(scope="module")
def address(mini_store: Path) -> Iterator[str]:
    with service(mini_store, "--workers", 1, "--timeout", 2) as found:
        yield found


def connected(address: str) -> socket.socket:
    place = urlsplit(address)
    return socket.create_connection((place.hostname or "", place.port or 0), timeout=60)


def asking(query: str, *headers: str, more: str = "", version: str = "1.1") -> bytes:
    lines = (f"GET /sparql?query={quote(query)}{more} HTTP/{version}", "Host: test", *headers, "", "")
    return "\r\n".join(lines).encode()


Response = tuple[int, list[tuple[str, str]], bytes]


def answers(connection: socket.socket, count: int) -> list[Response]:
    """Return the next answers on a connection, without their dates; names of headers in small letters."""
    found = []
    file = connection.makefile("rb")
    for _ in range(count):
        status = int(file.readline().split()[1])
        headers = [(name.lower(), value) for name, value in http.client.parse_headers(file).items()]
        sizes = [int(value) for name, value in headers if name == "content-length"]
        found.append((status, sorted(it for it in headers if it[0] != "date"), file.read(sizes[0])))
    return found


CASES = {
    "a table": (TERMS, (), ""),
    "as text": (TERMS, ("Accept: text/csv",), ""),
    "by name": (TERMS, ("Accept: text/csv",), "&format=tsv"),
    "a choice": ("ASK {}", ("Accept: application/sparql-results+xml;q=0.5, text/csv;q=0.1",), ""),
    "triples": ("CONSTRUCT WHERE { ?term a rg:Term }", ("Accept: text/turtle",), ""),
    "compressed, were it longer": ("ASK {}", ("Accept-Encoding: gzip",), ""),
    "compressed": (TERMS, ("Accept-Encoding: gzip, br",), ""),
    "not compressed": (TERMS, ("Accept-Encoding: gzip;q=0",), ""),
    "a graph that is named": (TERMS, (), "&default-graph-uri=x:none"),
    "a graph that is unknown": ("ASK FROM <x:none> {}", (), ""),
    "longer": (LONG, (), ""),
    "unwanted": ("CONSTRUCT WHERE { ?s ?p ?o }", ("Accept: text/csv",), ""),
    "no format": ("ASK {}", ("Accept: image/png",), ""),
    "a mistake": ("SELECT", (), ""),
    "SERVICE": ("SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }", (), ""),
    "two queries": ("ASK {}", (), "&query=ASK%20%7B%7D"),
    "an update": ("ASK {}", (), "&update=CLEAR%20ALL"),
    "no UTF-8": ("ASK {}", (), "%ff"),
    "too late": (ENDLESS, (), ""),
}
SLOW = pytest.mark.long(small="test_a_query_behind_one_that_runs_is_answered_after_it")


@pytest.mark.parametrize("name", first(len(CASES) - 1, CASES, SLOW))
def test_an_answer_is_the_one_of_the_service(address: str, name: str) -> None:
    """Twice, since the second one may be kept. A range is nothing that the endpoint heeds, and not plain."""
    query, headers, more = CASES[name]
    with connected(address) as swift, connected(address) as plain:
        for _ in range(2):
            swift.sendall(asking(query, *headers, more=more))
            [found] = answers(swift, 1)
            plain.sendall(asking(query, "Range: bytes=0-", *headers, more=more))
            [expected] = answers(plain, 1)
            assert found == expected
            assert found[2]


def test_who_has_an_answer_gets_no_other(address: str) -> None:
    with connected(address) as one:
        one.sendall(asking("ASK {}"))
        [(_, headers, _)] = answers(one, 1)
        one.sendall(asking("ASK {}", f"If-None-Match: {dict(headers)['etag']}"))
        assert one.recv(1 << 16).startswith(b"HTTP/1.1 304 ")


def test_requests_come_in_any_pieces_and_several_at_once(address: str) -> None:
    with connected(address) as one:
        requests = [asking(f"SELECT ({number} AS ?n) {{}}", "Accept: text/csv") for number in range(5)]
        one.sendall(b"".join(requests[:2]))
        one.sendall(requests[2])
        one.sendall(requests[3][:30])
        threading.Event().wait(0.1)
        one.sendall(requests[3][30:] + requests[4])
        found = answers(one, 5)
        assert [(status, body) for status, _, body in found] == [
            (200, b"n\r\n%d\r\n" % number) for number in range(5)
        ]


def test_a_query_behind_one_that_runs_is_answered_after_it(address: str) -> None:
    with connected(address) as one:
        one.sendall(asking(ENDLESS))
        threading.Event().wait(0.2)
        one.sendall(asking("ASK {}", "Accept: text/csv"))
        assert [(status, body[:5]) for status, _, body in answers(one, 2)] == [
            (503, b"the q"),
            (200, b"true\n"),
        ]


def test_a_connection_is_closed_when_the_client_wants_that(address: str) -> None:
    for request in (asking("ASK {}", "Connection: close"), asking("ASK {}", version="1.0")):
        with connected(address) as one:
            one.sendall(request)
            assert one.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
            while one.recv(1 << 16):
                pass


PLAIN = b"Host: a\r\nUser-Agent: b\r\n"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        (PLAIN, (None, _LARGEST)),
        (PLAIN + b"Accept: text/csv\r\nConnection: Keep-Alive\r\n", ("text/csv", _LARGEST)),
        (PLAIN + b"accept-encoding: gzip\r\n", (None, 600)),
        (PLAIN + b"Accept: a/b\r\nAccept: c/d\r\n", None),
        (PLAIN + b"Connection: close\r\n", None),
        (PLAIN + b"Connection: upgrade\r\n", None),
        (PLAIN + b"Content-Length: 3\r\n", None),
        (PLAIN + b"Transfer-Encoding: chunked\r\n", None),
        (PLAIN + b"Expect: 100-continue\r\n", None),
        (PLAIN + b"If-None-Match: *\r\n", None),
        (PLAIN + b"X-Forwarded-For: 1.2.3.4\r\n", None),
        (PLAIN + b"Host: c\r\n", None),
        (b"User-Agent: b\r\n", None),
        (PLAIN + b" folded\r\n", None),
        (PLAIN + b"name : value\r\n", None),
        (PLAIN + b"name: v\xff\r\n", None),
        (PLAIN + b"name: v\n", None),
    ],
)
def test_only_headers_that_mean_nothing_more_are_plain(
    headers: bytes, expected: tuple[str | None, int] | None
) -> None:
    assert _manner(headers + b"\r\n") == expected
    assert _manner(headers) is None
    assert _manner(headers + b"\r\nmore") is None
