"""Find the rules that had some words and went: when what they told of was removed, though it has no name."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ...loaders.indexing.stemmer import stems
from ...loaders.language.everyday import FUNCTION_WORDS
from ...loaders.language.words import words_in
from ..history.links import links_along, timeline
from ..recognising.recognition import recognise
from ..searching.closest import closest
from ..searching.found import COLUMNS, Passages
from ..session import Edition, Session

_LOOKED_AT = 200
"""How many of the closest rules of all editions are looked at."""


def departed(session: Session, words: str, limit: int) -> Passages:
    """Return the rules with all of `words` that became nothing in the next edition, the closest first.

    Columns are those of a search; the reason tells which edition was the first without the rule.
    """
    found = closest(session, recognise(session, words, "all"), limit=_LOOKED_AT)
    wanted = _stems(words)
    rows = [row for row in found.rows if wanted <= _stems(str(row[1]))]
    path = timeline(session)
    without: dict[str, Edition] = {}
    for here, there in pairwise(path):
        rules = [str(row[7]) for row in rows if row[2] == here.id]
        [links] = links_along(session, [here, there], rules) if rules else [{}]
        without |= {rule: there for rule in rules if not links.get(rule)}
    went = [
        (*row[:6], f"in {row[2]} last; {without[str(row[7])].id} is without it", row[7])
        for row in rows
        if row[7] in without
    ]
    span = f"{path[0].id} to {path[-1].id}"
    shown = tuple(went[:limit])
    unmarked = ((),) * len(shown)
    return Passages("gone", COLUMNS, shown, span, more=len(went) - len(shown), marks=unmarked)


def _stems(words: str) -> frozenset[str]:
    said: Sequence[str] = [word for word in words_in(words) if word not in FUNCTION_WORDS]
    return frozenset(stems(said).values())
