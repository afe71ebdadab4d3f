"""Questions as people put them: with a clause that adds nothing, after their subject, about exact words."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.history.links import outline
from rulesgraph.queries.session import Session


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("list all the special actions a player can take", "What is on the list of Special Action?"),
        ("what are the special actions that players may take", "What is on the list of Special Action?"),
        ("name all the zones the rules have", "What is on the list of Zone?"),
        ("what would break if rule 608.2b changed", "Which rules rely on 608.2b?"),
        ("hexproof vs shroud", "What is Hexproof, and what is Shroud?"),
        ("what's the difference between 702.9 and 702.10", "What is Flying, and what is Haste?"),
        ("how do 704.5f and 704.5g differ", "What do 704.5f and 704.5g say?"),
        ("deathtouch vs indestructible?", "What do Deathtouch and Indestructible have in common?"),
        ("which statuses does a permanent have?", "What is on the list of permanent status?"),
        ("is an activated ability an ability?", "Is Activated Ability an Ability?"),
        ("which rules say what is in the text box?", "What is Text Box?"),
        ("what is the shortest path from lifelink to damage",
         "Through which links does Lifelink rely on Damage?"),
        ("is the legend rule a thing?", "What is the history of Legend Rule?"),
        ("what happened to banding, and when did it change last?", "What is the history of Banding?"),
        ("trample: what does it rely on?", "What does Trample rely on?"),
        ("what is ward? which rules rely on it", "Which rules rely on Ward?"),
    ],
)  # fmt: skip
def test_the_question_is_understood(words: str, meaning: str, newest: Session) -> None:
    found = ask(newest, words)
    assert found.understood
    assert found.understood.meaning.partition(" (")[0] == meaning
    assert found.rows


@pytest.mark.parametrize(
    "words",
    [
        "my creature has flying, can it be blocked?",
        "I attack with a trampler, does it hit a player?",
        "which rules do not contain the word target?",
    ],
)
def test_a_situation_is_no_question_after_its_subject(words: str, newest: Session) -> None:
    assert ask(newest, words).name == "closest_rules"


@pytest.mark.parametrize(("year", "number"), [("2008", "420.5e"), ("2009", "704.5k")])
def test_a_name_of_several_words_is_not_cut(year: str, number: str, real: Session) -> None:
    """*Legend* was another term; in 2008, no term was called *legend rule*, but the rule is known."""
    found = ask(real, f"what did the rules in {year} say about the legend rule")
    assert found.rows[0][0] == number
    assert "legendary" in str(found.rows[0])


@pytest.mark.parametrize("words", ["as though", "timestamp", "mana value"])
def test_all_texts_with_some_words_are_found(words: str, newest: Session) -> None:
    found = {row["number"] for row in ask(newest, f"which rules contain the words “{words}”?")}
    rules = [it for it in outline(newest, newest.editions()[0]).values() if not it.is_entry]
    having = {it.key for it in rules if re.search(rf"\b{words}\b", it.text, re.IGNORECASE)}
    assert having <= found


def test_only_the_first_passages_are_printed_whole(
    run: Callable[..., tuple[int, str, str]], newest_store: Path
) -> None:
    asked = ("ask", "--store", newest_store, "when are costs paid as I cast a spell with kicker and buyback?")
    _, short, said = run(*asked)
    _, whole, _ = run(*asked, "--all")
    blocks, full = ([it.split("\n") for it in text.strip().split("\n\n")] for text in (short, whole))
    assert [it[0] for it in blocks] == [it[0] for it in full]
    assert blocks[:5] == full[:5]
    cut = [it for it in blocks if it[-1].endswith(" …")]
    assert cut
    assert all(it not in blocks[:5] for it in cut)
    assert "only the beginning is shown" in said
    assert " …\n" not in whole


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("how many subrules does 702 have", r"These are \d+ rules, \d+ subrules and \d+ examples\."),
        ("how many parts does 104.3 have", r"These are \d+ subrules\."),
    ],
)
def test_how_many_parts_are_counted(words: str, said: str, newest: Session) -> None:
    found = ask(newest, words)
    assert re.fullmatch(said, found.lead[0])
    assert sum(map(int, re.findall(r"\d+", found.lead[0]))) == len(found)


@pytest.mark.parametrize(
    "words",
    ["when did they rename “comes into play” to enters the battlefield", "when was comes into play renamed"],
)
def test_an_old_name_has_the_date_of_its_new_one(words: str, real: Session) -> None:
    dated = "Comes into Play has been called Enters the Battlefield since cr-2009-07-11; "
    assert ask(real, words).lead[0].startswith(dated)


@pytest.mark.parametrize(
    "words",
    [
        "What was new in Magic 2015?",
        "Which rules were added with Magic 2010?",
        "What changed from M10?",
        "What changed in combat with Magic 2010?",
        "What was new in Kaldheim?",
    ],
)
def test_a_set_of_cards_is_no_edition(words: str, real: Session) -> None:
    """It was answered with what is new in the newest edition."""
    found = ask(real, words)
    assert (found.name, found.answered) == ("closest_rules", False)
    assert any(it.startswith("Sets of cards have no dates here") for it in found.lead)


@pytest.mark.parametrize(
    ("words", "lead"),
    [
        ("Did 704.5j always mean the legend rule?", "Legend Rule has been 704.5j since cr-2017-09-29"),
        ("Has 704.5j always been the legend rule?", "Legend Rule has been 704.5j since cr-2017-09-29"),
        ("Was 502.9 ever trample?", "Trample was 502.9 from cr-1999-04-23 until cr-2009-07-11"),
    ],
)
def test_a_number_may_come_before_what_it_numbers(words: str, lead: str, newest: Session) -> None:
    assert any(it.startswith(lead) for it in ask(newest, words).lead)


@pytest.mark.parametrize("words", ["What changed by Friday?", "What changed in Commander?"])
def test_not_every_name_is_a_set_of_cards(words: str, real: Session) -> None:
    assert not any(it.startswith("Sets of cards") for it in ask(real, words).lead)


@pytest.mark.parametrize("words", ["What is the ability rule?", "What is the trample rule?"])
def test_words_of_two_sentences_are_no_name_of_a_rule(words: str, newest: Session) -> None:
    assert ask(newest, words).name == "definition"


def test_one_edition_cannot_say_what_was_before(newest: Session) -> None:
    told = "Only one edition is loaded, so it is not known what others say"
    assert ask(newest, "What did trample use to say?").lead[0].startswith(told)


def test_texts_with_a_name_are_found_whatever_its_letters(newest: Session) -> None:
    asked = (ask(newest, f"Which rules mention {it}?") for it in ("Goblin", "goblin"))
    assert [len(it) for it in {tuple(row["iri"] for row in found) for found in asked}] == [4]
    assert "728.1" in [row[0] for row in ask(newest, "Which rules mention Shahrazad?").rows]
