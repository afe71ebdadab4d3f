"""The links of reliance of a scope: whose body cites, is sent to, or names what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from ..evidence.links import Link
from ..session import Scope, Session
from .bodies import Bodies


class Network:
    """Every reference of a scope, held in memory; mentions are fetched as they are needed."""

    def __init__(self, session: Session, scope: Scope) -> None:
        self.bodies = Bodies(session, scope)
        self._session = session
        self._scope = scope
        self._into: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        self._out_of: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        for unit, to, start, end in session.run("reliance", "references", scope.linked):
            if isinstance(start, int) and isinstance(end, int):
                self._into[str(to)].append((str(unit), start, end))
                self._out_of[str(unit)].append((str(to), start, end))

    def into(self, nodes: Collection[str], kinds: Collection[str], *, asked: bool) -> Iterator[Link]:
        """Yield the links of some kinds into some nodes, from terms and from rules.

        A term that points to its own rule does not rely on the whole that its rule is part of: the pointer
        is its definition, which counts where the rule itself is `asked` about.
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
        """Return the texts that mention some terms, each with the term; titles say nothing of reliance."""
        rows = self._session.run("reliance", "mentions_into", self._scope.linked, {"target": terms})
        return [(str(text), str(named)) for text, named in rows]

    def named_in(self, texts: Collection[str]) -> Iterable[tuple[str, str]]:
        """Return the terms that some texts mention, each behind its text; titles aside."""
        rows = self._session.run("reliance", "mentions_in", self._scope.linked, {"unit": texts})
        return [(str(text), str(named)) for text, named in rows]

    def _cited_as(self, node: str, asked: bool) -> set[str]:
        """Return what a link into a node may lead to.

        What a rule of no term says is not what its parts say: beyond what is asked about it stands for
        itself, and a rule of some term's body is gone on from as that term.
        """
        if asked or self.bodies.is_term(node):
            return self.bodies.targets(node)
        return set() if self.bodies.owners(node) else {node}

    def out_of(self, nodes: Collection[str], kinds: Collection[str], *, asked: bool) -> Iterator[Link]:
        """Yield the links of some kinds out of the bodies of some nodes, to rules and to terms.

        As in `into`, a rule that is not `asked` about stands for itself, or for the term of its body.
        """
        for node in nodes:
            yield from self.said_in(self._said_by(node, asked), node, kinds)

    def said_in(self, texts: Collection[str], node: str, kinds: Collection[str]) -> Iterator[Link]:
        """Yield the links of some kinds out of some texts, as of a node, to rules and to terms."""
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
        """Yield the terms in whose body a text stands, and its rule, but for what is asked about itself."""
        for source in (*self.bodies.owners(unit), self.bodies.rule_of(unit)):
            if source and source != target and not self.bodies.is_within(source, target):
                yield source

    def _kind(self, unit: str, to: str) -> str:
        by_name = self.bodies.is_term(to) or self._session.iris.parse(unit).part == "note"
        return "note" if by_name else "citation"

    def _rule(self, to: str) -> tuple[str, ...]:
        return (to,) if self._session.iris.parse(to).kind in ("rule", "section") else ()


class WholeNetwork(Network):
    """A network that holds its mentions in memory as well, for those who walk from everything."""

    def __init__(self, session: Session, scope: Scope) -> None:
        super().__init__(session, scope)
        self._naming: dict[str, list[str]] = defaultdict(list)
        self._named_in: dict[str, list[str]] = defaultdict(list)
        for text, named in session.run("reliance", "mentions_into", scope.linked):
            self._naming[str(named)].append(str(text))
            self._named_in[str(text)].append(str(named))

    def naming(self, terms: Collection[str]) -> Iterable[tuple[str, str]]:
        """Return what `Network.naming` does."""
        return ((text, term) for term in terms for text in self._naming.get(term, ()))

    def named_in(self, texts: Collection[str]) -> Iterable[tuple[str, str]]:
        """Return what `Network.named_in` does."""
        return ((text, named) for text in texts for named in self._named_in.get(text, ()))
