"""The messages to a process that answers queries: many requests in a row, each with its own text."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import pytest
from asking import session_on
from rulesgraph.loaders.store.folder import FolderStore
from rulesgraph.loaders.store.query import PreparedQuery
from rulesgraph.loaders.store.results import AnswerBounds
from rulesgraph.loaders.store.worker_protocol import command, head, request_line

PREFIXES = {"a": "http://a.example/", "ab": "http://ab.example/", "c-d": "http://cd.example/"}
BOUNDS = AnswerBounds(100, 10_000)
CSV, TSV = "text/csv", "text/tab-separated-values"


def request(store: Path, generation: int, text: str, results: str = CSV, graphs: Sequence[str] = ()) -> bytes:
    base = "http://base.example/"
    query = PreparedQuery(text, prefixes=PREFIXES, base=base, default_graphs=graphs, bounds=BOUNDS)
    job = {"query": query._asdict(), "formats": (results, None), "fixed": True, "longest": 1_000}
    return request_line(str(store), generation, 20, 1 << 30, job)


def answers(requests: Iterable[bytes]) -> list[tuple[str, bytes]]:
    """Return what one process answers to requests, one after the other."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command(), stdin=pipe, stdout=pipe) as process:
        assert process.stdin
        assert process.stdout
        found = []
        for request in (b"", *requests):
            process.stdin.write(request)
            process.stdin.flush()
            kind, length = head(process.stdout.readline())
            found.append((kind, process.stdout.read(length)))
        return found


@pytest.fixture(scope="module")
def generation(mini_store: Path) -> int:
    store = session_on(mini_store).store
    assert isinstance(store, FolderStore)
    return store.state()[0]


def test_each_wish_has_its_own_text_and_form(mini_store: Path, generation: int) -> None:
    graphs = tuple(session_on(mini_store).scope().default_graphs or ())
    many = tuple(f"http://graph.example/{n}" for n in range(500))
    text = 'SELECT ("{}" AS ?x) {{}}'
    asked = partial(request, mini_store, generation)
    found = answers(
        [
            asked(text.format("one"), CSV, graphs),
            asked(text.format("two\\n\\t\u2028\U0001f600"), TSV, graphs),
            asked(text.format("three") + "\n# \n", CSV, graphs),
            asked(text.format("four"), CSV, many),
            asked("ASK { ?s ?p ?o }", CSV, many),
            asked("ASK { ?s ?p ?o }", CSV, graphs),
        ]
    )
    assert found == [
        ("ready", b""),
        ("results", b"x\r\none\r\n"),
        ("results", '?x\n"two\\n\\t\u2028\U0001f600"\n'.encode()),
        ("results", b"x\r\nthree\r\n"),
        ("results", b"x\r\nfour\r\n"),
        ("results", b"false\n"),
        ("results", b"true\n"),
    ]


def test_what_is_refused_leaves_the_next_request_whole(mini_store: Path, generation: int) -> None:
    _, first, second, third, last = answers(
        [
            request(mini_store, generation + 1, "ASK {}"),
            request(mini_store, generation, "SELECT"),
            request(mini_store, generation, "ASK { ?s none:p ?o }"),
            request(mini_store, generation, "ASK {}"),
        ]
    )
    assert [first[0], second[0], third[0], last] == [
        "StoreError",
        "UsageError",
        "UsageError",
        ("results", b"true\n"),
    ]
    assert json.loads(third[1])["what"] == "the query does not parse: the prefix none: is not declared"
