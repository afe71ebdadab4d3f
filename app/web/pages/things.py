"""The IRI of a thing becomes the page that tells of it, whatever kind of thing it is."""

from __future__ import annotations

from collections.abc import Callable

from ....ontology.errors import UnknownNameError
from .addresses import VOCABULARIES
from .edition import edition_page
from .missing import missing_page
from .page import Page
from .provision import provision_page
from .resource import resource_page
from .rule import rule_page
from .shelf import Shelf
from .term import term_page
from .vocabulary import vocabulary_page


def page_of_thing(shelf: Shelf, iri: str) -> Page:
    """Return the page of a thing; the one that says so where nothing, or nothing any more, is called so."""
    place = shelf.iris.parse(iri)
    local = iri[len(shelf.iris.base) :]
    makers: dict[str, Callable[[Shelf, str], Page]] = {
        "term": term_page,
        "edition": lambda shelf, _: edition_page(shelf, place.edition),
        "rule": rule_page,
        "section": rule_page,
        "entry": _entry_page,
        "provision": provision_page,
    }
    if local in VOCABULARIES:
        return vocabulary_page(shelf, local)
    make = makers.get(place.kind)
    try:
        if make is None or place.parts:
            return resource_page(shelf, iri)
        return make(shelf, iri)
    except UnknownNameError:
        return missing_page(shelf, iri)


def _entry_page(shelf: Shelf, iri: str) -> Page:
    """Return the page of the term that an entry defines, as the entry's edition has it."""
    edition = shelf.edition(shelf.iris.parse(iri).edition)
    terms = shelf.volume(edition.id).terms_of(iri)
    if not terms:
        return missing_page(shelf, iri)
    return term_page(shelf, terms[0], edition)
