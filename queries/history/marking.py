"""Mark the words in which two texts differ, and read the marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import cycle

from ...loaders.language.words import wording

_MARK = re.compile(r"\[-(.*?)-\]|\{\+(.*?)\+\}", re.DOTALL)


def marked(before: str, after: str) -> str:
    """Return the later words with the difference marked, word by word.

    >>> marked("Take three moths.", "Take four moths.")
    'Take [-three-] {+four+} moths.'
    """
    if not before or not after:
        return after or before
    framed = {"same": "{}", "gone": "[-{}-]", "come": "{{+{}+}}"}
    return " ".join(framed[what].format(words) for what, words in compared(before, after))


def stretches_of(words: str) -> list[tuple[str, str]]:
    """Return marked words as the runs of words that `compared` gives.

    >>> stretches_of("Take [-three-] {+four+} moths.")
    [('same', 'Take'), ('gone', 'three'), ('come', 'four'), ('same', 'moths.')]
    """
    cut = zip(cycle(("same", "gone", "come")), _MARK.split(words), strict=False)
    return [(what, text.strip()) for what, text in cut if text and text.strip()]


def compared(before: str, after: str) -> list[tuple[str, str]]:
    """Return the words of two texts in order, as runs with their change.

    The change is ``"same"``, ``"gone"`` or ``"come"``. References to other numbers count as different words,
    other quotes and dashes do not. Words are returned as printed; those in both, as in the later text.

    >>> compared("Take three 'moths'.", "Take four ‘moths’.")
    [('same', 'Take'), ('gone', 'three'), ('come', 'four'), ('same', '‘moths’.')]
    """
    a, b = wording(before).split(), wording(after).split()
    former, later = _printed(before, a), _printed(after, b)
    out: list[tuple[str, str]] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        same = [("same", " ".join(later[j1:j2]))]
        both = ("gone", " ".join(former[i1:i2])), ("come", " ".join(later[j1:j2]))
        out += same if tag == "equal" else [it for it in both if it[1]]
    return out


def _printed(text: str, words: Sequence[str]) -> Sequence[str]:
    """Return the `words` of a text as printed, each with marks after it that are not compared: (c)."""
    printed: list[str] = []
    for word in text.split():
        alone = printed and not wording(word)
        printed.append(f"{printed.pop()} {word}" if alone else word)
    return printed if len(printed) == len(words) else words
