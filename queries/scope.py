"""What is loaded, seen as editions; and which graphs a question about some of them sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from ..ontology.errors import UnknownNameError, UsageError
from ..ontology.iris import Iris
from ..ontology.terms import PREFIXES, RG

if TYPE_CHECKING:
    from .runner import Session

ALL = "all"
"""The name that unites every edition."""

_DOCUMENTS = f"""
PREFIX rg: <{PREFIXES["rg"]}>
PREFIX dcterms: <{PREFIXES["dcterms"]}>
SELECT ?edition ?document ?kind ?title ?issued ?checksum WHERE {{
  GRAPH ?document {{
    ?document rg:inEdition ?edition ; rg:documentKind ?kind ; rg:checksum ?checksum ; dcterms:title ?title
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
_CURRENT = f"""
PREFIX rg: <{PREFIXES["rg"]}>
PREFIX dcterms: <{PREFIXES["dcterms"]}>
SELECT ?edition ?document ?issued ?rules WHERE {{
  ?document a rg:Document ; rg:inEdition ?edition
  OPTIONAL {{ ?edition dcterms:issued ?issued }}
  OPTIONAL {{ ?edition rg:rulesInForce ?rules }}
}} ORDER BY DESC(?issued) ?edition ?document"""
_MEMBERS = f"""
PREFIX rg: <{PREFIXES["rg"]}>
SELECT ?document ?rules WHERE {{
  VALUES ?edition {{ UNDEF }}
  GRAPH ?document {{ ?document rg:inEdition ?edition ; rg:documentKind ?kind }}
  OPTIONAL {{ GRAPH ?derived {{ ?edition a rg:Edition ; rg:rulesInForce ?rules }}
              FILTER(STRENDS(STR(?derived), "/derived")) }}
}} ORDER BY ?document"""
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


@dataclass(frozen=True, slots=True)
class Scope:
    """The graphs that a question sees: `editions` are ids, the one asked for first."""

    editions: tuple[str, ...]
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    united: bool = False
    """True when editions that were not made for each other are looked at together."""

    @property
    def label(self) -> str:
        """The editions as an answer names them."""
        return ", ".join(self.editions)


def editions(session: Session, counts: bool = False) -> tuple[Edition, ...]:
    """Return every loaded edition, newest first, undated ones last."""
    iris = session.iris
    current = set(session.current.editions)
    documents: dict[str, list[LoadedDocument]] = {}
    for edition, document, kind, title, issued, checksum in session.select(_DOCUMENTS):
        loaded = LoadedDocument(
            _id(iris, document), _id(iris, edition), str(title), str(kind), _date(issued), str(checksum)
        )
        documents.setdefault(loaded.edition, []).append(loaded)
    about = {_id(iris, row[0]): row[1:] for row in session.select(_EDITIONS)}
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
                rules_in_force=_id(iris, rules) if rules else "",
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


def current_scope(session: Session) -> Scope:
    """Return what a plain question sees: `graph/current` as the one default graph."""
    iris = session.iris
    default = (iris.graph("current"),)
    rows = session.select(_CURRENT, default, ())
    names: list[str] = []
    documents: list[str] = []
    in_force: set[str] = set()
    for edition, document, _, rules in rows:
        name = _id(iris, edition)
        if name not in names:
            names.append(name)
        if str(document) not in documents:
            documents.append(str(document))
        if rules:
            in_force.add(_id(iris, rules))
    # The release comes before the rules that it was made under, though those may share its date.
    names.sort(key=lambda name: name in in_force)
    return Scope(tuple(names), default, _graphs(iris, names, documents))


def scope_of(session: Session, wanted: str) -> Scope:
    """Return the scope of an edition, of several (``"A,B"``) or of all (``"all"``)."""
    iris = session.iris
    if wanted.strip() == ALL:
        names = [edition.id for edition in editions(session)]
        documents = [str(row[1]) for row in session.select(_DOCUMENTS)]
        graphs = _graphs(iris, names, documents)
        return Scope(tuple(names), graphs, graphs, united=True)
    asked = [name.strip() for name in wanted.split(",") if name.strip()]
    if not asked:
        raise UsageError("no edition is named", way_out='name one, several ("A,B"), or "all"')
    names, documents, joined = [], [], set()
    for name in asked:
        own, rules = _members(session, name)
        if not own:
            raise unknown_edition(session, name)
        documents += own
        names.append(name)
        for other in rules:
            joined.add(other)
            if other not in asked:
                names.append(other)
                documents += _members(session, other)[0]
    if set(names) == set(session.current.editions):
        return session.current
    graphs = _graphs(iris, names, documents)
    return Scope(tuple(names), graphs, graphs, united=len(set(asked) - joined) > 1)


def unknown_edition(session: Session, name: str) -> UnknownNameError:
    """Return the error for an edition that is not loaded, with the nearest that are."""
    from difflib import get_close_matches

    loaded = [edition.id for edition in editions(session)]
    near = get_close_matches(name, loaded, n=3) or [x for x in loaded if name and name in x][:3]
    return UnknownNameError("loaded edition", name, near, "rulesgraph editions lists what is loaded")


def _members(session: Session, name: str) -> tuple[list[str], list[str]]:
    """Return the IRIs of the edition's documents, and the ids of the rules that it is joined to."""
    from .texts import bind

    rows = session.select(bind(_MEMBERS, {"edition": [session.iris.edition(name)]}))
    documents = dict.fromkeys(str(row[0]) for row in rows)
    rules = dict.fromkeys(_id(session.iris, row[1]) for row in rows if row[1])
    return list(documents), list(rules)


def _graphs(iris: Iris, names: Sequence[str], documents: Sequence[str]) -> tuple[str, ...]:
    own = [graph for name in names for graph in (iris.derived(name), iris.history(name), iris.inferred(name))]
    return (*documents, *own, iris.graph("terms"), iris.graph("ontology"))


def _id(iris: Iris, iri: object) -> str:
    return iris.local(str(iri)).partition("/")[2]


def _date(value: object) -> date | None:
    return value if isinstance(value, date) else None
