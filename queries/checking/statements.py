"""Trace statements of the graph back to their sentences, and read the user's own statements from Turtle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from pyoxigraph import RdfFormat, parse, serialize

from ...loaders.facts.kinds import game_kinds
from ...loaders.given import read_whole
from ...loaders.store.results import Solutions
from ...ontology import (
    PREFIXES,
    RDFS_LABEL,
    RG,
    SKOS,
    TYPE,
    UsageError,
    bind,
    grouped,
    last_name,
    with_article,
)
from ...ontology.hierarchy import PlainTriple, is_literal, own_hierarchy, parts
from ...ontology.iris import Iris, owner
from ...ontology.reasoner_input import UNNAMED, Skipped, plain, read_statements
from .. import QUERIES
from ..session import Cells, Scope, Session

REPRESENTS: str = RG.represents
HAS_KIND: str = RG.hasKind
_OPENING = "opening"
"""The form of a paragraph's first sentence that can define another sense of the entry's name."""

_HEADING = "heading"
"""The form of a heading below a kind. It names one possible meaning of its words."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """A sentence of a document and its statement; `objects` are all things that it names for `subject`.

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


def sentences_behind(
    statement: PlainTriple, about: Mapping[str, Sequence[Assertion]], terms: Mapping[str, Iterable[str]]
) -> list[Assertion]:
    """Return the sentences that a statement comes from, in the order of the documents.

    `about` maps nodes to the sentences that name them, `terms` maps things to their terms.
    """
    s, p, o = statement
    said = about.get(s, ())
    if p != TYPE:
        return [it for it in said if o in (it.subject, *it.objects)]
    direct = [
        it
        for term in sorted(terms.get(s, ()))
        for it in about.get(term, ())
        if (it.subject, it.property) == (term, HAS_KIND) and o in it.objects
    ]
    return direct or list(said)


class Names:
    """The names of nodes, classes and properties, or else the last part of their IRIs."""

    def __init__(self, session: Session, scope: Scope) -> None:
        graphs = (*(session.iris.derived(e) for e in scope.editions), session.iris.graph("terms"))
        ontology = (session.iris.graph("ontology"),)
        called = (sorted(session.pairs(it, SKOS.prefLabel, RDFS_LABEL)) for it in (ontology, graphs))
        self.labels = dict(reversed([pair for pairs in called for pair in pairs]))
        self._iris = session.iris

    def __call__(self, iri: str) -> str:
        """Return the name of a node, or the text of a literal."""
        if is_literal(iri):
            return f"'{parts(iri)[0]}'"
        if iri.startswith(UNNAMED):
            return "a thing without a name"
        return self.labels.get(iri) or self._iris.local(iri)

    def said(self, statement: PlainTriple) -> str:
        """Return a statement in words."""
        s, p, o = statement
        if p == TYPE:
            return f"{self(s)} is {with_article(self(o))}"
        link = self.labels.get(p, last_name(p))
        return f"{self(s)} has {self(o)} as '{link}'"


def one_thing_each(sentences: Iterable[Assertion]) -> Iterator[Assertion]:
    """Yield the sentences that give the kind of a name with only one meaning.

    A name has several if a sentence gives it kinds that exclude each other, or if several paragraphs of its
    entry open with a definition. Headings are ignored, since they do not show how many things they mean.
    """
    kinds = (it for it in sentences if it.property == HAS_KIND and it.pattern != _HEADING)
    for said in grouped((it.subject, it) for it in kinds).values():
        senses = {owner(it.fact) for it in said if it.pattern == _OPENING}
        if len(senses) < 2 and not any(_is_of_several(it) for it in said):
            yield from said


def _is_of_several(sentence: Assertion) -> bool:
    names = [it.removeprefix(PREFIXES["game"]) for it in sentence.objects]
    return not all(game_kinds().agree(a, b) for a, b in combinations(names, 2))


_OWL = PREFIXES["owl"]
_WORDS = tuple(PREFIXES[name] for name in ("rg", "game", "owl", "rdf", "rdfs", "xsd"))
_GRAVE = {"bad_literal": "error", "unknown_word": "error", "left_out": "info"}
ENOUGH = 20
"""The number of links of one property to one thing that is enough for reasoning, since all say the same."""

_NAMED = 3
"""The maximum number of things to name in one problem."""


Touched = tuple[set[PlainTriple], dict[tuple[str, str], int]]
"""Statements of the graph about some things, and how many links were left out: (property, thing) → count."""


