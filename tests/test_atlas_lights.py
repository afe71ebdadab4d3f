"""Answers become what lights up on the map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rulesgraph.viz.lights import lights
from rulesgraph.viz.selection import Light
from test_atlas import little


@dataclass(frozen=True)
class AnswerTable:
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def test_a_chain_keeps_its_steps_and_sentences() -> None:
    rows = AnswerTable(
        ("step", "from", "link", "to", "quote", "document", "line"),
        ((1, "Oar", "definition", "10.1a", "An oar rows.", "boats", 7),),
    )
    found = lights(little(), rows, "Why?", [("Oar",), ("gone", "10.1a")], ["They meet."])
    assert (found.form, found.about, found.notes) == ("chain", ("Oar", "10.1a"), ("They meet.",))
    assert found.rows == (Light(("Oar", "10.1a"), "definition", ("An oar rows.",), "boats", 7),)


def test_changes_name_rules_by_number_and_say_how() -> None:
    rows = AnswerTable(("number", "change", "text"), (("10.2", "reworded", "Oar"), ("99", "added", "")))
    found = lights(little(), rows, "What changed?", [])
    assert found.form == "changes"
    assert found.rows == (Light(("10.2",), "reworded", ("Oar",), "", 0), Light((), "added", (), "", 0))


def test_any_other_answer_is_a_list() -> None:
    found = lights(little(), AnswerTable(("term", "other"), (("Oar", "Mast"), ("Oar", None))), "Which?", [])
    assert (found.form, [row.things for row in found.rows]) == ("list", [("Oar", "Mast"), ("Oar",)])


def test_common_ground_is_told_by_its_columns() -> None:
    found = lights(
        little(),
        AnswerTable(
            ("ground", "number", "quote", "other_number", "other_quote"),
            (("Mast", "10.2", "a", "10.1", "b"),),
        ),
        "?",
        [],
    )
    assert found.form == "meeting"
    assert found.rows == (Light(("Mast", "10.2", "10.1"), "", ("a", "b"), "", 0),)
