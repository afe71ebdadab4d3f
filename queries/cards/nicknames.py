"""Find the cards that short, other and misspelt forms of names mean: *chalice*, *O-Ring*, *thlaia*.

The names of the loaded cards tell which of them a word may mean; `players_names.txt` has the few nicknames
that no name tells. A word of the rules is none, nor a common English one, unless it is where only a name can
be: *does swords kill …*.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from itertools import product

from ...loaders.cards.records import JOINING, WORD, key_of, telling_part
from ...loaders.language.everyday import corrected, is_english
from ...loaders.language.names import other_forms
from ...ontology import packaged
from ..session import Session
from .current import NamedCard, cards_begun, cards_called, nearly_called, titles
from .words import KNOWN_ELSEWHERE, is_in_no_rule

STOP = re.compile(r"[.?!;:](?=\s|$)|[()\[\]\"“”]")
"""What no name goes over."""

COMMON = 1_000_000
"""How often a word of English is used that is no rare one: *Thalia* is, *page* is not."""

_COMMON_BEHIND = 3 * COMMON
"""The same for a word behind a part of a name: *Mogg Fanatic* is rather a name than *Mogg dude*."""

_NAME_FOLLOWS = re.compile(r"\b(?:does|did)\s+$", re.IGNORECASE)
"""What a noun without an article follows only if it is a name; plurals, which need none, are in some rule."""

_NEAR = 20
"""The number of characters before a name in which that word and the spaces behind it are."""

_OBJECT = re.compile(
    r"\s+(?:an?|the|my|your|his|her|their|our|it|this|that|these|those|target|all|each|of|"
    r"(?:rules? )?questions?)\b"
)
"""What follows a verb, a noun as in *history of rampage*, or *quick*, that a text begins with, not a name."""

_GOES_ON = re.compile(r",| (?:of|to|in|from|for|at)\b")
"""How a name goes on behind an English word that it is called by: *swords*, of Swords to Plowshares."""

_FEW = 10
"""The number of passages that may have a word which is used like a name: it is hardly one of the rules."""

INITIAL = re.compile(r"(?<![\w-])(?P<first>[^\W\d_])-(?P<second>[^\W\d_]{3,})(?![\w-])")
"""An initial and a word, with a hyphen: *O-Ring*."""


_NEXT, _LAST = re.compile(r"[ -][^\W\d_]{3,}"), re.compile(r"[^\W\d_]{3,}[ -]$")
"""The word behind or before another."""


def is_named(text: str, start: int, end: int) -> bool:
    """Return whether a stretch is where a noun without an article is a name: *does swords …*."""
    opens = not text[:start].strip() and not _OBJECT.match(text, end)
    return opens or _NAME_FOLLOWS.search(text, max(0, start - _NEAR), start) is not None


def meant_by_word(
    session: Session, text: str, word: re.Match[str], *, may_be_misspelt: bool
) -> Iterator[NamedCard]:
    """Yield the card meant by an unknown word, or those that it may mean.

    It is another form of a name (*lanternfalls*), or the beginning of one or several. Of several that begin
    with an English word, one must go on with a comma, as in *Merrin, Keeper of Tolls*, unless it is used like
    a name. Else it is part of a misspelt name, or a misspelt first word.
    """
    own, start = re.sub(r"['’]s$", "", word[0]), word.start()
    end = start + len(own)
    if is_within(text, start, end):
        return
    if joined := _joined(session, text, start, end):
        yield joined
        return
    by_form = {} if is_english(own) else cards_called(session, other_forms(own.lower()))
    begun = {} if by_form else cards_begun(session, own)
    is_used = is_named(text, start, end)
    if by_form:
        [iri, *_] = by_form.values()
        name = next((title for title, it in session.once(titles).items() if it == iri), own)
        yield NamedCard(name, own, start, end, iri)
    elif begun:
        is_name = not is_english(own) or any(_GOES_ON.match(it, len(own)) for it in begun)
        if (is_name or is_used) and is_in_no_rule(session, own, _FEW if is_used else 0):
            named = _nearly_begun(session, text, start, begun) or _one_of(own, start, begun)
            longer = None if len(named.used) > len(own) else _NEXT.match(text, end)
            behind = longer[0][1:].lower() if longer else ""
            is_other = longer and not any(behind in it.lower() for it in begun)
            is_word = (
                not behind or is_english(behind, _COMMON_BEHIND) or not is_in_no_rule(session, behind, _FEW)
            )
            if longer and is_other and not is_word:
                named = NamedCard(own + longer[0], own + longer[0], start, longer.end(), "", begun)
            yield named
    elif not may_be_misspelt:
        return
    elif meant := None if is_english(own, COMMON) else _misspelt(session, text, start):
        yield meant
    elif first := _first_meant(session, own):
        yield NamedCard(own, own, start, end, "", cards_begun(session, first))


def _joined(session: Session, text: str, start: int, end: int) -> NamedCard | None:
    """Return the card whose name is an unknown word with the one before or behind it, or two that begin so.

    So *lantern falls* is Lanternfalls, and *lant fall* the only Lantern Falls.
    """
    behind, before = _NEXT.match(text, end), _LAST.search(text[:start])
    for first, last in ((start, behind.end() if behind else end), (before.start() if before else end, end)):
        words = WORD.findall(text[first:last])
        if len(words) < 2 or any(it.lower() in KNOWN_ELSEWHERE for it in words):
            continue
        parts = [re.escape(it) for it in words]
        begun = re.compile(r"\w* ".join(parts) + r"\w*|" + "".join(parts), re.IGNORECASE)
        found = [it for it in session.once(titles).items() if begun.fullmatch(it[0])]
        if len(found) == 1:
            return NamedCard(found[0][0], text[first:last], first, last, found[0][1])
    return None


def meant_by_nickname(session: Session, text: str) -> Iterator[NamedCard]:
    """Yield the cards meant by players' nicknames, loaded or not."""
    for word in WORD.finditer(text):
        name = _players_names().get(word[0].lower(), "")
        if name and is_in_no_rule(session, word[0]):
            yield NamedCard(name, word[0], *word.span(), cards_called(session, [name]).get(name, ""))


