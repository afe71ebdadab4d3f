"""Answers as tables for people: names in cells are linked, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ....loaders.language.numbers import number_in
from ....queries.cards.current import cards_called
from ....queries.history.diff import stretches_of
from ....queries.session import Answer, Cells, Value
from .addresses import standing_iri
from .edition_snapshot import EditionSnapshot
from .layout import PageLayout, marked

_NAMES = frozenset(
    "term name through from to source cites rule number maybe other_number subject concerns before "
    "after".split()
)
"""Columns whose cells are names or numbers of things."""

_TELLING = frozenset("text quote other_quote meaning message".split())
"""Columns whose cells quote a document."""

_SHORT = 22
"""The number of letters up to which a name of one word is kept on one line."""

_BROKEN = frozenset({"check"})
"""Columns whose cells are words with dashes rather than names."""


class Cell(NamedTuple):
    """One cell: its text, and its link; `style` is "numeric", "tight", "telling" or empty."""

    text: str
    link: str = ""
    style: str = ""


class Tabulated(NamedTuple):
    """An answer on a page."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page of a list that is shown a page at a time.

    `at` is its number of all `pages`, from 1; `before` and `behind` lead to its neighbours. `rows` are the
    places of its content in the whole list, which has `count`.
    """

    count: int
    at: int
    pages: int
    rows: slice
    before: str
    behind: str


_LONGEST = 9
"""More digits than any page's number has."""


def list_page(count: int, place: str, most: int, link: Callable[[int], str]) -> ListPage:
    """Return the page of a list at a place, as a request gives it; `link` leads to a page by its number.

    >>> list_page(250, "2", 100, "?page={}".format)
    ListPage(count=250, at=2, pages=3, rows=slice(100, 200, None), before='?page=1', behind='?page=3')
    """
    pages = max(1, -(-count // most))
    at = max(1, min(int(place), pages)) if place.isdecimal() and len(place) < _LONGEST else 1
    before, behind = (link(it) if 1 <= it <= pages else "" for it in (at - 1, at + 1))
    return ListPage(count, at, pages, slice((at - 1) * most, at * most), before, behind)


def table_of(
    layout: PageLayout, snapshot: EditionSnapshot, answer: Answer, *, without: Collection[str] = ()
) -> Tabulated:
    """Return an answer with the things that it names linked.

    It leaves out empty columns, those with the usual value in every row, quotations where no words may be
    shown, and the columns named in `without`.
    """
    usual: dict[str, Value] = {"steps": 1, "document": snapshot.edition.id}
    filled = [
        place
        for place, column in enumerate(answer.columns)
        if any(row[place] not in (None, "", usual.get(column)) for row in answer.rows)
        and (layout.context.words or column not in _TELLING)
        and column not in without
    ]
    columns = tuple(answer.columns[place] for place in filled)
    named = answer.columns.index("card") if "card" in columns and layout.context.live else None
    cards = {} if named is None else _cards(layout, {str(row[named]) for row in answer.rows})
    rows = tuple(
        tuple(
            _cell(layout, snapshot, column, row[place], elsewhere.get(column, ""))
            if column != "card"
            else Cell(str(row[place] or ""), cards.get(str(row[place]), ""))
            for column, place in zip(columns, filled, strict=True)
        )
        for row in answer.rows
        for elsewhere in (_elsewhere(answer, row),)
    )
    return Tabulated(answer.name, tuple(it.replace("_", " ") for it in columns), rows)


def _cards(layout: PageLayout, names: set[str]) -> dict[str, str]:
    """Return name → link of the cards with these names."""
    return {name: layout.to(iri) for name, iri in cards_called(layout.context.session, names).items()}


def _elsewhere(answer: Answer, row: Cells) -> dict[str, str]:
    """Return column → edition for the names in a row about changes from one edition to another."""
    way = way_of(answer)
    if way is None:
        return {}
    edition = dict(zip(answer.columns, row, strict=True)).get("edition")
    return {"before": way[0], "after": way[1], "number": str(edition or way[1])}


def way_of(answer: Answer) -> tuple[str, str] | None:
    """Return the two editions between which an answer follows things; None for other answers."""
    start, way, end = answer.edition.partition(" to ")
    return (start, end) if way else None


def _cell(layout: PageLayout, snapshot: EditionSnapshot, column: str, value: Value, elsewhere: str) -> Cell:
    if value is None:
        return Cell("")
    text = str(value)
    if elsewhere and text:
        iri = standing_iri(layout.context.iris, elsewhere, text, is_entry=not number_in(text))
        loaded = elsewhere in {it.id for it in layout.context.editions}
        return Cell(text, layout.to(iri) if loaded else "")
    if column in _NAMES and isinstance(value, str):
        thing = snapshot.called(text)
        return Cell(text, layout.to(thing.iri) if thing else "")
    if text.startswith(layout.context.iris.base):
        return Cell(layout.context.iris.local(text), layout.to(text))
    if column == "edition" and text in {it.id for it in layout.context.editions}:
        return Cell(text, layout.links.to(f"edition/{text}.html"))
    return Cell(marked(stretches_of(text)) if column == "words" else text, style=_style(column, value))


def _style(column: str, value: Value) -> str:
    if column in _TELLING:
        return "telling"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "numeric"
    text = str(value)
    return "tight" if len(text) < _SHORT and " " not in text and column not in _BROKEN else ""


def stretches(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """Return a text in pieces, each with whether it is in one of the spans.

    >>> stretches("A moth sits.", [(2, 6)])
    [('A ', False), ('moth', True), (' sits.', False)]
    """
    found, at = [], 0
    for start, end in sorted(spans):
        if start >= at:
            found += [(text[at:start], False)] if start > at else []
            found.append((text[start:end], True))
            at = end
    return [*found, (text[at:], False)] if at < len(text) else found
