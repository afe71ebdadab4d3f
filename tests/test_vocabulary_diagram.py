"""The diagram on the reference page shows classes and properties as the ontology has them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

import pytest
from commands import ROOT
from rulesgraph.ontology.iris import VOCABULARY
from rulesgraph.ontology.terms import PREFIXES
from rulesgraph.viz.vocabulary.declared import Facts

DIAGRAM = (ROOT / "viz" / "vocabulary" / "templates" / "diagram.svg").read_text(encoding="utf-8")
RDFS = PREFIXES["rdfs"]
SUB_CLASS = RDFS + "subClassOf"


class Box(NamedTuple):
    """A class in the diagram: its place, and the texts below its name."""

    name: str
    x: float
    y: float
    right: float
    bottom: float
    captions: list[str]


def boxes(diagram: str) -> Iterator[Box]:
    for group in re.findall(r"<g class=\"(?!line)\w+\">.*?</g>", diagram, re.DOTALL):
        x, y, width, height = (float(it) for it in re.findall(r'(?:x|y|width|height)="([\d.]+)"', group)[:4])
        name, *captions = re.findall(r"<text .*?</text>", group)
        [own] = re.findall(r'<a href="#(\w+)">', name)
        yield Box(own, x, y, x + width, y + height, captions)


def properties_between(source: str, target: str, drawn: Collection[str]) -> set[str]:
    """Return the object properties with these classes as domain and range.

    A class above the first one that is not drawn counts as that one.
    """
    facts = Facts()
    above = [it.rpartition("#")[2] for it in facts.values(VOCABULARY + source, SUB_CLASS)]
    sources = [source, *(it for it in above if it not in drawn)]
    names = [name for it in sources for name in facts.subjects(RDFS + "domain", VOCABULARY + it)]
    kept = [it for it in names if facts.values(it, RDFS + "range") == [VOCABULARY + target]]
    return {it.removeprefix(VOCABULARY) for it in kept if facts.kind(it) == "object property"}


def test_the_diagram_shows_the_classes_as_the_ontology_has_them() -> None:
    facts, drawn = Facts(), [*boxes(DIAGRAM)]
    for outer in drawn:
        assert facts.kind(VOCABULARY + outer.name) == "class"
        for box in drawn:
            if outer.x < box.x and box.right < outer.right and outer.y < box.y and box.bottom < outer.bottom:
                assert VOCABULARY + outer.name in facts.above(VOCABULARY + box.name, SUB_CLASS), box
    for name, words in re.findall(r'<a href="#(\w+)">(.*?)</a>', DIAGRAM):
        assert words == facts.first(VOCABULARY + name, RDFS + "label")


def test_every_line_has_all_properties_between_its_ends() -> None:
    names = {it.name for it in boxes(DIAGRAM)}
    lines = re.findall(r'<g class="line" data-from="(\w+)" data-to="(\w+)">(.*?)</g>', DIAGRAM, re.DOTALL)
    assert len(lines) > 15
    for source, target, shown in lines:
        assert {*re.findall(r'<a href="#(\w+)">', shown)} == properties_between(source, target, names)


def test_a_box_counts_the_properties_between_things_of_its_class() -> None:
    drawn = [*boxes(DIAGRAM)]
    names = {it.name for it in drawn}
    for box in drawn:
        text = " ".join(box.captions)
        more = sum(map(int, re.findall(r"(?:and | \+)(\d+)", text)))
        shown = {*re.findall(r'<a href="#(\w+)">', text)}
        own = properties_between(box.name, box.name, names)
        assert shown <= own, box
        assert len(shown) + more == len(own), box


@pytest.mark.parametrize("role", ["Citable", "Dependable"])
def test_a_role_that_holds_no_boxes_names_its_kinds(role: str) -> None:
    facts, names = Facts(), {it.name for it in boxes(DIAGRAM)}
    [box] = [it for it in boxes(DIAGRAM) if it.name == role]
    plain = [re.sub(r"<[^>]*>", "", it) for it in box.captions if "<a " not in it]
    labels = {name: facts.first(VOCABULARY + name, RDFS + "label") for name in names}
    above = {it: {*facts.above(VOCABULARY + it, SUB_CLASS)} for it in names}
    kinds = {it for it in names if VOCABULARY + role in above[it]}
    leaves = {it for it in kinds if not any(VOCABULARY + it in own for own in above.values())}
    assert {it for text in plain for it in text.split(" · ")} == {labels[it] for it in leaves}
