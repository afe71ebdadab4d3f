"""Records of cards and their rulings, without RDF, and the keys by which a text's words find a card."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple

from ...ontology import slug, unaccented
from ..language.everyday import english_words

_DIFFERENT = "cards whose text differs between files"


class CardFace(NamedTuple):
    """One face of a card: its name, type line, words and mana cost (``""`` if it has none)."""

    name: str
    type_line: str
    text: str
    cost: str = ""


class CardRuling(NamedTuple):
    """One ruling about a card, with its day."""

    issued: date | None
    text: str


class Card(NamedTuple):
    """One card; `name` includes all faces, `oracle` is Scryfall's id for it."""

    name: str
    layout: str
    faces: tuple[CardFace, ...]
    rulings: tuple[CardRuling, ...] = ()
    oracle: str = ""


@dataclass(frozen=True, slots=True)
class CardSet:
    """One card data set: the cards of one file or several; `set_id` names it.

    `loose` are rulings about cards that the files do not have: oracle id → rulings. `left_out` counts the
    objects that are not cards, by kind. `file` is the name of the file that it was read from.
    """

    set_id: str
    source: str
    issued: date
    checksum: str
    cards: tuple[Card, ...]
    loose: dict[str, tuple[CardRuling, ...]] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)
    file: str = field(default="", compare=False)

    @property
    def title(self) -> str:
        """The usual name of the data set."""
        return f"Cards of {self.source}, {self.issued.isoformat()}"

    @property
    def rulings(self) -> int:
        """The number of rulings about its cards."""
        return sum(len(card.rulings) for card in self.cards)

    def is_of_one_day_with(self, other: CardSet) -> bool:
        """Return whether another file has cards of the same source and day, maybe of another printed set."""
        return (self.source, self.issued) == (other.source, other.issued)

    def with_more(self, other: CardSet) -> CardSet:
        """Return this set with the cards of another file of its kind and day; a card in both stays as it is.

        Cards whose words differ are counted as left out of the other file.
        """
        from hashlib import sha256  # here, as questions about cards do without it

        known = {card.name: card for card in self.cards}
        more = {card.name: card for card in other.cards}
        differ = sum(name in known and known[name].faces != card.faces for name, card in more.items())
        left_out = Counter(self.left_out) + Counter(other.left_out) + Counter({_DIFFERENT: differ})
        cards = tuple({**more, **known}.values())
        checksum = sha256(f"{self.checksum} {other.checksum}".encode()).hexdigest()
        name = self.set_id if self.set_id == other.set_id else slug(f"{self.source} {self.issued}")
        return replace(self, set_id=name, cards=cards, checksum=checksum, left_out=dict(left_out))


@dataclass(frozen=True, slots=True)
class CardSummary:
    """One loaded file of cards: its data set, the size of that set, and what was left out.

    `left_out` counts objects by kind: tokens, rulings about cards that are not loaded. `former` is how many
    cards the set had before this replaced them, `newest` the set of a store with several that questions use.
    """

    source: str
    card_set: str
    issued: date
    cards: int
    rulings: int
    left_out: dict[str, int]
    former: int = 0
    newest: str = ""


WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

JOINING = frozenset("of the and to in from for a an with at s la du de".split())
"""Words between those of a name."""
_APOSTROPHES = str.maketrans("", "", "'’")
_SHORTEST_PART = 5
"""A part of a name is used as a name only if one of its words has this many letters."""

_OWNING = re.compile(r"['’]s$")

_OWNER = re.compile(rf"({WORD.pattern})['’]s\b|\bof ({WORD.pattern})$")
"""A word before *'s*, and one behind *of* that ends a name."""

_SMALL_WORDS = re.compile(r"(?<![\w'’.-])[a-z][a-z'’]*(?: [a-z][a-z'’]*)*")


def key(words: Iterable[str]) -> str:
    """Return words as a key: lower case, without accents and apostrophes.

    >>> key(["Urza’s", "Lím-Dûl"])
    'urzas lim-dul'
    """
    return " ".join(unaccented(word).lower().translate(_APOSTROPHES) for word in words)


