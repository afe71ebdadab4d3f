"""Outside input in any shape: documents, questions, texts to verify, queries, requests.

Every run tries the same examples, `make fuzz` others. What it finds gets a test of its own beside the code
that was wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

import pyoxigraph
import pytest
from commands import MINI
from hypothesis import given
from hypothesis import strategies as st
from pyoxigraph import RdfFormat
from rulesgraph import Rules
from rulesgraph.app.web.service import application
from rulesgraph.loaders.graph.emit import document_triples
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import decode
from rulesgraph.loaders.records import Document
from rulesgraph.loaders.store.query import prepare
from rulesgraph.loaders.store.scan import scan
from rulesgraph.ontology.errors import RulesgraphError, SourceError, UsageError
from rulesgraph.ontology.iris import Iris
from rulesgraph.queries.catalogue.questions import questions
from starlette.testclient import TestClient
from sweep import part_of_the_examples

ANY = st.text(max_size=40)
FEWER = part_of_the_examples(0.5)
"""For what takes some ten milliseconds each time."""


# -- documents -------------------------------------------------------------------------------------

PAGES = {path.name: path.read_text(encoding="utf-8").splitlines() for path in sorted(MINI.glob("*.txt"))}
ODD = ["", " ", "100.", "\ufffd", "9" * 400, "See rule", "Glossary", "Credits", "\x0c", "G7.", "a" * 3000]
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["drop", "twice", "swap", "cut", "odd"]), st.integers(0, 10_000), st.sampled_from(ODD)
    ),
    max_size=8,
)


def damaged(lines: list[str], changes: list[tuple[str, int, str]]) -> list[str]:
    """Return the lines of a document with some of them dropped, doubled, exchanged, cut or replaced."""
    lines = list(lines)
    for how, place, odd in changes:
        at = place % len(lines)
        match how:
            case "drop":
                lines[at] = ""
            case "twice":
                lines.insert(at, lines[at])
            case "swap":
                lines[at], lines[-at] = lines[-at], lines[at]
            case "cut":
                lines[at] = lines[at][: place % (len(lines[at]) + 1)]
            case _:
                lines.insert(at, odd)
    return lines


def assert_whole(document: Document) -> None:
    """Every line of a document is in a record, and all its triples can be read."""
    assert document.unaccounted == ()
    written = document_triples(document, Iris())
    read = pyoxigraph.parse(b"".join(written.nquads("x:document")), format=RdfFormat.N_QUADS)
    assert sum(1 for _ in read) == len(written)


@FEWER
@given(st.sampled_from(sorted(PAGES)), CHANGES, st.sampled_from(["\n", "\r\n"]))
def test_a_damaged_document_is_refused_or_every_line_of_it_is_a_record(
    name: str, changes: list[tuple[str, int, str]], end: str
) -> None:
    try:
        document = load_document(decode(end.join(damaged(PAGES[name], changes)).encode(), name))
    except SourceError as error:
        refused: SourceError | None = error
    else:
        refused = None
        assert_whole(document)
    assert refused is None or refused.way_out


# -- words -----------------------------------------------------------------------------------------

WORDS = sorted(
    {word for one in questions() for text in one.phrasings for word in text.split()}
    | {"Moth", "Flutter", "Waning Checks", "300.2", "cr-2031-02-01", "2031", "and", "?", "{", "'", "not"}
)
SAID = st.one_of(ANY, st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))


@FEWER
@given(SAID)
def test_any_words_are_answered_or_refused_with_a_sentence(mini_rules: Rules, words: str) -> None:
    try:
        answer = mini_rules.ask(words)
    except RulesgraphError as error:
        refused: RulesgraphError | None = error
    else:
        refused = None
        assert all(len(row) == len(answer.columns) for row in answer.rows)
    assert refused is None or (refused.exit_code in {1, 2} and refused.what)


CITED = st.sampled_from(
    [
        *"rule Rule 300.2 300.2a 101 G7.1a 999.9z and or through - – ( ) [ ] “ ” , ; . # > | `".split(),
        "https://w3id.org/rulesgraph/term/moth",
        "https://w3id.org/rulesgraph/edition/cr-2031-02-01/rule/300.2",
        "Waning Checks",
        '"',
        "\n",
        "\n\n",
    ]
)
CITING = st.lists(CITED, max_size=30)


@FEWER
@given(st.one_of(ANY, CITING.map(" ".join), CITING.map("".join)))
def test_any_text_is_verified_line_by_line(mini_rules: Rules, text: str) -> None:
    found = [int(str(row["line"])) for row in mini_rules.verify(text, every=True).records()]
    assert found == sorted(found)
    assert all(1 <= line <= len(text.splitlines()) for line in found)


# -- queries ---------------------------------------------------------------------------------------

TOKENS = st.sampled_from(
    [
        *"SELECT * ?x ?y WHERE { } ( ) [ ] ASK FROM NAMED <x:g> GRAPH rg:cites a ; . , 'a' \\ # @en".split(),
        *"FILTER EXISTS VALUES UNDEF BIND AS SERVICE BASE PREFIX x: << >> {| |} LIMIT 1 -1 1e3".split(),
        *("_:b", "\\u0041", "%41", "é", ":", "\n", '"b"', '"""', "'''"),
    ]
)
PHRASE = st.lists(TOKENS, max_size=25)
QUERY = st.one_of(ANY, PHRASE.map(" ".join), PHRASE.map("".join))


