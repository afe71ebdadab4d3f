"""Answers as text: every cell can be read, nothing is wider than the terminal."""

from __future__ import annotations

import csv
import io
import json
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rulesgraph.app.output import write_passages, write_rows
from rulesgraph.app.tables import _is_narrow, display_width, sheet, table, wrap
from rulesgraph.queries.session import Answer
from wcwidth import wcwidth

COLUMNS = ("term", "steps", "dated")
ROWS = [("Dandân", 1, date(2006, 7, 15)), ('A "quoted", name', 12, None)]


def written(
    form: str, columns: tuple[str, ...] = COLUMNS, rows: list[tuple[object, ...]] | None = None
) -> str:
    out = io.StringIO()
    write_rows(columns, ROWS if rows is None else rows, form, out)  # type: ignore[arg-type]
    return out.getvalue()


def test_json_is_a_list_of_objects_whose_keys_are_the_columns() -> None:
    assert json.loads(written("json")) == [
        {"term": "Dandân", "steps": 1, "dated": "2006-07-15"},
        {"term": 'A "quoted", name', "steps": 12, "dated": None},
    ]


def test_csv_reads_back() -> None:
    rows = list(csv.reader(io.StringIO(written("csv"))))
    assert rows == [["term", "steps", "dated"], ["Dandân", "1", "2006-07-15"], ['A "quoted", name', "12", ""]]


def test_tsv_keeps_one_row_a_line() -> None:
    text = written("tsv", ("text", "ok"), [("a\tb\nc\\", True)])
    assert text == "text\tok\na\\tb\\nc\\\\\ttrue\n"


@pytest.mark.parametrize(
    ("form", "expected"), [("json", "[]\n"), ("csv", "term,steps,dated\n"), ("tsv", "term\tsteps\tdated\n")]
)
def test_no_row_is_still_a_well_formed_answer(form: str, expected: str) -> None:
    assert written(form, rows=[]) == expected


def test_numbers_stand_to_the_right_and_wrapped_rows_apart() -> None:
    text = table(
        ("name", "n"), [("one two three four five six seven eight nine ten", 1), ("b", 22)], width=40
    )
    assert text.splitlines() == [
        "name                                   n",
        "────────────────────────────────────  ──",
        "one two three four five six seven      1",
        "eight nine ten",
        "",
        "b                                     22",
    ]


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 5, [""]),
        ("ab cd", 5, ["ab cd"]),
        ("ab cde", 5, ["ab", "cde"]),
        ("abcdefg", 3, ["abc", "def", "g"]),  # no place to break: cut
        ("魔法 魔", 4, ["魔法", "魔"]),  # wide characters take two columns
        ("  a   b ", 9, ["a b"]),
        (
            "e\u0301o\u0308u\u0302a\u0300",
            2,
            ["e\u0301o\u0308", "u\u0302a\u0300"],
        ),  # marks stay on their letters
        ("👍🏽👍🏽👍🏽", 5, ["👍🏽👍🏽", "👍🏽"]),  # and colors on their hands
        ("“—”“—”", 3, ["“—”", "“—”"]),
        ("https://a.org/bcd#efgh", 16, ["https://a.org/", "bcd#efgh"]),  # an address behind its marks
        ("a/bcdefghijk", 8, ["a/bcdefg", "hijk"]),  # unless little would stand before them
    ],
)
def test_wrap(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("Ærathi “Dandân” – 5…", 20),
        ("魔法", 4),
        ("ﾏｼﾞｯｸ", 5),  # halfwidth forms, among them a separate voicing mark
        ("e\u0301", 1),
        ("क्षि", 2),
        ("👍", 2),
        ("👍🏽", 2),
        ("🇫🇷", 2),
        ("❤", 1),
        ("❤\ufe0f", 2),
        ("a\u200bb", 2),
        ("\U00016f51", 1),  # a mark that takes a column after another character
    ],
)
def test_display_width(text: str, columns: int) -> None:
    assert display_width(text) == columns


def test_what_is_counted_without_a_table_of_widths_has_these_widths() -> None:
    narrow = [chr(code) for code in range(0x3000) if _is_narrow(chr(code))]
    assert {wcwidth(character) for character in narrow} == {1}
    assert len(narrow) == 0x5F + 0x25F + 0x18


def test_lines_of_a_cell_stay_apart() -> None:
    assert table(("a", "b"), [("Drift", "one two three\nfour")], width=15).splitlines()[2:] == [
        *("Drift  one two", "       three", "       four")
    ]


def test_control_characters_are_shown_not_obeyed() -> None:
    assert "\x1b" not in table(("a",), [("\x1b[2Jgone",)])
    assert "\\x1b[2Jgone" in table(("a",), [("\x1b[2Jgone",)])


@example([("", "\U00016f51", 0), ("", "0" * 60, 0)], 60)
@given(
    st.lists(st.tuples(st.text(max_size=80), st.text(max_size=30), st.integers()), max_size=5),
    st.integers(60, 120),
)
def test_a_table_fits_and_loses_no_character(rows: list[tuple[str, str, int]], width: int) -> None:
    text = table(("text", "more", "n"), rows, width=width)
    assert all(display_width(line) <= width for line in text.splitlines())
    shown = sorted("".join(text.split()))
    for cell in (cell for row in rows for cell in row[:2]):
        for character in "".join(cell.split()):
            assert not character.isprintable() or character in shown


def test_a_sheet_aligns_its_values() -> None:
    assert sheet({"kind": "term", "other names": "one two"}, width=21) == (
        "kind         term\nother names  one two\n"
    )
    assert sheet({"a": "one two three"}, width=11) == "a  one two\n   three\n"


def test_the_text_of_cards_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    faces = (("Moth", "Creature — Insect", "Flying\nGlow 2", "{1}{U}"), ("Lamp", "Artifact", None, None))
    cards = Answer("card_text", ("card", "types", "text", "cost"), faces, "lamps")
    answer = Answer(
        "closest_rules", ("number",), (("100.1",),), "lamps", ("Lit.",), lead=("Lit.",), cards=cards
    )
    write_passages(answer, "table")
    heads = [
        "Moth · {1}{U} · Creature — Insect",
        "    Flying",
        "    Glow 2",
        "",
        "Lamp · Artifact",
        "",
        "Lit.",
        "",
    ]
    assert capsys.readouterr().out.splitlines()[: len(heads)] == heads
    write_passages(answer, "csv")
    assert capsys.readouterr().out == "number\n100.1\n"
