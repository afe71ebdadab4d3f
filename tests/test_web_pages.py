"""Each kind of page says what the Python interface says, with links, and runs no data."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import groupby
from pathlib import Path
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
import rulesgraph
from rulesgraph.app.python.picture import answer_question
from rulesgraph.app.web.pages.edition_snapshot import History
from rulesgraph.app.web.pages.layout import EDITOR, PageContext, PageLayout, static_files
from rulesgraph.app.web.pages.overview import about_page, quality_figures
from rulesgraph.app.web.pages.query import QueryOutcome, things_in
from rulesgraph.app.web.pages.tables import table_of
from rulesgraph.app.web.pages.term import _rows, term_page
from rulesgraph.app.web.service import application
from rulesgraph.loaders.language.words import split_heading
from rulesgraph.ontology.errors import UnknownNameError
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.history.links import outline
from rulesgraph.queries.reliance.network import Network
from rulesgraph.queries.session import with_history
from rulesgraph.viz.selection import NodeKind
from starlette.testclient import TestClient

NEW = "edition/cr-2031-07-01"


@pytest.fixture(scope="module")
def web(mini_store: Path) -> Iterator[TestClient]:
    """A client of the service over the mini game."""
    with TestClient(application(mini_store), headers={"Accept": "text/html"}) as client:
        yield client


class MarkupReader(HTMLParser):
    """Keeps the words of each element with a class or an id, and the links of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.scripts: list[dict[str, str | None]] = []
        self.styles = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("a", "link") and given.get("href"):
            self.links.append(str(given["href"]))
        if tag == "script":
            self.scripts.append(given)
        self.styles += tag == "style" or "style" in given
        assert not [name for name in given if name.startswith("on")]


def words(page: str, start: str, end: str) -> str:
    """Return the plain words of a page between two marks, with collapsed white space."""
    part = page[page.index(start) : page.index(end, page.index(start))]
    return " ".join(re.sub(r"<[^>]*>", " ", part).split())


PAGES = [
    "",
    "terms.html",
    "questions.html",
    "changes.html",
    "changes/cr-2031-02-01/cr-2031-07-01.html",
    "defects.html",
    "defects/cr-2031-02-01.html",
    "about.html",
    "search",
    "search?q=flutter",
    "search?q=Which terms rely on moth?",
    "search?q=lit lantern dark",
    'search?q="',
    "search?q=in:nowhere",
    "question/terms_relying_on.html",
    "question/terms_relying_on.html?concept=Moth",
    "question/terms_relying_on.html?concept=nothing of the kind",
    "question/interaction.html?concept=Flutter&other=Moth",
    "question/statistics.html",
    f"{NEW}.html",
    f"{NEW}/section/3.html",
    f"{NEW}/rule/320.html",
    f"{NEW}/rule/101.1.html",
    "edition/rulings-2031-03-10.html",
    "edition/cr-2031-02-01/entry/flutter.html",
    "query.html",
    "query.html?example=statistics",
    "query.html?example=citing",
    "query.html?example=citing&concept=Moth",
    "query.html?query=SELECT ?it { ?it a rg:Term } ORDER BY ?it",
    "term/flutter.html",
    "term/moth.html",
]
OWN = ("suggest.js", "ranking.js", "site.js")


@pytest.mark.parametrize("address", PAGES)
def test_every_page_is_whole_and_asks_nobody_else(web: TestClient, address: str) -> None:
    found = web.get(f"/{address}")
    read = MarkupReader(found.text)
    assert found.status_code == 200
    scripts = [it["src"] or "" for it in read.scripts if it.get("type") != "application/ld+json"]
    edited = address.startswith("query") and EDITOR in static_files()
    assert [it.rpartition("/")[2] for it in scripts] == [EDITOR, *OWN][not edited :]
    assert read.styles == 0
    here = [it for it in read.links if not urlsplit(it).netloc]
    assert {urlsplit(urljoin(f"http://testserver/{address}", it)).netloc for it in here} == {"testserver"}


