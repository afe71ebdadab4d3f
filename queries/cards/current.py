"""The newest card data set of a store, which questions use, with the terms on its cards and their rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from ...loaders.cards.records import WORD, key_of
from ...loaders.editions import StoredSet, stored_sets
from ...loaders.language.numbers import order
from ...loaders.language.verbs import is_verb
from ...loaders.language.words import sentences
from ...ontology import GAME, RG, SKOS, TYPE, UsageError, grouped, literal, slug
from ..evidence.links import NameFinder
from ..session import Answer, Cells, Scope, Session

NO_CARDS = "No cards are loaded: `rulesgraph build` reads MTGJSON's and Scryfall's files."

_VERY_NEAR, _SAME = 87, 93
"""The minimum likeness, in percent, of words to a card's name: to suggest it; to use it if no other fits."""

FEW = 20
"""A term that no more cards than this name is never too common."""

_COMMON = 0.2
"""If more than this share of cards name a term, it says nothing about what two cards have in common."""

_GIVEN = re.compile(r"\b(?:has|have|gains?)\b", re.IGNORECASE)
"""Matches how a card gives an ability to itself or to others."""


class NamedCard(NamedTuple):
    """One card that a text names: ``text[start:end]``; `iri` is empty for one that is not loaded.

    It is also empty if the words begin the names of several cards, or resemble one; `begun` maps their names
    to IRIs.
    """

    name: str
    used: str
    start: int
    end: int
    iri: str = ""
    begun: Mapping[str, str] = MappingProxyType({})


def card_sets(session: Session) -> tuple[StoredSet, ...]:
    """Return the card data sets of a store, newest first; a session looks them up once."""
    return session.once(_newest_first)


def _newest_first(session: Session) -> tuple[StoredSet, ...]:
    return tuple(stored_sets(session.store).values())[::-1]


def current_cards(session: Session) -> StoredSet | None:
    """Return the newest card data set, or None if no cards are loaded."""
    return next(iter(card_sets(session)), None)


def required_cards(session: Session) -> StoredSet:
    """Return the newest card data set; raises `UsageError` if no cards are loaded."""
    data = current_cards(session)
    if data is None:
        what, _, way_out = NO_CARDS.partition(": ")
        raise UsageError(what.lower(), way_out=way_out)
    return data


def about_cards(
    session: Session, data: StoredSet, name: str, values: Mapping[str, Iterable[str | Sequence[str]]]
) -> list[Cells]:
    """Run `cards/{name}.rq` on a card data set only."""
    return session.run("cards", name, data.graphs(session.iris), values)


def listed_types(session: Session, name: str) -> tuple[str, ...]:
    """Return the IRIs of a type of cards without an entry, such as *Treasure*, and of tokens with that name.

    They may also be that of an ability word. Returns nothing if there is neither.
    """
    # Only for questions about cards.
    from ...loaders.language.names import singular

    data = current_cards(session)
    forms = [session.iris.term(slug(it)) for it in (name, singular(name))]
    found = session.pairs(data.graphs(session.iris), SKOS.prefLabel, of=forms) if data else ()
    return next(((str(it), f"{it}-token") for it, _ in found), ())


def is_ability_word(session: Session, name: str) -> bool:
    """Return whether cards of the newest data set have an ability word, without an entry, of this name."""
    data = current_cards(session)
    it = session.iris.term(slug(name))
    kinds = session.pairs(data.graphs(session.iris), TYPE, RG.hasKind, of=[it]) if data else []
    return {str(kind) for _, kind in kinds} >= {GAME.AbilityWord, RG.Term}


def is_type(session: Session, name: str) -> bool:
    """Return whether cards of the newest data set have a type, subtype or supertype of this name."""
    # Only for questions about cards.
    from ...loaders.language.names import singular

    data = current_cards(session)
    it = session.iris.term(slug(singular(name)))
    return bool(data and session.pairs(data.graphs(session.iris), RG.hasType, to=[it]))


def types_called(session: Session, words: str) -> tuple[str, ...]:
    """Return the types that words name: one in all, one for each word (*legendary creatures*), or none."""
    several = words.split()
    return (
        (words,)
        if is_type(session, words)
        else tuple(several)
        if all(map(partial(is_type, session), several))
        else ()
    )


def of_all_types(answers: Sequence[Answer]) -> Answer:
    """Return the rows of the cards, or faces, that are in each of some lists by their type."""
    having = [{row[:2] for row in it.rows if it.name != "cards_with" or row[2] == "type"} for it in answers]
    return answers[0]._replace(
        rows=tuple(row for row in answers[0].rows if row[:2] in set.intersection(*having))
    )


