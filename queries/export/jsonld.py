"""Write triples as compact JSON-LD with a context of short names: flat, or one tree for each rule.

A tree contains a rule or entry with its subrules, examples, paragraphs, notes, references and changes;
anything else is an IRI. A whole lists its ``parts``, which the context defines as the reverse of
`dcterms:isPartOf`, so the file expands to exactly the triples of the graph.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, BinaryIO, cast

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from ...loaders.store.results import Triples
from ...ontology import PREFIXES, TYPE, Json
from ...ontology.resources import CONTEXT_FILE, bind, read_text
from .. import QUERIES
from ..session import Edition, Session
from .extract import in_order, without_words
from .retrieval import EditionPassages

RdfNode = BlankNode | Literal | NamedNode

_XSD = PREFIXES["xsd"]
_SAFE_INTEGER = 2**53


def write_document(triples: Iterable[Triple], base: str, out: BinaryIO) -> None:
    """Write sorted triples as a document with its own context, one node to a line.

    IRIs under `base` are relative to it. The document expands to the same triples.
    """
    compact = Compactor(base)
    head = json.dumps(compact.context, indent=2, ensure_ascii=False).replace("\n", "\n  ")
    out.write(f'{{\n  "@context": {head},\n  "@graph": [\n'.encode())
    before = ""
    for node in nodes(triples, compact):
        out.write(f"{before}    {json.dumps(node, ensure_ascii=False)}".encode())
        before = ",\n"
    out.write(b"\n  ]\n}\n")


def nodes(triples: Iterable[Triple], compact: Compactor) -> Iterator[dict[str, Json]]:
    """Yield a node for each run of triples about one subject."""
    for subject, said in groupby(triples, lambda triple: triple.subject):
        node: dict[str, Json] = {"@id": compact.iri(cast("RdfNode", subject))}
        for triple in said:
            compact.put(node, triple)
        yield node


class Compactor:
    """Shortens values with the bundled context (each container in it is a set), and IRIs under a base."""

    def __init__(self, base: str) -> None:
        named: dict[str, Any] = json.loads(read_text(CONTEXT_FILE))["@context"]
        self.context: dict[str, Json] = {**named, "@base": base}
        self._base = base
        self._prefixes = {it: iri for it, iri in named.items() if str(iri).endswith(("#", "/"))}
        self._terms: dict[str, tuple[str, str, bool]] = {}
        self._spoken: dict[tuple[str, str], tuple[str, bool]] = {}
        for name, definition in named.items():
            if name in self._prefixes or name == "@version":
                continue
            rule = {"@id": definition} if isinstance(definition, str) else definition
            iri, listed = self._expanded(rule["@id"]), "@container" in rule
            if "@language" in rule:
                self._spoken[iri, rule["@language"]] = name, listed
            else:
                self._terms[iri] = name, self._expanded(rule.get("@type", "")), listed

    def _expanded(self, name: str) -> str:
        prefix, colon, rest = name.partition(":")
        return self._prefixes[prefix] + rest if colon else name

    def put(self, node: dict[str, Json], triple: Triple) -> None:
        """Add the content of a triple to the node of its subject."""
        key, value, listed = self._said(triple)
        there = node.get(key)
        if isinstance(there, list):
            there.append(value)
        elif there is None:
            node[key] = [value] if listed else value
        else:
            node[key] = [there, value]

    def _said(self, triple: Triple) -> tuple[str, Json, bool]:
        """Return the key and value for a triple, and whether the key always has a list."""
        predicate, node = triple.predicate.value, cast("RdfNode", triple.object)
        if predicate == TYPE and not isinstance(node, Literal):
            return "@type", self._vocabulary(node), False
        spoken = self._spoken.get((predicate, (isinstance(node, Literal) and node.language) or ""))
        if spoken:
            return spoken[0], node.value, spoken[1]
        key, kind, listed = self._terms.get(predicate, (self._prefixed(predicate), "", False))
        if isinstance(node, Literal):
            return key, self._literal(node, kind), listed
        if kind == "@id":
            return key, self.iri(node), listed
        return key, self._vocabulary(node) if kind == "@vocab" else {"@id": self.iri(node)}, listed

    def iri(self, node: RdfNode) -> str:
        """Return the shortest form of a node in a place where a node is expected."""
        if isinstance(node, BlankNode):
            return f"_:{node.value}"
        value: str = node.value
        if self._base.endswith("/") and value.startswith(self._base):  # otherwise nothing is relative to it
            relative = value[len(self._base) :]
            if relative and ":" not in relative and relative[0] not in "/?#@":
                return relative
        return self._prefixed(value)

    def _vocabulary(self, node: RdfNode) -> str:
        """Return the shortest form of a class or property."""
        if isinstance(node, BlankNode):
            return f"_:{node.value}"
        return self._terms[node.value][0] if node.value in self._terms else self._prefixed(node.value)

    def _literal(self, literal: Literal, kind: str) -> Json:
        text = literal.value
        if literal.language:
            return {"@value": text, "@language": literal.language}
        datatype = literal.datatype.value
        if datatype == _XSD + "string":
            return {"@value": text} if kind else text
        if datatype == kind:
            return text
        if not kind and datatype == _XSD + "integer" and _is_plain_integer(text):
            return int(text)
        if not kind and datatype == _XSD + "boolean" and text in {"true", "false"}:
            return text == "true"
        return {"@value": text, "@type": self._prefixed(datatype)}

    def _prefixed(self, iri: str) -> str:
        for name, start in self._prefixes.items():
            rest = iri[len(start) :]
            if iri.startswith(start) and rest and not rest.startswith("//"):
                return f"{name}:{rest}"
        return iri


def _is_plain_integer(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and str(int(text)) == text and abs(int(text)) < _SAFE_INTEGER


# -- one tree for each rule and entry ----------------------------------------------------------------

_AT_ONCE = 100
"""The number of trees read from the store at a time."""

_OWN = ("hasReference", "hasChange")
"""The links to things that belong to only one part of a document."""

NodeTree = dict[str, "Json"]


def write_framed(session: Session, out: BinaryIO, *, edition: str | None, words: bool = True) -> None:
    """Write the trees of what a question about `edition` sees, in the order of its documents, as UTF-8.

    Without `words` there are no sentences of sources, but still all nodes, links, numbers and lines.
    """
    compact = Compactor(session.iris.base)
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
    """Yield the trees of an edition; a few at a time are read from the store, to limit memory."""
    groups = list(EditionPassages(session, edition, {}, "rule").members.items())
    graphs = [session.iris.document(it.id) for it in edition.documents]
    graphs += [session.iris.derived(edition.id), session.iris.history(edition.id)]
    for start in range(0, len(groups), _AT_ONCE):
        some = groups[start : start + _AT_ONCE]
        units = [unit.iri for _, held in some for unit in held]
        nodes = _read_nodes(session, graphs, units, compact, words)
        for lead, held in some:
            wholes = {unit.iri: unit.whole for unit in held if unit.iri != lead}
            yield _tree(lead, wholes, nodes, compact)


def _read_nodes(
    session: Session, graphs: Sequence[str], units: Sequence[str], compact: Compactor, words: bool
) -> dict[str, NodeTree]:
    """Return the nodes of some units and of everything that belongs to them, by their short IRIs."""
    query = bind(QUERIES.read("export", "tree_triples"), {"unit": units})
    store = session.holding(graphs)
    found = store.query(query, default_graphs=graphs, named_graphs=(), timeout=session.timeout)
    assert isinstance(found, Triples)
    nodes: dict[str, NodeTree] = {}
    free = without_words()
    kept = {triple for triple in found if words or free(f"{triple} .")}
    for triple in in_order(kept, session.iris.base):
        subject = compact.iri(cast("RdfNode", triple.subject))
        compact.put(nodes.setdefault(subject, {"@id": subject}), triple)
    return nodes


def _tree(iri: str, wholes: dict[str, str], nodes: dict[str, NodeTree], compact: Compactor) -> NodeTree:
    """Return the node of a unit with everything in it; `wholes` maps the parts of trees to their wholes."""
    node = nodes[compact.iri(NamedNode(iri))]
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
