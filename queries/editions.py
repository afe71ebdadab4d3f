"""What is loaded, seen as editions with their documents, dates and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from ..ontology.errors import UnknownNameError
from ..ontology.terms import PREFIXES, RG
from .scope import local_id

if TYPE_CHECKING:
    from .runner import Session

_DOCUMENTS = f"""
PREFIX rg: <{PREFIXES["rg"]}>
PREFIX dcterms: <{PREFIXES["dcterms"]}>
SELECT ?edition ?document ?kind ?title ?issued ?checksum WHERE {{
  GRAPH ?document {{
    ?document rg:checksum ?checksum ; rg:documentKind ?kind ; rg:inEdition ?edition ; dcterms:title ?title
    OPTIONAL {{ ?document dcterms:issued ?issued }}
  }}
}} ORDER BY ?document"""
_EDITIONS = f"""
PREFIX rg: <{PREFIXES["rg"]}>
PREFIX dcterms: <{PREFIXES["dcterms"]}>
SELECT ?edition ?title ?issued ?rules WHERE {{
  GRAPH ?derived {{
    ?edition a rg:Edition ; dcterms:title ?title
    OPTIONAL {{ ?edition dcterms:issued ?issued }}
    OPTIONAL {{ ?edition rg:rulesInForce ?rules }}
  }}
  FILTER(STRENDS(STR(?derived), "/derived"))
}} ORDER BY ?edition"""
_COUNTED = "Rule Section Entry Paragraph Note Ruling Example Reference".split()


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """One document of the store; `checksum` is the sha256 of its file, in hexadecimal."""

    id: str
    edition: str
    title: str
    kind: str
    issued: date | None
    checksum: str


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the store; `counts` (class → number of nodes) is empty unless it was asked for."""

    id: str
    title: str
    issued: date | None
    documents: tuple[LoadedDocument, ...]
    current: bool
    rules_in_force: str = ""
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def with_rules(self) -> str:
        """The edition together with the rules in force at its release, as a scope is asked for."""
        return f"{self.id},{self.rules_in_force}" if self.rules_in_force else self.id


def editions(session: Session, counts: bool = False) -> tuple[Edition, ...]:
    """Return every loaded edition, newest first, undated ones last."""
    iris = session.iris
    current = set(session.current.editions)
    documents: dict[str, list[LoadedDocument]] = {}
    for edition, document, kind, title, issued, checksum in session.select(_DOCUMENTS):
        loaded = LoadedDocument(
            local_id(iris, document),
            local_id(iris, edition),
            str(title),
            str(kind),
            _date(issued),
            str(checksum),
        )
        documents.setdefault(loaded.edition, []).append(loaded)
    about = {local_id(iris, row[0]): row[1:] for row in session.select(_EDITIONS)}
    found = []
    for name, members in documents.items():
        title, issued, rules = about.get(name, (name, members[0].issued, None))
        found.append(
            Edition(
                id=name,
                title=str(title),
                issued=_date(issued),
                documents=tuple(members),
                current=name in current,
                rules_in_force=local_id(iris, rules) if rules else "",
                counts=_counts(session, members) if counts else {},
            )
        )
    return tuple(sorted(found, key=lambda e: (e.issued or date.min, e.id), reverse=True))


def _counts(session: Session, documents: Sequence[LoadedDocument]) -> dict[str, int]:
    graphs = " ".join(f"<{session.iris.document(d.id)}>" for d in documents)
    rows = session.select(
        f"SELECT ?class (COUNT(DISTINCT ?it) AS ?count) WHERE {{ VALUES ?graph {{ {graphs} }} "
        "GRAPH ?graph { ?it a ?class } } GROUP BY ?class ORDER BY ?class"
    )
    known = {getattr(RG, name): name for name in _COUNTED}
    return {known[str(cls)]: int(str(count)) for cls, count in rows if cls in known}


def unknown_edition(session: Session, name: str) -> UnknownNameError:
    """Return the error for an edition that is not loaded, with the nearest that are."""
    from difflib import get_close_matches

    loaded = [edition.id for edition in editions(session)]
    near = get_close_matches(name, loaded, n=3) or [x for x in loaded if name and name in x][:3]
    return UnknownNameError("loaded edition", name, near, "rulesgraph editions lists what is loaded")


def _date(value: object) -> date | None:
    return value if isinstance(value, date) else None
