"""The forms that an answer takes in a picture, by the columns that it has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol


class Table(Protocol):
    """The rows of an answer, as `rulesgraph.queries` gives them."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns."""
        ...

    @property
    def rows(self) -> Iterable[Sequence[object]]:
        """The cells of each row, in the order of the columns."""
        ...


PROSE = frozenset({"quote", "other_quote", "document", "message", "text", "link"})
"""Columns of an answer whose cells are words, not names of things."""

LIST = "list"

_NEEDED = (
    ("chain", {"from", "to"}),
    ("meeting", {"ground", "number", "other_number"}),
    ("changes", {"number", "change"}),
)


def form_of(columns: Collection[str]) -> str:
    """Return ``"chain"``, ``"meeting"`` (common ground), ``"changes"`` or, for any other answer, ``"list"``.

    >>> form_of(("step", "from", "link", "to"))
    'chain'
    """
    return next((form for form, needed in _NEEDED if needed <= set(columns)), LIST)


def names_in(answer: Table) -> set[str]:
    """Return the cells that may name things.

    >>> from types import SimpleNamespace
    >>> sorted(names_in(SimpleNamespace(columns=("term", "quote"), rows=[("Oar", "An oar floats.")])))
    ['Oar']
    """
    places = [place for place, column in enumerate(answer.columns) if column not in PROSE]
    return {cell for row in answer.rows for place in places if isinstance(cell := row[place], str)}
