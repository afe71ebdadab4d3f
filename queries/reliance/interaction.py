"""Find where two things meet: what both their texts name or cite, side by side, the rarest first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import log
from string import ascii_lowercase
from typing import NamedTuple

from ...ontology import DCTERMS, RG, UsageError
from ..evidence.links import Link, QuotationFinder
from ..session import Answer, Cells, Session
from .levels import Reach
from .walk import SAYING, NaturalKey, Walk, having, natural, resolved, why

_COMMON = 0.1
"""Something that more than this share of all bodies name says nothing about two of them."""

_FEWEST = 5
"""The number of bodies that may name something, even in the smallest set of documents."""

COLUMNS = ("ground", "number", "quote", "other_number", "other_quote", "document")

_CITED = 0.5
"""The weight of a rule that one thing cites and that names the other; a rule that names both has 1."""

_LATER = 0.7
"""The weight of a later subrule; the first two say what a thing is and does, and have 1."""

_DONE = (
    r"\b(?:to|can|can['’]t|may|would|must|be|and|or) (?:{0})\b|\b(?:{0})(?:ed|ing)\b|(?:^|[,.“:] )(?:{0})\b"
)
"""Ways to use a name as a verb: *a spell that can't be countered*, not *a -1/-1 counter*."""

_LISTED = 8
"""A rule that names both and more than this number of things is a mere list."""

_HARDLY = (
    "They may have nothing to do with each other: many rules name what they share, or only a list has both."
)

_SHOWN = 10
"""The maximum number of grounds shown by default."""


class _Meeting(NamedTuple):
    """A ground, and a pair of texts that have it.

    `likeness` is how much the two texts have in common, and how rare it is. `meanings` are the rules, if any,
    that define the two things to which the texts belong. If a rule of one thing names the other, `share` is
    the share of that meaning's texts that do. `is_rare` is False if many bodies have the ground.
    """

    ground: str
    weight: float
    likeness: float
    one: Link
    other: Link
    meanings: tuple[str, str] = ("", "")
    share: float = 0.0
    is_rare: bool = True


