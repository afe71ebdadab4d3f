"""Find the rules that a ruling about a card rests on, and the rulings and cards that changed rules affect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache, partial
from math import log
from typing import NamedTuple

from ...loaders.cards.records import without_name
from ...loaders.editions import StoredSet
from ...loaders.history.items import ChangeKind
from ...loaders.history.lives import bundled_lives
from ...loaders.indexing.stemmer import stems, telling_stems
from ...loaders.language.lexicon import read
from ...loaders.language.words import telling_words, words_in
from ...ontology import UnknownNameError, UsageError, grouped
from ..checking.defects import COLUMNS
from ..finding.recognition import known_names, recognise
from ..history.blame import blame
from ..history.trace import history_of
from ..searching.closest import AlsoSought, best_rules
from ..session import Answer, Cells, Session
from .current import about_cards, required_cards
from .naming import required_card

GUESSED = "A rule under “maybe” is a guess: nine of ten such guesses are right."

_NONE = "There are no rulings to check."

_UNKNOWN = "{:,} of {:,} rulings were not checked: they cite no rule, and none is clearly the closest."

_STILL = "No rule that the checked rulings rest on is known to have changed since."

_LEAD = 0.35
"""How far the score of the rule retrieved for a ruling leads that of the next, if it is told, as a guess.

