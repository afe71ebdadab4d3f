"""Find which quoted words belong to which citation."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from .citations import SAYS, Citation
from .passages import TextBlock

FEWEST_WORDS = 6
"""The number of quoted words below which they are a name, or a manner of speaking."""

_FARTHEST_NAME = 60
_SENTENCE = 6
"""The minimum number of words in a sentence, as opposed to a title, if most have no capital."""

_QUOTED = re.compile(
    r"“(?P<curly>[^“”]{1,3000}(?:“[^“”]{0,300}”[^“”]{0,3000})*)”"
    r"|(?<!\w)\"(?=\S)(?P<straight>[^\"]{1,3000}?)(?<=\S)\"(?!\w)"
    r"|«\s?(?P<angled>[^«»]{1,3000}?)\s?»"
    r"|(?<!\w)‘(?P<single>[^‘“”\"]{8,600}?)’(?!\w)"
    r"|(?<![\w'])'(?=\S)(?P<plain>(?:[^'\"]|(?<=\w)'(?=\w)){8,600}?)(?<=\S)'(?!\w)"
)
_NOT_OF_CARDS = (
    r"(?![^“”\"]*\b(?i:(?:the|this|its)\scard|card(?:'s)?\stext|oracle|rulings?|gatherer|judges?|reminder"
    r"|flavor)\b)"
)
_HOW = (
    r"(?:\s(?:that|as follows|in part|explicitly|clearly|plainly|so|us|with|the words|reads|in full|simply))*"
)
_SAYS = (
    r"(?:\s?\([^()]{1,60}\))?(?:\sof\sthe\s(?:\w+\s)?[Rr]ules)?\W{0,3}"
    r"(?:(?:which|that|it|the text|also|clearly|explicitly|only|still)\s)?"
    rf"(?:{SAYS}|puts it|notes?|goes|begins|starts|ends|writes|confirms?|adds|is|has|as follows|quote|text)?"
)
_SAYS_LATER = (
    rf"{_NOT_OF_CARDS}[^.!?“”\"]{{0,120}}?"
    r"(?i:\band(?:\sit)?|(?<=\w),|\.\s(?:It|That\srule|The\s(?:rule|(?:\w+\s)?(?:text|wording))))\s"
    r"(?i:(?:also|then|clearly|explicitly|plainly|only|still)\s)?"
    rf"(?i:{SAYS}|is|goes)"
)
_LABEL = rf"\)?{_NOT_OF_CARDS}[^.!?:()“”\"]{{0,120}}:\s?"
_BEHIND = re.compile(rf"(?:(?:{_SAYS}|{_SAYS_LATER}){_HOW}\W{{0,4}}|{_LABEL})")
"""The text between a citation and its words: a verb of saying, perhaps after another verb, or a colon."""

_SIGNED = re.compile(r"(?P<words>.*?)\s*[-–—([]\s*(?:(?:see|from|per)\s)?", re.DOTALL | re.IGNORECASE)
"""What comes before a citation that signs the words of a block."""

_ATTRIBUTES = re.compile(
    r"\W{0,4}(?:(?:per|as\sper|as|from|in|under|by|according\sto|says|cf\.?|reads|source|quoting"
    r"|quoted\sfrom|this\sis|that\sis|that's|it's|is|the\stext\sof|to\squote|states|so)\W{1,3}){0,3}",
    re.IGNORECASE,
)
_CITES = re.compile(
    r"[.,]?\s*(?:[(\[]|[-–—]{1,2}|(?P<is>\b(?-i:is|are)\b))\s*(?:(?:from|per|in)\s)?",
    re.IGNORECASE,
)
"""The text between words and their citation: in brackets, after a dash, or *is*."""

_GOES_ON = re.compile(r":|\s(?!and|or)\w")
_BEGINS = re.compile(r"[)\]]?\s[A-Z“\"]")
"""What follows a citation that does not sign what is before it: it heads the next rule of a list."""

_POINTS = re.compile(r"\W{0,3}see(?:\salso)?\s", re.IGNORECASE)
"""What is between words that are a separate sentence and their citation."""

_APART = re.compile(r"[\"'], ?|, ?[\"']")
"""What is between the strings of a list in a program, words and numbers."""

_ADDS = re.compile(r"\W{0,3}(?:and|or|but|then|also|as well as)?\W{0,3}")
_OWN_WORDS = re.compile(r"[.:]?\)?\s*(?:[-–—:]\s*)?(?=[A-Z“\"{+-])")


def _with_quotes(found: list[Citation], text: str) -> list[Citation]:
    """Give each citation of a passage its quoted words: those after it, or before it."""
    if not found:
        return found
    quotes: dict[int, list[str]] = {}
    signed: set[int] = set()
    last: tuple[int, int] | None = None
    for match in _QUOTED.finditer(text):
        start, end = match.span()
        owner = _owner(found, text, start, end)
        if owner is None and last is not None and _ADDS.fullmatch(text, last[1], start):
            owner = last[0]
        if owner is not None:
            quotes.setdefault(owner, []).append(match[match.lastgroup or 0])
            if found[owner].start >= end and not _BEGINS.match(text, found[owner].end):
                signed.add(owner)
            last = owner, end
    return [replace(it, quotes=tuple(quotes.get(n, ())), signed=n in signed) for n, it in enumerate(found)]


_THE_RULES_SAY = re.compile(
    r"\b(?:comprehensive rules?|rulebook|rules? texts?|the rules?|CR)\W+(?:[a-z]+ ){0,2}?"
    rf"{SAYS}\b\W*(?:that\W+)?$",
    re.IGNORECASE,
)


def without_number(passage: TextBlock, cited: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield where words are quoted as those of the rules, without a number; not if they are `cited` words."""
    for match in _QUOTED.finditer(passage.text):
        words = match[match.lastgroup or 0]
        is_said = _THE_RULES_SAY.search(passage.text, max(0, match.start() - _FARTHEST_NAME), match.start())
        if is_said and words not in cited and len(words.split()) >= FEWEST_WORDS:
            yield passage.span(*match.span())


