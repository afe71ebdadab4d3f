"""Find the names of things in a user's text, and say where each is and how it was recognised."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...loaders.history.lives import bundled_lives
from ...loaders.language.everyday import COMMON_OPENINGS, SMALL, corrected
from ...loaders.language.lexicon import How, Lexicon, Meaning, Name, Read, read
from ...loaders.language.words import without_possessive
from ...ontology import GAME, TYPE, grouped, literal, players_words, slug
from ..session import Scope, Session
from .names import names_and_terms
from .things import numbered

UNTOUCHED = COMMON_OPENINGS | SMALL
"""Words that are never taken for misspelled names."""

LONGEST = 4000
"""The number of characters of a text that are read; no question is longer."""


_OF_PLAYING = re.compile(r" (?:Variant|Option)$")
"""The last word in the name of a way to play, which people leave out."""

_LACKED = re.compile(
    r"(?:\b(?:no|without|lack(?:s|ing)?|has not|ha(?:s|d)n['’]?t)|(?:n['’]?t|\bnot) have)(?: an?| any)? $",
    re.IGNORECASE,
)
"""The words before something's name that say that it is missing."""

_MOST_READ = 200
"""The number of texts cached in a session, since one question is read several times."""


class Recognised(NamedTuple):
    """A thing named in a text at ``text[start:end]``, in code points.

    `kind` is ``"term"``, ``"rule"``, ``"section"``, ``"entry"``, ``"paragraph"``, ``"ruling"``, ``"edition"``
    or ``"date"``. `iri` is the thing in the requested edition or, for a date, the edition in force on it
    (empty if there is none). `name` is its preferred name, number or id, or the date in its shortest form.
    `stands` is False if only other editions have it. `note` says how players use the word.
    """

    kind: str
    iri: str
    name: str
    used: str = ""
    start: int = 0
    end: int = 0
    how: How = How.EXACT
    stands: bool = True
    note: str = ""


class Recognition(NamedTuple):
    """The things named in a text, in order, and the graphs in which they were looked up.

    `read` has the tokens of the text, and its content, whether or not a store has it. `rest` has the words
    that name nothing, in lower case, each once.
    """

    text: str
    things: tuple[Recognised, ...]
    scope: Scope
    rest: tuple[str, ...]
    read: Read

    @property
    def standing(self) -> tuple[Recognised, ...]:
        """The terms and rules that the edition has, each once."""
        seen: dict[str, Recognised] = {}
        for it in self.things:
            if it.stands and it.kind not in ("edition", "date"):
                seen.setdefault(it.iri, it)
        return tuple(seen.values())


def _read(_: Session) -> dict[tuple[str, str | None], Recognition]:
    return {}


def recognise(session: Session, text: str, edition: str | None = None) -> Recognition:
    """Return the terms, rules, editions and dates that a text names, for an edition (see `Session.scope`).

    Names are found in any case and form, including old names and players' words. Within a longer name no
    shorter one is found, and no word in its everyday sense. A misspelled name is found if only one name is
    close. A word with several meanings gives several things at the same place. Only the first `LONGEST`
    characters are read. The same text always gives the same result. Raises `UnknownNameError` for an edition
    that is not loaded.
    """
    known = session.once(_read)
    if (text, edition) not in known:
        if len(known) >= _MOST_READ:
            known.clear()
        known[text, edition] = _recognised(session, text[:LONGEST], session.scope(edition))
    return known[text, edition]


def _recognised(session: Session, text: str, scope: Scope) -> Recognition:
    names = known_names(session)
    was = read(text, names, lambda words: _corrections(session, scope, words, names.words))
    found = [*_editions(session, was), *_numbers(session, scope, was), *_labelled(session, scope, text)]
    things = meant_in(session, scope, [it.meanings for it in was.names])
    left = dict.fromkeys(it.fold for it in was.rest)
    for it in was.names:
        named = [_named(text, it, meant) for meant in things[it.meanings]]
        found += named
        if not named:
            left |= dict.fromkeys(token.fold for token in was.tokens[it.first : it.last])
    return Recognition(
        text, tuple(sorted(found, key=lambda it: (it.start, -it.end))), scope, tuple(left), was
    )


