"""Chains of reliance as one path of SPARQL, `rg:reliesOn+`: the same terms that `ask` reaches by walking."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
import real
from asking import session_on
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.reliance import walk
from rulesgraph.queries.reliance.levels import EXPLICIT, Reach, follow
from rulesgraph.queries.reliance.network import Network
from rulesgraph.queries.session import Answer, Scope, Session

STEP, CHAIN = Reach(EXPLICIT), Reach(EXPLICIT, None)


def pairs(session: Session, edition: str | None) -> dict[str, set[str]]:
    """Return the edges in the data: source → targets."""
    answer = session.sparql("SELECT ?source ?target { ?source rg:reliesOn ?target }", edition)
    assert isinstance(answer, Answer)
    found = defaultdict(set)
    for source, target in answer.rows:
        found[str(source)].add(str(target))
    return found


def reached(start: str, steps: dict[str, set[str]]) -> set[str]:
    found, waiting = set[str](), [start]
    while waiting:
        new = steps.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found - {start}


def hold_to_the_walk(session: Session, edition: str | None = None) -> None:
    steps = pairs(session, edition)
    network = Network(session, session.scope(edition))
    bodies = network.bodies
    assert any(map(bodies.is_term, steps))
    for term in bodies.terms:
        but = bodies.targets(term)
        for reach, said in ((STEP, steps[term]), (CHAIN, reached(term, steps))):
            walked = follow(network.out_of, (term,), reach, backward=False, but=but)
            assert set(filter(bodies.is_term, walked)) == set(filter(bodies.is_term, said)) - {term}, term


def test_the_path_reaches_what_the_walk_reaches(mini_store: Path) -> None:
    session = session_on(mini_store)
    for edition in ("cr-2031-02-01", "cr-2031-07-01"):
        hold_to_the_walk(session, edition)


@pytest.mark.long(small="test_the_path_reaches_what_the_walk_reaches")
@pytest.mark.parametrize("day", ["2026-01-16", "2009-07-11", "2008-02-01", "1999-11-01"])
def test_the_path_reaches_it_in_whole_editions(day: str, shared: Path, store_of: Callable[..., Path]) -> None:
    hold_to_the_walk(session_on(store_of(real.rules(shared, day))))


@pytest.mark.long(small="test_the_path_reaches_what_the_walk_reaches")
def test_a_chain_is_one_path_in_sparql(shared: Path, store_of: Callable[..., Path]) -> None:
    session = session_on(store_of(real.rules(shared, "2026-01-16")))
    query = "SELECT DISTINCT ?name { term:deathtouch rg:reliesOn+ ?it . ?it skos:prefLabel ?name }"
    answer = session.sparql(query)
    assert isinstance(answer, Answer)
    walked = ask(session, "relied_on_by_term", ["Deathtouch"], reach=CHAIN)
    names = {str(row[0]) for row in walked.rows if row[1] == "term"}
    assert names == {str(name) for (name,) in answer.rows} - {"Deathtouch"}
    assert "State-Based Actions" in names


def test_the_links_of_an_edition_are_read_once_in_a_session(
    mini_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = session_on(mini_store)
    read: list[str] = []

    class CountedNetwork(Network):
        def __init__(self, session: Session, scope: Scope) -> None:
            read.append(scope.label)
            super().__init__(session, scope)

    monkeypatch.setattr(walk, "Network", CountedNetwork)
    for edition in ("cr-2031-07-01", "cr-2031-02-01"):
        for question in ("relied_on_by_term", "terms_relying_on"):
            ask(session, question, ["Lantern"], edition=edition)
    assert read == ["cr-2031-07-01", "cr-2031-02-01"]
