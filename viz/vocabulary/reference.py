"""Write the reference page of the vocabulary: one HTML file that fetches nothing."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from ...ontology import DCTERMS, PREFIXES, RG, TYPE, packaged
from ...ontology.iris import BASE, GAME, NAMESPACES, VOCABULARY
from ...ontology.json_values import Json, json_in_html
from ...ontology.resources import CODES_FILE, SHAPES_FILE
from ..html import content_policy
from .declared import PREFIXED, Facts, LinkedName, Ontology, Term, ontologies
from .files import FILES

LICENCE = "https://creativecommons.org/publicdomain/zero/1.0/"
"""The licence of the vocabulary."""

EXAMPLE = packaged(__package__, "templates", "example.ttl").decode()
"""Example data on the page, relative to the base of the data."""


def example_queries() -> dict[str, str]:
    """Return the example queries of the page, by their titles."""
    text = packaged(__package__, "templates", "examples.txt").decode()
    blocks = (block.removeprefix("# ").partition("\n") for block in text.split("\n\n"))
    return {title: query.rstrip() for title, _, query in blocks}


def render_vocabulary() -> str:
    """Return the page as one HTML text, the same bytes for the same vocabulary."""
    from jinja2 import Environment

    script, style, page, diagram = (
        packaged(__package__, "templates", name).decode()
        for name in ("reference.js", "reference.css", "reference.html", "diagram.svg")
    )
    facts = Facts()
    found = ontologies(facts)
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(page)
    terms = [(o["iri"], term) for o in found for group in o["groups"] for term in group["terms"]]
    used = {it.text.partition(":")[0] for _, term in terms for row in term.rows for it in row.links}
    return template.render(
        ontologies=found,
        namespace=VOCABULARY,
        licence=LICENCE,
        prefixes={name: iri for name, iri in sorted(PREFIXED.items()) if name in PREFIXES or name in used},
        example=EXAMPLE,
        examples=example_queries(),
        diagram=Markup(diagram),
        queries={
            term.name: example_query(facts, f"{iri}#{term.name}")
            for iri, term in terms
            if term.kind == "class"
        },
        borrowed=borrowed_terms(facts),
        schemes=code_schemes(),
        offered=FILES.values(),
        described=Markup(json_in_html(_described(found[0], terms))),
        policy=content_policy([script], style),
        style=Markup(style),
        script=Markup(script),
    )


def _described(first: Ontology, terms: Iterable[tuple[str, Term]]) -> dict[str, Json]:
    """Return the subject of the page, as JSON-LD."""
    return {
        "@context": "https://schema.org/",
        "@type": "DefinedTermSet",
        "@id": first["iri"],
        "name": first["title"],
        "description": first["description"],
        "version": first["version"],
        "dateCreated": first["created"],
        "dateModified": first["modified"],
        "license": LICENCE,
        "creator": {"@type": "Organization", "@id": BASE, "name": "The rulesgraph project"},
        "hasDefinedTerm": [
            {
                "@type": "DefinedTerm",
                "@id": f"{iri}#{term.name}",
                "name": term.label,
                "termCode": term.name,
                "description": term.definition,
            }
            for iri, term in terms
        ],
    }


# -- queries to try ----------------------------------------------------------------------------------


def example_query(facts: Facts, iri: str) -> str:
    """Return a query, without its prefixes, that shows things of a class in the newest edition.

    For a role, which is never the type of a thing, it finds things of a class below it. For a kind in the
    game it finds the kinds below it with their things, if the edition names any.
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
    found, about = f"?thing a rg:{name} ; ?property ?value", ""
    made_by = _MADE_BY.get(
        name, "cards" * (RG.CardData in facts.values(iri, PREFIXES["rdfs"] + "subClassOf"))
    )
    if made_by:  # plain queries do not see its graph, or only the newest edition's
        found = f"GRAPH ?own {{ {found} }}"
        about = f"# None in a store without {made_by}.\n"
    return f"{about}SELECT ?thing ?property ?value WHERE {{\n  {found}\n}} LIMIT 20"


_MADE_BY = {
    **dict.fromkeys(("Change", "Renaming"), "several editions"),
    **dict.fromkeys(("Note", "Ruling", "Attribution", "Authority"), "pages of rulings"),
    **dict.fromkeys(("CaseSet", "SolvedCase"), "solved cases"),
    "Match": "a page of a glossary and an edition that has its entries",
}
"""What adds things of a class that an edition alone does not have."""


# -- others' terms, and controlled values ------------------------------------------------------------

_SH, _SKOS = PREFIXES["sh"], PREFIXES["skos"]


_OF_ANY = {
    ("dcterms", "isReplacedBy"): (RG.Provision, RG.Term),
    ("eli", "realizes"): (RG.Tenure,),
    ("iso-thes", "broaderInstantial"): (RG.Term,),
    **{("skos", name): (RG.Term,) for name in ("broader", "narrower", "definition", "topConceptOf")},
    ("skos", "hasTopConcept"): (_SKOS + "ConceptScheme",),
}
"""Borrowed properties, by prefix and name, that only shapes without a class constrain, or no shape."""


def borrowed_terms(facts: Facts) -> list[tuple[LinkedName, list[LinkedName]]]:
    """Return the properties of other vocabularies in the shapes, each with our classes that have it."""
    shapes = Facts((SHAPES_FILE,))
    found: dict[str, set[str]] = {}
    for shape in shapes.of[TYPE][_SH + "NodeShape"]:
        classes = shapes.values(shape, _SH + "targetClass")
        for part in shapes.values(shape, _SH + "property"):
            for path in shapes.values(part, _SH + "path"):
                if not path.startswith(NAMESPACES):
                    found.setdefault(path, set()).update(classes)
    for (prefix, name), owners in _OF_ANY.items():
        found.setdefault(PREFIXES[prefix] + name, set()).update(owners)
    terms = [
        (facts.link(path), [facts.link(it) for it in sorted(classes) if it.startswith((*NAMESPACES, _SKOS))])
        for path, classes in found.items()
    ]
    return sorted(terms, key=lambda term: term[0].text)


def code_schemes() -> list[tuple[str, str, list[tuple[str, str, str]]]]:
    """Return the schemes of controlled values: title, definition, and the anchor, name, meaning of each."""
    facts = Facts((CODES_FILE,))
    return [
        (
            facts.first(scheme, DCTERMS.title),
            facts.first(scheme, _SKOS + "definition"),
            [
                (f"code-{(name := code.rpartition('#')[2])}", name, facts.first(code, _SKOS + "definition"))
                for code in facts.of[_SKOS + "inScheme"][scheme]
            ],
        )
        for scheme in facts.of[TYPE][_SKOS + "ConceptScheme"]
    ]
