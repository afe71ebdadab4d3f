"""Fold printed words so that copies can be compared; split texts into words, sentences and names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from ...ontology.iris import unaccented
from .everyday import FUNCTION_WORDS

_SPACE = re.compile(r"[\s\u200b\ufeff]+")
_BROKEN_COMPOUND = re.compile(r"[^\W_]-$|[^\s–—][–—]$|/[-+]$")
_SUSPENDED = re.compile(r"(?:and|or|to)\b", re.IGNORECASE)
"""What follows the suspended hyphen of a compound whose second half comes later."""

_STRAIGHT = (("“", '"'), ("”", '"'), ("„", '"'), ("«", '"'), ("»", '"'), ("‘", "'"), ("’", "'"))

_FOLDS = str.maketrans("“”„’‘—–−\u00a0", '"""\'\'--- ', "_") | {ord("…"): "..."}
"""Characters that differ between printings of the same words; underscores mark italics, and are dropped."""

_MARKS = re.compile(r"\((?:r|tm|c)\)|[®™©]|(?<=\w)\ufffd(?= )", re.IGNORECASE)
"""Signs of rights, and their traces after wrong decoding."""

_RUN = re.compile(r"\s+")

_QUOTE_LENGTH = 60
"""How many characters of a text a quotation shows."""


def fold(text: str) -> str:
    """Return `text` with every run of white space as one space, none at its ends.

    >>> fold("  the  keeper\\n waits ")
    'the keeper waits'
    """
    return _SPACE.sub(" ", text.replace("\u00ad", "")).strip()


def join_wrapped(lines: Iterable[str]) -> str:
    """Return hard-wrapped `lines` as one folded text; a break at a hyphen or dash is closed up.

    So is a power and toughness (``-1/-`` / ``1``). A suspended hyphen ("power-" / "and toughness-changing")
    keeps its space.

    >>> join_wrapped(["a two-", "  colored one, no one-", "or three-colored one"])
    'a two-colored one, no one- or three-colored one'
    """
    joined: list[str] = []
    for line in filter(None, map(fold, lines)):
        if joined:
            # Only the characters at the break matter: searching all of a long text would take too long.
            closes = _BROKEN_COMPOUND.search(joined[-1][-2:]) and not _SUSPENDED.match(line)
            joined.append("" if closes else " ")
        joined.append(line)
    return "".join(joined)


def straight(text: str) -> str:
    """Return `text` with straight quotation marks and apostrophes; its length does not change."""
    if not text.isascii():
        for curly, plain in _STRAIGHT:
            text = text.replace(curly, plain)
    return text


def normalise(text: str) -> str:
    """Return the form in which copies of a text are equal: NFC, straight quotes, white space folded."""
    return fold(straight(unicodedata.normalize("NFC", text)))


def fragment_id(normalised: str) -> str:
    """Return ``fragment-`` and the first 8 hex digits of the SHA-256 of a normalised text."""
    from hashlib import sha256  # here, as it loads OpenSSL, and answers need only the other functions

    return f"fragment-{sha256(normalised.encode()).hexdigest()[:8]}"


def count_lines(lines: Iterable[str]) -> int:
    """Return the number of lines that contain more than white space."""
    return sum(1 for line in lines if fold(line))


def unbalanced_quotes(text: str) -> bool:
    """Return whether a double quote in `text` is opened or closed only once."""
    return bool(text.count('"') % 2) or text.count("“") != text.count("”")


@lru_cache(maxsize=1 << 14)
def wording(text: str) -> str:
    """Return the common form of printings of the same words: quotes, dashes, marks, emphasis are folded.

    >>> wording("The  “Magic”™ game—yes")
    'The "Magic" game-yes'
    """
    return _RUN.sub(" ", _MARKS.sub("", unicodedata.normalize("NFC", text).translate(_FOLDS))).strip()


def beginning(text: str, most: int = _QUOTE_LENGTH) -> str:
    """Return the first words of a text that fit in `most` characters.

    >>> beginning("the keeper waits for the boat", 20)
    'the keeper waits for'
    """
    return text if len(text) <= most else text[: most + 1].rpartition(" ")[0] or text[:most]


def ending(text: str, most: int = _QUOTE_LENGTH) -> str:
    """Return the last words of a text that fit in `most` characters.

    >>> ending("the keeper waits for the boat", 10)
    'the boat'
    """
    return text if len(text) <= most else text[-most - 1 :].partition(" ")[2] or text[-most:]


