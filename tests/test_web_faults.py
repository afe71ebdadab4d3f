"""Faults around the endpoint: killed processes, bombs, slow and broken clients, new builds."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import pytest
from live import ATTENTIVE, service
from rulesgraph.loaders.store import open_store
from sweep import PartOf

PLAIN = httpx.Client(verify=False, timeout=120, limits=httpx.Limits(max_connections=50))
ENDLESS = f"SELECT (COUNT(*) AS ?n) {{ {' '.join(f'?s{n} ?p{n} ?o{n} .' for n in range(8))} }}"
LARGE = "SELECT * { ?s ?p ?o . ?a rg:inEdition ?c } LIMIT 30000"
"""Some megabytes."""


@pytest.fixture(scope="session", autouse=True)
def _hung_up() -> Iterator[None]:
    """Leave no connection open when all tests are over: a client that was closed cannot be opened again."""
    with PLAIN:
        yield


def sparql(address: str, query: str, accept: str = "text/csv, text/turtle;q=0.9") -> httpx.Response:
    return PLAIN.post(f"{address}sparql", data={"query": query}, headers={"accept": accept})


def answers(address: str) -> bool:
    """Return whether a service answers correctly."""
    return sparql(address, "SELECT (1 AS ?n) {}").text == "n\r\n1\r\n"


@pytest.fixture(scope="module")
def address(mini_store: Path) -> Iterator[str]:
    """A service with tight limits."""
    limits = ("--timeout", 3, "--workers", 2, "--memory", 100, "--rows", 20_000, "--answer", 8)
    with service(mini_store, *limits) as found:
        yield found


def children(process: int) -> list[int]:
    """Return the processes that a process started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == process:
                found.append(int(path.parent.name))
    return found


def owner_of(address: str) -> int:
    """Return the process that listens at an address, among those of this one's services."""
    port = f":{urlsplit(address).port:04X}"
    [inode] = [
        line.split()[9]
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
        if line.split()[1].endswith(port) and line.split()[3] == "0A"
    ]
    for child in children(os.getpid()):
        for link in Path(f"/proc/{child}/fd").iterdir():
            with contextlib.suppress(OSError):
                if os.readlink(link) == f"socket:[{inode}]":
                    return child
    raise AssertionError("nobody listens there")


# -- processes -------------------------------------------------------------------------------------


