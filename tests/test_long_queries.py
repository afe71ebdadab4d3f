"""A query too deep for the parser's stack is refused with a sentence, and kills none of our processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from commands import PROGRAM
from rulesgraph.loaders.store import open_store, query
from rulesgraph.ontology.errors import StoreTimeoutError

TERMS = 20_000
FLAT = {
    "sum": "SELECT (" + "+".join("1" * TERMS) + " AS ?x) {}",
    "quotient": "SELECT (" + "/".join("1" * TERMS) + " AS ?x) {}",
    "or": "ASK { FILTER(" + "||".join(["?a"] * TERMS) + ") }",
    "and": "ASK { FILTER(" + "&&".join(["?a"] * TERMS) + ") }",
    "negations": "ASK { FILTER(" + "!" * TERMS + "?a) }",
    "optional": "ASK { " + "OPTIONAL{}" * TERMS + " }",
    "union": "ASK { " + "UNION".join(["{}"] * TERMS) + " }",
    "minus": "ASK { " + "MINUS{?s ?p ?o}" * TERMS + " }",
    "bind": "ASK { " + "".join(f"BIND(1 AS ?x{n})" for n in range(TERMS)) + " }",
    "filter": "ASK { " + "FILTER(?a)" * TERMS + " }",
    "columns": "SELECT " + " ".join(f"(1 AS ?x{n})" for n in range(TERMS)) + " {}",
    "describe": "DESCRIBE" + " <x:a>" * TERMS,
    "subqueries": "ASK { " + "{SELECT * {}}" * TERMS + " }",
    "alternatives": "ASK { ?s " + "|".join(["<x:p>"] * 2 * TERMS) + " ?o }",
}
FEW = ("sum", "or", "optional", "union", "describe")
HELD = {
    "values": "ASK { VALUES ?x { " + "1 " * TERMS + "} }",
    "in": "ASK { FILTER(1 IN (" + ",".join("1" * TERMS) + ")) }",
    "arguments": "ASK { FILTER(COALESCE(" + ",".join("1" * TERMS) + ")) }",
    "grouped": "SELECT (1 AS ?x) { ?s ?p ?o } GROUP BY" + " ?s" * TERMS,
}
ASKING = """
import sys, threading
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.errors import RulesgraphError

def ask():
    for line in sys.stdin:
        try:
            open_store(":memory:").query(line)
            print("answered")
        except RulesgraphError as error:
            print(type(error).__name__)

threading.stack_size(int(sys.argv[1]))
thread = threading.Thread(target=ask)
thread.start()
thread.join()
"""


def outcomes(queries: list[str], stack: int = 0) -> list[str]:
    """Return the results of some queries in one process, in a thread with a stack of this many bytes."""
    done = subprocess.run(
        [sys.executable, "-c", ASKING, str(stack)],
        input="\n".join(queries),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_flat_query_without_end_is_refused_and_the_process_lives() -> None:
    queries = [FLAT[name] for name in FEW]
    assert outcomes([*queries, "ASK {}"]) == ["StoreExhaustedError"] * len(queries) + ["answered"]


@pytest.mark.long(small="test_a_flat_query_without_end_is_refused_and_the_process_lives")
@pytest.mark.parametrize("kind", FLAT)
def test_every_kind_of_flat_query_is_refused(kind: str) -> None:
    assert outcomes([FLAT[kind], "ASK {}"]) == ["StoreExhaustedError", "answered"]


def test_a_long_list_is_no_long_query() -> None:
    assert outcomes(list(HELD.values())) == ["answered"] * len(HELD)


def test_a_thread_with_a_small_stack_is_as_safe() -> None:
    queries = ["+".join("1" * 40), "+".join("1" * 2_000), "STR(" * 200 + "1" + ")" * 200]
    found = outcomes([f"SELECT ({it} AS ?x) {{}}" for it in queries], stack=1 << 20)
    assert found == ["answered", "StoreExhaustedError", "StoreExhaustedError"]


def test_the_command_says_one_sentence_and_exits_with_4(mini_store: Path, tmp_path: Path) -> None:
    query = tmp_path / "long.rq"
    query.write_text(FLAT["sum"], encoding="utf-8")
    done = subprocess.run(
        [*PROGRAM, "sparql", str(query), "--store", str(mini_store)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith("rulesgraph: the query has too many terms for its parser\n")


def test_only_long_or_deep_queries_are_parsed_apart() -> None:
    stack = 8 << 20
    assert query.fits_stack("SELECT (" + "+".join("1" * 400) + " AS ?x) {}", stack)
    assert query.fits_stack("ASK { VALUES ?x { " + "1 " * TERMS + "} }", stack)
    assert not query.fits_stack("SELECT (" + "+".join("1" * 600) + " AS ?x) {}", stack)
    assert not query.fits_stack("ASK { VALUES ?x { 1 } FILTER(" + "+".join("1" * 600) + ") }", stack)
    assert not query.fits_stack("ASK " + "{" * 450 + "}" * 450, stack)


NESTED = {
    "lists": "ASK { ?s ?p " + "(" * 250 + "1" + ")" * 250 + " }",
    "annotations": "ASK { ?s ?p ?o " + "{| ?p ?o " * 120 + "|}" * 120 + " }",
    "quoted triples": "ASK { ?s ?p " + "<< ?s ?p " * 250 + "?o" + " >>" * 250 + " }",
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_a_time_limit_counts_from_the_first_byte(text: str) -> None:
    """Each of these takes the parser half a minute and more."""
    with pytest.raises(StoreTimeoutError, match=r"parsing the query took longer than 0\.3 s"):
        open_store(":memory:").query(text, timeout=0.3)


def test_what_parsing_takes_is_not_left_for_running(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([0.0, 2.0])
    monkeypatch.setattr("time.monotonic", lambda: next(moments))
    assert query.prepare("ASK {}", timeout=5).timeout == 3
