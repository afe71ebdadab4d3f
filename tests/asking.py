"""Helpers for tests of questions: sessions over small graphs in memory, and answers as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulesgraph.loaders.store import MEMORY, open_store
from rulesgraph.ontology.iris import BASE, Iris
from rulesgraph.ontology.terms import PREFIXES
from rulesgraph.queries.session import Answer, Session, Value

IRIS = Iris()
DECLARED = "\n".join(f"@prefix {p}: <{iri}> ." for p, iri in PREFIXES.items())
EDITION = "play-2030-01-01"


def session_on(location: Path | str) -> Session:
    """Return a session over a store on disk, or at an endpoint."""
    return Session(open_store(location))


def session_of(turtle: str) -> Session:
    """Return a session over one small edition written as Turtle.

    `t:` is for terms, `r:` for rules and `e:` for entries of the edition. Everything is in `graph/current`,
    in the edition's derived graph and in its only document, so that each query finds it wherever it looks.
    """
    import pyoxigraph

    names = {
        "t": f"{BASE}term/",
        "r": f"{IRIS.edition(EDITION)}/rule/",
        "e": f"{IRIS.edition(EDITION)}/entry/",
        "s": f"{IRIS.edition(EDITION)}/section/",
    }
    head = DECLARED + "\n" + "\n".join(f"@prefix {p}: <{iri}> ." for p, iri in names.items())
    edition, document = IRIS.edition(EDITION), IRIS.document(EDITION)
    frame = f"""
        <{edition}> a rg:Edition ; dcterms:identifier "{EDITION}" ;
            dcterms:title "Play" ; dcterms:issued "2030-01-01"^^xsd:date .
        <{document}> a rg:Document ; dcterms:identifier "{EDITION}" ;
            rg:inEdition <{edition}> ;
            rg:documentKind <https://w3id.org/rulesgraph/code#comprehensive-rules> ;
            dcterms:title "Play" ; dcterms:issued "2030-01-01"^^xsd:date ; rg:checksum "0" .
    """
    data = f"{head}\n{frame}\n{turtle}".encode()
    triples = [q.triple for q in pyoxigraph.parse(data, format=pyoxigraph.RdfFormat.TURTLE)]
    graphs = [IRIS.graph("current"), IRIS.graph("terms"), IRIS.derived(EDITION), document]
    store = open_store(MEMORY)
    with store.rewrite() as rewrite:
        for graph in graphs:
            rewrite.load(f"{t.subject} {t.predicate} {t.object} <{graph}> .\n".encode() for t in triples)
    return Session(store)


def table(answer: Answer) -> str:
    """Return an answer as tab-separated text, after its edition and notes."""
    head = [f"# edition: {answer.edition}", *(f"# note: {note}" for note in answer.notes)]
    rows = ["\t".join(answer.columns), *("\t".join(_cell(value) for value in row) for row in answer.rows)]
    return "\n".join((*head, *rows)) + "\n"


def column(answer: Answer, name: str) -> list[Value]:
    """Return one column of an answer."""
    place = answer.columns.index(name)
    return [row[place] for row in answer.rows]


def columns(answer: Answer, names: Sequence[str]) -> list[tuple[Value, ...]]:
    """Return some columns of an answer."""
    places = [answer.columns.index(name) for name in names]
    return [tuple(row[place] for place in places) for row in answer.rows]


def _cell(value: Value) -> str:
    return "" if value is None else str(value).replace("\t", " ").replace("\n", " ")
