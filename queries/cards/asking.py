"""Answer a question that names cards, by its other words and by what the cards touch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from shlex import quote

from ...loaders.cards.records import key_of
from ...loaders.editions import StoredSet
from ...loaders.indexing.stemmer import stems, telling_stems
from ...loaders.language.words import telling_words
from ...ontology import RulesMissingError, in_a_list
from ..finding.recognition import recognise
from ..history.summary import in_numbers_now
from ..searching.closest import LIMIT, AlsoSought, closest
from ..searching.terms import sought_in
from ..session import Answer, Cells, Scope, Session, Understood
from .current import NamedCard, about_cards, named_terms, rarest_first
from .naming import MOST_BEGUN, cards_in, doubts_about, without_cards
from .nicknames import taken_for
from .ruled import Ruling, nearest, rulings_on, things_in

TERM = 0.5
"""The weight of a card's term relative to one in the question; with several cards, each counts less."""

WORD = 0.3
"""The weight of a card's word relative to one of the question."""

RULED = 0.5
"""The weight of a word of the ruling on a card that is nearest to the question; of the next ones, less."""

_MOST_RULINGS = 3
"""The number of rulings whose words count, over all cards, and the number shown for each card."""

_MOST_RULES = 3
"""The number of rules found for a question whose words count when its rulings are chosen."""

_OF_RULES, _OF_TYPES, _OF_NAMES = 0.05, 0.25, 0.5
"""The weights, for choosing rulings, of words of these rules, types of the cards, and names in a question."""

_MOST_SHOWN = 3
_MOST_TERMS = 3
_TWO = 2
_ONCE = {"Legendary": ("legend-rule", "legendary"), "World": ("world-rule", "world")}
"""The terms of the rule that allows only one of a thing with a supertype; old editions have the second."""

_TWICE = 3.0
"""The weight of that term if a question is about several copies of a card."""

_REPLACES = re.compile(r"[^.\n]*(?:\bwould\b[^.\n]*\binstead\b|\bprevent\b)[^.\n]*", re.IGNORECASE)
"""A sentence of a card that makes a replacement or prevention effect, see 614.1a and 615.1a."""

_BOTH_REPLACE = ("replacement", "prevention", "interaction")
"""Words of the chapter about several such effects, 616."""

_SEVERAL = re.compile(r"\b(?:two|three|2|3|second|third|another|both|cop(?:y|ies|ied))\b", re.IGNORECASE)
"""Words for several copies of a card."""

_LETTER = re.compile(r"\w")


MeetingOfTwo = Callable[
    [Session, Scope, StoredSet, Sequence[NamedCard], Collection[str]], Mapping[Cells, bool]
]
"""Finds where two cards meet, given the signs of what is asked: rows, each with whether to show it."""


