"""Statements as plain strings, and how a reader would say them."""

from __future__ import annotations

from collections.abc import Mapping

from .terms import PREFIXES

PlainTriple = tuple[str, str, str]
"""Subject, predicate and object as IRIs, blank node labels, or (objects) literals as N-Triples has them."""

TYPE = PREFIXES["rdf"] + "type"


def with_article(name: str) -> str:
    """Return a name with its article.

    >>> with_article("evasion ability"), with_article("rule")
    ('an evasion ability', 'a rule')
    """
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def in_words(statement: PlainTriple, labels: Mapping[str, str]) -> str:
    """Return a statement as a reader would say it, its classes and properties by their labels."""
    s, p, o = statement
    if p == TYPE:
        return f"{s} is {with_article(labels.get(o, o))}"
    return f"{s} {labels.get(p, p)} {o}"
