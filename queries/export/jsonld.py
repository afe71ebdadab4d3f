"""Triples become JSON-LD that reads well: short names out of a context, nodes in order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, BinaryIO, TypeGuard, cast

from ...ontology.json_values import Json
from ...ontology.terms import PREFIXES

if TYPE_CHECKING:
    from pyoxigraph import BlankNode, Literal, NamedNode, Triple

    RdfNode = BlankNode | Literal | NamedNode

_XSD = PREFIXES["xsd"]
_TYPE = PREFIXES["rdf"] + "type"
_UNDERSTOOD = {"@id", "@type", "@language", "@container"}
_SAFE_INTEGER = 2**53


def document(triples: Iterable[Triple], context: Mapping[str, Json], base: str) -> dict[str, Json]:
    """Return the JSON-LD document of `triples`, which come sorted, with `context` inside.

    IRIs under `base` are written relative to it. Expanding the document gives the same triples.
    """
    compact = Compactor({**context, "@base": base})
    return {"@context": compact.context, "@graph": list(_nodes(triples, compact))}


def write_document(triples: Iterable[Triple], context: Mapping[str, Json], base: str, out: BinaryIO) -> None:
    """Write what `document` returns as JSON text, a node a line: large files stay readable and comparable."""
    compact = Compactor({**context, "@base": base})
    head = json.dumps(compact.context, indent=2, ensure_ascii=False).replace("\n", "\n  ")
    out.write(f'{{\n  "@context": {head},\n  "@graph": [\n'.encode())
    before = ""
    for node in _nodes(triples, compact):
        out.write(f"{before}    {json.dumps(node, ensure_ascii=False)}".encode())
        before = ",\n"
    out.write(b"\n  ]\n}\n")


def _nodes(triples: Iterable[Triple], compact: Compactor) -> Iterator[dict[str, Json]]:
    """Yield a node for each run of triples about one subject."""
    for subject, said in groupby(triples, lambda triple: triple.subject):
        node: dict[str, Json] = {"@id": compact.iri(cast("RdfNode", subject))}
        for triple in said:
            compact.put(node, triple)
        yield node


class Compactor:
    """Shortens IRIs and values by a context: terms, prefixes, `@type`, `@language`, `@container: @set`."""

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

    def expand(self, name: str) -> str:
        """Return the whole IRI of a name in the context."""
        prefix, colon, rest = name.partition(":")
        if colon and prefix in self._prefixes:
            return self._prefixes[prefix] + rest
        return name if colon or name.startswith("@") or not name else self._vocab + name

    def put(self, node: dict[str, Json], triple: Triple) -> None:
        """Add what a triple says to the node of its subject."""
        key, value, listed = self.said(triple)
        there = node.get(key)
        if isinstance(there, list):
            there.append(value)
        elif there is None:
            node[key] = [value] if listed else value
        else:
            node[key] = [there, value]

    def said(self, triple: Triple) -> tuple[str, Json, bool]:
        """Return key, value, and whether the key always holds a list, of what a triple says."""
        predicate, value = triple.predicate.value, cast("RdfNode", triple.object)
        if predicate == _TYPE and not _is_literal(value):
            return "@type", self.vocabulary(value), False
        return self.value(predicate, value)

    def iri(self, node: RdfNode) -> str:
        """Return the shortest way to write a node where a node is expected."""
        if _is_blank(node):
            return f"_:{node.value}"
        value: str = node.value
        if self._base.endswith("/") and value.startswith(self._base):  # below others nothing is relative
            relative = value[len(self._base) :]
            if relative and ":" not in relative and relative[0] not in "/?#@":
                return relative
        return self._prefixed(value)

    def vocabulary(self, node: RdfNode) -> str:
        """Return the shortest way to write a class or property."""
        if _is_blank(node):
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
        """Return key, value, and whether the key always holds a list."""
        spoken = self._spoken.get((predicate, (_is_literal(node) and node.language) or ""))
        if spoken:
            return spoken[0], node.value, spoken[1]
        key, kind, listed = self._terms.get(predicate, ("", "", False))
        key = key or self._prefixed(predicate)
        if not _is_literal(node):
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


def _is_literal(node: RdfNode) -> TypeGuard[Literal]:
    return hasattr(node, "datatype")


def _is_blank(node: object) -> bool:
    return type(node).__name__ == "BlankNode"
