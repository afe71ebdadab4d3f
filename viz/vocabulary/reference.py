"""Write the reference page of the vocabulary, which fetches nothing, and the files that programs read.

In the catalogue each question is a `sh:SPARQLSelectExecutable` of the SHACL Advanced Features with its
parameters, as in public collections of example queries: tools for such collections find the question in
words, the query, and what to bind.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from ...loaders.describing.describe import CC0
from ...loaders.graph.quads import TripleSet, english, integer, node, text
from ...ontology import DCTERMS, PREFIXES, RG, TYPE, packaged
from ...ontology.iris import BASE, GAME, NAMESPACES, QUESTION, VOCABULARY
from ...ontology.json_values import Json, json_in_html
from ...ontology.resources import (
    CODES_FILE,
    CONSTRAINTS_FILE,
    CONTEXT_FILE,
    SHAPES_FILE,
    VOCABULARY_FILES,
    read_bytes,
)
from ...queries.catalogue.questions import Parameter, ParameterKind, Question, example_of, exported, questions
from ...queries.export.notations import turtle_of
from ..html import content_policy
from .declared import PREFIXED, Facts, LinkedName, Ontology, Term, ontologies

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


# -- the catalogue ------------------------------------------------------------------------------------

_CATALOGUE = node(QUESTION.removesuffix("#"))
_ABOUT = (
    "Each question is a SPARQL query over graph/current and graph/timeline, or over the graphs of one "
    "edition, with all as named graphs; one about cards also over those of their set. A parameter is a "
    "variable that is bound before the query runs, as in SHACL. The example of a question "
    "(schema:workExample) runs as it is; replace its term to ask about another."
)


def questions_turtle() -> bytes:
    """Return the catalogue as Turtle: for each question its words, its query, its parameters."""
    return turtle_of(executables().lines, BASE).encode()


def executables() -> TripleSet:
    """Return the catalogue as triples; the examples of a question are its labels, the first preferred."""
    triples = TripleSet()
    triples.say(_CATALOGUE, type=node(PREFIXES["dcat"] + "Dataset"), license=node(CC0))
    triples.say(_CATALOGUE, title=english("The catalogue of questions"), description=english(_ABOUT))
    for question in questions():
        _describe(question, triples)
    return triples


def _describe(question: Question, triples: TripleSet) -> None:
    me = node(QUESTION + question.name)
    classes = [node(f"{_SH}{kind}") for kind in ("SPARQLExecutable", "SPARQLSelectExecutable")]
    triples.say(me, type=(*classes, node(_SH + "Parameterizable")), isDefinedBy=_CATALOGUE)
    triples.say(me, label=english(question.title), altLabel=map(english, question.phrasings[1:]))
    triples.say(me, comment=question.note and english(question.note))
    triples.add(me, node(_SH + "select"), text(exported(question)))
    if question.parameters:
        example = node(f"{QUESTION}{question.name}-example")
        triples.add(me, node("https://schema.org/workExample"), example)
        title = english(f"{question.title} An example")
        triples.say(example, type=classes, label=title, isDefinedBy=_CATALOGUE)
        triples.add(example, node(_SH + "select"), text(example_of(question)))
    for place, parameter in enumerate(question.parameters):
        own = node(f"{QUESTION}{question.name}-{parameter.name}")
        triples.add(me, node(_SH + "parameter"), own)
        _declare(parameter, own, place, triples)


def _declare(parameter: Parameter, me: str, place: int, triples: TripleSet) -> None:
    """Describe the values of a parameter; the local name of its path is the variable of the query."""
    path = node(QUESTION + parameter.name)
    triples.say(path, type=node(PREFIXES["rdf"] + "Property"), isDefinedBy=_CATALOGUE)
    triples.say(me, type=node(_SH + "Parameter"))
    triples.add(me, node(_SH + "path"), path)
    triples.add(me, node(_SH + "name"), english(parameter.name))
    triples.add(me, node(_SH + "description"), english(parameter.description))
    triples.add(me, node(_SH + "order"), integer(place))
    if parameter.kind in _DATATYPES:
        triples.add(me, node(_SH + "datatype"), node(PREFIXES["xsd"] + _DATATYPES[parameter.kind]))
        return
    triples.add(me, node(_SH + "nodeKind"), node(_SH + "IRI"))
    if parameter.kind in _CLASSES:
        triples.add(me, node(_SH + "class"), node(_CLASSES[parameter.kind]))


_DATATYPES = {ParameterKind.DATE: "date", ParameterKind.WORDS: "string"}
"""The datatype of a parameter's value, if it is not a thing."""

_CLASSES = {
    ParameterKind.TERM: RG.Term,
    ParameterKind.AUTHORITY: RG.Authority,
    ParameterKind.CARD: RG.Card,
    ParameterKind.RULE: RG.DocumentPart,
}
"""The class of a parameter's value, if there is only one."""


# -- the files ----------------------------------------------------------------------------------------


class VocabularyFile(NamedTuple):
    """A file: its name, its description, the function that returns its bytes (UTF-8), and its media type."""

    file: str
    holds: str
    content: Callable[[], bytes]
    media: str = "text/turtle"

    @property
    def address(self) -> str:
        """The whole file as an address, with which a page can offer it without a server."""
        return f"data:{self.media};base64,{b64encode(self.content()).decode()}"


def _turtle() -> bytes:
    """Return the vocabulary in one file, without imports: programs would fetch what the file already has."""
    return re.sub(
        rb" *owl:imports [^;]+;\n", b"", b"\n".join(map(read_bytes, (*VOCABULARY_FILES, CODES_FILE)))
    )


FILES = {
    "turtle": VocabularyFile(
        "rulesgraph.ttl", "classes, properties and controlled values, in Turtle", _turtle
    ),
    "shapes": VocabularyFile(
        "shapes.ttl", "constraints on the data, in SHACL Core", partial(read_bytes, SHAPES_FILE)
    ),
    "constraints": VocabularyFile(
        "constraints.ttl",
        "more constraints on the data, in SHACL-SPARQL",
        partial(read_bytes, CONSTRAINTS_FILE),
    ),
    "context": VocabularyFile(
        "context.jsonld", "the JSON-LD context", partial(read_bytes, CONTEXT_FILE), "application/ld+json"
    ),
    "questions": VocabularyFile(
        "questions.ttl", "the catalogue of questions, as SHACL executables", questions_turtle
    ),
}
"""The files by the names that `--as` takes."""
