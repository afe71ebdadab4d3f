"""Find the rules and entries that a history is about: those named, and what else says the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...loaders.language.numbers import level
from ...ontology.grouping import grouped
from ...ontology.terms import DCTERMS
from ..finding.things import locate
from ..session import Edition, Session
from .links import timeline


def with_rules(
    session: Session, edition: Edition, wanted: Iterable[str], *, alone: bool = False
) -> tuple[dict[str, str], list[str]]:
    """Return rules and entries of an edition with their labels, by IRI, and notes.

    After an entry comes the rule that defines its term, unless entries are `alone`. A note leads to the rules
    if several define it, or if the entry only refers to them.
    """
    standing: dict[str, str] = {}
    notes: list[str] = []
    for iri, name in (locate(session, edition, it) for it in wanted):
        standing[iri] = name
        rules, is_defined = ({}, False) if alone else rules_of_entry(session, edition, iri)
        if is_defined and len(rules) == 1:
            standing |= rules
        elif rules:
            where = "" if edition == timeline(session)[-1] else f" --from {edition.id}"
            followed = ", ".join(f"`rulesgraph trace {number}{where}`" for number in rules.values())
            notes.append(f"For the rules on {name}: {followed}.")
    return standing, notes


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
