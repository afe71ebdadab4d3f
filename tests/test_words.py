"""Questions in words, as people ask them, find their question and what they are about."""

from __future__ import annotations

import pytest
from rulesgraph.loaders.language.numbers import number_in
from rulesgraph.ontology.errors import UnknownNameError
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.answering.understanding import meanings, refusal
from rulesgraph.queries.cards import naming
from rulesgraph.queries.catalogue.matching import fitting
from rulesgraph.queries.catalogue.questions import Question, questions
from rulesgraph.queries.searching.terms import sought_in
from rulesgraph.queries.session import Session

OF_KINDS = {"list_items", "terms_of_kind", "narrower_terms"}
"""Questions with examples in common: what finds something is reported."""

# (words, question, arguments)
ASKED: list[tuple[str, str, tuple[str, ...]]] = [
    ("Which terms rely on waning checks?", "terms_relying_on", ("waning checks",)),
    ("which terms rely on the waning check", "terms_relying_on", ("waning check",)),
    ("What depends on rule 300.2b?", "terms_relying_on", ("rule 300.2b",)),
    ("who cites 300?", "citing", ("300",)),
    ("What does Flutter rely on?", "relied_on_by_term", ("Flutter",)),
    ("What is a moth?", "definition", ("moth",)),
    ("What's a moth?", "definition", ("moth",)),
    ("Please tell me: what is the light", "definition", ("light",)),
    ("Define Lose the Evening.", "definition", ("Lose the Evening",)),
    ("What does 201.1 say?", "rule_text", ("201.1",)),
    ("What does rule 201.1 say?", "rule_text", ("201.1",)),
    ("Which terms are obsolete?", "obsolete_terms", ()),
    ("What replaced Glow?", "replacement", ("Glow",)),
    ("What do Moth and Bag have in common?", "interaction", ("Moth", "Bag")),
    ("What changed since 2031-02-01?", "paragraphs_changed_since", ("2031-02-01",)),
    ("What changed since 2031 (May)?", "paragraphs_changed_since", ("2031 (May)",)),
    ("What did Ada say?", "rulings_by", ("Ada",)),
    ("WHICH REFERENCES LEAD NOWHERE", "dangling_references", ()),
    ("How many terms are there?", "statistics", ()),
]


@pytest.mark.parametrize(("words", "name", "args"), ASKED)
def test_words_find_their_question(words: str, name: str, args: tuple[str, ...], mini: Session) -> None:
    found = next(it for around in (False, True) for it in meanings(mini, words, around=around))
    assert (found.question.name, found.args) == (name, args)


def test_words_give_the_same_answer_as_names(mini: Session) -> None:
    assert ask(mini, "Which terms rely on waning checks?") == ask(mini, "terms_relying_on", ["Waning Checks"])


def test_a_question_that_nothing_fits_gets_the_nearest(mini: Session) -> None:
    told = refusal(mini, "Which terms might possibly rely upon moths someday?")
    assert isinstance(told, UnknownNameError)
    assert any("rely on" in suggestion for suggestion in told.suggestions)


def test_a_fitting_question_about_something_unknown_says_what_is_unknown(mini: Session) -> None:
    told = refusal(mini, "Which terms rely on lanters?")
    assert isinstance(told, UnknownNameError)
    assert (told.name, "Lantern" in str(told)) == ("lanters", True)


@pytest.mark.parametrize("question", questions(), ids=lambda q: q.name)
def test_every_example_finds_its_own_question(question: Question) -> None:
    """With its slots filled, an example finds its question by its words, and none with more words."""
    fillings = {"concept": "Moth", "other": "Bag", "authority": "Ada", "date": "2031-02-01", "words": "moth"}
    fillings["card"] = "Moth"
    for phrasing in question.phrasings:
        fits = fitting(phrasing.format(**fillings))
        assert question.name in {fit.question.name for fit in fits if fit.own == fits[0].own}, phrasing
        rivals = {
            other.name
            for other in questions()
            for rival in other.phrasings
            if other.name != question.name and rival.casefold() == phrasing.casefold()
        }
        # Membership of a kind comes from a list, or from what the texts say of each; a number is asked for as
        # a term is.
        assert rivals <= OF_KINDS | {"definition", "rule_text"}, phrasing


# (words, the number in them)
NUMBERS = [
    ("420", "420"),
    ("rule 420", "420"),
    ("Rule 420.5A.", "420.5a"),
    ("rules 704.5aa", "704.5aa"),
    ("CR 702.15", "702.15"),
    ("g16.26", "G16.26"),
    ("Rule G8.4", "G8.4"),
    ("G12.12.ruling.1", "G12.12.Ruling.1"),
    ("section 3", "3"),
    ("chapter 502", "502"),
    # names that only look like numbers
    ("Ring 2", ""),
    ("4th", ""),
    ("rule", ""),
    ("1234", ""),
]


@pytest.mark.parametrize(("text", "number"), NUMBERS)
def test_numbers_are_told_from_names(text: str, number: str) -> None:
    assert number_in(text) == number


@pytest.mark.parametrize(
    ("words", "figures"),
    [("life -3", ["3"]), ("-3 life", ["0"]), ("my life is -3", ["0"]), ("it is a -1/-1 counter", [])],
)
def test_less_than_nothing_counts_as_nothing(mini: Session, words: str, figures: list[str]) -> None:
    found = sought_in(mini.index(mini.current.editions[0]), words, {})
    assert [it.word for it in found if it.word.isdigit()] == figures


def test_a_rare_word_that_no_rule_has_is_the_name_of_a_card() -> None:
    place, known = naming._Place(0, 8, "pacifism", False), [("plainNameKey", "x:pacifism", "Pacifism")]
    found = naming._meant("pacifism stays", place, known, [], False, {"pacifism"})
    assert found is not None
    assert found.name == "Pacifism"
    assert naming._meant("pacifism stays", place, known, [], False, ()) is None
