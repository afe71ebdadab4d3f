"""Read the graph of one scope: things, their names and the links between them; find what is near a thing.

A rule that a rulings release only cites, and the same rule in the rules then in force (`rg:sameRule`), are
one thing here: the loaded one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..ontology import DCTERMS, RG, SKOS, grouped
from ..queries.evidence.links import Link
from ..queries.reliance.levels import KINDS, Links, Reach, follow
from ..queries.session.statements import Statements
from .selection import STRENGTH, LinkKind, Node, NodeKind

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
_KINDS = {RG.Rule: NodeKind.RULE, RG.Entry: NodeKind.ENTRY, RG.Section: NodeKind.SECTION}
"""The kinds of numbered things by their classes; a thing of two classes counts as the first."""

_STATE_NAMES = {RG.Obsolete: "obsolete", RG.Informal: "informal"}


@dataclass(slots=True)
class Graph:
    """Things by IRI, the kinds of link between each pair of them, and wholes by part.

    `links[a][b]` is the set of kinds by which a leads to b; `into[b]` are the things that lead to b;
    `term_of` is the term that an entry defines.
    """

    things: dict[str, Node] = field(default_factory=dict)
    links: dict[str, dict[str, set[LinkKind]]] = field(default_factory=lambda: defaultdict(dict))
    into: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    whole: dict[str, str] = field(default_factory=dict)
    parts: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    same: dict[str, str] = field(default_factory=dict)
    term_of: dict[str, str] = field(default_factory=dict)

    def link(self, source: str, kind: LinkKind, target: str) -> None:
        """Add a link between two known things, but not from a thing to itself."""
        source, target = self.same.get(source, source), self.same.get(target, target)
        if source != target and source in self.things and target in self.things:
            self.links[source].setdefault(target, set()).add(kind)
            self.into[target].add(source)

    def near(self, iri: str) -> list[tuple[str, frozenset[LinkKind]]]:
        """Return the things linked to a thing in either direction, with the kinds of link, except parts."""
        found = {other: frozenset(kinds) for other, kinds in self.links.get(iri, {}).items()}
        for other in self.into.get(iri, ()):
            found[other] = found.get(other, frozenset()) | self.links[other][iri]
        return sorted(found.items())

    def by_name(self) -> dict[str, str]:
        """Return the thing for each IRI, number and name; terms win over rules."""
        found: dict[str, str] = {}
        for thing in sorted(self.things.values(), key=lambda it: (it.kind is not NodeKind.TERM, it.iri)):
            for name in (thing.iri, thing.number, thing.label):
                if name:
                    found.setdefault(name, thing.iri)
        return found

    def wholes(self, iri: str) -> Iterator[str]:
        """Yield the wholes that a rule is part of, nearest first, up to its section."""
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


_UNTRUE = str(False)


def read_graph(stated: Statements) -> Graph:
    """Return everything in the scope that can be shown, without its words."""
    graph = Graph()
    _read_terms(graph, stated)
    _read_numbered(graph, stated)
    _read_parts(graph, sorted(stated.pairs(DCTERMS.isPartOf)))
    for by, kind in _KIND_OF.items():
        for source, target in sorted(stated.pairs(by)):
            graph.link(source, kind, target)
    for thing in graph.things.values():
        if thing.kind is NodeKind.TERM and not thing.loaded:
            ends = graph.links.get(thing.iri, {})
            rules = (rule for rule, kinds in ends.items() if LinkKind.DEFINITION in kinds)
            thing.loaded = any(graph.things[rule].loaded for rule in rules)
    for source, target in _cited_places(stated):
        graph.link(source, LinkKind.CITATION, target)
    for rule, term in stated.pairs(RG.mentions):
        if RG.Rule in stated.classes[rule]:
            graph.link(rule, LinkKind.MENTION, term)
    return graph


def _read_terms(graph: Graph, stated: Statements) -> None:
    """Read which things are the same, and all terms with their names and states."""
    unloaded = {it for it, value in stated.pairs(RG.loaded) if value == _UNTRUE}
    same = sorted(stated.pairs(RG.sameRule))
    graph.same = {cited: rule for cited, rule in same if cited != rule and cited in unloaded}
    terms = stated.session.iris.term("")
    for iri, name in sorted(stated.pairs(SKOS.prefLabel)):
        if iri.startswith(terms):
            graph.things.setdefault(iri, Node(iri, name, NodeKind.TERM, loaded=False))
    others = {*stated.pairs(SKOS.altLabel), *stated.pairs(SKOS.hiddenLabel)}
    for iri, name in sorted(others):
        if iri in graph.things:
            graph.things[iri].names += (name,)
    states = grouped(stated.pairs(RG.status))
    defined = stated.pairs(RG.defines)
    told = sorted((term, state, it) for it, term in defined for state in states[it] or [""])
    for iri, state, entry in told:
        graph.term_of[entry] = iri
        if iri in graph.things and entry not in unloaded:
            graph.things[iri].loaded = graph.things[iri].entered = True
            graph.things[iri].status = _STATE_NAMES.get(state, graph.things[iri].status)


def _read_numbered(graph: Graph, stated: Statements) -> None:
    """Read the rules, sections and entries that have a number; one that is also a rule is a rule."""
    numbers, levels, titles, loaded = (
        dict(sorted(stated.pairs(by))) for by in (SKOS.notation, RG.level, DCTERMS.title, RG.loaded)
    )
    for iri, classes in stated.classes.items():
        cls = next((it for it in _KINDS if it in classes), "")
        known = graph.things.get(iri)
        number = numbers.get(iri)
        if cls and number is not None and iri not in graph.same and (known is None or cls == RG.Rule):
            kind = NodeKind.CHAPTER if levels.get(iri) == "chapter" else _KINDS[cls]
            title = titles.get(iri, "")
            name = f"Section {number}" if kind is NodeKind.SECTION and not title else number
            label = f"{name} {title}".rstrip()
            graph.things[iri] = Node(iri, label, kind, number, loaded=loaded.get(iri) != _UNTRUE)


def _read_parts(graph: Graph, pairs: Iterable[tuple[str, str]]) -> None:
    """Add the parts of wholes, for the rules and sections that exist; `pairs` are (part, whole)."""
    things = graph.things
    for below, above in pairs:
        part, whole = graph.same.get(below, below), graph.same.get(above, above)
        if part == whole or part in graph.whole or part not in things or whole not in things:
            continue
        if things[part].kind in _RULES and things[whole].kind in _WHOLES:
            graph.whole[part] = whole
            graph.parts[whole].append(part)


def _cited_places(stated: Statements) -> Iterator[tuple[str, str]]:
    """Yield the sections, then the entries without a term, that terms and rules cite."""
    terms = grouped(stated.pairs(RG.defines))
    wholes = grouped(stated.pairs(DCTERMS.isPartOf))
    for unit, to in stated.pairs(RG.cites):
        classes = stated.classes[unit]
        if terms[to] or RG.Note in classes or not {RG.Section, RG.Entry}.intersection(stated.classes[to]):
            continue
        yield from ((term, to) for whole in wholes[unit] for term in terms[whole])
        if RG.Rule in classes:
            yield unit, to


WEIGHTS = {LinkKind.MENTION: 0.1, LinkKind.PART: 0.5}
"""The weight of a link in the choice of the most connected; 1 for the kinds not named."""


def candidates(graph: Graph) -> set[str]:
    """Return the terms worth showing, what they are linked to by more than mentions, and shared wholes.

    A term that is only the title of a rule adds nothing to that rule.
    """
    found = set()
    for thing in graph.things.values():
        if thing.kind is NodeKind.TERM:
            near = graph.near(thing.iri)
            if thing.entered or any(k != {LinkKind.DEFINITION} for _, k in near):
                found.add(thing.iri)
                found.update(other for other, kinds in near if kinds != {LinkKind.MENTION})
    below = Counter(whole for iri in found for whole in _wholes(graph, iri))
    return found | {whole for whole, parts in below.items() if parts > 1}


def _wholes(graph: Graph, iri: str) -> Iterable[str]:
    """Yield the rules that a rule is part of, up to its chapter."""
    return (whole for whole in graph.wholes(iri) if graph.things[whole].kind is not NodeKind.SECTION)


def degrees(graph: Graph, among: Collection[str]) -> dict[str, float]:
    """Return how strongly each thing is linked to the others."""
    degree: dict[str, float] = defaultdict(float)
    for iri in sorted(among):  # in order, since the last bits of a sum depend on it
        for other, kinds in graph.near(iri):
            if other in among:
                degree[iri] += max(WEIGHTS.get(kind, 1.0) for kind in kinds)
        whole = graph.whole.get(iri, "")
        if whole in among:
            degree[iri] += WEIGHTS[LinkKind.PART]
            degree[whole] += WEIGHTS[LinkKind.PART]
    return degree


def next_to(graph: Graph, shown: Sequence[str], but: Collection[str] = ()) -> list[str]:
    """Return the things linked to the shown ones by more than a mention, most links first."""
    taken = {*shown, *but}
    links: Counter[str] = Counter()
    for iri in shown:
        links.update(o for o, kinds in graph.near(iri) if o not in taken and kinds != {LinkKind.MENTION})
    return sorted(links, key=lambda iri: (-links[iri], iri))


def core(graph: Graph, focus: str) -> list[str]:
    """Return a thing with the rule that defines it, or the terms that it defines, and the parts of those."""
    joined = [o for o, kinds in graph.near(focus) if LinkKind.DEFINITION in kinds]
    found = {focus: None}
    for iri in (focus, *joined):
        found[iri] = None
        if graph.things[iri].kind in (NodeKind.CHAPTER, NodeKind.RULE):
            direct = graph.parts.get(iri, ()) if iri == focus else ()
            found.update(
                (part, None) for part in graph.parts_below(iri) if part in direct or graph.near(part)
            )
    return list(found)


def neighbourhood(graph: Graph, focus: str, depth: int) -> dict[str, int]:
    """Return the things within `depth` links of the focus and their distance."""
    steps = dict.fromkeys(core(graph, focus), 0)
    edge = list(steps)
    for step in range(1, depth + 1):
        reached = set()
        for iri in edge:
            for other, kinds in graph.near(iri):
                if other not in steps and (step == 1 or kinds != {LinkKind.MENTION}):
                    reached.add(other)
            if step > 1 or graph.things[iri].kind is NodeKind.SECTION:
                reached.update(part for part in graph.parts.get(iri, ()) if part not in steps)
        steps.update((iri, step) for iri in sorted(reached))
        edge = sorted(reached)
    return steps


def onward(graph: Graph, focus: str) -> dict[str, str]:
    """Return, for everything that leads to the focus, the next thing on the shortest path there.

    Parts of the focus lead to it at no cost; otherwise these are the paths of reliance.
    """
    goal = core(graph, focus)
    after = dict.fromkeys(goal, focus)
    for rule in goal[1:]:
        after.update((part, rule) for part in graph.parts_below(rule) if part in after)
    reached = follow(_links_into(graph), set(goal), Reach(steps=None))
    for it in sorted(reached.values(), key=lambda it: it.steps):
        after.setdefault(it.iri, it.links[0].target)
    del after[focus]
    return after


def _as_reliance(kind: LinkKind) -> str:
    """Return the kind of reliance that a link in a picture counts as."""
    return kind.value if kind.value in KINDS else "definition"


def _links_into(graph: Graph) -> Links:
    """Return what follows reliance backward through a graph."""

    def into(nodes: Collection[str], kinds: Collection[str], asked: bool) -> Iterator[Link]:
        for target in nodes:
            if not asked and "definition" in kinds:
                # What a part says counts as said by the term whose rule it belongs to.
                for whole in _wholes(graph, target):
                    yield Link(whole, "definition", target)
            for source in sorted(graph.into.get(target, ())):
                for kind in sorted(graph.links[source][target], key=STRENGTH.__getitem__):
                    if _as_reliance(kind) in kinds:
                        yield Link(source, _as_reliance(kind), target)

    return into
