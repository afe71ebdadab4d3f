"""Questions as players ask them, in many moods and with typing errors: each is understood, and says how."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from asking import session_on
from commands import Run
from rulesgraph.loaders.language.everyday import is_english
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.ontology.grouping import counted
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.history.diff import diff, for_people
from rulesgraph.queries.session import Answer, Session, Understood
from sweep import first

NEWEST = "cr-2026-01-16"

# (words, the question answered, the edition, the first rule shown or what the first row is about)
ASKED: list[tuple[str, str, str, str]] = [
    ("how does trample work", "What is Trample? (definition)", NEWEST, "702.19"),
    ("whats deathtouch", "What is Deathtouch? (definition)", NEWEST, "702.2"),
    ("Explain layers", "What is Interaction of Continuous Effects? (definition)", NEWEST, "613"),
    ("what do state based actions do", "What is State-Based Actions? (definition)", NEWEST, "704"),
    ("how do i use flashback", "What is Flashback? (definition)", NEWEST, "702.34"),
    ("define legend rule", "What is Legend Rule? (definition)", NEWEST, "704.5j"),
    ("meaning of APNAP", "What is Active Player, Nonactive Player Order? (definition)", NEWEST, "101.4"),
    ("tell me about the stack please", "What is Stack? (definition)", NEWEST, "405"),
    ("can someone explain protection", "What is Protection? (definition)", NEWEST, "702.16"),
    ("explain priority like im five", "What is Priority? (definition)", NEWEST, "117"),
    ("what is trample in plain english, for beginners", "What is Trample? (definition)", NEWEST, "702.19"),
    ("what is a mana dork?", "What is Mana Ability? (definition)", NEWEST, "605"),
    ("waht is hexproof", "What is Hexproof? (definition)", NEWEST, "702.11"),
    ("hwo does cascade work", "What is Cascade? (definition)", NEWEST, "702.85"),
    ("definiton of ward", "What is Ward? (definition)", NEWEST, "702.21"),
    ("what does ETB mean", "What is Enters the Battlefield? (definition)", NEWEST, "403.3"),
    ("i dont understand banding", "What is Banding? (definition)", NEWEST, "702.22"),
    ("rules for mulligans", "What is Mulligan? (definition)", NEWEST, "103.5"),
    ("whats the point of vigilance", "What is Vigilance? (definition)", NEWEST, "702.20"),
    ("how does death touch work", "What is Deathtouch? (definition)", NEWEST, "702.2"),
    ("what is first-strike", "What is First Strike? (definition)", NEWEST, "702.7"),
    ("so how does summoning sickness work exactly",
     "What is Summoning Sickness Rule? (definition)", NEWEST, "302.6"),
    ("trample", "Trample, by itself", NEWEST, "702.19"),
    ("702.19c", "702.19c, by itself", NEWEST, "702.19c"),
    ("rule 704", "704, by itself", NEWEST, "704"),
    ("CR 601.2", "601.2, by itself", NEWEST, "601.2"),
    ("my general", "Commander, by itself", NEWEST, "1"),
    ("loot", "Discard, by itself", NEWEST, "701.9"),
    ("which keyword abilities are evasion abilities",
     "Which terms are a kind of keyword ability and of evasion ability?", NEWEST, "Fear"),
    ("is exile a zone", "Is Exile a Zone? (whether)", NEWEST, "400.1"),
    ("what counts as a permanent", "What is Permanent? (definition)", NEWEST, "110"),
    ("which keywords are obsolete", "Which terms are obsolete? (obsolete_terms)", NEWEST, "At End of Turn"),
    ("list all keyword abilities",
     "What is on the list of Keyword Ability? (list_items)", NEWEST, "Deathtouch"),
    ("what are the zones", "What is on the list of Zone? (list_items)", NEWEST, "battlefield"),
    ("how many phases are there", "What is on the list of Phase? (list_items)", NEWEST, "beginning phase"),
    ("name all card types", "What is on the list of Card Type? (list_items)", NEWEST, "artifact"),
    ("which keyword actions exist",
     "What is on the list of Keyword Action? (list_items)", NEWEST, "Activate"),
    ("all the steps of the combat phase", "What are the steps of Combat Phase? (steps_of)", NEWEST, "507"),
    ("what's the order of the steps in combat",
     "What are the steps of Combat Phase? (steps_of)", NEWEST, "507"),
    ("what steps go into casting a spell",
     "What are the steps of cast a spell? (steps_of)", NEWEST, "601.2a"),
    ("what are the supertypes?", "What is on the list of Supertype? (list_items)", NEWEST, "basic"),
    ("how many steps are in the combat phase",
     "What are the steps of Combat Phase? (steps_of)", NEWEST, "507"),
    ("Does trample work with deathtouch?",
     "What do Trample and Deathtouch have in common? (interaction)", NEWEST, "702.19b"),
    ("how do first strike and double strike interact",
     "What do First Strike and Double Strike have in common? (interaction)", NEWEST, "702.7b"),
    ("trample vs protection",
     "What do Trample and Protection have in common? (interaction)", NEWEST, "702.19b"),
    ("what happens when i combine lifelink and deathtouch",
     "What do Lifelink and Deathtouch have in common? (interaction)", NEWEST, "702.15c"),
    ("deathtouch and indestructible",
     "What do Deathtouch and Indestructible have in common? (interaction)", NEWEST, "702.2b"),
    ("difference between hexproof and shroud", "What is Hexproof, and what is Shroud?", NEWEST, "702.11"),
    ("how is dies different from sacrifice", "What is Dies, and what is Sacrifice?", NEWEST, "700.4"),
    ("when is the upkeep", "When in the turn is Upkeep Step? (place_in_turn)", NEWEST, "upkeep step"),
    ("when does the cleanup step happen",
     "When in the turn is Cleanup Step? (place_in_turn)", NEWEST, "cleanup step"),
    ("what comes after the draw step",
     "What comes after Draw Step? (next_after)", NEWEST, "precombat main phase"),
    ("where is lethal damage defined", "", NEWEST, "704.5g"),
    ("which rule covers commander damage", "", NEWEST, "704.6c"),
    ("rule number for priority", "Which rule defines Priority? (defining_rules)", NEWEST, "117"),
    ("which number do I cite for trample?", "Which rule defines Trample? (defining_rules)", NEWEST, "702.19"),
    ("what number does trample have", "Which rule defines Trample? (defining_rules)", NEWEST, "702.19"),
    ("rule number for aura", "Which rule defines Aura? (defining_rules)", NEWEST, "303.4"),
    ("what rule is the legend rule", "Which rule defines Legend Rule? (defining_rules)", NEWEST, "704.5j"),
    ("what happened to mana burn", "What replaced Mana Burn? (replacement)", NEWEST, "Mana Burn"),
    ("is interrupt still a thing", "What replaced Interrupt? (replacement)", NEWEST, "Interrupt"),
    ("what is converted mana cost called now",
     "What replaced Converted Mana Cost? (replacement)", NEWEST, "Converted Mana Cost"),
    ("what needs the stack", "Which terms rely on Stack? (terms_relying_on)", NEWEST, "Mana Ability"),
    ("why does deathtouch rely on lethal damage",
     "Through which links does Deathtouch rely on Lethal Damage?", NEWEST, "1"),
    ("does deathtouch rely on lethal damage",
     "Through which links does Deathtouch rely on Lethal Damage?", NEWEST, "1"),
    ("what does rule 704.5 say", "What does rule 704.5 say? (rule_text)", NEWEST, "704.5"),
    ("read me 608.2b", "What does rule 608.2b say? (rule_text)", NEWEST, "608.2b"),
    ("explain rule 117.4", "What does rule 117.4 say? (rule_text)", NEWEST, "117.4"),
    ("give me an example of trample",
     "What are examples of Trample? (examples_of)", NEWEST, "702.19b"),
    ("which rules cite 704.5", "What cites 704.5? (citing)", NEWEST, "205.4d"),
    ("what kind of thing is flying", "What kind of thing is Flying? (kinds_of)", NEWEST, "Flying"),
    ("Which rules does deathtouch rely on?",
     "What does Deathtouch rely on? (relied_on_by_term)", NEWEST, ""),
    ("list all rules in chapter 704", "What are the parts of 704? (parts_of)", NEWEST, "704.1"),
]  # fmt: skip

# What takes editions of other times to be answered.
ASKED_OF_OTHER_TIMES: list[tuple[str, str, str, str]] = [
    ("other names for mana value",
     "What else is Mana Value called? (called_also)", NEWEST, "Converted Mana Cost"),
    ("what changed between 2009-05-01 and 2009-07-11",
     "What changed between cr-2009-05-01 and cr-2009-07-11?", "cr-2009-05-01 to cr-2009-07-11", "reworded"),
    ("compare cr-2025-04-04 with cr-2026-01-16",
     "What changed between cr-2025-04-04 and cr-2026-01-16?", "cr-2025-04-04 to cr-2026-01-16", "reworded"),
    ("which rules are new in 2009",
     "Which rules were added in 2009?", "cr-2008-10-01 to cr-2009-10-01", "added"),
    ("which keyword abilities are gone since 2008",
     f"Which keyword abilities were removed between cr-2008-02-01 and {NEWEST}?",
     f"cr-2008-02-01 to {NEWEST}", "Imprint"),
    ("when did planeswalkers first appear",
     "What is the history of Planeswalker?", "cr-2007-10-01 to cr-2026-04-17", "Planeswalker"),
    ("how has trample changed since 2009-05-01",
     f"What changed in Trample between cr-2009-05-01 and {NEWEST}?",
     f"cr-2009-05-01 to {NEWEST}", "renumbered"),
    ("what was rule 502.9 in 2008",
     "What does rule 502.9 say? (rule_text) in cr-2008-02-01", "cr-2008-02-01", "502.9"),
    ("how has 704.5f changed over the years",
     "What became of rule 704.5f?", "cr-1999-04-23 to cr-2026-04-17", "420.5b"),
    ("show me rule 702.19 in 2009", "702.19, by itself in cr-2009-07-11", "cr-2009-07-11", "702.19"),
    ("trample in 2008", "Trample, by itself in cr-2008-02-01", "cr-2008-02-01", "502.9"),
    ("how did trample work in 2008",
     "What is Trample? (definition) in cr-2008-02-01", "cr-2008-02-01", "502.9"),
    ("what was deathtouch in cr-2008-02-01",
     "What is Deathtouch? (definition) in cr-2008-02-01", "cr-2008-02-01", "502.63"),
    ("which terms rely on state-based effects",
     "Which terms rely on State-Based Actions? (terms_relying_on)",
     "cr-2009-05-01", "Limited Range of Influence"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "meaning", "edition", "lead"),
    first(12, ASKED, pytest.mark.long(small="test_questions_of_players_are_understood")),
    ids=[row[0] for row in ASKED],
)
def test_questions_of_players_are_understood(
    words: str, meaning: str, edition: str, lead: str, newest: Session
) -> None:
    is_understood(newest, words, meaning, edition, lead)


@pytest.mark.long(small="test_questions_of_players_are_understood")
@pytest.mark.parametrize(
    ("words", "meaning", "edition", "lead"),
    [*ASKED, *ASKED_OF_OTHER_TIMES],
    ids=[row[0] for row in (*ASKED, *ASKED_OF_OTHER_TIMES)],
)
def test_questions_are_understood_beside_other_editions(
    words: str, meaning: str, edition: str, lead: str, real: Session
) -> None:
    is_understood(real, words, meaning, edition, lead)


def is_understood(session: Session, words: str, meaning: str, edition: str, lead: str) -> None:
    answer = ask(session, words)
    assert answer.understood is not None
    row = answer.records()[0]
    shown = [row for row in answer.records() if row.get("number")] or [row]
    found = next((str(shown[0][key]) for key in LEADING if shown[0].get(key)), "")
    assert (answer.understood.meaning, answer.edition, found) == (meaning, edition, lead)


LEADING = ("number", "item", "rule", "term", "part", "step", "change", "from", "source", "next")
"""The columns that say what a row is about."""


STEPS = (
    "Beginning of Combat Step, Cleanup Step, Combat Damage Step, Declare Attackers Step, "
    "Declare Blockers Step, Draw Step, End of Combat Step, End Step, Untap Step, Upkeep Step"
)
MAIN_PHASES = "Postcombat Main Phase, Precombat Main Phase"
PHASES = f"Beginning Phase, Combat Phase, Ending Phase, {MAIN_PHASES}"


@pytest.mark.parametrize(
    ("kind", "whole"),
    first(
        2,
        (("steps", STEPS), ("Main Phase", MAIN_PHASES), ("Step", STEPS), ("phase", PHASES)),
        pytest.mark.long(small="test_what_is_listed_of_a_kind_is_of_it_however_the_kind_is_written"),
    ),
)
def test_what_is_listed_of_a_kind_is_of_it_however_the_kind_is_written(
    kind: str, whole: str, newest: Session
) -> None:
    answer = ask(newest, "terms_of_kind", [kind])
    assert ", ".join(dict.fromkeys(str(row["term"]) for row in answer)) == whole


def test_a_list_is_named_where_it_holds_more_than_there_are_terms_of_the_kind(newest: Session) -> None:
    assert ask(newest, "terms_of_kind", ["color"]) == Answer(
        "terms_of_kind",
        ("term", "kind", "quote", "document", "line"),
        (),
        "cr-2026-01-16",
        ("`rulesgraph ask list_items color` has 5 rows.",),
        answered=False,
    )
    of_creatures = ask(newest, "terms_of_kind", ["Creature Type"])
    assert [row["term"] for row in of_creatures] == ["Wall"]
    held = len(ask(newest, "list_items", ["Creature Type"]).rows)
    assert of_creatures.notes == (f"`rulesgraph ask list_items 'Creature Type'` has {held} rows.",)
    assert held > 300


def test_a_list_that_holds_less_is_named_with_the_reason(newest: Session) -> None:
    """*Multikicker* is called one in the rule of another; two under one heading are one item."""
    kinds, listed = (ask(newest, it, ["keyword ability"]) for it in ("terms_of_kind", "list_items"))
    more = {str(row["term"]) for row in kinds} - {str(row["item"]) for row in listed}
    assert {"Multikicker", "Level Symbol", "Daybound", "Nightbound"} <= more
    says = f"has {len(listed)} rows, without those that only other sentences name."
    assert kinds.notes == (f"`rulesgraph ask list_items 'keyword ability'` {says}",)
    assert ask(newest, "terms_of_kind", ["Step"]).notes == ()
    assert ask(newest, "terms_of_kind", ["Mana Ability"]).notes == ()


def test_what_was_recognised_is_told_and_other_readings_are_offered(newest: Session) -> None:
    assert ask(newest, "how does sac work").understood == Understood(
        "What is Sacrifice? (definition)",
        ("\"sac\" is Sacrifice, in players' words: short for giving up a permanent of one's own.",),
        ("rulesgraph show Sacrifice",),
        asked=("definition", "Sacrifice"),
    )
    assert ask(newest, "Does trample work with deathtuch?").understood == Understood(
        "What do Trample and Deathtouch have in common? (interaction)",
        ('"deathtuch" is Deathtouch, misspelled.',),
        ("rulesgraph show Trample", "rulesgraph show Deathtouch"),
        asked=("interaction", "trample", "Deathtouch"),
    )
    assert ask(newest, "loot").understood == Understood(
        "Discard, by itself",
        ('"loot" is Discard, in players\' words: the second half of looting.',),
        ("rulesgraph show Draw",),
        "Discard",
    )
    assert ask(newest, "how many phases are there").understood == Understood(
        "What is on the list of Phase? (list_items)",
        (),
        ("rulesgraph ask terms_of_kind Phase", "rulesgraph show Phase"),
        asked=("list_items", "Phase"),
    )


def test_what_players_call_a_rule_without_a_name_is_shown(run: Run, newest_store: Path) -> None:
    code, out, err = run("show", "fizzle", "--edition", NEWEST, "--store", newest_store)
    assert (code, out.partition("\n")[0]) == (0, "608.2b")
    assert err.startswith('"fizzle" is 608.2b, in players\' words.\n')
    assert run("show", "Fizle", "--edition", NEWEST, "--store", newest_store)[0] == 2


PARTLY = [
    "does trample work with deathtouch if the blocker is indestructible and I sac it",
    "what is the best creature with trample",
    "list all cards with flashback ever printed in blue",
    "how many times can I cast flashback from my yard",
    "what happens when my opponent counters my commander in response",
    "do tokens go to the graveyard",
    "does a spell go with its controller into exile",
]


@pytest.mark.parametrize("words", PARTLY)
def test_no_question_of_the_catalogue_answers_a_part_of_what_was_asked(words: str, newest: Session) -> None:
    answer = ask(newest, words)
    assert (answer.name, answer.understood and answer.understood.meaning) == ("closest_rules", "")
    assert answer.rows


def test_a_question_that_finds_nothing_gets_the_closest_rules_and_says_so(newest: Session) -> None:
    answer = ask(newest, "Where is lethal damage defined?")
    assert (answer.name, answer.notes[0]) == (
        "closest_rules",
        "“Which rule defines Lethal Damage? (defining_rules)” has no direct answer.",
    )


def test_words_that_no_rule_has_are_told(mini: Session, starter_store: Path) -> None:
    question = "why does the zorblax moth flutter"
    notes = ask(mini, question).notes
    assert notes[0] == "No rule has “zorblax”."
    assert notes[-1].startswith("No cards are loaded: `rulesgraph build`")
    assert not [it for it in ask(mini, "why does the moth flutter").notes if "No rule has" in it]
    named = ask(mini, "do state-based effects kill the Pale Moth and Wick Lamp")
    assert named.lead[0].startswith(
        "“Pale Moth” and “Wick Lamp” look like card names, but no cards are loaded: "
    )
    assert not named.answered
    with_cards = session_on(starter_store)
    notes = ask(with_cards, "why do zorblaxes glitter").notes
    assert notes[0] == "The rules say nothing about “zorblaxes” or “glitter”."
    with pytest.raises(UnknownNameError, match=r"If this is a card, load cards first"):
        ask(mini, "definition", ["Zorblax"])


def test_what_comes_last_in_the_turn_is_followed_by_nothing(newest: Session) -> None:
    answer = ask(newest, "what comes after the cleanup step", edition=NEWEST)
    assert [tuple(row)[:3] for row in answer.rows] == [
        ("cleanup step", None, "turn"),
        ("cleanup step", None, "ending phase"),
    ]


def test_nothing_relies_on_it_is_an_answer(mini: Session) -> None:
    answer = ask(mini, "Which terms rely on rule 100.1a?")
    assert (answer.name, answer.rows) == ("terms_relying_on", ())


BEFORE, AFTER = "cr-2031-02-01", "cr-2031-07-01"

# (words, the editions compared)
COMPARED = [
    ("what changed since 2031-02-01", (BEFORE, AFTER)),
    ("which rules changed since February 2031?", (BEFORE, AFTER)),
    ("wich rules changed since the last edition", (BEFORE, AFTER)),
    ("What is new since the last update?", (BEFORE, AFTER)),
    ("what's diferent since 2031-02-01", (BEFORE, AFTER)),
    ("how have the rules changed since the previous version", (BEFORE, AFTER)),
    ("how did the rules change from 2031-02-01 to 2031-07-01", (BEFORE, AFTER)),
    ("which rules are different between february 2031 and now", (BEFORE, AFTER)),
    ("the diferences between cr-2031-02-01 and the current rules", (BEFORE, AFTER)),
    ("compare the current rules with 2031-02-01", (AFTER, BEFORE)),
    ("what has changed since July 2031", (BEFORE, AFTER)),
]


@pytest.mark.parametrize(
    ("words", "is_history"),
    [
        ("When does summoning sickness go away?", False),
        ("When does priority change?", False),
        ("When did the monarch appear?", True),
        ("when was trample changed", True),
    ],
)
def test_when_it_does_is_about_the_game_when_it_did_about_its_rules(
    words: str, is_history: bool, newest: Session
) -> None:
    understood = ask(newest, words).understood
    assert understood is not None
    assert ("history" in understood.meaning) is is_history


@pytest.mark.parametrize(("words", "editions"), COMPARED)
def test_two_times_are_compared_however_they_are_named(
    words: str, editions: tuple[str, str], mini: Session
) -> None:
    before, after = editions
    answer = ask(mini, words)
    assert answer.understood
    assert answer.understood.meaning == f"What changed between {before} and {after}?"
    assert answer.rows == for_people(diff(mini, before, after).changes).rows
    assert answer.notes[-1] == f"rulesgraph diff {before} {after} groups these by kind, new rules first."


@pytest.mark.parametrize("words", ["what changed", "new_terms"])
def test_what_is_new_in_the_oldest_edition_cannot_be_told_and_that_is_said(
    words: str, newest: Session
) -> None:
    answer = ask(newest, words)
    told = (f"No edition before {NEWEST} is loaded, so it is not known what was new in it.",)
    assert (answer.name in ("changed_rules", "new_terms"), answer.rows, answer.notes) == (True, (), told)


def test_what_nothing_is_called_is_looked_for_before_it_is_refused(mini: Session) -> None:
    for words in ("what is a dark bag", "dark bag?", "which terms rely on a dark bag"):
        assert ask(mini, words).name == "closest_rules"
    assert {row["number"] for row in ask(mini, "watch")} == {row["number"] for row in ask(mini, "watch?")}
    # Two words to look for, not a question about things that nothing is called.
    assert not ask(mini, "frobnicator and widget").rows
    with pytest.raises(UnknownNameError, match="no term or number is called 'frobnicator'"):
        ask(mini, "what is a frobnicator")
    with pytest.raises(UnknownNameError, match="no term, number or question is called 'frobnicator'"):
        ask(mini, "frobnicator")
    with pytest.raises(UnknownNameError, match="Did you mean terms_relying_on"):
        ask(mini, "terms_relyin_on")


@pytest.mark.parametrize("words", ["loaded", "form", "lanterns"])
def test_an_english_word_is_no_slip_of_the_pen(words: str) -> None:
    assert is_english(words)
    assert not is_english(f"{words}x")


def test_an_edition_that_is_not_loaded_is_named(newest: Session) -> None:
    with pytest.raises(UnknownNameError, match="no loaded edition was in force in 1994"):
        ask(newest, "how did trample work in 1994")
    with pytest.raises(UnknownNameError, match=r"only the rule numbers of cr-2012-\d\d-\d\d are known"):
        ask(newest, "what was 704.5k in 2012")
    with pytest.raises(UnknownNameError, match="no loaded edition is called 'cr-2031-01-01'"):
        ask(newest, "what was trample in cr-2031-01-01")


def test_a_time_in_the_words_wins_over_an_edition_that_is_given(mini: Session) -> None:
    assert ask(mini, "what is flutter", edition=BEFORE).edition == BEFORE
    later = ask(mini, "what is flutter in July 2031", edition=BEFORE)
    assert (later.name, later.edition) == ("definition", "cr-2031-07-01")
    assert later.notes[0] == (
        f"The question names a time, so it was asked about cr-2031-07-01, not about {BEFORE}."
    )
    within = ask(mini, "what is flutter in 2031", edition=BEFORE)
    assert (within.name, within.edition) == ("definition", BEFORE)


@pytest.mark.parametrize("words", ["", "  ", "\t\n"])
def test_an_empty_question_is_refused(words: str, mini: Session) -> None:
    with pytest.raises(UsageError, match="the question is empty"):
        ask(mini, words)


def test_a_bare_name_is_shown(run: Run, mini_store: Path) -> None:
    code, out, err = run("ask", "moths", "--store", mini_store)
    shown = run("show", "Moth", "--store", mini_store)
    assert (code, out) == shown[:2]
    assert err == f"Understood as: Moth, by itself\n{shown[2]}"
    code, out, _ = run("ask", "rule 201.1", "--store", mini_store)
    assert (code, out) == run("show", "201.1", "--store", mini_store)[:2]


def test_people_are_told_how_they_were_understood(run: Run, mini_store: Path) -> None:
    code, _, err = run("ask", "hwo does a fluter work?", "--store", mini_store)
    assert code == 0
    assert err.replace(f" --store {mini_store}", "") == (
        "Understood as: What is Flutter? (definition)\n"
        '"fluter" is Flutter, misspelled.\n'
        "3 rows, from cr-2031-07-01\n"
        "Or: rulesgraph show Flutter\n"
    )


def test_long_lists_are_folded_for_people_alone(run: Run, newest_store: Path) -> None:
    asked = ("ask", "list all keyword actions", "--store", newest_store)
    rows = len(json.loads(run(*asked, "--format", "json")[1]))
    code, folded, err = run(*asked)
    assert (code, rows > 40) == (0, True)
    assert f"\n{rows - 40} more rows: --all shows them\n" in err
    code, whole, err = run(*asked, "--all")
    assert whole.count("\n") > folded.count("\n")
    assert "more rows" not in err


@pytest.mark.parametrize("asked", ["statistics", "would a glimmer help"], ids=["rows", "passages"])
def test_a_limit_holds_in_every_format(run: Run, mini_store: Path, asked: str) -> None:
    ask = ("ask", asked, "--store", mini_store)
    whole = json.loads(run(*ask, "--format", "json")[1])
    for form in ("json", "csv", "tsv", "table"):
        code, out, err = run(*ask, "--limit", "1", "--format", form)
        assert code == 0
        assert f"{counted(len(whole) - 1, 'more row')}: a larger --limit shows more\n" in err
        assert f"{len(whole)} rows, from cr-2031-07-01\n" in err
        if form == "json":
            assert json.loads(out) == whole[:1]
        elif form != "table":
            assert len(out.splitlines()) == 2
    assert run(*ask, "--limit", str(len(whole)), "--format", "json")[1] == run(*ask, "--format", "json")[1]


@pytest.mark.parametrize(
    ("words", "first", "last", "note"),
    [
        ("what does rule 704.5 say", "704.5", "704.5z", ""),
        ("explain rule 903.5", "903.5", "903.5", "903.5a to 903.5e are parts of it"),
        ("what does rule 502.1 say", "502.1", "502.1", ""),
    ],
)
def test_the_opening_of_a_list_comes_with_its_parts_and_others_name_theirs(
    words: str, first: str, last: str, note: str, newest: Session
) -> None:
    answer = ask(newest, words)
    assert (answer.rows[0][0], answer.rows[-1][0]) == (first, last)
    assert [it.partition(":")[0] for it in answer.notes if "part" in it] == ([note] if note else [])
