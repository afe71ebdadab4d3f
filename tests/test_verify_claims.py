"""What a sentence in other words claims beside a citation, and what its rule says."""

from __future__ import annotations

import pytest
import rulesgraph
from measure_citations import called_clean, claimed
from rulesgraph.queries.session import Session


def test_right_claims_are_never_told_and_many_wrong_ones_are(newest: Session) -> None:
    seen, unseen = (claimed(newest, half) for half in ("seen", "unseen"))
    assert (seen.wrong, unseen.wrong) == (0, 0)
    assert seen.right >= 29
    assert unseen.right >= 22


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        # A denial in one clause, of each thing in a list, about what was said before; few words.
        ("A copy of a spell is cast (707.10).", "Spells are cast, copies of spells are not (707.10)."),
        (
            "A triggered mana ability can be responded to (605.4a).",
            "No mana ability can be answered (605.4a).",
        ),
        (
            "An object that is both a land and another type can be cast as a spell (305.9).",
            "It can't be cast (305.9).",
        ),
        ("Sorceries can enter the battlefield (307.4).", "A sorcery would enter the battlefield (307.4)."),
        ("A token is a card (111.6).", "A token can be represented by a card (111.6)."),
        # Conditions and descriptions that both have.
        (
            "A player can play a land when it isn't their turn (305.3).",
            "A player can play a land if it is their turn (305.3).",
        ),
        (
            "A player can sacrifice a permanent they don't control (701.21a).",
            "A player can sacrifice a permanent they control (701.21a).",
        ),
        # Kinds that exclude each other, also by way of a wider one.
        ("Ward is a static ability (702.21a).", "Ward is a keyword ability (702.21a)."),
        ("Flying is a triggered ability (702.9a).", "Flying is a static ability (702.9a)."),
        # Players.
        (
            "A hexproof permanent can't be the target of spells you control (702.11b).",
            "A hexproof permanent can be the target of spells you control (702.11b).",
        ),
        (
            "The end of combat step begins, and the defending player gets priority (511.1).",
            "Priority (511.1).",
        ),
        # Mana, layers, an article; a figure that is a bound, or counted on.
        (
            "Casting a commander costs an additional {1} for each previous time it was cast (903.8).",
            "A commander cast for the third time costs {4} more (903.8).",
        ),
        (
            "Effects that switch power and toughness are applied in layer 7c (613.4d).",
            "It is layer 7d (613.4d).",
        ),
        (
            "The active player draws two cards in the draw step (504.1).",
            "The active player draws a card (504.1).",
        ),
        (
            "A player with more than ten poison counters loses (704.5c).",
            "A player with more than nine poison counters loses (704.5c).",
        ),
        (
            "Two alternative costs can be applied to one spell (118.9a).",
            "Two alternative costs can't be applied to one spell (118.9a).",
        ),
        # A limit, the figure beside the weightiest words, and one of the form that the rule has.
        (
            "A deck may contain up to three copies of a card (100.2a).",
            "A deck may contain up to four copies of a card (100.2a).",
        ),
        (
            "Each player starts with a hand of six cards (103.5).",
            "Each player starts with a hand of seven cards (103.5).",
        ),
        (
            "A +1/+1 counter is applied in layer 7d (613.4c).",
            "A +1/+1 counter is applied in layer 7c (613.4c).",
        ),
        # What is ordered is said, and what is allowed, whatever the rule forbids beside it.
        (
            "Within each sublayer, effects are not applied in timestamp order (613.4).",
            "Within each sublayer, effects are applied in timestamp order (613.4).",
        ),
        (
            "A player can't count the cards in another player's hand (402.3).",
            "A player can count the cards in another player's hand (402.3).",
        ),
        (
            "A creature with menace can't be blocked except by three or more creatures (702.111b).",
            "A creature with menace can be blocked by three creatures (702.111b).",
        ),
    ],
)
def test_what_contradicts_the_rule_is_told(wrong: str, right: str, newest_rules: rulesgraph.Rules) -> None:
    [row] = newest_rules.verify(wrong)
    assert (row["finding"], row["severity"]) == ("words", "warning")
    assert None not in (row["quote"], row["wording"])
    assert not newest_rules.verify(right).rows


def test_the_other_figure_of_a_limit_is_named(
    newest_rules: rulesgraph.Rules, real_rules: rulesgraph.Rules
) -> None:
    text = "A constructed deck has at most three copies of any card other than basic lands (rule {})."
    for rules, number, edition in ((newest_rules, "100.2a", None), (real_rules, "100.2", "cr-2008-02-01")):
        [row] = rules.verify(text.format(number), edition=edition)
        assert row["message"] == f"{number} has “four” where these words have “three”"


