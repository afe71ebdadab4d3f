"""Walk through the links of a scope: where to start, what is reached, the sentence behind each link."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from ...ontology import SKOS, UsageError, counted
from ..evidence.links import Link, Quotation, QuotationFinder
from ..finding.things import Resolution, Thing, resolve, terms_defined_by, terms_of
from ..session import ALL, Answer, Cells, Scope, Session
from .levels import Reach, Reached, follow
from .network import Network

SAYING = ("citation", "note", "mention")
"""The kinds of links that are found in a text."""


def cells_of(said: Quotation | None) -> tuple[str | None, str | None, int | None]:
    """Return the cells of a quotation: quote, document, line."""
    return (said.words, said.document, said.line or None) if said else (None, None, None)


NaturalKey = tuple[tuple[int, int, str], ...]


def natural(name: str) -> NaturalKey:
    """Return a key that sorts names alphabetically and numbers by value: 420.9 before 420.10.

    >>> sorted(["420.10", "Bell", "420.9", "arc"], key=natural)
    ['420.9', '420.10', 'arc', 'Bell']
    """
    pieces = re.findall(r"\d+|\D+", name.casefold())
    return tuple((0, int(piece), "") if piece.isdecimal() else (1, 0, piece) for piece in pieces)


def resolved(session: Session, given: Sequence[str], edition: str | None) -> Resolution:
    """Find the things in a question about reliance; raises `UsageError` for all editions at once."""
    if edition is not None and edition.strip() == ALL:
        raise UsageError(
            "reliance cannot be followed across all editions at once",
            way_out="Links of different editions do not form a chain: a term that cited a rule in "
            "1999 does not rely on what that rule says today. Choose one edition.",
        )
    return resolve(session, given, edition)


class Walk:
    """A walk through the graphs of a scope; `notes` collects remarks for people."""

    def __init__(
        self,
        session: Session,
        resolution: Resolution,
        reach: Reach | None = None,
        network: Network | None = None,
        finder: QuotationFinder | None = None,
    ) -> None:
        self.session = session
        self.scope = resolution.scope
        self.things = resolution.things
        self.reach = reach or Reach()
        self.notes = list(resolution.notes)
        if self.scope.united:
            self.notes.append("Links of several editions were followed together: a chain may mix them.")
        self.network = network or session.once(Network, self.scope)
        self._finder = finder or QuotationFinder(session, self.scope)
        self._labels: dict[str, str] = {}

    def is_term(self, iri: str) -> bool:
        """Return whether an IRI is that of a term, not of a rule."""
        return self.network.bodies.is_term(iri)

    # -- ends -------------------------------------------------------------------------------------

    def nodes(self, thing: Thing) -> tuple[str, ...]:
        """Return the terms, rules or sections that a thing stands for; an entry stands for its term."""
        if thing.kind in {"term", "rule", "section"}:
            return thing.iris
        terms = terms_of(self.session, self.scope.linked, thing)
        if not terms:
            raise UsageError(f"{thing.name} belongs to no term", way_out="Ask about a term or a rule number.")
        self.learn_labels(terms)
        self.notes.append(f"Answered for {', '.join(map(self.label, terms))}, to which {thing.name} belongs.")
        return terms

    def own(self, nodes: Iterable[str]) -> set[str]:
        """Return the nodes with their rules and these rules' parts, which links to them can cite."""
        return set().union(*(self.network.bodies.targets(node) for node in nodes))

    def defined_by(self, thing: Thing) -> list[str]:
        """Return the names of the terms that a rule itself defines."""
        terms = terms_defined_by(self.session, self.scope.linked, thing)
        self.learn_labels(terms)
        return sorted(self.label(term) for term in terms)

    # -- walking ----------------------------------------------------------------------------------

    def backward(
        self, nodes: Iterable[str], until: Collection[str] = (), within: int | None = None
    ) -> dict[str, Reached]:
        """Return everything that relies on some nodes, by IRI, `within` a number of steps, if given.

        The walk stops early when it reaches one of `until`.
        """
        nodes = tuple(nodes)
        reach = self.reach if within is None else self.reach._replace(steps=within)
        return follow(self.network.into, nodes, reach, until=until, but=self.own(nodes))

    def forward(self, nodes: Iterable[str], within: int | None = None) -> dict[str, Reached]:
        """Return everything that some nodes rely on, by IRI, `within` a number of steps, if given."""
        nodes = tuple(nodes)
        reach = self.reach if within is None else self.reach._replace(steps=within)
        return follow(self.network.out_of, nodes, reach, backward=False, but=self.own(nodes))

    # -- answers ----------------------------------------------------------------------------------

    def evidence(self, reached: Iterable[Reached]) -> dict[str, tuple[Link, Quotation | None]]:
        """Choose the best link to each thing: one in an entry, else in a rule, else in an example."""
        things = list(reached)
        found = self._finder.find(link for it in things for link in it.links)
        self.learn_labels(it.iri for it in things)
        chosen: dict[str, tuple[Link, Quotation | None]] = {}
        for it in things:
            said = [link for link in it.links if link in found]
            with_words = [(self.standing(link), found[link][:4], link) for link in said]
            link = min(with_words)[2] if with_words else min(it.links)
            chosen[it.iri] = (link, found.get(link))
        return chosen

    def standing(self, link: Link) -> int:
        """Return the rank of a link's place: 0 for an entry, 1 for a rule, 2 for an example of a rule."""
        rule = self.network.bodies.rule_of(link.unit)
        return (1 if rule == link.unit else 2) if rule else 0

    def learn_labels(self, nodes: Iterable[str]) -> None:
        """Look up the labels of some nodes."""
        unknown = sorted(set(nodes) - self._labels.keys())
        graphs = (*self.scope.linked, self.session.iris.graph("terms"))
        if unknown:
            self._labels |= dict(self.session.pairs(graphs, SKOS.prefLabel, SKOS.notation, of=unknown))

    def label(self, iri: str) -> str:
        """Return a term's name or a rule's number."""
        return self._labels.get(iri) or self.session.iris.parse(iri).name

    def answer(self, name: str, columns: tuple[str, ...], rows: Iterable[Cells]) -> Answer:
        """Return rows as the answer to a question about the subject of the walk."""
        return Answer(name, columns, tuple(rows), self.scope.label, tuple(self.notes))


