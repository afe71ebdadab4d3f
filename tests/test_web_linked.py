"""Linked data at every address: redirects, forms, and replies about missing things."""

from __future__ import annotations

import asyncio
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from asking import session_on
from pyoxigraph import NamedNode, RdfFormat, parse
from rdflib import Graph
from rdflib.compare import isomorphic
from rulesgraph.app.python.rules import Rules
from rulesgraph.app.web.limits import FairTurns
from rulesgraph.app.web.linked.data import statements
from rulesgraph.app.web.linked.routing import AT_ONCE
from rulesgraph.app.web.pages.addresses import MEDIA, page_of, sought
from rulesgraph.app.web.pages.layout import PageContext
from rulesgraph.app.web.service import application
from rulesgraph.loaders.history.timeline import NOT_LOADED
from rulesgraph.ontology.iris import BASE, Iris
from rulesgraph.ontology.resources import read_text
from starlette.applications import Starlette
from starlette.testclient import TestClient

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
NEW, OLD = "edition/cr-2031-07-01", "edition/cr-2031-02-01"


@pytest.fixture(scope="module")
def web(mini_store: Path) -> Iterator[TestClient]:
    """A client of the service over the mini game that follows no redirects."""
    with TestClient(application(mini_store), follow_redirects=False) as client:
        yield client


LEADS = [
    ("term/flutter", BROWSER, "/term/flutter.html"),
    ("term/flutter", "text/turtle", "/term/flutter.ttl"),
    ("term/flutter", "application/ld+json", "/term/flutter.jsonld"),
    ("term/flutter", "application/json", "/term/flutter.jsonld"),
    ("term/flutter", "application/rdf+xml", "/term/flutter.rdf"),
    ("term/flutter", "application/n-triples", "/term/flutter.nt"),
    ("term/flutter", "text/turtle;q=0.5, application/rdf+xml", "/term/flutter.rdf"),
    ("term/flutter", "*/*", "/term/flutter.html"),
    (f"{NEW}/rule/320.4", BROWSER, f"/{NEW}/rule/320.4.html"),
    (f"{NEW}/rule/101.1/example/1", BROWSER, f"/{NEW}/rule/101.1.html#example-1"),
    (f"{NEW}/rule/101.1/example/1", "text/turtle", f"/{NEW}/rule/101.1/example/1.ttl"),
    ("ns", BROWSER, "/ns.html"),
    ("ns", "text/turtle", "/ns.ttl"),
    ("game", "text/turtle", "/game.ttl"),
    ("", "text/turtle", "/dataset.ttl"),
    ("", "application/ld+json, text/html;q=0.5", "/dataset.jsonld"),
    ("terms", "text/turtle", "/scheme/terms.ttl"),
    ("questions", "text/turtle", "/question.ttl"),
]


@pytest.mark.parametrize(("address", "accept", "location"), LEADS)
def test_a_thing_leads_to_the_form_that_is_wanted(
    web: TestClient, address: str, accept: str, location: str
) -> None:
    found = web.get(f"/{address}", headers={"Accept": accept})
    assert (found.status_code, found.headers["location"], found.headers["vary"]) == (
        303,
        location,
        "Accept, Origin",
    )


def test_what_nothing_can_be_had_as_is_refused_with_what_can(web: TestClient) -> None:
    found = web.get("/term/flutter", headers={"Accept": "image/png"})
    assert (found.status_code, found.text) == (
        406,
        "This is available as text/html, text/turtle, application/ld+json, application/rdf+xml, "
        "application/n-triples, application/n-quads, application/trig.\n",
    )


FORMS = [
    ("ttl", "text/turtle; charset=utf-8", RdfFormat.TURTLE),
    ("jsonld", "application/ld+json", RdfFormat.JSON_LD),
    ("rdf", "application/rdf+xml", RdfFormat.RDF_XML),
    ("nq", "application/n-quads", RdfFormat.N_QUADS),
    ("trig", "application/trig", RdfFormat.TRIG),
    ("nt", "application/n-triples", RdfFormat.N_TRIPLES),
]


@pytest.mark.parametrize(("ending", "media", "form"), FORMS)
def test_every_notation_says_the_same(web: TestClient, ending: str, media: str, form: RdfFormat) -> None:
    found = web.get(f"/{NEW}/rule/101.1.{ending}")
    assert found.headers["content-type"] == media
    lines = sorted(f"{it.subject} {it.predicate}" for it in parse(found.content, form))
    rule, rg, dcterms, skos = (
        f"<{BASE}{NEW}/rule/101.1>",
        f"<{BASE}ns#",
        "<http://purl.org/dc/terms/",
        "<http://www.w3.org/2004/02/skos/core#",
    )
    own = {line.removeprefix(rule + " ") for line in lines if line.startswith(rule + " ")}
    assert {f"{dcterms}isPartOf>", f"{skos}notation>", f"{rg}text>", f"{rg}firstLine>"} <= own
    assert f"<{BASE}{NEW}/rule/101.1/example/1> {dcterms}isPartOf>" in lines


