"""Answer since when a sentence of the rules says something."""

from __future__ import annotations

import re

from ...loaders.indexing.stemmer import telling_stems
from ..history.links import timeline
from ..searching.scores import Passages
from ..session import Session
from .dated import said_since
from .gone import with_all
from .moment import OF_A_GAME, YOU, in_the_present
from .stated import DENIES

ASKS_WHEN = re.compile(
    r"\W*(?:(?:since when|when|in (?:which|what) (?:year|edition))\s+(?:did|was|were)"
    r"|(?P<since>since when)\s+(?:do|does|has|have|is|are|can|may|must)|how long\s+(?:has|have))\b",
    re.IGNORECASE,
)
"""How a question about the time of a change opens."""

_OF_CHANGES = re.compile(
    rf"{ASKS_WHEN.pattern}|\b(?:able|starts?|started|begin|began|changed?|introduced|added|allowed|first|gets?|got|"
    r"makes?|made|turn(?:ed)? into|becomes?|became)\b",
    re.IGNORECASE,
)
"""Words of a question about when something changed that say nothing of what did."""

_ENDS = re.compile(r"\b(?:stop|ceas|no longer|no more|any ?more)", re.IGNORECASE)

UNDATED = "No date was found for this: `rulesgraph trace` has the history of a rule or a term."

UNTOLD = "What the rules once said of this was not found: `rulesgraph trace` follows a rule or a term."


def since_when(session: Session, words: str, found: Passages) -> str:
    """Return what to say before the closest rules if words ask when the rules changed, or what was so once.

    It is since when a sentence of a close rule has had all their words, else that no date was found.
    """
    if in_the_present(words):
        return UNTOLD
    asked = ASKS_WHEN.match(words)
    # *You* in a question that begins with *since when* is any player.
    if not asked or OF_A_GAME.search(YOU.sub("", words) if asked["since"] else words):
        return ""
    wanted = telling_stems(_OF_CHANGES.sub(" ", words))
    said = {
        (str(row[0]), str(row[2]), it): len(telling_stems(it))
        for row in (found.rows if wanted and not _ENDS.search(words) and len(timeline(session)) > 1 else ())
        for it in with_all(wanted, str(row[1]) if row[0] else "", words)
    }
    if not DENIES.search(words):  # *since when may I look* is not since when I must not
        said = {it: length for it, length in said.items() if not DENIES.search(it[2])}
    if not said:
        return UNDATED
    rule, edition, sentence = min(said, key=lambda it: said[it])
    return said_since(session, rule, edition, sentence, wanted)
