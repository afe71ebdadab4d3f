"""Answer a question that names cards, by its other words and by what the cards touch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log
from shlex import quote
from typing import NamedTuple

from ...loaders.cards.names import key_of, without_name
from ...loaders.cards.sets import StoredSet
from ...loaders.indexing.stemmer import stems
from ...loaders.language.lexicon import read
from ...loaders.language.words import telling_words
from ..finding.recognition import Recognition, known_names, recognise
from ..searching.closest import LIMIT, AlsoSought, closest
from ..searching.terms import sought_in
from ..session import Answer, Session, Understood
from .current import about_cards
from .naming import MOST_BEGUN, NamedCard, cards_in, without_cards

TERM = 0.5
"""The weight of a card's term relative to one in the question; with several cards, each counts less."""

WORD = 0.3
"""The weight of a card's word relative to one of the question."""

RULED = 0.5
"""The weight of a word of the ruling on a card that is nearest to the question; of the next ones, less."""

_MOST_RULINGS = 3
"""The number of rulings, of all cards together, whose words count, and of each card that are shown."""

_MOST_RULES = 3
"""The number of rules found for a question whose words count in its rulings."""

_OF_RULES, _OF_TYPES, _OF_NAMES = 0.05, 0.25, 0.5
"""The weight in rulings of a word of these rules, a type of the cards, and what the question names."""

_LENGTH = 0.25
"""How much the length of a ruling counts against it: this power of it."""

_MOST_SHOWN = 3
_LETTER = re.compile(r"\w")


class Ruling(NamedTuple):
    """A ruling: its card, that with the day, its words, and the signs of what it is about.

    These are the stems of its words, and the IRIs of what they name.
    """

    card: str
    about: str
    text: str
    words: Sequence[str]
    signs: frozenset[str]


def answer_with_cards(
    session: Session, data: StoredSet, words: str, edition: str | None, limit: int | None
) -> Answer | None:
    """Return the closest rules to a question that names cards, None for one that names none."""
    cards = cards_in(session, words)
    if not cards:
        return None
    loaded = list(dict.fromkeys(card.iri for card in cards if card.iri))
    begun = [iri for card in cards for iri in [*card.begun.values()][:MOST_BEGUN]]
    rest = words
    for card in reversed(cards):
        rest = rest[: card.start] + rest[card.end :]
    if (loaded or begun) and not _LETTER.search(rest):
        return _text_of(session, data, [*loaded, *begun])._replace(notes=tuple(_said(data, cards)))
    asked = recognise(session, without_cards(words, cards), edition)
    beside = _beside_cards(session, data, cards)
    rulings = rulings_on(session, data, loaded)
    index, used = session.index(asked.scope.editions[0]), [it.used for it in asked.things]
    stemmed = {it.stem: it.weight for it in sought_in(index, asked.text, {}, used)} if rulings else {}
    ruled = _weights_of(rulings, stemmed)
    more = {word: max(weight, beside.words.get(word, 0.0)) for word, weight in ruled.items()}
    beside = beside._replace(words={**beside.words, **more}, whole=words)
    found = closest(session, asked, limit=limit and max(limit, LIMIT), beside=beside)
    said = [word for row in found.rows[:_MOST_RULES] for word in telling_words(str(row[1]))]
    sought = {**_things_sought(session, data, asked, loaded), **stemmed}
    ranked = nearest(rulings, dict.fromkeys(stems(said).values(), _OF_RULES) | sought)
    near = tuple(_shown(rulings, ranked))
    shown = dict.fromkeys(f"rulesgraph show {quote(card.name)}" for card in cards if card.iri)
    told = Understood("", others=tuple(shown)[:_MOST_SHOWN])
    notes = (*_said(data, cards), *near, *found.notes)
    return found._replace(
        notes=notes,
        lead=(*near, *found.lead),
        understood=told,
        cards=_text_of(session, data, loaded) if loaded else None,
    )


def _text_of(session: Session, data: StoredSet, cards: Sequence[str]) -> Answer:
    """Return the printed words of some cards, a row for each face."""
    rows = about_cards(session, data, "faces", {"card": cards})
    own = tuple((name, types, text) for _, _, name, types, text in rows)
    return Answer("card_text", ("card", "types", "text"), own, data.set_id)


def _said(data: StoredSet, cards: Sequence[NamedCard]) -> Iterator[str]:
    """Yield which cards a question names, which it may name, and which of them are not loaded."""
    loaded = dict.fromkeys(card.name for card in cards if card.iri)
    if loaded:
        yield f"Cards: {'; '.join(loaded)}."
    for name, begun in {card.name: [*card.begun] for card in cards if card.begun}.items():
        more = f"; and {len(begun) - MOST_BEGUN} more" if len(begun) > MOST_BEGUN else ""
        shown = "; ".join(begun[:MOST_BEGUN]) + more
        if begun[0].lower().startswith(name.lower()):
            yield f"The names of several cards begin with “{name}”: {shown}. None of them was taken."
        else:
            yield f"No card is called “{name}”. Did you mean {shown}?"
    for name in dict.fromkeys(card.name for card in cards if not card.iri and not card.begun):
        yield f"“{name}” looks like a card name, but no such card is loaded ({data.title})."


