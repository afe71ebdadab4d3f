"""How many there are is what the same question with *which* finds."""

from __future__ import annotations

import pytest
import rulesgraph
from rulesgraph.loaders.build import starter_cards
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.session import Session

# (question, what is said of the newest edition)
COUNTED = [
    ("obsolete terms are there", "There are 33 terms."),
    ("keyword abilities were added since 2016", "There are 74."),
    ("state-based actions were added since 2020", "There are 8."),
    ("rules were added in 2025", "There are 104."),
    ("rules cite 704.5", "There are 11 rules and 4 other texts."),
    ("terms rely on priority", "There are 65 terms."),
    ("rules mention deathtouch", "There are 10 rules."),
    ("rules mention trample", "There are 10 rules and 1 other text."),
    ("kinds of keyword counters are there", "There are 15 terms."),
    ("kinds of counters are there",
     "20 terms found. These were found sentence by sentence, not in a list of the rules: there may be more."),
    ("editions are loaded", "There is 1."),
    ("rules mention Minsc", "2 texts in cr-2026-01-16 have it."),
    ("rules contain the word “trample”", "18 texts in cr-2026-01-16 have it."),
    ("keyword abilities are there", "cr-2026-01-16 lists 188 Keyword Abilities."),
    ("chapters are there", "These are 9 sections and 146 chapters."),
    ("glossary entries are marked obsolete", "There are 33 terms."),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "said"), COUNTED, ids=[it for it, _ in COUNTED])
def test_how_many_is_the_number_of_which(asked: str, said: str, newest: Session) -> None:
    which, many = ask(newest, f"Which {asked}?"), ask(newest, f"How many {asked}?")
    assert (many.name, many.rows) == (which.name, which.rows)
    assert which.name != "closest_rules"
    assert many.lead[0] == said


def test_one_number_in_two_editions_is_two_rules(real: Session) -> None:
    editions = ("cr-2026-01-16", "cr-2025-04-04")
    each = [ask(real, "How many rules mention deathtouch?", edition=it) for it in editions]
    both = ask(real, "How many rules mention deathtouch?", edition=",".join(editions))
    assert both.lead[0] == f"There are {sum(len({row[0] for row in it.rows}) for it in each)} rules."


@pytest.mark.parametrize(("things", "class_"), [("rules", "Rule"), ("entries", "Entry")])
def test_how_much_is_there_is_one_of_the_statistics(things: str, class_: str, newest: Session) -> None:
    query = f"SELECT (COUNT(?it) AS ?n) {{ ?it a rg:{class_} FILTER NOT EXISTS {{ ?it rg:loaded false }} }}"
    [row] = newest.sparql(query).records()  # type: ignore[union-attr]
    assert ask(newest, f"How many {things} are there?").lead[0] == f"There are {row['n']:,} {things}."


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("How many steps does the combat phase have?", "5 steps"),
        ("How many phases in a turn are there?", "5 phases"),
    ],
)
def test_steps_are_told_from_phases(words: str, number: str, newest: Session) -> None:
    assert ask(newest, words).lead[0] == f"There are {number}."


@pytest.mark.parametrize(
    "words",
    [
        "How many cards can I have in my hand?",
        "How many creatures can block one attacker?",
        "How many keyword abilities does a creature have?",
        "How many names does a card have?",
        "How many creature types can a creature have?",
        "How many zones does each player have?",
    ],
)
def test_what_is_allowed_is_not_counted(words: str, newest: Session) -> None:
    found = ask(newest, words)
    assert found.name == "closest_rules"
    assert not any(it.startswith("There are") or " lists " in it for it in found.lead)


def test_a_list_by_its_parts_is_the_same_in_other_words(newest: Session) -> None:
    rows = {
        ask(newest, words).rows for words in ("List all parts of a card", "What are the parts of a card?")
    }
    assert len(rows) == 1
    assert len(rows.pop()) > 10


@pytest.mark.parametrize(
    "words",
    [
        "Which rules mention Lamp?",
        "How many rules mention oil?",
        "What is the legend rule?",
        "How many?",
        "When was Provoke last changed?",
        "Which kinds have ever existed?",
        "Which kinds were removed?",
        "What is layer 7b?",
    ],
)
def test_cards_without_rules_have_no_answer(words: str) -> None:
    rules = rulesgraph.build([starter_cards()], store=":memory:").rules
    with pytest.raises(rulesgraph.RulesMissingError):
        rules.ask(words)


