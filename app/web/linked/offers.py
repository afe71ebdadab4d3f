"""What a site gives out becomes statements about the data set, which a store cannot know: VoID and DCAT."""

from __future__ import annotations

from pyoxigraph import NamedNode, Triple

from ....loaders.describing.describe import MEDIA_TYPES
from ....ontology.terms import PREFIXES
from ..pages.shelf import Shelf

DUMPS = {
    "rulesgraph.nq.gz": ("nquads", "application/gzip"),
    "rulesgraph.nq": ("nquads", "application/n-quads"),
    "rulesgraph.trig": ("trig", "application/trig"),
}
"""Files of everything: their notation by the name that the catalog has for it, and their media type."""

OF_FILES = "rulesgraph.nq.gz"
"""The one that a site of files has."""


def offers(shelf: Shelf) -> list[Triple]:
    """Return where all of the data can be had, at addresses below the base of the data."""
    base, whole = shelf.iris.base, shelf.iris.dataset()
    found = [(whole, "void:sparqlEndpoint", f"{base}sparql")] if shelf.live else []
    for name, (notation, media) in DUMPS.items():
        if shelf.live or name == OF_FILES:
            address, distribution = f"{base}download/{name}", f"{whole}/as/{notation}"
            found.append((whole, "void:dataDump", address))
            found.append((distribution, "dcat:downloadURL", address))
            if media == "application/gzip":
                found.append((distribution, "dcat:compressFormat", MEDIA_TYPES + media))
    return [Triple(NamedNode(s), _named(p), NamedNode(o)) for s, p, o in found]


def _named(name: str) -> NamedNode:
    prefix, _, local = name.partition(":")
    return NamedNode(PREFIXES[prefix] + local)
