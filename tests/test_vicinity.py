"""What is read of a graph around some things is what the whole graph says of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import real
import rulesgraph
from rulesgraph.viz import select, vicinity
from rulesgraph.viz.choosing import choose, inquire, rows_of
from rulesgraph.viz.graph import Graph, Rows, read_graph
from rulesgraph.viz.selection import NodeKind
from sweep import first


def differing(
    store: Path, draw: Callable[[rulesgraph.Rules, Rows, str], object], step: int, limit: int = 0
) -> tuple[Graph, list[str]]:
    """Return the whole graph, and of each `step` of its things those that the vicinity draws otherwise.

    One that cites a section is among them: sections are read only where a thing leads to them.
    `limit` is how many things may be known at most before all is read.
    """
    rules = rulesgraph.open(store)
    rows = rows_of(rules.session, rules.session.scope(None))
    whole = read_graph(rows)
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vicinity, "MANY", limit or vicinity.MANY)
        patch.setattr(vicinity, "read_graph", lambda rows: whole if limit else pytest.fail("all was read"))
        sections = {iri for iri, thing in whole.things.items() if thing.kind is NodeKind.SECTION}
        citing = sorted(iri for iri, found in whole.links.items() if not sections.isdisjoint(found))
        for iri in (*sorted(whole.things)[::step], *citing[:1]):
            near = draw(rules, rows, iri)
            with pytest.MonkeyPatch.context() as other:
                other.setattr(select, "Vicinity", lambda rows: whole)
                if draw(rules, rows, iri) != near:
                    found.append(iri)
    return whole, found


def around(depth: int) -> Callable[[rulesgraph.Rules, Rows, str], object]:
    return lambda rules, rows, iri: select.around(rows, [iri], depth=depth, base=rules.session.iris.base)


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_around_things_of_the_starter_rules(starter_store: Path, depth: int) -> None:
    assert differing(starter_store, around(depth), 30)[1] == []


def test_of_much_all_is_read(starter_store: Path) -> None:
    assert differing(starter_store, around(2), 60, limit=4)[1] == []


def test_around_things_of_real_rules(store_of: Callable[..., Path], shared: Path) -> None:
    assert differing(store_of(real.rules(shared, "2026-01-16")), around(1), 600)[1] == []


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
def test_answers_on_real_rules(store_of: Callable[..., Path], shared: Path, asked: list[str]) -> None:
    def draw(rules: rulesgraph.Rules, rows: Rows, iri: str) -> object:
        return choose(rules.session, asked=inquire(rules.session, asked, None))

    assert differing(store_of(real.rules(shared, "2026-01-16")), draw, 10_000)[1] == []
