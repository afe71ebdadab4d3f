"""Compare words quoted from a glossary entry with the entry, and with the rules that it leads to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .blocks import TextBlock
from .findings import STANDS, UNREAD, Finding
from .json_texts import FILL, QUOTE_KEY, objects
from .nearness import FEWEST_WORDS
from .quotations import QUOTED
from .rulebook import Rulebook, pieces, title_key, word_count
from .wordings import ALMOST, SHORT, UNLIKE

_GLOSSARY = re.compile(r"\bglossary\b", re.IGNORECASE)
_DEFINES = re.compile(r"\bdefin(?:es?|ed|itions?)\b", re.IGNORECASE)
_BEFORE, _BEHIND = 120, 60
"""How many characters before and behind a quotation are searched for the name of its source."""

_SENTENCE = re.compile(r"(?<=\w\w\w)[.!?:]\s")
_CITES = re.compile(r"\d{3}")
_BEFORE_GLOSSARY = re.compile(
    r"[\s.,]*(?:[-–—(\[]|,? (?:is|says|in|from|per|according to)\b)[^.!?“\"]{0,30}?$"
)
"""Matches what is between a quotation and the name of the glossary: *(from the glossary)*."""

_WORD = re.compile(r"[\w'’-]+")
_LIKE = 60
"""How similar words must be to an entry, in percent, to be meant as a quotation from it."""

_MOST = 5
"""The maximum number of words in the title of an entry that is looked for."""

_TITLE_KEY = re.compile(
    r"\"(?:term|entry|glossary|keyword|concept|name|title|iri|source)\w*\"", re.IGNORECASE
)
_QUOTES = re.compile(r"quot|verbatim|excerpt", re.IGNORECASE)
GLOSSARY = "glossary "
"""What is written before a title that replaces the IRI of an entry."""


class EntryQuotation(NamedTuple):
    """Words quoted from the entries with some titles, or from any entry, and where they are in the text.

    They are not `sure` to be a quotation if a text only says that they define something.
    """

    span: tuple[int, int]
    words: str
    titles: tuple[str, ...]
    sure: bool = True

    @property
    def name(self) -> str:
        """The titles in words."""
        return " or ".join(self.titles)


def entry_quotations(book: Rulebook, text: str, blocks: Iterable[TextBlock]) -> Iterator[EntryQuotation]:
    """Yield the words that a text quotes from the glossary: in prose, and in objects of JSON."""
    if not (_GLOSSARY.search(text) or _DEFINES.search(text) or text.lstrip().startswith(("{", "["))):
        return  # most texts; reading the titles takes a third of the time of a short one
    titles = {title_key(part): it for it in book.entries for part in (*it.split(", "), it)}
    for strings in objects(text) if titles else ():
        called = [
            it.text.replace(FILL, "").removeprefix(GLOSSARY) for it in strings if _TITLE_KEY.fullmatch(it.key)
        ]
        own = tuple(titles[it] for it in map(title_key, called) if it in titles)
        for it in strings if own else ():
            if QUOTE_KEY.search(it.key) or _DEFINES.search(it.key):
                yield EntryQuotation((it.start, it.end), it.text, own, bool(_QUOTES.search(it.key)))
    for block in blocks if titles else ():
        for match in QUOTED.finditer(block.text):
            words = match[match.lastgroup or 0]
            if len(words.split()) < FEWEST_WORDS:
                continue
            around, sure = _around(block.text, match)
            own = tuple(_named(around, titles))
            if (sure or own) and not _CITES.search(around):
                yield EntryQuotation(block.span(*match.span()), words, own, sure)


def _around(text: str, match: re.Match[str]) -> tuple[str, bool]:
    """Return the words around a quotation that name its source, and whether that is the glossary."""
    ahead = _SENTENCE.split(text[max(0, match.start() - _BEFORE) : match.start()].rstrip(' :,“"'))[-1]
    behind = text[match.end() : match.end() + _BEHIND]
    name = _GLOSSARY.search(behind)
    if _GLOSSARY.search(ahead):
        return ahead, True
    if name and _BEFORE_GLOSSARY.match(behind[: name.start()]):
        return _SENTENCE.split(behind)[0], True
    return (ahead, False) if _DEFINES.search(ahead) else ("", False)


def _named(text: str, titles: dict[str, str]) -> Iterator[str]:
    """Yield the longest titles in a text, from left to right."""
    words, at = [*_WORD.finditer(text)], 0
    while at < len(words):
        ends = range(min(len(words), at + _MOST), at, -1)
        key = ((title_key(text[words[at].start() : words[end - 1].end()]), end) for end in ends)
        title, at = next(((titles[it], end) for it, end in key if it in titles), ("", at + 1))
        if title and title != "Glossary":
            yield title


def misquoted_entry(book: Rulebook, quote: EntryQuotation) -> Finding:
    """Report words that are neither in the entries named beside them, nor in the rules of these."""
    parts, keys = pieces(quote.words), {*map(title_key, quote.titles)}
    own = [it for it in book.entries if not keys or title_key(it) in keys]
    numbers = {rule for name, rule in book.names_of_terms if title_key(name) in keys}
    if book.entry_with(parts, own) or any(book.where(it, parts) for it in numbers):
        return Finding(STANDS)
    if word_count(parts) < FEWEST_WORDS:
        return Finding(UNREAD, SHORT, quote=quote.words)
    near = [*own, *(part for it in numbers for part in book.family(it))]
    likeness, _, wording = book.nearest(quote.words, near)
    having, other = book.anywhere(parts)[:5], book.entry_with(parts)
    if not (having or other) and likeness < (_LIKE if quote.sure else ALMOST):
        return Finding(UNREAD, UNLIKE, quote=quote.words)
    called = f"“{quote.name}”" if quote.titles else "any entry"
    message = f"these words are not in {called} of the glossary"
    message += f"; they are in “{other}”" if other else ""
    return Finding("words", message, having, quote.words, wording=wording)
