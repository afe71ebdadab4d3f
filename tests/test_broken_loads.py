"""Loads into a real endpoint that drop updates, fail or are killed leave nothing behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from rulesgraph.loaders import temporary as temporary_files
from rulesgraph.loaders.store import open_store, upload
from rulesgraph.loaders.store.client import Client
from rulesgraph.loaders.store.upload import ABOUT, NEW, Upload
from rulesgraph.ontology.errors import StoreError, StoreMissingError
from rulesgraph.ontology.iris import BASE
from rulesgraph.ontology.terms import RG
from servers import run_oxigraph
from sweep import first

Loading = Callable[[], None]
GRAPH = f"{BASE}document/lamps"
LINES = [f'<{BASE}term/lamp-{n}> <{BASE}ns#text> "{n}" <{GRAPH}> .\n'.encode() for n in range(250)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from run_oxigraph(tmp_path_factory.mktemp("oxigraph"))


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture(autouse=True)
def _small_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """The maximum size of a request, so that a few lines need several."""
    monkeypatch.setattr(upload, "_PIECE", 100)
    monkeypatch.setattr(upload, "_LINES", 100)


def load(server: str, graph: str = GRAPH, lines: Sequence[bytes] = LINES) -> None:
    with open_store(server).rewrite() as rewrite:
        rewrite.drop([graph])
        rewrite.load(line.replace(GRAPH.encode() + b"> .", graph.encode() + b"> .") for line in lines)


def graphs(server: str) -> dict[str, int]:
    return Client(server).sizes()


WAYS = ["graph store", "moves", "updates", "copies"]


@pytest.fixture(
    params=first(2, WAYS, pytest.mark.long(small="test_a_load_that_goes_well_leaves_what_was_loaded"))
)
def new_load(server: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Loading:
    """A load of 250 triples in three requests: into a new graph in two ways, or into an existing one."""
    if request.param != "graph store":
        monkeypatch.setattr(upload, "usual_places", lambda _location: [])
    if request.param == "copies":
        monkeypatch.setattr(upload, "moving", lambda *_: "refused, as by Jena 4.5")
    if request.param in {"moves", "copies"}:
        monkeypatch.setattr(upload, "changes", lambda *_args, **_options: None)
        load(server)
        return lambda: load(server, lines=[line.replace(b"lamp-", b"lantern-") for line in LINES])
    name = f"{BASE}document/{request.param.replace(' ', '-')}-{request.node.originalname}"
    return lambda: load(server, name)


def spoil(monkeypatch: pytest.MonkeyPatch, what: Callable[[int, bytes], bytes]) -> None:
    """Let `what` decide about each batch of triples; what it returns is sent."""
    post, sent = Client.post, iter(range(100))

    def spoiled(self: Client, url: str, body: bytes, *args: Any, **options: Any) -> Any:
        batch = body.count(b"/ns#text>") > 10
        return post(self, url, what(next(sent), body) if batch else body, *args, **options)

    monkeypatch.setattr(Client, "post", spoiled)


def test_a_load_that_goes_well_leaves_what_was_loaded(server: str, new_load: Loading) -> None:
    before = graphs(server)
    new_load()
    after = graphs(server)
    [changed] = set(after) - set(before) - {ABOUT} or {GRAPH}
    assert after == before | {changed: 250, ABOUT: 2}
    store = open_store(server)
    assert store.graphs() == sorted(set(after) - {ABOUT})
    lines = set(store.graph_lines(changed))
    names = {line.partition("term/")[2].partition("-")[0] for line in lines}
    assert (len(lines), names) == (250, {"lantern"} if changed == GRAPH else {"lamp"})


def test_updates_that_are_dropped_are_noticed(
    server: str, new_load: Loading, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(server)
    before = graphs(server)

    def drop(number: int, body: bytes) -> bytes:
        if number != 1:
            return body
        return b"DROP SILENT GRAPH <urn:x>" if body.startswith(b"INSERT") else b""

    spoil(monkeypatch, drop)
    with pytest.raises(StoreError, match=r"has only 150 of 250 triples of <.*document/"):
        new_load()
    monkeypatch.undo()
    assert graphs(server) == before


def test_a_load_that_fails_leaves_what_was_there(
    server: str, new_load: Loading, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(server)
    before = graphs(server)

    def stop(number: int, body: bytes) -> bytes:
        if number == 2:
            raise KeyboardInterrupt
        return body

    spoil(monkeypatch, stop)
    with pytest.raises(KeyboardInterrupt):
        new_load()
    assert len(graphs(server)) > len(before)  # a request may be on its way: the marks stay
    assert open_store(server).base  # as the next command begins
    monkeypatch.undo()
    assert graphs(server) == before


def test_a_small_change_is_one_update(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only differences are sent: 10 triples removed, 20 added, of 250."""
    load(server)
    updates: list[bytes] = []
    post = Client.post

    def heard(self: Client, url: str, body: bytes, *args: Any, **options: Any) -> Any:
        if b"document/lamps" in body and url.endswith("/update"):
            updates.append(body)
        return post(self, url, body, *args, **options)

    monkeypatch.setattr(Client, "post", heard)
    more = [line.replace(b"lamp-", b"lantern-") for line in LINES[:20]]
    load(server, lines=[*LINES[10:], *more])
    [update] = updates
    lines = update.decode().splitlines()
    assert lines[0] == f"DELETE DATA {{ GRAPH <{GRAPH}> {{"
    assert sorted(lines[1:11]) == sorted(line.decode().replace(f" <{GRAPH}>", "")[:-1] for line in LINES[:10])
    assert lines[11:13] == ["} } ;", f"INSERT DATA {{ GRAPH <{GRAPH}> {{"]
    assert sorted(lines[13:33]) == sorted(line.decode().replace(f" <{GRAPH}>", "")[:-1] for line in more)
    assert graphs(server)[GRAPH] == 260


