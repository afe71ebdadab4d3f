"""User, password and token, from the address, the environment or ~/.netrc, go only to their server."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from endpoints import JSON, NONE, ROW, TEXT, Server, reply
from rulesgraph.loaders.store import open_store
from rulesgraph.loaders.store.client import Client
from rulesgraph.ontology.errors import StoreError, UsageError
from test_store_endpoint import SELECT, rows, server

__all__ = ["server"]

VARIABLES = ("RULESGRAPH_TOKEN", "RULESGRAPH_USER")


@pytest.mark.parametrize("name", VARIABLES)
def test_the_environment_goes_to_no_other_machine_in_the_clear(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv(name, "s3cret")
    with pytest.raises(UsageError) as caught:
        Client("http://rules.example/sparql")
    assert str(caught.value) == (
        f"http://rules.example/sparql: ${name} is not sent over plain http to another machine\n"
        f"  Name an https:// address. User and password in the address, or in ~/.netrc when ${name} "
        "is not set, are sent."
    )
    assert caught.value.exit_code == 2
    given = ("https://rules.example/q", "http://localhost/q", "http://[::1]/q", "http://a:b@rules.example/q")
    assert [Client(it).location for it in given] == [*given[:3], "http://rules.example/q"]


def test_the_password_goes_to_the_server_alone(server: Server) -> None:
    server.replies = [
        reply(401, TEXT, b"", WWW_Authenticate='Basic realm="rules"'),
        reply(200, JSON, ROW),
        reply(500, TEXT, b""),
    ]
    store = open_store(server.address.replace("//", "//judge:s%40cret@"))
    assert store.location == server.address
    store.query(SELECT)
    [(_, first, _, _), (_, second, _, _)] = server.requests
    assert "Authorization" not in first
    assert second["Authorization"] == "Basic " + base64.b64encode(b"judge:s@cret").decode()
    with pytest.raises(StoreError) as caught:
        store.query(SELECT)
    assert "cret" not in str(caught.value)


def test_the_password_may_stand_in_netrc(server: Server, tmp_path: Path) -> None:
    server.replies = [reply(401, TEXT, b"", WWW_Authenticate='Basic realm="rules"'), reply(200, JSON, ROW)]
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login judge password secret\n")
    (tmp_path / "netrc").chmod(0o600)
    rows(server)
    assert server.requests[1][1]["Authorization"] == "Basic " + base64.b64encode(b"judge:secret").decode()


def test_the_password_may_stand_in_the_environment(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login other password hidden\n")
    (tmp_path / "netrc").chmod(0o600)
    monkeypatch.setenv("RULESGRAPH_USER", "judge")
    monkeypatch.setenv("RULESGRAPH_PASSWORD", "s@cret")
    server.replies = [
        reply(401, TEXT, b"", WWW_Authenticate='Basic realm="rules"'),
        reply(401, TEXT, b"no"),
    ]
    with pytest.raises(StoreError) as caught:
        rows(server)
    sent = [headers.get("Authorization") for _, headers, *_ in server.requests]
    assert sent == [None, "Basic " + base64.b64encode(b"judge:s@cret").decode()]
    assert str(caught.value) == (
        f"{server.address}: the endpoint refused the request: 401 Unauthorized: no\n"
        "  Give user and password in $RULESGRAPH_USER and $RULESGRAPH_PASSWORD, a token in "
        "$RULESGRAPH_TOKEN, or user and password in ~/.netrc."
    )


def test_a_token_may_stand_in_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESGRAPH_TOKEN", "t0ken")
    server.replies = [reply(307, TEXT, b"", Location="http://localhost:1/t0ken")]
    with pytest.raises(StoreError, match=r"307 Temporary Redirect\n  The endpoint has moved"):
        rows(server)
    assert [headers["Authorization"] for _, headers, *_ in server.requests] == ["Bearer t0ken"]


def test_a_token_goes_to_no_other_server(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESGRAPH_TOKEN", "t0ken")
    other = Server()
    try:
        server.replies = [reply(200, JSON, NONE)]
        other.replies = [reply(500, TEXT, b"not today")]
        with pytest.raises(StoreError), open_store(f"{server.address}#{other.address}").rewrite():
            pytest.fail("no update got through")
        assert {headers["Authorization"] for _, headers, *_ in server.requests} == {"Bearer t0ken"}
        assert [headers.get("Authorization") for _, headers, *_ in other.requests] == [None]
    finally:
        other.stop()


def test_a_token_that_no_header_can_hold_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESGRAPH_TOKEN", "t0ken\nX-More: 1")
    with pytest.raises(UsageError) as caught:
        open_store("http://127.0.0.1:1/sparql")
    assert "t0ken" not in str(caught.value)


@pytest.mark.parametrize(
    ("updates", "who"),
    [
        ("http://{host}/change", "judge:secret"),  # the same server: the same user
        ("http://ada:hidden@{host}/change", "ada:hidden"),
        ("http://localhost:{port}/change", ""),
    ],
)
def test_the_password_stays_with_its_server(server: Server, updates: str, who: str) -> None:
    asks = reply(401, TEXT, b"", WWW_Authenticate='Basic realm="rules"')
    server.replies = [reply(200, JSON, NONE), reply(200, JSON, NONE), asks, reply(500, TEXT, b"not today")]
    updates = updates.format(host=server.host, port=server.host.partition(":")[2])
    store = open_store(f"{server.address.replace('//', '//judge:secret@')}#{updates}")
    with pytest.raises(StoreError) as caught, store.rewrite():
        pytest.fail("no update got through")
    sent = [headers.get("Authorization") for path, headers, *_ in server.requests if path == "/change"]
    assert sent == [None, *(["Basic " + base64.b64encode(who.encode()).decode()] if who else [])]
    assert "secret" not in str(caught.value)
    assert "hidden" not in str(caught.value)


def test_a_broken_netrc_is_told(server: Server, tmp_path: Path) -> None:
    (tmp_path / "netrc").write_text("a letter, not a netrc\n")
    (tmp_path / "netrc").chmod(0o600)
    with pytest.raises(StoreError, match="netrc cannot be read"):
        open_store(server.address)
