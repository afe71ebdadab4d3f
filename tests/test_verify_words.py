"""The words beside a citation: which name they are, and which rule has them."""

from __future__ import annotations

import pytest
import rulesgraph
from rulesgraph.queries.verifying.verify import CAUTION

MOTH = "A moth sits on exactly one lantern."
TRIM = "To trim a lantern means to take one oil from it and turn it to the right."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What a misquotation should be.
        (
            'Rule 201.2: "to trim a lantern means to take one oil from it and turn it to the left"',
            [("201.2", None, TRIM)],
        ),
        (f'Rule 201.1 says "{TRIM}"', [("201.1", "201.2", TRIM)]),
        (
            'Rule 201.1 says "to trim a lantern means to take all oil from it and turn it to the right"',
            [("201.1", "201.2", TRIM)],
        ),
        # Words of another rule without quotation marks.
        (f"{TRIM} (rule 310.2)", [("310.2", "201.2", TRIM)]),
        (f"As you know: {TRIM} (rule 310.2)", [("310.2", "201.2", TRIM)]),
        (f"By rule 310.2, {TRIM[0].lower()}{TRIM[1:]} It is so.", [("310.2", "201.2", TRIM)]),
        (f"{TRIM} (rule 201.2)", []),
        (f"{TRIM} (rule 201)", []),
        (f"{TRIM} (rules 201.2 and 310.2)", []),
        (f"{TRIM} See rule 310.2.", []),  # sends to more than was said
        (f"Lamps dim (rule 310.2). {TRIM}", []),
        (f"Lamps dim by rule 310.2. {TRIM}", []),
        (f"{MOTH} (rule 310.2)", [("310.2", "202.1", MOTH)]),  # few words, but a whole sentence
        # A number in brackets, after a dash or "is" owns the words before it, whatever else is cited.
        (f'Trimming is in rule 201.2. "{TRIM}" (rule 310.2).', [("310.2", "201.2", TRIM)]),
        (f'Trimming (rule 201) means that "{TRIM}" (rule 310.2).', [("310.2", "201.2", TRIM)]),
        (f'By rule 201 and rule 310, "{TRIM}" (rule 320.2).', [("320.2", "201.2", TRIM)]),
        (f'Lamps dim by rule 310.2. "{TRIM}" is CR 201.2.', []),
        (f'Trim it by rule 201.2. "{TRIM}" is CR 310.2.', [("310.2", "201.2", TRIM)]),
        (f'"{TRIM}" (rule 310.2, rule 201.2)', []),
        (f'"{TRIM}" [310.2][201.2]', []),
        (f'[201.2] Keepers know: "{TRIM}" [310.2] The dusk checks are as follows:', []),
        (f'"{TRIM}" (rule 310.2; see also rule 201)', []),
        # A colon joins words to the citation of its sentence.
        (f'Trimming (rule 310.2) is a thing that keepers do: "{TRIM}"', [("310.2", "201.2", TRIM)]),
        (f'Trimming (rule 310.2) is easy. Keepers agree: "{TRIM}"', []),
        # The right wording is one of the cited rule, or there is none.
        ('"The dusk checks are all made as follows here" (rule 310.2a)', [("310.2a", None, None)]),
    ],
)
def test_words_of_another_rule_are_told_with_the_right_wording(
    mini_rules: rulesgraph.Rules, text: str, expected: list[tuple[object, ...]]
) -> None:
    found = mini_rules.verify(text)
    assert [(row["number"], row["now"], row["wording"]) for row in found] == expected


def test_words_of_a_part_are_not_those_of_its_sibling(newest_rules: rulesgraph.Rules) -> None:
    words = newest_rules.rule("702.2c").text
    for text in (
        f'Deathtouch (rule 702.2) says that "{words}" (rule 702.2b).',
        f'Deathtouch is described in rule 702.2. "{words}" (rule 702.2b).',
        f'By rule 702.2 and rule 702.19, "{words}" (rule 702.2b).',
    ):
        assert [(row["number"], row["now"]) for row in newest_rules.verify(text)] == [("702.2b", "702.2c")]


def test_a_meaning_in_the_glossary_is_not_of_the_section_with_its_number(
    newest_rules: rulesgraph.Rules,
) -> None:
    words = newest_rules.term("Ability").definition.splitlines()[0]
    [row] = newest_rules.verify(f'"{words}" (rule 104.3c)')
    assert (row["finding"], row["wording"]) == ("words", None)


