"""A kept reply is the reply that was given, and only for who sends the same request to the same state."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Never

import pytest
from rulesgraph.app.web.current import Current
from rulesgraph.app.web.limits import ServiceLimits
from rulesgraph.app.web.service import application
from rulesgraph.app.web.sparql.endpoint import Endpoint
from rulesgraph.app.web.sparql.kept import BESIDES
from rulesgraph.app.web.sparql.replies import Replies, depends
from starlette.testclient import TestClient
from starlette.types import Message, Scope

ROOM = 1 << 20


def asked(query: bytes = b"query=ASK", method: str = "GET", **headers: bytes) -> Scope:
    named = [(name.replace("_", "-").encode(), value) for name, value in headers.items()]
    return {"type": "http", "method": method, "query_string": query, "headers": named}


def started(status: int = 200) -> Message:
    return {"type": "http.response.start", "status": status, "headers": [(b"etag", b"1234")]}


def piece(body: bytes = b"true", *, more: bool = False) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": more}


def answer(replies: Replies, scope: Scope, *messages: Message, digest: str | None = "now") -> None:
    """Answer a request; all messages have to arrive as they are."""
    sent = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def work() -> None:
        keep = replies.keeping(scope, send)
        if digest is not None:
            # What is around the endpoint passes copies of the scope on.
            depends({**scope}, digest)
        for message in messages:
            await keep(message)

    asyncio.run(work())
    assert sent == list(messages)


def test_a_reply_is_for_the_same_request_to_the_same_state() -> None:
    replies = Replies(ROOM)
    answer(replies, asked(accept=b"text/csv", accept_encoding=b"gzip", host=b"a"), started(), piece())
    again = asked(accept=b"text/csv", accept_encoding=b"gzip", host=b"b", user_agent=b"c")
    assert replies.get(again, "now") == (started(), piece())
    assert replies.get(again, "later") is None
    for other in (
        asked(),
        asked(accept=b"text/csv"),
        asked(accept=b"gzip", accept_encoding=b"text/csv"),
        asked(accept=b"text/plain", accept_encoding=b"gzip"),
        asked(b"query=ask", accept=b"text/csv", accept_encoding=b"gzip"),
        asked(method="HEAD", accept=b"text/csv", accept_encoding=b"gzip"),
        asked(method="POST", accept=b"text/csv", accept_encoding=b"gzip"),
        asked(accept=b"text/csv", accept_encoding=b"gzip", if_none_match=b"1234"),
    ):
        assert replies.get(other, "now") is None


@pytest.mark.parametrize(
    ("scope", "messages", "digest"),
    [
        (asked(), (started(404), piece()), "now"),
        (asked(), (started(304), piece(b"")), "now"),
        (asked(), (started(), piece(more=True), piece()), "now"),
        (asked(), (started(), piece()), None),
        (asked(if_none_match=b"5678"), (started(), piece()), "now"),
        (asked(method="HEAD"), (started(), piece(b"")), "now"),
        (asked(method="POST"), (started(), piece()), "now"),
        (asked(b"query=" + b"x" * ROOM), (started(), piece()), "now"),
        (asked(accept=b"x" * ROOM), (started(), piece()), "now"),
        (asked(), (started(), piece(b"x" * ROOM)), "now"),
    ],
    ids="error same pieces unrelated conditional head post long-query long-header large".split(),
)
def test_other_replies_are_not_kept(scope: Scope, messages: tuple[Message, ...], digest: str | None) -> None:
    replies = Replies(ROOM)
    answer(replies, scope, *messages, digest=digest)
    assert replies.get(scope, "now") is None
    assert replies.get(asked(scope["query_string"]), "now") is None


def test_replies_have_one_room() -> None:
    size = BESIDES + len("now\nquery=0") + len("etag1234") + len("true")
    replies = Replies(8 * size)
    requests = [asked(f"query={number}".encode()) for number in range(9)]
    for request in requests:
        answer(replies, request, started(), piece())
    assert [replies.get(request, "now") for request in requests] == [None, *[(started(), piece())] * 8]


# -- the service -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client(mini_store: Path) -> Iterator[TestClient]:
    with TestClient(application(mini_store, ServiceLimits(workers=1))) as found:
        yield found


@pytest.fixture(scope="module")
def forgetful(mini_store: Path) -> Iterator[TestClient]:
    with TestClient(application(mini_store, ServiceLimits(workers=1, cache=0))) as found:
        yield found


TERMS = "SELECT ?term ?name { ?term a rg:Term ; skos:prefLabel ?name } ORDER BY ?name"
ABOUT = "CONSTRUCT WHERE { ?term a rg:Term ; skos:prefLabel ?name }"

REQUESTS = [
    ({"query": query, **more}, {"accept-encoding": coding, **headers})
    for query, more, headers in (
        (TERMS, {}, {}),
        (TERMS, {}, {"accept": "text/csv"}),
        (TERMS, {}, {"accept": "text/turtle"}),
        (TERMS, {"format": "tsv"}, {"accept": "text/csv"}),
        (TERMS, {}, {"accept": "text/csv", "origin": "https://other.example"}),
        (TERMS, {}, {"if-none-match": "*"}),
        (TERMS, {}, {"if-none-match": '"other"'}),
        (TERMS, {"default-graph-uri": "x:none"}, {}),
        (TERMS, {"update": "CLEAR ALL"}, {}),
        (ABOUT, {}, {"accept": "text/turtle"}),
        ("SELECT", {}, {}),
    )
    for coding in ("identity", "gzip", "gzip;q=0")
] + [({}, {"host": host}) for host in ("one.example", "two.example")]


def test_a_service_that_keeps_replies_says_what_one_says_that_keeps_nothing(
    client: TestClient, forgetful: TestClient
) -> None:
    for fields, headers in [*REQUESTS, *REQUESTS, *reversed(REQUESTS)]:
        for method in ("GET", "HEAD", "GET"):
            kept, fresh = (
                it.request(method, "/sparql", params=fields, headers=headers) for it in (client, forgetful)
            )
            assert (kept.status_code, kept.headers.multi_items(), kept.content) == (
                fresh.status_code,
                fresh.headers.multi_items(),
                fresh.content,
            ), (method, fields, headers)


def test_a_reply_that_is_kept_needs_no_endpoint(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/sparql", params={"query": TERMS})
    monkeypatch.setattr(Endpoint, "__call__", _nobody)
    again = client.get("/sparql", params={"query": TERMS})
    assert (again.content, again.headers) == (first.content, first.headers)
    with pytest.raises(ZeroDivisionError):
        client.get("/sparql", params={"query": f"{TERMS} LIMIT 1"})
    with pytest.raises(ZeroDivisionError):
        client.get("/sparql", params={"query": TERMS}, headers={"if-none-match": first.headers["etag"]})


async def _nobody(*_: object) -> Never:
    raise ZeroDivisionError("nobody is there")


def test_which_state_is_the_newest_is_looked_at_now_and_then(
    starter_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, looks, sign = [0.0], [], Current._sign

    def look(current: Current) -> tuple[int, int] | None:
        looks.append(clock[-1])
        return sign(current)

    current = Current(starter_store)
    monkeypatch.setattr("rulesgraph.app.web.current.time", SimpleNamespace(monotonic=lambda: clock[-1]))
    monkeypatch.setattr(Current, "_sign", look)
    for moment in (100.0, 100.001, 100.019, 100.021, 100.03, 107.0):
        clock.append(moment)
        current.now()
    assert looks == [100.0, 100.021, 107.0]
