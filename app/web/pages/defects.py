"""An edition becomes the page of its defects, each with where it stands and since when."""

from __future__ import annotations

from .page import Page
from .press import Choice, Press
from .shelf import Shelf
from .tables import table_of


def defects_page(shelf: Shelf, name: str = "") -> Page:
    """Return the defects of an edition, the newest unless one is named.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    edition = shelf.edition(name) if name else shelf.newest
    press = Press(shelf, f"defects/{edition.id}.html" if name else "defects.html")
    found = shelf.rules.check(edition=edition.id)
    # Of an edition that is one document the page has said which; alone it has all its defects from itself.
    said = ("document",) * (len(edition.documents) == 1) + ("since",) * (len(shelf.editions) == 1)
    table = table_of(press, shelf.volume(edition.id), found, without=said)
    choices = [Choice(it, press.links.to(f"defects/{it.id}.html"), it == edition) for it in shelf.editions]
    return press.page(
        "defects",
        f"Defects of {edition.title}",
        choices=choices,
        modified=edition.issued,
        edition=edition,
        table=table,
    )
