"""Lists of rules with their names: correct ones raise no alarm, and wrong numbers among them are found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import rulesgraph
from asking import session_on
from citation_layouts import LAYOUTS, JudgedLayout, judged_layout, table, titled
from real import rules
from rulesgraph import Rules
from rulesgraph.loaders.history.lives import bundled_lives
from rulesgraph.queries.citing.cite import judged
from rulesgraph.queries.citing.material import material_of, read_material
from rulesgraph.queries.citing.scan import read
from rulesgraph.queries.verifying.findings import KINDS, Finding
from rulesgraph.queries.verifying.rulebook import Book
from sweep import PartOf
from test_docs import QUALITY_PAGE, hold_table


@pytest.fixture(scope="module")
def newest_book(newest_rules: Rules) -> Book:
    return material_of(newest_rules.session)


@pytest.fixture(scope="module")
def newest_layouts(newest_book: Book) -> Callable[[str], JudgedLayout]:
    """The figures of a layout for the newest edition, found once."""
    return cache(lambda name: judged_layout(newest_book, titled(newest_book, ("701", "702")), LAYOUTS[name]))


@pytest.mark.parametrize("name", ["// CR n: Name", "// CR n name, …", "// Name: CR n", "# name CR n"])
def test_right_names_beside_numbers_raise_no_alarm(
    newest_layouts: Callable[[str], JudgedLayout], name: str
) -> None:
    found = newest_layouts(name)
    assert (found.false, found.fixed, found.found) == (0, 0, found.wrong)


@pytest.mark.long(small="test_right_names_beside_numbers_raise_no_alarm")
def test_the_docs_print_the_figures_of_all_layouts(
    shared: Path,
    newest_layouts: Callable[[str], JudgedLayout],
    store_of: Callable[..., Path],
    update_golden: bool,
    part_of: PartOf,
) -> None:
    old = material_of(session_on(store_of(rules(shared, "2008-02-01"))))
    rows = titled(old, ("502",))
    figures = {
        name: [newest_layouts(name), judged_layout(old, rows, layout)]
        for name, layout in (LAYOUTS.items() if update_golden else part_of(LAYOUTS.items(), 5))
    }
    hold_table(QUALITY_PAGE, table(figures), update_golden, is_part=not part_of.is_whole)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("// CR 702.29 cycling, CR 702.28 shadow, CR 702.27 buyback", []),
        ("// CR 702.10 haste\n// CR 702.20 vigilance\n// CR 701.9 discarding", []),
        ("/* rule 704.5g lethal damage, rule 704.5h deathtouch */", []),
        ("/* rule 704.5j legend rule, 704.5k world rule */", []),
        ("// CR 701.18: scry N\n// see 701.22a for scry", [("701.18", "701.22", True)]),
        ("// CR 702.85: annihilator 2\n// see 702.86a for annihilator", [("702.85", "702.86", True)]),
        ("// trample CR 702.19\n// CR 702.110 menace\n// CR 702.9 flying", [("702.110", "702.111", True)]),
    ],
)
def test_a_name_in_the_line_of_a_number_is_its_own(
    newest_book: Book, text: str, found: list[tuple[str, str, bool]]
) -> None:
    material = newest_book
    flags, _ = judged(material, read("a.rs", text)[0], "")
    assert [(it.number, *it.finding.now, it.finding.fix) for it in flags] == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"701.18": "scry"}', [("701.18", "701.22")]),
        ('("702.16", "ward")', [("702.16", "702.21")]),
        ('assert rule == "701.18", "scry"', [("701.18", "701.22")]),
        ('rule(number = "701.18", name = "Scry")', [("701.18", "701.22")]),
        ('{"701.22": "scry", "701.22": "surveil"}', [("701.22", "701.25")]),
        ('{"scry": "701.22", "surveil": "701.22"}', [("701.22", "701.25")]),
        ('{"701.22": "scry", "701.25": "surveil"}', []),
    ],
)
def test_a_number_in_a_string_is_judged_by_the_string_behind_it(
    newest_book: Book, line: str, found: list[tuple[str, str]]
) -> None:
    flags, _ = judged(newest_book, read("a.py", line)[0], "")
    assert [(it.number, *it.finding.now) for it in flags] == found


@pytest.mark.parametrize(
    ("name", "text", "checked"),
    [
        ("a.json", '{"trample": "702.19", "height": "702.18"}', {"702.19"}),
        ("a.json", '{"trample": 702.19, "rule": 404.1}', set()),
        (
            "a.json",
            '{"cr": "704.5f", "rule": "702.19", "ruleNumber": "702.18"}',
            {"704.5f", "702.19", "702.18"},
        ),
        ("a.json", '{"701.22": "scry", "height": "701.25"}', {"701.22"}),
        ("a.yaml", "cr: 704.5f\nrule: 702.19\nheight: 702.18\n", {"704.5f", "702.19"}),
        ("a.yaml", "- {rule: '702.19', trample: 702.18}\n", {"702.19", "702.18"}),
        ("a.toml", 'rule = "702.19"\ntrample = 702.18\n', {"702.19", "702.18"}),
        ("a.csv", "rule,name\n702.19,Trample\n702.18,Height\n", {"702.19"}),
        ("a.csv", '"Trample","702.19",3\n', {"702.19"}),
        ("a.tsv", "702.19\ttrample\n", {"702.19"}),
    ],
)
def test_a_number_in_data_counts_by_its_key_or_by_a_name_beside_it(
    newest_book: Book, name: str, text: str, checked: set[str]
) -> None:
    assert judged(newest_book, read(name, text)[0], "")[1].keys() == checked


def test_a_file_of_citations_knows_the_names_of_terms(
    newest_rules: Rules, newest_book: Book, tmp_path: Path
) -> None:
    newest_rules.export("citations", tmp_path / "citations.json")
    sites = read("a.rs", "// the legend rule (CR 704.5k)\n// the world rule (CR 704.5j)\n")[0]
    flags, _ = judged(read_material(tmp_path / "citations.json"), sites, "")
    # The file has no words, so it says what a number means by its title alone.
    without = [it._replace(finding=replace(it.finding, message="")) for it in flags]
    others = judged(newest_book, sites, "")[0]
    assert without == [it._replace(finding=replace(it.finding, message="")) for it in others]
    assert [(it.number, it.finding.severity, *it.finding.now) for it in flags] == [
        ("704.5k", "warning", "704.5j"),
        ("704.5j", "warning", "704.5k"),
    ]


def test_quotations_are_counted_as_not_compared(newest_rules: Rules, tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text(
        '// CR 702.9b: "it can be blocked by whoever wants to"\n// CR 704.5f: "no"\n'
    )
    (note,) = newest_rules.cite(tmp_path).notes
    told = "1 quotation and the sentences beside numbers not compared: `rulesgraph verify` compares them"
    assert note.endswith(f"no findings; {told}")


def test_every_finding_has_the_severity_of_its_kind() -> None:
    assert {kind: Finding(kind).severity for kind in KINDS} == {kind: it for kind, (it, _) in KINDS.items()}


@pytest.mark.parametrize(
    ("text", "written", "expected"),
    [
        # What `verify` says of obsolete names; a semicolon parts clauses.
        ("# CR 704.5j planeswalker uniqueness rule\n", "", [("704.5j", "topic", ())]),
        ("# mana burn (rule 500.4)\n", "", [("500.4", "topic", ())]),
        ("# CR 702.19b trample assignment; lethal damage 702.2c\n", "", []),
        (
            "# CR 702.19b trample assignment; lethal damage 702.2c\n",
            "cr-2016-11-11",
            [("702.2c", "moved", ("702.2b",))],
        ),
        ("class Mill:  # CR 701.13\n    pass\n", "", [("701.13", "stale", ("701.17",))]),
        ("class Mill:  # CR 701.13\n    pass\n", "cr-2016-11-11", [("701.13", "moved", ("701.19",))]),
    ],
)
def test_names_in_a_program_are_read_as_in_any_text(
    newest_book: Book, text: str, written: str, expected: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    flags, _ = judged(newest_book, read("a.py", text)[0], written)
    assert [(it.number, it.finding.kind, it.finding.now) for it in flags] == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # The first word of a line that goes on with a sentence is no name of the number behind it.
        ("# the card goes into exile and never onto the\n# stack (CR 614.1a).\n", []),
        ("# it is counted for each such\n# counter (CR 614.1c), one after the other.\n", []),
        ("# all of it waits.\n# Flying (CR 702.19) is meant.\n", [("702.19", "topic", ("702.9",))]),
        # The name of the function has both that of the rule and that which stands beside its number.
        ('def _exchange_fight(one, other):\n    """The CR 701.14a exchange itself."""\n', []),
        ('def exchangeFight(one, other):\n    """The CR 701.14a exchange itself."""\n', []),
        (
            'def _fight(one, other):\n    """The CR 701.14a exchange itself."""\n',
            [("701.14a", "topic", ("701.12",))],
        ),
        # Rules that had the number say less than the rule above it, which is named and has no such part.
        ("# who is asked to sacrifice it (CR 701.21b)\n", [("701.21b", "topic", ("701.21",))]),
    ],
)
def test_words_of_a_program_beside_a_number(
    newest_book: Book, text: str, found: list[tuple[str, str, tuple[str, ...]]]
) -> None:
    flags, _ = judged(newest_book, read("a.py", text)[0], "")
    assert [(it.number, it.finding.kind, it.finding.now) for it in flags] == found


@pytest.mark.parametrize("day", ["2008-02-01", "2026-01-16"])
def test_numbers_that_newer_rules_may_have_are_told(
    shared: Path, store_of: Callable[..., Path], tmp_path: Path, day: str
) -> None:
    """Whichever edition is loaded, those count that go on where the last one that is known ends."""
    lives = bundled_lives()
    newest = lives.editions[-1]
    held = [
        it.partition(".")[2] for it in lives.numbers if it.startswith("702.") and lives.holding(it, newest)
    ]
    last = max(int(it) for it in held if it.isdigit())
    tried = {f"702.{last + n}{part}": n <= 3 for n, part in ((1, ""), (2, "b"), (3, ""), (40, ""))}
    lines = "".join(f"# CR {number}\n\n" for number in (*tried, "702.9z"))
    (tmp_path / "a.py").write_text(f"# By the Comprehensive Rules of May 1, 2043.\n\n{lines}")
    answer = rulesgraph.open(store_of(rules(shared, day))).cite(tmp_path)
    told = {row["number"]: f"newer rules than {newest} may have it" in str(row["why"]) for row in answer}
    assert told == {**tried, "702.9z": False}
    [note] = answer.notes
    get = "`rulesgraph get` loads the newest"
    assert f"3 numbers may be of newer rules: {get}" in note
    assert f"is about the rules of 2043-05-01, newer than cr-{day}: {get}" in note
