"""Pages of a rulings site: the owner of each paragraph, dates, notes, rulings, layouts, defects."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.loaders.reading.detect import detect
from rulesgraph.loaders.reading.rulings import parse as rulings
from rulesgraph.loaders.reading.rulings.checks import find_release
from rulesgraph.loaders.reading.rulings.scan import split_attributions
from rulesgraph.loaders.reading.source import decode
from rulesgraph.loaders.records import (
    Attribution,
    Document,
    Entry,
    Paragraph,
    TargetKind,
)
from rulesgraph.ontology.errors import SourceError
from rulesgraph.ontology.terms import DocumentKind
from sweep import part_of_the_examples

RELEASE = "This search based on the March 3, 2007 release of the Rulings."

PAGE = f"""\
|
  | {RELEASE}
G31.1 - Bell
G31.2 - Bell Tower, Tower  G31.1a - A bell rings once.  A second
    ring is a new bell. [CompRules 2003/07/01]
    Example: Two bells hang side by side.  Each
    rings once. [Keeper 2004/02/03]
  Note-  Also see Rule 408.1, "Timing, Priority, and the Stack."

G31.3 - Lamp (Obsolete)  G31.2a  - A tower holds
    a bell. [CompRules
    2003/07/01]
  G31.2b - A tower "holds" what it is given. See
    Rule 212.2g through Rule 212.2i.
  G31.2.Ruling.1 - Towers never fall. [O'Hara 2006/01/20]
  Note - Also see Rule G5.6, "Enchantment".

  G31.3a - See Tower. [CompRules 2005/01/01]
     {RELEASE}
     |  |  |
"""


def load(text: str) -> Document:
    return rulings.parse(decode(text.encode(), "page.txt"))


def units(entry: Entry) -> list[Paragraph]:
    return [*entry.paragraphs, *entry.rulings, *entry.notes]


def by_number(document: Document) -> dict[str, Entry]:
    return {entry.number: entry for entry in document.entries}


@pytest.fixture(scope="module")
def page() -> Document:
    return load(PAGE)


# -- one invented page -----------------------------------------------------------------------------------


def test_paragraphs_go_to_the_entry_whose_number_they_carry(page: Document) -> None:
    owners = {p.number: entry.heading for entry in page.entries for p in entry.paragraphs}
    assert owners == {
        "G31.1a": "Bell",
        "G31.2a": "Bell Tower, Tower",
        "G31.2b": "Bell Tower, Tower",
        "G31.3a": "Lamp (Obsolete)",
    }


def test_hard_wraps_and_wide_spaces_are_folded(page: Document) -> None:
    bell = by_number(page)["G31.1"].paragraphs[0]
    assert bell.text == "A bell rings once. A second ring is a new bell."
    assert (bell.key, bell.first_line, bell.last_line) == ("a", 4, 5)
    assert bell.examples[0].text == "Two bells hang side by side. Each rings once."
    assert bell.examples[0].attributions == (Attribution("Keeper", date(2004, 2, 3)),)
    assert bell.attributions == (Attribution("CompRules", date(2003, 7, 1)),)


def test_notes_go_to_the_entry_of_the_paragraph_they_follow(page: Document) -> None:
    notes = {e.number: [(n.text, n.references[0].targets[0].key) for n in e.notes] for e in page.entries}
    assert notes == {
        "G31.1": [('Also see Rule 408.1, "Timing, Priority, and the Stack."', "408.1")],
        "G31.2": [('Also see Rule G5.6, "Enchantment".', "G5.6")],
        "G31.3": [],
    }


def test_rulings_have_their_authority(page: Document) -> None:
    (ruling,) = by_number(page)["G31.2"].rulings
    assert (ruling.key, ruling.number, ruling.text) == ("1", "G31.2.Ruling.1", "Towers never fall.")
    assert ruling.attributions == (Attribution("O'Hara", date(2006, 1, 20)),)


def test_names_and_states_of_headings(page: Document) -> None:
    entries = by_number(page)
    assert entries["G31.3"].names == ("Lamp",)
    assert entries["G31.3"].status == "obsolete"
    assert entries["G31.1"].status == ""


def test_the_release_line_names_edition_and_document(page: Document) -> None:
    assert (page.edition, page.document, page.issued) == (
        "rulings-2007-03-03",
        "rulings-2007-03-03-g31",
        date(2007, 3, 3),
    )
    assert page.furniture == (1, 2, 19, 20)
    assert page.unaccounted == ()
    assert page.lines == 18


def test_a_missing_date_is_reported_where_most_paragraphs_have_one(page: Document) -> None:
    assert [(p.code, p.subject, p.first_line) for p in page.problems] == [("missing-date", "G31.2b", 13)]
    undated = re.sub(r"\s*\[[^]]*\]", "", PAGE)
    assert [p.code for p in load(undated).problems] == []


# -- layouts ---------------------------------------------------------------------------------------------

RULE_PAGE = """\
496 - Lamps and Bells
496.2 - Oil  496.1 - Most lamps need oil. [CompRules 2003/07/01]

496.3 - Wick  496.2a - Oil burns.  (See Rule 310,
    "Combat Damage Step.") [CompRules 2003/07/01]
  Note - Also see Rule G8.4, "Hidden Information".

  496.3a - A wick is trimmed. [CompRules 2007/07/01]
"""


def test_rule_pages_have_rules_for_entries() -> None:
    document = load(RULE_PAGE)
    (chapter,) = document.rules
    assert (chapter.number, chapter.level, chapter.parent, chapter.title) == (
        "496",
        "chapter",
        "4",
        "Lamps and Bells",
    )
    assert all(entry.is_rule for entry in document.entries)
    entries = by_number(document)
    # a chapter's first paragraph has a rule's number and follows the next heading
    assert entries["496.1"].heading == ""
    assert [(p.number, p.text) for p in entries["496.1"].paragraphs] == [("496.1", "Most lamps need oil.")]
    assert [p.number for p in entries["496.2"].paragraphs] == ["496.2a"]
    assert entries["496.2"].notes[0].references[0].targets[0].kind is TargetKind.ENTRY
    assert document.problems == ()
    assert document.document.startswith("fragment-")


def test_a_chapter_paragraph_at_the_end_of_a_page_is_no_heading() -> None:
    document = load("502 - Lamps\n  502.1 - Most lamps say what they\n    do. [CompRules 2003/07/01]\n")
    assert [(e.number, e.heading, len(e.paragraphs)) for e in document.entries] == [("502.1", "", 1)]


def test_a_range_of_rules_at_the_start_of_a_line_is_no_paragraph() -> None:
    document = load(
        "502.2 - Lamp\n  502.2a - Lamps burn.  See Rules\n    502.3a - 502.3c. [CompRules 2003/07/01]\n"
    )
    (entry,) = document.entries
    assert [p.text for p in entry.paragraphs] == ["Lamps burn. See Rules 502.3a - 502.3c."]


def test_pages_of_titles_alone_have_no_problem() -> None:
    document = load("420 - Oil\n420.2 - Lamp Oil\n420.10 - Bell Oil, Chime Oil\n421 - Wicks\n")
    assert [rule.number for rule in document.rules] == ["420", "421"]
    assert [(e.number, e.heading) for e in document.entries] == [
        ("420.2", "Lamp Oil"),
        ("420.10", "Bell Oil, Chime Oil"),
    ]
    assert document.problems == ()


OLD_PAGE = """\
This search based on the January 15, 2004 release of the Rulings.
G31.1 - Dawn
- G31.1a - Dawn comes first. See Rules 412.4, 412.5, and
413.2a. [CompRules
2005/08/01]
Example: Nobody waits at dawn.
- Note - Also see Rule 212.4, "Enchantments".
G31.2 - Noon
- Note - Also see Rule 212.5.
G31.3 - Dusk (Informal)
- G31.3a - See also Lamp, Bell. See
Rule 413.2a. [CompRules 2007/04/01]
- A dash and no number. [CompRules 2007/04/01]
"""


def test_older_pages_have_headings_on_lines_of_their_own() -> None:
    document = load(OLD_PAGE)
    entries = by_number(document)
    dawn = entries["G31.1"].paragraphs[0]
    assert [t.key for r in dawn.references for t in r.targets] == ["412.4", "412.5", "413.2a"]
    assert dawn.attributions == (Attribution("CompRules", date(2005, 8, 1)),)
    assert [e.text for e in dawn.examples] == ["Nobody waits at dawn."]
    # a note below a heading is the heading's own here, there being no second column
    assert {number: len(entry.notes) for number, entry in entries.items()} == {
        "G31.1": 1,
        "G31.2": 1,
        "G31.3": 0,
    }
    assert entries["G31.3"].status == "informal"
    assert [(p.key, p.text) for p in entries["G31.3"].paragraphs] == [
        ("a", "See also Lamp, Bell. See Rule 413.2a."),
        ("2", "A dash and no number."),
    ]
    assert document.unaccounted == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace(" - ", " – "),
        lambda text: re.sub(r"(?m)^ +", "", text),  # indentation lost
        lambda text: re.sub(r"  +(?=G31)", "\t", text),  # columns parted by a tab
        lambda text: text.replace("]\n  G31.2b", "]  G31.2b"),  # two paragraphs on one line
        lambda text: re.sub(r"(?m)^$\n", "", text),  # no blank lines
        lambda text: re.sub(r"\n", f"\n{'=' * 70}\n", text),  # rulers
    ],
)
def test_habits_of_copies_change_nothing(page: Document, change: Callable[[str], str]) -> None:
    copy = load(change(PAGE))
    assert words(copy) == words(page)
    assert copy.unaccounted == ()


def words(document: Document) -> list[object]:
    return [
        (
            entry.number,
            entry.heading,
            [(p.number, p.text, p.attributions, [e.text for e in p.examples]) for p in entry.paragraphs],
            [note.text for note in entry.notes],
            [(ruling.number, ruling.text) for ruling in entry.rulings],
        )
        for entry in document.entries
    ]


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_a_note_behind_a_heading_belongs_to_the_entry_before_if_there_is_one(heads: int) -> None:
    lines = [f"G9.{n} - {name}" for n, name in zip(range(1, heads + 1), ("Bog", "Fen", "Mire"), strict=False)]
    lines[-1] += "  Note - Also see Marsh."
    entries = {entry.number: [note.text for note in entry.notes] for entry in load("\n".join(lines)).entries}
    owner = f"G9.{max(heads - 1, 1)}"
    assert entries == {f"G9.{n}": ["Also see Marsh."] * (f"G9.{n}" == owner) for n in range(1, heads + 1)}


# -- defects ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # an entry without words, and its redirect one entry too early
        (
            "G9.1 - Bogcycling\nG9.2 - Bogwalk\n  G9.1a - See Landwalk. [CompRules 2003/07/01]\n",
            [("missing-paragraph", "G9.2"), ("suspected-shift", "G9.1")],
        ),
        # the redirect fits its own entry: nothing is shifted
        (
            "G9.1 - Bogwalk\nG9.2 - Fenwalk\n  G9.1a - See Landwalk. [CompRules 2003/07/01]\n",
            [("missing-paragraph", "G9.2")],
        ),
        # the empty neighbour is what the entry refers to
        (
            "G9.1 - Bog\nG9.2 - Landwalk\n  G9.1a - See Landwalk. [CompRules 2003/07/01]\n",
            [("missing-paragraph", "G9.2")],
        ),
        ('G9.1 - Bog\n  G9.1a - A so-called "bog. [K 2003/07/01]\n', [("unbalanced-quotes", "G9.1a")]),
        (
            "G9.1 - Bog\n  G9.2a - A fen. [K 2003/07/01]\n",
            [("missing-paragraph", "G9.1"), ("missing-heading", "G9.2")],
        ),
        (
            "G9.1 - Bog\n  G9.1a - Wet. [K 2003/07/01]\n  G9.1a - Very wet. [K 2003/07/01]\n",
            [("duplicate-number", "G9.1a")],
        ),
        (
            "G9.1 - Bog\n  G9.1a - Wet. [K 2003/07/01]\nG9.1 - Bog\n  G9.1a - Wet. [K 2003/07/01]\n",
            [("duplicate-heading", "G9.1")],
        ),
        (
            "G9.1 - Bog\n  G9.1a - A. [K 2003/7/1]\n  G9.1b - B. [K 2003/7/1]\n  G9.1c - C. [K 2003/2/30]\n",
            [("missing-date", "G9.1c")],
        ),
        ("Adrift.\n\nG9.1 - Bog\n  G9.1a - Wet. [K 2003/07/01]\n", [("stray-text", "")]),
        # a heading is one line, and a long one goes no further than a blank line
        ("G9.1 - Bog\nadrift\n  G9.1a - Wet. [K 2003/07/01]\n", [("stray-text", "")]),
        (f"G9.1 - Bog {'of reeds ' * 7}\nand peat\n  G9.1a - Wet. [K 2003/07/01]\n", []),
        (f"G9.1 - Bog {'of reeds ' * 7}\n\nadrift\n  G9.1a - Wet. [K 2003/07/01]\n", [("stray-text", "")]),
    ],
)
def test_defects_are_reported_and_nothing_is_lost(text: str, expected: list[tuple[str, str]]) -> None:
    document = load(text)
    assert [(problem.code, problem.subject) for problem in document.problems] == expected
    assert document.unaccounted == ()
    keys = [(e.key, e.occurrence, p.key) for e in document.entries for p in e.paragraphs]
    assert len(keys) == len(set(keys))


NAVIGATION = """The Lamp Library
Go To: Home Page - Lamps - Search - General G1
New Search - General Rulings Table of Contents
"""
FOOT = "\n\nLamps and lanterns, all year round.\nPrices are without postage.\n"


@pytest.mark.parametrize("glued", ["502", "General Rulings - 502502", "General Rulings - 502\n502"])
def test_what_the_site_sets_around_a_page_is_furniture(glued: str) -> None:
    body = f"- 502.1 - Lamps glow. {DATE}\n502.2 - First Lamp\n- 502.2a - It dims. {DATE}"
    text = f"{NAVIGATION}| {RELEASE}\n{glued} - Keyword Abilities\n{body}\n{RELEASE}{FOOT}"
    page = load(text)
    assert (page.problems, page.unaccounted) == ((), ())
    assert [(it.number, it.title) for it in page.rules] == [("502", "Keyword Abilities")]
    assert [(it.number, it.heading) for it in page.entries] == [("502.1", ""), ("502.2", "First Lamp")]


def test_a_letter_s_page_may_have_its_title_glued_to_its_first_number() -> None:
    page = load(f"{RELEASE}\nGeneral Rulings - G31G31.1 - Dusk\n- G31.1a - It dims.")
    assert [(it.number, it.heading) for it in page.entries] == [("G31.1", "Dusk")]


def test_words_that_no_release_line_parts_from_the_text_are_told() -> None:
    page = load(f"{RELEASE}\nLamps for sale\nG31.1 - Dusk\n- G31.1a - It dims.")
    assert [it.code for it in page.problems] == ["stray-text"]


def test_a_rule_with_words_and_subrules_has_no_heading_to_lack() -> None:
    text = f"{RELEASE}\n- 502.4 - It dims in two ways.\n- 502.4a - At dusk.\n- 502.5a - It glows.\n"
    page = load(text)
    assert [(it.code, it.subject) for it in page.problems] == [("missing-heading", "502.5")]


def test_a_page_without_entries_is_refused() -> None:
    with pytest.raises(SourceError, match="no numbered entry"):
        load(f"{RELEASE}\nNothing to see.\n")


def test_releases_that_disagree_are_a_problem() -> None:
    first, other = RELEASE, RELEASE.replace("2007", "2008")
    assert find_release([first, "", first])[2] == []
    assert [p.code for p in find_release([first, other])[2]] == ["conflicting-release"]
    assert [p.code for p in find_release([first.replace("March", "Mrach")])[2]] == ["unreadable-date"]
    assert find_release([RELEASE.replace("March 3, 2007", "starter")])[2] == []


@pytest.mark.parametrize(
    ("text", "left", "expected"),
    [
        (
            "Bells ring. [A 2003/07/01] Lamps burn. [B 2004/1/2]",
            "Bells ring. Lamps burn.",
            [("A", date(2003, 7, 1)), ("B", date(2004, 1, 2))],
        ),
        ("Bells ring. [WotC Rules Team 2003/07/ 01]", "Bells ring.", [("WotC Rules Team", date(2003, 7, 1))]),
        # no such day, and no day at all
        ("Bells ring. [A 2003/02/30]", "Bells ring.", [("A", None)]),
        ("Bells ring. [A 2003/02]", "Bells ring.", [("A", None)]),
        ("Bells ring. [Duelist Magazine]", "Bells ring.", [("Duelist Magazine", None)]),
        # the game's own brackets
        ('Written "Warded from [quality]."', 'Written "Warded from [quality]."', []),
        ("Pay [cost] and ring.", "Pay [cost] and ring.", []),
    ],
)
def test_attributions(text: str, left: str, expected: list[tuple[str, date | None]]) -> None:
    assert split_attributions(text) == (left, tuple(Attribution(*pair) for pair in expected))


# -- properties ------------------------------------------------------------------------------------------

WORDS = st.sampled_from("bell lamp keeper tower rings burns waits oil and of a the two-handed".split())
SENTENCE = st.lists(WORDS, min_size=1, max_size=30).map(lambda ws: " ".join(ws).capitalize() + ".")
TITLE = st.lists(WORDS, min_size=1, max_size=4).map(lambda ws: " ".join(ws).title())
ENTRY = st.tuples(
    TITLE,
    st.lists(st.tuples(SENTENCE, st.none() | SENTENCE), min_size=1, max_size=4),  # paragraphs, their example
    st.lists(SENTENCE, max_size=2),  # rulings
    st.lists(SENTENCE, max_size=2),  # notes
)
DATE = "[Keeper 2003/07/01]"
Invented = list[tuple[str, list[tuple[str, str | None]], list[str], list[str]]]


def wrapped(text: str, first: str, width: int) -> str:
    return textwrap.fill(first + text, width, subsequent_indent="    ", break_on_hyphens=False)


def flattened(entries: Invented, width: int) -> str:
    """Render entries as the site does: a block follows the heading of the entry after it."""
    page = [RELEASE, f"G31.1 - {entries[0][0]}"]
    for place, (_, paragraphs, entry_rulings, notes) in enumerate(entries, start=1):
        block = []
        for letter, (text, example) in zip("abcdef", paragraphs, strict=False):
            block.append(wrapped(f"{text} {DATE}", f"  G31.{place}{letter} - ", width))
            if example:
                block.append(wrapped(example, "    Example: ", width))
        for number, text in enumerate(entry_rulings, start=1):
            block.append(wrapped(f"{text} {DATE}", f"  G31.{place}.Ruling.{number} - ", width))
        block.extend(wrapped(text, "  Note - Also see ", width) for text in notes)
        if place < len(entries):
            block[0] = f"G31.{place + 1} - {entries[place][0]}{block[0]}"
        page.extend([*block, " "])
    return "\n".join(page)


@part_of_the_examples(0.4)
@given(entries=st.lists(ENTRY, min_size=1, max_size=5), width=st.integers(40, 90))
def test_a_rendered_page_reads_back(entries: Invented, width: int) -> None:
    document = load(flattened(entries, width))
    assert [
        (
            entry.heading,
            [(p.text, p.examples[0].text if p.examples else None) for p in entry.paragraphs],
            [ruling.text for ruling in entry.rulings],
            [note.text.removeprefix("Also see ") for note in entry.notes],
        )
        for entry in document.entries
    ] == entries
    assert document.problems == ()
    assert document.unaccounted == ()


@part_of_the_examples(0.4)
@given(entries=st.lists(ENTRY, min_size=1, max_size=5), width=st.integers(40, 90))
def test_lines_hold_the_words(entries: Invented, width: int) -> None:
    """The first and last word of every record are on its first and last line."""
    text = flattened(entries, width)
    lines = text.split("\n")
    for entry in load(text).entries:
        for unit in units(entry):
            assert unit.text.split()[0] in lines[unit.first_line - 1]
            between = " ".join(lines[unit.first_line - 1 : unit.last_line])
            assert unit.text in " ".join(between.split())
            for reference in unit.references:
                assert unit.text[reference.start : reference.end] == reference.surface


MARKS = ["G1.1 - ", "G1.1a - ", "G1.1.Ruling.1 - ", "502 - ", "502.1 - ", "Note - ", "Example: ", RELEASE]
GLUE = ["\n", "\n\n", "  ", "|", "- ", ".", '"', "[K 2003/07/01]", "See Rule 502.1.", "Bog"]
NOISE = st.lists(st.sampled_from(MARKS + GLUE) | st.text(max_size=8), max_size=40).map("".join)


@given(NOISE)
def test_any_text_is_loaded_or_refused(text: str) -> None:
    try:
        document = load(text)
    except SourceError:
        return
    assert document.unaccounted == ()
    for entry in document.entries:
        for unit in units(entry):
            assert 1 <= unit.first_line <= unit.last_line
            for reference in unit.references:
                assert unit.text[reference.start : reference.end] == reference.surface


def test_words_without_a_number_on_a_page_of_rules_are_told() -> None:
    """On these pages a paragraph is a rule: without a number it would be a rule that nothing can name."""
    page = load("502.2 - First Lamp\n  502.2a - It burns. [K 2003/07/01]\n\n- lamps, moths, wicks\n")
    assert [it.code for it in page.problems] == ["stray-text"]
    assert [it.number for entry in page.entries for it in entry.paragraphs] == ["502.2a"]


@pytest.mark.parametrize("dash", ["-", "–", "—", " – ", " — "])
def test_other_dashes_after_numbers(page: Document, dash: str) -> None:
    text = PAGE.replace("G31.2.Ruling.1 - ", f"G31.2.Ruling.1{dash}").replace("a - ", f"a{dash}")
    assert detect(decode(text.encode(), "page.txt")) is DocumentKind.RULINGS
    assert load(text).entries == page.entries
