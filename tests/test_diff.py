"""Comparing editions: what changed, as people read it, and what relies on it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from string import ascii_lowercase

import pytest
from commands import Run
from rulesgraph.app.commands.editions import _readable, _runs
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.ontology.grouping import grouped
from rulesgraph.ontology.terms import RG, SKOS
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.history.diff import diff, for_people
from rulesgraph.queries.history.marking import stretches_of
from rulesgraph.queries.reliance.levels import EXPLICIT, Reach
from rulesgraph.queries.reliance.questions import relied_on_by_term
from rulesgraph.queries.reliance.walk import resolved
from rulesgraph.queries.session import Cells, Session

EARLY, LATE = "cr-2031-02-01", "cr-2031-07-01"


def test_differences(mini: Session) -> None:
    found = diff(mini, EARLY, LATE)
    rows = {(row[0], row[2], row[3]): str(row[4]) for row in found.changes.rows}
    assert ("renumbered", "300.2b", "310.2b") in rows
    assert ("added", "", "320.3") in rows
    assert ("removed", "202.2", "") in rows
    assert "[-left.-] {+right.+}" in rows["reworded", "201.2", "201.2"]
    assert ("moved and reworded", "Waning Checks", "Dusk Checks") in rows
    assert not [row for row in rows if row[1] == "201.1"]


def test_differences_the_other_way_round(mini: Session) -> None:
    rows = {(row[0], row[2], row[3]) for row in diff(mini, LATE, EARLY).changes.rows}
    assert ("moved and reworded", "Dusk Checks", "Waning Checks") in rows
    assert ("removed", "320.3", "") in rows
    assert ("added", "", "202.2") in rows


_CHANGES = [
    ("reworded", "101.2", "101.2"),
    ("reworded", "201.1a", "201.1a"),
    ("reworded", "201.2", "201.2"),
    ("references", "202.1", "202.1"),
    ("moved and reworded", "300", "310"),
    ("moved and reworded", "300.1", "310.1"),
    ("moved and reworded", "300.2", "310.2"),
    ("renumbered", "300.2a", "310.2a"),
    ("renumbered", "300.2b", "310.2b"),
    ("renumbered", "300.2c", "310.2c"),
    ("renumbered", "301", "320"),
    ("renumbered", "301.1", "320.1"),
    ("renumbered", "301.2", "320.2"),
    ("moved and reworded", "301.2a", "320.2a"),
    ("renumbered", "301.2b", "320.2b"),
    ("added", "", "320.3"),
    ("added", "", "320.3a"),
    ("renumbered", "301.3", "320.4"),
    ("references", "301.3a", "320.4a"),
    ("added", "", "Drift"),
    ("moved and reworded", "Waning Checks", "Dusk Checks"),
    ("references", "Flutter", "Flutter"),
    ("references", "Glimmer", "Glimmer"),
    ("reworded", "Lose the Evening", "Lose the Evening"),
    ("removed", "202.2", ""),
]


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (None, {row[0] for row in _CHANGES}),
        ("added", {"added"}),
        ("removed,references", {"removed", "references"}),
        (["reworded"], {"reworded", "moved and reworded"}),
        ("renumbered", {"renumbered"}),
        ("split,merged", set()),
    ],
)
def test_all_changes_or_some(mini: Session, only: str | list[str] | None, kinds: set[str]) -> None:
    found = diff(mini, EARLY, LATE, only=only).changes.rows
    assert [(row[0], *row[2:4]) for row in found] == [row for row in _CHANGES if row[0] in kinds]


def test_what_moved_is_what_has_another_number_or_name(mini: Session) -> None:
    found = diff(mini, EARLY, LATE, only="Moved").changes.rows
    moved = [row for row in _CHANGES if row[1] and row[2] and row[1] != row[2]]
    assert [(row[0], *row[2:4]) for row in found] == moved


def test_an_unknown_change_is_refused_with_those_that_there_are(mini: Session) -> None:
    with pytest.raises(UsageError, match="'lost' is not a kind of change"):
        diff(mini, EARLY, LATE, only="added,lost")


def test_changes_are_counted_by_chapter(mini: Session) -> None:
    chapters = diff(mini, EARLY, LATE).chapters
    assert chapters.columns[2:] == (
        "changes", "added", "removed", "reworded", "moved and reworded", "renumbered", "references", "split",
        "merged",
    )  # fmt: skip
    assert list(chapters.rows) == [
        ("101", "Starting the Evening", 1, 0, 0, 1, 0, 0, 0, 0, 0),
        ("201", "Lanterns", 2, 0, 0, 2, 0, 0, 0, 0, 0),
        ("202", "Moths", 2, 0, 1, 0, 0, 0, 1, 0, 0),
        ("310", "Dusk Checks", 6, 0, 0, 0, 3, 3, 0, 0, 0),
        ("320", "Keyword Abilities", 9, 2, 0, 0, 1, 5, 1, 0, 0),
        ("Glossary", "", 5, 1, 0, 1, 1, 0, 2, 0, 0),
    ]


def test_people_see_a_release_note_in_parts(
    run: Run, mini_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("diff", EARLY, LATE, "--store", mini_store)
    code, out, err = run(*command)
    assert code == 0
    assert [line for line in out.splitlines() if line.isupper() or line.endswith(")")] == [
        "NEW RULES (2)", "REWORDED (7)", "REMOVED (1)", "RENUMBERED (9)", "GLOSSARY (3)",
        "OTHER NUMBERS CITED (3)",
    ]  # fmt: skip
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "added 320.3 to 320.3a Drift" in lines
    assert "renumbered 300.2a to 300.2c → 310.2a to 310.2c 3 rules" in lines
    assert "references 3 texts 202.1, Flutter, Glimmer" in lines
    assert "more change" not in err
    monkeypatch.setattr("rulesgraph.app.commands.editions.SHOWN", 2)
    _, out, err = run(*command, "--only", "moved,added")
    assert "301.3" not in out
    assert "more changes: --all lists them" in err
    _, whole, err = run(*command, "--only", "moved,added", "--all")
    assert "301.3a → 320.4a" in whole
    assert "more changes" not in err


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        # a new or removed rule with its subrules, and a keyword before other rules
        (["added  9.1", "added  9.1a", "added  9.10"], ["9.1 to 9.1a", "9.10"]),
        (["removed 9", "removed 9.1", "removed 9.1a", "removed 8.2"], ["9 to 9.1a", "8.2"]),
        # what came from elsewhere among them is not new
        (["added  9", "added  9.1", "added  9.4", "added  9.4a"], ["9 to 9.1, 9.4 to 9.4a"]),
        # only neighbours that moved together
        (["renumbered 9.1a 8.1a", "renumbered 9.1b 8.1b"], ["9.1a to 9.1b → 8.1a to 8.1b"]),
        (["renumbered 9.1a 8.1a", "renumbered 9.1b 8.1c"], ["9.1a → 8.1a", "9.1b → 8.1c"]),
        (["renumbered 9.4k 8.4j", "renumbered 9.4m 8.4k"], ["9.4k to 9.4m → 8.4j to 8.4k"]),
        (["references 9.1 8.1", "renumbered 9.2 8.2"], ["9.1 to 9.2 → 8.1 to 8.2"]),
        (["references 9.1 9.1", "references 7.1 7.1"], ["2 texts"]),
        (["reworded 9.1 9.1", "reworded 9.1a 9.1a"], ["9.1", "9.1a"]),
    ],
)
def test_changes_that_belong_together_are_one_line(rows: list[str], lines: list[str]) -> None:
    changes = []
    for row in rows:
        change, *numbers = (it.replace(" 9", " 909") for it in row.split(" "))
        before, after = (re.sub(r"^(\d)\b", r"90\1", it) for it in (*numbers, *[""] * (change == "removed")))
        changes.append((change, "rule", before, after, "Take a moth."))
    found = [_readable(run)[1] for run in _runs(changes, joined=True)]
    assert [re.sub(r"\b90(\d)", r"\1", str(it)) for it in found] == lines
    assert len(_runs(changes, joined=False)) == len(rows)


def test_a_new_rule_with_a_title_comes_first() -> None:
    told = (
        ("105.2", "Take it."),
        ("702.9", "Drift"),
        ("702.9a", "Drift is an ability."),
        ("702.8", "∞ (Two)"),
    )
    runs = _runs([("added", "rule", "", number, words) for number, words in told], joined=True)
    assert [run[0][3] for run in runs] == ["702.9", "702.8", "105.2"]


def test_editions_the_wrong_way_round_are_told(mini: Session) -> None:
    note = f"{LATE} is newer than {EARLY}: these changes go back in time."
    found = diff(mini, LATE, EARLY)
    assert (found.changes.notes, found.terms.notes) == ((note,), (note,))
    assert diff(mini, EARLY, LATE).changes.notes == ()


def test_terms_affected_are_those_that_ask_names(mini: Session) -> None:
    agree(mini, EARLY, LATE)


@pytest.mark.long(small="test_terms_affected_are_those_that_ask_names")
@pytest.mark.parametrize("days", [("2025-04-04", "2026-01-16"), ("2008-02-01", "2009-05-01")])
def test_in_real_editions_too(real: Session, days: tuple[str, str]) -> None:
    agree(real, *(f"cr-{day}" for day in days))


def agree(session: Session, *editions: str) -> None:
    """Assert that terms rely on what `ask` names, or a part of it, and on all changed rules that it names."""
    for before, after in (editions, editions[::-1]):
        found = diff(session, before, after)
        scope = session.scope(after)
        defining = {
            term: {session.iris.parse(rule).key for rule in rules}
            for term, rules in grouped(session.pairs(scope, RG.definedBy)).items()
        }
        names = {name: term for term, name in session.pairs(scope, SKOS.prefLabel)}
        reworded = {
            str(row[3]) for row in found.changes.rows if row[0] not in ("removed", "renumbered", "references")
        }
        for name, _, rests in found.terms.rows:
            if resolved(session, [str(name)], after).things[0].iris != (names[str(name)],):
                continue  # a name that leads to another term
            asked = relied_on_by_term(session, [str(name)], after, Reach(EXPLICIT)).rows
            direct = {str(row[0]) for row in asked}
            owners = {names[it] for it in (*direct, str(name)) if it in names}
            direct |= set().union(*(defining.get(it, set()) for it in owners))
            listed = {*re.findall(r"\b\d{3}\b(?:\.\d+[a-z]*)?", str(rests))}
            assert all(it in direct or it.rstrip(ascii_lowercase) in direct for it in listed), (name, rests)
            numbers = {str(row[0]) for row in asked if row[1] == "rule"}
            assert numbers & reworded <= listed, (name, rests)
        assert found.terms.rows


@pytest.mark.parametrize("days", [("2025-04-04", "2026-01-16"), ("2008-02-01", "2009-05-01")])
def test_marked_words_without_the_removed_ones_are_the_later_text(
    real: Session, days: tuple[str, str]
) -> None:
    before, after = (f"cr-{day}" for day in days)
    texts = {
        str(unit).partition("/rule/")[2]: " ".join(str(text).split())
        for unit, text in real.pairs(real.scope(after), RG.text)
    }
    rows = [it for it in diff(real, before, after).changes.rows if it[0] == "reworded" and it[1] == "rule"]
    later = {
        str(row[3]): " ".join(words for what, words in stretches_of(str(row[4])) if what != "gone")
        for row in rows
    }
    assert rows
    assert later == {number: texts[number] for number in later}


def test_terms_affected_come_with_the_most_links_first(mini: Session) -> None:
    terms = diff(mini, EARLY, LATE).terms
    links = [int(str(row[1])) for row in terms.rows]
    assert links == sorted(links, reverse=True)
    rests = {row[0]: row[2] for row in terms.rows}
    assert rests["Trim"] == "201.2"
    assert "Bag" not in rests


def test_an_edition_does_not_differ_from_itself(mini: Session, run: Run, mini_store: Path) -> None:
    assert diff(mini, EARLY, EARLY).changes.rows == ()
    assert run("diff", EARLY, EARLY, "--store", mini_store)[0] == 1


def test_programs_have_the_chapter_and_both_texts(run: Run, mini_store: Path) -> None:
    found = json.loads(run("diff", EARLY, LATE, "--format", "json", "--store", mini_store)[1])
    assert [it for it in found if it["after"] == "Drift" or it["before"] == "202.2"] == [
        {
            "change": "added",
            "kind": "entry",
            "before": "",
            "after": "Drift",
            "words": 'Drift is a static ability that frees a moth from lanterns. See rule 320.3, "Drift."',
            "chapter": "Glossary",
            "old": "",
            "new": 'Drift is a static ability that frees a moth from lanterns. See rule 320.3, "Drift."',
        },
        {
            "change": "removed",
            "kind": "rule",
            "before": "202.2",
            "after": "",
            "words": "Moths never leave the table otherwise.",
            "chapter": "202",
            "old": "Moths never leave the table otherwise.",
            "new": "",
        },
    ]


def test_what_changed_within_terms(real: Session) -> None:
    """The entry and the rules of each, by their names in the newer edition or in the older one."""
    old, new = "cr-2008-02-01", "cr-2026-01-16"
    legends = ("moved and reworded", "rule", "420.5e", "704.5j"), ("added", "entry", "", "Legend Rule")
    found = diff(real, old, new, within="legend rule").changes
    assert tuple(row[:4] for row in found.rows) == legends
    assert f"704.5j of {new} is 420.5e in {old}." in found.notes
    both = for_people(diff(real, old, new, within="mulligans, legend rule").changes)
    mulligans = for_people(diff(real, old, new, within="Mulligan").changes)
    assert set(both.rows) == {*for_people(found).rows, *mulligans.rows}
    assert ("moved and reworded", "rule", "101.4", "103.5") in {row[:4] for row in mulligans.rows}
    assert ("reworded", "entry", "Mulligan", "Mulligan") in {row[:4] for row in mulligans.rows}
    gone = diff(real, old, new, within="State-Based Effects").changes
    assert f"420 of {old} is 704 in {new}." in gone.notes
    for words in (
        "What changed since 2008 for mulligans / the legend rule?",
        "How have mulligans and the legend rule changed since 2008?",
    ):
        asked = ask(real, words)
        assert (set(asked.rows), asked.edition) == (set(both.rows), f"{old} to {new}")
    with pytest.raises(UnknownNameError, match="no rule or entry is called 'foo'"):
        diff(real, old, new, within="mulligan, foo")


def test_what_changed_within_a_phase_is_what_changed_within_its_steps(real: Session) -> None:
    """Also where it is asked in words; its chapter alone is meant by number."""
    old, new = "cr-2008-02-01", "cr-2026-01-16"

    def changed(name: str) -> tuple[Cells, ...]:
        return for_people(diff(real, old, new, within=name).changes).rows

    chapters = {it: changed(it) for it in ("512", "513", "514")}
    phase, glossary = changed("Ending Phase"), changed("glossary")
    assert {row for row in phase if row not in glossary} == {row for it in chapters.values() for row in it}
    assert all(chapters.values())
    assert set(phase) <= set(ask(real, "What changed since 2008 about the ending phase?").rows)
    combat = {row[3] for row in ask(real, "what has changed about combat since 2008?").rows}
    assert {"506.1", "508.1", "509.1", "510.1c", "511.1"} <= combat


def test_what_changed_within_a_chapter_alone(mini: Session, run: Run, mini_store: Path) -> None:
    whole = diff(mini, EARLY, LATE)
    inside = diff(mini, EARLY, LATE, within="301")
    rows = [
        row for row in whole.changes.rows if str(row[2]).startswith("301") or str(row[3]).startswith("320")
    ]
    assert [*inside.changes.rows] == rows != []
    assert {row[0] for row in inside.chapters.rows} == {"320"}
    assert inside.changes.notes == (f"301 of {EARLY} is 320 in {LATE}.",)
    assert diff(mini, EARLY, LATE, within="320").changes.rows == inside.changes.rows
    assert f"320 of {LATE} is 301 in {EARLY}." in diff(mini, LATE, EARLY, within="320").changes.notes
    assert [row[:4] for row in diff(mini, EARLY, LATE, within="202").changes.rows if row[0] == "removed"] == [
        ("removed", "rule", "202.2", "")
    ]
    assert [row[:4] for row in diff(mini, EARLY, LATE, within="rule 301.3").changes.rows] == [
        row[:4] for row in rows if str(row[2]).startswith("301.3")
    ]
    asked = ask(mini, "What has changed in chapter 301 since the last edition?")
    assert (asked.rows, asked.edition) == (for_people(inside.changes).rows, f"{EARLY} to {LATE}")
    assert {str(row[0])[0] for row in diff(mini, EARLY, LATE, within="3").chapters.rows} == {"3"}
    with pytest.raises(UnknownNameError, match=r"no rule is called '301.99'"):
        diff(mini, EARLY, LATE, within="301.99")
    entries = [row for row in whole.changes.rows if row[1] == "entry"]
    assert [*diff(mini, EARLY, LATE, within="glossary").changes.rows] == entries != []
    told = run("diff", EARLY, LATE, "--within", "301", "--store", mini_store, "--format", "tsv")[1]
    assert [line.split("\t")[2] for line in told.splitlines()[1:]] == [row[2] for row in rows]
