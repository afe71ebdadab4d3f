"""A text that breaks off or is interrupted shows it; whole editions are made where needed."""

from __future__ import annotations

import re

import pytest
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import decode
from rulesgraph.loaders.records import Document, Problem
from test_comprehensive import rules
from test_rulings import PAGE, units
from test_rulings import load as page_of

NAMES = [
    f"{first}{second}ing"
    for first in "BDFGKLMP"
    for second in ("alk", "end", "ill", "olt", "ump", "ast", "ern", "ock")
]
"""64 keywords that do not exist."""


def edition(without: str = "", rights: str = "Oars(TM) is a trademark of its makers.") -> str:
    """Return a text of 40 chapters, one of them of keywords, with an entry for each but one."""
    chapters = [f"{n}. Pier {n}\n\n{n}.1. Pier {n} has one boat." for n in range(100, 139)]
    keywords = [f"139.{n}. {name}\n\n139.{n}a {name} is work." for n, name in enumerate(NAMES, start=1)]
    entries = [f"{name}\nWork of a kind." for name in sorted(NAMES) if name != without]
    head = "Oars Comprehensive Rules\n\nThese rules are current as of March 4, 2032."
    blocks = [head, "1. Piers", *chapters, "139. Work", *keywords, "Glossary", *entries, "Credits", rights]
    return "\n\n".join(blocks) + "\n"


def problems(text: str) -> list[Problem]:
    document = load_document(decode(text.encode(), "oars.txt"))
    return [it for it in document.problems if it.code != "glossary-gap"]


def test_a_whole_edition_has_no_breaks() -> None:
    assert problems(edition()) == []


def test_a_keyword_without_entry_is_seen_beside_its_like() -> None:
    text = edition(without="Bumping")
    (found,) = problems(text)
    line = text.splitlines().index("139.5. Bumping") + 1
    others = "63 of the 64 titles of chapter 139"
    message = f"the glossary has no entry for 'Bumping' (rule 139.5); it has one for {others}"
    assert (found.code, found.message, found.first_line) == ("missing-entry", message, line)


def test_the_line_of_rights_is_missed() -> None:
    (found,) = problems(edition(rights="Oars was made for these tests."))
    assert (found.code, found.message) == (
        "missing-part",
        "the copyright line at the end is missing",
    )


@pytest.mark.parametrize(
    ("site", "codes"), [("Our site: oars.example.com", []), ("Tel: 12", ["missing-part"])]
)
def test_a_list_of_where_to_ask_ends_with_a_site(site: str, codes: list[str]) -> None:
    contents = "\n".join(["Contents", "1. Piers", *(f"{n}. Pier {n}" for n in range(100, 139)), "139. Work"])
    text = edition(rights=f"Oars(TM) is a trademark of its makers.\n\nQuestions?\n\nTel: 11\n\n{site}")
    whole = text.replace(
        "\n\n1. Piers", f"\n\n{contents}\n\nGlossary\n\nCredits\n\nQuestions?\n\n1. Piers", 1
    )
    assert [it.code for it in problems(whole)] == codes


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("Oars(TM) is a trademark of its ma", "cut-off"),
        ("Oars(TM) is a trademark of its makers.", ""),
        ("Oars(TM) is a trademark. See www.oars.example", ""),
        ("Oars(TM) is a trademark of its makers\n", ""),
    ],
)
def test_a_file_that_ends_within_a_line(end: str, code: str) -> None:
    found = problems(edition(rights=end).removesuffix("\n"))
    assert [it.code for it in found] == ([code] if code else [])


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("Pier 101 has <br/> one boat.", ["stray-text"]),
        ("Pier 101 has one boat. Page 3 of 90 All boats leak.", ["stray-text"]),
        ("Pier 101 has one boat. Log in to comment.", ["stray-text"]),
        # a rule may share, and point to a page
        ("Boats share a pier. See www.oars.example for the log of a boat.", []),
        ("pier 101 has one boat.", ["cut-beginning"]),
        ("Pier 101 has:", ["missing-subletter"]),
        ("Pier 101 has:\nExample: A boat.", []),
        ("Pier 101 has “one boat”", ["unfinished-sentence"]),
        ("Pier 101 has one boat (a small", ["unfinished-sentence"]),
        ("Pier 101 has one boat. (It is small.)", []),
        ("Pier 101 has one boat.\nExample: A boat leaks.\nExample: A boat leaks.", ["duplicate-text"]),
        ("Pier 101 has one boat.\nExample: A boat leaks and", ["unfinished-sentence"]),
    ],
)
def test_within_a_rule(words: str, codes: list[str]) -> None:
    text = edition().replace("Pier 101 has one boat.", words)
    assert [it.code for it in problems(text)] == codes


