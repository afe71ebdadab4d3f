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
        "Which keyword abilities rhyme with ward?",
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


@pytest.mark.parametrize("kind", ["keyword abilities", "creature types", "zones"])
@pytest.mark.parametrize(
    "words", ["What {} begin with {}?", "{} starting with the letter {}", "{} that start with “{}”"]
)
def test_names_that_begin_with_a_letter_are_those_of_the_whole_list(
    words: str, kind: str, newest: Session
) -> None:
    whole = {str(it["item"]) for it in ask(newest, f"What are the {kind}?")}
    for letter in "bswz":
        found = ask(newest, words.format(kind, letter))
        assert {str(it["item"]) for it in found} == {it for it in whole if it.lower().startswith(letter)}
        assert found.lead == (f"{len(found)} of {len(whole)} begin with “{letter.upper()}”.",)


@pytest.mark.parametrize("words", ["which rules say “{}”", "Which rules contain “{}”?"])
def test_quoted_words_are_those_of_the_rules(words: str, newest: Session) -> None:
    said = "last known information"
    found = ask(newest, words.format(said))
    assert found.rows == ask(newest, f"which rules contain the words “{said}”").rows
    assert found.rows


@pytest.mark.parametrize("edition", ["cr-2008-02-01", "cr-2026-01-16"])
@pytest.mark.parametrize("words", ["does {} stack?", "what happens if a creature has {} twice"])
def test_what_having_an_ability_twice_does_is_found(words: str, edition: str, real: Session) -> None:
    """The rule for several instances of a keyword is first for nine in ten; this asks for every fifth."""
    ranks = []
    for keyword in list(ask(real, "list_items", ["keyword ability"], edition=edition))[::5]:
        parts = ask(real, "parts_of", [str(keyword["rule"])], edition=edition)
        wanted = {it["number"] for it in parts if it["number"] and "instances of" in str(it["text"])}
        wanted.discard(keyword["rule"])
        if wanted:
            found = ask(real, words.format(keyword["item"]), edition=edition)
            ranks.append(next((place for place, it in enumerate(found) if it["number"] in wanted), 99))
    assert len(ranks) >= 8
    assert sum(rank == 0 for rank in ranks) >= 0.8 * len(ranks)
