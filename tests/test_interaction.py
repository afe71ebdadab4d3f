"""Where two things meet, in small graphs with one case each."""

from __future__ import annotations

import pytest
from asking import columns, session_of
from rulesgraph import Rules
from rulesgraph.ontology.errors import UsageError
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.reliance.interaction import is_general
from rulesgraph.queries.reliance.levels import Reach
from rulesgraph.queries.session import Cells, Session
from test_reliance import RULE, cites, mentions, rule, says, term, titled

COLUMNS = ("ground", "number", "quote", "other_number", "other_quote")

LAMPS = (
    titled("20", "lamp", "Lamp", 20)
    + rule("20.1", "Lamps burn oil.", "rg:mentions t:oil", line=21)
    + rule("20.2", "They stand on the shelf.", line=22)
)
"""A chapter on lamps: its title, and two rules."""

OIL = term("oil", "Oil")


def meet(session: Session, one: str, other: str) -> list[Cells]:
    return columns(ask(session, "interaction", [one, other]), COLUMNS)


def test_a_rule_that_names_the_other_thing_comes_first_beside_a_rule_and_never_a_title() -> None:
    session = session_of(
        LAMPS
        + OIL
        + titled("30", "moth", "Moth", 30)
        + rule("30.1", "Moths drink oil.", "rg:mentions t:oil", line=31)
        + rule("30.2", "A moth flies to a lamp.", "rg:mentions t:lamp", line=32)
    )
    assert meet(session, "Moth", "Lamp") == [
        ("Lamp", "30.2", "A moth flies to a lamp.", "20.1", "Lamps burn oil."),
        ("Oil", "30.1", "Moths drink oil.", "20.1", "Lamps burn oil."),
    ]
    assert meet(session, "Lamp", "Moth")[0] == (
        "Lamp", "20.1", "Lamps burn oil.", "30.2", "A moth flies to a lamp.",
    )  # fmt: skip


def test_a_rule_that_one_cites_and_that_names_the_other_counts_with_those_beside_it() -> None:
    session = session_of(
        titled("20", "lamp", "Lamp", 20)
        + cites("20.1", "Lamps ignore 40.5b.", f"<{RULE}40.5b>", "40.5b", 21)
        + titled("30", "moth", "Moth", 30)
        + rule("40", "Checks", line=39)
        + rule("40.5", "These are checks:", line=40)
        + rule("40.5a", "A moth flies.", "rg:mentions t:moth", line=41)
        + rule("40.5b", "A moth burns.", "rg:mentions t:moth", line=42)
        + rule("40.5c", "Oil dries.", line=43)
    )
    assert meet(session, "Lamp", "Moth") == [
        ("40.5b", "20.1", "Lamps ignore 40.5b.", "40.5b", "A moth burns."),
        ("40.5a", "20.1", "Lamps ignore 40.5b.", "40.5a", "A moth flies."),
    ]


def test_each_meaning_of_a_thing_is_looked_at_and_the_one_that_says_more_of_the_other_comes_first() -> None:
    session = session_of(
        LAMPS
        + OIL
        + titled("30", "snuff", "Snuff", 30)
        + rule("30.1", "Snuff is a powder.", line=31)
        + rule("30.2", "Snuff is kept beside a lamp.", "rg:mentions t:lamp", line=32)
        + f"t:snuff rg:definedBy <{RULE}40> .\n"
        + rule("40", "Snuff", 'dcterms:title "Snuff"', 'rg:level "chapter"', line=40)
        + rule("40.1", "To snuff a lamp is to put it out.", "rg:mentions t:lamp", line=41)
    )
    assert meet(session, "Snuff", "Lamp") == [
        ("Lamp", "40.1", "To snuff a lamp is to put it out.", "20.1", "Lamps burn oil."),
        ("Lamp", "30.2", "Snuff is kept beside a lamp.", "20.1", "Lamps burn oil."),
    ]


