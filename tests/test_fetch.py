"""Documents from web addresses: whatever can go wrong is reported and bounded."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from commands import Run
from rulesgraph.app.python import building
from rulesgraph.ontology.errors import SourceError

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "loaders" / "starter" / "g16.txt").read_bytes()


class Site(BaseHTTPRequestHandler):
    """Serves one page, redirects, a missing page, parts of one, and some that do not end."""

    def do_GET(self) -> None:
        if self.path == "/g16":
            self._answer(200, PAGE)
        elif self.path == "/moved":
            self._answer(302, b"", location="/g16")
        elif self.path == "/to-a-file":
            self._answer(302, b"", location="file:///etc/hostname")
        elif self.path == "/part":
            self._answer(206, PAGE)
        elif self.path == "/created":
            self._answer(201, PAGE)
        elif self.path == "/cut":
            self._answer(200, PAGE, missing=1)
        elif self.path == "/endless":
            self._pour(b"x" * 100_000)
        elif self.path == "/drip":
            self._pour(b"x")
        else:
            self._answer(404, b"gone")

    def _pour(self, piece: bytes) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(500):
                self.wfile.write(piece)
                time.sleep(0.02)
        except OSError:
            return

    def _answer(self, code: int, body: bytes, location: str = "", missing: int = 0) -> None:
        self.send_response(code, "Not \x1b[31mFound" if code == 404 else None)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", str(len(body) + missing))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("path", ["/g16", "/moved"])
def test_a_page_is_fetched(site: str, path: str) -> None:
    source = building.fetch(site + path)
    assert source.name == site + path
    assert "Pass in Succession" in "\n".join(source.lines)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/nothing", "the server answered 404 Not \\x1b[31mFound"),
        ("/part", "the server answered 206 Partial Content"),
        ("/created", "the server answered 201 Created"),
        (
            "/to-a-file",
            "it cannot be downloaded: the server redirects to something that is not a web address",
        ),
        ("/cut", "it cannot be downloaded: peer closed connection without sending complete message body "),
        ("/endless", "it cannot be downloaded: it is larger than 1 MB"),
        ("/drip", "it cannot be downloaded: it takes longer than 0.5 seconds"),
    ],
)
def test_what_cannot_be_had_is_said(site: str, path: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "LARGEST", 1 << 20)
    monkeypatch.setattr(building, "_MOST_SECONDS", 0.5 if path == "/drip" else 30)
    with pytest.raises(SourceError) as caught:
        building.fetch(site.replace("//", "//ada:secret@") + path)
    assert caught.value.source == site + path
    first, second = str(caught.value).split("\n")
    assert first.startswith(f"{site}{path}: {says}")
    assert second == "  Check the address, or download the file yourself and give its path."


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:9/x",
        "http://",
        "http://[::1/x",
        "http://127.0.0.1:x/",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1:0/",
        "file:///etc/hostname",
        "ftp://127.0.0.1/x",
        "http://dörfer.invalid/régles",
    ],
)
def test_addresses_that_lead_nowhere(address: str) -> None:
    assert building.is_address(address)
    with pytest.raises(SourceError, match="it cannot be downloaded: "):
        building.fetch(address)


def test_build_loads_what_can_be_had_and_names_the_rest(site: str, run: Run, tmp_path: Path) -> None:
    store = tmp_path / "store"
    code, out, err = run("build", site + "/g16", site + "/nothing", "--store", store)
    assert code == 3
    assert "starter-g16" in out
    assert f"{site}/nothing" in err
    assert "404" in err


def test_a_password_in_an_address_is_not_printed(site: str, run: Run, tmp_path: Path) -> None:
    address = site.replace("//", "//ada:secret@")
    for more in ((), ("--json",)):
        code, out, err = run(
            "build", address + "/g16", address + "/nothing", "--store", tmp_path / "s", *more
        )
        assert code == 3
        assert f"{site}/nothing" in out + err
        assert "secret" not in out + err


def test_strict_loads_nothing_when_one_cannot_be_had(site: str, run: Run, tmp_path: Path) -> None:
    code, _, _ = run("build", site + "/g16", site + "/nothing", "--strict", "--store", tmp_path / "strict")
    assert code == 3
    assert not (tmp_path / "strict").exists()


@pytest.mark.parametrize("torn", ["pass/word", "pass?word", "pass#word", "p/a@ss"])
def test_a_password_that_tears_the_address_apart_is_not_shown(run: Run, tmp_path: Path, torn: str) -> None:
    address = f"http://ada:{torn}@127.0.0.1:1/rules"
    for words, code in (
        (["build", address, "--store", tmp_path / "made"], 3),
        (["editions", "--store", address], 2),
    ):
        ended, out, err = run(*words)
        assert (ended, out) == (code, "")
        assert "http://127.0.0.1:1/rules" in err
        assert "in a password / is written %2F" in err
        assert not {"ada", "pass", "word", "ss@"} & set(re.split(r"[^a-z@]+", err.replace("a password", "")))
