"""A term becomes the editions in which it stands, the newest first, with the page that tells of it there."""

from __future__ import annotations

from typing import NamedTuple

from ....queries.session import Edition
from .addresses import page_of
from .shelf import Shelf

_FIRST = ("entry", "rule", "section")
"""What tells of a term, the kind that is taken first."""


class TermEdition(NamedTuple):
    """An edition that has a term, and the address of its page there."""

    edition: Edition
    address: str


def standing_in(shelf: Shelf, term: str) -> list[TermEdition]:
    """Return the editions that define a term (an IRI), or, where none does, those that cite it.

    In the newest of them the term has its own page; in the others it is told of on that of its entry, or of
    the rule that defines it.
    """
    rows = shelf.session.run("finding", "standing_anywhere", None, {"term": [term]})
    evidence = [str(row[1]) for row in rows if row[2]] or [str(row[1]) for row in rows]
    places = [(shelf.iris.parse(it), it) for it in evidence]
    found: list[TermEdition] = []
    for edition in shelf.editions:
        here = [(place, it) for place, it in places if place.edition == edition.id]
        if here and not found:
            found.append(TermEdition(edition, page_of(shelf.iris, term)))
        elif here:
            best = min(here, key=lambda it: (_rank(it[0].kind), it[1]))
            found.append(TermEdition(edition, page_of(shelf.iris, best[1])))
    return found


def _rank(kind: str) -> int:
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST)
