"""The endpoint under load, beside Oxigraph's own server on the same data in the same run."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import rulesgraph
from rulesgraph.app.web.pages.layout import PageContext
from rulesgraph.app.web.pages.page_table import things_of
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.iris import Iris

POINT = """
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
SELECT ?name ?other WHERE {
  <https://w3id.org/rulesgraph/term/protection> skos:prefLabel ?name OPTIONAL {
    <https://w3id.org/rulesgraph/term/protection> skos:altLabel ?other } }"""
HEAVY = """
PREFIX rg: <https://w3id.org/rulesgraph/ns#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
SELECT ?name (COUNT(DISTINCT ?unit) AS ?n) WHERE { ?unit rg:mentions ?term . ?term skos:prefLabel ?name }
GROUP BY ?name ORDER BY DESC(?n) ?name LIMIT 20"""

_SECONDS = 8
_ROUNDS = 3
_CONNECTIONS = 8
_STRIDE = 1009
"""A prime: steps of it go through a list in an order that mixes neighbours."""

_NEVER_ASKED = """\
local count = {start}
request = function()
  count = count + 1
  return wrk.format("GET", wrk.path .. "%20%23" .. count)
end
"""
"""For wrk: each query has a unique comment, so no answer can be cached."""


_ONE_AFTER_THE_OTHER = """\
local addresses = {{{addresses}}}
local count = 0
request = function()
  count = count + 1
  return wrk.format("GET", "/" .. addresses[(count - 1) % #addresses + 1])
end
"""
"""For wrk: the pages at some addresses, again and again."""

_PAGE_SECONDS = 4
"""So short that the pages of an edition last as long."""


class PageLoad(NamedTuple):
    """Pages per second from the service."""

    what: str
    rate: float
    aim: str


class Running(NamedTuple):
    """A server: its address for queries, and the id of its process."""

    address: str
    process: int


class Load(NamedTuple):
    """Requests a second of both, the best of some rounds in turn."""

    what: str
    ours: float
    plain: float
    aim: str


def loads(store: Path, folder: Path) -> list[Load]:
    """Measure the endpoint over a store, if `wrk` is installed.

    Raises `AssertionError` if the two answer differently.
    """
    if shutil.which("wrk") is None:
        return []
    opened = open_store(store)
    graph = Iris(opened.base).graph("current")
    script = folder / "never-asked.lua"
    with _ours(store) as ours, oxigraph(database(store)) as plain:
        found = []
        for what, query, fresh, aim in (
            ("a point query, answer cached", POINT, False, "0.5"),
            ("a point query never asked before", POINT, True, "0.3"),
            ("a heavy query never asked before", HEAVY, True, "0.9"),
        ):
            fields = {"default-graph-uri": graph, "query": query}
            given = urllib.parse.urlencode(fields, quote_via=urllib.parse.quote)
            addresses = [f"{server}?{given}" for server in (ours, plain.address)]
            first, second = map(_answer, addresses)
            assert first == second, what
            best = [0.0, 0.0]
            for number in range(_ROUNDS):
                script.write_text(_NEVER_ASKED.format(start=number * 10**9), encoding="utf-8")
                for place, address in enumerate(addresses):
                    best[place] = max(best[place], _rate(address, script if fresh else None))
            found.append(Load(what, best[0], best[1], aim))
    return found


def page_loads(store: Path, folder: Path) -> list[PageLoad]:
    """Measure pages of terms and rules of the newest edition, mixed, if `wrk` is installed.

    First unvisited ones, each once; then the same again. Raises `AssertionError` if the edition has too few.
    """
    if shutil.which("wrk") is None:
        return []
    context = PageContext(rulesgraph.open(store))
    known = (iri[len(context.iris.base) :] for iri in things_of(context, context.newest.id))
    pages = [f'"{it}.html"' for it in known if re.fullmatch("term/[^/]+|edition/[^/]+/rule/[^/]+", it)]
    first, *mixed = (pages[place * _STRIDE % len(pages)] for place in range(len(pages)))
    script = folder / "pages.lua"
    with _ours(store) as endpoint:
        address = endpoint.removesuffix("sparql")
        # The first page reads the edition.
        _answer(address + first.strip('"'))
        script.write_text(_ONE_AFTER_THE_OTHER.format(addresses=", ".join(mixed)), encoding="utf-8")
        new = _rate(address, script, _PAGE_SECONDS)
        assert new * _PAGE_SECONDS <= len(mixed), "there were not pages enough for as long"
        some = mixed[: min(len(mixed), int(new * _PAGE_SECONDS))]
        script.write_text(_ONE_AFTER_THE_OTHER.format(addresses=", ".join(some)), encoding="utf-8")
        kept = _rate(address, script, _PAGE_SECONDS)
    return [
        PageLoad("pages of terms and rules, never asked before", new, "300"),
        PageLoad("the same pages, cached", kept, "300"),
    ]


def _answer(address: str) -> bytes:
    request = urllib.request.Request(address, headers={"Accept": "text/csv"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return bytes(answer.read())


def _rate(address: str, script: Path | None, seconds: int = _SECONDS) -> float:
    """Return the requests per second that a server answers; raises `AssertionError` if one is refused."""
    given = ["-s", str(script)] if script else []
    command = ["wrk", "-t1", f"-c{_CONNECTIONS}", f"-d{seconds}s", "--timeout", "30s", *given]
    done = subprocess.run([*command, address], capture_output=True, text=True, check=True)
    assert "Non-2xx" not in done.stdout, done.stdout
    assert "Socket errors" not in done.stdout, done.stdout
    rate = re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)
    assert rate, done.stdout
    return float(rate[1])


@contextmanager
def _ours(store: Path) -> Iterator[str]:
    program = "import sys; from rulesgraph.app.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "serve", "--port", "0", "--store", str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield f"{process.stdout.readline().strip()}sparql"
        finally:
            process.terminate()


def database(store: Path) -> Path:
    """Return the folder of the engine's own files in a store that does not change."""
    return max((store / "generations").iterdir(), key=lambda it: int(it.name))


@contextmanager
def oxigraph(folder: Path) -> Iterator[Running]:
    """Run Oxigraph's own server over its files, which it only reads."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{free.getsockname()[1]}"
    program = Path(sys.executable).parent / "oxigraph"
    command = [str(program), "serve-read-only", "--location", str(folder), "--bind", place]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(200):
                try:
                    _answer(f"http://{place}/query?query=ASK%7B%7D")
                    break
                except OSError:
                    time.sleep(0.05)
            yield Running(f"http://{place}/query", process.pid)
        finally:
            process.kill()