_PLAIN_WORD = re.compile(r"[+\-−–]\d+/[+\-−–]\d+|[^\W_]+")
_TOKEN = (
    r"\{[^{}\s]{1,5}\}"  # {T}
    r"|[+\-−–]?\d+/[+\-−–]?\d+"  # +1/+1
    r"|[^\W_]+(?:['’][^\W_]+)*"
    r"|∞"
)
"""A word or symbol. It is compiled when a text is read: a question asked by name reads none."""

_POSSESSIVE = re.compile(r"['’]s?$")


class Word(NamedTuple):
    """One word or symbol of a text.

    `text` is as written, ``source[start:end]``; `fold` is the form that different spellings share: lower case
    without accents, curly marks or a possessive.
    """

    text: str
    fold: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Word]:
    """Yield the words and symbols of a text, in order; everything else only separates them.

    >>> [token.fold for token in tokens("Moth’s wing: {T}, a +1/−1 Façade")]
    ['moth', 'wing', '{t}', 'a', '+1/-1', 'facade']
    """
    for match in re.finditer(_TOKEN, text):
        yield Word(match[0], _folded(match[0]), match.start(), match.end())


@lru_cache(maxsize=8192)
def _folded(word: str) -> str:
    small = word.lower().replace("−", "-").replace("–", "-")
    if not small.isascii():
        small = unaccented(small)
    return _POSSESSIVE.sub("", small) or small


def without_possessive(word: str) -> str:
    """Return words without a final *'s*.

    >>> without_possessive("the Moth’s")
    'the Moth'
    """
    return _POSSESSIVE.sub("", word)


def words_in(text: str) -> list[str]:
    """Return the runs of letters and digits of a text in lower case, and +1/+1, as in an index of words.

    >>> words_in("The moth's wing, +1/+1")
    ['the', 'moth', 's', 'wing', '+1/+1']
    """
    return _PLAIN_WORD.findall(text.lower())


def telling_words(text: str) -> list[str]:
    """Return the words of a text that say what it is about, in order and in the form of `words_in`.

    >>> telling_words("The Moth's wing is of 2 lamps")
    ['moth', 'wing', '2', 'lamps']
    """
    return [word for word in words_in(text) if word not in FUNCTION_WORDS]


_STATE = re.compile(r"\s*[(\[]\s*(obsolete|informal)\s*[)\]]\s*$", re.IGNORECASE)
_COMMA_IN_QUOTES = re.compile(r',"\s*(?=")')
_PART = re.compile(r'(?:\[[^\]]*\]|"[^"]*"|[^,])+')
_LIKENESS = 3
"""Names that share this many first letters are forms of one word: *Modal, Mode*."""


class Heading(NamedTuple):
    """The names of one heading, the identifying one first, and its state."""

    names: tuple[str, ...]
    status: str = ""


@lru_cache(maxsize=1 << 13)
def split_heading(heading: str) -> Heading:
    """Return the names and the state (``"obsolete"``, ``"informal"`` or ``""``) of a printed heading.

    The state is in brackets at the end, in any case. Curly quotes and apostrophes become straight, so that a
    name is the same string in every edition; quotes around a whole name go, quotes inside one stay
    (*Intervening "If" Clause*). The rest is one name, unless

    - a part between commas is quoted: *Banding, "Bands with Other"*;
    - all parts between commas are single words: *Y, Z*;
    - all parts between commas or slashes begin alike (three letters), so that they are forms of one
      word: *Life, Life Total*; *Phased In, Phased Out*; *Control/Controller*.

    So *Active Player, Nonactive Player Order*, *Play/Draw* and *Power/Toughness* are one name each. A heading
    that is only a state or quotes is its own name.

    >>> split_heading('Banding, "Bands with Other" (Obsolete)')
    Heading(names=('Banding', 'Bands with Other'), status='obsolete')
    """
    text = fold(straight(heading))
    state = _STATE.search(text)
    status = state[1].lower() if state else ""
    if state:
        text = text[: state.start()]
    names = [name for part in _parts(text) if (name := _unquoted(part))]
    return Heading(tuple(dict.fromkeys(names)) or (text or heading.strip(),), status)


