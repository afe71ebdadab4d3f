"""The service around its routes: negotiation, errors, headers, the served generation, start and stop."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest
from commands import MINI, PROGRAM, Run
from live import ATTENTIVE, service
from rulesgraph.app.web.current import Current
from rulesgraph.app.web.headers import POLICY, preferred
from rulesgraph.app.web.service import application
from rulesgraph.app.web.service_limits import ServiceLimits
from rulesgraph.loaders.build import build
from rulesgraph.ontology.errors import StoreError, StoreMissingError, UsageError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

OFFERS = ["application/json", "text/turtle", "text/html"]

ACCEPTED = [
    (None, "application/json"),
    ("", "application/json"),
    ("*/*", "application/json"),
    ("text/*", "text/turtle"),
    ("text/html", "text/html"),
    ("TEXT/HTML", "text/html"),
    ("text/html;q=0.5,text/turtle;q=0.4", "text/html"),
    # A browser.
    ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
    # The narrowest range decides, wherever it is: RFC 9110, 12.5.1.
    ("text/*, text/turtle;q=0.1, text/html;q=0.2", "text/html"),
    ("*/*;q=0.1, text/*;q=0", "application/json"),
    ("application/json;q=0, */*", "text/turtle"),
    # Named beats let in, the first offer beats a later one.
    ("*/*, text/html", "text/html"),
    ("text/html, text/turtle", "text/turtle"),
    # Parameters other than q, quoted commas, spaces, more digits than there may be.
    ('text/html;level="1,2";q=0.9 , text/turtle ; q = 0.8', "text/html"),
    ("text/turtle;charset=utf-8", "text/turtle"),
    ("text/html;q=0.0001, text/turtle;q=0.2", "text/html"),
    ("text/html;q=", "text/html"),
    # What cannot be read is passed over.
    ("html, text/turtle", "text/turtle"),
    ("image/png", None),
    ("*/*;q=0", None),
    ("nonsense", None),
]


@pytest.mark.parametrize(("accept", "expected"), ACCEPTED)
def test_what_a_client_wants_most_is_found(accept: str | None, expected: str | None) -> None:
    assert preferred(accept, OFFERS) == expected


async def _fail(_: Request) -> Response:
    raise ZeroDivisionError("inside")


async def _misuse(_: Request) -> Response:
    raise UsageError("<this> is wrong", way_out="Do it otherwise.")


async def _break(_: Request) -> Response:
    raise StoreError("the disk is gone", where="/somewhere")


async def _long(_: Request) -> Response:
    return Response("word " * 1000, media_type="text/plain")


@pytest.fixture(scope="module")
def client(starter_store: Path) -> httpx.AsyncClient:
    """A client of a service with some additional routes, which fail in several ways."""
    app = application(starter_store)
    app.router.routes += [
        Route("/fail", _fail),
        Route("/misuse", _misuse),
        Route("/break", _break),
        Route("/long", _long),
    ]
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://test")


Get = Callable[..., httpx.Response]


@pytest.fixture
def get(client: httpx.AsyncClient) -> Get:
    import anyio

    def get(path: str, method: str = "GET", **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}

        async def ask() -> httpx.Response:
            return await client.request(method, path, headers=named)

        return anyio.run(ask)

    return get


def test_every_answer_forbids_what_is_foreign(get: Get) -> None:
    for path in ("/long", "/nowhere", "/misuse"):
        headers = get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_answers_are_compressed_for_who_takes_it(get: Get) -> None:
    assert get("/long", accept_encoding="gzip").headers["content-encoding"] == "gzip"
    for refused in ("identity", "gzip;q=0, *"):
        plain = get("/long", accept_encoding=refused)
        assert "content-encoding" not in plain.headers
        assert "Accept-Encoding" in plain.headers["vary"]


def test_scripts_of_other_sites_may_read(get: Get) -> None:
    assert get("/long", origin="https://other.example").headers["access-control-allow-origin"] == "*"
    asked = {"origin": "https://other.example", "access_control_request_method": "POST"}
    allowed = get("/long", "OPTIONS", **asked, access_control_request_headers="content-type")
    assert (allowed.status_code, allowed.headers["access-control-allow-origin"]) == (200, "*")
    assert "POST" in allowed.headers["access-control-allow-methods"]


@pytest.mark.parametrize(
    ("public", "host", "origin", "is_answered"),
    [
        ("", "127.0.0.1:8000", "", True),
        ("", "LOCALHOST", "", True),
        ("", "[::1]:8000", "http://[::1]:8000", True),
        ("", "192.0.2.7:8000", "http://192.0.2.7:8000", True),
        ("", "rebound.example:8000", "", False),
        ("", "127.0.0.1.rebound.example", "", False),
        ("", "localhost.rebound.example", "", False),
        ("", "[::1", "", False),
        ("", "127.0.0.1:8000", "https://other.example", False),
        ("", "127.0.0.1:8000", "http://127.0.0.1:3000", False),
        ("", "127.0.0.1:8000", "null", False),
        ("https://rules.example/", "rules.example", "https://other.example", True),
        ("https://rules.example/", "rebound.example", "", False),
        ("*", "rebound.example", "https://other.example", True),
    ],
)
def test_a_service_is_local_unless_it_is_told_otherwise(
    starter_store: Path,
    caplog: pytest.LogCaptureFixture,
    public: str,
    host: str,
    origin: str,
    is_answered: bool,
) -> None:
    """Pages, data and queries are refused alike; nothing says that other sites' scripts may read."""
    caplog.set_level("INFO", logger="rulesgraph")
    service = application(starter_store, ServiceLimits(workers=1), public)
    headers = {"host": host, **({"origin": origin} if origin else {})}
    with TestClient(service) as client:
        for path in ("/", "/term/landwalk.ttl", "/sparql?query=ASK%7B%7D"):
            for method in ("GET", "POST", "OPTIONS"):
                found = client.request(method, path, headers=headers)
                assert (found.status_code == 403) != is_answered, (method, path)
                assert (f"testclient refused: {found.text.strip()}" in caplog.text) != is_answered
                assert ("access-control-allow-origin" in found.headers) == (
                    bool(public) and is_answered and (path.startswith("/sparql") or bool(origin))
                )


