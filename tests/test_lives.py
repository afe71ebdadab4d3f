"""The life of a rule is told from the bundled authority file where editions are not loaded."""

from __future__ import annotations

import pytest
from real import AROUND
from rulesgraph import Rules
from rulesgraph.loaders.history.items import ChangeKind
from rulesgraph.loaders.history.lives import Lives, Stage
from rulesgraph.queries.history.links import outline
from rulesgraph.queries.history.trace import histories_of, history_of, trace
from rulesgraph.queries.session import Session, with_history
from rulesgraph.queries.sheets.show import show

DAYS = ("2001-01-01", "2002-01-01", "2003-01-01", "2004-01-01", "2005-01-01")
ONE, TWO, THREE, FOUR, FIVE = (f"cr-{day}" for day in DAYS)


def file(*rows: str) -> Lives:
    """Return the lives of a file that covers five editions; `rows` have blanks instead of tabs."""
    covered = [f"edition {name}" for name in (ONE, TWO, THREE, FOUR, FIVE)]
    return Lives("\n".join((*covered, *rows)).replace(" ", "\t"))


def test_a_life_has_a_stage_for_each_number_and_wording() -> None:
    lives = file(
        f"P1 100.1 aa - {ONE} {TWO}", f"P1 100.1 bb - {THREE} {THREE}", f"P1 200.4 bb - {FOUR} {FIVE}"
    )
    begins, reworded = Stage(ONE, "100.1", None, "aa"), Stage(THREE, "100.1", ChangeKind.REWORDED, "bb")
    moved = Stage(FOUR, "200.4", ChangeKind.RENUMBERED, "bb")
    still = Stage(FIVE, "200.4", ChangeKind.UNCHANGED, "bb")
    assert lives.before("P1", FIVE) == [begins, reworded, moved]
    assert lives.before("P1", THREE) == [begins, reworded]
    assert lives.after("P1", THREE) == [moved, still]
    assert lives.after("P1", FIVE) == []
    assert (lives.holding("200.4", FIVE), lives.holding("200.4", ONE)) == ("P1", "")
    assert lives.numbers == {"100.1", "200.4"}


def test_what_is_split_off_is_followed_back_and_what_takes_over_onward() -> None:
    lives = file(
        f"P1 100.1 aa - {ONE} {THREE}",
        f"P2 100.2 bb - {TWO} {FIVE}",
        f"P3 300.1 cc - {FOUR} {FIVE}",
        f"replaced P1 P2 {TWO}",
        f"replaced P1 P3 {FOUR}",
    )
    split = Stage(TWO, "100.2", ChangeKind.SPLIT, "bb")
    assert lives.before("P2", FIVE) == [Stage(ONE, "100.1", None, "aa"), split]
    assert lives.after("P1", ONE) == [
        split,
        Stage(FOUR, "300.1", ChangeKind.MERGED, "cc"),
        Stage(FIVE, "100.2", ChangeKind.UNCHANGED, "bb"),
        Stage(FIVE, "300.1", ChangeKind.UNCHANGED, "cc"),
    ]
    assert lives.became("P1", ONE, THREE) == ["P1"]
    assert lives.became("P1", ONE, FIVE) == ["P2", "P3"]
    assert lives.end("P1") == FOUR


def test_a_rule_that_nothing_took_over_is_removed() -> None:
    lives = file(f"P1 100.1 aa - {ONE} {TWO}")
    assert lives.after("P1", ONE) == [Stage(THREE, "", ChangeKind.REMOVED)]
    assert lives.became("P1", ONE, FIVE) == []


def test_what_one_edition_alone_says_is_a_slip() -> None:
    """A damaged copy has other words, and its neighbours on both sides the same."""
    lives = file(
        f"P1 100.1 aa - {ONE} {TWO}", f"P1 100.1 zz - {THREE} {THREE}", f"P1 100.1 aa - {FOUR} {FIVE}"
    )
    assert lives.before("P1", FIVE) == [Stage(ONE, "100.1", None, "aa")]
    two = file(f"P1 100.1 aa - {ONE} {ONE}", f"P1 100.1 zz - {TWO} {THREE}", f"P1 100.1 aa - {FOUR} {FIVE}")
    assert [it.edition for it in two.before("P1", FIVE)] == [ONE, TWO, FOUR]


def test_a_row_written_when_fewer_editions_were_covered_counts_from_when_it_happened() -> None:
    lives = file(f"P1 100.1 aa - {ONE} {TWO}", f"P2 200.1 bb - {THREE} {FIVE}", f"replaced P1 P2 {FIVE}")
    assert lives.after("P1", ONE)[0] == Stage(THREE, "200.1", ChangeKind.MERGED, "bb")
    assert lives.before("P2", FIVE)[1] == Stage(THREE, "200.1", ChangeKind.SPLIT, "bb")


# -- one real edition alone -----------------------------------------------------------------------------