@cache
def _players_names() -> Mapping[str, str]:
    lines = packaged(__package__, "players_names.txt").decode("utf-8").splitlines()
    parts = (line.partition(" = ") for line in lines if not line.startswith("#"))
    return {it: card for said, _, card in parts for it in said.split(", ")}


def _nearly_begun(session: Session, text: str, start: int, begun: Mapping[str, str]) -> NamedCard | None:
    """Return the card that a text nearly names from `start` on, where names of some cards begin."""
    words = [re.sub(r"['’]s$", "", text[start : it.end()]) for it in WORD.finditer(text, start)]
    for name, iri in begun.items():  # *chalice void*
        size = len(telling_part(name))
        used = words[size - 1] if 0 < size <= len(words) else ""
        if " " in used and telling_part(used) == telling_part(name):
            return NamedCard(name, used, start, start + len(used), iri, begun)
    lengths = sorted({len(WORD.findall(it)) for it in begun} - {1}, reverse=True)
    near = (nearly_called(session, words[size - 1], start) for size in lengths if size <= len(words))
    return next(filter(None, near), None)


def begun_alone(session: Session, words: str) -> NamedCard | None:
    """Return the only card whose name begins with some words, None for words of the rules."""
    begun = cards_begun(session, words)
    meant = _one_of(words, 0, begun) if len(begun) == 1 and is_in_no_rule(session, words, _FEW) else None
    return meant if meant and meant.iri else None


def meant_by_hyphen(session: Session, text: str, taken: Collection[tuple[int, int]]) -> Iterator[NamedCard]:
    """Yield the cards meant by an initial and a word, those of the whole word before those that begin so."""
    for match in INITIAL.finditer(text):
        first, second = match["first"].lower(), match["second"].lower()
        is_free = not any(start <= match.start() and match.end() <= end for start, end in taken)
        found: list[dict[str, str]] = [{}, {}]
        for title, iri in session.once(titles).items() if is_free else ():
            words = [it for it in WORD.findall(title.lower()) if it not in JOINING]
            if len(words) == 2 and words[0].startswith(first) and words[1].startswith(second):
                found[words[1] != second][title] = iri
        begun = found[0] or found[1]
        if begun and is_in_no_rule(session, match[0]):
            yield _one_of(match[0], match.start(), begun)


