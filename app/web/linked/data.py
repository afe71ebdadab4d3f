"""Serialise what a store says about one thing, in RDF."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import cast

from pyoxigraph import Literal, NamedNode, RdfFormat, Triple, parse, serialize

from ....loaders.describing.describe import MEDIA_TYPES, facet
from ....loaders.graph.emit import vocabulary_triples
from ....loaders.graph.quads import TripleSet, node, text
from ....loaders.history.lives import bundled_lives
from ....loaders.history.timeline import told_of, write_life
from ....ontology import PREFIXES, RG, TYPE, Place, QueryFiles
from ....queries.export.notations import prefixes_for
from ....queries.history.summary import entry_tenures
from ....viz.vocabulary.reference import executables
from ..pages.addresses import DEFINING, NOTATIONS, VERSIONS, VOCABULARIES
from ..pages.edition_snapshot import wordings_of
from ..pages.layout import PageContext

QUERIES = QueryFiles.beside(__name__)

ENDINGS = tuple(ending for *_, ending in NOTATIONS)
"""The formats, by their endings, in which a site has each thing; a server writes quads as well."""


_TENURE = "/tenure/"

_EXPRESSION = re.compile(r"<[^<>\s]*#(expression-\d+)>")


def exists(context: PageContext, iri: str) -> bool:
    """Return whether anything is known about a thing."""
    name = iri.removeprefix(context.iris.base)
    if name in DEFINING or iri == context.iris.dataset() or _authority_data(context, iri):
        return True
    if _TENURE in iri:
        return bool(statements(context, iri))
    # This takes a tenth of the time, and a thousandth if the thing does not exist.
    return bool(context.session.select(QUERIES.bound("statements", {"it": [iri]}), of=iri))


def statements(context: PageContext, iri: str) -> list[Triple]:
    """Return the statements about a thing and its parts, from all editions if it belongs to none."""
    whole = context.iris.dataset()
    if iri == whole:
        return [*_triples(_catalog(context)), *offers(context)]
    if (name := iri.removeprefix(context.iris.base)) in DEFINING:
        # An ontology has blank nodes for class expressions, as OWL wants them.
        return _triples(_EXPRESSION.sub(r"_:\1", line) for line in _defining(name))
    if iri.startswith(f"{whole}/") and not _authority_data(context, iri):
        own = (f"<{iri}>", f"<{facet(iri)}")
        return _triples(it for it in _catalog(context) if it.startswith(own))
    if _TENURE in iri:  # described with the provision or term that it belongs to
        owner, tenure = statements(context, iri.partition(_TENURE)[0]), NamedNode(iri)
        return [it for it in owner if tenure in (it.subject, it.object)]
    found: dict[Triple, None] = {}
    place = context.iris.parse(iri)
    its = [iri, *_parts(context, iri, place)]
    store = context.session.about(iri)
    belongs = [iri] if place.parts else []  # a reference, a fact, a sense …: what it belongs to
    for name, bound in (("statements", {"it": its}), ("parts", {"it": [iri], "o": belongs})):
        rows = cast(
            "Iterable[tuple[NamedNode, NamedNode, NamedNode | Literal]]",
            store.query(QUERIES.bound(name, bound)),
        )
        found |= dict.fromkeys(Triple(*row) for row in rows)
    if place.kind == "provision" and not place.parts:
        # If the store has tenures, they cover editions that the bundled file does not.
        stored = any(it.predicate.value == RG.hasTenure for it in found)
        replaced = PREFIXES["dcterms"] + "isReplacedBy"
        found |= {
            it: None for it in _authority_data(context, iri) if not stored or it.predicate.value == replaced
        }
        found |= _expressions(context, iri)
    elif place.kind == "term" and not place.parts and found:
        triples = TripleSet()
        write_life(triples, iri, entry_tenures(context.session, place.key), context.iris, {})
        found |= dict.fromkeys(_triples(triples.lines))
    elif not found:
        found = _authority_data(context, iri)
    return sorted(found, key=str)


def _catalog(context: PageContext) -> Iterable[str]:
    return context.session.store.graph_lines(context.iris.graph("catalog"))


def _parts(context: PageContext, iri: str, place: Place) -> list[str]:
    """Return what belongs to the description of a thing: all below its address, and grouped wordings."""
    if place.kind in ("term", "edition"):  # their tenures are separate, and an edition contains everything
        return []
    found, level = wordings_of(context.session, place), [iri]
    while level := [
        str(it) for (it,) in context.session.select(QUERIES.bound("below", {"it": level}), of=iri)
    ]:
        found += level
    return found


def _authority_data(context: PageContext, iri: str) -> dict[Triple, None]:
    """Return the bundled file's data on a provision, an edition or itself, marked as such."""
    return dict.fromkeys(_triples(told_of(bundled_lives(), iri, context.iris).lines))


