"""Find sentences with some words, and the rules with such sentences that went, in all editions."""

from __future__ import annotations

import re
from collections.abc import Set
from itertools import pairwise

from ...loaders.indexing.stemmer import telling_stems
from ...loaders.language.words import sentences
from ..finding.recognition import recognise
from ..history.links import links_along, timeline
from ..searching.closest import closest
from ..searching.scores import COLUMNS, Passages
from ..session import Edition, Session

_JOINED = re.compile(r"\b[a-z]+(?:-[a-z]+)+\b", re.IGNORECASE)

_UNDER_CONDITION = re.compile(r"\b(?:only if|unless)\b.*", re.IGNORECASE)
"""What a sentence does not say itself."""

_LEADS_ON = re.compile(r"\W*see (?:also |rules? )", re.IGNORECASE)
"""How a sentence begins that only leads elsewhere."""

_MOST_WORDS = 3
"""A sentence with more words than so many for each of a question says something else too."""

MOST_GONE = 10
"""The maximum number of removed rules in a list."""

_LOOKED_AT = 200
"""The number of closest rules of all editions that are examined."""


def with_all(wanted: Set[str], text: str, asked: str) -> list[str]:
    """Return the sentences of a text that have all of some stems, and not many more.

    They also have the words that `asked` joins with hyphens, next to each other. One that only leads
    elsewhere (*See rule 603*) says nothing.
    """
    joined = [re.compile(it.replace("-", r"[-\s]"), re.IGNORECASE) for it in _JOINED.findall(asked)]
    whole = (text[start:end] for start, end in sentences(text))
    said = {it: telling_stems(_UNDER_CONDITION.sub("", it)) for it in whole}
    return [
        it
        for it, own in said.items()
        if wanted <= own
        and len(own) <= _MOST_WORDS * len(wanted)
        and not _LEADS_ON.match(it)
        and all(form.search(it) for form in joined)
    ]


def went(session: Session, words: str, limit: int) -> Passages:
    """Return rules with all of `words` in a sentence and no successor in the next edition, the closest first.

    Columns are those of a search; the reason names the first edition without the rule. What comes first is
    when the closest of them went.
    """
    found = closest(session, recognise(session, words, "all"), limit=_LOOKED_AT)
    wanted = telling_stems(words)
    rows = [row for row in found.rows if with_all(wanted, str(row[1]), words)]
    path = timeline(session)
    without: dict[str, Edition] = {}
    for here, there in pairwise(path):
        rules = [str(row[7]) for row in rows if row[2] == here.id]
        [links] = links_along(session, [here, there], rules) if rules else [{}]
        without |= {rule: there for rule in rules if not links.get(rule)}
    gone = [
        (*row[:6], f"in {row[2]} last; {without[str(row[7])].id} is without it", row[7])
        for row in rows
        if row[7] in without
    ]
    span = f"{path[0].id} to {path[-1].id}"
    shown, more = tuple(gone[:limit]), max(len(gone) - limit, 0)
    lead = tuple(f"{row[0] or 'The closest'}, with these words, was {row[6]}." for row in shown[:1])
    return Passages("gone", COLUMNS, shown, span, lead, more=more, lead=lead, marks=((),) * len(shown))