def test_the_links_of_data_lead_to_the_thing_and_its_page(web: TestClient) -> None:
    link = web.get("/term/flutter.ttl").headers["link"]
    assert (
        link
        == f'<{BASE}term/flutter>; rel="canonical", </term/flutter.html>; rel="alternate"; type="text/html"'
    )


def test_a_page_that_the_client_has_is_not_sent_again(web: TestClient) -> None:
    first = web.get("/term/flutter.html")
    again = web.get("/term/flutter.html", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_an_edition_that_only_the_list_of_ids_knows_says_so(web: TestClient) -> None:
    page, data = (web.get(f"/edition/cr-2010-07-16.{ending}") for ending in ("html", "ttl"))
    assert (page.status_code, data.status_code) == (200, 200)
    for told in (page.text, data.text):
        assert NOT_LOADED in told
        assert "2010-07-16" in told
    ids = web.get("/dataset/provisions.ttl").text
    assert "publicdomain/zero" in ids


def test_the_data_of_a_rule_tell_of_its_parts(web: TestClient) -> None:
    found = web.get(f"/{NEW}/rule/101.1.nt").text.splitlines()
    said = {line.split(" ")[1] for line in found if line.startswith(f"<{BASE}{NEW}/rule/101.1/example/1> ")}
    assert f"<{BASE}ns#text>" in said
    about = {line.partition(" ")[0] for line in web.get(f"/{NEW}.nt").text.splitlines()}
    assert f"<{BASE}{NEW}/rule/101.1>" not in about


def test_the_page_of_data_shows_short_names(web: TestClient) -> None:
    page = web.get("/dataset.html").text
    assert '<td data-column="value">dcat:Dataset</td>' in page
    assert '<td data-column="value">https://w3id.org/rulesgraph/</td>' in page  # the creator


def test_the_data_of_a_part_lead_to_what_has_it(web: TestClient) -> None:
    unit = f"{NEW}/entry/glow/1"
    found = web.get(f"/{unit}/ref/1.nt").text.splitlines()
    assert f"<{BASE}{unit}> <{BASE}ns#hasReference> <{BASE}{unit}/ref/1> ." in found


def test_the_expressions_of_an_ontology_have_no_names(web: TestClient) -> None:
    """OWL's mapping to RDF wants blank nodes for restrictions, unions and lists, as `game.ttl` has them."""
    served = Graph().parse(data=web.get("/game.ttl").text, format="turtle")
    written = Graph().parse(data=read_text("game.ttl"), format="turtle")
    assert isomorphic(served, written)


STATUS = [
    ("term/moonbeam", 404),
    ("term/moonbeam.html", 404),
    ("term/moonbeam.ttl", 404),
    # A number that the edition before had, and this one has not.
    (f"{NEW}/rule/301.3", 410),
    (f"{NEW}/rule/301.3.html", 410),
    (f"{NEW}/rule/999.1", 404),
    ("edition/cr-1066-10-14", 404),
    ("provision/P99999", 404),
    ("rule/301.3", 410),
    ("rule/320.4", 302),
    ("rule/301.3?asof=2031-03-01", 200),
    ("rule/301.3?asof=yesterday", 400),
    ("rule/301.3?asof=1990-01-01", 400),
    ("term/..%2f..%2fetc%2fpasswd", 404),
    ("term/%00", 404),
    ("term/a%20b%3Cscript%3E.html", 404),
    ("static/nothing.css", 404),
    ("static/..%2fpress.py", 404),
]


@pytest.mark.parametrize(("address", "status"), STATUS)
def test_what_is_not_there_says_so(web: TestClient, address: str, status: int) -> None:
    assert web.get(f"/{address}", headers={"Accept": BROWSER}).status_code == status


ABSENT = [
    (f"{NEW}/rule/301.3", 410, "301.3 is no longer here; it is 320.4"),
    (f"{NEW}/rule/999.1.ttl", 404, "No loaded edition contains “999.1”."),
    ("edition/cr-1066-10-14", 404, "No edition “cr-1066-10-14” is loaded."),
    ("rule/301.3?asof=1990-01-01", 400, "no loaded edition was in force on 1990-01-01"),
]


@pytest.mark.parametrize(("address", "status", "said"), ABSENT)
def test_a_client_of_data_gets_no_page_about_what_is_not_there(
    web: TestClient, address: str, status: int, said: str
) -> None:
    for accept in ("text/turtle", "application/n-triples, application/rdf+xml;q=0.5"):
        sentence = web.get(f"/{address}", headers={"Accept": accept})
        assert (sentence.status_code, sentence.text.splitlines()[0]) == (status, said)
        assert sentence.headers["content-type"] == "text/plain; charset=utf-8"
    problem = web.get(f"/{address}", headers={"Accept": "application/ld+json, text/turtle;q=0.5"})
    assert (problem.status_code, problem.headers["content-type"]) == (status, "application/problem+json")
    assert problem.json()["detail"].splitlines()[0] == said


def test_a_rule_that_is_gone_says_where_it_went(web: TestClient) -> None:
    page = web.get(f"/{NEW}/rule/301.3.html", headers={"Accept": BROWSER}).text
    assert '<a class="number" href="../../../edition/cr-2031-07-01/rule/320.4.html">320.4</a>' in page


def test_the_rule_of_a_day_says_what_it_is_today(web: TestClient) -> None:
    page = web.get("/rule/301.3", params={"asof": "2031-03-01"}).text
    told = page[page.index('<p class="notice"') :].partition("</p>")[0]
    assert told.endswith(
        "This was the rule on 1 March 2031, from Comprehensive Rules, 1 February 2031. Today it is "
        '<a href="../edition/cr-2031-07-01/rule/320.4.html">320.4</a>.'
    )


ADDRESSES = [
    ("term/flutter", "term/flutter.html"),
    ("edition/starter", "edition/starter.html"),
    ("edition/starter/rule/605.2c~2", "edition/starter/rule/605.2c~2.html"),
    ("edition/starter/entry/G16.12/a/ref/1", "edition/starter/entry/G16.12.html#a-ref-1"),
    ("provision/cr-2031-02-01/301.3", "provision/cr-2031-02-01/301.3.html"),
    ("ns#Term", "ns.html#Term"),
    ("game#Zone", "game.html#Zone"),
]


@pytest.mark.parametrize(("local", "page"), ADDRESSES)
def test_an_iri_has_a_page(local: str, page: str) -> None:
    assert page_of(Iris(), BASE + local) == page


def test_an_iri_of_elsewhere_has_none() -> None:
    assert page_of(Iris(), "http://purl.org/dc/terms/title") == ""


def test_an_ending_is_told_from_a_number() -> None:
    iris = Iris("https://example.org/r/")
    assert sought(iris, "edition/x/rule/1.2") == ("https://example.org/r/edition/x/rule/1.2", "")
    assert sought(iris, "edition/x/rule/1.2.nt") == ("https://example.org/r/edition/x/rule/1.2", "nt")
    assert NamedNode(sought(iris, "term/a.html")[0]).value == "https://example.org/r/term/a"


# -- downloads -------------------------------------------------------------------------------------

NOTATION = {
    "ttl": RdfFormat.TURTLE,
    "jsonld": RdfFormat.JSON_LD,
    "rdf": RdfFormat.RDF_XML,
    "nt": RdfFormat.N_TRIPLES,
}


def triples(document: bytes, ending: str) -> set[str]:
    return {str(it.triple) for it in parse(document, NOTATION[ending])}


@pytest.mark.parametrize("edition", ["cr-2031-02-01", "all"])
def test_an_edition_is_downloaded_in_every_notation(web: TestClient, mini_store: Path, edition: str) -> None:
    session = session_on(mini_store)
    graphs = session.scope(edition).default_graphs
    lines = {line.rstrip(" .") for graph in graphs for line in session.store.graph_lines(graph)}
    expected = triples("".join(f"{line} .\n" for line in lines).encode(), "nt")
    assert len(expected) > 1000
    for ending in NOTATION:
        answer = web.get(f"/download/{edition}.{ending}")
        assert answer.headers["content-type"].partition(";")[0] == MEDIA[ending]
        assert answer.headers["content-disposition"] == f'attachment; filename="{edition}.{ending}"'
        assert triples(answer.content, ending) == expected
    again = {"If-None-Match": answer.headers["etag"]}
    assert web.get(f"/download/{edition}.nt", headers=again).status_code == 304


def test_what_cannot_be_downloaded_is_not_found(web: TestClient) -> None:
    for name in ("cr-2031-02-01.zip", "cr-2031-02-01", "cr-1999-01-01.ttl", "..ttl", ".ttl"):
        assert web.get(f"/download/{name}").status_code == 404


@pytest.mark.parametrize("added", ["%0d%0a,", "%20", ",", ",cr-2031-07-01"])
def test_a_name_that_no_edition_has_adds_no_line_to_the_header(web: TestClient, added: str) -> None:
    assert web.get(f"/download/cr-2031-02-01{added}.ttl").status_code == 404


def quads(document: bytes, form: RdfFormat) -> list[str]:
    return sorted(map(str, parse(document, form)))


def test_all_of_it_is_given_out_while_it_is_written(web: TestClient, mini_store: Path) -> None:
    store = session_on(mini_store).store
    lines = (
        f"{line.rstrip(' .')} <{graph}> .\n" for graph in store.graphs() for line in store.graph_lines(graph)
    )
    expected = quads("".join(lines).encode(), RdfFormat.N_QUADS)
    assert len(expected) == store.size()
    plain = web.get("/download/rulesgraph.nq", headers={"Accept-Encoding": "identity"})
    packed = web.get("/download/rulesgraph.nq", headers={"Accept-Encoding": "gzip"})
    archive = web.get("/download/rulesgraph.nq.gz", headers={"Accept-Encoding": "identity"})
    trig = web.get("/download/rulesgraph.trig")
    told = [
        (it.headers.get("content-encoding"), it.headers["content-type"])
        for it in (plain, packed, archive, trig)
    ]
    assert told == [
        (None, "application/n-quads"),
        ("gzip", "application/n-quads"),
        (None, "application/gzip"),
        ("gzip", "application/trig; charset=utf-8"),
    ]
    assert plain.headers["content-disposition"] == 'attachment; filename="rulesgraph.nq"'
    assert plain.content == packed.content == gzip.decompress(archive.content)
    assert quads(plain.content, RdfFormat.N_QUADS) == expected
    assert quads(trig.content, RdfFormat.TRIG) == expected
    tags = {it.headers["etag"] for it in (plain, packed, archive, trig)}
    assert len(tags) == 4
    again = {"Accept-Encoding": "identity", "If-None-Match": plain.headers["etag"]}
    assert web.get("/download/rulesgraph.nq", headers=again).status_code == 304
    head = web.head("/download/rulesgraph.nq.gz")
    assert (head.status_code, head.content, head.headers["etag"]) == (200, b"", archive.headers["etag"])


def service_of(web: TestClient) -> Starlette:
    assert isinstance(web.app, Starlette)
    return web.app


def test_who_asks_for_too_much_of_it_at_once_is_sent_away(mini_store: Path) -> None:
    service = application(mini_store)
    service.state.dumps = FairTurns(1, 0, 0)

    async def tries(count: int) -> list[tuple[int, str]]:
        transport = httpx.ASGITransport(service)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            asked = (client.get("/download/rulesgraph.nq") for _ in range(count))
            found = await asyncio.gather(*asked)
            return sorted((it.status_code, it.headers.get("Retry-After", "")) for it in found)

    assert asyncio.run(tries(3)) == [(200, ""), (503, "5"), (503, "5")]
    # A turn comes back when its download is over.
    assert asyncio.run(tries(1)) == [(200, "")]


def test_a_download_that_breaks_off_is_seen_to(web: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> list[str]:
        return [sys.executable, "-c", "import os; os.write(1, b'half'); os._exit(9)"]

    monkeypatch.setattr("rulesgraph.app.web.linked.routing.dumping", broken)
    with pytest.raises(RuntimeError):
        web.get("/download/rulesgraph.nq", headers={"Accept-Encoding": "identity"})
    assert service_of(web).state.dumps._free == AT_ONCE


def test_the_description_says_where_all_of_it_is(web: TestClient) -> None:
    places = [web.get(it, follow_redirects=True) for it in ("/.well-known/void", "/void", "/catalog")]
    assert {it.url.path for it in places} == {"/dataset.ttl"}
    told = {str(it.triple) for it in parse(places[0].content, RdfFormat.TURTLE)}
    whole, void, dcat = f"<{BASE}dataset>", "<http://rdfs.org/ns/void#", "<http://www.w3.org/ns/dcat#"
    for name, notation in (("nq.gz", "nquads"), ("nq", "nquads"), ("trig", "trig")):
        address = f"<{BASE}download/rulesgraph.{name}>"
        assert f"{whole} {void}dataDump> {address}" in told
        assert f"<{BASE}dataset#as-{notation}> {dcat}downloadURL> {address}" in told
        assert f"{whole} {dcat}distribution> <{BASE}dataset#as-{notation}>" in told
    assert f"{whole} {void}sparqlEndpoint> <{BASE}sparql>" in told
    service = f"<{BASE}dataset#as-sparql>"
    assert f"{service} {dcat}endpointURL> <{BASE}sparql>" in told
    assert f"{service} {dcat}servesDataset> {whole}" in told
    assert f"<{BASE}graph/catalog> {dcat}service> {service}" in told


def test_a_name_that_no_term_has_is_looked_up_in_no_edition(
    mini_rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a hundred editions that would take seconds."""
    looked: list[str] = []

    def tenures(_: object, key: str) -> list[object]:
        looked.append(key)
        return []

    monkeypatch.setattr("rulesgraph.app.web.linked.data.entry_tenures", tenures)
    context = PageContext(mini_rules)
    assert statements(context, context.iris.term("flutter"))
    assert statements(context, context.iris.term("moonbeam")) == []
    assert looked == ["flutter"]