@pytest.mark.long(small="test_every_link_leads_to_a_file_of_the_site")
def test_every_link_of_every_page_leads_somewhere(web: TestClient) -> None:
    targets = set()
    for address in PAGES:
        page = f"http://testserver/{address}"
        links = (
            urljoin(page, it).partition("#")[0] for it in MarkupReader(web.get(f"/{address}").text).links
        )
        targets |= {it for it in links if urlsplit(it).netloc == "testserver"}
    pages = sorted(it for it in targets if urlsplit(it).path != "/map")
    assert [it for it in pages if web.get(it).status_code != 200] == []
    assert len(pages) > 150


def test_a_term_says_what_the_front_door_says(mini_store: Path) -> None:
    rules = rulesgraph.open(mini_store)
    context = PageContext(rules)
    snapshot = context.snapshot(context.newest.id)
    terms = [it for it in snapshot.things(NodeKind.TERM) if it.loaded]
    assert len(terms) == 16
    for term in terms:
        assert snapshot.relies_on(term).rows == rules.term(term.label).relies_on.rows
        assert snapshot.relied_on_by(term).rows == rules.term(term.label).relied_on_by.rows


def test_links_that_are_read_at_once_are_those_that_are_looked_up(mini_store: Path) -> None:
    session = rulesgraph.open(mini_store).session
    one, whole = Network(session, session.current), Network(session, session.current, whole=True)
    terms = [session.iris.term(slug) for slug in ("flutter", "moth", "lantern", "keeper")]
    kinds = ("citation", "note", "definition", "mention")
    assert sorted(one.into(terms, kinds, asked=True)) == sorted(whole.into(terms, kinds, asked=True))
    assert sorted(one.out_of(terms, kinds, asked=True)) == sorted(whole.out_of(terms, kinds, asked=True))


def test_the_past_that_is_read_at_once_is_the_one_that_is_asked_for(mini_store: Path) -> None:
    session = rulesgraph.open(mini_store).session
    one, whole = History(session, at_once=False), History(session, at_once=True)
    for edition in with_history(session.editions()):
        items = outline(session, edition)
        assert len(items) > 40
        for iri, item in items.items():
            name = item.key if not item.is_entry else split_heading(item.title).names[0]
            assert whole.rows(name, edition.id) == one.rows(name, edition.id)
            assert whole.text(edition, iri) == one.text(edition, iri) == item.text
        for provision in PageContext(rulesgraph.open(mini_store)).snapshot(edition.id).provisions.values():
            found = one.expressions(provision)
            assert found
            assert whole.expressions(provision) == found
        for history in (one, whole):
            assert history.text(edition, session.iris.rule(edition.id, "999.9")) == ""
            with pytest.raises(UnknownNameError):
                history.rows("999.9", edition.id)
    assert whole.expressions("https://example.org/none") == ()


def test_the_same_store_gives_the_same_page(mini_store: Path) -> None:
    iri = "https://w3id.org/rulesgraph/term/flutter"
    first, second = (term_page(PageContext(rulesgraph.open(mini_store)), iri) for _ in range(2))
    assert first == second


def test_a_changed_word_is_marked(web: TestClient) -> None:
    page = web.get("/changes/cr-2031-02-01/cr-2031-07-01.html").text
    assert "<del>" in page
    assert "<ins>" in page
    assert words(page, '<p class="about">', "</p>").startswith("8 ")


def test_editions_are_compared_by_a_form_without_a_script(web: TestClient) -> None:
    asked = {"before": "2031-02-01", "after": "2031-07-01"}
    found = web.get("/changes.html", params=asked)
    assert str(found.url) == "http://testserver/changes/2031-02-01/2031-07-01.html"
    assert found.status_code == 200


