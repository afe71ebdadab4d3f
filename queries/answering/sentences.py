"""Find when sentences with given words appeared and disappeared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from itertools import zip_longest

from ...loaders.history.items import ChangeKind
from ...loaders.history.lives import bundled_lives
from ...loaders.indexing.stemmer import telling_stems
from ...loaders.language.words import sentences, telling_words
from ...ontology import RG
from ...ontology.iris import Place
from ..finding.recognition import Recognised, recognise
from ..history.beyond import provisions_of
from ..history.links import links_along, timeline
from ..searching.closest import closest
from ..searching.scores import COLUMNS, PassageRow, Passages
from ..session import Session
from .dated import said_since
from .moment import OF_A_GAME, STILL, YOU, in_the_present
from .stated import DENIES

_JOINED = re.compile(r"\b[a-z]+(?:-[a-z]+)+\b", re.IGNORECASE)

_UNDER_CONDITION = re.compile(r"\b(?:only if|unless)\b.*", re.IGNORECASE)
"""Matches what a sentence does not state itself."""

_LEADS_ON = re.compile(r"\W*see (?:also |rules? )", re.IGNORECASE)
"""Matches the beginning of a sentence that only refers elsewhere."""

_MOST_WORDS, _MOST_OF_BEST = 3, 9
"""A sentence with more than this many words for each word of a question says other things too; the second is
for the best rule."""

_SAYS_SO, _SAYS_MORE = 1.5, 2
"""The number of words in a sentence, for each word of a question, up to which it says just that; the second
is for a sentence about the same thing."""

_OPENING = 2
"""The number of telling words that begin a sentence."""

_MAY_DIFFER = "It has the words of the question, but may be about something else."

MOST_GONE = 10
"""The maximum number of removed rules in a list."""

_LOOKED_AT = 200
"""The number of rules of an edition that are examined."""


ASKS_WHEN = re.compile(
    r"\W*(?:(?:since when|when|in (?:which|what) (?:year|edition))\s+(?:did|was|were)"
    r"|(?P<since>since when)\s+(?:do|does|has|have|is|are|can|may|must)|how long\s+(?:has|have))\b",
    re.IGNORECASE,
)
"""Matches the beginning of a question about the time of a change."""

_OF_CHANGES = re.compile(
    rf"{ASKS_WHEN.pattern}|\b(?:able|starts?|started|begin|began|changed?|introduced|added|allowed|first|gets?|got|"
    r"makes?|made|turn(?:ed)? into|becomes?|became)\b",
    re.IGNORECASE,
)
"""Words in a question about a change that do not say what changed."""

_OF_TODAY = re.compile(
    r"\b(?:(?:it )?still|true|that|in force|appl(?:y|ies)|the case|rules?|a thing"
    r"|(?:as |in )?(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
"""Words in a question about what is still true that do not say what it is."""

_ENDS = re.compile(r"\b(?:stop|ceas|no longer|no more|any ?more)", re.IGNORECASE)

UNDATED = "No date was found for this: `rulesgraph trace` shows the history of a rule or a term."

APART = "No date was found for exactly this. What is known is about its subject:"

UNTOLD = "What the rules once said about this was not found: `rulesgraph trace` follows a rule or a term."


def with_all(wanted: Set[str], text: str, asked: str, most: int = _MOST_WORDS) -> list[str]:
    """Return the sentences of a text that have all the wanted stems, and at most `most` words for each.

    Words that `asked` joins with a hyphen must be next to each other. Sentences that only refer elsewhere
    (*See rule 603*) do not count.
    """
    joined = [re.compile(it.replace("-", r"[-\s]"), re.IGNORECASE) for it in _JOINED.findall(asked)]
    whole = (text[start:end] for start, end in sentences(text))
    said = {it: telling_stems(_UNDER_CONDITION.sub("", it)) for it in whole}
    return [
        it
        for it, own in said.items()
        if wanted <= own
        and len(own) <= most * len(wanted)
        and not _LEADS_ON.match(it)
        and all(form.search(it) for form in joined)
    ]


def went(session: Session, words: str, limit: int) -> Passages:
    """Return rules with all of `words` in a sentence and no successor in the next edition, closest first.

    The columns are those of a search; the reason says when the rule was removed, from the bundled list of all
    editions if possible. The lead says when the closest one was removed.
    """
    wanted, path = telling_stems(words), timeline(session)
    rows = _rules_with_all(session, wanted, words)
    own = provisions_of(session, [row.iri for row in rows])
    ended: dict[str, str] = {}
    for here, there in zip_longest(path, path[1:]):
        rules = [row.iri for row in rows if row.edition == here.id]
        links = links_along(session, [here, there], rules)[0] if rules and there else {}
        for rule in rules:
            stages = bundled_lives().after(own.get(rule, ""), here.id)
            known = [it for it in stages if not there or it.edition <= there.id][-1:]
            is_gone = not links.get(rule) if there else known and known[0].change is ChangeKind.REMOVED
            if is_gone:
                without = f"not in {there.id}" if there else ""
                ended[rule] = "".join(f"{it.change} in {it.edition}" for it in known) or without
    gone = [
        row._replace(reason=f"last in {row.edition}; {ended[row.iri]}") for row in rows if row.iri in ended
    ]
    if gone:
        last = max(row.edition for row in gone)
        near = closest(session, recognise(session, words, last), limit=_LOOKED_AT).passages
        places = {row.iri: place for place, row in enumerate(near)}
        gone.sort(key=lambda row: places.get(row.iri, len(near)))
    span = f"{path[0].id} to {path[-1].id}"
    shown, more = tuple(gone[:limit]), max(len(gone) - limit, 0)
    lead = [f"{row.number or 'The closest rule'}, with these words, was {row.reason}." for row in shown[:1]]
    is_sure = any(_is_about(it, words) for row in shown for it in with_all(wanted, row.text, words))
    lead += [] if is_sure else [_MAY_DIFFER]
    told = tuple(lead) if shown else ()
    return Passages(
        "gone", COLUMNS, shown, span, told, more=more, lead=told, marks=((),) * len(shown), answered=is_sure
    )


def _rules_with_all(session: Session, wanted: Set[str], words: str) -> list[PassageRow]:
    """Return the rules of all editions with all the wanted stems in a sentence, each text where it was last.

    The wordings of all editions are read, which takes less time than an index of each edition.
    """
    iris = session.iris
    # All forms of a word begin with half of its letters, up to three: few texts need to be split into words.
    heads = [it[: max(1, min(3, len(it) // 2))].lower() for it in telling_words(words)]
    texts = {
        wording: text
        for wording, text in session.pairs([iris.graph("wordings")], RG.text)
        if all(it in text.lower() for it in heads) and with_all(wanted, text, words)
    }
    ages = {it.id: age for age, it in enumerate(timeline(session))}
    last: dict[str, tuple[int, str, Place]] = {}
    for rule, wording in session.pairs(None, RG.wording, to=texts):
        place = iris.parse(rule)
        if place.kind == "rule" and not place.parts and place.edition in ages:
            here = ages[place.edition], rule, place
            last[wording] = max(last.get(wording, here), here)
    lines = dict(session.pairs(None, RG.firstLine, of=[rule for _, rule, _ in last.values()]))
    return [
        PassageRow(it.key, texts[wording], it.edition, it.edition, int(lines[rule]), None, "", rule)
        for wording, (_, rule, it) in last.items()
    ]


def _is_about(sentence: str, words: str) -> bool:
    """Return whether a sentence begins with the first thing in words, or with one word before it."""
    return not telling_stems(" ".join(telling_words(words)[:1])).isdisjoint(
        telling_stems(" ".join(telling_words(sentence)[:_OPENING]))
    )


def subjects(words: str, things: Iterable[Recognised]) -> list[Recognised]:
    """Return the thing whose change a question is about: *when did the lamp change so that moths live*."""
    asked = ASKS_WHEN.match(words)
    return [
        it
        for it in things
        if asked and words[asked.end() : it.start].strip().lower() in ("", "the", "a", "an")
        if _OF_CHANGES.match(words[it.end :].lstrip())
    ]


def since_when(session: Session, words: str, found: Passages) -> tuple[str, bool]:
    """Say since when a sentence of a close rule has had all the words, or that no date was found.

    Also returns whether that answers the question: the sentence must say little else. If words ask what is
    still true, this is the rule with them that went. The first is ``""`` for words that ask neither that, nor
    when the rules changed, nor what was once true.
    """
    if in_the_present(words):
        return UNTOLD, False
    if STILL.match(words) and len(timeline(session)) > 1:
        claim = _OF_TODAY.sub("", words)
        gone = went(session, claim, 1)
        once = [it for row in gone.passages for it in with_all(telling_stems(claim), row.text, claim)]
        return (f"{gone.lead[0]} It said: “{once[0]}”" if once and gone.answered else ""), True
    asked = ASKS_WHEN.match(words)
    # *You* in a question that begins with *since when* is any player.
    if not asked or OF_A_GAME.search(YOU.sub("", words) if asked["since"] else words):
        return "", True
    subject = _OF_CHANGES.sub(" ", words)
    wanted, denies = telling_stems(subject), bool(DENIES.search(words))
    # The best rule may say more in one sentence than is asked.
    said = {
        (row.number or "", row.edition, it): len(telling_stems(it))
        for row in (
            found.passages if wanted and not _ENDS.search(words) and len(timeline(session)) > 1 else ()
        )
        for most in (_MOST_OF_BEST if row == found.passages[0] else _MOST_WORDS,)
        for it in with_all(wanted, row.text if row.number else "", words, most)
        if bool(DENIES.search(it)) == denies  # *since when may I look* is not since when I must not
    }
    if not said:
        return UNDATED, False
    rule, edition, sentence = min(said, key=lambda it: said[it])
    most = _SAYS_MORE if _is_about(sentence, subject) else _SAYS_SO
    is_sure = said[rule, edition, sentence] <= most * len(wanted)
    told = said_since(session, rule, edition, sentence, wanted)
    return (told, True) if is_sure else (f"{told} {_MAY_DIFFER}", False)
