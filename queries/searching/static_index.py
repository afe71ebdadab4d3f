"""Write the index of an edition for `ranking.js`, which ranks in a browser as `search` does here."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any

from ...loaders.indexing.stemmer import stems
from ...loaders.language.everyday import FUNCTION_WORDS, UNMARKED, english_words
from ...loaders.language.lexicon import How
from ...loaders.language.names import other_forms
from ...loaders.language.senses import set_phrases
from ...loaders.language.words import tokens
from ...ontology import Json, grouped
from ..finding.names import names_and_terms
from ..finding.recognition import UNTOUCHED, known_names, meant_in
from ..session import Session
from . import weights
from .closest import candidates_of
from .plain_words import phrases_of_the_rules, phrases_read_otherwise
from .ranking import Candidates
from .scores import texts_of
from .terms import ALSO, opposites_in, subjects

_OF_TEXTS = "SELECT doc, offset, term FROM occurrence WHERE col = 'text' ORDER BY doc"

_SHORTEST = 5
"""The minimum length of words that are checked for misspellings."""

_HOW = {How.OLD: 1, How.PLAYERS: 2}
"""Why a name is not a current one: it is a former name, or players' word, which may mean several things."""


PARTS = ("names", "ranking", "texts")
"""The parts of an index: names, the ranking of passages, and their texts."""


def static_index(session: Session, edition: str, *, words: bool = True) -> dict[str, Any]:
    """Return the index of an edition by its `PARTS`; without `words`, it has no text of passages.

    Passages are numbered by their place, from 1; lists of places are written as differences.
    """
    named = static_names(session, edition)
    candidates = candidates_of(session, edition)
    index = candidates.index
    slugs = [str(slug) for slug, _ in named["terms"]]
    uses = dict(index.execute("SELECT word, uses FROM vocabulary"))
    stem_of = _english_stems() | stems(uses)
    said = _said(candidates, uses, stem_of) if words else []
    spelled = {word.partition(":")[0] for row in said for word in row[1].split()}
    name_words = {word for name in named["names"] for word in name.split()}
    likely = spelled.union(name_words, *map(other_forms, name_words))
    english = [it for it in sorted(english_words() - spelled) if len(it) >= _SHORTEST and it.isalpha()]
    inside = session.iris.edition(edition) + "/"
    iris = [inside + str(row[0]) for row in named["passages"][1:]]
    texts = texts_of(session, session.scope(edition), iris) if words else {}
    ranking: dict[str, Json] = {
        "count": candidates.count,
        "weights": {name: value for name, value in vars(weights).items() if isinstance(value, float | int)},
        "cites": {it: cited for it in candidates.places if (cited := sorted(candidates.cited_by(it)))},
        "timed": _steps(sorted(candidates.timed)),
        "variants": _steps(sorted(candidates.variants)),
        "subjects": [
            [sorted(own), _steps(places)]
            for own, places in grouped((own, it) for it, own in sorted(subjects(index).items())).items()
        ],
        "terms": _bodies(candidates, slugs),
        "words": said,
        "figures": _beside_figures(index) if words else {},
        "bent": {
            word: forms
            for word in sorted(likely)
            if (forms := [form for form in other_forms(word) if form in name_words])
        },
        "plain": [[list(phrase), list(instead.items())] for phrase, instead in phrases_of_the_rules()],
        "otherwise": phrases_read_otherwise(),
        "opposites": {word: stem_of[other] for word, other in opposites_in(index, sorted(uses)).items()},
        "also": ALSO,
        "phrases": sorted(set_phrases()),
        "small": sorted(FUNCTION_WORDS),
        "unmarked": sorted(UNMARKED),
        "untouched": sorted(UNTOUCHED),
        "english": _front_coded(english) if words else "",
    }
    told = ["", *(texts.get(iri, "") for iri in iris)] if words else ()
    return dict(zip(PARTS, (named, ranking, told), strict=True))


