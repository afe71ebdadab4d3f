"""Find the rules that a ruling about a card rests on, and the rulings and cards that changed rules affect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from math import log
from shlex import quote
from typing import NamedTuple

from ...loaders.cards.names import without_name
from ...loaders.cards.sets import StoredSet
from ...loaders.history.items import ChangeKind
from ...loaders.history.lives import bundled_lives
from ...loaders.indexing.stemmer import stems
from ...loaders.language.lexicon import read
from ...loaders.language.sentences import sentences
from ...loaders.language.words import fold, telling_words
from ...ontology.errors import UnknownNameError, UsageError
from ...ontology.grouping import grouped
from ...ontology.resources import literal
from ..checking.defects import COLUMNS
from ..evidence.links import NameFinder, cut
from ..finding.recognition import known_names, recognise
from ..history.blame import blame
from ..history.diff import diff, stretches_of
from ..history.trace import history_of
from ..searching.closest import AlsoSought, best_rules
from ..session import Answer, Cells, Session
from .current import about_cards, required_cards
from .naming import required_card

GUESSED = "A rule under “maybe” is a guess: nine of ten such guesses are right."

_UNKNOWN = "Not checked: {} of {} rulings, no rule is known for them."

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


class Grounds(NamedTuple):
    """The rules that a ruling rests on, each number with what became of it, and whether they are a guess."""

    changes: Mapping[str, str]
    guessed: bool = False


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


def grounds_of(session: Session, ruling: RulingOnCard, edition: str | None) -> Grounds:
    """Return the rules that a ruling cites, or else the one that it probably rests on.

    A guess is given if such guesses are right in nine of ten cases. A cited number is that of its day, a
    guessed one that of the edition, and it is no change of that if the rule was only renumbered.
    """
    day = ruling.issued
    if ruling.cited:
        return Grounds({it: changed_since(session, it, day, edition, cited=True) for it in ruling.cited})
    number = session.once(_probable, without_name(ruling.text, ruling.card), edition)
    changes = {it: changed_since(session, it, day, edition, cited=False) for it in [number] if it}
    return Grounds(changes, guessed=True)


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
        rows = () if provision else session.once(history_of, number, edition).rows
    except (UnknownNameError, UsageError):
        return ""
    told = [(str(row[2]), str(row[0])[-_DATE:]) for row in rows]
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
) -> Answer:
    """Return the rulings whose rule has changed since their day, with the columns of `check`.

    A rule that a ruling cites gives a warning, one that is guessed (see `grounds_of`) an information. The
    sentences of a rule that are newer than the ruling are quoted. Rulings that cite the rule, or have much of
    a new sentence, come first, those that have little of any last; first removed and reworded rules.
    `card` is the name of one card; without it all are checked, a hundred wordings a second.

    Raises `UsageError` if no cards are loaded, `UnknownNameError` for a name that no card has.
    """
    data = required_cards(session)
    one = required_card(session, card) if card else None
    where = session.scope(edition).editions[0]
    found: list[tuple[int, Cells]] = []
    rulings = rulings_about(session, data, one.iri if one else "")
    unknown = 0
    for done, it in enumerate(rulings):
        if progress:
            progress("Checking rulings", done, len(rulings))
        changes, guessed = grounds_of(session, it, where)
        unknown += not changes
        severity, how = ("info", "on which it probably rests,") if guessed else ("warning", "which it cites,")
        for number, changed in changes.items():
            message = f"Rule {number}, {how} has changed since {it.issued}: {changed}."
            # The number of a guess is one of today's.
            new = _newer(session, number, it.issued, where) if changed and guessed else []
            message += f" New: {' '.join(f'“{said}”' for said in new)}" if new else ""
            about = it.card, data.set_id, None, message, it.text, str(it.issued)
            if changed:
                distance = _distance(new, it.text) if guessed else 0
                found.append((distance, (severity, "ruling-of-old-rule", *about)))
    found.sort(key=lambda it: (it[0], *_order(it[1])))
    notes = [_UNKNOWN.format(unknown, len(rulings))] if unknown else []
    if not rulings:
        notes = ["There are no rulings to check."]
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
    own = {*stems(telling_words(ruling)).values()}
    words = [{*stems(telling_words(sentence)).values()} for sentence in new]
    touched = any(len(it & own) >= _TOUCHED * len(it) for it in words)
    return 0 if touched else 2 if new else 1


def _newer(session: Session, number: str, day: date | None, edition: str) -> list[str]:
    """Return the sentences of a rule that it did not have in a loaded edition since a day."""
    then = min((it.id for it in session.editions() if it.issued and day and it.issued >= day), default="")
    rows = session.once(blame, number, edition).rows if then and then < edition else ()
    return [str(row[0]) for row in rows if row[1] and row[3] and str(row[1]) > then]


FEW = 20
"""The number of cards that name a term and count in any case."""

_COMMON = 0.2
"""The share of cards from which naming a term says nothing about what two of them have in common."""

_COLUMNS = ("card", "term", "number", "link", "quote", "before", "after")

_LINKS = ("keyword", "mention", "reminder")
"""How a card names a term, strongest first: printed keyword, its words, its reminder text alone."""

_TOO_MANY = 0.02
"""The share of all cards from which mentioning a term says nothing about any of them."""


def cards_changed(session: Session, before: str, after: str, within: str | None = None) -> Answer:
    """Return the cards that the changes between two editions touch, the strongest first.

    A card is touched by a reworded rule that defines a term in the card's words, or that names one which it
    lists (a predefined token): printed keywords first, then the rarest terms, then tokens that only reminder
    text names. There is a row for each such rule, with the card's sentence, and the sentences of the rule
    that changed. `within` is that of `diff`.
    """
    data = required_cards(session)
    found = diff(session, before, after, only="reworded", within=within)
    rows = found.changes.rows
    changed = {str(row[3]): _sentences(str(row[4])) for row in rows if row[1] == "rule"}
    numbers = [literal(number) for number in changed]
    scope = session.scope(found.terms.edition)
    defined = session.run("cards", "defined_by", scope, {"number": numbers}) if numbers else []
    through = grouped((str(term), (str(number), str(name))) for number, term, name, _ in defined)
    listed = {str(term): str(name).lower() for _, term, name, begins in defined if begins}
    named = about_cards(session, data, "naming_terms", {"term": list(through)}) if through else []
    cards = grouped((str(term), (str(link), str(name), str(text))) for term, name, text, link in named)
    known = {(term, name) for term, own in cards.items() for _, name, _ in own}
    faces = about_cards(session, data, "faces", {}) if listed else []
    for name, text in sorted({(str(it[2]), str(it[4])) for it in faces if "(" in str(it[4])}):
        for term, word in listed.items():
            if word in text.lower() and (term, name) not in known:
                cards[term].append(("reminder", name, text))
    notes = [data.title, *found.changes.notes]
    names = NameFinder(session, through)
    ranked: list[tuple[tuple[int, int, str], Cells]] = []
    for term, own in cards.items():
        label, uses = through[term][0][1], sum(link != "keyword" for link, *_ in own)
        is_common = uses > max(FEW, _TOO_MANY * data.cards)
        if is_common:
            notes.append(
                f"{uses:,} cards only mention {label}: `rulesgraph ask cards_with {quote(label)}` lists them."
            )
        for link, name, text in own:
            if link == "keyword" or not is_common:
                at = text.lower().find(label.lower()) if link == "reminder" else -1
                sentence = cut(text, (at, at + 1) if at >= 0 else names.span(text, term))
                key = _LINKS.index(link), len(own), name
                ranked += ((key, (name, label, it, link, sentence, *changed[it])) for it, _ in through[term])
    ordered = tuple(row for _, row in sorted(ranked, key=lambda it: it[0]))
    return Answer("cards_changed", _COLUMNS, ordered, found.changes.edition, tuple(notes))


def _sentences(words: str) -> tuple[str, str]:
    """Return the sentences that changed, before and after, from words with their marks.

    >>> _sentences("A lamp is lit. It burns [-one oil-]{+two oil+} a day. It is red.")
    ('It burns one oil a day.', 'It burns two oil a day.')
    """
    stretches = stretches_of(words)
    texts = [" ".join(it for what, it in stretches if what != other) for other in ("come", "gone")]
    before, after = ([fold(text[start:end]) for start, end in sentences(text)] for text in texts)
    gone, come = ([it for it in one if it not in other] for one, other in ((before, after), (after, before)))
    return " ".join(gone), " ".join(come)


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
    named = read(text, known_names(session).lexicon).names
    return frozenset(meaning.thing for name in named for meaning in name.meanings)


def nearest(rulings: Sequence[Ruling], sought: Mapping[str, float]) -> list[Ruling]:
    """Return the rulings with any of the signs that are sought, those with the most and rarest first."""
    uses = Counter(sign for it in rulings for sign in it.signs & sought.keys())
    weights = {sign: sought[sign] * log(1 + len(rulings) / count) for sign, count in uses.items()}
    near = [(sum(weights.get(sign, 0) for sign in it.signs) / len(it.signs) ** _LENGTH, it) for it in rulings]
    return [it for nearness, it in sorted(near, key=lambda one: -one[0]) if nearness]


def rarest_first(
    session: Session, data: StoredSet, terms: Collection[str], *, common: bool = True
) -> list[str]:
    """Return terms, the rarest on cards first; those that nearly every card names only if `common`."""
    known = session.once(_uses)
    missing = sorted({*terms} - known.keys())
    rows = about_cards(session, data, "uses", {"term": missing}) if missing else []
    known.update(dict.fromkeys(missing, 0) | {str(term): int(str(count)) for term, count in rows})
    most = max(FEW, _COMMON * data.cards)
    ordered = sorted({*terms}, key=lambda term: (known[term], term))
    return [term for term in ordered if known[term] > 0 and (common or known[term] <= most)]


def _uses(_: Session) -> dict[str, int]:
    """Return the number of cards that name each term, as far as it was asked: counting takes long."""
    return {}
