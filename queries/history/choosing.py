"""What people call changes becomes the changes that are meant, everywhere or within one rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...loaders.history.items import ChangeKind, Item
from ...ontology.errors import UnknownNameError, UsageError
from ..finding.names import number_in
from ..finding.numbering import line, nearest_numbers
from .outcomes import Outcome
from .outline import label
from .steps import PARTING

_MEANT = {
    "added": (ChangeKind.ADDED,),
    "removed": (ChangeKind.REMOVED,),
    "reworded": (ChangeKind.REWORDED, ChangeKind.MOVED_AND_REWORDED),
    "renumbered": (ChangeKind.RENUMBERED,),
    "references": (ChangeKind.REFERENCES,),
    "split": (ChangeKind.SPLIT,),
    "merged": (ChangeKind.MERGED,),
}
MOVED = "moved"
"""Whatever goes on under another number or name, with the same words or not."""

CHOICES = (*_MEANT, MOVED)
"""What a comparison can be asked for."""


def kinds_of_change(only: str | Sequence[str] | None) -> frozenset[str]:
    """Return the choices that are named, in a list or apart by commas; nothing named is nothing.

    Raises `UsageError` for what is none of `CHOICES`.

    >>> sorted(kinds_of_change("added, Moved"))
    ['added', 'moved']
    """
    given = only.split(",") if isinstance(only, str) else only or ()
    named = [name.strip().lower() for name in given]
    for name in named:
        if name not in CHOICES:
            raise UsageError(f"{name!r} is no kind of change", way_out=f"name some of {', '.join(CHOICES)}")
    return frozenset(named)


def wanted(
    change: Outcome, choices: frozenset[str], old: Mapping[str, Item], new: Mapping[str, Item]
) -> bool:
    """Tell whether a change is one of those that are chosen; no choice is all of them."""
    if not choices or any(change.change in _MEANT.get(name, ()) for name in choices):
        return True
    return (
        MOVED in choices
        and change.before in old
        and change.after in new
        and change.change not in PARTING
        and label(old[change.before]) != label(new[change.after])
    )


def lying_within(
    changes: Iterable[Outcome], within: str, old: Mapping[str, Item], new: Mapping[str, Item]
) -> Iterator[Outcome]:
    """Yield the changes of a rule, chapter or section and of all its parts, by its number in either edition.

    Raises `UnknownNameError` for a number that neither has.
    """
    number = number_in(within)
    inside = {iri for items in (old, new) for iri, it in items.items() if number in _above(it.key)}
    if not inside:
        known = [it.key for items in (new, old) for it in items.values() if not it.is_entry]
        raise UnknownNameError("rule", within, nearest_numbers(number, known), "looked in both editions")
    yield from (it for it in changes if it.before in inside or it.after in inside)


def _above(key: str) -> list[str]:
    """Return a rule's number, those above it, and its section; nothing for an entry.

    >>> _above("702.3b"), _above("deathtouch")
    (['702.3b', '702.3', '702', '7'], [])
    """
    found = line(key)
    return [*found, found[-1][0]] if found and found[-1].isdigit() else found
