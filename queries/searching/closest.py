"""A question in anybody's words becomes the rules that are closest to it: passages to read, and no ruling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ..recognising.lexicon import How
from ..recognising.naming import known_names
from ..recognising.recognition import Recognition
from ..session import Cells, Session
from . import weights
from .found import COLUMNS, Passages, texts_of
from .grammar import Wanted
from .marks import marks
from .ranking import Candidates, Ranking
from .reasons import reason
from .terms import Sought, sought_in
from .whether import Whether, telling, whether

LIMIT = 10
"""How many passages are shown at most."""

NAME = "closest_rules"
"""What the answer is called, as a question of the catalogue is by its name."""

HEADING = "The closest rules, word for word. They are no ruling: whether they settle it is yours to judge."

_ENOUGH = 2
"""How many words of substance a passage has at least where the question names nothing, unless it has all."""

_OTHERWISE = (How.OLD, How.PLAYERS, How.MISSPELT)
"""How a thing is named in words that its passages do not have."""

_FAR = 0.15
"""What scores less than such a part of the best is left out."""

_CANDIDATES: WeakKeyDictionary[Session, dict[str, Candidates]] = WeakKeyDictionary()


class _Ranked(NamedTuple):
    """What one edition gives: its candidates with their scores, and the words that were looked for."""

    edition: str
    candidates: Candidates
    terms: Sequence[Sought]
    ranking: Ranking


class _Candidate(NamedTuple):
    """One passage of one edition, by its id and its IRI."""

    it: int
    iri: str
    total: float
    of: _Ranked


def closest(session: Session, recognised: Recognition, *, limit: int = LIMIT) -> Passages:
    """Find the passages that are closest to a question, the best first, each with its reason.

    Columns are those of a search; of several editions that say the same in the same words, the newest is
    told. The notes say what was understood. There is no row when the question names nothing of the
    edition and no passage has enough of its words.
    """
    preferred = known_names(session).preferred

    def name_of(slug: str) -> str:
        return preferred.get(session.iris.term(slug), slug)

    ranked = [_ranked(session, edition, recognised) for edition in recognised.scope.editions]
    found = [
        _Candidate(it, f"{session.iris.edition(one.edition)}/{one.candidates.places[it].iri}", total, one)
        for one in ranked
        for it in one.ranking.best(limit)
        if (total := one.ranking.totals[it]) and (recognised.standing or _is_enough(one, it))
    ]
    texts = texts_of(session, recognised.scope, [one.iri for one in found])
    first = {texts[one.iri]: one for one in reversed(found)}
    found = sorted(first.values(), key=lambda one: -one.total)[:limit]
    found = [one for one in found if one.total >= _FAR * found[0].total]
    terms = ranked[0].terms if ranked else ()
    return Passages(
        NAME,
        COLUMNS,
        tuple(_row(one, texts[one.iri], name_of) for one in found),
        recognised.scope.label,
        tuple(_understood(recognised, terms, bool(found))),
        marks=marks(
            [texts[one.iri] for one in found], [Wanted((it.word,)) for it in terms if it.substantial]
        ),
        parts=tuple(_parts(one.of.ranking, one.it) for one in found),
        heading=HEADING if found else "",
    )


def _row(one: _Candidate, text: str, name_of: Callable[[str], str]) -> Cells:
    edition, candidates, _, ranking = one.of
    place = candidates.places[one.it]
    why = reason(candidates, ranking, one.it, name_of)
    return place.number or None, text, edition, place.document, place.line, round(one.total, 3), why, one.iri


def _ranked(session: Session, edition: str, recognised: Recognition) -> _Ranked:
    known = _CANDIDATES.setdefault(session, {})
    if edition not in known:
        known[edition] = Candidates(session.index(edition))
    candidates = known[edition]
    terms = [it for it in recognised.standing if it.kind == "term"]
    rules = [it.name for it in recognised.standing if it.kind != "term"]
    otherwise = {it.name: it.how in _OTHERWISE for it in terms}
    understood = [it.used for it in recognised.things if it.how is not How.MISSPELT]
    sought = sought_in(candidates.index, _without_numbers(recognised), otherwise, understood)
    slugs = [session.iris.parse(it.iri).key for it in terms]
    ranking = candidates.rank(sought, slugs, rules)
    asked = whether(recognised)
    if asked:
        _say(session, recognised, asked, _Ranked(edition, candidates, sought, ranking))
    return _Ranked(edition, candidates, sought, ranking)


def _say(session: Session, recognised: Recognition, asked: Whether, ranked: _Ranked) -> None:
    """Add to the passages that say of one thing that it is the other, or is not, what they get for that."""
    _, candidates, _, ranking = ranked
    speaking = [
        {it for thing in things for it in ranking.speaks.get(session.iris.parse(thing.iri).key, ())}
        for things in asked
    ]
    both = {
        f"{session.iris.edition(ranked.edition)}/{candidates.places[it].iri}": it
        for it in sorted(set.intersection(*speaking))
    }
    found = telling(asked, texts_of(session, recognised.scope, list(both)))
    pair = f"{asked.first[0].name} is {asked.second[0].name}"
    ranking.add("says", pair, {both[iri]: weights.SAYS for iri in found})


def _without_numbers(recognised: Recognition) -> str:
    """Return a question without the numbers of rules in it, which are no words to look for."""
    text = recognised.text
    for it in recognised.things:
        if it.how is How.NUMBER:
            text = text[: it.start] + " " * (it.end - it.start) + text[it.end :]
    return text


def _is_enough(one: _Ranked, it: int) -> bool:
    """Tell whether a passage has enough of the words of a question that names nothing."""
    wanted = [term.word for term in one.terms if term.substantial and term.said]
    having = sum(it in one.ranking.words[word] for word in wanted)
    return having >= min(_ENOUGH, len(wanted)) and having > 0


def _parts(ranking: Ranking, it: int) -> dict[str, float]:
    return {kind: round(sum(own.values()), 3) for kind, own in ranking.grounds(it).items()}


def _understood(recognised: Recognition, terms: Sequence[Sought], found: bool) -> Iterator[str]:
    """Yield what was understood of a question, as sentences for people."""
    things: dict[str, str] = {}
    for it in recognised.things:
        otherwise = it.how in _OTHERWISE
        things.setdefault(it.name, f"{it.name} (“{it.used}”, {it.how})" if otherwise else it.name)
    if things:
        yield f"Recognised: {', '.join(things.values())}."
    words = [term.word for term in terms if term.substantial and term.said]
    if words:
        yield f"Looked for: {', '.join(words)}."
    if not found:
        yield "It names nothing that stands there, and no rule has enough of its words."
