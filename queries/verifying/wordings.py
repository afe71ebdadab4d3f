"""Quoted words are held against those of a rule: as a whole, or piece by piece where some were left out."""

from __future__ import annotations

import re

from ...loaders.language.words import wording

_ELISION = re.compile(r"\[[^\[\]]{0,60}\]|\.{3,}|(?:\. ){2,}\.")
_QUOTES = str.maketrans({'"': "'", "«": "'", "»": "'"})
_EDGE = " .,;:!?'()[]*-"


def folded(text: str) -> str:
    """Return what two copies of the same words share, whatever their case, quotes, dashes and emphasis.

    >>> folded("A “lit”  Lantern")
    "a 'lit' lantern"
    """
    return wording(text.replace("«", '"').replace("»", '"')).translate(_QUOTES).casefold()


def pieces(quote: str) -> tuple[str, ...]:
    """Return the pieces of a quotation, folded: it is cut where words were left out or put in brackets.

    >>> pieces("The keeper … may light [one] lantern.")
    ('the keeper', 'may light', 'lantern')
    """
    parts = (part.strip(_EDGE) for part in _ELISION.split(folded(quote)))
    return tuple(part for part in parts if part)


def holds(text: str, parts: tuple[str, ...]) -> bool:
    """Tell whether a folded text holds the pieces of a quotation, whole words, in their order.

    >>> holds("the older keeper may light a lantern", ("keeper", "light a lantern"))
    True
    >>> holds("the older keeper may light a lantern", ("keep",))
    False
    """
    place = 0
    for part in parts:
        found = _whole(text, part, place)
        if found < 0:
            return False
        place = found + len(part)
    return True


def _whole(text: str, part: str, place: int) -> int:
    """Return where `part` stands next in `text` as whole words, or -1."""
    while (found := text.find(part, place)) >= 0:
        end = found + len(part)
        begins = found == 0 or not (text[found - 1].isalnum() and part[0].isalnum())
        ends = end == len(text) or not (text[end].isalnum() and part[-1].isalnum())
        if begins and ends:
            return found
        place = found + 1
    return -1


def word_count(parts: tuple[str, ...]) -> int:
    """Return how many words the pieces of a quotation have."""
    return sum(len(part.split()) for part in parts)