@given(QUERY)
def test_the_scanner_loses_no_character(text: str) -> None:
    assert "".join(token.text for token in scan(text)) == text


@given(QUERY)
def test_what_is_prepared_can_be_run(text: str) -> None:
    try:
        prepared = prepare(text)
    except UsageError:
        return
    pyoxigraph.Store().query(prepared.text, base_iri=prepared.base, prefixes=dict(prepared.prefixes))


# -- the service -----------------------------------------------------------------------------------

MARK = "<script>mark</script>"
PIECES = st.sampled_from(
    "term rule edition document provision graph ns game question changes defects map search names.json "
    "moth flutter 300.2 300 cr-2031-02-01 cr-2031-07-01 rulings-2031-03-10 P00001 terms_relying_on cited_by "
    "derived entry section sense 1 current rule.html moth.html moth.ttl moth.jsonld 300.2.html .. . %00 "
    "%2e%2e %ff ~2 index.html query.html search.html static sparql download cr-2031-02-01.nt all.ttl "
    "vocabulary.json".split()
)
SEGMENT = st.one_of(PIECES, ANY.map(lambda text: quote(text, safe="")), st.just(quote(MARK, safe="")))
NAMES = st.sampled_from("q edition asof from to with query concept kind default-graph-uri page x".split())
ODD_VALUES = [
    MARK,
    f'"{MARK}',
    "2031-02-01",
    "cr-2031-02-01",
    "9" * 300,
    "javascript:mark",
    "\x00",
    "ASK { }",
]
VALUE = st.one_of(ANY, SAID, QUERY, st.sampled_from(ODD_VALUES))
PARAMETERS = st.lists(st.tuples(NAMES, VALUE), max_size=4)
MEDIA = ["text/html", "*/*", "text/turtle", "application/ld+json", "application/json", "image/png;q=0"]
PRINTABLE = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20)
ACCEPT = st.one_of(st.sampled_from(MEDIA), PRINTABLE)
METHOD = st.sampled_from(["GET", "GET", "GET", "HEAD", "POST", "OPTIONS", "DELETE"])


@pytest.fixture(scope="module")
def client(mini_store: Path) -> Iterator[TestClient]:
    """The service in this process: what it raises reaches the test."""
    with TestClient(application(mini_store), follow_redirects=False) as found:
        yield found


@FEWER
@given(METHOD, st.lists(SEGMENT, max_size=5), PARAMETERS, ACCEPT)
def test_any_request_has_an_answer_that_is_sound(
    client: TestClient, method: str, path: list[str], parameters: list[tuple[str, str]], accept: str
) -> None:
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in parameters)
    address = f"/{'/'.join(path)}{query and '?'}{query}"
    answer = client.request(method, f"http://testserver{address}", headers={"accept": accept})
    assert answer.status_code < 500, answer.text
    assert all(value.isprintable() for value in answer.headers.values())
    kind = answer.headers.get("content-type", "")
    if method == "HEAD":
        assert answer.content == b""
    elif kind.startswith("text/html"):
        assert MARK not in answer.text
        assert '"javascript:' not in answer.text
    elif "json" in kind:
        json.loads(answer.content)
    if "location" in answer.headers:
        target = urlsplit(answer.headers["location"])
        assert (target.scheme, target.netloc) in {("", ""), ("http", "testserver"), ("https", "w3id.org")}
