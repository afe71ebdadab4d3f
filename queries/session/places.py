"""Read the IRIs of a store, with or without the base."""

from __future__ import annotations

from ...ontology import SKOS, Place
from .session import Session

_KINDS = frozenset(("term", "section", "rule", "entry", "paragraph"))
"""The kinds of things that IRIs can stand for."""


def place_named(session: Session, name: str) -> Place | None:
    """Return the thing with an IRI of the store, given with or without the base; None for other words."""
    for before in ("", session.iris.base, session.iris.edition("")):
        place = session.iris.parse(before + name.strip())
        if place.kind in _KINDS:
            return place
    return None


def without_iri(session: Session, name: str) -> str:
    """Return the preferred name of a term given by its IRI; any other name unchanged."""
    place = place_named(session, name)
    if place is None or place.kind != "term":
        return name
    iri = session.iris.iri(place)
    return dict(session.pairs((session.iris.graph("terms"),), SKOS.prefLabel, of=[iri])).get(iri, name)
