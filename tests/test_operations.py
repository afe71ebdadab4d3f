"""Operations: one method is a command, a completion, a tool and a part of the reference; limits agree."""

from __future__ import annotations

import json
from datetime import date
from math import inf
from pathlib import Path

import pytest
import rulesgraph
from commands import Run
from rulesgraph import Answer, Rules
from rulesgraph.app import operations
from rulesgraph.app.cli import command_parser
from rulesgraph.app.commands import COMMANDS, find
from rulesgraph.app.commands.services import candidates
from rulesgraph.app.mcp.toolbox import tools
from rulesgraph.app.operations import TOOLS, operation, parameters
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.queries.history.diff import Difference, for_people

EARLY, LATE = "cr-2031-02-01", "cr-2031-07-01"


def moths(
    self: Rules, word: str, *, every: bool = False, limit: int = 5, edition: str | None = None
) -> Answer:
    """List the moths that are called by a word.

    Args:
        word: a word of their names.
        every: list those that have flown away, too.
        limit: give at most this many rows.
        edition: see `Rules`.

    Columns: moth, flown.
    """
    assert edition is None
    rows = tuple((f"{word} {number}", every) for number in range(9))
    return Answer("moths", ("moth", "flown"), rows, self.location).limited(limit)


@pytest.fixture
def with_moths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give `Rules` another method, marked as an operation and mentioned nowhere else."""
    for table in (operations.METHODS, operations.TOOLS):
        monkeypatch.setitem(table, "moths", moths)
        del table["moths"]
    monkeypatch.setattr(Rules, "moths", operation("command", "tool")(moths), raising=False)


@pytest.mark.usefixtures("with_moths")
def test_a_new_operation_is_one_method(run: Run, mini_store: Path) -> None:
    code, out, err = run(
        "moths", "grey", "--limit", "2", "--every", "--format", "json", "--store", mini_store
    )
    assert (code, json.loads(out)) == (0, [{"moth": f"grey {n}", "flown": True} for n in range(2)])
    assert err.startswith("7 more rows")
    code, out, _ = run("moths", "--help")
    assert code == 0
    assert "List the moths that are called by a word." in out
    assert "list those that have flown away, too" in " ".join(out.split())
    assert "(default: 5)" in out
    assert "--edition" in out
    assert "List the moths that are called by a word" in run("--help")[1]
    assert candidates(["mot"]) == ["moths"]
    assert candidates(["moths", "--ev"]) == ["--every"]
    found = tools(rulesgraph.open(mini_store))["moths"](word="grey", limit=3)
    assert [row["moth"] for row in found["rows"]] == ["grey 0", "grey 1", "grey 2"]
    assert found["more"] == 6
    assert run("moths")[0] == 2
    assert "Did you mean moths?" in run("mots")[2]


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_is_a_parameter_or_is_declared(name: str) -> None:
    """No command repeats a signature: its additional options are not parameters."""
    command = find(name)
    assert command
    known = parameters(command.work)
    for parameter, own in command.spelled.items():
        if parameter in known and own:
            assert known[parameter].help or own.get("help"), f"{name}: {parameter} is not explained"
    described = {it.dest for it in command_parser(name)._actions}
    assert set(known) - {"store", "progress", "ready", "agree"} <= described


@pytest.mark.parametrize("name", TOOLS)
def test_each_parameter_of_a_tool_is_explained(name: str) -> None:
    for parameter in parameters(TOOLS[name]).values():
        assert parameter.help, f"{name}: {parameter.name}"


@pytest.mark.parametrize(
    ("command", "tool", "arguments"),
    [
        (("ask", "terms_relying_on", "310"), "ask", {"question": "terms_relying_on", "arguments": ["310"]}),
        (
            ("ask", "which rules mention a lantern at dusk"),
            "ask",
            {"question": "which rules mention a lantern at dusk"},
        ),
        (("search", "lanterns"), "search", {"words": "lanterns"}),
        (("diff", EARLY, LATE), "diff", {"before": EARLY, "after": LATE}),
        (("ask", "interaction", "Flutter", "Moth"), "interaction", {"first": "Flutter", "second": "Moth"}),
    ],
)
def test_a_limit_is_the_same_at_every_door(
    run: Run, mini_store: Path, command: tuple[str, ...], tool: str, arguments: dict[str, object]
) -> None:
    rules = rulesgraph.open(mini_store)
    names = dict(arguments)
    more = names.pop("arguments", [])
    assert isinstance(more, list)
    positional = (names.pop("question"), *more) if tool == "ask" else ()
    for limit in (1, 3):
        out = run(*command, "--limit", limit, "--format", "json", "--store", mini_store)[1]
        found = getattr(rules, tool)(*positional, **names, limit=limit)
        found = found.changes if isinstance(found, Difference) else found
        assert json.loads(out) == json.loads(json.dumps(found.records(), default=str))
        assert 1 <= len(found) <= limit
        answered = tools(rules)[tool](**arguments, limit=limit)
        shown = for_people(found) if tool == "diff" else found
        assert (answered["changes"] if tool == "diff" else answered)["rows"] == shown.record()["rows"]


def test_what_a_limit_leaves_out_is_counted(run: Run, mini_store: Path) -> None:
    rules = rulesgraph.open(mini_store)
    whole, first = rules.diff(EARLY, LATE), rules.diff(EARLY, LATE, limit=2)
    assert (len(first.changes), first.changes.more) == (2, len(whole.changes) - 2)
    assert first.chapters == whole.chapters
    err = run("diff", EARLY, LATE, "--limit", "2", "--store", mini_store)[2]
    assert f"{first.changes.more} more changes" in err
    sheet = rules.show("Moth", limit=1)
    assert all(len(table) == 1 for table in sheet.tables)
    with pytest.raises(rulesgraph.RulesgraphError, match="the limit is 0"):
        rules.ask("terms_relying_on", "310", limit=0)


def test_sizes_below_the_least_are_refused(mini_store: Path, tmp_path: Path) -> None:
    rules, passages = rulesgraph.open(mini_store), tmp_path / "passages.jsonl"
    for wrong, said in (({"limit": 0}, "the limit is 0"), ({"depth": -1}, "the depth is -1")):
        with pytest.raises(UsageError, match=said):
            rules.picture(around="Moth", **wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="at least one character, not 0"):
        rules.export("jsonl", passages, min_chars=0)
    assert not passages.exists()
    with pytest.raises(UsageError, match="is called 'bogus'"):
        rules.why("Moth", "Lantern", via="citations,bogus")


def test_all_and_a_limit_exclude_each_other(run: Run, mini_store: Path) -> None:
    for command in (("ask", "redirects"), ("diff", EARLY, LATE), ("show", "Moth")):
        code, _, err = run(*command, "--all", "--limit", "2", "--store", mini_store)
        assert (code, err.splitlines()[0]) == (2, "rulesgraph: --all is not allowed with --limit")


def test_an_edition_may_be_a_date_or_in_capitals(mini_rules: Rules) -> None:
    for edition in (date(2031, 2, 1), "CR-2031-02-01"):
        assert mini_rules.rule("301.3(a)", edition=edition).edition == EARLY  # type: ignore[arg-type]
    found = mini_rules.diff(date(2031, 2, 1), date(2031, 7, 1))  # type: ignore[arg-type]
    assert found.changes.edition == f"{EARLY} to {LATE}"
    with pytest.raises(UnknownNameError, match="Did you mean Dusk Checks"):
        mini_rules.diff(EARLY, LATE, within="dusk")


def test_a_value_that_cannot_be_meant_is_refused(mini_store: Path) -> None:
    rules = rulesgraph.open(mini_store)
    for work, said in (
        (lambda: rulesgraph.open(mini_store, timeout=-1), f"the timeout of {mini_store} is -1 seconds"),
        (lambda: rulesgraph.open(mini_store, timeout=0), f"the timeout of {mini_store} is 0 seconds"),
        (lambda: rulesgraph.open(mini_store, timeout=inf), f"the timeout of {mini_store} is inf seconds"),
        (lambda: rules.neighbourhood("Flutter", tokens=-5), "the budget is -5 tokens"),
        (lambda: rules.verify("rule 320.4", written="9999-01-01"), "nothing was written on 9999-01-01 yet"),
        (lambda: rules.ask("terms_relying_on", "moth", "lantern"), "terms_relying_on takes concept (a term"),
        (lambda: rules.rules(kind="part"), "no kind is called 'part'"),
    ):
        with pytest.raises(UsageError) as caught:
            work()
        first, way_out = str(caught.value).split("\n", 1)
        assert first.startswith(said)
        assert way_out.strip()
    assert rules.verify("rule 320.4", written=date.today()).rows == ()


def test_a_level_is_a_kind_of_rules(mini_rules: Rules) -> None:
    found = {
        it: [node.number for node in mini_rules.rules(kind=it, within="320")]
        for it in ("rule", "chapter", "subrule")
    }
    assert found["chapter"] == ["320"]
    assert found["subrule"] == [it for it in found["rule"] if it[-1].isalpha()] != []