def cards_called(session: Session, names: Iterable[str]) -> dict[str, str]:
    """Return name → IRI of the cards, or cards with a face, that have these names."""
    data = current_cards(session)
    keys = {name: key_of(name) for name in names}
    if data is None or not keys:
        return {}
    rows = about_cards(session, data, "keys", {"key": [literal(it) for it in sorted({*keys.values()})]})
    exact = {(str(found), str(title)): str(card) for found, _, card, title in rows}
    # A card's own name is shorter than that of a card that has such a face.
    any_of = {found: card for (found, _), card in sorted(exact.items(), key=lambda it: -len(it[0][1]))}
    found = {name: exact.get((own, name)) or any_of.get(own, "") for name, own in keys.items()}
    return {name: iri for name, iri in found.items() if iri}


def cards_begun(session: Session, words: str) -> dict[str, str]:
    """Return name → IRI of the cards whose name, or a face's name, begins with some words.

    Names that continue with a comma, as those of characters do, come first.
    """
    begins = re.compile(rf"{re.escape(words.strip())}\b(?P<person>,)?", re.IGNORECASE)
    found = ((begins.match(title), title, iri) for title, iri in session.once(titles).items())
    ordered = sorted(((not match["person"], title, iri) for match, title, iri in found if match))
    return {title: iri for _, title, iri in ordered}


def cards_like(session: Session, words: str, least: int, most: int) -> dict[str, str]:
    """Return name → IRI of the cards whose names, or equally many words of them, are most like some words.

    There are `most` cards at most, each at `least` this similar, in percent.
    """
    # Only unknown words get here.
    from rapidfuzz.fuzz import ratio
    from rapidfuzz.process import extract

    known = session.once(_parts, min(len(words.split()), session.once(_longest)))
    near = extract(words.lower(), list(known), scorer=ratio, score_cutoff=least, limit=most)
    return {known[it]: session.once(titles)[known[it]] for it, _, _ in near}


def _longest(session: Session) -> int:
    """Return the number of words in the longest name."""
    return max((len(title.split()) for title in session.once(titles)), default=0)


def _parts(session: Session, size: int) -> dict[str, str]:
    """Return lower-case names, and runs of that many words in names, each with the whole name."""
    split = ((title, title.lower().split()) for title in session.once(titles))
    known = {" ".join(own[place:][:size]): title for title, own in split for place in range(len(own))}
    return known | {title.lower(): title for title in session.once(titles)}


def titles(session: Session) -> dict[str, str]:
    """Return name → IRI of all cards and their faces; this is slow, so use `Session.once`."""
    data = current_cards(session)
    rows = about_cards(session, data, "titles", {}) if data else []
    faces = {face: str(card) for card, it in rows for face in str(it).split(" // ")}
    return faces | {str(it): str(card) for card, it in rows}  # a card's own name comes before a face's


def nearly_called(session: Session, used: str, start: int) -> NamedCard | None:
    """Return the card with nearly this name, with its IRI only if its whole name alone is very similar."""
    near = cards_like(session, used, _VERY_NEAR, 1)
    if not near:
        return None
    [(name, iri)] = near.items()
    is_whole = len(WORD.findall(name)) == len(WORD.findall(used))
    is_same = is_whole and cards_like(session, used, _SAME, 2) == near
    end = start + len(used)
    return NamedCard(name if is_same else used, used, start, end, iri if is_same else "", near)


class TermOnCard(NamedTuple):
    """A term's name in an edition, and the rule about it: its number and title."""

    name: str
    number: str | None
    title: str | None

    @property
    def ground(self) -> str:
        """The name with the number, as in *Protection (702.16)*."""
        return f"{self.name} ({self.number})" if self.number else self.name


RulesOfTerms = Mapping[str, tuple[Sequence[TermOnCard], Sequence[TermOnCard]]]
"""The rules about things and about actions that terms name."""


def named_terms(session: Session, scope: Scope, terms: Iterable[str]) -> dict[str, TermOnCard]:
    """Return the names of terms in an edition, and the first rules about them."""
    return {
        term: min(things + actions, key=lambda it: (not it.number, order(it.number) if it.number else ()))
        for term, (things, actions) in terms_and_actions(session, scope, terms).items()
    }


def terms_and_actions(
    session: Session, scope: Scope, terms: Iterable[str]
) -> dict[str, tuple[list[TermOnCard], list[TermOnCard]]]:
    """Return the names of terms in an edition, with the rules about each as a thing and as an action."""
    wanted = sorted(set(terms))
    rows = session.run("cards", "defining", scope, {"term": wanted}) if wanted else []
    found: dict[str, tuple[list[TermOnCard], list[TermOnCard]]] = {term: ([], []) for term in wanted}
    for term, name, number, title, action in rows:
        own = TermOnCard(str(name), *(str(it) if it else None for it in (number, title)))
        found[str(term)][bool(action)].append(own)
    for term, (things, actions) in found.items():
        if not things and not actions:
            things.append(TermOnCard(session.iris.parse(term).key, None, None))
    return found


