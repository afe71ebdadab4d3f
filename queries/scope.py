"""Which graphs a question sees: those of the newest edition, of some, or of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ontology.errors import UsageError
from ..ontology.iris import Iris
from ..ontology.terms import PREFIXES

if TYPE_CHECKING:
    from .runner import Session

ALL = "all"
"""The name that unites every edition."""

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


@dataclass(frozen=True, slots=True)
class Scope:
    """The graphs that a question sees: `editions` are ids, the one asked for first."""

    editions: tuple[str, ...]
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    united: bool = False
    """True when editions that were not made for each other are looked at together."""

    documents: tuple[str, ...] = ()
    """The document graphs among them."""

    linked: tuple[str, ...] = ()
    """The default graphs that hold what documents say and how it is linked: the fewer, the faster."""

    @property
    def label(self) -> str:
        """The editions as an answer names them."""
        return ", ".join(self.editions)


def current_scope(session: Session) -> Scope:
    """Return what a plain question sees: `graph/current` as the one default graph."""
    iris = session.iris
    default = (iris.graph("current"),)
    rows = session.select(_CURRENT, default, ())
    names: list[str] = []
    documents: list[str] = []
    in_force: set[str] = set()
    for edition, document, _, rules in rows:
        name = local_id(iris, edition)
        if name not in names:
            names.append(name)
        if str(document) not in documents:
            documents.append(str(document))
        if rules:
            in_force.add(local_id(iris, rules))
    # The release comes before the rules that it was made under, though those may share its date.
    names.sort(key=lambda name: name in in_force)
    return Scope(tuple(names), default, _graphs(iris, names, documents), False, tuple(documents), default)


def scope_of(session: Session, wanted: str) -> Scope:
    """Return the scope of an edition, of several (``"A,B"``) or of all (``"all"``).

    An edition that is named is looked at alone: the rules that were in force when a release of rulings
    appeared belong to what a plain question sees, and here have to be named as well.
    """
    iris = session.iris
    if wanted.strip() == ALL:
        loaded = session.editions()
        names = [edition.id for edition in loaded]
        whole = [iris.document(document.id) for edition in loaded for document in edition.documents]
        return _over(iris, names, whole, united=True)
    asked = [name.strip() for name in wanted.split(",") if name.strip()]
    if not asked:
        raise UsageError("no edition is named", way_out='name one, several ("A,B"), or "all"')
    documents: list[str] = []
    joined: set[str] = set()
    for name in asked:
        own, rules = _members(session, name)
        if not own:
            from .editions import unknown_edition

            raise unknown_edition(session, name)
        documents += own
        joined.update(rules)
    if set(asked) == set(session.current.editions):
        return session.current
    return _over(iris, asked, documents, united=len(set(asked) - joined) > 1)


def _members(session: Session, name: str) -> tuple[list[str], list[str]]:
    """Return the IRIs of the edition's documents, and the ids of the rules that it is joined to."""
    from .texts import bind

    rows = session.select(bind(_MEMBERS, {"edition": [session.iris.edition(name)]}))
    documents = dict.fromkeys(str(row[0]) for row in rows)
    rules = dict.fromkeys(local_id(session.iris, row[1]) for row in rows if row[1])
    return list(documents), list(rules)


def _over(iris: Iris, names: Sequence[str], documents: Sequence[str], united: bool) -> Scope:
    """Return the scope that sees the graphs of some editions as they are, unmerged."""
    graphs = _graphs(iris, names, documents)
    linked = (*documents, *(iris.derived(name) for name in names))
    return Scope(tuple(names), graphs, graphs, united, tuple(documents), linked)


def _graphs(iris: Iris, names: Sequence[str], documents: Sequence[str]) -> tuple[str, ...]:
    own = [graph for name in names for graph in (iris.derived(name), iris.history(name), iris.inferred(name))]
    return (*documents, *own, iris.graph("terms"), iris.graph("ontology"))


def local_id(iris: Iris, iri: object) -> str:
    """Return the id of an edition or a document from its IRI."""
    place = iris.parse(str(iri))
    return place.edition or place.key
