"""One walk through the graphs of a scope: where it starts, what it reaches, and the words behind it."""

from __future__ import annotations

from collections.abc import Iterable

from ...ontology.errors import UsageError
from ..evidence.links import Link, Quotation, sentences_behind
from ..finding.things import Resolution, Thing, terms_defined_by, terms_of
from ..session import Answer, Cells, Session
from .levels import Reached, backward, forward
from .network import Network
from .reach import Reach


class Walk:
    """One walk through the graphs of a scope; `notes` collect what people should know of it."""

    def __init__(self, session: Session, resolution: Resolution, reach: Reach) -> None:
        self.session = session
        self.scope = resolution.scope
        self.things = resolution.things
        self.reach = reach
        self.notes = list(resolution.notes)
        if self.scope.united:
            self.notes.append("Links of several editions were followed together: a chain may mix them.")
        self.network = Network(session, self.scope)
        self._labels: dict[str, str] = {}

    def is_term(self, iri: str) -> bool:
        """Tell terms from rules by their IRIs."""
        return self.network.is_term(iri)

    # -- ends -------------------------------------------------------------------------------------

    def nodes(self, thing: Thing) -> tuple[str, ...]:
        """Return the terms, rules or sections that a thing stands for: an entry stands for its term."""
        if thing.kind in {"term", "rule", "section"}:
            return thing.iris
        terms = terms_of(self.session, self.scope.linked, thing)
        if not terms:
            raise UsageError(
                f"{thing.name} stands under no term", way_out="Ask about a term or a rule number."
            )
        self.learn_labels(terms)
        self.notes.append(f"{thing.name} is asked about as {', '.join(self.label(term) for term in terms)}.")
        return terms

    def targets(self, thing: Thing) -> set[str]:
        """Return the nodes to which a link is a link to the thing: itself, its rule, and their parts."""
        nodes = self.nodes(thing)
        terms = [node for node in nodes if self.is_term(node)]
        rules = [node for node in nodes if not self.is_term(node)]
        if terms:
            defining = self.session.run("reliance", "defining", self.scope.linked, {"term": terms})
            rules += [str(row[1]) for row in defining]
        return set(nodes).union(*(self.network.parts(rule) for rule in rules))

    def defined_by(self, thing: Thing) -> list[str]:
        """Return the names of the terms that a rule defines itself."""
        terms = terms_defined_by(self.session, self.scope.linked, thing)
        self.learn_labels(terms)
        return sorted(self.label(term) for term in terms)

    def starts(self, thing: Thing) -> set[str]:
        """Return the nodes whose links are the thing's own: a rule's parts are the rule."""
        nodes = self.nodes(thing)
        return set(nodes).union(*(self.network.parts(node) for node in nodes if not self.is_term(node)))

    # -- walking ----------------------------------------------------------------------------------

    def backward(self, targets: set[str], until: set[str] | None = None) -> dict[str, Reached]:
        """Return everything that relies on `targets`, by IRI; stop early when one of `until` is reached."""
        return backward(self.network, targets, self.reach, until or ())

    def forward(self, starts: set[str]) -> dict[str, Reached]:
        """Return everything that `starts` rely on, by IRI, with the terms that a rule on the way defines."""
        return forward(self.network, starts, self.reach)

    # -- answers ----------------------------------------------------------------------------------

    def evidence(self, reached: Iterable[Reached]) -> dict[str, tuple[Link, Quotation | None]]:
        """Choose for each thing the link that stands first in the documents, with its sentence."""
        things = list(reached)
        found = sentences_behind(self.session, self.scope, (link for it in things for link in it.links))
        self.learn_labels(it.iri for it in things)
        chosen: dict[str, tuple[Link, Quotation | None]] = {}
        for it in things:
            with_words = [(found[link][:4], link) for link in it.links if link in found]
            link = min(with_words)[1] if with_words else min(it.links)
            chosen[it.iri] = (link, found.get(link))
        return chosen

    def learn_labels(self, nodes: Iterable[str]) -> None:
        """Look up what people call some nodes."""
        unknown = sorted(set(nodes) - self._labels.keys())
        terms = [node for node in unknown if self.is_term(node)]
        rules = [node for node in unknown if not self.is_term(node)]
        names = (self.session.iris.graph("terms"),)
        for query, graphs, some in (("labels", names, terms), ("numbers", self.scope.linked, rules)):
            if some:
                found = self.session.run("reliance", query, graphs, {"it": some})
                self._labels.update((str(it), str(label)) for it, label in found)

    def label(self, iri: str) -> str:
        """Return a term's name or a rule's number."""
        return self._labels.get(iri) or self.session.iris.parse(iri).name

    def answer(self, name: str, columns: tuple[str, ...], rows: Iterable[Cells]) -> Answer:
        """Return rows as the answer to a question about what was walked."""
        return Answer(name, columns, tuple(rows), self.scope.label, tuple(self.notes))