def _parts(text: str) -> list[str]:
    parts = [
        part for match in _PART.finditer(_COMMA_IN_QUOTES.sub('", ', text)) if (part := match[0].strip())
    ]
    if len(parts) > 1 and (any(map(_is_quoted, parts)) or all(map(str.isalpha, parts)) or _alike(parts)):
        return parts
    if "/" in text and _alike(slashed := text.split("/")):
        return slashed
    return [text]


def _is_quoted(part: str) -> bool:
    return len(part) > 2 and part[0] == part[-1] == '"' and '"' not in part[1:-1]


def _alike(parts: list[str]) -> bool:
    openings = {part.strip(' "').lower()[:_LIKENESS] for part in parts}
    return len(openings) == 1 and all(len(opening) == _LIKENESS for opening in openings)


def _unquoted(name: str) -> str:
    name = name.strip()
    return (name[1:-1] if _is_quoted(name) else name).strip(" ,;:.")


_CLOSING = "”\"’')]"
_ENDS = re.compile(r"[.!?](?:[\"'”’)\]]*)(?=\s+[\"'“‘(\[{]*[A-Z0-9{])|\n")
"""Where a sentence may end: a mark, closing characters, and a possible beginning of the next sentence."""

_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|approx|incl|St|Dr|Mr|Mrs|Ms|Inc|Co)\.|(?:^\s*|[:;]\s)\(?\d{1,2}\.)$",
    re.IGNORECASE,
)
"""Words that end in a dot, and the numbers of list items."""

_NUMBERED = re.compile(r"\bNo\.$")

_OPENS_OR_CLOSES = re.compile(r"[\"“”()\n]")
_LONGEST_ASIDE = 600
"""Quotes and brackets that stay open longer than this are slips of the source."""


def ends_paragraph(text: str) -> bool:
    """Return whether `text` ends like a paragraph: with a full stop, a colon, a bracket or a quote."""
    return text.endswith((")", "]", "”", '"', "\ufffd")) or text.rstrip(_CLOSING + "\ufffd").endswith(
        (".", "!", "?", ":", "…")
    )


def ends_sentence(text: str) -> bool:
    """Return whether `text` ends with a stop, a question or an exclamation mark, and closing characters."""
    return text.rstrip(_CLOSING).endswith((".", "!", "?"))


@lru_cache(maxsize=1 << 14)
def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the sentences of `text`, in order, without the white space between them.

    A sentence does not end inside quotes or brackets that close again, after an abbreviation, or at the
    dot of a number.

    >>> [("A lamp (see 1.2) burns. It dims."[a:b]) for a, b in sentences("A lamp (see 1.2) burns. It dims.")]
    ['A lamp (see 1.2) burns.', 'It dims.']
    """
    return tuple(_spans(text))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    asides: list[tuple[int, int]] | None = None
    start = 0
    for match in _ENDS.finditer(text):
        if match[0] != "\n":
            mark = match.start()
            asides = _asides(text) if asides is None else asides
            if any(opened < mark and match.end() <= closed for opened, closed in asides):
                continue
            before = text[start : mark + 1]
            if _NO_END.search(before) or (_NUMBERED.search(before) and _next_is_digit(text, match.end())):
                continue
        yield from _stripped(text, start, match.end())
        start = match.end()
    yield from _stripped(text, start, len(text))


def _asides(text: str) -> list[tuple[int, int]]:
    """Return the spans inside quotes and brackets that open and close again: (after `"`, after `"`)."""
    asides: list[tuple[int, int]] = []
    quote = -1
    brackets: list[int] = []
    for match in _OPENS_OR_CLOSES.finditer(text):
        place, char = match.start(), match[0]
        if char == "\n":
            quote, brackets = -1, []
        elif char == "“" or (char == '"' and _opens_quote(text, place)):
            quote = place
        elif char in '"”':
            if quote >= 0:
                asides.append((quote, place))
                quote = -1
        elif char == "(":
            brackets.append(place)
        elif brackets:
            asides.append((brackets.pop(), place))
    return [(a, b) for a, b in asides if b - a <= _LONGEST_ASIDE]


def _opens_quote(text: str, place: int) -> bool:
    before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
    return (not before or before in " \t([—-/'") and after not in ("", " ")


def _next_is_digit(text: str, place: int) -> bool:
    return text[place:].lstrip()[:1].isdigit()


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    part = text[start:end]
    if part.strip():
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
