"""Read the graph of one scope with a few SPARQL queries: things, the links between them, their names.

A rule that a rulings release only cites and the same rule of the rules then in force
(`rg:sameRule`) are one thing here, the loaded one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..ontology.query_files import QueryFiles
from ..ontology.terms import PREFIXES, RG
from ..queries.session import Value
from .selection import STRENGTH, LinkKind, Node, NodeKind, Passage

if TYPE_CHECKING:
    from ..queries.session import Scope, Session

Rows = Callable[[str], Iterable[Sequence[Value]]]
"""Runs a SELECT over the graphs that a picture is made of."""

QUERIES = QueryFiles.beside(__name__)
"""The queries behind a picture."""

_KIND_OF = {
    RG.reliesByCitation: LinkKind.CITATION,
    RG.reliesByNote: LinkKind.NOTE,
    RG.seeAlso: LinkKind.NOTE,
    RG.reliesByDefinition: LinkKind.DEFINITION,
    RG.definedBy: LinkKind.DEFINITION,
    RG.redirectsTo: LinkKind.REDIRECT,
    RG.renamedTo: LinkKind.RENAMING,
    RG.usesTerm: LinkKind.MENTION,
}
_RULES = frozenset((NodeKind.CHAPTER, NodeKind.RULE))
_WHOLES = _RULES | {NodeKind.SECTION}
_NO_KIND: frozenset[LinkKind] = frozenset()
_TITLE = PREFIXES["dcterms"] + "title"
_NUMBER = PREFIXES["skos"] + "notation"
_STATE_NAMES = {RG.Obsolete: "obsolete", RG.Informal: "informal"}


@dataclass(slots=True)
class Vertex:
    """A node before it is chosen; `entered` is true of a term that a loaded entry defines."""

    iri: str
    label: str
    kind: NodeKind
    number: str = ""
    names: list[str] = field(default_factory=list)
    status: str = ""
    loaded: bool = True
    entered: bool = False

    def as_node(self, passages: tuple[Passage, ...], **more: Any) -> Node:
        """Return it with its words, as it is shown; `more` is what a picture knows of its place there."""
        about = (self.iri, self.label, self.kind, self.number, tuple(self.names), self.status, self.loaded)
        return Node(*about, passages, **more)


@dataclass(slots=True)
class Graph:
    """Things by IRI, the kinds of link between each two of them, and wholes by part.

    `links[a][b]` is the set of kinds by which a leads to b; `into[b]` are the things that lead to b;
    `term_of` is the term that an entry defines.
    """

    things: dict[str, Vertex] = field(default_factory=dict)
    links: dict[str, dict[str, set[LinkKind]]] = field(default_factory=lambda: defaultdict(dict))
    into: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    whole: dict[str, str] = field(default_factory=dict)
    parts: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    same: dict[str, str] = field(default_factory=dict)
    term_of: dict[str, str] = field(default_factory=dict)

    def link(self, source: str, kind: LinkKind, target: str) -> None:
        """Add a link between two things that are there; one that leads to itself is left out."""
        source, target = self.same.get(source, source), self.same.get(target, target)
        if source != target and source in self.things and target in self.things:
            self.links[source].setdefault(target, set()).add(kind)
            self.into[target].add(source)

    def near(self, iri: str) -> list[tuple[str, frozenset[LinkKind]]]:
        """Return what links join to a thing in either direction, with their kinds; parts are no links."""
        found = {other: frozenset(kinds) for other, kinds in self.links.get(iri, {}).items()}
        for other in self.into.get(iri, ()):
            found[other] = found.get(other, _NO_KIND) | self.links[other][iri]
        return sorted(found.items())

    def neighbours(self, iri: str) -> set[str]:
        """Return what links join to a thing in either direction."""
        return {*self.links.get(iri, ()), *self.into.get(iri, ())}

    def kinds(self, source: str, target: str) -> tuple[LinkKind, ...]:
        """Return the kinds by which one thing leads to another, strongest first."""
        return tuple(sorted(self.links.get(source, {}).get(target, ()), key=STRENGTH.__getitem__))

    def by_name(self) -> dict[str, str]:
        """Return the thing that each IRI, number and name stands for; terms go before rules."""
        found: dict[str, str] = {}
        for thing in sorted(self.things.values(), key=lambda it: (it.kind is not NodeKind.TERM, it.iri)):
            for name in (thing.iri, thing.number, thing.label):
                if name:
                    found.setdefault(name, thing.iri)
        return found

    def wholes(self, iri: str) -> Iterator[str]:
        """Yield what a rule is part of, nearest first, up to its section."""
        whole = self.whole.get(iri, "")
        while whole:
            yield whole
            whole = self.whole.get(whole, "")

    def parts_below(self, iri: str) -> list[str]:
        """Return the parts of a rule on all levels, in order."""
        found = []
        for part in self.parts.get(iri, ()):
            found += [part, *self.parts_below(part)]
        return found


Lookup = Callable[[str], Iterable[Sequence[str]]]
"""Runs a query of this room by its name; the rows come in order."""

_UNTRUE = str(False)


def in_words(rows: Iterable[Sequence[Value]]) -> Iterator[tuple[str, ...]]:
    """Yield rows with their cells as texts; one that is unbound is empty."""
    for row in rows:
        yield tuple([it if type(it) is str else "" if it is None else str(it) for it in row])


def rows_of(session: Session, scope: Scope) -> Rows:
    """Return what runs the queries of a picture over the graphs of a scope."""
    return lambda query: session.select(query, scope.default_graphs, scope.named_graphs)


def read_graph(rows: Rows) -> Graph:
    """Return everything in the scope that can be shown, without its words."""

    def ask(name: str) -> Iterable[Sequence[str]]:
        # Sorting thousands of rows takes the store ten times as long as finding them.
        return sorted(in_words(rows(QUERIES.bound(name, {}))))

    graph = Graph()
    _read_terms(graph, ask)
    _read_numbered(graph, ask)
    _read_parts(graph, ask("parents"))
    for source, by, target in ask("links"):
        graph.link(source, _KIND_OF[by], target)
    for thing in graph.things.values():
        if thing.kind is NodeKind.TERM and not thing.loaded:
            ends = graph.links.get(thing.iri, {})
            rules = (rule for rule, kinds in ends.items() if LinkKind.DEFINITION in kinds)
            thing.loaded = any(graph.things[rule].loaded for rule in rules)
    for source, target in ask("cited_places"):
        graph.link(source, LinkKind.CITATION, target)
    for rule, term in ask("mentioning_rules"):
        graph.link(rule, LinkKind.MENTION, term)
    return graph


def edition_titles(rows: Rows) -> list[str]:
    """Return the titles of the editions that are seen, newest first."""
    return [str(title) for title, _ in rows(QUERIES.bound("editions", {}))] or ["Rules"]


def _read_terms(graph: Graph, ask: Lookup) -> None:
    """Read which things are the same, and all terms with their names and states."""
    graph.same = {cited: rule for cited, rule in ask("same") if cited != rule}
    for iri, name in ask("terms"):
        graph.things.setdefault(iri, Vertex(iri, str(name), NodeKind.TERM, loaded=False))
    for iri, name in ask("other_names"):
        graph.things[iri].names.append(str(name))
    for iri, state, entry, loaded in ask("entries"):
        graph.term_of[entry] = iri
        if iri in graph.things and loaded != _UNTRUE:
            graph.things[iri].loaded = graph.things[iri].entered = True
            graph.things[iri].status = _STATE_NAMES.get(state, graph.things[iri].status)


def _read_numbered(graph: Graph, ask: Lookup) -> None:
    """Read the rules, sections and entries that have a number; what is a rule as well is one."""
    classes: dict[str, str] = {}
    for iri, cls in ask("numbered"):
        if iri not in classes or cls == RG.Rule:
            classes[iri] = cls
    marks = {(iri, by): value for iri, by, value in ask("marks")}
    for iri, cls in classes.items():
        known = graph.things.get(iri)
        number = marks.get((iri, _NUMBER))
        if number is not None and iri not in graph.same and (known is None or cls == RG.Rule):
            kind = _kind(cls, marks.get((iri, RG.level)))
            label = _label(kind, str(number), marks.get((iri, _TITLE)))
            loaded = marks.get((iri, RG.loaded)) != _UNTRUE
            graph.things[iri] = Vertex(iri, label, kind, str(number), loaded=loaded)


def _read_parts(graph: Graph, rows: Iterable[Sequence[str]]) -> None:
    """Add what is part of what, of the rules and sections that are there; `rows` are (part, whole)."""
    things = graph.things
    for below, above in rows:
        part, whole = graph.same.get(below, below), graph.same.get(above, above)
        if part == whole or part in graph.whole or part not in things or whole not in things:
            continue
        if things[part].kind in _RULES and things[whole].kind in _WHOLES:
            graph.whole[part] = whole
            graph.parts[whole].append(part)


def _kind(cls: str, level: str | None) -> NodeKind:
    if cls == RG.Rule:
        return NodeKind.CHAPTER if level == "chapter" else NodeKind.RULE
    return NodeKind.SECTION if cls == RG.Section else NodeKind.ENTRY


def _label(kind: NodeKind, number: str, title: str | None) -> str:
    name = f"Section {number}" if kind is NodeKind.SECTION and not title else number
    return f"{name} {title}" if title else name
