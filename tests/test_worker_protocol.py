"""What is said to a process that answers queries: many wishes in a row, each with a text of its own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from asking import session_on
from rulesgraph.loaders.store.documents import Wish
from rulesgraph.loaders.store.folder import FolderStore
from rulesgraph.loaders.store.query import unparsed
from rulesgraph.loaders.store.results import AnswerBounds
from rulesgraph.loaders.store.worker_protocol import SHORT, command, head, request_line, with_text

PREFIXES = {"a": "http://a.example/", "ab": "http://ab.example/", "c-d": "http://cd.example/"}
BOUNDS = AnswerBounds(100, 10_000)


def line_of(store: Path, generation: int, graphs: tuple[str, ...] | None, results: str) -> bytes:
    wish = Wish(PREFIXES, "http://base.example/", graphs, None, True, results, None, BOUNDS, 1_000)
    return request_line(str(store), generation, 20, 1 << 30, {"wish": wish._asdict()})


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
    csv, tsv = (line_of(mini_store, generation, graphs, it) for it in ("csv", "tsv"))
    many = line_of(mini_store, generation, tuple(f"http://graph.example/{n}" for n in range(500)), "csv")
    assert len(csv) < SHORT < len(many)
    text = 'SELECT ("{}" AS ?x) {{}}'
    found = answers(
        [
            with_text(csv, text.format("one")),
            with_text(tsv, text.format("two\\n\\t\u2028\U0001f600")),
            with_text(csv, text.format("three") + "\n# \n"),
            with_text(many, text.format("four")),
            with_text(many, "ASK { ?s ?p ?o }"),
            with_text(csv, "ASK { ?s ?p ?o }"),
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
    well = line_of(mini_store, generation, None, "csv")
    _, first, second, third, last = answers(
        [
            with_text(line_of(mini_store, generation + 1, None, "csv"), "ASK {}"),
            with_text(well, "SELECT"),
            with_text(well, "ASK { ?s none:p ?o }"),
            with_text(well, "ASK {}"),
        ]
    )
    assert [first[0], second[0], third[0], last] == [
        "StoreError",
        "UsageError",
        "UsageError",
        ("results", b"true\n"),
    ]
    assert json.loads(third[1])["what"] == "the query does not parse: the prefix none: is not declared"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ASK { a:x ?p ?o }", ["a"]),
        ("ASK { ab:x c-d:y ?o }", ["ab", "c-d"]),
        # What ends in the name of another one may take that along: it does no harm.
        ("ASK { <cab:x> ?p 'd:' }", ["ab"]),
        # What declares a prefix most likely declares all; where it does not, it is prepared.
        ("PREFIX cab: <x:y> ASK { cab:x ?p 'd:' }", []),
        ("prefix a: <x:y> ASK { a:x c-d:y ?o }", []),
        ("ASK {}", []),
        ("ASK { \\u0061:x ?p ?o }", None),
        ("SELECT * { a:x ?p ?o }", None),
    ],
)
def test_a_query_takes_along_the_prefixes_that_it_names(text: str, expected: list[str] | None) -> None:
    found = unparsed(text, PREFIXES, None, None, None, BOUNDS)
    assert (None if found is None else found.prefixes) == (
        None if expected is None else {name: PREFIXES[name] for name in expected}
    )
