"""The catalog describes the other graphs correctly, in terms of VoID and DCAT."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph
import pytest
import rulesgraph
from rdflib import DCAT, DCTERMS, FOAF, OWL, PROV, RDF, RDFS, VOID
from rdflib.namespace import DefinedNamespace
from rulesgraph.loaders.build import build
from rulesgraph.loaders.describing.describe import CC0, MEDIA_TYPES, NOTATIONS
from rulesgraph.loaders.describing.inventory import LINKS, count_lines
from rulesgraph.loaders.store import Store, open_store
from rulesgraph.loaders.store.results import Solutions
from rulesgraph.ontology.iris import Iris
from rulesgraph.ontology.terms import PREFIXES
from rulesgraph.queries.export.notations import FORMATS
from rulesgraph.queries.export.notations import LINKS as LINKS_ONLY

ROOT = Path(__file__).resolve().parents[1]
IRIS = Iris()
SD = "http://www.w3.org/ns/sparql-service-description#"
KNOWN: tuple[type[DefinedNamespace], ...] = (VOID, DCAT, DCTERMS, FOAF, OWL, PROV, RDF, RDFS)
HEAD = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in {**PREFIXES, "sd": SD}.items())
NOT_DATA = (
    f"FILTER(?g NOT IN (<{IRIS.graph('catalog')}>, <{IRIS.graph('current')}>, <{IRIS.graph('ontology')}>))"
)
"""The catalog does not describe itself; the merged graph says all things again; classes are no data."""


@pytest.fixture(scope="module", params=["mini_store", "starter_store"])
def store(request: pytest.FixtureRequest) -> Store:
    return open_store(request.getfixturevalue(request.param))


def rows(store: Store, query: str) -> list[tuple[str, ...]]:
    """Return the solutions of a query over all graphs; CATALOG is replaced by its graph."""
    found = store.query(HEAD + query.replace("CATALOG", f"<{IRIS.graph('catalog')}>"))
    assert isinstance(found, Solutions)
    return [tuple(str(getattr(term, "value", "")) for term in row) for row in found]


def counted(store: Store, pattern: str) -> int:
    [[number]] = rows(store, f"SELECT (COUNT(*) AS ?n) WHERE {{ {{ {pattern} }} }}")
    return int(number)


def graphs_of(store: Store, part: str) -> Iterator[str]:
    """Yield the named graphs of a data set, including those of its parts."""
    query = f"SELECT ?graph WHERE {{ GRAPH CATALOG {{ <{part}> void:subset*/sd:name ?graph }} }}"
    yield from (graph for (graph,) in rows(store, query))


def graphs_of_rules(store: Store) -> list[str]:
    """Return the graphs except the catalog and those of cards, of which only counts are described."""
    apart = (IRIS.graph("catalog"), IRIS.base + "cards/")
    return sorted(graph for graph in store.graphs() if not graph.startswith(apart))


def test_every_graph_but_the_catalog_is_described(store: Store) -> None:
    named = rows(store, "SELECT ?graph WHERE { GRAPH CATALOG { ?part a sd:NamedGraph ; sd:name ?graph } }")
    assert sorted(graph for (graph,) in named) == graphs_of_rules(store)
    assert set(graphs_of(store, IRIS.dataset())) == {graph for (graph,) in named}


def test_the_catalog_is_not_what_plain_queries_see(store: Store) -> None:
    assert not [line for line in store.graph_lines(IRIS.graph("current")) if PREFIXES["void"] in line]


def test_all_terms_are_there_in_their_vocabularies(store: Store) -> None:
    for s, p, o in rows(store, "SELECT ?s ?p ?o WHERE { GRAPH CATALOG { ?s ?p ?o } }"):
        assert s.startswith(IRIS.base)
        for term in (p, o) if p == str(RDF.type) else (p,):
            if not term.startswith(SD):
                [namespace] = [known for known in KNOWN if term in known]
                assert term in namespace, term
    used = rows(
        store, "SELECT DISTINCT ?p WHERE { GRAPH CATALOG { ?s ?p ?o } FILTER(STRSTARTS(STR(?p), STR(sd:))) }"
    )
    assert used == [(SD + "name",)]


def test_a_term_that_is_not_there_would_be_noticed() -> None:
    assert str(VOID) + "entitys" not in VOID
    assert str(DCAT) + "Dataset" in DCAT


def test_triples_are_counted_graph_by_graph(store: Store) -> None:
    described = rows(
        store, "SELECT ?graph ?n WHERE { GRAPH CATALOG { ?part sd:name ?graph ; void:triples ?n } }"
    )
    assert len(described) == len(graphs_of_rules(store))
    for graph, number in described:
        assert int(number) == len(list(store.graph_lines(graph))), graph


def test_editions_and_the_whole_have_the_statements_of_their_graphs(store: Store) -> None:
    parts = rows(
        store,
        "SELECT ?part ?n WHERE { GRAPH CATALOG { ?part a void:Dataset ; void:triples ?n "
        "FILTER NOT EXISTS { ?part sd:name ?graph } } }",
    )
    assert len(parts) >= 2
    for part, number in parts:
        graphs = [graph for graph in graphs_of(store, part) if graph != IRIS.graph("current")]
        assert int(number) == sum(len(list(store.graph_lines(graph))) for graph in graphs), part


def told(store: Store, part: str) -> dict[str, int]:
    """Return the catalog's statements about a data set: how many properties, and the statements of each."""
    plain = f"SELECT ?p ?n WHERE {{ GRAPH CATALOG {{ VALUES ?p {{ void:properties }} <{part}> ?p ?n }} }}"
    by_property = (
        f"SELECT ?p ?n WHERE {{ GRAPH CATALOG {{ <{part}> void:propertyPartition ?own . "
        "?own void:property ?p ; void:triples ?n } }"
    )
    return {
        name.removeprefix(str(VOID)): int(number)
        for query in (plain, by_property)
        for name, number in rows(store, query)
    }


