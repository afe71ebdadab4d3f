"""Cache results with an object for as long as it lives."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Self, TypeVar

FoundOnce = TypeVar("FoundOnce")


class Remembering:
    """An object for which functions find out something once."""

    @cached_property
    def _found(self) -> dict[Callable[[Self], Any], Any]:
        return {}

    def once(self, find: Callable[[Self], FoundOnce]) -> FoundOnce:
        """Return a function's result for this object, calling it only the first time."""
        if find not in self._found:
            self._found[find] = find(self)
        return self._found[find]  # type: ignore[no-any-return]
