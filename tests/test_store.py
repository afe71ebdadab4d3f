"""Every store gives the same answers: in memory, in a folder, and at two SPARQL servers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, QueryResultsFormat, RdfFormat
from rulesgraph.loaders.store import MEMORY, Store, open_store
from rulesgraph.loaders.store.client import Client
from rulesgraph.loaders.store.protocol import text_rows
from rulesgraph.loaders.store.results import Solutions, Triples
from rulesgraph.ontology.errors import StoreError, StoreMissingError, UsageError
from rulesgraph.ontology.iris import BASE
from rulesgraph.ontology.terms import RG
from servers import run_oxigraph, run_virtuoso

OURS = "https://example.org/game/"
PAGE, TERMS, OTHER = OURS + "document/page", OURS + "graph/terms", OURS + "document/other"
PREFIX = f"PREFIX g: <{OURS}> "

XSD = "http://www.w3.org/2001/XMLSchema#"
ODD = 'a "lump" of\\clay\n{ ?x } # <not:an:iri> ü€😀'


def quads(*lines: str) -> bytes:
    """Write quads with `g:` names and graph names; `|` separates the four."""

    def term(text: str) -> str:
        return f"<{OURS}{text[2:]}>" if text.startswith("g:") else text

    return "".join(" ".join(term(t) for t in line.split("|")) + " .\n" for line in lines).encode()


VIRTUOSO = pytest.param("virtuoso", marks=pytest.mark.long(small="test_select"))
FILLED = quads(
    'g:moat|g:text|"Nobody swims."|g:document/page',
    "g:moat|g:cites|g:bridge|g:document/page",
    f'g:moat|g:line|"7"^^<{XSD}integer>|g:document/page',
    f'g:moat|g:loaded|"true"^^<{XSD}boolean>|g:document/page',
    f"g:odd|g:text|{Literal(ODD)}|g:document/page",
    'g:bridge|g:label|"Bridge"@en|g:graph/terms',
    'g:moat|g:label|"Moat"|g:graph/terms',
    'g:moat|g:label|"Moat"|g:document/other',
)

# -- the four stores -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def oxigraph_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from run_oxigraph(tmp_path_factory.mktemp("oxigraph"))


@pytest.fixture(scope="module")
def virtuoso_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from run_virtuoso(tmp_path_factory.mktemp("virtuoso"), most_rows=50)


@pytest.fixture(params=["memory", "folder", "oxigraph", VIRTUOSO])
def kind(request: pytest.FixtureRequest) -> str:
    """What kind of store a test is about."""
    return str(request.param)


@pytest.fixture(scope="module")
def untouched() -> dict[str, Store]:
    """The store of each kind with the graphs of `FILLED`, until a test writes to one of its kind."""
    return {}


def place(kind: str, request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the place of a store of a kind: a new one, except for the servers, which run for all tests."""
    places = {"memory": MEMORY, "folder": str(folder / "store")}
    return places.get(kind) or str(request.getfixturevalue(f"{kind}_server"))


@pytest.fixture
def empty(
    kind: str, untouched: dict[str, Store], request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Store]:
    """A store into which nothing was ever built."""
    location = place(kind, request, tmp_path)
    if untouched.pop(kind, None):
        forget_all(location)
    yield open_store(location, write=True)
    forget_all(location)


