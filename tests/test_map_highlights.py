"""Answers become highlights on the map."""

from __future__ import annotations

from rulesgraph.queries.session.answer import Answer
from rulesgraph.viz.select import highlights_of
from test_map import little

IDS = {iri: k for k, iri in enumerate(("Oar", "Mast", "10.1a", "10.1", "10.2"))}
OAR, MAST, A, ONE, TWO = IDS.values()


def test_a_chain_keeps_its_steps_and_sentences() -> None:
    rows = Answer(
        "why",
        ("step", "from", "link", "to", "quote", "document", "line"),
        ((1, "Oar", "definition", "10.1a", "An oar rows.", "boats", 7),),
        notes=("They meet.",),
    )
    found = highlights_of(little(), rows, "Why?", [("Oar",), ("gone", "10.1a")], IDS)
    assert (found["form"], found["about"], found["notes"]) == ("chain", [OAR, A], ["They meet."])
    assert found["rows"] == [
        {"things": [OAR, A], "how": "definition", "said": ["An oar rows."], "where": ["boats", 7]}
    ]


def test_changes_name_rules_by_number_and_say_how() -> None:
    rows = Answer(
        "changed_rules",
        ("number", "change", "text"),
        (("10.2", "reworded", "Oar"), ("99", "added", "")),
    )
    found = highlights_of(little(), rows, "What changed?", [], IDS)
    assert found["form"] == "changes"
    assert found["rows"] == [
        {"things": [TWO], "how": "reworded", "said": ["Oar"], "where": ["", 0]},
        {"things": [], "how": "added", "said": [], "where": ["", 0]},
    ]


def test_any_other_answer_is_a_list() -> None:
    found = highlights_of(
        little(), Answer("kinds_of", ("term", "other"), (("Oar", "Mast"), ("Oar", None))), "Which?", [], IDS
    )
    assert (found["form"], [row["things"] for row in found["rows"]]) == ("list", [[OAR, MAST], [OAR]])


def test_the_header_of_a_question_says_that_it_shows_common_ground() -> None:
    found = highlights_of(
        little(),
        Answer(
            "interaction",
            ("ground", "number", "quote", "other_number", "other_quote"),
            (("Mast", "10.2", "a", "10.1", "b"),),
        ),
        "?",
        [],
        IDS,
    )
    assert found["form"] == "meeting"
    assert found["rows"] == [{"things": [MAST, TWO, ONE], "how": "", "said": ["a", "b"], "where": ["", 0]}]
