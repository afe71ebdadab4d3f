"""A cached answer equals the original one, and is served without a worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Never

import pytest
from rulesgraph.app.web.service import application
from rulesgraph.app.web.service_limits import ServiceLimits
from rulesgraph.app.web.sparql.executor import QueryExecutor
from starlette.testclient import TestClient


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


def test_a_cached_answer_needs_no_worker(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/sparql", params={"query": TERMS})
    monkeypatch.setattr(QueryExecutor, "_run", _nobody)
    again = client.get("/sparql", params={"query": TERMS})
    assert (again.content, again.headers) == (first.content, first.headers)
    with pytest.raises(ZeroDivisionError):
        client.get("/sparql", params={"query": f"{TERMS} LIMIT 1"})


def _nobody(*_: object) -> Never:
    raise ZeroDivisionError("nobody is there")


def test_two_services_in_one_process_share_no_workers(mini_store: Path, starter_store: Path) -> None:
    query = {"query": "SELECT (1 AS ?n) {}"}
    with TestClient(application(mini_store, ServiceLimits(workers=1, cache=0))) as one:
        with TestClient(application(starter_store, ServiceLimits(workers=1, cache=0))) as other:
            assert other.get("/sparql", params=query).status_code == 200
        assert one.get("/sparql", params=query).status_code == 200
