"""Say in sentences what became of a term or a rule, from its history."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...loaders.history.items import ChangeKind
from ...loaders.language.numbers import number_in
from ..session import Answer, Cells, Session
from .beyond import ABSORBED, MISSING, has_gaps
from .links import doubts, timeline
from .trace import history_of

_CHANGED = (ChangeKind.REWORDED, ChangeKind.MOVED_AND_REWORDED, ChangeKind.SPLIT)
"""Changes after which a rule or an entry has other words."""

_OBSOLETE = re.compile(r"\s*\(obsolete\)\s*$", re.IGNORECASE)


class DatedHistory(Answer):
    """A history, of which a limit keeps the newest rows."""

    def limited(self, limit: int | None) -> DatedHistory:
        """Return it with the rows of the latest editions, at most `limit`, in their order."""
        first = super().limited(limit)
        if not first.more or limit is None:
            return self
        ranked = sorted(range(len(self.rows)), key=lambda place: str(self.rows[place][0]))
        kept = {*ranked[-limit:]}
        rows = (row for place, row in enumerate(self.rows) if place in kept)
        return first._replace(rows=tuple(rows))


def told_history(session: Session, name: str, entry: Sequence[str] = ()) -> DatedHistory:
    """Return the history of a thing, first its state today.

    Then comes since when it is in the rules, or, if it is obsolete, what its `entry` says. Raises the errors
    of `history_of`.
    """
    found = history_of(session, name)
    lead = (*state(session, name, found.rows), *(entry or since(found))) if found.rows else ()
    lead = lead if len(timeline(session)) > 1 else ()
    notes = (*lead, *(note for note in found.notes if note not in lead))
    return DatedHistory("history", found.columns, found.rows, found.edition, notes, lead=lead)


def state(session: Session, name: str, rows: Sequence[Cells]) -> Iterator[str]:
    """Yield whether a thing with a history is in the newest rules, or since when it is obsolete or gone."""
    path = [it.id for it in timeline(session)]
    entry = [row for row in rows if row[1] is not None and not number_in(str(row[1]))]
    marked = [str(row[0]) for row in entry if _OBSOLETE.search(str(row[1]))]
    last = str(max(rows, key=lambda row: (str(row[0]), row[1] is not None))[0])
    there = [str(row[1]) for row in rows if row[0] == path[-1] and row[1] is not None]
    if marked and there:
        first = min(str(row[0]) for row in rows)
        used = [it for it in path if first <= it < marked[0]]
        until = f": it was in use from {first} to {used[-1]}" if used else ""
        earlier = or_earlier(session, marked[0]) if used else " or earlier"
        yield f"{name} has been obsolete since {marked[0]}{earlier}{until}."
    elif there:
        now = "" if there == [name] else f", as {', '.join(dict.fromkeys(there))}"
        yield f"{name} is in the newest rules, {path[-1]}{now}."
    else:
        yield f"{name} is not in the newest rules, {path[-1]}: it went in {last}."


def or_earlier(session: Session, edition: str) -> str:
    """Return ``" or earlier"`` if what is new in an edition may be in one before it that is not loaded."""
    beside = [it for it in pairwise(timeline(session)) if it[1].id == edition]
    return " or earlier" if beside and has_gaps(beside[0]) else ""


def since(history: Answer, oldest: str = "") -> Iterator[str]:
    """Yield a summary of a history: since when, its numbers or names, last change and sources.

    `oldest` is the edition before which nothing is known.
    """
    first = min(str(row[0]) for row in history.rows)
    names = list(dict.fromkeys(str(row[1]) for row in history.rows if row[1] is not None))
    if len(called := [it for it in names if not number_in(it)]) == 1:
        names.remove(called[0])  # a term that never had another name
    earlier = " or earlier" if first == oldest else ""
    labels = f", as {', '.join(names)}" if len(names) > 1 else ""
    changed = [str(row[0]) for row in history.rows if row[2] in _CHANGED]
    late = " or earlier" if MISSING in history.notes else ""
    last = f"; the words last changed in {max(changed)}{late}" if changed else ""
    yield f"In the rules since {first}{earlier}{labels}{last}."
    yield from (note for note in history.notes if ABSORBED in note)
    yield from doubts(history.rows)
