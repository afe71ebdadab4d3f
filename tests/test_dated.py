"""Questions about when something came, changed or went: the date comes first, or that none is known."""

from __future__ import annotations

import pytest
from rulesgraph.ontology.errors import UnknownNameError
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.session import Session

LED = [
    ("does mana burn still exist?", "Mana Burn has been obsolete since cr-2009-07-11: "
     "it was in use from cr-1999-04-23 to cr-2009-05-01."),
    ("is there still mana burn", "Mana Burn has been obsolete since cr-2009-07-11: "
     "it was in use from cr-1999-04-23 to cr-2009-05-01."),
    ("when was mana burn abolished", "Mana Burn has been obsolete since cr-2009-07-11: "
     "it was in use from cr-1999-04-23 to cr-2009-05-01."),
    ("when did removed from the game become exile",
     "Removed from the Game has been called Exile since cr-2009-07-11; cr-2009-05-01 has the old name."),
    ("when did the battlefield replace in play",
     "In Play has been called Battlefield since cr-2009-07-11; cr-2009-05-01 has the old name."),
    ("when did damage stop using the stack",
     "217.6f, with these words, was in cr-2009-05-01 last; cr-2009-07-11 is without it."),
    ("what rule number did bushido have in 2005?", "Bushido was 502.38 in 2005, since cr-2004-10-01."),
    ("which number did first strike have in 1998",
     "First Strike was not in the rules in 1998: they have it since cr-1999-04-23."),
]  # fmt: skip


@pytest.mark.parametrize(("words", "lead"), LED)
def test_the_date_comes_first(words: str, lead: str, real: Session) -> None:
    answer = ask(real, words)
    assert answer.lead[0] == lead
    assert lead in answer.notes


def test_where_no_date_is_known_that_comes_first(real: Session) -> None:
    answer = ask(real, "when did planeswalkers become legendary")
    assert answer.lead[0].startswith("No date is known for this. The closest rule of today is 306.4: ")
    assert "the words last changed in cr-2017-09-29." in answer.lead[0]
    assert not ask(real, "when did I get priority on my creature").lead


def test_the_newest_rows_of_a_history_survive_a_limit(real: Session) -> None:
    answer = ask(real, "does mana burn still exist?", limit=3)
    assert [row[0] for row in answer.rows][-1] == max(
        str(row[0]) for row in ask(real, "trace mana burn").rows
    )
    assert all(str(row[0]) > "cr-2009" for row in answer.rows)
    assert answer.more


def test_changes_in_a_thing_in_a_year(real: Session) -> None:
    answer = ask(real, "what changed about trample in 2009")
    assert answer.understood
    assert answer.understood.meaning == "What changed in Trample in 2009?"
    with pytest.raises(UnknownNameError, match="no loaded edition was in force in 2003"):
        ask(real, "what changed in 2003")


@pytest.mark.parametrize("words", ["704.5k 2009", "704.5k in 2009"])
def test_a_year_beside_a_number_is_when_it_is_asked(words: str, real: Session) -> None:
    answer = ask(real, words)
    assert answer.understood
    assert (answer.understood.thing, answer.edition) == ("704.5k", "cr-2009-07-11")


def test_a_month_without_a_year_is_the_last_one(mini: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import date

    from rulesgraph.queries.answering import comparing

    class Then(date):
        @classmethod
        def today(cls) -> Then:
            return cls(2031, 9, 1)

    monkeypatch.setattr(comparing, "date", Then)
    answer = ask(mini, "what changed since March?")
    assert answer.understood
    assert answer.understood.meaning == "What changed between cr-2031-02-01 and cr-2031-07-01?"


@pytest.mark.parametrize(
    "words",
    ["does Ivory Wall remove counters", "remove a counter", "is it tapped permanently", "it counts as one"],
)
def test_an_everyday_word_does_not_lead_with_an_obsolete_term(words: str, real: Session) -> None:
    assert not [it for it in ask(real, words).lead if "obsolete" in it]
