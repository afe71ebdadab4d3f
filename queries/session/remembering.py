"""Keep what was found out with an object for as long as it lives."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Self, TypeVar

FoundOnce = TypeVar("FoundOnce")


class Remembering:
    """Something with which functions find out what they need once."""

    @cached_property
    def _found(self) -> dict[Callable[[Self], Any], Any]:
        return {}

    def once(self, find: Callable[[Self], FoundOnce]) -> FoundOnce:
        """Return what a function finds with this object, calling it only the first time."""
        if find not in self._found:
            self._found[find] = find(self)
        return self._found[find]  # type: ignore[no-any-return]
