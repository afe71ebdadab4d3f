"""What is read of a graph around some things is what the whole graph says of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import real
import rulesgraph
from rulesgraph.app.python.picture import answer_question
from rulesgraph.viz import lazy_graph, select
from rulesgraph.viz.graph import Graph, Rows, read_graph, rows_of
from rulesgraph.viz.select import choose
from rulesgraph.viz.selection import NodeKind
from sweep import first
from test_viz_select import EDITION, KITES, rule, term
from test_viz_select import rows_of as turtle_rows

SECTION = f"{EDITION}/section/2"


def differing(
    store: Path, draw: Callable[[rulesgraph.Rules, Rows, str], object], step: int, limit: int = 0
) -> tuple[Graph, list[str]]:
    """Return the whole graph, and of each `step` of its things those that the lazy graph draws otherwise.

    One that cites a section is among them: sections are read only where a thing leads to them.
    `limit` is how many things may be known at most before all is read.
    """
    rules = rulesgraph.open(store)
    rows = rows_of(rules.session, rules.session.scope(None))
    whole = read_graph(rows)
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lazy_graph, "MANY", limit or lazy_graph.MANY)
        patch.setattr(lazy_graph, "read_graph", lambda rows: whole if limit else pytest.fail("all was read"))
        sections = {iri for iri, thing in whole.things.items() if thing.kind is NodeKind.SECTION}
        citing = sorted(iri for iri, found in whole.links.items() if not sections.isdisjoint(found))
        for iri in (*sorted(whole.things)[::step], *citing[:1]):
            near = draw(rules, rows, iri)
            with pytest.MonkeyPatch.context() as other:
                other.setattr(select, "LazyGraph", lambda rows: whole)
                if draw(rules, rows, iri) != near:
                    found.append(iri)
    return whole, found


def around(depth: int) -> Callable[[rulesgraph.Rules, Rows, str], object]:
    return lambda rules, rows, iri: select.around_thing(
        rows, [iri], depth=depth, base=rules.session.iris.base
    )


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_around_things_of_the_starter_rules(starter_store: Path, depth: int) -> None:
    assert differing(starter_store, around(depth), 30)[1] == []


def test_of_much_all_is_read(starter_store: Path) -> None:
    assert differing(starter_store, around(2), 60, limit=4)[1] == []


@pytest.mark.long(small="test_around_things_of_the_starter_rules")
def test_around_things_of_real_rules(newest_store: Path) -> None:
    assert differing(newest_store, around(1), 600)[1] == []


@pytest.mark.long(small="test_around_things_of_the_starter_rules")
def test_cited_rules_are_the_rules_then_in_force(store_of: Callable[..., Path], shared: Path) -> None:
    whole, found = differing(store_of(*real.pages(shared), real.rules(shared, "2008-02-01")), around(1), 200)
    assert whole.same
    assert found == []


@pytest.mark.parametrize(
    "asked",
    first(
        1,
        (["definition", "Deathtouch"], ["terms_relying_on", "704.5k"], ["steps_of", "Casting Spells"]),
        pytest.mark.long(small="test_answers_on_real_rules"),
    ),
    ids="_".join,
)
def test_answers_on_real_rules(newest_store: Path, asked: list[str]) -> None:
    def draw(rules: rulesgraph.Rules, rows: Rows, iri: str) -> object:
        return choose(rules.session, asked=answer_question(rules.session, asked, None))

    assert differing(newest_store, draw, 10_000)[1] == []


# -- what is read of one thing alone --------------------------------------------------------------------

MENTIONS = (
    KITES
    + """
r:20.1a rg:mentions t:storms . r:20.1b rg:mentions t:string . e:K3a rg:mentions t:kite .
t:string rg:definedBy r:21 . r:21 a rg:Rule ; skos:notation "21" ; dcterms:isPartOf <{edition}/section/2> .
"""
)


def known(*iris: str) -> dict[str, dict[str, set[str]]]:
    """Return the links that are read when some things are asked for: by source, target and kind."""
    graph = lazy_graph.LazyGraph(turtle_rows(MENTIONS))
    graph.know(iris)
    return {
        source: {target: set(map(str, kinds)) for target, kinds in ends.items()}
        for source, ends in graph.links.items()
    }


def test_of_a_rule_the_terms_that_it_names_are_read() -> None:
    assert known(rule("20.1b")) == {rule("20.1b"): {term("string"): {"mention"}}}


def test_of_a_term_the_rules_that_name_it_are_read_and_no_other_texts() -> None:
    """A paragraph of an entry names Kite, and a paragraph of the entry of Kite names String."""
    assert known(term("storms")) == {
        term("storms"): {rule("20"): {"definition"}},
        rule("20.1a"): {term("storms"): {"mention"}},
    }
    assert known(term("kite")) == {
        term("kite"): {rule("20.1a"): {"citation"}, SECTION: {"note"}, term("string"): {"mention"}},
        term("old-kite"): {term("kite"): {"redirect"}},
    }


def test_a_term_without_an_entry_is_loaded_where_a_rule_that_defines_it_is() -> None:
    bare = MENTIONS.replace("e:K2 a rg:Entry ; rg:defines t:string ;", "e:K2 a rg:Entry ;")
    graph = lazy_graph.LazyGraph(turtle_rows(bare))
    assert {iri: graph.things[iri].loaded for iri in (term("string"), term("storms"))} == {
        term("string"): False,
        term("storms"): False,
    }
    graph.know([term("string"), term("storms")])
    # Rule 21 was loaded, rule 20 is only cited.
    assert {iri: graph.things[iri].loaded for iri in (term("string"), term("storms"))} == {
        term("string"): True,
        term("storms"): False,
    }
