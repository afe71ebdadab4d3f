"""Rules and entries that stay as they are over many editions: their links, asked for in one go."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ...loaders.history.items import ChangeKind
from ..session import Edition, Session
from .steps import Step

_MOST = 32
"""Items that are asked for at once: one rule in so many editions, or more rules in fewer."""


class Runs:
    """What is known beforehand of a journey along `path`, neighbouring editions in either direction.

    Most rules have the same number and words in edition after edition, so what they are is asked for under
    their number in many editions at once; what became something else has to be asked for by itself.
    """

    def __init__(self, session: Session, path: Sequence[Edition]) -> None:
        self._session = session
        self._path = path
        self._known: Mapping[str, Sequence[Step] | None] = {}

    def steps(self, place: int, items: Collection[str]) -> dict[str, Sequence[Step]]:
        """Return item → its links, for those of `items` of the edition at `place` that stay as they are.

        An item that goes on as nothing has no link; one of which more is to be known is not there.
        """
        reach = _MOST // max(1, len(items))
        if reach > 1 and not self._known.keys() >= set(items):
            self._known = self._run(self._path[place : place + reach + 1], items)
        known = ((item, self._known.get(item)) for item in items)
        return {item: steps for item, steps in known if steps is not None}

    def _run(self, path: Sequence[Edition], items: Collection[str]) -> dict[str, Sequence[Step] | None]:
        """Return item → its links, None where it changed, for what has these numbers along a path."""
        iris = self._session.iris
        origin = iris.edition(path[0].id)
        tails = [item.removeprefix(origin) for item in items]
        guesses = [iris.edition(here.id) + tail for here in path[:-1] for tail in tails]
        is_forward = path[0].age_key < path[-1].age_key
        links: dict[str, list[str]] = {guess: [] for guess in guesses}
        changed = set()
        asked = {"old" if is_forward else "new": guesses}
        for old, new, same in self._session.run("history", "runs", None, asked):
            item, other = (str(old), str(new)) if is_forward else (str(new), str(old))
            links[item].append(other)
            if not same:
                changed.add(item)
        return {
            item: None if item in changed else [_unchanged(item, other) for other in others]
            for item, others in links.items()
        }


def _unchanged(item: str, other: str) -> Step:
    return Step(item, other, ChangeKind.UNCHANGED, 1.0)
