"""Reason over the facts of editions: find contradictions and changes of kind, and infer new facts.

The reasoner gets the links worth reasoning over and the kinds of the things that names mean. Separately, it
gets these kinds as if each name meant one thing only: in each edition, and in all requested editions
together. The first input yields inferences; the second shows where sentences contradict each other, since in
the graph itself kinds that exclude each other belong to separate nodes. What questions can see is also
validated against SHACL shapes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ...ontology import DCTERMS, GAME, PREFIXES, RG, TYPE, UsageError, grouped, last_name, with_article
from ...ontology.explanation import Clash, in_sentences
from ...ontology.extras import remedy
from ...ontology.hierarchy import PlainTriple, is_literal
from ...ontology.reasoner_input import serialize
from ...ontology.reasoning import Reasoned, reason
from ...ontology.resources import CONSTRAINTS_FILE, SHAPES_FILE, read_text
from ..export.export import rdflib_graph
from ..session import ALL, Answer, Cells, Scope, Session
from .defects import COLUMNS, SEVERITIES
from .statements import (
    HAS_KIND,
    REPRESENTS,
    Assertion,
    Names,
    Own,
    one_thing_each,
    read_turtle,
    sentences_behind,
    sentences_of,
)
from .statements import left_out as left_out_of

if TYPE_CHECKING:
    from rdflib import Graph

_ONE_THING = "urn:rulesgraph:one-thing:"
"""The IRI prefix of things that exist only for the reasoner; an edition, or nothing, and a name follow."""

_LINKS = (
    *(RG.represents, PREFIXES["skos"] + "broader", RG.within, RG.next, RG.hasItem, DCTERMS.isPartOf),
    *(RG.renamedTo, RG.redirectsTo, RG.definedBy),
)
"""The links from which a reasoner can learn something."""

_KINDS = frozenset(getattr(GAME, name) for name in dir(GAME))


Conclusions = tuple[Answer, dict[str, list[str]]]
"""The findings, with the columns of `defects`, and the inferences: edition → triples ``<s> <p> <o>``."""


def conclude(
    session: Session,
    edition: str | None = None,
    *,
    own: Own | None = None,
    explain: bool = False,
    seconds: float = 300,
    megabytes: int = 2000,
) -> Conclusions:
    """Reason over the facts of an edition, or of several (``"A,B"``), and over the user's own statements.

    A contradiction is a finding that quotes the sentences; between editions that are not in force together it
    is a change. Facts that contradict each other are left out of the inferences. With `explain`, a slower
    reasoner explains other kinds of contradictions.

    Raises `UnknownNameError` for an edition that is not loaded; `ReasonerError` without Java, or if it needs
    more than `seconds` of time or `megabytes` of memory.
    """
    scope = session.scope(edition)
    told = _ReasonerInput(session, scope, own)
    reasoner = "pellet" if explain else "hermit"
    aside: set[PlainTriple] = set()

    def run() -> Reasoned:
        facts = serialize(told.statements) + (own.ntriples if own else b"")
        return reason(facts, reasoner=reasoner, timeout=seconds, memory=megabytes, aside=aside)

    found = run()
    rows = [*told.findings(found), *(own.remarks(found.skipped, told.names) if own else ())]
    rows += told.unknown_things
    while not found.consistent and found.clashes:
        aside.update(statement for clash in found.clashes for statement in clash.statements)
        found = run()
        rows += told.findings(found)
    notes = [told.left_out] if told.left_out else []
    if not found.consistent:
        notes.append("A contradiction implies everything, so nothing was inferred.")
    rows = sorted(dict.fromkeys(rows), key=lambda row: SEVERITIES.index(str(row[0])))
    findings = Answer("check", COLUMNS, tuple(rows), scope.label, tuple(notes))
    return findings, told.inferences(found)


class _ReasonerInput:
    """The input of a reasoner, and its findings in the words of the sources."""

    def __init__(self, session: Session, scope: Scope, own: Own | None) -> None:
        self._session, self._scope, self._own = session, scope, own
        self.names = Names(session, scope)
        self._sentences = [it for name in scope.editions for it in sentences_of(session, scope, name)]
        links = self._links()
        # The graph says only what a part is directly in; the reasoner also learns what that is in.
        self._containment = {(s, RG.within, o) for s, p, o in links if p == DCTERMS.isPartOf} - set(links)
        touched, left_out = own.touched(session, scope) if own else (set(), {})
        self.unknown_things = tuple(own.unknown_things(session.iris, touched)) if own else ()
        self.left_out = left_out_of(left_out, self.names)
        self._about = grouped(
            (thing, it) for it in self._sentences for thing in dict.fromkeys((it.subject, *it.objects))
        )
        self._terms = grouped((o, s) for s, p, o in links if p == REPRESENTS)
        self._one_thing = self._kinds_of_one_thing()
        apart = own.distinct_values(session.iris, touched) if own else set()
        self.statements = {*links, *self._containment, *self._one_thing, *touched, *apart}
        newest = [it.id for it in session.editions()]
        self._age = {name: place for place, name in enumerate(reversed(newest))}

    def _links(self) -> list[PlainTriple]:
        iris, scope = self._session.iris, self._scope
        graphs = (*scope.documents, *map(iris.derived, scope.editions), iris.graph("terms"))
        links = [(s, p, o) for p in _LINKS for s, o in self._session.pairs(graphs, p)]
        return sorted([*links, *((s, TYPE, o) for s, o in self._session.pairs(graphs, TYPE, to=_KINDS))])

    def _kinds_of_one_thing(self) -> Mapping[PlainTriple, list[Assertion]]:
        """Return the kinds that each name has, in each edition and in all together, with their sentences."""
        of_edition = grouped((it.edition, it) for it in self._sentences)
        return grouped(
            ((f"{_ONE_THING}{edition}:{self._session.iris.parse(it.subject).key}", TYPE, kind), it)
            for said in of_edition.values()
            for it in one_thing_each(said)
            for edition in (it.edition, "")
            for kind in it.objects
        )

    # -- findings ---------------------------------------------------------------------------------

    def findings(self, found: Reasoned) -> list[Cells]:
        """Return a row for each contradiction and for each change of kind."""
        rows = [row for clash in found.clashes if (row := self._clash(clash))]
        if found.clashes or (found.consistent and not found.explanation):
            return rows
        where = self._own.name if self._own else ""
        if found.consistent:
            lines = found.explanation.splitlines()
            return [("error", "empty_class", where, "", None, line, "", "") for line in lines]
        what = "; ".join(in_sentences(found.reasons, self._called))
        what = what or "the facts contradict each other; use --explain to see which"
        return [("error", "contradiction", where, "", None, what, "", "")]

    def _called(self, word: str) -> str:
        """Return the name of a thing that the reasoner identifies by the end of its IRI."""
        one_thing = re.fullmatch(rf"{_ONE_THING}[^:\s]*:(\S+)", word)
        return one_thing[1] if one_thing else self.names(self._by_end.get(word, word))

    @cached_property
    def _by_end(self) -> dict[str, str]:
        own = self._own.things if self._own else ()
        known = {it for statement in self.statements for it in statement if not is_literal(it)}
        ends = grouped((last_name(iri), iri) for iri in {*self.names.labels, *known})
        alone = {end: iris[0] for end, iris in ends.items() if len(iris) == 1}
        return alone | {last_name(iri): iri for iri in own}

    def _clash(self, clash: Clash) -> Cells | None:
        sides = [self._behind(statement) for statement in clash.statements]
        if not clash.node.startswith(f"{_ONE_THING}:"):
            return self._contradiction(clash, sides)
        editions = [{it.edition for it in side} for side in sides]
        if set.intersection(*editions):
            return None  # also found in that edition
        if not self._scope.united:
            return self._contradiction(clash, sides)
        return self._change(clash, sides)

    def _behind(self, statement: PlainTriple) -> Sequence[Assertion]:
        return self._one_thing.get(statement) or sentences_behind(statement, self._about, self._terms)

    def _contradiction(self, clash: Clash, sides: Sequence[Sequence[Assertion]]) -> Cells:
        said = []
        for statement, side in zip(clash.statements, sides, strict=True):
            known = statement in self.statements
            if not known and self._own:
                said.append(f"{self._own.name} says that {self.names.said(statement)}")
            else:
                said.append(str(side[0]) if side else f"the documents say that {self.names.said(statement)}")
        last = next((side[0] for side in reversed(sides) if side), None)
        place = (last.document, last.line) if last else ("", None)
        message = f"{clash.reason}, but {', and '.join(said)}"
        quote = last.quote if last else ""
        since = last.edition if last else ""
        return ("error", "contradiction", self._subject(clash, sides), *place, message, quote, since)

    def _change(self, clash: Clash, sides: Sequence[Sequence[Assertion]]) -> Cells:
        kinds = [with_article(self.names(statement[2])) for statement in clash.statements]
        order = sorted(range(len(sides)), key=lambda n: max(self._age[it.edition] for it in sides[n]))
        before, after = order[0], order[-1]
        old = max(sides[before], key=lambda it: self._age[it.edition])
        new = min(sides[after], key=lambda it: self._age[it.edition])
        message = f"{kinds[before]} up to {old.edition}, {kinds[after]} since {new.edition}: {old}, and {new}"
        subject = self._subject(clash, sides)
        return ("info", "kind_changed", subject, new.document, new.line, message, new.quote, new.edition)

    def _subject(self, clash: Clash, sides: Sequence[Sequence[Assertion]]) -> str:
        if clash.node.startswith(_ONE_THING):
            return self.names(sides[0][0].subject)
        return self.names(clash.node)

    def inferences(self, found: Reasoned) -> dict[str, list[str]]:
        """Return the inferences about the things of each edition, and the kinds of terms that follow.

        Trivial kinds and those of other vocabularies are left out.
        """
        inferred: dict[str, list[str]] = {name: [] for name in self._scope.editions}
        of_term = grouped((o, s) for s, p, o in self.statements if p == REPRESENTS)
        stood = [f"<{s}> <{p}> <{o}> ." for s, p, o in self._containment]
        for line in (*found.inferred.decode().splitlines(), *stood):
            subject, predicate, it = (part[1:-1] for part in line.removesuffix(" .").split(" "))
            edition = self._session.iris.parse(subject).edition
            if edition not in inferred or not predicate.startswith((PREFIXES["rg"], TYPE)):
                continue
            if predicate == TYPE:
                if it not in _KINDS:
                    continue
                inferred[edition] += [f"<{term}> <{HAS_KIND}> <{it}>" for term in of_term[subject]]
            inferred[edition].append(f"<{subject}> <{predicate}> <{it}>")
        return {name: sorted(set(lines)) for name, lines in inferred.items()}


def violations(
    session: Session,
    edition: str | None = None,
    own: str = "",
    progress: Callable[[str, int, int], None] | None = None,
) -> list[Cells]:
    """Return a row for each violation of a shape, with the columns of `defects`; the shape is the check.

    `own` names a Turtle file whose shapes replace ours.

    Raises `UsageError` if pySHACL is not installed, if the shapes cannot be read, and if all editions are
    requested: shapes describe one edition.
    """
    try:
        import pyshacl
    except ModuleNotFoundError as error:
        raise UsageError(
            "--shapes needs pySHACL, which is not installed", way_out=remedy("shapes")
        ) from error
    if edition == ALL:
        raise UsageError("shapes are checked in one edition at a time", way_out="Choose one with --edition.")
    from pyshacl.errors import ReportableRuntimeError
    from rdflib import RDF, SH, Graph

    scope, data = session.scope(edition), rdflib_graph(session, edition)
    if own:
        shapes = Graph().parse(data=read_turtle(own), format="nt")
        if not any((None, RDF.type, shape) in shapes for shape in (SH.NodeShape, SH.PropertyShape)):
            raise UsageError("the file contains no SHACL shapes", where=own)
        parts, rows = [shapes], []
    else:
        parts = list(single_shapes(Graph().parse(data=read_text(SHAPES_FILE), format="turtle")))
        rows = list(sparql_violations(session, scope))
    for place, shapes in enumerate(parts):
        if progress:
            progress("Comparing with the shapes", place, len(parts))
        try:
            _, results, _ = pyshacl.validate(data, shacl_graph=shapes, inplace=True)
        except ReportableRuntimeError as error:
            raise UsageError(f"the shapes cannot be used: {error}", where=own) from error
        if not isinstance(results, Graph):
            raise UsageError(f"the shapes cannot be used: {results}", where=own)
        for result in results.subjects(RDF.type, SH.ValidationResult):
            shape, focus = results.value(result, SH.sourceShape), results.value(result, SH.focusNode)
            message, value = results.value(result, SH.resultMessage), results.value(result, SH.value)
            rows.append(_row(session, str(shape), str(focus), str(message), value))
    return sorted(rows, key=str)


def sparql_violations(session: Session, scope: Scope) -> Iterator[Cells]:
    """Yield the violations of the constraints that are written in SPARQL.

    The store's engine runs each query once for all nodes, a hundred times as fast as once for each.
    """
    from rdflib import SH, Graph

    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    shapes = Graph().parse(data=read_text(CONSTRAINTS_FILE), format="turtle")
    for shape, constraint in sorted(shapes.subject_objects(SH.sparql), key=str):
        targets = [f"?this a/rdfs:subClassOf* {it.n3()}" for it in shapes.objects(shape, SH.targetClass)]
        targets += [
            f"SELECT DISTINCT ?this {{ ?this {it.n3()} ?any }}"
            for it in shapes.objects(shape, SH.targetSubjectsOf)
        ]
        begin = f"WHERE {{ {' UNION '.join(f'{{ {it} }}' for it in targets)}"
        query = prefixes + str(shapes.value(constraint, SH.select)).replace("WHERE {", begin, 1)
        for focus, value in session.select(query, scope.default_graphs, scope.named_graphs):
            yield _row(session, str(shape), str(focus), str(shapes.value(shape, SH.message)), value)


def single_shapes(shapes: Graph) -> Iterator[Graph]:
    """Yield each shape as a graph of its own.

    A property shape gets the targets of the shapes that contain it, so that pySHACL checks all nodes at once;
    this halves the time.
    """
    from rdflib import SH

    for target in (SH.targetClass, SH.targetSubjectsOf):
        for shape, chosen in list(shapes.subject_objects(target)):
            for gathered in shapes.objects(shape, SH.property):
                shapes.add((gathered, target, chosen))
    for shape in sorted(set(shapes.subjects(SH.targetClass | SH.targetSubjectsOf)), key=str):
        part = shapes.cbd(shape)
        part.remove((shape, SH.property, None))
        yield part


def _row(session: Session, shape: str, focus: str, message: str, value: object) -> Cells:
    where, named = session.iris.local(focus), "" if value is None else str(value)
    return ("error", shape.rpartition("#")[2], where, "", None, message, named, "")
