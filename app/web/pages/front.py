"""The front page: a question box, what can be asked, and the editions that are loaded."""

from __future__ import annotations

import re

from ....queries.catalogue.questions import AREAS, questions
from .page import Page
from .press import Press
from .shelf import Shelf

SHOWN = (
    "Which terms rely on state-based actions?",
    "Why does deathtouch rely on state-based actions?",
    "What does trample interact with?",
    "Can I respond to a mana ability?",
)
"""What people see before they know what to ask."""


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
        tries=[{"words": it, "link": press.asking(it)} for it in SHOWN],
        areas=[
            (heading, [(it.name, re.sub(r"\{\w+\}", "…", it.title)) for it in questions() if it.area == key])
            for key, heading in AREAS.items()
        ],
    )


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
