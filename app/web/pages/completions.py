"""What can be completed as one writes a query: the usual prefixes, and the names of the vocabulary."""

from __future__ import annotations

from functools import cache

from ....ontology.iris import NAMESPACES
from ....ontology.json_values import Json
from ....ontology.terms import PREFIXES
from ....queries.session.prefixes import usual_prefixes
from ....viz.vocabulary.borrowed import borrowed_terms
from ....viz.vocabulary.declared import Facts
from .shelf import Shelf

_KINDS = {"class": "class", "individual": "constant"}
"""What the editor calls a kind of name; all others are properties."""


def completions(shelf: Shelf) -> Json:
    """Return ``prefixes`` (name → IRI) and ``terms``: lists of name, kind and what it means."""
    return {"prefixes": {**usual_prefixes(shelf.iris)}, "terms": [[*term] for term in _terms()]}


@cache
def _terms() -> tuple[tuple[str, str, str], ...]:
    facts = Facts()
    own = [
        (_prefixed(iri), _KINDS.get(kind, "property"), facts.first(iri, f"{PREFIXES['skos']}definition"))
        for iri in list(facts.said)
        if iri.startswith(NAMESPACES) and (kind := facts.kind(iri))
    ]
    return (*sorted(own), *((it.name.text, "property", "") for it in borrowed_terms(facts)))


def _prefixed(iri: str) -> str:
    prefix = next(name for name, start in PREFIXES.items() if iri.startswith(start))
    return f"{prefix}:{iri.removeprefix(PREFIXES[prefix])}"
