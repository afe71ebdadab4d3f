"""Documents from web addresses: what can go wrong is said, and is bounded."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from rulesgraph.app import fetch
from rulesgraph.ontology.errors import SourceError

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "loaders" / "starter" / "g16.txt").read_bytes()
Run = Callable[..., tuple[int, str, str]]


class Site(BaseHTTPRequestHandler):
    """Serves one page, redirects, a missing page, and one that never ends."""

    def do_GET(self) -> None:
        if self.path == "/g16":
            self._answer(200, PAGE)
        elif self.path == "/moved":
            self._answer(302, b"", location="/g16")
        elif self.path == "/to-a-file":
            self._answer(302, b"", location="file:///etc/hostname")
        elif self.path == "/to-ftp":
            self._answer(302, b"", location="ftp://127.0.0.1/x")
        elif self.path == "/endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b"x" * 1000)
                    time.sleep(0.01)
            except OSError:
                return
        else:
            self._answer(404, b"gone")

    def _answer(self, code: int, body: bytes, location: str = "") -> None:
        self.send_response(code)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", str(len(body)))
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
    source = fetch.fetch(site + path)
    assert source.name == site + path
    assert "Pass in Succession" in "\n".join(source.lines)


@pytest.mark.parametrize(
    ("path", "said"),
    [("/nothing", "404"), ("/to-a-file", "302"), ("/to-ftp", "unknown url type")],
)
def test_what_cannot_be_had_is_said(site: str, path: str, said: str) -> None:
    with pytest.raises(SourceError, match=said) as caught:
        fetch.fetch(site + path)
    assert caught.value.source == site + path
    assert "Check the address" in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:9/x", "http://", "http://[::1/x", "http://127.0.0.1:x/"]
)
def test_addresses_that_lead_nowhere(address: str) -> None:
    with pytest.raises(SourceError, match="cannot be fetched"):
        fetch.fetch(address)


def test_size_and_time_are_bounded(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "MOST_SECONDS", 0.2)
    with pytest.raises(SourceError, match="longer than"):
        fetch.fetch(site + "/endless")
    monkeypatch.setattr(fetch, "MOST_BYTES", 10)
    with pytest.raises(SourceError, match="larger than"):
        fetch.fetch(site + "/endless")


def test_build_loads_what_can_be_had_and_names_the_rest(site: str, run: Run, tmp_path: Path) -> None:
    store = tmp_path / "store"
    code, out, err = run("build", site + "/g16", site + "/nothing", "--store", store)
    assert code == 3
    assert "starter-g16" in out
    assert f"{site}/nothing" in err
    assert "404" in err
    code, _, _ = run("build", site + "/g16", site + "/nothing", "--strict", "--store", tmp_path / "strict")
    assert code == 3
    assert not (tmp_path / "strict").exists()
