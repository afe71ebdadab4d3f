"""The words that triples are written with: properties and classes, serialised once."""

from __future__ import annotations

from ...ontology.terms import GAME, PREFIXES, RG
from .quads import node

P = {name: node(getattr(RG, name)) for name in dir(RG) if name[0].islower()}
"""The properties of the vocabulary by their local names."""

C = {name: node(getattr(space, name)) for space in (RG, GAME) for name in dir(space) if name[0].isupper()}
"""Its classes and individuals, and the kinds of things in the game, by their local names."""

IDENTIFIER = node(PREFIXES["dcterms"] + "identifier")
TITLE = node(PREFIXES["dcterms"] + "title")
ISSUED = node(PREFIXES["dcterms"] + "issued")
PART_OF = node(PREFIXES["dcterms"] + "isPartOf")
NOTATION = node(PREFIXES["skos"] + "notation")
LABEL = node(PREFIXES["rdfs"] + "label")