def test_a_number_alone_leads_to_its_rule(web: TestClient) -> None:
    found = web.get("/rule/320.4")
    assert str(found.url) == f"http://testserver/{NEW}/rule/320.4.html"


HINT = "The vocabulary has no rg:Trem; did you mean rg:Term?"
QUERIES = [
    (
        "SELECT ?n { term:flutter skos:prefLabel ?n }",
        200,
        "Result 1 n Flutter Download: JSON · CSV · TSV · XML",
    ),
    ("ASK { term:flutter a rg:Term }", 200, "Result Yes Download: JSON · CSV · TSV · XML"),
    ("SELECT ?n { term:nothing rdfs:label ?n }", 200, "Result 0 No rows. Download: JSON · CSV · TSV · XML"),
    ("SELECT ?n { ?n a rg:Trem }", 200, f"Result 0 No rows. {HINT} Download: JSON · CSV · TSV · XML"),
]


@pytest.mark.parametrize(("query", "status", "told"), QUERIES)
def test_a_query_is_run_by_a_plain_form(web: TestClient, query: str, status: int, told: str) -> None:
    found = web.get("/query.html", params={"query": query})
    assert (found.status_code, words(found.text, '<h2 id="result">', "</section>")) == (status, told)


def test_the_form_is_plain_where_there_is_no_editor(web: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {name: body for name, body in static_files().items() if name != EDITOR}

    def scripts(**asked: str) -> tuple[str, ...]:
        page = web.get("/query.html", params={"query": "ASK {}", **asked})
        assert '<textarea id="query"' in page.text
        return tuple(str(it["src"]).rpartition("/")[2] for it in MarkupReader(page.text).scripts)

    monkeypatch.setattr("rulesgraph.app.web.pages.query.static_files", lambda: files)
    assert scripts() == OWN
    monkeypatch.setattr("rulesgraph.app.web.pages.query.static_files", lambda: {**files, EDITOR: b""})
    assert scripts() == ("editor.js", *OWN)
    assert scripts(field="plain") == OWN


def test_what_a_result_names_can_be_drawn(web: TestClient) -> None:
    query = "SELECT ?it { VALUES ?it { term:flutter term:moth skos:note } }"
    page = web.get("/query.html", params={"query": query}).text
    [link] = [it for it in MarkupReader(page).links if it.endswith("as=graph")]
    drawn = web.get(f"/{link}")
    assert drawn.status_code == 200
    assert "The 2 things that the answer names" in drawn.text
    assert "script-src 'sha256-" in drawn.headers["content-security-policy"]
    page = web.get("/query.html", params={"query": "SELECT (1 AS ?n) {}", "as": "graph"}).text
    assert [it for it in MarkupReader(page).links if it.endswith("as=graph")] == []
    assert "<h1>SPARQL</h1>" in page


def test_things_of_a_result_are_those_below_the_base() -> None:
    uri = [{"type": "uri", "value": value} for value in ("x:/b", "x:/a", "y:/c", "x:/b")]
    rows = [{"s": it, "n": {"type": "literal", "value": "x:/d"}} for it in uri]
    results = json.dumps({"head": {"vars": ["s", "n"]}, "results": {"bindings": rows}}).encode()
    assert things_in(QueryOutcome("results", results), "x:/") == ("x:/b", "x:/a")
    triples = b'<x:/b> <x:/p> <x:/a> .\n<x:/b> <x:/q> "x:/d" .\n_:c <x:/p> <y:/c> .\n'
    assert things_in(QueryOutcome("graph", triples), "x:/") == ("x:/b", "x:/a")
    assert things_in(QueryOutcome("results", b'{"head":{},"boolean":true}'), "x:/") == ()
    assert things_in(QueryOutcome(), "x:/") == ()


def test_names_of_the_vocabulary_are_completed(web: TestClient) -> None:
    answer = web.get("/vocabulary.json")
    told = answer.json()
    assert told["prefixes"]["term"] == "https://w3id.org/rulesgraph/term/"
    terms = {name: (kind, meaning) for name, kind, meaning in told["terms"]}
    assert terms["rg:dependsOn"][0] == terms["skos:prefLabel"][0] == "property"
    assert (terms["rg:Term"][0], terms["rg:Obsolete"][0]) == ("class", "constant")
    assert all(meaning for name, (_, meaning) in terms.items() if name.startswith(("rg:", "game:")))
    assert {name.partition(":")[0] for name in terms} <= set(told["prefixes"])
    assert web.get("/vocabulary.json", headers={"If-None-Match": answer.headers["etag"]}).status_code == 304


@pytest.mark.parametrize(
    "query", ["SELEC", "DELETE WHERE { ?s ?p ?o }", "SELECT * { SERVICE <http://x/> {} }"]
)
def test_a_query_that_is_refused_says_why(web: TestClient, query: str) -> None:
    found = web.get("/query.html", params={"query": query})
    assert found.status_code == 400
    assert '<p class="notice" role="alert"' in found.text
    assert query.replace("<", "&lt;").replace(">", "&gt;") in found.text


@pytest.mark.parametrize(
    ("typed", "leads_to"),
    [
        ("about", "/about.html"),
        ("defects", "/defects.html"),
        ("defects/cr-2031-07-01", "/defects/cr-2031-07-01.html"),
        ("ask?q=who+moves&edition=cr-2031-07-01", "/search?q=who+moves&edition=cr-2031-07-01"),
        ("diff", "/changes.html"),
        ("changes/cr-2031-02-01/cr-2031-07-01", "/changes/cr-2031-02-01/cr-2031-07-01.html"),
        ("question/definition?concept=Lantern", "/question/definition.html?concept=Lantern"),
        ("vocabulary", "/ns.html"),
    ],
)
def test_what_people_type_leads_to_the_page(web: TestClient, typed: str, leads_to: str) -> None:
    answer = web.get(f"/{typed}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (308, leads_to)
    assert web.get(leads_to).status_code == 200


def test_who_opens_the_endpoint_in_a_browser_finds_the_form(web: TestClient) -> None:
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    page = web.get("/sparql", headers={"Accept": browser})
    assert (page.url.path, page.status_code) == ("/query.html", 200)
    for program in ("*/*", "text/turtle, */*;q=0.1"):
        told = web.get("/sparql", headers={"Accept": program})
        assert told.headers["content-type"] == "text/turtle; charset=utf-8"


@pytest.mark.parametrize(
    "words", ["Which terms rely on moth?", "Why does flutter rely on moth?", "lit lantern dark"]
)
def test_what_is_answered_in_words_is_shown_on_the_map(web: TestClient, mini_store: Path, words: str) -> None:
    read = MarkupReader(web.get("/search", params={"q": words}).text)
    assert f"map?{urlencode({'answer': words})}" in read.links
    session = rulesgraph.open(mini_store).session
    assert answer_question(session, (words,), None).answer.rows == ask(session, words).rows


def test_what_is_found_stands_once_on_the_page(web: TestClient, mini_store: Path) -> None:
    """A name has its card, its rules and passages elsewhere; a question that is answered has its answer."""

    def shown(words: str) -> list[str]:
        main = web.get("/search", params={"q": words}).text.partition("<main")[2].partition("</main")[0]
        return [
            re.sub("<[^>]+>", "", it)
            for it in re.findall(r"<(?:p|td)[^>]*>(.*?)</(?:p|td)>", main, re.DOTALL)
        ]

    rules = rulesgraph.open(mini_store)
    for words in ("flutter", "moth", "What is flutter?", "320.4a"):
        texts = [html.unescape(it) for it in shown(words)]
        sentences = [text for row in rules.ask(words) if " " in (text := str(row["text"]))]
        assert {text: texts.count(text) for text in sentences} == dict.fromkeys(sentences, 1)
    assert "Passages" in web.get("/search?q=moth").text
    assert "Passages" not in web.get("/search?q=What is moth?").text


def test_a_day_beside_a_name_leads_into_its_edition(web: TestClient) -> None:
    found = web.get("/search", params={"q": "moth in cr-2031-02-01"}).text.partition("<main")[2]
    assert set(re.findall(r"edition/(cr-[\d-]+)/", found)) == {"cr-2031-02-01"}


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("term/moth.html", "../map?around=Moth"),
        (f"{NEW}/rule/310.html", "../../../map?around=310"),
        ("question/statistics.html", "../map?answer=statistics"),
        ("changes/cr-2031-02-01/cr-2031-07-01.html", "../../map?editions=cr-2031-02-01%2Ccr-2031-07-01"),
    ],
)
def test_every_answer_leads_to_the_map(web: TestClient, address: str, link: str) -> None:
    assert link in MarkupReader(web.get(f"/{address}").text).links


