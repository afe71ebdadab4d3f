"""List the cards that have several things, one of several, or lack some: *creatures with flying or reach*."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from ...ontology import GAME, RG, TYPE, slug
from ..cards.current import NO_CARDS, about_cards, current_cards, is_ability_word, titles, types_called
from ..catalogue.questions import question
from ..finding.recognition import recognise
from ..session import Answer, Cells, Session, Understood
from .running import answer_to
from .understanding import name_alone, thing_named

_ASKS = re.compile(
    r"\s*(?:please )?(?:which|what|list|show|find|give|name|count|how many|all|every)\b"
    r"(?: (?:are|me|us|a list of|of|all|every|some|any|the))*\s+",
    re.IGNORECASE,
)
"""Matches the beginning of a request for a list."""

_HAVE = "with|has|have|having|that|which|who|are|also|both|either"
_NAME = "mentions?|names?|uses?|using|gives?|grants?|makes?|creates?|produces?"
_LACK = r"without|lacks?|lacking|not|no|(?:do|does|are)n[’']t|do not|does not"
_JOIN = "and/or|and|or|but"
_WORD = rf"(?:{_HAVE}|{_NAME}|{_LACK}|{_JOIN})"
_BETWEEN = re.compile(rf"\s*,\s*(?:{_WORD}\s+)*|\s+{_WORD}(?:\s+{_WORD})*\s+", re.IGNORECASE)
"""Matches the words between the things in a list: *with*, *but not*, *that also have*."""

_COUNTED = re.compile(
    r"\s+(?:(?:are there|exist|are loaded)\b.*|are (?:there )?in (?:the|this) .+)$", re.IGNORECASE
)
_CARDS = re.compile(r"(?:(?P<type>.+) )?cards?", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\b(?:can|could|may|might|must|will|would|should|do|does|did|is|was|were|when|if|while|after|before|during|in|on|"
    r"i|you|your|my|it|its|his|her|their)\b",
    re.IGNORECASE,
)
"""Words of a question about the game: *which creatures with flying can block*."""


_PARAMETER = re.compile(r"(?:from|of|for|to)\b|[{\d—]", re.IGNORECASE)
"""Matches the beginning of what follows a keyword: *protection from red*, *ward 2*."""

_REMINDER = re.compile(r"\([^()]*\)")


_QUESTIONS = ("", "cards_with", "cards_with_both")
"""The questions of the catalogue that list cards, by the number of things."""

_ALL = {1: "", 2: "both"}
"""What the column *has* says, by the number of things that a card has; for more, ``"all"``."""


class CardTrait(NamedTuple):
    """A criterion for listing cards, with the words that follow it: *Protection*, ``"from red"``."""

    name: str
    more: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.more}".strip()


class ListedBy(NamedTuple):
    """What the cards in a list must be, have, and lack.

    `subject` is what the words call them. `types` are the words for their types, empty for any type. They
    have everything in `given` (or at least one, if `one_of`) and nothing in `lacked`. `how` says in what way:
    ``"have"``, ``"are"``, or ``"name"`` if a mention is enough. `unknown` holds the first words that are no
    criterion.
    """

    subject: str
    types: str = ""
    given: tuple[CardTrait, ...] = ()
    lacked: tuple[CardTrait, ...] = ()
    one_of: bool = False
    how: str = "have"
    unknown: str = ""

    @property
    def meaning(self) -> str:
        """The list in words: *creatures with Flying or Reach, without Ward*."""
        verb = {"have": "with", "are": "that are", "name": "that name"}[self.how]
        said = f" {verb} {_enumerated(self.given, 'or' if self.one_of else 'and')}" if self.given else ""
        less = f", without {_enumerated(self.lacked, 'or')}" if self.lacked else ""
        return f"{self.subject}{said}{less}"

    @property
    def asked(self) -> tuple[str, ...]:
        """The question of the catalogue that lists the same, with its arguments, or nothing."""
        things = (*filter(None, (self.types,)), *map(str, self.given))
        is_plain = not (self.one_of or self.lacked or any(it.more for it in self.given))
        return (_QUESTIONS[len(things)], *things) if is_plain and len(things) < len(_QUESTIONS) else ()


def _enumerated(things: Sequence[CardTrait], last: str) -> str:
    """Return things in words: *Flying, Ward and Reach*."""
    *others, final = map(str, things)
    return f"{', '.join(others)} {last} {final}" if others else final


def listed_by(session: Session, words: str, edition: str | None = None) -> ListedBy | None:
    """Return the criteria in words that ask for a list of cards, or None for other words."""
    plain = words.strip(" .?!")
    asks = _ASKS.match(plain)
    rest = plain[asks.end() :] if asks else plain
    rest = _COUNTED.sub("", rest) if asks else rest
    first = _BETWEEN.search(rest)
    types = rest[: first.start()] if first else rest
    subject, of_cards = types, _CARDS.fullmatch(types)
    types = (of_cards["type"] or "") if of_cards else types
    is_known = not types or _are_types(session, types, edition)
    if not is_known and not of_cards:
        return None
    if first is None:
        # *What are the lands* asks for what the rules say.
        is_list = asks and (of_cards or not re.match(r"(?:please )?wh", plain, re.IGNORECASE))
        found = ListedBy(subject, types) if types and is_known and is_list else None
    else:
        found = _parsed(session, ListedBy(subject, types), rest[first.start() :], edition)
    if found and not is_known:
        found = found._replace(unknown=types)
    is_search = bool(found and found.unknown and is_known and not asks)
    return None if is_search or _CLAUSE.search(rest) else found


def _parsed(session: Session, of: ListedBy, rest: str, edition: str | None) -> ListedBy | None:
    """Return the criteria in the words after a type of cards; None without a verb or *with*."""
    between = [it[0].lower().replace(",", " , ").split() for it in _BETWEEN.finditer(rest)]
    things = _BETWEEN.split(rest)[1:]
    given: list[CardTrait] = []
    lacked: list[CardTrait] = []
    joins: set[str] = set()
    lacks, how = False, "are"
    if not re.fullmatch(rf"{_HAVE}|{_NAME}|{_LACK}", between[0][0]):
        return None
    for join, said in zip(between, things, strict=True):
        own = " ".join(join)
        if re.search(rf"\b(?:{_LACK})\b", own):
            lacks = True
        elif re.search(rf"\b(?:{_HAVE}|{_NAME})\b", own):
            lacks = False
            how = "name" if re.search(rf"\b(?:{_NAME})\b", own) else how
            how = "have" if how == "are" and not re.search(r"\bare\b", own) else how
        thing = _thing(session, said, edition)
        if thing is None:
            return of._replace(unknown=said)
        (lacked if lacks else given).append(thing)
        joins |= {it for it in join if it in ("and", "or", "but")} if not lacks else set()
    if {"and", "or"} <= joins or "and/or" in rest:
        return of._replace(unknown=rest.strip())
    return of._replace(given=tuple(given), lacked=tuple(lacked), one_of="or" in joins, how=how)


def _thing(session: Session, said: str, edition: str | None) -> CardTrait | None:
    """Return the criterion that words name: a term, a type, or a keyword and the words after it."""
    if is_ability_word(session, name_alone(said)):  # players' words for these mean the rule
        return CardTrait(name_alone(said))
    known = thing_named(session, said, edition)
    if known and known[1]:
        return CardTrait(known[1][0].name)
    if types_called(session, name_alone(said)):
        return CardTrait(name_alone(said))
    first = next(iter(recognise(session, said, edition).standing), None)
    data = current_cards(session)
    if data is None or first is None or first.start:
        return None
    more = said[first.end :].strip()
    term = session.iris.term(slug(first.name))
    is_keyword = _PARAMETER.match(more) and session.pairs(data.graphs(session.iris), RG.keyword, to=[term])
    return CardTrait(first.name, more) if is_keyword else None


def listed(session: Session, words: str, edition: str | None) -> Answer | None:
    """Return the cards that words list, each with its sentence; None for other words."""
    asked = listed_by(session, words, edition)
    # Nobody reads a list of all cards that lack something.
    if asked is None or asked.unknown or current_cards(session) is None or not (asked.types or asked.given):
        return None
    return list_of(session, asked, edition)


def list_asked(session: Session, name: str, args: Sequence[str]) -> ListedBy | None:
    """Return the list that a question of the catalogue asks for, None for other questions."""
    if name not in _QUESTIONS:
        return None
    types = args[0] if len(args) > 1 and types_called(session, args[0]) else ""
    given = tuple(CardTrait(it) for it in args[bool(types) :])
    return ListedBy(types or "cards", types, given)


def list_of(session: Session, asked: ListedBy, edition: str | None) -> Answer:
    """Return the cards in a list, sorted by name; cards that only name what others have come last.

    The lead says how many have it, and how many only name it.
    """
    of_type = _cards_with(session, CardTrait(asked.types), edition, having=True) if asked.types else None
    each = [_cards_with(session, it, edition, having=asked.how == "are") for it in asked.given]
    count = len(each) + (of_type is not None)
    rows = _together(each, "" if asked.one_of else _ALL.get(count, "all")) if each else dict(of_type or {})
    without = [_cards_with(session, it, edition, having=True) for it in asked.lacked]
    rows = {
        face: row
        for face, row in rows.items()
        if (of_type is None or face in of_type) and not any(face in own for own in without)
    }
    is_named = asked.how == "name"
    having = {card for (card, _), row in rows.items() if is_named or row[2] != "named"}
    more = {card for card, _ in rows} - having
    said = f"{asked.meaning[:1].upper()}{asked.meaning[1:]}: {len(having):,}."
    said += f" Others that name it, or give it to something: {len(more):,}." if more else ""
    ordered = sorted(rows.values(), key=lambda row: (not is_named and row[2] == "named", str(row[0]).lower()))
    first = asked.given[0].name if asked.given else asked.types
    base = answer_to(session, question(_QUESTIONS[1]), (first,), edition)
    name, *_ = asked.asked or (base.name,)
    meaning = said.partition(":")[0] + (f" ({name})" if asked.asked else "")
    told = Understood(meaning, asked=asked.asked)
    notes = (said, *base.notes)
    return base._replace(name=name, rows=tuple(ordered), lead=(said,), notes=notes, understood=told)


def doubts_of_cards(session: Session, words: str, edition: str | None) -> tuple[str, ...]:
    """Return why a question about cards has no answer: an unknown criterion, or no loaded cards."""
    asked = listed_by(session, words, edition)
    is_loaded = current_cards(session) is not None
    if asked and not is_loaded and (_ASKS.match(words) or not asked.types or asked.unknown):
        return (NO_CARDS,)
    if asked and asked.unknown:
        way_out = "`rulesgraph ask cards_with TERM` lists cards with a term."
        told = f"“{asked.unknown}” is not a term, type or keyword"
        return (f"This may ask for a list of cards, but {told}. {way_out}",)
    if is_loaded:
        return ()
    from ..cards.naming import cards_in, doubts_about

    return tuple(doubts_about(cards_in(session, words), ""))


def _are_types(session: Session, words: str, edition: str | None) -> bool:
    """Return whether words name types of the loaded cards or, if none are loaded, of the rules."""
    if current_cards(session):
        return bool(types_called(session, words))
    senses = session.pairs(session.scope(edition), TYPE, to=[GAME.CardType])
    types = {session.iris.term(session.iris.parse(it).key) for it, _ in senses}
    known = (thing_named(session, it, edition) for it in words.split())
    return all(it and it[1] and it[1][0].iri in types for it in known)


Faces = dict[tuple[str, str], Cells]
"""(card, type line) → row of `cards_with`: card, types, has, quote."""


def _cards_with(session: Session, it: CardTrait, edition: str | None, *, having: bool = False) -> Faces:
    """Return the faces of cards that have a thing or, unless `having`, only name it."""
    rows = answer_to(session, question("cards_with"), (it.name,), edition).rows
    faces = {(str(row[0]), str(row[1])): row for row in reversed(rows) if not having or row[2] != "named"}
    data = current_cards(session) if it.more else None
    if data is None:
        return faces
    words = r"\W+".join(map(re.escape, re.findall(r"\w+", it.more)))
    says = re.compile(rf"\b{re.escape(it.name)}\b[^.\n]*\b{words}\b[^.\n]*", re.IGNORECASE)
    own = {card for card, _ in faces}
    names = {iri: name for name, iri in session.once(titles).items()}
    cards = [iri for iri, name in names.items() if name in own]
    found: Faces = {}
    for card, _, _, types, text, _ in about_cards(session, data, "faces", {"card": cards}):
        key = (names[str(card)], str(types))
        said = says.search(_REMINDER.sub("", str(text or "")))
        if said and key in faces:
            found[key] = (*faces[key][:3], said[0])
    return found


def _together(each: list[Faces], how: str) -> Faces:
    """Return the faces that are in all lists, which have all `how`, or in one of them if ``""``."""
    if not how:
        every = [*chain.from_iterable(own.items() for own in reversed(each))]
        return dict(sorted(every, key=lambda one: one[1][2] != "named"))
    found: Faces = {}
    for face in set(each[0]).intersection(*each[1:]):
        card, types, _, said = each[-1][face]
        found[face] = (card, types, "named" if any(own[face][2] == "named" for own in each) else how, said)
    return found
