"""Find what is written like a card's name and is the name of no loaded card.

That is a text in marks, words with capitals in a row, or one such word within a sentence where a card can be
named. Names of players are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from ...loaders.cards.records import JOINING, WORD
from ...loaders.language.everyday import FUNCTION_WORDS, SMALL, is_english
from ...loaders.language.lexicon import Lexicon
from ...loaders.language.names import singular
from ...ontology import RDFS_LABEL, literal, packaged
from ..session import Session
from .current import NamedCard, cards_begun, current_cards, is_type, nearly_called
from .words import KNOWN_ELSEWHERE, is_in_no_prose, is_in_no_rule, overlap

QUOTED = re.compile(r"[\"“](?P<quoted>[^\"“”]{3,60})[\"”]")
"""Words in quotation marks."""

_BETWEEN = ("and", "with", "to", "in", "from", "for", "at")
"""The words between two names; others are rather within one."""

_JOINTS = (" ", ", ", " // ", "-")
"""What stands between the words of a name."""

_QUESTIONS = "can|could|does|did|will|would|is|was|if|when"
"""What the subject of a question or a condition follows."""

_MAY_FOLLOW = re.compile(
    r"\b(?:an?|the|my|your|his|her|their|our|this|that|another|one|two|three|four|five|both|target|\w+['’]s?|"
    r"cast(?:s|ing)?|play(?:s|ed|ing)?|cop(?:y|ies|ied|ying)|counter(?:s|ed|ing)?|activat(?:e|es|ed|ing)|"
    r"control(?:s|led|ling)?|us(?:e|es|ed|ing)|resolv(?:e|es|ed|ing)|with|via|"
    rf"{_QUESTIONS})\s+$",
    re.IGNORECASE,
)
"""What stands before a card's name."""

_SUBJECT_FOLLOWS = re.compile(rf"\b(?:{_QUESTIONS})\s+$", re.IGNORECASE)

_SEVERAL = re.compile(r"\b(?:do|are|were|both|between|combin(?:e|es|ing))\s+$", re.IGNORECASE)
_TOGETHER = re.compile(r"\s+(?:\w+\s+){0,2}(?:together|interact|combine|combo)\b", re.IGNORECASE)
"""What stands before and behind names of which *and* joins two."""

_GOES_ON = re.compile(r"\b[A-Z][\w'’]+ (?:to|of)(?: the)? $")
"""What a term with a capital follows within a name: *Road to Exile*, but not *Wisp from Exile*."""

_NUMBER = re.compile(r" (?:One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten)\b")

_PLAYS = (
    r"\b{}(?:\s+(?:casts?|controls?|attacks? with|activates?|plays?|owns?|taps?|draws?|discards?|chooses?)\b|"
    r"['’]s\s+(?:turn|hand|library|graveyard|opponent|deck|side|life|control|next)\b)"
)
"""What tells a player, in a pattern with the name."""


def unloaded(
    session: Session,
    names: Lexicon,
    text: str,
    words: Sequence[re.Match[str]],
    marked: Sequence[tuple[int, int]],
    terms: Sequence[tuple[int, int]],
    cards: Sequence[NamedCard],
) -> Iterator[NamedCard]:
    """Yield text that is written like a card's name, but names nothing loaded and nothing in the rules.

    It is in one of the `marked` places, or is of `words` in which capitals mean something.
    """
    taken = [*((it.start, it.end) for it in cards), *terms]
    for a, b in marked:
        inside = text[a:b]
        two = text[a - 2 : a] == "[["
        if not overlap(a, b, [(it.start, it.end) for it in cards]) and (two or inside[:1].isupper()):
            taken.append((a, b))
            yield NamedCard(inside, inside, a, b)
    runs = [match.span("quoted") for match in QUOTED.finditer(text) if _is_title(match["quoted"])]
    free = [
        word
        for word in words
        if not overlap(*word.span(), taken)
        or (word[0][0].isupper() and _GOES_ON.search(text[: word.start()]))
    ]
    runs += _runs(text, free)
    for a, b in runs:
        own = [word.lower() for word in WORD.findall(text[a:b])]
        odd = [it for it in own if it not in KNOWN_ELSEWHERE and not names.knows(it)]
        if len(own) == 1 and (not is_in_no_prose(session, text[a:b]) or _is_listed(session, text[a:b])):
            continue
        others = [it for it in taken if it not in terms or not a < it[0] < it[1] <= b]
        if (odd or _NUMBER.search(text[a:b])) and not overlap(a, b, others):
            taken.append((a, b))
            is_near = current_cards(session) and nearly_called(session, text[a:b], a)
            yield is_near or NamedCard(text[a:b], text[a:b], a, b)


def unloaded_word(session: Session, text: str, word: re.Match[str]) -> Iterator[NamedCard]:
    """Yield a word as `is_titled` that has no meaning in the rules and calls no player.

    Examples of rules name cards; any other word must be where a card is named: *a Wisp*, *I cast Wisp*.
    """
    own = _plain(word)
    if own.lower() in KNOWN_ELSEWHERE or is_player(text, own):
        return
    if not is_in_no_prose(session, own) or _is_listed(session, own):
        return
    if not is_in_no_rule(session, own) or _MAY_FOLLOW.search(text[: word.start()]):
        yield NamedCard(own, own, word.start(), word.start() + len(own), "", cards_begun(session, own))


