"""Find the cards that a text names: by full names, by parts of names that only one card has, and by markup.

A name counts in upper or lower case if its words have no other meaning. If it is also English (*Cancel*), it
needs capitals or markup, or must be a rare word that no rule has. Terms win: *fear* is the ability,
``[[Fear]]`` the card. Text marked like a card, or an unknown capitalised name, counts as a card that is not
loaded.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from ...loaders.cards.records import JOINING, WORD, key, key_of
from ...loaders.language.everyday import FUNCTION_WORDS, SMALL, is_english
from ...loaders.language.lexicon import How, read
from ...ontology import UnknownNameError, UsageError, grouped, last_name, literal
from ..finding.names import identify
from ..finding.recognition import LONGEST, known_names, recognise
from ..session import Session
from .current import NO_CARDS, NamedCard, about_cards, cards_begun, cards_like, current_cards, required_cards
from .nicknames import (
    COMMON,
    INITIAL,
    STOP,
    begun_alone,
    is_named,
    is_within,
    meant_by_hyphen,
    meant_by_nickname,
    meant_by_word,
    taken_for,
)
from .unloaded import QUOTED, is_player, is_titled, opens_sentence, unloaded, unloaded_subject, unloaded_word
from .words import KNOWN_ELSEWHERE, is_in_no_rule, overlap

_LONGEST = 12
"""The maximum number of words of a text in one name."""

_SHORTEST = 4
"""The minimum length of a word that is looked up as the beginning of names."""

_MARKED = re.compile(r"\[\[(?P<two>[^\[\]]+)\]\]|\[(?P<one>[^\[\]]+)\]")
_SHOUTED = 0.6
"""Capitals mean nothing if more than this share of the words have them."""

_DOES = re.compile(r"\b(?:i|we|you|they|he|she|to)\s+$", re.IGNORECASE)
"""Words before a verb: *can I redirect lightning bolt* is about Lightning Bolt, not Redirect Lightning."""

_WAYS = ("nameKey", "plainNameKey", "partKey")
_SURE = (How.EXACT, How.FORM, How.OLD)


_CALLED = re.compile(r"^\s*(?:the\s+)?card\s+|[\[\]]", re.IGNORECASE)
"""What people say or write around the name of a card that is not part of it."""

_NEAR = 75
"""The minimum likeness, in percent, of a name to that of a card to suggest it."""

MOST_BEGUN = 8
"""The maximum number of cards suggested because their names begin with a name."""


def is_marked(name: str) -> bool:
    """Return whether a name can only be that of a card: ``[[Fear]]``; *card type* may be a term."""
    return "[" in name


def card_called(session: Session, name: str) -> NamedCard | None:
    """Return the card with a name, or the only card with this as part or beginning of its name."""
    data = current_cards(session)
    plain = _CALLED.sub("", name).strip("\"'“”‘’ ")
    if data is None or not plain:
        return None
    wanted = key_of(plain)
    rows = about_cards(session, data, "keys", {"key": [literal(wanted)]})
    ranked = sorted(  # a card before one that has a face of the name
        (_WAYS.index(str(how).rpartition("#")[2]), key_of(str(title)) != wanted, str(title), str(card))
        for _, how, card, title in rows
    )
    if ranked:
        return NamedCard(ranked[0][2], plain, 0, len(name), ranked[0][3])
    nicknamed = [it for it in meant_by_nickname(session, plain) if it.iri and it.used == plain]
    if nicknamed or known_names(session).knows(plain.lower()):
        return nicknamed[0] if nicknamed else None
    return begun_alone(session, plain)


def unknown_card(session: Session, name: str) -> UnknownNameError:
    """Return the error for a name that no loaded card has, with cards of similar names.

    Raises `UsageError` for an empty name, and if no cards are loaded.
    """
    data = required_cards(session)
    if not name.strip():
        raise UsageError("the name is empty", way_out="Give the name of a card.")
    begun = [*cards_begun(session, name)]
    near = begun[:MOST_BEGUN] or [*cards_like(session, name, _NEAR, 3)]
    more = f"The names of {len(begun)} cards begin like this." if begun else f"It is not in {data.title}."
    return UnknownNameError("card", name, near, more if len(begun) > len(near) or not begun else "")


def required_card(session: Session, name: str) -> NamedCard:
    """Return the card with a name, as `card_called`; raises `UnknownNameError` if there is none."""
    card = card_called(session, name)
    if card is None:
        raise unknown_card(session, name)
    return card


def told_of(*cards: NamedCard | None) -> list[str]:
    """Return a remark on each card that was called by another name than its own."""
    return [f"{told}." for it in cards if it and (told := taken_for(it.used, it.name))]


def card_meant(session: Session, name: str) -> NamedCard | None:
    """Return the card that a name means, if it is marked as a card's or names no term or number.

    A card goes before a term that only players call so: *Reanimate*. Raises `UnknownNameError` if the names
    of several cards begin with it and it means nothing else.
    """
    if current_cards(session) is None:
        return None
    if not is_marked(name):
        with suppress(UnknownNameError):
            identify(session, name)
            called = {it.how for it in recognise(session, name).things}
            card = card_called(session, name) if called == {How.PLAYERS} else None
            return card if card and key_of(name) in map(key_of, card.name.split(" // ")) else None
    card = card_called(session, name)
    if card is None and cards_begun(session, name):
        raise unknown_card(session, name)
    return card


class _Place(NamedTuple):
    """A run of words: where it begins and ends, and its key."""

    start: int
    end: int
    key: str
    marked: bool


def cards_in(session: Session, text: str) -> tuple[NamedCard, ...]:
    """Return the cards that a text names, loaded or not, in order; without card data, all as not loaded."""
    data, text = current_cards(session), text[:LONGEST]
    words = list(WORD.finditer(text))
    marked = [match.span(match.lastgroup or 0) for match in _MARKED.finditer(text)]
    places = list(_places(text, words, marked)) if data else []
    keys = [literal(it) for it in {it.key for it in places}]
    rows = about_cards(session, data, "keys", {"key": keys}) if data else ()
    known = grouped((str(own), (last_name(str(how)), str(card), str(name))) for own, how, card, name in rows)
    likely = [it for it in places if it.key in known]
    unknown = [word for word in words if _is_unknown(session, text, word)]
    nicknamed = list(meant_by_nickname(session, text)) if data else []
    titled = [word for word in words if is_titled(text, word)]
    is_odd = unknown or nicknamed or marked or titled or INITIAL.search(text) or QUOTED.search(text)
    if not likely and not is_odd:
        return ()
    was = read(text, known_names(session))
    terms = [(it.start, it.end) for it in was.names if any(own.how in _SURE for own in it.meanings)]
    terms += [(number.start, number.end) for number in was.numbers]
    terms += [(day.start, day.end) for day in was.days]
    terms += [(named.start, named.end) for named in was.editions]
    shouted = _is_shouted([word[0] for word in words[1:] if word[0] != "I"])
    rare = {word[0].lower() for word in unknown if is_in_no_rule(session, word[0])}
    found: list[NamedCard] = []
    taken: list[tuple[int, int]] = []
    for it in sorted(likely, key=lambda it: (bool(_DOES.search(text[: it.start])), it.start, -it.end)):
        is_free = not overlap(it.start, it.end, taken)
        if is_free and (meant := _meant(text, it, known[it.key], terms, shouted, rare)):
            found.append(meant)
            taken.append((meant.start, meant.end))
    spans = [*taken, *terms, *marked]
    # A misspelled term is not a misspelled card: *the lagend rule*.
    meant_so = recognise(session, text).things if unknown else ()
    read_so = [*spans, *((it.start, it.end) for named in (was.names, meant_so) for it in named)]
    found += meant_by_hyphen(session, text, spans)
    found += (it for it in nicknamed if not overlap(it.start, it.end, spans))
    for word in unknown if data else ():
        if not overlap(*word.span(), [*spans, *((it.start, it.end) for it in found)]):
            found += meant_by_word(session, text, word, may_be_misspelt=not overlap(*word.span(), read_so))
    found += unloaded(session, known_names(session), text, () if shouted else words, marked, terms, found)
    for word in () if shouted else titled:
        if not overlap(*word.span(), [*terms, *((it.start, it.end) for it in found)]):
            found += unloaded_word(session, text, word)
    for word in unknown:
        if not overlap(*word.span(), [*read_so, *((it.start, it.end) for it in found)]):
            found += unloaded_subject(session, text, word)
    # A name that can only be a card's is the loaded card, even if its capital means nothing.
    named = {(it.start, it.end): own for it in likely for own in known[it.key] if own[0] != "partKey"}
    found = [
        NamedCard(named[at][2], it.used, *at, named[at][1])
        if not it.iri and (at := (it.start, it.end)) in named
        else it
        for it in found
    ]
    found = [_meant_again(it, found) for it in found]
    sure = [(it.start, it.end) for it in found if it.iri]
    found = [it for it in found if it.iri or not overlap(it.start, it.end, sure)]
    longest = sorted(found, key=lambda it: it.start - it.end)
    whole = [it for place, it in enumerate(longest) if not _is_part(it, longest[:place])]
    return tuple(sorted(whole, key=lambda it: it.start))


def _meant_again(card: NamedCard, named: Iterable[NamedCard]) -> NamedCard:
    """Return the card that the first words of its name mean beside the whole name, or the card as it is."""
    begins = re.compile(rf"{re.escape(card.name)}\b", re.IGNORECASE)
    wholes = {it.iri: it.name for it in named if not card.iri and it.iri and begins.match(it.name)}
    if len(wholes) != 1:
        return card
    [(iri, name)] = wholes.items()
    return card._replace(name=name, iri=iri, begun={})


def _is_part(card: NamedCard, longer: Iterable[NamedCard]) -> bool:
    """Return whether the name of a card in a text is part of a longer name there."""
    return any(it.start <= card.start and card.end <= it.end for it in longer)


def _is_shouted(words: Sequence[str]) -> bool:
    """Return whether capitals mean nothing: small words have them too, or there is nothing but capitals."""
    small = [it[0].isupper() for it in words if it.lower() in FUNCTION_WORDS | SMALL]
    capitals = small or [it.isupper() for it in words]
    return sum(capitals) > _SHOUTED * len(capitals)


def _is_unknown(session: Session, text: str, word: re.Match[str]) -> bool:
    """Return whether a word is not a name in the rules, and is rare in English or where a name would be."""
    small = word[0].lower()
    return (
        len(small) >= _SHORTEST
        and small not in KNOWN_ELSEWHERE
        and (not is_english(small, COMMON) or is_named(text, word.start(), word.end()))
        and not known_names(session).knows(small)
        and not (is_titled(text, word) and is_player(text, word[0]))
    )


def _places(text: str, words: Sequence[re.Match[str]], marked: Sequence[tuple[int, int]]) -> Iterator[_Place]:
    """Yield every run of words that may be a name, also without a final possessive *s*."""
    stops = [match.start() for match in STOP.finditer(text)]
    for first, word in enumerate(words):
        said: list[str] = []
        for last in range(first, min(first + _LONGEST, len(words))):
            start, end = word.start(), words[last].end()
            if last > first and bisect_right(stops, start) != bisect_right(stops, words[last].start()):
                break
            own = words[last][0]
            is_marked = any(a == start and end <= b <= end + 1 for a, b in marked)
            yield _Place(start, end, key([*said, own]), is_marked)
            if own[-2:] in ("'s", "’s"):
                yield _Place(start, end - 2, key([*said, own[:-2]]), is_marked)
            elif own[-1:] == "s" and own[0].isupper():  # several of them
                yield _Place(start, end, key([*said, own[:-1]]), is_marked)
            said.append(own)


def _meant(
    text: str,
    it: _Place,
    known: Iterable[tuple[str, str, str]],
    terms: Sequence[tuple[int, int]],
    shouted: bool,
    rare: Collection[str],
) -> NamedCard | None:
    """Return the card that a run of words means, None if they mean something else."""
    used = text[it.start : it.end]
    words = WORD.findall(used)
    if not it.marked and any(start <= it.start and it.end <= end for start, end in terms):
        return None
    telling = [word for word in words if word.lower() not in JOINING]
    capital = bool(telling) and all(not word[0].islower() for word in telling) and not shouted
    opens = opens_sentence(text, it.start)
    ranked = sorted(known, key=lambda row: (_WAYS.index(row[0]), len(row[2])))
    within = (len(words) == 1 or ranked[0][0] == "partKey") and is_within(text, it.start, it.end)
    for how, card, name in ranked:
        if within and not it.marked:
            continue  # part of a longer, unknown name
        sure = how == "nameKey" or it.marked or (how == "plainNameKey" and used.lower() in rare)
        plain = how == "plainNameKey" and capital and (len(telling) > 1 or not opens)
        part = how == "partKey" and (capital if len(words) > 1 else capital or len(used) > 5)
        if sure or plain or part:
            return NamedCard(name, used, it.start, it.end, card)
    return None


def doubts_about(cards: Sequence[NamedCard], title: str) -> Iterator[str]:
    """Yield remarks on cards that a text may name, and on those missing from the loaded data (`title`)."""
    several = {card.name: [*card.begun] for card in cards if card.begun and not card.iri}
    for name, begun in several.items():
        more = f"; and {len(begun) - MOST_BEGUN} more" if len(begun) > MOST_BEGUN else ""
        shown = "; ".join(begun[:MOST_BEGUN]) + more
        if len(begun) > 1 and begun[0].lower().startswith(name.lower()):
            yield f"The names of several cards begin with “{name}”: {shown}. None was chosen."
        else:
            yield f"No loaded card is called “{name}”. Did you mean {shown}?"
    missing = [
        f"“{it}”" for it in dict.fromkeys(card.name for card in cards if not card.iri and not card.begun)
    ]
    if missing:
        looks = "looks like a card name" if len(missing) == 1 else "look like card names"
        known = f"no such card is loaded ({title})." if title else f"{NO_CARDS[0].lower()}{NO_CARDS[1:]}"
        yield f"{' and '.join(missing)} {looks}, but {known}"


def without_cards(text: str, cards: Iterable[NamedCard]) -> str:
    """Return a text of the same length with a pronoun in place of each card.

    >>> without_cards("Does Wick Lamp burn?", [NamedCard("Wick Lamp", "Wick Lamp", 5, 14)])
    'Does it        burn?'
    """
    for it in cards:
        text = f"{text[: it.start]}{'it'[: it.end - it.start].ljust(it.end - it.start)}{text[it.end :]}"
    return text