def test_the_sentence_that_names_the_thing_in_turn_is_the_one_quoted() -> None:
    session = session_of(
        LAMPS
        + titled("30", "moth", "Moth", 30)
        + rule("30.1", "A moth flies to a lamp.", "rg:mentions t:lamp", line=31)
        + rule("20.3", "It is of glass. A moth does it no harm.", "rg:mentions t:moth", line=23)
    )
    assert meet(session, "Moth", "Lamp") == [
        ("Lamp", "30.1", "A moth flies to a lamp.", "20.3", "A moth does it no harm."),
        ("Moth", "30.1", "A moth flies to a lamp.", "20.3", "A moth does it no harm."),
    ]


def test_a_thing_that_no_rule_defines_is_looked_at_in_what_its_entry_cites() -> None:
    session = session_of(
        LAMPS
        + OIL
        + term("wick", "Wick")
        + says("wick", "It burns. See rule 50.", f"<{RULE}50>", "rule 50", 9)
        + rule("50", "Parts", 'dcterms:title "Parts"', 'rg:level "chapter"', line=50)
        + rule("50.1", "A wick drinks oil.", "rg:mentions t:oil, t:wick", line=51)
        + rule("50.2", "A chimney is of glass and holds no oil.", "rg:mentions t:oil", line=52)
    )
    assert meet(session, "Wick", "Lamp") == [("Oil", "50.1", "A wick drinks oil.", "20.1", "Lamps burn oil.")]


def test_where_nothing_rare_is_common_to_both_what_is_common_to_many_is() -> None:
    others = "".join(
        term(f"thing-{n}", f"Thing {n}") + mentions(f"thing-{n}", "It needs oil.", "oil", 100 + n)
        for n in range(9)
    )
    session = session_of(
        LAMPS + OIL + others + titled("30", "moth", "Moth", 30)
        + rule("30.1", "Moths drink oil.", "rg:mentions t:oil", line=31)
    )  # fmt: skip
    assert meet(session, "Moth", "Lamp") == [("Oil", "30.1", "Moths drink oil.", "20.1", "Lamps burn oil.")]


def test_a_rule_and_what_it_is_called_are_one_ground() -> None:
    session = session_of(
        LAMPS
        + titled("30", "moth", "Moth", 30)
        + titled("40", "rust", "Rust", 40)
        + cites("20.3", "It may rust. See rule 40.", f"<{RULE}40>", "rule 40", 23)
        + rule("30.1", "No moth suffers from rust.", "rg:mentions t:rust", line=31)
    )
    assert meet(session, "Lamp", "Moth") == [
        ("Rust", "20.3", "It may rust. See rule 40.", "30.1", "No moth suffers from rust."),
    ]


def test_of_many_grounds_ten_are_shown_unless_all_are_asked_for() -> None:
    thirds = "".join(
        rule(f"{n}", f"Number {n} has a lamp and a moth.", "rg:mentions t:lamp, t:moth", line=n)
        for n in range(50, 62)
    )
    session = session_of(LAMPS + titled("30", "moth", "Moth", 30) + thirds)
    some = ask(session, "interaction", ["Moth", "Lamp"])
    every = ask(session, "interaction", ["Moth", "Lamp"], reach=Reach(steps=None))
    assert [row[0] for row in every.rows] == [f"{n}" for n in range(50, 62)]
    assert some.rows == every.rows[:10]
    assert (some.notes, every.notes) == (("2 more, weaker ones: --steps all shows them.",), ())
    with pytest.raises(UsageError, match="does not follow chains"):
        ask(session, "interaction", ["Moth", "Lamp"], reach=Reach(steps=2))


def test_a_rule_is_quoted_rather_than_its_example() -> None:
    example = (
        f"<{RULE}30.1/example/1> a rg:Example ; dcterms:isPartOf <{RULE}30.1> ; rg:firstLine 32 ;"
        ' rg:text "A moth sips oil." ; rg:mentions t:oil .\n'
    )
    session = session_of(
        LAMPS
        + OIL
        + titled("30", "moth", "Moth", 30)
        + rule("30.1", "A moth has wings.", line=31)
        + example
        + rule("30.2", "Moths drink oil.", "rg:mentions t:oil", line=33)
    )
    assert meet(session, "Moth", "Lamp") == [("Oil", "30.2", "Moths drink oil.", "20.1", "Lamps burn oil.")]
    [row] = [row for row in ask(session, "terms_relying_on", ["Oil"]).records() if row["term"] == "Moth"]
    assert row["quote"] == "Moths drink oil."