def test_who_comes_second_is_told(server: str) -> None:
    load(server)

    def load_within_a_load() -> None:
        with open_store(server).rewrite() as rewrite:
            rewrite.drop([GRAPH])
            load(server, lines=LINES[:7])

    with pytest.raises(StoreError, match=r"someone else has changed <.*document/lamps> in the meantime"):
        load_within_a_load()
    assert graphs(server)[GRAPH] == 7


def between(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Do something when everything except the switch has been sent."""
    post = Client.post

    def heard(self: Client, url: str, body: bytes, *args: Any, **options: Any) -> Any:
        if body.startswith(f"DROP GRAPH <{NEW}> ;".encode()) and b"INSERT DATA" in body:
            monkeypatch.undo()
            act()
        return post(self, url, body, *args, **options)

    monkeypatch.setattr(Client, "post", heard)


def test_a_switch_that_arrives_when_all_was_taken_away_does_nothing(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(server)
    before = graphs(server)
    between(monkeypatch, lambda: load(server))
    with pytest.raises(StoreError, match="the endpoint refused"):
        load(server, f"{BASE}document/too-late")
    assert graphs(server) == before


def stopped_in_its_switch(server: str, name: str, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Begin a load whose sender is stopped while the server makes the switch; return the switch."""
    held: list[bytes] = []
    post = Client.post

    def heard(self: Client, url: str, body: bytes, *args: Any, **options: Any) -> Any:
        if body.startswith(f"DROP GRAPH <{NEW}> ;".encode()) and b"INSERT DATA" in body:
            held.append(body)
            raise KeyboardInterrupt
        return post(self, url, body, *args, **options)

    monkeypatch.setattr(Client, "post", heard)
    with pytest.raises(KeyboardInterrupt):
        load(server, name)
    monkeypatch.undo()
    return held[0]


def test_a_switch_that_may_still_take_effect_is_waited_for(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(server)
    before = graphs(server)
    name = f"{BASE}document/late"
    switch = stopped_in_its_switch(server, name, monkeypatch)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert open_store(server).graphs() == sorted(set(before) - {ABOUT})
    with pytest.raises(StoreError, match="may still be finishing a build that was stopped"):
        load(server, f"{BASE}document/other")
    update(server, switch.decode())
    assert open_store(server).base
    assert graphs(server) == before | {name: 250}
    assert not list(tmp_path.glob("rulesgraph-scratch-*"))


def test_a_switch_that_never_came_is_forgotten_in_time(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(server)
    before = graphs(server)
    stopped_in_its_switch(server, f"{BASE}document/never", monkeypatch)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    [note] = tmp_path.glob(f"*/{temporary_files.ELSEWHERE}")
    os.utime(note, (1, 1))
    load(server)
    assert graphs(server) == before
    assert not note.exists()


def test_who_takes_away_too_late_takes_nothing(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    late: list[str] = []
    name = f"{BASE}document/in-time"
    between(monkeypatch, lambda: late.append(f"DROP GRAPH <{NEW}> ; DROP SILENT GRAPH <{name}>"))
    load(server, name)
    with pytest.raises(StoreError, match="the endpoint refused"):
        update(server, late[0])
    assert graphs(server)[name] == 250


def test_what_another_machine_left_unfinished_is_not_seen_and_goes_with_the_next_load(server: str) -> None:
    load(server)
    before = graphs(server)
    half = f"{BASE}document/half"
    update(
        server,
        f'INSERT DATA {{ GRAPH <{NEW}> {{ <{half}> <urn:b> "" }} GRAPH <{half}> {{ <u:a> <u:b> <u:c> }} }}',
    )
    assert open_store(server).graphs() == sorted(set(before) - {ABOUT})
    assert open_store(server).size() == sum(before.values()) - 2
    with open_store(server).rewrite() as rewrite:
        rewrite.drop([GRAPH, half])
        rewrite.load([*LINES[:5], f"<urn:a> <urn:b> <urn:c> <{half}> .\n".encode()])
    assert graphs(server) == before | {GRAPH: 5, half: 1}


@pytest.mark.parametrize("transactions", [True, False])
def test_marks_go_first_in_a_transaction_and_last_elsewhere(
    server: str, monkeypatch: pytest.MonkeyPatch, transactions: bool
) -> None:
    load(server)
    half, whole = f"{BASE}document/broken-{transactions}", f"{BASE}document/whole-{transactions}"
    update(
        server,
        f'INSERT DATA {{ GRAPH <{NEW}> {{ <{half}> <urn:b> "" }} GRAPH <{half}> {{ <u:a> <u:b> <u:c> }} }}',
    )
    before = graphs(server)
    steps: list[list[str]] = []
    find, post = Upload.find, Client.post

    def found(self: Upload) -> None:
        find(self)
        self._takes_all = transactions

    def heard(self: Client, url: str, body: bytes, *args: Any, **options: Any) -> Any:
        if b"DROP" in body and f"<{NEW}>".encode() in body:
            steps.append([step for step in body.decode().split(" ;\n") if step.startswith("DROP")])
        return post(self, url, body, *args, **options)

    monkeypatch.setattr(Upload, "find", found)
    monkeypatch.setattr(Client, "post", heard)
    load(server, whole)
    graph, trial = f"DROP SILENT GRAPH <{half}>", f"DROP SILENT GRAPH <{NEW}trial>"
    marks, silent = f"DROP GRAPH <{NEW}>", f"DROP SILENT GRAPH <{NEW}>"
    assert steps == ([[marks, graph], [marks, trial]] if transactions else [[graph, silent], [trial, silent]])
    del before[half], before[NEW]
    assert graphs(server) == before | {whole: 250}


def test_an_unfinished_first_load_built_nothing(server: str) -> None:
    for graph in graphs(server):
        update(server, f"DROP GRAPH <{graph}>")
    half = f"{BASE}document/half"
    edition = f"<{BASE}edition/cr-2031-02-01> a <{RG.Edition}>"
    update(
        server, f'INSERT DATA {{ GRAPH <{NEW}> {{ <{half}> <urn:b> "" }} GRAPH <{half}> {{ {edition} }} }}'
    )
    with pytest.raises(StoreMissingError):
        _ = open_store(server).base
    load(server)
    assert graphs(server) == {GRAPH: 250, ABOUT: 2}


def update(server: str, text: str) -> None:
    Client(server).post(
        server.replace("/query", "/update"), text.encode(), {"Content-Type": "application/sparql-update"}
    )


def test_what_a_killed_load_left_goes_with_the_next_command(server: str, temporary: Path) -> None:
    load(server)
    before = graphs(server)
    folder = temporary / "rulesgraph-scratch-killed00"
    folder.mkdir()
    (folder / temporary_files.ELSEWHERE).write_text(server)
    (folder / temporary_files.COPY).mkdir()
    trial = f'INSERT DATA {{ GRAPH <{NEW}{GRAPH}> {{ <urn:a> <urn:b> "c" }} }}'
    update(server, trial)
    assert f"{NEW}{GRAPH}" in graphs(server)
    with temporary_files.temporary_folder():  # a build elsewhere forgets nothing
        assert [path.name for path in folder.iterdir()] == [temporary_files.ELSEWHERE]
    _ = open_store(server).base
    assert graphs(server) == before
    assert not folder.exists()


def test_a_server_is_found_by_its_name_alone(server: str) -> None:
    load(server)
    for name in (server.removesuffix("/query"), server.removesuffix("query")):
        store = open_store(name)
        assert store.location == server
        assert GRAPH in store.graphs()


def test_an_address_with_a_path_is_that_of_an_endpoint_or_a_data_set(server: str) -> None:
    with pytest.raises(StoreError, match=r"/elsewhere: the server has no SPARQL endpoint there"):
        open_store(server.replace("/query", "/elsewhere"))