def test_properties_are_counted_as_sparql_counts_them(store: Store) -> None:
    query = "SELECT ?p WHERE { GRAPH CATALOG { ?p a void:Dataset ; void:triples ?n } }"
    parts = [part for (part,) in rows(store, query)]
    assert IRIS.dataset() in parts
    for part in parts:
        graphs = " ".join(f"<{graph}>" for graph in graphs_of(store, part))
        if part == IRIS.dataset():
            graphs = graphs.replace(f"<{IRIS.graph('current')}>", "")
        said = f"VALUES ?g {{ {graphs} }} GRAPH ?g {{ ?s ?p ?o }}"
        counts = rows(store, f"SELECT ?p (COUNT(*) AS ?n) WHERE {{ {said} }} GROUP BY ?p")
        expected = {name: int(number) for name, number in counts}
        assert told(store, part) == {"properties": len(expected), **expected}, part


@pytest.mark.parametrize("place", range(3))
def test_an_edition_that_a_build_left_alone_keeps_its_numbers(
    mini_store: Path, tmp_path: Path, place: int
) -> None:
    """One in which a build renewed a part is also counted anew, as if everything had been built at once.

    What several say is counted from what came in where nothing else was renewed, as by a page of rulings.
    """
    first = sorted(path for path in (ROOT / "tests" / "mini").iterdir() if path.is_file())
    last = first.pop(place)
    location = str(tmp_path / "store")
    build(first, location)
    build([last], location)
    together, apart = open_store(mini_store), open_store(location)
    graph = IRIS.graph("catalog")
    assert sorted(apart.graph_lines(graph)) == sorted(together.graph_lines(graph))


def test_it_is_said_how_the_data_is_given_out_and_what_made_it(store: Store) -> None:
    given = rows(
        store,
        "SELECT ?title ?media WHERE { GRAPH CATALOG { ?whole dcat:distribution ?it . "
        "?it a dcat:Distribution ; dcterms:title ?title ; dcat:mediaType ?media } } ORDER BY ?title",
    )
    assert [(title, media.removeprefix(MEDIA_TYPES)) for title, media in given] == sorted(
        (f"rulesgraph export --as {name}", media) for name, media in NOTATIONS.items()
    )
    assert [name for name in FORMATS if name not in LINKS_ONLY] == list(NOTATIONS)
    made = rows(
        store,
        "SELECT ?publisher ?label ?version WHERE { GRAPH CATALOG { ?whole dcterms:publisher ?publisher ; "
        "prov:wasAttributedTo [ a prov:SoftwareAgent ; rdfs:label ?label ; owl:versionInfo ?version ] } }",
    )
    assert made == [("https://w3id.org/rulesgraph/", "rulesgraph", rulesgraph.__version__)]


