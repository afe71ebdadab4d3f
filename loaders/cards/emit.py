"""Write the quads of card data sets, read a set back, and write the names of an edition found in it.

`cards/{set}` holds the cards with their faces, names and rulings; `cards/{set}/links` the names of an edition
found in them. Neither is part of an edition, nor of the default graph of a question about rules.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

from ...ontology.iris import Iris, child, slug
from ...ontology.terms import DCTERMS, PREFIXES, RG, TYPE
from ..graph.quads import RDF_TYPE, C, P, day, english, integer, node, text, write_quads
from ..reading.references import find_references
from ..records import TargetKind
from ..store.protocol import Queryable, stored_triples
from .names import name_keys
from .records import Card, CardFace, CardRuling, CardSet
from .texts import CardReader, types_of

_SKOS = PREFIXES["skos"]

Triple = tuple[str, str, str]
"""Subject, property and value, serialised."""


def card_iris(cards: Iterable[Card], iris: Iris) -> dict[str, str]:
    """Return name → IRI; names that differ only in marks get a suffix ``~2``."""
    taken: Counter[str] = Counter()
    found = {}
    for card in cards:
        own = slug(card.name)
        taken[own] += 1
        found[card.name] = iris.card(own, taken[own])
    return found


def face_iris(card: Card, it: str) -> list[str]:
    """Return the IRIs of a card's faces: a card with one face is that face."""
    return [it] if len(card.faces) == 1 else [child(it, "face", n + 1) for n in range(len(card.faces))]


def write_set(path: Path, found: CardSet, iris: Iris) -> None:
    """Write the quads of `cards/{set}`."""
    write_quads(path, map(" ".join, _set_statements(found, iris)), iris.cards(found.set_id))


def write_links(path: Path, found: CardSet, reader: CardReader, signs: str, iris: Iris) -> None:
    """Write the quads of `cards/{set}/links`; `signs` say what they were made with."""
    statements = _link_statements(found, reader, signs, iris)
    write_quads(path, map(" ".join, statements), iris.card_links(found.set_id))


def _set_statements(found: CardSet, iris: Iris) -> Iterator[Triple]:
    me = node(iris.cards(found.set_id))
    yield me, RDF_TYPE, C["CardSet"]
    yield me, P["identifier"], text(found.set_id)
    yield me, P["title"], text(found.title)
    yield me, P["source"], text(found.source)
    yield me, P["issued"], day(found.issued)
    yield me, P["checksum"], text(found.checksum)
    yield me, P["cardCount"], integer(len(found.cards))
    yield me, P["rulingCount"], integer(found.rulings)
    keys = name_keys(found.cards)
    places = card_iris(found.cards, iris)
    for card in found.cards:
        it = places[card.name]
        yield node(it), RDF_TYPE, C["Card"]
        yield node(it), P["title"], text(card.name)
        if card.layout not in ("", "normal"):
            yield node(it), P["layout"], text(card.layout)
        if card.oracle:
            yield node(it), P["oracleId"], text(card.oracle)
        for name, own in keys[card.name].items():
            for value in own:
                yield node(it), P[name], text(value)
        for face, iri in zip(card.faces, face_iris(card, it), strict=True):
            if iri != it:
                yield node(iri), RDF_TYPE, C["CardFace"]
                yield node(iri), P["isPartOf"], node(it)
                yield node(iri), P["title"], text(face.name)
            yield node(iri), P["typeLine"], text(face.type_line)
            if face.text:
                yield node(iri), P["text"], text(face.text)
            if face.cost:
                yield node(iri), P["manaCost"], text(face.cost)
        for place, ruling in enumerate(card.rulings, start=1):
            own_iri = node(child(it, "ruling", place))
            yield own_iri, RDF_TYPE, C["CardRuling"]
            yield own_iri, P["isPartOf"], node(it)
            yield own_iri, P["text"], text(ruling.text)
            if ruling.issued:
                yield own_iri, P["issued"], day(ruling.issued)


def _link_statements(found: CardSet, reader: CardReader, signs: str, iris: Iris) -> Iterator[Triple]:
    yield node(iris.card_links(found.set_id)), P["checksum"], text(signs)
    places = card_iris(found.cards, iris)
    listed: dict[str, str] = {}
    for card in found.cards:
        it = places[card.name]
        for face, iri in zip(card.faces, face_iris(card, it), strict=True):
            terms, keywords = reader.read(card, face)
            for term, name in types_of(face).items():
                yield node(iri), P["hasType"], node(iris.term(term))
                listed |= {term: name} if term not in reader.terms else {}
            for term in terms:
                yield node(iri), P["mentions"], node(iris.term(term))
            for place, (keyword, parameter) in enumerate(keywords, start=1):
                own = node(child(iri, "keyword", place))
                yield node(iri), P["hasKeyword"], own
                yield own, RDF_TYPE, C["PrintedKeyword"]
                yield own, P["keyword"], node(iris.term(keyword))
                if parameter:
                    yield own, P["printedParameter"], text(parameter)
        for place, ruling in enumerate(card.rulings, start=1):
            yield from _stated(node(child(it, "ruling", place)), ruling.text)
    for term, name in listed.items():  # most subtypes have no entry
        own = node(iris.term(term))
        yield own, RDF_TYPE, C["Term"]
        yield own, RDF_TYPE, node(_SKOS + "Concept")
        yield own, node(_SKOS + "inScheme"), node(iris.scheme("terms"))
        yield own, node(_SKOS + "prefLabel"), english(name)


def _stated(ruling: str, words: str) -> Iterator[Triple]:
    """Yield the numbers that a ruling cites; the edition in a query decides which rules they are."""
    if "rule" in words or "section" in words:
        for reference in find_references(words):
            for target in reference.targets:
                if target.kind is not TargetKind.TERM:
                    yield ruling, P["citesNumber"], text(target.key)


_About = dict[str, str]


def read_set(store: Queryable, iris: Iris, name: str) -> CardSet:
    """Return the card data set `name` of a store, as it was written."""
    about: dict[str, _About] = defaultdict(dict)
    parts: dict[str, list[str]] = defaultdict(list)
    for subject, predicate, value in stored_triples(store, iris.cards(name)):
        about[subject][predicate] = value
        if predicate == DCTERMS.isPartOf:
            parts[value].append(subject)
    cards = [_card(it, own, parts[it], about) for it, own in about.items() if own.get(TYPE) == RG.Card]
    me = about[iris.cards(name)]
    return CardSet(
        name,
        me[DCTERMS.source],
        date.fromisoformat(me[DCTERMS.issued]),
        me[RG.checksum],
        tuple(sorted(cards, key=lambda card: card.name)),
    )


def _card(it: str, own: _About, parts: list[str], about: dict[str, _About]) -> Card:
    ordered = sorted(parts, key=lambda part: int(part.rsplit("/", 1)[1]))
    faces = [_face(about[part]) for part in ordered if about[part][TYPE] == RG.CardFace]
    rulings = [_ruling(about[part]) for part in ordered if about[part][TYPE] == RG.CardRuling]
    return Card(
        own[DCTERMS.title],
        own.get(RG.layout, "normal"),
        tuple(faces) or (_face(own),),
        tuple(rulings),
        own.get(RG.oracleId, ""),
    )


def _face(own: _About) -> CardFace:
    return CardFace(own[DCTERMS.title], *(own.get(it, "") for it in (RG.typeLine, RG.text, RG.manaCost)))


def _ruling(own: _About) -> CardRuling:
    issued = own.get(DCTERMS.issued)
    return CardRuling(date.fromisoformat(issued) if issued else None, own[RG.text])
