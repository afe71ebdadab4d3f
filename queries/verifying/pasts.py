"""What is wrong with a citation becomes what happened: the rule moved, was removed, or was reworded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..session import Edition, Session
from .findings import Finding
from .rulebook import Rulebook, fold_item, title_key
from .whereabouts import Ending, Whereabouts
from .wordings import holds, pieces


class Pasts:
    """Looks for rules in the other editions, and follows them to the one that a text is held against.

    `others` are the rules of other editions with numbers that this one lacks, by number.
    """

    def __init__(
        self,
        session: Session,
        book: Rulebook,
        editions: Sequence[Edition],
        others: dict[str, list[str]],
    ) -> None:
        self._session = session
        self._book = book
        self._editions = editions
        self._places = {edition.id: place for place, edition in enumerate(editions)}
        self._target = self._places[book.edition.id]
        self._others = others

    def settle(self, doubtful: Sequence[tuple[str, Finding]]) -> list[Finding]:
        """Return better findings for some numbers, in their order."""
        texts = self._texts({number for number, it in doubtful if it.quote})
        origins = [
            (it.quote and self._with_words(number, it, texts))
            or (self._standing(number) if it.kind == "unknown" else "")
            for number, it in doubtful
        ]
        walks = Whereabouts(self._session, self._editions, self._target)
        endings = walks.endings(origin for origin in origins if origin)
        return [
            self._told(number, it, endings[origin]) if origin else it
            for (number, it), origin in zip(doubtful, origins, strict=True)
        ]

    def _standing(self, number: str) -> str:
        """Return the rule that had a number: in the nearest edition before, else in the first one after."""
        found = {
            self._places[edition]: item
            for item in reversed(self._others.get(number, ()))
            if (edition := self._session.iris.parse(item).edition) in self._places
        }
        before = [place for place in found if place < self._target]
        if not found:
            return ""
        return found[max(before) if before else min(found)]

    def _texts(self, numbers: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Return title and folded words of the rules with some numbers in the other editions, by IRI."""
        iris = self._session.iris
        others = [it.id for it in self._editions if it.id != self._book.edition.id]
        wanted = [iris.rule(edition, number) for number in sorted(numbers) for edition in others]
        found: dict[str, tuple[str, str]] = {}
        for start in range(0, len(wanted), 500):
            rows = self._session.run("verifying", "elsewhere", None, {"item": wanted[start : start + 500]})
            found |= {str(item): (str(title or ""), fold_item((str(text),))) for item, title, text in rows}
        return found

    def _with_words(self, number: str, it: Finding, texts: dict[str, tuple[str, str]]) -> str:
        """Return the rule that had the number and the words quoted, in an edition before, or after."""
        parts = pieces(it.quote)
        earlier = range(self._target - 1, -1, -1)
        for place in (*earlier, *range(self._target + 1, len(self._editions))):
            rule = self._session.iris.rule(self._editions[place].id, number)
            title, words = texts.get(rule, ("", ""))
            if title and title_key(title) == title_key(it.quote):
                return rule
            if it.kind != "title" and words and holds(words, parts):
                return rule
        return ""

    def _told(self, number: str, it: Finding, ending: Ending) -> Finding:
        if ending.now == (number,):
            return it._replace(kind="reworded", message=f"so {number} read in {ending.last}", now=())
        before = self._places[ending.last] < self._target
        return ended(it, number, ending, self._book.edition.id, before=before)


def ended(it: Finding, number: str, ending: Ending, here: str, *, before: bool) -> Finding:
    """Return what a finding becomes when the rule that had a number is followed to the edition `here`.

    `before` tells whether it was followed from an older edition. One that kept its number stays as it is.
    """
    if ending.now == (number,):
        return it
    if ending.now:
        there = ", ".join(ending.now)
        return it._replace(
            kind="moved", message=f"{number} of {ending.last} is {there} in {here}", now=ending.now
        )
    if not before:
        return it._replace(
            kind="later", message=f"{number} came after {here}, with {ending.last}", now=ending.instead
        )
    instead = f"; see {', '.join(ending.instead)} instead" if ending.instead else ""
    return it._replace(
        kind="removed",
        message=f"{number} of {ending.last} is gone since {ending.gone}{instead}",
        now=ending.instead,
    )
