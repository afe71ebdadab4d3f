"""Every shape finds the error made for it and no other; sound graphs pass."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pyshacl
import pytest
from rdflib import RDF, SH, BNode, Graph, URIRef
from rdflib.term import Node
from rulesgraph.ontology.resources import SHAPES_FILE, read_text
from rulesgraph.ontology.terms import CLASSES, PROPERTIES, RG
from rulesgraph.queries.checking.conclusions import single_shapes
from test_vocabulary import ROLES

BROKEN = Path(__file__).parent / "broken"
BROKEN_NAMES = sorted(path.stem for path in BROKEN.glob("*.ttl") if path.stem != "sound")
MOST = pytest.mark.long(small="test_broken_graph_fires_its_shape_alone")
"""All but every sixth of the broken graphs."""

SHAPES = "https://w3id.org/rulesgraph/shapes#"
NOT_EMITTED = {"Status"}
"""Classes whose nodes no loader writes: their shapes come with the code that writes them."""


@cache
def shapes() -> Graph:
    return Graph().parse(data=read_text(SHAPES_FILE), format="turtle")


@cache
def sound() -> Graph:
    """The sound graph with the vocabulary beside it, as `graph/current` has it."""
    return Graph().parse(BROKEN / "sound.ttl") + Graph().parse(
        data=read_text("vocabulary.ttl"), format="turtle"
    )


def fired(data: Graph, of: Graph | None = None) -> dict[str, list[str]]:
    """Validate; return the local names of the shapes that fired, each with its messages."""
    _, results, _ = pyshacl.validate(data, shacl_graph=of or shapes())
    assert isinstance(results, Graph)
    found: dict[str, list[str]] = {}
    for result in results.subjects(RDF.type, SH.ValidationResult):
        shape = str(results.value(result, SH.sourceShape)).removeprefix(SHAPES)
        found.setdefault(shape, []).append(str(results.value(result, SH.resultMessage)))
    return found


def test_shapes_taken_apart_find_the_same() -> None:
    """`check --shapes` gives each property shape its nodes itself, and validates with one shape at a time."""
    data = Graph() + sound()
    for file in BROKEN.glob("*.ttl"):
        data += Graph().parse(file)
    whole, found = fired(data), Counter[str]()
    for part in single_shapes(Graph() + shapes()):
        found.update({name: len(told) for name, told in fired(data, part).items()})
    assert found == {name: len(told) for name, told in whole.items()}
    assert len(whole) > len(BROKEN_NAMES) / 2


def has_own_constraint(shape: Node) -> bool:
    """Return whether a shape constrains something, and does not just group others under a class."""
    gathering = {RDF.type, SH.targetClass, SH.targetSubjectsOf, SH.property, SH.message}
    return bool(set(shapes().predicates(shape)) - gathering)


def named_shapes() -> list[URIRef]:
    kinds = (SH.NodeShape, SH.PropertyShape)
    return sorted(s for kind in kinds for s in shapes().subjects(RDF.type, kind) if isinstance(s, URIRef))


@pytest.mark.long(small="test_broken_graph_fires_its_shape_alone")
def test_the_shapes_are_shapes() -> None:
    conforms, _, report = pyshacl.validate(Graph(), shacl_graph=shapes(), meta_shacl=True)
    assert conforms, report


def test_sound_graph_is_clean() -> None:
    assert fired(sound()) == {}


def test_sound_graph_has_every_kind_of_node() -> None:
    used = {str(o).removeprefix(RG.Term.removesuffix("Term")) for o in sound().objects(None, RDF.type)}
    assert set(CLASSES) - ROLES - NOT_EMITTED <= used


def test_every_emitted_class_has_a_shape() -> None:
    targets = {
        str(o).removeprefix(RG.Term.removesuffix("Term")) for o in shapes().objects(None, SH.targetClass)
    }
    assert set(CLASSES) - ROLES - NOT_EMITTED <= targets
    assert not targets & (ROLES | NOT_EMITTED)


def test_every_shape_has_a_broken_graph_and_every_broken_graph_a_shape() -> None:
    constraining = {str(s).removeprefix(SHAPES) for s in named_shapes() if has_own_constraint(s)}
    assert {path.stem.partition("+")[0] for path in BROKEN.glob("*.ttl")} - {"sound"} == constraining


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[MOST] if place % 9 else []) for place, name in enumerate(BROKEN_NAMES)],
)
def test_broken_graph_fires_its_shape_alone(name: str) -> None:
    """A file is named after its shape; a suffix after a plus sign distinguishes several of one shape."""
    shape = name.partition("+")[0]
    found = fired(sound() + Graph().parse(BROKEN / f"{name}.ttl"))
    assert set(found) == {shape}
    assert set(found[shape]) == {str(shapes().value(URIRef(SHAPES + shape), SH.message))}


def test_every_constraint_has_a_message_in_plain_words() -> None:
    for shape in named_shapes():
        if has_own_constraint(shape):
            messages = list(shapes().objects(shape, SH.message))
            assert len(messages) == 1, shape
            assert str(messages[0])[0].isupper(), shape
            assert str(messages[0]).endswith("."), shape


def test_no_shape_is_left_over() -> None:
    used = set(shapes().objects(None, SH.property))
    for shape in named_shapes():
        targets = (SH.targetClass, SH.targetSubjectsOf)
        assert shape in used or any((shape, it, None) in shapes() for it in targets), shape


def test_core_constraints_only() -> None:
    assert not list(shapes().subject_objects(SH.sparql))


def test_paths_name_declared_properties() -> None:
    namespace = RG.Term.removesuffix("Term")
    declared = {namespace + name for name in (*CLASSES, *PROPERTIES, "Obsolete", "Informal")}
    used = {str(o) for _, _, o in shapes() if not isinstance(o, BNode) and str(o).startswith(namespace)}
    assert used <= declared
