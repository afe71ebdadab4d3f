"""Detect the kind of a document from its content, and load it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import islice, takewhile

from ...ontology import DocumentKind, SourceError
from ..language.numbers import order
from ..records import Document, Problem, Reference, Severity
from .comprehensive.parts import GLOSSARY
from .furniture import find_frame
from .lines import Head, read_head, unmarked
from .numbered.form import Form, bundled_forms
from .numbered.parse import parse as numbered
from .rulings.scan import SUMMARY
from .source import Source, game_share, is_about_game

_RULINGS_ITEM = re.compile(
    r"(?:^|\s)(?:[A-Z]\d{1,2}\.\d{1,3}|\d{3}(?:\.\d{1,3})?)(?:[a-z]{1,2}|\.Ruling\.\d+)?"
    r"(?:\s+[-–—]\s+\S|[-–—][A-Z])"
)
_ATTRIBUTION = re.compile(r"\[[A-Z][\w' .]{2,30}\s(?:19|20)\d\d/\d\d/\d\d\]")
_RELEASE = re.compile(r"based on the .{3,40} release of the rulings", re.IGNORECASE)
_PART_LINE = re.compile(r"\s*part\s+\d+\s*\(\s*\d+\s*/\s*\d+\s*\)\s*", re.IGNORECASE)
_BROKEN_WORD = re.compile(r"\b[A-Za-z]{1,4}(?:\.\+?[a-z]{1,4}){2,}|\b[a-z]{1,5}\.s\.[a-z]+\b")
_DOTTED = re.compile(r"\.\+?[a-z]")
"""A pattern in every word that a filter broke, and in few other lines."""

_CITATION = re.compile(r"\b(?:rules?|section)\s+\d{1,3}(?:\.\d+[a-z]?)?\b", re.IGNORECASE)
_CODE = re.compile(r"[{}<>=;\\|`#@$]|\(\)|->|::|/\*")
_STATEMENT = re.compile(
    r"\s*(?:def |class |import |from \S+ import |return\b|(?:if|for|while|with|else|try|except)\b.*:\s*$|"
    r"#include|function |const |let |var |public |private |static |//|@\w|[\])}]+[,;]?\s*$|\w+ = )"
)
_MANA = re.compile(r"\{[^{}\s]{1,5}\}")
_README = re.compile(r"\s*(?:#{1,6}\s|```|\[!\[|[-*]\s+\[|\|.*\|.*\|)|.*\]\(https?://")
_CELLS = re.compile(r"\"[,;]\"|\S\t[^\t]+\t\S")
_DATE_IN_NAME = re.compile(r"(?<!\d)((?:19|20)\d\d)([-_. ]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")

_SAMPLE = 800
"""How many lines with words are examined: enough to detect the kind of the longest text."""

MOST_PROBLEMS = 2_000
"""A copy with more defects is not worth loading; the worst of the good ones has a few hundred."""

MOST_RECORDS = 100_000
"""The limit for rules, entries, their texts, examples and references; no text has over ten thousand."""

_PARTS = ("rules", "entries", "paragraphs", "notes", "rulings", "examples", "references")
"""The fields of documents and records that become nodes in the graph."""

_KINDS = (
    "the comprehensive rules, tournament rules, a rulings page, the official glossary or a web copy of it; "
    "files of cards; solved cases, a table or JSON Lines with `question`, `rules` and `as_of`"
)


_OTHER_NUMBER = re.compile(r"\W{0,6}(?:\d{1,3}(?:\.\d{1,3})+[a-z]{0,2}|[A-Z]\d?\.\d{1,3})\.?\s+\S")
_RULE_BEHIND = re.compile(
    r"\W*(?:[a-zA-Z]{1,8}\W{1,3})?(?:\d{3}|[A-Z]\d{1,2})\.\d{1,3}[a-z]{0,2}\W{1,3}[A-Z\"“{]"
)
_MANY_OTHERS = 10
_BY_FORM = "Describe in a file how they are printed, and load them with `build --form FILE`."


def detect(source: Source) -> DocumentKind:
    """Return the kind of the document, judged by its content alone.

    - *Rulings page*: items with a number and a dash (``G16.2a - …``), dates in brackets, a release line.
    - *Comprehensive rules*: numbered rules in order, under chapter headings.
    - *Web copy*: words of the game, with a line naming a part, or words broken by a filter (``a.s.sign``).
    - *Glossary prose*: paragraphs with words of the game that cite rules and are not numbered like them.

    Raises `SourceError` for anything else; it says what was seen instead.
    """
    if _is_data(source.lines):
        raise _refusal(source, "it is data (JSON or a table), not running text")
    if SUMMARY.search("\n".join(source.lines[:12])):
        return DocumentKind.RULINGS
    lines = list(islice((line for line in source.lines if line.strip(" |\t\u00a0-=*_")), _SAMPLE))
    text = "\n".join(lines)
    unlisted = (line for line in lines if not _RULINGS_ITEM.match(line.strip("- \t")))
    heads = [head for line in unlisted if (head := _head(line))]
    rules = sum(head.level != "chapter" for head in heads)
    disorder = f"{rules} lines begin with numbers like a rule's, but not in the order of the rules"
    items = sum(len(_RULINGS_ITEM.findall(line)) for line in lines)
    dated = _ATTRIBUTION.search(text) or _RELEASE.search(text) or items * 6 > len(lines)
    if dated and items >= max(2, rules):
        return DocumentKind.RULINGS
    share, citations = game_share(text), len(_CITATION.findall(text))
    coded = sum(map(_is_code, lines))
    speaks = share >= 0.08 and citations > 0
    broken = sum(len(_BROKEN_WORD.findall(line)) for line in lines if _DOTTED.search(line))
    part = any(map(_PART_LINE.fullmatch, lines)) or broken >= 3 or (source.frame and not rules)
    if speaks and part and not coded * 5 > len(lines):
        return DocumentKind.WEB_COPY
    numbered = (rules >= 3 and rules * 10 > len(lines)) or _is_ruled(lines)
    if numbered and (rules < len(heads) or speaks) and _in_order(heads) * 3 >= rules * 2:
        return DocumentKind.COMPREHENSIVE
    if numbered:
        raise _refusal(source, disorder)
    marked = sum(1 for line in lines if _README.match(line))
    if share >= 0.12 and citations * 8 >= len(lines) and not (coded + marked) * 5 > len(lines):
        # Its rules may come after the examined lines, or their numbers after other words.
        rules = sum(1 for line in source.lines if _RULE_BEHIND.match(line))
        if rules * 10 > len(source.lines):
            seen = f"{rules} lines begin with a rule's number"
            raise _refusal(source, f"{seen}, after other words or not in the order of the rules")
        return DocumentKind.PROSE
    others = sum(1 for line in source.lines if _OTHER_NUMBER.match(line))
    if others >= _MANY_OTHERS and not rules:
        raise _refusal(source, f"{others} lines begin with numbers of another document's rules", _BY_FORM)
    seen = f"it has no numbered rules, and only {share:.0%} of its words are game terms"
    if marked * 6 > len(lines):
        seen = "it is a Markdown page without numbered rules"
    elif coded * 3 > len(lines):
        seen = "it looks like a program"
    elif rules > 1:
        seen = disorder
    elif share >= 0.08:
        seen = "it is about the game, but has no numbered rules, and cites too few rules for a glossary"
    raise _refusal(source, seen)


def _refusal(source: Source, seen: str, way_out: str = "") -> SourceError:
    number = next((n for n, line in enumerate(source.lines, 1) if line.strip()), 1)
    return SourceError(
        f"this is not a rules document: {seen}",
        line=number,
        excerpt=source.lines[number - 1].strip()[:80] if is_about_game("\n".join(source.lines)) else "",
        way_out=way_out or f"These texts can be loaded: {_KINDS}.",
    )


def _is_data(lines: Sequence[str]) -> bool:
    """Return whether this is data (JSON, JSON Lines, a table of quoted or tabbed cells), not running text."""
    text = "\n".join(lines).strip()
    if text[:1] in "{[":
        for candidate in (text, text.split("\n", 1)[0]):
            try:
                json.loads(candidate)
            except (ValueError, RecursionError):
                continue
            return True
    some = [line for line in islice(lines, _SAMPLE) if line.strip()]
    return sum(bool(_CELLS.search(line)) for line in some) * 2 > len(some)


def _is_ruled(lines: Sequence[str]) -> bool:
    """Return whether most lines before the heading of a glossary are rules."""
    before = list(takewhile(lambda line: not GLOSSARY.fullmatch(line.strip()), lines))
    own = sum(bool(_head(line)) for line in before)
    return len(before) < len(lines) and own * 2 > len(before)


def _is_code(line: str) -> bool:
    return bool(_STATEMENT.match(line)) or len(_CODE.findall(_MANA.sub("", line))) * 12 > len(line.strip())


def _head(line: str) -> Head | None:
    return read_head(unmarked(" ".join(line.replace("*", "").replace("\\", "").split())))


def _in_order(heads: Sequence[Head]) -> int:
    """Return how many rules follow a lower number, in the chapter of the heading before them.

    A part of a text may begin within a chapter.
    """
    chapter, count = heads[0].chapter if heads else "", 0
    before: tuple[int, int, int, str] = (0, 0, 0, "")
    for head in heads:
        place = order(head.number)
        if head.level == "chapter":
            chapter = head.number
        else:
            count += head.chapter == chapter and before < place
        before = place
    return count


def load_document(source: Source, form: Form | None = None) -> Document:
    """Detect the kind of `source`, unless a `form` is given, and return the document that its loader reads.

    The problems of the file itself come first: broken characters, and a date in its name that differs from
    the one in its text. The name changes nothing else.

    Raises `SourceError` when the document is refused.
    """
    if frame := find_frame(source.lines):
        source = source.without(frame)
    form = form or next((it for it in bundled_forms() if it.fits(source.lines)), None)
    document = _parsed(source, form)
    problems = (*source.problems, *_misnamed(source.name, document.issued), *document.problems)
    if len(problems) > MOST_PROBLEMS:
        raise SourceError(
            f"{len(problems):,} problems were found in it; the first is: {problems[0].message[:200]}",
            line=problems[0].first_line or None,
            way_out="Use another copy of the file.",
        )
    if (records := records_in(document)) > MOST_RECORDS:
        raise SourceError(
            f"it has {records:,} rules, entries, examples and references, more than any rules text has",
            way_out=f"Give a document with one edition; the limit is {MOST_RECORDS:,}.",
        )
    furniture = tuple(sorted((*document.furniture, *frame)))
    return replace(document, problems=problems, furniture=furniture, lines=document.lines + len(frame))


def _parsed(source: Source, form: Form | None) -> Document:
    if form:
        return numbered(source, form)
    kind = detect(source)
    if kind is DocumentKind.RULINGS:
        from .rulings.parse import parse
    elif kind is DocumentKind.COMPREHENSIVE:
        from .comprehensive.parse import parse
    else:
        from .fragments import parse_fragment

        return parse_fragment(source, kind)
    return parse(source)


def records_in(record: object) -> int:
    """Return the number of records within a record, at all depths; a range counts as all its numbers."""
    parts = (part for name in _PARTS for part in getattr(record, name, ()))
    return sum(len(it.targets) if isinstance(it, Reference) else 1 + records_in(it) for it in parts)


def _misnamed(name: str, issued: date | None) -> tuple[Problem, ...]:
    file = re.split(r"[/\\]", name)[-1]
    match = _DATE_IN_NAME.search(file)
    if not match or issued is None:
        return ()
    named = "-".join(match.group(1, 3, 4))
    if named == issued.isoformat():
        return ()
    message = f"the file name says {named}, the text says {issued.isoformat()}; the date in the text is used"
    return (Problem("date-mismatch", message, Severity.WARNING, subject=named, quote=file[:60]),)