Of 46 judged rulings 5 of 5 were right then, 7 of 9 with a lead of 0.2 and 11 of 32 below; of 93 others with
this lead, read by hand, 85."""

_TOUCHED = 0.3
"""The share of the words of a new sentence that a ruling has if the change touches it."""

_KEPT_WORDS = ("", ChangeKind.UNCHANGED, ChangeKind.REFERENCES)
"""Changes of a rule that keep its words and number."""

_DATE = len("2031-02-01")
"""The end of the id of an edition that has a history."""


class RulingOnCard(NamedTuple):
    """A ruling: its day, text, the name of its card, and the numbers that it cites."""

    issued: date | None
    text: str
    card: str
    cited: Sequence[str]


def rulings_about(session: Session, data: StoredSet, card: str = "") -> list[RulingOnCard]:
    """Return the rulings about a card, given by its IRI, or about all; the oldest first for each."""
    rows = about_cards(session, data, "rulings", {"card": [card]} if card else {})
    return [
        RulingOnCard(day if isinstance(day, date) else None, str(text), str(name), [*filter(None, own)])
        for (day, text, name), own in grouped((row[:2] + row[5:], str(row[2] or "")) for row in rows).items()
    ]


def grounds_of(session: Session, ruling: RulingOnCard, edition: str | None) -> tuple[dict[str, str], bool]:
    """Return the rules that a ruling cites, or else the one that it probably rests on, and if it is a guess.

    Each number has with it what became of its rule.
    A guess is given if such guesses are right in nine of ten cases. A cited number is that of its day, a
    guessed one that of the edition, and it is no change of that if the rule was only renumbered.
    """
    day = ruling.issued
    if ruling.cited:
        return {it: changed_since(session, it, day, edition, cited=True) for it in ruling.cited}, False
    number = session.once(_probable, without_name(ruling.text, ruling.card), edition)
    return {it: changed_since(session, it, day, edition, cited=False) for it in [number] if it}, True


def _probable(session: Session, text: str, edition: str | None) -> str:
    """Return the rule that a ruling rests on, if such a guess is sure enough, else ``""``."""
    return next((number for number, sure in closest_to_ruling(session, text, edition, limit=2) if sure), "")


def closest_to_ruling(
    session: Session, text: str, edition: str | None, limit: int = 5
) -> list[tuple[str, bool]]:
    """Return the rules closest to a ruling that does not name its card, the best first.

    Each has its number, and whether nine of ten such guesses are right. The card's other words do not help:
    of 46 judged rulings the same ones are right.
    """
    best = best_rules(session, recognise(session, text, edition), limit, AlsoSought(asks=False))
    scores = [score for _, score in best] + [0.0]
    return [
        (number, place == 0 and 1 - scores[1] / score >= _LEAD)
        for place, (number, score) in enumerate(best)
        if number and score
    ]


def changed_since(
    session: Session, number: str, day: date | None, edition: str | None, *, cited: bool
) -> str:
    """Return what became of a rule after a day, ``""`` if it is the same or nothing is known.

    `edition` is that of the number, by default the newest; a number that a ruling `cited` is one of the day,
    which may have meant another rule. Another number is no change of a rule whose number is that of today.
    """
    if day is None:
        return ""
    lives = bundled_lives()
    then = lives.in_force(day)
    provision = lives.holding(number, then) if cited and then else ""
    try:
        rows = () if provision else session.once(history_of, number, edition).stages
    except (UnknownNameError, UsageError):
        return ""
    told = [(row.change, row.edition[-_DATE:]) for row in rows]
    told += [(it.change or "", it.edition[-_DATE:]) for it in lives.after(provision, then) if provision]
    kept = _KEPT_WORDS if cited else (*_KEPT_WORDS, ChangeKind.RENUMBERED)
    after = [f"{change} {since}" for change, since in told if since > str(day) and change not in kept]
    return "; ".join(after[-_MOST_CHANGES:])


_MOST_CHANGES = 3
"""The number of changes listed, the last ones."""

_GRAVEST = tuple(map(ChangeKind, ("removed", "reworded", "split", "merged", "added", "renumbered")))
"""The order of findings, by the change of their rule."""


def rulings_changed(
    session: Session,
    card: str = "",
    edition: str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    *,
    of: str = "",
) -> Answer:
    """Return the rulings whose rule has changed since their day, with the columns of `check`.

    A rule that a ruling cites gives a warning, one that is guessed (see `grounds_of`) an information. The
    sentences of a rule that are newer than the ruling are quoted. Rulings that cite the rule, or have much of
    a new sentence, come first, those that have little of any last; first removed and reworded rules.
    `card` is the name of one card; without it all are checked, a hundred wordings a second. `of` is their
    day, month or year, as in ``"2031-02"``.

    Raises `UsageError` if no cards are loaded, `UnknownNameError` for a name that no card has.
    """
    data = required_cards(session)
    one = required_card(session, card) if card else None
    where = session.scope(edition).edition
    found: list[tuple[int, Cells]] = []
    every = rulings_about(session, data, one.iri if one else "")
    rulings = [it for it in every if str(it.issued or "").startswith(of)]
    unknown = 0
    traced = cache(partial(blame, session, edition=where, read={}))
    for done, it in enumerate(rulings):
        if progress:
            progress("Checking rulings", done, len(rulings))
        changes, guessed = grounds_of(session, it, where)
        unknown += not changes
        severity, how = ("info", "on which it probably rests,") if guessed else ("warning", "which it cites,")
        for number, changed in changes.items():
            message = f"Rule {number}, {how} has changed since {it.issued}: {changed}."
            # The number of a guess is one of today's.
            is_guess = changed and guessed
            new = _newer(session, partial(traced, number), it.issued, where) if is_guess else []
            message += f" New: {' '.join(f'“{said}”' for said in new)}" if new else ""
            about = it.card, data.set_id, None, message, it.text, str(it.issued)
            if changed:
                distance = _distance(new, it.text) if guessed else 0
                found.append((distance, (severity, "ruling-of-old-rule", *about)))
    found.sort(key=lambda it: (it[0], *_order(it[1])))
    notes = [_UNKNOWN.format(unknown, len(rulings))] if unknown else []
    if not rulings:
        days = ", ".join(sorted({str(it.issued) for it in every}))
        notes = [f"No ruling is from {of}: the rulings are from {days}."] if days else [_NONE]
    elif not found and unknown < len(rulings):
        notes.append(_STILL)
    return Answer("check", COLUMNS, tuple(row for _, row in found), where, tuple(notes))


def _order(row: Cells) -> tuple[int, bool, str]:
    """Return the sort key of a finding: by the gravest change, then stated ones, then by cards."""
    changed = str(row[5])
    rank = next((place for place, kind in enumerate(_GRAVEST) if f" {kind} " in changed), 0)
    return rank, row[0] == "info", str(row[2]).lower()


def _distance(new: Sequence[str], ruling: str) -> int:
    """Return 0 if a ruling has much of a new sentence of its rule, 1 if no sentence is known, else 2."""
    own = telling_stems(ruling)
    words = [telling_stems(sentence) for sentence in new]
    touched = any(len(it & own) >= _TOUCHED * len(it) for it in words)
    return 0 if touched else 2 if new else 1


def _newer(session: Session, traced: Callable[[], Answer], day: date | None, edition: str) -> list[str]:
    """Return the sentences of a rule, `traced` by `blame`, that it lacked in a loaded edition since a day."""
    then = min((it.id for it in session.editions() if it.issued and day and it.issued >= day), default="")
    rows = traced().rows if then and then < edition else ()
    return [str(row[0]) for row in rows if row[1] and row[3] and str(row[1]) > then]


_LENGTH = 0.25
"""How much the length of a ruling counts against it: this power of it."""


class Ruling(NamedTuple):
    """A ruling: its card, that with the day, its words, and the signs of what it is about.

    These are the stems of its words, and the IRIs of what they name.
    """

    card: str
    about: str
    text: str
    words: Sequence[str]
    signs: frozenset[str]


def rulings_on(session: Session, data: StoredSet, cards: Sequence[str]) -> list[Ruling]:
    """Return the rulings on some cards, given by their IRIs; those of the same words once."""
    rows = about_cards(session, data, "rulings", {"card": cards}) if cards else []
    told = {str(row[1]): (str(row[5]), f"{row[5]}, {row[0]}") for row in rows}
    bare = {text: without_name(text, card) for text, (card, _) in told.items()}
    words = {text: telling_words(said) for text, said in bare.items()}
    stem_of = stems({word for own in words.values() for word in own})
    return [
        Ruling(*about, text, own, things_in(session, bare[text]) | {stem_of.get(it, it) for it in own})
        for (text, own), about in zip(words.items(), told.values(), strict=True)
        if own
    ]


def things_in(session: Session, text: str) -> frozenset[str]:
    """Return the IRIs of what a text names, whichever it means."""
    named = read(text, known_names(session)).names
    return frozenset(meaning.thing for name in named for meaning in name.meanings)


def nearest(rulings: Sequence[Ruling], sought: Mapping[str, float]) -> list[Ruling]:
    """Return the rulings with any of the signs that are sought, those with the most and rarest first."""
    uses = Counter(sign for it in rulings for sign in it.signs & sought.keys())
    weights = {sign: sought[sign] * log(1 + len(rulings) / count) for sign, count in uses.items()}
    near = [(sum(weights.get(sign, 0) for sign in it.signs) / len(it.signs) ** _LENGTH, it) for it in rulings]
    return [it for nearness, it in sorted(near, key=lambda one: -one[0]) if nearness]


def nearest_sentence(said: Sequence[str], to: str) -> str:
    """Return the sentence with the most words of another one, the first of several; ``""`` for none."""
    return max(said, key=partial(alike, to), default="")


def alike(one: str, other: str) -> int:
    """Return how many words two sentences have in common, in any form."""
    return len({*stems(words_in(one)).values()} & {*stems(words_in(other)).values()})
