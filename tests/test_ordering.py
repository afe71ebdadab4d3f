"""The order of statements in files, and how it is made."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import gettempdir

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.app.trouble import trouble_of
from rulesgraph.loaders.temporary import naming
from rulesgraph.ontology.iris import BASE, VOCABULARY
from rulesgraph.queries.export import extract
from rulesgraph.queries.export.extract import in_key_order, key_of_line, key_of_quad_line, natural

CONNECT = sqlite3.connect

NAMES = st.text(alphabet="a-/.029", max_size=8)


def by_value(name: str) -> list[object]:
    """Return the pieces of a name, its numbers by their value."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), part) if place % 2 else part for place, part in enumerate(parts)]


@given(st.lists(NAMES, max_size=12))
def test_numbers_inside_names_count_as_numbers(names: list[str]) -> None:
    assert sorted(names, key=natural) == sorted(names, key=by_value)


@given(st.lists(st.tuples(st.binary(max_size=3), st.text(max_size=3)), max_size=12))
def test_lines_come_by_their_keys_and_each_once(lines: list[tuple[bytes, str]]) -> None:
    keyed = {line: (key, line) for key, line in lines}.values()
    assert list(in_key_order([*keyed, *keyed])) == [line for _, line in sorted(keyed)]


def test_data_comes_before_the_vocabulary_and_the_type_of_a_thing_before_what_else_is_said_of_it() -> None:
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    lines = [
        f'<{BASE}rule/100.2> {kind} "a" .\n',
        f'<{BASE}rule/100.2> <http://example.org/a> "2" .\n',
        f'<{BASE}rule/100.2> <http://example.org/a> "10" .\n',
        f'<{BASE}rule/100.2> <http://example.org/a#b> "1" .\n',
        f'<{BASE}rule/100.2a> {kind} "a" .\n',
        f'<{BASE}rule/100.10> {kind} "a" .\n',
        f'<https://example.org/x> {kind} "a" .\n',
        f'<{VOCABULARY}Rule> {kind} "a" .\n',
        f'_:b0 {kind} "a" .\n',
    ]
    backwards = [*reversed(lines)]
    assert sorted(backwards, key=lambda line: key_of_line(line, BASE)) == lines
    graphs = [f"<{BASE}edition/{name}>" for name in ("a2", "a10", "b")]
    quads = [f"{line.removesuffix(' .' + chr(10))} {graph} .\n" for graph in graphs for line in lines]
    backwards = [*reversed(quads)]
    assert sorted(backwards, key=lambda line: key_of_quad_line(line, BASE)) == quads


def test_what_is_sorted_waits_in_a_file_of_ours_that_no_folder_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If SQLite were killed while making a temporary file, the file would stay."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    opened: list[str] = []

    def connect(path: str) -> sqlite3.Connection:
        opened.append(str(path))
        return CONNECT(path)

    monkeypatch.setattr(sqlite3, "connect", connect)
    lines = in_key_order((b"%06d" % number, f"line {number}") for number in range(5000, 0, -1))
    assert next(lines) == "line 1"
    (path,) = opened
    assert Path(path).is_relative_to(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert len(list(lines)) == 4999
    with closing(extract._sorting_table()) as waiting:
        plan = waiting.execute("EXPLAIN QUERY PLAN SELECT line FROM line ORDER BY key, line").fetchall()
    assert [row[3] for row in plan] == ["SCAN line"]


def test_a_full_folder_for_temporary_files_is_the_trouble_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def small(_: str) -> sqlite3.Connection:
        database = sqlite3.connect(":memory:")
        database.execute("PRAGMA max_page_count = 4")
        return database

    class Small:
        OperationalError = sqlite3.OperationalError
        connect = staticmethod(small)

    monkeypatch.setattr(extract, "sqlite3", Small)
    full = r"there is no space for sorting \(database or disk is full\)"
    lines = in_key_order((b"%d" % n, "word" * 500) for n in range(50))
    with pytest.raises(OSError, match=full) as caught, naming("the file that is written"):
        next(lines)
    assert f"Temporary files are in {gettempdir()}" in trouble_of(caught.value)
