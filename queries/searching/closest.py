"""Find the rules closest to a question in the user's words: excerpts to read, not a ruling."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from types import MappingProxyType
from typing import NamedTuple

from ...loaders.indexing.stemmer import stems
from ...loaders.language.everyday import is_english
from ...loaders.language.lexicon import How
from ...loaders.language.names import other_forms
from ...loaders.language.verbs import is_verb
from ...loaders.language.words import words_in
from ...loaders.reading.numbered.form import is_of_tournaments
from ...ontology import DocumentKind
from ..finding.cases import cases_alike, near_cases, votes
from ..finding.names import names_and_terms
from ..finding.recognition import Recognised, Recognition, recognise, without_lacked
from ..session import Session, SimilarCase
from .grammar import Wanted, marks
from .plain_words import ELSEWHERE, MAY_COVER, untold_in, words_of_tournaments
from .ranking import Candidates
from .reasons import reason
from .scores import COLUMNS, PassageRow, Passages, Ranking, beginnings, texts_of
from .terms import ALSO, Sought, sought_in, words_of_other_rules, words_without_rules

LIMIT = 10
"""The maximum number of passages shown."""

FEW = 5
"""The maximum if the rules say nothing about the question."""

_MOST_OF = 0.6
"""A passage with this share of a question may answer it."""

_LITTLE = 0.4
"""With less than this share of a question that names a thing, passages may not answer it."""

_WEAK, _HALF, _MANY = 6.0, 0.55, 1000
"""With less than this best score and share of a question, none of this many passages may answer it."""

_DECIDES = 0.25
"""Words that no rule has decide if they are at least this share of a question's words."""

NAME = "closest_rules"
"""The name of the answer, as of a question in the catalogue."""

HEADING = "The closest rules, word for word. These are excerpts, not a ruling."

_ENOUGH = 2
"""The minimum number of telling words in a passage for a question without names, unless it has them all."""

_OTHERWISE = (How.OLD, How.PLAYERS, How.MISSPELT)
"""The ways to recognise a thing whose passages do not have the words of the question."""

_MOST_CASES = 3
"""The maximum number of solved cases shown."""

_DECIDED = 3
"""A case is shown if it was decided by one of this number of best rules."""

FAR = 0.15
"""A passage with less than this share of the best score is not an answer."""

_YEAR = re.compile(r"(?:19|20)\d\d")
_WHEN = re.compile(r"\W*(?:when|at what (?:time|point)|in (?:which|what) (?:step|phase))\b", re.IGNORECASE)
"""The beginning of a question about the time of something."""


class AlsoSought(NamedTuple):
    """What is searched besides the question's own words: terms by slug and words, with their weights.

    `met` maps numbers of rules in which abilities of cards meet to what these share. `whole` is the question
    with the names of cards, for comparison with cases. If it `asks`, rules about other things count less.
    """

    terms: Mapping[str, float] = MappingProxyType({})
    words: Mapping[str, float] = MappingProxyType({})
    asks: bool = True
    whole: str = ""
    met: Mapping[str, str] = MappingProxyType({})


class _Ranked(NamedTuple):
    """The results of one edition: its candidates with their scores, and the words searched for."""

    edition: str
    candidates: Candidates
    terms: Sequence[Sought]
    ranking: Ranking
    alike: Sequence[SimilarCase] = ()
    listed: Sequence[int] = ()


class _Candidate(NamedTuple):
    """A passage of one edition, by its id and its IRI."""

    it: int
    iri: str
    total: float
    of: _Ranked


