"""Find the rules that belong to what a history is about: those of an entry, and those below a title."""

from __future__ import annotations

from collections.abc import Mapping

from ...loaders.language.numbers import level
from ...ontology.grouping import grouped
from ...ontology.terms import DCTERMS
from ..session import Edition, Session


def parts_of_titles(
    session: Session, edition: Edition, standing: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """Return the numbers of the rules directly below each rule that is only a title, by IRI, in order."""
    document = (session.iris.document(edition.documents[0].id),)
    rules = [iri for iri, number in standing.items() if level(number) == "rule"]
    titled = [iri for iri, _ in session.pairs(document, DCTERMS.title, of=rules, kept=True)]
    inside = session.pairs(document, DCTERMS.isPartOf, to=titled, kept=True)
    below = grouped((whole, it) for it, whole in sorted(inside) if session.iris.parse(it).kind == "rule")
    return {whole: {it: session.iris.parse(it).key for it in parts} for whole, parts in below.items()}


def rules_of_entry(session: Session, edition: Edition, entry: str) -> tuple[dict[str, str], bool]:
    """Return the numbers of the rules that define the term of an entry, by IRI, and True.

    If none does, these are the rules that the entry refers to, and False.
    """
    rows = session.run("history", "rules_of_entry", session.scope(edition.id), {"entry": [entry]})
    is_defined = any(defines for *_, defines in rows)
    return {str(rule): str(number) for rule, number, defines in rows if defines == is_defined}, is_defined
