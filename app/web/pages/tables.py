"""Answers and histories as tables for people: names in cells are linked, and nothing is cut off."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import date
from typing import Any, NamedTuple

from markupsafe import escape

from ....loaders.language.numbers import number_in
from ....ontology import RulesgraphError
from ....queries.cards.current import cards_called
from ....queries.history.marking import compared, stretches_of
from ....queries.session import Answer, Cells, Edition, Value
from .addresses import standing_iri
from .edition_snapshot import EditionSnapshot
from .layout import PageContext, PageLayout, marked

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


_LONGEST = 9
"""More digits than any page's number has."""


def list_page(count: int, place: str, most: int, link: Callable[[int], str]) -> tuple[slice, dict[str, Any]]:
    """Return the rows of a list that are on the page that a request asks for, and what this page says of it.

    That is the `count` of all rows, its number `at` of all `pages`, from 1, and the links to its neighbours;
    `link` leads to a page by its number.

    >>> list_page(250, "2", 100, "?page={}".format)
    (slice(100, 200, None), {'count': 250, 'at': 2, 'pages': 3, 'before': '?page=1', 'behind': '?page=3'})
    """
    pages = max(1, -(-count // most))
    at = max(1, min(int(place), pages)) if place.isdecimal() and len(place) < _LONGEST else 1
    before, behind = (link(it) if 1 <= it <= pages else "" for it in (at - 1, at + 1))
    told = {"count": count, "at": at, "pages": pages, "before": before, "behind": behind}
    return slice((at - 1) * most, at * most), told


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
    names = set() if named is None else {str(row[named]) for row in answer.rows}
    cards = {it: layout.to(iri) for it, iri in cards_called(layout.context.session, names).items()}
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


_TOLD = {
    "": "first seen",
    "renumbered": "renumbered, words unchanged",
    "references": "only the numbers of cited rules changed",
}


def timeline(
    layout: PageLayout, name: str, edition: Edition, here: str, *, entry: bool = False, title: str = ""
) -> list[dict[str, Any]]:
    """Return the history of a rule or an entry, newest first: the editions that changed it, and how.

    It is empty if nothing is known about other editions, and for a name that occurs twice, or never. An
    edition that is not loaded has no page to link to, and no words.

    Args:
        layout: the page that contains it.
        name: the number of the rule, or the heading of the entry, in `edition`.
        edition: an edition that has it.
        here: the IRI of the subject of the page.
        entry: whether it is a glossary entry.
        title: the title of the rule, if it has one: words that only repeat it are left out.
    """
    history: Sequence[Cells] = ()
    if edition.has_history:
        with suppress(RulesgraphError):
            history = layout.context.history.rows(name, edition.id)
    return steps_of(layout, history, here, entry=entry, title=title)


def steps_of(
    layout: PageLayout, history: Sequence[Cells], here: str = "", *, entry: bool = False, title: str = ""
) -> list[dict[str, Any]]:
    """Return the rows of a history as `timeline` does."""
    context = layout.context
    loaded = {it.id for it in context.followed}
    found: list[dict[str, Any]] = []
    before = ""
    for its_edition, number, change, _ in history:
        issue = str(its_edition)
        if not found or found[-1]["edition"] != issue:
            change_told = _TOLD.get(str(change), str(change)) if found else "first seen"
            found.append({**dated(layout, issue), "edition": issue, "change": change_told, "rules": []})
        if number is None:
            continue
        if issue not in loaded:
            found[-1]["rules"].append({"number": number, "link": "", "words": "", "here": False})
            before = ""
            continue
        iri = standing_iri(context.iris, issue, str(number), is_entry=entry)
        text = _text(layout, issue, iri)
        changed = change not in ("", "unchanged", "renumbered") and before and text
        words = marked(compared(before, text)) if changed else escape(text)
        same = change in ("unchanged", "renumbered") or text == title
        rule = {"number": number, "link": layout.to(iri), "words": "" if same else words, "here": iri == here}
        found[-1]["rules"].append(rule)
        before = text or before
    return found[::-1]


def sentences_of(layout: PageLayout, name: str, edition: Edition) -> dict[str, Any]:
    """Return since when each sentence of a rule or an entry is as it is; nothing if all have the same day.

    `name` is the number of the rule, or the heading of the entry, in `edition`. Each of the `sentences` has
    the day since which it has its words, a link to that edition, and the change; `notes` say how sure it is.
    """
    told: Answer | None = None
    if edition.has_history and layout.context.words:
        with suppress(RulesgraphError):
            told = layout.context.history.sentences(name, edition.id)
    if told is None or len({row[1] for row in told.rows}) < 2:
        return {}
    found = []
    for sentence, since, _, before, *_ in told.rows:
        words = marked(compared(str(before), str(sentence))) if before else escape(str(sentence))
        found.append({**dated(layout, str(since)), "words": words})
    return {"sentences": found, "notes": told.notes}


def dated(layout: PageLayout, edition: str) -> dict[str, Any]:
    """Return the day of an edition, loaded or not, and the link to its page if it is loaded."""
    loaded = next((it for it in layout.context.followed if it.id == edition), None)
    issued = (loaded and loaded.issued) or date.fromisoformat(edition.removeprefix("cr-"))
    return {"issued": issued, "link": layout.links.to(f"edition/{edition}.html") if loaded else ""}


def _text(layout: PageLayout, edition: str, iri: str) -> str:
    context = layout.context
    with suppress(RulesgraphError):
        return context.history.text(context.edition(edition), iri) if context.words else ""
    return ""


class RuleVersion(NamedTuple):
    """One provision in an edition."""

    edition: Edition
    iri: str
    number: str


def rule_versions(context: PageContext, provision: str) -> list[RuleVersion]:
    """Return where a provision is, the newest edition first."""
    if not provision:
        return []
    ids = {it.id: it for it in context.editions}
    found = []
    for rule, number in context.history.expressions(provision):
        edition = ids.get(context.iris.parse(rule).edition)
        if edition:
            found.append(RuleVersion(edition, rule, number))
    return sorted(found, key=lambda it: (it.edition.age_key, it.iri), reverse=True)
