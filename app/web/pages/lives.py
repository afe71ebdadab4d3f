"""A rule becomes what it is in every edition: the same provision under each of its numbers."""

from __future__ import annotations

from typing import NamedTuple

from ....queries.session import Edition
from .shelf import Shelf


class Sameness(NamedTuple):
    """One provision as it stands in an edition."""

    edition: Edition
    iri: str
    number: str


def lives(shelf: Shelf, provision: str) -> list[Sameness]:
    """Return where a provision stands, the newest edition first."""
    if not provision:
        return []
    ids = {it.id: it for it in shelf.editions}
    found = []
    for rule, number in shelf.past.expressions(provision):
        edition = ids.get(shelf.iris.parse(rule).edition)
        if edition:
            found.append(Sameness(edition, rule, number))
    return sorted(found, key=lambda it: (it.edition.age_key, it.iri), reverse=True)
