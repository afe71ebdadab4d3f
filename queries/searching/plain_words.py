"""Words that people say become those that the rules say in their place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ...loaders.indexing.stemming import stems
from ...ontology.resources import packaged


class PlainWord(NamedTuple):
    """What people say, as stems, and what the rules say: stem → word."""

    said: tuple[str, ...]
    instead: Mapping[str, str]


def words_of_the_rules(said: Sequence[str]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return what the rules say where people say something of `said`, the stems of a text in order.

    The answer is stem → the word, and the stems for which it stands; what stands in the text itself is
    left out.
    """
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for place, first in enumerate(said):
        for known in _by_first_word().get(first, ()):
            if tuple(said[place : place + len(known.said)]) == known.said:
                for stem, word in known.instead.items():
                    before = found.get(stem, (word, ()))[1]
                    found[stem] = word, (*before, *known.said)
    return {stem: instead for stem, instead in found.items() if stem not in said}


def plain_words() -> Iterator[tuple[list[str], list[str]]]:
    """Yield what people say and what the rules say, each as words, in the order of the file."""
    for line in packaged(__package__, "plain_words.txt").decode("utf-8").splitlines():
        if line and not line.startswith("#"):
            said, _, instead = line.partition(":")
            for one in said.split(","):
                yield one.split(), instead.split()


@cache
def _by_first_word() -> dict[str, list[PlainWord]]:
    every = list(plain_words())
    stem_of = stems(word for said, instead in every for word in (*said, *instead))
    found: dict[str, list[PlainWord]] = defaultdict(list)
    for said, instead in every:
        own = tuple(stem_of[word] for word in said)
        found[own[0]].append(PlainWord(own, {stem_of[word]: word for word in instead}))
    return found