def without_lacked(session: Session, recognised: Recognition) -> Recognition:
    """Return what a text names, without keyword abilities that it only calls missing, blanked in the text.

    *Without trample* asks for the rules in that case. If the text names nothing else, all are kept.
    """
    text = recognised.text
    lacked = [it for it in recognised.things if _LACKED.search(text[: it.start])]
    if not lacked:
        return recognised
    keywords = {
        session.iris.term(session.iris.parse(it).key)
        for it, _ in session.pairs(recognised.scope, TYPE, to=[GAME.KeywordAbility])
    }
    left = {it.iri for it in recognised.things if it not in lacked or it.iri not in keywords}
    if not left:
        return recognised
    for it in recognised.things:
        if it.iri not in left:
            text = f"{text[: it.start]}{' ' * len(it.used)}{text[it.end :]}"
    return recognised._replace(text=text, things=tuple(it for it in recognised.things if it.iri in left))


def _corrections(
    session: Session, scope: Scope, words: Iterable[str], known: frozenset[str]
) -> Mapping[str, str]:
    """Return misspelled word → the word of `known` that it stands for; words used in the scope are right."""
    near = {word: meant for word in sorted({*words} - UNTOUCHED) if (meant := corrected(word, known))}
    if not near:
        return near
    rows = session.run("finding", "words_used", scope, {"letters": map(literal, near)})
    used = {str(word) for word, text in rows if _is_used(str(word), str(text))}
    return {word: meant for word, meant in near.items() if word not in used}


def _is_used(word: str, text: str) -> bool:
    return re.search(rf"\b{word}(?:s|es|ed|ing)?\b", text, re.IGNORECASE) is not None


def _named(text: str, name: Name, it: Recognised) -> Recognised:
    how = How.MISSPELT if name.misspelled else it.how
    used = without_possessive(text[name.start : name.end])
    return it._replace(used=used, start=name.start, end=name.start + len(used), how=how)


def _numbers(session: Session, scope: Scope, was: Read) -> Iterator[Recognised]:
    if not was.numbers:
        return
    wanted = [it.number for it in was.numbers]
    here, elsewhere = numbered(session, wanted, scope), numbered(session, wanted, None)
    for it in was.numbers:
        found = here.get(it.number) or elsewhere.get(it.number)
        if found:
            used, how = was.text[it.start : it.end], How.NUMBER
            stands = it.number in here
            yield Recognised(found.kind, found.iris[0], it.number, used, it.start, it.end, how, stands)


_LABEL = re.compile(r"\b(?:sub)?(?P<label>(?P<word>[a-z]{3,12}) (?P<place>\d[a-z]?))\b", re.IGNORECASE)


def _labelled(session: Session, scope: Scope, text: str) -> Iterator[Recognised]:
    """Yield the rules whose text begins with a label that a text names: *layer 7b*, *sublayer 7b*."""
    for said in _LABEL.finditer(text) if scope.editions else ():
        begin = "SELECT number FROM passage WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?)"
        label = f'text : ^"{said["word"].removeprefix("sub")} {said["place"]}"'
        own = [number for (number,) in session.index(scope.edition).execute(begin, (label,)) if number]
        for number, found in numbered(session, own, scope).items() if len(own) == 1 else ():
            yield Recognised(found.kind, found.iris[0], number, said[0], said.start(), said.end(), How.NUMBER)


def _editions(session: Session, was: Read) -> Iterator[Recognised]:
    """Yield the editions that a text names by id, and its dates, with the editions in force on them."""
    if not was.editions and not was.days:
        return
    editions = session.editions()
    loaded = {edition.id for edition in editions}
    for _, id_, start, end in was.editions:
        stands = id_ in loaded
        iri = session.iris.edition(id_) if stands else ""
        yield Recognised("edition", iri, id_, was.text[start:end], start, end, How.EXACT, stands)
    for it in was.days:
        in_force = next((e.id for e in editions if e.issued and e.has_history and e.issued <= it.last), "")
        iri = session.iris.edition(in_force) if in_force else ""
        used = was.text[it.start : it.end]
        yield Recognised("date", iri, it.name, used, it.start, it.end, How.DATE, bool(in_force))


_MOST_MEANT = 5_000
"""The number of lookups of names cached in a session, since readings of a question share most of them."""


