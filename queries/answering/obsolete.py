"""Say of obsolete terms what their entries say."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ...ontology import RG
from ..catalogue.questions import question
from ..session import Session
from .running import answer_to


def said_of_obsolete(
    session: Session, terms: Mapping[str, str], edition: str, phrases: Collection[str] = ()
) -> list[str]:
    """Return a sentence for each obsolete term (IRI → name), but not for unreplaced everyday `phrases`."""
    gone = [name for iri, name in terms.items() if iri in session.once(_obsolete_terms, edition)]
    rows = [row for it in gone for row in answer_to(session, question("replacement"), (it,), edition).rows]
    told = [(term, said) for term, _, new, said, *_ in rows if new or term not in phrases]
    return [f"{term} is obsolete in {edition}: “{said}”" for term, said in told]


def _obsolete_terms(session: Session, edition: str) -> frozenset[str]:
    marked = {entry for entry, _ in session.pairs(None, RG.status, to=[RG.Obsolete])}
    entries = {entry for entry in marked if session.iris.parse(entry).edition == edition}
    return frozenset(term for _, term in session.pairs(None, RG.defines, of=entries))
