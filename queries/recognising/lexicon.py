"""Names become a tree of words, in which the longest name that stands at a place of a text is found."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from ...loaders.language.everyday import set_phrases
from ...loaders.language.forms import other_forms
from ...loaders.language.names import singular
from .tokens import Word, tokens

_WIDEST = 3
"""How many words at most are written for one: *death touch*."""

_CLOSED = 6
"""How many letters a name has at least that is found however its words are joined."""

_BETWEEN = re.compile(r"[^a-z0-9\n]+")


class How(StrEnum):
    """How a text names a thing, the surest first; the words are what people are told."""

    EXACT = "by name"
    FORM = "by a form of its name"
    NUMBER = "by number"
    DATE = "by date"
    OLD = "by a name of other times"
    PLAYERS = "in players' words"
    MISSPELT = "misspelled"


class Meaning(NamedTuple):
    """One thing that a name stands for, by its IRI.

    `note` tells how players use the word, `bent` counts the words that have another form in the name.
    """

    iri: str
    how: How
    note: str = ""
    bent: int = 0


class NameMatch(NamedTuple):
    """What the words from one place to before `end` may mean: nothing, where they are an everyday phrase."""

    end: int
    meanings: tuple[Meaning, ...]


class _Node:
    __slots__ = ("meanings", "next")

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.meanings: tuple[Meaning, ...] | None = None


class Lexicon:
    """Finds names in texts; a name is taken in when a text has a word that it begins with."""

    def __init__(self, names: Mapping[str, Sequence[Meaning]]) -> None:
        """Take each name with what it stands for."""
        self._names = {whole: meanings for name, meanings in names.items() if (whole := _whole(name))}
        self._root = _Node()
        self._waiting: dict[str, list[tuple[str, Sequence[Meaning]]]] = defaultdict(list)
        for name in set_phrases():
            self._waiting[name.partition(" ")[0]].append((name, ()))
        for name, meanings in self._names.items():
            first = next(tokens(name), None)
            if first:
                self._waiting[first.key].append((name, meanings))

    @cached_property
    def words(self) -> frozenset[str]:
        """All words that names are made of."""
        return frozenset(_BETWEEN.sub(" ", "\n".join(self._names).lower()).split())

    @cached_property
    def _closed(self) -> dict[str, Sequence[Meaning]]:
        """The names without what parts their words."""
        joined = _BETWEEN.sub("", "\n".join(name.lower() for name in self._names)).split("\n")
        pairs = zip(joined, self._names.values(), strict=True)
        return {name: own for name, own in pairs if len(name) >= _CLOSED}

    def knows(self, key: str) -> bool:
        """Tell whether a word, in any form, is one of those that names are made of."""
        return key in self.words or not self.words.isdisjoint(other_forms(key))

    def at(self, words: Sequence[Word], place: int) -> NameMatch | None:
        """Return the longest name or phrase that begins at `place`, with all that it may mean."""
        for form in (words[place].key, *other_forms(words[place].key)):
            for name, meanings in self._waiting.pop(form, ()):
                self._put(name, meanings)
        found = [*self._walk(self._root, words, place, 0), *self._joined(words, place)]
        end = max((match.end for match in found), default=0)
        longest = [meaning for match in found if match.end == end for meaning in match.meanings]
        return NameMatch(end, tuple(dict.fromkeys(longest))) if found else None

    def _put(self, name: str, meanings: Iterable[Meaning]) -> None:
        node = self._root
        for token in tokens(name):
            node = node.next.setdefault(token.key, _Node())
        node.meanings = (*(node.meanings or ()), *meanings)

    def _walk(self, node: _Node, words: Sequence[Word], place: int, bent: int) -> Iterator[NameMatch]:
        if node.meanings is not None:
            yield NameMatch(place, tuple(meaning._replace(bent=bent) for meaning in node.meanings))
        if place == len(words) or not node.next:
            return
        key = words[place].key
        if key in node.next:
            yield from self._walk(node.next[key], words, place + 1, bent)
        forms = [form for form in other_forms(key) if form in node.next]
        one = singular(key)
        # What names a thing in another number names nobody who does it: players are no form of *play*.
        if one in forms and any(it.how is How.EXACT for it in node.next[one].meanings or ()):
            forms = [one]
        for form in forms:
            yield from self._walk(node.next[form], words, place + 1, bent + 1)

    def _joined(self, words: Sequence[Word], place: int) -> Iterator[NameMatch]:
        """Yield names whose words are joined or parted otherwise: *death touch*, *firststrike*."""
        joined = ""
        for end in range(place + 1, min(place + _WIDEST, len(words)) + 1):
            joined += words[end - 1].key
            for key in (joined, joined.removesuffix("s"), f"{joined}s"):
                if key in self._closed:
                    yield NameMatch(end, tuple(it._replace(bent=1) for it in self._closed[key]))
                    break


def _whole(name: str) -> str:
    """Return a name without its template: *Partner with [name]* is *Partner with*, *Partner—[text]* none."""
    opening, bracket, _ = name.partition("[")
    if not bracket:
        return name
    opening = opening.strip(" —–-")
    return opening if " " in opening else ""
