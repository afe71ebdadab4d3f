"""What replies of the tools contain within their budget, and how to get the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
import rulesgraph
from rulesgraph.app.mcp.replies import as_text
from rulesgraph.app.mcp.toolbox import tools


def test_rows_are_given_within_a_budget_and_the_next_as_links(mini_rules: rulesgraph.Rules) -> None:
    search = tools(mini_rules)["search"]
    roomy, tight = (search(words="lanterns", tokens=tokens, limit=200) for tokens in (9999, 1))
    assert (roomy["more"], roomy["links"]) == (0, [])
    assert tight["rows"] == roomy["rows"][:1]
    assert tight["links"] == []
    some = search(words="lanterns", tokens=500, limit=200)
    after = [row["iri"] for row in roomy["rows"][len(some["rows"]) :]]
    assert some["links"] == after[: len(some["links"])] != []
    assert tight["more"] == roomy["more"] + len(roomy["rows"]) - 1
    assert tight["notes"][-1] == (
        f"Left out: {tight['more']} rows. Ask again with `offset` 1, or with more `tokens` or `limit`."
    )
    assert search(words="lanterns", offset=1, tokens=1)["rows"] == roomy["rows"][1:2]
    named = tools(mini_rules)["ask"](question="terms_relying_on", arguments=["Lantern"], tokens=1)
    assert len(named["rows"]) == 1
    assert set(named["iris"]) <= {str(value) for value in named["rows"][0].values()}


@pytest.mark.parametrize("tokens", [300, 600, 1200])
def test_a_reply_with_everything_around_its_rows_keeps_the_budget(
    mini_rules: rulesgraph.Rules, tokens: int
) -> None:
    for name, given in (
        ("show", {"name": "Lantern"}),
        ("rule", {"number": "310"}),
        ("ask", {"question": "Which terms rely on lantern?"}),
        ("search", {"words": "lanterns"}),
        ("question", {}),
        ("neighbourhood", {"name": "Flutter"}),
    ):
        assert len(as_text(tools(mini_rules)[name](**given, tokens=tokens))) <= 4 * tokens, name


def test_a_question_gives_as_many_rows_as_its_description_says(mini_rules: rulesgraph.Rules) -> None:
    ask = tools(mini_rules)["ask"]
    asked = {
        "question": "When does a lit lantern of a keeper lose the evening at dusk?",
        "tokens": 20_000,
    }
    assert len(ask(**asked)["rows"]) == 10
    assert len(ask(**asked, limit=11)["rows"]) == 11
    assert ask(**asked, offset=10)["rows"] == ask(**asked, limit=200)["rows"][10:]


def test_iris_are_looked_up_without_deriving_an_edition(
    mini_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("rulesgraph.queries.session.views.open_view", refused)
    found = tools(rulesgraph.open(mini_store))["diff"](before="cr-2031-02-01", after="cr-2031-07-01")
    assert found["iris"]["320.2"].endswith("/cr-2031-07-01/rule/320.2")


def test_a_rule_of_an_older_edition_says_what_it_is_called_now(mini_rules: rulesgraph.Rules) -> None:
    said = "301.2 of cr-2031-02-01, the last loaded edition with this number, is 320.2 in cr-2031-07-01."
    called = tools(mini_rules)
    rule = called["rule"](number="301.2")
    assert (rule["now"], rule["notes"]) == ("320.2", [said])
    assert called["rule"](number="320.2")["now"] == "320.2"
    assert (called["show"](name="301.2")["notes"][0], called["search"](words="301.2")["notes"][0]) == (
        said,
        said,
    )
    assert called["search"](words="301.2")["rows"][0]["edition"] == "cr-2031-02-01"


@pytest.mark.parametrize("name", ["newest", "Latest", "cr-2031-07-01"])
def test_the_newest_edition_has_a_name(mini_rules: rulesgraph.Rules, name: str) -> None:
    called = tools(mini_rules)
    assert called["rule"](number="310.2", edition=name)["edition"] == "cr-2031-07-01"
    changes = called["diff"](before="cr-2031-02-01", after=name)["changes"]
    assert changes == called["diff"](before="cr-2031-02-01", after="2031-07-01")["changes"]


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
