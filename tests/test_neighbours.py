"""Comparing an edition with those before and after it shows what it lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import rulesgraph
from asking import session_on
from commands import Run
from real import AROUND, rules
from rulesgraph.loaders.history.authority import Text, text_of
from rulesgraph.loaders.history.departures import compared
from rulesgraph.loaders.records import Paragraph, Rule
from rulesgraph.queries.checking.defects import compared_with_neighbours

MINI = Path(__file__).parent / "mini"
DAMAGE = {
    # the last subrule of its rule leaves no gap in the numbers
    "301.2b Several instances of glimmer add up.\n\n": "",
    # an example cut short
    "Ada lights three lanterns, Bo lights three lanterns, and Ada begins.": "Ada lights three",
    # an entry gone
    "Keeper\nA keeper is one of the people at the table. See rule 100.1.\n\n": "",
    # text of another kind in the middle of a rule
    "Only a lit lantern draws moths.": "Of gulls and tar. Only a lit lantern draws moths.",
}


def texts(*said: tuple[str, str]) -> dict[Text, Rule | Paragraph]:
    """Return rules by number and words; a number with a colon is that of an example."""
    found: dict[Text, Rule | Paragraph] = {}
    for line, (number, words) in enumerate(said, start=1):
        name, colon, _ = number.partition(":")
        rule = Rule(name, words, line, line)
        found[text_of("example" if colon else "rule", name, words)] = (
            Paragraph("1", "", words, line, line) if colon else rule
        )
    return found


def found(kind: str, own: SaidOfRules, before: SaidOfRules, after: SaidOfRules) -> list[tuple[str, str, str]]:
    one, texts_here, other = texts(*before), texts(*own), texts(*after)
    told = compared(kind, texts_here, one.keys(), other.keys(), "a and c", most=1.0)
    return [(it.code, it.subject, it.message) for it in told]


SaidOfRules = list[tuple[str, str]]
FIRST = ("100.1", "Every captain has one ship, and rows it at night.")
OTHER = ("100.2", "A captain without a ship watches from the pier.")
MORE: SaidOfRules = [
    ("100.3", "Gulls are no captains."),
    ("100.4", "Ships have oars."),
    ("100.5", "Night is long."),
]


def test_what_both_neighbours_have_is_lost() -> None:
    both = [FIRST, OTHER, *MORE]
    message = "100.2 is missing here, but is in a and c"
    assert found("rule", [FIRST, *MORE], both, both) == [("lost-text", "100.2", message)]


def test_words_that_both_neighbours_have_otherwise_are_told() -> None:
    both = [FIRST, OTHER, *MORE]
    own = [FIRST, ("100.2", "A captain without a ship sleeps on the pier."), *MORE]
    message = "100.2 has different words here than in a and c"
    assert found("rule", own, both, both) == [("altered-text", "100.2", message)]


def test_words_under_each_others_numbers_are_told() -> None:
    both = [FIRST, OTHER, *MORE]
    own = [("100.1", OTHER[1]), ("100.2", FIRST[1]), *MORE]
    assert [it[:2] for it in found("rule", own, both, both)] == [
        ("altered-text", "100.1"),
        ("altered-text", "100.2"),
    ]


@pytest.mark.parametrize(
    "words",
    [
        "Every captain has one ship – and rows it at night.",
        "Every captain has one ship -- and rows it at night.",
        "Every captain has one ship—and rows it at night (see <www.ships.example>).",
    ],
)
def test_other_dashes_and_brackets_are_no_other_words(words: str) -> None:
    printed = words.replace(" – ", "—").replace(" -- ", "—").replace("<", "").replace(">", "")
    both = [("100.1", printed), *MORE]
    assert found("rule", [("100.1", words), *MORE], both, both) == []


def test_what_one_neighbour_alone_has_is_no_loss() -> None:
    assert found("rule", [FIRST, *MORE], [FIRST, OTHER, *MORE], [FIRST, *MORE]) == []
    assert found("rule", [FIRST, *MORE], [FIRST, *MORE], [FIRST, OTHER, *MORE]) == []


def test_a_rule_of_its_own_is_none_of_both() -> None:
    """Rules come and go; an example under a rule of which both neighbours have the same does not."""
    both = [FIRST, ("100.1:", "Ada rows."), *MORE]
    own = [*both, OTHER, ("100.1:", "Bo swims.")]
    assert found("rule", own, both, both) == []
    message = "an example of 100.1 is not in a and c"
    assert found("example", own, both, both) == [("altered-text", "100.1", message)]


def test_an_example_goes_with_its_rule() -> None:
    both = [FIRST, OTHER, ("100.2:", "Ada watches."), *MORE, ("100.3:", "A gull.")]
    own = [FIRST, *MORE, ("100.3:", "A gull.")]
    assert found("example", own, both, both) == []


def test_build_and_check_tell_what_was_lost(tmp_path: Path, run: Run) -> None:
    text = (MINI / "lanterns-2031-02-01.txt").read_text(encoding="utf-8")
    middle = text.replace("February 1", "April 1")
    for whole, broken in DAMAGE.items():
        assert whole in middle
        middle = middle.replace(whole, broken)
    later = text.replace("February 1", "June 1")
    for name, words in (("a", text), ("b", middle), ("c", later)):
        (tmp_path / f"{name}.txt").write_text(words, encoding="utf-8")
    store = tmp_path / "store"
    report = rulesgraph.build([tmp_path / f"{name}.txt" for name in "abc"], store)
    told = {
        it.edition: [p for p in it.problems if p.code in ("lost-text", "altered-text")]
        for it in report.documents
    }
    assert told.pop("cr-2031-02-01") == told.pop("cr-2031-06-01") == []
    both = "cr-2031-02-01 and cr-2031-06-01"
    assert [(p.code, p.severity, p.subject, p.line, p.message) for p in told["cr-2031-04-01"]] == [
        ("lost-text", "warning", "Keeper", 1, f"Keeper is missing here, but is in {both}"),
        (
            "altered-text",
            "warning",
            "101.1",
            41,
            f"an example of 101.1 has different words here than in {both}",
        ),
        ("altered-text", "warning", "201.1", 53, f"201.1 has different words here than in {both}"),
        ("lost-text", "warning", "301.2b", 83, f"301.2b is missing here, but is in {both}"),
    ]
    code, out, _ = run("check", "--store", store, "--edition", "cr-2031-04-01", "--format", "json")
    assert code == 1
    assert [row["line"] for row in out_rows(out) if str(row["check"]).endswith("ed-text")] == [41, 53]
    assert [row["subject"] for row in out_rows(out) if row["check"] == "lost-text"] == ["Keeper", "301.2b"]


def out_rows(out: str) -> list[dict[str, object]]:
    import json

    rows: list[dict[str, object]] = json.loads(out)
    return rows


@pytest.mark.long(small="test_build_and_check_tell_what_was_lost")
def test_no_real_edition_lost_anything(shared: Path, store_of: Callable[..., Path]) -> None:
    session = session_on(store_of(*(rules(shared, day) for day in AROUND)))
    assert list(compared_with_neighbours(session, [f"cr-{day}" for day in AROUND])) == []
