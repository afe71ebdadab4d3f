"""The tools for language models, called by the protocol's own client."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
import rulesgraph
from commands import MINI, Run
from faults import session
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import CallToolResult
from rulesgraph.app.mcp.server import server
from rulesgraph.app.mcp.toolbox import EVERYWHERE, MOST_ROWS
from rulesgraph.app.operations import TOOLS
from rulesgraph.app.python.passages import LETTERS

PROGRAM = [sys.executable, "-m", "rulesgraph.app.cli", "mcp"]
BASE = "https://w3id.org/rulesgraph/"
NEW = "cr-2031-07-01"

Work = Callable[[Client], Awaitable[None]]


def asked(store: Path, work: Work) -> None:
    """Run some work with a client of a server in this process."""

    async def run() -> None:
        async with Client(server(rulesgraph.open(store))) as client:
            await work(client)

    anyio.run(run)


def told(found: CallToolResult) -> dict[str, Any]:
    """Return a tool's result, which is the same as an object and as text (JSON without spaces)."""
    assert not found.is_error, found.content
    [sent] = (it.text for it in found.content)  # type: ignore[union-attr]
    kept: dict[str, Any] = json.loads(sent)
    assert kept == found.structured_content
    assert sent == json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    return kept


def call(store: Path, tool: str, /, **arguments: object) -> dict[str, Any]:
    """Return the result of one tool."""
    kept: list[dict[str, Any]] = []

    async def work(client: Client) -> None:
        kept.append(told(await client.call_tool(tool, arguments)))

    asked(store, work)
    return kept[0]


def refusal(store: Path, tool: str, /, **arguments: object) -> str:
    """Return the message of a tool without an answer."""
    kept: list[str] = []

    async def work(client: Client) -> None:
        found = await client.call_tool(tool, arguments)
        assert found.is_error
        kept.append(found.content[0].text)  # type: ignore[union-attr]

    asked(store, work)
    return kept[0]


