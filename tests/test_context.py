"""The JSON-LD context: plain keys for everything that loaders write, and nothing lost on the way back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from rdflib import OWL, RDF, SH, XSD, Graph, Literal, URIRef
from rdflib.compare import isomorphic
from rdflib.plugins.parsers.jsonld import to_rdf
from rulesgraph.ontology.resources import CONTEXT_FILE, SHAPES_FILE, VOCABULARY_FILES, read_text
from rulesgraph.ontology.terms import CLASSES, GAME, GAME_CLASSES, INDIVIDUALS, PREFIXES, PROPERTIES, RG
from rulesgraph.queries.export.extract import in_order
from rulesgraph.queries.export.jsonld import Compactor, nodes

LAMPS = "https://example.org/lamps/"
SOUND = Path(__file__).parent / "broken" / "sound.ttl"
NATIVE = {XSD.string, XSD.integer, XSD.boolean}
"""Values that JSON can express by itself: the context need not."""

CONTEXT: dict[str, Any] = json.loads(read_text(CONTEXT_FILE))["@context"]


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Read a JSON object; of two equal keys, JSON silently keeps the last."""
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), sorted(key for key in set(keys) if keys.count(key) > 1)
    return dict(pairs)


def test_no_key_stands_twice() -> None:
    assert json.loads(read_text(CONTEXT_FILE), object_pairs_hook=once)["@context"] == CONTEXT
    with pytest.raises(AssertionError, match="lamp"):
        json.loads('{"lamp": 1, "lamp": 2}', object_pairs_hook=once)


def expand(curie: str) -> URIRef:
    prefix, _, name = curie.partition(":")
    return URIRef(PREFIXES[prefix] + name)


def iri_of(name: str) -> URIRef:
    definition = CONTEXT[name]
    return expand(definition if isinstance(definition, str) else definition["@id"])


def read(document: Any) -> Graph:
    """Read JSON-LD; `Graph.parse` would use a deprecated class of rdflib's."""
    graph: Graph = to_rdf(document, Graph())
    return graph


def as_json(graph: Graph) -> list[dict[str, Any]]:
    """Write a graph as exports do; rdflib's writer takes no language from a key with a list."""
    quads = pyoxigraph.parse(graph.serialize(format="nt").encode(), pyoxigraph.RdfFormat.N_TRIPLES)
    triples = in_order((quad.triple for quad in quads), LAMPS)
    return [*nodes(triples, Compactor(LAMPS))]


@pytest.fixture(scope="module")
def sound() -> Graph:
    return Graph().parse(SOUND)


def test_round_trip_keeps_every_triple(sound: Graph) -> None:
    text = sound.serialize(format="json-ld", context=CONTEXT, use_native_types=True)
    back = read(json.loads(text))
    assert len(back) == len(sound)
    assert isomorphic(back, sound)


def test_the_other_reader_agrees(sound: Graph) -> None:
    """The store's JSON-LD reader is another implementation of the same standard."""
    text = sound.serialize(format="json-ld", context=CONTEXT, use_native_types=True)
    quads = pyoxigraph.parse(input=text, format=pyoxigraph.RdfFormat.JSON_LD)
    lines = "".join(f"{q.subject} {q.predicate} {q.object} .\n" for q in quads)
    assert isomorphic(Graph().parse(data=lines, format="nt"), sound)


def test_keys_and_types_are_plain_words(sound: Graph) -> None:
    for node in as_json(sound):
        assert {key for key in node if ":" in key or "@" in key} <= {"@id", "@type"}
        types = node["@type"] if isinstance(node["@type"], list) else [node["@type"]]
        assert {kind for kind in types if ":" in kind} <= {"skos:Concept", "skos:ConceptScheme"}


def test_values_are_plain(sound: Graph) -> None:
    """No value needs an object around it: the context knows its datatype or that it is a link."""
    for node in as_json(sound):
        for key, value in node.items():
            for item in value if isinstance(value, list) else [value]:
                assert isinstance(item, str | int | bool), (key, item)


def test_a_rule_reads_well(sound: Graph) -> None:
    rules = {n["notation"]: n for n in as_json(sound) if n["@type"] == "Rule" and "loaded" not in n}
    rule = rules["401.1"]
    assert rule["text"] == "The keeper lights a lamp (see rule 401.1a)."
    assert rule["isPartOf"] == "edition/cr-2020-01-01/rule/401"
    assert rule["mentions"] == ["term/lamp"]
    assert rule["firstLine"] == 5


def test_numbers_may_be_json_numbers() -> None:
    """Numbers and booleans as JSON has them are the literals that loaders write."""
    written = {"@context": CONTEXT, "id": "https://example.org/x", "firstLine": 5, "loaded": False}
    expected = {Literal("5", datatype=XSD.integer), Literal("false", datatype=XSD.boolean)}
    assert set(read(written).objects()) == expected


def test_the_context_has_the_whole_vocabulary_and_no_other_name_of_it() -> None:
    declared = {*CLASSES, *GAME_CLASSES, *PROPERTIES, *INDIVIDUALS}
    inside = {name for name, definition in CONTEXT.items() if re.search("(rg|game):", json.dumps(definition))}
    assert inside == declared
    for name in declared:
        assert iri_of(name) == URIRef(getattr(GAME if name in GAME_CLASSES else RG, name))


def test_prefixes_are_those_of_queries() -> None:
    prefixes = {name: value for name, value in CONTEXT.items() if str(value).startswith("http")}
    assert prefixes.items() <= PREFIXES.items()


def test_links_and_datatypes_follow_vocabulary_and_shapes() -> None:
    vocabulary, shapes = Graph(), Graph().parse(data=read_text(SHAPES_FILE), format="turtle")
    for file in VOCABULARY_FILES:
        vocabulary.parse(data=read_text(file), format="turtle")
    datatypes = {
        shapes.value(shape, SH.path): shapes.value(shape, SH.datatype)
        for shape in shapes.subjects(SH.datatype, None)
    }
    for name in PROPERTIES:
        kind = CONTEXT[name].get("@type") if isinstance(CONTEXT[name], dict) else None
        iri = iri_of(name)
        if (iri, RDF.type, OWL.ObjectProperty) in vocabulary:
            assert kind in ("@id", "@vocab"), name
        elif kind not in ("@id", "@vocab"):
            told = expand(kind) if kind else None
            datatype = datatypes.get(iri, XSD.string)
            assert told == (None if datatype in NATIVE else datatype), name


def test_lists_stand_where_several_values_may() -> None:
    shapes = Graph().parse(data=read_text(SHAPES_FILE), format="turtle")
    single = {
        shapes.value(shape, SH.path)
        for shape in shapes.subjects(RDF.type, SH.PropertyShape)
        if shapes.value(shape, SH.maxCount) is not None
    }
    for name, definition in CONTEXT.items():
        if name in PROPERTIES:
            repeated = isinstance(definition, dict) and definition.get("@container") == "@set"
            assert repeated == (iri_of(name) not in single), name
