"""Rules and entries followed through editions, and editions compared: the mini game and the real rules."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import rulesgraph
from asking import session_on
from commands import MINI, Run
from real import rules
from rulesgraph.loaders.history.lives import bundled_lives
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.finding.things import resolve
from rulesgraph.queries.history.beyond import NOT_LOADED, bundled_rows, namesakes
from rulesgraph.queries.history.diff import diff
from rulesgraph.queries.history.links import timeline
from rulesgraph.queries.history.rows import DOUBTFUL, HistoryRow, doubts
from rulesgraph.queries.history.trace import history_of, trace
from rulesgraph.queries.session import Session
from rulesgraph.queries.sheets.show import show

EARLY, LATE = "cr-2031-02-01", "cr-2031-07-01"


@pytest.mark.parametrize(
    ("number", "rows"),
    [
        # a rule of a chapter that was renumbered and renamed, and that chapter
        ("300.2", [("300.2", ""), ("310.2", "moved and reworded")]),
        ("300", [("300", ""), ("310", "moved and reworded")]),
        # a subrule, with and without the word before its number
        ("300.2b", [("300.2b", ""), ("310.2b", "renumbered")]),
        ("rule 300.2b", [("300.2b", ""), ("310.2b", "renumbered")]),
        # a rule inserted before it moved it on
        ("301.3", [("301.3", ""), ("320.4", "renumbered")]),
        ("202.2", [("202.2", ""), (None, "removed")]),
        # a range, one after the other
        ("301.2-301.3", [("301.2", ""), ("320.2", "renumbered"), ("301.3", ""), ("320.4", "renumbered")]),
        # entries, by their names
        # with the rule that defines the term
        (
            "waning checks",
            [
                *[("Waning Checks", ""), ("Dusk Checks", "moved and reworded")],
                *[("300", ""), ("310", "moved and reworded")],
            ],
        ),
        ("Bag", [("Bag", ""), ("Bag", "unchanged")]),
    ],
)
def test_forward(mini: Session, number: str, rows: list[tuple[str | None, str]]) -> None:
    answer = trace(mini, number, EARLY)
    assert [row[1:3] for row in answer.rows] == rows
    assert all(row[3] is None or 0 < float(str(row[3])) <= 1 for row in answer.rows)


@pytest.mark.parametrize(
    ("number", "rows"),
    [
        ("310.2", [("310.2", ""), ("300.2", "moved and reworded")]),
        ("320.3", [("320.3", ""), (None, "not there yet")]),
        (
            "Dusk Checks",
            [
                *[("Dusk Checks", ""), ("Waning Checks", "moved and reworded")],
                *[("310", ""), ("300", "moved and reworded")],
            ],
        ),
    ],
)
def test_backward(mini: Session, number: str, rows: list[tuple[str | None, str]]) -> None:
    assert [row[1:3] for row in trace(mini, number, LATE, EARLY).rows] == rows


@pytest.mark.parametrize(
    ("number", "said"),
    [("301.3", "renumbered: 320.4"), ("201.1", "unchanged: 201.1"), ("202.2", "removed")],
)
def test_a_way_of_three_editions_is_summed_up(disputed_store: Path, number: str, said: str) -> None:
    answer = trace(session_on(disputed_store), number, EARLY)
    assert answer.notes == (f"{number} of {EARLY} in cr-2032-03-01: {said}",)


def test_editions_may_be_given_by_their_dates(mini: Session) -> None:
    told = trace(mini, "300.2", EARLY, LATE)
    for day, other in (
        ("2031-02-01", "2031-07-01"),
        ("February 2031", "2031-07"),
        ("1 Feb 2031", "2031/07/01"),
    ):
        assert trace(mini, "300.2", day, other) == told
        assert mini.scope(day).editions == (EARLY,)
        assert ask(mini, "rule_text", ["300.2"], edition=day).edition == EARLY
    # The release of the rulings site is of that March alone; a comma before a year parts no editions.
    assert mini.scope("March 10, 2031, July 1, 2031").editions == ("rulings-2031-03-10", LATE)
    # An edition known only by its numbers is called so, too.
    assert trace(mini, "502.9", "July 2008", "2009-07-11") == trace(
        mini, "502.9", "cr-2008-07-15", "cr-2009-07-11"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "M10",
            r"Name an edition by its id \(cr-2009-07-11\) or its date \(2009-07-11, July 2009\)",
        ),
        ("July 2009", r"called 'July 2009'\n  only the rule numbers of cr-2009-07-11 are known"),
        (
            "2031",
            r"3 editions were issued in 2031\n  Did you mean cr-2031-02-01, cr-2031-07-01, rulings",
        ),
        ("December 2010", r"None was issued then; cr-2010-10-01 was in force\."),
    ],
)
def test_what_no_edition_is_called_is_said(mini: Session, name: str, said: str) -> None:
    for attempt in (mini.scope, lambda it: diff(mini, EARLY, it)):
        with pytest.raises(UnknownNameError, match=said):
            attempt(name)


def test_what_cannot_be_traced(mini: Session) -> None:
    with pytest.raises(UnknownNameError) as caught:
        trace(mini, "300.22", EARLY)
    assert "300.2" in caught.value.suggestions
    with pytest.raises(UnknownNameError):
        trace(mini, "300.2", "cr-2030-01-01")
    with pytest.raises(UnknownNameError, match=r"not in cr-2031-07-01; 310 ends at 310\.2\.$"):
        trace(mini, "310.99", LATE)
    with pytest.raises(UnknownNameError, match=f"not in {LATE}; found in {EARLY}"):
        trace(mini, "300.2b", LATE)
    with pytest.raises(UsageError, match="not an edition of the comprehensive rules"):
        trace(mini, "300.2", EARLY, "rulings-2031-03-10")
    with pytest.raises(UnknownNameError, match=r"no paragraph is called '300\.2'"):
        trace(mini, "300.2", "rulings-2031-03-10")
    with pytest.raises(UsageError, match=f"{EARLY} is not a release of the same text as rulings-2031-03-10"):
        trace(mini, "300.2", "rulings-2031-03-10", EARLY)


def test_a_table_has_a_line_between_entry_and_rule(run: Run, mini_store: Path) -> None:
    _, out, err = run("trace", "Flutter", "--store", mini_store)
    shown = [line.split()[1] if line else "" for line in out.splitlines()[2:]]
    assert shown == ["Flutter", "Flutter", "", "301.3", "320.4"]
    assert "4 rows, from" in err
    assert "" not in run("trace", "320.4", "--store", mini_store)[1].splitlines()


def test_the_shared_options_of_trace_and_diff(run: Run, mini_store: Path) -> None:
    early, late = "cr-2031-02-01", "cr-2031-07-01"
    code, out, err = run("trace", "301.2", "--edition", early, "--limit", "1", "--store", mini_store)
    assert (code, out.count(early), out.count(late)) == (0, 1, 0)
    assert "1 more row: a larger --limit shows more" in err
    named = run("diff", early, late, "--limit", "1", "--store", mini_store)
    assert named == run("diff", "--edition", f"{early},{late}", "--limit", "1", "--store", mini_store)
    assert run("diff", early, "--store", mini_store)[0] == 2


def test_the_commands(run: Run, mini_store: Path) -> None:
    code, out, _ = run("trace", "300.2", "--from", EARLY, "--store", mini_store, "--format", "json")
    assert code == 0
    assert [row["number"] for row in json.loads(out)] == ["300.2", "310.2"]
    code, out, _ = run("diff", EARLY, LATE, "--json", "--store", mini_store)
    found = json.loads(out)
    assert code == 0
    assert set(found) == {"changes", "chapters", "terms"}
    assert list(found["changes"][0]) == [
        "change",
        "kind",
        "before",
        "after",
        "words",
        "chapter",
        "old",
        "new",
    ]
    code, out, _ = run("diff", EARLY, LATE, "--only", "removed", "--store", mini_store, "--format", "csv")
    assert code == 0
    assert {line.partition(",")[0] for line in out.splitlines()} == {"change", "removed"}
    assert run("diff", EARLY, "cr-2030-01-01", "--store", mini_store)[0] == 2


def test_a_whole_life_is_told_where_no_edition_is_named(run: Run, mini_store: Path) -> None:
    told = {
        name: run("trace", name, "--store", mini_store, "--format", "tsv")[1].splitlines()[1:]
        for name in ("310.2", "moth", "waning checks", "320.3-320.4")
    }
    assert told == {
        "310.2": [f"{EARLY}\t300.2\t\t1.0", f"{LATE}\t310.2\tmoved and reworded\t0.98"],
        "320.3-320.4": [f"{LATE}\t320.3\t\t1.0", f"{EARLY}\t301.3\t\t1.0", f"{LATE}\t320.4\trenumbered\t1.0"],
        "moth": [
            *[f"{EARLY}\tMoth\t\t1.0", f"{LATE}\tMoth\tunchanged\t1.0"],
            *[f"{EARLY}\t202\t\t1.0", f"{LATE}\t202\tunchanged\t1.0"],
        ],
        # Rulings have it as well, and are newer.
        "waning checks": [
            *[f"{EARLY}\tWaning Checks\t\t1.0", f"{LATE}\tDusk Checks\tmoved and reworded\t0.83"],
            *[f"{EARLY}\t300\t\t1.0", f"{LATE}\t310\tmoved and reworded\t0.6"],
        ],
    }
    code, _, err = run("trace", "310.2", "--to", EARLY, "--store", mini_store)
    assert (code, err.splitlines()[0]) == (2, "rulesgraph: --to and --every need --from")
    with pytest.raises(UsageError, match="need --from"):
        rulesgraph.open(mini_store).trace("310.2", every=True)
    code, _, err = run("trace", "310.99", "--store", mini_store)
    assert (code, "310.99" in err) == (2, True)


def test_one_edition_alone_has_no_history(run: Run, starter_store: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert run("build", MINI / f"lanterns-{LATE.removeprefix('cr-')}.txt", "--store", store)[0] == 0
    code, out, err = run("trace", "310.2", "--store", store, "--format", "tsv")
    assert (code, out.splitlines()[1:]) == (0, [f"{LATE}\t310.2\t\t1.0"])
    assert err.startswith("Only one edition is loaded, so it is not known what others say: ")
    code, out, err = run("trace", "Legend", "--store", starter_store, "--format", "tsv")
    assert (code, out.splitlines()[1:]) == (1, [])
    assert err.startswith("Only the comprehensive rules have a history of numbers. Load some with `rules")


def test_what_a_term_or_rule_has_been_through_is_shown(run: Run, mini_store: Path) -> None:
    store = ("--store", mini_store, "--edition", LATE)
    assert f"In the rules since {EARLY}; the words last changed in {LATE}." in run("show", "201.2", *store)[2]
    assert f"In the rules since {LATE}." in run("show", "Drift", *store)[2]


# -- the real rules -------------------------------------------------------------------------------


@pytest.mark.long(small="test_forward")
@pytest.mark.parametrize(
    ("number", "start", "end", "there"),
    [
        # Phasing, the first state-based action, the cost of a spell
        ("502.15", "cr-2008-02-01", "cr-2026-01-16", "702.26"),
        ("704.5a", "cr-2026-01-16", "cr-2008-02-01", "420.5a"),
        ("420.5a", "cr-2008-02-01", "cr-2026-01-16", "704.5a"),
        ("420", "cr-2008-02-01", "cr-2026-01-16", "704"),
        ("State-Based Effects", "cr-2008-02-01", "cr-2026-01-16", "704"),
    ],
)
def test_where_well_known_rules_went(real: Session, number: str, start: str, end: str, there: str) -> None:
    assert trace(real, number, start, end).rows[-1][:2] == (end, there)


@pytest.mark.long(small="test_what_cannot_be_traced")
def test_a_number_that_means_something_else_is_said_to(real: Session) -> None:
    gone = trace(real, "310.4", "cr-2009-05-01")
    assert gone.rows[-1][2] == "removed"
    whole, number, unloaded = gone.notes
    assert unloaded == NOT_LOADED
    assert whole == "310.4 of cr-2009-05-01 in cr-2026-01-16: removed"
    assert number.startswith("310.4 in cr-2026-01-16 is another rule")
    assert trace(real, "704.5a", "cr-2009-07-11").notes == (
        "704.5a of cr-2009-07-11 in cr-2026-01-16: reworded: 704.5a",
        NOT_LOADED,
    )


def test_the_other_rules_that_had_a_number_are_told() -> None:
    provision = bundled_lives().holding("103.4", "cr-2026-04-17")
    rows = bundled_rows(provision, "cr-2026-04-17")
    assert namesakes("103.4", provision, rows) == [
        "103.4 was another rule from cr-2003-07-01 to cr-2009-05-01 (now 101.4) "
        "and from cr-2009-07-11 to cr-2022-09-08 (now 103.5): "
        "`rulesgraph trace 103.4 --from cr-2022-09-08` follows the last of these."
    ]
    battle = bundled_lives().holding("310.2", "cr-2026-04-17")
    assert namesakes("310.2", battle, bundled_rows(battle, "cr-2026-04-17"), typed=False) == [
        "310.2 was another rule from cr-2009-10-01 to cr-2012-05-01 (now 313.2), from cr-2012-06-01 to "
        "cr-2021-06-18 (now 312.2) and from cr-2021-07-23 to cr-2022-11-18 (now 311.2), and 2 more before."
    ]
    # What is among the rows is no other rule, and of what the list does not know nothing is said.
    others = [row for it, _ in bundled_lives().holders("103.4") for row in bundled_rows(it, "cr-2026-04-17")]
    assert namesakes("103.4", provision, [*rows, *others]) == namesakes("103.4", "", rows) == []


@pytest.mark.long(small="test_the_other_rules_that_had_a_number_are_told")
def test_who_follows_a_number_of_today_is_told_of_its_other_rules(real: Session) -> None:
    [told] = [note for note in history_of(real, "103.4").notes if "another rule" in note]
    assert told.startswith("103.4 was another rule from")
    assert not [note for note in history_of(real, "103.4", "cr-2026-01-16").notes if "another rule" in note]
    [gone] = [note for note in history_of(real, "420.5e").notes if "another rule" in note] or [""]
    assert gone == ""


@pytest.mark.long(small="test_forward")
def test_an_edition_after_the_list_of_all_is_told(shared: Path, tmp_path: Path) -> None:
    text = (
        rules(shared, "2026-01-16").read_text(encoding="utf-8").replace("January 16, 2026", "June 19, 2031")
    )
    newer = tmp_path / "newer.txt"
    newer.write_text(text, encoding="utf-8")
    assert not rulesgraph.build([newer], store=tmp_path / "store").refused
    with rulesgraph.open(tmp_path / "store") as opened:
        told = (
            "The bundled list of all editions ends with cr-2026-04-17: it does not know cr-2031-06-19, "
            "nor other editions since then."
        )
        assert told in opened.history("704.5f").notes
        assert told in opened.trace("704.5f", "cr-2009-07-11").notes
        assert told in opened.show("704.5f").notes
        assert told in opened.check().notes


@pytest.mark.long(small="test_forward")
@pytest.mark.parametrize("number", ["502.21", "420.5e", "420.5a"])
def test_a_change_between_loaded_editions_has_the_date_that_the_whole_history_has(
    real: Session, number: str
) -> None:
    start, end = "cr-2009-05-01", "cr-2026-01-16"
    answer = trace(real, number, start)
    whole = history_of(real, number, start).rows
    assert [row[:3] for row in answer.rows[1:]] == [row[:3] for row in whole if start < str(row[0]) <= end]
    assert NOT_LOADED in answer.notes
    back = trace(real, str(answer.rows[-1][1]), end, start)
    assert back.rows[-1][:2] == (start, number)
    turned = [row[1] for row in answer.rows[::-1]]
    assert list(dict.fromkeys(row[1] for row in back.rows)) == list(dict.fromkeys(turned))


@pytest.mark.long(small="test_forward")
def test_every_loaded_edition_between_is_shown_among_the_others(real: Session) -> None:
    rows = trace(real, "502.21", "cr-2008-02-01", every=True).rows
    assert {it.id for it in timeline(real)} <= {row[0] for row in rows}
    assert [row[:3] for row in rows if row[2] != "unchanged"][-1] == ("cr-2021-04-22", "702.33", "renumbered")
    back = trace(real, "702.33", "cr-2026-01-16", "cr-2008-02-01", every=True).rows
    assert [str(row[0]) for row in back] == sorted((str(row[0]) for row in back), reverse=True)
    assert ("cr-2009-07-11", "702.30", "unchanged", None) in back


@pytest.mark.parametrize(("sure", "is_told"), [(0.69, True), (0.7, False), (None, False)])
def test_a_step_below_seven_tenths_is_called_doubtful(sure: float | None, is_told: bool) -> None:
    assert doubts([HistoryRow(EARLY, "100", "", 1.0), HistoryRow(LATE, "101", "reworded", sure)]) == (
        (DOUBTFUL.format("101", LATE, sure),) if is_told else ()
    )


@pytest.mark.long(small="test_a_step_below_seven_tenths_is_called_doubtful")
def test_a_trace_with_a_doubtful_step_says_so(real: Session) -> None:
    for name in ("Teams", "Combat Phase"):
        answer = trace(real, name, "cr-2009-05-01", "cr-2009-07-11")
        is_doubtful = any(row[3] is not None and float(str(row[3])) < 0.7 for row in answer.rows)
        assert any("is doubtful" in note for note in answer.notes) is is_doubtful


def test_a_doubtful_step_in_editions_that_are_not_loaded_is_told_from_the_list(newest: Session) -> None:
    # 420.1 said which conditions count; 704.1 says that nobody does anything for it to happen.
    answer = history_of(newest, "704.1")
    [told] = [row for row in answer.rows if row[0] == "cr-2009-07-11"]
    assert told[1:3] == ("704.1", "moved and reworded")
    note = DOUBTFUL.format("704.1", "cr-2009-07-11", told[3])
    assert note in answer.notes
    assert note in show(newest, "704.1").notes


@pytest.mark.long(small="test_forward")
@pytest.mark.parametrize(
    ("name", "edition", "other"),
    [
        ("state-based effects", "cr-2026-01-16", "State-Based Actions"),
        ("battlefield", "cr-2008-02-01", "In Play"),
    ],
)
def test_old_and_new_names_are_answered_in_any_edition(
    real: Session, name: str, edition: str, other: str
) -> None:
    answer = ask(real, "terms_relying_on", [name], edition=edition)
    assert answer.rows
    assert any(other in note for note in answer.notes)


@pytest.mark.long(small="test_forward")
def test_a_store_of_one_edition_knows_the_names_of_other_times(
    shared: Path, store_of: Callable[..., Path]
) -> None:
    session = session_on(store_of(rules(shared, "2008-02-01")))
    found = resolve(session, ["battlefield"])
    assert [thing.name for thing in found.things] == ["In Play"]
    assert found.notes == ("Battlefield was called In Play before cr-2009-07-11.",)
    with pytest.raises(UnknownNameError):
        resolve(session, ["Umbra Armor"])
