"""Find when sentences with some words came and went."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from itertools import zip_longest

from ...loaders.history.items import ChangeKind
from ...loaders.history.lives import bundled_lives
from ...loaders.indexing.stemmer import telling_stems
from ...loaders.language.words import sentences, telling_words
from ..finding.recognition import Recognised, recognise
from ..history.beyond import provisions_of
from ..history.links import links_along, timeline
from ..searching.closest import closest
from ..searching.exact import hits_of, rows_of
from ..searching.grammar import Search, Wanted
from ..searching.scores import COLUMNS, Passages
from ..session import Answer, Session
from .dated import said_since
from .moment import OF_A_GAME, YOU, in_the_present
from .stated import DENIES

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
"""The number of rules of an edition that are examined."""


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

APART = "No date was found for exactly this, but for the thing that it is about:"

UNTOLD = "What the rules once said of this was not found: `rulesgraph trace` follows a rule or a term."


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

    Columns are those of a search; the reason is when that happened, by the bundled list of all editions if it
    knows. What comes first is when the closest of them went.
    """
    scope, wanted = session.scope("all"), telling_stems(words)
    sought = Search(tuple(Wanted((it,)) for it in telling_words(words)), kinds=("rule",))
    found = rows_of(session, scope, sought, hits_of(session, scope, sought, _LOOKED_AT, [], any_word=False))
    rows = [row for row in found if with_all(wanted, str(row[1]), words)]
    path = timeline(session)
    own = provisions_of(session, [str(row[7]) for row in rows])
    ended: dict[str, str] = {}
    for here, there in zip_longest(path, path[1:]):
        rules = [str(row[7]) for row in rows if row[2] == here.id]
        links = links_along(session, [here, there], rules)[0] if rules and there else {}
        for rule in rules:
            stages = bundled_lives().after(own.get(rule, ""), here.id)
            known = [it for it in stages if not there or it.edition <= there.id][-1:]
            is_gone = not links.get(rule) if there else known and known[0].change is ChangeKind.REMOVED
            if is_gone:
                without = f"{there.id} is without it" if there else ""
                ended[rule] = "".join(f"{it.change} in {it.edition}" for it in known) or without
    gone = [(*row[:6], f"in {row[2]} last; {ended[str(row[7])]}", row[7]) for row in rows if row[7] in ended]
    if gone:
        last = max(str(row[2]) for row in gone)
        near = closest(session, recognise(session, words, last), limit=_LOOKED_AT).rows
        places = {row[7]: place for place, row in enumerate(near)}
        gone.sort(key=lambda row: places.get(row[7], len(near)))
    span = f"{path[0].id} to {path[-1].id}"
    shown, more = tuple(gone[:limit]), max(len(gone) - limit, 0)
    lead = tuple(f"{row[0] or 'The closest'}, with these words, was {row[6]}." for row in shown[:1])
    return Passages("gone", COLUMNS, shown, span, lead, more=more, lead=lead, marks=((),) * len(shown))


def subjects(words: str, things: Iterable[Recognised]) -> list[Recognised]:
    """Return the thing whose change a question is about: *when did the lamp change so that moths live*."""
    asked = ASKS_WHEN.match(words)
    return [
        it
        for it in things
        if asked and words[asked.end() : it.start].strip().lower() in ("", "the", "a", "an")
        if _OF_CHANGES.match(words[it.end :].lstrip())
    ]


def since_when(session: Session, words: str, found: Answer) -> str:
    """Return since when a sentence of a close rule has had all words, or that no date was found.

    It is ``""`` for words that do not ask when the rules changed, or what was so once.
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
