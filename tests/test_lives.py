"""For editions that are not loaded, the bundled authority file says what happened to a rule."""

from __future__ import annotations

from collections.abc import Callable
from csv import DictReader
from io import BytesIO
from pathlib import Path

import pytest
import rulesgraph
from asking import session_on
from real import AROUND, rules
from rulesgraph import Rules
from rulesgraph.loaders.history.items import ChangeKind
from rulesgraph.loaders.history.lives import Lives, bundled_lives
from rulesgraph.loaders.history.tenures import Stage, Tenure
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.queries.history.blame import blame
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
    assert {*lives.numbers} == {"100.1", "200.4"}


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
        Stage(FOUR, "300.1", ChangeKind.SPLIT, "cc"),
        Stage(FIVE, "100.2", ChangeKind.UNCHANGED, "bb"),
        Stage(FIVE, "300.1", ChangeKind.UNCHANGED, "cc"),
    ]
    assert lives.became("P1", ONE, THREE) == ["P1"]
    assert lives.became("P1", ONE, FIVE) == ["P2", "P3"]
    assert lives.span("P1")[1] == FOUR


def test_what_stood_before_takes_in_another_rule() -> None:
    lives = file(f"P1 100.1 aa - {ONE} {TWO}", f"P2 100.2 bb - {ONE} {FIVE}", f"replaced P1 P2 {THREE}")
    assert lives.after("P1", ONE)[0] == Stage(THREE, "100.2", ChangeKind.MERGED, "bb")
    assert (lives.heirs("P1"), lives.sources("P2")) == (["P2"], ["P1"])
    assert [it.sources for it in lives.tenures("P2")] == [("P1",)]
    assert lives.absorbed("P2", FIVE) == [(THREE, "100.2", "100.1")]
    assert lives.went_into("P1", ONE, FIVE) == {"P2": ChangeKind.MERGED}
    assert lives.went_into("P1", THREE, FIVE) == {}


def test_tenures_are_the_stages_of_a_provision_with_their_ends() -> None:
    lives = file(
        f"P1 100.1 aa - {ONE} {TWO}",
        f"P1 200.1 aa - {THREE} {FIVE}",
        f"P2 200.2 bb - {THREE} {FOUR}",
        f"P3 100.9 cc - {TWO} {TWO}",
        f"replaced P1 P2 {THREE}",
    )
    assert lives.tenures("P1") == [
        Tenure("100.1", ONE, TWO, THREE, words="aa"),
        Tenure("200.1", THREE, FIVE, "", ChangeKind.RENUMBERED, words="aa"),
    ]
    assert lives.tenures("P2") == [Tenure("200.2", THREE, FOUR, FIVE, ChangeKind.SPLIT, ("P1",), "bb")]
    assert lives.tenures("P3") == [Tenure("100.9", TWO, TWO, THREE, ChangeKind.ADDED, words="cc")]
    assert lives.tenures("P9") == []


def test_each_real_tenure_begins_as_the_history_of_its_rule_says() -> None:
    lives = bundled_lives()
    for provision in lives.provisions:
        own = lives.tenures(provision)
        told = lives.before(provision, own[-1].last)[-len(own) :]
        assert [(it.first, it.number) for it in own] == [(it.edition, it.number) for it in told], provision
        kinds = [None if it.change is ChangeKind.ADDED else it.change for it in own]
        assert kinds == [it.change for it in told], provision


def test_a_rule_that_nothing_took_over_is_removed() -> None:
    lives = file(f"P1 100.1 aa - {ONE} {TWO}")
    assert lives.after("P1", ONE) == [Stage(THREE, "", ChangeKind.REMOVED)]
    assert lives.became("P1", ONE, FIVE) == []


