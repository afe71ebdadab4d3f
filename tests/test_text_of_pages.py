"""A text saved page by page, as from a PDF, has the content of the same text without pages."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from commands import MINI
from rulesgraph.loaders.reading.comprehensive.parse import parse
from rulesgraph.loaders.reading.furniture import find_pages
from rulesgraph.loaders.reading.source import decode
from rulesgraph.loaders.records import Document
from sweep import first

Print = Callable[[int, int, str], str]
"""Number of a page, how many there are, its words → the page as it is printed."""

FRAMES: dict[str, Print] = {
    "form feeds": lambda page, _, words: f"{words}\n\f",
    "numbers": lambda page, _, words: f"{words}\n\n{page}\n\f",
    "form feeds alone": lambda page, _, words: f"{words}\n\n{page}\n\f\n",
    "head and foot": lambda page, many, words: f"Rules of the Game\n\n{words}\n\nPage {page} of {many}\n\f",
    "numbers, no form feeds": lambda page, _, words: f"{words}\n\n- {page} -\n\n",
    "head with number": lambda page, _, words: f"Rules of the Game    {page}\n\n{words}\n\n",
    "foot with number": lambda page, many, words: f"{words}\n\n{page} / {many} Rules\n\n",
    "head, no form feeds": lambda page, _, words: f"{words}\n\n{page}\n\nRules of the Game\n\n",
}


def wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a text whose paragraphs are broken at a column; those of its contents stay."""
    lines = []
    for line in decode(text.encode(), "text").lines:
        stays = not line.strip() or line.strip()[-1].isdigit()
        lines += [line.rstrip()] if stays else textwrap.wrap(line, width)
    return lines


def paged(lines: Sequence[str], height: int, frame: Print) -> str:
    """Return the lines on pages; blank lines at the edges of a page are lost, as they are in print."""
    pages = ["\n".join(lines[at : at + height]).strip("\n") for at in range(0, len(lines), height)]
    return "".join(frame(page, len(pages), words) for page, words in enumerate(pages, 1))


def said(document: Document) -> tuple[object, ...]:
    """Return everything that a document says, without line numbers."""
    rules = [
        (rule.number, rule.title, rule.text, [it.text for it in rule.examples]) for rule in document.rules
    ]
    entries = [(it.heading, [(part.number, part.text) for part in it.paragraphs]) for it in document.entries]
    problems = sorted((problem.code, problem.subject) for problem in document.problems)
    sections = [(section.number, section.title) for section in document.sections]
    return document.edition, sections, rules, entries, problems


def read(text: str) -> Document:
    return parse(decode(text.encode(), "text"))


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("height", [9, 10, 11, 12, 13])
def test_pages_of_the_mini_game(frame: Print, height: int) -> None:
    lines = wrapped((MINI / "lanterns-2031-07-01.txt").read_text(encoding="utf-8"), 56)
    document = read(paged(lines, height, frame))
    assert said(document) == said(read("\n".join(lines) + "\n"))
    assert document.unaccounted == ()


@pytest.mark.parametrize(
    ("day", "frame"),
    first(
        1,
        [(day, name) for day in ("2008-02-01", "2026-01-16") for name in reversed(FRAMES)],
        pytest.mark.long(small="test_pages_of_real_editions"),
    ),
)
def test_pages_of_real_editions(shared: Path, day: str, frame: str) -> None:
    lines = wrapped(
        (shared / "corpora" / "cr" / f"{day}.txt").read_text(encoding="utf-8", errors="replace"), 95
    )
    assert said(read(paged(lines, 52, FRAMES[frame]))) == said(read("\n".join(lines) + "\n"))


def test_lone_numbers_of_a_text_are_no_pages() -> None:
    """A table of numbers counts up too, but not from the first pages, or not far."""
    for numbers in (range(100, 120), range(1, 5), (1, 2, 4, 7, 11, 16)):
        assert find_pages([f"{number}" for number in numbers]).around == frozenset()


def test_what_stands_around_few_pages_is_text() -> None:
    four = "\n\f".join(f"Tides\nThe {word} tide comes in." for word in ("first", "next", "third", "last"))
    assert find_pages(four.split("\n")).around == frozenset()


@pytest.mark.parametrize(("every", "running"), [(4, 0), (3, 7)])
def test_what_heads_a_third_of_the_pages_is_no_text(every: int, running: int) -> None:
    pages = [
        ("Tides\n" if not n % every else "") + f"{word} tide."
        for n, word in enumerate("abcdefghijklmnopqrst")
    ]
    assert len(find_pages("\n\f".join(pages).split("\n")).around) == running


def test_a_number_between_pages_ends_no_counting() -> None:
    words = "first second third fourth fifth sixth seventh".split()
    pages = [(f"The {word} tide comes.", "", f"{page}", "") for page, word in enumerate(words, 1)]
    lines = [line for page in pages for line in page]
    lines[11:11] = ["", "3", ""]
    assert find_pages(lines).around == {3, 7, 11, 18, 22, 26, 30}
