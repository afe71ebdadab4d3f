"""Questions to stores that lack what they need, such as a history: they are told so, it is no fault."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import rulesgraph
from rulesgraph.queries.catalogue.questions import questions
from rulesgraph.queries.searching.grammar import Wanted
from rulesgraph.queries.verifying.weighing import LIST

ROOT = Path(__file__).parents[1]
MINI = ROOT / "tests" / "mini"
RULINGS = MINI / "rulings-2031-03-10.txt"
STORES = {
    "starter": [],
    "one edition": [MINI / "lanterns-2031-02-01.txt"],
    "editions and rulings": [MINI],
    "rulings": [RULINGS],
}
VALUES = {
    "what": ("rules", "zones"),
    "how": ("added", "reworded"),
    "before": ("the last edition", "1999", "rulings-2031-03-10"),
    "after": ("2031", "2008"),
    "during": ("2031", "rulings-2031-03-10"),
    "when": ("2008", "2090"),
    "card": ("Glimmer", "Serra Angel"),
}
"""Slot → what stands there in turn; all others have a thing or a number."""

WORDS = (
    "which number did {thing} have in 2009",
    "Which rules changed most often?",
    "what changed in {before}",
    "how many rules are there in each edition",
    "which edition had the most zones",
    "was {thing} once a zone",
    "does {thing} stack",
    "what was {thing} in 1995",
    "what about beſt {thing}",
    "İ {thing}",
    "the first edition",
    "what is new",
)
"""Questions beside the examples of the catalogue, with a letter that has another small or capital form."""


def _forms() -> Iterator[str]:
    computed = (ROOT / "queries" / "answering" / "computed.txt").read_text("utf-8")
    yield from re.findall(r"^#\+ question: (.+)", computed, re.MULTILINE)
    yield from (form for it in questions() for form in it.examples)
    yield from WORDS


def _asked(form: str, place: int) -> str:
    """Return a question with its first choices, and values for its slots."""
    while (said := re.sub(r"\(([^()|]*)\|?[^()]*\)", r"\1", form)) != form:
        form = said
    things = ("Trample", "Moth", "702.19", "301.3", "zone")
    return re.sub(
        r"\{(\w+)\}", lambda it: (own := VALUES.get(it[1], things))[(place + it.start()) % len(own)], form
    )


@pytest.mark.parametrize("name", STORES)
def test_every_question_is_answered_or_told_in_any_store(name: str, store_of: Callable[..., Path]) -> None:
    rules = rulesgraph.open(store_of(*STORES[name]))
    forms = [*_forms()]
    own = [
        *forms[[*STORES].index(name) : -len(WORDS) : len(STORES)],
        *WORDS,
    ]  # each store has a share of them
    for place, form in enumerate(own):
        with suppress(rulesgraph.RulesgraphError):
            assert rules.ask(_asked(form, place)).columns is not None


def test_a_rule_that_only_this_copy_lacks_is_told(shared: Path, tmp_path: Path) -> None:
    """704.5j was reworded before, so that the bundled list has several lives of its number."""
    text = (shared / "corpora" / "cr" / "2026-01-16.txt").read_bytes()
    start, end = (text.index(b"\r704.5" + letter) for letter in (b"j ", b"k "))
    (tmp_path / "2026-01-16.txt").write_bytes(text[:start] + text[end:])
    rules = rulesgraph.build(tmp_path / "2026-01-16.txt", store=":memory:").rules
    found = [(row["finding"], row["message"]) for row in rules.verify("The legend rule is 704.5j.")]
    said = "this copy of cr-2026-01-16 lacks 704.5j, which others have: `rulesgraph check` tells more"
    assert found == [("unknown", said)]


def test_texts_of_times_before_every_edition_are_checked(mini_rules: rulesgraph.Rules) -> None:
    found = mini_rules.verify("In the 1995 rules, Flutter was rule 301.3.")
    assert [row["number"] for row in found] == ["301.3"]


def test_an_edition_written_against_may_be_a_moment(mini_rules: rulesgraph.Rules) -> None:
    day = mini_rules.verify("See rule 301.3.", written=date(2031, 3, 1))
    assert mini_rules.verify("See rule 301.3.", written=datetime(2031, 3, 1, tzinfo=UTC)).rows == day.rows


def test_what_stands_between_numbers_is_read_once() -> None:
    """Three patterns in a row that match the same characters would take hours for these."""
    assert LIST.fullmatch(", " * 50_000 + "x") is None
    assert LIST.fullmatch(" , and (see) , or ")


def test_forms_of_a_search_word_are_equal_however_written() -> None:
    one, other = Wanted(("moth",), said="moth"), Wanted(("moth",), said="Moth")
    assert (one == other, one != other, one != Wanted(("wane",))) == (True, False, True)


@pytest.mark.parametrize("animals", ["donkeys", "monkeys"])
def test_only_do_not_begins_like_do_not(animals: str, mini_rules: rulesgraph.Rules) -> None:
    assert mini_rules.ask(f"Which terms rely on Moth, {animals} never sing?").name == "closest_rules"
    assert mini_rules.ask("Which terms rely on Moth, don't be shy?").name == "terms_relying_on"


def test_editions_with_as_many_are_all_told(real_rules: rulesgraph.Rules) -> None:
    """Every edition at hand has seven zones or more; none is singled out where several have as many."""
    rows = real_rules.ask("How many zones are there in each edition?")
    counts = {str(it["edition"]): int(str(it["count"])) for it in rows}
    lead = real_rules.ask("Which edition has the fewest zones?").lead[0]
    fewest = [it for it, count in counts.items() if count == min(counts.values())]
    assert lead.startswith(f"{fewest[0]} has the fewest zones, {min(counts.values())}")
    assert (f"{len(fewest) - 1} more have as many" in lead) == (len(fewest) > 1)