def _is_sentence(title: str) -> bool:
    """Return whether words in quotes after a number and a comma are more than its title."""
    words = title.split()
    return len(words) >= _SENTENCE and 2 * sum(it[0].isupper() for it in words) < len(words)


def _owner(found: list[Citation], text: str, start: int, end: int) -> int | None:
    """Return the citation beside which the words between `start` and `end` are quoted."""
    before = [
        n for n, it in enumerate(found) if it.end <= start and not _APART.fullmatch(text, it.end, start)
    ]
    after = next((n for n, it in enumerate(found) if it.start >= end), None)
    if after is not None and _APART.fullmatch(text, end, found[after].start):
        after = None
    titled = next((n for n, it in enumerate(found) if it.start <= start < it.end), None)
    if titled is not None and not _is_sentence(found[titled].title):
        return None
    if after is not None and _signs(found[after], text, end):
        return after
    if titled is not None:
        return titled
    if before and _BEHIND.fullmatch(text, found[before[-1]].end, start):
        return before[-1]
    if after is None or found[after].start - end > 40:
        return None
    is_said = _ATTRIBUTES.fullmatch(text, end, found[after].start)
    begins = not text[:start].strip() or text[:start].rstrip().endswith((".", ":", "!", "?"))
    is_pointed = begins and _POINTS.fullmatch(text, end, found[after].start)
    return after if is_said or is_pointed else None


def _signs(it: Citation, text: str, end: int) -> bool:
    """Return whether a citation in brackets, after a dash or *is*, belongs to the words which end before it.

    In brackets, or after a dash, it does not begin a sentence of its own.
    """
    cites = _CITES.fullmatch(text, end, it.start)
    return bool(cites and (cites["is"] or not _GOES_ON.match(text, it.end)))


def with_quotations(passages: Iterable[tuple[TextBlock, list[Citation]]]) -> Iterator[Citation]:
    """Yield all citations with the words quoted beside them.

    A block of quotation belongs to the citation that heads, announces or signs it.
    """
    announced: Citation | None = None
    block = ""
    for passage, found in passages:
        text = passage.text
        own = _with_quotes(found, text)
        head = _words_behind(own[0], passage) if own else ""
        if announced is not None and own and _is_signed(announced, own[-1], passage):
            yield announced
            announced = None
        if announced is not None:
            alone = _QUOTED.fullmatch(text.strip())
            if alone and not own:
                announced = replace(announced, quotes=(alone[alone.lastgroup or 0],))
            elif passage.quoted and not head:
                announced = replace(announced, quotes=(text.strip(),))
            yield announced
            announced = None
        elif own and not head and not any(it.quotes for it in own):
            own[-1] = replace(own[-1], quotes=_words_before(own[-1], passage, block))
        if head and not any(it.quotes for it in own):
            own[0] = replace(own[0], quotes=(head,))
        block = text.strip() if passage.quoted and not own else ""
        last = own[-1] if own else None
        if last is not None and not last.quotes and not passage.quoted and _announces(text, last.end):
            announced = own.pop()
        yield from own
    if announced is not None:
        yield announced


def _words_behind(cited: Citation, passage: TextBlock) -> str:
    """Return the text of a block quotation introduced by a citation, or ``""``."""
    head = _OWN_WORDS.match(passage.text, cited.end) if passage.quoted and cited.start <= 2 else None
    return passage.text[head.end() :].strip() if head else ""


def _words_before(cited: Citation, passage: TextBlock, block: str) -> tuple[str, ...]:
    """Return the text of a block quotation that ends with a citation or is followed by one."""
    signed = _SIGNED.fullmatch(passage.text[: cited.start])
    if signed is None or re.search(r"\w", passage.text[cited.end :]):
        return ()
    words = signed["words"].strip() if passage.quoted else "" if signed["words"] else block
    return (words,) if words else ()


def _is_signed(announced: Citation, own: Citation, passage: TextBlock) -> bool:
    """Return whether a block has its own citation, and the one before only ends the text before it."""
    ends = not re.search(r"[\w:]", announced.passage.text[announced.end :])
    return ends and bool(own.quotes or _words_before(own, passage, ""))


def _announces(text: str, end: int) -> bool:
    """Return whether a citation that ends there announces what follows its passage."""
    return (len(text) - end <= 30 or text.rstrip().endswith(":")) and bool(_BEHIND.fullmatch(text, end))