def test_two_that_took_over_from_each_other_are_followed_once() -> None:
    lives = file(
        f"P1 100.1 aa - {ONE} {ONE}",
        f"P2 100.2 bb - {TWO} {TWO}",
        f"P1 100.1 aa - {THREE} {THREE}",
        f"replaced P1 P2 {TWO}",
        f"replaced P2 P1 {THREE}",
    )
    assert lives.became("P1", ONE, THREE) == ["P1"]
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
    assert lives.after("P1", ONE)[0] == Stage(THREE, "200.1", ChangeKind.SPLIT, "bb")
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
    note, other = told.notes
    assert "not loaded" in note
    assert other.startswith("704.5j was another rule from cr-2009-07-11 to cr-2017-08-25 (now gone): ")
    since = "In the rules since cr-1999-04-23, as 420.5e, 704.5k, 704.5j"
    assert f"{since}; the words last changed in cr-2022-09-08." in show(session, "704.5j").notes


def test_a_number_that_only_other_editions_had_is_told(newest_rules: Rules) -> None:
    told = history_of(newest_rules.session, "420.5e")
    assert [row[:3] for row in told.rows] == [*LEGENDS, STANDS[-1]]
    assert told.notes[0] == "No loaded edition has 420.5e: it existed until cr-2009-05-01."


def test_no_text_of_the_rules_is_needed(starter_store: Path) -> None:
    told = history_of(session_on(starter_store), "704.5j")
    assert [row[:3] for row in told.rows] == [*LEGENDS, STANDS[-1]]
    with pytest.raises(UnknownNameError):
        history_of(session_on(starter_store), "704.5zz")


def test_the_rule_that_defines_a_term_tells_for_its_entry(newest_rules: Rules) -> None:
    """One text has no entry of another; the file knows about the rule that defines its term."""
    told = history_of(newest_rules.session, "Planeswalker")
    assert [row[1] for row in told.rows][:3] == ["Planeswalker", "212.9", "306"]
    assert (
        show(newest_rules.session, "Trample")
        .notes[-1]
        .startswith("In the rules since cr-1999-04-23, as 502.9")
    )


def test_each_door_to_the_history_of_a_term_has_that_of_its_rule(newest_rules: Rules) -> None:
    session, newest = newest_rules.session, newest_rules.session.current.label
    rows = ((newest, "Legend Rule", "", 1.0), *history_of(session, "704.5j").rows)
    doors = (
        newest_rules.trace("legend rule"),
        newest_rules.ask("when did the legend rule change"),
        newest_rules.term("Legend Rule").history,
        *(it for it in newest_rules.show("Legend Rule").tables if it.name == "history"),
    )
    assert [it.rows for it in doors] == [rows] * 4
    of_both = {(row["since"], row["number"]) for row in newest_rules.blame("legend rule")}
    assert {number for _, number in of_both} == {"Legend Rule", "704.5j"}
    back = trace(session, "Legend Rule", newest, "2012-02-01").rows
    assert [row[:2] for row in (back[0], back[-1])] == [(newest, "704.5j"), ("cr-2012-02-01", "704.5k")]


def test_a_term_that_no_rule_defines_any_more_has_the_history_of_its_last_rule(real: Session) -> None:
    entry = history_of(real, "Mana Burn", alone=True).rows
    rule = history_of(real, "300.3", "cr-2008-02-01").rows
    assert history_of(real, "Mana Burn").rows == (*entry, *rule)
    assert {row[1] for row in rule} >= {"300.3", "500.4"}


def test_a_history_of_a_title_says_when_the_rules_below_it_changed(real: Session) -> None:
    days = "cr-2009-07-11, cr-2009-09-04, cr-2010-07-16, cr-2017-01-20, cr-2025-11-14"
    told = f"702.2 is only a title. The rules below it in cr-2026-01-16 changed in {days}: "
    told += "`rulesgraph blame 702.2` dates their sentences."
    for name in ("Deathtouch", "702.2"):
        assert told in history_of(real, name).notes
    assert not [note for note in history_of(real, "702.2b").notes if "title" in note]


