"""Seed a sound graph with one error at a time, and see whether shapes and checks find it.

Each property that loaders write gets a value of the wrong sort, a thing without statements, the thing itself,
or an undeclared name.

Run this file to try all errors: `.venv/bin/python tests/seeded.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pyoxigraph
import pyshacl
from rdflib import XSD, Graph, Literal, URIRef
from rdflib.term import Node
from rulesgraph.ontology.resources import SHAPES_FILE, ontology_turtle, read_text
from rulesgraph.ontology.terms import PREFIXES, PROPERTIES
from rulesgraph.queries.checking.defects import checks

SOUND = Path(__file__).parent / "broken" / "sound.ttl"
MORE = """
@base <https://example.org/lamps/> .
@prefix rg: <https://w3id.org/rulesgraph/ns#> .
@prefix game: <https://w3id.org/rulesgraph/game#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

<term/lamp> rg:hasKind game:CardType ; rg:formerKind game:Zone ; rg:namesKind game:CardType ;
    rg:formerlyCalled "lantern" ; rg:reliesOn <term/snuffing> ;
    rg:treatedIn <edition/cr-2020-01-01/rule/401> ; rg:standsFor "light" ; rg:gaveWayTo "torch" ;
    rg:template "Lamp [cost]" .
<edition/cr-2020-01-01/entry/lamp/1/fact/1> rg:parameter "[cost]" ; rg:meaning "Pay for light." ;
    rg:factObject game:CardType .
<edition/cr-2020-01-01/sense/lamp/1> rg:ordinal 1 ; rg:within <edition/cr-2020-01-01/sense/night/1> ;
    rg:next <edition/cr-2020-01-01/sense/night/1> .
<edition/cr-2020-01-01/sense/night/1> a game:Phase ; rdfs:label "Night"@en ;
    rg:inEdition <edition/cr-2020-01-01> ; rg:hasItem <edition/cr-2020-01-01/sense/lamp/1> .
<edition/cr-2020-01-01/list/lamps/1> a game:Listing ; rdfs:label "Lamps"@en ;
    rg:inEdition <edition/cr-2020-01-01> ; rg:hasItem <edition/cr-2020-01-01/sense/lamp/1> ;
    rg:listOf game:CardType ; rg:currentAs "Dusk" .
<edition/rulings-2020-02-01/entry/G12.1/a> rg:dateAgreesWith <edition/cr-2020-01-01> ;
    rg:dateDisagreesWith <edition/cr-2020-01-01> .
<edition/cr-2020-01-01/rule/401> rg:unchangedFrom <edition/cr-2019-01-01/rule/401> ;
    rg:renumberedFrom <edition/cr-2019-01-01/rule/402> ; rg:splitFrom <edition/cr-2019-01-01/rule/403> ;
    rg:mergedFrom <edition/cr-2019-01-01/rule/404> ; rg:removedIn <edition/cr-2020-01-01> ;
    rg:movedAndRewordedFrom <edition/cr-2019-01-01/rule/405> ;
    rg:referencesChangedFrom <edition/cr-2019-01-01/rule/406> .
<card/moth> rg:hasType <term/lamp> ; rg:plainNameKey "moth" ; rg:partKey "flame" .
<card/moth/ruling/1> rg:citesNumber "401" .
"""
"""What the sound graph does not say: facts of every sort about a lamp, and every fate of a chapter."""

UNSEEN = frozenset({"carriesWords", "written", "precedes", "textLeftOut"})
"""Properties that no loader writes."""

NOWHERE = URIRef("https://example.org/lamps/nowhere")
WRONG_DAY = Literal("12", datatype=XSD.integer)


class Sown(NamedTuple):
    """An error: what is wrong, with which property, and the statement before and after."""

    kind: str
    property: str
    before: tuple[Node, Node, Node]
    after: tuple[Node, Node, Node]


@cache
def sound() -> Graph:
    """Return the sound graph, which has facts of every sort, without the vocabulary."""
    return Graph().parse(SOUND) + Graph().parse(data=MORE, format="turtle")


@cache
def _vocabulary() -> Graph:
    graph = Graph()
    for turtle in ontology_turtle():
        graph.parse(data=turtle, format="turtle")
    return graph


@cache
def _shapes() -> Graph:
    return Graph().parse(data=read_text(SHAPES_FILE), format="turtle")


def sown() -> Iterator[Sown]:
    """Yield the errors, by property."""
    for name in sorted(set(PROPERTIES) - UNSEEN):
        link = URIRef(PREFIXES["rg"] + name)
        for before in sorted(sound().triples((None, link, None)))[:1]:
            subject, _, value = before
            values: dict[str, Node] = {"another name": value}
            if isinstance(value, Literal):
                wrong = Literal("words", lang="en") if value.datatype == XSD.integer else WRONG_DAY
                values |= {"a thing for a literal": NOWHERE, "another datatype": wrong}
            else:
                values |= {"words for a thing": Literal("words"), "nothing": NOWHERE, "itself": subject}
            for kind, it in values.items():
                used = URIRef(f"{link}Of") if kind == "another name" else link
                yield Sown(kind, name, before, (subject, used, it))


def is_caught(error: Sown) -> bool:
    """Return whether a check or a shape finds an error."""
    graph = Graph()
    for statement in sound():
        graph.add(statement)
    graph.remove(error.before)
    graph.add(error.after)
    return bool(checked(graph)) or not conforms(graph)


def checked(graph: Graph) -> list[str]:
    """Return the names of the checks that find something in a graph."""
    store = pyoxigraph.Store()
    store.load(graph.serialize(format="nt").encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    for turtle in ontology_turtle():
        store.load(turtle, format=pyoxigraph.RdfFormat.TURTLE)
    found = []
    for check in checks():
        rows = store.query(check.text)
        assert isinstance(rows, pyoxigraph.QuerySolutions)
        found += [check.name] if any(True for _ in rows) else []
    return found


def conforms(graph: Graph) -> bool:
    """Return whether a graph conforms to the shapes."""
    sound_so_far, _, _ = pyshacl.validate(graph + _vocabulary(), shacl_graph=_shapes())
    return bool(sound_so_far)


if __name__ == "__main__":
    everything = list(sown())
    missed = [error for error in everything if not is_caught(error)]
    sys.stdout.write(f"{len(everything) - len(missed)} of {len(everything)} errors are caught\n")
    sys.stdout.writelines(f"{error.property}: {error.kind}\n" for error in missed)
