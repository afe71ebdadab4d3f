"""An edition becomes its page: its contents, what is new in it, and the documents that it is made of."""

from __future__ import annotations

from itertools import groupby

from ....queries.session import Edition
from ....viz.selection import NodeKind
from .page import Page
from .press import Choice, Press
from .shelf import Shelf
from .volume import Subject


def edition_page(shelf: Shelf, name: str) -> Page:
    """Return the page of an edition; raises `UnknownNameError` for one that is not loaded."""
    edition = shelf.edition(name)
    volume = shelf.volume(edition.id)
    press = Press(shelf, f"edition/{edition.id}.html")
    sections = [(it, volume.parts(it.iri)) for it in volume.things(NodeKind.SECTION) if it.loaded]
    rows = shelf.rules.contents().records()
    return press.page(
        "edition",
        edition.title,
        thing=shelf.iris.edition(edition.id),
        choices=[Choice(it, press.links.to(f"edition/{it.id}.html"), it == edition) for it in shelf.editions],
        described=_described(shelf, edition),
        modified=edition.issued,
        edition=edition,
        counts=next(row for row in rows if row["edition"] == edition.id),
        sections=sections,
        entries=[it for it in volume.things(NodeKind.ENTRY) if it.loaded] if not sections else [],
        before=_before(shelf, edition),
    )


def terms_page(shelf: Shelf) -> Page:
    """Return the page of all terms of the newest edition, by their first letters."""
    volume = shelf.volume(shelf.newest.id)
    terms = [it for it in volume.things(NodeKind.TERM) if it.loaded]
    letters = [(letter, list(them)) for letter, them in groupby(terms, key=_letter)]
    return Press(shelf, "terms.html").page(
        "terms", "Terms", edition=shelf.newest, letters=letters, count=len(terms)
    )


def _letter(term: Subject) -> str:
    first = term.label[:1].upper()
    return first if first.isalpha() else "#"


def _before(shelf: Shelf, edition: Edition) -> Edition | None:
    followed = list(shelf.followed)
    place = followed.index(edition) if edition in followed else 0
    return followed[place - 1] if place else None


def _described(shelf: Shelf, edition: Edition) -> dict[str, str]:
    about = {
        "@context": "https://schema.org/",
        "@type": "Legislation",
        "@id": shelf.iris.edition(edition.id),
        "url": shelf.iris.edition(edition.id),
        "name": edition.title,
    }
    return {**about, "datePublished": str(edition.issued)} if edition.issued else about