def test_a_name_leads_to_rules_that_are_not_its_own(real: Session) -> None:
    """Where several define a term, or its entry only refers to some, by their numbers in that edition."""
    newest, old = real.current.label, "cr-2008-02-01"
    leads = {
        ("Counter", newest): "For the rules on Counter: `rulesgraph trace 122`, `rulesgraph trace 701.6`.",
        ("Attack", newest): "For the rules on Attack: `rulesgraph trace 508`.",
        ("Mulligan", old): "For the rules on Mulligan: "
        f"`rulesgraph trace 101.4 --from {old}`, `rulesgraph trace 606.6a --from {old}`.",
    }
    for (name, edition), note in leads.items():
        for told in (history_of(real, name, edition), blame(real, name, edition), trace(real, name, edition)):
            assert note in told.notes


def test_the_data_set_says_what_trace_does(newest_rules: Rules) -> None:
    """Every rule with a doubtful change, a split or a merger is compared, and some others."""
    newest_rules.authority(file := BytesIO(), notation="csv")
    rows = [*DictReader(file.getvalue().decode().splitlines())]
    told = [row for row in rows if row["confidence"] or row["from"] or row["into"]]
    chosen = {row["provision"] for row in (*told, *rows[::500])}
    known = {
        (row["provision"], row["first_edition"], row["number"]): (
            row["change"].replace("added", ""),
            float(row["confidence"] or 2),
        )
        for row in rows
        if row["provision"] in chosen
    }
    found = {
        (it, row["edition"], row["number"]): (row["change"] or "", float(str(row["confidence"] or 2)))
        for it in chosen
        for row in newest_rules.trace(it)
    }
    assert known == {key: value for key, value in found.items() if key in known}
    assert len([row for row in told if row["confidence"]]) == 37


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


def test_a_way_ends_with_its_last_edition_where_nothing_changed_there(newest_rules: Rules) -> None:
    for start, end in (("2019-10-04", "2026-01-16"), ("2026-01-16", "2019-10-04")):
        rows = trace(newest_rules.session, "704.5k", start, end).rows
        assert rows == ((f"cr-{start}", "704.5k", "", None), (f"cr-{end}", "704.5k", "unchanged", None))
    [begin, *_, last] = trace(newest_rules.session, "217.8", "2008-02-01", "2020-04-17").rows
    assert (begin[1], last[:3]) == ("217.8", ("cr-2009-07-11", None, "removed"))


@pytest.mark.parametrize("door", [show, blame])
def test_an_old_number_is_led_to_its_history(
    newest_rules: Rules, door: Callable[[Session, str], object]
) -> None:
    with pytest.raises(UnknownNameError) as raised:
        door(newest_rules.session, "502.15")
    said = "Editions from cr-2001-07-23 to cr-2009-05-01 have it: `rulesgraph trace 502.15` follows it."
    assert said in raised.value.way_out
    with pytest.raises(UnknownNameError) as raised:
        door(newest_rules.session, "999.9")
    assert "trace" not in raised.value.way_out


def test_an_edition_that_is_known_by_its_numbers_alone_is_told(newest_rules: Rules) -> None:
    for name in ("2008-02-01", "cr-2008-02-01"):
        with pytest.raises(UnknownNameError, match="no loaded edition is called") as raised:
            newest_rules.session.scope(name)
        assert "`rulesgraph trace NUMBER --from cr-2008-02-01`" in raised.value.way_out


def test_rules_of_a_day_that_are_not_loaded_are_named(newest_rules: Rules) -> None:
    bare = "1 citation, 0 findings, 1 number with too few words beside to compare"
    assert newest_rules.verify("rule 704.5j", asof="2026-02-01").notes == (bare,)
    missing, counts = newest_rules.verify("rule 704.5j", asof="2026-05-01").notes
    assert missing.startswith(
        "The text was written against cr-2026-04-17, which is newer than cr-2026-01-16:"
    )
    assert counts == bare
    [row] = newest_rules.verify("rule 420.5e", asof="2008-06-01")
    assert (row["finding"], row["now"]) == ("moved", "704.5j")


def test_what_no_file_knows_begins_in_the_editions_at_hand(mini: Session) -> None:
    back = trace(mini, "201.2", "2031-02-01", "2008-02-01")
    assert [row[:3] for row in back.rows] == [
        ("cr-2031-02-01", "201.2", ""),
        ("cr-2026-04-17", None, "not there yet"),
    ]
    with pytest.raises(UsageError, match="Bag is an entry"):
        trace(mini, "Bag", "2031-02-01", "2008-02-01")
    with pytest.raises(UsageError, match="not a release of the same text as rulings-2031-03-10"):
        trace(mini, "201.2", "rulings-2031-03-10", "2008-02-01")


