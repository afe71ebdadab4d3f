"""What is known about one thing, as small tables."""

from __future__ import annotations

from typing import NamedTuple

from ..session import Answer, Value

SheetRecord = dict[str, str | list[str] | list[dict[str, Value]]]
"""A sheet as one object: facts, and tables as lists of objects."""


class Sheet(NamedTuple):
    """What is known about one thing; `tables` are answers named after their headings, none of them empty.

    `edition` is the edition that was looked at, `editions` are all that have the thing.
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

    def record(self) -> SheetRecord:
        """Return the sheet as one object, its tables as lists of objects under their headings."""
        *facts, _ = self._asdict().items()
        record: SheetRecord = {name: [*it] if isinstance(it, tuple) else it for name, it in facts}
        return {**record, **{table.name.replace(" ", "_"): table.records() for table in self.tables}}
