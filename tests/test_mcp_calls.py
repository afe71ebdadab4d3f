"""Calls of tools run in parallel, and an address is only for HTTP."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import rulesgraph
from commands import Run
from mcp import Client, MCPError
from mcp.types import INVALID_PARAMS
from rulesgraph.app.mcp import toolbox
from rulesgraph.app.mcp.server import serve_http, server
from rulesgraph.app.operations import TOOLS
from rulesgraph.loaders.store.query import admit
from rulesgraph.ontology.errors import UsageError
from rulesgraph.queries.searching.closest import FEW


def test_a_call_does_not_wait_for_another(mini_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = threading.Event(), threading.Event()
    order: list[str] = []

    def held(rules: rulesgraph.Rules) -> rulesgraph.Answer:
        """List the editions, when the test says so."""
        begun.set()
        assert go.wait(60)
        return rules.contents()

    async def work() -> None:
        async def ask(tool: str, **given: str) -> None:
            found = await client.call_tool(tool, given)
            assert not found.is_error, found.content
            order.append(tool)

        async with Client(server(rulesgraph.open(mini_store))) as client, anyio.create_task_group() as group:
            group.start_soon(ask, "editions")
            await anyio.to_thread.run_sync(begun.wait, 60)
            await ask("sparql", query="SELECT ?s { ?s a rg:Edition }")
            await ask("rule", number="201.2")
            go.set()

    monkeypatch.setattr(toolbox, "editions", held)
    anyio.run(work)
    assert order == ["sparql", "rule", "editions"]


def test_a_long_call_gives_signs_of_life(mini_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = threading.Event()
    heard: list[tuple[float, str | None]] = []

    def held(rules: rulesgraph.Rules) -> rulesgraph.Answer:
        """List the editions, when there was a sign of life."""
        assert told.wait(60)
        return rules.contents()

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, message))
        told.set()

    async def work() -> None:
        async with Client(server(rulesgraph.open(mini_store))) as client:
            found = await client.call_tool("editions", {}, progress_callback=hear)
            assert not found.is_error, found.content

    monkeypatch.setattr(toolbox, "editions", held)
    monkeypatch.setattr("rulesgraph.app.mcp.server._SIGN_SECONDS", 0.01)
    anyio.run(work)
    assert heard[0] == (0.01, "still working")


@pytest.mark.parametrize("given", [("--port", "8765"), ("--host", "127.0.0.1")])
def test_an_address_is_for_http(run: Run, mini_store: Path, given: tuple[str, str]) -> None:
    code, out, err = run("mcp", *given, "--store", mini_store)
    assert (code, out) == (2, "")
    assert "--host and --port are for HTTP" in err
    assert "Add --http." in err


def test_a_search_that_finds_nothing_says_so(mini_store: Path) -> None:
    found = toolbox.tools(rulesgraph.open(mini_store))["search"](words="zzzz", edition="2031-02-01")
    assert (found["rows"], found["notes"][-1:]) == (
        [],
        ["Nothing in cr-2031-02-01; edition:all searches every edition."],
    )


def test_a_search_of_the_only_edition_says_so(starter_store: Path) -> None:
    found = toolbox.tools(rulesgraph.open(starter_store))["search"](words="zzzz")
    assert (found["rows"], found["notes"][:1]) == ([], ["Nothing in starter."])


def test_the_schemas_say_what_is_not_known_anyway(mini_store: Path) -> None:
    async def work() -> None:
        async with Client(server(rulesgraph.open(mini_store))) as client:
            offered = (await client.list_tools()).tools
            schemas = {tool.name: tool.input_schema for tool in offered}
            assert not re.search('"title"|"null"|: null', json.dumps([*schemas.values()]))
            assert schemas["diff"]["properties"]["only"]["anyOf"][0] == {"type": "string"}
            assert schemas["ask"]["required"] == ["question"]
            given = {"number": "320.2", "edition": None, "limit": None}  # who fills in all may still do so
            assert not (await client.call_tool("rule", given)).is_error
            alike = {"ask", "search", "question", "rule", "term", "card", "show", "neighbourhood"}
            assert {it.name for it in offered if " Use this " in (it.description or "")} == alike
            found = await client.call_tool("ask", {"question": "do moths zorblax on penalties"})
            assert len((found.structured_content or {})["rows"]) <= FEW
            prompt = await client.get_prompt("answer_with_citations", {"question": "Who lights a lantern?"})
            assert "`card`" in prompt.messages[0].content.text  # type: ignore[union-attr]

    anyio.run(work)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("answer_with_citations", "`answer_with_citations` needs question."),
        ("nope", "There is no prompt `nope`: there are answer_with_citations, check_citations."),
    ],
)
def test_a_wrong_request_for_a_prompt_is_the_mistake_of_the_client(
    mini_store: Path, caplog: pytest.LogCaptureFixture, name: str, said: str
) -> None:
    async def work() -> None:
        async with Client(server(rulesgraph.open(mini_store))) as client:
            with pytest.raises(MCPError) as refused:
                await client.get_prompt(name)
            assert (refused.value.code, refused.value.message) == (INVALID_PARAMS, said)

    anyio.run(work)
    assert not caplog.records


def test_the_help_names_every_tool(run: Run) -> None:
    said = run("mcp", "--help")[1]
    assert all(re.search(rf"\b{name}\b", said) for name in (*TOOLS, "editions", "question"))


@pytest.mark.parametrize(("opening", "closing"), ["{}", "()", "[]"])
def test_what_stands_side_by_side_is_not_nested(opening: str, closing: str) -> None:
    admit(f"ASK {opening} {opening * 20}{closing * 20} {opening * 20}{closing * 20} {closing}")
    with pytest.raises(UsageError, match="nested too deeply"):
        admit("ASK " + opening * 26 + closing * 26)


def test_ports_beyond_all(mini_store: Path) -> None:
    with pytest.raises(UsageError, match="99999 is not a port"):
        serve_http(rulesgraph.open(mini_store), "127.0.0.1", 99_999, print)
