"""Hold passages with their scores, the grounds of each score, and passages as an answer."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self, cast

from ...ontology import grouped
from ..session import Answer, Scope, Session
from . import weights

if TYPE_CHECKING:
    # Imported here because any display of an answer needs this module, but few have marks of words.
    from .grammar import Spans

GROUNDS = "words named defines speaks shared cited heads whole aside timed crowd cases".split()
"""The kinds of grounds for choosing a passage."""

Amounts = dict[int, float]
"""Id of a passage → what is added to its score."""


class Spot(NamedTuple):
    """A passage that may be an answer: where it is in the edition and the document, and what contains it."""

    iri: str
    kind: str
    number: str
    document: str
    line: int
    parent: int | None


_SHORT = 12
"""The maximum number of words in a rule that only introduces a list."""

_VARIANTS = re.compile(r"\b(?:multiplayer|variants?)\b", re.IGNORECASE)
_CITED = (
    "SELECT source, id FROM citation JOIN passage ON number = target "
    "WHERE passage.kind IN ('section', 'chapter', 'rule', 'subrule')"
)


def inside(
    index: sqlite3.Connection, every: Mapping[int, Spot], kind: str, titles: re.Pattern[str]
) -> frozenset[int]:
    """Return the headings of a kind with these titles, and the passages under them."""
    headings = index.execute("SELECT id, heading FROM passage WHERE kind = ?", (kind,))
    found = {it for it, title in headings if titles.search(title)}
    for it, place in sorted(every.items()):
        if place.parent in found:
            found.add(it)
    return frozenset(found)


def on_variants(index: sqlite3.Connection, every: Mapping[int, Spot]) -> frozenset[int]:
    """Return the passages on variants: those in sections about them, and others that cite only these."""
    there = inside(index, every, "section", _VARIANTS)
    cited = grouped(index.execute(_CITED))
    return there.union(it for it, own in cited.items() if there.issuperset(own))


def opens_list(index: sqlite3.Connection, it: int) -> bool:
    """Return whether a passage only says that there are several of something, which its parts name."""
    opening = """SELECT 1 FROM words JOIN size ON passage = words.rowid
        WHERE words MATCH 'text : ^ "there are"' AND words.rowid = ? AND size.text <= ?"""
    return index.execute(opening, (it, _SHORT)).fetchone() is not None


class Ranking:
    """Scores, and what they consist of.

    `adds` maps each kind and ground (a word, a term, a passage) to what it adds to which passages.
    """

    def __init__(self) -> None:
        self.adds: dict[str, dict[str | int, Amounts]] = {kind: {} for kind in GROUNDS}
        self.totals: Amounts = {}

    def add(self, kind: str, ground: str | int, amounts: Amounts) -> None:
        """Add what a ground of some kind contributes."""
        self.adds[kind][ground] = amounts
        before = self.totals.get
        self.totals.update({it: before(it, 0.0) + amount for it, amount in amounts.items()})

    def grounds(self, it: int) -> dict[str, dict[str | int, float]]:
        """Return what one passage's score consists of: kind → ground → what it adds."""
        found = {
            kind: {ground: amounts[it] for ground, amounts in by_ground.items() if it in amounts}
            for kind, by_ground in self.adds.items()
        }
        return {kind: own for kind, own in found.items() if own}

    def best(self, most: int) -> list[int]:
        """Return the passages with the highest scores, sorted; equal ones in the order of the text."""
        least = nlargest(most, self.totals.values())[-1:]  # most passages score less
        likely = [it for it, total in self.totals.items() if total >= least[0]]
        return sorted(likely, key=lambda it: (-self.totals[it], it))[:most]

    def crowd(self, whole_of: Callable[[int], int | None]) -> None:
        """Reduce the lead of passages over others of the same rule."""
        seen: Counter[int] = Counter()
        behind: Amounts = {}
        for it in self.best(weights.CROWDING):
            whole = whole_of(it)
            if whole is not None:
                left = weights.SIBLING ** max(0, seen[whole] - weights.SIDE_BY_SIDE)
                behind[it] = (left - 1) * self.totals[it]
                seen[whole] += 1
        self.add("crowd", "", {it: amount for it, amount in behind.items() if amount})


_ROOT = 4
"""Two stems with this number of first letters in common are forms of one word: *block* and *blocker*."""


def beginnings(stems: Iterable[str]) -> frozenset[str]:
    """Return stems and their beginnings; a stem that is the beginning of another is the same word.

    >>> sorted(beginnings(["blocker", "tap"]))
    ['bloc', 'block', 'blocke', 'blocker', 'tap']
    """
    return frozenset(stem[:end] for stem in stems for end in {*range(_ROOT, len(stem)), len(stem)})


def together(amounts: Amounts, others: Amounts) -> Amounts:
    """Return the sums of two sets of amounts."""
    return {it: amounts.get(it, 0.0) + others.get(it, 0.0) for it in amounts | others}


def beyond(amounts: Amounts, others: Sequence[Amounts]) -> Amounts:
    """Return by how much each amount exceeds the largest of some others."""
    more = {it: amount - max(own.get(it, 0.0) for own in others) for it, amount in amounts.items()}
    return {it: amount for it, amount in more.items() if amount > 0}


class PassageRow(NamedTuple):
    """A passage in an answer: a rule, entry or paragraph, word for word.

    `number` is None if it has none, `score` if nothing was searched for but a condition.
    """

    number: str | None
    text: str
    edition: str
    document: str
    line: int
    score: float | None
    reason: str
    iri: str


COLUMNS = PassageRow._fields
"""The columns of passages."""


@dataclass(frozen=True, slots=True, repr=False)
class Passages(Answer):
    """An answer whose rows are passages, word for word, best first; `passages` names their cells.

    Attributes:
        marks: for each row, where its text has words from the search, as code points, end exclusive.
        parts: for each row, the parts that add up to its score.
    """

    marks: tuple[Spans, ...] = field(default=(), kw_only=True)
    parts: tuple[Mapping[str, float], ...] = field(default=(), kw_only=True, hash=False)

    _by_row: ClassVar[tuple[str, ...]] = ("rows", "marks", "parts")

    @property
    def passages(self) -> tuple[PassageRow, ...]:
        """The rows, with names for their cells.

        >>> row = PassageRow("9.1", "Lamps burn.", "starter", "starter-9", 3, 1.5, "defines Lamp", "")
        >>> Passages("search", COLUMNS, (row,), "starter").passages[0].text
        'Lamps burn.'
        """
        return cast("tuple[PassageRow, ...]", self.rows)

    def _at(self, places: Iterable[int]) -> Self:
        """Return the passages at some places, each with its marks and the parts of its score."""
        chosen = [*places]
        return self._replace(
            **{name: tuple(getattr(self, name)[it] for it in chosen) for name in self._by_row}
        )


def texts_of(session: Session, scope: Scope, iris: Sequence[str]) -> dict[str, str]:
    """Return the words of passages, or the titles of sections, by IRI."""
    if not iris:
        return {}
    if not scope.too_many:
        rows = session.run("searching", "texts", scope, {"it": iris})
        return {str(it): str(text) for it, text in rows}
    found: dict[str, str] = {}
    documents = {
        it.id: [session.iris.document(document.id) for document in it.documents] for it in session.editions()
    }
    for edition, own in grouped((session.iris.parse(it).edition, it) for it in iris).items():
        rows = session.run("searching", "texts", documents[edition], {"it": own}, kept=True)
        found |= {str(it): str(text) for it, text in rows}
    return found