LEGENDS = [
    ("cr-1999-04-23", "420.5e", ""),
    ("cr-2001-07-23", "420.5e", "reworded"),
    ("cr-2002-10-07", "420.5e", "reworded"),
    ("cr-2003-05-26", "420.5e", "reworded"),
    ("cr-2003-07-01", "420.5e", "reworded"),
    ("cr-2004-10-01", "420.5e", "reworded"),
    ("cr-2005-10-01", "420.5e", "reworded"),
    ("cr-2009-07-11", "704.5k", "moved and reworded"),
    ("cr-2013-07-13", "704.5k", "reworded"),
    ("cr-2017-09-29", "704.5j", "renumbered"),
    ("cr-2022-09-08", "704.5j", "reworded"),
]
"""Of two permanents with one name that are legendary, one goes."""

STANDS = [(edition, "704.5j", "unchanged") for edition in ("cr-2026-01-16", "cr-2026-04-17")]


def test_one_text_is_enough_for_the_life_of_a_rule(newest_rules: Rules) -> None:
    session = newest_rules.session
    told = history_of(session, "704.5j")
    assert [row[:3] for row in told.rows] == [*LEGENDS, *STANDS]
    assert {row[3] for row in told.rows} == {None}
    [note] = told.notes
    assert "not loaded" in note
    since = "In the rules since cr-1999-04-23, as 420.5e, 704.5k, 704.5j"
    assert f"{since}; the words last changed in cr-2022-09-08." in show(session, "704.5j").notes


def test_a_number_that_only_other_editions_had_is_told(newest_rules: Rules) -> None:
    told = history_of(newest_rules.session, "420.5e")
    assert [row[:3] for row in told.rows] == [*LEGENDS, STANDS[-1]]
    assert told.notes[0] == "No loaded edition has 420.5e: it stood until cr-2009-05-01."


def test_the_rule_of_the_same_name_tells_for_an_entry(newest_rules: Rules) -> None:
    """One text knows no entry of another; of the rule that bears its name the file knows."""
    told = history_of(newest_rules.session, "Planeswalker")
    assert [row[:2] for row in told.rows][:2] == [("cr-2007-10-01", "212.9"), ("cr-2009-07-11", "306")]
    assert "rule 306" in told.notes[0]
    assert (
        show(newest_rules.session, "Trample")
        .notes[-1]
        .startswith("In the rules since cr-1999-04-23, as 502.9")
    )


def test_a_rule_is_traced_between_editions_that_are_not_loaded(newest_rules: Rules) -> None:
    onward = trace(newest_rules.session, "420.5e", "2008-02-01", "2017-09-29")
    assert [row[:3] for row in onward.rows] == [("cr-2008-02-01", "420.5e", ""), *LEGENDS[7:10]]
    back = trace(newest_rules.session, "704.5j", "2026-01-16", "2009-05-01")
    assert [row[:3] for row in back.rows] == [
        ("cr-2026-01-16", "704.5j", ""),
        ("cr-2022-07-08", "704.5j", "reworded"),
        ("cr-2017-08-25", "704.5k", "renumbered"),
        ("cr-2013-05-01", "704.5k", "reworded"),
        ("cr-2009-05-01", "420.5e", "moved and reworded"),
    ]


def test_a_citation_of_an_edition_that_is_not_loaded_is_led_to_the_rule(newest_rules: Rules) -> None:
    found = newest_rules.verify("See 420.5e and 502.68b, but 704.5zz never was, and 612.40 is a price.")
    assert [(row[2], row[4], row[5]) for row in found.rows] == [
        ("420.5e", "moved", "704.5j"),
        ("502.68b", "moved", "702.15f"),
        ("704.5zz", "unknown", None),
    ]


def told_of(session: Session, edition: str) -> dict[str, list[tuple[object, ...]]]:
    """Return number → the rows of its life up to an edition that is loaded, without confidence."""
    [found] = [it for it in with_history(session.editions()) if it.id == edition]
    names = {iri: it.key for iri, it in outline(session, found).items() if not it.is_entry}
    lives = histories_of(session, edition, names)
    return {names[iri]: [row[:2] for row in rows] for iri, rows in lives.items()}


@pytest.mark.long(small="test_one_text_is_enough_for_the_life_of_a_rule")
def test_more_editions_tell_the_same_life(newest_rules: Rules, real_rules: Rules) -> None:
    """For every rule of the newest edition: numbers and days are those that one text alone tells.

    Loaded neighbours may know of a few more what it was split from.
    """
    alone, among = (told_of(it.session, f"cr-{AROUND[-1]}") for it in (newest_rules, real_rules))
    assert alone.keys() == among.keys()
    assert {number: rows[-len(alone[number]) :] for number, rows in among.items()} == alone
    longer = [number for number, rows in among.items() if len(rows) > len(alone[number])]
    assert len(longer) < 20
