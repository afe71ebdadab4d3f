"""Names become IRIs, and IRIs become the same names, whatever the base ends in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.ontology.iris import BASE, GRAPHS, Iris, Place, child, slug

BASES = (BASE, "https://example.org/rules#", "urn:x:")
bases = st.sampled_from(BASES)
editions = st.from_regex(r"[a-z]+(-[a-z0-9]+)*", fullmatch=True)
slugs = st.text(min_size=1).map(slug)
keys = st.text(st.characters(codec="utf-8", exclude_characters="~"), min_size=1)
places = st.integers(1, 999)

KINDS: dict[str, Callable[[Iris, str, str, int], tuple[str, Place]]] = {
    "term": lambda iris, _, key, __: (iris.term(slug(key)), Place("term", key=slug(key))),
    "edition": lambda iris, edition, _, __: (iris.edition(edition), Place("edition", edition)),
    "document": lambda iris, edition, _, __: (iris.document(edition), Place("document", key=edition)),
    "graph": lambda iris, edition, _, __: (iris.graph(edition), Place("graph", key=edition)),
    "authority": lambda iris, _, key, __: (iris.authority(slug(key)), Place("authority", key=slug(key))),
    "scheme": lambda iris, edition, _, __: (iris.scheme(edition), Place("scheme", key=edition)),
    "derived": lambda iris, edition, _, __: (iris.derived(edition), Place("derived", edition)),
    "history": lambda iris, edition, _, __: (iris.history(edition), Place("history", edition)),
    "inferred": lambda iris, edition, _, __: (iris.inferred(edition), Place("inferred", edition)),
    "section": lambda iris, edition, key, _: (iris.section(edition, key), Place("section", edition, key)),
    "rule": lambda iris, edition, key, n: (iris.rule(edition, key, n), Place("rule", edition, key, n)),
    "entry": lambda iris, edition, key, n: (iris.entry(edition, key, n), Place("entry", edition, key, n)),
    "paragraph": lambda iris, edition, key, _: (
        iris.paragraph(edition, key),
        Place("paragraph", edition, key),
    ),
    "provision": lambda iris, edition, key, _: (
        iris.provision(f"{edition}/{key}"),
        Place("provision", edition, key),
    ),
    "problem": lambda iris, edition, _, n: (iris.problem(edition, n), Place("problem", edition, str(n))),
    "renaming": lambda iris, edition, key, _: (
        iris.renaming(edition, slug(key)),
        Place("renaming", edition, slug(key)),
    ),
    "sense": lambda iris, edition, key, n: (
        iris.sense(edition, slug(key), n),
        Place("sense", edition, slug(key), parts=(("", str(n)),)),
    ),
    "list": lambda iris, edition, key, n: (
        iris.ordered(edition, slug(key), n),
        Place("list", edition, slug(key), parts=(("", str(n)),)),
    ),
}
"""Each kind of IRI: (names, edition, key, number) → the IRI as it is made, and what it names."""


@given(base=bases, edition=editions, key=keys, number=places)
def test_what_is_made_is_taken_apart(base: str, edition: str, key: str, number: int) -> None:
    iris = Iris(base)
    for kind, make in KINDS.items():
        iri, place = make(iris, edition, key, number)
        assert iri.startswith(base), kind
        assert iris.parse(iri) == place
        assert iris.iri(place) == iri
        assert place.kind == kind


@given(
    base=bases,
    edition=editions,
    key=keys,
    parts=st.lists(st.sampled_from(("note", "ruling", "example", "ref", "fact", "step", "match", "change"))),
    number=places,
)
def test_parts_of_what_is_made_are_taken_apart(
    base: str, edition: str, key: str, parts: list[str], number: int
) -> None:
    iris = Iris(base)
    whole = iri = iris.entry(edition, key, number)
    for part in parts:
        iri = child(iri, part, number)
    place = iris.parse(iri)
    assert place == Place("entry", edition, key, number, tuple((part, str(number)) for part in parts))
    assert place.whole == iris.parse(whole)
    assert place.part == (parts[-1] if parts else "")
    assert iris.iri(place) == iri


@given(base=bases, other=st.text())
def test_whatever_is_asked_comes_back(base: str, other: str) -> None:
    iris = Iris(base)
    for iri in (other, base + other, base + "edition/" + other, base + "edition/x/" + other):
        place = iris.parse(iri)
        assert place.kind or place == Place("", key=iri)
        assert iris.parse(iris.iri(place)) == place


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize(
    ("local", "place", "name"),
    [
        ("edition/e/rule/420.5a", Place("rule", "e", "420.5a"), "420.5a"),
        ("edition/e/rule/605.2c~2", Place("rule", "e", "605.2c", 2), "605.2c~2"),
        ("edition/e/entry/G16.26/a", Place("entry", "e", "G16.26", 1, (("", "a"),)), "a"),
        (
            "edition/e/entry/G16.26/a/example/1/ref/2",
            Place("entry", "e", "G16.26", 1, (("", "a"), ("example", "1"), ("ref", "2"))),
            "2",
        ),
        ("edition/e/entry/lamp~2/note/1", Place("entry", "e", "lamp", 2, (("note", "1"),)), "1"),
        ("document/d/attribution/who-1", Place("document", "", "d", 1, (("attribution", "who-1"),)), "who-1"),
        ("provision/P01234", Place("provision", key="P01234"), "P01234"),
        ("provision/e/605.2c~2", Place("provision", "e", "605.2c", 2), "605.2c~2"),
    ],
)
def test_the_patterns_of_the_identity_contract(base: str, local: str, place: Place, name: str) -> None:
    iris = Iris(base)
    assert iris.parse(base + local) == place
    assert iris.iri(place) == base + local
    assert place.name == name


@pytest.mark.parametrize(
    "iri",
    [
        "https://w3id.org/rulesgraph/ns#Rule",
        "https://w3id.org/rulesgraph/",
        "https://w3id.org/rulesgraph/edition/",
        "https://w3id.org/rulesgraph/edition/e/",
        "https://w3id.org/rulesgraph/edition/e/derived/x",
        "https://w3id.org/rulesgraph/edition//rule/1",
        "https://w3id.org/rulesgraph/term",
        "https://w3id.org/rulesgraph/rule/1",
        "https://w3id.org/rulesgraph/edition/e/term/x",
        "https://example.org/edition/e/rule/1",
    ],
)
def test_what_is_none_of_the_patterns_is_its_own_key(iri: str) -> None:
    assert Iris().parse(iri) == Place("", key=iri)


@pytest.mark.parametrize("base", BASES)
def test_the_names_under_a_base_are_known_by_an_edition(base: str) -> None:
    assert Iris.around(Iris(base).edition("cr-2031-07-01")) == Iris(base)


def test_no_graph_of_an_edition_is_a_thing_in_it() -> None:
    iris = Iris()
    graphs = [iris.derived("e"), iris.history("e"), iris.inferred("e")]
    assert tuple(iris.parse(graph).kind for graph in graphs) == GRAPHS