def test_what_is_offered(mini_store: Path) -> None:
    async def work(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert [*tools] == [*TOOLS, "editions", "question"]
        size = sum(len(it.model_dump_json(by_alias=True, exclude_none=True)) for it in tools.values())
        assert size < 4000 * LETTERS
        assert EVERYWHERE in (client.instructions or "")
        for tool in tools.values():
            assert tool.description
            said = tool.description + json.dumps(tool.input_schema)
            assert not re.search(r"None|see Rules|--[a-z]|kwargs|\b[A-Z]\w+\.\w", said), said
            assert tool.annotations
            assert (tool.annotations.read_only_hint, tool.annotations.open_world_hint) == (True, False)
        templates = (await client.list_resource_templates()).resource_templates
        assert [it.uri_template for it in templates] == [
            f"{BASE}edition/{{edition}}/rule/{{number}}",
            f"{BASE}edition/{{edition}}/entry/{{key}}",
            f"{BASE}term/{{slug}}",
        ]
        prompts = (await client.list_prompts()).prompts
        assert [it.name for it in prompts] == ["answer_with_citations", "check_citations"]
        prompt = await client.get_prompt("answer_with_citations", {"question": "Who lights a lantern?"})
        text = prompt.messages[0].content.text  # type: ignore[union-attr]
        assert "Who lights a lantern?" in text
        assert all(f"`{name}`" in text for name in ("search", "ask", "term", "rule", "verify"))

    asked(mini_store, work)


def test_a_rule_comes_with_its_words_lines_and_iri(mini_store: Path) -> None:
    found = call(mini_store, "rule", number="310.2")
    lines = rulesgraph.open(mini_store).rule("310.2").lines
    assert lines
    assert {key: found[key] for key in ("number", "kind", "text", "iri", "edition", "document", "lines")} == {
        "number": "310.2",
        "kind": "rule",
        "text": "The dusk checks are as follows:",
        "iri": f"{BASE}edition/{NEW}/rule/310.2",
        "edition": NEW,
        "document": NEW,
        "lines": [*lines],
    }
    assert [it["number"] for it in found["parts"]] == ["310.2a", "310.2b", "310.2c"]
    assert found["part_of"] == "310"
    assert [it["source"] for it in found["cited_by"]] == ["201.1a", "202.1", "320.4a"]
    assert call(mini_store, "rule", number=found["iri"]) == found


def test_a_term_comes_with_its_definition(mini_store: Path) -> None:
    found = call(mini_store, "term", name="dusk check")
    assert (found["name"], found["iri"]) == ("Dusk Checks", f"{BASE}term/dusk-checks")
    assert [it["number"] for it in found["defined_by"]] == ["310"]
    assert {row["document"] for row in found["definition"]} == {NEW}
    assert all(row["line"] for row in found["definition"])


@pytest.mark.parametrize(
    ("name", "arguments", "wanted"),
    [
        ("search", {"words": "lit lanterns", "limit": 1}, {"number": "201.1", "edition": NEW}),
        ("ask", {"question": "Which terms rely on 310?"}, {"term": "Flutter", "document": NEW}),
        ("question", {"name": "citing", "arguments": ["310.2b"]}, {"source": "320.4a", "document": NEW}),
        ("why", {"first": "Flutter", "second": "310"}, {"step": 1, "from": "Flutter", "document": NEW}),
        ("interaction", {"first": "Flutter", "second": "Moth"}, {"document": NEW}),
        (
            "trace",
            {"number": "301.2", "start": "cr-2031-02-01"},
            {"edition": "cr-2031-02-01", "number": "301.2"},
        ),
        (
            "sparql",
            {"query": "SELECT ?n { term:flutter skos:prefLabel ?n }"},
            {"n": "Flutter"},
        ),
        ("verify", {"text": "See rule 300.2a."}, {"finding": "gone", "now": "310.2a"}),
    ],
)
def test_tables_come_with_edition_and_iris(
    mini_store: Path, name: str, arguments: dict[str, object], wanted: dict[str, object]
) -> None:
    found = call(mini_store, name, **arguments)
    assert wanted.items() <= found["rows"][0].items()
    assert found["edition"]
    named = {value for value in found["rows"][0].values() if value in {"Flutter", "201.1", "310.2a"}}
    if "iri" in found["rows"][0]:
        assert found["iris"] == {}
        return
    assert {it: found["iris"][it] for it in named} == {
        it: {
            "Flutter": f"{BASE}term/flutter",
            "201.1": f"{BASE}edition/{NEW}/rule/201.1",
            "310.2a": f"{BASE}edition/{NEW}/rule/310.2a",
        }[it]
        for it in named
    }


def test_the_other_forms_of_queries(mini_store: Path) -> None:
    assert call(mini_store, "sparql", query="ASK { term:moth a rg:Term }") == {"edition": NEW, "answer": True}
    found = call(mini_store, "sparql", query="CONSTRUCT { ?t a rg:Term } WHERE { ?t a rg:Term }", limit=1)
    assert found["triples"][0].startswith(f"<{BASE}term/bag> ")
    assert found["more"] > 5


def test_a_difference_and_a_sheet(mini_store: Path) -> None:
    found = call(mini_store, "diff", before="cr-2031-02-01", after=NEW, limit=3)
    assert len(found["changes"]["rows"]) == 3
    assert found["changes"]["more"] > 5
    sheet = call(mini_store, "show", name="Flutter")
    assert (sheet["kind"], sheet["name"], sheet["iris"]["Flutter"]) == (
        "term",
        "Flutter",
        f"{BASE}term/flutter",
    )
    assert call(mini_store, "question")["more"] == 0


def test_resources_stand_under_their_iris(mini_store: Path) -> None:
    async def work(client: Client) -> None:
        for iri, key, value in (
            (f"{BASE}edition/{NEW}/rule/320.4a", "number", "320.4a"),
            (f"{BASE}edition/cr-2031-02-01/rule/301.3a", "edition", "cr-2031-02-01"),
            (f"{BASE}edition/rulings-2031-03-10/entry/G7.2", "title", "Glimmer"),
            (f"{BASE}edition/{NEW}/entry/moth", "name", "Moth"),
            (
                f"{BASE}edition/{NEW}/entry/moth/1",
                "name",
                "Moth",
            ),  # a paragraph, of which `search` has the IRI
            (f"{BASE}term/dusk-checks", "name", "Dusk Checks"),
        ):
            [content] = (await client.read_resource(iri)).contents
            assert json.loads(content.text)[key] == value  # type: ignore[union-attr]
        for iri in (
            f"{BASE}term/comet",
            f"{BASE}edition/{NEW}/rule/999",
            f"{BASE}edition/x/rule/1",
            "file:///x",
        ):
            with pytest.raises(MCPError):
                await client.read_resource(iri)

    asked(mini_store, work)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("rule", {"number": "999.9"}, "no term or number is called '999.9'"),
        ("rule", {"number": "x" * 100_000}, "has 100000 characters"),
        ("rule", {}, "`number` is missing."),
        ("rulings_changed", {}, "`card` is missing."),
        ("rule", {"number": ["310"]}, "`number` is ['310'] and should be a valid string."),
        ("rule", {"number": "310", "table": "moths"}, "There are: parts, examples, cites, cited_by."),
        ("search", {"words": "lit", "offset": -1}, "`offset` is -1"),
        ("rule", {"number": "310", "edition": "cr-2020-01-24"}, "`trace` (NUMBER `start` cr-2020-01-24)"),
        (
            "rule",
            {"number": "310", "edition": "cr-2020-01-24"},
            "`rulesgraph get --edition 2020-01-24` on the server (only whoever runs it can)",
        ),
        (
            "rule",
            {"number": "310", "edition": "2020"},
            "issued in 2020, and none is loaded\n  `editions` lists",
        ),
        ("rule", {"number": "310", "edition": " "}, "none is the newest"),
        ("rule", {"number": "310.1 and 310.2"}, "'310.1 and 310.2' is more than one number\n  Give one at"),
        ("blame", {"name": "310.1", "edition": "all"}, "only one edition at a time can be asked here"),
        ("term", {"name": "\x00\x1b[31m"}, "no term or number"),
        ("term", {"name": ""}, "`name` is empty\n  Give one of its names."),
        ("show", {"name": "Moth", "edition": "../../etc/passwd"}, "no loaded edition"),
        ("search", {"words": ""}, ""),
        ("search", {"words": "x" * 100_000}, "has 100000 characters"),
        ("trace", {"number": "310", "start": "never"}, "never"),
        ("question", {"name": "__init__"}, "__init__"),
        ("question", {"name": "citing", "arguments": ["Moth"] * 40}, ""),
        ("verify", {"text": "x" * 200_001}, "200001 characters"),
        ("verify", {"text": "rule 100", "asof": "soon"}, "'soon' is not a date"),
        ("sparql", {"query": "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }"}, "SERVICE"),
        ("sparql", {"query": "SELECT * FROM <http://127.0.0.1:9/> { ?s ?p ?o }"}, "127.0.0.1"),
        ("sparql", {"query": "DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }"}, "only read"),
        ("sparql", {"query": "ASK " + "{" * 3000 + "}" * 3000}, "nested too deeply"),
        ("sparql", {"query": "ASK { FILTER(" + "!" * 5000 + "true) }"}, "nested too deeply"),
        ("sparql", {"query": "ASK { ?s a" + "/a" * 4000 + " ?o }"}, "more than 50 steps"),
        ("sparql", {"query": "ASK {} #" + "x" * 20_000}, "more than 10000 characters"),
        ("neighbourhood", {"name": "Lantern", "budget": 600}, "no argument `budget`: there are name, tokens"),
        ("no_such_tool", {}, "no_such_tool"),
    ],
)
def test_hostile_arguments_are_refused_in_words(
    mini_store: Path, name: str, arguments: dict[str, object], said: str
) -> None:
    text = refusal(mini_store, name, **arguments)
    assert said in text
    assert not re.search(r"Traceback|pydantic|Error executing|`rulesgraph (?!build|drop|get)", text)
    assert not re.search(r"--[a-z]", re.sub("`rulesgraph [^`]*` on the server", "", text))
    assert str(mini_store) not in text


