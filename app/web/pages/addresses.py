"""The addresses of pages below the base of the data, and their IRIs."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import quote, urlencode

from ....loaders.language.words import split_heading
from ....ontology.iris import CODE, GAME, QUESTION, VOCABULARY, Iris, Place, slug
from ....queries.session import Edition

NOTATIONS = (
    ("text/turtle", "Turtle", "ttl"),
    ("application/ld+json", "JSON-LD", "jsonld"),
    ("application/rdf+xml", "RDF/XML", "rdf"),
    ("application/n-triples", "N-Triples", "nt"),
)
"""The formats of linked data: media type, name, ending."""

MEDIA = {
    "html": "text/html",
    **{ending: media for media, _, ending in NOTATIONS},
    "nq": "application/n-quads",
    "trig": "application/trig",
}
"""The forms of a thing: ending → media type; browsers get the first."""

VERSION = "0.2.0"
"""The version of the vocabulary: each of its documents has it in a second address, too."""

VOCABULARIES = {"ns": VOCABULARY, "game": GAME, "code": CODE, "question": QUESTION}
"""The addresses of the vocabularies, which never move."""

VERSIONS = {f"{name}/{VERSION}": name for name in ("ns", "game", "code")}
"""The addresses of the current versions of the vocabularies, which stay when these change."""

DEFINING = (*VOCABULARIES, *VERSIONS, "shapes", "constraints")
"""The addresses of everything that defines words and the shape of data."""


WITH_PAGES = ("term", "edition", "rule", "section", "entry", "provision", "card")
"""The kinds of things with a page, which also shows their parts."""


def sought(iris: Iris, address: str) -> tuple[str, str]:
    """Return the IRI that an address below the base means, in plain letters, and its ending, or ``""``.

    >>> sought(Iris(), "edition/starter/rule/420.5.ttl")
    ('https://w3id.org/rulesgraph/edition/starter/rule/420.5', 'ttl')
    """
    address = quote(address, safe="/~")
    stem, dot, ending = address.rpartition(".")
    if dot and ending in MEDIA:
        return iris.base + stem, ending
    return iris.base + address, ""


def document_of(iris: Iris, iri: str) -> str:
    """Return the IRI of the thing in whose files a site describes a thing.

    Parts are described with their whole, and wordings in groups by the first two digits.

    >>> document_of(Iris(), "https://w3id.org/rulesgraph/edition/starter/rule/420.5/example/1")
    'https://w3id.org/rulesgraph/edition/starter/rule/420.5'
    >>> document_of(Iris(), "https://w3id.org/rulesgraph/wording/0ab3c9")
    'https://w3id.org/rulesgraph/wording/0a'
    """
    place = iris.parse(iri.partition("#")[0])
    if place.kind == "wording":
        return iris.iri(Place("wording", key=place.key[:GROUPED_BY]))
    # The n-th sense of a name, the n-th list of a unit and the sources of a document are wholes.
    whole = place.parts[:1] if place.kind in ("sense", "list", "document") else ()
    return iris.iri(place._replace(parts=whole))


GROUPED_BY = 2
"""The number of its digits by which a wording belongs to a group."""


@lru_cache(1 << 15)
def page_of(iris: Iris, iri: str) -> str:
    """Return the address of the page about a thing; ``""`` for an IRI of another base.

    A part is shown on the page of its whole.

    >>> page_of(Iris(), "https://w3id.org/rulesgraph/edition/starter/rule/420.5/example/1")
    'edition/starter/rule/420.5.html#example-1'
    >>> page_of(Iris(), "https://w3id.org/rulesgraph/ns#Term")
    'ns.html#Term'
    """
    for name, namespace in VOCABULARIES.items():
        if iri.startswith(namespace):
            return f"{name}.html#{iri[len(namespace) :]}"
    place = iris.parse(iri)
    if not place.kind:
        return ""
    if place.kind not in WITH_PAGES:
        return f"{iri[len(iris.base) :]}.html"
    whole = iris.iri(place.whole)[len(iris.base) :]
    fragment = "-".join(part for pair in place.parts for part in pair if part)
    return f"{whole}.html" + (f"#{fragment}" if fragment else "")


def standing_iri(iris: Iris, edition: str, name: str, *, is_entry: bool) -> str:
    """Return the IRI of the rule with a number, or of the entry with a heading, in an edition."""
    if not is_entry:
        return iris.rule(edition, name)
    # A heading may have several names, and the entry is known by the first of them.
    return iris.entry(edition, slug(split_heading(name).names[0]))


class PageLinks:
    """Writes the links of a page at one address: relative, so that they work under any host.

    `live` is false on a static site, where a page with a script does the work of a server.

    >>> PageLinks("edition/starter/rule/420.html").to("term/life.html")
    '../../../term/life.html'
    """

    __slots__ = ("_live", "_up")

    def __init__(self, address: str, *, live: bool = True, root: str = "") -> None:
        """Write links of a page at `address`; from the `root` of a site if it is shown at any address."""
        self._up = root or "../" * address.partition("?")[0].count("/")
        self._live = live

    def to(self, address: str) -> str:
        """Return the link to an address below the base; ``""`` is the front page."""
        return (self._up + address) or "./"

    def tool(self, name: str) -> str:
        """Return the link to a page with words after a question mark: search, the map."""
        return self.to(name if self._live else f"{name}.html")

    def map(self, around: str, local: str, edition: Edition) -> str:
        """Return the link to a view around a thing; on a static site to its place on the map.

        `around` is its name or number, `local` its IRI below the base.
        """
        if self._live:
            asked = {"around": around} if edition.current else {"around": around, "edition": edition.id}
            return f"{self.tool('map')}?{urlencode(asked)}"
        return f"{self.to('map.html')}#{local}"


CARDS = "cards.html"


def cards_link(links: PageLinks, term: str = "", place: int = 1) -> str:
    """Return the link to a page of a list of cards."""
    asked = {**({"term": term} if term else {}), **({"page": place} if place > 1 else {})}
    return links.to(CARDS) + (f"?{urlencode(asked)}" if asked else "")