def test_entities_are_those_that_match_the_pattern(store: Store) -> None:
    patterns = rows(
        store, "SELECT ?p ?n ?r WHERE { GRAPH CATALOG { ?p void:uriRegexPattern ?r ; void:entities ?n } }"
    )
    parts = [part for (part,) in rows(store, "SELECT ?p WHERE { GRAPH CATALOG { ?p a void:Dataset } }")]
    wholes = {it for it in parts if re.fullmatch(rf"{IRIS.dataset()}(/edition/[^/]+)?", it)}
    assert {part for part, _, _ in patterns} == wholes
    for part, number, pattern in patterns:
        graphs = " ".join(f"<{graph}>" for graph in graphs_of(store, part))
        found = rows(
            store,
            f"SELECT DISTINCT ?s WHERE {{ VALUES ?g {{ {graphs} }} GRAPH ?g {{ ?s a ?class }} {NOT_DATA} }}",
        )
        assert int(number) == len([s for (s,) in found if re.search(pattern, s)]), part


def test_classes_are_counted_and_shown(store: Store) -> None:
    parts = rows(
        store,
        "SELECT ?whole ?class ?n ?example WHERE { GRAPH CATALOG { ?whole void:classPartition ?part . "
        "?part void:class ?class ; void:entities ?n ; void:exampleResource ?example } }",
    )
    assert {f"{PREFIXES['rg']}Entry", f"{PREFIXES['rg']}Term"} <= {name for _, name, _, _ in parts}
    for whole, name, number, example in parts:
        graphs = " ".join(f"<{graph}>" for graph in graphs_of(store, whole))
        inside = f"VALUES ?g {{ {graphs} }} GRAPH ?g {{ ?s a <{name}> }} {NOT_DATA}"
        assert int(number) == counted(store, f"SELECT DISTINCT ?s WHERE {{ {inside} }}"), (whole, name)
        assert (example,) in rows(store, f"SELECT ?s WHERE {{ {inside} }}")


def test_every_class_of_an_edition_is_counted(store: Store) -> None:
    for (edition,) in rows(store, "SELECT ?e WHERE { GRAPH CATALOG { ?e dcterms:subject ?edition } }"):
        graphs = " ".join(f"<{graph}>" for graph in graphs_of(store, edition))
        used = rows(store, f"SELECT DISTINCT ?c WHERE {{ VALUES ?g {{ {graphs} }} GRAPH ?g {{ ?s a ?c }} }}")
        query = f"SELECT ?c WHERE {{ GRAPH CATALOG {{ <{edition}> void:classPartition/void:class ?c }} }}"
        assert sorted(rows(store, query)) == sorted(used)


def test_the_vocabularies_named_are_the_vocabularies_used(store: Store) -> None:
    everything, all_named = set(), set()
    for (edition,) in rows(store, "SELECT ?e WHERE { GRAPH CATALOG { ?e dcterms:subject ?edition } }"):
        query = f"SELECT ?v WHERE {{ GRAPH CATALOG {{ <{edition}> void:vocabulary ?v }} }}"
        named = tuple(vocabulary for (vocabulary,) in rows(store, query))
        graphs = " ".join(f"<{graph}>" for graph in graphs_of(store, edition))
        spoken = "{ ?s ?p ?o } UNION { ?s a ?p } UNION { ?s rg:documentKind|rg:hasKind ?p }"
        used = rows(store, f"SELECT DISTINCT ?p WHERE {{ VALUES ?g {{ {graphs} }} GRAPH ?g {{ {spoken} }} }}")
        names = {p for (p,) in used if p != str(RDF.type)}
        assert not {name for name in names if not name.startswith(named)}
        everything |= names
        all_named |= set(named)
    assert not {v for v in all_named if not any(name.startswith(v) for name in everything)}


def test_links_between_editions_are_counted(mini_store: Path) -> None:
    store = open_store(mini_store)
    sets = rows(
        store,
        "SELECT ?graph ?link ?to ?n WHERE { GRAPH CATALOG { ?part sd:name ?graph ; void:subset ?links . "
        f"?links a void:Linkset ; void:linkPredicate ?link ; void:triples ?n ; dcterms:license <{CC0}> ; "
        "void:objectsTarget/dcterms:subject ?to ; void:subjectsTarget/void:subset ?part } }",
    )
    assert {link.rpartition("#")[2] for _, link, _, _ in sets} >= {
        "sameRule",
        "unchangedFrom",
        "rewordedFrom",
    }
    for graph, link, target, number in sets:
        inside = f"GRAPH <{graph}> {{ ?s <{link}> ?o }} FILTER(STRSTARTS(STR(?o), '{target}/'))"
        assert int(number) == counted(store, inside), (graph, link)
    links = " ".join(f"rg:{link}" for link in LINKS)
    everywhere = counted(store, f"VALUES ?p {{ {links} }} GRAPH ?g {{ ?s ?p ?o }} {NOT_DATA}")
    assert sum(int(number) for *_, number in sets) == everywhere


