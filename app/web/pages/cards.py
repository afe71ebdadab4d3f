"""The pages of cards: one of each, and lists of them, a page at a time."""

from __future__ import annotations

from ....ontology.errors import UnknownNameError
from ....queries.cards.current import NamedCard, about_cards, current_cards
from ....queries.finding.names import identify
from ....queries.sheets.card import sheet_about
from .addresses import CARDS, cards_link
from .layout import Page, PageContext, PageLayout
from .tables import Cell, Tabulated, list_page, table_of

MOST = 100
"""The number of cards on one page of a list."""


def card_page(context: PageContext, iri: str) -> Page:
    """Return the page of a card of the newest data set; raises `UnknownNameError` if it has no such card."""
    data = current_cards(context.session)
    rows = about_cards(context.session, data, "titles", {"card": [iri]}) if data else []
    if data is None or not rows:
        raise UnknownNameError("card", context.iris.parse(iri).key, ())
    name = str(rows[0][1])
    sheet = sheet_about(context.session, data, NamedCard(name, name, 0, 0, iri))
    layout = PageLayout(context, f"{iri.removeprefix(context.iris.base)}.html")
    snapshot = context.snapshot(context.newest.id)
    tables = [table_of(layout, snapshot, table) for table in sheet.tables]
    names, notes = sheet.other_names, sheet.notes
    return layout.page("card", name, thing=iri, name=name, names=names, tables=tables, notes=notes)


def cards_page(context: PageContext, term: str = "", place: str = "") -> Page:
    """Return one page of all cards, or of those that name a term; `place` is its number, from 1.

    Raises `UnknownNameError` for a name that no term has.
    """
    data = current_cards(context.session)
    named = identify(context.session, term) if term else None
    if named and named.kind != "term":
        raise UnknownNameError("term", term, ())
    iri = named.key if named else ""
    if data is None:
        rows = []
    elif iri:
        rows = about_cards(context.session, data, "listed", {"term": [iri]})
    else:
        rows = [(*row, None) for row in about_cards(context.session, data, "titles", {})]
    layout = PageLayout(context, CARDS)
    listed = list_page(len(rows), place, MOST, lambda at: cards_link(layout.links, term, at))
    columns = ("card", "types") if iri else ("card",)
    shown = tuple(
        (Cell(str(name), layout.to(str(card))), Cell(str(types or "")))[: len(columns)]
        for card, name, types in rows[listed.rows]
    )
    table = Tabulated("Cards", columns, shown)
    title = f"Cards with {term}" if term else "Cards"
    return layout.page(
        "cards",
        title,
        heading=title,
        listed=listed,
        table=table,
        data=data,
    )
