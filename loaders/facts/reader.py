"""Patterns are run over the sentences of an edition: cues say which may match, and what did is remembered."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import ahocorasick  # type: ignore[import-not-found]

from ..language.sentences import sentences
from ..language.words import straight
from ..linking.edition import Unit
from .context import Context, Pattern, Sentence, Where
from .statements import Statement

_OPENING = 2
"""How many sentences of a unit are its opening."""


class MatchedSentence(NamedTuple):
    """A sentence that patterns match: its place and span in its text, the span before it, the matches."""

    place: int
    span: tuple[int, int]
    before: tuple[int, int]
    matches: tuple[tuple[Pattern, tuple[re.Match[str], ...]], ...]


class Reader:
    """Runs patterns over sentences; which ones may match is decided by their cues first.

    What matches depends on the words alone, so it is remembered by them: most texts stand in many editions.
    """

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._patterns = sorted(patterns, key=lambda pattern: pattern.where.value)
        self._without_cue = {place for place, pattern in enumerate(self._patterns) if not pattern.cues}
        holders: dict[str, set[int]] = defaultdict(set)
        for place, pattern in enumerate(self._patterns):
            for cue in pattern.cues:
                holders[cue].add(place)
        self._cues = ahocorasick.Automaton()
        for cue, places in holders.items():
            self._cues.add_word(cue, places)
        self._cues.make_automaton()
        self._found = lru_cache(maxsize=1 << 13)(self._find)

    def read(
        self, context: Context, units: Iterable[Unit] | None = None
    ) -> Iterator[tuple[Pattern, Sentence, Statement]]:
        """Yield what the sentences of an edition state, or of `units`, each with the pattern that read it."""
        for unit in context.units() if units is None else units:
            plain = straight(unit.text)
            for found in self._found(unit.text, bool(unit.term)):
                start, end = found.span
                sentence = Sentence(
                    unit,
                    plain[start:end],
                    unit.text[start:end],
                    found.place,
                    context.own(unit),
                    plain[slice(*found.before)],
                    plain[end:],
                )
                for pattern, matches in found.matches:
                    for match in matches:
                        for statement in pattern.build(match, sentence, context):
                            yield pattern, sentence, statement

    def _find(self, text: str, is_entry: bool) -> tuple[MatchedSentence, ...]:
        """Return the sentences of a text, which may be an entry's, that patterns match."""
        cued = any(self._patterns[it].where is Where.ANYWHERE for it in self._cued(text))
        plain = straight(text)
        found = []
        before = (0, 0)
        for place, (start, end) in enumerate(sentences(plain)):
            if place >= _OPENING and not cued:
                break
            words = plain[start:end]
            matches = []
            for it in sorted(self._cued(words) | self._without_cue):
                pattern = self._patterns[it]
                if self._reads(pattern, place, is_entry, cued) and (
                    matching := tuple(pattern.regex.finditer(words))
                ):
                    matches.append((pattern, matching))
            if matches:
                found.append(MatchedSentence(place, (start, end), before, tuple(matches)))
            before = start, end
        return tuple(found)

    def _cued(self, text: str) -> set[int]:
        """Return the places of the patterns of which a cue stands in a text."""
        return {place for _, places in self._cues.iter(text) for place in places}

    @staticmethod
    def _reads(pattern: Pattern, place: int, is_entry: bool, cued: bool) -> bool:
        """Tell whether a pattern reads sentences at a place."""
        if pattern.where is Where.ENTRY:
            return is_entry and place == 0
        return cued if pattern.where is Where.ANYWHERE else place < _OPENING
