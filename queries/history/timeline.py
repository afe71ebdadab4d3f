"""The editions of the comprehensive rules, which alone have a history, in their order."""

from __future__ import annotations

from collections.abc import Sequence

from ...ontology.errors import UsageError
from ..session import Edition, Session, unknown_edition, with_history


def timeline(session: Session) -> list[Edition]:
    """Return the editions of the comprehensive rules, oldest first; raises `UsageError` for none."""
    found = with_history(session.editions())
    if not found:
        raise UsageError(
            "no edition of the comprehensive rules is loaded", way_out="load some with `rulesgraph build`"
        )
    return found


def place_in(editions: Sequence[Edition], name: str, session: Session) -> int:
    """Return the place of the edition with an id or a date; raises `UnknownNameError`, or `UsageError`."""
    for place, edition in enumerate(editions):
        if name in (edition.id, str(edition.issued)):
            return place
    loaded = session.editions()
    if any(edition.id == name for edition in loaded):
        raise UsageError(
            f"{name} is no edition of the comprehensive rules", way_out="only those have a history of numbers"
        )
    raise unknown_edition(name, loaded)


def path_between(editions: Sequence[Edition], start: str, end: str | None, session: Session) -> list[Edition]:
    """Return the editions from `start` to `end` (the newest unless given), which may be the older one.

    Raises as `place_in` does.
    """
    first = place_in(editions, start, session)
    last = place_in(editions, end, session) if end else len(editions) - 1
    return list(editions[first : last + 1]) if first <= last else list(editions[last : first + 1])[::-1]