def static_names(session: Session, edition: str) -> dict[str, Any]:
    """Return the names in an edition: its passages without text, its terms, and what names mean.

    A name means terms, by their place in the list of terms, or rules, by their numbers.
    """
    candidates = candidates_of(session, edition)
    rows = candidates.index.execute(
        "SELECT place, kind, number, heading, parent, id FROM passage ORDER BY id"
    )
    passages = [
        [place, kind, number, heading, parent or 0, int(it in candidates.places)]
        for place, kind, number, heading, parent, it in rows
    ]
    iris, (preferred, _) = session.iris, session.once(names_and_terms)
    meanings = {name: tuple(own) for name, own in known_names(session).names.items()}
    meant = meant_in(session, session.scope(edition), meanings.values())
    standing = {name: [it for it in meant[own] if it.stands] for name, own in meanings.items()}
    slugs = sorted({iris.parse(it.iri).key for own in standing.values() for it in own if it.kind == "term"})
    place_of = {slug: place for place, slug in enumerate(slugs)}
    names: dict[str, list[list[Json]]] = {}
    for name, own in standing.items():
        phrase = " ".join(token.fold for token in tokens(name))
        things: list[list[Json]] = [
            ["t", place_of[iris.parse(it.iri).key], _HOW.get(it.how, 0)]
            if it.kind == "term"
            else ["r", it.name, _HOW.get(it.how, 0)]
            for it in own
        ]
        if phrase and things:
            known_things = names.setdefault(phrase, [])
            known_things.extend(it for it in things if it not in known_things)
    return {
        "inside": iris.local(iris.edition(edition)) + "/",
        "passages": [["", "", "", "", 0, 0], *passages],
        "terms": [[slug, preferred[iris.term(slug)]] for slug in slugs],
        "names": names,
    }


def _said(candidates: Candidates, uses: Mapping[str, int], stem_of: Mapping[str, str]) -> list[list[Any]]:
    """Return for each stem its words, how often each is used, and what the stem is worth to which passages.

    `stem_of` includes English words. Passages that have a stem but cannot be answers come last.
    """
    having = grouped(
        candidates.index.execute(
            "SELECT DISTINCT term, doc FROM occurrence WHERE col IN ('headings', 'text') ORDER BY doc"
        )
    )
    said = {stem for phrase, _ in phrases_of_the_rules() for stem in phrase}
    standing = {stem for (stem,) in candidates.index.execute("SELECT DISTINCT term FROM occurrence")}
    words = grouped((stem, word) for word, stem in stem_of.items() if stem in standing or stem in said)
    found: list[list[Any]] = []
    for stem in sorted(words):
        amounts = sorted(candidates.worth(stem).items())
        others = [it for it in having.get(stem, ()) if it not in candidates.places]
        told = " ".join(f"{word}:{uses[word]}" if word in uses else word for word in words[stem])
        worth = [round(amount * 1000) for _, amount in amounts]
        found.append([stem, told, _steps([it for it, _ in amounts]), worth, _steps(others)])
    return found


@cache
def _english_stems() -> dict[str, str]:
    """Return the stems of all English words, which takes half of the time for an index."""
    return stems(sorted(english_words()))


def _bodies(candidates: Candidates, slugs: Sequence[str]) -> list[Json]:
    """Return for each term the stems of its name, the passages that define or mention it, and its rules."""
    stem_of = stems(word for slug in slugs for word in slug.split("-"))
    return [
        [
            sorted({stem_of[word] for word in slug.split("-") if word in stem_of}),
            [*candidates.body_of(slug)],
            _steps(candidates.speaking(slug)),
            [*candidates.numbers_defining(slug)],
        ]
        for slug in slugs
    ]


def _beside_figures(index: sqlite3.Connection) -> dict[str, list[int]]:
    """Return where texts have figures next to words: ``"0 tough"`` is near, ``"tough 0"`` after it."""
    found: dict[str, set[int]] = defaultdict(set)
    for it, rows in groupby(index.execute(_OF_TEXTS), key=itemgetter(0)):
        at = {place: stem for _, place, stem in rows}
        for place, stem in at.items():
            for step in range(-weights.NEAR - 1, weights.NEAR + 2) if stem.isdigit() else ():
                other = at.get(place + step, "")
                if other.isalpha():
                    found[f"{stem} {other}"].add(it)
                    if step == -1:
                        found[f"{other} {stem}"].add(it)
    return {words: _steps(sorted(places)) for words, places in sorted(found.items())}


def _steps(places: Sequence[int]) -> list[int]:
    """Return numbers as differences from the number before."""
    return [after - before for before, after in pairwise((0, *places))]


def _front_coded(words: Iterable[str]) -> str:
    """Return sorted words; each is the number of letters shared with the one before, and the rest.

    >>> _front_coded(["lamp", "lamps", "moth"])
    '0lamp 4s 0moth'
    """
    coded: list[str] = []
    for before, word in pairwise(("", *words)):
        differing = (k for k, (one, other) in enumerate(zip(before, word, strict=False)) if one != other)
        shared = next(differing, min(len(before), len(word)))
        coded.append(chr(ord("0") + shared) + word[shared:])
    return " ".join(coded)
