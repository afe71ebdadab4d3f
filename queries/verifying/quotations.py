"""Find which quoted words belong to which citation, and compare them with those of the rules.

So are words that were copied without quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...loaders.language.sentences import sentences
from .citations import Citation
from .passages import TextBlock
from .rulebook import Rulebook, above, pieces, word_count
from .topics import Topics
from .weighing import WARNING, Finding

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
    r"(?:says?|states?|reads?|reading|stating|saying|tells?(?:\sus)?|provides?|specifies|explains?|defines?"
    r"|puts it|notes?|goes|begins|starts|ends|writes|confirms?|clarifies|adds|is|has|as follows|quote|text)?"
)
_SAYS_LATER = (
    rf"{_NOT_OF_CARDS}[^.!?“”\"]{{0,120}}?"
    r"(?i:\band(?:\sit)?|(?<=\w),|\.\s(?:It|That\srule|The\s(?:rule|(?:\w+\s)?(?:text|wording))))\s"
    r"(?i:(?:also|then|clearly|explicitly|plainly|only|still)\s)?"
    r"(?i:says?|states?|reads?|provides|specifies|tells|is|goes)"
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


def _is_sentence(title: str) -> bool:
    """Return whether words in quotes after a number and a comma are more than its title."""
    words = title.split()
    return len(words) >= _SENTENCE and 2 * sum(it[0].isupper() for it in words) < len(words)


def _owner(found: list[Citation], text: str, start: int, end: int) -> int | None:
    """Return the citation beside which the words between `start` and `end` are quoted."""
    before = [n for n, it in enumerate(found) if it.end <= start]
    after = next((n for n, it in enumerate(found) if it.start >= end), None)
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


_FEWEST_WORDS, _FEWEST_COPIED = 6, 10
"""The number of quoted words below which they are a name, or a manner of speaking; engines quote cards, too.
Without quotation marks, many rules share fewer words."""

_LIKE, _COPIED, _CLEARLY = 50, 88, 15
"""How similar two texts are, in percent, if one is the right wording of the other, and if they are nearly the
same; the lead that another rule needs."""

_COPIED_WORDS = 0.8
"""The share of its words that a rule must have to be compared with a text that is not quoted."""

_FARTHEST, _MOST_SENTENCES = 600, 2
_OPENS = re.compile(r"\s?[(\[]\s?$")
_SEE = re.compile(r"\bsee(?: also)?[:,]? $", re.IGNORECASE)
"""Words that refer to more than was said."""

_EDGE = " .,:;)–—-"
_LISTED = re.compile(r"(?:[)\]]\s?[(\[])?[^.)\]]*")


def misquoted(
    book: Rulebook, topics: Topics | None, citation: Citation, beside: Sequence[Citation]
) -> Finding | None:
    """Report the first words quoted at a citation that are not in its rules, nor in one cited `beside` it.

    If it signs the words, only the rest of its list may have them.
    """
    text, end = citation.passage.text, citation.end
    if citation.signed:
        beside = [
            it for it in beside if it.passage is citation.passage and _LISTED.fullmatch(text, end, it.start)
        ]
    for quote in citation.quotes:
        parts = pieces(quote)
        if word_count(parts) < _FEWEST_WORDS or (topics and not topics.like(quote)):
            continue
        if any(book.where(number, parts) for number in citation.numbers):
            continue
        having = book.anywhere(parts)
        others = {number for it in beside if not it.quotes or quote in it.quotes for number in it.numbers}
        if any(others & {it, *above(it)} for it in having):
            continue
        other = _other(book, topics, citation.numbers, quote) if topics and not having else None
        having = other[:1] if other else having[:5]
        own = [part for it in citation.numbers for part in (it, *book.below.get(it, ()))]
        likeness, _, wording = book.nearest(quote, having or own)
        wording = wording if likeness >= _LIKE else ""
        message = f"these words are not in {_called(citation)}"
        return Finding("words", message, having, quote, WARNING, wording=wording)
    return None


def has_words_of(book: Rulebook, citation: Citation, number: str) -> bool:
    """Return whether words quoted at a citation are those of the rule with a number."""
    quoted = map(pieces, citation.quotes)
    return any(word_count(it) >= _FEWEST_WORDS and book.where(number, it) for it in quoted)


def copied(book: Rulebook, topics: Topics, citation: Citation, beside: Sequence[Citation]) -> Finding | None:
    """Report the words at a citation, without quotation marks, that are nearly word for word in another rule.

    A rule that cites this one, or that is cited `beside` it, may be the copied one.
    """
    numbers = [*citation.numbers, *(number for it in beside for number in it.numbers)]
    for text in _said_by(citation):
        if len(text.split()) < _FEWEST_COPIED:
            if book.nearest(text, citation.numbers)[0] >= _COPIED:
                return None
            continue
        other = _other(book, topics, numbers, text, _COPIED_WORDS)
        if not other:
            continue
        number, wording = other
        if not any(it in words for words in book.items[number].texts for it in citation.numbers):
            message = f"these are the words of {number}, not of {_called(citation)}"
            return Finding("words", message, (number,), text, WARNING, wording=wording)
    return None


def _said_by(citation: Citation) -> list[str]:
    """Return the sentences of a citation: before one in brackets, else after it; one, or two."""
    text = citation.passage.text
    ahead = text[max(0, citation.start - _FARTHEST) : citation.start]
    if match := _OPENS.search(ahead):
        pieces_of = [ahead[start:end] for start, end in sentences(ahead[: match.start()])][-_MOST_SENTENCES:]
        return [" ".join(pieces_of[-count:]) for count in range(1, len(pieces_of) + 1)]
    if _SEE.search(ahead) or (ahead.strip() and text.startswith(".", citation.end)):
        return []
    behind = text[citation.end : citation.end + _FARTHEST].lstrip(_EDGE)
    pieces_of = [behind[start:end] for start, end in sentences(behind)][:_MOST_SENTENCES]
    return [" ".join(pieces_of[:count]) for count in range(1, len(pieces_of) + 1)]


def _other(
    book: Rulebook, topics: Topics, numbers: Iterable[str], text: str, share: float = 0.5
) -> tuple[str, str] | None:
    """Return the number and words of another rule that nearly equal a text, if none of some rules do."""
    own = _family(book, numbers)
    likeness, *other = book.nearest(text, [it for it in topics.like(text, share) if it not in own])
    if likeness < _COPIED or likeness < book.nearest(text, own)[0] + _CLEARLY:
        return None
    return other[0], other[1]


def _family(book: Rulebook, numbers: Iterable[str]) -> set[str]:
    return {it for number in numbers for it in book.family(number)}


def _called(citation: Citation) -> str:
    return ", ".join(citation.numbers[:2])