def test_what_a_keyword_does_meets_before_its_variants_do(newest_rules: Rules) -> None:
    first = next(iter(newest_rules.interaction("Trample", "Deathtouch")))
    assert (first["number"], first["other_number"]) == ("702.19b", "702.2c")


@pytest.mark.parametrize(
    ("name", "grounds"),
    [
        ("Persist", [("Counter", "702.79a", "122.1")]),  # -1/-1 counters, which are put on things
        ("Outlast", [("Counter", "702.107a", "122.1")]),
        (
            "Ward",
            [("Counter", "702.21a", "122.1"), ("Counter", "702.21a", "701.6a"), ("X", "702.21b", "122.1a")],
        ),
    ],
)
def test_what_a_text_names_as_a_thing_is_not_what_is_done(
    newest_rules: Rules, name: str, grounds: list[tuple[str, str, str]]
) -> None:
    """Noun and verb are one term; the rule that says how to do it needs the verb."""
    found = newest_rules.interaction(name, "Counter")
    assert [(row[0], row[1], row[3]) for row in found.rows] == grounds
    turned = newest_rules.interaction("Counter", name)
    assert {(row[0], row[3], row[1]) for row in turned.rows} == set(grounds)


def test_a_sentence_of_a_third_rule_that_names_both_is_there_once() -> None:
    both = "rg:mentions t:lamp, t:moth"
    session = session_of(
        LAMPS
        + titled("30", "moth", "Moth", 30)
        + rule("50", "A shelf holds a lamp and a moth.", both, line=50)
        + rule("51", "A lamp is lit. A moth is caught.", both, line=51)
    )
    assert meet(session, "Moth", "Lamp") == [
        ("50", "50", "A shelf holds a lamp and a moth.", None, None),
        ("51", "51", "A moth is caught.", "51", "A lamp is lit."),
    ]


@pytest.mark.parametrize(
    ("one", "other"), [("Trample", "Deathtouch"), ("Hexproof", "Target"), ("Cycling", "Discard")]
)
def test_things_that_meet_are_answered(one: str, other: str, newest_rules: Rules) -> None:
    found = newest_rules.ask("interaction", one, other)
    assert (bool(found.rows), found.answered, found.lead) == (True, True, ())


@pytest.mark.parametrize(
    ("one", "other"), [("Hexproof", "Flying"), ("Suspend", "Equip"), ("Echo", "Landwalk"), ("Haste", "Storm")]
)
def test_what_only_a_list_or_many_rules_have_says_hardly_anything(
    one: str, other: str, newest_rules: Rules
) -> None:
    found = newest_rules.ask(f"How do {one} and {other} interact?")
    assert (bool(found.rows), found.answered) == (True, False)
    assert found.lead[0].startswith("They may have nothing to do with each other: ")


def test_a_circumstance_is_not_a_thing_that_another_meets(newest_rules: Rules) -> None:
    assert newest_rules.ask("how does the stack work with players").name == "interaction"
    assert newest_rules.ask("how does the stack work with three players").name == "closest_rules"


@pytest.mark.parametrize(("one", "other"), [("Deathtouch", "First Strike"), ("Lifelink", "Double Strike")])
def test_a_mere_list_of_both_comes_after_what_they_share(one: str, other: str, newest_rules: Rules) -> None:
    found = [is_general(row) for row in newest_rules.ask("interaction", one, other).rows]
    assert found == sorted(found)
    assert {*found} == {False, True}


@pytest.mark.parametrize(
    ("ground", "quotes", "general"),
    [
        ("122.1b", ("The keywords are glow and dim.", None), True),
        ("Static Ability", ("Glow is a static ability.", "Dim is a static ability, written “dim”."), True),
        (
            "Static Ability",
            ("Glow is a static ability.", "A static ability with dim functions there."),
            False,
        ),
        ("Lantern", ("Glow lights a lantern.", "Dim puts out a lantern."), False),
    ],
)
def test_a_list_of_two_keywords_or_their_kind_says_little_of_both(
    ground: str, quotes: tuple[str, str | None], general: bool
) -> None:
    one, other = quotes
    assert is_general((ground, "122.1b", one, "122.1c", other, "cr-2031-07-01")) is general
