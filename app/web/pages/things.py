"""The IRI of a thing becomes the page that tells of it, whatever kind of thing it is."""

from __future__ import annotations

from ....ontology.errors import UnknownNameError
from .missing import missing_page
from .page import Page
from .provision import provision_page
from .rule import rule_page
from .shelf import Shelf
from .term import term_page
from .edition import edition_page
from .vocabulary import vocabulary_page


def page_of_thing(shelf: Shelf, iri: str) -> Page:
    """Return the page of a thing; the one that says so where nothing, or nothing any more, is called so."""
    local = iri[len(shelf.iris.base) :]
    place = shelf.iris.parse(iri)
    try:
        if place.kind == "term":
            return term_page(shelf, iri)
        if place.kind == "edition":
            return edition_page(shelf, place.edition)
        if place.kind in ("rule", "section") and not place.parts:
            return rule_page(shelf, iri)
        if place.kind == "entry" and not place.parts:
            return _entry_page(shelf, iri)
        if place.kind == "provision":
            return provision_page(shelf, iri)
        if local in ("ns", "game", "code", "question"):
            return vocabulary_page(shelf, local)
    except UnknownNameError:
        return missing_page(shelf, iri)
    return missing_page(shelf, iri)


def _entry_page(shelf: Shelf, iri: str) -> Page:
    """Return the page of the term that an entry defines, as the entry's edition has it."""
    edition = shelf.edition(shelf.iris.parse(iri).edition)
    terms = shelf.volume(edition.id).terms_of(iri)
    if not terms:
        return missing_page(shelf, iri)
    return term_page(shelf, terms[0], edition)
