"""Read the numbers of rules: find them in a text, complete and order them, and expand ranges of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

LONGEST_RANGE = 60
"""A range of more numbers than this is a slip: only its ends are kept."""

# Not `string.ascii_lowercase`: importing `string` takes as long as parsing a rule number a thousand times.
ALPHABET = "abcdefghijklmnopqrstuvwxyz"

_NUMBER = re.compile(r"(\d{3})(?:\.\s?(\d{1,3})([a-z]{1,2})?)?")
_TAIL = re.compile(r"(\d{1,3})?([a-z]{1,2})?")
_GIVEN = (
    r"(?i)(?:the\s+)?(?:(?:comp(?:rehensive)?|cr|rulings?)\s+)?(?:(?:rules?|sections?|chapters?|entry|paragraph|cr|§)\s*)?"
    r"(?:(?:number|no\.?)\s*(?=\d+\.\d))?"
    r"(\d{1,3}(?:\.\d+(?:[a-z]{1,2}| [a-z]|\([a-z]{1,2}\))?)?|"
    r"[a-z]{1,2}\d+(?:\.\d+[a-z]?)?(?:\.ruling\.\d+)?)\.?"
)
"""A number as people type it, with or without a word such as *rule* before it."""

_CITED = (
    r"(?i)(?<![\w.])(?:(?:comp(?:rehensive)?|cr|rulings?)\s+)?"
    r"(?:(?P<named>(?:rules?|sections?|chapters?|entry|entries|paragraph|cr)\s*#?\s*)?"
    r"(?P<number>\d{3}\.\d+[a-z]{0,2}|(?-i:[A-Z])\d{1,2}\.\d+[a-z]?(?:\.ruling\.\d+)?)"
    r"|(?:rules?|sections?|chapters?|entry|cr)\s*#?\s*(?P<plain>\d{1,3}|(?-i:[A-Z])\d{1,2}))"
    r"(?![\w/]|\.\d)"
)
"""A number in a text. It is compiled when a text is read: a question asked by name reads none."""

_UNUSED = frozenset("lo")
"""Letters that subrules skip, because they look like figures."""

LETTERS = tuple(letter for letter in ALPHABET if letter not in _UNUSED)
"""The letters of subrules."""


def canonical(printed: str) -> str:
    """Return a rule number without slips: no final dot, no space inside (``606. 8b`` is 606.8b)."""
    return re.sub(r"\s+", "", printed).rstrip(".")


def completed(tail: str, before: str) -> str:
    """Return the whole number of an item that leaves out the part shared with the number `before` it.

    >>> completed("h", "409.1f"), completed("5", "613.4"), completed("1f", "409.1b")
    ('409.1h', '613.5', '409.1f')

    A chapter with just a letter lacks the rule between them: ``409f`` after 409.1b is 409.1f. A tail that
    cannot be completed, because `before` is a chapter, is returned as it is.
    """
    match = _NUMBER.fullmatch(before)
    short = _TAIL.fullmatch(tail)
    if not match or not match[2] or not short:
        return canonical(tail)
    chapter, rule, _ = match.groups()
    figures, letters = short[1], short[2] or ""
    if not figures or (figures == chapter and letters):
        figures = rule
    return f"{chapter}.{figures}{letters}"


def open_range(first: str, last: str) -> tuple[str, ...]:
    """Return the numbers from `first` to `last`, both included, in order.

    Letters skip l and o (unless an end is one), and continue with two after z. Ends of different levels, in
    different chapters or rules, in the wrong order, or too far apart (`LONGEST_RANGE`) yield only themselves.

    >>> open_range("212.2k", "212.2n"), open_range("306", "308")
    (('212.2k', '212.2m', '212.2n'), ('306', '307', '308'))
    """
    low, high = _NUMBER.fullmatch(first), _NUMBER.fullmatch(last)
    numbers: list[str] = []
    if low and high:
        (chapter, rule, letters), (chapter_2, rule_2, letters_2) = low.groups(), high.groups()
        if letters and letters_2 and (chapter, rule) == (chapter_2, rule_2):
            numbers = [f"{chapter}.{rule}{between}" for between in _letters(letters, letters_2)]
        elif rule and rule_2 and not letters and not letters_2 and chapter == chapter_2:
            numbers = [f"{chapter}.{n}" for n in range(int(rule), int(rule_2) + 1)]
        elif not rule and not rule_2:
            numbers = [str(n) for n in range(int(chapter), int(chapter_2) + 1)]
    if not 0 < len(numbers) <= LONGEST_RANGE:
        numbers = list(dict.fromkeys((first, last)))
    return tuple(numbers)


_SUBLETTERS = (*ALPHABET, *map("".join, product(ALPHABET, repeat=2)))
_PLACES = {letters: place for place, letters in enumerate(_SUBLETTERS)}


def _letters(first: str, last: str) -> list[str]:
    between = _SUBLETTERS[_PLACES[first] : _PLACES[last] + 1]
    return [one for one in between if one in (first, last) or _UNUSED.isdisjoint(one)]


def successors(number: str) -> tuple[str, ...]:
    """Return the numbers that may come next: its first part, the next at its level, the next above.

    >>> successors("704.5k")
    ('704.5m', '704.6', '705', '800')
    """
    chapter, figures, letters = _split(number)
    above = (str(int(chapter) + 1), f"{int(chapter[0]) + 1}00")
    following = f"{chapter}.{int(figures or 0) + 1}"
    if not figures and not letters:
        return (following, *above)
    if not letters:
        return (f"{number}a", following, *above)
    return (*(f"{chapter}.{figures}{n}" for n in next_letters(letters)), following, *above)


def preceding(number: str, most: int) -> tuple[str, ...]:
    """Return up to this many numbers before one, at its level, the nearest first; none for the first one.

    >>> preceding("704.5m", 2), preceding("704.2", 3), preceding("704.5a", 3)
    (('704.5k', '704.5j'), ('704.1',), ())
    """
    chapter, figures, letters = _split(number)
    if letters:
        used = [it for it in _SUBLETTERS if _UNUSED.isdisjoint(it)]
        place = used.index(letters) if letters in used else 0
        return tuple(f"{chapter}.{figures}{it}" for it in reversed(used[max(0, place - most) : place]))
    place = int(figures or chapter)
    return tuple(
        f"{chapter}.{it}" if figures else f"{it}" for it in range(place - 1, max(0, place - 1 - most), -1)
    )


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


_MOST_FIGURES = 9
"""No rule has a number with more figures, but an address may."""


def order(number: str) -> tuple[int, int, int, str]:
    """Return the key that sorts numbers in printed order: 704.5z before 704.5aa before 704.10."""
    chapter, figures, letters = _split(number)
    return int(chapter), int(figures[:_MOST_FIGURES] or 0), len(letters), letters


def _split(number: str) -> tuple[str, str, str]:
    """Return the chapter of a number, its figures after the dot, and its letters."""
    chapter, _, rest = number.partition(".")
    figures = rest.rstrip(ALPHABET)
    return chapter, figures, rest[len(figures) :]


def parent(number: str) -> str:
    """Return the number one level up: the rule of a subrule, the chapter of a rule, the section of a chapter.

    A subrule that has lost its figure has its chapter as parent.

    >>> [parent(number) for number in ("420.5a", "420.5", "420", "408.f")]
    ['420.5', '420', '4', '408']
    """
    chapter, figures, letters = _split(number)
    if not figures and not letters:
        return number[0]
    return f"{chapter}.{figures}" if figures and letters else chapter


def wholes(number: str) -> tuple[str, ...]:
    """Return a number, and the numbers above it up to its chapter.

    >>> wholes("702.19c")
    ('702.19c', '702.19', '702')
    """
    found = [number]
    while "." in found[-1]:
        found.append(parent(found[-1]))
    return tuple(found)


def level(number: str) -> str:
    """Return ``"chapter"``, ``"rule"`` or ``"subrule"`` by the shape of a rule number.

    >>> [level(number) for number in ("420", "420.5", "420.5a", "408.f")]
    ['chapter', 'rule', 'subrule', 'subrule']
    """
    if "." not in number:
        return "chapter"
    return "subrule" if number[-1].isalpha() else "rule"


def number_in(text: str) -> str:
    """Return the number in `text`, or ``""``.

    >>> [number_in(x) for x in ("the rule no. 420.5 A", "420.5(a)", "§G16.26", "Section 4", "704.", "7.2 of")]
    ['420.5a', '420.5a', 'G16.26', '4', '704', '']
    """
    match = re.fullmatch(_GIVEN, text.strip()) if any(map(str.isdigit, text)) else None
    if not match:
        return ""
    number = match[1]
    if number[0].isdigit():
        return canonical(re.sub(r"[()]", "", number.lower()))
    head, dot, tail = number.partition(".")
    return head.upper() + dot + tail.lower().replace("ruling", "Ruling")


class Number(NamedTuple):
    """A number of a rule, section or entry: ``text[start:end]`` has it, with the word *rule* before it."""

    number: str
    start: int
    end: int


def numbers(text: str) -> Iterator[Number]:
    """Yield the numbers of rules in a text: with a point, or after a word that says what they are.

    >>> [it.number for it in numbers("Do CR704.5K, rule 100 and 702.19c hold on turn 100 of G5.3a?")]
    ['704.5k', '100', '702.19c', 'G5.3a']
    """
    for match in re.finditer(_CITED, text):
        yield Number(number_in(match["number"] or match["plain"]), match.start(), match.end())
