"""SECURITY.md names the actual limits."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from rulesgraph.app.commands import texts
from rulesgraph.app.mcp import toolbox
from rulesgraph.app.python import building
from rulesgraph.app.web import connections
from rulesgraph.app.web.linked import routing
from rulesgraph.app.web.pages import pictures
from rulesgraph.app.web.service_limits import ServiceLimits
from rulesgraph.app.web.sparql import protocol
from rulesgraph.loaders import given
from rulesgraph.loaders.reading import detect, source
from rulesgraph.loaders.store import query, results, worker_protocol
from rulesgraph.queries.finding import recognition
from rulesgraph.queries.searching import grammar
from rulesgraph.queries.session import session

PAGE = (Path(__file__).resolve().parents[1] / "SECURITY.md").read_text(encoding="utf-8")
OURS = ServiceLimits()
NESTING = f"{query._DEEPEST} levels, {query._LONGEST_RUN} operators in a row, {query._MOST_STEPS} path steps"


def mb(size: int) -> str:
    return f"{size >> 20} MB" if size < 1 << 30 else f"{size >> 30} GB"


def figure(pattern: re.Pattern[str]) -> str:
    """Return the number of repetitions, less one, that a pattern refuses."""
    found = re.search(r"\{(\d+)\}", pattern.pattern)
    assert found
    return str(int(found[1]) - 1)


LIMITS = {
    "a document, or a download": f"{mb(source.LARGEST)}",
    "a download": f"{building._MOST_SECONDS:g} seconds in all, "
    f"{building._STALLED_SECONDS:g} seconds without data; "
    f"{building._MOST_REDIRECTS} redirects, none to a private address of another host",
    "a line, a number in it": f"{source.LONGEST_LINE:,} characters; {figure(source._ENDLESS_FIGURE)} digits",
    "problems in a document": f"{detect.MOST_PROBLEMS:,}",
    "rules, entries, examples and references of a document, each number of a range": (
        f"{detect.MOST_RECORDS:,}"
    ),
    "a Turtle file, a file of permanent ids, a file of answers to questions": mb(given.LARGEST_GIVEN),
    "a question in words; a search": f"{recognition.LONGEST:,} characters; {grammar.MOST_WORDS} words",
    "a query of `sparql`": f"{mb(texts._LONGEST_QUERY)}; {query._LEVELS} levels; "
    f"{session.DEADLINE:g} seconds including parsing, unless you set `--timeout`; "
    f"{mb(worker_protocol.MEMORY)} of memory",
    "an answer from an endpoint or a query process": mb(results.LARGEST_ANSWER),
    "a query of `serve`": f"{OURS.query:,} characters; {NESTING}; {OURS.timeout:g} seconds; "
    f"{mb(OURS.memory)} of memory; an answer of {mb(OURS.answer)} and {OURS.rows:,} rows; "
    f"{protocol._MOST_FIELDS} fields in a request",
    "simultaneous queries of `serve`": f"one per processor (`workers`); {OURS.waiting} may wait, "
    f"{OURS.waiting_each} of them from one address",
    "what `serve` caches": f"{mb(OURS.cache)} of answers in memory, {mb(OURS.files)} on disk",
    "connections of `serve`": f"{OURS.connections:,}, "
    f"at most {OURS.connections_each} of them from one address unless it is a trusted proxy; "
    f"{OURS.headers:g} seconds and {connections._HEADERS >> 10} KB for the headers; "
    f"{(connections._ADDRESS + 1) >> 10} KB for the URL; {connections._AHEAD} pipelined requests",
    "a picture, a download of `serve`": f"{pictures.SECONDS} seconds, {pictures.DEEPEST} links away, "
    f"{pictures.WAITING} may wait; {routing.LONGEST:,} seconds, {routing.AT_ONCE} at a time",
    "a query of `mcp`": f"{query.LONGEST_QUERY:,} characters; {NESTING}; {toolbox.DEADLINE:g} seconds; "
    f"an answer of {mb(toolbox.BOUNDS.size)} and {toolbox.BOUNDS.rows:,} rows, "
    f"{toolbox.MOST_ROWS} of which are shown",
    "a name, a question, a text to verify of `mcp`": f"{toolbox._LONGEST_NAME}, "
    f"{toolbox._LONGEST['question']:,}, {toolbox._LONGEST['text']:,} characters",
}


def test_the_limits_are_those_of_the_code() -> None:
    table = PAGE.partition("## Limits")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", table, re.MULTILINE))
    assert {name: text for name, text in rows.items() if name not in {"what", "---"}} == LIMITS


def test_every_limit_of_the_service_is_among_them() -> None:
    source_of_test = Path(__file__).read_text(encoding="utf-8")
    for limit in fields(ServiceLimits):
        assert f"OURS.{limit.name}" in source_of_test or limit.name == "workers", limit.name