def test_the_page_about_the_data_marks_the_figures_below_their_aim(web: TestClient) -> None:
    page = web.get("/about.html").text
    below = [it for it in quality_figures() if it["is_below"]]
    (split,) = (it for it in below if (it["kind"], it["where"]) == ("rule, split", "to 2009-05"))
    assert (split["gold"], split["aim"]) == ("31", "0.95 / 0.95")
    assert split["precision"] < "0.95"
    assert page.count("<mark>") == 2 * len(below)
    assert page.count(">rule, split</td>") == sum(it["kind"] == "rule, split" for it in quality_figures())


def test_columns_that_tell_words_have_room_and_those_that_say_nothing_new_none(mini_store: Path) -> None:
    context = PageContext(rulesgraph.open(mini_store))
    row = ("error", "wrong-rule-cited", "lanterns", 7, "Flutter calls rule 320 something else.")
    answer = rulesgraph.Answer("check", ("severity", "check", "document", "line", "message"), (row,), "")
    layout, snapshot = PageLayout(context, "defects.html"), context.snapshot(context.newest.id)
    table = table_of(layout, snapshot, answer, without=("document",))
    assert table.columns == ("severity", "check", "line", "message")
    assert [cell.style for cell in table.rows[0]] == ["tight", "", "numeric", "telling"]