def why(
    session: Session, source: str, target: str, *, edition: str | None = None, reach: Reach | None = None
) -> Answer:
    """Return the shortest chain from one thing to another: step, from, link, to, quote, document, line."""
    walk = Walk(session, resolved(session, (source, target), edition), reach or Reach(steps=None))
    columns = ("step", "from", "link", "to", "quote", "document", "line")
    first, last = walk.things
    starts, ends = walk.nodes(first), walk.nodes(last)
    if walk.own(starts) & walk.own(ends):
        walk.notes.append(f"{first.name} and {last.name} are the same thing, or one is part of the other.")
        return walk.answer("why", columns, [])
    links = _links_of(walk, _best_of(walk.backward(ends, until=starts), starts))
    # A mention also counts at the other end, as in `relied_on_by_term`; the shorter chain wins.
    if len(links) != 1:
        ahead = _best_of(walk.forward(starts, within=len(links) - 1 if links else None), walk.own(ends))
        links = _links_of(walk, ahead)[::-1] if ahead else links
    if walk.reach == Reach(steps=None) and len(links) not in (1, 2):
        links = _named_between(walk, starts, ends) or links
    if not links:
        steps = walk.reach.steps
        chain = f"chain of at most {counted(steps, 'link')}" if steps else "chain of links"
        walk.notes.append(f"No {chain} leads from {first.name} to {last.name}.")
    if walk.reach.via is None and sum(it.kind == "mention" for it in links) > 1:
        connected = f"Two mentions in a row connect {first.name} with {last.name}"
        walk.notes.append(f"{connected}, but do not show that one relies on the other.")
    said = QuotationFinder(session, walk.scope).find(links)
    walk.learn_labels(node for link in links for node in (link.source, link.target))
    rows = [
        (step, walk.label(link.source), link.kind, walk.label(link.target), *cells_of(said.get(link)))
        for step, link in enumerate(links, start=1)
    ]
    return walk.answer("why", columns, rows)


def _named_between(walk: Walk, starts: tuple[str, ...], ends: tuple[str, ...]) -> list[Link]:
    """Return the two links through the rarest thing that the start names and that itself names the end.

    Even if that thing is common, two links are clearer than a longer chain.
    """
    near = walk.forward(starts, within=1)
    far = walk.backward(ends, within=1)
    between = having(walk, near.keys() & far.keys())
    if not between:
        return []
    it = min(between, key=lambda it: (between[it], it))
    return [*_links_of(walk, near[it]), *_links_of(walk, far[it])]


def _links_of(walk: Walk, chain: Reached | None) -> list[Link]:
    """Return the links of a chain, from its far end back to the start of the walk."""
    links: list[Link] = []
    while chain is not None:
        link, _ = walk.evidence([chain])[chain.iri]
        links.append(link)
        chain = chain.before[link]
    return links


def _best_of(reached: Mapping[str, Reached], wanted: Iterable[str]) -> Reached | None:
    found = [reached[iri] for iri in wanted if iri in reached]
    return min(found, key=lambda it: (it.steps, it.weakest, it.iri), default=None)


def having(walk: Walk, grounds: set[str]) -> Mapping[str, int]:
    """Return how many bodies have each ground, counted once in a session."""
    known = walk.session.once(_counted, walk.scope)
    found: dict[str, set[str]] = {it: set() for it in grounds - known.keys()}
    for link in walk.network.into(sorted(found), SAYING, asked=True) if found else ():
        if walk.is_term(link.source):
            found[link.target].add(link.source)
    known.update((it, len(bodies)) for it, bodies in found.items())
    return {it: known[it] for it in grounds}


def _counted(_: Session, _scope: Scope) -> dict[str, int]:
    return {}
