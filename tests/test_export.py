"""Every format has the same triples, is readable, and comes out the same each time."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import networkx
import pytest
import rdflib
from commands import Run
from pyoxigraph import CanonicalizationAlgorithm, Dataset, Quad, RdfFormat, Triple, parse
from rdflib.compare import isomorphic
from rulesgraph.loaders.build import build
from rulesgraph.loaders.store import Store, open_store
from rulesgraph.ontology.iris import BASE
from rulesgraph.ontology.terms import RG
from rulesgraph.queries.export.jsonld import Compactor, nodes
from rulesgraph.queries.export.notations import FORMATS, PlainNode, plain_graph, turtle, write, write_graphml
from sweep import first

RDF = {
    "turtle": RdfFormat.TURTLE,
    "ntriples": RdfFormat.N_TRIPLES,
    "jsonld": RdfFormat.JSON_LD,
    "rdfxml": RdfFormat.RDF_XML,
}
CURRENT = (f"{BASE}graph/current",)


@pytest.fixture(scope="module")
def store(starter_store: Path) -> Store:
    return open_store(starter_store)


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """The starter rules built again, in another place."""
    location = tmp_path_factory.mktemp("rebuilt") / "store"
    build(store=str(location))
    return open_store(location)


def exported(store: Store, form: str, graphs: tuple[str, ...] = CURRENT) -> bytes:
    out = io.BytesIO()
    write(store, graphs, form, out)
    return out.getvalue()


def canonical(quads: object) -> Dataset:
    dataset = Dataset(quads)  # type: ignore[arg-type]
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset


def test_all_notations_are_offered() -> None:
    from rulesgraph.app.commands.files import NOTATIONS
    from rulesgraph.queries.export.export import NAMES

    assert (*NAMES, "citations") == NOTATIONS


@pytest.mark.parametrize("form", RDF)
def test_each_notation_says_the_same_triples(store: Store, form: str) -> None:
    lines = "\n".join(store.graph_lines(CURRENT[0]))
    expected = canonical(parse(lines, RdfFormat.N_TRIPLES))
    assert len(expected) > 5000
    assert canonical(parse(exported(store, form), RDF[form])) == expected


@pytest.mark.parametrize(("form", "syntax"), [("nquads", RdfFormat.N_QUADS), ("trig", RdfFormat.TRIG)])
def test_whole_store_notations_keep_the_graphs_apart(store: Store, form: str, syntax: RdfFormat) -> None:
    quads = list(parse(exported(store, form, tuple(store.graphs())), syntax))
    assert len(quads) == store.size()
    assert {quad.graph_name.value for quad in quads} == set(store.graphs())


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")  # rdflib's own
def test_json_ld_is_read_alike_by_another_library(store: Store) -> None:
    one = rdflib.Graph().parse(data=exported(store, "jsonld"), format="json-ld")
    other = rdflib.Graph().parse(data=exported(store, "ntriples"), format="nt")
    assert isomorphic(one, other)


@pytest.mark.parametrize(
    "form", first(2, FORMATS, pytest.mark.long(small="test_the_same_graph_gives_the_same_bytes"))
)
def test_the_same_graph_gives_the_same_bytes(store: Store, rebuilt: Store, form: str) -> None:
    assert exported(store, form) == exported(rebuilt, form)


def test_turtle_reads_well(store: Store) -> None:
    text = exported(store, "turtle").decode()
    head, _, body = text.partition("\n\n")
    assert head.startswith(f"@base <{BASE}> .\n@prefix code: ")
    assert body.startswith("<> ") or body.startswith("<document/")  # data first, vocabulary after it
    assert text.index("term:protection a ") < text.index("rg:Term a ")
    rule_10, rule_9 = (
        text.index("<edition/starter/entry/G16.10> a"),
        text.index("<edition/starter/entry/G16.9> a"),
    )
    assert rule_9 < rule_10  # numbers count as numbers
    entry = text[text.index("<edition/starter/entry/G16.2> a") :].partition("\n\n")[0]
    assert 'dcterms:title "Pass in Succession" ;' in entry
    assert "rg:defines term:pass-in-succession ;" in entry


def test_the_json_ld_context_gives_short_names(store: Store) -> None:
    nodes = {node["@id"]: node for node in json.loads(exported(store, "jsonld"))["@graph"]}
    entry = nodes["edition/starter/entry/G16.2"]
    assert entry["@type"] == "Entry"
    assert entry["defines"] == "term/pass-in-succession"
    assert entry["notation"] == "G16.2"


@pytest.mark.parametrize(
    "value",
    [
        '"plain"',
        '"line\\nbreak \\"quoted\\""',
        '"12"^^<http://www.w3.org/2001/XMLSchema#integer>',
        '"012"^^<http://www.w3.org/2001/XMLSchema#integer>',  # not how JSON would write it
        '"0.970"^^<http://www.w3.org/2001/XMLSchema#decimal>',
        '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>',
        '"1"^^<http://www.w3.org/2001/XMLSchema#boolean>',
        '"2008-02-01"^^<http://www.w3.org/2001/XMLSchema#date>',
        '"Dandân"@en',
        "<https://w3id.org/rulesgraph/term/a>",
        "<https://w3id.org/rulesgraph/a:b>",  # a colon would make a relative IRI look like a prefix
        "<https://w3id.org/rulesgraph/>",
        "<https://w3id.org/rulesgraph//x>",
        "<mailto:someone@example.org>",
        "_:blank",
    ],
)
@pytest.mark.parametrize(
    "predicate",
    [
        "https://w3id.org/rulesgraph/ns#cites",
        "https://w3id.org/rulesgraph/ns#firstLine",
        "https://w3id.org/rulesgraph/ns#asOf",
        "https://w3id.org/rulesgraph/ns#status",
        "http://www.w3.org/2004/02/skos/core#prefLabel",
        "https://example.org/p",
    ],
)
def test_every_kind_of_value_survives_json_ld(predicate: str, value: str) -> None:
    [quad] = parse(f"<{BASE}s> <{predicate}> {value} .", RdfFormat.N_TRIPLES)
    compact = Compactor(BASE)
    text = json.dumps({"@context": compact.context, "@graph": [*nodes([quad.triple], compact)]})
    assert canonical(parse(text, RdfFormat.JSON_LD)) == canonical([quad])


def test_turtle_of_a_base_of_ones_own() -> None:
    [quad] = parse("<http://x.org/term/a> <http://x.org/p> <http://x.org/b> .", RdfFormat.N_TRIPLES)
    assert turtle([Triple(*quad.triple)], "http://x.org/") == (
        "@base <http://x.org/> .\n@prefix term: <http://x.org/term/> .\n\nterm:a <p> <b> .\n"
    )


def test_csv_holds_links_with_labels_at_both_ends(store: Store) -> None:
    rows = list(csv.DictReader(io.StringIO(exported(store, "csv").decode())))
    found = [row for row in rows if row["source_label"] == "Protection" and row["link"] == "reliesByCitation"]
    assert {row["target_label"].split()[0] for row in found} == {"420"}
    assert {row["source_kind"] for row in rows} >= {"term", "rule", "entry"}


def test_graphml_is_read_by_networkx(store: Store) -> None:
    graph: Any = networkx.read_graphml(io.BytesIO(exported(store, "graphml")), force_multigraph=True)
    rows = list(csv.DictReader(io.StringIO(exported(store, "csv").decode())))
    links = [(row["source"], row["target"], row["link"], {"link": row["link"]}) for row in rows]
    assert sorted(graph.edges(keys=True, data=True)) == sorted(links)
    assert graph.nodes[f"{BASE}term/protection"] == {
        "label": "Protection",
        "kind": "term",
        "number": "",
        "loaded": "true",
    }


def test_graphml_of_any_names_can_be_read() -> None:
    lantern, moth = "https://example.org/a?b=1&c='2'", "https://example.org/moth"
    nodes = {
        lantern: PlainNode("rule", "201.1", 'Lantern & <"Lamp">', loaded=False),
        moth: PlainNode("term", title="Motte, größte"),
    }
    links = [(lantern, "cites", moth), (lantern, "mentions", moth), (lantern, "cites", moth)]
    out = io.BytesIO()
    write_graphml((nodes, links), out)
    found: Any = networkx.read_graphml(io.BytesIO(out.getvalue()), force_multigraph=True)
    label = '201.1 Lantern & <"Lamp">'
    assert list(found.nodes(data=True)) == [
        (lantern, {"label": label, "kind": "rule", "number": "201.1", "loaded": "false"}),
        (moth, {"label": "Motte, größte", "kind": "term", "number": "", "loaded": "true"}),
    ]
    assert list(found.edges(keys=True, data=True)) == [
        (lantern, moth, "cites", {"link": "cites"}),
        (lantern, moth, "mentions", {"link": "mentions"}),
    ]


def test_a_plain_graph_is_the_same_whatever_the_order_of_the_statements() -> None:
    """For each thing, the last number, name and kind count, in the order of exports."""
    ten, two, moth = (f"{BASE}edition/x/{it}" for it in ("rule/9.10", "rule/9.2", "entry/moth"))
    a, part = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "<http://purl.org/dc/terms/isPartOf>"
    title, number = "<http://purl.org/dc/terms/title>", "<http://www.w3.org/2004/02/skos/core#notation>"
    lines = [
        f"<{ten}> {a} <{RG.Rule}> .",
        f'<{ten}> {number} "9.10" .',
        f'<{ten}> {title} "Say \\"lamp\\", \\\\ or \\u006Doth"@en .',
        f"<{ten}> {part} <{two}> .",
        f"<{ten}> <{RG.cites}> <{moth}> .",
        f"<{ten}> <{RG.cites}> <{two}> .",
        f"<{ten}> <{RG.cites}> <{BASE}nowhere> .",
        f'<{ten}> <{RG.text}> "Left out." .',
        f"<{two}> {a} <{RG.Section}> .",
        f"<{two}> {a} <{RG.Rule}> .",
        f'<{two}> <{RG.loaded}> "false"^^<http://www.w3.org/2001/XMLSchema#boolean> .',
        f"<{moth}> {a} <{RG.Entry}> .",
        f"<{BASE}problem/1> {a} <{RG.Problem}> .",
        f"<{BASE}problem/1> <{RG.cites}> <{moth}> .",
    ]
    expected = (
        {
            moth: PlainNode("entry"),
            two: PlainNode("section", loaded=False),
            ten: PlainNode("rule", "9.10", 'Say "lamp", \\ or moth'),
        },
        [(ten, "isPartOf", two), (ten, "cites", moth), (ten, "cites", two)],
    )
    for order in (lines, lines[::-1], [*lines[5:], *lines]):
        found = plain_graph(order, BASE)
        assert (found, list(found[0])) == (expected, list(expected[0]))


def test_a_file_is_written_whole_or_not_at_all(run: Run, starter_store: Path, tmp_path: Path) -> None:
    place = tmp_path / "out.ttl"
    place.write_text("precious")
    code, out, err = run(
        "export", "--as", "turtle", "--edition", "nope", "-o", place, "--store", starter_store
    )
    assert (code, out) == (2, "")
    assert "nope" in err
    assert place.read_text() == "precious"
    assert run("export", "--as", "turtle", "-o", place, "--store", starter_store)[0] == 0
    assert place.read_text().startswith("@base")
    assert [path.name for path in tmp_path.iterdir()] == ["out.ttl"]


def test_places_that_cannot_be_written(run: Run, starter_store: Path, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "missing" / "out.ttl"):
        code, out, err = run("export", "--as", "csv", "-o", place, "--store", starter_store)
        assert (code, out) == (2, "")
        assert str(place) in err
        assert "Choose a file" in err


def test_quads_of_one_edition_leave_the_others_out(store: Store, run: Run, starter_store: Path) -> None:
    code, out, _ = run("export", "--as", "nquads", "--edition", "starter", "--store", starter_store)
    assert code == 0
    graphs = {quad.graph_name for quad in parse(out, RdfFormat.N_QUADS) if isinstance(quad, Quad)}
    assert f"<{BASE}graph/current>" not in {str(graph) for graph in graphs}
    assert f"<{BASE}document/starter-g16>" in {str(graph) for graph in graphs}


@pytest.mark.parametrize("edition", [(), ("--edition", "all")])
def test_no_link_of_a_file_leads_to_a_wording_that_it_lacks(
    run: Run, mini_store: Path, edition: tuple[str, ...]
) -> None:
    code, told, _ = run("export", "--as", "ntriples", *edition, "--store", mini_store)
    found = {line.split(" ")[2] for line in told.splitlines() if f" <{RG.wording}> " in line}
    assert code == 0
    assert all(f"\n{wording} " in told for wording in found)
