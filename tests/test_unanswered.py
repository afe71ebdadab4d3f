"""Questions that the rules do not answer: `ask` says so first, but hardly ever when they do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import rulesgraph
from commands import Run
from measure_questions import asked, own_questions, unanswered
from rulesgraph import Rules
from rulesgraph.ontology.errors import RulesgraphError, UnknownNameError
from rulesgraph.queries.catalogue.questions import Question, questions
from rulesgraph.queries.searching.closest import FEW
from rulesgraph.queries.searching.plain_words import NO_TOURNAMENTS
from rulesgraph.queries.searching.scores import Passages
from sweep import PartOf

SILENT = "The rules say nothing about"
UNLIKELY = "The rules may say nothing about this: none has most of the question’s words."
ELSEWHERE = "The tournament documents, which are separate rules, may cover"


def lead_of(rules: Rules, question: str) -> str:
    """Return the beginning of an answer; a refusal itself says that nothing is known."""
    try:
        found = rules.ask(question)
    except RulesgraphError:
        return SILENT
    return " ".join(found.lead)


def test_words_that_no_rule_has_are_told_first(newest_rules: Rules) -> None:
    found = newest_rules.ask("how many warnings before I get a game loss for slow play")
    assert isinstance(found, Passages)
    assert (
        found.lead
        == found.notes[:2]
        == (
            f"{SILENT} “warnings” or “slow”.",
            f"{ELSEWHERE} “warnings” or “slow play”.",
        )
    )
    assert NO_TOURNAMENTS in found.notes
    assert (len(found), found.more) == (FEW, 12 - FEW)  # 104.3 with its parts, to k
    assert len(newest_rules.ask("how many warnings for slow play", limit=8)) == 8


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("whats the penalty for drawing an extra card", f"{ELSEWHERE} “penalty” or “drawing extra card”."),
        (
            "I drew an extra card",
            f"{ELSEWHERE} “drew extra card”.",
        ),  # the rules have each word, never both together
        ("may I take notes", f"{ELSEWHERE} “take notes”."),
        ("what does MTR 4.3 say", f"{SILENT} “mtr”. {ELSEWHERE} “mtr”."),
        ("can we split the prize", f"{ELSEWHERE} “split prize”."),  # the rules have prizes of another kind
        ("how long is a round", f"{ELSEWHERE} “long round”."),
        ("how do I run a tournament?", f"{SILENT} how tournaments are organized."),
        ("Am I stuck with a mulligan to six", ""),  # an idiom
        ("how do I become a level 2 judge", UNLIKELY),  # each word is in some rule
        ("What is the minimum age for a player?", UNLIKELY),  # the closest rules have little of it
        ("what happens if an infinite loop cant be stopped", ""),  # the rules' word instead
        ("What does fizzle mean", ""),  # players' word for a rule
    ],
)
def test_what_the_rules_leave_to_others_is_told(newest_rules: Rules, question: str, lead: str) -> None:
    assert lead_of(newest_rules, question) == lead


def test_a_card_that_only_examples_name_is_told_first(newest_rules: Rules) -> None:
    found = newest_rules.ask("Is Tarmogoyf a creature?")
    assert found.lead[0].startswith("“Tarmogoyf” looks like a card name, but no cards are loaded: ")
    assert not found.answered
    assert "Sven" not in " ".join(newest_rules.ask("Does Sven draw a card?").lead)  # rather a player


def test_a_name_of_tournament_rules_says_what_to_load(newest_rules: Rules) -> None:
    with pytest.raises(UnknownNameError) as caught:
        newest_rules.show("Slow Play")
    assert caught.value.way_out == f"{ELSEWHERE} “slow play”.\n  {NO_TOURNAMENTS}"


def test_an_answer_of_the_catalogue_tells_words_of_tournaments(newest_rules: Rules) -> None:
    found = newest_rules.ask("Can I bribe my opponent to concede?")
    assert (found.name, found.notes[-2:]) == ("interaction", (f"{ELSEWHERE} “bribe”.", NO_TOURNAMENTS))


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("can I block with a creature that came in this turn", "302.6"),
        ("can I block with a creature that came in this turn", "509.1a"),
        ("how many counters can a creature have", "122.1a"),  # no rule of the keyword action
        ("can I counter an ability", "701.6a"),
        ("how low can you mulligan", "103.5"),
        ("is there a way of countering lands", "305.1"),
        ("we both go to zero at once, who wins", "104.4a"),  # no names of two things
        ("he let my thing go through, can I do something again before he does?", "117.3b"),  # no name
        ("two of us both want to grab something at the exact same moment, who goes first?", "101.4"),
    ],
)
def test_everyday_phrases_count_like_the_words_of_the_rules(
    newest_rules: Rules, question: str, number: str
) -> None:
    """Also if a passage has nothing else of a question; and a clause with one is no mere setting."""
    found = newest_rules.ask(question)
    assert found.name == "closest_rules"
    assert number in [row["number"] for row in found][:3]


@pytest.mark.parametrize(
    "question", ["Can a creature with a zorblax block?", "Does trample zorblax deathtouch?"]
)
def test_a_question_about_several_things_is_about_the_rules(newest_rules: Rules, question: str) -> None:
    assert lead_of(newest_rules, question) == "No rule has “zorblax”."


def test_people_see_it_above_the_rules(run: Run, mini_store: Path) -> None:
    code, out, err = run("ask", "do moths zorblax on penalties", "--store", mini_store)
    assert (code, out.splitlines()[:3]) == (
        0,
        [f"{SILENT} “zorblax” or “penalties”.", "", out.splitlines()[2]],
    )
    assert "zorblax" not in err.partition("Looked for")[0]
    code, out, err = run("ask", "do moths zorblax on penalties", "--store", mini_store, "--format", "csv")
    assert SILENT not in out
    assert f"\n{SILENT} “zorblax” or “penalties”.\n" in err


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("How many points is a touchdown worth?", "No rule has “touchdown”."),
        ("How much mana does Fireball cost in Hearthstone?", "No rule has “fireball” or “hearthstone”."),
        (
            "What is the penalty for drawing an extra card at a tournament?",
            f"{ELSEWHERE} “penalty” or “drawing extra card”.",
        ),
        ("Are sleeves required at a tournament?", f"{ELSEWHERE} “sleeves”."),
        ("My opponent forgot his upkeep trigger, what now?", f"{ELSEWHERE} “forgot trigger”."),
        ("My opponent looks at an extra card while drawing", f"{ELSEWHERE} “looks extra card”."),
    ],
)
def test_a_word_that_decides_leaves_a_question_unanswered(
    newest_rules: Rules, question: str, lead: str
) -> None:
    found = newest_rules.ask(question)
    lead_on_words = [it for it in found.lead if "looks like a card name" not in it]  # *Fireball* does
    assert (found.answered, lead_on_words) == (False, [lead])


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("What does the keyword Zorbing do?", "zorbing"),
        ("what does the keyword zorbing do", "zorbing"),
        ("What is the creature type Zorb?", "zorb"),
        ("What is the toughness of Ragavan?", "ragavan"),
        ("What is the mana value of Snorlax?", "snorlax"),
        ("what is trample Snorlax", "snorlax"),
    ],
)
def test_an_unknown_name_is_never_left_out_of_a_question(
    newest_rules: Rules, question: str, unknown: str
) -> None:
    found = newest_rules.ask(question)
    assert (found.name, found.answered, found.lead) == ("closest_rules", False, (f"{SILENT} “{unknown}”.",))


def example_of(asked: Question, name: str, place: int) -> str:
    """Return an example of a question, the first of each choice, with a name in its slots."""
    plain = re.sub(r"\(([^()|]*)[^()]*\)", r"\1", asked.examples[place % len(asked.examples)])
    return re.sub(r"\{(\w+)\}", lambda slot: name if slot[1] == "concept" else "trample", plain)


@pytest.mark.long(small="test_an_unknown_name_is_never_left_out_of_a_question")
@pytest.mark.parametrize(
    "name",
    ["the keyword Zorbing", "Zorbing counters", "creature type zorb", "trample Zorbing", "the size of Zorbo"],
)
def test_no_question_is_answered_without_an_unknown_name_in_it(
    newest_rules: Rules, name: str, part_of: PartOf
) -> None:
    """Whatever the question, either it is refused, or the answer says that something is unknown."""
    about = [it for it in questions() if "concept" in {parameter.name for parameter in it.parameters}]
    asked = dict.fromkeys(example_of(it, name, place) for it in about for place in (0, 4))
    assert len(asked) >= 55
    told = {it: lead_of(newest_rules, it) for it in part_of(asked, 25)}
    silent = {it for it, lead in told.items() if lead != SILENT and "zorb" not in lead.lower()}
    assert silent == set()


def test_a_corrected_word_is_told_and_a_name_is_no_misspelled_word(newest_rules: Rules) -> None:
    found = newest_rules.ask("What does keyword ability Florping do?")
    said = "No rule has “florping”, so “flipping” was searched instead."
    assert (found.answered, found.lead) == (False, (said,))


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("How much does a booster pack cost?", "prices"),
        ("Who designed Magic?", "who made the game, and when"),
        ("When did Magic start?", "who made the game, and when"),
        ("Is trample better than flying?", "what is better or worse"),
        ("How many Magic cards exist?", "which cards and sets there are"),
    ],
)
def test_what_no_rule_tells_is_not_answered_with_its_words(
    newest_rules: Rules, question: str, topic: str
) -> None:
    found = newest_rules.ask(question)
    assert (found.name, found.answered, found.lead[-1]) == ("closest_rules", False, f"{SILENT} {topic}.")


def test_a_small_part_of_a_question_does_not_decide(newest_rules: Rules) -> None:
    asked = "Does the zorblax creature with trample and deathtouch assign combat damage to a planeswalker?"
    found = newest_rules.ask(asked)
    assert (found.answered, found.lead) == (True, ("No rule has “zorblax”.",))
    plain = newest_rules.ask(asked.replace("zorblax", "angry"))
    assert (plain.answered, plain.lead) == (True, ())
    assert plain.notes[0] == "No rule has “angry”."


@pytest.mark.long(small="test_a_word_that_decides_leaves_a_question_unanswered")
@pytest.mark.parametrize(("half", "number", "least"), [("tuned", 30, 29), ("unseen", 30, 24)])
def test_most_of_what_the_rules_do_not_answer_is_admitted(
    newest_rules: Rules, half: str, number: int, least: int
) -> None:
    """If they do not admit it, a question has only their words, or few others."""
    found = asked(newest_rules, unanswered(half))
    assert (len(found), sum(not it.answered for it in found)) == (number, least)


@pytest.mark.long(small="test_a_small_part_of_a_question_does_not_decide")
@pytest.mark.parametrize(("half", "most"), [("tuned", 3), ("unseen", 4)])
def test_questions_that_the_rules_answer_are_hardly_ever_given_up(
    newest_rules: Rules, half: str, most: int, part_of: PartOf
) -> None:
    some = part_of(own_questions(half), 40)
    assert sum(not it.answered for it in asked(newest_rules, some)) <= most


def test_an_everyday_form_of_an_obsolete_name_is_not_told_of(newest_rules: Rules) -> None:
    assert newest_rules.ask("does a copy of a spell count as cast").lead == ()
    assert "obsolete" in " ".join(newest_rules.ask("do I lose life by mana burn with a copy").lead)


EVERYDAY = (
    "can I run two copies of a legendary land?", "how many cards do I run in a sealed deck?",
    "do triggered abilities happen right away?", "does a mana ability resolve right away?",
    "cite the trample rule by its number", "which rule should I cite for the legend rule?",
    "can I run more than four copies of a basic land?", "if I run out of cards to draw do I lose?",
    "do I lose right away when my life hits zero?", "what happens when I run out of library?",
    "quick question: does vigilance let it block after attacking?", "so how exactly does ward work?",
    "my buddy says hexproof stops my own spells, is that legit?", "can I actually respond to a land?",
    "does lifelink kick in when my planeswalker deals damage?", "do my lands come in tapped by default?",
    "is my sealed deck allowed to have forty cards?", "how many lands should my deck run?",
    "can you walk me through the steps of combat?", "is it legit to attack a planeswalker directly?",
    "do I get stuck paying commander tax every time?", "can I run a sideboard?",
    "does flying stop ground creatures from blocking?", "does menace need two blockers or more?",
    "roughly how many poison counters kill me?", "when exactly can I cast instants?",
    "if I flash in a blocker, can it block immediately?", "can my creature attack the turn it shows up?",
)  # fmt: skip
BESIDE_THE_RULES = (
    "can I sell my opponent a card during the game?", "does the monarch get a free pizza?",
    "what is the penalty for slow play at a tournament?", "how much does a booster pack cost?",
    "may I use a smartphone during a match?", "who would win between Batman and a planeswalker?",
    "does blimpwalking let my creature evade blockers?", "what does the ability froodling do?",
    "how do I run a tournament for kids?", "what color of sleeves must I run?",
    "how do I run a marathon?", "can I run a marathon right away?",
)  # fmt: skip


@pytest.mark.parametrize("question", [*EVERYDAY, *BESIDE_THE_RULES])
def test_everyday_words_do_not_decide_whether_the_rules_answer(newest_rules: Rules, question: str) -> None:
    assert newest_rules.ask(question).answered == (question in EVERYDAY)


def test_words_that_a_phrase_stands_for_are_not_said_to_be_the_users(starter_store: Path) -> None:
    """The starter rules know no summoning sickness, which is how the phrase in the question is read."""
    found = rulesgraph.open(starter_store).ask("can I block with a creature that came in this turn")
    assert isinstance(found, Passages)
    assert found.lead == (UNLIKELY,)
