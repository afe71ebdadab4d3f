"""Statements of facts are traced to the sentences that make them, and said in their words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from ...loaders.facts.kinds import game_kinds
from ...ontology.briefing import UNNAMED
from ...ontology.iris import owner
from ...ontology.literals import is_literal, parts
from ...ontology.statements import TYPE, PlainTriple, with_article
from ...ontology.terms import PREFIXES, RG, last_name
from ..files import QUERIES
from ..session import Scope, Session

REPRESENTS: str = RG.represents
HAS_KIND: str = RG.hasKind
_OPENING = "opening"
"""The form of sentence by which each paragraph of an entry can define another sense of its name."""

_HEADING = "heading"
"""The form of a heading below a kind: it names one of the things that its words may stand for."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """One sentence of a document with what it states: `objects` are all things that it names for `subject`.

    `fact`, `subject`, `property` and `objects` are IRIs; `pattern` names the form of the sentence.
    """

    edition: str
    document: str
    line: int
    quote: str
    fact: str
    subject: str
    property: str
    objects: tuple[str, ...]
    pattern: str

    def __str__(self) -> str:
        return f'{self.document}, line {self.line}, says "{" ".join(self.quote.split())}"'


def sentences_of(session: Session, scope: Scope, edition: str) -> list[Assertion]:
    """Return the sentences of an edition from which facts were read, in the order of its documents."""
    text = QUERIES.read("checking", "sentences")
    rows = session.select(text, (session.iris.derived(edition), *scope.documents), scope.named_graphs)
    objects: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    places: dict[tuple[str, str, str], tuple[str, str, str, int]] = {}
    for fact, subject, prop, it, pattern, quote, document, line in rows:
        key = str(fact), str(subject), str(prop)
        objects[key].append(str(it))
        places[key] = str(document), str(quote), str(pattern), line if isinstance(line, int) else 0
    return [
        Assertion(edition, document, line, quote, *key, tuple(objects[key]), pattern)
        for key, (document, quote, pattern, line) in places.items()
    ]


class Evidence:
    """Finds the sentences behind statements; `links` are the statements that the graph makes."""

    def __init__(self, sentences: Iterable[Assertion], links: Iterable[PlainTriple]) -> None:
        self._about: dict[str, list[Assertion]] = defaultdict(list)
        self._terms: dict[str, set[str]] = defaultdict(set)
        for sentence in sentences:
            for node in dict.fromkeys((sentence.subject, *sentence.objects)):
                self._about[node].append(sentence)
        for s, p, o in links:
            if p == REPRESENTS:
                self._terms[o].add(s)

    def behind(self, statement: PlainTriple) -> list[Assertion]:
        """Return the sentences that make a statement, in the order of the documents; of none, none."""
        s, p, o = statement
        if p == TYPE:
            terms = sorted(self._terms.get(s, ()))
            direct = [it for term in terms for it in self._about[term] if _says(it, term, HAS_KIND, o)]
            return direct or list(self._about.get(s, ()))
        return [it for it in self._about.get(s, ()) if o in (it.subject, *it.objects)]


def _says(sentence: Assertion, subject: str, prop: str, value: str) -> bool:
    return sentence.subject == subject and sentence.property == prop and value in sentence.objects


class Names:
    """What nodes, classes and properties are called; the rest of an IRI where they have no name."""

    def __init__(self, session: Session, scope: Scope) -> None:
        graphs = (*(session.iris.derived(e) for e in scope.editions), session.iris.graph("terms"))
        ontology = (session.iris.graph("ontology"),)
        rows = [*session.run("checking", "labels", ontology), *session.run("checking", "labels", graphs)]
        self.labels = {str(node): str(label) for node, label in reversed(rows)}
        self._iris = session.iris

    def __call__(self, iri: str) -> str:
        """Return the name of a node; a literal is its words."""
        if is_literal(iri):
            return f"'{parts(iri)[0]}'"
        if iri.startswith(UNNAMED):
            return "a thing without a name"
        return self.labels.get(iri) or self._iris.local(iri)

    def said(self, statement: PlainTriple) -> str:
        """Return a statement as a reader would say it."""
        s, p, o = statement
        if p == TYPE:
            return f"{self(s)} is {with_article(self(o))}"
        link = self.labels.get(p, last_name(p))
        return f"{self(s)} has {self(o)} as '{link}'"


def one_thing_each(sentences: Iterable[Assertion]) -> Iterator[Assertion]:
    """Yield the sentences that say of what kind the one thing is that a name stands for.

    A name of several things is left out: a sentence gives it kinds that exclude each other, or several
    paragraphs of its entry open with a definition each. Headings do not tell how many things there are.
    """
    of_term: dict[str, list[Assertion]] = defaultdict(list)
    for sentence in sentences:
        if sentence.property == HAS_KIND and sentence.pattern != _HEADING:
            of_term[sentence.subject].append(sentence)
    for said in of_term.values():
        senses = {owner(it.fact) for it in said if it.pattern == _OPENING}
        if len(senses) < 2 and not any(_is_of_several(it) for it in said):
            yield from said


def _is_of_several(sentence: Assertion) -> bool:
    names = [it.removeprefix(PREFIXES["game"]) for it in sentence.objects]
    return not all(game_kinds().agree(a, b) for a, b in combinations(names, 2))
