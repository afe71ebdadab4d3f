"""An endpoint that is down, busy, slow, odd or closed to us is reported in one sentence."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from endpoints import (
    HTML,
    JSON,
    NO,
    NONE,
    ROW,
    TEXT,
    YES,
    Playing,
    Server,
    fall_asleep,
    hang_up,
    reply,
    stop_half_way,
    trickle,
)
from pyoxigraph import Literal, RdfFormat
from rulesgraph.loaders.store import client, open_store
from rulesgraph.loaders.store.protocol import FORMAT
from rulesgraph.loaders.store.query import PreparedQuery
from rulesgraph.loaders.store.results import Solutions, Triples
from rulesgraph.loaders.store.upload import _usual_addresses
from rulesgraph.ontology.errors import StoreError, StoreMissingError, StoreTimeoutError, UsageError
from rulesgraph.ontology.iris import BASE
from rulesgraph.ontology.resources import QueryFiles


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Server]:
    monkeypatch.setattr(client, "_PAUSES", (0.01, 0.01))
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for name in ("UPDATE_URL", "GRAPHS_URL", "USER", "PASSWORD", "TOKEN"):
        monkeypatch.delenv(f"RULESGRAPH_{name}", raising=False)
    running = Server()
    yield running
    running.stop()


SELECT = "SELECT ?x { ?x ?p ?o }"


def rows(server: Server, text: str = SELECT, **options: Any) -> list[tuple[Any, ...]]:
    found = open_store(server.address).query(text, **options)
    assert isinstance(found, Solutions)
    return list(found)


# -- what goes out ---------------------------------------------------------------------------------


def test_a_query_is_sent_by_the_protocol(server: Server) -> None:
    server.replies = [reply(200, JSON, ROW)]
    assert rows(server, SELECT, default_graphs=["x:a", "x:b"], named_graphs=["x:c"]) == [(Literal("1"),)]
    [(path, headers, fields, _)] = server.requests
    assert path == "/sparql"
    assert headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert JSON in headers["Accept"]
    assert fields == {"query": [SELECT], "default-graph-uri": ["x:a", "x:b"], "named-graph-uri": ["x:c"]}


def test_what_relative_names_mean_is_sent_along(server: Server) -> None:
    server.replies = [reply(200, JSON, ROW)]
    open_store(server.address).run(PreparedQuery(SELECT, base="https://example.org/"))
    [(_, _, fields, _)] = server.requests
    assert fields["query"] == [f"BASE <https://example.org/> {SELECT}"]


def test_an_empty_list_of_graphs_is_not_left_out(server: Server) -> None:
    server.replies = [reply(200, JSON, ROW)]
    rows(server, default_graphs=[], named_graphs=[])
    [(_, _, fields, _)] = server.requests
    assert fields["default-graph-uri"] == fields["named-graph-uri"] == ["urn:rulesgraph:nothing"]


def test_its_own_graphs_win(server: Server) -> None:
    server.replies = [reply(200, JSON, YES), reply(200, JSON, ROW)]
    rows(server, "SELECT ?x FROM <x:own> { ?x ?p ?o }", default_graphs=["x:a"], named_graphs=["x:b"])
    assert server.requests[0][2]["default-graph-uri"] == ["x:own"], "is it there?"
    assert set(server.requests[1][2]) == {"query"}


def test_what_may_not_go_out_does_not(server: Server) -> None:
    for text in ("INSERT DATA { <x:a> <x:b> <x:c> }", "SELECT * { SERVICE <x:a> { ?a ?b ?c } }", "SELECT"):
        with pytest.raises(UsageError):
            rows(server, text)
    assert server.requests == []


# -- what comes back -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (JSON, ROW),
        ("application/sparql-results+json; charset=utf-8", ROW),
        ("application/json", ROW),
        (
            "application/sparql-results+xml",
            b'<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/></head>'
            b'<results><result><binding name="x"><literal>1</literal></binding></result></results></sparql>',
        ),
    ],
)
def test_results_of_several_kinds(server: Server, kind: str, body: bytes) -> None:
    server.replies = [reply(200, kind, body)]
    assert rows(server) == [(Literal("1"),)]


@pytest.mark.parametrize(("body", "expected"), [(YES, True), (NO, False), (ROW, True), (NONE, False)])
def test_a_yes_may_come_as_a_table(server: Server, body: bytes, expected: bool) -> None:
    server.replies = [reply(200, JSON, body)]
    assert open_store(server.address).query("ASK { ?a ?b ?c }") is expected


def test_a_yes_to_what_asks_for_rows_is_a_yes(server: Server) -> None:
    server.replies = [reply(200, JSON, YES)]
    assert open_store(server.address).query(SELECT) is True


@pytest.mark.parametrize("kind", ["application/n-triples", "text/turtle; charset=UTF-8"])
def test_triples_of_several_kinds(server: Server, kind: str) -> None:
    server.replies = [reply(200, kind, b"<x:a> <x:b> <x:c> .")]
    found = open_store(server.address).query("CONSTRUCT WHERE { ?a ?b ?c }")
    assert isinstance(found, Triples)
    assert found.serialize(RdfFormat.N_TRIPLES) == b"<x:a> <x:b> <x:c> .\n"
    assert "application/n-triples" in server.requests[0][1]["Accept"]


FAULTS: list[tuple[Playing, str, int]] = [
    # the reply, the message about it, how often it is requested
    (reply(200, HTML, b"<h1>Hello</h1>"), "the answer is text/html, not SPARQL results.*page about it", 1),
    (reply(200, JSON, b"{"), "the store failed", 1),
    (reply(200, JSON, ROW[:60]), "the store failed", 1),
    (reply(200, JSON, ROW, X_SPARQL_MaxRows="7"), "truncates answers after 7 rows.*LIMIT", 1),
    (reply(500, TEXT, b"out of\n luck"), "refused the request: 500 Internal Server Error: out of luck", 1),
    (
        reply(500, HTML, b"<title>Oops</title><style>p { }</style><p>no <b>luck</b>"),
        r"500 Internal Server Error: no luck$",
        1,
    ),
    (reply(500, TEXT, b"so " * 500), "…$", 1),
    (reply(206, JSON, ROW), "refused the request: 206 Partial Content: ", 1),
    (reply(500, TEXT, b"\x1b[2Jgone"), r"500 Internal Server Error: \\x1b\[2Jgone$", 1),
    (reply(400, TEXT, b""), "refused the request: 400 Bad Request$", 1),
    (reply(404, TEXT, b"what?"), "404 Not Found: what\\?.*address of the SPARQL endpoint itself", 1),
    (reply(401, TEXT, b"who?"), "401 Unauthorized: who\\?.*RULESGRAPH_PASSWORD", 1),
    (reply(403, TEXT, b""), "403 Forbidden.*RULESGRAPH_PASSWORD", 1),
    (reply(503, TEXT, b"later"), "503 Service Unavailable: later.*Try again later", 3),
    (reply(301, TEXT, b"", Location="http://127.0.0.1/new"), "has moved: use http://127.0.0.1/new", 1),
    (reply(303, TEXT, b"", Location="/login"), "has moved: use /login", 1),
    (hang_up, "closed the connection", 3),
    (stop_half_way, "closed the connection", 3),
]


@pytest.mark.parametrize(("fault", "says", "times"), FAULTS)
def test_faults_are_told(server: Server, fault: Playing, says: str, times: int) -> None:
    server.replies = [fault]
    with pytest.raises(StoreError, match=f"(?s){says}") as caught:
        rows(server)
    assert caught.value.exit_code == 4
    assert caught.value.where == server.address
    assert len(server.requests) == times


@pytest.mark.parametrize("fault", [reply(503, TEXT, b""), reply(429, TEXT, b""), hang_up, stop_half_way])
def test_a_server_that_recovers_is_asked_again(server: Server, fault: Playing) -> None:
    server.replies = [fault, fault, reply(200, JSON, ROW)]
    assert rows(server) == [(Literal("1"),)]


@pytest.mark.parametrize("sloth", [fall_asleep, trickle])
def test_a_late_answer_is_not_waited_for(server: Server, sloth: Playing) -> None:
    server.replies = [sloth]
    with pytest.raises(StoreTimeoutError, match=r"longer than 0\.2 s"):
        rows(server, timeout=0.2)
    assert len(server.requests) == 1


def test_nobody_answers() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    with pytest.raises(StoreError, match=r"(?s)no server answers there.*Is the server running"):
        open_store(f"http://127.0.0.1:{port}/sparql").query("ASK { }")
    with pytest.raises(StoreError, match="cannot be reached"):
        open_store("http://no.such.host.invalid/sparql").query("ASK { }")


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        open_store("http://judge:secret@[127.0.0.1/sparql")
    assert str(caught.value) == "http://[127.0.0.1/sparql is not a web address: Invalid IPv6 URL"


def test_an_address_of_another_kind_is_refused_without_its_password() -> None:
    with pytest.raises(UsageError) as caught:
        open_store("ftp://judge:secret@127.0.0.1/rules")
    assert str(caught.value) == (
        "a store is a folder or an address with http:// or https://, not ftp://127.0.0.1/rules"
    )


def test_a_scheme_may_stand_in_capitals() -> None:
    assert open_store("HTTP://127.0.0.1:9/sparql").location.endswith("127.0.0.1:9/sparql")


@pytest.mark.parametrize(
    ("path", "replies", "found"),
    [
        ("", [404, 404, 200], ["/query", "/sparql", "/"]),
        ("/rules", [404, 200], ["/rules", "/rules/query"]),
        ("/rules/", [405, 400, 200], ["/rules/", "/rules/query", "/rules/sparql"]),
        ("/repositories/rules", [200], ["/repositories/rules"]),
        ("/rules/sparql", [], []),
    ],
)
def test_an_endpoint_is_found_behind_its_server_or_data_set(
    server: Server, path: str, replies: list[int], found: list[str]
) -> None:
    server.replies = [reply(status, JSON if status == 200 else TEXT, YES) for status in replies]
    assert open_store(f"http://{server.host}{path}").location == f"http://{server.host}{[path, *found][-1]}"
    assert [asked for asked, *_ in server.requests] == found


@pytest.mark.parametrize(
    ("path", "replies", "said"),
    [
        # Fuseki, whose page of data sets is at its root
        (
            "",
            [404, 404, 405],
            "the server has no SPARQL endpoint there, nor at /query or /sparql\n"
            "  Give the data set you mean: {0}/NAME (Fuseki), {0}/repositories/NAME (GraphDB);\n"
            "  or the endpoint itself.",
        ),
        (
            "/rulez",
            [404, 404, 404],
            "the server has no SPARQL endpoint there, nor at /rulez/query or /rulez/sparql\n"
            "  Check the name of the data set, or give the address of the endpoint itself.",
        ),
    ],
)
def test_a_server_without_an_endpoint_there_is_asked_for_its_data_set(
    server: Server, path: str, replies: list[int], said: str
) -> None:
    server.replies = [reply(status, TEXT, b"") for status in replies]
    with pytest.raises(StoreError) as caught:
        open_store(f"http://judge:secret@{server.host}{path}/")
    place = f"http://{server.host}"
    assert str(caught.value) == f"{place}{path}: {said.format(place)}"


def test_a_server_in_trouble_is_asked_again_at_the_address_that_was_named(server: Server) -> None:
    server.replies = [reply(status, TEXT, b"") for status in (404, 404, 503)]
    assert open_store(f"http://{server.host}").location == f"http://{server.host}"


@pytest.mark.parametrize("place", ["127.0.0.1:7878", "localhost:3030/rules"])
def test_a_server_is_no_folder(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=f"{place} is neither a folder nor an address") as refusal:
        open_store(place, write=True)
    assert refusal.value.way_out == f"To use a server, write http://{place}"
    (tmp_path / place).mkdir(parents=True)
    assert open_store(place, write=True).location == place


# -- where updates go ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("location", "addresses"),
    [
        # Oxigraph, then Virtuoso, Fuseki and others with one address for all, then RDF4J
        ("http://h/query", ["http://h/update", "http://h/query"]),
        ("http://h/sparql", ["http://h/update", "http://h/sparql", "http://h/sparql-auth"]),
        ("http://h/rules/", ["http://h/rules/", "http://h/rules/statements", "http://h/rules/update"]),
    ],
)
def test_usual_addresses(location: str, addresses: list[str]) -> None:
    assert _usual_addresses(location)[: len(addresses)] == addresses


def built_nothing(server: Server) -> None:
    with open_store(server.address).rewrite():
        pass


def told(**values: str) -> Playing:
    """A table of one row."""
    row = {name: {"type": "literal", "value": value} for name, value in values.items()}
    found = {"head": {"vars": ["base", "version"]}, "results": {"bindings": [row]}}
    return reply(200, JSON, json.dumps(found).encode())


@pytest.mark.parametrize("base", ["https://example.org/rules/", "https://example.org/rules#"])
def test_a_store_says_what_it_is(server: Server, base: str) -> None:
    server.replies = [told(base=base, version=str(FORMAT))]
    store = open_store(server.address)
    assert (store.base, store.base) == (base, base)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("says", "version", "way_out"),
    [
        (
            {"version": str(FORMAT + 1)},
            FORMAT + 1,
            "Use the newer rulesgraph that made it, or build into another store.",
        ),
        ({}, 1, "Build its documents again, into another store or after emptying this one."),
    ],
)
def test_a_store_of_another_version_is_neither_read_nor_written(
    server: Server, says: dict[str, str], version: int, way_out: str
) -> None:
    server.replies = [told(base="https://example.org/rules/", **says)]
    store = open_store(server.address)
    for use in (lambda: store.base, store.graphs, store.size, lambda: built_nothing(server)):
        with pytest.raises(StoreError) as caught:
            use()
        what = f"the store has format {version}; this version of rulesgraph reads {FORMAT}"
        assert str(caught.value) == f"{server.address}: {what}\n  {way_out}"
    assert {path for path, *_ in server.requests} == {"/sparql"}
    assert all("query" in fields for _, _, fields, _ in server.requests)


@pytest.mark.parametrize("base", ["https://example.org/edition/", "urn:rules:"])
def test_a_store_is_known_by_its_editions(server: Server, base: str) -> None:
    """For graphs loaded by other means, nothing says what they are."""
    one = json.loads(NONE)
    one["head"]["vars"] = ["edition"]
    one["results"]["bindings"] = [{"edition": {"type": "uri", "value": base + "edition/cr-2031-02-01"}}]
    server.replies = [reply(200, JSON, NONE), reply(200, JSON, json.dumps(one).encode())]
    assert open_store(server.address).base == base
    asked = server.requests[1][2]["query"]
    assert asked == [QueryFiles("rulesgraph.loaders.store").read("queries", "edition")]


def test_what_is_no_edition_makes_no_store(server: Server) -> None:
    server.replies = [reply(200, JSON, NONE)]
    with pytest.raises(StoreMissingError) as caught:
        _ = open_store(server.address).base
    assert str(caught.value) == (
        f"{server.address}: nothing has been built into this endpoint yet\n"
        f"  `rulesgraph build --store {server.address}` does."
    )


def found(columns: str, *bindings: dict[str, dict[str, str]]) -> Playing:
    answer = {"head": {"vars": columns.split()}, "results": {"bindings": bindings}}
    return reply(200, JSON, json.dumps(answer).encode())


def literal(value: str) -> dict[str, str]:
    return {"type": "literal", "value": value}


def test_a_server_that_keeps_no_list_of_its_graphs_is_asked_by_all_triples(server: Server) -> None:
    """Virtuoso answers with an empty row."""
    terms = f"{BASE}graph/terms"
    server.replies = [
        found("base version", {"base": literal(BASE), "version": literal(str(FORMAT))}),
        found("g", {}),
        found("g", {"g": {"type": "uri", "value": terms}}, {"g": {"type": "uri", "value": "urn:others"}}),
    ]
    store = open_store(server.address)
    assert (store.graphs(), store.graphs()) == ([terms], [terms])
    files = QueryFiles("rulesgraph.loaders.store")
    asked = [fields["query"] for _, _, fields, _ in server.requests]
    assert asked == [[files.read("queries", it)] for it in ("about", "graphs", "graphs_by_triples")]


def test_an_address_takes_updates_when_one_arrives(server: Server) -> None:
    """A page that says 200 to everything is not taken for an endpoint."""
    server.replies = [
        reply(200, JSON, NONE),  # no base is known
        reply(200, JSON, NONE),  # and no edition
        reply(200, HTML, b"hello"),  # /update
        reply(200, JSON, NO),  # has not arrived
        reply(204, TEXT, b""),  # /sparql
        reply(200, JSON, YES),
        reply(204, TEXT, b""),  # the trial is taken back
        reply(200, JSON, NONE),  # the sizes
        reply(204, TEXT, b""),
    ]
    built_nothing(server)
    updates = [(path, body) for path, _, fields, body in server.requests if "query" not in fields]
    assert [path for path, _ in updates] == ["/update", "/sparql", "/sparql", "/sparql"]
    assert updates[-1][1].decode() == (
        "INSERT DATA { GRAPH <urn:rulesgraph:store> { <urn:rulesgraph:store> "
        '<http://rdfs.org/ns/void#uriSpace> "https://w3id.org/rulesgraph/" ; '
        f'<http://www.w3.org/2002/07/owl#versionInfo> "{FORMAT}"'
        "^^<http://www.w3.org/2001/XMLSchema#integer> } }"
    )


@pytest.mark.parametrize("way", ["fragment", "environment"])
def test_the_address_of_updates_can_be_given(
    server: Server, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.replies = [reply(200, JSON, NONE), reply(200, JSON, NONE), reply(500, TEXT, b"not today")]
    address = f"http://{server.host}/change"
    if way == "environment":
        monkeypatch.setenv("RULESGRAPH_UPDATE_URL", address)
        store = open_store(server.address)
    else:
        store = open_store(f"{server.address}#{address}")
    with pytest.raises(StoreError, match="not today"), store.rewrite():
        pytest.fail("no update got through")
    assert [path for path, *_ in server.requests] == ["/sparql", "/sparql", "/change"]


def test_nowhere_to_send_updates(server: Server) -> None:
    server.replies = [
        reply(200, JSON, NONE),
        reply(200, JSON, NONE),
        reply(404, TEXT, b""),
        reply(403, TEXT, b""),
    ]
    with pytest.raises(
        StoreError, match=r"(?s)takes no updates.*403.*RULESGRAPH_PASSWORD.*RULESGRAPH_UPDATE_URL"
    ):
        built_nothing(server)


TAKES_UPDATES = (
    *[reply(200, JSON, NONE)] * 2,  # neither a base nor an edition is known
    reply(204, TEXT, b""),
    reply(200, JSON, YES),  # the trial has arrived
    reply(204, TEXT, b""),  # and is taken back
    reply(200, JSON, NONE),  # the sizes
)
"""What an empty endpoint answers until something is loaded into it."""


def test_the_switch_is_never_sent_twice(server: Server) -> None:
    """A MOVE that succeeded but whose answer was lost would lose the graph if repeated."""
    server.replies = [*TAKES_UPDATES, reply(503, TEXT, b"busy")]
    with pytest.raises(StoreError, match="busy"):
        built_nothing(server)
    assert len(server.requests) == 7


def test_graphs_of_others_are_not_written(server: Server) -> None:
    server.replies = [*TAKES_UPDATES]
    with (
        pytest.raises(StoreError, match="not below the base"),
        open_store(server.address).rewrite() as rewrite,
    ):
        rewrite.load([b"<x:a> <x:b> <x:c> <x:elsewhere> .\n"])
    assert len(server.requests) == 6
