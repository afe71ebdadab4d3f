"""Find the rules that a ruling about a card rests on, and what became of them since its day."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from ...ontology.errors import UnknownNameError, UsageError
from ..history.trace import history_of
from ..recognising.recognition import recognise
from ..searching.closest import closest
from ..session import Session
from .asking import beside_cards
from .current import CardData, about_cards

STATED = "stated"
RETRIEVED = "retrieved"

_WEIGHT = 0.2
"""What the card counts beside a ruling about it, which says most itself."""

_CALIBRATION = ((0.35, 0.9), (0.2, 0.5), (0.0, 0.35))
"""By how much the best rule has to lead the next one, and in what share of rulings it then is the right one.

Measured on 46 judged rulings: 7 of 7, 6 of 12 and 10 of 27 were right."""

_KEPT_WORDS = ("", "unchanged", "references")
"""What a rule may have gone through without other words or another number."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d$")


class RuledBy(NamedTuple):
    """A rule that a ruling rests on: its number in an edition, and how that is known.

    `link` is ``"stated"`` where the ruling cites the number, else ``"retrieved"``: a guess, and never a fact,
    of which `confidence` tells how often such a guess is right.
    """

    number: str
    link: str
    confidence: float
    reason: str = ""


class CardRulingText(NamedTuple):
    """One ruling about a card, with the numbers that it cites."""

    issued: date | None
    text: str
    cited: tuple[str, ...]


def rulings_about(session: Session, data: CardData, card: str) -> list[CardRulingText]:
    """Return the rulings about a card, the oldest first."""
    found: dict[str, CardRulingText] = {}
    for issued, text, cited, ruling in about_cards(session, data, "rulings", {"card": [card]}):
        day = issued if isinstance(issued, date) else None
        before = found.get(str(ruling), CardRulingText(day, str(text), ()))
        more = (str(cited),) if cited else ()
        found[str(ruling)] = before._replace(cited=before.cited + more)
    return list(found.values())


def closest_to_ruling(
    session: Session, data: CardData, card: str, name: str, text: str, edition: str | None, limit: int = 5
) -> list[RuledBy]:
    """Return the rules closest to a ruling, the best first; what its card touches counts a little."""
    bare = re.sub(rf"{re.escape(name)}(?:['’]s)?|{re.escape(name.partition(',')[0])}(?:['’]s)?", "it", text)
    recognised = recognise(session, bare, edition)
    found = closest(
        session, recognised, limit=limit, beside=beside_cards(session, data, [card], weight=_WEIGHT)
    )
    rows = [(str(row[0] or ""), float(str(row[5])), str(row[6])) for row in found.rows]
    scores = [score for _, score, _ in rows] + [0.0]
    return [
        RuledBy(number, RETRIEVED, _confidence(place, 1 - scores[place + 1] / score), reason)
        for place, (number, score, reason) in enumerate(rows)
        if number and score
    ]


def _confidence(place: int, lead: float) -> float:
    """Return how often the best rule is right that leads the next one by such a part of its score."""
    return next((share for least, share in _CALIBRATION if lead >= least), 0.0) if place == 0 else 0.0


def changed_since(session: Session, number: str, day: date | None, edition: str | None) -> str:
    """Return what became of a rule after a day, ``""`` if it reads as it did, or nothing is known of it."""
    if day is None:
        return ""
    try:
        rows = history_of(session, number, edition).rows
    except (UnknownNameError, UsageError):
        return ""
    after = []
    for row in rows:
        found = _DAY.search(str(row[0]))
        if found and date.fromisoformat(found[0]) > day and str(row[2]) not in _KEPT_WORDS:
            after.append(f"{row[2]} {found[0]}")
    return "; ".join(after[-_MOST_CHANGES:])


_MOST_CHANGES = 3
"""How many changes are told, the last ones."""