def _expressions(context: PageContext, iri: str) -> dict[Triple, None]:
    """Return which rules of loaded editions express a provision, with their numbers."""
    triples = TripleSet()
    for rule, number in context.history.expressions(iri):
        triples.say(node(rule), provision=node(iri), notation=text(number))
    return dict.fromkeys(_triples(triples.lines))


def written(context: PageContext, triples: Sequence[Triple], ending: str) -> bytes:
    """Return statements in the format of an ending; without statements, nothing."""
    if not triples:
        return b""
    prefixes = None if ending in ("nt", "nq") else prefixes_for(context.iris.base)
    return serialize(triples, format=RdfFormat.from_extension(ending), prefixes=prefixes) or b""


def _defining(name: str) -> Iterable[str]:
    """Return the statements of a document that defines words, by its address."""
    if name == "question":
        return sorted(executables().lines)
    if name in ("shapes", "constraints"):
        return sorted(vocabulary_triples((f"{name}.ttl",)).lines)
    start = VOCABULARIES[VERSIONS.get(name, name)].removesuffix("#")
    return (it for it in sorted(vocabulary_triples().lines) if it.startswith(f"<{start}"))


def _triples(lines: Iterable[str]) -> list[Triple]:
    text = "\n".join(line if line.rstrip().endswith(".") else f"{line} ." for line in lines)
    return [Triple(it.subject, it.predicate, it.object) for it in parse(text.encode(), RdfFormat.N_TRIPLES)]


DUMPS = {
    "rulesgraph.nq.gz": ("nquads", "application/gzip"),
    "rulesgraph.nq": ("nquads", "application/n-quads"),
    "rulesgraph.trig": ("trig", "application/trig"),
}
"""Files of everything: their format by its name in the catalog, and their media type."""

OF_FILES = "rulesgraph.nq.gz"
"""The one that a site of files has."""


def offers(context: PageContext) -> list[Triple]:
    """Return where all of the data is, below the address of the site, else the base of the data."""
    base, whole = context.home, context.iris.dataset()
    void, dcat = PREFIXES["void"], PREFIXES["dcat"]
    found = []
    if context.live:
        service, endpoint = facet(whole, "as", "sparql"), f"{base}sparql"
        found = [
            (whole, f"{void}sparqlEndpoint", endpoint),
            (service, TYPE, f"{dcat}DataService"),
            (service, f"{dcat}endpointURL", endpoint),
            (service, f"{dcat}servesDataset", whole),
            (context.iris.graph("catalog"), f"{dcat}service", service),
        ]
    for name, (notation, media) in DUMPS.items():
        if context.live or name == OF_FILES:
            address, distribution = f"{base}download/{name}", facet(whole, "as", notation)
            found.append((whole, f"{void}dataDump", address))
            found.append((distribution, f"{dcat}downloadURL", address))
            if media == "application/gzip":
                found.append((distribution, f"{dcat}compressFormat", MEDIA_TYPES + media))
    return [Triple(*map(NamedNode, it)) for it in found]
