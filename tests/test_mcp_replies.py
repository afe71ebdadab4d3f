"""What replies of the tools contain within their budget, and how to get the rest."""

from __future__ import annotations

import rulesgraph
from rulesgraph.app.mcp.toolbox import tools


def test_rows_are_given_within_a_budget_and_the_next_as_links(mini_rules: rulesgraph.Rules) -> None:
    search = tools(mini_rules)["search"]
    roomy, tight = search(words="lanterns", tokens=9999), search(words="lanterns", tokens=1)
    assert roomy["links"] == []
    assert tight["rows"] == roomy["rows"][:1]
    assert tight["links"] == [row["iri"] for row in roomy["rows"][1:21]]
    assert tight["more"] == roomy["more"] + len(roomy["rows"]) - 1
    assert tight["notes"][-1] == (
        f"Left out: {tight['more']} rows. Ask again with `offset` 1, or with more `tokens` or `limit`."
    )
    assert search(words="lanterns", offset=1, tokens=1)["rows"] == roomy["rows"][1:2]
    named = tools(mini_rules)["ask"](question="terms_relying_on", arguments=["Lantern"], tokens=1)
    assert len(named["rows"]) == 1
    assert named["links"]
    assert all(link.startswith("https://w3id.org/rulesgraph/term/") for link in named["links"])
    assert set(named["iris"]) <= {str(value) for value in named["rows"][0].values()}


def test_each_table_of_a_reply_can_be_read_to_its_end(mini_rules: rulesgraph.Rules) -> None:
    show = tools(mini_rules)["show"]
    whole = {it["name"]: it for it in show(name="Lantern", tokens=20_000, limit=200)["tables"]}
    tight = show(name="Lantern", tokens=150)
    assert [it["name"] for it in tight["tables"]] == [*whole]
    left = {it["name"]: it["more"] for it in tight["tables"] if it["more"]}
    for name, more in left.items():
        assert f"{more} of {name}" in tight["notes"][-1]
        read: list[object] = []
        while len(read) < len(whole[name]["rows"]):
            [table] = show(name="Lantern", tokens=150, table=name, offset=len(read))["tables"]
            assert table["rows"]
            read += table["rows"]
        assert read == whole[name]["rows"]


def test_a_first_row_without_measure_is_cut_short(mini_rules: rulesgraph.Rules) -> None:
    found = tools(mini_rules)["sparql"](
        query="SELECT (GROUP_CONCAT(CONCAT(?a, ?b)) AS ?all) { ?s rg:text ?a . ?t rg:text ?b }"
    )
    assert len(found["rows"][0]["all"]) == 8001
    assert found["notes"] == ["The first row is cut short (…): more `tokens` show more of it."]