def _one_of(used: str, start: int, begun: Mapping[str, str]) -> NamedCard:
    """Return the one card that a word means, or those of which none is taken.

    An English word may be the whole name of a card that is not loaded; it is the short one of a longer name
    only if that goes on with a comma or a preposition. An owner in a name may have a card as well.
    """
    end, [(name, iri), *others] = start + len(used), begun.items()
    is_owner = name[len(used) :].startswith(("'s", "’s"))
    if others or is_owner or (is_english(used) and not _GOES_ON.match(name, len(used))):
        return NamedCard(used, used, start, end, "", begun)
    return NamedCard(name, used, start, end, iri, begun)


def _first_meant(session: Session, word: str) -> str:
    """Return the first word of names that a word was meant to be, ``""`` if it may be one of the rules'."""
    # Most questions have no such word.
    from ..searching.terms import nearest_word

    first = corrected(word.lower(), session.once(_first_words))
    in_rules = first and any(nearest_word(session.index(it), word.lower()) for it in session.current.editions)
    return "" if in_rules or not is_in_no_rule(session, word) else first


def _first_words(session: Session) -> frozenset[str]:
    """Return the first words of names, in small letters."""
    return frozenset(WORD.findall(title.lower())[0] for title in session.once(titles) if WORD.search(title))


def _misspelt(session: Session, text: str, start: int) -> NamedCard | None:
    """Return a misspelled name of several words around the unknown word that begins there, None for none."""
    spans = [word.span() for word in WORD.finditer(text)]
    at = [first for first, _ in spans].index(start)
    for (first, _), (_, end) in product(spans[max(0, at - 2) : at + 1], spans[at : at + 3]):
        used = text[first:end]
        if " " in used and not STOP.search(used) and (meant := nearly_called(session, used, first)):
            return meant
    return None


def taken_for(used: str, name: str) -> str:
    """Return what a card was called, if that is neither its name nor a plural of it.

    >>> taken_for("lamp", "Wick // Lamp"), taken_for("wicks", "Wick")
    ('Lamp is a face of Wick // Lamp', '')
    """
    if _players_names().get(used.lower()) == name:
        return f"“{used}” is a nickname of {name}"
    forms = {key_of(used), key_of(used.removesuffix("s"))}
    if key_of(name) in forms:
        return ""
    if "".join(WORD.findall(used.lower())) == "".join(WORD.findall(name.lower())):
        return ""
    if face := next((it for it in name.split(" // ") if key_of(it) in forms), ""):
        return f"{face} is a face of {name}"
    return f"“{used}” was taken for {name}, the only card with a name like that"


_TITLE = re.compile(r"\W*[A-Z][\w'’-]*(?:,? [A-Z][\w'’-]*)+\W*")
"""A text whose words all begin with a capital: it is one name."""

_BEFORE = re.compile(r"(?<![.?!:;] )(?<!^)\b([A-Z][\w'’-]*)(?:,|(?: (?:of|to|in|for|from))?(?: the)?) $")
_BEHIND = re.compile(r"(?:['’]s)?,? (?:(?:of|to|in|for|from) )?(?:the )?[A-Z]")

_DOES = re.compile(r"\b(?:I|you|he|she|we|they|opponent)\s+$", re.IGNORECASE)
"""What stands before something that is done, not called so."""


def is_within(text: str, start: int, end: int) -> bool:
    """Return whether capitalised words are right beside a stretch, as within a longer name.

    A name that is said to be done is none of them: *can I Lanternfall Slow Lantern*.
    """
    before = _BEFORE.search(text[:start])
    is_name = before is not None and before[1].lower() not in KNOWN_ELSEWHERE
    if before and is_name:
        return not _DOES.search(text[: before.start(1)])
    if start > 0 and _TITLE.fullmatch(text):
        return True
    return bool(_BEHIND.match(text, end)) and not _DOES.search(text[:start])