def answer_with_cards(
    session: Session, data: StoredSet, words: str, edition: str | None, limit: int | None, both: MeetingOfTwo
) -> Answer | None:
    """Return the rules closest to a question that names cards, None for one that names none.

    The lead says where two loaded cards meet, found by `both`, if that is worth saying, and then gives the
    nearest rulings that share anything with the question.
    """
    cards = cards_in(session, words)
    if not cards:
        return None
    loaded = list({card.iri: card for card in cards if card.iri}.values())
    begun = [iri for card in cards for iri in [*card.begun.values()][:MOST_BEGUN]]
    rest = words
    for card in reversed(cards):
        rest = rest[: card.start] + rest[card.end :]
    if (loaded or begun) and not _LETTER.search(rest):
        every = _faces(session, data, [*(card.iri for card in loaded), *begun])
        doubts = tuple(doubts_about(cards, data.title))
        return _text_of(data, every)._replace(notes=(*_said(data, cards), *doubts), lead=doubts)
    asked, now = in_numbers_now(session, recognise(session, without_cards(words, cards), edition))
    if not asked.scope.editions:
        raise RulesMissingError
    every = _faces(session, data, [card.iri for card in loaded])
    meant, others = _meant(every, loaded)
    beside = _beside_cards(session, data, meant, rest)
    # Examples of rules name cards. Of a card that is not loaded, we know only the name.
    unknown = [card.used for card in cards if not card.iri and asked.things]
    names = [word for name in unknown for word in telling_words(name)]
    known = rulings_on(session, data, [card.iri for card in loaded])
    rulings = _of_faces(known, meant, others)
    index, used = session.index(asked.scope.edition), [it.used for it in asked.things]
    stemmed = {it.stem: it.weight for it in sought_in(index, asked.text, {}, used)} if loaded else {}
    ruled = _weights_of(rulings, stemmed)
    ruled |= dict.fromkeys(names, 1.0)
    more = {word: max(weight, beside.words.get(word, 0.0)) for word, weight in ruled.items()}
    named = dict.fromkeys((it.iri for it in asked.things), _OF_NAMES)
    own = {*named, *stemmed}
    met = both(session, asked.scope, data, loaded, own) if len(loaded) == _TWO else {}
    common = {str(it): str(row[0]) for row in met for it in (row[1], row[3])}
    beside = beside._replace(words={**beside.words, **more}, whole=words, met=common)
    found = closest(session, asked, limit=limit and max(limit, LIMIT), beside=beside, cases=True)
    said = [word for row in found.rows[:_MOST_RULES] for word in telling_words(str(row[1]))]
    rules = dict.fromkeys(stems(said).values(), _OF_RULES)
    near = nearest(rulings, {**rules, **_types_of(session, every), **named, **stemmed})
    told = {text for row in met for text in row}
    near = [it for it in near if it.signs & own and it.text not in told]
    left = [it for it in known if it.text not in told]
    doubts = tuple(doubts_about(cards, data.title))
    lead = (*doubts, *now, *map(_of_both, filter(met.get, met)), *_shown(left, near), *found.lead)
    named_there = _told_by_cards(session, asked.scope, data, beside.terms) if loaded else ()
    names = [card.name for card in loaded]
    offered: list[tuple[str, ...]] = [("ask", "interaction", *names)] if met else []
    offered += [("show", name) for name in names]
    commands = tuple(" ".join(map(quote, ("rulesgraph", *it))) for it in offered)
    return found._replace(
        notes=(*_said(data, cards), *named_there, *lead, *found.notes[len(found.lead) :]),
        lead=lead,
        answered=found.answered and not doubts,
        understood=Understood("", others=commands[:_MOST_SHOWN]),
        cards=_text_of(data, [*meant, *others]) if loaded else None,
    )


def _of_both(row: Cells) -> str:
    """Return where two cards meet, a row of `interaction`, as sentences."""
    ground, whose, quote, others, other, _ = row
    # A glossary entry has no number, and what both cards have may have no sentence.
    said = ((whose, quote), (others, other))
    told = (f" {name}: “{words}”" if name else f" “{words}”" for name, words in said if words)
    return f"Both: {ground}.{''.join(told)}"


def _faces(session: Session, data: StoredSet, cards: Sequence[str]) -> list[Cells]:
    """Return the faces of some cards: card, face, name, types, text."""
    return about_cards(session, data, "faces", {"card": cards}) if cards else []


def _meant(faces: Iterable[Cells], cards: Iterable[NamedCard]) -> tuple[list[Cells], list[Cells]]:
    """Return the faces that count, and the others: if a question names a face, only that one counts."""
    used = {card.iri: key_of(card.used) for card in cards}
    own = {str(it[0]): it[1] for it in faces if used[str(it[0])] == key_of(str(it[2]))}
    meant = [it for it in faces if own.get(str(it[0]), it[1]) == it[1]]
    return meant, [it for it in faces if it not in meant]


def _of_faces(rulings: Iterable[Ruling], meant: Iterable[Cells], others: Iterable[Cells]) -> list[Ruling]:
    """Return rulings without those that share more words with the other face than with the one meant."""
    own, other = (
        telling_stems(" ".join(str(it) for row in faces for it in row[3:5])) for faces in (meant, others)
    )
    mine, theirs = own - other, other - own
    return [it for it in rulings if len(it.signs & theirs) <= len(it.signs & mine) or not others]


def _text_of(data: StoredSet, faces: Iterable[Cells]) -> Answer:
    """Return the printed words of some cards, a row for each face."""
    own = tuple((name, types, text, cost) for _, _, name, types, text, cost in faces)
    return Answer("card_text", ("card", "types", "text", "cost"), own, data.set_id)


