"""Read what an IRI of a store names, also without the base of the store."""

from __future__ import annotations

from ...ontology import SKOS, Place
from .session import Session

_KINDS = frozenset(("term", "section", "rule", "entry", "paragraph"))
"""The kinds of things that can be given by IRI."""


def place_named(session: Session, name: str) -> Place | None:
    """Return the thing that an IRI of the store names, also without its base; None for other words."""
    for before in ("", session.iris.base, session.iris.edition("")):
        place = session.iris.parse(before + name.strip())
        if place.kind in _KINDS:
            return place
    return None


def without_iri(session: Session, name: str) -> str:
    """Return the preferred name of a term given by its IRI, and any other name unchanged."""
    place = place_named(session, name)
    if place is None or place.kind != "term":
        return name
    iri = session.iris.iri(place)
    return dict(session.pairs((session.iris.graph("terms"),), SKOS.prefLabel, of=[iri])).get(iri, name)