@pytest.mark.long(small="test_what_no_file_knows_begins_in_the_editions_at_hand")
def test_a_rule_is_traced_to_and_from_an_edition_that_the_file_does_not_cover(
    shared: Path, tmp_path: Path
) -> None:
    """A later edition lacks 420.5b, and what was 420.5e is 420.5b."""
    text = rules(shared, "2008-02-01").read_text(encoding="cp1252")
    text = text.replace("February 1, 2008", "March 1, 2008")
    gone, moved = (next(it for it in text.splitlines() if it.startswith(f"420.5{x} ")) for x in "be")
    text = text.replace(f"{gone}\n", "").replace(moved, moved.replace("420.5e", "420.5b", 1))
    (tmp_path / "march.txt").write_text(text, encoding="cp1252")
    session = rulesgraph.build([tmp_path / "march.txt"], store=tmp_path / "store").rules.session
    back = trace(session, "420.5b", "2008-03-01", "2004-10-01").rows
    assert [row[:3] for row in back] == [
        ("cr-2008-03-01", "420.5b", ""),
        ("cr-2008-02-01", "420.5e", "renumbered"),
        ("cr-2005-08-01", "420.5e", "reworded"),
        ("cr-2004-10-01", "420.5e", "unchanged"),
    ]
    onward = [trace(session, number, "2007-10-01").rows[1:] for number in ("420.5e", "420.5b")]
    assert [[row[:3] for row in rows] for rows in onward] == [
        [("cr-2008-03-01", "420.5b", "renumbered")],
        [("cr-2008-03-01", None, "removed")],
    ]


def test_a_citation_of_an_edition_that_is_not_loaded_is_led_to_the_rule(newest_rules: Rules) -> None:
    found = newest_rules.verify("See 420.5e and 502.68b, but 704.5zz never was, and 612.40 is a price.")
    assert [(row["citation"], row["finding"], row["now"]) for row in found] == [
        ("420.5e", "gone", "704.5j"),
        ("502.68b", "gone", "702.15f"),
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
    """For every rule of the newest edition, numbers and days equal those found with that one text alone.

    Loaded neighbours may know more rules that it was split from.
    """
    alone, among = (told_of(it.session, f"cr-{AROUND[-1]}") for it in (newest_rules, real_rules))
    assert alone.keys() == among.keys()
    assert {number: rows[-len(alone[number]) :] for number, rows in among.items()} == alone
    longer = [number for number, rows in among.items() if len(rows) > len(alone[number])]
    assert len(longer) < 20


def test_a_number_counts_as_in_the_newest_edition_that_had_it(real_rules: rulesgraph.Rules) -> None:
    """In the text of 2009 the number is that of paying mana, in those of 2010 to 2019 that of priority.

    There are no words beside it, so its older meaning is named as well, after the newest.
    """
    [row] = real_rules.verify("rule 116.3a").records()
    newest, older = (
        f"116.3a of cr-{it} in cr-2026-01-16" for it in ("2019-06-14 is 117.3a", "2010-06-18 is 118.3a")
    )
    assert (row["now"], row["message"]) == ("117.3a, 118.3a", f"{newest}; {older}")


def test_nothing_is_merged_into_a_rule_that_does_not_change_and_still_goes_on() -> None:
    """510.1c was said to have gone into 702.19b, which had had that sentence before."""
    lives = bundled_lives()
    assert lives.provisions
    for provision in lives.provisions:
        for heir, stage in lives.taken_over_by(provision):
            before = lives.edition_before(stage.edition)
            was, now = lives.at(heir, before), lives.at(heir, stage.edition)
            is_idle = was and now and was.words == now.words and lives.at(provision, stage.edition)
            assert not (stage.change == "merged" and is_idle), (provision, heir, stage)
