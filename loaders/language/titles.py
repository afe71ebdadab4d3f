"""Titles and headings are told from sentences by their capitals, their length and their end."""

from __future__ import annotations

from .everyday import SMALL

_LONGEST = 80
"""How many characters a title may have."""

_FEW = 0.25
"""The share of words that a title may write small."""

_AROUND = "\"'“”‘’()[],;:."


def small_share(text: str) -> float:
    """Return the share of words that begin with a small letter, articles and prepositions aside.

    It is 0 for a title, and near 1 for a sentence. A text without words has 1.

    >>> small_share("Walk of the Lamps"), small_share("the lamp goes out")
    (0.0, 1.0)
    """
    words = [word for word in text.split() if word.strip(_AROUND) not in SMALL]
    small = sum(word.lstrip(_AROUND)[:1].islower() for word in words)
    return small / len(words) if words else float(not text.split())


def is_title(text: str) -> bool:
    """Tell a title (*Continuous Effects from Static Abilities*) from a sentence.

    A title is short, does not end in a stop, and begins nearly all its words but articles and prepositions
    with capitals.

    >>> is_title("Start Your Engines!"), is_title("There is no largest bell"), is_title("Phasing")
    (True, False, True)
    """
    if len(text) > _LONGEST or text.endswith((".", ":", ";", ",", "?")) or not text:
        return False
    return small_share(text) <= _FEW
