"""The endpoint and the command line give the same answers to the whole catalogue, in every format."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from pathlib import Path

import httpx
import pytest
import real
from asking import session_on
from commands import Run
from live import service
from pyoxigraph import QueryResultsFormat, QuerySolutions, parse_query_results
from rulesgraph.ontology.errors import UsageError
from rulesgraph.ontology.resources import bind
from rulesgraph.queries.answering.running import bound
from rulesgraph.queries.catalogue.questions import Question, question, questions
from rulesgraph.queries.session import Session
from sweep import PartOf

FORMATS = {
    "application/sparql-results+json": QueryResultsFormat.JSON,
    "application/sparql-results+xml": QueryResultsFormat.XML,
    "text/tab-separated-values": QueryResultsFormat.TSV,
}
"""The formats that keep what kind of term a value is; CSV keeps its words."""

RowsRead = tuple[list[str], list[tuple[str, ...]]]


def _table(document: bytes, form: QueryResultsFormat, *, plain: bool = False) -> RowsRead:
    """Return the columns and the rows, sorted, each term as it is written or, `plain`, as CSV has it."""
    found = parse_query_results(input=document, format=form)
    assert isinstance(found, QuerySolutions)
    rows = [
        tuple("" if it is None else getattr(it, "value", str(it)) if plain else str(it) for it in row)
        for row in found
    ]
    return [it.value for it in found.variables], sorted(rows)


def _text(session: Session, asked: Question, known: dict[str, str]) -> str | None:
    """Return a question in SPARQL about things that are known; None where nothing fits a parameter."""
    values = tuple(known.get(f"{asked.name} {it.name}") or known.get(it.kind, "") for it in asked.parameters)
    try:
        return bind(asked.query, bound(session, asked, values, None)[0])
    except UsageError:  # there is no such name, or there are no cards
        return None


def _compared(
    store: Path, run: Run, known: dict[str, str], catalogue: Sequence[Question], formats: int = len(FORMATS)
) -> tuple[int, set[str]]:
    """Compare the answers; return how many rows they had, and which questions could not be asked.

    Each question is asked in CSV and in this number of `FORMATS`, which take turns.
    """
    turn = cycle(FORMATS.items())
    session, rows, left_out = session_on(store), 0, set()
    with (
        service(store, "--timeout", 300) as address,
        httpx.Client(verify=False, timeout=300) as client,
    ):
        for asked in catalogue:
            text = _text(session, asked, known)
            if text is None:
                left_out.add(asked.name)
                continue
            _, out, _ = run("sparql", text, "--format", "json", "--timeout", 300, "--store", store)
            columns, expected = _table(out.encode(), QueryResultsFormat.JSON)
            rows += len(expected)

            def told(accept: str, text: str = text) -> bytes:
                answer = client.post(
                    f"{address}sparql",
                    content=text.encode(),
                    headers={"accept": accept, "content-type": "application/sparql-query"},
                )
                kind = answer.headers["content-type"].partition(";")[0]
                assert (answer.status_code, kind) == (200, accept), (text, answer.text[:200])
                return answer.content

            for accept, form in islice(turn, formats):
                assert _table(told(accept), form) == (columns, expected), (asked.name, accept)
            head, *found = csv.reader(io.StringIO(told("text/csv").decode()))
            plain = _table(out.encode(), QueryResultsFormat.JSON, plain=True)
            assert (head, sorted(map(tuple, found))) == plain, asked.name
    return rows, left_out


SOME = "also_see citing cited_by definition facts_about interaction mentions_of problems statistics".split()


def test_the_catalogue_is_answered_alike(mini_store: Path, run: Run) -> None:
    known = {"term": "Flutter", "thing": "Flutter", "rule": "310", "date": "2031-02"}
    some = [question(name) for name in SOME]
    rows, left_out = _compared(mini_store, run, {**known, "interaction other": "Moth"}, some)
    assert (rows, left_out) == (28, set())


@pytest.mark.long(small="test_the_catalogue_is_answered_alike")
def test_the_catalogue_is_answered_alike_over_the_newest_rules(
    shared: Path, store_of: Callable[..., Path], run: Run, part_of: PartOf
) -> None:
    """Each in one format beside CSV, because the server evaluates a question anew for each."""
    known = {"term": "Flying", "thing": "Protection", "rule": "704", "date": "2025", "words": "Goblin"}
    known |= {"kind": "designation", "procedure": "cast a spell", "part": "untap"}
    store, some = store_of(*(real.rules(shared, day) for day in real.AROUND)), part_of(questions(), 15)
    rows, left_out = _compared(store, run, {**known, "interaction other": "Flying"}, some, formats=1)
    assert left_out == {"rules_of_card", "rulings_about", "rulings_by"} & {it.name for it in some}
    assert rows > 20 * len(some)