def abilities_of(
    session: Session, scope: Scope, data: StoredSet, card: str, said: Mapping[str, Sequence[str]]
) -> list[str]:
    """Return the names of the keyword abilities that a card has or gives, by its sentences for each term."""
    senses = session.pairs(scope, TYPE, to=[GAME.KeywordAbility])
    every = {session.iris.term(session.iris.parse(it).key) for it, _ in senses}
    printed = keywords_of(session, data, card)
    terms = [it for it in said if it in every and (it in printed or any(map(_GIVEN.search, said[it])))]
    about = named_terms(session, scope, terms)
    return [about[it].name for it in terms]


def keywords_of(session: Session, data: StoredSet, card: str) -> list[str]:
    """Return the terms of the keywords that are printed on a card."""
    return [str(row[1]) for row in about_cards(session, data, "keywords", {"card": [card]})]


def rarest_first(
    session: Session, data: StoredSet, terms: Collection[str], *, common: bool = True
) -> list[str]:
    """Return terms, the rarest on cards first, without those that nearly every card names unless `common`."""
    known = session.once(_uses)
    missing = sorted({*terms} - known.keys())
    rows = about_cards(session, data, "uses", {"term": missing}) if missing else []
    known.update(dict.fromkeys(missing, 0) | {str(term): int(str(count)) for term, count in rows})
    most = max(FEW, _COMMON * data.cards)
    ordered = sorted({*terms}, key=lambda term: (known[term], term))
    return [term for term in ordered if known[term] > 0 and (common or known[term] <= most)]


def _uses(_: Session) -> dict[str, int]:
    """Return term → number of cards that name it; it is filled on demand, because counting is slow."""
    return {}


def rules_about(
    session: Session, scope: Scope, said: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, TermOnCard, str]]:
    """Return the terms of a card's sentences, each with its rule in an edition, and its first sentence.

    *Counter* is an action and a thing with different rules: there is one row for each meaning.
    """
    for term, it, own in _about(session, terms_and_actions(session, scope, said), said):
        yield term, it, (*own, "")[0]


def meant_by_both(
    session: Session,
    found: RulesOfTerms,
    one: Mapping[str, Sequence[str]],
    other: Mapping[str, Sequence[str]],
) -> dict[str, list[tuple[TermOnCard, Sequence[str], Sequence[str]]]]:
    """Return the terms that two texts use in the same sense: the rule about each, and both texts' sentences.

    To counter a spell has nothing in common with a counter on a creature. `found` are the rules of the terms.
    """
    shared = {term: found[term] for term in one if term in other}
    theirs = {(term, it): own for term, it, own in _about(session, shared, other)}
    ours = _about(session, shared, one)
    return grouped((term, (it, own, theirs[term, it])) for term, it, own in ours if (term, it) in theirs)


def _about(
    session: Session, found: RulesOfTerms, said: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, TermOnCard, Sequence[str]]]:
    """Yield terms, each with the rule that sentences mean, and those sentences."""
    names = NameFinder(session, [term for term, (things, actions) in found.items() if things and actions])
    for term, (things, actions) in found.items():
        if not (things and actions):
            yield term, (*things, *actions)[0], said[term]
            continue
        used = grouped(
            (is_action, sentence)
            for sentence in said[term]
            for is_action in dict.fromkeys(_as_verb(names, sentence, term, things[0].name))
        )
        for is_action, own in (used or {False: said[term]}).items():
            yield term, (actions if is_action else things)[0], own


def meant(session: Session, scope: Scope, rows: Iterable[Cells]) -> list[Cells]:
    """Return those rows (term, text, number, title, IRI of the term) whose rule the card's words mean."""
    rows = list(rows)
    texts = grouped((str(row[4]), str(row[1])) for row in rows)
    said = {
        term: [text[start:end] for text in dict.fromkeys(own) for start, end in sentences(text)]
        for term, own in texts.items()
    }
    both = {term: it for term, it in terms_and_actions(session, scope, said).items() if all(it)}
    about = {(term, it.number): (*own, "")[0] for term, it, own in _about(session, both, said)}
    return [
        (row[0], about.get((str(row[4]), str(row[2])), row[1]), *row[2:])
        for row in rows
        if row[4] not in both or (row[4], row[2]) in about
    ]


def _as_verb(names: NameFinder, sentence: str, term: str, name: str) -> Iterator[bool]:
    """Yield, for each place where a sentence names a term, whether it is a verb there."""
    done = 0
    while span := names.span(sentence[done:], term):
        start, end = (done + it for it in span)
        yield is_verb(sentence, start, end, name)
        done = end