def test_a_denial_on_a_condition_is_none_of_what_may_be_done(newest_rules: rulesgraph.Rules) -> None:
    """A land may be played, unless as many were played as one may."""
    assert not newest_rules.verify("You may play one land each turn (rule 305.2).").rows


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Combat damage is dealt one creature at a time (rule 510.2).", 1),
        ("Layer 5 is where type-changing effects are applied (rule 613.1e).", 1),
        ("If all players lose simultaneously, the active player wins the game (rule 104.4a).", 1),
        ("Each player starts the game with six cards (rule 103.5).", 1),
        # The condition of the rule is left out, and what is done to it is what it does.
        ("A player may cast a noninstant spell any time they have priority (rule 117.1a).", 1),
        ("A permanent with protection can't be enchanted by Auras (rule 702.16c).", 1),
        ("A player that has dealt 21 combat damage to the same commander loses the game (rule 903.10a).", 1),
        ("All combat damage is dealt simultaneously (rule 510.2).", 0),
        ("That follows from rule 510.2.", 0),
        # A few words, of which the rule has all, or has not.
        ("Layers (rule 613.1).", 0),
        ("Layers (rule 614.1).", 1),
        ("Five zones (rule 400.1).", 1),
        ("Seven zones (rule 400.1).", 0),
        ("Rule 101.4 describes mulligans.", 1),
        # Less than one is none.
        ("A player with less than one life loses the game (rule 704.5a).", 1),
        ("Players receive priority during the untap step (rule 502.4).", 0),  # told as wrong
    ],
)
def test_a_sentence_in_other_words_than_its_rule_is_counted_as_not_checked(
    newest_rules: rulesgraph.Rules, text: str, count: int
) -> None:
    answer = newest_rules.verify(text)
    assert answer.checked
    assert answer.checked["not_checked"] == count
    assert [row["finding"] for row in answer] == ["words"] * ("502.4" in text)
    assert ("in other words than the rule, not checked" in answer.notes[-1]) == bool(count)
    strict = newest_rules.verify(text, strict=True).records()
    assert [row["finding"] for row in strict] == ["unread"] * count + ["words"] * ("502.4" in text)


@pytest.mark.parametrize(
    "text",
    [
        "A player with 0 or less life doesn't lose the game (704.5a).",
        "A creature with toughness 0 is not put into the graveyard (704.5f).",
        "A one-shot effect has a duration (610.1).",
        # A restriction that the claim leaves out, a denial at another place, who does it to whom, few words.
        "A creature with fear can't be blocked (702.36b).",
        "A creature with flying can be blocked by creatures without flying (702.9b).",
        "A player may cast a sorcery card only from their hand (307.1).",
        "Lands go on the stack (116.2a).",
    ],
)
def test_the_words_of_a_rule_that_deny_otherwise_are_not_checked(
    newest_rules: rulesgraph.Rules, text: str
) -> None:
    assert [row["finding"] for row in newest_rules.verify(text, strict=True)] == ["unread"]


def test_a_rule_that_is_only_named_by_its_title_is_no_sibling(newest_rules: rulesgraph.Rules) -> None:
    assert not newest_rules.verify("Create works as described in CR 701.7.").rows
    assert not newest_rules.verify("Search is described in CR 701.23.").rows


@pytest.mark.parametrize("cited", ["cr 704.5k", "cr 704.5K", "CR 704.5K", "rule 704.5k"])
def test_the_word_before_a_number_may_be_small(newest_rules: rulesgraph.Rules, cited: str) -> None:
    [row] = newest_rules.verify(f"The legend rule ({cited}) applies.")
    assert (row["citation"], row["finding"], row["now"]) == (cited, "topic", "704.5j")


def test_few_wrong_claims_are_called_clean(newest: Session) -> None:
    assert all(len(called_clean(newest, half)) <= 1 for half in ("seen", "unseen"))


def test_an_answer_before_a_sentence_denies_nothing_of_it(newest_rules: rulesgraph.Rules) -> None:
    said = "Nobody has priority while a spell or ability resolves (rule 117.2e)."
    assert [newest_rules.verify(text).rows for text in (said, f"No. {said}", f"Yes. {said}")] == [()] * 3


def test_a_rule_quoted_with_what_it_cites_is_checked(newest_rules: rulesgraph.Rules) -> None:
    for number in ("115.7c", "118.9a", "702.12b"):
        answer = newest_rules.verify(f"Rule {number} says: “{newest_rules.rule(number).text}”")
        assert answer.checked
        assert (answer.rows, answer.checked["not_checked"]) == ((), 0)


def test_a_remark_in_brackets_is_no_figure_of_the_rule(newest_rules: rulesgraph.Rules) -> None:
    told = newest_rules.verify("Paying 4 life subtracts 4 from the life total of a player (rule 118.3b).")
    assert "words" not in {row["finding"] for row in told}