ERRORS = [
    ("GET", "/nowhere", 404, "There is nothing at this address."),
    ("POST", "/long", 405, "POST is not allowed here; GET, HEAD are."),
    ("GET", "/misuse", 400, "<this> is wrong\nDo it otherwise."),
    ("GET", "/break", 500, "The service cannot read its data."),
    ("GET", "/fail", 500, "An unexpected error occurred; the service log has the details."),
]


@pytest.mark.parametrize(("method", "path", "status", "reason"), ERRORS)
def test_an_error_says_what_it_is_in_the_form_that_is_wanted(
    get: Get, method: str, path: str, status: int, reason: str
) -> None:
    plain = get(path, method)
    # An order of methods is not promised.
    told = plain.text.replace("HEAD, GET", "GET, HEAD").rstrip()
    assert (plain.status_code, plain.headers["content-type"]) == (status, "text/plain; charset=utf-8")
    assert told == reason
    problem = get(path, method, accept="application/json")
    assert (problem.status_code, problem.headers["content-type"]) == (status, "application/problem+json")
    assert json.loads(problem.text)["status"] == status
    page = get(path, method, accept="text/html,*/*;q=0.8")
    assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert "<this>" not in page.text
    assert get(path, method, accept="image/png").headers["content-type"] == "text/plain; charset=utf-8"
    for answer in (plain, problem, page):
        assert "inside" not in answer.text
        assert "/somewhere" not in answer.text


