"""Hold the links of reliance in a scope, and say which texts are the body of which term.

The body of a term is its entry, and the rule that defines it, with that rule's parts and examples.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ...ontology import DCTERMS, RG, grouped
from ..evidence.links import Link
from ..session import Scope, Session
from ..session.statements import Statements


class Bodies:
    """The bodies of all terms of a scope, and of the rules that belong to no term.

    A titled rule in a chapter is the body of the term in its title, not of the chapter's term: *Keyword
    Abilities* has only the introduction of its chapter, and *Trample* has a rule of its own.
    """

    def __init__(self, stated: Statements) -> None:
        self._iris = stated.session.iris
        self._terms = self._iris.term("")
        self._whole = grouped(stated.pairs(DCTERMS.isPartOf))
        self._parts = stated.parts
        same = stated.pairs(RG.sameRule)
        self._same = grouped(pair for one, other in same for pair in ((one, other), (other, one)))
        entered = [*stated.pairs(RG.defines), *stated.pairs(RG.about)]
        self._entered = grouped(entered)
        self._entries = grouped((term, owner) for owner, term in entered)
        self._rules = grouped(stated.pairs(RG.definedBy))
        self._defined = grouped((rule, term) for term, rule in stated.pairs(RG.definedBy))
        titled = {rule for rule, _ in stated.pairs(DCTERMS.title) if rule in self._defined}
        self._titled = {rule for rule, level in stated.of(titled, RG.level) if level == "rule"}
        self._rule_of: dict[str, str] = {}
        self._owners: dict[str, tuple[str, ...]] = {}
        self._targets: dict[str, set[str]] = {}

    def is_term(self, iri: str) -> bool:
        """Return whether an IRI is that of a term, not of a rule."""
        return iri.startswith(self._terms)

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms that have a body."""
        return tuple(sorted(self._entries.keys() | self._rules.keys()))

    # -- from a text up -------------------------------------------------------------------------

    def owners(self, unit: str) -> tuple[str, ...]:
        """Return the terms whose body includes a text."""
        if unit not in self._owners:
            self._owners[unit] = tuple(sorted(self._climb(unit)))
        return self._owners[unit]

    def _climb(self, unit: str) -> set[str]:
        found: set[str] = set()
        waiting, seen = [unit], {unit}
        while waiting:
            it = waiting.pop()
            found.update(self._entered.get(it, ()), self._defined.get(it, ()))
            if it not in self._titled:
                above = [whole for whole in self._whole.get(it, ()) if whole not in seen]
                seen.update(above)
                waiting += above
        return found

    def rule_of(self, unit: str) -> str:
        """Return the rule of a text, which may be an example; ``""`` for the texts of entries."""
        if unit not in self._rule_of:
            place = self._iris.parse(unit)
            is_of_rule = place.kind == "rule" and place.part in ("", "example")
            self._rule_of[unit] = self._iris.iri(place.whole) if is_of_rule else ""
        return self._rule_of[unit]

    def terms_of(self, node: str) -> set[str]:
        """Return the terms that a link to a node means: for a rule, also those of rules that contain it."""
        if self.is_term(node):
            return {node}
        return {
            term
            for whole in self._closure(node, self._whole)
            for term in (*self._entered.get(whole, ()), *self._defined.get(whole, ()))
        }

    def defined_by(self, rule: str) -> tuple[str, ...]:
        """Return the terms that a rule itself defines."""
        return tuple(sorted(self._defined.get(rule, ())))

    # -- from a term or rule down ---------------------------------------------------------------

    def targets(self, node: str) -> set[str]:
        """Return what can be cited to cite a node: itself, its entries, its rules and their parts."""
        if node not in self._targets:
            self._targets[node] = self._below(node)
        return self._targets[node]

    def _below(self, node: str) -> set[str]:
        own = {node, *self._entries.get(node, ())}
        rules = self._rules.get(node, ()) if self.is_term(node) else (node,)
        return own.union(*(self._closure(rule, self._parts) for rule in rules))

    def is_titled(self, rule: str) -> bool:
        """Return whether a rule in a chapter has a title, so that it is the body of one term."""
        return rule in self._titled

    def is_within(self, term: str, node: str) -> bool:
        """Return whether a term is nothing but the title of a rule that belongs to a node."""
        rules = self._rules.get(term)
        return bool(rules) and term not in self._entries and self.targets(node).issuperset(rules or ())

    def beside(self, rule: str) -> tuple[str, ...]:
        """Return the other parts of the rule that contains a subrule; none for rules in a chapter."""
        wholes = [it for it in self._whole.get(rule, ()) if self._whole.get(it) and it[-1].isdigit()]
        parts = {part for whole in wholes if "." in whole.rpartition("/")[2] for part in self._parts[whole]}
        return tuple(sorted(parts - {rule}))

    def roots(self, node: str) -> tuple[str, ...]:
        """Return the tops of a body: a term's entries and defining rules, or the node itself."""
        return (*self._entries.get(node, ()), *self._rules.get(node, ())) if self.is_term(node) else (node,)

    def texts(self, node: str) -> set[str]:
        """Return the texts in the body of a term, or of a rule with its parts."""
        found: set[str] = set()
        waiting = [it for root in self.roots(node) for it in self._closure(root, {})]
        while waiting:
            it = waiting.pop()
            if it not in found:
                found.add(it)
                waiting += [part for part in self._parts.get(it, ()) if part not in self._titled]
        return found

    def _closure(self, rule: str, step: Mapping[str, Iterable[str]]) -> set[str]:
        """Return what steps lead to from a rule, with the same rules in other documents."""
        found = {rule}
        waiting = [rule]
        while waiting:
            it = waiting.pop()
            for other in (*step.get(it, ()), *self._same.get(it, ())):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return found