def unloaded_subject(session: Session, text: str, word: re.Match[str]) -> Iterator[NamedCard]:
    """Yield a word that is neither English nor in the rules' prose, where a question has its subject."""
    # Most questions have no such word.
    from ..searching.terms import nearest_word

    own = _plain(word)
    if is_english(own) or not _SUBJECT_FOLLOWS.search(text[: word.start()]) or is_player(text, own):
        return
    indexes = [session.index(it) for it in session.current.editions]
    is_misspelt = is_in_no_rule(session, own) and any(nearest_word(it, own.lower()) for it in indexes)
    if is_in_no_prose(session, own) and not is_misspelt:
        begun = cards_begun(session, own)
        yield NamedCard(own, own, word.start(), word.start() + len(own), "", begun)


def _plain(word: re.Match[str]) -> str:
    """Return a word without a possessive *s*."""
    return re.sub(r"['’]s$", "", word[0])


def is_titled(text: str, word: re.Match[str]) -> bool:
    """Return whether a word within a sentence is written like a name."""
    own = _plain(word)
    return own.isalpha() and own[0].isupper() and own[1:].islower() and not opens_sentence(text, word.start())


def is_player(text: str, name: str) -> bool:
    """Return whether a name is a player's: one that people have, or of whom a text says what players do."""
    return name.lower() in _given_names() or bool(re.search(_PLAYS.format(re.escape(name)), text))


@cache
def _given_names() -> frozenset[str]:
    lines = packaged(__package__, "given_names.txt").decode("utf-8").splitlines()
    return frozenset(name for line in lines if not line.startswith("#") for name in line.split())


def _is_listed(session: Session, name: str) -> bool:
    """Return whether a name is on a list of the rules, or a type of cards: *Zombie*."""
    labels = {literal(it.title(), "en") for it in (name, singular(name.lower()))}
    return is_type(session, name) or bool(session.pairs(session.current, RDFS_LABEL, to=labels))


def opens_sentence(text: str, start: int) -> bool:
    """Return whether a sentence begins here, which gives any word a capital."""
    return not text[:start].strip() or bool(re.search(r"[.?!:]\s+[\"“]?$", text[:start]))


def _is_title(words: str) -> bool:
    telling = [word for word in WORD.findall(words) if word.lower() not in JOINING]
    return bool(telling) and all(word[0].isupper() for word in telling)


def _runs(text: str, words: Sequence[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """Yield where two or more capitalised words are in a row, joined at most by small words."""
    run: list[re.Match[str]] = []
    for word in (*words, None):
        between = text[run[-1].end() : word.start()] if run and word else ""
        goes_on = word is not None and word[0] != "I" and (not run or between in _JOINTS)
        if word and run and word[0] in ("a", "an"):  # rather before the next name, but for *City in a Vial*
            goes_on = between == " " and run[-1][0] in JOINING
        if word is not None and goes_on and (word[0][0].isupper() or (run and word[0] in JOINING)):
            run.append(word)
            continue
        while run and (run[-1][0] in JOINING or not run[-1][0][0].isupper()):
            run.pop()
        # *What's*, but *does The One Lamp*
        while run and re.split("['’]", run[0][0].lower())[0] in FUNCTION_WORDS | SMALL:
            if not opens_sentence(text, run[0].start()) and run[0][0] == "The":
                break
            run.pop(0)
        parts = [*_apart(run)]
        for part in parts:
            if len(named := _without_players(text, part)) > (len(parts) == 1):
                yield named[0].start(), named[-1].end() - 2 * named[-1][0].endswith(("'s", "’s"))
        run = [word] if word is not None and word[0][0].isupper() and word[0] != "I" else []


def _apart(run: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Yield the names in a row of words: a small word between two pairs of others joins two names.

    So does *and* behind a name of several words without an *of*: not in *Lord of Wax and Wick*; and behind
    any name if the text is about several things: *do Wick and Wax work together*.
    """
    joins = run and (
        _SEVERAL.search(run[0].string[: run[0].start()]) or _TOGETHER.match(run[0].string, run[-1].end())
    )
    for place, word in enumerate(run):
        before, behind = run[:place], run[place + 1 :]
        sides = [sum(it[0] not in JOINING for it in side) for side in (before, behind)]
        several = joins and word[0] == "and" and all(it[0] not in JOINING for it in before)
        if word[0] not in _BETWEEN or min(sides) < 1 or (sides[0] < 2 and not several):
            continue
        if (
            several
            or sides[1] > 1
            or (word[0] in ("and", "with") and all(it[0] not in JOINING for it in before))
        ):
            yield before
            yield from _apart(behind)
            return
    yield run


def _without_players(text: str, name: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return the words of a name without small ones and an owner in front, nothing for players alone."""
    telling = [word for word in name if word[0] not in JOINING]
    if all(is_player(text, _plain(word)) for word in telling):
        return []
    while name[0][0] in JOINING:
        name = name[1:]
    owner = _plain(name[0])
    return name[1:] if owner != name[0][0] and is_player(text, owner) else name
