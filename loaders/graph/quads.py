"""Serialise triples as N-Triples and N-Quads, the fastest format for every store to load."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Literal

from ...ontology.terms import GAME, PREFIXES, RG

XSD = PREFIXES["xsd"]
RDF_TYPE = f"<{PREFIXES['rdf']}type>"

_ESCAPES = (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"))
"""Characters and their escapes, in this order."""

_INTEGER = f'"^^<{XSD}integer>'
_DATE = f'"^^<{XSD}date>'
_BOOLEAN = {True: f'"true"^^<{XSD}boolean>', False: f'"false"^^<{XSD}boolean>'}


def node(iri: str) -> str:
    """Serialise an IRI made by `ontology.iris` (already free of characters to escape)."""
    return f"<{iri}>"


def text(value: str) -> str:
    """Serialise a plain string."""
    for character, escape in _ESCAPES:  # each skips a text without its character faster than a table would
        value = value.replace(character, escape)
    return f'"{value}"'


def english(value: str) -> str:
    """Serialise a string in English: a name or a label."""
    return f"{text(value)}@en"


def integer(value: int) -> str:
    """Serialise an ``xsd:integer``."""
    return f'"{value}{_INTEGER}'


def day(value: date | None) -> str:
    """Serialise an ``xsd:date``."""
    return f'"{value.isoformat()}{_DATE}' if value else ""


def boolean(value: bool) -> str:
    """Serialise an ``xsd:boolean``."""
    return _BOOLEAN[value]


def decimal(value: float) -> str:
    """Serialise a confidence as an ``xsd:decimal`` of at most two places, as the store writes it back."""
    return f'"{round(value, 2):g}"^^<{XSD}decimal>'


Objects = str | Iterable[str] | Literal[False] | None
"""A serialised term, several of them, or None."""


class TripleSet:
    """A set of triples as ``s p o`` lines, in the order of their first addition."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines: dict[str, None] = dict.fromkeys(lines)

    def add(self, subject: str, predicate: str, value: str) -> None:
        """Add one triple of serialised terms."""
        self.lines[f"{subject} {predicate} {value}"] = None

    def say(self, subject: str, /, **said: Objects) -> None:
        """Add values of a subject by the names of properties in `P`: serialised terms, sequences, or None.

        >>> t = TripleSet(); t.say("<a:s>", type="<a:C>", title=[text("one"), text("two")], issued=None)
        >>> len(t)
        3
        """
        for name, value in said.items():
            for one in (value,) if isinstance(value, str) else value or ():
                if one:
                    self.lines[f"{subject} {P[name]} {one}"] = None

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __or__(self, other: TripleSet) -> TripleSet:
        return TripleSet(self.lines | other.lines)

    def nquads(self, graph: str, chunk: int = 20_000) -> Iterator[bytes]:
        """Yield the triples as N-Quads of `graph`, in chunks of bytes.

        >>> t = TripleSet(); t.add("<a:s>", "<a:p>", text('say "x"'))
        >>> b"".join(t.nquads("a:g"))
        b'<a:s> <a:p> "say \\\\"x\\\\"" <a:g> .\\n'
        """
        end = f" <{graph}> .\n"
        ordered = list(self.lines)
        for start in range(0, len(ordered), chunk):
            yield (end.join(ordered[start : start + chunk]) + end).encode()


_BORROWED = {
    "eli": (
        "first_date_entry_in_force date_no_longer_in_force realizes LegalExpression LegalResourceSubdivision"
    ),
    "dcterms": (
        "accrualPeriodicity conformsTo creator description identifier isPartOf isReplacedBy issued language "
        "license modified publisher references rights source subject temporal title"
    ),
    "dcat": "accessURL dataset distribution endDate mediaType startDate",
    "prov": "wasAttributedTo wasDerivedFrom",
    "rdf": "type",
    "rdfs": "comment isDefinedBy label",
    "skos": (
        "altLabel broader definition editorialNote hasTopConcept hiddenLabel inScheme member narrower "
        "notation prefLabel scopeNote topConceptOf"
    ),
    "iso-thes": "broaderInstantial",
    "owl": "deprecated versionInfo",
    "void": (
        "classPartition documents entities exampleResource linkPredicate objectsTarget properties property "
        "propertyPartition subjectsTarget subset triples uriRegexPattern uriSpace vocabulary"
    ),
}

P = {name: node(getattr(RG, name)) for name in dir(RG) if name[0].islower()} | {
    name: node(PREFIXES[prefix] + name) for prefix, names in _BORROWED.items() for name in names.split()
}
"""The properties that are written, ours and borrowed ones, by local name; for ELI the classes too."""

C = {name: node(getattr(space, name)) for space in (RG, GAME) for name in dir(space) if name[0].isupper()}
"""The classes and individuals of the vocabulary and of the game, by local name."""


def write_quads(path: Path, lines: Iterable[str], graph: str) -> None:
    """Write lines of triples as N-Quads of one graph."""
    end = f" <{graph}> .\n"
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(line + end for line in lines)


def moved_quads(path: Path, graph: str, to: str) -> list[bytes]:
    """Return the lines of a file that `write_quads` wrote, moved to another graph."""
    end, other = (f" <{name}> .\n".encode() for name in (graph, to))
    return path.read_bytes().replace(end, other).splitlines(keepends=True)