WARD, VIGILANCE = ("702.20", "topic", "error", "702.21"), ("702.19", "stale", "error", "702.20")
"""What is wrong where these two numbers have the names of the next."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ward (702.20), vigilance (702.19)", [WARD, VIGILANCE]),
        ("**Ward** (see CR 702.20a) is like vigilance.", [("702.20a", "topic", "error", "702.21")]),
        ("702.20 (ward), 702.19 (vigilance)", [WARD, VIGILANCE]),
        ("rule 702.20, ward, and rule 702.19, vigilance, apply", [WARD, VIGILANCE]),
        ("See 702.20 on ward, and 702.19 on vigilance.", [WARD, VIGILANCE]),
        # Each end of a list shows how it goes.
        ("Ward, 702.20, vigilance, 702.19, apply.", [WARD, VIGILANCE]),
        ("702.20, ward, 702.19, vigilance", [WARD, VIGILANCE]),
        ("| Ward | 702.20 |\n| Vigilance | 702.19 |", [WARD, VIGILANCE]),
        ("| 702.20 | Ward |\n| 702.19 | Vigilance |", [WARD, VIGILANCE]),
        ("- Ward: 702.20\n- Vigilance: 702.19", [WARD, VIGILANCE]),
        # Neither end does: the owner of the name is unknown.
        ("See rule 702.19, vigilance, 702.20.", []),
        ("Trample (702.19), vigilance (702.20), ward (702.21)", []),
        ("Flying (702.9) with reach (702.17); flying creatures (702.17b)", []),
        ("creatures with trample and deathtouch (702.19b)", []),
        ("Trample and deathtouch (702.19, 702.2)", []),
        # Names of single rules: what the glossary sends to, or what a rule is called.
        ("the legend rule (704.5k)", [("704.5k", "topic", "warning", "704.5j")]),
        ("Legend rule 704.5k", [("704.5k", "topic", "warning", "704.5j")]),
        ("the legend rule: 704.5k", [("704.5k", "topic", "warning", "704.5j")]),
        ("By the legend rule 704.5j, and the world rule 704.5k", []),
        ("704.5k, the “legend rule,” applies", [("704.5k", "topic", "warning", "704.5j")]),
        ("the legend rule (704.5j), the world rule (704.5k)", []),
        ("the legend rule (704.5)", []),
        ("CR 704.5k, the “legend rule for enchantments”", []),
        (
            "The legend rule is rule 704.5k. State-based actions are checked all the time.",
            [("704.5k", "topic", "warning", "704.5j")],
        ),
        # What begins the sentence is its subject, and a verb is not.
        (
            "Vigilance means attacking does not cause it to tap (rule 702.21b).",
            [("702.21b", "topic", "error", "702.20")],
        ),
        ("Attacking does not cause it to tap (rule 701.26).", []),
        ("Vigilance is no reason to tap (rule 701.26).", []),
        # What is of a kind is the subject, unless the number is that of the kind.
        ("Ward is a keyword ability (702.20).", [WARD]),
        ("Ward (a keyword ability, 702.20)", [WARD]),
        ("The end step is a step of the ending phase (rule 514).", [("514", "topic", "warning", "513")]),
        ("Upkeep is a step (rule 504).", [("504", "topic", "warning", "503")]),
        ("The stack is a zone (rule 406).", [("406", "topic", "warning", "405")]),
        ("Ward is a keyword ability (702.21). Vigilance is one, too (rule 702).", []),
        ("Ward is a triggered ability (rule 603).", []),
        ("Flying is an evasion ability (509.1b).", []),
        # A chapter is called by a part of its title, too.
        ("Cleanup (rule 513)", [("513", "topic", "warning", "514")]),
        ("Instant (rule 305)", [("305", "topic", "warning", "304")]),
        ("Poison counters (rule 123)", [("123", "topic", "warning", "122")]),
        ("Declare blockers (rule 508)", [("508", "topic", "warning", "509")]),
        ("Untap (rule 502), draw (rule 504), combat (rule 506), poison counters (rule 104)", []),
        ("Cost (rule 601)", []),
        # A line that is a number and a name alone names the number.
        ("// CR 504.1 untap step", [("504.1", "topic", "warning", "502")]),
        ("// Untap step: CR 504.1", [("504.1", "topic", "warning", "502")]),
        ("# CR 509.1 declare attackers", [("509.1", "topic", "warning", "508")]),
        ("// CR 509.1 declare blockers", []),
        ("// CR 514.2 cleanup: damage wears off", []),
        ("// CR 603.2 triggered ability", []),
        ("// CR 514.2 and the upkeep step", []),
        # A right number is right, whatever its neighbour is.
        *(
            (f"{name} (702.15) {more}; see rule 702.16b.", [("702.15", "stale", "error", "702.16")])
            for name in ("Protection", "Protection from red")
            for more in ("means the creature cannot be blocked", "stops blocks", "stops targeting")
        ),
    ],
)
def test_a_name_beside_a_number_is_of_this_number(
    newest_rules: rulesgraph.Rules, text: str, expected: list[tuple[object, ...]]
) -> None:
    found = newest_rules.verify(text)
    assert [(row["number"], row["finding"], row["severity"], row["now"]) for row in found] == expected


def test_words_of_the_rule_show_that_its_number_is_right(newest_rules: rulesgraph.Rules) -> None:
    words = newest_rules.rule("702.16b").text
    found = newest_rules.verify(f'This creature cannot be blocked; see rule 702.16b: "{words}"')
    assert not found.rows


def test_a_name_counts_more_than_the_edition_written_against(newest_rules: rulesgraph.Rules) -> None:
    text = "Scry (CR 701.18), search (CR 701.18)"
    found = newest_rules.verify(text, written="2019-10-04")
    assert [(row["finding"], row["now"]) for row in found] == [("topic", "701.22"), ("moved", "701.23")]


@pytest.mark.parametrize("mark", ["8. ", "8) ", "a) ", "(a) ", "* ", "- ", "+ ", "• ", "1. First\n   - "])
@pytest.mark.parametrize("indent", ["", "   "])
def test_the_lines_of_one_item_belong_together(mini_rules: rulesgraph.Rules, mark: str, indent: str) -> None:
    words = f"To trim a lantern means to take one oil from it and\n{indent}turn it to the right"
    right = f'{mark}Trimming: "{words}" (201.2)\n'
    assert not mini_rules.verify(right).rows
    [row] = mini_rules.verify(right.replace("one oil", "all oil"))
    assert (row["number"], row["finding"]) == ("201.2", "words")


@pytest.mark.parametrize(
    ("text", "number", "now"),
    [
        ("Stack (rule 406).", "406", "405"),
        ("Stack: rule 406", "406", "405"),
        ("See rule 406 (Stack).", "406", "405"),
        ("Damage wears off in the cleanup step (rule 513.2).", "513.2", "514"),
        ("Mulligans are explained in rule 104.5.", "104.5", "103.5"),
        ("The layer system is explained in rule 603.", "603", "613"),
        ("They annihilate each other: +1/+1 and -1/-1 counters (704.5r)", "704.5r", "704.5q"),
        ("layer 7b (rule 613.4d)", "613.4d", "613.4b"),
        # A sibling has more of the words, and of the figures.
        ("Whoever has 0 or less life loses (rule 704.5b).", "704.5b", "704.5a"),
        ("Whoever has 0 or less life loses under rule 704.5b.", "704.5b", "704.5a"),
        ("By rule 704.5b, ten poison counters make a player lose.", "704.5b", "704.5c"),
        ("A creature with summoning sickness can't attack (rule 302.5).", "302.5", "302.6"),
        # A verb is the name of a rule, too, and a step is called without this word.
        ("A permanent with indestructible can't be destroyed (rule 702.13b).", "702.13b", "702.12"),
        ("Declaring attackers is rule 308.1.", "308.1", "508.5"),
        # What begins a sentence and *is* a rule is its name, whatever that is about.
        ("The legend rule is rule 310.4.", "310.4", "704.5j"),
        ("The legend rule is rule 702.12.", "702.12", "704.5j"),
        ("Trample is rule 310.4.", "310.4", "702.19"),
        # All that is said of a rule is a subject of which it has no word.
        ("Copy effects are rule 503.", "503", "707"),
        ("Mulligans: rule 101.4.", "101.4", "103.5"),
    ],
)
def test_the_name_of_another_chapter_or_step_is_told(
    newest_rules: rulesgraph.Rules, text: str, number: str, now: str
) -> None:
    assert [(row["number"], row["now"]) for row in newest_rules.verify(text)] == [(number, now)]
    assert not newest_rules.verify(text.replace(number, now.partition(",")[0])).rows


@pytest.mark.parametrize(
    "text",
    [
        "Mulligans: rule 101.4 says in which order.",
        "Partner is rule 903.",  # its entry leads to it
        "Fireball: rule 503.",
        "The active player declares attackers (508.1a).",
        "Exploring triggers something when what is in rule 701.44a is over.",  # 701.44b says that of it
        "One counts creatures with summoning sickness (rules 302.5 and 302.6).",
        "Who has too little life loses: see rules 704.5a–c.",
        "In rule 302.5 we read, unlike 302.6 on summoning sickness, that it does not matter.",
        "It is about summoning sickness. That is an exception to rule 302.5.",
        "A lone summoning is fun (rule 302.5).",  # one word
        "How much damage goes past blockers with trample is rule 510.1c.",
        "Trample (rule 510.1c) matters here.",
    ],
)
def test_words_of_siblings_are_no_reason(newest_rules: rulesgraph.Rules, text: str) -> None:
    assert not newest_rules.verify(text).rows


def test_each_number_of_a_range_is_told(newest_rules: rulesgraph.Rules) -> None:
    for text in ("rules 701.18a-b scry", "see 701.18a–701.18b scry"):
        found = newest_rules.verify(text)
        assert [(row["finding"], row["now"]) for row in found] == [("stale", "701.22a"), ("stale", "701.22b")]
    assert not newest_rules.verify("rules 701.22a-b scry").rows


def test_what_fits_only_the_rule_of_today_is_told_all_the_same(newest_rules: rulesgraph.Rules) -> None:
    [row] = newest_rules.verify("It is so (rule 608.2b).", written="2008-02-01")
    assert row["finding"] == "moved"
    text = "With its only target illegal the whole spell does nothing (rule 608.2b)."
    [row] = newest_rules.verify(text, written="2008-02-01")
    assert row["finding"] == "moved"
    assert str(row["message"]).endswith(", which the words beside it fit")


def test_a_mark_without_words_is_no_quotation(mini_rules: rulesgraph.Rules) -> None:
    for text in ("rule 300.2 “", "“ rule 300.2", "rule 300.2 “”", '{"rule": "300.2", "quote": "“"}'):
        assert not mini_rules.verify(text, edition="2031-02-01").rows


def test_a_number_among_many_is_told_with_its_own_words(newest_rules: rulesgraph.Rules) -> None:
    [row] = newest_rules.verify("the legend rule (704.5k)")
    words = " ".join(newest_rules.rule("704.5k").text.split()[:8])
    was = "until cr-2017-08-25 704.5k was the rule that is now 704.5j"
    assert str(row["message"]).startswith(f"{was}; 704.5k is “{words} …” in cr-2026-01-16; the words around")


@pytest.mark.long(small="test_words_of_another_rule_are_told_with_the_right_wording")
def test_the_words_of_an_older_edition_are_told(real_rules: rulesgraph.Rules) -> None:
    words = real_rules.rule("420.5e", edition="cr-2009-05-01").text.partition(". ")[0]
    [row] = real_rules.verify(f"Rule 704.5j: “{words}”")
    assert row["message"] == "these words are not in 704.5j; this is the wording of 420.5e in cr-2009-05-01"
    for number, finding, now in (("310.4", "gone", None), ("502.15a", "moved", "702.26a")):
        words = real_rules.rule(number, edition="cr-2009-05-01").text.partition(". ")[0]
        [row] = real_rules.verify(f'"{words}" (rule {number})')
        assert (row["finding"], row["now"]) == (finding, now)
        assert str(row["message"]).startswith(f"these are words of {number} in cr-2009-05-01; {number} of ")


def test_a_step_after_another_is_not_that(newest_rules: rulesgraph.Rules) -> None:
    assert not newest_rules.verify("That is after the combat damage step (rule 511.1).").rows


def test_words_of_a_glossary_entry_are_right_beside_the_rule_of_its_term(
    newest_rules: rulesgraph.Rules,
) -> None:
    words = newest_rules.term("Haste").definition
    assert not newest_rules.verify(f'Haste (rule 702.10) is "{words}"').rows
    [row] = newest_rules.verify(f'Flash is "{words}" (rule 702.8)')
    assert row["message"] == "these are words of “Haste” in the glossary, not of 702.8"


@pytest.mark.parametrize(
    ("number", "right", "wrong", "told"),
    [
        ("704.5a", "0 or less", "5 or less", "“0” instead of “5”"),
        ("702.2c", "of combat", "of noncombat", "“combat” instead of “noncombat”"),
        ("702.10b", "can attack", "can't attack", "“can” instead of “can't”"),
        ("903.10a", "21", "20", "“21” instead of “20”"),
    ],
)
def test_a_changed_figure_or_negation_in_the_words_of_a_rule_is_told(
    newest_rules: rulesgraph.Rules, number: str, right: str, wrong: str, told: str
) -> None:
    words = newest_rules.rule(number).text
    assert not newest_rules.verify(f"{words} (rule {number})").rows
    [row] = newest_rules.verify(f"{words.replace(right, wrong)} (rule {number})")
    assert row["message"] == f"these are nearly the words of {number}, which has {told}"


def test_a_short_quotation_that_the_rule_lacks_is_not_checked(mini_rules: rulesgraph.Rules) -> None:
    text = "Rule 201.2: “two left moths”. No rule 999.1; version 310.2."
    found = mini_rules.verify(text)
    assert [row["finding"] for row in found] == ["unknown"]
    assert "1 quotation of fewer than six words, not in the rule, not checked" in found.notes[0]
    assert found.checked == {
        **{"citations": 2, "errors": 1, "warnings": 0, "notes": 0, "not_checked": 2, "by_number": 0},
        "caution": CAUTION,
    }
    strict = mini_rules.verify(text, strict=True)
    assert [
        (row["number"], row["severity"], row["quote"]) for row in strict if row["finding"] == "unread"
    ] == [
        ("201.2", "warning", "two left moths"),
        ("310.2", "warning", None),
    ]
    assert strict.checked == {**found.checked, "warnings": 2}


def test_a_short_quotation_of_the_rule_is_no_finding(mini_rules: rulesgraph.Rules) -> None:
    words = " ".join(str(mini_rules.rule("201.2").text).rstrip(".").split()[:3])
    found = mini_rules.verify(f"Rule 201.2: “{words}”", strict=True)
    assert found.rows == ()
    assert "not checked" not in found.notes[0]


def test_a_check_says_nothing_of_an_answer(mini_rules: rulesgraph.Rules) -> None:
    about = mini_rules.verify("Nothing here.").about()
    assert [*about][:2] == ["checked", "edition"]
    assert about["checked"] == {
        **dict.fromkeys(("citations", "errors", "warnings", "notes", "not_checked", "by_number"), 0),
        "caution": CAUTION,
    }


def test_siblings_with_nearly_as_many_of_the_words_are_all_named(newest_rules: rulesgraph.Rules) -> None:
    [row] = newest_rules.verify("# CR 502.2 untap step: untap permanents simultaneously")
    assert (row["finding"], row["now"]) == ("topic", "502.1, 502.3")
    assert row["message"] == "502.1 and 502.3 have more of these words than 502.2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "Nine or more poison counters lose the game (rule 704.5c).",
            "704.5c has “ten” where these words have “nine”",
        ),
        ("A Commander deck has 99 cards (rule 903.5a).", "903.5a has “100” where these words have “99”"),
        ("The maximum hand size is eight (rule 402.2).", "402.2 has “seven” where these words have “eight”"),
        ("Each team starts at 40 life (rule 810.4).", "810.4 has “30” where these words have “40”"),
        (
            "The beginning phase consists of four steps (rule 501.1).",
            "501.1 has “three” where these words have “four”",
        ),
    ],
)
def test_another_figure_than_the_rules_is_told(
    text: str, message: str, newest_rules: rulesgraph.Rules
) -> None:
    [row] = newest_rules.verify(text)
    assert (row["finding"], row["severity"], row["message"]) == ("words", "warning", message)
    assert row["wording"]


@pytest.mark.parametrize(
    "text",
    [
        "Ten or more poison counters lose the game (rule 704.5c).",
        "The maximum hand size is normally seven cards (rule 402.2).",
        "A Conspiracy draft has three rounds (rule 905.1a).",
        "Vanguard players may start at 25 life (rule 103.4).",  # a rule below has the figure
        "In 2 of 3 games each team starts at 40 life (rule 810.4).",  # which figure is meant is not clear
        "A player may keep two such cards (rule 402.2).",  # of something else
    ],
)
def test_a_figure_that_may_be_right_is_not_told(text: str, newest_rules: rulesgraph.Rules) -> None:
    assert not newest_rules.verify(text).rows


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Damage assignment order (509.2) matters.", "Damage Assignment Order"),
        ("The planeswalker uniqueness rule is rule 704.5j.", "Planeswalker Uniqueness Rule"),
        ("Mana burn is described in rule 106.4.", "Mana Burn"),
    ],
)
def test_a_term_that_is_gone_is_told_beside_a_living_number(
    text: str, name: str, newest_rules: rulesgraph.Rules
) -> None:
    [row] = newest_rules.verify(text)
    assert (row["finding"], row["severity"], row["now"]) == ("topic", "warning", None)
    assert str(row["message"]).startswith(f"“{name}” is obsolete in cr-")


@pytest.mark.parametrize(
    "text",
    [
        "Converted mana cost (202.3) is a number.",  # its entry names what 202.3 is about
        "The caster (601.2) pays.",
    ],
)
def test_a_renamed_term_or_an_everyday_word_is_not_gone(text: str, newest_rules: rulesgraph.Rules) -> None:
    assert not newest_rules.verify(text).rows


def test_the_end_of_a_compound_is_no_name_of_its_own(newest_rules: rulesgraph.Rules) -> None:
    [row] = newest_rules.verify("State-based effects are covered by rule 420.5.")
    assert (row["finding"], row["now"]) == ("gone", "704.5")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("605.3b: mana abilities use the stack.", "605.3b: mana abilities don't use the stack."),
        (
            "702.11b: a hexproof permanent can be the target of spells your opponents control.",
            "702.11b: a hexproof permanent can be the target of its controller's spells.",
        ),
        (
            "A creature with haste can't attack the turn it comes under your control (702.10b).",
            "A creature without haste can't attack until it has been under your control (702.10b).",
        ),
        (
            "You cannot activate a mana ability while you are casting a spell (605.3a).",
            "You may activate a mana ability while casting a spell, though without priority (605.3a).",
        ),
        (
            "Partial payments are allowed when you pay a cost (601.2h).",
            "Partial payments never help (601.2h).",
        ),
        ("A creature with defender can attack (702.3b).", "A defender is unable to attack (702.3b)."),
        ("State-based actions use the stack (704.1).", "Do state-based actions use the stack (704.1)?"),
        (
            "Activated mana abilities go on the stack (605.3b).",
            "Some say that activated mana abilities go on the stack; they don't (605.3b).",
        ),
        (
            "A permanent with indestructible can be destroyed (702.12b).",
            "A permanent with indestructible can be sacrificed (702.12b).",
        ),
        (
            "A player may look at the cards in another player's hand (402.3).",
            "One sees one's own hand (402.3).",
        ),
        (
            "An activated mana ability goes on the stack (605.3b).",
            "If mana abilities went on the stack (605.3b)",
        ),
    ],
)
def test_what_the_rule_denies_is_told(wrong: str, right: str, newest_rules: rulesgraph.Rules) -> None:
    [row] = newest_rules.verify(wrong)
    assert (row["finding"], row["severity"]) == ("words", "warning")
    assert None not in (row["quote"], row["wording"])
    assert not newest_rules.verify(right).rows


@pytest.mark.parametrize(
    "text",
    [
        "Loyalty abilities aren't mana abilities, even if they add mana (605.1a).",
        "Playing a land is a special action, not a spell (305.2).",
        "Players don't receive priority while an ability is resolving (117.3).",
        "Declare blockers and combat damage steps are skipped if no attackers (508.8).",
        "Creatures can be enchanted by an Aura (303.4d).",
        "A regenerated creature isn't destroyed (701.19a).",
        "A player can sacrifice a permanent they control (701.21a).",
        "Its trigger will not trigger (611.3c).",
        "A phased-out permanent isn't treated as though it exists (702.26b).",
        "Regenerating a creature doesn't untap it (701.19a).",
    ],
)
def test_another_denial_is_no_contrary(text: str, newest_rules: rulesgraph.Rules) -> None:
    assert not newest_rules.verify(text).rows


def test_a_denial_is_compared_without_knowing_the_game(mini_rules: rulesgraph.Rules) -> None:
    [row] = mini_rules.verify("Drift means that a moth may sit on a lantern (320.3a).")
    assert row["message"] == "these words say what 320.3a denies"
