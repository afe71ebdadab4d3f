"""Read a card data set back from the graph that `emit` wrote."""

from __future__ import annotations

from collections import defaultdict
from datetime import date

from ...ontology.iris import Iris
from ...ontology.terms import PREFIXES, RG
from ..store.protocol import Queryable
from ..store.statements import stored_triples
from .records import Card, CardFace, CardRuling, CardSet

_DCTERMS = PREFIXES["dcterms"]
_TITLE, _ISSUED, _PART = (_DCTERMS + name for name in ("title", "issued", "isPartOf"))
_TYPE = PREFIXES["rdf"] + "type"

_About = dict[str, str]


def read_set(store: Queryable, iris: Iris, name: str) -> CardSet:
    """Return the card data set `name` of a store, as it was written."""
    about: dict[str, _About] = defaultdict(dict)
    parts: dict[str, list[str]] = defaultdict(list)
    for subject, predicate, value in stored_triples(store, iris.cards(name)):
        about[subject][predicate] = value
        if predicate == _PART:
            parts[value].append(subject)
    cards = [_card(it, own, parts[it], about) for it, own in about.items() if own.get(_TYPE) == RG.Card]
    me = about[iris.cards(name)]
    return CardSet(
        name,
        me[_DCTERMS + "source"],
        date.fromisoformat(me[_ISSUED]),
        me[RG.checksum],
        tuple(sorted(cards, key=lambda card: card.name)),
        {},
        {},
    )


def _card(it: str, own: _About, parts: list[str], about: dict[str, _About]) -> Card:
    ordered = sorted(parts, key=lambda part: int(part.rsplit("/", 1)[1]))
    faces = [_face(about[part]) for part in ordered if about[part][_TYPE] == RG.CardFace]
    rulings = [_ruling(about[part]) for part in ordered if about[part][_TYPE] == RG.CardRuling]
    return Card(
        own[_TITLE],
        own.get(RG.layout, "normal"),
        tuple(faces) or (_face(own),),
        tuple(rulings),
        own.get(RG.oracleId, ""),
    )


def _face(own: _About) -> CardFace:
    return CardFace(own[_TITLE], own.get(RG.typeLine, ""), own.get(RG.text, ""))


def _ruling(own: _About) -> CardRuling:
    return CardRuling(date.fromisoformat(own[_ISSUED]) if _ISSUED in own else None, own[RG.text])
