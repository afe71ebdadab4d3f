"""Put card data sets into a change of a store, and link them with the names of the newest edition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from ...ontology.grouping import grouped
from ...ontology.iris import Iris
from ...ontology.resources import players_words
from ...ontology.terms import PREFIXES, RG
from ..editions import StoredSet, stored_sets
from ..graph.quads import RDF_TYPE, TripleSet, day, integer, node, text
from ..history.graphs import Digest
from ..linking.edition import EditionView
from ..store.protocol import Rewrite, statements
from .emit import read_set, write_links, write_set
from .records import Card, CardRuling, CardSet, CardSummary
from .texts import CardReader

_KEYWORDS = "Keyword Abilities"
"""The title of the chapter in which each rule is about one keyword ability."""

_LINKS_VERSION = "3"
"""Change this when the same cards and names get other links."""


_CARDLESS = (
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
        """A checksum of everything that decides which links there are."""
        said = [_LINKS_VERSION, *sorted(f"{term} {own}" for term, own in self.names.items())]
        return sha256("\n".join([*said, *sorted(self.keywords)]).encode()).hexdigest()


def names_in_digest(digest: Digest) -> CardNames:
    """Return the names by which cards are read, from the digest of an edition of the rules.

    Keyword abilities are the terms that title the rules of their chapter, and whose entry points into it.
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
    """Return the names by which cards are read, from an edition of another kind."""
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

    `sets` are those that the store will have.
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
        """Add card data sets, and report what was added; separately loaded rulings join their cards.

        Rulings about cards that are neither here nor in the store are refused: see `refused`.
        """
        done: list[CardSummary] = []
        for it in sorted(files, key=lambda it: not it.cards):  # files of rulings alone come last
            found = it if it.cards else self._joined(it)
            if found is None:
                self.refused.append((it.file, _CARDLESS))
                continue
            self._fresh[found.set_id] = found
            counts = len(found.cards), found.rulings
            done.append(CardSummary(it.file, found.set_id, found.issued, *counts, found.left_out))
        for name, fresh in self._fresh.items():
            path = self._file(name, "set")
            write_set(path, fresh, self._iris)
            self._rewrite.replace(self._iris.cards(name), path)
            counts = len(fresh.cards), fresh.rulings
            self.sets[name] = StoredSet(name, fresh.title, fresh.source, fresh.issued, *counts)
        self.sets = dict(sorted(self.sets.items(), key=lambda item: item[1].age_key))
        return done

    def _joined(self, rulings: CardSet) -> CardSet | None:
        """Return the newest set that has cards for some rulings, and these cards; None if there is none."""
        stored = [it for it in reversed(self.sets) if it not in self._fresh]
        for found in (*reversed(self._fresh.values()), *(self._stored(name) for name in stored)):
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

    def _stored(self, name: str) -> CardSet:
        return read_set(self._rewrite, self._iris, name)

    def remove(self, name: str) -> bool:
        """Remove a card data set; return False if none has this id."""
        if self.sets.pop(name, None) is None:
            return False
        self._rewrite.drop([self._iris.cards(name), self._iris.card_links(name)])
        return True

    def link(self, names: CardNames) -> None:
        """Renew the links of every set that is new, or was linked with other names."""
        signs = names.signs
        reader: CardReader | None = None
        for name in self.sets:
            links = self._iris.card_links(name)
            made_with = {it for *_, it in statements(self._rewrite, [links], [RG.checksum])}
            if name not in self._fresh and signs in made_with:
                continue
            reader = reader or CardReader(names.names, names.texts, names.keywords)
            found = self._fresh.get(name) or self._stored(name)
            write_links(self._file(name, "links"), found, reader, signs, self._iris)
            self._rewrite.replace(links, self._file(name, "links"))

    def _file(self, name: str, kind: str) -> Path:
        return self._scratch / f"{name}.{kind}"


def _with_rulings(card: Card, rulings: Sequence[CardRuling]) -> Card:
    return card._replace(rulings=tuple(dict.fromkeys((*card.rulings, *rulings))))


_VOID, _DCTERMS = PREFIXES["void"], PREFIXES["dcterms"]


def described(sets: Mapping[str, StoredSet], iris: Iris) -> TripleSet:
    """Return the description of card data sets, as parts of the whole in `graph/catalog`."""
    triples = TripleSet()
    for it in sets.values():
        me = node(iris.dataset(f"cards/{it.set_id}"))
        triples.add(node(iris.dataset()), node(_VOID + "subset"), me)
        triples.add(me, RDF_TYPE, node(_VOID + "Dataset"))
        triples.add(me, node(_DCTERMS + "title"), text(it.title))
        triples.add(me, node(_DCTERMS + "subject"), node(iris.cards(it.set_id)))
        triples.add(me, node(_DCTERMS + "source"), text(it.source))
        triples.add(me, node(_DCTERMS + "issued"), day(it.issued))
        triples.add(me, node(_VOID + "entities"), integer(it.cards))
        triples.add(me, node(_VOID + "documents"), integer(it.rulings))
    return triples
