"""Read the rules: split them into numbered pieces, and make sections, rules and examples from those."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ...language.names import is_title
from ...language.numbers import successors
from ...language.sentences import ends_paragraph, ends_sentence
from ...language.words import beginning
from ...records import Problem, Rule, Section
from ..lines import Head, Line, Wrapping, cut_at_numbers, read_head
from ..pieces import Draft, Piece, collect, example_of, in_turn, listed
from .parts import section_heading

_SPEAKS_ON = re.compile(
    r"(?:\b(?:rules?|and|or|see|through|to|in|of|by|under|from|than|with|section|sections)|[,(–—])$",
    re.IGNORECASE,
)
_ASKING = 10
"""The number of characters at the end of a text in which a continuing phrase is looked for."""


def unglued(lines: Sequence[Line]) -> tuple[list[Line], list[Problem]]:
    """Return the lines, cut before numbers that follow other text on their line, and those numbers."""
    parted: list[Line] = []
    problems: list[Problem] = []
    current = ""
    for place, line in enumerate(lines):
        following = lines[place + 1].text if place + 1 < len(lines) else ""
        for part, text in enumerate(cut_at_numbers(line.text, current, following)):
            head = read_head(text)
            current = head.number if head else current
            parted.append(line._replace(text=text, apart=True) if part else line._replace(text=text))
            if part:
                message = f"{current} does not start a new line: other words come before it"
                problems.append(Problem.at(line.number, "glued-number", message, current, beginning(text)))
    return parted, problems


def read_pieces(lines: Sequence[Line], wrapping: Wrapping) -> list[Piece]:
    """Return the pieces of the rules in order; every line is in exactly one."""
    numbered: Piece | None = None

    def opened(place: int, pieces: Sequence[Piece]) -> Piece | None:
        nonlocal numbered
        line = lines[place]
        if not line.text[0].isdigit():
            return example_of(line)
        section = section_heading(lines, place)
        if section:
            return Piece("section", [(line.number, section[1])], section[0])
        head = read_head(line.text)
        if not head or not opens(head, line, pieces[-1] if pieces else None, numbered):
            return None
        numbered = Piece("numbered", [(line.number, head.rest)], head=head)
        return numbered

    return collect(lines, wrapping, opened)


def opens(head: Head, line: Line, last: Piece | None, numbered: Piece | None) -> bool:
    """Return whether a number at the start of a line numbers a rule, or is cited by an unfinished sentence.

    It is cited when the words before it call for a number (*see rule*), or stop short of a full stop while
    neither a title nor a blank line is between and the number is not the next one in order.
    """
    if last is None or line.marked or last.kind == "section" or _is_heading(last):
        return last is None or not _is_stray_chapter(head, numbered)
    ended = ends_paragraph(last.end)
    if head.lost:
        return line.apart or ended
    in_order = _in_order(head, numbered)
    asks = _SPEAKS_ON.search(last.end, max(0, len(last.end) - _ASKING)) is not None
    if _is_stray_chapter(head, numbered) or (asks and not (line.apart and in_order)):
        return False
    if line.apart or (ended and not head.rest[:1].islower()):
        return True
    return not ended and in_order and head.rest[:1].isupper()


def _in_order(head: Head, numbered: Piece | None) -> bool:
    return numbered is None or numbered.head is None or head.number in successors(numbered.head.number)


def _is_stray_chapter(head: Head, numbered: Piece | None) -> bool:
    """Three figures without a dot are a chapter's number only where that chapter is due."""
    return head.level == "chapter" and "missing-dot" in head.slips and not _in_order(head, numbered)


def _is_heading(piece: Piece) -> bool:
    if piece.kind != "numbered" or piece.head is None:
        return False
    return (
        piece.head.level == "chapter" or not piece.end or (piece.head.level == "rule" and is_title(piece.end))
    )


_STYLE = 0.3
"""The share of a level's numbers with a slip above which the slip is the habit of the text."""

_SLIPS = {
    "missing-dot": "the dot after the number is missing",
    "extra-dot": "there is a dot after the number of a subrule",
    "missing-space": "the space after the number is missing",
    "extra-space": "there is a space inside the number",
    "lost-digit": "a digit of the number is missing; it is read as {number}",
}


def read_rules(
    pieces: Sequence[Piece],
) -> tuple[tuple[Section, ...], tuple[Rule, ...], list[Problem], list[Piece]]:
    """Return sections, rules, the slips in their numbers, and the pieces before the first number.

    An unnumbered paragraph belongs to the rule before it, and is joined to its text by a newline. A subrule
    that has lost its figure (``408.f``) takes it from the rule before it. A repeated number is kept as a
    further occurrence.
    """
    drafts: list[Draft] = []
    sections: list[Section] = []
    loose: list[Piece] = []
    for piece in pieces:
        if piece.kind == "section":
            sections.append(Section(piece.number, piece.text, piece.first_line, piece.last_line))
        elif piece.head is not None:
            piece.number = _restored(piece.head, drafts) if piece.head.lost else piece.head.number
            drafts.append(Draft(piece))
        else:
            (drafts[-1].pieces if drafts else loose).append(piece)
    rules = tuple(_rule(draft, occurrence) for draft, occurrence in in_turn(drafts))
    return tuple(sections), rules, list(_slips(drafts)), loose


def _restored(head: Head, drafts: Sequence[Draft]) -> str:
    chapter, _, letters = head.number.partition(".")
    before = drafts[-1].heading.number if drafts else ""
    figures = re.match(r"\d+", before.partition(".")[2])
    return f"{chapter}.{figures[0]}{letters}" if figures and before[:3] == chapter else head.number


def _rule(draft: Draft, occurrence: int) -> Rule:
    head, number = _head(draft), draft.heading.number
    paragraphs = [draft.heading, *(it for it in draft.pieces if it.kind != "example")]
    text = "\n".join(piece.text for piece in paragraphs)
    title = None
    if (head.level == "chapter" and not ends_sentence(text)) or (head.level == "rule" and is_title(text)):
        title = text
    return Rule(
        number=number,
        text=text,
        first_line=draft.heading.first_line,
        last_line=paragraphs[-1].last_line,
        title=title,
        printed=head.printed if head.printed != number else "",
        occurrence=occurrence,
        examples=listed(draft.of("example")),
    )


def _head(draft: Draft) -> Head:
    assert draft.heading.head is not None
    return draft.heading.head


def _slips(drafts: Iterable[Draft]) -> Iterable[Problem]:
    """Yield a problem for each slip, except those that are the habit of the text."""
    headed = [(draft.heading, _head(draft)) for draft in drafts]
    numbers = Counter(head.level for _, head in headed)
    shown = Counter((head.level, slip) for _, head in headed for slip in head.slips)
    for it, head in headed:
        for slip in head.slips:
            if shown[head.level, slip] <= max(3, _STYLE * numbers[head.level]):
                message = f"{it.number}: {_SLIPS[slip].format(number=it.number)}"
                quote = beginning(f"{head.printed} {it.text}")
                yield Problem.at(it.first_line, slip, message, it.number, quote)