@pytest.mark.parametrize("path", ["/fail", "/sparql?query=ASK {}"])
def test_what_nobody_foresaw_reaches_the_server_which_logs_it(
    starter_store: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    app = application(starter_store)
    app.router.routes.append(Route("/fail", _fail))
    monkeypatch.setattr("rulesgraph.app.web.sparql.endpoint.answered", _fail_to_answer)
    with pytest.raises(ZeroDivisionError):
        TestClient(app).get(path)
    said = TestClient(app, raise_server_exceptions=False).get(path)
    assert (said.status_code, "the service log has the details" in said.text) == (500, True)


async def _fail_to_answer(*_: object) -> Response:
    raise ZeroDivisionError("inside")


# -- what is in force ------------------------------------------------------------------------------


@pytest.fixture
def growing(starter_copy: Path) -> tuple[Current, Path]:
    """A store that is served while it is rebuilt, and its folder."""
    return Current(starter_copy), starter_copy


def eventually(current: Current, generation: int) -> None:
    """Wait until a generation is served."""
    for _ in range(1000):
        if current.now().generation == generation:
            return
        time.sleep(0.01)
    raise AssertionError(f"generation {generation} never came into force")


def test_a_new_build_comes_into_force(growing: tuple[Current, Path]) -> None:
    current, folder = growing
    before = current.now()
    assert current.now() is before
    page = sorted(MINI.glob("lanterns-*"))[0]
    assert not build([page], str(folder)).refused
    eventually(current, before.generation + 1)
    after = current.now()
    assert len(after.rules.editions) == 2
    assert after.digest != before.digest
    assert after.etag("a") != before.etag("a")
    # A holder of the state before keeps seeing it, and its files stay; then they go with the next build.
    assert len(before.rules.editions) == 1
    kept = folder / "generations" / str(before.generation)
    assert kept.exists()
    del before
    build([page], str(folder))
    assert not kept.exists()


def test_entity_tags_go_by_what_is_asked_and_what_is_there(starter_store: Path) -> None:
    first, second = Current(starter_store).now(), Current(starter_store).now()
    assert first.etag("query", "json") == second.etag("query", "json")
    assert first.etag("query", "json") != first.etag("query", "xml")
    assert first.etag("a", "b") != first.etag("ab")


def test_a_state_that_cannot_be_opened_leaves_the_one_before(
    growing: tuple[Current, Path], caplog: pytest.LogCaptureFixture
) -> None:
    current, folder = growing
    before = current.now()
    pointer = folder / "rulesgraph.json"
    well = pointer.read_text()
    replace(pointer, "{}")
    for _ in range(1000):
        assert current.now() is before
        if caplog.text:
            break
        time.sleep(0.01)
    assert "Still serving the previous state" in caplog.text
    replace(pointer, well.replace('"generation": ', '"generation": 0'))
    assert current.now() is before


def replace(path: Path, text: str) -> None:
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


# -- the command -----------------------------------------------------------------------------------


def test_pages_belong_where_they_are_served_for_everybody(starter_store: Path) -> None:
    base = "https://w3id.org/rulesgraph/"
    for options, home in ((("--public", "https://rules.example"), "https://rules.example/"), ((), base)):
        with service(starter_store, *options) as address:
            found = httpx.get(f"{address}term/landwalk.html")
            page = f"{home}term/landwalk.html"
            assert found.headers["link"] == f'<{page}>; rel="canonical"'
            assert f'<link rel="canonical" href="{page}">' in found.text
            [described] = re.findall(r'<script type="application/ld\+json">(.*?)</script>', found.text)
            told = json.loads(described)
            assert (told["url"], told["@id"]) == (page, f"{base}term/landwalk")


def test_a_store_without_editions_is_served_and_the_log_says_so(run: Run, starter_copy: Path) -> None:
    assert run("drop", "starter", "--store", starter_copy)[0] == 0
    command = [*PROGRAM, "serve", "--port", "0", "--store", str(starter_copy)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert (
            ", without editions (`rulesgraph build` loads them), at http"
            in process.communicate(timeout=30)[1]
        )


def test_a_service_starts_answers_and_stops(starter_store: Path) -> None:
    with service(starter_store) as address:
        assert httpx.get(f"{address}nowhere").status_code == 404
        description = httpx.get(f"{address}dataset.ttl").text
        assert f"<{address}sparql>" in description
        assert f"<{address}download/rulesgraph.nq.gz>" in description


@pytest.mark.long(small="test_a_service_starts_answers_and_stops")
def test_an_interrupt_ends_it_as_it_ends_every_command(starter_store: Path) -> None:
    command = [*ATTENTIVE, "serve", "--quiet", "--port", "0", "--store", str(starter_store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert httpx.get(f"{process.stdout.readline().strip()}nowhere").status_code == 404
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30)[1] == "rulesgraph: stopped\n"
        assert process.returncode == 130


def test_health_says_what_is_served_and_that_files_are_gone(starter_copy: Path) -> None:
    with TestClient(application(starter_copy), base_url="http://localhost") as web:
        told = {"version": version("rulesgraph"), "edition": "starter", "generation": 1}
        found = web.get("/health")
        assert (found.status_code, found.json()) == (200, {"status": "ok", **told})
        assert found.headers["cache-control"] == "no-store"
        # A new build that cannot be opened changes nothing for those who ask.
        replace(starter_copy / "rulesgraph.json", "{}")
        assert web.get("/health").status_code == 200
        table = max((starter_copy / "generations" / "1").glob("*.sst"))
        table.unlink()
        found = web.get("/health")
        assert (found.status_code, found.json()["status"]) == (503, "the store cannot be read")


def test_crawlers_and_browsers_find_what_they_ask_every_site_for(starter_store: Path) -> None:
    with TestClient(application(starter_store), base_url="http://localhost") as web:
        assert "Disallow: /sparql\n" in web.get("/robots.txt").text
        assert web.get("/favicon.ico").headers["content-type"] == "image/svg+xml"


def test_the_log_names_requests_refusals_and_what_is_served(starter_store: Path) -> None:
    command = [*PROGRAM, "serve", "--port", "0", "--store", str(starter_store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().strip()
        statuses = [
            httpx.get(f"{address}{path}").status_code
            for path in (
                "health",
                "nowhere",
                "sparql?query=SELECT%20%3F%0A%1B%5B31m",
                "sparql?query=ASK%20%7B%7D%23%C3%A9",
            )
        ]
        process.send_signal(signal.SIGTERM)
        out, said = process.communicate(timeout=30)
    assert (process.returncode, out, statuses) == (0, "", [200, 404, 400, 200])
    started, *lines = said.splitlines()
    assert f"rulesgraph {version('rulesgraph')} serves {starter_store}, generation 1, " in started
    assert started.endswith(f"editions: 1, current: starter, at {address}")
    shown = [line.partition("INFO:")[2].strip() for line in lines]
    assert [line.rpartition('" ')[2] for line in shown if "HTTP/1.1" in line] == [
        "200 OK",
        "404 Not Found",
        "400 Bad Request",
        "200 OK",
    ]
    [refused, stopped] = [line for line in shown if "HTTP/1.1" not in line]
    assert stopped == "rulesgraph has stopped"
    assert refused.startswith("127.0.0.1 query refused: ")
    assert refused.endswith(r": SELECT ? \x1b[31m")


@pytest.mark.parametrize(
    ("path", "stops", "code", "said"),
    [
        ("sparql", (signal.SIGTERM, signal.SIGTERM), 0, ""),
        ("query.html", (signal.SIGINT, signal.SIGINT), 130, "rulesgraph: stopped\n"),
    ],
)
def test_a_signal_to_all_its_processes_is_told_as_a_stop(
    mini_store: Path, path: str, stops: tuple[int, int], code: int, said: str
) -> None:
    """As systemd and a terminal send it: the client of a running query hears that the service stops."""
    endless = f"SELECT (COUNT(*) AS ?n) {{ {' '.join(f'?s{n} ?p{n} ?o{n} .' for n in range(8))} }}"
    command = [*ATTENTIVE, "serve", "--quiet", "--port", "0", "--workers", "1", "--store", str(mini_store)]
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as process,
        ThreadPoolExecutor(1) as clients,
    ):
        assert process.stdout
        address = process.stdout.readline().strip()
        asked = clients.submit(httpx.get, f"{address}{path}", params={"query": endless}, timeout=60)
        time.sleep(1)
        # A worker leaves stopping to its parent; the second signal ends the wait for running requests.
        for stop in stops:
            os.killpg(process.pid, stop)
            time.sleep(0.3)
        assert process.communicate(timeout=30)[1] == said
        assert process.returncode == code
        told = asked.result()
    assert (told.status_code, "The service is stopping." in told.text) == (503, True)
    assert "memory" not in told.text


def test_what_cannot_be_served_is_refused(run: Run, starter_store: Path, tmp_path: Path) -> None:
    assert run("serve", "--store", tmp_path / "none")[0] == 4
    code, _, err = run("serve", "--store", ":memory:")
    assert (code, "only a store in a folder can be served" in err) == (2, True)
    for option, wrong, said in (
        ("--port", "70000", "70000 is not a port"),
        (
            "--host",
            "nowhere.invalid",
            "nowhere.invalid is not an address of this machine\n  Choose another --host.",
        ),
        ("--host", "192.0.2.1", "192.0.2.1 is not an address of this machine"),
        ("--workers", "0", "a positive whole number, not '0'"),
        ("--timeout", "-1", "--timeout"),
        ("--public", "rules.example", "'rules.example': this is not the address of a site\n  Write it as"),
        ("--public", "https://rules.example/a/?x", "this is not the address of a site"),
        ("--public", "https://rules.example/mtg/", "only a published site may have a path."),
    ):
        code, out, err = run("serve", option, wrong, "--store", starter_store)
        assert (code, out, said in err) == (2, "", True), err
    with pytest.raises(StoreMissingError):
        Current(tmp_path / "none")


def test_without_the_extra_it_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch, starter_store: Path
) -> None:
    # Repeated imports are forgotten afterwards, also as an attribute of the package above.
    monkeypatch.setattr("rulesgraph.app.web", sys.modules["rulesgraph.app.web"])
    for name in [name for name in sys.modules if name.startswith("rulesgraph.app.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    code, _, err = run("serve", "--store", starter_store)
    assert (code, 'pip install "starlette<2,>=1.0" "uvicorn>=0.30" ' in err) == (2, True)
