"""Find the release that a rulings page belongs to, and the defects of its entries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import takewhile

from ...language.dates import read_day
from ...language.words import unbalanced_quotes
from ...records import Entry, Paragraph, Problem
from .scan import release_labels

_REDIRECT = re.compile(r"See (?P<name>[^.]+)\.?")
_QUOTED = 80
"""How many characters of a text a problem quotes."""

_SHARED_ENDING = 4
"""How many final letters the names of a family share ("walk", "cycling"); fewer may be chance."""


def find_release(lines: Sequence[str]) -> tuple[str, date | None, list[Problem]]:
    """Return the release that a page names at its head or foot: the label, the day and any problems.

    The label is empty on a page without one. Lines that disagree are a problem.
    """
    labels = release_labels(lines)
    if not labels:
        return "", None, []
    line, label = labels[0]
    issued = read_day(label)
    problems = []
    if issued is None and re.search(r"\b\d{4}\b", label):
        message = f"the release {label!r} is not a valid date"
        problems.append(Problem.at(line, "unreadable-date", message, quote=label))
    for other_line, other in labels[1:]:
        if other != label:
            message = f"the page names two releases, {label!r} and {other!r}; the first is used"
            problems.append(Problem.at(other_line, "conflicting-release", message, quote=other))
    return label, issued, problems


def check_page(entries: Sequence[Entry]) -> tuple[Problem, ...]:
    """Return the defects of a page's entries, in the order of their lines."""
    found = [
        *_undefined(entries),
        *_undated(entries),
        *_unheaded(entries),
        *_repeated(entries),
        *_unbalanced(entries),
        *_shifted(entries),
    ]
    return tuple(sorted(found, key=lambda problem: (problem.first_line, problem.code, problem.subject)))


def _undefined(entries: Sequence[Entry]) -> Iterator[Problem]:
    """Yield entries without words, which are normal on a page that only lists the titles of rules."""
    has_rule_words = any(entry.paragraphs for entry in entries if entry.is_rule)
    for entry in entries:
        empty = not (entry.paragraphs or entry.rulings or entry.notes)
        if empty and (has_rule_words or not entry.is_rule):
            message = f"{entry.number} {entry.heading} has a heading but no paragraph"
            yield Problem.at(entry, "missing-paragraph", message, entry.number, entry.heading[:_QUOTED])


def _dated(entry: Entry) -> list[Paragraph]:
    """Return the units of an entry that have a date."""
    return [*entry.paragraphs, *entry.rulings]


def _undated(entries: Sequence[Entry]) -> Iterator[Problem]:
    """Yield paragraphs and rulings without a date, on pages where most have one."""
    units = [unit for entry in entries for unit in _dated(entry)]
    undated = [unit for unit in units if not any(source.as_of for source in unit.attributions)]
    if 2 * len(undated) >= len(units):
        return
    for unit in undated:
        name = unit.number or "a paragraph"
        if unit.attributions:
            message = f"{name} gives {unit.attributions[0].authority} as its source, without a valid date"
        else:
            message = f"{name} gives neither a source nor a date"
        yield Problem.at(unit, "missing-date", message, unit.number, unit.text[:_QUOTED])


def _unheaded(entries: Sequence[Entry]) -> Iterator[Problem]:
    """Yield paragraphs whose entry has no heading or words, like rules without a title."""
    for entry in entries:
        if entry.heading:
            continue
        numbers = [unit.number for unit in _dated(entry)]
        is_chapter = "." not in entry.number  # its heading is itself a rule
        if entry.is_rule and (is_chapter or entry.number in numbers):
            continue
        message = (
            f"this page lacks the heading {entry.number}, and has only {', '.join(numbers) or 'its number'}"
        )
        yield Problem.at(entry, "missing-heading", message, entry.number)


def _repeated(entries: Sequence[Entry]) -> Iterator[Problem]:
    for entry in entries:
        if entry.occurrence > 1:
            message = f"heading {entry.number} appears more than once on this page"
            yield Problem.at(entry, "duplicate-heading", message, entry.number, entry.heading[:_QUOTED])
        units = [unit for unit in _dated(entry) if unit.number]
        counts = Counter(unit.number for unit in units)
        for unit in units:
            if counts[unit.number] > 1:
                message = f"the number {unit.number} is printed {counts[unit.number]} times"
                yield Problem.at(unit, "duplicate-number", message, unit.number, unit.text[:_QUOTED])
                del counts[unit.number]


def _unbalanced(entries: Sequence[Entry]) -> Iterator[Problem]:
    for entry in entries:
        for unit in (*_dated(entry), *entry.notes):
            number = unit.number or entry.number
            for text in (unit.text, *(example.text for example in unit.examples)):
                if unbalanced_quotes(text):
                    message = f"a quotation in {number} has only one of its two quotation marks"
                    yield Problem.at(unit, "unbalanced-quotes", message, number, text[:_QUOTED])


def _shifted(entries: Sequence[Entry]) -> Iterator[Problem]:
    """Yield redirects that are one entry away from their place.

    Suspected if an entry only says "See X.", a neighbour says nothing, and the neighbour's name ends like X
    but the entry's name does not ("walk" of Landwalk).
    """
    headed = [entry for entry in entries if entry.heading]
    for place, entry in enumerate(headed):
        target = _redirect_target(entry)
        if not target:
            continue
        for neighbour in (*headed[max(place - 1, 0) : place], *headed[place + 1 : place + 2]):
            empty = not (neighbour.paragraphs or neighbour.rulings or neighbour.notes)
            fits = _ending(neighbour.names[0], target)
            if empty and fits >= _SHARED_ENDING and fits > _ending(entry.names[0], target):
                message = (
                    f"{entry.paragraphs[0].number} is under {entry.names[0]}, but seems to belong to "
                    f"{neighbour.number} {neighbour.names[0]}, which has no paragraph"
                )
                unit = entry.paragraphs[0]
                yield Problem.at(unit, "suspected-shift", message, entry.number, unit.text[:_QUOTED])


def _redirect_target(entry: Entry) -> str:
    if len(entry.paragraphs) != 1 or entry.rulings or entry.paragraphs[0].examples:
        return ""
    match = _REDIRECT.fullmatch(entry.paragraphs[0].text)
    return match["name"] if match else ""


def _ending(name: str, target: str) -> int:
    """Return how many letters two different names share at the end; 0 for equal names."""
    if name.lower() == target.lower():
        return 0
    pairs = zip(reversed(name.lower()), reversed(target.lower()), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
