"""The beginning of a line of the rules becomes a number, its level, and the slips in how it is printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import ascii_lowercase

_HEAD = re.compile(
    r"""
    (?P<chapter>\d{3})(?!\d)
    (?:
        (?P<before>\s?)\.(?P<after>\s?)                     # 606.8b, 606. 8b
        (?:
            (?P<rule>\d{1,3})(?!\d)
            (?:
                (?P<letter>[a-z](?![a-z’'])                 # 704.5a
                    | [a-z]{2}(?=\.?\s*(?:[^a-z\s]|$)))      # 704.5aa
              | (?P<apart>\s|\.\s?)(?P<letter2>[a-z])(?=\.?\s+[“"‘'(\[{A-Z])   # 704.5 a, 704.5.a
            )?
          | (?P<letter3>[a-z]{1,2})(?=\.?\s)                # 408.f
        )?
    )?
    """,
    re.VERBOSE,
)
_NOT_A_HEAD = re.compile(r"\.?[,;:)\]–—/”\"’'-]|\.\d")
_END_OF_SENTENCE = re.compile(r"[.!?:…][”\"’')\]\ufffd]*$|[)\]”\"]$|\ufffd$")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_SMALL_IN_TITLES = frozenset(
    "a an and as at but by for from in into nor of on onto or over than the to vs with".split()
)
LETTERS = tuple(letter for letter in ascii_lowercase if letter not in "lo")
"""The letters of subrules; l and o look like figures and are skipped."""


@dataclass(frozen=True, slots=True)
class Head:
    """A number at the start of a line, and what follows it.

    `number` is canonical (``606.8b``); for a subrule that has lost its figure (``408.f``) it is not known
    yet and `lost` is true. `printed` is the number as it stands, without a dot at its end; `level` is
    ``"chapter"``, ``"rule"`` or ``"subrule"``; `slips` are codes of problems.
    """

    number: str
    level: str
    printed: str
    rest: str
    slips: tuple[str, ...] = ()
    lost: bool = False

    @property
    def chapter(self) -> str:
        """The chapter that the number lies in: the first three figures."""
        return self.number[:3]


def read_head(text: str) -> Head | None:
    """Return the number that `text` (white space folded) begins with, or None.

    A number followed by a comma, a bracket or a dash is one in the middle of a sentence, and none is
    returned; whether a number after a line break is one has to be judged by what stands before.

    >>> read_head("606. 8b The lamp goes out.").number, read_head("901.4.All lamps glow.").slips
    ('606.8b', ('missing-space',))
    """
    match = _HEAD.match(text)
    if not match:
        return None
    chapter, rule = match["chapter"], match["rule"]
    letter = match["letter"] or match["letter2"] or match["letter3"] or ""
    tail = text[match.end() :]
    if not rule and not letter:
        return _chapter(chapter, match["after"] is not None, tail, text)
    if _NOT_A_HEAD.match(tail):
        return None
    slips = ["extra-space"] if match["before"] or match["after"] else []
    if match["letter2"]:
        slips.append("extra-dot" if "." in match["apart"] else "extra-space")
    lost = bool(match["letter3"])
    if lost:
        slips.append("lost-digit")
    dotted = tail.startswith(".")
    rest = tail[1:] if dotted else tail
    if letter and dotted:
        slips.append("extra-dot")
    elif not letter and not dotted:
        slips.append("missing-dot")
    if rest and not rest.startswith(" "):
        slips.append("missing-space")
    number = f"{chapter}.{rule or ''}{letter}"
    level = "subrule" if letter else "rule"
    return Head(number, level, match[0], rest.strip(), tuple(dict.fromkeys(slips)), lost)


def _chapter(chapter: str, dotted: bool, tail: str, text: str) -> Head | None:
    if dotted:
        rest = tail.lstrip(". ")
        spaced = text[3:5] in (". ", ".")
        if rest and not (rest[0].isupper() or rest[0] in "“\"'‘([{_"):
            return None
        return Head(chapter, "chapter", chapter, rest, () if spaced else ("missing-space",))
    if tail.startswith(" ") and tail[1:2].isupper() and is_title(tail.strip()):
        return Head(chapter, "chapter", chapter, tail.strip(), ("missing-dot",))
    return None


def ends_sentence(text: str) -> bool:
    """Tell whether `text` ends as a paragraph does: with a stop, a colon, a bracket or a quote."""
    return bool(_END_OF_SENTENCE.search(text))


def is_title(text: str) -> bool:
    """Tell a title (*Continuous Effects from Static Abilities*) from a sentence.

    A title is short, does not end in a stop, and begins nearly all its words but articles and prepositions
    with capitals.

    >>> is_title("Start Your Engines!"), is_title("There is no largest bell"), is_title("Phasing")
    (True, False, True)
    """
    if len(text) > 80 or text.endswith((".", ":", ";", ",", "?")) or not text:
        return False
    words = [word for word in _WORD.findall(text) if word not in _SMALL_IN_TITLES]
    small = sum(word[0].islower() for word in words)
    return bool(small * 4 <= len(words))


def successors(number: str) -> tuple[str, ...]:
    """Return the numbers that may stand next: a first part, the next at its level, the next above.

    >>> successors("704.5k")
    ('704.5m', '704.6', '705', '800')
    """
    chapter, _, rest = number.partition(".")
    above = (str(int(chapter) + 1), f"{int(chapter[0]) + 1}00")
    if not rest:
        return (f"{chapter}.1", *above)
    figures = rest.rstrip(ascii_lowercase)
    letters = rest[len(figures) :]
    following = f"{chapter}.{int(figures or 0) + 1}"
    if not letters:
        return (f"{number}a", following, *above)
    return (*(f"{chapter}.{figures}{n}" for n in next_letters(letters)), following, *above)


def next_letters(letters: str) -> tuple[str, ...]:
    """Return the letters that may follow: ``m`` after ``k``; ``aa`` after ``z``; both after ``aa``."""
    if letters == "z":
        return ("aa",)
    if len(letters) == 1:
        return (LETTERS[LETTERS.index(letters) + 1] if letters in LETTERS else chr(ord(letters) + 1),)
    one, two = letters[0], letters[1]
    places = [LETTERS.index(two) + 1] if two in LETTERS and two != "z" else []
    doubled = [LETTERS.index(one) + 1] if one == two and one in LETTERS and one != "z" else []
    return (*(one + LETTERS[p] for p in places), *(LETTERS[p] * 2 for p in doubled))


def order(number: str) -> tuple[int, int, int, str]:
    """Return the key that sorts numbers as they stand: 704.5z before 704.5aa before 704.10."""
    chapter, _, rest = number.partition(".")
    figures = rest.rstrip(ascii_lowercase)
    letters = rest[len(figures) :]
    return int(chapter), int(figures or 0), len(letters), letters


def parent(number: str) -> str:
    """Return the number one level up: ``420.5`` of ``420.5a``, ``420`` of that, ``4`` of that."""
    chapter, _, rest = number.partition(".")
    if not rest:
        return number[0]
    figures = rest.rstrip(ascii_lowercase)
    return f"{chapter}.{figures}" if figures and figures != rest else chapter