def test_editions_are_those_of_the_whole_store(real: Session, newest: Session) -> None:
    for session in (real, newest):
        loaded = {it.id for it in session.editions()}
        assert {row["edition"] for row in ask(session, "which editions are loaded")} == loaded
        assert ask(session, "how many editions are loaded").lead == (
            f"There {'is' if len(loaded) == 1 else 'are'} {len(loaded)}.",
        )


@pytest.mark.parametrize(
    ("words", "step", "rules"),
    [
        ("What is the first step of a turn?", "untap step", ("302", "502")),
        ("what is the third step in a turn", "draw step", ("304", "504")),
        ("What is the last step of a turn?", "cleanup step", ("314", "514")),
    ],
)
def test_a_step_of_a_turn_is_no_phase(words: str, step: str, rules: tuple[str, str], real: Session) -> None:
    for edition, rule in zip(("cr-2008-02-01", "cr-2026-01-16"), rules, strict=True):
        found = ask(real, words, edition=edition)
        [row] = found.records()
        assert (found.edition, row["item"], row["rule"]) == (edition, step, rule)


def test_all_kinds_of_parts_are_counted(newest: Session) -> None:
    found = ask(newest, "How many chapters does section 9 have?")
    assert found.lead == ("These are 6 chapters, 56 rules, 75 subrules and 8 examples.",)


@pytest.mark.parametrize("words", ["Which rules are in chapter 903?", "What are the rules of chapter 903?"])
def test_the_rules_in_a_chapter_are_its_parts(words: str, newest: Session) -> None:
    """They were read as the rule that defines it."""
    found = ask(newest, words)
    assert (found.name, found.rows) == ("parts_of", ask(newest, "parts_of", ["903"]).rows)


@pytest.mark.parametrize("words", ["difference between flying and reach", "how does lifelink rely on damage"])
def test_two_things_are_compared_in_the_edition_given(words: str, real: Session) -> None:
    for edition in ("cr-2008-02-01", "cr-2026-01-16"):
        found = ask(real, words, edition=edition)
        assert (bool(found.rows), found.edition) == (True, edition)


@pytest.mark.parametrize("words", ["how many poison", "how many attackers", "how many mulligan"])
def test_what_something_is_does_not_say_how_many(words: str, real: Session) -> None:
    for edition in ("cr-2026-01-16", "cr-2008-02-01"):
        found = ask(real, words, edition=edition)
        assert found.name == "closest_rules"
        assert not any(it.startswith("There ") for it in found.lead)


def test_how_often_something_changed_is_counted_by_the_way_of_change(newest: Session) -> None:
    found = ask(newest, "How many times was 704.5j reworded?")
    rows = [row for row in found.records() if row["number"]]
    reworded = [row for row in rows if row["change"] == "reworded"]
    assert f"reworded {len(reworded)} times" in found.lead[0]
    assert "unchanged" not in found.lead[0]
    assert found.lead[0].startswith("By this history, it was ")


@pytest.mark.parametrize(
    ("asked", "things"),
    [
        ("How many keyword abilities are there in each edition?", "keyword abilities"),
        ("which edition has the most rules", "rules"),
        ("which edition has the fewest keyword actions?", "keyword actions"),
    ],
)
def test_numbers_of_each_edition_are_those_told_of_it_alone(asked: str, things: str, real: Session) -> None:
    found = ask(real, asked)
    assert [row["edition"] for row in found] == [it.id for it in real.editions()][::-1]
    for row in found:
        alone = ask(real, f"How many {things} are there?", edition=str(row["edition"]))
        assert f" {row['count']:,} " in alone.lead[0]
    counts = {str(row["edition"]): row["count"] for row in found}
    if "most" in asked or "fewest" in asked:
        best = (max if "most" in asked else min)(counts, key=lambda it: counts[it])  # type: ignore[arg-type, return-value]
        assert found.lead[0].startswith(f"{best} has the ")


def test_numbers_of_things_that_are_no_kind_are_not_counted_by_edition(real: Session) -> None:
    assert ask(real, "how many apples are there in each edition").name == "closest_rules"
