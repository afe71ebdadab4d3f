"""The statements that definitions make, of all terms of an edition at once."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from ....ontology.query_files import QueryFiles
from ....ontology.terms import last_name
from ....queries.session import Cells, Scope, Session

QUERIES = QueryFiles.beside(__name__)


class TermFact(NamedTuple):
    """One statement about a term: `target` is the IRI of its value where that is a thing."""

    relation: str
    value: str
    target: str
    quote: str


def facts_of_terms(session: Session, scope: Scope) -> dict[str, list[TermFact]]:
    """Return what is stated of each term, by IRI, in the order of their facts."""

    def ask(name: str, **values: list[str]) -> list[Cells]:
        return session.select(QUERIES.bound(name, values), scope.default_graphs, ())

    terms: dict[str, list[str]] = defaultdict(list)
    for term, sense in ask("senses"):
        terms[str(sense)].append(str(term))
    rows = sorted({tuple(str(cell or "") for cell in row) for row in ask("facts")})
    objects = sorted({row[5] for row in rows if row[5]})
    labels = {str(it): str(label) for it, label in ask("labels", it=objects)} if objects else {}
    found: dict[str, list[TermFact]] = defaultdict(list)
    for _, subject, relation, quote, value, target in rows:
        said = value or labels.get(target) or last_name(target)
        # What a name stands for is told of on the page of the name.
        page = next(iter(terms.get(target, ())), target)
        stated = TermFact(_spaced(last_name(relation)), said, page, quote)
        for term in terms.get(subject, [subject]):
            if stated not in found[term]:
                found[term].append(stated)
    return found


def _spaced(name: str) -> str:
    """Return the name of a property in words.

    >>> _spaced("hasKind")
    'has kind'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
