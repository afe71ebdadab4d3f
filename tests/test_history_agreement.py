"""`trace`, `diff`, `show` and the questions about changes agree about every rule and entry."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import rulesgraph
from agreement import disagreements, told_apart, unlike_lives
from asking import session_on
from rulesgraph.loaders.history.lives import bundled_lives
from rulesgraph.queries.history.links import label, links_along, outline, timeline
from rulesgraph.queries.session import Session

EARLY, LATE = "cr-2031-02-01", "cr-2031-07-01"


def test_nothing_of_the_mini_game_is_told_in_two_ways(mini_store: Path) -> None:
    session = session_on(mini_store)
    assert list(disagreements(session, EARLY, LATE)) == []


def test_the_tenures_of_the_mini_game_are_its_histories(mini: Session) -> None:
    assert list(told_apart(mini)) == []


def test_the_tenures_of_the_real_rules_are_their_histories(real_rules: rulesgraph.Rules) -> None:
    """Every rule of five editions; `agreement.py` run as a program checks all available editions."""
    assert list(told_apart(real_rules.session)) == []


_LONG = pytest.mark.long(small="test_links_between_known_editions_are_their_lives")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2003-05-26", "2003-07-01"),
        pytest.param("2009-05-01", "2009-07-11", marks=_LONG),
        pytest.param("2025-04-04", "2025-06-06", marks=_LONG),
        pytest.param("1999-11-01", "2026-01-16", marks=_LONG),
        pytest.param("2008-02-01", "2026-01-16", marks=_LONG),
        pytest.param("2016-11-11", "2026-01-16", marks=_LONG),
    ],
)
def test_links_between_known_editions_are_their_lives(shared: Path, before: str, after: str) -> None:
    """Every rule that continues, was split or merged, was added or removed."""
    assert list(unlike_lives(shared, before, after)) == []


@pytest.mark.long(small="test_nothing_of_the_mini_game_is_told_in_two_ways")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("cr-2009-05-01", "cr-2009-07-11"),
        ("cr-2025-04-04", "cr-2026-01-16"),
        ("cr-2008-02-01", "cr-2025-04-04"),
    ],
)
def test_nothing_of_the_real_rules_is_told_in_two_ways(
    real_rules: rulesgraph.Rules, before: str, after: str
) -> None:
    """Every rule and entry; `agreement.py` run as a program checks all available editions."""
    assert list(disagreements(real_rules.session, before, after)) == []


def _drawn(session: Session, edition: str, count: int) -> list[str]:
    """Return labels of rules and entries of an edition, drawn by seed, that are unique there."""
    here = next(it for it in timeline(session) if it.id == edition)
    labels = [label(item) for item in outline(session, here).values()]
    return random.Random(edition).sample(sorted(it for it in labels if labels.count(it) == 1), count)


@pytest.mark.long(small="test_nothing_of_the_mini_game_is_told_in_two_ways")
def test_trace_says_at_its_end_what_diff_says(real_rules: rulesgraph.Rules) -> None:
    before, after = "cr-2008-02-01", "cr-2025-04-04"
    rows = real_rules.diff(before, after).changes.rows
    for name in _drawn(real_rules.session, before, 40):
        told = [f"{row[0]}: {row[3]}".removesuffix(": ") for row in rows if row[2] == name]
        head, _, tail = real_rules.trace(name, before, after).notes[0].partition(f" in {after}: ")
        assert head == f"{name} of {before}"
        found = [it for it in tail.split("; ") if not it.startswith("unchanged: ")]
        assert sorted(found) == sorted(told), name


@pytest.mark.long(small="test_nothing_of_the_mini_game_is_told_in_two_ways")
def test_a_sheet_shows_the_history_that_trace_tells(real_rules: rulesgraph.Rules) -> None:
    """Each row is what `trace` says about the row before it."""
    edition = "cr-2025-04-04"
    for name in _drawn(real_rules.session, edition, 25):
        [table] = [part for part in real_rules.show(name, edition=edition).tables if part.name == "history"]
        assert table.rows == real_rules.history(name, edition).rows
        for (start, number, _, _), row in zip(table.rows, table.rows[1:], strict=False):
            if str(row[0]) < str(start):
                continue  # the rule of an entry, after the entry
            # From an edition that is not loaded, no link says how sure it is.
            told = [it[:3] for it in real_rules.trace(str(number), str(start), str(row[0])).rows[1:]]
            assert row[:3] in told, name


@pytest.mark.long(small="test_nothing_of_the_mini_game_is_told_in_two_ways")
def test_the_rules_that_changed_are_those_of_diff(real_rules: rulesgraph.Rules) -> None:
    rows = real_rules.diff("cr-2025-04-04", "cr-2026-01-16").changes.rows
    asked = real_rules.ask("changed_rules", edition="cr-2026-01-16").rows
    meant = {"added", "reworded", "moved and reworded", "split"}
    expected = {(str(row[3]), str(row[0])) for row in rows if row[1] == "rule" and row[0] in meant}
    assert {(str(number), str(change)) for number, change, *_ in asked} == expected


@pytest.mark.long(small="test_nothing_of_the_mini_game_is_told_in_two_ways")
@pytest.mark.parametrize("together", [1, 9])
def test_rules_followed_by_themselves_go_where_they_go_among_all(
    real_rules: rulesgraph.Rules, together: int
) -> None:
    """Unchanged items are queried in several editions at once, the rest edition by edition."""
    session = real_rules.session
    oldest_first = timeline(session)
    for path in (oldest_first, oldest_first[::-1]):
        every = links_along(session, path)
        items = sorted(every[0])[::20]
        for place in range(0, len(items), together):
            alive = set(items[place : place + together])
            for known, found in zip(every, links_along(session, path, alive), strict=True):
                links = {item: steps for item, steps in found.items() if steps}
                assert links == {item: known[item] for item in alive if item in known}
                alive = {step.other for steps in links.values() for step in steps}


@pytest.mark.parametrize(
    ("number", "other", "edition"), [("603.4", "410.8", "cr-2009-07-11"), ("110.2", "214.4", "cr-2009-07-11")]
)
def test_what_a_rule_took_in_is_told(
    real_rules: rulesgraph.Rules, number: str, other: str, edition: str
) -> None:
    told = f"{number} also absorbed {other} in {edition}."
    assert told in real_rules.history(number).notes
    assert told in real_rules.trace(number, "cr-2026-01-16", "cr-2008-02-01").notes
    assert told not in real_rules.trace(number, "cr-2026-01-16", "cr-2016-11-11").notes
    assert told in real_rules.show(number, edition="cr-2026-01-16").notes


def test_every_source_of_a_tenure_is_followed_or_told() -> None:
    lives = bundled_lives()
    for provision in lives.provisions:
        taken = [(it, source) for it in lives.tenures(provision) for source in it.sources]
        followed = {(it.edition, it.number) for it in lives.before(provision, lives.editions[-1])}
        told = {other for *_, other in lives.absorbed(provision, lives.editions[-1])}
        for _, source in taken:
            numbers = {(it.first, it.number) for it in lives.tenures(source)}
            assert numbers & followed or told & {number for _, number in numbers}, (provision, source)


@pytest.mark.parametrize("number", ["702.19", "502.9"])
def test_a_number_means_one_rule_in_both_editions(real_rules: rulesgraph.Rules, number: str) -> None:
    """*Trample* had another number, and its number another rule."""
    found = real_rules.diff("cr-2008-02-01", "cr-2026-01-16", within=number).changes
    rows = found.rows
    assert {str(row[2])[:5] for row in rows if row[2]} == {"502.9"}
    assert {str(row[3])[:6] for row in rows if row[3]} == {"702.19"}
    assert {"added", "removed"} <= {row[0] for row in rows}
    near = real_rules.diff("cr-2009-07-11", "cr-2025-04-04", within="702.19").changes
    assert {str(row[2])[:6] for row in near.rows if row[2]} == {"702.17"}
    assert "702.19 of cr-2025-04-04 is 702.17 in cr-2009-07-11." in near.notes
