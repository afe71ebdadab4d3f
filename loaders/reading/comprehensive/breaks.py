"""Find where a rules text breaks off or contains foreign text, judged by its structure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, zip_longest

from ....ontology import grouped, slug
from ...language.names import is_title, singular
from ...language.numbers import order
from ...language.words import beginning, ending, ends_paragraph, ends_sentence, straight, telling_words
from ...records import Entry, Paragraph, Problem, Rule
from ..source import game_share
from .parts import WHOLE_EDITION, Reading

_FOREIGN = re.compile(
    r"</?(?:a|b|br|div|em|h[1-6]|i|img|li|p|script|span|strong|table|td|tr|ul)\b[^<>]*>|"
    r"&(?:nbsp|amp|quot|#\d+);|©|"
    r"\b(?:page \d+ of \d+|(?:next|previous) page|cookies?|newsletter|subscribe|sign (?:up|in)|"
    r"log ?(?:in|out)|click here|read more|share (?:this|on)|posted (?:by|on)|advertisement|"
    r"skip to content|privacy policy|terms of (?:use|service)|all rights reserved|javascript|facebook|"
    r"twitter|reddit|retrieved from)\b"
)
"""Marks and words, in lower case, of web pages and of what is printed around a text; no rule has them."""

_RIGHTS = re.compile(
    r"©|\(c\)\s?\d|copyright|trade ?marks?\b|™|\bpatents?\b|\bPat\.|rights reserved", re.IGNORECASE
)
_ADDRESS = re.compile(r"(?:@|www\.|https?:|\w\.\w{2,}[>)]?$)")
_SERVICE = re.compile(r"questions\?|customer service", re.IGNORECASE)
"""The part with addresses for questions, region by region; it ends with the address of the site."""

_SITE = re.compile(r"(?<!@)\b[\w.-]+\.com>?$", re.IGNORECASE)
_STOPPED = re.compile(r"[.!?:…][”\"’')\]\ufffd>]*$|\ufffd$")
_MANY = 60
"""If this many titled rules of a chapter have glossary entries, a missing entry is an oversight."""

_MOST_UNUSUAL = 3
"""With more paragraphs after a blank line, that is the layout of the glossary."""


_LEAST_GAME_SHARE = 0.08
"""The minimum share of game terms among the words of a real rules text; invented ones may have fewer."""

_NUMBERED = re.compile(r"(?<=[.!?”\")’]\s)(\d{3}\.\d+[a-z]{0,2})\.? (?=[A-Z“\"])")
"""A number followed by the beginning of a rule, where a sentence has just ended."""


def find_breaks(reading: Reading) -> Iterator[Problem]:
    """Yield, as warnings, where the text breaks off or is interrupted.

    ``cut-off``, ``missing-part``, ``cut-beginning``, ``missing-sense``, ``missing-heading``,
    ``missing-entry``, ``missing-subletter`` (below a title or a colon), ``missing-number`` (both inside
    another rule), ``duplicate-text``, ``stray-text``.
    """
    yield from _cut_end(reading)
    yield from _missing_closing(reading)
    yield from _below_nothing(reading.rules)
    yield from _joined(reading.rules)
    yield from _missing_senses(reading.entries)
    yield from _missing_headings(reading)
    yield from _missing_entries(reading)
    for subject, unit in units_of(reading):
        yield from _in_the_middle(subject, unit)
    yield from _foreign_paragraphs(reading.rules)
    yield from _twice(reading.rules)


def units_of(reading: Reading) -> Iterator[tuple[str, Rule | Paragraph]]:
    """Yield every rule and every paragraph of the glossary, with its number or heading."""
    for rule in reading.rules:
        yield rule.number, rule
    for entry in reading.entries:
        for paragraph in entry.paragraphs:
            yield entry.heading, paragraph


def _cut_end(reading: Reading) -> Iterator[Problem]:
    """Yield a last line without a line break that is not a whole sentence: an interrupted transfer."""
    last, source = reading.last, reading.source
    within = not source.closed and last.number == len(source.lines)
    if within and not _STOPPED.search(last.text) and not _ADDRESS.search(last.text):
        message = f"the file ends without a line break, in the middle of {ending(last.text)!r}"
        yield Problem.at(last.number, "cut-off", message, "", ending(last.text))
    elif reading.parts.back and last is reading.parts.back[0]:
        message = f"nothing follows {last.text!r}: the end is missing"
        yield Problem.at(last.number, "cut-off", message, last.text)


def _missing_closing(reading: Reading) -> Iterator[Problem]:
    """Yield a missing copyright line, or a missing address after the last part, at the end of an edition."""
    back, named = reading.parts.back, reading.contents.back
    if not back or sum(rule.level == "chapter" for rule in reading.rules) < WHOLE_EDITION:
        return
    last = reading.last
    if not any(_RIGHTS.search(line.text) for line in back):
        message = "the copyright line at the end is missing"
        yield Problem.at(last.number, "missing-part", message, "rights")
    if named and _SERVICE.match(named[-1]) and not _SITE.search(last.text):
        message = f"the web address that ends {named[-1]!r} is missing"
        yield Problem.at(last.number, "missing-part", message, named[-1], ending(last.text))


def _below_nothing(rules: Sequence[Rule]) -> Iterator[Problem]:
    """Yield rules that are only a title, or end with a colon, but have nothing below them."""
    above = {rule.parent for rule in rules}
    for rule in rules:
        announces = rule.text.endswith(":") and not rule.examples
        titled = rule.title is not None and rule.level == "rule"
        if rule.number not in above and (announces or titled):
            first = f"{rule.number}a" if rule.level == "rule" else f"what follows {rule.number}"
            how = "ends with a colon" if announces else "is only a title"
            message = f"{first} is missing: nothing follows {rule.number}, which {how}"
            yield Problem.at(rule.last_line, "missing-subletter", message, rule.number, ending(rule.text))


def _joined(rules: Sequence[Rule]) -> Iterator[Problem]:
    """Yield numbers that do not begin a line: they follow a sentence of another rule."""
    known = {rule.number for rule in rules}
    for rule in rules:
        for found in _NUMBERED.finditer(rule.text):
            number = found[1]
            follows = number[:3] == rule.number[:3] and order(number) > order(rule.number)
            if follows and number not in known:
                code = "missing-subletter" if number[-1].isalpha() else "missing-number"
                message = f"{number} is missing: its number is inside the text of {rule.number}"
                quote = beginning(rule.text[found.start() :])
                yield Problem.at(rule.last_line, code, message, number, quote)


def _missing_senses(entries: Sequence[Entry]) -> Iterator[Problem]:
    for entry in entries:
        senses = [it for it in entry.paragraphs if it.number.isdigit()]
        expected = 1
        for it in senses:
            if expected < int(it.number):
                message = f"{entry.heading}: sense {expected} is missing before sense {it.number}"
                yield Problem.at(it.first_line, "missing-sense", message, entry.heading)
            expected = int(it.number) + 1
        if expected == 2:
            message = f"{entry.heading}: sense 2 is missing: a single sense would have no number"
            yield Problem.at(senses[0].last_line, "missing-sense", message, entry.heading)


def _missing_headings(reading: Reading) -> Iterator[Problem]:
    """Yield blocks of a glossary that begin without a heading, if this is unusual."""
    apart = {line.number for line in reading.parts.glossary if line.apart}
    found = [
        (entry, after, paragraph)
        for entry, after in zip_longest(reading.entries, reading.entries[1:])
        for paragraph in entry.paragraphs
        if paragraph.first_line in apart and paragraph.first_line != entry.first_line
    ]
    usual = len(found) > _MOST_UNUSUAL
    for entry, after, paragraph in found:
        if not usual or _is_between(entry, paragraph, after):
            message = f"the heading of the paragraph after {entry.heading} is missing"
            quote = beginning(paragraph.text)
            yield Problem.at(paragraph.first_line, "missing-heading", message, entry.heading, quote)


def _is_between(before: Entry, paragraph: Paragraph, after: Entry | None) -> bool:
    """Return whether a sentence begins with what may be the heading of an entry between two others."""
    texts = (before.heading, paragraph.text, *([after.heading] if after else ()))
    names = [straight(it).casefold() for it in texts]
    return ends_sentence(paragraph.text) and names == sorted(names) and not names[1].startswith(names[0])


def _missing_entries(reading: Reading) -> Iterator[Problem]:
    """Yield a chapter's titles without a glossary entry, if nearly all its titles have one."""
    names = {slug(singular(name)) for entry in reading.entries for name in entry.names}
    titled = (rule for rule in reading.rules if rule.title and rule.level == "rule")
    for chapter, rules in grouped((rule.parent, rule) for rule in titled).items():
        without = [rule for rule in rules if not _is_entered(rule.title or "", names)]
        for rule in without if len(without) * _MANY <= len(rules) else ():
            others = f"{len(rules) - len(without)} of the {len(rules)} titles of chapter {chapter}"
            message = (
                f"the glossary has no entry for {rule.title!r} (rule {rule.number}); it has one for {others}"
            )
            yield Problem.at(rule.first_line, "missing-entry", message, rule.number, rule.title or "")


