"""Report errors in an otherwise complete rules text: numbers, order, contents, dates."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ....ontology import unaccented
from ...language.names import is_title
from ...language.numbers import next_letters, order, parent
from ...language.words import beginning, ending, ends_paragraph, ends_sentence, straight
from ...records import Entry, Problem, Rule, Severity
from .breaks import find_breaks, units_of
from .parts import Reading

_NO_SENTENCE = re.compile(r"(?:,\s[^,.]{1,30}){8}$")
"""The end of a list of names, which needs no full stop."""

_CLOSING = ')”"'
"""Characters that may follow a stop, or precede it."""

_WORD = re.compile(r"\w+")
_MANY_ENTRIES = 150
_INITIALS = "abcdefghilmnoprstuvwxyz"
"""The letters that glossary entries of every edition begin with: all but j, k and q."""


def find_slips(reading: Reading) -> tuple[Problem, ...]:
    """Return the slips, in the order of their lines; all are warnings, except entries out of order.

    ``duplicate-number``, ``missing-number``, ``missing-subletter``, ``out-of-order``, ``empty-rule``,
    ``unfinished-sentence``, ``contents-mismatch``, ``glossary-gap``, ``missing-part``,
    ``missing-date``, ``date-mismatch``, and what `find_breaks` finds. (Slips in the printing of a number are
    found when numbers are read.)
    """
    rules = reading.rules
    strays = tuple(_out_of_order(rules))
    astray = {id(stray) for stray, _ in strays}
    missing = _missing_numbers([rule for rule in rules if id(rule) not in astray])
    found = [*_duplicates(rules), *_empty_and_unfinished(reading)]
    for stray, other in strays:
        message = f"{stray.number} is out of order, next to {other.number}"
        found.append(Problem.at(stray, "out-of-order", message, stray.number, beginning(stray.text)))
    found += [*_unsorted(reading.entries), *_dates(reading), *find_breaks(reading)]
    if reading.is_part:  # the numbers before and after it are not missing
        found += (it for it in missing if it.first_line != rules[0].first_line)
    else:
        found += [*missing, *_contents_mismatches(reading)]
        found += [*_glossary_gaps(reading.entries), *_missing_back(reading)]
    return tuple(sorted(found, key=lambda p: (p.first_line, p.code, p.subject)))


def _duplicates(rules: Sequence[Rule]) -> Iterator[Problem]:
    first: dict[str, Rule] = {}
    for rule in rules:
        earlier = first.setdefault(rule.number, rule)
        if earlier is not rule:
            words = "the same words as in" if earlier.text == rule.text else "different words from"
            message = f"{rule.number} appears again, with {words} line {earlier.first_line}"
            yield Problem.at(rule, "duplicate-number", message, rule.number, beginning(rule.text))


def _missing_numbers(rules: Sequence[Rule]) -> Iterator[Problem]:
    """Yield the numbers missing in a run, each run of them once."""
    present = {rule.number: rule for rule in rules}
    children: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        if rule.level == "chapter" or rule.occurrence > 1:
            continue
        up = parent(rule.number)
        children[up].append(rule)
        if up not in present and rule.level == "subrule":
            present[up] = rule
            yield _missing("missing-number", up, rule)
            children[parent(up)].append(rule)
    for up, below in children.items():
        ordered = sorted(below, key=lambda rule: order(rule.number))
        if "." in up:
            yield from _missing_letters(up, ordered)
        else:
            yield from _missing_figures(up, ordered)


def _missing_figures(up: str, ordered: Sequence[Rule]) -> Iterator[Problem]:
    expected = 1
    for rule in ordered:
        figure = order(rule.number)[1]
        if expected < figure:
            last = f"{up}.{figure - 1}" if expected < figure - 1 else ""
            yield _missing("missing-number", f"{up}.{expected}", rule, last)
        expected = max(expected, figure + 1)


def _missing_letters(up: str, ordered: Sequence[Rule]) -> Iterator[Problem]:
    letters = [rule.number[len(up) :] for rule in ordered]
    expected: tuple[str, ...] = ("a",)
    for letter, rule in zip(letters, ordered, strict=True):
        first = last = ""
        while expected and letter not in expected and order(f"1.1{expected[0]}") < order(f"1.1{letter}"):
            if letter in "lo" and len(letter) == 1:
                break
            first, last = first or expected[0], expected[0]
            expected = next_letters(expected[0])
        if first:
            yield _missing("missing-subletter", up + first, rule, up + last if last != first else "")
        if letter not in "lo":
            expected = next_letters(letter)


def _missing(code: str, number: str, instead: Rule, last: str = "") -> Problem:
    """Return the problem of a missing number, or of a run of them up to the `last`."""
    what = f"{number} to {last} are missing" if last else f"{number} is missing"
    message = f"{what} before {instead.number}"
    return Problem.at(instead.first_line, code, message, number)


def _out_of_order(rules: Sequence[Rule]) -> Iterator[tuple[Rule, Rule]]:
    """Yield the rules that follow a higher number, each with its neighbour.

    Of two neighbours, yield the one without which the order would be right.
    """
    for before, rule, after in zip(rules, rules[1:], (*rules[2:], None), strict=False):
        if order(rule.number) < order(before.number):
            astray = bool(after and order(before.number) > order(after.number))
            yield (before, rule) if astray else (rule, before)


def _empty_and_unfinished(reading: Reading) -> Iterator[Problem]:
    for subject, unit in units_of(reading):
        if not unit.text:
            message = f"{subject}: there is no text after the number"
            yield Problem.at(unit, "empty-rule", message, subject)
        parts = [(text, unit.last_line) for text in unit.text.split("\n")]
        for text, last in (*parts, *((it.text, it.last_line) for it in unit.examples)):
            if text and not (_is_finished(text) or is_title(text)):
                message = f"{subject}: the text ends without a full stop"
                yield Problem.at(last, "unfinished-sentence", message, subject, ending(text))


def _is_finished(text: str) -> bool:
    """Return whether a text ends with a full stop, perhaps before a closing mark, or like a list of names."""
    if text[-1] in _CLOSING and not ends_sentence(text):
        return text[-2:-1] == ":"
    return bool(ends_paragraph(text) or _NO_SENTENCE.search(text))


def _contents_mismatches(reading: Reading) -> Iterator[Problem]:
    titles = reading.contents.titles
    if not titles:
        return
    headings = [(s.number, s.title, s.first_line) for s in reading.sections]
    headings += [(r.number, r.text, r.first_line) for r in reading.rules if r.level == "chapter"]
    stand = {number: (title, line) for number, title, line in reversed(headings)}
    for number, (title, line) in titles.items():
        if number not in stand:
            message = f"{number}. {title} is in the contents but not in the text"
            yield Problem.at(line, "contents-mismatch", message, number, beginning(title))
        elif _plain(title) != _plain(stand[number][0]):
            there, where = stand[number]
            message = f"{number} is {beginning(title)!r} in the contents and {beginning(there)!r} in the text"
            yield Problem.at(where, "contents-mismatch", message, number, beginning(there))
    for number, (title, line) in stand.items():
        if number not in titles and is_title(title):
            message = f"{number}. {title} is in the text but not in the contents"
            yield Problem.at(line, "contents-mismatch", message, number, beginning(title))


def _plain(title: str) -> str:
    return "".join(c for c in straight(title).casefold() if c.isalnum())


def _glossary_gaps(entries: Sequence[Entry]) -> Iterator[Problem]:
    """Yield the letters that entries of every edition begin with, but none in this large glossary."""
    if len(entries) < _MANY_ENTRIES:
        return
    initials = [_plain(entry.heading)[:1] for entry in entries]
    for letter in _INITIALS:
        if letter not in initials:
            after = next(
                (e for e, initial in zip(entries, initials, strict=True) if initial > letter), entries[-1]
            )
            capital = letter.upper()
            message = f"no glossary entry begins with {capital}: some are missing before {after.heading!r}"
            yield Problem.at(after.first_line, "glossary-gap", message, capital)


def _unsorted(entries: Sequence[Entry]) -> Iterator[Problem]:
    """Yield entries out of alphabetical order, whichever way it treats spaces and hyphens."""
    for place, (before, entry) in enumerate(pairwise(entries)):
        if _behind(before, entry):
            after = entries[place + 2] if place + 2 < len(entries) else None
            stray, other = (before, entry) if after and _behind(before, after) else (entry, before)
            message = f"{stray.heading!r} is out of alphabetical order, next to {other.heading!r}"
            yield Problem.at(stray, "out-of-order", message, stray.heading, severity=Severity.INFO)


def _behind(before: Entry, entry: Entry) -> bool:
    """Return whether an entry belongs before the one it follows."""
    names = [unaccented(straight(it.names[0])).casefold() for it in (before, entry)]
    bare = [name.removeprefix("the ") for name in names]  # *The Ring* is under R, or under T
    return all(
        one > other and _plain(one) > _plain(other) and _WORD.findall(one) > _WORD.findall(other)
        for one, other in (names, bare)
    )


def _missing_back(reading: Reading) -> Iterator[Problem]:
    stand = {_plain(line.text) for line in reading.parts.back}
    for name in reading.contents.back:
        if _plain(name) not in stand:
            message = f"the part {name!r} is in the contents, but missing at the end"
            yield Problem.at(reading.last.number, "missing-part", message, name)


def _dates(reading: Reading) -> Iterable[Problem]:
    if not reading.dates:
        line = (reading.parts.front or reading.parts.rules)[0].number
        message = "the text gives no date; a checksum of its words identifies it instead"
        yield Problem.at(line, "missing-date", message)
        return
    (first, first_line), *others = reading.dates
    for day, line in others:
        if day != first:
            message = f"line {first_line} dates the text {first}, line {line} dates it {day}"
            yield Problem.at(line, "date-mismatch", message, str(day))
