"""A term or a rule becomes the editions in which it stands, the newest first."""

from __future__ import annotations

from ....queries.session import Edition
from .shelf import Shelf


def standing_in(shelf: Shelf, term: str) -> list[Edition]:
    """Return the editions that define a term (an IRI), or, where none does, those that cite it."""
    rows = shelf.session.run("finding", "standing_anywhere", None, {"term": [term]})
    defined = [str(row[1]) for row in rows if row[2]] or [str(row[1]) for row in rows]
    ids = {shelf.iris.parse(it).edition for it in defined}
    return [it for it in shelf.editions if it.id in ids]
