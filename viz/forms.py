"""The forms that an answer takes in a picture, by the columns that it has."""

from __future__ import annotations

from collections.abc import Collection

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