def _is_entered(title: str, names: set[str]) -> bool:
    """Return whether a title has an entry, or each of the two names that it joins."""
    return any(all(slug(singular(it)) in names for it in parts) for parts in ([title], title.split(" and ")))


def _in_the_middle(subject: str, unit: Rule | Paragraph) -> Iterator[Problem]:
    """Yield signs that a text begins in the middle, or contains another text."""
    if unit.text[:1].islower():
        message = f"{subject}: the text begins in the middle of a sentence"
        yield Problem.at(unit.first_line, "cut-beginning", message, subject, unit.text[:60])
    for text, line in ((unit.text, unit.first_line), *((it.text, it.first_line) for it in unit.examples)):
        foreign = _foreign(text)
        if foreign:
            message = f"{subject}: it contains text that is not part of the rules: {foreign[0]!r}"
            quote = text[max(0, foreign.start() - 20) : foreign.end() + 40]
            yield Problem.at(line, "stray-text", message, subject, quote)


@lru_cache(maxsize=1 << 14)
def _foreign(text: str) -> re.Match[str] | None:
    return _FOREIGN.search(text.lower())


def _foreign_paragraphs(rules: Sequence[Rule]) -> Iterator[Problem]:
    """Yield paragraphs below a rule that announces none, if they are titles or contain no game term."""
    found = [
        (rule, text)
        for rule in rules
        if "\n" in rule.text and ":\n" not in f"{rule.text}\n"
        for before, text in pairwise(rule.text.split("\n"))
        if (_is_foreign(before, text) if ends_paragraph(text) else is_title(text))
    ]
    if found and game_share(" ".join(rule.text for rule in rules)) > _LEAST_GAME_SHARE:
        for rule, text in found:
            message = f"{rule.number}: it contains text that is not part of the rules: {beginning(text)!r}"
            yield Problem.at(rule.last_line, "stray-text", message, rule.number, beginning(text))


def _is_foreign(before: str, text: str) -> bool:
    """Return whether a text after a whole sentence cites no rule and has no game term or word of the rule."""
    common = set(telling_words(before)).intersection(telling_words(text))
    return ends_sentence(before) and not (common or game_share(text) or any(map(str.isdigit, text)))


def _twice(rules: Sequence[Rule]) -> Iterator[Problem]:
    """Yield examples and paragraphs that appear twice in a row."""
    for rule in rules:
        pieces = [(text, rule.last_line) for text in rule.text.split("\n")]
        for parts in (pieces, [(it.text, it.first_line) for it in rule.examples]):
            for (before, _), (text, line) in pairwise(parts):
                if before == text:
                    message = f"{rule.number}: the same words appear twice"
                    yield Problem.at(line, "duplicate-text", message, rule.number, text[:60])
