"""Read the rules: split them into numbered portions, and make sections, rules and examples of those."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...language.names import is_title
from ...language.numbers import successors
from ...language.sentences import ends_paragraph
from ...language.words import beginning, join_wrapped
from ...records import Paragraph, Problem, Reference, Rule, Section
from ..heads import Head, cut_at_numbers, read_head
from .lines import Line, Wrapping, without_italics
from .parts import section_heading

EXAMPLE = re.compile(r"examples?(?:\s+\d+)?\s*:\s*", re.IGNORECASE)
_SPEAKS_ON = re.compile(
    r"(?:\b(?:rules?|and|or|see|through|to|in|of|by|under|from|than|with|section|sections)|[,(–—])$",
    re.IGNORECASE,
)
_ASKING = 10
"""Characters at the end of a text in which its words that speak on lie."""

_RAGGED = 6
"""Columns by which a full line may fall short: markup counts in some lines and not in others."""

_ALONE = re.compile(r"\d{3}\.[\s\da-z]*\.?")


_ENOUGH = 400
"""Characters at the end of a paragraph by which it is judged; more than any title has."""


PortionKind = Literal["section", "numbered", "example", "text"]


@dataclass(slots=True)
class Portion:
    """One paragraph: its words (without number or label) and its lines.

    `head` is set for what is numbered, `number` for sections; `lines` are the numbers of its lines. Until it
    is finished, `end` has its last words: enough to tell whether they want another line.
    """

    kind: PortionKind
    text: str
    lines: list[int] = field(default_factory=list)
    head: Head | None = None
    number: str = ""
    end: str = ""
    more: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.end = self.text[-_ENOUGH:]

    def take(self, line: Line) -> None:
        """Go on with a line."""
        self.more.append(line.text)
        self.lines.append(line.number)
        self.end = join_wrapped((self.end, line.text))[-_ENOUGH:]

    def finish(self) -> None:
        """Join the lines, and take away italics that go over a line break."""
        self.text = join_wrapped((self.text, *self.more))
        if len(self.lines) > 1 and "_" in self.text:
            self.text = without_italics(self.text)


def unglued(lines: Sequence[Line]) -> tuple[list[Line], list[Problem]]:
    """Return the lines cut before the numbers that share one with what stands before them, and these."""
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
                message = f"{current} has no line of its own: it stands behind other words"
                problems.append(Problem.at(line.number, "glued-number", message, current, beginning(text)))
    return parted, problems


def read_portions(lines: Sequence[Line], wrapping: Wrapping) -> list[Portion]:
    """Return the portions of the rules in their order; every line is in exactly one."""
    portions: list[Portion] = []
    numbered: Portion | None = None
    for place, line in enumerate(lines):
        last = portions[-1] if portions else None
        portion = _opening(lines, place, last, numbered)
        if portion is None and last and goes_on(line, lines[place - 1], last.end, wrapping):
            last.take(line)
        else:
            portion = portion or Portion("text", line.text, [line.number])
            portions.append(portion)
            if portion.kind == "numbered":
                numbered = portion
    for portion in portions:
        portion.finish()
    return portions


def _opening(
    lines: Sequence[Line], place: int, last: Portion | None, numbered: Portion | None
) -> Portion | None:
    """Return the portion that the line opens by its own first words, or None."""
    line = lines[place]
    text = line.text
    if text[0].isdigit():
        section = section_heading(lines, place)
        if section:
            return Portion("section", section[1], [line.number], number=section[0])
        head = read_head(text)
        if head and opens(head, line, last, numbered):
            return Portion("numbered", head.rest, [line.number], head)
        return None
    example = EXAMPLE.match(text)
    if example:
        return Portion("example", text[example.end() :], [line.number])
    return None


def opens(head: Head, line: Line, last: Portion | None, numbered: Portion | None) -> bool:
    """Tell whether a number at the start of a line numbers a rule, or is cited by a sentence that goes on.

    It is cited when the words before it ask for a number (*see rule*), or stop short of a full stop
    while neither a title nor a blank line stands between and the number is not the next one in order.
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


def _in_order(head: Head, numbered: Portion | None) -> bool:
    return numbered is None or numbered.head is None or head.number in successors(numbered.head.number)


def _is_stray_chapter(head: Head, numbered: Portion | None) -> bool:
    """Three figures without a dot are a chapter's number only where that chapter is due."""
    return head.level == "chapter" and "missing-dot" in head.slips and not _in_order(head, numbered)


def _is_heading(portion: Portion) -> bool:
    if portion.kind != "numbered" or portion.head is None:
        return False
    return (
        portion.head.level == "chapter"
        or not portion.end
        or (portion.head.level == "rule" and is_title(portion.end))
    )


def goes_on(line: Line, before: Line, words: str, wrapping: Wrapping) -> bool:
    """Tell whether `line` continues the paragraph of the line before it, whose words so far are `words`."""
    if not words or _ALONE.fullmatch(words):
        return True
    ended = ends_paragraph(words)
    if line.apart or not wrapping.wrapped:
        return not ended and (line.text[0].islower() or (line.text[0].isdigit() and not is_title(words)))
    if abs(line.indent - wrapping.margin) > 1:
        return not (ended or is_title(words))
    if wrapping.parted:
        return True
    first_word = len(line.text.split(" ", 1)[0])
    full = before.width + 1 + first_word > wrapping.width - _RAGGED
    return full or not (ended or is_title(words))


