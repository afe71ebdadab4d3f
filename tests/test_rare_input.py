"""Input that is seldom given: several names where one is wanted, odd letters, the same file twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import rulesgraph
from commands import Run
from rulesgraph.app.commands.citing import write
from rulesgraph.ontology import UsageError
from rulesgraph.queries.citing.cite import SourceTree, cite
from rulesgraph.queries.citing.fixing import Fix
from rulesgraph.queries.citing.material import material_of
from rulesgraph.queries.citing.settings import baseline_of
from rulesgraph.queries.verifying.rulebook import Book
from test_cite import tree


@pytest.fixture(scope="module")
def material(newest_rules: rulesgraph.Rules) -> Book:
    return material_of(newest_rules.session)


@pytest.fixture(scope="module")
def starter_rules(starter_store: Path) -> rulesgraph.Rules:
    return rulesgraph.open(starter_store)


def test_a_number_that_came_later_is_asked_of_an_older_edition(mini_rules: rulesgraph.Rules) -> None:
    found = mini_rules.ask("Does 320.3 let me light a lantern that burns?", edition="cr-2031-02-01")
    assert found.name == "closest_rules"


@pytest.mark.parametrize("words", ['What does "Wisp (" do?', "Zog[", '"Zog*+"', "Zog)"])
def test_signs_of_patterns_are_letters_like_others(words: str, starter_rules: rulesgraph.Rules) -> None:
    assert not starter_rules.ask(words).answered


def test_the_shortest_name_of_a_card_alone_is_the_card(starter_rules: rulesgraph.Rules) -> None:
    assert starter_rules.ask("Ebb").rows == starter_rules.ask("[[Ebb]]").rows
    assert starter_rules.ask("Ebb").name == "card_text"


def test_blame_is_of_one_rule(mini_rules: rulesgraph.Rules) -> None:
    with pytest.raises(UsageError, match="names several rules"):
        mini_rules.blame("301.1, 301.2")


def test_names_between_commas_may_be_missing(mini_rules: rulesgraph.Rules) -> None:
    days = ("cr-2031-02-01", "cr-2031-07-01")
    assert mini_rules.diff(*days, within=" 301, ,").changes == mini_rules.diff(*days, within="301").changes
    with pytest.raises(rulesgraph.UnknownNameError):
        mini_rules.diff(*days, within=" , ")


def test_the_first_rule_about_a_term_is_first_as_printed(newest_rules: rulesgraph.Rules) -> None:
    """603.6c comes before 603.10."""
    from rulesgraph.queries.cards.current import named_terms

    session = newest_rules.session
    term = session.iris.term("leaves-the-battlefield")
    assert named_terms(session, session.current, [term])[term].number == "603.6c"


def test_a_file_given_twice_is_read_once(tmp_path: Path, material: Book) -> None:
    tree(tmp_path, {"a.rs": "// CR 701.18: Scry\n"})
    (tmp_path / "b.rs").symlink_to(tmp_path / "a.rs")
    names = [str(tmp_path / "a.rs"), str(tmp_path / "b.rs"), os.path.relpath(tmp_path / "a.rs")]
    assert cite(material, SourceTree(names)).summary.startswith("1 file, 1 citation")


def test_nothing_is_written_if_one_file_changed(tmp_path: Path) -> None:
    tree(tmp_path, {"a.rs": "one", "b.rs": "two"})
    both = [Fix(tmp_path / "a.rs", b"one", b"1"), Fix(tmp_path / "b.rs", b"2", b"2")]
    with pytest.raises(UsageError, match=r"b\.rs changed"):
        write(both)
    assert (tmp_path / "a.rs").read_text() == "one"


def test_a_name_in_another_encoding_has_a_sign(tmp_path: Path, material: Book) -> None:
    name = os.fsdecode(bytes(tmp_path) + b"/caf\xe9.rs")
    Path(name).write_text("// CR 300.999: nobody\n")
    assert "300.999" in baseline_of(cite(material, SourceTree([name])).flags).encode().decode()


def test_text_from_stdin_is_not_corrected(run: Run, newest_store: Path) -> None:
    code, _, told = run("cite", "-", "--fix", "--store", newest_store)
    assert (code, "text from stdin cannot be corrected" in told) == (2, True)


@pytest.mark.parametrize(
    ("name", "content"),
    [(".rulesgraph.toml", "[cite]\npaths = [1]\n"), ("pyproject.toml", "[tool]\nrulesgraph = true\n")],
)
def test_settings_of_the_wrong_type_are_told_or_none(
    name: str, content: str, tmp_path: Path, run: Run, newest_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(tmp_path, {name: content, "a.rs": "// CR 702.19b\n"})
    monkeypatch.chdir(tmp_path)
    code, _, told = run("cite", "a.rs", "--store", newest_store)
    assert (code, "paths = [1] is not a setting" in told) == ((2, True) if name[0] == "." else (0, False))


def test_each_of_two_comments_that_reach_a_line_may_ignore_it(tmp_path: Path, material: Book) -> None:
    lines = ("// cite: ignore[unknown] nobody", "let a = 1; // CR 300.999: nobody  cite: ignore[words] other")
    tree(tmp_path, {"a.rs": "\n".join(lines) + "\n"})
    found = cite(material, SourceTree([str(tmp_path)])).flags
    assert [(it.site.line, it.finding.kind) for it in found] == [(2, "ignore")]
