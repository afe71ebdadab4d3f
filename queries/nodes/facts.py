"""Nodes that carry a number become plain values: their words, their place, what they are part of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ...ontology.iris import VOCABULARY

if TYPE_CHECKING:
    from ..session import Scope, Session

KINDS = ("rule", "section", "entry", "paragraph", "ruling")
"""The kinds of nodes with a number; a node of two kinds is taken for the first."""


class NodeFacts(NamedTuple):
    """What a node with a number says of itself.

    `kind` is one of `KINDS`; `document` the id of the document that holds it, `lines` its first
    and last line there, from 1: both are empty for what is only cited. `whole` is the IRI of
    what it is part of, or ``""``.
    """

    iri: str
    kind: str
    number: str
    title: str = ""
    text: str = ""
    document: str = ""
    lines: tuple[int, int] | None = None
    whole: str = ""


def facts_of(session: Session, scope: Scope, iris: Iterable[str]) -> list[NodeFacts]:
    """Return the facts of each node that carries a number in the graphs of `scope`, in document order."""
    found: dict[str, NodeFacts] = {}
    for row in session.run("nodes", "facts", scope, {"it": iris}):
        iri, cls, number, title, text, place, first, last, whole = row
        kind = str(cls).removeprefix(VOCABULARY).lower()
        if iri in found and KINDS.index(found[str(iri)].kind) <= KINDS.index(kind):
            continue
        found[str(iri)] = NodeFacts(
            iri=str(iri),
            kind=kind,
            number=str(number),
            title=str(title or ""),
            text=str(text or ""),
            document=session.iris.parse(str(place)).key if place else "",
            lines=(int(str(first)), int(str(last or first))) if first else None,
            whole=str(whole or ""),
        )
    return list(found.values())


def parts_of(session: Session, scope: Scope, iri: str) -> list[NodeFacts]:
    """Return the facts of the parts of a node that carry a number, one level down, in document order."""
    rows = session.run("nodes", "parts", scope, {"it": [iri]})
    order = {str(row[0]): place for place, row in enumerate(rows)}
    return sorted(facts_of(session, scope, order), key=lambda it: order[it.iri]) if order else []


def words_of(session: Session, scope: Scope, iris: Sequence[str]) -> str:
    """Return the paragraphs of entries, or of the entries that define terms, one a line; or ``""``."""
    return "\n".join(str(row[0]) for row in session.run("nodes", "words", scope, {"it": iris}))


def examples_of(session: Session, scope: Scope, iri: str) -> tuple[str, ...]:
    """Return the words of the examples that stand below a node itself, in document order."""
    return tuple(str(row[0]) for row in session.run("nodes", "examples", scope, {"it": [iri]}))


def defining_rules(session: Session, scope: Scope, terms: Sequence[str]) -> list[NodeFacts]:
    """Return the facts of the rules that define terms: those of their name, or that their entries name."""
    rows = session.run("nodes", "defining", scope, {"term": terms})
    return facts_of(session, scope, [str(row[1]) for row in rows]) if rows else []