def test_headings_glued_to_their_entries_are_missed_where_the_alphabet_has_them() -> None:
    text = edition()
    for name in NAMES[7::9]:
        text = text.replace(f"\n{name}\nWork", f"\n{name} is work", 1)
    found = [it for it in problems(text) if it.code == "missing-heading"]
    assert [it.quote.split()[0] for it in found] == sorted(NAMES[7::9])
    # the further paragraphs of a text that parts them all by blank lines have no heading to miss
    spaced = edition().replace("Work of a kind.", "Work of a kind.\n\nAll day.")
    assert "missing-heading" not in {it.code for it in problems(spaced)}


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        ("Lamp Store", ["stray-text"]),
        ("Buy our lamps now!", ["stray-text"]),
        ("A spell may have two targets.", []),
    ],
)
def test_a_paragraph_without_a_word_of_the_game_is_no_part_of_a_rule(words: str, codes: list[str]) -> None:
    rule = "Players cast spells. A spell has targets."
    text = edition().replace("Pier 120 has one boat.", f"{rule}\n\n{words}")
    text = text.replace("has one boat", "is a card, a spell and a token of its owner")
    assert [it.code for it in problems(text)] == codes
    # what a rule announces is part of it
    announced = text.replace(rule, "Players cast these spells:")
    assert "stray-text" not in {it.code for it in problems(announced)}


@pytest.mark.parametrize("between", [" ", "  ", "", "\n"])
@pytest.mark.parametrize("mark", ["Example:", "EXAMPLE:", "Examples:"])
def test_an_example_that_lost_its_line_break(between: str, mark: str) -> None:
    found = rules(f"100.1. One (1).{between}{mark} Three.\n\n100.2. It reads “Example: none.”")
    assert [(it.text, [example.text for example in it.examples]) for it in found.values()][-2:] == [
        ("One (1).", ["Three."]),
        ("It reads “Example: none.”", []),
    ]


@pytest.mark.parametrize("mark", ["- ", "* ", "> ", "– ", "• ", "•", "§", "§ ", "o ", "## ", "• CR "])
def test_marks_before_numbers(mark: str) -> None:
    body = "100. Boats\n\n100.1. One.\n\n100.1a Two. It is said in CR 100.1.\n\n100.2. Three."
    marked = "\n".join(mark + line if line else line for line in body.split("\n"))
    assert rules(marked) == rules(body)


def test_an_example_and_a_note_that_lost_their_line_breaks() -> None:
    text = re.sub(r"\n\s*(?=Example:|Note -)", " ", PAGE)
    assert text.count("\n") < PAGE.count("\n")

    def said(document: Document) -> list[tuple[str, list[str]]]:
        units_of = ((it, units(it)) for it in document.entries)
        return [
            (entry.number, [x.text for it in found for x in (it, *it.examples)]) for entry, found in units_of
        ]

    assert said(page_of(text)) == said(page_of(PAGE))


def test_a_page_cut_within_a_sentence_is_told() -> None:
    page = page_of(PAGE[: PAGE.index("is given.")])
    assert [(it.code, it.quote) for it in page.problems if it.code == "cut-off"] == [
        ("cut-off", 'A tower "holds" what it')
    ]
