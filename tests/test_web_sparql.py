"""The SPARQL endpoint: formats, remarks, what is cached and refused, and that it agrees with `sparql`."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

import httpx
import pyoxigraph
import pytest
import rdflib
import rulesgraph
from asking import session_on
from live import service
from rulesgraph.loaders.store import open_store
from rulesgraph.queries import QUERIES
from rulesgraph.queries.catalogue.questions import questions
from rulesgraph.queries.session import Answer

TERMS = "SELECT ?term ?name { ?term a rg:Term ; skos:prefLabel ?name } ORDER BY ?name"
DESCRIBED = "DESCRIBE term:echo"
SD = rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")

Ask = Callable[..., httpx.Response]
PLAIN = httpx.Client(verify=False, timeout=60)
"""One client for all: making one costs more than many requests."""


@pytest.fixture(scope="session", autouse=True)
def _hung_up() -> Iterator[None]:
    """Leave no connection open when all tests are over: a client that was closed cannot be opened again."""
    with PLAIN:
        yield


@pytest.fixture(scope="module")
def address(mini_store: Path) -> Iterator[str]:
    """A service that knows what is small: no query of these tests is, but those that say so."""
    with service(mini_store, "--timeout", 20, "--workers", 2) as found:
        yield found + "sparql"


@pytest.fixture
def ask(address: str) -> Ask:
    def ask(query: str, accept: str | None = None, method: str = "GET", **more: str) -> httpx.Response:
        headers = {"accept": accept} if accept else {}
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        if method == "POST":
            return PLAIN.post(address, data={"query": query}, headers=headers)
        return PLAIN.request(method, address, params={"query": query}, headers=headers)

    return ask


# -- formats ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    ("accept", "kind", "format"),
    [
        (None, "application/sparql-results+json", pyoxigraph.QueryResultsFormat.JSON),
        (
            "application/sparql-results+xml",
            "application/sparql-results+xml",
            pyoxigraph.QueryResultsFormat.XML,
        ),
        ("text/csv", "text/csv; charset=utf-8", None),
        (
            "text/tab-separated-values",
            "text/tab-separated-values; charset=utf-8",
            pyoxigraph.QueryResultsFormat.TSV,
        ),
        ("application/json, text/csv;q=0.9", "application/json", pyoxigraph.QueryResultsFormat.JSON),
        ("text/html, application/xml;q=0.9, */*;q=0.8", "application/xml", pyoxigraph.QueryResultsFormat.XML),
    ],
)
def test_rows_come_in_the_format_that_is_wanted(
    ask: Ask,
    mini_store: Path,
    method: str,
    accept: str | None,
    kind: str,
    format: pyoxigraph.QueryResultsFormat | None,
) -> None:
    rows = session_on(mini_store).sparql(TERMS)
    expected = [tuple(map(str, row)) for row in rows.rows]  # type: ignore[union-attr]
    assert len(expected) > 10
    answer = ask(TERMS, accept, method)
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    if format is None:
        lines = [line.split(",") for line in answer.text.splitlines()]
        assert lines == [["term", "name"], *map(list, expected)]
        return
    found = pyoxigraph.parse_query_results(answer.content, format=format)
    assert isinstance(found, pyoxigraph.QuerySolutions)
    assert [(str(row[0].value), row[1].value) for row in found] == expected


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        (None, "text/turtle; charset=utf-8"),
        ("application/n-triples", "application/n-triples"),
        ("application/rdf+xml", "application/rdf+xml"),
        ("application/ld+json", "application/ld+json"),
    ],
)
def test_triples_come_in_the_format_that_is_wanted(
    ask: Ask, mini_store: Path, accept: str | None, kind: str
) -> None:
    query = "CONSTRUCT WHERE { ?term a rg:Term ; skos:prefLabel ?name }"
    expected = {str(triple) for triple in session_on(mini_store).sparql(query)}  # type: ignore[union-attr]
    answer = ask(query, accept)
    assert answer.headers["content-type"] == kind
    format = pyoxigraph.RdfFormat.from_media_type(kind)
    assert {str(quad.triple) for quad in pyoxigraph.parse(answer.content, format=format)} == expected


def test_a_format_can_be_asked_for_by_name(address: str) -> None:
    answer = PLAIN.get(address, params={"query": TERMS, "format": "csv"}, headers={"accept": "text/html"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    for other in ("turtle", "unheard-of"):
        answer = PLAIN.get(address, params={"query": TERMS, "format": other})
        assert answer.headers["content-type"] == "application/sparql-results+json"


@pytest.mark.parametrize("form", ["json", "xml", "csv", "tsv"])
def test_unknown_names_and_empty_answers_come_with_a_hint(address: str, form: str) -> None:
    def hint(query: str) -> str:
        found = PLAIN.get(address, params={"query": query, "format": form})
        assert found.status_code == 200
        assert ("sparql-hint" in found.headers) == ("link" in found.headers)
        said = unquote(found.headers.get("link", ""))
        assert said.endswith(found.headers.get("sparql-hint", ""))
        return said

    told = "The vocabulary has no rg:Trem; did you mean rg:Term?"
    assert hint("SELECT ?it { ?it a rg:Trem }") == f"</ns.html>; rel=\"help\"; title*=UTF-8''{told}"
    assert len(hint(f"SELECT ?it {{ ?it skos:prefLabel '{'x' * 50_000}' }}")) < 1_000
    told = "The vocabulary has no rg:txet; did you mean rg:text?"
    for query in (
        "SELECT (COUNT(?it) AS ?n) { ?it rg:txet ?text }",
        "SELECT ?it { ?it a rg:Term FILTER NOT EXISTS { ?it rg:txet ?text } }",
        "SELECT ?it { ?it a rg:Term OPTIONAL { ?it rg:txet ?text } }",
    ):
        assert hint(query).endswith(told)
    assert hint("ASK { ?it a rg:Term, rg:Rule ; skos:prefLabel 'Echo' }").endswith("or compare STR(?label).")
    for query in ("SELECT ?it { ?it a rg:Term } LIMIT 1", "SELECT ?it { ?it a rg:Rule, rg:Term }", "ASK {}"):
        assert not hint(query)


def test_a_query_about_one_edition_sees_what_the_command_shows(address: str, mini_store: Path) -> None:
    session = rulesgraph.open(mini_store).session
    names = [it.id for it in session.editions() if it.has_history]
    query = "SELECT ?unit ?rule { ?unit rg:cites ?rule ; rg:inEdition ?edition } ORDER BY ?unit ?rule"
    for name in (*names, ",".join(names)):
        found = PLAIN.get(address, params={"query": query, "format": "csv", "edition": name})
        told = session.sparql(query, name)
        assert isinstance(told, Answer)
        assert found.text.count("\n") - 1 == len(told.rows) > 0, name
    assert PLAIN.get(address, params={"query": query, "edition": "cr-1066-10-14"}).status_code == 404
    both = {"query": query, "edition": names[0], "default-graph-uri": "https://example.org/lamps/graph"}
    assert PLAIN.get(address, params=both).status_code == 400


def test_a_truth_has_every_format(ask: Ask) -> None:
    assert ask("ASK {}").json() == {"head": {}, "boolean": True}
    assert ask("ASK { FILTER(false) }", "text/csv").text == "false\n"
    xml = pyoxigraph.parse_query_results(
        ask("ASK {}", "text/xml").content, format=pyoxigraph.QueryResultsFormat.XML
    )
    assert bool(xml)


def test_what_is_not_written_is_not_acceptable(ask: Ask) -> None:
    for query, accept in ((TERMS, "image/png"), (TERMS, "text/turtle"), (DESCRIBED, "text/csv")):
        answer = ask(query, accept)
        assert (answer.status_code, "cannot write" in answer.text) == (406, True)


def test_relative_iris_and_usual_prefixes_need_no_declaration(ask: Ask, mini_store: Path) -> None:
    base = session_on(mini_store).iris.base
    assert ask("SELECT (<term/moth> AS ?t) (term:moth AS ?u) {}", "text/csv").text == (
        f"t,u\r\n{base}term/moth,{base}term/moth\r\n"
    )


# -- the description -------------------------------------------------------------------------------


def test_without_a_query_it_describes_itself(address: str, mini_store: Path) -> None:
    answer = PLAIN.get(address)
    assert answer.headers["content-type"] == "text/turtle; charset=utf-8"
    graph = rdflib.Graph().parse(data=answer.text, format="turtle")
    [described] = graph.subjects(rdflib.RDF.type, SD.Service)
    assert graph.value(described, SD.endpoint) == rdflib.URIRef(address)
    assert graph.value(described, SD.supportedLanguage) == SD.SPARQL11Query
    assert len(set(graph.objects(described, SD.resultFormat))) == 8
    dataset = graph.value(described, SD.defaultDataset)
    names = {str(graph.value(it, SD.name)) for it in graph.objects(dataset, SD.namedGraph)}
    assert names == set(open_store(mini_store).graphs())
    again = PLAIN.get(address, headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.text) == (304, "")
    xml = PLAIN.get(address, headers={"accept": "application/rdf+xml"})
    assert len(rdflib.Graph().parse(data=xml.text, format="xml")) == len(graph)
    assert PLAIN.get(address, headers={"accept": "image/png"}).status_code == 406


# -- HTTP ------------------------------------------------------------------------------------------


def test_head_says_what_get_would(ask: Ask) -> None:
    whole, head = ask(TERMS), ask(TERMS, method="HEAD")
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "etag", "content-length", "vary"):
        assert head.headers.get(name) == whole.headers.get(name)


def test_options_lists_the_methods(address: str) -> None:
    answer = PLAIN.options(address)
    assert (answer.status_code, answer.headers["allow"]) == (204, "GET, HEAD, POST, OPTIONS")
    assert "application/sparql-query" in answer.headers["accept-post"]
    refused = PLAIN.delete(address)
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD, POST, OPTIONS")


def test_what_a_client_has_is_not_sent_again(ask: Ask) -> None:
    first = ask(TERMS)
    tag = first.headers["etag"]
    for given in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = ask(TERMS, if_none_match=given)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert ask(TERMS, if_none_match='"other"').content == first.content
    assert ask(TERMS, "text/csv").headers["etag"] != tag
    assert ask(f"{TERMS} LIMIT 1").headers["etag"] != tag
    assert "etag" not in ask(TERMS, method="POST", if_none_match=tag).headers


def test_answers_are_compressed(ask: Ask) -> None:
    packed = ask(TERMS, accept_encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == ask(TERMS, accept_encoding="identity").content


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT", "the query does not parse"),
        ("", "the query is empty"),
        ("CLEAR ALL", "queries can only read, and this is an update (CLEAR)"),
        ("SELECT * { ?s none:p ?o }", "the prefix none: is not declared"),
        ("SELECT * FROM <x:none> { ?s ?p ?o }", "the store has no graph of this name"),
        ("ASK " + "{" * 3000 + "}" * 3000, "nested too deeply"),
        ("ASK { FILTER(" + "(" * 250 + "1" + ")" * 250 + ") }", "nested too deeply"),
        ("ASK { ?s a" + "/a" * 4500 + " ?o }", "more than 50 steps"),
    ],
)
def test_a_query_that_is_refused_says_why(ask: Ask, query: str, reason: str) -> None:
    answer = ask(query, method="POST")
    assert (answer.status_code, reason in answer.text) == (400, True), answer.text


def test_what_is_too_long_is_refused(address: str, ask: Ask) -> None:
    assert ask("ASK {} #" + "x" * 100_000, method="POST").status_code == 413
    direct = {"content-type": "application/sparql-query"}
    assert PLAIN.post(address, content=b"x" * 1_000_000, headers=direct).status_code == 413
    assert PLAIN.post(address, data={f"f{n}": "1" for n in range(500)}).status_code == 400


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * {{ SERVICE <{0}> {{ ?s ?p ?o }} }}",
        "SELECT * {{ SERVICE SILENT <{0}> {{ ?s ?p ?o }} }}",
        "ASK {{ FILTER EXISTS {{ SERVICE <{0}> {{ ?s ?p ?o }} }} }}",
        "SELECT * {{ VALUES ?e {{ <{0}> }} SERVICE ?e {{ ?s ?p ?o }} }}",
        "SELECT * {{ serv\\u0069ce <{0}> {{ ?s ?p ?o }} }}",
        "PREFIX e: <{0}> SELECT * {{ {{ SELECT * {{ SERVICE e: {{ ?s ?p ?o }} }} }} }}",
        "SELECT * FROM <{0}> {{ ?s ?p ?o }}",
        "SELECT * FROM NAMED <{0}> {{ GRAPH ?g {{ ?s ?p ?o }} }}",
        "LOAD <{0}>",
        "LOAD SILENT <{0}> INTO GRAPH <x:g>",
    ],
)
def test_no_query_sends_a_request(address: str, query: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.3)
        own = f"http://127.0.0.1:{listening.getsockname()[1]}/data.ttl"
        answer = PLAIN.post(address, data={"query": query.format(own)})
        named = PLAIN.get(
            address, params={"query": "ASK { ?s ?p ?o }", "default-graph-uri": own, "named-graph-uri": own}
        )
        with pytest.raises(TimeoutError):
            listening.accept()
    assert answer.status_code == 400
    assert named.json() == {"head": {}, "boolean": False}


# -- bounds ----------------------------------------------------------------------------------------


def test_a_query_is_stopped_at_its_deadline(mini_store: Path) -> None:
    product = " ".join(f"?s{n} ?p{n} ?o{n} ." for n in range(6))
    endless = [
        f"SELECT (COUNT(*) AS ?n) {{ {product} }}",
        f"SELECT * {{ {product} }} ORDER BY ?s1",
        "SELECT (COUNT(*) AS ?n) { ?a (rg:cites|^rg:cites|rg:inEdition|^rg:inEdition|!rg:x)+ ?b . "
        "?b (rg:cites|^rg:cites|!rg:x)+ ?c . ?c (!rg:x)+ ?d . ?d (!rg:x)+ ?e }",
    ]
    with service(mini_store, "--timeout", 0.7, "--workers", 1) as found:
        for query in endless:
            answer = PLAIN.post(f"{found}sparql", data={"query": query})
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            told = "the query took longer than 0.7 s\nMake it more specific, or add a LIMIT."
            assert answer.text == f"{told}\n"
        assert PLAIN.post(f"{found}sparql", data={"query": "ASK {}"}).status_code == 200


# -- the same as the command -----------------------------------------------------------------------


@pytest.mark.long(small="test_a_store_that_is_our_own_endpoint_answers_alike")
def test_the_catalogue_has_the_answers_that_the_command_gives(ask: Ask, mini_store: Path) -> None:
    session = session_on(mini_store)
    compared = 0
    for question in questions():
        text = QUERIES.read("answers", question.name)
        expected = session.results_json(text)
        answer = ask(text, method="POST")
        assert answer.status_code == 200, f"{question.name}: {answer.text}"
        assert isinstance(expected, bytes)
        assert bag(answer.content) == bag(expected), question.name
        compared += 1
    assert compared > 20


def bag(document: bytes) -> tuple[object, list[str]]:
    """Return the columns and the rows of a results document, in a fixed order."""
    found = json.loads(document)
    return found["head"], sorted(json.dumps(row, sort_keys=True) for row in found["results"]["bindings"])


def test_a_store_that_is_our_own_endpoint_answers_alike(address: str, mini_store: Path) -> None:
    far, near = session_on(address), session_on(mini_store)
    assert far.editions() == near.editions()
    assert far.sparql(TERMS).rows == near.sparql(TERMS).rows  # type: ignore[union-attr]
    assert far.scope("all").label == near.scope("all").label


def test_many_ask_at_once(ask: Ask) -> None:
    """Each gets its own answer, whatever the others ask."""
    wrong: list[object] = []

    def one(start: int) -> None:
        for n in range(start, start + 10):
            answer = ask(f"SELECT ({n} AS ?n) {{}}", "text/csv")
            if answer.text != f"n\r\n{n}\r\n":
                wrong.append((n, answer.status_code, answer.text))

    threads = [threading.Thread(target=one, args=(start * 10,)) for start in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