def test_a_query_without_end_is_ended(mini_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulesgraph.app.mcp.toolbox.DEADLINE", 0.5)
    everything = " ".join(f"?s{n} ?p{n} ?o{n} ." for n in range(6))
    assert refusal(mini_store, "sparql", query=f"SELECT (COUNT(*) AS ?n) {{ {everything} }}") == (
        "the store: the query took longer than 0.5 s\n  Make it more specific, or add a LIMIT."
    )


def test_rows_are_limited_whatever_is_asked_for(mini_store: Path) -> None:
    asked = {"query": "SELECT ?s { ?s ?p ?o }", "limit": 10**9, "tokens": 10**9}
    found = call(mini_store, "sparql", **asked)
    assert (len(found["rows"]), found["more"] > 100) == (MOST_ROWS, True)
    assert refusal(mini_store, "sparql", **{**asked, "limit": -5}) == (
        "`limit` is -5 and should be greater than or equal to 1."
    )


def test_an_answer_is_bounded_before_it_is_cut(mini_store: Path) -> None:
    values = " ".join(f"VALUES ?v{n} {{ {' '.join(map(str, range(60)))} }}" for n in range(8))
    joined = f"{values} BIND(CONCAT({', '.join(f'STR(?v{n})' for n in range(8))}) AS ?all)"
    for query in (f"SELECT * {{ {values} }}", f"CONSTRUCT {{ term:moth rdfs:label ?all }} {{ {joined} }}"):
        assert "too many rows" in refusal(mini_store, "sparql", query=query, limit=1)


def test_a_new_build_is_seen_by_the_next_call(tmp_path: Path) -> None:
    store = tmp_path / "store"
    rulesgraph.build(MINI / "lanterns-2031-02-01.txt", store=store)

    async def work(client: Client) -> None:
        before = told(await client.call_tool("rule", {"number": "201.2"}))
        assert before["edition"] == "cr-2031-02-01"
        rulesgraph.build(MINI / "lanterns-2031-07-01.txt", store=store)
        after = told(await client.call_tool("rule", {"number": "201.2"}))
        assert after["edition"] == NEW
        shutil.rmtree(store)
        gone = await client.call_tool("rule", {"number": "201.2"})
        assert gone.is_error
        assert str(store) not in gone.content[0].text  # type: ignore[union-attr]

    asked(store, work)


# -- over the two transports ------------------------------------------------------------------------


def test_over_stdio(mini_store: Path) -> None:
    async def run() -> None:
        command = StdioServerParameters(command=PROGRAM[0], args=[*PROGRAM[1:], "--store", str(mini_store)])
        async with Client(command) as client:
            assert len((await client.list_tools()).tools) == len(TOOLS) + 2
            found = told(await client.call_tool("verify", {"text": "rule 310.2a"}))
            bare = "1 citation, 0 findings, 1 number with too few words beside to compare"
            assert (found["rows"], found["notes"]) == ([], [bare])

    anyio.run(run)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def address(mini_store: Path) -> Any:
    """Where a server over HTTP can be reached; it ends with the test."""
    port = free_port()
    command = [*PROGRAM, "--http", "--port", str(port), "--store", str(mini_store)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        if listens(port):
            break
        assert process.poll() is None
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/mcp"
    process.kill()  # which does not wait for a client's unfinished work
    process.wait()


@pytest.mark.long(small="test_over_stdio")
def test_over_http_and_a_client_that_goes_away(address: str) -> None:
    everything = " ".join(f"?s{n} ?p{n} ?o{n} ." for n in range(6))
    slow = {"query": f"SELECT (COUNT(*) AS ?n) {{ {everything} }}"}

    async def run() -> None:
        async with Client(address) as client:
            found = told(await client.call_tool("rule", {"number": "310.2a"}))
            assert found["iri"] == f"{BASE}edition/{NEW}/rule/310.2a"
            with anyio.move_on_after(0.3):
                await client.call_tool("sparql", slow)
        async with Client(address) as other:
            assert told(await other.call_tool("term", {"name": "moth"}))["name"] == "Moth"

    anyio.run(run)


@pytest.mark.long(small="test_a_stdio_client_that_goes_away_ends_the_server")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_over_http_it_ends_before_its_queries_do(mini_store: Path, how: signal.Signals) -> None:
    """Also if Ctrl-C was ignored when it was started, as with `&` in a script."""
    port = free_port()
    everything = " ".join(f"?s{n} ?p{n} ?o{n} ." for n in range(6))

    def ignoring() -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    async def ask_for_ever() -> None:
        with suppress(Exception):
            async with Client(f"http://127.0.0.1:{port}/mcp") as client:
                await client.call_tool("sparql", {"query": f"SELECT (COUNT(*) AS ?n) {{ {everything} }}"})

    async def run() -> None:
        while not listens(port):
            await anyio.sleep(0.1)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask_for_ever)
            while len(session(process.pid)) < 2:
                await anyio.sleep(0.05)
            process.send_signal(how)
            await anyio.to_thread.run_sync(process.wait)
            tasks.cancel_scope.cancel()

    with subprocess.Popen(
        [*PROGRAM, "--http", "--port", str(port), "--store", str(mini_store)],
        start_new_session=True,
        preexec_fn=ignoring,  # noqa: PLW1509 (no other thread is at work here)
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        anyio.run(run)
        assert process.stderr
        assert process.stderr.read().splitlines()[1:] == ["rulesgraph: stopped"]
    assert process.returncode == 128 + how
    while session(process.pid):  # a query has ten seconds: its process ends with the server's
        time.sleep(0.05)


def test_a_stdio_client_that_goes_away_ends_the_server(mini_store: Path) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "--store", str(mini_store)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin
    assert process.stdout
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    process.stdin.write(json.dumps(hello).encode() + b"\nthis is no message\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "rulesgraph"
    process.stdin.close()
    assert process.wait() == 0
    process.stdout.close()


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
def test_no_other_machine_can_reach_it(run: Run, mini_store: Path, host: str) -> None:
    code, out, err = run("mcp", "--http", "--host", host, "--store", mini_store)
    assert (code, out) == (2, "")
    assert "can be reached from other machines" in err


def test_a_port_that_is_taken(run: Run, mini_store: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, _, err = run("mcp", "--http", "--port", port, "--store", mini_store)
    assert code == 2
    assert err == (
        f"rulesgraph: port {port} is in use by another program\n"
        "  Choose another port (--port), or 0 for any free one.\n"
    )


def test_a_store_that_is_not_there(run: Run, tmp_path: Path) -> None:
    assert run("mcp", "--store", tmp_path / "none")[0] == 4


def test_without_the_extra_it_says_what_to_install(
    run: Run, mini_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "rulesgraph.app.mcp.server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    code, _, err = run("mcp", "--store", mini_store)
    assert (code, 'pip install "mcp<3' in err) == (2, True)


def test_other_commands_do_not_load_it() -> None:
    program = "import sys; from rulesgraph.app.cli import main; main(['--help']); print('mcp' in sys.modules)"
    kept = {**os.environ, "COLUMNS": "80"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=kept
    )
    assert done.stdout.splitlines()[-1] == "False"


def test_the_loaded_editions_are_listed_for_who_named_another(mini_store: Path) -> None:
    assert "`editions` lists what is loaded" in refusal(mini_store, "rule", number="310", edition="cr-1")
    listed = call(mini_store, "editions")["rows"]
    assert (listed[0]["edition"], listed[0]["current"]) == (NEW, True)
