"""Compare words with those of the rules: quoted beside a citation, or copied without quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...loaders.language.sentences import sentences
from .citations import Citation
from .rulebook import Nearest, Rulebook, above, pieces, word_count
from .topics import Topics

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


class Misquotation(NamedTuple):
    """Words that are not in a cited rule: a message, the rules with them, they, and the right wording."""

    message: str
    now: tuple[str, ...]
    quote: str
    wording: str


def misquoted(
    book: Rulebook, topics: Topics | None, citation: Citation, beside: Sequence[Citation]
) -> Misquotation | None:
    """Return the first words quoted at a citation that are not in its rules, nor in one cited `beside` it."""
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
        having = (other.number,) if other else having
        near = book.nearest(quote, having or _family(book, citation.numbers))
        wording = near.wording if near.score >= _LIKE else ""
        return Misquotation(f"these words are not in {_called(citation)}", having[:5], quote, wording)
    return None


def copied(
    book: Rulebook, topics: Topics, citation: Citation, beside: Sequence[Citation]
) -> Misquotation | None:
    """Return the words at a citation, without quotation marks, that are nearly word for word in another rule.

    A rule that cites this one, or that is cited `beside` it, may be the copied one.
    """
    numbers = [*citation.numbers, *(number for it in beside for number in it.numbers)]
    for text in _said_by(citation):
        if len(text.split()) < _FEWEST_COPIED:
            if book.nearest(text, citation.numbers).score >= _COPIED:
                return None
            continue
        other = _other(book, topics, numbers, text, _COPIED_WORDS)
        if other and not any(
            it in words for words in book.items[other.number].texts for it in citation.numbers
        ):
            message = f"these are the words of {other.number}, not of {_called(citation)}"
            return Misquotation(message, (other.number,), text, other.wording)
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
) -> Nearest | None:
    """Return the text of another rule that nearly equals a text, if no text of some numbers does."""
    own = _family(book, numbers)
    other = book.nearest(text, [it for it in topics.like(text, share) if it not in own])
    if other.score < _COPIED or other.score < book.nearest(text, own).score + _CLEARLY:
        return None
    return other


def _family(book: Rulebook, numbers: Iterable[str]) -> set[str]:
    return {it for number in numbers for it in book.family(number)}


def _called(citation: Citation) -> str:
    return ", ".join(citation.numbers[:2])
