"""Find out which quoted words belong to which citation."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

from .blocks import TextBlock
from .citations import LIKELY, SAYS, Citation, CitingBlock
from .json_texts import QUOTE_KEY
from .nearness import CARDS, FEWEST_WORDS, NearQuotation, announces, begins_sentence, give_near, nearest

_FARTHEST_NAME = 60
_SENTENCE = 6
"""The minimum number of words in a sentence, rather than a title, if most begin in lower case."""

_MARKS = ("„“”", "‚‘’", "«»", "»«", "‹›", "›‹", "「」", "『』")
QUOTED = re.compile(
    r"“(?P<curly>[^“”]{0,3000}(?:“[^“”]{0,3000}”[^“”]{0,3000})*)”"
    r"|(?<!\w)\"(?=\S)(?P<straight>(?:[^\"\\]|\\.){1,3000}?)(?<=\S)\"(?!\w)"
    r"|(?<!\w)‘(?P<single>[^‘“”\"]{8,600}?)’(?!\w)"
    r"|(?<![\w'])'(?P<wiki>')?(?=\S)(?P<plain>(?:[^'\"]|(?<=\w)'(?=\w)){8,600}?)(?<=\S)'(?(wiki)')(?![\w'])|"
    + "|".join(
        rf"{it[0]}\s?(?P<marks{n}>(?:[^{it}]|(?<=\w)’(?=\w)){{1,3000}}?)\s?[{it[1:]}](?!(?<=’)\w)"
        for n, it in enumerate(_MARKS)
    )
)
"""Words in quotation marks of any language."""

_NOT_OF_CARDS = rf"(?![^“”\"]*{CARDS})"
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

_BRACE = re.compile(r"[{}]")
_MEMBER = re.compile(r"\{\s*\"")
_KEY = re.compile(r"\s?:\s?[\"\[{\d]")
_SIGNED = re.compile(r"(?P<words>.*?)\s*[-–—([]\s*(?:(?:see|from|per)\s)?", re.DOTALL | re.IGNORECASE)
"""What comes before a citation that signs the words of a block quotation."""

_ATTRIBUTES = re.compile(
    r"\W{0,4}(?:(?:per|as\sper|as|from|in|under|by|according\sto|says|cf\.?|reads|source|quoting"
    r"|quoted\sfrom|this\sis|that\sis|that's|it's|is|the\stext\sof|to\squote|states|so)\W{1,3}){0,3}",
    re.IGNORECASE,
)
_CITES = re.compile(
    r"[.,]?\s*(?:[(\[]|[-–—]{1,2}|(?P<is>\b(?-i:is|are)\b))\s*(?:(?:from|per|in)\s)?",
    re.IGNORECASE,
)
"""The text between words and their citation: a bracket, a dash, or *is*."""

_GOES_ON = re.compile(r":|\s(?!and|or)\w")
_BEGINS = re.compile(r"[)\]]?\s[A-Z“\"]")
"""What follows a citation that does not sign the words before it, but heads the next rule in a list."""

_POINTS = re.compile(r"\W{0,3}see(?:\salso)?\s", re.IGNORECASE)
"""What is between a separate sentence of words and their citation."""

_APART = re.compile(r"[\"'], ?|, ?[\"']")
"""What is between the strings of a list in a program: words and numbers."""

_ADDS = re.compile(r"\W{0,3}(?:and|or|but|then|also|as well as)?\W{0,3}")
_OWN_WORDS = re.compile(r"[.:]?\)?\s*(?:[-–—:]\s*)?(?=[A-Z“\"{+-])")


class UnclearQuotation(NamedTuple):
    """Words quoted beside several citations, with their place in the text and these citations' numbers."""

    span: tuple[int, int]
    words: str
    numbers: tuple[str, ...]


def with_quotations(
    read: Iterable[tuple[TextBlock, list[Citation]]], entered: Collection[tuple[int, int]] = ()
) -> tuple[list[Citation], list[UnclearQuotation]]:
    """Return all citations with the words quoted beside them, and the words whose citation is unclear.

    Words belong to the only citation beside them: in their footnote, JSON object or sentence, or else the
    nearest in their block. Block quotations, and words at the end of a block without citations, belong to
    one in the block next to them. Punctuation or the ends of a list may decide between two. Those at the
    places `entered` belong to no rule.
    """
    blocks = [(block, [*map(replace, found)]) for block, found in read]
    quotes = [it for at in range(len(blocks)) for it in _quotes(blocks, at, entered)]
    give_near(blocks, quotes)
    for it in quotes:
        if it.is_clear:
            [one] = it.beside
            one.quotes += (it.words,)
            one.signed |= it.signed
            one.near |= frozenset() if it.sure else {it.words}
            one.grade = max(one.grade, LIKELY)
    unclear = [
        UnclearQuotation(
            blocks[it.at][0].span(it.start, it.end),
            it.words,
            tuple(number for one in it.beside for number in one.numbers),
        )
        for it in quotes
        if it.beside and not it.is_clear
    ]
    return [one for _, found in blocks for one in found], unclear


