"""Write triples as compact JSON-LD with a context of short names: flat, or one tree for each rule.

A tree contains a rule or entry with its subrules, examples, paragraphs, notes, references and changes;
anything else is an IRI. A whole lists its ``parts``, which the context defines as the reverse of
`dcterms:isPartOf`, so the file expands to exactly the triples of the graph.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import BinaryIO, cast

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from ...loaders.store.results import Triples
from ...ontology import PREFIXES, TYPE, Json
from ...ontology.resources import CONTEXT_FILE, bind, read_text
from .. import QUERIES
from ..session import Edition, Session
from .extract import key_of, without_words
from .retrieval import EditionPassages

RdfNode = BlankNode | Literal | NamedNode

_XSD = PREFIXES["xsd"]
_UNDERSTOOD = {"@id", "@type", "@language", "@container"}
_SAFE_INTEGER = 2**53


def write_document(triples: Iterable[Triple], base: str, out: BinaryIO) -> None:
    """Write sorted triples as a document with its own context, one node to a line.

    IRIs under `base` are relative to it. The document expands to the same triples.
    """
    compact = Compactor.over(base)
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
    """Shortens IRIs and values with a context: terms, prefixes, `@type`, `@language`, `@container: @set`."""

    def __init__(self, context: Mapping[str, Json]) -> None:
        self.context = dict(context)
        self._base = str(context["@base"])
        self._vocab = str(context.get("@vocab", ""))
        self._prefixes = {
            name: value
            for name, value in context.items()
            if isinstance(value, str) and value.endswith(("#", "/")) and not name.startswith("@")
        }
        self._terms: dict[str, tuple[str, str, bool]] = {}
        self._spoken: dict[tuple[str, str], tuple[str, bool]] = {}
        for name, definition in context.items():
            if name.startswith("@") or name in self._prefixes:
                continue
            rule = definition if isinstance(definition, Mapping) else {"@id": definition}
            if rule.keys() <= _UNDERSTOOD and rule.get("@container", "@set") == "@set":
                iri = self.expand(str(rule.get("@id", name)))
                if "@language" in rule:
                    self._spoken.setdefault((iri, str(rule["@language"])), (name, "@container" in rule))
                    continue
                kind = str(rule.get("@type", ""))
                datatype = kind if kind.startswith("@") else self.expand(kind)
                self._terms.setdefault(iri, (name, datatype, "@container" in rule))

    @classmethod
    def over(cls, base: str) -> Compactor:
        """Return a compactor with the bundled context, for IRIs under a base."""
        return cls({**json.loads(read_text(CONTEXT_FILE))["@context"], "@base": base})

    def expand(self, name: str) -> str:
        """Return the full IRI of a name in the context."""
        prefix, colon, rest = name.partition(":")
        if colon and prefix in self._prefixes:
            return self._prefixes[prefix] + rest
        return name if colon or name.startswith("@") or not name else self._vocab + name

    def put(self, node: dict[str, Json], triple: Triple) -> None:
        """Add the content of a triple to the node of its subject."""
        key, value, listed = self.said(triple)
        there = node.get(key)
        if isinstance(there, list):
            there.append(value)
        elif there is None:
            node[key] = [value] if listed else value
        else:
            node[key] = [there, value]

    def said(self, triple: Triple) -> tuple[str, Json, bool]:
        """Return the key and value for a triple, and whether the key always has a list."""
        predicate, value = triple.predicate.value, cast("RdfNode", triple.object)
        if predicate == TYPE and not isinstance(value, Literal):
            return "@type", self.vocabulary(value), False
        return self.value(predicate, value)

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

    def vocabulary(self, node: RdfNode) -> str:
        """Return the shortest form of a class or property."""
        if isinstance(node, BlankNode):
            return f"_:{node.value}"
        value: str = node.value
        if value in self._terms:
            return self._terms[value][0]
        if self._vocab and value.startswith(self._vocab):
            rest = value[len(self._vocab) :]
            if rest and ":" not in rest and rest not in self.context:
                return rest
        return self._prefixed(value)

    def value(self, predicate: str, node: RdfNode) -> tuple[str, Json, bool]:
        """Return the key and value for a predicate and its object, and whether the key always has a list."""
        spoken = self._spoken.get((predicate, (isinstance(node, Literal) and node.language) or ""))
        if spoken:
            return spoken[0], node.value, spoken[1]
        key, kind, listed = self._terms.get(predicate, ("", "", False))
        key = key or self._prefixed(predicate)
        if not isinstance(node, Literal):
            if kind == "@id":
                return key, self.iri(node), listed
            if kind == "@vocab":
                return key, self.vocabulary(node), listed
            return key, {"@id": self.iri(node)}, listed
        return key, self._literal(node, kind), listed

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
    compact = Compactor.over(session.iris.base)
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
    triples = sorted(kept, key=lambda it: key_of(it, session.iris.base))
    for triple in triples:
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