def test_in_one_graph_an_edition_counts_its_links_itself(mini_store: Path) -> None:
    """Where its graphs are joined, there is nothing else that could."""
    out = io.BytesIO()
    rulesgraph.open(mini_store).export("ntriples", out, edition="cr-2031-07-01")
    store = pyoxigraph.Store()
    store.load(out.getvalue(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    sets = store.query(
        f"{HEAD}SELECT ?from ?to ?link ?n {{ ?links a void:Linkset ; void:linkPredicate ?link ; "
        "void:triples ?n ; void:subjectsTarget ?from ; void:objectsTarget ?to }"
    )
    assert isinstance(sets, pyoxigraph.QuerySolutions)
    told = {tuple(str(term.value) for term in row) for row in sets}
    old, new = (IRIS.edition(it) for it in ("cr-2031-02-01", "cr-2031-07-01"))
    stated = Counter(
        it.predicate.value
        for it in store
        if it.predicate.value.removeprefix(PREFIXES["rg"]) in LINKS
        and getattr(it.object, "value", "").startswith(f"{old}/")
    )
    ends = IRIS.dataset(IRIS.local(new)), IRIS.dataset(IRIS.local(old))
    assert told == {(*ends, link, str(number)) for link, number in stated.items()}
    assert len(told) >= 3


def test_dates_titles_and_sources_of_editions(mini_store: Path) -> None:
    store = open_store(mini_store)
    found = rows(
        store,
        "SELECT ?edition ?issued ?title ?source WHERE { GRAPH CATALOG { ?part dcterms:subject ?edition ; "
        "dcterms:issued ?issued ; dcterms:title ?title ; dcterms:source ?source } } ORDER BY ?edition",
    )
    assert [(IRIS.local(e), issued, IRIS.local(source)) for e, issued, _, source in found] == [
        ("edition/cr-2031-02-01", "2031-02-01", "document/cr-2031-02-01"),
        ("edition/cr-2031-07-01", "2031-07-01", "document/cr-2031-07-01"),
        ("edition/rulings-2031-03-10", "2031-03-10", "document/rulings-2031-03-10-g7"),
    ]
    assert all(title and "/" not in title for _, _, title, _ in found)


def rights(store: Store, local: str) -> tuple[bool, bool]:
    """Return whether a data set has our licence, and whether it has a statement of other rights."""
    part = IRIS.dataset(local)
    query = f"SELECT ?p ?o WHERE {{ GRAPH CATALOG {{ <{part}> ?p ?o }} }}"
    facts = rows(store, query)
    return (str(DCTERMS.license), CC0) in facts, (
        str(DCTERMS.rights),
        f"{IRIS.dataset()}#rights",
    ) in facts


def test_words_of_others_are_not_put_under_our_licence(mini_store: Path, starter_store: Path) -> None:
    mini, starter = open_store(mini_store), open_store(starter_store)
    for words in (
        "",
        "edition/cr-2031-07-01",
        "document/cr-2031-07-01",
        "edition/cr-2031-07-01/derived",
        "graph/current",
    ):
        assert rights(mini, words) == (False, True), words
    for ours in ("graph/terms", "graph/ontology", "edition/cr-2031-07-01/history"):
        assert rights(mini, ours) == (True, False), ours
    assert rights(starter, "edition/starter") == (True, False)
    [[statement]] = rows(
        mini,
        f"SELECT ?l WHERE {{ GRAPH CATALOG {{ <{IRIS.dataset()}#rights> rdfs:label ?l }} }}",
    )
    assert "© Wizards of the Coast" in statement


def test_what_is_inferred_adds_classes_and_no_entities() -> None:
    line = f"<{IRIS.rule('e', '1')}> <{RDF.type}> <{PREFIXES['rg']}TextUnit> .\n".encode()
    inferred, derived = (count_lines(line, graph, IRIS) for graph in (IRIS.inferred("e"), IRIS.derived("e")))
    assert inferred.classes == derived.classes
    assert (inferred.entities, derived.entities) == (0, 1)


def test_words_that_look_like_statements_do_not_count() -> None:
    line = f'<{IRIS.base}edition/e/rule/1> <{PREFIXES["rg"]}text> "a> <{RDF.type}> <b" .\n'
    counts = count_lines(line.encode(), IRIS.document("d"), IRIS)
    assert (counts.triples, counts.classes) == (1, {})
