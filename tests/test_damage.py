"""Copies of a good text: re-encoded ones give equal results, damaged ones are refused or reported."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from copies import CODE_PAGES, ENCODINGS, GOOD, LAYOUTS, LINE_ENDS, STRAIGHT, Lines
from damage import BROKEN_BYTES, DAMAGES, Damage, misread_throughout
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import decode, read_source
from rulesgraph.loaders.records import Document
from rulesgraph.ontology.errors import SourceError

LINES = tuple(GOOD.splitlines())
EDITIONS = ("1999-11-01", "2009-05-01")
"""An index and a table; italics and chapters left blank."""


def load(data: bytes | Lines) -> Document:
    if not isinstance(data, bytes):
        data = "\n".join(data).encode()
    return load_document(decode(data, "copy.txt"))


def same_but_for_the_file(document: Document) -> Document:
    return replace(document, checksum="", encoding="")


def words(document: Document) -> list[object]:
    """Everything that a document says, without its line numbers."""
    rules = [(r.number, r.title, r.text, [e.text for e in r.examples]) for r in document.rules]
    entries = [
        (e.heading, e.occurrence, [(p.number, p.text, [x.text for x in p.examples]) for p in e.paragraphs])
        for e in document.entries
    ]
    return [document.edition, [(s.number, s.title) for s in document.sections], rules, entries]


def codes(document: Document) -> list[str]:
    return [problem.code for problem in document.problems]


@cache
def loaded(lines: tuple[str, ...]) -> Document:
    return load(lines)


@cache
def edition_lines(folder: Path, edition: str) -> tuple[str, ...]:
    return read_source(folder / "corpora" / "cr" / f"{edition}.txt").lines


# The good text itself


def test_the_good_text_has_no_problems() -> None:
    document = load(LINES)
    assert document.problems == ()
    assert document.edition == "cr-2032-03-04"
    levels = Counter(rule.level for rule in document.rules)
    assert levels == {"chapter": 4, "rule": 10, "subrule": 8}
    assert len(document.sections) == 2
    assert [entry.heading for entry in document.entries][::3] == ["Afloat", "Caulking", "Hole", "Wool, Tar"]


# Copies that must load with equal results


@pytest.mark.parametrize("line_end", LINE_ENDS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_and_line_ends_change_nothing(encoding: str, line_end: str) -> None:
    copy = load(ENCODINGS[encoding](LINE_ENDS[line_end](LINES)))
    assert same_but_for_the_file(copy) == same_but_for_the_file(loaded(LINES))


@pytest.mark.parametrize("encoding", CODE_PAGES)
def test_dos_code_pages_change_nothing(encoding: str) -> None:
    copy = load(CODE_PAGES[encoding](STRAIGHT))
    assert copy.encoding in CODE_PAGES
    assert same_but_for_the_file(copy) == same_but_for_the_file(load(STRAIGHT.encode()))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_change_no_word(layout: str) -> None:
    copy = load(LAYOUTS[layout](LINES))
    assert words(copy) == words(loaded(LINES))
    assert copy.problems == ()
    assert copy.unaccounted == ()


@pytest.mark.long(small="test_encodings_and_line_ends_change_nothing")
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_real_editions_in_other_encodings(shared: Path, encoding: str) -> None:
    lines = edition_lines(shared, "2016-11-11")
    copy = load(ENCODINGS[encoding](LINE_ENDS["lone CR"](lines)))
    assert same_but_for_the_file(copy) == same_but_for_the_file(loaded(lines))


REAL_LAYOUTS = (
    "Markdown lists",
    "rules without blank lines",
    "numbers on their own lines",
    "without contents",
    "no-break spaces",
    "byte order marks within",
)


@pytest.mark.long(small="test_layouts_change_no_word")
@pytest.mark.parametrize("layout", REAL_LAYOUTS)
def test_real_editions_in_other_layouts(shared: Path, layout: str) -> None:
    for edition in EDITIONS:
        lines = edition_lines(shared, edition)
        assert words(load(LAYOUTS[layout](lines))) == words(loaded(lines)), edition


@pytest.mark.long(small="test_layouts_change_no_word")
@pytest.mark.parametrize("layout", ["wrapped at 78", "wrapped at 101", "wrapped, hanging", "Markdown"])
def test_real_rules_when_wrapped(shared: Path, layout: str) -> None:
    """At most, a paragraph that happens to end at the column is joined to the next."""
    lines = edition_lines(shared, "2016-11-11")
    copy, good = load(LAYOUTS[layout](lines)), loaded(lines)
    assert [rule.number for rule in copy.rules] == [rule.number for rule in good.rules]
    assert [entry.heading for entry in copy.entries] == [entry.heading for entry in good.entries]
    fold = {rule.number: rule.text.replace("\n", " ") for rule in good.rules}
    assert {rule.number: rule.text.replace("\n", " ") for rule in copy.rules} == fold


# Copies that must be noticed


def notice(damage: Damage, lines: tuple[str, ...]) -> None:
    """Fail unless the damage is refused, or reported by its code and only then."""
    if damage.refused:
        with pytest.raises(SourceError, match=damage.refused) as refusal:
            load(damage.change(lines))
        assert refusal.value.way_out
        return
    before = Counter(codes(loaded(lines)))
    after = Counter(codes(load(damage.change(lines))))
    assert damage.problem in after - before, (before, after)


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_noticed(damage: str) -> None:
    notice(DAMAGES[damage], LINES)


@pytest.mark.long(small="test_damage_is_noticed")
@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_to_a_real_edition_is_noticed(shared: Path, damage: str) -> None:
    notice(DAMAGES[damage], edition_lines(shared, "2016-11-11"))


@pytest.mark.parametrize("way", BROKEN_BYTES)
def test_broken_bytes_are_refused(way: str) -> None:
    break_bytes, message = BROKEN_BYTES[way]
    with pytest.raises(SourceError, match=message):
        load(break_bytes(LINES))


@pytest.mark.long(small="test_broken_bytes_are_refused")
@pytest.mark.parametrize("way", BROKEN_BYTES)
def test_broken_bytes_of_a_real_edition_are_refused(shared: Path, way: str) -> None:
    break_bytes, message = BROKEN_BYTES[way]
    with pytest.raises(SourceError, match=message):
        load(break_bytes(edition_lines(shared, "2016-11-11")))


@pytest.mark.parametrize("codec", ["cp1252", "latin-1", "cp437", "cp850", "mac-roman"])
def test_a_text_misread_throughout_is_restored(codec: str) -> None:
    again = load(misread_throughout(LINES, codec))
    assert words(again) == words(loaded(LINES))
    assert codes(again) == ["mojibake", *codes(loaded(LINES))]
    twice = load(misread_throughout(misread_throughout(LINES, codec).decode().split("\n"), codec))
    assert words(twice) == words(again)


@pytest.mark.long(small="test_a_text_misread_throughout_is_restored")
@pytest.mark.parametrize("edition", ["2009-05-01", "2016-11-11"])
def test_real_texts_misread_throughout_are_restored(shared: Path, edition: str) -> None:
    lines = edition_lines(shared, edition)
    assert words(load(misread_throughout(lines, "cp1252"))) == words(loaded(lines))


@pytest.mark.parametrize("place", range(1, 20))
def test_a_text_cut_anywhere_is_refused(place: int) -> None:
    """At each twentieth of the text up to its last part, also in the middle of a sentence."""
    text = GOOD[: GOOD.rindex("Credits")]
    with pytest.raises(SourceError):
        load(text[: len(text) * place // 20].encode())


def test_a_single_slip_is_a_single_problem() -> None:
    """Exactly the damage done is noticed."""
    slips = [name for name, damage in DAMAGES.items() if damage.problem and re.match("an? |no ", name)]
    assert len(slips) > 10
    for name in slips:
        problems = load(DAMAGES[name].change(LINES)).problems
        assert len(problems) <= 2, (name, problems)


def test_problems_say_where() -> None:
    broken = DAMAGES["a subrule is missing"].change(LINES)
    (problem,) = load(broken).problems
    assert (problem.code, problem.subject) == ("missing-subletter", "100.1a")
    assert broken[problem.first_line - 1].startswith("100.1b")
