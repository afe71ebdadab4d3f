"""What replies of the tools contain within their budget, and how to get the rest."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path

import pytest
import rulesgraph
from commands import Run
from pydantic import TypeAdapter
from rulesgraph.app.mcp import replies
from rulesgraph.app.mcp.toolbox import tools
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.ontology.json_values import compact
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.session.answer import SimilarCase, Understood


def test_rows_are_given_within_a_budget_and_the_next_as_links(mini_rules: rulesgraph.Rules) -> None:
    search = tools(mini_rules)["search"]
    roomy, tight = (search(words="lanterns", tokens=tokens, limit=200) for tokens in (9999, 1))
    assert (roomy["more"], roomy["links"]) == (0, [])
    assert tight["rows"] == roomy["rows"][:1]
    assert tight["links"] == []
    some = search(words="lanterns", tokens=400, limit=200)
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
        assert len(compact(tools(mini_rules)[name](**given, tokens=tokens))) <= 4 * tokens, name


def test_passages_for_which_there_is_no_room_are_excerpts(mini_rules: rulesgraph.Rules) -> None:
    search = tools(mini_rules)["search"]
    roomy, tight = (search(words="lanterns", tokens=tokens, limit=200) for tokens in (9999, 600))
    place = next(it for it, row in enumerate(tight["rows"]) if "line" not in row)
    assert place >= 2
    assert tight["rows"][:place] == roomy["rows"][:place]
    for short, whole in zip(tight["rows"][place:], roomy["rows"][place:], strict=False):
        assert [*short] == ["number", "text", "iri"]
        assert (short["number"], short["iri"]) == (whole["number"], whole["iri"])
        assert short["text"].strip("…") in whole["text"]
    assert any("excerpts" in note for note in tight["notes"])
    assert not any("excerpts" in note for note in roomy["notes"])


def test_a_question_gives_as_many_rows_as_its_description_says(mini_rules: rulesgraph.Rules) -> None:
    ask = tools(mini_rules)["ask"]
    asked = {
        "question": "When does a lit lantern of a keeper lose the evening at dusk?",
        "tokens": 20_000,
    }
    first = ask(**asked)["rows"]
    assert len(first) == 10
    pages = [ask(**asked, offset=it) for it in (0, 4, 9)]
    assert [it["rows"] for it in pages] == [first, first[4:], first[9:]]
    assert [it["more"] for it in pages] == [0, 0, 0]
    assert len(ask(**asked, limit=11)["rows"]) == 11
    every = ask(**asked, limit=200)["rows"]
    assert ask(**asked, offset=10, limit=200)["rows"] == every[10:]
    beyond = ask(**asked, offset=150, limit=200)
    assert (beyond["rows"], beyond["notes"][-1]) == (
        [],
        f"`offset` 150 is past the end: there are {len(every)} rows.",
    )


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


def test_an_empty_text_is_refused_or_the_same_as_none(mini_rules: rulesgraph.Rules) -> None:
    called = tools(mini_rules)
    refused = set()
    for name, tool in called.items():
        given = {it.name: it.default for it in inspect.signature(tool).parameters.values()}
        wanted = [key for key, default in given.items() if default is inspect.Parameter.empty]
        for key in wanted:
            for empty in ("", " "):
                with pytest.raises(UsageError, match=f"^`{key}` is empty\n  Give "):
                    tool(**{**dict.fromkeys(wanted, "Moth"), key: empty})
            refused.add((name, key))
    assert {("rulings_changed", "card"), ("show", "name"), ("diff", "after")} <= refused
    trace = called["trace"]
    assert trace(number="320.2", start="", end="") == trace(number="320.2")
    with pytest.raises(UsageError, match="`arguments` is empty"):
        called["question"](name="citing", arguments=[""])


def test_a_reply_says_first_what_the_rules_say_nothing_about(mini_rules: rulesgraph.Rules) -> None:
    words = "do moths zorblax on penalties"
    answer, found = mini_rules.ask(words), tools(mini_rules)["ask"](question=words, tokens=20_000)
    assert [*found][:3] == ["lead", "answered", "heading"]
    assert (found["lead"], found["answered"]) == ([*answer.lead], answer.answered)
    assert (answer.lead[0], answer.answered) == (
        "The rules say nothing about “zorblax” or “penalties”.",
        False,
    )
    assert found["heading"].endswith("These are excerpts, not a ruling.")
    assert not set(found["lead"]) & set(found["notes"])
    assert found["see"] == ["`show` (Moth)"]
    assert (len(found["rows"]), found["more"]) == (len(answer), answer.more)
    for asked in ("Which lantern is lit?", "citing"):
        more = ["101.1"] if asked == "citing" else []
        assert mini_rules.ask(asked, *more).answered
        assert tools(mini_rules)["ask"](question=asked, arguments=more)["answered"]


@pytest.mark.parametrize("words", ["What is the frozen pizza?", "frobnicator"])
def test_a_question_about_something_unknown_is_not_answered(mini_rules: rulesgraph.Rules, words: str) -> None:
    found = tools(mini_rules)["ask"](question=words)
    assert (found["answered"], found["rows"], found["edition"]) == (False, [], "cr-2031-07-01")
    answer = mini_rules.ask(words)
    assert (answer.answered, [*map(replies.in_tool_words, answer.lead)]) == (False, found["lead"])
    with pytest.raises(UnknownNameError) as raised:
        ask(mini_rules.session, words)
    assert found["lead"][0].lower() == f"{raised.value.what}.".lower()
    for arguments in ({"question": "citing", "arguments": ["pizza"]}, {"question": words, "edition": "cr-1"}):
        with pytest.raises(UnknownNameError):
            tools(mini_rules)["ask"](**arguments)


def test_a_text_is_a_list_of_one_and_a_term_has_its_own_tool(mini_rules: rulesgraph.Rules) -> None:
    one = inspect.signature(tools(mini_rules)["question"]).parameters["arguments"]
    assert TypeAdapter(one.annotation).validate_python("704") == ["704"]
    assert replies.in_tool_words("Use term('Trample').") == "Use `term` (Trample)."


def test_a_card_of_a_question_comes_with_its_text() -> None:
    rules = rulesgraph.build(store=":memory:").rules
    found = tools(rules)["ask"](question="Does a creature with Quickglass Blade gain life at once?")
    [card] = found["cards"]
    assert card == rules.ask("Quickglass Blade")[0]
    assert found["see"] == ["`show` ('Quickglass Blade')"]


def test_a_number_of_another_edition_has_no_iri_of_today(mini_rules: rulesgraph.Rules) -> None:
    """301.2 is another rule today, or none: each row has its own edition."""
    called = tools(mini_rules)
    assert {row["number"] for row in called["trace"](number="320.2")["rows"]} == {"301.2", "320.2"}
    assert called["trace"](number="320.2")["iris"] == called["blame"](name="320.2")["iris"] == {}
    found = called["diff"](before="cr-2031-02-01", after="cr-2031-07-01", tokens=20_000)
    assert all("/cr-2031-07-01/" in it or "/term/" in it for it in found["iris"].values())


def test_the_command_gives_the_same_object_as_the_tool(
    mini_rules: rulesgraph.Rules, mini_store: Path, run: Run
) -> None:
    def told(*words: str) -> dict[str, object]:
        out = run(*words, "--format", "object", "--store", mini_store)[1]
        found: dict[str, object] = json.loads(out)
        return found

    called = tools(mini_rules)
    added = {"iris", "links", "notes", "see"}  # in the words of the tools
    for tool, given, words in (
        ("ask", {"question": "do moths zorblax on penalties"}, ("ask", "do moths zorblax on penalties")),
        ("show", {"name": "Flutter"}, ("show", "Flutter")),
        ("trace", {"number": "320.2"}, ("trace", "320.2")),
    ):
        whole, own = called[tool](**given, tokens=20_000), told(*words)
        assert {**whole, **dict.fromkeys(added)} == {**own, **dict.fromkeys(added)}, tool
    assert told("why", "Flutter", "310").keys() >= {"answered", "edition", "rows", "more", "notes"}
    assert told("check").keys() >= {"rows", "more"}


def test_the_shape_of_an_answer_is_documented(mini_rules: rulesgraph.Rules) -> None:
    text = (Path(__file__).parents[1] / "docs" / "guides" / "llm.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `(\w+)` \| (\w+)", text, re.MULTILINE)
    lit = rulesgraph.Answer("lit", ("lantern",), ())
    assert [key for key, where in told if where == "always"] == [*lit.about(), "rows", "more"]
    case = SimilarCase("", "", (), "", 1.0)
    cards = rulesgraph.Answer("card_text", ("card",), (("Dim Lamp",),))
    whole = lit._replace(
        lead=("…",), heading="…", cards=cards, cases=(case,), understood=Understood("…", others=("…",))
    )
    every = [*whole.about(), "rows", "more"]
    assert [key for key, _ in told] == [*every[:2], "checked", *every[2:]]
    sheet = mini_rules.show("Flutter").about()
    assert ", ".join(f"`{key}`" for key in sheet) in " ".join(text.split())


def test_the_number_of_a_paragraph_is_no_section() -> None:
    """A glossary numbers the senses of a word; sections have numbers of one digit too."""
    assert [*replies._cells({"number": "1", "text": "a sense", "authority": None})] == ["a sense"]
    assert [*replies._cells({"number": "1", "title": "a section"})] == ["1", "a section"]
    assert [*replies._cells({"number": "320.2", "authority": None})] == ["320.2"]


def test_a_neighbourhood_keeps_its_budget(mini_rules: rulesgraph.Rules) -> None:
    near = tools(mini_rules)["neighbourhood"]
    whole = near(name="Flutter")
    assert [it["name"] for it in whole["passages"]][:3] == ["Flutter", "320.4a", "Dusk Checks"]
    assert whole["left_out"] == 0
    assert "310.2b" in [it["name"] for it in whole["passages"]]
    small = near(name="Flutter", tokens=200)
    assert 0 < len(small["passages"]) < len(whole["passages"])
    assert all(it in whole["passages"] for it in small["passages"])
    assert small["left_out"] > 1
    assert small["notes"][0].startswith(
        f"{small['left_out']} passages left out: ask again with more `tokens`"
    )
    assert (len(small["others"]), whole["others"]) == (min(small["left_out"], 20), [])
    assert all(tools(mini_rules)["rule"](number=it) for it in small["others"] if it[0].isdigit())
    assert sum(len(json.dumps(it, ensure_ascii=False)) for it in small["passages"]) <= 800
    assert len(near(name="Flutter", tokens=1)["passages"]) == 1
