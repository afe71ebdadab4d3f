"""Find explicit references in a text, with their words, offsets, targets and titles.

A reference is a place where the text sends its reader elsewhere, by a number or a name:

- ``rule 420``, ``Rules 412.4, 412.5, and 413.2a``, ``601.2a, b and d``: one reference for each item;
- ``409.1f-h``, ``rules 306-311``, ``Rule 212.2g through Rule 212.2k``: one for each range, expanded;
- ``see 601.3d``, ``the steps in 616.1a–f``: a number with a dot that is not a measure of something;
- ``718, "Prototype Cards"``: a bare chapter number, if its title or the end of a "see" follows;
- ``section 3``, ``sections 1 and 2``; ``section 101`` means chapter 101 in old editions;
- ``Rule G8.4``, ``G12.9``: entries of a rulings site (the letter of a paragraph is dropped);
- ``See Landwalk.``, ``See also Aura and Enchantment.``, ``Also see "Defender."``: names of terms.

The reference includes everything that belongs to it: the word "Rule" before the number, the range, and the
quoted title with its quotes. References into an appendix are left out, because appendices are not loaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TypeVar

from ...ontology import grouped
from ..language.names import small_share
from ..language.numbers import canonical, completed, open_range, order
from ..language.words import fold, straight
from ..records import Document, Paragraph, Reference, Rule, Target, TargetKind

_HINT = re.compile(r"\d{3}|[Ss]ections? \d|[Ss]ee\b|G\d")
_NAMES = re.compile(r"[Ss]ee\b")
"""The words before names of terms; no other reference depends on which names are known."""

_DASH = r"[-‐‑‒–—−?\ufffd]"
"""Dashes, and their traces after wrong decoding."""

_RULE = r"\d{3}(?:\.(?:\d{1,3}(?:(?!ff)[a-z]{1,2})?|\s\d{1,3}[a-z]{1,2})|(?!\.?\d))(?=ff\b|(?!\w|\.\d))"
"""A number; the letters of *701.18ff*, and what follows it, belong to no number."""

_ENTRY = r"G\d{1,3}\.\d{1,3}[a-z]{0,2}(?!\w|\.\d)"
_NUMBER = rf"(?:{_ENTRY}|{_RULE})"
_WORD = r"(?:[Rr]ules?|RULES?|[Ss]ubrules?|[Ss]ections?)"
_RANGE = re.compile(
    rf"(?:\s?{_DASH}\s?|\s(?:through|thru)\s)(?:[Rr]ules?\s)?(?P<whole>{_NUMBER})"
    rf"|(?:{_DASH}|\s[-–—](?=\s[b-z]\b)\s|\s(?:through|thru)\s(?!a\b))"
    r"(?P<tail>\d{1,3}[a-z]{0,2}|[a-z]{1,2})(?!\w)"
)
"""The second end of a range; after a dash with spaces only a whole number or a letter can end one."""

_ANCHOR = re.compile(
    rf"\b(?P<word>{_WORD})\s?(?P<number>{_NUMBER}|(?<=ection\s)\d(?!\w|\.\d)|(?<=ections\s)\d(?!\w|\.\d))"
    rf"|(?<![\w.,$€£+/#{{-])(?P<bare>{_ENTRY}|{_RULE})"
    r"|\b(?:[Ss]ee(?:\salso)?|[Aa]lso\ssee)\s(?P<see>(?=[A-Z\"“„\ufffd]))"
)
_NEXT = re.compile(
    rf"(?:/(?=[b-z]\b)|(?:[,;]\s?(?:and|or|&)|[,;]|\s(?:and|or|&))\s)(?P<word>{_WORD}\s)?"
    rf"(?P<number>{_NUMBER}|\d{{1,3}}[a-z]{{1,2}}(?!\w)|[b-z](?!\w)|\d(?!\w|\.\d))"
)
_LISTED = re.compile(r"\W*(?:and|or|&) |\W*[a-z] ?(?:[,;:/)\]&+]|\.?$|\.\s|(?:and|or)\b)")
"""What shows that a letter is an item of a list: what precedes it, or follows it."""

_MEASURE = re.compile(r"\s?(?:%|cm\b|mm\b|inch|centim|millim|percent)")
_VERSION = re.compile(r"(?:\bv(?:ersion|\.)?|[Rr]elease)\s?$")
_ELSEWHERE = re.compile(
    r"\s(?:in|of) (?:(?:the|an?) )?(?:previous|earlier|older|former) (?:edition|version)s?\b"
)
"""Words that say that a number belongs to another edition: it cites no rule of this one."""

_END_OF_SEE = re.compile(r"[.;:,)\]]|$")
_SEE = re.compile(r"\b[Ss]ee(?:\salso)?\s$")
_APPENDIX = re.compile(r"\b[Aa]ppendix\s+[A-Z]\b[^.;()]*$")

_BEFORE, _CLAUSE = 20, 400
"""How many characters before a number are searched for *version*, *see* or an appendix: searching everything
before each number takes minutes in a long text."""


def find_references(text: str, headings: frozenset[str] = frozenset()) -> tuple[Reference, ...]:
    """Return every explicit reference of `text`, in order.

    `headings` are the names known in the same document; they decide where a name with a comma or "and" ends
    (``See Active Player, Nonactive Player Order.``). Offsets are code points into `text`, from 0, end
    exclusive; `surface` is ``text[start:end]``; targets have canonical numbers.
    """
    return _found(text, headings if _NAMES.search(text) else frozenset())


_Unit = TypeVar("_Unit", Rule, Paragraph)


def with_references(
    document: Document, find: Callable[[str], tuple[Reference, ...]] | None = None
) -> Document:
    """Return a document with the references in all its texts.

    References recognise the names of its entries, unless another function `find` is given.
    """
    names = frozenset(name for entry in document.entries for name in entry.names)
    read = find or partial(find_references, headings=names)

    def unit(it: _Unit) -> _Unit:
        return replace(it, references=read(it.text), examples=units(it.examples))

    def units(several: Iterable[_Unit]) -> tuple[_Unit, ...]:
        return tuple(unit(it) for it in several)

    entries = (
        replace(it, paragraphs=units(it.paragraphs), notes=units(it.notes), rulings=units(it.rulings))
        for it in document.entries
    )
    rules, loose = units(document.rules), units(document.paragraphs)
    return replace(document, rules=rules, entries=tuple(entries), paragraphs=loose)


@lru_cache(maxsize=1 << 14)
def _found(text: str, headings: frozenset[str]) -> tuple[Reference, ...]:
    return tuple(_Reader(text, headings).read()) if _HINT.search(text) else ()


class _Reader:
    """Reads one text from left to right."""

    def __init__(self, text: str, headings: frozenset[str]) -> None:
        self.text = text
        self.names = _by_opening(headings)

    def read(self) -> Iterator[Reference]:
        place = 0
        while anchor := _ANCHOR.search(self.text, place):
            place = anchor.end()
            found = list(self._terms(anchor) if anchor["see"] is not None else self._numbers(anchor))
            yield from found
            place = max(place, found[-1].end) if found else place

    # -- numbers --------------------------------------------------------------------------------

    def _numbers(self, anchor: re.Match[str]) -> Iterator[Reference]:
        """Yield the items of the list that begins at `anchor`."""
        if anchor["bare"] and not self._is_number(anchor):
            return
        word = (anchor["word"] or "").lower()
        start, at = anchor.start(), anchor.start("bare" if anchor["bare"] else "number")
        printed, number_end = anchor["bare"] or anchor["number"], anchor.end()
        before = ""
        appendix = word.startswith("section") and _APPENDIX.search(self.text, max(0, start - _CLAUSE), start)
        while True:
            number = printed if self._is_whole(printed, word) else completed(printed, before)
            item = self._item(start, at, number_end, number, word)
            if not appendix and not _ELSEWHERE.match(self.text, item.end):
                yield item
            before = item.targets[-1].key
            following = _NEXT.match(self.text, item.end)
            if not following or not self._goes_on(following, word, before):
                return
            word = (following["word"] or word).strip().lower()
            start = following.start("word") if following["word"] else following.start("number")
            at, number_end, printed = following.start("number"), following.end(), following["number"]

    def _item(self, start: int, at: int, end: int, number: str, word: str) -> Reference:
        """Return one item whose number is at `at` to `end`, with its range and title."""
        first = canonical(number)
        end += 2 * self.text.startswith("ff", end)
        keys: tuple[str, ...] = (first,)
        kind = self._kind(first)
        to = _RANGE.match(self.text, end)
        until = (to["whole"] or to["tail"]) if to else ""
        if to and kind is TargetKind.SECTION and re.fullmatch(r"\d", until):
            keys = tuple(str(n) for n in range(int(first), int(until) + 1)) or (first,)
            end = to.end()
        elif to and kind is TargetKind.RULE and (last := self._last(first, until)):
            keys = open_range(first, last)
            end = to.end()
        elif kind is TargetKind.ENTRY:
            keys = (first.rstrip("abcdefghijklmnopqrstuvwxyz"),)
        title, end = quoted_title(self.text, end)
        targets = tuple(Target(kind, key) for key in keys)
        return Reference(start, end, self.text[start:end], targets, title)

    @staticmethod
    def _kind(number: str) -> TargetKind:
        if number[0] == "G":
            return TargetKind.ENTRY
        return TargetKind.SECTION if len(number) == 1 else TargetKind.RULE

    @staticmethod
    def _last(first: str, printed: str) -> str:
        """Return the number at which a range ends, or nothing if `printed` cannot end one."""
        if "." in first:
            last = canonical(printed) if "." in printed else completed(printed, first)
            if last.startswith("G"):  # a glossary entry cannot end a range of rules
                return ""
            return last if last[-1].isalpha() == first[-1].isalpha() and order(first) < order(last) else ""
        return printed if re.fullmatch(r"\d{3}", printed) else ""

    @staticmethod
    def _is_whole(printed: str, word: str) -> bool:
        if word.startswith("section") and len(printed) == 1 and printed.isdigit():
            return True
        return re.fullmatch(_NUMBER, printed) is not None

    def _is_number(self, anchor: re.Match[str]) -> bool:
        """Return whether a number without "rule" before it is one of a rule, not a measure or a count."""
        number, start, end = anchor["bare"], anchor.start(), anchor.end()
        near = max(0, start - _BEFORE)
        if _VERSION.search(self.text, near, start) or _MEASURE.match(self.text, end):
            return False
        if "." in number:
            return True
        if quoted_title(self.text, end)[0]:
            return True
        return bool(_SEE.search(self.text, near, start) and _END_OF_SEE.match(self.text, end))

    def _goes_on(self, following: re.Match[str], word: str, before: str) -> bool:
        """Return whether what follows an item belongs to the same list."""
        number = following["number"]
        section = (following["word"] or word).strip().lower().startswith("section")
        if len(number) == 1 and number.isdigit():
            return section and (bool(following["word"]) or len(before) == 1)
        if following["word"]:
            return self._is_whole(number, word)
        if not self._is_whole(number, word):
            is_next = before.rpartition(".")[2].lstrip("0123456789") < number.lstrip("0123456789")
            is_listed = number.isalpha() and is_next and _LISTED.match(self.text, following.start())
            return "." in before and (word.endswith("s") or bool(is_listed))
        listed = "." in number or word.endswith("s")
        return listed and not _MEASURE.match(self.text, following.end())

    # -- terms ----------------------------------------------------------------------------------

    def _terms(self, anchor: re.Match[str]) -> Iterator[Reference]:
        """Yield the names that follow a "See" or "See also" at `anchor`."""
        for start, end, name in _listed_names(self.text, anchor.end(), self.names):
            if key := fold(straight(name)):  # nothing may be left of a damaged character
                yield Reference(start, end, self.text[start:end], (Target(TargetKind.TERM, key),))


_TITLE_OPENING = re.compile(r'(?P<dot>\.)?,?\s?(?P<quote>["“”„\ufffd]|\?(?=[A-Z]))(?=\S)')
_CLOSING = {'"': '"', "“": "”", "”": "”", "„": "“”", "\ufffd": "\ufffd", "?": "?"}
_LONGEST_TITLE = 90
_SENTENCE_END = re.compile(r"[.!?]\s+(?=[A-Z])|[);\n]|[.,]?$")
_BREAK = re.compile(r"(?<!\bvs)[.!?]\s|^[^(]*\)")
"""What no title contains: the end of a sentence, or of a bracket opened before it."""

_NAME_END = re.compile(r'[.,;:]?["”\ufffd?]?(?=[.,;:)\]]|\s(?:and|or)\s|\sin\sthis\s[Gg]lossary|\s?$)')
_NAME_WORD = r"[A-Z0-9][\w'’-]*(?:/[A-Z][\w'’-]*)?"
_NAME = re.compile(rf"{_NAME_WORD}(?:\s(?:(?:of|the|a|an|in|into|to|with|from|for|by|on)\s)*{_NAME_WORD})*")
_SEPARATOR = re.compile(r'(?:,\s(?:and\s|or\s)?|\s(?:and|or)\s)(?=["“„\ufffd]?[A-Z])')
_OPEN_QUOTE = re.compile(r'["“„\ufffd]')
_CLOSE_QUOTE = re.compile(r'[.,;:]?["”\ufffd]')
_QUOTED_NAME = re.compile(r'(?P<name>[^"“”\ufffd]{1,60}?)[.,;:]?["”\ufffd]')
_NOT_TERMS = re.compile(r"(?:Rules?|Sections?|Appendix|Glossary|Examples?|Introduction|Credits|Index|Note)\b")
_FOLD = str.maketrans('“”‘’"', "'''''")


def quoted_title(text: str, end: int) -> tuple[str | None, int]:
    """Return the quoted title after a number, and where it ends.

    `end` is where the number ends; without a title the answer is ``(None, end)``. The title has no quotes and
    no punctuation before the closing quote. Without a closing quote, the title ends with its sentence. After
    a full stop only text closed by ``."`` or ``,"`` is a title: other quotes begin a sentence.
    """
    opening = _TITLE_OPENING.match(text, end)
    if not opening:
        return None, end
    start = opening.end()
    close = _close(text, start, _CLOSING[opening["quote"]])
    if close is not None:
        inside = text[start:close]
        strict = bool(opening["dot"]) or opening["quote"] == "?" or "," not in opening[0]
        if _is_title(inside) and (not strict or inside[-1] in ".,;" or text[close + 1 : close + 2] == ")"):
            return inside.rstrip(" .,;"), close + 1
        if strict:
            return None, end
    stop = _SENTENCE_END.search(text, start)
    inside = text[start : stop.start()] if stop else text[start:]
    if "," in opening[0] and len(inside) <= _LONGEST_TITLE and _is_title(inside):
        return inside.rstrip(" .,;"), start + len(inside.rstrip(" .,;"))
    return None, end


def _close(text: str, start: int, closing: str) -> int | None:
    """Return the position of the first closing quote, if it is near enough to end a title."""
    until = min(len(text), start + _LONGEST_TITLE)
    return next((place for place in range(start, until) if text[place] in closing), None)


def _is_title(words: str) -> bool:
    if _BREAK.search(words):
        return False
    return small_share(words.rstrip(" .,;")) == 0


_Known = Mapping[str, Sequence[str]]
"""The names in a document by their first letters, the longest first."""


@lru_cache(maxsize=8)
def _by_opening(names: frozenset[str]) -> _Known:
    folded = sorted({name.translate(_FOLD) for name in names if name}, key=len, reverse=True)
    return grouped((name[0].lower(), name) for name in folded)


def _listed_names(text: str, start: int, known: _Known) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, name) for the names listed from `start` on; quotes belong to the span."""
    while found := _name_at(text, start, known):
        yield found
        separator = _SEPARATOR.match(text, found[1])
        if not separator:
            return
        start = separator.end()


def _name_at(text: str, start: int, known: _Known) -> tuple[int, int, str] | None:
    quote = _OPEN_QUOTE.match(text, start)
    at = quote.end() if quote else start
    if _NOT_TERMS.match(text, at):
        return None
    end = _end_of_known(text, at, known)
    if end is None and quote:
        quoted = _QUOTED_NAME.match(text, at)
        named = quoted and not quoted["name"][:1].islower()  # otherwise one sees “what happens”
        return (start, quoted.end(), quoted["name"].strip()) if quoted and named else None
    if end is None:
        name = _NAME.match(text, at)
        end = name.end() if name and _NAME_END.match(text, name.end()) else None
    if end is None:
        return None
    closing = _CLOSE_QUOTE.match(text, end) if quote else None
    return start, closing.end() if closing else end, text[at:end]


def _end_of_known(text: str, at: int, known: _Known) -> int | None:
    """Return where the longest known name at `at` ends, where a list or sentence may end too."""
    here = text[at : at + 80].translate(_FOLD)
    ends = (at + len(name) for name in known.get(here[:1].lower(), ()) if here.startswith(name))
    return next((end for end in ends if _NAME_END.match(text, end)), None)
