"""Remarks on queries with unknown names, whatever these find."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesgraph
from commands import Run


@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_an_unknown_name_is_told_whatever_is_found(run: Run, starter_store: Path, form: str) -> None:
    told = "The vocabulary has no rg:txet; did you mean rg:text?"
    for query in (
        "SELECT (COUNT(?it) AS ?n) { ?it rg:txet ?text }",
        "SELECT ?it { ?it a rg:Rule OPTIONAL { ?it rg:txet ?text } }",
        "ASK { ?it rg:txet ?text }",
        "ASK { ?it a rg:Rule FILTER NOT EXISTS { ?it rg:txet ?text } }",
        "CONSTRUCT { ?it rg:mine 1 } WHERE { ?it a rg:Rule FILTER NOT EXISTS { ?it rg:txet ?text } }",
        "DESCRIBE ?it { ?it a rg:Rule MINUS { ?it rg:txet ?text } }",
    ):
        code, out, err = run("sparql", query, "--format", form, "--store", starter_store)
        assert (code, bool(out), err.splitlines()[:1]) == (0, True, [told]), query
    with rulesgraph.open(starter_store) as rules:
        assert rules.sparql("ASK { ?it rg:txet ?text }").notes == (told,)
        assert rules.sparql("SELECT (SUM(?n) AS ?all) { ?it rg:txet ?n }").notes == (told,)
        assert rules.sparql("PREFIX rg: <https://example.org/> ASK { ?it rg:txet ?text }").notes == ()


def test_a_count_in_an_older_edition_says_what_its_graph_lacks(mini_rules: rulesgraph.Rules) -> None:
    counting = (
        "SELECT (COUNT(?it) AS ?n) {{ GRAPH <https://w3id.org/rulesgraph/{}> {{ ?it rg:level 'subrule' }} }}"
    )
    answer = mini_rules.sparql(counting.format("document/cr-2031-02-01"))
    assert answer.rows == ((0,),)
    assert [note.partition(" for ")[0] for note in answer.notes] == ["rg:level is written"]
    assert mini_rules.sparql(counting.format("graph/current")).notes == ()


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ('?r skos:notation "300.1" ; rg:text ?x', "Plain queries see the numbers of the newest edition: "),
        ("?x rg:changeKind code:removed", "A tenure has the kind of change that began it: "),
        ('?t skos:prefLabel "Drift"@en ; skos:broader ?x', "skos:broader is between kinds; "),
        ("?x rg:status ?s ; skos:prefLabel ?n", "rg:status is a property of entries: "),
        ('?x rg:hasKeyword/skos:prefLabel "Drift"@en', "A card has instances of keywords: "),
    ],
)
def test_what_is_written_elsewhere_is_told_if_nothing_is_found(
    where: str, told: str, mini_rules: rulesgraph.Rules
) -> None:
    answer = mini_rules.sparql(f"SELECT ?x {{ {where} }}")
    assert answer.rows == ()
    assert any(it.startswith(told) for it in answer.notes)
    right = 'SELECT ?x { ?x skos:notation "310.1" }'
    assert mini_rules.sparql(right).notes == ()
