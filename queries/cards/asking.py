"""Answer a question that names cards, by its other words and by what the cards touch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from shlex import quote
from typing import NamedTuple

from ...loaders.cards.sets import StoredSet
from ...loaders.indexing.stemmer import stems
from ...loaders.language.words import telling_words
from ..finding.recognition import recognise
from ..searching.closest import LIMIT, AlsoSought, closest
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
"""The number of rulings, of all cards together, whose words count."""

_ALIKE = 0.35
"""The share of a ruling's words that a question must have to show it beside the nearest, which has two."""

_MOST_SHOWN = 3
_LETTER = re.compile(r"\w")


class _NearRuling(NamedTuple):
    """A ruling near to a question: its card and day, words, and how many the question has, as stems."""

    about: str
    text: str
    words: Sequence[str]
    shared: int

    @property
    def share(self) -> float:
        """The share of its words that the question has."""
        return self.shared / len(set(self.words))


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
        rows = about_cards(session, data, "faces", {"card": [*loaded, *begun]})
        own = tuple((name, types, text) for _, _, name, types, text in rows)
        return Answer("card_text", ("card", "types", "text"), own, data.set_id, tuple(_said(data, cards)))
    asked = without_cards(words, cards)
    beside = _beside_cards(session, data, loaded)
    rulings = _nearest_rulings(session, data, loaded, asked)
    ruled = _weights_of(rulings)
    more = {word: max(weight, beside.words.get(word, 0.0)) for word, weight in ruled.items()}
    beside = beside._replace(words={**beside.words, **more}, whole=words)
    found = closest(
        session, recognise(session, asked, edition), limit=limit and max(limit, LIMIT), beside=beside
    )
    shown = dict.fromkeys(f"rulesgraph show {quote(card.name)}" for card in cards if card.iri)
    told = Understood("", others=tuple(shown)[:_MOST_SHOWN])
    near = tuple(f"A ruling ({it.about}): “{it.text}”" for it in _worth_showing(rulings))
    notes = (*_said(data, cards), *near, *found.notes)
    return found._replace(notes=notes, lead=(*near, *found.lead), understood=told)


def _said(data: StoredSet, cards: Sequence[NamedCard]) -> Iterator[str]:
    """Yield which cards a question names, which it may name, and which of them are not loaded."""
    loaded = dict.fromkeys(card.name for card in cards if card.iri)
    if loaded:
        yield f"Cards: {'; '.join(loaded)}."
    for name, begun in {card.name: [*card.begun] for card in cards if card.begun}.items():
        more = f"; and {len(begun) - MOST_BEGUN} more" if len(begun) > MOST_BEGUN else ""
        shown = "; ".join(begun[:MOST_BEGUN]) + more
        yield f"The names of several cards begin with “{name}”: {shown}. None of them was taken."
    for name in dict.fromkeys(card.name for card in cards if not card.iri and not card.begun):
        yield f"“{name}” looks like a card name, but no such card is loaded ({data.title})."


def _beside_cards(session: Session, data: StoredSet, cards: Sequence[str]) -> AlsoSought:
    """Return the contribution of some cards to a question: the terms that they touch, and their words."""
    if not cards:
        return AlsoSought()
    rows = about_cards(session, data, "touched", {"card": cards})
    terms = {session.iris.slug_of(str(term)): TERM / len(cards) ** 0.5 for _, term in rows}
    texts = [str(row[4] or "") for row in about_cards(session, data, "faces", {"card": cards})]
    said = dict.fromkeys(word for text in texts for word in telling_words(text))
    return AlsoSought(terms, {word: WORD / len(cards) ** 0.5 for word in said})


def _nearest_rulings(
    session: Session, data: StoredSet, cards: Sequence[str], asked: str
) -> list[_NearRuling]:
    """Return the rulings about some cards that are nearest to a question, the nearest first.

    A near ruling shares many words with the question and is short.
    """
    rows = about_cards(session, data, "rulings", {"card": cards}) if cards else []
    rulings = {str(row[1]): (f"{row[5]}, {row[0]}", telling_words(str(row[1]))) for row in rows}
    wanted = telling_words(asked)
    stem_of = stems({*wanted, *(word for _, own in rulings.values() for word in own)})
    looked_for = {stem_of.get(word) for word in wanted} - {None}
    found = []
    for text, (about, own) in rulings.items():
        if shared := looked_for & {stem_of.get(word) for word in own}:
            found.append(_NearRuling(about, text, own, len(shared)))
    return sorted(found, key=lambda it: -it.shared / len(set(it.words)) ** 0.5)


def _worth_showing(rulings: Sequence[_NearRuling]) -> list[_NearRuling]:
    """Return the rulings to show: what has two words of the question, the first in any case."""
    likely = sorted((it for it in rulings if it.shared > 1), key=lambda it: -it.share)
    return likely[:1] + [it for it in likely[1:_MOST_SHOWN] if it.share >= _ALIKE]


def _weights_of(rulings: Sequence[_NearRuling]) -> dict[str, float]:
    """Return the weight of the words of rulings: they answer players' questions in words of the rules."""
    found: dict[str, float] = {}
    for place, it in enumerate(rulings[:_MOST_RULINGS], start=1):
        for word in it.words:
            found.setdefault(word, RULED / place**0.5)
    return found