def interaction(
    session: Session, given: Sequence[str], edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return where two things meet: ground, number, quote, other_number, other_quote, document.

    A ground is something that texts of both bodies name or cite; one of the two things, if a text of the
    other names it; a rule of neither that names both; or a rule that names one and is cited by the other,
    with those beside it in its list. Rules of one thing that name the other come first, then the pairs of
    texts that have the most and rarest things in common. If several rules define a thing, each meaning has
    its own rows: *Counter* is two things. A row has a sentence of each thing, and the document of the first;
    a sentence that names both appears only once.

    The first ten grounds are shown, and the notes say how many more there are; a reach of all steps shows
    all. If the two share only what many others have, or a list, the lead says so and `answered` is False.
    Raises `UsageError` for links or steps to follow, since both bodies are read as a whole.
    """
    every = reach is not None and reach.steps is None
    if reach is not None and reach not in (Reach(), Reach(steps=None)):
        raise UsageError(
            "interaction does not follow chains of links",
            way_out="--steps all shows all that two things share.",
        )
    walk = Walk(session, resolved(session, given, edition))
    one, other = (_Side(walk, walk.nodes(thing)) for thing in walk.things)
    if one.own & other.own:
        walk.notes.append("They are the same thing, or one is part of the other.")
        return walk.answer("interaction", COLUMNS, [])
    found = _best(walk, _meetings(walk, one, other))
    lead = (_HARDLY,) if found and not any(_is_telling(walk, it) for it in found) else ()
    walk.notes += lead
    if len(found) > _SHOWN and not every:
        walk.notes.append(f"{len(found) - _SHOWN} more, weaker ones: --steps all shows them.")
        found = found[:_SHOWN]
    links = (link for it in found for link in (it.one, it.other))
    said = QuotationFinder(session, walk.scope).find(links)
    rules = {link.unit: walk.network.bodies.rule_of(link.unit) for link in said}
    walk.learn_labels(filter(None, rules.values()))
    rows = []
    for it in found:
        if it.one in said and it.other in said:
            mine, theirs = (
                (walk.label(rules[link.unit]) if rules[link.unit] else None, said[link].words)
                for link in (it.one, it.other)
            )
            others = (None, None) if theirs == mine else theirs
            rows.append((walk.label(it.ground), *mine, *others, said[it.one].document))
    return walk.answer("interaction", COLUMNS, rows)._replace(lead=lead, answered=not lead)


class _Side:
    """One of the two things: its nodes, its parts, and what each text of its body names or cites.

    `meanings` maps each text to the rule that defines this meaning of the thing; texts of entries to `""`. If
    no rule defines the thing, rules cited by its entry count as one more meaning if they name it or there is
    only one.
    """

    def __init__(self, walk: Walk, nodes: tuple[str, ...]) -> None:
        self.nodes = nodes
        self.own = walk.own(nodes)
        meanings = self._meanings(walk)
        # Titles and parts without words say nothing.
        words, titles = (
            walk.session.pairs(walk.scope.linked, by, of=sorted(meanings)) for by in (RG.text, DCTERMS.title)
        )
        self.words = dict(sorted({*words}.difference(titles)))
        self.meanings = {text: meanings[text] for text in self.words}
        named = "|".join(re.escape(walk.label(node)) for node in nodes)
        verbal = {
            self.meanings[it] for it, said in self.words.items() if re.match(rf"To (?:{named})\b", said, re.I)
        }
        # If all rules define an action, the thing has one meaning, however it is worded.
        self.verbal = verbal if {*filter(None, self.meanings.values())} - verbal else set()
        self.done = re.compile(_DONE.format(named), re.IGNORECASE)
        self.says: dict[str, dict[str, Link]] = {text: {} for text in self.meanings}
        for link in sorted(walk.network.said_in(self.says, nodes[0], SAYING)):
            if link.target not in self.own:
                self.says[link.unit].setdefault(_ground(walk, link.target), link)

    def _meanings(self, walk: Walk) -> dict[str, str]:
        bodies = walk.network.bodies
        found: dict[str, str] = {}
        for root in (root for node in self.nodes for root in bodies.roots(node)):
            found |= dict.fromkeys(bodies.texts(root) - found.keys(), bodies.rule_of(root))
        if not any(map(bodies.rule_of, found)):
            links = walk.network.said_in(found, self.nodes[0], ["citation"])
            cited = {link.target for link in links if bodies.rule_of(link.target)}
            about = {text for text, _ in walk.network.naming(self.nodes)}
            about |= cited if len(cited) == 1 else set()
            for rule in cited:
                found |= dict.fromkeys(about & bodies.texts(rule), self.nodes[0])
        return found

    def is_other_word(self, text: str, others: str) -> bool:
        """Return whether a text says how to do the thing while another text does not do it."""
        return self.meanings[text] in self.verbal and not self.done.search(others)

    def grounds(self) -> set[str]:
        """Return everything that the texts name or cite."""
        return set().union(*self.says.values())

    def shares(self, other: _Side) -> Mapping[str, float]:
        """Return, for each rule that defines the thing, the share of its texts that name the other thing."""
        texts = Counter(self.meanings.values())
        named = (
            self.meanings[text] for text, said in self.says.items() if not said.keys().isdisjoint(other.nodes)
        )
        return {meaning: count / texts[meaning] for meaning, count in Counter(named).items() if meaning}


def _is_telling(walk: Walk, it: _Meeting) -> bool:
    """Return whether a ground really connects two things: few rules name it, and it is not a mere list."""
    if it.share:
        return True
    if not any(it.meanings) and it.one.unit == it.other.unit:
        return len({link.target for link in walk.network.said_in([it.ground], "", SAYING)}) <= _LISTED
    return it.is_rare


def _ground(walk: Walk, target: str) -> str:
    """Return what stands for a name or citation: for a rule, the term if it defines only one."""
    terms = () if walk.is_term(target) else walk.network.bodies.defined_by(target)
    return terms[0] if len(terms) == 1 else target


def _meetings(walk: Walk, one: _Side, other: _Side) -> list[_Meeting]:
    """Return where the two meet, in each other or in rare grounds; else in the rarest that they share."""
    counts = having(walk, {*one.grounds(), *other.grounds(), *one.nodes, *other.nodes})
    bodies = len(walk.network.bodies.terms)
    weights = {it: log(1 + bodies / (1 + count)) for it, count in counts.items()}
    most, is_first = max(_FEWEST, _COMMON * bodies), True
    while True:
        rare = {it: weight for it, weight in weights.items() if counts[it] <= most}
        found = [*_pairs(one, other, weights, rare.keys()), *_third_rules(walk, one, other, rare)]
        found += _cited_rules(walk, one, other, weights)
        if found or most >= bodies:
            return found if is_first else [it._replace(is_rare=False) for it in found]
        most, is_first = 2 * most, False


def _pairs(
    one: _Side, other: _Side, weights: Mapping[str, float], grounds: Collection[str]
) -> Iterator[_Meeting]:
    """Yield each of the `grounds` that two texts share, and each text that names the other thing."""
    shares, others_shares = one.shares(other), other.shares(one)
    for text, mine in one.says.items():
        for another, others in other.says.items():
            if text == another:
                continue
            meanings = (one.meanings[text], other.meanings[another])
            named: dict[str, float] = {}
            if not other.is_other_word(another, one.words[text]):
                named |= {it: shares.get(meanings[0], 0.0) for it in mine if it in other.nodes}
            if not one.is_other_word(text, other.words[another]):
                named |= {it: others_shares.get(meanings[1], 0.0) for it in others if it in one.nodes}
            shared = [it for it in mine if it in others and it in grounds]
            likeness = sum(weights[it] for it in (*shared, *named))
            for it in (*shared, *named):
                left = mine.get(it) or _naming(mine, other) or Link(it, "definition", it, text)
                right = others.get(it) or _naming(others, one) or Link(it, "definition", it, another)
                yield _Meeting(it, weights[it], likeness, left, right, meanings, named.get(it, 0.0))


def _place(walk: Walk, text: str) -> float:
    """Return the weight of a text's grounds: subrules after the second tell of variants of a keyword."""
    rule = text.rstrip(ascii_lowercase)
    return _LATER if text[-1] > "b" and walk.network.bodies.is_titled(rule) and rule != text else 1.0


def _naming(said: Mapping[str, Link], thing: _Side) -> Link | None:
    return next((said[node] for node in thing.nodes if node in said), None)


def _third_rules(walk: Walk, one: _Side, other: _Side, weights: Mapping[str, float]) -> Iterator[_Meeting]:
    """Yield the rules outside both bodies that name or cite both."""
    mine, others = ({link.unit: link for link in _into(walk, side)} for side in (one, other))
    weight = sum(max(weights.get(node, 0.0) for node in side.nodes) for side in (one, other))
    for unit in sorted((mine.keys() & others.keys()) - (one.says.keys() ^ other.says.keys())):
        rule = walk.network.bodies.rule_of(unit)
        if rule and weight:
            yield _Meeting(rule, weight, weight, mine[unit], others[unit])


def _cited_rules(walk: Walk, one: _Side, other: _Side, weights: Mapping[str, float]) -> Iterator[_Meeting]:
    """Yield the rules that one thing cites and that name the other, then those beside them that name it."""
    bodies = walk.network.bodies
    for citing, named, is_turned in ((one, other, False), (other, one, True)):
        naming = {link.unit: link for link in _into(walk, named) if bodies.rule_of(link.unit) == link.unit}
        weight = _CITED * max(weights.get(node, 0.0) for node in (*one.nodes, *other.nodes))
        for said in citing.says.values():
            for link in said.values():
                cited = link.target if link.kind == "citation" else ""
                among = (cited, *bodies.beside(cited)) if cited in naming else ()
                for place, unit in enumerate(it for it in among if it in naming and it not in named.says):
                    pair = (naming[unit], link) if is_turned else (link, naming[unit])
                    yield _Meeting(unit, weight, weight / (1 + place), *pair)


def _into(walk: Walk, side: _Side) -> list[Link]:
    return sorted(walk.network.into(side.nodes, SAYING, asked=True), reverse=True)


def _best(walk: Walk, meetings: Iterable[_Meeting]) -> list[_Meeting]:
    """Return the pair with the most in common for each ground and meaning, and sort the grounds by that.

    Rules come before entries, which repeat them, and before examples; new pairs before pairs already shown.
    Later subrules, about variants, count less.
    """
    groups: dict[tuple[str, tuple[str, str]], list[_Meeting]] = {}
    fewest: dict[str, int] = {}
    for it in meetings:
        groups.setdefault((it.ground, it.meanings), []).append(it)
        fewest[it.ground] = min(fewest.get(it.ground, 2), _in_entries(walk, it))
    shown: set[tuple[str, str]] = set()

    def rank(it: _Meeting) -> tuple[bool, int, float, NaturalKey, NaturalKey, Link, Link]:
        is_shown = (it.one.unit, it.other.unit) in shown
        examples = sum(walk.standing(link) == 2 for link in (it.one, it.other))
        return (
            is_shown,
            examples,
            -it.likeness * _place(walk, it.one.unit) * _place(walk, it.other.unit),
            natural(it.one.unit),
            natural(it.other.unit),
            it.one,
            it.other,
        )

    walk.learn_labels(fewest)
    chosen = []
    for ground, meanings in sorted(groups, key=lambda it: _order(walk, groups[it])):
        some = [it for it in groups[ground, meanings] if _in_entries(walk, it) == fewest[ground]]
        if some:
            best = min(some, key=rank)
            shown.add((best.one.unit, best.other.unit))
            chosen.append(best)
    return chosen


def _in_entries(walk: Walk, it: _Meeting) -> int:
    return sum(walk.standing(link) == 0 for link in (it.one, it.other))


def _order(
    walk: Walk, meetings: Sequence[_Meeting]
) -> tuple[bool, float, float, float, NaturalKey, str, tuple[str, str]]:
    """Return the sort key: grounds named in rules, then by how much is in common; mere lists last."""
    ground, weight = meetings[0][:2]
    likeness = max(it.likeness for it in meetings)
    is_told = any(_is_telling(walk, it) for it in meetings)
    first = (not is_told, -meetings[0].share, -likeness, -weight)
    return *first, natural(walk.label(ground)), ground, meetings[0].meanings


_GROUNDS = 3
"""The number of grounds shown together with a chain."""


def is_general(row: Cells) -> bool:
    """Return whether two keywords meet only in a list, or in the kind that both are.

    `row` is one of `interaction`. What each keyword does says more.
    """
    is_kind = re.compile(rf"\bis an? {re.escape(str(row[0]))}\b", re.IGNORECASE)
    return row[0] == row[1] or all(is_kind.search(str(row[place])) for place in (2, 4))


def why_and_where(
    session: Session, source: str, target: str, *, edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the shortest chain from one thing to another (see `why`), with a note on where the two meet."""
    chain = why(session, source, target, edition=edition, reach=reach)
    ends = {name for row in chain.rows for name in (row[1], row[3])}
    rows = interaction(session, (source, target), edition).rows
    grounds = [str(row[0]) for row in rows if row[0] not in ends][:_GROUNDS]
    if not grounds:
        return chain
    where = f"They meet in {', '.join(grounds)}; `rulesgraph ask interaction` shows how."
    return chain._replace(notes=(*chain.notes, where))