def _said(data: StoredSet, cards: Sequence[NamedCard]) -> Iterator[str]:
    """Yield remarks on the cards that a question names, and what it calls them."""
    loaded = dict.fromkeys(card.name for card in cards if card.iri)
    if loaded:
        yield f"Cards: {'; '.join(loaded)}."
    for used, name in {card.used: card.name for card in cards if card.iri}.items():
        if told := taken_for(used, name):
            yield f"{told} ({data.title})."


def _beside_cards(session: Session, data: StoredSet, faces: Sequence[Cells], rest: str = "") -> AlsoSought:
    """Return what some faces of cards add to a question: the terms they touch, and their words.

    If the `rest` of the question is about several copies, this includes the rule that allows only one.
    """
    rows = about_cards(session, data, "touched", {"card": [str(it[1]) for it in faces]}) if faces else []
    share = len({it[0] for it in faces}) ** -0.5 if faces else 1.0
    said = dict.fromkeys(word for it in faces for word in telling_words(str(it[4] or "")))
    terms = {session.iris.slug_of(str(term)): TERM * share for _, term in rows}
    weights = dict.fromkeys(said, WORD * share)
    types = {word for it in faces for word in str(it[3]).split()}
    if _SEVERAL.search(rest):
        terms |= {term: _TWICE for supertype in types & _ONCE.keys() for term in _ONCE[supertype]}
    replacing = {it[0]: found for it in faces if (found := _REPLACES.search(str(it[4] or "")))}
    asked = telling_stems(rest) - telling_stems("control")  # nearly every such sentence has *you control*
    if len(replacing) >= _TWO and all(asked & telling_stems(it[0]) for it in replacing.values()):
        terms |= dict.fromkeys(("replacement-effect", "prevention-effect"), TERM)
        weights |= dict.fromkeys(_BOTH_REPLACE, 1.0)  # like words of the question
    return AlsoSought(terms, weights)


def _told_by_cards(session: Session, scope: Scope, data: StoredSet, terms: Iterable[str]) -> Iterator[str]:
    """Yield a remark on the terms that the cards of a question name and few others do, with their rules."""
    rare = rarest_first(session, data, [session.iris.term(it) for it in terms], common=False)[:_MOST_TERMS]
    about = named_terms(session, scope, rare)
    ruled = [f"{about[it].name} ({about[it].number})" for it in rare if about[it].number]
    if ruled:
        yield f"Named on the cards: {in_a_list(ruled)}."


def _types_of(session: Session, faces: Iterable[Cells]) -> dict[str, float]:
    """Return the types of cards, because rulings may use them: when a card dies, a creature does."""
    types = " ".join(sorted({str(it[3]) for it in faces}))
    return dict.fromkeys((*things_in(session, types), *telling_stems(types)), _OF_TYPES)


def _shown(rulings: Sequence[Ruling], near: Sequence[Ruling]) -> Iterator[str]:
    """Yield the nearest rulings on each card, and how to see the others."""
    told = Counter[str]()
    for it in near:
        told[it.card] += 1
        if told[it.card] <= _MOST_RULINGS:
            yield f"A ruling ({it.about}): “{it.text}”"
    every = Counter(it.card for it in rulings)
    for card, count in told.items():
        if more := every[card] - min(count, _MOST_RULINGS):
            yield f"More rulings on {card} ({more}): `rulesgraph show {quote(card)}`."


def _weights_of(rulings: Sequence[Ruling], sought: Mapping[str, float]) -> dict[str, float]:
    """Return weights for the words of the rulings that share most with the question.

    Rulings answer players' questions in the words of the rules.
    """
    shares = [(sum(sought.get(sign, 0) for sign in it.signs) / len(it.signs) ** 0.5, it) for it in rulings]
    near = [it for share, it in sorted(shares, key=lambda one: -one[0]) if share]
    found: dict[str, float] = {}
    for place, it in enumerate(near[:_MOST_RULINGS], start=1):
        for word in it.words:
            found.setdefault(word, RULED / place**0.5)
    return found