@pytest.fixture
def filled(
    kind: str,
    untouched: dict[str, Store],
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Store:
    """A store with the graphs of `FILLED`, for tests that only read: shared by successive tests."""
    if kind not in untouched:
        location = place(kind, request, tmp_path_factory.mktemp(kind))
        untouched[kind] = fill(open_store(location, write=True))
    return untouched[kind]


def forget_all(location: str) -> None:
    """Make a server look as if nothing was ever built into it, by its own means; delete other stores."""
    if location.startswith("http"):
        with suppress(StoreMissingError):
            graphs = [*open_store(location).graphs(), "urn:rulesgraph:store"]
            update(location, " ;\n".join(f"DROP SILENT GRAPH <{graph}>" for graph in graphs))


def update(location: str, text: str) -> None:
    """Change what a server holds by its own means."""
    address = location.replace("/query", "/update").replace("/sparql", "/sparql-auth")
    client = Client(location)
    client.post(address.replace("dba:dba@", ""), text.encode(), {"Content-Type": "application/sparql-update"})


@pytest.fixture
def store(empty: Store) -> Store:
    """A store with the graphs of `FILLED`, for a test that writes to it."""
    return fill(empty)


def fill(store: Store) -> Store:
    with store.rewrite(base=OURS) as rewrite:
        assert rewrite.load([FILLED]) == FILLED.count(b"\n")
    return store


def table(found: Any) -> set[tuple[str | None, ...]]:
    """Return the rows of a SELECT as text, IRIs without the base."""
    assert isinstance(found, Solutions)
    return {tuple(None if t is None else plain(t) for t in row) for row in found}


def plain(term: Any) -> str:
    return str(term.value).removeprefix(OURS)


# -- what every store does -------------------------------------------------------------------------


def test_nothing_was_built_yet(empty: Store) -> None:
    with pytest.raises(StoreMissingError):
        _ = empty.base
    for ask in (empty.graphs, empty.size):
        if empty.location != MEMORY:
            with pytest.raises(StoreMissingError):
                ask()


def test_the_base_is_settled_by_the_first_build(empty: Store) -> None:
    with empty.rewrite() as rewrite:
        assert rewrite.base == BASE
        rewrite.load([f"<{BASE}a> <{BASE}b> <{BASE}c> <{BASE}document/d> .\n".encode()])
    assert empty.base == BASE
    with pytest.raises(UsageError, match="cannot be changed"), empty.rewrite(base=OURS):
        pytest.fail("a store has one base")
    with empty.rewrite(base=BASE) as rewrite:
        assert rewrite.base == BASE


@pytest.mark.parametrize("base", ["", "no scheme/", "https://example.org/without-end", "https://x/ y/"])
def test_a_base_is_an_absolute_iri_to_append_to(base: str) -> None:
    with pytest.raises(UsageError, match="not a valid base"), open_store(MEMORY).rewrite(base=base):
        pytest.fail("this is no base")


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("kind", ["oxigraph", VIRTUOSO])
def test_graphs_that_were_loaded_by_other_means_are_known_by_their_editions(
    kind: str, request: pytest.FixtureRequest
) -> None:
    location: str = request.getfixturevalue(f"{kind}_server")
    graph = f"<{OURS}document/cr-2031-02-01>"
    edition = f"<{OURS}edition/cr-2031-02-01> a <{RG.Edition}>"
    update(location, f"INSERT DATA {{ GRAPH {graph} {{ {edition} }} }}")
    try:
        store = open_store(location)
        assert store.base == OURS
        assert store.graphs() == [OURS + "document/cr-2031-02-01"]
    finally:
        update(location, f"DROP SILENT GRAPH {graph}")


def test_graphs_and_their_lines(filled: Store) -> None:
    assert filled.base == OURS
    assert filled.graphs() == [OTHER, PAGE, TERMS]
    assert filled.size() == 8
    assert sorted(filled.graph_lines(TERMS)) == [
        f'<{OURS}bridge> <{OURS}label> "Bridge"@en .',
        f'<{OURS}moat> <{OURS}label> "Moat" .',
    ]
    assert set(filled.graph_lines(PAGE)) >= {
        f'<{OURS}moat> <{OURS}line> "7"^^<{XSD}integer> .',
        f'<{OURS}moat> <{OURS}loaded> "true"^^<{XSD}boolean> .',
        f"<{OURS}odd> <{OURS}text> {Literal(ODD)} .",
    }
    assert list(filled.graph_lines(OURS + "graph/none")) == []


TWICE = "SELECT (COUNT(*) AS ?n) { ?x g:label 'Moat' GRAPH ?g { ?x g:label ?l } }"

QUERIES: list[tuple[str, dict[str, Any], tuple[str, ...], set[tuple[str | None, ...]]]] = [
    # the columns come in the order of the query
    (
        "SELECT ?line ?x ?cited { ?x g:line ?line ; g:cites ?cited }",
        {"default_graphs": [PAGE]},
        ("line", "x", "cited"),
        {("7", "moat", "bridge")},
    ),
    # and those of a star in the order in which they are written
    ("SELECT * { ?z g:cites ?a }", {"default_graphs": [PAGE]}, ("z", "a"), {("moat", "bridge")}),
    # an unbound cell is None
    (
        "SELECT ?x ?y { ?x g:label ?l OPTIONAL { ?x g:cites ?y } }",
        {"default_graphs": [TERMS]},
        ("x", "y"),
        {("moat", None), ("bridge", None)},
    ),
    # several default graphs are seen as one
    (
        "SELECT ?l { ?x g:cites ?y . ?y g:label ?l }",
        {"default_graphs": [PAGE, TERMS]},
        ("l",),
        {("Bridge",)},
    ),
    # a statement in two of them counts twice, whether they are some or all, and GRAPH sees what it may
    (TWICE, {"default_graphs": [TERMS, OTHER], "named_graphs": [OTHER]}, ("n",), {("2",)}),
    (TWICE, {"default_graphs": [TERMS, OTHER, PAGE], "named_graphs": [OTHER]}, ("n",), {("2",)}),
    # no default graph is not the same as any
    ("SELECT ?x { ?x g:label ?l }", {"default_graphs": []}, ("x",), set()),
    # GRAPH sees every graph whatever the default one is …
    (
        "SELECT ?g { GRAPH ?g { ?x g:label 'Moat' } }",
        {"default_graphs": [PAGE]},
        ("g",),
        {("graph/terms",), ("document/other",)},
    ),
    # … unless it is narrowed
    (
        "SELECT ?g { GRAPH ?g { ?x g:label 'Moat' } }",
        {"default_graphs": [PAGE], "named_graphs": [OTHER]},
        ("g",),
        {("document/other",)},
    ),
    ("SELECT ?g { GRAPH ?g { ?x g:label 'Moat' } }", {"named_graphs": []}, ("g",), set()),
    # the FROM of a query wins over both
    (
        f"PREFIX graph: <{OURS}graph/> SELECT ?x FROM graph:terms {{ ?x g:label 'Moat' }}",
        {"default_graphs": [PAGE], "named_graphs": [PAGE]},
        ("x",),
        {("moat",)},
    ),
    (
        f"SELECT ?g FROM NAMED <{OTHER}> {{ GRAPH ?g {{ ?x g:label 'Moat' }} }}",
        {"default_graphs": [PAGE]},
        ("g",),
        {("document/other",)},
    ),
    # an odd text is found as the term that it is
    (f"SELECT ?x {{ ?x ?p {Literal(ODD)} }}", {"default_graphs": [PAGE]}, ("x",), {("odd",)}),
    # booleans are found and written as such
    ("SELECT ?b { ?x g:loaded true ; g:loaded ?b }", {"default_graphs": [PAGE]}, ("b",), {("true",)}),
]


@pytest.mark.parametrize(("text", "options", "columns", "rows"), QUERIES, ids=[q[0][:40] for q in QUERIES])
def test_select(
    filled: Store, text: str, options: dict[str, Any], columns: tuple[str, ...], rows: set[tuple[str, ...]]
) -> None:
    found = filled.query(PREFIX + text, **options)
    assert isinstance(found, Solutions)
    assert found.columns == columns
    assert table(found) == rows


def test_ask(filled: Store) -> None:
    text = PREFIX + "ASK { ?x g:cites g:bridge }"
    assert filled.query(text, default_graphs=[PAGE]) is True
    assert filled.query(text, default_graphs=[TERMS]) is False


def test_construct_and_describe(filled: Store) -> None:
    made = filled.query(
        PREFIX + "CONSTRUCT { ?y g:citedBy ?x } WHERE { ?x g:cites ?y }", default_graphs=[PAGE]
    )
    assert isinstance(made, Triples)
    assert [str(triple) for triple in made] == [f"<{OURS}bridge> <{OURS}citedBy> <{OURS}moat>"]
    short = filled.query(PREFIX + "CONSTRUCT WHERE { ?x g:cites g:bridge }", default_graphs=[PAGE])
    assert isinstance(short, Triples)
    assert b"g:cites g:bridge" in short.serialize(RdfFormat.TURTLE, {"g": OURS})
    told = filled.query(PREFIX + "DESCRIBE g:bridge", default_graphs=[TERMS])
    assert isinstance(told, Triples)
    assert f'<{OURS}bridge> <{OURS}label> "Bridge"@en' in {str(triple) for triple in told}


def test_rows_as_text(filled: Store) -> None:
    where = f"FROM <{PAGE}> FROM <{TERMS}> {{ ?x g:label ?l OPTIONAL {{ ?x g:line ?n }} }} ORDER BY ?x"
    found = text_rows(filled, f"{PREFIX}SELECT ?l ?x ?n {where}")
    assert list(found) == [("Bridge", OURS + "bridge", ""), ("Moat", OURS + "moat", "7")]


def test_solutions_as_a_document(filled: Store) -> None:
    found = filled.query(PREFIX + "SELECT ?l { g:bridge g:label ?l }", default_graphs=[TERMS])
    assert isinstance(found, Solutions)
    document = json.loads(found.serialize(QueryResultsFormat.JSON))
    [row] = document["results"]["bindings"]
    assert row["l"] == {"type": "literal", "value": "Bridge", "xml:lang": "en"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("SELECT ?x { ?x }", "line 1, column"),
        ("SELECT ?x {\n  ?x g:label ?y\n}", "prefix g: is not declared"),
        ("", "is empty"),
        ("INSERT DATA { <a:b> <a:c> <a:d> }", "only read.*INSERT"),
        ("LOAD <http://127.0.0.1:9/x>", "only read.*LOAD"),
        ("PREFIX a: <a:>\nDELETE WHERE { ?s a:p ?o }", "only read.*DELETE"),
        ("SELECT ?x { SERVICE <http://127.0.0.1:9/> { ?x ?p ?o } }", "SERVICE"),
        ("SELECT ?x { ?x ?p ?o FILTER EXISTS { service silent ?x { ?x ?p ?o } } }", "SERVICE"),
        ("SELECT ?x FROM <http://127.0.0.1:9/x> { ?x ?p ?o }", "does not download any"),
        ("SELECT ?x FROM NAMED <http://127.0.0.1:9/x> { ?x ?p ?o }", "does not download any"),
    ],
)
def test_refused_queries(filled: Store, text: str, says: str) -> None:
    with pytest.raises(UsageError, match=f"(?s){says}"):
        filled.query(text)
    assert filled.size() == 8


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?l { g:bridge g:label ?l }",
        "SELECT ?l FROM graph:terms { g:bridge g:label ?l }",
        f"PREFIX other: <{OURS}> SELECT ?l {{ other:bridge g:label ?l }}",
        f"PREFIX g: <{OURS}> PREFIX other: <x:> SELECT ?l {{ g:bridge g:label ?l }}",
        "SELECT * { g:bridge g:label ?l # not:declared\n}",
    ],
)
def test_given_prefixes_need_no_declaration(filled: Store, text: str) -> None:
    prefixes = {"g": OURS, "graph": OURS + "graph/", "other": "x:other/"}
    found = filled.query(text, default_graphs=[TERMS], prefixes=prefixes)
    assert isinstance(found, Solutions)
    assert list(found) == [(Literal("Bridge", language="en"),)]