def closest(
    session: Session,
    recognised: Recognition,
    *,
    limit: int | None = None,
    beside: AlsoSought | None = None,
    least: float = FAR,
    cases: bool = False,
) -> Passages:
    """Find the passages closest to a question, best first, each with a reason.

    The columns are those of a search. Of editions with the same words, only the newest has a row. The notes
    say how the question was understood. There are no rows if it names nothing in the edition and no passage
    has enough of its words. `beside` has things outside the rules that the question names. Passages with less
    than the share `least` of the best score are left out. With `cases`, rules that decided similar solved
    cases score more, and these cases are returned. By default, `limit` is `LIMIT`, or `FEW` if no rule has
    the decisive words of the question.
    """
    preferred, _ = session.once(names_and_terms)
    called = {it.name: f"“{it.used}”" for it in recognised.standing if it.how is not How.NUMBER}

    def name_of(key: str) -> str:
        return preferred.get(session.iris.term(key)) or called.get(key, key)

    named = bool(recognised.standing or (beside and (beside.terms or beside.words)))
    ranked = [_ranked(session, edition, recognised, beside, cases) for edition in recognised.scope.editions]
    most = limit or max([LIMIT, *(1 + len(one.listed) for one in ranked)])
    found = [
        _Candidate(it, f"{session.iris.edition(one.edition)}/{one.candidates.places[it].iri}", total, one)
        for one in ranked
        for it in one.ranking.best(most)
        if (total := one.ranking.totals[it]) and (named or it in one.listed or _is_enough(one, it))
    ]
    texts = texts_of(session, recognised.scope, [one.iri for one in found])
    first = {texts[one.iri]: one for one in reversed(found)}
    found = sorted(first.values(), key=lambda one: -one.total)[:most]
    found = [one for one in found if one.total >= least * found[0].total]
    terms = ranked[0].terms if ranked else ()
    best = {one.of.candidates.places[one.it].number for one in found[:_DECIDED]}
    near = (near_cases(session, it.alike, it.edition, best, it.candidates.numbered) for it in ranked[:1])
    alike = tuple(islice(chain.from_iterable(near), _MOST_CASES))
    of_cards, nothing = beside is not None, ((), False, False)
    lead, is_silent, is_doubtful = _unsaid(recognised, ranked[0], found, of_cards) if ranked else nothing
    is_telling = is_doubtful or not found or not all(map(is_english, re.findall(r"“(\w+)”", " ".join(lead))))
    cited = {number for it in alike for number in it.rules}
    if cited and cited.isdisjoint(it.number for it in ranked[0].candidates.places.values()):
        lead += (f"Similar cases were found, but {ranked[0].edition} has none of the rules that they cite.",)
    passages = Passages(
        NAME,
        COLUMNS,
        tuple(_row(one, texts[one.iri], name_of) for one in found),
        recognised.scope.label,
        (*lead, *_understood(recognised, terms, bool(found)), *map(str, alike)),
        marks=marks(
            [texts[one.iri] for one in found], [Wanted((it.word,)) for it in terms if it.substantial]
        ),
        parts=tuple(_parts(one.of.ranking, one.it) for one in found),
        heading=HEADING if found else "",
        cases=alike,
        lead=lead if is_telling else (),  # not that no rule has an everyday word
        answered=bool(found) and not is_doubtful,
    )
    return passages[:FEW] if is_silent and limit is None else passages


def _unsaid(
    recognised: Recognition, asked: _Ranked, found: Sequence[_Candidate], of_cards: bool
) -> tuple[tuple[str, ...], bool, bool]:
    """Return remarks on words that no rule has, whether these are decisive, and whether to doubt the answer.

    They are decisive if the question names neither cards nor several things, and no passage has most of it
    (years do not count, since they name editions). If it names nothing or passages have little of it, a
    remark says so even if each word is in some rule, unless it is `of_cards`. About tournaments, the rules
    only refer to other rules.
    """
    _, candidates, every, ranking, *_ = asked
    otherwise = {word for it in recognised.things if it.how in _OTHERWISE for word in words_in(it.used)}
    meant = otherwise - {word for word, own in ranking.adds["words"].items() if own}  # counterspell
    terms = [it for it in every if not (_YEAR.fullmatch(it.word) or it.word in meant)]
    used = [it.used for it in recognised.things]
    words = words_without_rules(candidates.index, terms, recognised.text, used)
    own = {one.it for one in found} - candidates.worth(*stems([ELSEWHERE]).values()).keys()
    said_words = [] if is_of_tournaments(asked.edition) else [it.word for it in terms if it.said]
    theirs = words_of_tournaments(said_words)
    elsewhere = [str(it) for it in theirs if own.isdisjoint(candidates.matching(it.match))]
    untold = untold_in(recognised.text)
    covered = [candidates.covered(ranking, terms, one.it) for one in found if one.of is asked]
    is_sure = of_cards or any(it.kind != "term" for it in recognised.standing)
    most = max(covered, default=0.0)
    is_large = len(candidates.places) >= _MANY and not (elsewhere or of_cards)
    is_weak = is_large and bool(found) and found[0].total < _WEAK and most < _HALF
    is_vague = not recognised.standing or most < _LITTLE or is_weak
    is_apart = len(recognised.standing) < _ENOUGH and most < _MOST_OF and not of_cards
    said = [f"The rules say nothing about {it}." for it in dict.fromkeys(untold.values())]
    if words:
        lacking = " or ".join(f"“{it}”" for it in words)
        said.append(f"{'The rules say nothing about' if is_apart else 'No rule has'} {lacking}.")
    elif not untold and (is_apart or is_weak) and is_vague and found and not is_sure:
        said.append("The rules may say nothing about this: none has most of the question’s words.")
    if elsewhere:
        said.append(f"{MAY_COVER} {' or '.join(elsewhere)}.")
    many = len(words) >= _DECIDES * sum(it.substantial and it.said for it in terms) and not of_cards
    doubts = bool(said) and (bool(untold) or is_apart or is_weak or many)
    named = {word for it in recognised.things for word in words_in(it.used)}
    corrected = [it for it in terms if it.written and it.written not in named]
    said += [f"No rule has “{it.written}”, so “{it.word}” was searched instead." for it in corrected]
    doubts = doubts or any(f" {it.written.capitalize()}" in recognised.text for it in corrected)
    return tuple(said), bool(untold) or (is_apart and bool(words)), bool(elsewhere) or doubts