def test_a_long_page_lists_what_is_on_it(web: TestClient) -> None:
    def listed(address: str) -> list[tuple[str, str]]:
        nav = re.search(r'<nav class="on-page".*?</nav>', web.get(address).text, re.DOTALL)
        return re.findall(r'<li><a href="#([^"]+)">([^<]+)</a>', nav[0]) if nav else []

    assert listed("/term/moth.html") == [
        ("rule-202", "202 Moths"),
        ("relies-on", "Relies on"),
        ("relied-on-by", "Relied on by"),
        ("interaction", "With another term"),
        ("history", "History"),
        ("history202", "History of rule 202"),
    ]
    assert listed("/changes.html") == []
    assert listed("/terms.html") == []


def test_all_editions_are_offered_where_one_answer_may_hold_them(mini_store: Path) -> None:
    rules = rulesgraph.open(mini_store)
    held = rules.session.store.size()
    contexts = [PageContext(rules, rows=most) for most in (held - 1, held)]
    offered = ["download/all.ttl" in about_page(context).html for context in contexts]
    assert offered == [False, True]


def test_a_rule_stands_beside_the_term_that_the_same_sentence_names(web: TestClient) -> None:
    page = web.get("/term/bag.html").text
    relied = page[page.index('id="relies-on"') : page.index('id="relied-on-by"')]
    rows = re.findall(r"<p>(.*?) <span class=\"kind", relied)
    named = [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in rows]
    assert "Moth 202" in named
    assert "202 Moths" not in named
    assert f'href="../{NEW}/rule/202.html">202</a>' in relied


