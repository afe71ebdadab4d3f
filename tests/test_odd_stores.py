"""Questions to stores that lack what they need, such as a history: they are told so, it is no fault."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import rulesgraph
from rulesgraph.queries.catalogue.questions import questions

ROOT = Path(__file__).parents[1]
MINI = ROOT / "tests" / "mini"
RULINGS = MINI / "rulings-2031-03-10.txt"
STORES = {
    "starter": [],
    "one edition": [MINI / "lanterns-2031-02-01.txt"],
    "editions and rulings": [MINI],
    "rulings": [RULINGS],
}
VALUES = {
    "what": ("rules", "zones"),
    "how": ("added", "reworded"),
    "before": ("the last edition", "1999", "rulings-2031-03-10"),
    "after": ("2031", "2008"),
    "during": ("2031", "rulings-2031-03-10"),
    "when": ("2008", "2090"),
    "card": ("Glimmer", "Serra Angel"),
}
"""Slot → what stands there in turn; all others have a thing or a number."""

WORDS = (
    "which number did {thing} have in 2009",
    "Which rules changed most often?",
    "what changed in {before}",
    "how many rules are there in each edition",
    "which edition had the most zones",
    "was {thing} once a zone",
    "does {thing} stack",
    "what was {thing} in 1995",
    "what about beſt {thing}",
    "İ {thing}",
    "the first edition",
    "what is new",
)
"""Questions beside the examples of the catalogue, with a letter that has another small or capital form."""


def _forms() -> Iterator[str]:
    computed = (ROOT / "queries" / "answering" / "computed.txt").read_text("utf-8")
    yield from re.findall(r"^#\+ question: (.+)", computed, re.MULTILINE)
    yield from (form for it in questions() for form in it.examples)
    yield from WORDS


def _asked(form: str, place: int) -> str:
    """Return a question with its first choices, and values for its slots."""
    while (said := re.sub(r"\(([^()|]*)\|?[^()]*\)", r"\1", form)) != form:
        form = said
    things = ("Trample", "Moth", "702.19", "301.3", "zone")
    return re.sub(
        r"\{(\w+)\}", lambda it: (own := VALUES.get(it[1], things))[(place + it.start()) % len(own)], form
    )


@pytest.mark.parametrize("name", STORES)
def test_every_question_is_answered_or_told_in_any_store(name: str, store_of: Callable[..., Path]) -> None:
    rules = rulesgraph.open(store_of(*STORES[name]))
    forms = [*_forms()]
    own = [
        *forms[[*STORES].index(name) : -len(WORDS) : len(STORES)],
        *WORDS,
    ]  # each store has a share of them
    for place, form in enumerate(own):
        with suppress(rulesgraph.RulesgraphError):
            assert rules.ask(_asked(form, place)).columns is not None
