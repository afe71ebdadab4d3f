"""Compare two releases of what is no edition of the comprehensive rules: rulings pages, tournament rules."""

from __future__ import annotations

from ...loaders.history.items import Item
from ..session import Edition, Session
from ..session.editions import edition_called

Units = dict[str, Item]
"""IRI → paragraph or ruling; its key is its number, or the number or heading above it."""


def releases(session: Session, *names: str) -> list[Edition]:
    """Return the editions of two names where both are of one kind that is not the comprehensive rules.

    Else return none. Raises `UnknownNameError` for one that is not loaded.
    """
    found = [edition_called(name, session.editions()) for name in names]
    kinds = {document.kind for it in found for document in it.documents}
    return found if len(kinds) == 1 and not any(it.has_history for it in found) else []


def units_of_both(session: Session, before: Edition, after: Edition) -> tuple[Units, Units, tuple[str, ...]]:
    """Return the units of two releases, of the pages that both have, and a note on the pages of one alone."""
    pages = [
        {it.id.removeprefix(release.id): it.id for it in release.documents} for release in (before, after)
    ]
    old, new = (
        _units(session, [ids[page] for page in ids if page in pages[1 - n]]) for n, ids in enumerate(pages)
    )
    alone = sorted(ids[page] for n, ids in enumerate(pages) for page in ids if page not in pages[1 - n])
    notes = (f"Loaded of one of them alone, and not compared: {', '.join(alone)}.",) if alone else ()
    return old, new, notes


def _units(session: Session, documents: list[str]) -> Units:
    graphs = tuple(session.iris.document(it) for it in documents)
    rows = session.run("history", "units", graphs) if graphs else []
    return {
        str(unit): Item(str(unit), str(own or above or heading or ""), str(text))
        for unit, own, above, heading, text in rows
    }
