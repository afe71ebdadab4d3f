"""Questions about when something came, changed or went: the answer begins with the date, or with none."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from rulesgraph import Rules
from rulesgraph.loaders.history.items import ChangeKind
from rulesgraph.loaders.history.lives import bundled_lives
from rulesgraph.loaders.language.numbers import wholes
from rulesgraph.ontology.grouping import grouped
from rulesgraph.ontology.terms import RG, SKOS
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.answering.sentences import APART, UNDATED
from rulesgraph.queries.history.beyond import changes_of, provisions_of
from rulesgraph.queries.history.links import outline, timeline
from rulesgraph.queries.history.rows import HistoryRow
from rulesgraph.queries.history.summary import state, told_history
from rulesgraph.queries.session import Session
from sweep import PartOf

LED = [
    ("does mana burn still exist?", "Mana Burn has been obsolete since cr-2009-07-11: "
     "it was in use from cr-1999-04-23 to cr-2009-05-01."),
    ("is there still mana burn", "Mana Burn has been obsolete since cr-2009-07-11: "
     "it was in use from cr-1999-04-23 to cr-2009-05-01."),
    ("when was mana burn abolished", "Mana Burn has been obsolete since cr-2009-07-11: "
     "it was in use from cr-1999-04-23 to cr-2009-05-01."),
    ("when was mana burn removed from the game", "Mana Burn has been obsolete since cr-2009-07-11: "
     "it was in use from cr-1999-04-23 to cr-2009-05-01."),
    ("in which edition was mana burn dropped?", "Mana Burn has been obsolete since cr-2009-07-11: "
     "it was in use from cr-1999-04-23 to cr-2009-05-01."),
    ("when did removed from the game become exile",
     "Removed from the Game has been called Exile since cr-2009-07-11; cr-2009-05-01 uses the old name."),
    ("when did the battlefield replace in play",
     "In Play has been called Battlefield since cr-2009-07-11; cr-2009-05-01 uses the old name."),
    ("when did damage stop using the stack",
     "217.6f, with these words, was last in cr-2009-05-01; removed in cr-2009-07-11."),
    ("in which edition did the legend rule become 704.5j",
     "Legend Rule has been 704.5j since cr-2017-09-29; before that it was 704.5k."),
    ("when did rule 704.5k become 704.5j",
     "This rule has been 704.5j since cr-2017-09-29; before that it was 704.5k."),
    ("since when is ward 702.21", "Ward has been 702.21 since cr-2021-04-22; no earlier number is known."),
    ("when did flying get rule number 702.9",
     "Flying has been 702.9 since cr-2009-07-11; before that it was 502.4."),
    ("when did flying get its number",
     "Flying has been 702.9 since cr-2009-07-11; before that it was 502.4."),
    ("when was flying 502.4",
     "Flying was 502.4 from cr-1999-04-23 until cr-2009-07-11; no earlier number is known."),
    ("when did 704.5j get its number",
     "This rule has been 704.5j since cr-2017-09-29; before that it was 704.5k."),
    ("when did trample move to 702.19",
     "Trample has been 702.19 since cr-2013-07-13; before that it was 702.18."),
    ("since when is trample rule 702.18",
     "Trample was 702.18 from cr-2011-06-17 until cr-2013-07-13; before that it was 702.17."),
    ("did the legend rule change in 2013",
     "Yes, Legend Rule changed in 2013. cr-2013-07-13: 704.5k reworded."),
    ("did rule 704.5j change in 2022", "Yes, 704.5j changed in 2022. cr-2022-09-08: 704.5j reworded."),
    ("did trample change in 2024",
     "No, Trample is not known to have changed in 2024: it changed last in cr-2023-04-14."),
    ("did exile change in 1998", "No edition of 1998 is known. The oldest is cr-1999-04-23; it has Exile."),
    ("what rule number did bushido have in 2005?", "Bushido was 502.38 in 2005, since cr-2004-10-01."),
    ("was mana burn ever in the rules?", "Mana Burn has been obsolete since cr-2009-07-11: "
     "it was in use from cr-1999-04-23 to cr-2009-05-01."),
    ("has there ever been mana burn", "Mana Burn has been obsolete since cr-2009-07-11: "
     "it was in use from cr-1999-04-23 to cr-2009-05-01."),
    ("Was Commander in the rules in 2008?",
     "Commander was not in the rules in 2008: they have had it since cr-2009-10-01."),
    ("what was Commander in 2008",
     "Commander was not in the rules in 2008: they have had it since cr-2009-10-01."),
    ("were there planeswalkers in 2006",
     "Planeswalker was not in the rules in 2006: they have had it since cr-2007-10-01."),
    ("did the London mulligan exist in 2015",
     "It is not known whether the rules of 2015 had London Mulligan: "
     "they have had it since cr-2025-04-04 or earlier."),
    ("since when are battles a card type",
     "Battle is a card type: there has been a rule about it since cr-2023-04-14."),
    ("when did hexproof become a keyword",
     "Hexproof is a keyword ability: there has been a rule about it since cr-2011-06-17."),
    ("how long have vehicles been an artifact type",
     "Vehicle is an artifact type: there has been a rule about it since cr-2016-09-30."),
    ("when did scry become a keyword action",
     "Scry is a keyword action: there has been a rule about it since cr-2004-06-01, at first as 502.36. "
     "Its first wording is not loaded, and may have said something else."),
    ("did combat damage use to use the stack",
     "217.6f, with these words, was last in cr-2009-05-01; removed in cr-2009-07-11."),
    ("which number did first strike have in 1998",
     "No edition of 1998 is known. The oldest is cr-1999-04-23; it has First Strike."),
    ("was there Kindred in 2013", "Kindred was 308 in 2013, since cr-2009-07-11. "
     "It was called Tribal until cr-2024-06-07; cr-2009-07-11 uses that name."),
    ("did the battlefield exist in 2008", "Battlefield was 217.5 in 2008, since cr-1999-04-23. "
     "It was called In Play until cr-2009-07-11; cr-2009-05-01 uses that name."),
    ("what was in play called in 2010", "In Play was 403 in 2010, since cr-2009-07-11. "
     "It has been called Battlefield since cr-2009-07-11."),
    ("when was tribal replaced by kindred",
     "Tribal has been called Kindred since cr-2024-06-07; cr-2009-07-11 uses the old name."),
    ("did mana value use to be converted mana cost",
     "Converted Mana Cost has been called Mana Value since cr-2021-04-22; cr-2009-07-11 uses the old name."),
    ("what was the last change of the stack",
     "Stack is in the newest loaded rules, cr-2026-01-16, as Stack, 405."),
    ("what was the stack called originally",
     "Stack is in the newest loaded rules, cr-2026-01-16, as Stack, 405."),
    ("was the battlefield ever called in play",
     "In Play has been called Battlefield since cr-2009-07-11; cr-2009-05-01 uses the old name."),
    ("was mana burn always in the rules", "Mana Burn has been obsolete since cr-2009-07-11: "
     "it was in use from cr-1999-04-23 to cr-2009-05-01."),
]  # fmt: skip


@pytest.mark.parametrize(("words", "lead"), LED)
def test_the_date_comes_first(words: str, lead: str, real: Session) -> None:
    answer = ask(real, words)
    assert answer.lead[0] == lead
    assert lead in answer.notes


def test_a_term_that_is_in_use_again_is_not_obsolete(real: Session) -> None:
    rows = [
        HistoryRow("cr-2008-02-01", "Lamp (Obsolete)", "", 1.0),
        HistoryRow("cr-2009-05-01", "Lamp", "reworded", 1.0),
        HistoryRow("cr-2026-01-16", "Lamp", "unchanged", 1.0),
    ]
    assert [*state(real, "Lamp", rows)] == [
        "Lamp is in the newest loaded rules, cr-2026-01-16."
        " cr-2008-02-01 calls it obsolete, cr-2009-05-01 does not."
    ]


def _told_changes(session: Session, terms: Iterable[str] | None) -> list[tuple[str, str, str]]:
    """Return terms, all or some, with their last change as answered, and as in the bundled list.

    In the list, that is the last one among the rules that define a term in the newest edition, and those
    below them there or later.
    """
    newest, lives = timeline(session)[-1], bundled_lives()
    numbers = {iri: it.key for iri, it in outline(session, newest).items() if not it.is_entry}
    parts = grouped(
        (whole, own)
        for rule, own in provisions_of(session, numbers).items()
        for whole in wholes(numbers[rule])
    )
    later = {
        part: wholes(it.number)
        for part in lives.provisions
        if (it := lives.at(part, lives.editions[-1])) and not lives.at(part, newest.id)
    }
    here, same = session.scope(newest.id), (ChangeKind.UNCHANGED, ChangeKind.RENUMBERED)
    rules = grouped(session.pairs(here, RG.definedBy))
    found = []
    for term, name in session.pairs(here, SKOS.prefLabel, of=rules):
        if terms is not None and name not in terms:
            continue
        history = told_history(session, name)
        told = re.search(r"the words last changed in (\S+?)[,;.](?!\d)", history.lead[1])
        first = min(str(row[0]) for row in history.rows)
        own = {part for rule in rules[term] if rule in numbers for part in parts[numbers[rule]]}
        ends = {it.number for part in own if (it := lives.at(part, lives.editions[-1]))}
        stages = [
            it for part in own for it in (*lives.before(part, newest.id), *lives.after(part, newest.id))
        ]
        stages += [
            it
            for part, above in later.items()
            if not ends.isdisjoint(above)
            for it in lives.before(part, lives.editions[-1])
        ]
        changed = (
            it.edition for it in stages if it.change not in same and (it.change or it.edition != first)
        )
        found.append((name, told[1] if told else "", max(changed, default="")))
    return found


def test_the_last_change_is_that_of_the_rule_and_all_below_it(real: Session) -> None:
    told = _told_changes(real, {"Combat Damage Step", "Protection", "Priority", "Legend Rule"})
    assert len(told) == 4
    assert [it for it in told if it[1] != it[2]] == []
    assert (
        "; the words last changed in cr-2024-11-08, in 510.1c and 510.1d;"
        in (ask(real, "when was the combat damage step last changed").lead[1])
    )


@pytest.mark.long(small="test_the_last_change_is_that_of_the_rule_and_all_below_it")
def test_the_last_change_of_every_term_agrees_with_the_list(real: Session, part_of: PartOf) -> None:
    terms = part_of((name for _, name in real.pairs(real.scope(), SKOS.prefLabel)), 150)
    told = _told_changes(real, terms)
    assert len(told) > len(terms) / 3
    assert [it for it in told if it[2] and it[1] != it[2]] == []


def test_words_that_held_for_a_part_of_a_year_say_so(real: Session) -> None:
    told = "This wording is from cr-2009-05-01 and cr-2009-07-11. "
    told += "In 2009 it changed with cr-2009-07-11, cr-2009-09-04."
    assert ask(real, "what was rule 510.5 in 2009").lead == (told,)
    told = "This wording is from cr-2009-07-11. In 2009 it changed with cr-2009-07-11."
    assert ask(real, "what was rule 510.1c in 2009").lead == (told,)
    told = "This wording is from cr-2009-07-11. Before 2012 it changed with cr-2009-09-04."
    assert ask(real, "what was rule 510.5 in 2012").lead == (told,)


def test_a_term_that_left_the_rules_says_so(real: Session) -> None:
    told = "Substance is not a term in the newest edition, cr-2026-01-16: this is from cr-"
    assert ask(real, "what was substance").lead[0].startswith(told)
    for words in ("what was removed from the game", "what was mana burn", "what is trample"):
        assert not [it for it in ask(real, words).lead if "no term of" in it]


def test_where_no_date_is_known_that_comes_first(real: Session) -> None:
    # Only sentences about other things have the words, but planeswalkers have a history.
    about = ask(real, "when did planeswalkers become green")
    assert (about.lead[0], about.answered) == (APART, False)
    assert "Planeswalker is in the newest loaded rules, cr-2026-01-16, as Planeswalker, 306." in about.lead
    answer = ask(real, "when did the starting player stop drawing a card")
    assert (answer.lead[0], answer.answered) == (UNDATED, False)
    assert not ask(real, "when did I get priority on my creature").lead
    assert not ask(real, "since when is my creature a zombie").lead
    assert ask(real, "how does double strike work at first").name != "blame"
    assert not ask(real, "When does the legend rule apply?").lead


@pytest.mark.parametrize(
    ("words", "rule", "sentence", "since"),
    [
        (
            "When did lifelink become a static ability?",
            "702.15a",
            "Lifelink is a static ability.",
            "2009-07-11",
        ),
        (
            "when did deathtouch become a static ability",
            "702.2a",
            "Deathtouch is a static ability.",
            "2009-07-11",
        ),
        # Of the best rule, a sentence may say more.
        ("since when do planeswalkers have loyalty", "306.5", "Loyalty is a characteristic", "2007-10-01"),
        ("When did planeswalkers become able to be attacked?", "506.3", "Only a player, a ", "2007-10-01"),
    ],
)
def test_a_sentence_that_says_so_is_dated(
    real: Session, words: str, rule: str, sentence: str, since: str
) -> None:
    answer = ask(real, words)
    said = answer.lead[0]
    assert said.startswith(f"{rule} has had this sentence, in some form, since cr-{since}"), said
    assert f": “{sentence}" in said
    assert answer.answered
    assert answer.rows


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("since when are planeswalkers legendary", "306.4"),
        ("when did spells start using the stack", "301.1"),
        ("when did first strike damage get its own step", "702.7a"),
        ("since when can you not respond to mana abilities", "605.4a"),
        ("when did mana abilities stop using the stack", "406.5"),
    ],
)
def test_a_sentence_that_may_say_something_else_is_no_answer(real: Session, words: str, rule: str) -> None:
    answer = ask(real, words)
    assert answer.lead[0].startswith((f"{rule} has had this sentence", f"{rule}, with these words, was last"))
    assert " ".join(answer.lead).endswith(
        "It has the words of the question, but may be about something else."
    )
    assert not answer.answered


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("since when is there no damage on the stack", "310.4"),
        ("is it still true that damage uses the stack", "217.6f"),
        ("does the 2008 damage on the stack rule still apply", "310.4"),
    ],
)
def test_what_is_no_longer_so_is_told_by_the_rule_that_went(real: Session, words: str, rule: str) -> None:
    answer = ask(real, words)
    assert answer.lead[0].startswith(
        f"{rule}, with these words, was last in cr-2009-05-01; removed in cr-2009-07-11."
    )
    assert answer.answered


def test_the_newest_rows_of_a_history_survive_a_limit(real: Session) -> None:
    answer = ask(real, "does mana burn still exist?", limit=3)
    assert [row[0] for row in answer.rows][-1] == max(
        str(row[0]) for row in ask(real, "trace mana burn").rows
    )
    assert all(str(row[0]) > "cr-2009" for row in answer.rows)
    assert answer.more


@pytest.mark.parametrize(
    "words",
    [
        "what did deathtouch use to do",
        "how was deathtouch worded originally",
        "what was deathtouch in the past",
        "how did deathtouch work before the change?",
        "has deathtouch always worked like this?",
        "the old wording of deathtouch",
    ],
)
def test_what_a_rule_said_before_is_what_it_said_until_its_newest_change(words: str, real: Session) -> None:
    answer = ask(real, words)
    assert (answer.name, answer.edition) == ("blame", "cr-2026-01-16")
    _, since, number, before, *_ = answer.rows[0]
    assert (since, number) == ("cr-2025-11-14", "702.2c")
    assert answer.lead[0] == f"Before cr-2025-11-14, 702.2c said: “{before}”"
    assert [row[3] is None for row in answer.rows] == sorted(row[3] is None for row in answer.rows)


def test_what_an_obsolete_thing_was_is_its_last_definition(real: Session) -> None:
    answer = ask(real, "how did mana burn work in the past")
    assert (answer.name, answer.edition) == ("definition", "cr-2009-05-01")
    assert [row[0] for row in answer.rows] == [None, "300.3"]
    assert answer.lead[0].startswith("Mana Burn has been obsolete since cr-2009-07-11")


def test_the_one_thing_in_a_question_without_a_date_has_a_history(real: Session) -> None:
    answer = ask(real, "since when does the legend rule let you keep one")
    assert answer.lead[0] == APART
    assert answer.lead[1].startswith("Before cr-2022-09-08, 704.5j said: “")
    assert not answer.answered


def test_a_rule_that_went_changed_under_its_last_number() -> None:
    life = [
        HistoryRow("cr-2008-02-01", "1.1", "", 1.0),
        HistoryRow("cr-2009-07-11", "1.2", "reworded", 1.0),
        HistoryRow("cr-2012-02-01", None, "removed", None),
    ]
    changed = {"cr-2009-07-11": ["1.2"], "cr-2012-02-01": ["1.2"]}
    assert changes_of({"": life}, "cr-2008-02-01") == changed


def test_changes_in_a_thing_in_a_year(real: Session) -> None:
    answer = ask(real, "what changed about trample in 2009")
    assert answer.understood
    assert answer.understood.meaning == "What changed in Trample in 2009?"
    listed = ask(real, "what changed in 2003")
    assert {str(it["edition"])[:7] for it in listed} == {"cr-2003"}


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("which terms were gone by 2009",
         "Which entries were removed between cr-2008-02-01 and cr-2009-07-11?"),
        ("which rules were added between 2010 and 2012",
         "Which rules were added from 2011-01-01 to 2012-12-31?"),
        ("lifelink, may 2009 vs july 2009",
         "What changed in Lifelink between cr-2009-05-01 and cr-2009-07-11?"),
        ("what did equip's number change to", "What is the history of Equip?"),
        ("what was rule 420.5e renumbered to", "What became of rule 420.5e?"),
        ("which rules were added between 2008-02-01 and 2008-02-02",
         "Which rules were added between cr-2008-02-01 and cr-2008-02-01?"),
    ],
)  # fmt: skip
def test_two_times_have_the_changes_between_them(words: str, meaning: str, real: Session) -> None:
    """These are the changes of the known editions between two loaded ones."""
    found = ask(real, words)
    assert found.understood
    assert found.understood.meaning == meaning
    if " from " in meaning:
        assert found.rows
        assert found.edition == "cr-2010-10-01 to cr-2012-10-01"


def test_what_else_had_a_number_comes_first(real: Session) -> None:
    lead = ask(real, "what has rule number 704.5k become").lead
    assert lead == (
        "Until cr-2017-08-25, 704.5k was a rule that is now 704.5j.",
        "704.5k was another rule from cr-2017-09-29 to today: `rulesgraph trace 704.5k --from cr-2026-04-17` "
        "follows it.",
    )
    lead = ask(real, "the history of 704.5k").lead
    assert lead[0] == "704.5k is in the newest loaded rules, cr-2026-01-16."
    assert lead[-1].startswith("704.5k was another rule from cr-2009-07-11 to cr-2017-08-25 (now 704.5j)")


@pytest.mark.parametrize("words", ["the newest keyword actions", "which keyword action was added last"])
def test_the_newest_things_of_a_kind_have_the_date_of_their_rule(words: str, real: Session) -> None:
    found = ask(real, words)
    assert found.columns == ("since", "item", "number")
    assert found.rows[:3] == (
        ("cr-2026-01-16", "Blight", "701.68"),
        ("cr-2025-11-14", "Waterbend", "701.67"),
        ("cr-2025-11-14", "Earthbend", "701.66"),
    )


@pytest.mark.parametrize("words", ["704.5k 2009", "704.5k in 2009"])
def test_a_year_beside_a_number_is_when_it_is_asked(words: str, real: Session) -> None:
    answer = ask(real, words)
    assert answer.understood
    assert (answer.understood.thing, answer.edition) == ("704.5k", "cr-2009-07-11")


def test_a_month_without_a_year_is_the_last_one(mini: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import date

    from rulesgraph.queries.answering import moment

    class Then(date):
        @classmethod
        def today(cls) -> Then:
            return cls(2031, 9, 1)

    monkeypatch.setattr(moment, "date", Then)
    answer = ask(mini, "what changed since March?")
    assert answer.understood
    assert answer.understood.meaning == "What changed between cr-2031-02-01 and cr-2031-07-01?"
    for words in ("what changed between February and July 2031", "what changed from Feb. to July 2031?"):
        assert ask(mini, words).understood == answer.understood


@pytest.mark.parametrize(
    "words",
    ["does Ivory Wall remove counters", "remove a counter", "is it tapped permanently", "it counts as one"],
)
def test_an_everyday_word_does_not_lead_with_an_obsolete_term(words: str, real: Session) -> None:
    assert not [it for it in ask(real, words).lead if "obsolete" in it]


@pytest.mark.parametrize(
    ("words", "edition", "asked"),
    [
        ("what is trample in 2008", "cr-2026-01-16", "cr-2008-02-01"),
        ("what was the legend rule in 2009", "cr-2009-05-01", "cr-2009-05-01"),
        ("what was the legend rule in 2009", "2009-05-01", "cr-2009-05-01"),
        ("what is trample in 2008", "2026-01-16", "cr-2008-02-01"),
        ("the keyword abilities in 2009", "cr-2026-01-16", "cr-2009-07-11"),
        ("can I redirect combat damage to a planeswalker in 2009", "cr-2026-01-16", "cr-2009-07-11"),
    ],
)
def test_a_time_in_the_words_is_meant(words: str, edition: str, asked: str, real: Session) -> None:
    answer = ask(real, words, edition=edition)
    assert (answer.edition, bool(answer.rows)) == (asked, True)
    given = f"cr-{edition.removeprefix('cr-')}"
    told = f"The question names a time, so it was asked about {asked}, not about {given}."
    assert (told in answer.notes) == (asked != given)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Since when has there been a rule about split cards?", "Split Cards"),
        ("since when are there rules on mulligans", "Mulligan"),
        ("since when have there been planeswalkers", "Planeswalker"),
        ("when was the rule about flying added", "Flying"),
    ],
)
def test_since_when_there_is_a_rule_about_a_thing_is_its_history(
    words: str, name: str, real: Session
) -> None:
    """No sentence that only leads to the rule is told for it."""
    answer = ask(real, words)
    assert answer.understood is not None
    assert (answer.understood.meaning, answer.answered) == (f"What is the history of {name}?", True)
    assert any(it.startswith("In the rules since cr-") for it in answer.lead)


@pytest.mark.parametrize(
    "words",
    [
        "which number does 502.2 of 2008-02-01 have now",
        "what number does 502.2 from cr-2008-02-01 have today",
        "what is 502.2 of the 2008-02-01 rules now",
        "where is rule 502.2 of February 2008 now",
        "what became of 502.2 of 2008-02-01",
        "the current number of 502.2 of 2008-02-01",
    ],
)
def test_a_number_of_a_time_is_that_of_the_rule_of_then(words: str, newest_rules: Rules) -> None:
    answer = newest_rules.ask(words)
    said = "February 2008" if "February" in words else "2008-02-01"
    assert answer.lead[0] == f"The rule that was 502.2 in {said} is 702.7 in cr-2026-01-16."
    assert (answer.rows[0][1], answer.rows[-1][1]) == ("502.2", "702.7")
    assert answer.understood is not None
    assert not any("502.2of" in it for it in answer.understood.others)
