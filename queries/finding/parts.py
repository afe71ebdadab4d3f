"""Words become a part of the turn that is called so with the word behind it that says what it is."""

from __future__ import annotations

from ..session import Session
from .names import is_name, number_in
from .things import Resolution, resolve

_WHAT_IT_IS = ("step", "phase")


def part_called(session: Session, words: str) -> str:
    """Return the name of a part of the turn that is called by `words` for short: *untap*, else ``""``."""
    named = (f"{words.strip()} {it}" for it in _WHAT_IT_IS) if not number_in(words) else ()
    return next((name for name in named if is_name(session, name)), "")


def resolve_part(session: Session, words: str, edition: str | None = None) -> Resolution | None:
    """Find a part of the turn by its name for short, None for other words; raises as `resolve` does."""
    name = part_called(session, words)
    return resolve(session, [name], edition) if name else None