def known_names(session: Session) -> Lexicon:
    """Return the finder of all names of a store, made once in a session."""
    return session.once(_read_names)


def _read_names(session: Session) -> Lexicon:
    preferred, called = session.once(names_and_terms)
    notes = {(word, thing): note for thing, word, note in players_words(session.iris.base)}
    found: dict[str, list[Meaning]] = defaultdict(list)
    for label, thing in called:
        note = notes.get((label, thing), "")
        found[label].append(Meaning(thing, How.PLAYERS if note else How.EXACT, note))
    for label, thing in called:
        bare = _OF_PLAYING.sub("", label)
        if bare not in found:
            found[bare].append(Meaning(thing))
    for it in bundled_lives().renamings:
        for given_up, used in ((it.old, it.new), (it.new, it.old)):
            iri = session.iris.term(slug(used))
            is_free = given_up not in found and session.iris.term(slug(given_up)) not in preferred
            if iri in preferred and is_free:
                found[given_up].append(Meaning(iri, How.OLD))
    return Lexicon(found)


def meant_in(
    session: Session, scope: Scope, given: Iterable[tuple[Meaning, ...]]
) -> dict[tuple[Meaning, ...], tuple[Recognised, ...]]:
    """Return what each of several lists of meanings stands for in a scope.

    Things in the scope go before others, exact names before other forms, names before players' words. Of a
    renamed term the one with its name in the edition is taken. Only players' words can mean several things at
    once.
    """
    asked_for = dict.fromkeys(meanings for meanings in given if meanings)
    known = session.once(_meant)
    if len(known) > _MOST_MEANT:
        known.clear()
    missing = [meanings for meanings in asked_for if (scope.label, meanings) not in known]
    found = _meant_in(session, scope, missing) if missing else {}
    known.update(((scope.label, meanings), things) for meanings, things in found.items())
    return {meanings: known[scope.label, meanings] for meanings in asked_for}


def _meant(_: Session) -> dict[tuple[str, tuple[Meaning, ...]], tuple[Recognised, ...]]:
    return {}


def _meant_in(
    session: Session, scope: Scope, lists: Sequence[tuple[Meaning, ...]]
) -> dict[tuple[Meaning, ...], tuple[Recognised, ...]]:
    preferred, _ = session.once(names_and_terms)
    things = {meaning.thing for meanings in lists for meaning in meanings}
    partners = _partners(session, things)
    asked = sorted(things.union(*partners.values()))
    rows = session.run("finding", "standing", scope, {"term": asked}) if asked else []
    standing = {str(row[0]) for row in rows}
    unnamed = sorted(things - preferred.keys())
    rules = session.run("finding", "rules_of", scope, {"provision": unnamed}) if unnamed else []
    numbers = {str(provision): (str(rule), str(number)) for provision, rule, number in reversed(rules)}

    def meant(meaning: Meaning) -> Recognised | None:
        iri, how = meaning.thing, How.FORM if meaning.inflected and meaning.how is How.EXACT else meaning.how
        if iri in numbers:
            return Recognised("rule", *numbers[iri], how=how, note=meaning.note)
        if iri not in preferred:
            return None
        if iri in standing:
            return Recognised("term", iri, preferred[iri], how=how, note=meaning.note)
        for other in partners.get(iri, ()):
            if other in standing:
                return Recognised("term", other, preferred[other], how=How.OLD)
        return Recognised("term", iri, preferred[iri], how=how, stands=False)

    found = {}
    for meanings in lists:
        ranked = sorted(
            ((not it.stands, meaning.inflected, it.how is How.PLAYERS), it)
            for meaning in meanings
            if (it := meant(meaning))
        )
        best = [it for rank, it in ranked if rank == ranked[0][0]]
        several = bool(best) and best[0].how is How.PLAYERS
        found[meanings] = tuple(dict.fromkeys(best)) if several else tuple(best[:1])
    return found


def _partners(session: Session, terms: set[str]) -> dict[str, list[str]]:
    """Return term → what it was renamed to, then what it was before."""
    if not terms:
        return {}
    graph = (session.iris.graph("terms"),)
    rows = session.run("finding", "renamed", graph, {"term": sorted(terms)})
    rows.sort(key=lambda row: row[3] != "later")
    return grouped((str(term), str(other)) for term, other, *_ in rows)
