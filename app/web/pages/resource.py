"""A thing that no other page tells of becomes the table of what is said of it."""

from __future__ import annotations

import re

from ....ontology.errors import UnknownNameError
from ....ontology.terms import PREFIXES
from .addresses import WITH_PAGES
from .bygone import QUERIES
from .page import Page
from .press import Press
from .shelf import Shelf
from .tables import Cell, Tabulated


def resource_page(shelf: Shelf, iri: str) -> Page:
    """Return the statements about a thing; raises `UnknownNameError` where nothing is said of it."""
    local = iri[len(shelf.iris.base) :]
    rows = shelf.session.select(QUERIES.bound("described", {"it": [iri]}))
    if not rows:
        raise UnknownNameError("thing", local, ())
    press = Press(shelf, f"{local}.html")
    told = [(str(name), str(value)) for name, value in rows]
    shown = told if shelf.words else [(name, value) for name, value in told if value.startswith("http")]
    table = Tabulated(
        "Statements",
        ("property", "value"),
        tuple((Cell(_prefixed(name), press.to(name)), _value(press, value)) for name, value in shown),
    )
    return press.page("resource", shelf.iris.local(iri), thing=iri, name=shelf.iris.local(iri), table=table)


def _value(press: Press, value: str) -> Cell:
    shelf = press.shelf
    place = shelf.iris.parse(value)
    linked = place.kind in WITH_PAGES if not shelf.live else value.startswith(shelf.iris.base)
    return Cell(shelf.iris.local(value), press.to(value) if linked and not place.parts else "")


def _prefixed(iri: str) -> str:
    """Return a name as people write it.

    >>> _prefixed("http://purl.org/dc/terms/title")
    'dcterms:title'
    """
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace) and re.fullmatch(r"\w+", iri[len(namespace) :]):
            return f"{prefix}:{iri[len(namespace) :]}"
    return iri
