"""Add card data sets to a change of a store, and link them with the names of the newest edition.

`cards/{set}` holds the cards with their faces, names and rulings; `cards/{set}/links` the names of an edition
found in them. Neither is part of an edition, or of the default graph of a question about rules.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ...ontology import DCTERMS, PREFIXES, RG, TYPE, Iris, child, grouped, players_words, slug
from ..editions import StoredSet, stored_sets
from ..graph.quads import C, TripleSet, day, english, integer, node, text, write_quads
from ..history.graphs import Digest
from ..linking.edition import EditionView
from ..reading.references import find_references
from ..records import TargetKind
from ..store.protocol import Queryable, Rewrite, statements, stored_triples
from .records import Card, CardFace, CardRuling, CardSet, CardSummary, name_keys
from .texts import CardReader, ability_words, types_of

_KEYWORDS = "Keyword Abilities"
"""The title of the chapter in which each rule is about one keyword ability."""

_LINKS_VERSION = "5"
"""Change this whenever the same cards and names would get different links."""

_NO_CARDS = (
    "these rulings are about cards that are not loaded\n"
    "  Load the card file (oracle-cards) first, or together with this one."
)


class CardNames(NamedTuple):
    """The terms of an edition, its texts, and which terms are keyword abilities."""

    names: Mapping[str, Sequence[str]]
    texts: Sequence[str]
    keywords: frozenset[str]

    @property
    def signs(self) -> str:
        """A checksum of everything that the links depend on."""
        said = [_LINKS_VERSION, *sorted(f"{term} {own}" for term, own in self.names.items())]
        own = [*sorted(self.keywords), *sorted(ability_words(self.texts))]
        return sha256("\n".join([*said, *own]).encode()).hexdigest()


def names_in_digest(digest: Digest) -> CardNames:
    """Return the names to look for in cards, from the digest of an edition of the rules.

    Keyword abilities are the terms that are titles of rules in their chapter and whose entry refers to it.
    """
    chapters = {it.iri: it.key for it in digest.items if it.title == _KEYWORDS and not it.is_entry}
    titles = {it.title for it in digest.items if it.parent in chapters and it.title}
    pointing = tuple(f"ee rule {number.rstrip('.')}." for number in chapters.values())
    titles |= {it.title for it in digest.items if it.is_entry and any(own in it.text for own in pointing)}
    names = {it.slug: with_short_forms(it.slug, it.names or it.titles or it.cited) for it in digest.names}
    keywords = frozenset(it.slug for it in digest.names if not titles.isdisjoint((*it.titles, *it.names)))
    return CardNames(names, [it.text for it in digest.items], keywords)


def with_short_forms(term: str, names: Sequence[str]) -> Sequence[str]:
    """Return the names of a term, and the words by which players, or cards, mean it.

    >>> with_short_forms("upkeep-step", ["Upkeep Step"])
    ('Upkeep Step', 'upkeep')
    """
    short = _players_words().get(term, ())
    return *names, *(it for it in short if any(name.lower().startswith(f"{it} ") for name in names))


@cache
def _players_words() -> Mapping[str, Sequence[str]]:
    return grouped((thing.removeprefix("term/"), word) for thing, word, _ in players_words(""))


def names_in_view(view: EditionView) -> CardNames:
    """Return the names to look for in cards, from an edition of another kind."""
    chapters = tuple(f"{number}." for number, title in view.titles.items() if title == _KEYWORDS)
    defined = {**view.defining, **view.pointed}
    keywords = (
        term
        for term, rules in defined.items()
        if any(view.iris.parse(rule).key.startswith(chapters) for rule in rules)
    )
    return CardNames(view.names, [unit.text for unit in view.units], frozenset(keywords))


class CardUpdate:
    """The changes to a store's card data sets.

    `sets` are those that the store will have afterwards.
    """

    def __init__(self, rewrite: Rewrite, iris: Iris, scratch: Path) -> None:
        self._rewrite = rewrite
        self._iris = iris
        self._scratch = scratch
        self.sets = stored_sets(rewrite)
        self._fresh: dict[str, CardSet] = {}
        self.refused: list[tuple[str, str]] = []
        """Names of files that were refused here, and why."""

    def add(self, files: Iterable[CardSet]) -> list[CardSummary]:
        """Add card data sets, and report what was added.

        Files of one kind and day are one set; separately loaded rulings join their cards. Rulings about cards
        that are neither here nor in the store are refused: see `refused`.
        """
        done: list[CardSummary] = []
        joined: dict[str, str] = {}
        # In the same order however the files are given; files of rulings alone come last.
        for it in sorted(files, key=lambda it: (not it.cards, it.file)):
            found = it if it.cards else self._joined(it)
            if found is None:
                self.refused.append((it.file, _NO_CARDS))
                continue
            own = next(filter(found.is_of_one_day_with, self._fresh.values()), None) if it.cards else None
            if own:
                found = self._fresh.pop(own.set_id).with_more(found)
                joined[own.set_id] = found.set_id
            self._fresh[found.set_id] = found
            counts = len(found.cards), found.rulings
            done.append(CardSummary(it.file, found.set_id, found.issued, *counts, found.left_out))
        done = [replace(it, card_set=joined.get(it.card_set, it.card_set)) for it in done]
        for name, fresh in self._fresh.items():
            self._write(f"{name}.set", self._iris.cards(name), _set_statements(fresh, self._iris))
            former = self.sets[name].cards if name in self.sets else 0
            last = max(place for place, it in enumerate(done) if it.card_set == name)
            done[last] = replace(done[last], former=former)
            counts = len(fresh.cards), fresh.rulings
            self.sets[name] = StoredSet(name, fresh.title, fresh.source, fresh.issued, *counts)
        self.sets = dict(sorted(self.sets.items(), key=lambda item: item[1].age_key))
        *older, newest = self.sets or ("",)
        return [replace(it, newest=newest) if older else it for it in done]

    def _joined(self, rulings: CardSet) -> CardSet | None:
        """Return the newest set with cards for some rulings, and these cards; None if there is none."""
        stored = [it for it in reversed(self.sets) if it not in self._fresh]
        for found in (
            *reversed(self._fresh.values()),
            *(read_set(self._rewrite, self._iris, name) for name in stored),
        ):
            known = {card.oracle for card in found.cards}
            about = rulings.loose.keys() & known
            if about:
                cards = tuple(_with_rulings(card, rulings.loose.get(card.oracle, ())) for card in found.cards)
                unknown = {key: own for key, own in rulings.loose.items() if key not in known}
                left_out = {"rulings about cards that are not loaded": sum(map(len, unknown.values()))}
                issued = max(found.issued, rulings.issued)
                return replace(
                    found, issued=issued, cards=cards, loose={}, left_out=left_out if unknown else {}
                )
        return None

    def remove(self, name: str) -> bool:
        """Remove a card data set; return False if none has this id."""
        if self.sets.pop(name, None) is None:
            return False
        self._rewrite.drop([self._iris.cards(name), self._iris.card_links(name)])
        return True

    @property
    def has_new(self) -> bool:
        """Whether a set was added."""
        return bool(self._fresh)

    def link(self, names: CardNames) -> None:
        """Renew the links of every set that is new, or was linked with different names."""
        signs = names.signs
        reader: CardReader | None = None
        for name in self.sets:
            links = self._iris.card_links(name)
            made_with = {it for *_, it in statements(self._rewrite, [links], [_VERSION])}
            if name not in self._fresh and signs in made_with:
                continue
            reader = reader or CardReader(names.names, names.texts, names.keywords)
            found = self._fresh.get(name) or read_set(self._rewrite, self._iris, name)
            self._write(f"{name}.links", links, _link_statements(found, reader, signs, self._iris))

    def _write(self, file: str, graph: str, triples: Iterable[str]) -> None:
        write_quads(self._scratch / file, triples, graph)
        self._rewrite.replace(graph, self._scratch / file)


def _with_rulings(card: Card, rulings: Sequence[CardRuling]) -> Card:
    return card._replace(rulings=tuple(dict.fromkeys((*card.rulings, *rulings))))


_VERSION = PREFIXES["owl"] + "versionInfo"


def described(sets: Mapping[str, StoredSet], iris: Iris) -> TripleSet:
    """Return the description of card data sets, as parts of the whole in `graph/catalog`."""
    triples = TripleSet()
    for it in sets.values():
        me = node(iris.dataset(f"cards/{it.set_id}"))
        triples.say(node(iris.dataset()), subset=me)
        triples.say(me, type=node(PREFIXES["void"] + "Dataset"), title=text(it.title), source=text(it.source))
        triples.say(me, subject=node(iris.cards(it.set_id)), issued=day(it.issued))
        triples.say(me, entities=integer(it.cards), documents=integer(it.rulings))
    return triples


def card_iris(cards: Iterable[Card], iris: Iris) -> dict[str, str]:
    """Map names to IRIs; names that differ only in marks get the suffix ``~2``."""
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


def _set_statements(found: CardSet, iris: Iris) -> Iterator[str]:
    """Yield the statements of `cards/{set}`."""
    triples, me = TripleSet(), node(iris.cards(found.set_id))
    triples.say(me, type=C["CardSet"], identifier=text(found.set_id), title=text(found.title))
    triples.say(me, source=text(found.source), issued=day(found.issued), checksum=text(found.checksum))
    triples.say(me, cardCount=integer(len(found.cards)), rulingCount=integer(found.rulings))
    yield from triples
    keys = name_keys(found.cards)
    places = card_iris(found.cards, iris)
    for card in found.cards:
        yield from _card_triples(card, places[card.name], keys[card.name])


def _card_triples(card: Card, it: str, keys: Mapping[str, Sequence[str]]) -> TripleSet:
    """Return the statements of one card, with the keys by which its names are found."""
    triples, me = TripleSet(), node(it)
    layout = "" if card.layout == "normal" else card.layout
    triples.say(me, type=C["Card"], title=text(card.name), layout=layout and text(layout))
    triples.say(me, oracleId=card.oracle and text(card.oracle))
    triples.say(me, **{name: map(text, own) for name, own in keys.items()})
    for face, iri in zip(card.faces, face_iris(card, it), strict=True):
        if iri != it:
            triples.say(node(iri), type=C["CardFace"], isPartOf=me, title=text(face.name))
        triples.say(node(iri), typeLine=text(face.type_line), text=face.text and text(face.text))
        triples.say(node(iri), manaCost=face.cost and text(face.cost))
    for place, ruling in enumerate(card.rulings, start=1):
        own = node(child(it, "ruling", place))
        triples.say(own, type=C["CardRuling"], isPartOf=me)
        triples.say(own, text=text(ruling.text), issued=day(ruling.issued))
    return triples


def _link_statements(found: CardSet, reader: CardReader, signs: str, iris: Iris) -> Iterator[str]:
    """Yield the statements of `cards/{set}/links`; `signs` identify what they were made with."""
    places = card_iris(found.cards, iris)
    listed: dict[str, str] = {}
    abilities: dict[str, None] = {}
    for card in found.cards:
        triples, it = TripleSet(), places[card.name]
        for face, iri in zip(card.faces, face_iris(card, it), strict=True):
            terms, keywords = reader.read(card, face)
            types, words = types_of(face), reader.ability_words(face)
            abilities |= dict.fromkeys(words)
            listed |= {term: name for term, name in (types | words).items() if term not in reader.terms}
            triples.say(node(iri), hasType=[node(iris.term(term)) for term in types])
            triples.say(node(iri), mentions=[node(iris.term(term)) for term in (*terms, *words)])
            for place, (keyword, parameter) in enumerate(keywords, start=1):
                own = node(child(iri, "keyword", place))
                triples.say(node(iri), hasKeyword=own)
                triples.say(own, type=C["PrintedKeyword"], keyword=node(iris.term(keyword)))
                triples.say(own, printedParameter=parameter and text(parameter))
        for place, ruling in enumerate(card.rulings, start=1):
            triples.say(node(child(it, "ruling", place)), citesNumber=map(text, _cited(ruling.text)))
        yield from triples
    triples, scheme = TripleSet(), node(iris.scheme("terms"))
    triples.say(node(iris.card_links(found.set_id)), versionInfo=text(signs))
    for term in abilities:
        triples.say(node(iris.term(term)), hasKind=C["AbilityWord"])
    for term, name in listed.items():  # most subtypes and all ability words have no entry
        classes = (C["Term"], node(PREFIXES["skos"] + "Concept"))
        triples.say(node(iris.term(term)), type=classes, inScheme=scheme, prefLabel=english(name))
    yield from triples


def _cited(words: str) -> Iterator[str]:
    """Yield the numbers that a ruling cites; the edition in a query decides which rules they are."""
    for reference in find_references(words) if "rule" in words or "section" in words else ():
        yield from (target.key for target in reference.targets if target.kind is not TargetKind.TERM)


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