def telling_part(name: str) -> list[str]:
    """Return the words of a name without the small ones, which people leave out."""
    return [it for it in WORD.findall(name.lower()) if it not in JOINING]


def key_of(name: str) -> str:
    """Return the key of a name; a name without words, like ``_____``, has none."""
    return key(WORD.findall(name))


def name_keys(cards: Sequence[Card]) -> dict[str, dict[str, Sequence[str]]]:
    """Return the keys that find the cards: name of the card → property of the key → keys.

    A name is *plain* if the texts of cards have the same words in lower case, or if it is an English word;
    then it needs capitals to mean the card. A part is used as a name if only one card has it, and the word
    occurs nowhere else.
    """
    named = {card.name: _names_of(card) for card in cards}
    whole = {key_of(it) for own in named.values() for it in own}
    said = _said(whole, cards)
    english = english_words()
    parts = _parts(named, whole, said | english)
    found: dict[str, dict[str, Sequence[str]]] = {}
    for name, own in named.items():
        keys = [it for it in dict.fromkeys(map(key_of, own)) if it]
        plain = [it for it in keys if it in said or it in english]
        sure = [it for it in keys if it not in plain]
        found[name] = {"nameKey": sure, "plainNameKey": plain, "partKey": sorted(parts.get(name, ()))}
    return found


def _names_of(card: Card) -> tuple[str, ...]:
    return tuple(dict.fromkeys((card.name, *(face.name for face in card.faces))))


def _said(keys: Collection[str], cards: Iterable[Card]) -> set[str]:
    """Return the keys that occur in lower case in the texts of cards."""
    import ahocorasick  # type: ignore[import-not-found]  # asking for a card by its name needs none

    automaton = ahocorasick.Automaton()
    for it in keys:
        if it:
            automaton.add_word(f" {it} ", it)
    if not len(automaton):
        return set()
    automaton.make_automaton()
    found: set[str] = set()
    for card in cards:
        texts = (*(face.text for face in card.faces), *(ruling.text for ruling in card.rulings))
        runs = (run for text in texts for run in _SMALL_WORDS.findall(text))
        found.update(it for run in runs for _, it in automaton.iter(f" {run.translate(_APOSTROPHES)} "))
    return found


def _parts(
    named: Mapping[str, Sequence[str]], keys: Collection[str], common_words: Collection[str]
) -> dict[str, set[str]]:
    """Return, for each card, the parts of its names that no other card's name has."""
    holders: dict[str, set[str]] = defaultdict(set)
    for name, own in named.items():
        for it in own:
            for part in _parts_of(it):
                holders[part].add(name)
    words = Counter(word for own in named.values() for word in {w for it in own for w in key_of(it).split()})
    found: dict[str, set[str]] = defaultdict(set)
    for part, owners in holders.items():
        one = len(owners) == 1 and part not in keys and not all(part in _owners_in(it) for it in owners)
        short = " " not in part
        common = short and (len(part) < _SHORTEST_PART or words[part] > 1 or part in common_words)
        if one and not common:
            found[next(iter(owners))].add(part)
    return found


def _parts_of(name: str) -> Iterator[str]:
    """Yield what may be used as a name: each part between commas, each word."""
    for side in name.split(" // "):
        pieces = [piece for piece in side.split(", ") if piece]
        words = WORD.findall(side)
        if len(pieces) > 1:
            yield from map(key_of, pieces)
        if len(words) > 1:
            yield from (key([_OWNING.sub("", word)]) for word in words)


def _owners_in(name: str) -> set[str]:
    """Return the words of a name that name an owner: they may be the name of another card.

    >>> sorted(_owners_in("Wick's Slayer of Moths"))
    ['moths', 'wick']
    """
    return {key([own[1] or own[2]]) for own in _OWNER.finditer(name)}


def without_name(text: str, name: str) -> str:
    """Return a ruling with *it* in place of its card's name.

    >>> without_name("Wick's lamp burns.", "Wick, Keeper of Moths")
    'it lamp burns.'
    """
    return re.sub(rf"(?:{re.escape(name)}|{re.escape(name.partition(',')[0])})(?:['’]s)?", "it", text)
