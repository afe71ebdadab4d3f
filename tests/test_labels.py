"""What terms are called: names that texts have, and no others."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from rulesgraph.loaders.editions import EditionInfo
from rulesgraph.loaders.linking.labels import NamedTerm, terms_triples
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.iris import Iris, slug
from rulesgraph.ontology.terms import PREFIXES, DocumentKind

_MARKS = ("renamedTo", "deprecated")
_ALTERNATIVE = f"<{PREFIXES['skos']}altLabel> "


@pytest.mark.parametrize(
    ("title", "others"),
    [
        ("Lanterns", ["Lantern"]),
        ("Keyword Abilities", ["Keyword Ability"]),
        ("The Dusk Watch", []),
        ("Lighting Lanterns", []),
        ("Lanterns and Moths", []),
        ("Care of Lanterns", []),
        ("Light from Lanterns", []),
        ("Moths with Lanterns", []),
    ],
)
def test_a_title_has_a_singular_where_its_last_word_is_the_one_that_counts(
    title: str, others: list[str]
) -> None:
    edition = EditionInfo("cr-2031-02-01", date(2031, 2, 1), DocumentKind.COMPREHENSIVE)
    named = {edition.edition: [NamedTerm(slug(title), (), (title,))]}
    triples = terms_triples(named, {edition.edition: edition}, Iris())
    assert [
        line.partition(_ALTERNATIVE)[2].strip() for line in sorted(triples.lines) if _ALTERNATIVE in line
    ] == [f'"{name}"@en' for name in others]


def test_the_plural_of_another_terms_name_is_no_label() -> None:
    days = {
        f"cr-{day}": EditionInfo(f"cr-{day}", day, DocumentKind.COMPREHENSIVE)
        for day in (date(2031, 2, 1), date(2031, 7, 1))
    }
    named = {
        "cr-2031-02-01": [NamedTerm("glow", ("Glow", "Glowing Ability"), ("Glowing Abilities",))],
        "cr-2031-07-01": [
            NamedTerm("glow", ("Glow",), ()),
            NamedTerm("glowing-ability", ("Glowing Ability",), ()),
        ],
    }
    lines = sorted(terms_triples(named, days, Iris()).lines)
    assert [line for line in lines if _ALTERNATIVE in line] == []


def test_a_name_in_another_number_was_renamed_and_one_that_the_newest_rules_lack_is_deprecated() -> None:
    """Each has an entry in its own edition; pages of other kinds say nothing about the rules.

    Kite and Kites, which one edition has both, are two things.
    """
    days = {
        f"cr-{day}": EditionInfo(f"cr-{day}", day, DocumentKind.COMPREHENSIVE)
        for day in (date(2031, 2, 1), date(2031, 7, 1))
    }
    days["mtr-2032-01-01"] = EditionInfo("mtr-2032-01-01", date(2032, 1, 1), DocumentKind.NUMBERED)
    named = {
        "cr-2031-02-01": [
            NamedTerm(name, (name.title(),), ()) for name in ("lamp", "moths", "oil", "kite", "kites", "dusk")
        ],
        "cr-2031-07-01": [
            *(NamedTerm(name, (name.title(),), ()) for name in ("lamps", "moth", "oil", "kite")),
            NamedTerm("dusk", (), (), ("Dusk",)),  # it only cites it
        ],
        "mtr-2032-01-01": [NamedTerm("oils", ("Oils",), ())],
    }
    lines = sorted(terms_triples(named, days, Iris()).lines)
    found = {name: [re.findall(r"term/(\w+)", it) for it in lines if name in it] for name in _MARKS}
    assert found == {
        "renamedTo": [["lamp", "lamps"], ["moths", "moth"]],
        "deprecated": [["dusk"], ["kites"], ["lamp"], ["moths"]],
    }
    lines = sorted(terms_triples(named, days, Iris(), ["cr-2031-02-01"]).lines)
    assert not [it for it in lines if "deprecated" in it]


def test_what_a_new_page_only_cites_has_the_name_by_which_it_does(starter_store: Path) -> None:
    store, iris = open_store(starter_store), Iris()
    label = f'<{iris.term("landcycling")}> <{PREFIXES["skos"]}prefLabel> "Landcycling"@en .'
    assert label in set(store.graph_lines(iris.graph("terms")))
