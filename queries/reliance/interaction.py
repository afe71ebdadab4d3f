"""Where two things meet: what the bodies of both have in common that little else has, side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

from ...ontology.errors import UsageError
from ..evidence.links import Link, quotations
from ..session import Answer, Session
from .questions import NaturalKey, natural, resolved, why
from .reach import Reach
from .walking import Walk

COLUMNS = ("ground", "number", "quote", "other_number", "other_quote", "document")

_LINKS = ("citation", "note", "mention")

_COMMON = 0.1
"""What stands in more than this share of all bodies says nothing of two of them."""

_FEWEST = 5
"""How many bodies may have what is common to two, in however small a set of documents."""


class _Meeting(NamedTuple):
    """One ground and a pair of texts; `likeness` is how much, and how rare, is common to the two."""

    ground: str
    weight: float
    likeness: float
    one: Link
    other: Link


def interaction(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return where two things meet: ground, number, quote, other_number, other_quote, document.

    A ground is what texts of both bodies name or cite; one of the two, where a text of the other names it;
    or a rule of neither that names both. The pairs of texts with the most and rarest in common come first.
    Each row has the sentence of the first thing and that of the other, and the document of the first.

    Raises `UsageError` for links or steps to follow: both bodies are looked at whole.
    """
    if reach is not None and reach != Reach():
        raise UsageError("interaction follows no chain of links", way_out="Leave --via and --steps out.")
    walk = Walk(session, resolved(session, given, edition), Reach())
    one, other = (_Side(walk, walk.nodes(thing)) for thing in walk.things)
    if one.own & other.own:
        walk.notes.append("They are the same thing, or one is part of the other.")
        return walk.answer("interaction", COLUMNS, [])
    weights = _weights(walk, {*one.grounds(), *other.grounds(), *one.nodes, *other.nodes})
    found = _best(walk, [*_pairs(one, other, weights), *_thirds(walk, one, other, weights)])
    said = quotations(session, walk.scope, [link for it in found for link in (it.one, it.other)])
    rules = {link.unit: walk.network.bodies.rule_of(link.unit) for link in said}
    walk.learn_labels(filter(None, rules.values()))
    rows = []
    for it in found:
        if it.one in said and it.other in said:
            numbers = [walk.label(rules[link.unit]) if rules[link.unit] else None for link in it[3:]]
            mine, others = said[it.one], said[it.other]
            rows.append(
                (walk.label(it.ground), numbers[0], mine.words, numbers[1], others.words, mine.document)
            )
    return walk.answer("interaction", COLUMNS, rows)


_TOLD = 3
"""How many grounds a chain is told with."""


def why_and_where(
    session: Session, source: str, target: str, *, edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the shortest chain from one thing to another (see `why`), and in a note where the two meet."""
    chain = why(session, source, target, edition=edition, reach=reach)
    ends = {name for row in chain.rows for name in (row[1], row[3])}
    rows = interaction(session, (source, target), edition).rows
    grounds = [str(row[0]) for row in rows if row[0] not in ends][:_TOLD]
    if not grounds:
        return chain
    where = f'They meet in {", ".join(grounds)}: rulesgraph ask interaction "{source}" "{target}"'
    return chain._replace(notes=(*chain.notes, where))


class _Side:
    """One of the two things: its nodes, what belongs to it, and what each text of its body names or cites."""

    def __init__(self, walk: Walk, nodes: tuple[str, ...]) -> None:
        self.nodes = nodes
        self.own = walk.own(nodes)
        self.says: dict[str, dict[str, Link]] = {
            text: {} for node in nodes for text in walk.network.bodies.texts(node)
        }
        for link in sorted(walk.network.out_of(nodes, _LINKS, asked=True)):
            if link.target not in self.own:
                self.says[link.unit].setdefault(link.target, link)

    def grounds(self) -> set[str]:
        """Return all that its texts name or cite."""
        return set().union(*self.says.values())


def _weights(walk: Walk, grounds: set[str]) -> Mapping[str, float]:
    """Return how rare each ground is: the fewer bodies have it, the more. What is common is left out."""
    having: dict[str, set[str]] = defaultdict(set)
    for link in walk.network.into(sorted(grounds), _LINKS, asked=True):
        if walk.is_term(link.source):
            having[link.target].add(link.source)
    bodies = walk.network.bodies.count
    most = max(_FEWEST, _COMMON * bodies)
    return {it: log(1 + bodies / (1 + len(having[it]))) for it in grounds if len(having[it]) <= most}


def _pairs(one: _Side, other: _Side, weights: Mapping[str, float]) -> Iterator[_Meeting]:
    """Yield each ground of each pair of texts of both bodies."""
    for text, mine in one.says.items():
        for another, others in other.says.items():
            grounds = [it for it in mine if it in others and it in weights]
            grounds += [it for it in mine if it in other.nodes]
            grounds += [it for it in others if it in one.nodes]
            likeness = sum(weights.get(it, 0.0) for it in grounds)
            for it in grounds:
                left = mine.get(it) or Link(it, "definition", it, text)
                right = others.get(it) or Link(it, "definition", it, another)
                yield _Meeting(it, weights.get(it, 0.0), likeness, left, right)


def _thirds(walk: Walk, one: _Side, other: _Side, weights: Mapping[str, float]) -> Iterator[_Meeting]:
    """Yield the rules of neither body that name or cite both."""
    mine, others = ({link.unit: link for link in _into(walk, side)} for side in (one, other))
    weight = sum(max(weights.get(node, 0.0) for node in side.nodes) for side in (one, other))
    for unit in sorted(mine.keys() & others.keys() - one.says.keys() - other.says.keys()):
        rule = walk.network.bodies.rule_of(unit)
        if rule and weight:
            yield _Meeting(rule, weight, weight, mine[unit], others[unit])


def _into(walk: Walk, side: _Side) -> list[Link]:
    return sorted(walk.network.into(side.nodes, _LINKS, asked=True), reverse=True)


def _best(walk: Walk, meetings: Iterable[_Meeting]) -> list[_Meeting]:
    """Return for each ground the pair with the most in common, the grounds by that.

    Rules go before entries, which repeat them, and pairs that are not yet shown before those that are.
    """
    by_ground: dict[str, list[_Meeting]] = {}
    for it in meetings:
        by_ground.setdefault(it.ground, []).append(it)
    shown: set[tuple[str, str]] = set()

    def rank(it: _Meeting) -> tuple[int, bool, float, Link, Link]:
        in_entries = sum(not walk.is_in_rule(link) for link in it[3:])
        return in_entries, (it.one.unit, it.other.unit) in shown, -it.likeness, it.one, it.other

    walk.learn_labels(by_ground)
    chosen = []
    for ground in sorted(by_ground, key=lambda it: _order(walk, by_ground[it])):
        best = min(by_ground[ground], key=rank)
        shown.add((best.one.unit, best.other.unit))
        chosen.append(best)
    return chosen


def _order(walk: Walk, meetings: Sequence[_Meeting]) -> tuple[float, float, NaturalKey, str]:
    ground, weight = meetings[0][:2]
    return -max(it.likeness for it in meetings), -weight, natural(walk.label(ground)), ground