def _quotes(
    blocks: Sequence[CitingBlock], at: int, entered: Collection[tuple[int, int]]
) -> Iterator[NearQuotation]:
    """Yield the quotations in a block, with the citations beside them."""
    block, found = blocks[at]
    text = block.text
    if block.quoted and (whole := _block(at, text, found, bool(at and announces(*blocks[at - 1])))):
        yield whole
        return
    objects = _objects(text)
    _join(objects, found)
    matches = [it for it in QUOTED.finditer(text) if not _KEY.match(text, it.end())]
    if entered:
        spans = [block.span(*it.span()) for it in matches]
        is_left = [not any(it[0] <= a and b <= it[1] for it in entered) for a, b in spans]
        matches = [*compress(matches, is_left)]
    long = [it for it in matches if len(it[0].split()) >= FEWEST_WORDS] if objects else []
    last = None
    for n, match in enumerate(matches):
        quote = NearQuotation(at, *match.span(), match[match.lastgroup or 0])
        inner = _object_at(objects, quote.start)
        beside = [one for one in found if inner and _object_at(objects, one.start) == inner]
        # A citation inside the strings of an object is not their source.
        own = [one for one in beside if not any(it.start() < one.start < it.end() for it in long)]
        if len({(one.numbers, one.edition) for one in own}) == 1:
            own = own[-1:]
        cites = any(quote.start <= one.start < quote.end for one in found)
        if cites and not (quote.is_long and (own or not inner)):
            continue
        if inner:
            is_said = bool(QUOTE_KEY.search(text, 0, quote.start))
            quote.words = _unescaped(quote.words)
            quote.beside = (own or beside) if is_said or quote.is_long else []
            quote.sure = len(own) == 1 and is_said
        elif owner := _owner(found, text, quote.start, quote.end):
            quote.beside, quote.sure = [owner], True
            quote.signed = owner.start >= quote.end and not _BEGINS.match(text, owner.end)
        elif last and last.sure and _ADDS.fullmatch(text, last.end, quote.start):
            quote.beside, quote.sure = last.beside, True
        elif quote.is_long:
            first = matches[n - 1].end() if n else 0
            until = matches[n + 1].start() if n + 1 < len(matches) else len(text)
            quote.beside, quote.shared = nearest(found, text, quote, first, until)
        last = quote
        yield quote


def _join(objects: Sequence[tuple[int, int]], found: Sequence[Citation]) -> None:
    """Read each number as of the edition whose IRI is in the same JSON object."""
    for iri in [one for one in found if one.edition]:
        own = _object_at(objects, iri.start)
        for one in found if own else ():
            if one.numbers == iri.numbers and _object_at(objects, one.start) == own:
                one.edition = iri.edition


def _objects(text: str) -> list[tuple[int, int]]:
    """Return where JSON objects begin and end, the inner ones first."""
    opened: list[int] = []
    found = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            opened.append(match.start())
        elif opened:
            found.append((opened.pop(), match.end()))
    return [it for it in found if _MEMBER.match(text, it[0])]


def _object_at(objects: Sequence[tuple[int, int]], place: int) -> tuple[int, int] | None:
    return next((it for it in objects if it[0] <= place < it[1]), None)


def _unescaped(words: str) -> str:
    """Return a JSON string without escapes."""
    try:
        return str(json.loads(f'"{words}"', strict=False))
    except ValueError:
        return words


def _block(at: int, text: str, found: list[Citation], is_announced: bool) -> NearQuotation | None:
    """Return the words of a block quotation, without a citation that heads or signs it."""
    start, end, own = 0, len(text), []
    if found and found[0].start <= 2 and (head := _OWN_WORDS.match(text, found[0].end)):
        start, own = head.end(), found[:1]
    elif (
        found
        and not is_announced
        and not re.search(r"\w", text[found[-1].end :])
        and (signed := _SIGNED.fullmatch(text, 0, found[-1].start))
    ):
        end, own = signed.end("words"), found[-1:]
    words = text[start:end].strip()
    if not words or (not own and (QUOTED.search(text) or (found and not is_announced))):
        return None
    alone = QUOTED.fullmatch(words)
    return NearQuotation(at, start, end, alone[alone.lastgroup or 0] if alone else words, own, bool(own))


_THE_RULES_SAY = re.compile(
    r"\b(?:comprehensive rules?|rulebook|rules? texts?|the rules?|CR)\W+(?:[a-z]+ ){0,2}?"
    rf"{SAYS}\b\W*(?:that\W+)?$",
    re.IGNORECASE,
)


def without_number(block: TextBlock, cited: Collection[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of words quoted as the rules' without a number, unless they are among `cited`."""
    for match in QUOTED.finditer(block.text):
        words = match[match.lastgroup or 0]
        is_said = _THE_RULES_SAY.search(block.text, max(0, match.start() - _FARTHEST_NAME), match.start())
        if is_said and words not in cited and len(words.split()) >= FEWEST_WORDS:
            yield block.span(*match.span())


def _is_sentence(title: str) -> bool:
    """Return whether quoted words after a number and a comma are more than its title."""
    words = title.split()
    return len(words) >= _SENTENCE and 2 * sum(it[0].isupper() for it in words) < len(words)


def _owner(found: Sequence[Citation], text: str, start: int, end: int) -> Citation | None:
    """Return the citation whose words are quoted between `start` and `end`."""
    before = [it for it in found if it.end <= start and not _APART.fullmatch(text, it.end, start)]
    after = next((it for it in found if it.start >= end), None)
    if after and _APART.fullmatch(text, end, after.start):
        after = None
    titled = next((it for it in found if it.start <= start < it.end), None)
    if titled and not _is_sentence(titled.title):
        return None
    if after and _signs(after, text, end):
        return after
    if titled:
        return titled
    if before and _BEHIND.fullmatch(text, before[-1].end, start):
        return before[-1]
    if not after or after.start - end > 40:
        return None
    is_said = _ATTRIBUTES.fullmatch(text, end, after.start)
    is_pointed = begins_sentence(text, start) and _POINTS.fullmatch(text, end, after.start)
    return after if is_said or is_pointed else None


def _signs(it: Citation, text: str, end: int) -> bool:
    """Return whether a citation in brackets, after a dash or after *is* belongs to the words before it.

    In brackets or after a dash, it must not begin a sentence of its own.
    """
    cites = _CITES.fullmatch(text, end, it.start)
    return bool(cites and (cites["is"] or not _GOES_ON.match(text, it.end)))
