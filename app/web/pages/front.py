"""The front page: a question box, what can be asked, and the editions that are loaded."""

from __future__ import annotations

import re

from ....queries.catalogue.questions import AREAS, questions
from ....queries.finding.names import identify, is_name
from .page import Page
from .press import Press
from .shelf import Shelf

SHOWN = {
    "Which terms rely on state-based actions?": ("state-based actions",),
    "Why does deathtouch rely on state-based actions?": ("deathtouch", "state-based actions"),
    "What does trample interact with?": ("trample",),
    "Can I respond to a mana ability?": ("mana ability",),
}
"""What people see before they know what to ask, with the names that have to be there."""

_FEWEST = 3
"""How many questions are shown at least, as far as there are terms to ask about."""


def front_page(shelf: Shelf) -> Page:
    """Return the front page."""
    press = Press(shelf, "index.html")
    rows = shelf.rules.contents().records()
    return press.page(
        "front",
        "The rules as a graph",
        described=_described(shelf),
        editions=[(it, row) for it, row in zip(shelf.editions, rows, strict=True)],
        newest=shelf.newest,
        tries=[{"words": it, "link": press.asking(it)} for it in _shown(shelf)],
        areas=[
            (heading, [(it.name, re.sub(r"\{\w+\}", "…", it.title)) for it in questions() if it.area == key])
            for key, heading in AREAS.items()
        ],
    )


def _shown(shelf: Shelf) -> list[str]:
    """Return questions that what is loaded answers: of the small texts few, so others of their own terms."""
    found = [words for words, names in SHOWN.items() if all(is_name(shelf.session, it) for it in names)]
    if len(found) < _FEWEST:
        asked = {identify(shelf.session, it).key for words in found for it in SHOWN[words]}
        terms = [str(row["term"]) for row in shelf.rules.ask("most_relied_on")]
        own = [it for it in terms if identify(shelf.session, it).key not in asked]
        found += [f"Which terms rely on {it}?" for it in own[: _FEWEST - len(found)]]
    return found


def _described(shelf: Shelf) -> dict[str, str]:
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "@id": shelf.iris.dataset(),
        "url": shelf.iris.base,
        "name": "rulesgraph",
        "description": "The rules documents of Magic: The Gathering as a knowledge graph with its evidence.",
        "dateModified": str(shelf.modified or ""),
    }
