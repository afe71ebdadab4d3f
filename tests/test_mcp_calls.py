"""Calls of tools run side by side, and an address is for HTTP alone."""

from __future__ import annotations

import threading
from pathlib import Path

import anyio
import anyio.to_thread
import pytest
import rulesgraph
from commands import Run
from mcp import Client
from rulesgraph.app.mcp import toolbox
from rulesgraph.app.mcp.server import server


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
    assert (found["rows"], found["notes"][-1:]) == ([], ["Nothing in starter."])
