"""Words that end where their rule goes on, in quotation marks and without them."""

from __future__ import annotations

import re

import pytest
from rulesgraph import Rules
from rulesgraph.loaders.language.words import sentences
from rulesgraph.queries.verifying.verify import verify

LEAST = 8
"""The number of words in the sentences that are cut."""


def _told(rules: Rules, text: str) -> tuple[list[str], object]:
    found = verify(rules.session, text)
    assert found.checked is not None
    return [str(row["message"]) for row in found], found.checked["not_checked"]


@pytest.mark.parametrize("chapter", ["113", "302", "508", "613", "701", "702", "704"])
def test_a_quoted_sentence_is_cut_or_whole(chapter: str, newest_rules: Rules) -> None:
    """Each first sentence of some rules, whole and without its last words."""
    told = []
    for rule in newest_rules.rules(kind="rule"):
        text = rule.text or ""
        if not rule.number.startswith(f"{chapter}.") or rule.number.count(".") != 1:
            continue
        start, end = next(iter(sentences(text)), (0, 0))
        words = text[start:end].split()
        plain = not re.search(r"[“”\"()\[\]{}:;]", text[start:end])
        if (
            len(words) >= LEAST
            and plain
            and words[-1].endswith(".")
            and text.count(" ".join(words[:-2])) == 1
        ):
            whole = f"Rule {rule.number} says: “{' '.join(words)}”"
            cut = f"Rule {rule.number} says: “{' '.join(words[:-2]).rstrip(',')}.”"
            assert _told(newest_rules, whole) == ([], 0), whole
            message = (
                f"these words end with a full stop where {rule.number} goes on: “{' '.join(words[-2:])[:-1]}”"
            )
            told.append((_told(newest_rules, cut)[0], [message]))
    assert len(told) > 5
    assert [found for found, _ in told] == [wanted for _, wanted in told]


@pytest.mark.parametrize(("number", "end"), [("208.2", "(*)."), ("213.1a", "]."), ("602.1a", "(:).")])
def test_a_whole_sentence_may_end_with_a_mark_in_brackets(number: str, end: str, newest_rules: Rules) -> None:
    text = newest_rules.rule(number).text or ""
    [words] = [text[a:b].strip() for a, b in sentences(text) if text[a:b].strip().endswith(end)]
    assert _told(newest_rules, f"Rule {number} says: “{words}”")[0] == []


@pytest.mark.parametrize(
    "text",
    [
        "CR 704.5a says that a player with 0 or less life “loses the game.”",
        "CR 702.9b: “A creature with flying can’t be blocked …”",
        "CR 702.9b: “A creature with flying can’t be blocked except by creatures with flying and/or reach.”",
    ],
)
def test_parts_and_marks_of_omission_are_no_cuts(text: str, newest_rules: Rules) -> None:
    assert _told(newest_rules, text)[0] == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("A creature with flying can’t be blocked except by creatures with flying (CR 702.9b).", 1),
        ("A permanent or player with protection can't be targeted by spells (702.16b).", 1),
        ("Trample is a static ability (702.19a).", 0),
        ("If a player has 0 or less life, that player loses the game (704.5a).", 0),
    ],
)
def test_words_without_the_condition_behind_them_are_not_checked(
    text: str, count: int, newest_rules: Rules
) -> None:
    assert _told(newest_rules, text) == ([], count)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("CR 702.19f: multiple instances are redundant.", ["702.19g has more of these words than 702.19f"]),
        ("CR 613 continuous effects", []),
        ("Costs are 117.3&nbsp;kg of dust", []),
    ],
)
def test_what_names_no_other_rule_and_what_is_no_rule(
    text: str, wanted: list[str], newest_rules: Rules
) -> None:
    assert _told(newest_rules, text)[0] == wanted
