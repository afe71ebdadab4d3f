"""The commands that read a user's text: a query, an article with citations, answers to questions."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterable

import pyoxigraph

from ...loaders.given import LARGEST_GIVEN, read_whole
from ...ontology import SourceError, UsageError, counted, prefixed, usual_prefixes
from ...queries.session import DEADLINE, Answer, Value
from ...queries.session.empty import remarks_on
from ..operations import call
from ..output import write_answer, write_findings, write_json, write_notes, write_rows
from ..python.rules import Rules, open
from ..terminal import talk
from . import command, positive, timeout

_STATEMENT = re.compile(
    r"\s*(?:(?:PREFIX|BASE|SELECT|ASK|CONSTRUCT|DESCRIBE|INSERT|DELETE|WITH|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY)"
    r"\s|#)",
    re.IGNORECASE,
)
"""The beginning of a query or an update. Anything else without braces is the name of a file."""

_LONGEST_QUERY = 1 << 20
"""The maximum size in bytes."""


@command(
    Rules.sparql,
    formats=True,
    query={"metavar": "QUERY|-|FILE.rq", "help": "the query, - for stdin, or a file with the query"},
    timeout=timeout(DEADLINE),
)
def sparql(options: argparse.Namespace) -> int:
    """Run the query: SELECT gives a table, ASK true or false, CONSTRUCT and DESCRIBE triples.

      rulesgraph sparql "SELECT ?name WHERE { ?term a rg:Term ; skos:prefLabel ?name } ORDER BY ?name"
      rulesgraph sparql question.rq --format csv
    rulesgraph sparql question.rq --format json        # W3C results JSON; `records` gives a list of objects
    cat question.rq | rulesgraph sparql -

    The usual prefixes are declared: rg, game, skos, dcterms, prov, rdf, rdfs, owl, xsd; and term, ed and doc
    for the data. A relative name such as <edition/starter/rule/420> is below the base of the data. Tables
    have such short names, the other formats whole IRIs. Labels are tagged as English: write "Echo"@en.
    Patterns outside GRAPH see the newest edition, with the rules it was written under, and the tenures of all
    rules; GRAPH sees everything. A query may take 60 seconds (--timeout) and 4 GB of memory.
    """
    rules = open(options.store, timeout=options.timeout)
    base = rules.session.iris.base
    text = options.query
    is_file = len(text.split()) == 1 or text.endswith(".rq") or os.path.exists(text)
    if is_file and "{" not in text and not _STATEMENT.match(text):
        text = _read(
            text,
            _decoded,
            what="the query cannot be read",
            way_out='Give a query in quotes ("SELECT …"), a file with a query, or - for stdin.',
            most=_LONGEST_QUERY,
        )
    form = "json" if options.format == "records" else options.format
    ask = rules.session.results_json if options.format == "json" else rules.session.sparql
    found = ask(text, edition=options.edition)
    if isinstance(found, bytes):
        return _write_standard(found, text, options.edition)
    if isinstance(found, bool):
        write_rows(("answer",), [(found,)], form)
        talk(*remarks_on(text, is_empty=not found, edition=options.edition))
        return 0
    if isinstance(found, Answer):
        if form != "table" or not found.rows:
            return write_answer(found, form)
        write_rows(found.columns, [tuple(_short(it, base) for it in row) for row in found.rows], form)
        return write_notes(found)
    return _write_triples(found, form, base, text, options.edition)


def _short(value: Value, base: str) -> Value:
    """Return an IRI as a query may write it: with a usual prefix, or relative to the base."""
    if not isinstance(value, str):
        return value
    short = prefixed(value, usual_prefixes(base))
    return f"<{value[len(base) :]}>" if base.endswith("/") and short.startswith(base) else short


def _write_standard(document: bytes, query: str, edition: str | None) -> int:
    """Write SPARQL 1.1 Query Results JSON, indented; return 1 if there are no rows."""
    found = json.loads(document)
    write_json(found)
    is_found = found["boolean"] if "boolean" in found else bool(found["results"]["bindings"])
    talk(*remarks_on(query, is_empty=not is_found, edition=edition))
    if is_found or "boolean" in found:
        return 0
    talk("nothing found")
    return 1


def _write_triples(
    triples: Iterable[pyoxigraph.Triple], form: str, base: str, query: str, edition: str | None
) -> int:
    """Write triples as Turtle, or as rows; return 1 if there are none."""
    found = list(triples)
    if form == "table":
        from ...queries.export.notations import turtle

        sys.stdout.write(turtle(found, base))
    else:
        rows = sorted((str(t.subject), str(t.predicate), str(t.object)) for t in found)
        write_rows(("subject", "predicate", "object"), rows, form)
    talk(*remarks_on(query, is_empty=not found, edition=edition))
    return 0 if found else 1


@command(
    Rules.verify,
    formats=True,
    text={"metavar": "FILE|-", "help": "the file with the text, or - for stdin"},
    written={"metavar": "DATE|EDITION"},
    asof={"metavar": "DATE"},
)
def verify(options: argparse.Namespace) -> int:
    """Print the findings; return 1 if there are any other than notes.

      rulesgraph verify article.md
      rulesgraph verify article.md --written 2008-06-01         # citations by the numbers of that date
      rulesgraph verify engine.py --format json
      echo 'See rule 502.15.' | rulesgraph verify - --every      # also what nothing contradicts

    A number counts as a citation after "rule", "CR" or "§", with a subrule letter, in brackets, or at the
    start of a line, if there is or was a chapter with that number. Prices, versions and dates do not count.
    A bare chapter number after a name, as in "the stack (405)", is only listed at the end; "chapter 405"
    counts.
    "stands" says that the edition has the number and nothing found in the words around it contradicts it.
    The words around a number are compared with everything it has meant since 1999. Quotations of six words or
    more must be in the rule; shorter ones that are not are counted as not checked. Use "…" or [brackets] for
    words left out: a quoted sentence must not end before the rule's does. If fewer than three telling words
    are beside a number, only the number is checked, and the last line counts it. Words of an older edition
    are a finding if they are quoted, else not checked.
    A text that begins with an edition ("As of CR 2008-02-01: …") is checked against that, if it is loaded.
    IRIs of rules, provisions, sections, entries and terms in the store count too; the IRI of a rule is
    followed from the edition that it names.
    Exit code 1 means that there are findings.
    """
    from ...loaders.reading.encodings import decode_bytes
    from ...loaders.reading.source import LARGEST

    text = _read(
        options.text,
        lambda data: decode_bytes(data)[0] if data else "",
        what="it cannot be read",
        way_out="Give a file with the text to check, or - for stdin.",
        most=LARGEST,
    )
    found = call(open(options.store).verify, options, text=text)
    code = write_findings(found, options.format)
    for note in found.notes:
        talk(note if note.endswith(".") else f"{note}, checked against {found.edition}")
    return code


@command(
    Rules.quiz,
    formats=True,
    seed={"metavar": "SEED", "type": int, "help": "each seed gives different questions (default: 0)"},
    count={"flags": ["--n"], "metavar": "N", "type": positive},
    score={
        "metavar": "FILE|-",
        "help": "score these answers to the questions with the same seed, number and edition",
    },
    cases={
        "metavar": "PART",
        "nargs": "?",
        "const": "all",
        "choices": ["all", "tuned", "unseen"],
        "help": "print the solved cases that come with the program, or a part of them, for `build` to read; "
        "needs no store",
    },
)
def questions(options: argparse.Namespace) -> int:
    """Print the questions, or the score; return 1 if there are fewer questions than wanted.

      rulesgraph questions --seed 1 --n 200 > questions.jsonl
      rulesgraph questions --seed 1 --n 200 --score answers.jsonl     # score answers to these questions
      rulesgraph questions --seed 1 --n 24 --edition cr-2008-02-01
      rulesgraph questions --cases > cases.jsonl     # situations with the rules that decide them
      rulesgraph questions --cases unseen > unseen.jsonl     # to measure, with only the others in use

    Each line is one object: id, kind, hops, question, asks ("rules" or "terms"), answerable, answer, rules,
    chain, edition. A seed gives the same questions on any machine, and a larger --n only adds questions at
    the end. Write answers as lines of {"id": …, "answer": […]}. An answer can also be a text; the rules it
    cites are what counts. The right answer to an unanswerable question is an empty one.
    """
    if options.cases:
        # Only one option needs them.
        from ...loaders.cases import bundled_cases

        for case in bundled_cases():
            if options.cases in {"all", case["part"]}:
                print(json.dumps(case, ensure_ascii=False))
        return 0
    rules = open(options.store)
    if options.score is not None:
        text = _read(
            options.score,
            _decoded,
            what="the answers cannot be read",
            way_out="Give a file with one line of JSON per answer, or - for stdin.",
        )
        return write_answer(call(rules.mark, options, answers=text.split("\n")), options.format)
    made = call(rules.quiz, options)
    for question in made:
        print(json.dumps(question, ensure_ascii=False))
    talk(counted(len(made), "question"))
    return 0 if len(made) == options.count else 1


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig")


def _read(
    name: str, decode: Callable[[bytes], str], *, what: str, way_out: str, most: int = LARGEST_GIVEN
) -> str:
    """Return a file, or stdin for ``-``, as text; raise `UsageError` if it cannot be read or is not text."""
    try:
        return decode(read_whole(name, most))
    except SourceError as error:
        raise UsageError(error.what, where=name, way_out="Give a UTF-8 text file.") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UsageError(f"{what}: {reason}", where=name, way_out=way_out) from error
