"""A query without an answer becomes remarks: what in it cannot have been meant so."""

from __future__ import annotations

import re

from ...ontology.iris import VOCABULARY
from ...ontology.terms import RG

_LABEL = re.compile(r"\b(?:prefLabel|altLabel|hiddenLabel|rdfs:label|rdf-schema#label)\b")
_PLAIN = re.compile(r"""(?<![\w\\])("[^"\n]*"|'[^'\n]*')(?!["'@^])""")
_NAME = re.compile(r"\brg:(\w+)|" + re.escape(f"<{VOCABULARY}") + r"(\w+)>")
_WRITTEN = re.compile(rf"<{re.escape(VOCABULARY)}(\w+)> <{re.escape(RG.written)}> \"(.*)\"@en")


def remarks_on(query: str) -> tuple[str, ...]:
    """Return what may have left a query without rows: labels without a language, names that nothing states.

    >>> remarks_on("SELECT ?t { ?t skos:prefLabel 'Echo' }")
    ("Labels are in English: write 'Echo'@en, or compare STR(?label).",)
    >>> remarks_on("SELECT ?t { ?t rg:precedes ?next }")
    ('rg:precedes is written by rulesgraph check --reason alone.',)
    """
    found = []
    plain = _PLAIN.search(query)
    if plain and _LABEL.search(query) and not re.search(r"\bSTR\s*\(", query, re.IGNORECASE):
        found.append(f"Labels are in English: write {plain[1]}@en, or compare STR(?label).")
    names = {own or whole for own, whole in _NAME.findall(query)}
    return (*found, *(f"rg:{name} is written {how}." for name, how in _unstated().items() if name in names))


def _unstated() -> dict[str, str]:
    """Return what the vocabulary says of the names that loaders do not state, or not everywhere."""
    from ...loaders.graph.vocabulary_nodes import vocabulary_triples

    lines = sorted(vocabulary_triples().lines)
    return {match[1]: match[2] for line in lines if (match := _WRITTEN.fullmatch(line))}
