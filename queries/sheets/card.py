"""The sheet of one card: its words, what they touch in an edition, and its rulings with their rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...ontology.errors import UnknownNameError
from ..cards.current import NO_CARDS, CardData, about_cards, current_cards
from ..cards.naming import NamedCard, card_called, is_marked
from ..cards.ruled import STATED, changed_since, closest_to_ruling, rulings_about, stated_change
from ..evidence.links import NameFinder
from ..evidence.quotes import cut
from ..session import Answer, Cells, Scope, Session
from ..session.answer import Sheet


def sheet_of_card(
    session: Session, name: str, edition: str | None, resolve: Callable[[], object]
) -> Sheet | None:
    """Return the sheet of a card, None if the name is that of a term or number, or of no card.

    Terms win: `resolve` raises `UnknownNameError` if no term has the name. A name marked as that of a card
    is that of one.
    """
    if not is_marked(name):
        try:
            resolve()
        except UnknownNameError:
            if card_called(session, name) is None:
                return None
        else:
            return None
    return card_sheet(session, name, edition=edition)


def card_sheet(session: Session, name: str, *, edition: str | None = None) -> Sheet:
    """Return the sheet of a card; raises `UnknownNameError` for a name that no loaded card has."""
    data, card = current_cards(session), card_called(session, name)
    if data is None or card is None:
        raise UnknownNameError("card", name, (), "" if data else NO_CARDS)
    return sheet_about(session, data, card, edition)


def sheet_about(session: Session, data: CardData, card: NamedCard, edition: str | None = None) -> Sheet:
    """Return the sheet of a card of a data set."""
    scope = session.scope(edition)
    faces = about_cards(session, data, "faces", {"card": [card.iri]})
    columns = ("face", "types", "text")
    tables = [Answer("text", columns, tuple((row[2], row[3], row[4]) for row in faces), data.set_id)]
    texts = {str(row[1]): str(row[4] or "") for row in faces}
    tables += _keywords(session, data, card, scope)
    tables += _touched(session, data, card, scope, texts)
    tables += _rulings(session, data, card, scope)
    return Sheet(
        kind="card",
        name=card.name,
        other_names=tuple(dict.fromkeys(str(row[2]) for row in faces if row[2] != card.name)),
        status="",
        number="",
        title="",
        edition=scope.label,
        editions=(),
        notes=(f"{data.title}; terms and rules are those of {scope.label}.",),
        tables=tuple(table for table in tables if table.rows),
    )


def _keywords(session: Session, data: CardData, card: NamedCard, scope: Scope) -> Iterator[Answer]:
    rows = about_cards(session, data, "keywords", {"card": [card.iri]})
    named = _named(session, scope, [str(row[1]) for row in rows])
    found = tuple((*named[str(term)][:1], parameter, named[str(term)][1]) for _, term, parameter in rows)
    yield Answer("keywords", ("keyword", "parameter", "number"), found, scope.label)


def _touched(
    session: Session, data: CardData, card: NamedCard, scope: Scope, texts: dict[str, str]
) -> Iterator[Answer]:
    rows = about_cards(session, data, "touched", {"card": [card.iri]})
    terms = [str(row[1]) for row in rows]
    named = _named(session, scope, terms)
    names = NameFinder(session, terms)
    found: list[Cells] = []
    for term in dict.fromkeys(terms):
        label, number, title = named[term]
        spans = [(text, names.span(text, term)) for text in texts.values()]
        quote = next((cut(text, span) for text, span in spans if span), None)
        found.append((label, quote, number, title))
    found.sort(key=lambda row: (row[2] is None, str(row[0]).lower()))
    yield Answer("touches", ("term", "quote", "number", "title"), tuple(found), scope.label)


def _named(session: Session, scope: Scope, terms: list[str]) -> dict[str, tuple[str, str | None, str | None]]:
    """Return, by term, what it is called and the rule that is about it."""
    found: dict[str, tuple[str, str | None, str | None]] = {}
    if terms:
        rows = session.run("cards", "defining", scope, {"term": sorted(set(terms))})
        for term, name, number, title in rows:
            found.setdefault(
                str(term), (str(name), str(number) if number else None, str(title or "") or None)
            )
    return {term: found.get(term, (session.iris.parse(term).key, None, None)) for term in terms}


def _rulings(session: Session, data: CardData, card: NamedCard, scope: Scope) -> Iterator[Answer]:
    found: list[Cells] = []
    known: dict[tuple[str, object], str] = {}
    where = scope.editions[0] if scope.editions else None
    for ruling in rulings_about(session, data, card.iri):
        number, link, confidence, changed = None, None, None, ""
        if ruling.cited:
            number, link = ", ".join(ruling.cited), STATED
            each = {it: stated_change(session, it, ruling.issued, where) for it in ruling.cited}
            changed = "; ".join(
                f"{it} {said}" if len(each) > 1 else said for it, said in each.items() if said
            )
        elif near := closest_to_ruling(session, data, card.iri, card.name, ruling.text, where, limit=3):
            number, link, confidence = near[0].number, near[0].link, near[0].confidence
            if (number, ruling.issued) not in known:
                known[number, ruling.issued] = changed_since(session, number, ruling.issued, where)
            changed = known[number, ruling.issued]
        found.append((ruling.issued, ruling.text, number, link, confidence, changed or None))
    columns = ("issued", "text", "number", "link", "confidence", "changed")
    yield Answer("rulings", columns, tuple(found), scope.label)
