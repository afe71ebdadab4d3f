"""A SPARQL query, typed, piped or in a file, into its result."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...loaders.given import read_whole
from ...ontology.errors import UsageError
from ...queries.session import Answer
from ...queries.session.session import DEADLINE, remarks
from ..output import talk, write_answer, write_json, write_rows
from ..python.rules import open
from .ask import add_timeout

if TYPE_CHECKING:
    import pyoxigraph

_STATEMENT = re.compile(
    r"\s*(?:(?:PREFIX|BASE|SELECT|ASK|CONSTRUCT|DESCRIBE|INSERT|DELETE|WITH|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY)"
    r"\s|#)",
    re.IGNORECASE,
)
"""What begins a query or an update: anything else without braces is a file's name."""

LONGEST_QUERY = 1 << 20
"""Bytes."""

TAKES = ("edition", "format")
EXAMPLES = """\
  rulesgraph sparql "SELECT ?name WHERE { ?term a rg:Term ; skos:prefLabel ?name } ORDER BY ?name"
  rulesgraph sparql question.rq --format csv
  rulesgraph sparql question.rq --format json        the W3C's results in JSON; `records` is a list of objects
  cat question.rq | rulesgraph sparql -

The usual prefixes are declared already: rg, game, skos, dcterms, prov, rdf, rdfs, owl, xsd, term, ed and
doc for the data. Labels are in English: write "Echo"@en. A plain query sees the newest edition and the rules
it was made under; GRAPH sees everything. A query may take 60 seconds (--timeout), and 4 GB of memory."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `sparql`."""
    parser.add_argument(
        "query", metavar="QUERY|-|FILE.rq", help="the query, `-` for stdin, or a file that holds it"
    )
    add_timeout(parser, DEADLINE)


def run(options: argparse.Namespace) -> int:
    """Run the query: SELECT gives a table, ASK true or false, CONSTRUCT and DESCRIBE triples."""
    rules = open(options.store, timeout=options.timeout)
    text = _text(options.query)
    form = "json" if options.format == "records" else options.format
    if options.format == "json":
        standard = rules.session.results_json(text, options.edition)
        if isinstance(standard, bytes):
            return _write_standard(standard, text)
        return _write_triples(standard, form, rules.session.iris.base)
    found = rules.sparql(text, edition=options.edition)
    if isinstance(found, bool):
        write_rows(("answer",), [(found,)], form)
        return 0
    if isinstance(found, Answer):
        return write_answer(found, form)
    return _write_triples(found, form, rules.session.iris.base)


def _write_standard(document: bytes, query: str) -> int:
    """Write a results document of the W3C, readable; return 1 when it has no row."""
    found = json.loads(document)
    write_json(found)
    if "boolean" in found or found["results"]["bindings"]:
        return 0
    for remark in (*remarks(query), "nothing found"):
        talk(remark)
    return 1


def _text(query: str) -> str:
    """Return the query's text, read from where the argument says."""
    if "{" in query or _STATEMENT.match(query):
        return query
    try:
        return read_whole(query, LONGEST_QUERY).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the query cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}",
            where=query,
            way_out='Give a query in quotes ("SELECT …"), a file that holds one, or - for stdin.',
        ) from error


def _write_triples(triples: Iterable[pyoxigraph.Triple], form: str, base: str) -> int:
    """Write triples as Turtle, or as rows; return 1 when there are none."""
    found = list(triples)
    if form == "table":
        from ...queries.export.notations import turtle

        sys.stdout.write(turtle(found, base))
    else:
        rows = sorted((str(t.subject), str(t.predicate), str(t.object)) for t in found)
        write_rows(("subject", "predicate", "object"), rows, form)
    return 0 if found else 1