class Network:
    """All references in a scope, in memory; mentions are fetched when needed.

    With `whole`, the mentions are in memory too, which pays if every term is asked about.
    """

    def __init__(
        self, session: Session, scope: Scope, *, whole: bool = False, stated: Statements | None = None
    ) -> None:
        stated = stated or Statements(session, scope, scope.linked)
        self.bodies = Bodies(stated)
        self._session = session
        self._scope = scope
        references = stated.references
        self._into = grouped((to, (unit, start, end)) for unit, start, end, to in references)
        self._out_of = grouped((unit, (to, start, end)) for unit, start, end, to in references)
        self._whole = whole
        rows = session.run("reliance", "mentions", scope.linked) if whole else ()
        self._naming = grouped((str(named), str(text)) for text, named in rows)
        self._named_in = grouped((str(text), str(named)) for text, named in rows)

    def into(self, nodes: Collection[str], kinds: Collection[str], asked: bool) -> Iterator[Link]:
        """Yield the links of these kinds into some nodes, from terms and from rules.

        A term that points to its own rule does not rely on all of that rule. The pointer is its definition,
        which counts if the question is about the rule itself (`asked`).
        """
        for node in nodes:
            for to in self._cited_as(node, asked):
                for unit, start, end in self._into.get(to, ()):
                    kind = self._kind(unit, to)
                    if kind in kinds:
                        for source in self._sources(unit, node):
                            if to not in self.bodies.targets(source):
                                yield Link(source, kind, node, unit, start, end)
            if asked and "definition" in kinds and not self.bodies.is_term(node):
                for term in self.bodies.defined_by(node):
                    yield Link(term, "definition", node, node)
        terms = [node for node in nodes if self.bodies.is_term(node)]
        if "mention" in kinds and terms:
            for text, named in self.naming(terms):
                for source in self._sources(text, named):
                    yield Link(source, "mention", named, text)

    def naming(self, terms: Collection[str]) -> Iterable[tuple[str, str]]:
        """Return (text, term) for each mention of some terms, except in titles: they show no reliance."""
        if self._whole:
            return [(text, term) for term in terms for text in self._naming.get(term, ())]
        rows = self._session.run("reliance", "mentions", self._scope.linked, {"target": terms})
        return [(str(text), str(named)) for text, named in rows]

    def named_in(self, texts: Collection[str]) -> Iterable[tuple[str, str]]:
        """Return (text, term) for each mention in some texts, except in titles."""
        if self._whole:
            return [(text, named) for text in texts for named in self._named_in.get(text, ())]
        rows = self._session.run("reliance", "mentions", self._scope.linked, {"unit": texts})
        return [(str(text), str(named)) for text, named in rows]

    def _cited_as(self, node: str, asked: bool) -> set[str]:
        """Return the targets that count as links into a node.

        Only if the question is about it does a rule without a term include its parts. A rule in the body of a
        term is followed as that term.
        """
        if asked or self.bodies.is_term(node):
            return self.bodies.targets(node)
        return set() if self.bodies.owners(node) else {node}

    def out_of(self, nodes: Collection[str], kinds: Collection[str], asked: bool) -> Iterator[Link]:
        """Yield the links of these kinds out of the bodies of some nodes, to rules and to terms.

        As in `into`, a rule that was not `asked` about stands for itself alone, or for the term of its body.
        """
        for node in nodes:
            yield from self.said_in(self._said_by(node, asked), node, kinds)

    def said_in(self, texts: Collection[str], node: str, kinds: Collection[str]) -> Iterator[Link]:
        """Yield the links of these kinds out of some texts, as links of a node, to rules and to terms."""
        own = self.bodies.targets(node)
        for unit in texts:
            for to, start, end in self._out_of.get(unit, ()):
                kind = self._kind(unit, to)
                if kind in kinds and to not in own:
                    for target in (*self._rule(to), *sorted(self.bodies.terms_of(to))):
                        yield Link(node, kind, target, unit, start, end)
        if "mention" in kinds and texts:
            for text, named in self.named_in(texts):
                if named != node:
                    yield Link(node, "mention", named, text)

    def _said_by(self, node: str, asked: bool) -> list[str]:
        if asked or self.bodies.is_term(node):
            return sorted(self.bodies.texts(node))
        if self.bodies.owners(node):
            return []
        return sorted(unit for unit in self.bodies.texts(node) if self.bodies.rule_of(unit) == node)

    def _sources(self, unit: str, target: str) -> Iterator[str]:
        """Yield the terms whose body contains a text, and the text's rule, without the target itself."""
        for source in (*self.bodies.owners(unit), self.bodies.rule_of(unit)):
            if source and source != target and not self.bodies.is_within(source, target):
                yield source

    def _kind(self, unit: str, to: str) -> str:
        by_name = self.bodies.is_term(to) or self._session.iris.parse(unit).part == "note"
        return "note" if by_name else "citation"

    def _rule(self, to: str) -> tuple[str, ...]:
        return (to,) if self._session.iris.parse(to).kind in ("rule", "section") else ()
