"""Sentences with the contrary of one word of their rule, and names given to another rule's number."""

from __future__ import annotations

from pathlib import Path

import pytest
from rulesgraph import Rules
from rulesgraph.queries.citing.cite import SourceTree, cite
from rulesgraph.queries.citing.fixing import fixes
from rulesgraph.queries.citing.material import material_of
from rulesgraph.queries.history.summary import number_now
from rulesgraph.queries.history.trace import trace
from rulesgraph.queries.session import Session
from rulesgraph.queries.verifying.verify import verify
from sweep import PartOf


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "To draw a card, a player puts the bottom card of their library into their hand (rule 121.1).",
            "121.1 has “top” where these words have “bottom”",
        ),
        (  # with one word changed, it is not the sentence of another rule
            "If all players pass in succession, the spell or ability on the bottom of the stack resolves"
            " (117.4).",
            "117.4 has “top” where these words have “bottom”",
        ),
        (
            "If a player has 0 or less life, that player wins the game (rule 704.5a).",
            "these are nearly the words of 704.5a, which has “loses” instead of “wins”",
        ),
        (
            "A token that isn't on the battlefield ceases to exist when each player draws (rule 504.1).",
            "",
        ),
        ("Each player draws a card (rule 504.1).", "504.1 has “active” where these words have “each”"),
        # What is right, and what is said with a denial or of a single case.
        ("The active player draws a card (rule 504.1).", ""),
        ("When all its targets are illegal, a spell doesn't resolve (rule 608.2b).", ""),
        ("A spell with no legal targets left doesn't resolve (rule 608.2b).", ""),
        ("A creature with 5 toughness and 5 damage marked on it is destroyed (rule 704.5g).", ""),
        ("A creature with 5 toughness and 4 damage marked on it is not destroyed (rule 704.5g).", ""),
        ("When one player of a team loses, the entire team loses (rule 810.8a).", ""),
        ("Blah blub before blurb (rule 704.5a).", ""),
        # The same from the other side, of several zones, in another order of words, of another case.
        ("A player must have priority to cast an instant spell (rule 117.1a).", ""),
        ("A land must be played at a time when the stack is empty (rule 305.1).", ""),
        ("A token in a hand, library or graveyard ceases to exist (rule 704.5d).", ""),
        ("A card in the graveyard is a new object when it moves to the hand (rule 400.7).", ""),
        ("With dependency the later effect may apply before the earlier (rule 613.8).", ""),
        ("A creature with vanishing has time counters put on it first (rule 702.63a).", ""),
        ("A search of a public zone must find the card if it is there (rule 701.23b).", ""),
    ],
)
def test_the_contrary_of_a_word_is_told(text: str, message: str, newest_rules: Rules) -> None:
    found = newest_rules.verify(text)
    assert [row["message"] for row in found] == ([message] if message else [])


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("Flying is rule 702.17.", "702.9"),
        ("Reach is rule 702.9.", "702.17"),
        ("Destroy is rule 701.19.", "701.8"),
        ("First strike: 702.4", "702.7"),
        ("Double strike is defined in 702.7.", "702.4"),
        ("CR 702.17 flying", "702.9"),
        ("Flying is rule 702.9.", ""),
        ("Reach: 702.17", ""),
        ("Lethal damage is explained in rule 702.2.", ""),
        ("Creatures with reach may block flying creatures (rule 702.9b).", ""),
    ],
)
def test_a_name_is_not_that_of_a_rule_which_only_mentions_it(
    text: str, now: str, newest_rules: Rules
) -> None:
    found = newest_rules.verify(text)
    assert [(row["finding"], row["now"]) for row in found] == ([("topic", now)] if now else [])


@pytest.mark.parametrize("form", ["{}. {}", "{} {}", "- {}: {}", "{1} {0}", "{1} ..... {0}", "| {1} | {0} |"])
def test_a_table_of_contents_is_right(form: str, newest_rules: Rules, part_of: PartOf) -> None:
    titled = [(it.number, it.title) for it in newest_rules.rules() if it.title and it.number.startswith("70")]
    named = [it for it in titled if "." in it[0] and it[0].startswith(("701", "702"))]
    assert len(named) > 250
    found = newest_rules.verify("\n".join(form.format(*it) for it in part_of(named, 80))).rows
    assert not found


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The top spell resolves when all players pass (rule 405.5). Mana burn no longer exists.", 0),
        ("Tribal is called kindred today (rule 308). Totem armor is umbra armor (rule 702.89).", 0),
        ("405.5. Mana burn", 1),
        ("Mana burn is described in rule 405.5.", 1),
    ],
)
def test_an_obsolete_term_in_the_next_sentence_is_not_of_the_number_before(
    text: str, count: int, newest_rules: Rules
) -> None:
    assert len([row for row in newest_rules.verify(text) if "obsolete" in str(row["message"])]) == count


def test_words_of_another_number_are_not_called_lost(newest_rules: Rules) -> None:
    text = (
        "As of the Comprehensive Rules effective February 1, 2008: the legend rule is 420.5e"
        " and haste is 502.5.\n"
        "A player loses one life for each unspent mana of a phase (rule 300.3)\n"
        "Lethal damage destroys a creature (rule 420.5c)."
    )
    said = {row["number"]: str(row["message"]) for row in newest_rules.verify(text)}
    assert said["420.5e"] == "420.5e of cr-2008-02-01 is 704.5j in cr-2026-01-16"
    assert said["420.5c"] == "420.5c of cr-2008-02-01 is 704.5g in cr-2026-01-16"
    assert "Mana" not in said["420.5c"]


def test_a_doubtful_step_is_told_and_not_written(newest: Session, tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("# CR 308.1: the active player declares attackers\n# CR 502.5: haste\n", "utf-8")
    flags = cite(material_of(newest), SourceTree([str(tmp_path)]), written="cr-2008-02-01").flags
    told = {it.number: it.finding for it in flags}
    assert told["308.1"].message.startswith(
        "308.1 of cr-2008-02-01 is 508.5 in cr-2026-01-16, but that is doubtful"
    )
    assert (told["308.1"].fix, told["502.5"].fix) == (False, True)
    assert [it.number for fix in fixes(flags)[0] for it in fix.mended] == ["502.5"]


def test_the_number_today_is_that_of_what_continues_a_rule(real: Session) -> None:
    """As the last line of `trace` gives it, before what was split off or merged."""
    edition, newest = "cr-2008-02-01", real.editions()[0].id
    told = {it: number_now(real, it, edition) for it in ("217.1c", "410.10d", "100.2", "606.7a", "212.9d")}
    assert told == {
        "217.1c": "400.7",
        "410.10d": "603.10",
        "100.2": "100.2",
        "606.7a": "805.10a",
        "212.9d": "306.5",
    }
    for number, now in told.items():
        [summary] = [
            it for it in trace(real, number, edition).notes if it.startswith(f"{number} of {edition} in")
        ]
        assert summary.startswith(f"{number} of {edition} in {newest}: ")
        assert summary.partition(f"{newest}: ")[2].partition(": ")[2].partition(";")[0] == now
    assert verify(real, "See rule 217.1c.", edition="cr-2008-02-01").rows == ()
