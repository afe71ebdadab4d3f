"""Whatever the base of the data ends in, the graph and every answer are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from asking import session_on, table
from rulesgraph.loaders.build import build
from rulesgraph.ontology.errors import RulesgraphError
from rulesgraph.ontology.iris import BASE, Iris
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.checking.defects import defects
from rulesgraph.queries.history.diff import diff
from rulesgraph.queries.history.trace import trace
from rulesgraph.queries.reliance.walk import why
from rulesgraph.queries.session import Answer, Session
from rulesgraph.queries.sheets.show import show
from sweep import first
from test_answers import ABOUT_FACTS, ABOUT_FLAWS, ASKED, QUESTIONS

HERE = Path(__file__).parent
SOURCES: dict[str, list[Path]] = {
    "mini": [HERE / "mini"],
    "flawed": [HERE / "flawed"],
    "defined": [HERE / "defined"],
    "starter": [],
}
"""What is built; of nothing, the starter rules."""

OTHER = ("https://example.org/rules#", "urn:x:")
EDITIONS = ("cr-2031-02-01", "cr-2031-07-01", "rulings-2031-03-10")
SHOWN = ("Waning Checks", "Flutter", "201.1", "310", "3", "Glow")
Stores = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Stores:
    """The store of some of the sources under a base, built when first used."""

    @cache
    def built(name: str, base: str) -> Path:
        location = tmp_path_factory.mktemp(name) / "store"
        assert not build(SOURCES[name] or None, str(location), base=base).refused
        return location

    return built


def quads(location: Path, base: str) -> list[str]:
    """Return the sorted N-Quads of a store, with the usual base; only the catalog names its own."""
    [generation] = (location / "generations").iterdir()
    dumped = pyoxigraph.Store.read_only(str(generation)).dump(format=pyoxigraph.RdfFormat.N_QUADS)
    assert dumped is not None
    lines = dumped.decode().splitlines()
    return sorted(line.replace(base, BASE) for line in lines if f"<{base}graph/catalog>" not in line)


@pytest.mark.parametrize("name", first(1, SOURCES, pytest.mark.long(small="test_the_graph_is_the_same")))
def test_the_graph_is_the_same(name: str, stores: Stores) -> None:
    known = quads(stores(name, BASE), BASE)
    for base in OTHER:
        assert quads(stores(name, base), base) == known, base


def outcomes(session: Session, name: str) -> Iterator[tuple[str, str]]:
    """Yield questions with their results as text: a table, a sheet, or the reason for none."""
    asked = {"flawed": sorted(ABOUT_FLAWS), "defined": sorted(ABOUT_FACTS)}.get(name, QUESTIONS)
    for question in asked:
        args, edition = ASKED.get(question, ((), None))
        yield question, outcome(session, partial(ask, session, question, args, edition=edition))
    yield "check", outcome(session, partial(defects, session))
    if name != "mini":
        return
    for edition in EDITIONS:
        yield f"check {edition}", outcome(session, partial(defects, session, edition))
        yield f"trace 201.1 {edition}", outcome(session, partial(trace, session, "201.1", edition))
    for thing in SHOWN:
        yield f"show {thing}", outcome(session, partial(show, session, thing))
    yield "why", outcome(session, partial(why, session, "Flutter", "Moth"))
    yield "diff", outcome(session, partial(diff, session, *EDITIONS[:2]))


def outcome(session: Session, question: Callable[[], object]) -> str:
    """Return the result of a question, or its error, as under the usual base."""
    try:
        found = question()
    except RulesgraphError as error:
        found = error
    return (table(found) if isinstance(found, Answer) else repr(found)).replace(session.iris.base, BASE)


@pytest.mark.parametrize("name", first(1, SOURCES, pytest.mark.long(small="test_the_graph_is_the_same")))
def test_every_answer_is_the_same(name: str, stores: Stores) -> None:
    known = dict(outcomes(session_on(stores(name, BASE)), name))
    for base in OTHER:
        found = dict(outcomes(session_on(stores(name, base)), name))
        assert found == known, base
        assert session_on(stores(name, base)).iris == Iris(base)


@pytest.mark.parametrize(
    "form",
    first(1, ("turtle", "jsonld", "rdfxml"), pytest.mark.long(small="test_exports_name_the_same_things")),
)
@pytest.mark.parametrize("base", first(1, OTHER, pytest.mark.long(small="test_exports_name_the_same_things")))
def test_exports_name_the_same_things(
    form: str, base: str, stores: Stores, run: Callable[..., tuple[int, str, str]]
) -> None:
    """Relative to a base that ends in ``#`` or ``:``, an IRI would come back changed."""
    _, out, _ = run("export", "--as", form, "--store", str(stores("starter", base)), "--edition", "starter")
    if form == "jsonld":  # rdflib's reader of it warns of itself
        quads = pyoxigraph.parse(out.encode(), format=pyoxigraph.RdfFormat.JSON_LD)
        out, form = "\n".join(f"{quad.triple} ." for quad in quads), "nt"
    graph = rdflib.Graph().parse(data=out, format="xml" if form == "rdfxml" else form)
    told = {(str(it), str(name)) for it, name in graph.subject_objects(rdflib.DCTERMS.identifier)}
    known = [Iris(base).document(f"starter-{page}") for page in ("101", "g12", "g16", "g5")]
    assert told == {(iri, Iris(base).parse(iri).key) for iri in known} | {
        (Iris(base).edition("starter"), "starter")
    }
