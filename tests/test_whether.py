"""Whether one thing is another: the rules that say so, or that it is not, come first."""

from __future__ import annotations

import pytest
import rulesgraph
from rulesgraph.loaders.language.lexicon import How
from rulesgraph.queries.recognising.recognition import Recognised, recognise
from rulesgraph.queries.searching.closest import Whether, telling, whether
from rulesgraph.queries.session import Session


@pytest.mark.parametrize(
    ("words", "pair"),
    [
        ("Is a moth a lantern?", ("Moth", "Lantern")),
        ("are lanterns considered moths", ("Lantern", "Moth")),
        ("does a moth count as a lantern", ("Moth", "Lantern")),
        ("is the bag still just a keeper or not", ("Bag", "Keeper")),
        # another question, one thing, and three
        ("is a moth on a lantern", None),
        ("what is a moth lantern", None),
        ("is a moth", None),
        ("is a moth a lantern or a keeper", None),
        ("is 202.1 a moth", None),
    ],
)
def test_what_is_asked_of_each_other(words: str, pair: tuple[str, str] | None, mini: Session) -> None:
    asked = whether(recognise(mini, words))
    assert (asked and (asked.first[0].name, asked.second[0].name)) == pair


def _thing(name: str) -> tuple[Recognised, ...]:
    return (Recognised("term", "", name, name.lower(), 0, 1, How.EXACT),)


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("A moth is a lantern.", True),
        ("While it flutters, a moth isn't a lantern.", True),
        ("Neither the oil nor the moth is considered a lantern", True),
        ("The moth is neither a keeper nor a lantern.", True),
        ("Moth cards aren’t lanterns.", True),
        ("A moth becomes a lantern when it is lit.", True),
        ("Moths can't be lanterns", True),
        # of the other, of what belongs to it, and of what is only near it
        ("A lantern is a moth.", False),
        ("A moth is the lantern of poor keepers.", False),
        ("A moth is drawn to a lantern.", False),
        ("A moth sits on a lantern.", False),
        ("A moth is a pest. A lantern burns.", False),
    ],
)
def test_which_sentences_tell(text: str, tells: bool) -> None:
    found = telling(Whether(_thing("Moth"), _thing("Lantern")), {"it": text})
    assert found == (["it"] if tells else [])


def test_what_says_so_comes_first(mini: Session) -> None:
    answer = rulesgraph.Rules(mini.store).ask("is a lantern dark", edition="cr-2031-02-01")
    assert (answer.rows[0][0], answer.rows[0][6]) == (
        "201.1",
        "says whether Lantern is Dark; speaks of Lantern and Dark; has “dark”",
    )


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("is a token a card", ["111.6", "108.2b"]),
        ("does a token count as a card", ["108.2b", "111.6"]),
        ("are lands spells", ["505.6b"]),
        ("is an emblem a permanent", ["114.5"]),
        ("is a vehicle a creature", ["301.7b"]),
        ("is a commander a creature", []),
    ],
)
def test_whether_a_thing_of_the_newest_rules_is_another(
    words: str, first: list[str], newest_rules: rulesgraph.Rules
) -> None:
    answer = newest_rules.ask(words)
    assert [row["number"] for row in answer if str(row["reason"]).startswith("says whether")] == first
    assert [row["number"] for row in answer][: len(first)] == first
