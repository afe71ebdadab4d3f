"""What a store calls its terms becomes a lexicon, what a name may mean what it means in an edition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ...loaders.history.renamed import bundled_renamings
from ...loaders.language.lexicon import How, Lexicon, Meaning
from ...ontology.iris import slug
from ...ontology.resources import players_words
from ..session import Scope, Session


class NameBook(NamedTuple):
    """The names of a store: where they are found, and the preferred one of each term, by IRI."""

    lexicon: Lexicon
    preferred: Mapping[str, str]


class Meant(NamedTuple):
    """One thing that a name stands for in an edition; `stands` is False for what only others have.

    `note` tells how players use the word.
    """

    kind: str
    iri: str
    name: str
    how: How
    stands: bool = True
    note: str = ""


_MEANT: WeakKeyDictionary[Session, dict[tuple[str, tuple[Meaning, ...]], tuple[Meant, ...]]] = (
    WeakKeyDictionary()
)
"""What names came to in a session: a question has the same ones in many of its readings."""

_MOST_MEANT = 5_000

_KNOWN: WeakKeyDictionary[Session, NameBook] = WeakKeyDictionary()


def known_names(session: Session) -> NameBook:
    """Return all names of a store; they are read once in a session."""
    if session not in _KNOWN:
        _KNOWN[session] = _names(session)
    return _KNOWN[session]


def _names(session: Session) -> NameBook:
    rows = session.run("recognising", "names", (session.iris.graph("terms"),))
    preferred = {str(thing): str(label) for label, thing, kind in rows if kind == "preferred"}
    notes = {(word, thing): note for thing, word, note in players_words(session.iris.base)}
    found: dict[str, list[Meaning]] = defaultdict(list)
    for label, thing in sorted((str(label), str(thing)) for label, thing, _ in rows):
        note = notes.get((label, thing), "")
        found[label].append(Meaning(thing, How.PLAYERS if note else How.EXACT, note))
    for it in bundled_renamings():
        for given_up, used in ((it.old, it.new), (it.new, it.old)):
            iri = session.iris.term(slug(used))
            is_free = given_up not in found and session.iris.term(slug(given_up)) not in preferred
            if iri in preferred and is_free:
                found[given_up].append(Meaning(iri, How.OLD))
    return NameBook(Lexicon(found), preferred)


def meant_in(
    session: Session, scope: Scope, preferred: Mapping[str, str], given: Iterable[tuple[Meaning, ...]]
) -> dict[tuple[Meaning, ...], tuple[Meant, ...]]:
    """Return what each of several lists of meanings comes to in a scope.

    What stands there comes before what does not, a name as it is written before other forms, names before
    players' words; a term that was renamed is the one that it is called in the edition. Only players'
    words mean several things at once.
    """
    asked_for = dict.fromkeys(meanings for meanings in given if meanings)
    known = _MEANT.setdefault(session, {})
    if len(known) > _MOST_MEANT:
        known.clear()
    missing = [meanings for meanings in asked_for if (scope.label, meanings) not in known]
    found = _meant_in(session, scope, preferred, missing) if missing else {}
    known.update(((scope.label, meanings), things) for meanings, things in found.items())
    return {meanings: known[scope.label, meanings] for meanings in asked_for}


def _meant_in(
    session: Session, scope: Scope, preferred: Mapping[str, str], lists: Sequence[tuple[Meaning, ...]]
) -> dict[tuple[Meaning, ...], tuple[Meant, ...]]:
    things = {meaning.thing for meanings in lists for meaning in meanings}
    partners = _partners(session, things)
    asked = sorted(things.union(*partners.values()))
    rows = session.run("finding", "standing", scope, {"term": asked}) if asked else []
    standing = {str(row[0]) for row in rows}
    unnamed = sorted(things - preferred.keys())
    rules = session.run("recognising", "rules_of", scope, {"provision": unnamed}) if unnamed else []
    numbers = {str(provision): (str(rule), str(number)) for provision, rule, number in reversed(rules)}

    def meant(meaning: Meaning) -> Meant | None:
        iri, how = meaning.thing, How.FORM if meaning.bent and meaning.how is How.EXACT else meaning.how
        if iri in numbers:
            return Meant("rule", *numbers[iri], how, note=meaning.note)
        if iri not in preferred:
            return None
        if iri in standing:
            return Meant("term", iri, preferred[iri], how, note=meaning.note)
        for other in partners.get(iri, ()):
            if other in standing:
                return Meant("term", other, preferred[other], How.OLD)
        return Meant("term", iri, preferred[iri], how, stands=False)

    found = {}
    for meanings in lists:
        ranked = sorted(
            ((not it.stands, meaning.bent, it.how is How.PLAYERS), it)
            for meaning in meanings
            if (it := meant(meaning))
        )
        best = [it for rank, it in ranked if rank == ranked[0][0]]
        several = bool(best) and best[0].how is How.PLAYERS
        found[meanings] = tuple(dict.fromkeys(best)) if several else tuple(best[:1])
    return found


def _partners(session: Session, terms: set[str]) -> dict[str, list[str]]:
    """Return, for each of some terms, what it was renamed to, then what it was before."""
    if not terms:
        return {}
    found: dict[str, list[str]] = defaultdict(list)
    graph = (session.iris.graph("terms"),)
    rows = session.run("finding", "renamed", graph, {"term": sorted(terms)})
    for term, other, *_ in sorted(rows, key=lambda row: row[3] != "later"):
        found[str(term)].append(str(other))
    return found
