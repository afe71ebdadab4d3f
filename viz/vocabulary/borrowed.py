"""What data uses beside the vocabulary: terms of others, which the shapes name, and controlled values."""

from __future__ import annotations

from dataclasses import dataclass

from ...ontology.iris import NAMESPACES
from ...ontology.resources import CODES_FILE, SHAPES_FILE
from ...ontology.terms import PREFIXES
from .declared import Facts, LinkedName

_SH, _SKOS = PREFIXES["sh"], PREFIXES["skos"]
_RDF_TYPE, _TITLE = PREFIXES["rdf"] + "type", PREFIXES["dcterms"] + "title"


@dataclass(frozen=True, slots=True)
class BorrowedTerm:
    """A property of another vocabulary, with the classes of ours whose shapes ask for it or allow it."""

    name: LinkedName
    classes: tuple[LinkedName, ...]


@dataclass(frozen=True, slots=True)
class CodeScheme:
    """A list of controlled values: for each its anchor, its name and what it means."""

    title: str
    definition: str
    codes: tuple[tuple[str, str, str], ...]


def borrowed_terms(facts: Facts) -> tuple[BorrowedTerm, ...]:
    """Return the properties of others that the shapes have something to say of, by name."""
    shapes = Facts((SHAPES_FILE,))
    found: dict[str, set[str]] = {}
    for shape in shapes.of[_RDF_TYPE][_SH + "NodeShape"]:
        classes = shapes.values(shape, _SH + "targetClass")
        for part in shapes.values(shape, _SH + "property"):
            for path in shapes.values(part, _SH + "path"):
                if not path.startswith(NAMESPACES):
                    found.setdefault(path, set()).update(classes)
    ours = {
        path: sorted(it for it in classes if it.startswith(NAMESPACES)) for path, classes in found.items()
    }
    terms = [
        BorrowedTerm(facts.link(path), tuple(map(facts.link, classes))) for path, classes in ours.items()
    ]
    return tuple(sorted(terms, key=lambda term: term.name.text))


def code_schemes() -> tuple[CodeScheme, ...]:
    """Return the controlled values in the order of their file."""
    facts = Facts((CODES_FILE,))
    return tuple(
        CodeScheme(
            facts.first(scheme, _TITLE),
            facts.first(scheme, _SKOS + "definition"),
            tuple(
                (
                    f"code-{code.rpartition('#')[2]}",
                    code.rpartition("#")[2],
                    facts.first(code, _SKOS + "definition"),
                )
                for code in facts.of[_SKOS + "inScheme"][scheme]
            ),
        )
        for scheme in facts.of[_RDF_TYPE][_SKOS + "ConceptScheme"]
    )
