"""The rules and entries of editions become JSON-LD with one tree of nodes for each, written as they are read.

A tree holds a rule with its subrules, examples, paragraphs, notes, references and changes; what lies
elsewhere is an IRI. A part stands in the list ``parts`` of its whole, which the context defines as the
reverse of `dcterms:isPartOf`: the file expands to the very triples of the graph.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, cast

from pyoxigraph import NamedNode

from ...loaders.store.results import Triples
from ...ontology.query_files import bind
from ...ontology.resources import CONTEXT_FILE, read_text
from ..files import QUERIES
from .extract import without_words
from .jsonld import Compactor
from .notations import in_order
from .retrieval import EditionPassages

if TYPE_CHECKING:
    from pyoxigraph import Triple

    from ...ontology.json_values import Json
    from ..session import Edition, Session
    from .jsonld import RdfNode

_AT_ONCE = 100
"""How many trees are read from the store at a time."""

_OWN = ("hasReference", "hasChange")
"""The links to what belongs to one part of a document alone."""

NodeTree = dict[str, "Json"]


def write_framed(session: Session, out: BinaryIO, *, edition: str | None, words: bool = True) -> None:
    """Write the trees of what a question about `edition` sees, in the order of its documents, as UTF-8.

    Without `words` no sentence of a source goes out: the trees keep their nodes, links, numbers and lines.
    """
    context = json.loads(read_text(CONTEXT_FILE))["@context"]
    compact = Compactor({**context, "@base": session.iris.base})
    shown = {**compact.context, "parts": {"@reverse": "dcterms:isPartOf", "@container": "@set"}}
    out.write(b'{\n  "@context": ' + json.dumps(shown, ensure_ascii=False).encode() + b',\n  "@graph": [')
    loaded = {it.id: it for it in session.editions()}
    comma = b"\n"
    for name in session.scope(edition).editions:
        for tree in _trees(session, loaded[name], compact, words):
            out.write(comma + json.dumps(tree, ensure_ascii=False).encode())
            comma = b",\n"
    out.write(b"\n  ]\n}\n")


def _trees(session: Session, edition: Edition, compact: Compactor, words: bool) -> Iterator[NodeTree]:
    """Yield the trees of an edition; some are read from the store at a time, so that memory stays bounded."""
    groups = list(EditionPassages(session, edition, {}, "rule").members.items())
    graphs = [session.iris.document(it.id) for it in edition.documents]
    graphs += [session.iris.derived(edition.id), session.iris.history(edition.id)]
    for start in range(0, len(groups), _AT_ONCE):
        some = groups[start : start + _AT_ONCE]
        units = [unit.iri for _, held in some for unit in held]
        nodes = _nodes(session, graphs, units, compact, words)
        for lead, held in some:
            wholes = {unit.iri: unit.whole for unit in held if unit.iri != lead}
            yield _tree(lead, wholes, nodes, compact)


def _nodes(
    session: Session, graphs: Sequence[str], units: Sequence[str], compact: Compactor, words: bool
) -> dict[str, NodeTree]:
    """Return the flat nodes of some units and of what belongs to them, by their short IRIs."""
    query = bind(QUERIES.read("export", "tree_triples"), {"unit": units})
    found = session.store.query(query, default_graphs=graphs, named_graphs=(), timeout=session.timeout)
    assert isinstance(found, Triples)
    nodes: dict[str, NodeTree] = {}
    free = without_words()
    kept = {triple for triple in found if words or free(f"{triple} .")}
    triples: list[Triple] = in_order(kept, session.iris.base)
    for triple in triples:
        subject = compact.iri(cast("RdfNode", triple.subject))
        compact.put(nodes.setdefault(subject, {"@id": subject}), triple)
    return nodes


def _tree(iri: str, wholes: dict[str, str], nodes: dict[str, NodeTree], compact: Compactor) -> NodeTree:
    """Return the node of a unit with what belongs to it inside; `wholes` are those of the parts of a tree."""
    node = nodes[_short(iri, compact)]
    for key in _OWN:
        held = node.get(key)
        if isinstance(held, list):
            node[key] = [nodes.get(str(it), {"@id": it}) for it in held]
    parts: list[Json] = []
    for part, whole in wholes.items():
        if whole == iri:
            tree = _tree(part, wholes, nodes, compact)
            tree.pop("isPartOf")
            parts.append(tree)
    return {**node, "parts": parts} if parts else node


def _short(iri: str, compact: Compactor) -> str:
    return compact.iri(NamedNode(iri))
