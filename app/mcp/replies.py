"""Replies of tools: results of operations as JSON, as many rows as a budget of tokens allows.

Notes and errors name tools and arguments, where those of `Rules` name commands, options and classes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from ...loaders.language.words import sentences
from ...loaders.store.results import json_row
from ...loaders.store.worker_protocol import LONGER
from ...ontology import SKOS, UsageError, compact, literal
from ...queries.finding.things import numbered
from ...queries.history.diff import Difference, for_people
from ...queries.searching.grammar import Spans
from ...queries.searching.scores import Passages
from ...queries.session import Answer, Session, Sheet
from ..operations import TOOLS, plain_text
from ..python.nodes import RuleNode, TermNode
from ..python.passages import LETTERS
from ..python.rules import Rules

JsonObject = dict[str, Any]
"""A JSON object. The protocol derives a schema from this type, which need not be more precise."""

_LONGEST_ROW = 8000
"""A first row longer than this many letters is cut short; no rule is that long."""

_OWN = frozenset(("iri", "edition", "since"))
"""A row with one of these columns has names and numbers of another edition than the reply."""

_LONGEST_EXCERPT = 220
"""The maximum length, in letters, of the excerpt from a passage that does not fit."""

_WHOLE = 2
"""How many passages are given whole, if they fit, before others are given as excerpts."""

_EXCERPTS = "Rows without a line are excerpts (…): `rule` gives the whole text."

_LONGEST_PLAIN_NAME = 80
_MOST_NAMES = 400
"""The maximum number of names looked up in an answer; with a limit on rows there are rarely more."""


class Part(NamedTuple):
    """The requested part of a result: rows from `offset` on, of one table or of all."""

    limit: int
    offset: int
    tokens: int
    table: str


class _Table:
    """Some rows of a table as JSON, and how many more come after them."""

    def __init__(
        self, rows: Sequence[Any], part: Part, as_json: Callable[[Any], Any] = lambda row: row, more: int = 0
    ) -> None:
        end = part.offset + part.limit
        self.rows = [as_json(row) for row in rows[part.offset : end]]
        self.skipped = len(rows[: part.offset])
        self.more = more + max(0, len(rows) - end)
        self.kept = 0
        self.excerpts: list[JsonObject] = []

    @classmethod
    def of(cls, answer: Answer, part: Part) -> _Table:
        """Return the table of an answer, with dates as text."""
        table = cls(answer.rows, part, partial(json_row, answer.columns), answer.more)
        if isinstance(answer, Passages):
            marks = answer.marks[part.offset : part.offset + part.limit]
            table.excerpts = [*map(_excerpt, table.rows, marks)]
        return table

    def shorten(self, room: int) -> int:
        """Replace the last rows by excerpts if not all fit; return how many stay whole, 0 for all."""
        whole, short = [*map(_length, self.rows)], [*map(_length, self.excerpts)]
        if not short or sum(whole) <= room:
            return 0
        kept = max((it for it in range(len(short)) if sum(whole[:it] + short[it:]) <= room), default=0)
        kept = max(kept, _WHOLE if sum(whole[:_WHOLE]) <= room else 1)
        self.rows[kept:] = self.excerpts[kept:]
        return kept

    def cut(self) -> None:
        """Keep the first rows."""
        self.more += len(self.rows) - self.kept
        self.rows = self.rows[: self.kept]

    def boxed(self) -> JsonObject:
        """Return the rows, and how many were left out."""
        return {"rows": self.rows, "more": self.more}


def reply(rules: Rules, found: object, part: Part) -> JsonObject:
    """Return the result of an operation as an object.

    The very first row is always included. Then each table gets its first row, and then more rows, within the
    budget, which counts every letter of the reply. Passages that do not fit are given as excerpts. A note
    says what was left out, and `links` are the IRIs of the next rows, as many as fit. `iris` has the IRIs, in
    the (later) edition, of the names and numbers in the rows, except in rows that have their own IRI or
    edition.

    Raises `UsageError` for a table that the result does not have.
    """
    if isinstance(found, bool):
        return {"answer": found}
    if isinstance(found, dict):
        return found
    head, tables, shape = _opened(rules, found, part)
    if part.table:
        if part.table not in tables:
            raise UsageError(
                f"there is no table {part.table!r} here", way_out=f"There are: {', '.join(tables)}."
            )
        tables = {part.table: tables[part.table]}
    head |= {"lead": [*map(in_tool_words, head["lead"])]} if "lead" in head else {}
    head |= {"see": [in_tool_words(f"`{it}`") for it in head["see"]]} if "see" in head else {}
    notes = [in_tool_words(note) for note in head.pop("notes", ())]
    cells = (cell for table in tables.values() for row in table.rows for cell in _cells(row))
    iris = _iris(rules.session, head.get("edition", ""), cells)
    rows = [row for table in tables.values() for row in table.rows]
    whole = {**head, **shape(tables), "notes": notes, "iris": {}, "links": []}
    around = len(compact(whole)) - sum(map(_length, rows))
    around += len(_left_out(dict.fromkeys(tables, 1000), tables, part.offset)) if tables else 0
    room = part.tokens * LETTERS - around
    whole_rows = [it.shorten(room - len(_EXCERPTS)) for it in tables.values()]
    cut_short = _fill([*tables.values()], iris, room - len(_EXCERPTS) * any(whole_rows))
    for table in tables.values():
        table.cut()
    kept = {_iri_of(row, iris) for table in tables.values() for row in table.rows} | {None}
    left = {name: table.more for name, table in tables.items() if table.more}
    if cut_short:
        notes.append("The first row is cut short (…): more `tokens` show more of it.")
    if any(0 < it < table.kept for it, table in zip(whole_rows, tables.values(), strict=True)):
        notes.append(_EXCERPTS)
    if left:
        notes.append(_left_out(left, tables, part.offset))
    if part.offset and not rows:
        most = max((table.skipped for table in tables.values()), default=0)
        notes.append(f"`offset` {part.offset} is past the end: there are {most} rows.")
    shown = {cell for table in tables.values() for row in table.rows for cell in _cells(row)}
    whole |= {**shape(tables), "iris": {name: iri for name, iri in iris.items() if name in shown}}
    room = part.tokens * LETTERS - len(compact(whole))
    for link in dict.fromkeys(it for row in rows if (it := _iri_of(row, iris)) not in kept):
        room -= _length(link)
        if room < 0:
            break
        whole["links"].append(link)
    return whole


def _excerpt(row: JsonObject, marks: Spans) -> JsonObject:
    """Return a passage with only its number, its IRI and the sentence with most of the searched words.

    >>> _excerpt({"number": "1", "text": "It is lit. It burns.", "line": 4, "iri": "x"}, ((14, 19),))
    {'number': '1', 'text': 'It is lit. It burns.', 'iri': 'x'}
    """
    text = row["text"]
    if len(text) > _LONGEST_EXCERPT:
        spans = sentences(text) or [(0, len(text))]
        start, end = max(spans, key=lambda it: sum(it[0] <= at < it[1] for at, _ in marks))
        if end - start > _LONGEST_EXCERPT:
            end = text.rfind(" ", start, start + _LONGEST_EXCERPT)
            end = end if end > start else start + _LONGEST_EXCERPT
        text = "…" * (start > 0) + text[start:end] + "…" * (end < len(text))
    return {"number": row["number"], "text": text, "iri": row["iri"]}


def _length(row: object) -> int:
    """Return the number of letters that a row takes, with the comma behind it."""
    return len(compact(row)) + 1


def _fill(tables: Sequence[_Table], iris: dict[str, str], room: int) -> bool:
    """Count the rows of each table that are kept; return whether the first row had to be cut short."""
    first = next((table for table in tables if table.rows), None)
    if first is None:
        return False
    if is_short := _length(first.rows[0]) > max(room, _LONGEST_ROW):
        first.rows[0] = _shortened(first.rows[0], max(room, _LONGEST_ROW))
    named: set[str] = set()
    for most in (1, None):
        for table in tables:
            for row in table.rows[table.kept : most]:
                names = {it for it in _cells(row) if it in iris} - named
                cost = _length(row) + sum(_length({it: iris[it]}) - 2 for it in names)
                if cost > room and (table is not first or table.kept):
                    break
                room -= cost
                named |= names
                table.kept += 1
    return is_short


def _shortened(row: Any, room: int) -> Any:
    """Return a row with shorter texts, if they alone exceed the room."""
    if isinstance(row, dict):
        return {key: _shortened(value, room) for key, value in row.items()}
    return f"{row[:room]}…" if isinstance(row, str) and len(row) > room else row


def _cells(row: Any) -> Iterator[str]:
    """Yield what may be a name or a number in a row that has no IRI or edition.

    In a row with an authority, a number of one or two digits belongs to a paragraph, not to a section.
    """
    if isinstance(row, dict) and _OWN.isdisjoint(row):
        for column, it in row.items():
            if column == "number" and "authority" in row and isinstance(it, str) and len(it) < 3:
                continue
            if column != "before" and isinstance(it, str) and 0 < len(it) <= _LONGEST_PLAIN_NAME:
                yield it


def _iri_of(row: Any, iris: dict[str, str]) -> str | None:
    own = row.get("iri") if isinstance(row, dict) else None
    return own or iris.get(next(_cells(row), ""))


def _left_out(left: dict[str, int], tables: dict[str, _Table], offset: int) -> str:
    """Say how many rows of which tables were left out, and how to get them."""
    first = next(iter(left))
    goes_on = offset + len(tables[first].rows)
    if first in {"rows", "triples"}:
        said, which = f"{left[first]} {first}", ""
    else:
        said = ", ".join(f"{count} of {name}" for name, count in left.items())
        which = f"`table` {first} and "
    return f"Left out: {said}. Ask again with {which}`offset` {goes_on}, or with more `tokens` or `limit`."


# -- from results to tables ---------------------------------------------------------------------

Tables = dict[str, _Table]


def _opened(
    rules: Rules, found: object, part: Part
) -> tuple[JsonObject, Tables, Callable[[Tables], JsonObject]]:
    """Return the head of a reply, its tables, the most important first, and a function that inserts them."""
    head: JsonObject
    match found:
        case Answer():
            return found.about(), {"rows": _Table.of(found, part)}, lambda tables: tables["rows"].boxed()
        case Difference():
            head = {"edition": found.changes.edition, "notes": found.changes.notes}
            answers = {"changes": for_people(found.changes), "terms": found.terms, "chapters": found.chapters}
            return head, {name: _Table.of(it, part) for name, it in answers.items()}, _boxed
        case Sheet():
            return (
                found.about(),
                {it.name: _Table.of(it, part) for it in found.tables},
                lambda tables: {"tables": [{"name": name, **it.boxed()} for name, it in tables.items()]},
            )
        case RuleNode():
            head = {**found.record(), "part_of": found.parent.number if found.parent else None}
            head |= {"now": found.now, "notes": found.notes}
            tables = {
                "parts": _Table(found.children, part, RuleNode.record),
                "examples": _Table(found.examples, part),
                "cites": _Table.of(found.cites, part),
                "cited_by": _Table.of(found.cited_by, part),
            }
            return head, tables, _listed
        case TermNode():
            definition = rules.ask("definition", found.name, edition=found.edition.replace(", ", ","))
            head = {"name": found.name, "iri": found.iri, "names": [*found.names], "edition": found.edition}
            tables = {
                "definition": _Table.of(definition, part),
                "defined_by": _Table(found.defined_by, part, RuleNode.record),
            }
            return head, tables, _listed
        case _:
            assert isinstance(found, Iterable)
            triples = _Table(sorted(f"{triple} ." for triple in found), part)
            return {}, {"triples": triples}, lambda tables: {**_listed(tables), "more": triples.more}


def _boxed(tables: Tables) -> JsonObject:
    return {name: table.boxed() for name, table in tables.items()}


def _listed(tables: Tables) -> JsonObject:
    return {name: table.rows for name, table in tables.items()}


def _iris(session: Session, label: str, names: Iterable[str]) -> dict[str, str]:
    """Return the IRIs of the names and numbers among some values, in the editions of an answer."""
    wanted = sorted(set(names))[:_MOST_NAMES]
    if not wanted:
        return {}
    loaded = {edition.id for edition in session.editions()}
    later = label.rpartition(" to ")[2]  # a number of the earlier edition may be that of another rule today
    editions = [part.strip() for part in later.split(",") if part.strip() in loaded]
    scope = session.scope(",".join(editions)) if editions else session.current
    terms = (session.iris.graph("terms"),)
    called = session.pairs(terms, SKOS.prefLabel, to=[literal(name, "en") for name in wanted])
    found = {name: iri for iri, name in sorted(called, reverse=True)}
    # Only what the store keeps: deriving all of an older edition would take seconds.
    things = numbered(session, wanted, scope.default_graphs, kept=True)
    return found | {number: it.iris[0] for number, it in things.items()}


_NAMES = {"ask --list": "question", "editions": "editions"}
"""Tools whose name differs from that of the command."""

_ARGUMENTS = {"from": "start", "to": "end"}
"""Arguments whose name differs from that of the option."""

_OF_COMMANDS = re.compile(rf"`rulesgraph ([^`]*)`|{LONGER}|--([a-z]+)")
_OF_METHODS = re.compile(r"\b(rule|term|show)\('([^']*)'\)")
_ATTRIBUTE = re.compile(r"`[A-Z]\w+\.(\w+)`")


def in_tool_words(text: str) -> str:
    """Return a note or an error with tools and their arguments instead of commands and options.

    >>> in_tool_words("`rulesgraph trace 301.2 --from cr-2031-02-01` follows it; --edition asks another.")
    '`trace` (301.2 `start` cr-2031-02-01) follows it; `edition` asks another.'
    >>> in_tool_words("Load some with `rulesgraph build`.")
    'Load some with `rulesgraph build` on the server (only whoever runs it can).'
    >>> in_tool_words("Use term('Lantern').")
    'Use `term` (Lantern).'
    """
    return _OF_METHODS.sub(r"`\1` (\2)", _OF_COMMANDS.sub(_tool, text))


def _tool(command: re.Match[str]) -> str:
    if command[1] is None:
        return f"`{_ARGUMENTS.get(command[2], command[2])}`" if command[2] else ""
    name, _, rest = command[1].partition(" ")
    name = _NAMES.get(command[1], name)
    if name == "ask" and rest in TOOLS:
        name, rest = rest, ""
    if name not in TOOLS and name not in _NAMES.values():
        return f"{command[0]} on the server (only whoever runs it can)"
    rest = in_tool_words(rest)
    return f"`{name}` ({rest})" if rest and command[1] not in _NAMES else f"`{name}`"


def described(text: str) -> str:
    """Return a docstring, or its text on a parameter, in words that make sense in JSON."""
    text = text.replace(", see `Rules`", "").replace("None", "null")
    return plain_text(_ATTRIBUTE.sub(r"\1", text))
