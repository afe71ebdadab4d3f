"""Tell the words of card names from the rules' own words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...loaders.language.everyday import FUNCTION_WORDS, SMALL
from ..searching.grammar import Wanted
from ..searching.scores import texts_of
from ..session import Session

KNOWN_ELSEWHERE = (
    SMALL
    | FUNCTION_WORDS
    | frozenset("magic gathering comprehensive tournament judge wizards coast mtg mtgo arena online".split())
    | frozenset("edh cube vintage legacy modern pioneer standard historic pauper brawl oathbreaker".split())
)
"""Words that are part of names, but that no name is called by."""

_COUNT = "SELECT rowid FROM words WHERE words MATCH ? LIMIT ?"
_PLACES = "SELECT place, heading FROM words JOIN passage ON id = words.rowid WHERE words MATCH ? LIMIT ?"
_MANY = 30
"""The number of passages from which a word is one of the rules', in whatever letters they have it."""


def is_in_no_rule(session: Session, word: str, most: int = 0) -> bool:
    """Return whether no rule has a word, but for `most` of them, which may have it in names and lists."""
    match = Wanted((word,)).match
    counts = (session.index(it).execute(_COUNT, (match, most + 1)) for it in session.current.editions)
    return all(len(it.fetchall()) <= most for it in counts)


def is_in_no_prose(session: Session, word: str) -> bool:
    """Return whether no rule has a word in small letters or in a heading, but at most in a card's name."""
    match, small = Wanted((word,)).match, re.compile(rf"(?<!\w){re.escape(word.lower())}(?!\w)")
    for it in session.current.editions:
        places = session.index(it).execute(_PLACES, (match, _MANY)).fetchall()
        iris = [f"{session.iris.edition(it)}/{place}" for place, _ in places]
        texts = texts_of(session, session.current, iris).values()
        headings = [heading.lower() for _, heading in places if heading]
        if len(places) == _MANY or any(map(small.search, (*headings, *texts))):
            return False
    return True


def overlap(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Return whether a stretch has a place in common with others."""
    return any(a < end and start < b for a, b in spans)