def test_who_kills_the_processes_under_load_loses_no_answer(mini_store: Path) -> None:
    wrong: list[object] = []
    asked = [0] * 4
    over = threading.Event()

    def client(start: int) -> None:
        number = start
        while not over.is_set():
            number += 4
            try:
                answer = sparql(found, f"SELECT ({number} AS ?n) {{}}")
            except httpx.HTTPError as error:
                wrong.append((number, repr(error)))
                return
            if answer.text != f"n\r\n{number}\r\n":
                wrong.append((number, answer.status_code, answer.text))
            asked[start] += 1

    with service(mini_store, "--workers", 2) as found:
        owner = owner_of(found)
        threads = [threading.Thread(target=client, args=(start,)) for start in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(6):
            before = [*asked]
            [victim, *_] = children(owner) or [0]
            if victim:
                os.kill(victim, signal.SIGKILL)
            # A query gets another process once: each client has to have its answer before the next kill.
            while any(now < then + 5 for now, then in zip(asked, before, strict=True)) and not wrong:
                over.wait(0.02)
        over.set()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert sum(asked) >= 120


@pytest.mark.long(small="test_who_kills_the_processes_under_load_loses_no_answer")
def test_nothing_is_left_when_it_stops(mini_store: Path) -> None:
    """Whether it is asked to stop while a query runs, or is killed."""
    for end in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        command = [*ATTENTIVE, "serve", "--port", "0", "--store", str(mini_store), "--workers", "2"]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            assert process.stdout
            place = process.stdout.readline().strip()
            try:
                assert answers(place)
                workers = children(process.pid)
                with connected(place) as connection:
                    if end != signal.SIGKILL:
                        # A killed process cannot end the query of another; that has its own limit.
                        connection.sendall(request(f"/sparql?query={quote(ENDLESS)}"))
                        threading.Event().wait(0.5)
                    process.send_signal(end)
                    process.wait(60)
            finally:
                process.kill()
        assert len(workers) == 2
        for worker in workers:
            gone(worker)


def gone(process: int) -> None:
    for _ in range(600):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        threading.Event().wait(0.05)
    raise AssertionError("a process is left")


# -- bombs -----------------------------------------------------------------------------------------

BOMBS = {
    "nested groups": ("ASK " + "{" * 3000 + "}" * 3000, 400),
    "nested parentheses": ("ASK { FILTER(" + "(" * 250 + "1" + ")" * 250 + ") }", 400),
    "nested lists": ("ASK { ?s ?p " + "(" * 250 + "1" + ")" * 250 + " }", 400),
    "nested negations": ("ASK { FILTER(" + "!" * 9000 + "true) }", 400),
    "a long path": ("ASK { ?s rg:cites" + "/rg:cites" * 4500 + " ?o }", 400),
    "a path of choices": ("ASK { ?s (" + "|".join(["rg:cites"] * 5000) + ")+ ?o }", 200),
    "a product": (ENDLESS, 503),
    "a sorted product": (ENDLESS.replace("(COUNT(*) AS ?n)", "*") + " ORDER BY ?s7", 503),
    "a string that doubles": (
        "SELECT (STRLEN(?z) AS ?long) { VALUES ?a { 'xxxxxxxxxxxxxxxx' } "
        + " ".join(
            f"BIND(CONCAT(?{a},?{a},?{a},?{a}) AS ?{b})"
            for a, b in zip("abcdefghijklmnopqrs", "bcdefghijklmnopqrsz", strict=True)
        )
        + " }",
        503,
    ),
    "a group of everything": (
        "SELECT (GROUP_CONCAT(CONCAT(STR(?a), STR(?b), STR(?c))) AS ?x) { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z }",
        503,
    ),
    "many values": ("SELECT * { VALUES ?x { " + "1 " * 45_000 + "} VALUES ?y { 1 2 3 } }", 400),
    "a regular expression": (
        "SELECT (COUNT(*) AS ?n) { ?s rg:text ?t FILTER(REGEX(?t, '^(([a-z ])+.)+[A-Z]([a-z ])+$')) }",
        200,
    ),
    "a huge regular expression": ("ASK { FILTER(REGEX('a', '((a{0,999}){0,999}){0,999}')) }", 200),
    "all there is, and again": ("SELECT * { ?s ?p ?o . ?a ?b ?c }", 400),
    "an endless CONSTRUCT": ("CONSTRUCT { ?s ?p ?c } { ?s ?p ?o . ?a ?b ?c }", 400),
}


MORE = pytest.mark.long(small="test_a_bomb_goes_off_where_it_harms_nobody")
FEW = ("a long path", "a product", "many values", "a huge regular expression")


@pytest.mark.parametrize("name", [pytest.param(it, marks=() if it in FEW else MORE) for it in BOMBS])
def test_a_bomb_goes_off_where_it_harms_nobody(address: str, name: str) -> None:
    query, status = BOMBS[name]
    answer = sparql(address, query)
    # Where the machine has much else to do, the deadline may come before any other end.
    guarded = name.startswith(("nested", "a long path"))
    assert answer.status_code in ({status} if guarded else {status, 503}), answer.text[:300]
    assert answer.status_code == 200 or answer.text.strip()
    assert "generations" not in answer.text
    assert answers(address)


def test_an_answer_is_whole_or_a_reason(address: str) -> None:
    """Up to the last allowed row it is complete; with one more there is nothing."""
    rows = " ".join(map(str, range(100)))
    square = f"SELECT ?x ?y {{ VALUES ?x {{ {rows} }} VALUES ?y {{ {rows} }} VALUES ?z {{ 1 2 }} }}"
    for accept in ("application/sparql-results+json", "application/sparql-results+xml", "text/csv"):
        whole = sparql(address, square, accept)
        assert whole.status_code == 200
        assert whole.text.count("\n" if "csv" in accept else '"y":' if "json" in accept else '"y"') >= 20_000
        over = sparql(address, square.replace("1 2", "1 2 3"), accept)
        assert (over.status_code, "too many rows" in over.text) == (400, True)


# -- clients ---------------------------------------------------------------------------------------


def request(path: str, *headers: str) -> bytes:
    return "\r\n".join((f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", "")).encode()


def connected(address: str) -> socket.socket:
    place = urlsplit(address)
    return socket.create_connection((place.hostname or "", place.port or 0), timeout=60)


@pytest.mark.long(small="test_an_answer_is_whole_or_a_reason")
def test_slow_readers_hold_no_process(mini_store: Path) -> None:
    """Each has requested megabytes and reads a byte; the one process keeps answering others."""
    with service(mini_store, "--workers", 1) as found, contextlib.ExitStack() as slow:
        size = len(sparql(found, LARGE, "application/sparql-results+json").content)
        assert size > 4_500_000
        readers = [slow.enter_context(connected(found)) for _ in range(4)]
        for reader in readers:
            if reader is not readers[0]:
                reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.sendall(request(f"/sparql?query={quote(LARGE)}"))
            assert reader.recv(1, socket.MSG_PEEK) == b"H"
            assert answers(found)
        # The first takes up speed, and gets all of it.
        answer = http.client.HTTPResponse(readers[0])
        answer.begin()
        assert answer.read().count(b'"s":') == 30_000


def test_health_does_not_wait_behind_queries(mini_store: Path) -> None:
    """Every process is busy, and a query waits."""
    with service(mini_store, "--workers", 1) as found, contextlib.ExitStack() as opened:
        busy = [opened.enter_context(connected(found)) for _ in range(2)]
        for one in busy:
            one.sendall(request(f"/sparql?query={quote(ENDLESS)}"))
            one.setblocking(False)
        assert PLAIN.get(f"{found}health").json()["status"] == "ok"
        for one in busy:
            with pytest.raises(BlockingIOError):
                one.recv(1)


@pytest.mark.long(small="test_an_answer_is_whole_or_a_reason")
def test_large_answers_wait_within_one_bound(mini_store: Path) -> None:
    """While one of 10 MB is read slowly, 16 MB have no room for a second; later they have."""
    numbers = " ".join(map(str, range(100)))
    large = (
        f"SELECT ?x ?y {{ VALUES ?x {{ {numbers} }} VALUES ?y {{ {numbers} }} VALUES ?z {{ 1 2 3 4 5 6 }} }}"
    )
    with service(mini_store, "--workers", 2, "--files", 16) as found:
        with connected(found) as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.sendall(request(f"/sparql?query={quote(large)}"))
            assert slow.recv(1, socket.MSG_PEEK) == b"H"
            second = sparql(found, large, "application/sparql-results+json")
            assert (second.status_code, second.headers["retry-after"]) == (503, "5")
            assert second.text == "All the space for large answers is in use.\n"
            assert answers(found)
        for _ in range(1200):
            again = sparql(found, large, "application/sparql-results+json")
            if again.status_code == 200:
                break
            threading.Event().wait(0.05)
        assert again.text.count('"x":') == 60_000
        assert 9 << 20 < len(again.content) < 15 << 20


@pytest.mark.long(small="test_an_answer_is_whole_or_a_reason")
def test_who_goes_away_gives_the_process_back(mini_store: Path) -> None:
    with service(mini_store, "--workers", 1, "--timeout", 600) as found:
        with connected(found) as leaving:
            leaving.sendall(request(f"/sparql?query={quote(ENDLESS)}"))
            threading.Event().wait(0.5)
        assert answers(found)


POSTED = b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/sparql-query\r\n"
BROKEN = [
    (b"\x00\xff\xfe garbage\r\n\r\n", 400),
    (b"GET /sparql?query=%ff%fe HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
    (b"GET /sparql?query=ASK%20%7B%7D HTTP/9.9\r\nHost: localhost\r\n\r\n", 400),
    (POSTED + b"Content-Length: -5\r\n\r\n", 400),
    (POSTED + b"Content-Length: 500\r\n\r\nASK", None),
    (b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    (b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n", 414),
    (b"GET /sparql HTTP/1.1\r\n" + b"X: y\r\n" * 20_000, None),
    (b"GET /sparql HTTP/1.1\r\nHost: localhost\r\nAccept: " + b"a/b," * 10_000 + b"\r\n\r\n", 406),
]
"""Each with the status that it gets; None for a request whose end never comes, which may get none."""


def test_broken_requests_break_nothing(address: str) -> None:
    for data, status in BROKEN:
        told = b""
        with connected(address) as broken, contextlib.suppress(OSError):
            broken.sendall(data)
            broken.shutdown(socket.SHUT_WR)
            while part := broken.recv(1 << 16):
                told += part
        # Who still sends while it is refused may find the connection reset before the answer.
        assert told.startswith(f"HTTP/1.1 {status} ".encode()) or not (status and told), data[:60]
        assert told or len(data) > 100_000 or status is None
        assert answers(address)


# -- builds under load -----------------------------------------------------------------------------

GRAPH = "https://example.org/count"


def count_to(folder: Path, number: int) -> None:
    """Replace what a graph counts: two things, always the same number."""
    with open_store(folder, write=True).rewrite() as rewrite:
        rewrite.drop([GRAPH])
        lines = [f'<x:{name}> <x:n> "{number}" <{GRAPH}> .\n'.encode() for name in ("one", "other")]
        rewrite.load(lines)


def switched(folder: Path, times: int) -> None:
    """Change a served store this often while clients ask, and compare every answer with what it may be."""
    query = f"SELECT ?a ?b {{ GRAPH <{GRAPH}> {{ <x:one> <x:n> ?a . <x:other> <x:n> ?b }} }}"
    wrong: list[object] = []
    asked = [0]
    over = threading.Event()
    count_to(folder, 0)

    def client(seed: int) -> None:
        dice, seen = random.Random(seed), 0
        while not over.is_set():
            # Some ask for what may be kept, some for what was never asked before.
            text = f"{query} #{dice.random()}" if dice.random() < 0.5 else query
            answer = sparql(found, text, "application/sparql-results+json")
            rows = json.loads(answer.text)["results"]["bindings"] if answer.status_code == 200 else []
            values = {int(it["value"]) for row in rows for it in row.values()}
            if len(rows) != 1 or len(values) != 1 or min(values) < seen:
                wrong.append((answer.status_code, answer.text, seen))
                return
            seen = values.pop()
            asked[0] += 1
            over.wait(
                0.01
            )  # three that never pause would take the processors from the builds and the service

    with service(folder, "--workers", 2) as found:
        threads = [threading.Thread(target=client, args=(seed,)) for seed in range(3)]
        for thread in threads:
            thread.start()
        for number in range(1, times + 1):
            before = asked[0]
            count_to(folder, number)
            while asked[0] < before + 3 and not wrong:
                over.wait(0.01)
        for _ in range(3000):
            last = sparql(found, query)
            if wrong or last.text == f"a,b\r\n{times},{times}\r\n":
                break
            over.wait(0.01)
        over.set()
        for thread in threads:
            thread.join()
        assert wrong == []
        assert last.text == f"a,b\r\n{times},{times}\r\n"
    assert asked[0] >= 3 * times
    assert len(list((folder / "generations").iterdir())) <= 3


@pytest.mark.long(small="test_who_kills_the_processes_under_load_loses_no_answer")
def test_builds_under_load(starter_copy: Path) -> None:
    switched(starter_copy, 8)


@pytest.mark.long(small="test_who_kills_the_processes_under_load_loses_no_answer")
def test_many_builds_under_load(small_store: Path, tmp_path: Path, part_of: PartOf) -> None:
    switched(Path(shutil.copytree(small_store, tmp_path / "store")), len(part_of(range(80), 25)))
