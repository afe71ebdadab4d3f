"""Answers: tables of plain Python values, with their notes; and sheets of several tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from textwrap import shorten
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, overload

from ...loaders.store.results import Cells, Value, json_row
from ...ontology import Json, UsageError, counted

if TYPE_CHECKING:
    import pandas
    import polars
    from pyoxigraph import Triple

_SHOWN = 10
"""The number of rows of an answer that `print` shows."""


class Understood(NamedTuple):
    """How a question in words was understood.

    Attributes:
        meaning: the question that was answered; empty if the answer is the closest rules.
        names: for things that were not called by their own names, how they were recognised.
        others: commands for other meanings of the words.
        thing: the name of a thing, if the words are only that.
        edition: the edition, if the words name an edition or a day besides `thing` or `asked`.
        asked: the name of the question of the catalogue, with its arguments; empty for other questions.
    """

    meaning: str
    names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    thing: str = ""
    edition: str = ""
    asked: tuple[str, ...] = ()


class SimilarCase(NamedTuple):
    """A solved case that is similar to a question.

    Attributes:
        question: the question of the case.
        answer: its answer, or ``""``.
        rules: the rules that decided it, by their numbers in the edition of the answer.
        source: where the case comes from, or ``""``.
        likeness: how similar it is, from 0 to 1.
        as_of: the day whose rules the case follows (``YYYY-MM-DD``).
        changed: those of `rules` that have been reworded since that day.
    """

    question: str
    answer: str
    rules: tuple[str, ...]
    source: str
    likeness: float
    as_of: str = ""
    changed: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the case as a sentence: its source, its answer, and the rules that decided it."""
        answer = f" “{self.answer}”" if self.answer else ""
        since = f", as of {self.as_of}; reworded since: {', '.join(self.changed)}" if self.changed else ""
        told = f"A similar case ({self.source or 'no source given'}{since}): “{self.question}”{answer}"
        return f"{told} → {', '.join(self.rules)}"


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """A table of plain values: the result of a question, a comparison or a check.

    Iterating over an answer gives records (dictionaries with the columns as keys). ``answer[0]`` is the first
    record, ``answer[:10]`` an answer with ten rows, and the length is the number of rows. A notebook shows a
    table. A cell is text, a number, a bool, a date or None; an IRI is given in full.

    Attributes:
        name: the name of the question.
        columns: the names of the columns, in order.
        rows: the rows, each with a cell for each column; empty if nothing was found.
        edition: the ids of the editions that the answer is from, separated by commas; for a comparison, the
            first and last edition, ``A to B``.
        notes: remarks for people, such as that a term used to have another name.
        more: how many rows a limit left out.
        lead: what to read before the rows, such as why they may not answer; `notes` repeats it.
        heading: a line to show above the rows, so that readers do not overrate them.
        answered: False if the rules may not answer a question in words: they say nothing about it, leave it
            to the tournament documents, or a card is not loaded. The rows are then only the closest rules.
        understood: how the question was understood, if it was asked in words.
        cards: with the closest rules, the text of the cards that the question names.
        cases: with the closest rules, solved cases that are similar to the question.
        checked: for `Rules.verify`, the numbers of ``citations``, ``errors``, ``warnings``, ``notes``
            (shown or not), things ``not_checked`` or checked ``by_number``, and a ``caution``; else None.

    >>> answer = Answer("lit", ("lantern", "oil"), (("red", 2), ("blue", None)), "cr-2031-02-01")
    >>> len(answer), [record["lantern"] for record in answer]
    (2, ['red', 'blue'])
    >>> answer[0], answer[1:].rows
    ({'lantern': 'red', 'oil': 2}, (('blue', None),))
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[Cells, ...]
    edition: str = ""
    notes: tuple[str, ...] = ()
    more: int = field(default=0, kw_only=True)
    lead: tuple[str, ...] = field(default=(), kw_only=True)
    heading: str = field(default="", kw_only=True)
    answered: bool = field(default=True, kw_only=True)
    cards: Answer | None = field(default=None, kw_only=True)
    understood: Understood | None = field(default=None, kw_only=True, compare=False)
    cases: tuple[SimilarCase, ...] = field(default=(), kw_only=True)
    checked: dict[str, Json] | None = field(default=None, kw_only=True, hash=False)

    _by_row: ClassVar[tuple[str, ...]] = ("rows",)
    """The attributes that have a value for each row."""

    def _replace(self, **changes: Any) -> Self:
        """Return a copy with some attributes replaced, as for a named tuple."""
        return replace(self, **changes)

    def __repr__(self) -> str:
        count = f"{len(self)} of {len(self) + self.more} rows" if self.more else f"{len(self)} rows"
        return f"{type(self).__name__}({self.name!r}, {', '.join(filter(None, (count, self.edition)))})"

    def __str__(self) -> str:
        """Return the lead, the first rows, cut to one line each, and how many there are."""
        rows = (" | ".join(str(it) for it in row if it is not None) for row in self.rows[:_SHOWN])
        return "\n".join((*self.lead, *(shorten(row, 100, placeholder="…") for row in rows), repr(self)))

    def __iter__(self) -> Iterator[dict[str, Value]]:
        """Yield the rows as objects whose keys are the columns."""
        return iter(self.records())

    def __len__(self) -> int:
        return len(self.rows)

    def __bool__(self) -> bool:
        """An answer is true even if it has no rows."""
        return True

    @overload
    def __getitem__(self, place: int) -> dict[str, Value]: ...

    @overload
    def __getitem__(self, place: slice) -> Self: ...

    def __getitem__(self, place: int | slice) -> dict[str, Value] | Self:
        """Return a row as an object whose keys are the columns, or an answer with some of the rows."""
        if isinstance(place, slice):
            kept = {name: getattr(self, name)[place] for name in self._by_row}
            return self._replace(**kept, more=self.more + len(self.rows) - len(kept["rows"]))
        return dict(zip(self.columns, self.rows[place], strict=True))

    def first(self) -> dict[str, Value] | None:
        """Return the first row as a dictionary with the columns as keys; None if there are no rows.

        >>> Answer("lit", ("lantern",), (("red",), ("blue",))).first()
        {'lantern': 'red'}
        """
        return self[0] if self.rows else None

    def limited(self, limit: int | None) -> Self:
        """Return the answer with at most `limit` rows (None: all of them); `more` counts the rows left out.

        Raises `UsageError` for a limit below 1.

        >>> limited = Answer("lit", ("lantern",), (("red",), ("blue",), ("green",))).limited(1)
        >>> limited.rows, limited.more
        ((('red',),), 2)
        """
        check_limit(limit)
        return self if limit is None or len(self.rows) <= limit else self[:limit]

    def records(self) -> list[dict[str, Value]]:
        """Return the rows as dictionaries; dates stay dates (for JSON, ``record()["rows"]`` has text).

        >>> Answer("lit", ("lantern", "oil"), (("red", 2),)).records()
        [{'lantern': 'red', 'oil': 2}]
        """
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def about(self) -> dict[str, Json]:
        """Return everything but the rows as plain JSON values, the lead first; the notes do not repeat it.

        >>> Answer("lit", ("lantern",), (), "cr-2031-02-01", ("None burns.",)).about()
        {'answered': True, 'edition': 'cr-2031-02-01', 'notes': ['None burns.']}
        """
        told = {*self.lead, *map(str, self.cases)}
        found: dict[str, Json] = {
            "lead": [*self.lead],
            **({"answered": self.answered} if self.checked is None else {"checked": self.checked}),
            "heading": self.heading,
            "edition": self.edition,
            "understood": self.understood.meaning if self.understood else None,
            "see": [*(self.understood.others if self.understood else ())],
            "cards": self.cards.records() if self.cards else None,
            "cases": [it._asdict() for it in self.cases],
        }
        kept = {name: it for name, it in found.items() if it or name in {"answered", "edition"}}
        return {**kept, "notes": [note for note in self.notes if note not in told]}

    def record(self) -> dict[str, Json]:
        """Return the answer as one object for `json.dumps`, with dates as text, like ``--format object``.

        >>> from datetime import date
        >>> Answer("lit", ("since",), ((date(2031, 2, 1),),)).record()["rows"]
        [{'since': '2031-02-01'}]
        """
        return {**self.about(), "rows": [json_row(self.columns, it) for it in self.rows], "more": self.more}

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas data frame; raise `UsageError` if pandas is not installed.

        >>> Answer("lit", ("lantern", "oil"), (("red", 2), ("blue", 5))).to_pandas().oil.sum()
        np.int64(7)
        """
        frame: pandas.DataFrame = _library("pandas").DataFrame(list(self.rows), columns=list(self.columns))
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a polars data frame; raise `UsageError` if polars is not installed.

        >>> Answer("lit", ("lantern", "oil"), (("red", 2),)).to_polars()  # where it is not installed
        Traceback (most recent call last):
        rulesgraph.ontology.errors.UsageError: polars is not installed
          ...pip install...polars
        """
        frame: polars.DataFrame = _library("polars").DataFrame(self.rows, schema=self.columns, orient="row")
        return frame

    def _repr_html_(self) -> str:
        """Return an HTML table for a notebook, with the notes and the edition below it."""
        from html import escape

        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(str(v))}</td>' if v is not None else '<td></td>' for v in row)}</tr>"
            for row in self.rows
        )
        below = [*self.notes, counted(len(self), "row")]
        below[-1] += f", from {self.edition}" if self.edition else ""
        told = "".join(f"<p>{escape(line)}</p>" for line in below)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{told}"


def check_limit(limit: int | None) -> None:
    """Raise `UsageError` for a limit below 1."""
    if limit is not None and limit < 1:
        raise UsageError(f"the limit is {limit}", way_out="Ask for at least one row.")


# -- other answers -------------------------------------------------------------------------------------


TRUTH = ("answer",)


@dataclass(frozen=True, slots=True, repr=False)
class SparqlAnswer(Answer):
    """The answer to a SPARQL query of any form.

    A SELECT gives its rows. An ASK gives one row with one column, ``answer``; its truth value is also that of
    the answer as a whole, while any other answer is true. A CONSTRUCT or DESCRIBE gives a row for each
    triple, with the columns subject, predicate and object.

    Attributes:
        triples: for a CONSTRUCT or DESCRIBE, the triples of pyoxigraph, one for each row.
    """

    triples: tuple[Triple, ...] = field(default=(), kw_only=True, hash=False)

    _by_row: ClassVar[tuple[str, ...]] = ("rows", "triples")

    def __bool__(self) -> bool:
        """Return the result of an ASK; any other answer is true."""
        return self.columns != TRUTH or self.rows != ((False,),)


class Sheet(NamedTuple):
    """What is known about one thing; `tables` are non-empty answers named after their headings.

    `edition` is the edition shown, and `editions` lists all that have the thing.
    """

    kind: str
    name: str
    other_names: tuple[str, ...]
    status: str
    number: str
    title: str
    edition: str
    editions: tuple[str, ...]
    notes: tuple[str, ...]
    tables: tuple[Answer, ...]

    def limited(self, limit: int | None) -> Sheet:
        """Return the sheet with at most `limit` rows in each table, see `Answer.limited`.

        >>> Sheet("term", "Moth", *("",) * 7, (Answer("oil", (), ((), ())),)).limited(1).tables[0].more
        1
        """
        return self._replace(tables=tuple(table.limited(limit) for table in self.tables))

    def about(self) -> dict[str, Json]:
        """Return the facts as plain JSON values.

        >>> facts = Sheet("term", "Moth", (), "", "", "", "", (), (), ()).about()
        >>> facts["kind"], facts["other_names"]
        ('term', [])
        """
        *facts, _ = self._asdict().items()
        return {name: [*it] if isinstance(it, tuple) else it for name, it in facts}

    def record(self) -> dict[str, Json]:
        """Return the sheet as one object, its tables as lists of objects under their headings.

        >>> names = Answer("also see", ("name",), (("Lantern",), ("Oil",)))
        >>> moth = Sheet("term", "Moth", (), "", "", "", "", (), (), (names,))
        >>> moth.record()["also_see"]
        [{'name': 'Lantern'}, {'name': 'Oil'}]
        """
        tables = {it.name.replace(" ", "_"): it.record()["rows"] for it in self.tables}
        return {**self.about(), **tables}


def _library(name: str) -> Any:
    """Import a library of data frames; raises `UsageError` if it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        from ...ontology.extras import installing

        raise UsageError(f"{name} is not installed", way_out=installing(name)) from error
