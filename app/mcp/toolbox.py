"""The tools that applications call: each asks `Rules` and returns an object with edition, IRIs and lines.

Nothing here knows the protocol. Every call looks at the newest state of the store, one call at a time; what
is given comes from strangers, so its size is bounded before anything is done with it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...loaders.store.bounds import AnswerBounds
from ...loaders.store.guard import admit
from ...ontology.errors import UnknownNameError, UsageError
from ...queries.session import Answer
from .told import JsonObject, iris_of, plainly, told

if TYPE_CHECKING:
    from ..python.nodes import RuleNode
    from ..python.rules import Rules

MOST_ROWS = 200
"""Rows that one answer has at most, whatever is asked for."""

DEADLINE = 10.0
"""Seconds that a SPARQL query may take."""

BOUNDS = AnswerBounds(rows=10_000, size=16 << 20)
"""What its answer may have before it is cut to the rows that are told: beyond that the query is ended."""

_LONGEST_NAME = 500
_LONGEST_QUESTION = 2_000
_LONGEST_TEXT = 1_000_000
_MOST_TOKENS = 20_000
_LETTERS_A_TOKEN = 4
"""A token of a language model is about four letters of English; budgets are kept by that measure."""

_LEAST_ROOM = 80
"""Letters: with less room left, nothing more is looked up."""


class Toolbox:
    """The read-only tools over one store. Errors are those of `Rules`: they say what, where and why."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._lock = threading.Lock()

    @contextmanager
    def _looking(self) -> Iterator[Rules]:
        """Give the newest state of the store to one caller at a time."""
        with self._lock:
            self._rules.refresh()
            yield self._rules

    def _answer(self, ask: Callable[[Rules], Answer], limit: int) -> JsonObject:
        with self._looking() as rules:
            return told(rules.session, ask(rules), _rows(limit))

    # -- questions ------------------------------------------------------------------------------

    def search(self, words: str, limit: int = 10, edition: str | None = None) -> JsonObject:
        """Find the passages that speak of some words, the best first, verbatim with edition, line and IRI.

        Words in any form, "phrases", beginnings (moth*), and conditions: in:702, kind:rule, cites:704.5.
        """
        _bounded(words, _LONGEST_QUESTION)
        return self._answer(lambda it: it.search(words, limit=_rows(limit), edition=edition), limit)

    def ask(self, question: str, limit: int = 50, edition: str | None = None) -> JsonObject:
        """Answer a question in words, such as "Which terms rely on state-based actions?".

        Every row has the sentence that it rests on, its document and its line.
        """
        _bounded(question, _LONGEST_QUESTION)
        return self._answer(lambda it: it.ask(question, edition=edition), limit)

    def question(
        self, name: str = "", arguments: list[str] | None = None, limit: int = 50, edition: str | None = None
    ) -> JsonObject:
        """Ask a question of the catalogue by its name with its arguments; without a name, list them all."""
        given = arguments or []
        for value in (name, *given):
            _bounded(value, _LONGEST_NAME)
        if not name:
            return self._answer(lambda it: it.questions(), MOST_ROWS)
        known = [str(row["name"]) for row in self._rules.questions()]
        if name not in known:
            from difflib import get_close_matches

            near = get_close_matches(name, known, n=3)
            raise UnknownNameError("question", name, near, "Without a name, the catalogue is listed.")
        return self._answer(lambda it: it.ask(name, *given, edition=edition), limit)

    def why(self, first: str, second: str, limit: int = 50, edition: str | None = None) -> JsonObject:
        """Find the shortest chain by which one term or rule relies on another, each step quoted."""
        _bounded(first + second, _LONGEST_NAME)
        return self._answer(lambda it: it.why(first, second, edition=edition), limit)

    def interaction(self, first: str, second: str, limit: int = 50, edition: str | None = None) -> JsonObject:
        """Find where two terms or rules meet: what both speak of that little else does, side by side."""
        _bounded(first + second, _LONGEST_NAME)
        return self._answer(lambda it: it.interaction(first, second, edition=edition), limit)

    def trace(
        self, number: str, start: str | None = None, end: str | None = None, limit: int = 100
    ) -> JsonObject:
        """Follow a rule or term of the edition `start` to `end` (else the newest), or tell its whole life."""
        _bounded(number, _LONGEST_NAME)
        return self._answer(lambda it: it.trace(number, start, end) if start else it.history(number), limit)

    def diff(self, before: str, after: str, limit: int = 50, within: str | None = None) -> JsonObject:
        """Compare two editions: `chapters` counts what changed, `changes` tells it, `terms` rest on it.

        `within` is the number of a chapter or rule that alone is looked at.
        """
        with self._looking() as rules:
            found = rules.diff(before, after, within=within)
            most = _rows(limit)
            return {
                "edition": found.changes.edition,
                "chapters": told(rules.session, found.chapters, MOST_ROWS)["rows"],
                "changes": told(rules.session, found.changes, most),
                "terms": told(rules.session, found.terms, most),
            }

    def sparql(self, query: str, limit: int = 50, edition: str | None = None) -> JsonObject:
        """Run a SPARQL 1.1 query: SELECT, ASK, CONSTRUCT or DESCRIBE; it only reads.

        It may take 10 seconds and give 10,000 rows; ask for few, with a LIMIT. The usual prefixes are
        declared: rg, game, skos, dcterms, prov, rdf, rdfs, owl, xsd; term, ed, doc.
        """
        admit(query)
        with self._looking() as rules:
            found = rules.session.sparql(query, edition=edition, timeout=DEADLINE, bounds=BOUNDS)
            seen = rules.session.scope(edition).label
            if isinstance(found, bool):
                return {"edition": seen, "answer": found}
            if isinstance(found, Answer):
                return told(rules.session, found, _rows(limit))
            lines = sorted(f"{triple} ." for triple in found)
            return {
                "edition": seen,
                "triples": [*lines[: _rows(limit)]],
                "more": max(0, len(lines) - _rows(limit)),
            }

    def verify(
        self, text: str, edition: str | None = None, asof: str | None = None, every: bool = False
    ) -> JsonObject:
        """Check the citations of rules in a text, and the titles and words quoted beside them.

        A row for each finding: unknown, moved (`now` says where to), removed, reworded, title, words. No row:
        every citation stands. `asof` is a day (2008-06-01) for the rules in force then.
        """
        _bounded(text, _LONGEST_TEXT)
        return self._answer(lambda it: it.verify(text, edition=edition, asof=asof, every=every), MOST_ROWS)

    # -- things ---------------------------------------------------------------------------------

    def show(self, name: str, limit: int = 20, edition: str | None = None) -> JsonObject:
        """Gather all that is known of one term, rule, section, entry or ruling, as tables with sources."""
        _bounded(name, _LONGEST_NAME)
        with self._looking() as rules:
            sheet = rules.show(name, edition=edition)
            most = _rows(limit)
            tables = [
                {
                    "name": table.name,
                    "rows": [plainly(row) for row in table.records()[:most]],
                    "more": max(0, len(table) - most),
                }
                for table in sheet.tables
            ]
            named = [sheet.name, sheet.number, *_words_in(sheet.tables, most)]
            return {
                "kind": sheet.kind,
                "name": sheet.name,
                "number": sheet.number or None,
                "title": sheet.title or None,
                "other_names": [*sheet.other_names],
                "status": sheet.status,
                "edition": sheet.edition,
                "editions": [*sheet.editions],
                "tables": [*tables],
                "notes": [*sheet.notes],
                "iris": {**iris_of(rules.session, sheet.edition, named)},
            }

    def rule(self, number: str, limit: int = 50, edition: str | None = None) -> JsonObject:
        """Return a rule, section, entry or ruling by its number: words, parts, examples, what cites it."""
        _bounded(number, _LONGEST_NAME)
        with self._looking() as rules:
            node = rules.rule(number, edition=edition)
            most = _rows(limit)
            return {
                **_node(node),
                "part_of": node.parent.number if node.parent else None,
                "parts": [_node(part) for part in node.children[:most]],
                "examples": [*node.examples],
                "cites": told(rules.session, node.cites, most)["rows"],
                "cited_by": told(rules.session, node.cited_by, most)["rows"],
            }

    def term(self, name: str, edition: str | None = None) -> JsonObject:
        """Return a term by any of its names: its definition with lines, and the rules that define it."""
        _bounded(name, _LONGEST_NAME)
        with self._looking() as rules:
            node = rules.term(name, edition=edition)
            definition = rules.ask("definition", node.name, edition=edition)
            return {
                "name": node.name,
                "iri": node.iri,
                "names": [*node.names],
                "edition": node.edition,
                "definition": told(rules.session, definition, MOST_ROWS)["rows"],
                "defined_by": [_node(rule) for rule in node.defined_by],
            }

    def neighbourhood(self, name: str, tokens: int = 1500, edition: str | None = None) -> JsonObject:
        """Gather what surrounds a term or rule, verbatim, nearest first, within a budget of tokens.

        First its own words, then what it relies on, then what cites it. `left_out` counts the things for
        which no room was left, whole or in part.
        """
        _bounded(name, _LONGEST_NAME)
        from .neighbours import neighbours

        room = max(1, min(tokens, _MOST_TOKENS)) * _LETTERS_A_TOKEN
        with self._looking() as rules:
            passages: dict[str, JsonObject] = {}
            left_out = 0
            for found in neighbours(rules, name, edition):
                fits = room > _LEAST_ROOM or not passages
                for passage in found() if fits else ():
                    cost = len(str(passage["text"])) + len(str(passage["why"]))
                    if passage["iri"] in passages or not passage["text"]:
                        continue
                    if cost > room:
                        fits = False
                        continue
                    room -= cost
                    passages[str(passage["iri"])] = passage
                left_out += not fits
            label = next((str(it["edition"]) for it in passages.values()), "")
            return {"edition": label, "passages": [*passages.values()], "left_out": left_out}


def _node(node: RuleNode) -> JsonObject:
    return {
        "number": node.number,
        "kind": node.kind,
        "title": node.title or None,
        "text": node.text,
        "iri": node.iri,
        "edition": node.edition,
        "document": node.document or None,
        "lines": [*node.lines] if node.lines else None,
    }


def _words_in(tables: tuple[Answer, ...], limit: int) -> list[str]:
    cells = (value for table in tables for row in table.rows[:limit] for value in row)
    return [value for value in cells if isinstance(value, str)]


def _rows(limit: int) -> int:
    return max(1, min(limit, MOST_ROWS))


def _bounded(text: str, most: int) -> None:
    if len(text) > most:
        raise UsageError(f"what is given has {len(text)} characters, and may have {most}")