@pytest.mark.parametrize(("term", "most"), [("bag", 1), ("moth", 2)])
def test_what_rests_on_the_same_sentence_stands_together_above_it(
    web: TestClient, mini_store: Path, term: str, most: int
) -> None:
    page = web.get(f"/term/{term}.html").text
    relied = page[page.index('id="relies-on"') : page.index('id="relied-on-by"')]
    found = [
        (it.count("<p>"), html.unescape(it.partition("<blockquote>")[2].partition(" <cite>")[0]))
        for it in relied.split("<li>")[1:]
    ]
    context = PageContext(rulesgraph.open(mini_store))
    snapshot = context.snapshot(context.newest.id)
    subject = snapshot.thing(context.iris.term(term))
    rows = _rows(PageLayout(context, f"term/{term}.html"), snapshot, snapshot.relies_on(subject))
    grouped = groupby(rows, key=lambda it: it["sentence"])
    assert found == [(len(of), of[0]["quote"]) for of in (list(group) for _, group in grouped)]
    assert max(number for number, _ in found) == most


def test_an_address_that_is_nearly_right_leads_to_the_thing(web: TestClient) -> None:
    page = web.get("/term/moths.html")
    assert page.status_code == 404
    assert re.findall(r'Did you mean\s*<a href="(.*?)">(.*?)</a>', page.text) == [
        ("../term/moth.html", "Moth")
    ]


def test_a_term_of_a_chapter_shows_the_rules_of_that(web: TestClient) -> None:
    page = web.get("/term/moth.html").text
    chapter = page[page.index('id="rule-202"') : page.index('id="relies-on"')]
    assert re.findall(r"<dt><a [^>]*>([^<]*)</a></dt>", chapter) == ["202.1"]


OLD = "edition/cr-2031-02-01"
ABSENT = [
    (
        f"{NEW}/rule/301.3.html",
        410,
        [
            "301.3 is no longer here",
            "This edition has no such number. An earlier one does; this is what became of it.",
            "1 February 2031 301.3 the last edition with it",
            "1 July 2031 320.4 renumbered",
        ],
    ),
    (
        f"{OLD}/rule/320.4.html",
        404,
        [
            "320.4 is not here yet",
            "This edition has no such number. A later one does; this is where it came from.",
            "1 July 2031 320.4 the first edition with it",
            "1 February 2031 301.3 renumbered",
        ],
    ),
    (
        "edition/cr-1066-10-14/rule/320.4.html",
        404,
        ["Page not found", "No edition “cr-1066-10-14” is loaded.", "Another edition has 320.4."],
    ),
    ("edition/cr-1066-10-14.html", 404, ["Page not found", "No edition “cr-1066-10-14” is loaded."]),
    (f"{NEW}/rule/999.1.html", 404, ["Page not found", "No loaded edition contains “999.1”."]),
    ("nowhere.html", 404, ["Not Found", "There is nothing at this address."]),
    (
        "question/definitoin.html",
        404,
        [
            "Not Found",
            "No question is called “definitoin”.",
            "Did you mean definition?",
        ],
    ),
    (
        "rule/301.3?asof=yesterday",
        400,
        ["Bad Request", "'yesterday' is not a date", "Write a date like 2008-03-17."],
    ),
]


@pytest.mark.parametrize(("address", "status", "told"), ABSENT)
def test_what_is_not_here_is_told_in_the_frame_of_all_pages(
    web: TestClient, address: str, status: int, told: list[str]
) -> None:
    page = web.get(f"/{address}")
    article = page.text[page.text.index("<article") : page.text.index("</article>")]
    lines = [html.unescape(re.sub("<[^>]*>", "", line)).strip() for line in article.splitlines()]
    ways = "Ask a question, or browse the rules and the terms."
    assert (page.status_code, [line for line in lines if line not in ("", ways)]) == (status, told)
    assert 'role="search"' in page.text
