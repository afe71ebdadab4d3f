"""`rulesgraph get` downloads a text from its publisher (here our own server), keeps it and loads it."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import rulesgraph
from commands import MINI, Run

EARLY, LATE = (path.read_bytes() for path in sorted(MINI.glob("lanterns-*.txt")))
TEXTS = {
    "/2031/Rules%2020310201.txt": EARLY,
    "/2031/Rules%2020310701.txt": LATE,
    "/bad/20320101.txt": b"No rules.",
}
PAGES = {
    "/rules": "<a href=\"/2031/Rules 20310201.txt\">old</a> <A HREF='/2031/Rules%2020310701.txt'>new</A>",
    "/empty": "nothing",
    "/astray": '<a href="http://localhost:1/20310701.txt">new</a>',
    "/worse": '<a href="/bad/20320101.txt">new</a>',
}


class PublishersSite(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = TEXTS.get(self.path) or PAGES.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def publisher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file that names the publisher, which is on loopback; nothing was downloaded yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), PublishersSite)
    Thread(target=server.serve_forever, daemon=True).start()
    file = tmp_path / "config" / "rulesgraph" / "publisher"
    file.parent.mkdir(parents=True)
    site = f"http://127.0.0.1:{server.server_port}"
    file.write_text(f"{site}/rules\n{site}/{{year}}/Rules%20{{date}}.txt\nThe keepers of the lanterns\n")
    yield file
    server.shutdown()
    server.server_close()


def test_the_newest_text_is_kept_and_loaded(run: Run, publisher: Path, tmp_path: Path) -> None:
    """From nothing to an answer about one's own edition."""
    store = tmp_path / "store"
    code, _, err = run("get", "--store", store)
    assert code == 2
    assert "belongs to The keepers of the lanterns" in err
    assert "--yes" in err
    assert not store.exists()
    assert run("get", "--yes", "--store", store)[0] == 0
    kept = tmp_path / "data" / "rulesgraph" / "Rules 20310701.txt"
    assert kept.read_bytes() == LATE
    code, out, _ = run("ask", "definition", "Flutter", "--store", store, "--format", "csv")
    assert code == 0
    assert "cr-2031-07-01" in out
    assert run("get", "--edition", "2031-02-01", "--store", store)[0] == 0  # asked once
    assert [it.id for it in rulesgraph.open(store).editions] == ["cr-2031-07-01", "cr-2031-02-01"]


def test_a_publisher_in_another_encoding_is_refused(run: Run, publisher: Path) -> None:
    publisher.write_bytes("page\naddress\nMünchen".encode("utf-16"))
    code, _, err = run("get", "--yes")
    assert code == 2
    assert "this file needs three lines" in err


def test_an_address_may_be_named(run: Run, publisher: Path, tmp_path: Path) -> None:
    site = publisher.read_text().partition("/rules")[0]
    assert run("get", f"{site}/2031/Rules%2020310201.txt", "--yes", "--store", tmp_path / "store")[0] == 0
    assert run("get", f"{site}/rules.txt", "--edition", "2031-02-01", "--yes")[0] == 2
    code, _, err = run("get", f"{site}/nowhere/a.txt", "--yes", "--store", tmp_path / "store")
    assert (code, "the server answered 404" in err) == (3, True)
    assert run("get", "--edition", "yesterday", "--yes")[0] == 2


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ("empty", "the page has no link to a rules text"),
        ("astray", "it points to a private address of another host, localhost"),
        ("worse", "this is not a rules document"),
    ],
)
def test_what_cannot_be_had_leaves_nothing(
    run: Run, publisher: Path, tmp_path: Path, page: str, says: str
) -> None:
    publisher.write_text(publisher.read_text().replace("/rules\n", f"/{page}\n"))
    code, _, err = run("get", "--yes", "--store", tmp_path / "store")
    assert (code, says in err) == (3, True), err
    assert not list((tmp_path / "data").rglob("*.txt"))


def test_it_may_be_declined(publisher: Path, tmp_path: Path) -> None:
    with pytest.raises(rulesgraph.UsageError, match="nothing was downloaded"):
        rulesgraph.get(store=tmp_path / "store", agree=lambda _statement: False)
    publisher.write_text("one line\n")
    with pytest.raises(rulesgraph.UsageError, match="this file needs three lines"):
        rulesgraph.get(store=tmp_path / "store")
