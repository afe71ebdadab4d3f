"""Rules that a SKOS thesaurus must obey, as its checkers know them, each a query for what breaks it."""

from __future__ import annotations

import pyoxigraph

PREFIXES = {
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dcterms": "http://purl.org/dc/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
}

DEFECTS = {
    "orphan concept": """?one a skos:Concept FILTER NOT EXISTS {
        ?one skos:broader|skos:narrower|skos:related|skos:topConceptOf|^skos:hasTopConcept ?other }""",
    "no scheme": "?one a skos:Concept FILTER NOT EXISTS { ?one skos:inScheme/a skos:ConceptScheme }",
    "no preferred label": "?one a skos:Concept FILTER NOT EXISTS { ?one skos:prefLabel ?label }",
    "two preferred labels": """?one skos:prefLabel ?a , ?b
        FILTER(LANG(?a) = LANG(?b) && STR(?a) < STR(?b))""",
    "label without a language": """?one skos:prefLabel|skos:altLabel|skos:hiddenLabel|skos:definition ?label
        FILTER(isLiteral(?label) && LANG(?label) = "")""",
    "overlapping labels": """?one skos:prefLabel|skos:altLabel ?a . ?two skos:prefLabel|skos:altLabel ?a
        FILTER(STR(?one) < STR(?two))""",
    "labels not disjoint": """{ ?one skos:prefLabel ?a ; skos:altLabel|skos:hiddenLabel ?a }
        UNION { ?one skos:altLabel ?a ; skos:hiddenLabel ?a }""",
    "empty label": """?one skos:prefLabel|skos:altLabel|skos:hiddenLabel|skos:definition ?label
        FILTER(isLiteral(?label) && !REGEX(?label, "[^ ]"))""",
    "broader in a circle": "?one skos:broader+ ?one",
    "broader said twice": """?one skos:broader ?two ; skos:broader ?between . ?between skos:broader+ ?two
        FILTER(?between != ?two)""",
    "related to what is above it": "?one skos:related ?two ; skos:broader+ ?two",
    "related to itself": "?one skos:related ?one",
    "related one way only": "?one skos:related ?two FILTER NOT EXISTS { ?two skos:related ?one }",
    "narrower one way only": """{ ?one skos:narrower ?two FILTER NOT EXISTS { ?two skos:broader ?one } }
        UNION { ?one skos:broader ?two FILTER NOT EXISTS { ?two skos:narrower ?one } }""",
    "top concept with a broader one": "?one skos:topConceptOf ?scheme ; skos:broader ?two",
    "neither top nor below": """?one a skos:Concept
        FILTER NOT EXISTS { ?one skos:topConceptOf ?scheme } FILTER NOT EXISTS { ?one skos:broader ?two }""",
    "top concept one way only": """
        { ?one skos:topConceptOf ?s FILTER NOT EXISTS { ?s skos:hasTopConcept ?one } }
        UNION { ?s skos:hasTopConcept ?one FILTER NOT EXISTS { ?one skos:topConceptOf ?s } }""",
    "link to no concept": """?one skos:broader|skos:narrower|skos:related|dcterms:isReplacedBy ?two
        FILTER NOT EXISTS { ?two a skos:Concept }""",
    "undocumented scheme": """?one a skos:ConceptScheme FILTER NOT EXISTS {
        ?one dcterms:title ?t ; dcterms:description ?d ; dcterms:creator ?c ; dcterms:publisher ?p ;
            owl:versionInfo ?v ; dcterms:license|dcterms:rights ?r }""",
    "source without a name": "?one dcterms:source ?two . ?c dcterms:source ?two . ?c a skos:Concept "
    "FILTER NOT EXISTS { ?two rdfs:label ?name }",
}
"""Defect → the pattern that finds it; `?one` is what is at fault."""


def store_of_turtle(turtle: str) -> pyoxigraph.Store:
    """Return a store with a thesaurus."""
    store = pyoxigraph.Store()
    store.load(turtle.encode(), pyoxigraph.RdfFormat.TURTLE)
    return store


def defects(store: pyoxigraph.Store) -> dict[str, list[str]]:
    """Return what is wrong, by the rule that it breaks."""
    found = {}
    for name, pattern in DEFECTS.items():
        query = f"SELECT DISTINCT ?one WHERE {{ {pattern} }} ORDER BY ?one"
        solutions = store.query(query, prefixes=PREFIXES)
        assert isinstance(solutions, pyoxigraph.QuerySolutions)
        if ones := [solution["one"].value for solution in solutions]:
            found[name] = ones
    return found
