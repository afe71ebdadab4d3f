"""The portions of the rules become sections, rules with their parents, and the slips in their numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ...language.numbers import parent
from ...language.titles import is_title
from ...language.words import beginning
from ...records import Example, Problem, Reference, Rule, Section, Severity
from ..heads import Head
from .portions import Portion, PortionKind

References = Callable[[str], tuple[Reference, ...]]
"""Finds the references in one text."""

_SENTENCE = re.compile(r"\w[.!?][”\"’')\]]*$")
_STYLE = 0.3
"""A slip that more than this share of all numbers of a level shows is the habit of the text."""

_SLIPS = {
    "missing-dot": "the dot after the number is missing",
    "extra-dot": "a dot stands after the number of a subrule",
    "missing-space": "the space after the number is missing",
    "extra-space": "a space stands within the number",
    "lost-digit": "the number has lost its figure, and is read as {number}",
}


@dataclass(slots=True)
class _Draft:
    """A rule while its paragraphs are collected."""

    number: str
    head: Head
    paragraphs: list[Portion]
    occurrence: int = 1
    examples: list[Portion] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RulesPart:
    """What the rules part says; `loose` are the lines before the first number (furniture)."""

    sections: tuple[Section, ...]
    rules: tuple[Rule, ...]
    slips: tuple[Problem, ...]
    loose: tuple[int, ...]


def read_rules(portions: Sequence[Portion], references: References) -> RulesPart:
    """Return the records of the rules part.

    An unnumbered paragraph belongs to the rule before it, and is joined to its text by a newline. A
    subrule that has lost its figure (``408.f``) takes it from the rule before it. A number that stands
    again is kept as a further occurrence.
    """
    drafts: list[_Draft] = []
    sections: list[Section] = []
    loose: list[int] = []
    times: Counter[str] = Counter()
    for portion in portions:
        if portion.kind is PortionKind.SECTION:
            sections.append(Section(portion.number, portion.text, portion.lines[0], portion.lines[-1]))
        elif portion.head is not None:
            number = _restored(portion.head, drafts) if portion.head.lost else portion.head.number
            times[number] += 1
            drafts.append(_Draft(number, portion.head, [portion], times[number]))
        elif not drafts:
            loose.extend(portion.lines)
        elif portion.kind is PortionKind.EXAMPLE:
            drafts[-1].examples.append(portion)
        else:
            drafts[-1].paragraphs.append(portion)
    rules = tuple(_rule(draft, references) for draft in drafts)
    return RulesPart(tuple(sections), rules, tuple(_slips(drafts)), tuple(loose))


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
        level=head.level,
        parent=parent(draft.number),
        text=text,
        first_line=draft.paragraphs[0].lines[0],
        last_line=draft.paragraphs[-1].lines[-1],
        title=title,
        printed=head.printed if head.printed != draft.number else "",
        occurrence=draft.occurrence,
        references=references(text),
        examples=tuple(read_example(portion, references) for portion in draft.examples),
    )


def read_example(portion: Portion, references: References) -> Example:
    """Return the record of an example's portion."""
    return Example(portion.text, portion.lines[0], portion.lines[-1], references(portion.text))


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
            yield Problem(slip, message, Severity.WARNING, line, line, draft.number, quote)