@dataclass(frozen=True)
class Own:
    """The user's own statements, as N-Triples, from the file called `name`."""

    name: str
    ntriples: bytes

    @cached_property
    def statements(self) -> tuple[PlainTriple, ...]:
        """The statements, with names for blank nodes outside of axioms."""
        return tuple(dict.fromkeys(read_statements(self.ntriples)))

    @cached_property
    def things(self) -> tuple[str, ...]:
        """The IRIs that the statements are about, apart from vocabulary terms."""
        found = {node for s, p, o in self.statements for node in ((s,) if p == TYPE else (s, o))}
        return tuple(sorted(it for it in found if not it.startswith((*_WORDS, "_:")) and not is_literal(it)))

    def touched(self, session: Session, scope: Scope) -> Touched:
        """Return every statement of the graph that contains one of these things.

        Things from editions outside the scope bring their facts with them. Of many links with one property to
        one thing, only some are returned and the others counted, because they say the same about it.
        """
        iris = session.iris
        loaded = {it.id for it in session.editions()}
        known = [it for it in self.things if it.startswith(iris.base)]
        beside = {str(iris.parse(it).edition) for it in known} & loaded
        names = [*scope.editions, *sorted(beside - set(scope.editions))]
        wide = session.scope(",".join(names)) if beside - set(scope.editions) else scope
        linked = (graph for name in names for graph in (iris.derived(name), iris.history(name)))
        graphs = (*wide.documents, *linked, iris.graph("terms"))
        text = bind(QUERIES.read("checking", "touching"), {"node": known})
        found = session.holding(graphs).query(text, default_graphs=graphs, timeout=session.timeout)
        assert isinstance(found, Solutions)
        facts = {(plain(s), plain(p), plain(o)) for s, p, o in found}
        return _sampled(facts, set(self.things))

    def unknown_things(self, iris: Iris, touched: Iterable[PlainTriple]) -> Iterator[Cells]:
        """Yield a row for each thing with an IRI of ours that is not in the graph."""
        heard = {node for s, _, o in touched for node in (s, o)}
        for it in self.things:
            if it.startswith(iris.base) and it not in heard:
                message = f"{self.name} mentions {iris.local(it)}, which is not in the graph"
                yield ("info", "unknown_thing", iris.local(it), self.name, None, message, "", "")

    def distinct_values(self, iris: Iris, touched: Iterable[PlainTriple]) -> set[PlainTriple]:
        """Return that values are different where a property can have only one but has two of our IRIs.

        Values that the file declares to be the same are left out.
        """
        own = own_hierarchy()
        single = own.properties_of_type("FunctionalProperty")
        told = {*self.statements, *touched}
        values = grouped(((s, p), o) for s, p, o in told if p in single and o.startswith(iris.base))
        same = {frozenset((s, o)) for s, p, o in self.statements if p == _OWL + "sameAs"}
        pairs = (pair for these in values.values() for pair in combinations(sorted(these), 2))
        return {(a, _OWL + "differentFrom", b) for a, b in pairs if frozenset((a, b)) not in same}

    def remarks(self, skipped: Sequence[Skipped], names: Names) -> Iterator[Cells]:
        """Yield a row for each kind of problem with the file's statements."""
        mine = set(self.statements)
        alike: dict[tuple[str, str, str], list[Skipped]] = defaultdict(list)
        for it in skipped:
            if it.statement in mine:
                grouped = it.statement[1] if it.code == "left_out" else str(it.statement)
                alike[it.code, it.why, grouped].append(it)
        for (code, why, _), these in alike.items():
            said = [names.said(it.statement) for it in these[:_NAMED]]
            more = [f"{len(these) - _NAMED} more"] if len(these) > _NAMED else []
            message = (
                f"{self.name} says that {', that '.join(said)}{''.join(f', and {it}' for it in more)}: {why}"
            )
            yield (_GRAVE[code], code, names(these[0].statement[0]), self.name, None, message, "", "")


def left_out(links: Mapping[tuple[str, str], int], names: Names) -> str:
    """Return a sentence on the links that the reasoner did not get; empty if there are none."""
    if not links:
        return ""
    things = sorted({names(thing) for _, thing in links})
    more = [f"{len(things) - _NAMED} more"] if len(things) > _NAMED else []
    return (
        f"The reasoner got only {ENOUGH} of many links of one kind to one thing. "
        f"Left out: {sum(links.values())}, to {', '.join([*things[:_NAMED], *more])}."
    )


def _sampled(touched: Iterable[PlainTriple], things: Container[str]) -> Touched:
    """Return facts without most of the many links that lead to one thing: they say the same about it."""
    alike: dict[tuple[str, str], list[PlainTriple]] = defaultdict(list)
    kept = set()
    for fact in sorted(touched):
        if fact[0] in things:
            kept.add(fact)
        else:
            alike[fact[1], fact[2]].append(fact)
    told = kept.union(*(facts[:ENOUGH] for facts in alike.values()))
    return told, {link: len(these) - ENOUGH for link, these in alike.items() if len(these) > ENOUGH}


def read_turtle(name: str) -> bytes:
    """Return the statements in a Turtle file as N-Triples.

    Raises `UsageError`, with the line and column, for a file that cannot be read or is not Turtle.
    """
    try:
        data = read_whole(name)
    except OSError as error:
        raise UsageError(f"the file cannot be read: {error.strerror}", where=name) from error
    try:
        triples = [quad.triple for quad in parse(input=data, format=RdfFormat.TURTLE)]
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f"{name}, line {line}" if line else name
        raise UsageError(
            f"the file is not Turtle: {error.args[0]}", where=where, way_out="Correct that place in the file."
        ) from error
    written: bytes = serialize(triples, format=RdfFormat.N_TRIPLES) or b""
    return written