def test_a_prefix_that_is_not_given_is_named(filled: Store) -> None:
    with pytest.raises(UsageError) as caught:
        filled.query("ASK { g:bridge other:label ?l }", prefixes={"g": OURS})
    assert str(caught.value) == (
        "the query does not parse: the prefix other: is not declared\n  These need no declaration: g."
    )


def test_a_graph_is_named_by_an_iri(filled: Store) -> None:
    if not filled.location.startswith("http"):
        with pytest.raises(UsageError, match="IRI"):
            filled.query("ASK {}", default_graphs=["no iri"])


# -- changes ---------------------------------------------------------------------------------------

MOAT = PREFIX + "SELECT ?g ?l { GRAPH ?g { g:moat g:label ?l } }"


def test_a_rewrite_sees_what_it_wrote_and_nobody_else_does(store: Store) -> None:
    before = {("graph/terms", "Moat"), ("document/other", "Moat")}
    after = {("graph/terms", "Ditch"), ("document/other", "Moat")}
    with store.rewrite() as rewrite:
        assert rewrite.base == OURS
        rewrite.drop([TERMS, OURS + "graph/never-there"])
        assert rewrite.graphs() == [OTHER, PAGE]
        assert rewrite.load([quads('g:moat|g:label|"Ditch"|g:graph/terms')]) == 1
        assert table(rewrite.query(MOAT)) == after
        assert list(rewrite.graph_lines(TERMS)) == [f'<{OURS}moat> <{OURS}label> "Ditch" .']
        assert rewrite.size() == 7
        assert table(store.query(MOAT)) == before
    assert table(store.query(MOAT)) == after
    assert store.size() == 7


