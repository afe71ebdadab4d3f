"""A rule that differs from the known copy of its edition is reported, even if it is the only edition."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import rulesgraph
from measure_damage import without
from real import parsed, rules
from rulesgraph.loaders.building.prepare import defects_of
from rulesgraph.loaders.history import departures as module
from rulesgraph.loaders.history.departures import departures
from rulesgraph.loaders.history.items import Item
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import read_source
from rulesgraph.loaders.records import Document, Severity
from rulesgraph.ontology.iris import Iris

NEWEST, OLD = "2026-01-16", "2008-02-01"

BEHIND_AN_EXAMPLE = {"2001-07-23": [("altered-text", "410.10d", "warning")]}
"""A paragraph after an example, without a blank line, looks like part of the example."""


def found(document: Document) -> list[tuple[str, str, str]]:
    view = EditionView([document], Iris())
    told = [it for it in defects_of(view) if "known cop" in it.message]
    assert {*told} == {*departures(view)}
    return [(it.code, it.subject, it.severity.value) for it in told if it.severity is not Severity.INFO]


def altered(shared: Path, folder: Path, day: str, before: bytes, after: bytes) -> Document:
    """Return the rules of a day with some words replaced where they first occur."""
    text = rules(shared, day).read_bytes()
    assert before in text
    copy = folder / f"{day}.txt"
    copy.write_bytes(text.replace(before, after, 1))
    return load_document(read_source(copy))


def test_one_figure_in_other_words_is_told(shared: Path, tmp_path: Path) -> None:
    document = altered(shared, tmp_path, NEWEST, b"ten or more poison", b"six or more poison")
    assert found(document) == [("altered-text", "104.3d", "warning")]
    [problem] = departures(EditionView([document], Iris()))
    assert problem.message == "104.3d has different words here than in the known copy of cr-2026-01-16"
    assert problem.first_line == next(it.first_line for it in document.rules if it.number == "104.3d")


def test_wrapped_and_spoilt_copies_are_not_blamed_for_their_layout(shared: Path) -> None:
    more = shared / "corpora" / "more"
    assert found(parsed(more / "2003-10-01.txt")) == []
    assert found(parsed(more / "2008-05-01.txt")) == []
    assert found(parsed(more / "2001-07-23.txt")) == BEHIND_AN_EXAMPLE["2001-07-23"]


def test_a_rule_that_is_missing_is_told(shared: Path, tmp_path: Path) -> None:
    text = rules(shared, NEWEST).read_bytes()
    start = text.index(b"104.3e ", text.index(b"104.3d "))
    line = text[start : text.index(b"\r", start)]
    document = altered(shared, tmp_path, NEWEST, line, b"")
    assert ("lost-text", "104.3e", "warning") in found(document)


def test_examples_and_the_glossary_are_held_against_the_known_copy(shared: Path) -> None:
    document = parsed(rules(shared, NEWEST))
    at, rule = next((at, it) for at, it in enumerate(document.rules) if it.examples)
    bare = replace(rule, examples=rule.examples[1:])
    first, second, *rest = document.entries
    more = replace(second.paragraphs[0], text="Gulls are sold here.")
    altered = replace(first, paragraphs=(replace(first.paragraphs[0], text="A lamp."), *first.paragraphs[1:]))
    entries = (altered, replace(second, paragraphs=(*second.paragraphs, more)), *rest[:-1])
    rules_left = (*document.rules[:at], bare, *document.rules[at + 1 :])
    told = found(replace(document, rules=rules_left, entries=entries))
    assert {*told} == {
        ("lost-text", rule.number, "warning"),
        ("altered-text", first.heading, "warning"),
        ("altered-text", second.heading, "warning"),
        ("lost-text", rest[-1].heading, "warning"),
    }


def test_what_does_not_change_around_an_edition_is_known_of_it(shared: Path) -> None:
    """There was no copy of February 2026: its glossary is known from the editions before and after it."""
    document = replace(parsed(rules(shared, NEWEST)), edition="cr-2026-02-27")
    first, *rest = document.entries
    less = replace(document, entries=tuple(rest))
    more = [
        it
        for it in departures(EditionView([less], Iris()))
        if it not in departures(EditionView([document], Iris()))
    ]
    assert [(it.code, it.subject) for it in more] == [("lost-text", first.heading)]
    copies = "the known copies of cr-2026-01-16 and cr-2026-04-17"
    assert more[0].message == f"{first.heading} is missing here, but is in {copies}"


def test_the_words_of_another_edition_are_recognised(shared: Path) -> None:
    """Some copies mix two releases, so a rule has the words of years before."""
    new, old = parsed(rules(shared, NEWEST)), parsed(rules(shared, "2025-04-04"))
    before = {it.number: it for it in old.rules}
    changed = next(
        it
        for it in new.rules
        if it.number in before and Item("", "", before[it.number].text).masked != Item("", "", it.text).masked
    )
    mixed = tuple(replace(it, text=before[it.number].text) if it is changed else it for it in new.rules)
    [problem] = departures(EditionView([replace(new, rules=mixed)], Iris()))
    assert problem.subject == changed.number
    assert "it had these words from" in problem.message


def test_what_a_known_copy_says_alone_is_only_mentioned(shared: Path) -> None:
    """A typing error in the edition itself is not an error in the copy."""
    document = parsed(shared / "corpora" / "pairs" / "2003-05-26.txt")
    told = {it.subject: it for it in departures(EditionView([document], Iris()))}
    assert {it.severity for it in told.values()} == {Severity.INFO}
    assert told["420.2"].message == (
        "420.2 has different words here than in the known copies of cr-2003-03-15 and cr-2003-07-01; "
        "it had these words in cr-2003-05-26"
    )


def test_an_edition_that_nobody_knew_is_held_against_those_around_it(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = parsed(rules(shared, NEWEST))
    missing, *kept = document.rules[60:]
    changed = replace(document, rules=(*document.rules[:60], *kept))
    monkeypatch.setattr(module, "bundled", lambda: without(document.edition))
    assert departures(EditionView([document], Iris())) == []
    [problem, *_] = departures(EditionView([changed], Iris()))
    assert (problem.code, problem.subject) == ("lost-text", missing.number)
    assert problem.message.endswith("is in the known copies of cr-2025-11-14 and cr-2026-02-27")


def test_another_text_of_a_known_date_is_reported_once(shared: Path) -> None:
    """If much differs, it is another copy, or its layout was not understood."""
    document = parsed(rules(shared, NEWEST))

    def view(every: int) -> EditionView:
        changed = (
            it if at % every else replace(it, text=f"Otherwise: {it.text}")
            for at, it in enumerate(document.rules)
        )
        return EditionView([replace(document, rules=tuple(changed))], Iris())

    for every in (10, 1):
        [problem] = departures(view(every))
        assert (problem.code, problem.severity.value, problem.subject) == ("altered-text", "warning", "")
        assert "rules differ from the known copy of" in problem.message


def test_what_the_file_does_not_cover_is_not_compared(shared: Path) -> None:
    document = parsed(rules(shared, NEWEST))
    assert departures(EditionView([replace(document, edition="cr-2031-01-01")], Iris())) == []


def test_exchanged_subrules_are_told_of_an_edition_later_than_all_known(shared: Path) -> None:
    document = replace(parsed(rules(shared, NEWEST)), edition="cr-2031-01-01")
    text_of = {it.number: it.text for it in document.rules}
    other = {"508.1a": text_of["508.1b"], "508.1b": text_of["508.1a"]}
    changed = (replace(it, text=other.get(it.number, it.text)) for it in document.rules)
    [problem] = departures(EditionView([replace(document, rules=tuple(changed))], Iris()))
    assert (problem.code, problem.severity.value) == ("altered-text", "warning")
    assert problem.message.startswith("508.1a and 508.1b have each other’s words of cr-2026-04-17")


def test_what_is_told_of_a_damaged_copy_says_so(shared: Path, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    altered(shared, folder, "2003-07-01", b"ten or more poison", b"six or more poison")
    texts = [folder / "2003-07-01.txt", rules(shared, "2006-07-15")]
    rulesgraph.build(texts, tmp_path / "store")
    told = (
        "102.8 has different words here than in the known copy of cr-2003-07-01. What you see about it here "
        "may be an error in the loaded copy."
    )
    with rulesgraph.open(tmp_path / "store") as loaded:
        assert told in loaded.diff("cr-2003-07-01", "cr-2006-07-15").changes.notes
        assert told in loaded.blame("102.3d", edition="cr-2006-07-15").notes
        assert told not in loaded.diff("cr-2003-07-01", "cr-2006-07-15", within="502").changes.notes
        assert told not in loaded.blame("102.1", edition="cr-2006-07-15").notes


def test_what_a_copy_lacks_is_told_of_that_alone(shared: Path, tmp_path: Path) -> None:
    """An entry, and a rule that was part of none that the copy has."""
    texts = [shared / "corpora" / "pairs" / "2003-05-26.txt", rules(shared, "2003-07-01")]
    rulesgraph.build(texts, tmp_path / "store")
    with rulesgraph.open(tmp_path / "store") as loaded:

        def missing(notes: tuple[str, ...]) -> list[str]:
            return [it.partition(" is missing")[0] for it in notes if " is missing here" in it]

        days = ("cr-2003-05-26", "cr-2003-07-01")
        lost = ["409.4", 'Banding, "Bands with Other"', "Face-Down", "Madness"]
        assert {*lost} <= {*missing(loaded.diff(*days).changes.notes)}
        assert missing(loaded.diff(*days, within="409").changes.notes) == ["409.4"]
        assert missing(loaded.diff(*days, within="glossary").changes.notes) == lost[1:]
        assert missing(loaded.blame("102.1", edition=days[1]).notes) == []


def intact(shared: Path) -> list[Path]:
    folders = ("cr", "pairs", "more")
    return [path for it in folders for path in sorted((shared / "corpora" / it).glob("*.txt"))]


def test_the_newest_text_departs_from_nothing(shared: Path) -> None:
    assert found(parsed(rules(shared, NEWEST))) == []


@pytest.mark.long(small="test_the_newest_text_departs_from_nothing")
def test_no_text_at_hand_departs_from_its_known_copy(shared: Path) -> None:
    paths = intact(shared)
    assert len(paths) > 15
    assert {path.stem: found(parsed(path)) for path in paths} == {
        path.stem: BEHIND_AN_EXAMPLE.get(path.stem, []) for path in paths
    }
