"""An address becomes its page, whatever kind of page belongs there; and which addresses a site has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from ....ontology.errors import UnknownNameError
from ....queries.catalogue.questions import questions
from .about import about_page
from .addresses import VOCABULARIES, page_of, sought
from .changes import changes_page, difference_page
from .defects import defects_page
from .edition import terms_page
from .front import front_page
from .map import MAP, map_page
from .page import Page
from .question import question_page, questions_page
from .search import search_page
from .shelf import Shelf
from .term import address_in
from .things import page_of_thing

ALONE: dict[str, Callable[[Shelf], Page]] = {
    "index.html": front_page,
    "terms.html": terms_page,
    "questions.html": questions_page,
    "changes.html": changes_page,
    "defects.html": defects_page,
    "about.html": about_page,
    "search.html": lambda shelf: search_page(shelf, ""),
}
"""The pages that there is one of."""


def page_at(shelf: Shelf, address: str) -> Page:
    """Return the page that belongs at an address; raises `UnknownNameError` where none does."""
    if address in ALONE:
        return ALONE[address](shelf)
    if address == MAP:
        return map_page(shelf)
    kind, _, rest = address.removesuffix(".html").partition("/")
    if kind == "question" and rest:
        return question_page(shelf, rest)
    if kind == "defects":
        return defects_page(shelf, rest)
    if kind == "changes":
        before, _, after = rest.partition("/")
        return difference_page(shelf, before, after)
    page = page_of_thing(shelf, sought(shelf.iris, address).iri)
    if page.status != 200:
        raise UnknownNameError("page", address, ())
    return page


def home_of(shelf: Shelf, address: str) -> str:
    """Return the address of the page that tells of what stands at an address, without making it.

    It is another one for the entry of a term that is told of on the term's own page.
    """
    iri = sought(shelf.iris, address).iri
    place = shelf.iris.parse(iri)
    if place.kind != "entry" or place.parts:
        return address
    volume = shelf.volume(place.edition)
    terms = volume.terms_of(iri)
    return address_in(shelf, volume, terms[0]) if terms else address


def addresses_of(shelf: Shelf) -> Iterator[tuple[str, str]]:
    """Yield the pages of a site, each with the edition that it is made from, or ``""``."""
    yield from ((address, "") for address in ALONE)
    if shelf.words:
        yield MAP, ""
    yield from ((f"{name}.html", "") for name in VOCABULARIES)
    yield from ((f"question/{it.name}.html", "") for it in questions())
    for before, after in pairwise(shelf.followed):
        yield f"changes/{before.id}/{after.id}.html", after.id
    for edition in shelf.editions:
        yield f"edition/{edition.id}.html", edition.id
        yield f"defects/{edition.id}.html", edition.id


def things_of(shelf: Shelf, edition: str) -> list[str]:
    """Return the IRIs of the things of an edition that have a page, or lead to one."""
    volume = shelf.volume(edition)
    found = [it for it in volume.graph.things if shelf.iris.parse(it).edition in ("", edition)]
    entries = (entry for term in volume.graph.things for entry in volume.entries(term))
    found += [it for it in entries if shelf.iris.parse(it).edition == edition]
    found += volume.nameless
    found += volume.provisions.values()
    found += [shelf.iris.document(it.id) for it in shelf.edition(edition).documents]
    return sorted({it for it in found if page_of(shelf.iris, it)})
