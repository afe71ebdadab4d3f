"""The `.rq` files are valid SPARQL with truthful headers, and checks find what they must."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pyoxigraph
import pytest
from asking import column, session_of
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.parserutils import CompValue
from rulesgraph.app.commands.answers import folded, spans
from rulesgraph.loaders.store.scan import undeclared
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.ontology.iris import BASE
from rulesgraph.ontology.resources import bind, literal
from rulesgraph.queries import QUERIES
from rulesgraph.queries.answering.slots import computed
from rulesgraph.queries.catalogue import questions
from rulesgraph.queries.catalogue.questions import ParameterKind, Question
from rulesgraph.queries.checking import defects
from rulesgraph.queries.session import Answer, Session
from rulesgraph.queries.sheets.show import TABLES, show
from sweep import first

ROOM = Path(__file__).resolve().parents[1] / "queries"
FOLDERS = sorted({path.parent.name for path in ROOM.glob("*/*.rq")})
FILES = [(folder, name) for folder in FOLDERS for name in QUERIES.names(folder)]
KINDS = {
    "concept": {it for it in ParameterKind if it.stands_in_editions},
    "other": {ParameterKind.TERM, ParameterKind.THING, ParameterKind.KIND},
    "words": {ParameterKind.WORDS},
    "authority": {ParameterKind.AUTHORITY},
    "card": {ParameterKind.CARD},
    "date": {ParameterKind.DATE},
}
"""The kinds that each parameter can have, by the name under which queries bind it."""


def projection(text: str) -> list[str]:
    """The columns of a query, in order, according to the engine; a query for a graph has its three."""
    found = pyoxigraph.Store().query(text)
    if isinstance(found, pyoxigraph.QueryTriples):
        return ["subject", "predicate", "object"]
    assert isinstance(found, pyoxigraph.QuerySolutions)
    return [variable.value for variable in found.variables]


def projection_in_rdflib(text: str) -> list[str]:
    """The same according to rdflib."""
    algebra = prepareQuery(text).algebra
    assert isinstance(algebra, CompValue)
    if algebra.name == "ConstructQuery":
        return ["subject", "predicate", "object"]
    return [str(variable) for variable in algebra["PV"]]


@pytest.mark.parametrize(("folder", "name"), FILES)
def test_every_query_is_valid_and_declares_what_it_uses(folder: str, name: str) -> None:
    text = QUERIES.read(folder, name)
    assert projection(text)
    assert undeclared(text) == []
    declared = re.findall(r"PREFIX (\w+):", text)
    body = re.sub(r"PREFIX .*|^#.*|\"[^\"]*\"", "", text, flags=re.MULTILINE)
    assert [p for p in declared if f"{p}:" not in body] == []
    assert text.startswith("#"), "says what it asks"
    assert text.endswith("\n")
    assert max(len(line) for line in text.splitlines() if not line.startswith("#")) <= 120


@pytest.mark.parametrize(
    ("folder", "name"), first(5, FILES, pytest.mark.long(small="test_another_engine_reads_every_query_alike"))
)
def test_another_engine_reads_every_query_alike(folder: str, name: str) -> None:
    text = QUERIES.read(folder, name)
    assert projection_in_rdflib(text) == projection(text)


@pytest.mark.parametrize("question", questions.questions(), ids=lambda q: q.name)
def test_every_answer_has_a_whole_header(question: Question) -> None:
    assert question.phrasings
    assert projection(question.text) == [*question.returns, *question.cut]
    assert re.search(r"^ORDER BY ", question.text, re.MULTILINE)
    holes = [set(re.findall(r"\{(\w+)\}", phrasing)) for phrasing in question.phrasings]
    names = {parameter.name for parameter in question.parameters}
    assert all(found == names for found in holes)
    assert all(parameter.kind in KINDS[parameter.name] for parameter in question.parameters)
    assert all(parameter.description for parameter in question.parameters)
    assert all(f"VALUES ?{name} {{ UNDEF }}" in question.text for name in names)
    assert "quote" in question.returns or not {"start", "end"} & set(question.cut)


def test_checks_share_one_projection_and_each_has_its_severity() -> None:
    assert set(QUERIES.names("checks")) > defects.WARNINGS
    for check in defects.checks():
        assert projection(check.text) == ["entity", "property", "value"]
        assert check.severity in defects.SEVERITIES
        assert check.title


def test_a_header_line_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not a line of a header"):
        questions.read_question("odd", "#+ question\nSELECT ?x { ?x ?y ?z }")


@pytest.mark.parametrize("kind", ["", " (lamp)"])
def test_a_parameter_without_a_kind_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match="is not a valid ParameterKind"):
        questions.read_question("odd", f"#+ param concept{kind}: any of them\nSELECT ?x {{ ?x ?y ?z }}")


def test_every_kind_of_parameter_is_asked_for() -> None:
    asked = (*questions.questions(), *computed())
    assert {it.kind for question in asked for it in question.parameters} == set(ParameterKind)


def test_a_question_has_three_to_eight_examples() -> None:
    few = {it.name for it in questions.questions() if not 3 <= len(it.examples) <= 8}
    assert few == set()


def test_an_unknown_question_gets_suggestions() -> None:
    with pytest.raises(UnknownNameError) as caught:
        questions.question("term-relying-on")
    assert "terms_relying_on" in caught.value.suggestions
    assert questions.question("Terms-Relying-On").name == "terms_relying_on"


@pytest.mark.parametrize("name", ["../reliance/links", "answers/citing", "", "citing.rq"])
def test_no_name_leads_out_of_the_catalogue(name: str) -> None:
    with pytest.raises(UnknownNameError):
        questions.question(name)


# -- binding --------------------------------------------------------------------------------------


def test_values_are_bound_as_terms_and_never_as_text() -> None:
    text = "SELECT ?x WHERE { VALUES ?x { UNDEF } ?x ?y ?z }"
    evil = 'x" } INSERT { <a:b> <a:c> "'
    bound = bind(text, {"x": [literal(evil)]})
    assert bound.count("VALUES") == 1
    assert '\\"' in bound
    with pytest.raises(ValueError, match="Invalid IRI"):
        bind(text, {"x": ["https://example.org/> } #"]})


def test_a_parameter_that_the_query_lacks_is_refused() -> None:
    with pytest.raises(UsageError, match="no parameter 'y'"):
        bind("SELECT ?x WHERE { VALUES ?x { UNDEF } }", {"y": ["a:b"]})


# -- checks: each fires on what is wrong, none on the mini game ------------------------------------

BROKEN = {
    "citation_without_reference": "e:a a rg:Paragraph ; rg:text 'x' ; rg:firstLine 1 ; rg:cites t:b ."
    " t:b skos:prefLabel 'B' .",
    "link_to_itself": "t:a skos:prefLabel 'A' ; rg:usesTerm t:a .",
    "link_to_nothing": "t:a skos:prefLabel 'A' ; rg:usesTerm t:b .",
    "name_of_two_terms": "t:a a rg:Term ; skos:prefLabel 'Lamp' ."
    " t:b a rg:Term ; skos:prefLabel 'Bulb' ; skos:altLabel 'Lamp' .",
    "part_of_itself": "e:a dcterms:isPartOf e:b . e:b dcterms:isPartOf e:a .",
    "redirect_circle": "t:a skos:prefLabel 'A' ; rg:redirectsTo t:b ."
    " t:b skos:prefLabel 'B' ; rg:redirectsTo t:a .",
    "reference_out_of_text": "e:a rg:text 'See it.' ; rg:firstLine 1 ; rg:hasReference e:r . e:r rg:to t:b ;"
    " rg:surface 'it' ; rg:start 3 ; rg:end 5 . t:b skos:prefLabel 'B' .",
    "reliance_without_kind": "t:a skos:prefLabel 'A' ; rg:dependsOn t:b . t:b skos:prefLabel 'B' .",
    "term_without_name": "e:a rg:defines t:a . t:a a rg:Term .",
    "text_without_place": "e:a rg:text 'Nowhere.' .",
    "unknown_name": "t:a skos:prefLabel 'A' ; rg:bites 'B' ; rdfs:isDefinedBy <urn:ns> ."
    " <urn:ns> a owl:Ontology .",
}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_every_check_fires(name: str) -> None:
    found = defects.defects(session_of(BROKEN[name]))
    assert set(column(found, "check")) == {name}
    assert set(column(found, "severity")) == {"warning" if name == "redirect_circle" else "error"}


def test_every_check_has_something_that_it_fires_on() -> None:
    assert set(BROKEN) == set(QUERIES.names("checks"))


@pytest.mark.parametrize("edition", ["cr-2031-02-01", "cr-2031-07-01", "rulings-2031-03-10"])
def test_the_mini_game_is_clean(edition: str, mini: Session) -> None:
    assert defects.defects(mini, edition).rows == ()


# -- any query ------------------------------------------------------------------------------------


def rows(answer: object) -> Sequence[tuple[object, ...]]:
    assert isinstance(answer, Answer)
    return answer.rows


def test_any_query_sees_the_newest_edition_once(mini: Session) -> None:
    count = "SELECT (COUNT(*) AS ?n) WHERE { ?s a rg:Document }"
    assert rows(mini.sparql(count)) == ((1,),)
    assert rows(mini.sparql(count, edition="cr-2031-02-01,cr-2031-07-01")) == ((2,),)
    assert rows(mini.sparql(count, edition="all")) == ((3,),)


def test_an_edition_narrows_named_graphs_as_well(mini: Session) -> None:
    graphs = "SELECT DISTINCT ?g WHERE { GRAPH ?g { ?s a rg:Document } } ORDER BY ?g"
    assert len(rows(mini.sparql(graphs))) == 4
    narrowed = rows(mini.sparql(graphs, edition="cr-2031-02-01"))
    assert narrowed == ((f"{BASE}document/cr-2031-02-01",),)


def test_a_querys_own_graphs_win(mini: Session) -> None:
    own = f"SELECT ?s FROM <{BASE}document/cr-2031-02-01> WHERE {{ ?s a rg:Document }}"
    answer = mini.sparql(own, edition="cr-2031-07-01")
    assert isinstance(answer, Answer)
    assert answer.rows == ((f"{BASE}document/cr-2031-02-01",),)
    assert answer.edition == ""


def test_forms_of_queries_give_forms_of_results(mini: Session) -> None:
    assert mini.sparql("ASK { term:moth a rg:Term }") is True
    triples = mini.sparql("CONSTRUCT { ?s rg:text ?t } WHERE { ?s rg:text ?t }")
    assert not isinstance(triples, bool | Answer)
    assert len(list(triples)) > 10


def test_a_mistake_is_shown_at_its_place_in_the_query_as_given(mini: Session) -> None:
    with pytest.raises(UsageError) as caught:
        mini.sparql("SELECT ?s WHERE { ?s a rg:Term }}")
    assert str(caught.value).split("\n") == [
        "the query does not parse at or before line 1, column 34",
        "    SELECT ?s WHERE { ?s a rg:Term }}",
        "                                     ^",
    ]


# -- sheets ---------------------------------------------------------------------------------------


def test_a_sheet_shows_what_is_known_of_a_term(mini: Session) -> None:
    sheet = show(mini, "moths")
    assert (sheet.kind, sheet.name, sheet.edition) == ("term", "Moth", "cr-2031-07-01")
    assert sheet.editions == ("cr-2031-02-01", "cr-2031-07-01")
    headings = [table.name for table in sheet.tables]
    assert headings[:2] == ["definition", "defined by"]
    assert "mentioned by" in headings
    assert all(table.rows for table in sheet.tables)
    record = sheet.record()
    assert record["definition"] == sheet.tables[0].records()
    assert column(sheet.tables[0], "document")[0] == "cr-2031-07-01"
    assert record["mentioned_by"]


def test_a_sheet_of_a_rule_holds_its_text_and_parts(mini: Session) -> None:
    sheet = show(mini, "rule 310.2")
    assert (sheet.kind, sheet.number) == ("rule", "310.2")
    parts = next(table for table in sheet.tables if table.name == "parts")
    assert column(parts, "number") == ["310.2a", "310.2b", "310.2c"]
    assert any(note.startswith("In the rules since cr-2031-02-01") for note in sheet.notes)


def test_a_sheet_says_what_is_obsolete_and_what_is_only_cited(mini: Session) -> None:
    assert show(mini, "Glow").status == "obsolete"
    cited = show(mini, "301.3", edition="rulings-2031-03-10")
    assert cited.kind == "rule"


def test_a_sheet_of_a_section_tells_of_its_problems() -> None:
    session = session_of(
        """s:3 a rg:Section ; skos:notation '3' ; dcterms:title 'What Burns' .
        e:problem a rg:Problem ; rg:concerns s:3 ; rg:problemCode code:dim ; rg:message 'It is dim.' ;
            rg:severity code:warning ; rg:firstLine 7 ."""
    )
    [table] = show(session, "section 3").tables
    assert (table.name, table.rows) == ("problems", (("dim", "warning", "It is dim.", None, 7),))


def test_people_see_a_long_table_cut_and_how_to_see_the_rest() -> None:
    many = "\n".join(
        f"e:p{n} a rg:Paragraph ; dcterms:isPartOf e:a ; rg:text 'Word {n}.' ; rg:firstLine {n} ."
        for n in range(20)
    )
    sheet = show(
        session_of(f"t:a a rg:Term ; skos:prefLabel 'A' . e:a a rg:Entry ; rg:defines t:a . {many}"), "A"
    )
    assert [row[1] for row in sheet.tables[0].rows] == [f"Word {n}." for n in range(20)]
    assert sheet.notes == ()
    shown = folded(sheet)
    assert shown.tables[0].rows == sheet.tables[0].rows[:12]
    assert shown.notes == ('8 more under "definition": --all shows them',)


def test_editions_in_a_row_are_told_by_the_first_and_the_last() -> None:
    order = [f"cr-200{n}-02-01" for n in range(8)]
    standing = {order[0], *order[2:6], order[7], "rulings-2003-03-17"}
    assert spans(standing, order) == (
        "rulings-2003-03-17, cr-2000-02-01, cr-2002-02-01 … cr-2005-02-01 (4 editions), cr-2007-02-01"
    )
    assert spans(order[:2], order) == "cr-2000-02-01, cr-2001-02-01"


def test_every_table_of_a_sheet_has_a_query() -> None:
    for tables in TABLES.values():
        for _, source in tables:
            folder, _, name = source.rpartition("/")
            assert QUERIES.has(folder or "answers", name)
