"""The links of reliance of a scope, held in memory: who links to whom, and what is part of what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from ..evidence.links import Link
from ..session import Cells, Scope, Session
from .reach import EXPLICIT


class Network:
    """The explicit links of a scope; those by mention are fetched as they are needed."""

    def __init__(self, session: Session, scope: Scope) -> None:
        self._session = session
        self._scope = scope
        self._terms = session.iris.term("")
        self._into: dict[str, list[Link]] = defaultdict(list)
        self._out_of: dict[str, list[Link]] = defaultdict(list)
        for source, kind, target in self._run("links"):
            link = Link(str(source), str(kind), str(target))
            self._into[link.target].append(link)
            self._out_of[link.source].append(link)
        self._whole: dict[str, list[str]] = defaultdict(list)
        self._parts: dict[str, list[str]] = defaultdict(list)
        self._same: dict[str, list[str]] = defaultdict(list)
        for part, whole in self._run("parts"):
            self._whole[str(part)].append(str(whole))
            self._parts[str(whole)].append(str(part))
        for cited, rule in self._run("same"):
            self._same[str(cited)].append(str(rule))
            self._same[str(rule)].append(str(cited))

    def is_term(self, iri: str) -> bool:
        """Tell terms from everything else by their IRIs."""
        return iri.startswith(self._terms)

    def wholes(self, rule: str) -> set[str]:
        """Return a rule and all that it is part of, in a release and in the rules then in force."""
        return self._closure(rule, self._whole)

    def parts(self, rule: str) -> set[str]:
        """Return a rule and all its parts, in a release and in the rules then in force."""
        return self._closure(rule, self._parts)

    def _closure(self, rule: str, step: Mapping[str, list[str]]) -> set[str]:
        found = {rule}
        waiting = [rule]
        while waiting:
            it = waiting.pop()
            for other in (*step.get(it, ()), *self._same.get(it, ())):
                if other not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    def into(self, nodes: Collection[str], kinds: Collection[str], *, asked: bool) -> list[Link]:
        """Return the links of some kinds that lead into some nodes.

        A section is cited, never gone on from: links into whole sections count where it is `asked` about.
        """
        wanted = list(nodes)
        links = [link for node in wanted for link in self._into.get(node, ()) if link.kind in kinds]
        if "mention" in kinds:
            terms = [node for node in wanted if self.is_term(node)]
            links += self._mentions("mentions_into", {"target": terms}) if terms else []
        if asked and set(EXPLICIT).intersection(kinds):
            links += self._into_sections(wanted)
        return links

    def _into_sections(self, nodes: Iterable[str]) -> list[Link]:
        sections = [node for node in nodes if self._session.iris.parse(node).kind == "section"]
        if not sections:
            return []
        links = []
        for unit, term, kind, target in self._run("sections_into", {"target": sections}):
            source = str(term) if term else self._rule_of(str(unit))
            if source:
                links.append(Link(source, str(kind), str(target)))
        return links

    def out_of(self, nodes: Collection[str], kinds: Collection[str]) -> list[Link]:
        """Return the links of some kinds that lead out of some nodes."""
        wanted = list(nodes)
        links = [link for node in wanted for link in self._out_of.get(node, ()) if link.kind in kinds]
        if "mention" in kinds and wanted:
            links += self._mentions("mentions_out_of", {"source": wanted})
        return links

    def defined_by(self, rules: Iterable[str]) -> list[tuple[str, str]]:
        """Return (rule, term) for the terms that some rules, or the rules above them, define."""
        above = {rule: self.wholes(rule) for rule in rules}
        wholes = sorted(set().union(*above.values()))
        if not wholes:
            return []
        defined: dict[str, list[str]] = defaultdict(list)
        for whole, term in self._session.run("finding", "defined", self._scope.linked, {"rule": wholes}):
            defined[str(whole)].append(str(term))
        return [
            (rule, term) for rule, own in above.items() for whole in own for term in defined.get(whole, ())
        ]

    def _mentions(self, query: str, values: Mapping[str, Iterable[str]]) -> list[Link]:
        links = []
        for source, target in self._run(query, values):
            owner = str(source) if self.is_term(str(source)) else self._rule_of(str(source))
            if owner:
                links.append(Link(owner, "mention", str(target)))
        return links

    def _rule_of(self, unit: str) -> str:
        """Return the rule that a text unit is, or is an example of; ``""`` for the texts of entries."""
        place = self._session.iris.parse(unit)
        is_of_rule = place.kind == "rule" and place.part in ("", "example")
        return self._session.iris.iri(place.whole) if is_of_rule else ""

    def _run(self, name: str, values: Mapping[str, Iterable[str]] | None = None) -> list[Cells]:
        return self._session.run("reliance", name, self._scope.linked, values)