def best_rules(
    session: Session, recognised: Recognition, limit: int, beside: AlsoSought
) -> list[tuple[str, float]]:
    """Return the numbers and scores of the passages that `closest` finds in one edition, and nothing else."""
    one = _ranked(session, recognised.scope.edition, recognised, beside)
    return [(one.candidates.places[it].number, one.ranking.totals[it]) for it in one.ranking.best(limit)]


def other_rules(session: Session, recognised: Recognition) -> tuple[str, list[str]]:
    """Return the loaded rules of another kind, such as tournament rules, that have most of a question.

    Also return the words that show it; without such words, ``""``.
    """
    here = session.index(recognised.scope.edition)
    others = [it.id for it in session.editions() if it.documents[0].kind == DocumentKind.NUMBERED]
    names, text = [it.used for it in recognised.standing], recognised.text
    found = {it: words_of_other_rules(here, session.index(it), text, names) for it in others}
    telling = [*dict.fromkeys(word for own in found.values() for word in own)]
    fits = {it: fit_of(session, recognise(session, text, it)) for it in (others if telling else ())}
    return max(fits, key=lambda it: (fits[it][0], len(found[it]), fits[it][1]), default=""), telling


def fit_of(session: Session, recognised: Recognition) -> tuple[float, float]:
    """Return which share of a question the best fitting passages of an edition have, and the best score."""
    one = _ranked(session, recognised.scope.edition, recognised, None)
    best = one.ranking.best(LIMIT)
    covered = (one.candidates.covered(one.ranking, one.terms, it) for it in best)
    return round(max(covered, default=0.0), 3), max(one.ranking.totals.values(), default=0.0)


def _row(one: _Candidate, text: str, name_of: Callable[[str], str]) -> PassageRow:
    edition, candidates = one.of.edition, one.of.candidates
    place, why = candidates.places[one.it], reason(candidates, one.of.ranking, one.it, name_of)
    total = round(one.total, 3)
    return PassageRow(place.number or None, text, edition, place.document, place.line, total, why, one.iri)


def candidates_of(session: Session, edition: str) -> Candidates:
    """Return the passages of an edition that can be answers, read once in a session."""
    return session.once(_read_candidates, edition)


def _read_candidates(session: Session, edition: str) -> Candidates:
    return Candidates(session.index(edition))


