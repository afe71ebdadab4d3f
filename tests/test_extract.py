"""Exports describe themselves, and can leave out the words of sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pyshacl
import pytest
from commands import Run
from pyoxigraph import Literal, Quad, RdfFormat, Triple, parse
from rdflib import Graph, URIRef
from real import rules
from rulesgraph.loaders.describing.describe import CC0
from rulesgraph.loaders.reading.source import read_source
from rulesgraph.loaders.store import open_store
from rulesgraph.ontology.iris import BASE, Iris
from rulesgraph.ontology.resources import SHAPES_FILE, read_text
from rulesgraph.ontology.terms import PREFIXES, RG
from rulesgraph.queries.export.extract import MOST_WORDS, NAMES, Extract, without_words, word_properties
from rulesgraph.queries.export.notations import FORMATS, LINKS, QUADS
from sweep import first

IRIS = Iris()
CATALOG = IRIS.graph("catalog")
SYNTAX = {
    "turtle": RdfFormat.TURTLE,
    "ntriples": RdfFormat.N_TRIPLES,
    "nquads": RdfFormat.N_QUADS,
    "trig": RdfFormat.TRIG,
    "jsonld": RdfFormat.JSON_LD,
    "rdfxml": RdfFormat.RDF_XML,
}
VOID, DCTERMS = PREFIXES["void"], PREFIXES["dcterms"]


def export(run: Run, store: Path, form: str, *options: str) -> list[Quad]:
    code, out, _ = run("export", "--as", form, "--store", store, *options)
    assert code == 0
    return list(parse(out, SYNTAX[form]))


def value(quads: list[Quad], subject: str, name: str) -> str:
    [found] = {q.object.value for q in quads if (q.subject.value, q.predicate.value) == (subject, name)}  # type: ignore[union-attr]
    return str(found)


def inside(quads: list[Quad], graph: str) -> set[Triple]:
    return {quad.triple for quad in quads if getattr(quad.graph_name, "value", "") == graph}


# -- described --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form", first(2, sorted(SYNTAX), pytest.mark.long(small="test_every_notation_of_rdf_tells_what_is_in_it"))
)
@pytest.mark.parametrize("options", [(), ("--without-text",)], ids=["whole", "wordless"])
def test_every_notation_of_rdf_tells_what_is_in_it(
    run: Run, mini_store: Path, form: str, options: tuple[str, ...]
) -> None:
    quads = export(run, mini_store, form, "--edition", "cr-2031-07-01", *options)
    told = {q.object.value for q in quads if q.predicate.value == VOID + "subset"}  # type: ignore[union-attr]
    assert IRIS.dataset("edition/cr-2031-07-01") in told
    assert IRIS.dataset("edition/cr-2031-02-01") not in told
    whole = int(value(quads, IRIS.dataset(), VOID + "triples"))
    description = export(run, mini_store, "nquads", "--edition", "cr-2031-07-01", *options)
    about = inside(quads, CATALOG) if form in QUADS else {q.triple for q in quads if is_description(q)}
    assert whole == len(quads) - len(about)
    assert len(about) > 50
    assert inside(description, CATALOG)


def is_description(quad: Quad) -> bool:
    """Of the data set and the catalog, or of who publishes them: an agent with a name."""
    told = f"{quad.predicate.value} {quad.object}"
    if "http://xmlns.com/foaf/0.1/" in told:
        return True
    return quad.subject.value.startswith((IRIS.dataset(), CATALOG))  # type: ignore[union-attr]


def test_notations_of_links_hold_links_alone(run: Run, mini_store: Path) -> None:
    assert set(FORMATS) - set(SYNTAX) == LINKS
    for form in LINKS:
        code, out, _ = run("export", "--as", form, "--store", mini_store)
        assert code == 0
        assert "/dataset" not in out


def test_the_description_of_everything_is_the_catalog_of_the_store(mini_store: Path) -> None:
    """Two ways to the same counts: by the build, from its files, and from the store."""
    store = open_store(mini_store)
    extract = Extract(store)
    extract.describe(["cr-2031-02-01", "cr-2031-07-01", "rulings-2031-03-10"], ["cr-2031-07-01"], apart=True)
    assert set(extract.graph_lines(CATALOG)) == set(store.graph_lines(CATALOG))


def test_the_catalog_is_a_graph_of_its_own_in_quads(run: Run, mini_store: Path) -> None:
    quads = export(run, mini_store, "nquads")
    assert len(quads) == open_store(mini_store).size()
    assert inside(quads, CATALOG)


# -- without words ----------------------------------------------------------------------------------


def test_the_vocabulary_says_which_properties_carry_words() -> None:
    marked = {RG.text, RG.asFound, RG.message, RG.quote, RG.meaning, PREFIXES["skos"] + "definition"}
    assert word_properties() == {f"<{name}>" for name in marked}


@pytest.mark.parametrize(
    ("name", "words", "passes"),
    [
        (RG.text, "One.", False),
        (RG.message, "the entry is empty", False),
        (RG.surface, "rule 420.5, “State-Based Effects,”", True),
        (RG.surface, "rule 408.1, “Timing, Priority, and the Stack,”", False),  # longer than a reference is
        (RG.quotedTitle, "a b c d e f g h i", True),  # a title is a fact
        (PREFIXES["skos"] + "prefLabel", "a b c d e f g h i", True),
        ("https://example.org/p", "a b c d e f g h", False),  # anything unmarked
        ("https://example.org/p", "a b c d e f g", True),
        (RG.problemCode, "missing-date", True),
        (RG.checksum, "0" * 64, True),
    ],
)
def test_what_goes_and_what_stays(name: str, words: str, passes: bool) -> None:
    assert without_words()(f'<{BASE}s> <{name}> "{words}" .') is passes


def test_links_and_numbers_stay() -> None:
    integer = PREFIXES["xsd"] + "integer"
    keep = without_words()
    assert keep(f"<{BASE}s> <{RG.cites}> <{BASE}o> .")
    assert keep(f'<{BASE}s> <{RG.firstLine}> "12"^^<{integer}> .')
    assert not keep(f'<{BASE}s> <{RG.text}> "a \\" b"@en .')


@pytest.mark.parametrize("form", ["ntriples", "nquads"])
def test_only_literals_go(run: Run, mini_store: Path, form: str) -> None:
    def data(quads: list[Quad]) -> set[Quad]:
        return {quad for quad in quads if not is_description(quad)}

    whole, free = data(export(run, mini_store, form)), data(export(run, mini_store, form, "--without-text"))
    said = {(it.subject, it.predicate.value, it.object.value) for it in free - whole}  # type: ignore[union-attr]
    typed = PREFIXES["rdf"] + "type", f"<{RG.Edition}>"
    editions = {it.subject for it in whole if (it.predicate.value, str(it.object)) == typed}
    assert said == {(it, RG.textLeftOut, "true") for it in editions}
    gone = whole - free
    worded = {RG.text, RG.message, RG.quote, RG.meaning, PREFIXES["skos"] + "definition"}
    assert {RG.text} <= {quad.predicate.value for quad in gone} <= worded
    assert all(isinstance(quad.object, Literal) for quad in gone)
    kept = {quad.predicate.value for quad in free}
    assert {RG.checksum, RG.firstLine, RG.cites, RG.surface} <= kept
    ontology = {quad for quad in whole if quad.subject.value.startswith((PREFIXES["rg"], PREFIXES["game"]))}  # type: ignore[union-attr]
    assert ontology <= free


def test_what_has_no_words_keeps_to_the_shapes(run: Run, mini_store: Path) -> None:
    """Without the mark on the edition, every text and quote would be reported as missing."""
    shapes = Graph().parse(data=read_text(SHAPES_FILE), format="turtle")
    _, out, _ = run("export", "--as", "ntriples", "--store", mini_store, "--without-text")
    marked = Graph().parse(data=out, format="nt")
    assert pyshacl.validate(marked, shacl_graph=shapes)[0]
    marked.remove((None, URIRef(RG.textLeftOut), None))
    found = pyshacl.validate(marked, shacl_graph=shapes)[2].count("Constraint Violation")
    assert found > 50


def test_without_words_all_of_it_is_under_our_licence(run: Run, mini_store: Path) -> None:
    quads = export(run, mini_store, "nquads", "--without-text")
    about = inside(quads, CATALOG)
    assert not [t for t in about if t.predicate.value == DCTERMS + "rights"]
    assert value(quads, IRIS.dataset(), DCTERMS + "license") == CC0
    counted = int(value(quads, IRIS.dataset("document/cr-2031-07-01"), VOID + "triples"))
    assert counted == len(inside(quads, IRIS.document("cr-2031-07-01")))


RUN = MOST_WORDS + 1


def runs(words: list[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[place : place + RUN]) for place in range(len(words) - RUN + 1))


def in_words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.casefold())


@pytest.mark.long(small="test_only_literals_go")
def test_no_sentence_of_a_document_is_left(shared: Path, run: Run, store_of: Callable[..., Path]) -> None:
    """Only a title or name may share eight words in a row with a real document."""
    texts = [*sorted((shared / "seeds").glob("*.txt")), rules(shared, "2008-02-01")]
    location = store_of(*texts)
    theirs = {some for path in texts for some in runs(in_words(" ".join(read_source(path).lines)))}
    shown = 0
    for options, found in ((), True), (("--without-text",), False):
        literals = {
            quad.object.value
            for form, *more in (("nquads",), ("jsonld", "--framed", "--edition", "all"))
            for quad in export(run, location, form, *more, *options)
            if isinstance(quad.object, Literal) and str(quad.predicate) not in NAMES
        }
        shared_runs = {some for text in literals for some in runs(in_words(text)) if some in theirs}
        assert bool(shared_runs) is found, sorted(shared_runs)[:3]
        shown += len(shared_runs)
    assert shown > 10_000
