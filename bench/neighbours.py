"""Texts of rules that differ like neighbouring editions: in one paragraph of twenty, and in their numbers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from random import Random

CHANGED = 0.05
"""The share of the paragraphs that get other words, and of the chapters that lose a rule."""

_RULE = re.compile(r"(\d{3})\.(\d+)(?=[a-z]?[. ])")
_NUMBER = re.compile(r"\b(\d{3})\.(\d+)([a-z]?)\b")
_LONG = 60
"""The number of characters below which a line is a heading."""


def neighbour(text: str, seed: str) -> str:
    """Return the text of the next edition: paragraphs reworded, rules removed, later ones renumbered.

    The same seed gives the same text. References follow the numbers; those to a removed rule lead to its
    chapter. Editors correct them, too: left unchanged, they would pile up from edition to edition.

    >>> neighbour("100.1. A\\n100.2. B, see rule 100.2.", "0")
    '100.1. A\\n100.2. B, see rule 100.2.'
    """
    random = Random(seed)
    lines = text.split("\n")
    gone = dict(_left_out(lines, random))
    kept = []
    leaving = False
    for line in lines:
        rule = _RULE.match(line)
        if rule:
            leaving = gone.get(rule[1]) == int(rule[2])
        elif not line.strip():
            leaving = False
        if not leaving:
            changed = len(line) > _LONG and random.random() < CHANGED
            kept.append(
                _NUMBER.sub(lambda it: _moved(it, gone), _reworded(line, random) if changed else line)
            )
    return "\n".join(kept)


def _left_out(lines: list[str], random: Random) -> Iterator[tuple[str, int]]:
    """Yield (chapter, place) of the rules missing in the next edition: never a chapter's first."""
    places: dict[str, set[int]] = defaultdict(set)
    for line in lines:
        if rule := _RULE.match(line):
            places[rule[1]].add(int(rule[2]))
    for chapter, found in sorted(places.items()):
        if len(found) > 2 and random.random() < CHANGED:
            yield chapter, random.choice(sorted(found)[1:])


def _moved(number: re.Match[str], gone: dict[str, int]) -> str:
    """Return a number of a rule or a part of one in the next edition."""
    chapter, place = number[1], int(number[2])
    left_out = gone.get(chapter)
    if place == left_out:
        return chapter
    return f"{chapter}.{place - 1 if left_out and place > left_out else place}{number[3]}"


def _reworded(line: str, random: Random) -> str:
    """Return a line with two neighbouring words swapped, none of them a number."""
    words = line.split(" ")
    places = [at for at in range(2, len(words) - 2) if (words[at] + words[at + 1]).isalpha()]
    if places:
        at = random.choice(places)
        words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)
