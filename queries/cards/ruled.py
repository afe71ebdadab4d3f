"""Find the rules that a ruling about a card rests on, and the rulings and cards that changed rules affect."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from shlex import quote

from ...loaders.cards.sets import StoredSet
from ...loaders.history.lives import bundled_lives
from ...loaders.language.sentences import sentences
from ...loaders.language.words import fold
from ...ontology.errors import UnknownNameError, UsageError
from ...ontology.grouping import grouped
from ...ontology.resources import literal
from ..evidence.links import NameFinder, cut
from ..finding.recognition import recognise
from ..history.diff import diff
from ..history.trace import history_of
from ..searching.closest import AlsoSought, best_rules
from ..session import Answer, Cells, Session
from .current import about_cards, required_cards
from .naming import card_called, unknown_card

STATED, RETRIEVED = "stated", "retrieved"
"""How it is known on which rule a ruling rests: it cites the number, or it is a guess, never a fact."""


_CALIBRATION = ((0.35, 0.9), (0.2, 0.5), (0.0, 0.3))
"""The lead of the best rule over the next one, and the share of rulings in which it is then right.

Of 46 judged rulings 7 of 7, 6 of 8 and 10 of 31 were right; of 93 others with the first, read by hand, 85."""

_KEPT_WORDS = ("", "unchanged", "references")
"""Changes of a rule that keep its words and number."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d$")


def rulings_about(
    session: Session, data: StoredSet, card: str
) -> Iterator[tuple[date | None, str, list[str]]]:
    """Yield the rulings about a card, oldest first: the day, the text, and the numbers that it cites."""
    rows = about_cards(session, data, "rulings", {"card": [card]})
    for (day, text, _), own in grouped(((row[0], row[1], row[3]), row[2]) for row in rows).items():
        yield day if isinstance(day, date) else None, str(text), [str(cited) for cited in own if cited]


def without_name(text: str, name: str) -> str:
    """Return a ruling with *it* in place of its card's name.

    >>> without_name("Wick's lamp burns.", "Wick, Keeper of Moths")
    'it lamp burns.'
    """
    return re.sub(rf"(?:{re.escape(name)}|{re.escape(name.partition(',')[0])})(?:['’]s)?", "it", text)


def closest_to_ruling(
    session: Session, text: str, edition: str | None, limit: int = 5
) -> list[tuple[str, float]]:
    """Return the rules closest to a ruling that does not name its card, the best first.

    Each has its number and the share of such guesses that are right. The card's other words do not help: of
    46 judged rulings the same ones are right.
    """
    best = best_rules(session, recognise(session, text, edition), limit, AlsoSought(asks=False))
    scores = [score for _, score in best] + [0.0]
    return [
        (number, _confidence(place, 1 - scores[place + 1] / score))
        for place, (number, score) in enumerate(best)
        if number and score
    ]


def _confidence(place: int, lead: float) -> float:
    """Return how often the best rule is right, by how far its score leads that of the next."""
    return next((share for least, share in _CALIBRATION if lead >= least), 0.0) if place == 0 else 0.0


def changed_since(session: Session, number: str, day: date | None, edition: str | None) -> str:
    """Return what became of a rule after a day, ``""`` if it is unchanged or nothing is known.

    `edition` is the edition of the rule's number, by default the newest.
    """
    if day is None:
        return ""
    try:
        rows = history_of(session, number, edition).rows
    except (UnknownNameError, UsageError):
        return ""
    after = []
    for row in rows:
        found = _DAY.search(str(row[0]))
        if found and date.fromisoformat(found[0]) > day and str(row[2]) not in _KEPT_WORDS:
            after.append(f"{row[2]} {found[0]}")
    return "; ".join(after[-_MOST_CHANGES:])


def stated_change(session: Session, number: str, day: date | None, edition: str | None) -> str:
    """Return what became of a rule since a ruling of a day cited its number, which may have meant another."""
    if day is None:
        return ""
    then = bundled_lives().in_force(day)
    provision = bundled_lives().holding(number, then) if then else ""
    if not provision:
        return changed_since(session, number, day, edition)
    stages = bundled_lives().after(provision, then)
    after = [it for it in stages if it.change and it.change not in _KEPT_WORDS]
    return "; ".join(f"{it.change} {it.edition.removeprefix('cr-')}" for it in after[-_MOST_CHANGES:])


_MOST_CHANGES = 3
"""The number of changes listed, the last ones."""


def rulings_changed(
    session: Session,
    card: str = "",
    edition: str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> list[Cells]:
    """Return the rulings whose rule has changed since their day, with the columns of `check`.

    A rule that a ruling cites gives a warning. One that is retrieved counts, as information, if such a guess
    is right in nine of ten cases. `card` is the name of one card; without it all are checked, a hundred
    wordings a second.

    Raises `UsageError` if no cards are loaded, `UnknownNameError` for a name that no card has.
    """
    data = required_cards(session)
    one = card_called(session, card) if card else None
    if card and one is None:
        raise unknown_card(session, card)
    values = {"card": [one.iri]} if one else {}
    where = session.scope(edition).editions[0]
    guesses: dict[str, str] = {}  # half of all rulings repeat those of other cards
    found: list[Cells] = []
    rulings = dict.fromkeys(about_cards(session, data, "rulings", values))
    for done, (issued, text, cited, _, _, name) in enumerate(rulings):
        if progress:
            progress("Checking rulings", done, len(rulings))
        day = issued if isinstance(issued, date) else None
        bare = without_name(str(text), str(name))
        if cited:
            number, severity, how = str(cited), "warning", "which it cites,"
            changed = stated_change(session, number, day, where)
        else:
            if bare not in guesses:
                guesses[bare] = _probable(session, bare, where)
            number, severity, how = guesses[bare], "info", "on which it probably rests,"
            changed = changed_since(session, number, day, where) if number else ""
        if changed:
            message = f"Rule {number}, {how} has changed since {day}: {changed}."
            found.append(
                (severity, "ruling-of-old-rule", str(name), data.set_id, None, message, str(text), str(day))
            )
    return found


def _probable(session: Session, text: str, edition: str) -> str:
    """Return the rule that a ruling rests on, if such a guess is right in nine of ten cases, else ``""``."""
    near = closest_to_ruling(session, text, edition, limit=2)[:1]
    return next((number for number, confidence in near if confidence >= SURE), "")


SURE = 0.9
"""The confidence from which a retrieved rule is worth a finding."""


_FEW = 20
"""The number of cards that are listed in any case."""

_COLUMNS = ("card", "term", "number", "link", "quote", "before", "after")

_MARK = re.compile(r"\[-(.*?)-\]|\{\+(.*?)\+\}", re.DOTALL)
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
        is_common = uses > max(_FEW, _TOO_MANY * data.cards)
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
    pieces = _MARK.split(words)  # unchanged, removed, added words, again and again
    texts = ["".join(it or "" for at, it in enumerate(pieces) if at % 3 in (0, kept)) for kept in (1, 2)]
    before, after = ([fold(text[start:end]) for start, end in sentences(text)] for text in texts)
    gone, come = ([it for it in one if it not in other] for one, other in ((before, after), (after, before)))
    return " ".join(gone), " ".join(come)
