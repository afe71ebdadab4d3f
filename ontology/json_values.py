"""What JSON can say, as a type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

Json = Mapping[str, "Json"] | Sequence["Json"] | str | int | float | bool | date | None
"""A value that is written as JSON; days are written as ISO 8601."""
