"""The three available pages of a rulings site: counts, defects and oddities."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from real import PAGES, parsed, seed
from rulesgraph.loaders.records import (
    Attribution,
    Document,
    Reference,
    TargetKind,
)
from test_rulings import by_number


@pytest.fixture(scope="module")
def rulings_pages(shared: Path) -> dict[str, Document]:
    return {number: parsed(seed(shared, number)) for number in PAGES}


@pytest.mark.parametrize(
    ("seed", "entries", "paragraphs", "entry_rulings", "notes", "dated", "cited", "noted", "examples"),
    [
        ("000", 31, 54, 0, 15, 55, 26, 15, 1),
        ("003", 21, 31, 0, 19, 31, 12, 23, 2),
        ("004", 18, 29, 1, 16, 29, 14, 20, 0),
    ],
)
def test_counts(
    rulings_pages: dict[str, Document],
    seed: str,
    entries: int,
    paragraphs: int,
    entry_rulings: int,
    notes: int,
    dated: int,
    cited: int,
    noted: int,
    examples: int,
) -> None:
    document = rulings_pages[seed]
    found = [p for e in document.entries for p in e.paragraphs]
    found_examples = [example for p in found for example in p.examples]
    found_rulings = [r for e in document.entries for r in e.rulings]
    found_notes = [n for e in document.entries for n in e.notes]
    assert len(document.entries) == entries
    assert len(found) == paragraphs
    assert len(found_rulings) == entry_rulings
    assert len(found_notes) == notes
    attributions = [unit.attributions for unit in found] + [
        example.attributions for example in found_examples
    ]
    attributions += [ruling.attributions for ruling in found_rulings]
    assert sum(map(len, attributions)) == dated
    assert len(found_examples) == examples
    rules = (TargetKind.RULE,)
    assert sum(len(numbers(unit.references, rules)) for unit in found) == cited
    assert sum(len(numbers(note.references, (*rules, TargetKind.ENTRY))) for note in found_notes) == noted
    assert document.unaccounted == ()
    assert document.edition == "rulings-2008-03-17"


def numbers(references: tuple[Reference, ...], kinds: tuple[TargetKind, ...]) -> set[str]:
    return {target.key for reference in references for target in reference.targets if target.kind in kinds}


def test_defects_of_the_real_pages(rulings_pages: dict[str, Document]) -> None:
    assert {
        seed: [(p.code, p.subject) for p in document.problems] for seed, document in rulings_pages.items()
    } == {
        "000": [("missing-paragraph", "G16.13"), ("suspected-shift", "G16.12")],
        "003": [("unbalanced-quotes", "G5.15b"), ("unbalanced-quotes", "G5.20a")],
        "004": [("missing-date", "G12.3a")],
    }


def test_oddities_of_the_real_pages(rulings_pages: dict[str, Document]) -> None:
    pass_page, life_page = by_number(rulings_pages["000"]), by_number(rulings_pages["004"])
    assert life_page["G12.12"].names == ("Life", "Life Total")
    assert life_page["G12.12"].rulings[0].attributions == (Attribution("D'Angelo", date(2006, 1, 20)),)
    assert life_page["G12.16"].status == "obsolete"
    assert pass_page["G16.6"].names == ("Permanently",)
    assert pass_page["G16.17"].status == "informal"
    assert [p.text for p in pass_page["G16.12"].paragraphs] == ["See Landwalk."]
    (phase,) = pass_page["G16.7"].paragraphs
    assert [(t.kind, t.key) for r in phase.references for t in r.targets] == [(TargetKind.SECTION, "3")]


def test_openings_of_pages_have_no_words_that_belong_nowhere(shared: Path) -> None:
    """Four layouts of three years; each has the end of a page that was cut, and no other problem."""
    for path in sorted((shared / "corpora" / "rulings").glob("p*.txt")):
        page = parsed(path) if int(path.name[1:3]) < 19 else None
        if page:
            told = [it for it in page.problems if it.code != "missing-paragraph"]
            assert (path.name, told, page.unaccounted) == (path.name, [], ())
    glued = parsed(shared / "corpora" / "rulings" / "p10_702_2009_glued.txt")
    assert [(it.number, it.title) for it in glued.rules] == [("702", "Keyword Abilities")]


def test_openings_of_summaries_are_whole(shared: Path) -> None:
    changes, cards = (
        parsed(shared / "corpora" / "rulings" / name) for name in ("p20_chg_1207.txt", "p22_cards_0308.txt")
    )
    for document in (changes, cards):
        assert (document.problems, document.unaccounted) == ((), ())
    assert [it.number for entry in changes.entries for it in entry.rulings] == ["406.Ruling.2"]
    assert [it.heading for it in cards.entries] == ["Brightflame", "Crib Swap", "Daunting Defender"]
    days = [it.attributions[0].as_of for entry in cards.entries for it in entry.rulings]
    assert days == [date(2008, 3, 16)] * 3
