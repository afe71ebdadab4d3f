"""Lists by two things, lists of chapters, and requests for lists that no question of the catalogue gives."""

from __future__ import annotations

from operator import and_, or_, sub

import pytest
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.session import Session

HOW = {"or": or_, "but not": sub, "without mentioning": sub}


def _things(session: Session, words: str) -> set[object]:
    return {row[0] for row in ask(session, words).rows}


@pytest.mark.parametrize("when", ["", " in 2008"])
@pytest.mark.parametrize(
    ("one", "other"), [("trample", "first strike"), ("exile", "graveyard"), ("sacrifice", "discard")]
)
@pytest.mark.parametrize("how", HOW)
def test_a_list_by_two_things_is_made_of_their_lists(
    how: str, one: str, other: str, when: str, real: Session
) -> None:
    if when and one == "exile":
        one = "banding"
    found = ask(real, f"Which rules mention {one} {how} {other}{when}?")
    each = [_things(real, f"Which rules mention {it}{when}?") for it in (one, other)]
    assert {row[0] for row in found.rows} == HOW[how](*each)
    assert len(set(found.rows)) == len(found.rows)
    counts = f": {len(each[0])} for {one}, {len(each[1])} for {other}, {len(and_(*each))} for both."
    assert found.lead[0].endswith(counts)


@pytest.mark.parametrize(
    ("words", "one", "other", "how"),
    [
        ("Which rules cite 704.5 or 616.1?", "Which rules cite 704.5?", "Which rules cite 616.1?", or_),
        ("Which rules cite 704.5 and 704.5j?", "Which rules cite 704.5?", "Which rules cite 704.5j?", and_),
        (
            "which terms rely on trample but not on deathtouch",
            "which terms rely on trample",
            "which terms rely on deathtouch",
            sub,
        ),
        (
            "which keyword abilities rely on sacrifice or tokens",
            "which keyword abilities rely on sacrifice",
            "which keyword abilities rely on tokens",
            or_,
        ),
    ],
)  # fmt: skip
def test_so_are_lists_of_what_cites_or_relies(
    words: str, one: str, other: str, how: object, newest: Session
) -> None:
    each = _things(newest, one), _things(newest, other)
    assert all(each)
    assert _things(newest, words) == how(*each)  # type: ignore[operator]


def test_a_name_of_several_words_is_one_thing(newest: Session) -> None:
    """*Or* and *and* may be within a name."""
    found = ask(newest, "which rules mention untap and upkeep or draw steps")
    assert found.name == "closest_rules"
    assert ask(newest, "which rules mention trample and deathtouch").name == "mentions_of_both"


@pytest.mark.parametrize("how", ["added", "removed"])
def test_chapters_that_came_or_went_are_those_with_such_numbers(how: str, real: Session) -> None:
    span = "between cr-2008-02-01 and cr-2009-07-11"
    chapters = ask(real, f"which chapters were {how} {span}")
    rules = ask(real, f"which rules were {how} {span}")
    wanted = [row for row in rules.rows if len(str(row[3] or row[2])) == 3]
    assert wanted
    assert [*chapters.rows] == wanted


@pytest.mark.parametrize(
    "words",
    [
        "Which keyword abilities begin with W?",
        "Which rules mention no other rule?",
        "What keyword abilities do not target?",
    ],
)
def test_a_list_that_nothing_gives_is_not_taken_for_one(words: str, newest: Session) -> None:
    found = ask(newest, words)
    assert (found.name, found.answered) == ("closest_rules", False)
    assert found.lead[0] == "No such list was found in the rules: these are the closest rules."


@pytest.mark.parametrize(
    "words", ["Which rules apply if I block with a tapped creature?", "what rules say so"]
)
def test_rules_for_a_situation_are_no_list(words: str, newest: Session) -> None:
    assert not any("No such list" in it for it in ask(newest, words).lead)


@pytest.mark.parametrize("words", ["cheapest keyword ability", "the oddest zone"])
def test_a_superlative_is_never_skipped(words: str, newest: Session) -> None:
    assert not ask(newest, words).answered
