"""Find which terms and rules rely on which in one step, by the citations in the body of a term.

The body of a term is its entry, and the rule that defines it with parts and examples. A titled rule below a
chapter is only in the body of its own term: *Trample* is no part of *Keyword Abilities*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...ontology.iris import slug
from ..language.numbers import level, wholes
from ..records import Target, TargetKind
from .edition import EditionView


def steps(view: EditionView, defined_by: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """Yield (source, target), as IRIs, for each citation that leads out of the body of its source.

    A source is a term, or a rule for its own words. A target is a term, or a rule that does not belong to a
    term's body. `defined_by` maps terms to the IRIs of the rules that define them.
    """
    bodies = _Bodies(view, defined_by)
    for unit in view.units:
        number = view.iris.parse(unit.rule).name if unit.rule else ""
        terms = {*filter(None, [unit.term]), *bodies.holding(number)}
        for target in (target for reference in unit.references for target in reference.targets):
            cited = wholes(target.key) if target.kind is TargetKind.RULE else ()
            sources = [view.iris.term(it) for it in terms if bodies.rules[it].isdisjoint(cited)]
            sources += [unit.rule] if number and number not in cited else []
            reached = bodies.stand_for(target)
            yield from ((source, to) for source in sources for to in reached if to != source)


class _Bodies:
    """The rules of each term (`rules`, by their numbers), and the terms of each rule."""

    def __init__(self, view: EditionView, defined_by: Mapping[str, Iterable[str]]) -> None:
        self._view = view
        self.rules: dict[str, set[str]] = defaultdict(set)
        self._terms: dict[str, list[str]] = defaultdict(list)
        for term, rules in defined_by.items():
            for number in (view.iris.parse(rule).name for rule in rules):
                self.rules[term].add(number)
                self._terms[number].append(term)
        self._titled = {it for it in self._terms if level(it) == "rule" and it in view.titles}
        for entry in view.entries:
            if entry.is_rule and entry.names:
                self._terms[entry.number].append(slug(entry.names[0]))

    def holding(self, rule: str) -> Iterator[str]:
        """Yield the terms whose body includes a rule."""
        for number in wholes(rule) if rule else ():
            yield from self._terms.get(number, ())
            if number in self._titled:
                return

    def stand_for(self, target: Target) -> Sequence[str]:
        """Return the terms of a target; a rule gives those of all rules that it is part of."""
        view = self._view
        if target.kind is TargetKind.TERM:
            return [view.iris.term(view.term_of(target.key))]
        if target.kind is TargetKind.ENTRY:
            return [view.iris.term(it) for it in [view.entry_term(target.key)] if it]
        if target.kind is TargetKind.SECTION:
            return []
        terms = [view.iris.term(it) for number in wholes(target.key) for it in self._terms.get(number, ())]
        return terms or [view.iris.rule(view.edition, target.key)]