def test_an_error_leaves_the_store_as_it_was(store: Store) -> None:
    def fail_in_the_middle() -> None:
        with store.rewrite() as rewrite:
            rewrite.drop(store.graphs())
            rewrite.load([quads("g:a|g:b|g:c|g:graph/new")])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_in_the_middle()
    assert store.graphs() == [OTHER, PAGE, TERMS]
    assert store.size() == 8
    with store.rewrite() as rewrite:
        rewrite.drop([PAGE])
    assert store.graphs() == [OTHER, TERMS]


def test_what_is_not_nquads_is_refused_whole(store: Store) -> None:
    with pytest.raises(StoreError, match="N-Quads"), store.rewrite() as rewrite:
        rewrite.load([quads("g:a|g:b|g:c|g:graph/new") + b"<g:a> <g:b> .\n"])
    assert store.size() == 8


def test_a_graph_can_be_emptied_and_all_graphs_too(store: Store) -> None:
    with store.rewrite() as rewrite:
        rewrite.drop(rewrite.graphs())
        assert rewrite.graphs() == []
    assert store.graphs() == []
    assert store.size() == 0
    assert store.base == OURS


def test_a_graph_larger_than_an_answer_is_read_whole(store: Store) -> None:
    """The Virtuoso of these tests gives fifty rows at once."""
    with store.rewrite() as rewrite:
        rewrite.load([quads(*(f'g:n{i}|g:label|"{i}"|g:graph/many' for i in range(1203)))])
    assert len(set(store.graph_lines(OURS + "graph/many"))) == 1203
    with store.rewrite() as rewrite:
        rewrite.drop([TERMS])
        assert rewrite.size() == 1209
    assert store.size() == 1209