def _beside_cards(session: Session, data: StoredSet, cards: Sequence[NamedCard]) -> AlsoSought:
    """Return the contribution of the loaded cards to a question: the terms that they touch, and their words.

    Of a card that is called by the name of one of its faces, only that face counts.
    """
    named = {card.iri: key_of(card.used) for card in cards if card.iri}
    faces = about_cards(session, data, "faces", {"card": list(named)}) if named else []
    own = {str(card): str(face) for card, face, name, *_ in faces if named[str(card)] == key_of(str(name))}
    meant = [own.get(iri, iri) for iri in named]
    rows = about_cards(session, data, "touched", {"card": meant}) if meant else []
    terms = {session.iris.slug_of(str(term)): TERM / len(meant) ** 0.5 for _, term in rows}
    texts = [str(text or "") for card, face, _, _, text in faces if own.get(str(card), face) == face]
    said = dict.fromkeys(word for text in texts for word in telling_words(text))
    return AlsoSought(terms, {word: WORD / len(meant) ** 0.5 for word in said})


def rulings_on(session: Session, data: StoredSet, cards: Sequence[str]) -> list[Ruling]:
    """Return the rulings on some cards, given by their IRIs; those of the same words once."""
    rows = about_cards(session, data, "rulings", {"card": cards}) if cards else []
    told = {str(row[1]): (str(row[5]), f"{row[5]}, {row[0]}") for row in rows}
    bare = {text: without_name(text, card) for text, (card, _) in told.items()}
    words = {text: telling_words(said) for text, said in bare.items()}
    stem_of = stems({word for own in words.values() for word in own})
    return [
        Ruling(*about, text, own, things_in(session, bare[text]) | {stem_of.get(it, it) for it in own})
        for (text, own), about in zip(words.items(), told.values(), strict=True)
        if own
    ]


def things_in(session: Session, text: str) -> frozenset[str]:
    """Return the IRIs of what a text names, whichever it means."""
    named = read(text, known_names(session).lexicon).names
    return frozenset(meaning.thing for name in named for meaning in name.meanings)


def _things_sought(
    session: Session, data: StoredSet, asked: Recognition, cards: Sequence[str]
) -> dict[str, float]:
    """Return what a question looks for in rulings beside its words: what it names, and its cards' types.

    A card counts as its types: when it dies, a creature does.
    """
    rows = about_cards(session, data, "faces", {"card": cards}) if cards else []
    types = " ".join(sorted({str(row[3]) for row in rows}))
    found = dict.fromkeys((*things_in(session, types), *stems(telling_words(types)).values()), _OF_TYPES)
    return found | dict.fromkeys((it.iri for it in asked.things), _OF_NAMES)


def nearest(rulings: Sequence[Ruling], sought: Mapping[str, float]) -> list[Ruling]:
    """Return the rulings with any of the signs that are sought, those with the most and rarest first."""
    uses = Counter(sign for it in rulings for sign in it.signs & sought.keys())
    weights = {sign: sought[sign] * log(1 + len(rulings) / count) for sign, count in uses.items()}
    near = [(sum(weights.get(sign, 0) for sign in it.signs) / len(it.signs) ** _LENGTH, it) for it in rulings]
    return [it for nearness, it in sorted(near, key=lambda one: -one[0]) if nearness]


def _shown(rulings: Sequence[Ruling], near: Sequence[Ruling]) -> Iterator[str]:
    """Yield the nearest rulings on each card, and where the other ones are."""
    told = Counter[str]()
    for it in near:
        told[it.card] += 1
        if told[it.card] <= _MOST_RULINGS:
            yield f"A ruling ({it.about}): “{it.text}”"
    for card, every in Counter(it.card for it in rulings).items():
        if more := every - min(told[card], _MOST_RULINGS):
            yield f"More rulings on {card} ({more}): `rulesgraph show {quote(card)}`."


def _weights_of(rulings: Sequence[Ruling], sought: Mapping[str, float]) -> dict[str, float]:
    """Return the weight of the words of the rulings that have most of the words that are sought.

    They answer players' questions in words of the rules.
    """
    shares = [(sum(sought.get(sign, 0) for sign in it.signs) / len(it.signs) ** 0.5, it) for it in rulings]
    near = [it for share, it in sorted(shares, key=lambda one: -one[0]) if share]
    found: dict[str, float] = {}
    for place, it in enumerate(near[:_MOST_RULINGS], start=1):
        for word in it.words:
            found.setdefault(word, RULED / place**0.5)
    return found
