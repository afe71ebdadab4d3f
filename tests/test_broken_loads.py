"""A real endpoint is found; loads into it that drop updates, fail or are killed leave nothing behind."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rulesgraph.loaders import scratch
from rulesgraph.loaders.store import open_store
from rulesgraph.loaders.store.client import Client
from rulesgraph.loaders.store.upload import NEW
from rulesgraph.ontology.errors import StoreError
from rulesgraph.ontology.iris import BASE
from servers import free_port, run_server

GRAPH = f"{BASE}document/lamps"
LINES = [f'<{BASE}term/lamp-{n}> <{BASE}ns#text> "{n}" <{GRAPH}> .\n'.encode() for n in range(2500)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
    assert program, "the Oxigraph server comes with the packages for development"
    folder = tmp_path_factory.mktemp("oxigraph")
    port = free_port()
    command = [program, "serve", "--location", str(folder / "data"), "--bind", f"127.0.0.1:{port}"]
    yield from run_server(command, f"http://127.0.0.1:{port}/query", folder)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def load(server: str) -> None:
    with open_store(server).rewrite() as rewrite:
        rewrite.drop([GRAPH])
        rewrite.load(LINES)


def graphs(server: str) -> dict[str, int]:
    from rulesgraph.loaders.store.endpoint import EndpointStore

    return EndpointStore(server)._sizes()


def spoil(monkeypatch: pytest.MonkeyPatch, what: Any) -> None:
    """Let `what` decide on each batch of triples: what it returns is sent."""
    post, sent = Client.post, iter(range(100))

    def spoiled(self: Client, url: str, body: bytes, *args: Any, **options: Any) -> Any:
        batch = body.startswith(b"INSERT DATA { GRAPH") and f"<{NEW}{GRAPH}>".encode() in body
        return post(self, url, what(next(sent), body) if batch else body, *args, **options)

    monkeypatch.setattr(Client, "post", spoiled)


def test_a_load_that_goes_well_leaves_what_was_loaded(server: str) -> None:
    load(server)
    assert graphs(server)[GRAPH] == 2500
    assert not [name for name in graphs(server) if name.startswith(NEW)]


def test_updates_that_are_dropped_are_noticed(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load(server)
    before = graphs(server)
    spoil(monkeypatch, lambda number, body: b"DROP SILENT GRAPH <urn:x>" if number == 1 else body)
    with pytest.raises(StoreError, match=r"holds 1500 of 2500 triples of <.*document/lamps>"):
        load(server)
    monkeypatch.undo()
    assert graphs(server) == before


def test_a_load_that_fails_leaves_what_was_there(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load(server)
    before = graphs(server)

    def stop(number: int, body: bytes) -> bytes:
        if number == 2:
            raise KeyboardInterrupt
        return body

    spoil(monkeypatch, stop)
    with pytest.raises(KeyboardInterrupt):
        load(server)
    monkeypatch.undo()
    assert graphs(server) == before


def test_what_a_killed_load_left_goes_with_the_next_command(server: str, temporary: Path) -> None:
    load(server)
    before = graphs(server)
    folder = temporary / "rulesgraph-scratch-killed00"
    folder.mkdir()
    (folder / scratch.ELSEWHERE).write_text(server)
    (folder / scratch.COPY).mkdir()
    trial = f'INSERT DATA {{ GRAPH <{NEW}{GRAPH}> {{ <urn:a> <urn:b> "c" }} }}'
    Client(server).post(
        server.replace("/query", "/update"), trial.encode(), {"Content-Type": "application/sparql-update"}
    )
    assert f"{NEW}{GRAPH}" in graphs(server)
    with scratch.scratch_folder():  # a build elsewhere forgets nothing
        assert [path.name for path in folder.iterdir()] == [scratch.ELSEWHERE]
    open_store(server).meta()
    assert graphs(server) == before
    assert not folder.exists()


def test_a_server_is_found_by_its_name_alone(server: str) -> None:
    load(server)
    for name in (server.removesuffix("/query"), server.removesuffix("query")):
        store = open_store(name)
        assert store.location == server
        assert store.graphs() == [GRAPH]


def test_an_address_with_a_path_is_taken_as_it_is(server: str) -> None:
    with pytest.raises(StoreError, match=r"/elsewhere: the endpoint refuses: 404"):
        open_store(server.replace("/query", "/elsewhere")).meta()
