"""Find the cards that a release of the rules affects, through changed sentences only."""

from __future__ import annotations

import re
from collections import defaultdict

from ...ontology.resources import literal
from ..evidence.links import NameFinder, cut, sentence_around
from ..history.diff import diff
from ..session import Answer, Cells, Session
from .current import about_cards, required_cards

_FEW = 20
"""The number of cards that are listed in any case."""

COLUMNS = ("card", "term", "number", "link", "quote", "before", "after")

_MARK = re.compile(r"\[-(.*?)-\]|\{\+(.*?)\+\}", re.DOTALL)
_TOO_MANY = 0.1
"""The share of all cards from which a term says nothing about any of them."""


def cards_changed(session: Session, before: str, after: str) -> Answer:
    """Return the cards that the changes between two editions touch, the strongest first.

    A card is touched by a reworded rule that defines a term in the card's words: printed keywords first, then
    the rarest terms. Rows have the card's sentence, and both sentences of the rule.
    """
    data = required_cards(session)
    found = diff(session, before, after, only="reworded")
    rows = [row for row in found.changes.rows if row[1] == "rule" and row[3] and row[4]]
    changed = {str(row[3]): _sentences(str(row[4])) for row in rows}
    scope = session.scope(found.terms.edition)
    numbers = [literal(number) for number in changed]
    defined = session.run("cards", "defined_by", scope, {"number": numbers}) if numbers else []
    through: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for number, term, name in defined:
        through[str(term)].append((str(number), str(name)))
    notes = [data.title]
    touched = about_cards(session, data, "naming_terms", {"term": list(through)}) if through else []
    cards: dict[str, list[tuple[str, str, bool]]] = defaultdict(list)
    for term, name, text, printed in touched:
        cards[str(term)].append((str(name), str(text), bool(printed)))
    names = NameFinder(session, through)
    ranked: list[tuple[tuple[bool, int, str], Cells]] = []
    for term, own in cards.items():
        label = through[term][0][1]
        if len(own) > max(_FEW, _TOO_MANY * data.cards):
            notes.append(f"{len(own):,} cards name {label}, too many to list.")
            continue
        for name, text, printed in own:
            quote = cut(text, names.span(text, term))
            number = through[term][0][0]
            link = "keyword" if printed else "mention"
            row = (name, label, number, link, quote, *changed[number])
            ranked.append(((not printed, len(own), name), row))
    ordered = tuple(row for _, row in sorted(ranked, key=lambda it: it[0]))
    return Answer("cards_changed", COLUMNS, ordered, found.changes.edition, tuple(notes))


def _sentences(words: str) -> tuple[str, str]:
    """Return the first sentence that changed, before and after, from words with their marks.

    >>> _sentences("A lamp is lit. It burns [-one oil-]{+two oil+} a day. It is red.")
    ('It burns one oil a day.', 'It burns two oil a day.')
    """
    return _side(words, 1), _side(words, 2)


def _side(words: str, kept: int) -> str:
    pieces = _MARK.split(words)  # unchanged, removed, added words, again and again
    text = "".join(it or "" for place, it in enumerate(pieces) if place % 3 in (0, kept))
    start = max(0, min(len(pieces[0]), len(text) - 1))
    return sentence_around(text, start, min(start + 1, len(text))) if text else ""