def _ranked(
    session: Session, edition: str, recognised: Recognition, cards: AlsoSought | None, cases: bool = False
) -> _Ranked:
    beside = cards or AlsoSought()
    text, recognised = beside.whole or recognised.text, without_lacked(session, recognised)
    candidates = candidates_of(session, edition)
    terms = [it for it in recognised.standing if it.kind == "term"]
    rules = [it.name for it in recognised.standing if it.kind != "term"]
    otherwise = {it.name: it.how in _OTHERWISE for it in terms}
    right = [it.used for it in recognised.things if it.how is not How.MISSPELT]
    sought = sought_in(candidates.index, _in_names(recognised), otherwise, right)
    slugs = [session.iris.parse(it.iri).key for it in terms]
    known_stems = {it.stem for it in sought}
    for word, stem in stems(list(beside.words)).items():
        if stem and stem not in known_stems and not candidates.is_of_variants(stem):
            sought.append(Sought(stem, word, beside.words[word], True, said=False))
    others = {slug: weight for slug, weight in beside.terms.items() if slug not in slugs}
    alone = len(recognised.standing) == 1 and all(
        it.stands and not words_in(recognised.text[: it.start] + " " + recognised.text[it.end :])
        for it in recognised.things
    )
    timing = _WHEN.match(recognised.text) is not None
    players = [slug for slug, it in zip(slugs, terms, strict=True) if it.how is How.PLAYERS]
    nouns = [_is_noun(recognised.text, it) for it in terms]
    bodies = {slug: candidates.body_of(slug, noun=it) for slug, it in zip(slugs, nouns, strict=True)}
    ranking = candidates.rank(
        sought, bodies, rules, others, timing=timing, alone=alone, aside=beside.asks, players=players
    )
    candidates.count_met(ranking, beside.met)
    alike = cases_alike(session, text, edition, beside.words) if cases else []
    candidates.count_cases(ranking, votes(alike), of_cards=cards is not None)
    return _Ranked(edition, candidates, sought, ranking, alike, candidates.count_list(ranking))


def _is_noun(text: str, it: Recognised) -> bool:
    """Return whether words use a name, or one that ends with it, as a noun: *a charge counter*."""
    ends = it.used.lower().removesuffix("s").endswith(it.name.lower())
    return ends and not is_verb(text, it.start, it.end, it.name)


def _in_names(recognised: Recognition) -> str:
    """Return a question without rule numbers, and with names for words spelled quite differently from them.

    Numbers are not searched for. In the rules *die* and *dies* are different things, and *planes walkers* is
    one word.
    """
    text = recognised.text
    for it in reversed(recognised.things):
        if it.how is How.NUMBER or (it.how is How.FORM and _is_otherwise(it.used, it.name)):
            text = f"{text[: it.start]} {'' if it.how is How.NUMBER else it.name} {text[it.end :]}"
    return " ".join(text.split())


def _is_otherwise(used: str, name: str) -> bool:
    """Return whether a form begins differently from a name, or splits or joins its words."""
    small, named = used.lower(), name.lower()
    if named in other_forms(small):
        one, other = (beginnings([stem]) for stem in stems([small, named]).values())
        return one.isdisjoint(other)
    closed = ["".join(words_in(it)).removesuffix("s") for it in (small, named)]
    return closed[0] == closed[1] and len(words_in(small)) != len(words_in(named))


def _is_enough(one: _Ranked, passage: int) -> bool:
    """Return whether a passage has enough words of a question that names nothing."""
    words = one.ranking.adds["words"]
    wanted = {it.stem for it in one.terms if it.substantial and it.said and it.word not in ALSO}
    wanted |= {stem for term in one.terms for stem in term.instead_of}
    having = {stem for it in one.terms if passage in words[it.word] for stem in (it.stem, *it.instead_of)}
    return len(having & wanted) >= min(_ENOUGH, len(wanted)) and not having.isdisjoint(wanted)


def _parts(ranking: Ranking, it: int) -> dict[str, float]:
    return {kind: round(sum(own.values()), 3) for kind, own in ranking.grounds(it).items()}


def _understood(recognised: Recognition, terms: Sequence[Sought], found: bool) -> Iterator[str]:
    """Yield sentences on how the question was understood."""
    things: dict[str, str] = {}
    for it in recognised.things:
        otherwise = it.how in _OTHERWISE
        things.setdefault(it.name, f"{it.name} (“{it.used}”, {it.how})" if otherwise else it.name)
    if things:
        yield f"Recognised: {', '.join(things.values())}."
    if words := [term.word for term in terms if term.substantial and term.said]:
        yield f"Looked for: {', '.join(words)}."
    if not found:
        yield "No term matched, and no rule contains enough of these words."
