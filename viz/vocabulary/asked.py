"""Each class becomes a query that finds what there is of it, for the reference page."""

from __future__ import annotations

from ...ontology.iris import GAME
from ...ontology.terms import PREFIXES, RG
from .declared import Facts

SHOWN = {
    "Edition": "dcterms:title",
    "Document": "dcterms:title",
    "Section": "dcterms:title",
    "Rule": "rg:text",
    "Entry": "dcterms:title",
    "Paragraph": "rg:text",
    "Note": "rg:text",
    "Ruling": "rg:text",
    "Example": "rg:text",
    "Reference": "rg:surface",
    "Attribution": "rg:asOf",
    "Authority": "rdfs:label",
    "Problem": "rg:message",
    "Change": "rg:changeKind",
    "Renaming": "rg:newName",
    "Match": "rg:confidence",
    "Status": "rdfs:label",
    "Term": "skos:prefLabel",
    "Provision": "^rg:expressionOf",
    "Sense": "rdfs:label",
    "Fact": "rg:quote",
}
"""By what a thing of each class of documents and terms is shown."""


def example_query(facts: Facts, iri: str) -> str:
    """Return a query, without its prefixes, that finds things of a class in the newest edition.

    Of a role, which nothing has as its type, it finds what has a class below it. Of a kind of the game it
    finds the kinds below it with the things of each, if the edition names any.
    """
    name = iri.rpartition("#")[2]
    if iri.startswith(GAME):
        return (
            "SELECT ?kind ?name WHERE {\n"
            f"  ?kind rdfs:subClassOf* game:{name}\n"
            "  OPTIONAL { ?thing a ?kind ; rdfs:label ?name }\n"
            "} ORDER BY ?kind ?name"
        )
    if facts.values(iri, RG.written) or facts.subjects(PREFIXES["rdfs"] + "subClassOf", iri):
        return (
            "SELECT ?thing ?class WHERE {\n"
            f"  ?class rdfs:subClassOf* rg:{name} .\n"
            "  ?thing a ?class\n"
            "} LIMIT 10"
        )
    return f"SELECT ?thing ?shown WHERE {{\n  ?thing a rg:{name} ; {SHOWN[name]} ?shown\n}} LIMIT 10"