References = Callable[[str], tuple[Reference, ...]]
"""Finds the references in one text."""

_SENTENCE = re.compile(r"\w[.!?][”\"’')\]]*$")
_STYLE = 0.3
"""A slip that more than this share of all numbers of a level shows is the habit of the text."""

_SLIPS = {
    "missing-dot": "the dot after the number is missing",
    "extra-dot": "there is a dot after the number of a subrule",
    "missing-space": "the space after the number is missing",
    "extra-space": "there is a space inside the number",
    "lost-digit": "a digit of the number is missing; it is read as {number}",
}


@dataclass(slots=True)
class _Draft:
    """A rule while its paragraphs are collected."""

    number: str
    head: Head
    paragraphs: list[Portion]
    occurrence: int = 1
    examples: list[Portion] = field(default_factory=list)


def read_rules(
    portions: Sequence[Portion], references: References
) -> tuple[tuple[Section, ...], tuple[Rule, ...], list[Problem], list[Portion]]:
    """Return sections, rules, the slips in their numbers, and the portions before the first number.

    An unnumbered paragraph belongs to the rule before it, and is joined to its text by a newline. A
    subrule that has lost its figure (``408.f``) takes it from the rule before it. A number that stands
    again is kept as a further occurrence.
    """
    drafts: list[_Draft] = []
    sections: list[Section] = []
    loose: list[Portion] = []
    times: Counter[str] = Counter()
    for portion in portions:
        if portion.kind == "section":
            sections.append(Section(portion.number, portion.text, portion.lines[0], portion.lines[-1]))
        elif portion.head is not None:
            number = _restored(portion.head, drafts) if portion.head.lost else portion.head.number
            times[number] += 1
            drafts.append(_Draft(number, portion.head, [portion], times[number]))
        elif not drafts:
            loose.append(portion)
        elif portion.kind == "example":
            drafts[-1].examples.append(portion)
        else:
            drafts[-1].paragraphs.append(portion)
    rules = tuple(_rule(draft, references) for draft in drafts)
    return tuple(sections), rules, list(_slips(drafts)), loose


def _restored(head: Head, drafts: Sequence[_Draft]) -> str:
    chapter, _, letters = head.number.partition(".")
    before = drafts[-1].number if drafts else ""
    figures = re.match(r"\d+", before.partition(".")[2])
    return f"{chapter}.{figures[0]}{letters}" if figures and before[:3] == chapter else head.number


def _rule(draft: _Draft, references: References) -> Rule:
    head = draft.head
    text = "\n".join(portion.text for portion in draft.paragraphs)
    title = None
    if (head.level == "chapter" and not _SENTENCE.search(text)) or (head.level == "rule" and is_title(text)):
        title = text
    return Rule(
        number=draft.number,
        text=text,
        first_line=draft.paragraphs[0].lines[0],
        last_line=draft.paragraphs[-1].lines[-1],
        title=title,
        printed=head.printed if head.printed != draft.number else "",
        occurrence=draft.occurrence,
        references=references(text),
        examples=_examples(draft.examples, references),
    )


def _examples(portions: Iterable[Portion], references: References) -> tuple[Paragraph, ...]:
    """Return the records of the examples of one text."""
    return tuple(
        Paragraph(str(place), "", it.text, it.lines[0], it.lines[-1], references(it.text))
        for place, it in enumerate(portions, 1)
    )


def read_paragraphs(portions: Sequence[Portion], references: References) -> tuple[Paragraph, ...]:
    """Return the paragraphs, each with the examples behind it (an example before all is one itself)."""
    groups: list[tuple[Portion, list[Portion]]] = []
    for portion in portions:
        if portion.kind == "example" and groups:
            groups[-1][1].append(portion)
        else:
            groups.append((portion, []))
    return tuple(
        Paragraph(
            key=str(place),
            number=portion.number,
            text=portion.text,
            first_line=portion.lines[0],
            last_line=portion.lines[-1],
            references=references(portion.text),
            examples=_examples(examples, references),
        )
        for place, (portion, examples) in enumerate(groups, 1)
    )


def _slips(drafts: Iterable[_Draft]) -> Iterable[Problem]:
    """Yield a problem for each slip, but for those that are the habit of the text."""
    numbers = Counter(draft.head.level for draft in drafts)
    shown = Counter((draft.head.level, slip) for draft in drafts for slip in draft.head.slips)
    for draft in drafts:
        for slip in draft.head.slips:
            if shown[draft.head.level, slip] > max(3, _STYLE * numbers[draft.head.level]):
                continue
            line = draft.paragraphs[0].lines[0]
            quote = beginning(f"{draft.head.printed} {draft.paragraphs[0].text}")
            message = f"{draft.number}: {_SLIPS[slip].format(number=draft.number)}"
            yield Problem.at(line, slip, message, draft.number, quote)
