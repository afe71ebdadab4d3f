"""Show a card as a sheet: its text, the terms and rules that it touches in an edition, and its rulings."""

from __future__ import annotations

from ...loaders.cards.records import key_of
from ...loaders.editions import StoredSet
from ..cards.current import NamedCard, about_cards, named_terms, required_cards, rules_about
from ..cards.meeting import sentences_with_terms
from ..cards.naming import required_card, told_of
from ..cards.ruled import GUESSED, grounds_of, rulings_about
from ..session import Answer, Cells, Scope, Session, Sheet


def card_sheet(session: Session, name: str, *, edition: str | None = None) -> Sheet:
    """Return the sheet of a card; raises `UnknownNameError` for a name that is on no loaded card."""
    card = required_card(session, name)
    sheet = sheet_about(session, required_cards(session), card, edition)
    return sheet._replace(notes=(*told_of(card), *sheet.notes))


def sheet_about(session: Session, data: StoredSet, card: NamedCard, edition: str | None = None) -> Sheet:
    """Return the sheet of a card of a data set."""
    scope = session.scope(edition)
    faces = about_cards(session, data, "faces", {"card": [card.iri]})
    faces.sort(key=lambda row: key_of(str(row[2])) != key_of(card.used))  # the requested face first
    columns = ("face", "types", "text", "cost")
    tables = [Answer("text", columns, tuple(row[2:] for row in faces), data.set_id)]
    tables += (build(session, data, card, scope) for build in (_keywords, _touched, _rulings))
    guessed = (GUESSED,) if any(row[3] for row in tables[-1].rows) else ()
    return Sheet(
        kind="card",
        name=card.name,
        other_names=tuple(dict.fromkeys(str(row[2]) for row in faces if row[2] != card.name)),
        status="",
        number="",
        title="",
        edition=scope.label,
        editions=(),
        notes=(f"{data.title}; terms and rules are those of {scope.label}.", *guessed),
        tables=tuple(table for table in tables if table.rows),
    )


def _keywords(session: Session, data: StoredSet, card: NamedCard, scope: Scope) -> Answer:
    rows = about_cards(session, data, "keywords", {"card": [card.iri]})
    named = named_terms(session, scope, [str(row[1]) for row in rows])
    found = tuple((named[str(term)].name, parameter, named[str(term)].number) for _, term, parameter in rows)
    return Answer("keywords", ("keyword", "parameter", "number"), found, scope.label)


def _touched(session: Session, data: StoredSet, card: NamedCard, scope: Scope) -> Answer:
    said = sentences_with_terms(session, data, card.iri)
    about = rules_about(session, scope, said)
    found = [(it.name, quote or None, it.number, it.title) for _, it, quote in about]
    found.sort(key=lambda row: (row[2] is None, str(row[0]).lower()))
    return Answer("touches", ("term", "quote", "number", "title"), tuple(found), scope.label)


def _rulings(session: Session, data: StoredSet, card: NamedCard, scope: Scope) -> Answer:
    found: list[Cells] = []
    where = scope.editions[0] if scope.editions else None
    for it in rulings_about(session, data, card.iri):
        changes, guessed = grounds_of(session, it, where)
        numbers = ", ".join(changes) or None
        said = [f"{it} {what}" if len(changes) > 1 else what for it, what in changes.items() if what]
        names = (None, numbers) if guessed else (numbers, None)
        found.append((it.issued, it.text, *names, "; ".join(said) or None))
    columns = ("issued", "text", "number", "maybe", "changed")
    return Answer("rulings", columns, tuple(found), scope.label)