def test_a_cut_answer_is_an_error_not_a_short_one(store: Store) -> None:
    with store.rewrite() as rewrite:
        rewrite.load([quads(*(f'g:n{i}|g:label|"{i}"|g:graph/many' for i in range(60)))])
    text = PREFIX + "SELECT ?x { ?x g:label ?l }"
    if store.location.endswith("/sparql"):
        with pytest.raises(StoreError, match="truncates answers after 50 rows"):
            store.query(text, default_graphs=[OURS + "graph/many"])
    else:
        assert len(table(store.query(text, default_graphs=[OURS + "graph/many"]))) == 60


def test_what_an_answer_holds_outlives_a_rewrite(store: Store) -> None:
    found = store.query(MOAT)
    with store.rewrite() as rewrite:
        rewrite.drop([TERMS, OTHER])
    assert table(found) == {("graph/terms", "Moat"), ("document/other", "Moat")}
    assert table(store.query(MOAT)) == set()


def test_loading_from_a_file(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "more.nq"
    file.write_bytes(quads("g:a|g:b|g:c|g:graph/new", "g:a|g:b|g:d|g:graph/new"))
    with store.rewrite() as rewrite:
        assert rewrite.load(file) == 2
    assert store.size() == 10


# -- loading in parts ------------------------------------------------------------------------------


def test_loads_that_follow_each_other_are_seen_and_dropped_as_if_they_were_written(store: Store) -> None:
    many = OURS + "graph/many"
    with store.rewrite() as rewrite:
        rewrite.load([quads("g:a|g:b|g:c|g:graph/many", 'g:a|g:b|"x"|g:graph/other')])
        rewrite.load([quads("g:a|g:b|g:d|g:graph/more")])
        rewrite.drop([many])
        rewrite.load([quads("g:a|g:b|g:e|g:graph/many")])
        assert list(rewrite.graph_lines(many)) == [f"<{OURS}a> <{OURS}b> <{OURS}e> ."]
        rewrite.load([quads("g:a|g:b|g:c|g:graph/many")])
        rewrite.drop([many, OURS + "graph/more"])
    assert set(store.graphs()) == {OTHER, PAGE, TERMS, OURS + "graph/other"}
