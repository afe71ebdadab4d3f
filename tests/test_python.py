"""The Python interface: what `Rules`, its nodes, answers, reports and pictures return."""

from __future__ import annotations

import copy
import inspect
import io
import json
import pickle
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import rdflib
import rulesgraph
from rdflib import RDF
from rulesgraph import Answer, Picture, Rules
from rulesgraph.app.operations import parameters
from rulesgraph.ontology.errors import StoreMissingError, UnknownNameError, UsageError, WrongTypeError
from sweep import first

EARLY, LATE, RULINGS = "cr-2031-02-01", "cr-2031-07-01", "rulings-2031-03-10"
MINI = Path(__file__).with_name("mini")
PUBLIC = ("__contains__", *(name for name, it in inspect.getmembers(Rules) if hasattr(it, "__wrapped__")))


# -- opening and building -------------------------------------------------------------------------


def test_a_store_is_opened_by_its_folder(mini_store: Path) -> None:
    assert (
        repr(rulesgraph.open(mini_store))
        == repr(rulesgraph.open(str(mini_store)))
        == repr(rulesgraph.Rules(str(mini_store)))
        == f"Rules('{mini_store}')"
    )


def test_the_environment_names_the_usual_store(mini_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESGRAPH_STORE", str(mini_store))
    assert rulesgraph.open().location == str(mini_store)


def test_no_store_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(StoreMissingError):
        rulesgraph.open(tmp_path / "nothing")
    with pytest.raises(StoreMissingError):
        rulesgraph.open(":memory:")


def test_one_source_needs_no_list(tmp_path: Path) -> None:
    page = str(MINI / "lanterns-2031-02-01.txt")
    report = rulesgraph.build(page, tmp_path / "store")
    assert [(it.source, it.edition, it.issued and it.issued.isoformat()) for it in report.documents] == [
        (page, EARLY, "2031-02-01")
    ]
    assert report.location == str(tmp_path / "store")
    assert [edition.id for edition in report.rules.editions] == [EARLY]


def test_what_is_refused_is_named_and_nothing_is_touched(tmp_path: Path) -> None:
    wrong = tmp_path / "letter.txt"
    wrong.write_text("Dear Ada,\n\nthe lanterns are lit.\n", encoding="utf-8")
    report = rulesgraph.build([wrong], tmp_path / "store")
    assert report.documents == ()
    assert [it.source for it in report.refused] == [str(wrong)]
    assert not (tmp_path / "store").exists()
    with pytest.raises(StoreMissingError):
        assert report.rules


def test_refreshing_shows_what_was_built_since(tmp_path: Path) -> None:
    early, late = sorted(MINI.glob("lanterns-*"))
    rules = rulesgraph.build(early, tmp_path / "store").rules
    rulesgraph.build(late, tmp_path / "store")
    assert [edition.id for edition in rules.editions] == [EARLY]
    rules.refresh()
    assert [edition.id for edition in rules.editions] == [LATE, EARLY]


def test_what_was_read_of_a_state_is_kept_as_long_as_the_store_has_it(tmp_path: Path) -> None:
    early, late = sorted(MINI.glob("lanterns-*"))
    rules = rulesgraph.build(early, tmp_path / "store").rules
    before = rules.session
    rules.refresh()
    assert rules.session is before
    rulesgraph.build(late, tmp_path / "store")
    rules.refresh()
    assert rules.session is not before


def test_dropping_shows_what_is_left(tmp_path: Path) -> None:
    rules = rulesgraph.build(sorted(MINI.glob("lanterns-*")), ":memory:").rules
    rules.drop(LATE)
    assert [row["edition"] for row in rules.contents()] == [EARLY]
    with pytest.raises(UnknownNameError, match="no loaded edition is called"):
        rules.drop(LATE)


# -- nodes ----------------------------------------------------------------------------------------


def test_a_rule_says_what_it_is_and_what_belongs_to_it(mini_rules: Rules) -> None:
    rule = mini_rules.rule("310.2")
    assert (rule.number, rule.kind, rule.title, rule.text) == (
        "310.2",
        "rule",
        "",
        "The dusk checks are as follows:",
    )
    assert rule.edition == rule.document == LATE
    assert rule.iri == f"https://w3id.org/rulesgraph/edition/{LATE}/rule/310.2"
    lines = (MINI / "lanterns-2031-07-01.txt").read_text(encoding="utf-8").split("\n")
    assert rule.lines is not None
    assert lines[rule.lines[0] - 1].startswith("310.2")
    assert [part.number for part in rule.children] == ["310.2a", "310.2b", "310.2c"]
    assert all(part.parent == rule for part in rule.children)
    ways = [rule.parent]
    while ways[-1]:
        ways.append(ways[-1].parent)
    assert [(way.number, way.kind, way.title) for way in ways if way] == [
        ("310", "rule", "Dusk Checks"),
        ("3", "section", "What Happens"),
    ]


def test_a_number_is_looked_up_in_the_edition_that_is_named(mini_rules: Rules) -> None:
    assert mini_rules.rule("300.2a").edition == EARLY
    assert mini_rules.rule("101.2", edition=EARLY) != mini_rules.rule("101.2")
    assert len({mini_rules.rule("101.2"), mini_rules.rule("101.2", edition=LATE)}) == 1
    assert mini_rules.rule("101.2", edition=EARLY).parent == mini_rules.rule("101", edition=EARLY)
    with pytest.raises(UnknownNameError, match=r"300\.2"):
        mini_rules.rule("300.2", edition=LATE)


def test_what_is_only_cited_has_no_place(mini_rules: Rules) -> None:
    cited = mini_rules.rule("301.3", edition=RULINGS)
    assert (cited.edition, cited.document, cited.lines, cited.text, cited.children) == (
        RULINGS,
        "",
        None,
        "",
        (),
    )


def test_a_term_is_no_number_and_a_number_no_term(mini_rules: Rules) -> None:
    with pytest.raises(UsageError, match="'Moth' is a term, not a number"):
        mini_rules.rule("Moth")
    with pytest.raises(UsageError, match=r"'101\.2' is a number, not a term"):
        mini_rules.term("101.2")
    with pytest.raises(UnknownNameError, match="Did you mean Moth"):
        mini_rules.term("Mott")


def test_a_term_says_what_it_is_and_what_it_rests_on(mini_rules: Rules) -> None:
    moth = mini_rules.term("moths")
    assert repr(moth) == "TermNode('Moth')"
    assert moth.names == ("Moth", "Moths")
    assert moth.iri == "https://w3id.org/rulesgraph/term/moth"
    assert moth.edition == LATE
    assert moth.definition == (
        'A moth is one of the two kinds of things on the table. It sits on a lantern. See rule 202, "Moths."'
    )
    assert moth.defined_by == (mini_rules.rule("202"),)
    assert moth == mini_rules.term("Moth", edition=EARLY)
    assert moth.relies_on == mini_rules.ask("relied_on_by_term", "Moth", edition=LATE)
    assert moth.relied_on_by == mini_rules.ask("terms_relying_on", "Moth", edition=LATE)


def test_lives_are_told_from_the_beginning(mini_rules: Rules) -> None:
    told = (
        (EARLY, "300.2a", "", 1.0),
        (LATE, "310.2a", "renumbered", 1.0),
    )
    assert mini_rules.rule("310.2a").history.rows == told
    assert mini_rules.rule("300.2a").history.rows == told
    assert mini_rules.rule("320.3").history.rows == ((LATE, "320.3", "", 1.0),)
    assert mini_rules.rule("202.2").history.rows == ((EARLY, "202.2", "", 1.0), (LATE, None, "removed", None))
    assert mini_rules.term("Flutter").history.rows == (
        (EARLY, "Flutter", "", 1.0),
        (LATE, "Flutter", "references", 1.0),
        *mini_rules.rule("320.4").history.rows,
    )


def test_the_newest_edition_reads_as_it_is_printed(newest_rules: Rules) -> None:
    rules = newest_rules
    rule = rules.rule("704.5")
    assert [part.number for part in rule.children] == [
        f"704.5{letter}" for letter in "abcdefghijkmnpqrstuvwxyz"
    ]
    assert rule.parent == rules.rule("704")
    assert rule.parent.title == "State-Based Actions"
    assert {row["cites"] for row in rule.cites} >= {"704.6b", "714"}
    protection = rules.term("Protection")
    assert protection.defined_by == (rules.rule("702.16"),)
    relied_on = [(row["name"], row["link"]) for row in protection.relies_on]
    assert relied_on[0] == ("State-Based Actions", "citation")
    assert ("Keyword Ability", "mention") in relied_on  # its own pointer to 702.16 is its definition
    assert [len(table) for table in rules.show("704.5").tables if table.name == "parts"] == [24]


# -- answers --------------------------------------------------------------------------------------


def test_an_answer_is_a_table_of_records() -> None:
    answer = Answer(
        "lit", ("lantern", "oil"), (("red", 2), ("<blue>", None)), "here & now", ("Mind the oil.",)
    )
    assert list(answer) == answer.records()
    assert len(answer) == 2
    assert bool(Answer("lit", ("lantern",), ())) is True
    assert answer._repr_html_() == (
        "<table><thead><tr><th>lantern</th><th>oil</th></tr></thead><tbody>"
        "<tr><td>red</td><td>2</td></tr><tr><td>&lt;blue&gt;</td><td></td></tr></tbody></table>"
        "<p>Mind the oil.</p><p>2 rows, from here &amp; now</p>"
    )


def test_rows_of_an_answer_are_taken_by_their_place() -> None:
    answer = Answer("lit", ("lantern", "oil"), (("red", 2), ("blue", 5), ("green", None)), "cr", more=4)
    assert answer[0] == answer.first() == {"lantern": "red", "oil": 2}
    assert answer[-1] == {"lantern": "green", "oil": None}
    assert (answer[:2].rows, answer[:2].more, answer[:2].edition) == (answer.rows[:2], 5, "cr")
    assert answer[5:].first() is None
    with pytest.raises(IndexError):
        answer[3]
    with pytest.raises(UsageError, match="the limit is 0"):
        answer.limited(0)


def test_passages_keep_their_marks_when_some_are_taken(mini_rules: Rules) -> None:
    found = mini_rules.search("lanterns", limit=5)
    assert len(found.marks) == len(found) == 5
    assert found[1:3].marks == found.marks[1:3]
    assert found[1:3].rows == found.rows[1:3]


def test_sparql_gives_an_answer_whatever_the_form(mini_rules: Rules) -> None:
    rows = mini_rules.sparql("SELECT ?n { term:flutter skos:prefLabel ?n }")
    truth, lie = mini_rules.sparql("ASK { term:flutter a rg:Term }"), mini_rules.sparql("ASK { <x:a> ?p ?o }")
    graph = mini_rules.sparql("CONSTRUCT { ?t a rg:Term } { BIND(term:flutter AS ?t) }")
    assert {type(it) for it in (rows, truth, lie, graph)} == {rulesgraph.SparqlAnswer}
    assert (rows.first(), rows.triples, bool(rows[:0])) == ({"n": "Flutter"}, (), True)
    assert (bool(truth), truth.rows, bool(lie), lie.rows) == (True, ((True,),), False, ((False,),))
    assert [(str(it.predicate), len(graph)) for it in graph.triples] == [(f"<{RDF.type}>", 1)]
    assert graph.columns == ("subject", "predicate", "object")
    assert copy.copy(graph) == graph
    assert "<td>https://w3id.org/rulesgraph/term/flutter</td>" in graph._repr_html_()


def test_what_there_is_can_be_listed_and_looked_up(mini_rules: Rules, starter_store: Path) -> None:
    every = mini_rules.rules(kind="all")
    assert {it.kind for it in every} >= {"rule", "section"}
    assert mini_rules.rules() == tuple(it for it in every if it.kind == "rule")
    within = mini_rules.rules(within="320")
    assert within
    assert all(it.number.startswith("320") for it in within)
    assert all(it.document for it in rulesgraph.open(starter_store).rules(kind="all"))
    assert mini_rules.rule("301.3", edition=EARLY) in mini_rules.rules(edition=EARLY)
    assert mini_rules.term("Flutter") in mini_rules.terms()
    named = {row["term"] for row in mini_rules.ask("terms_of_kind", "ability", edition=LATE)}
    assert {it.name for it in mini_rules.terms(kind="ability", edition=LATE)} == named
    assert ("320.4" in mini_rules, "999.9" in mini_rules, "no such name" in mini_rules) == (
        True,
        False,
        False,
    )
    with pytest.raises(UnknownNameError, match="no kind is called 'moth'"):
        mini_rules.rules(kind="moth")
    with pytest.raises(rulesgraph.UnknownNameError):
        mini_rules.rules(within="999")
    with pytest.raises(UnknownNameError, match=r"term\('Flutter'\)\.defined_by has its rules"):
        mini_rules.rules(within="Flutter")


def test_an_argument_of_another_type_is_a_mistake(mini_rules: Rules) -> None:
    tried = []
    methods = (work for name in PUBLIC if parameters(work := getattr(mini_rules, name)))
    for work in (rulesgraph.open, rulesgraph.build, rulesgraph.get, *methods):
        first, *others = parameters(work).values()
        if first.annotation.startswith("str") and not first.is_variadic and "IO" not in first.annotation:
            tried.append(work.__name__)
            with pytest.raises(WrongTypeError, match=rf"^`{first.name}` is 320\.4 and should be str"):
                work(**{first.name: 320.4}, **{it.name: "x" for it in others if it.default is ...})
    assert {"open", "build", "ask", "rule", "verify", "export", "drop", "__contains__"} <= {*tried}
    assert len(tried) > 20
    assert issubclass(WrongTypeError, TypeError)


@pytest.mark.parametrize(
    ("work", "given", "named", "said"),
    [
        ("ask", [None], {}, "`question` is None and should be str"),
        ("ask", ["citing", 420], {}, "`arguments` is 420 and should be str\n  Write it in quotes, as in"),
        ("search", ["moth"], {"limit": "5"}, "`limit` is '5' and should be int"),
        ("ask", ["moth"], {"limit": True}, "`limit` is True and should be int or None"),
        ("why", ["Moth", "Drift"], {"via": [5]}, "`via` is [5] and should be str or Sequence[str] or None"),
        ("show", ["Moth"], {"edition": 2031}, "`edition` is 2031 and should be str or None"),
    ],
)
def test_a_wrong_type_says_what_is_wanted(
    mini_rules: Rules, work: str, given: list[object], named: dict[str, object], said: str
) -> None:
    with pytest.raises(WrongTypeError, match=re.escape(said)):
        getattr(mini_rules, work)(*given, **named)
    with pytest.raises(TypeError, match=r"missing \d required positional argument"):
        getattr(mini_rules, work)()


def test_only_what_may_be_a_number_of_a_rule_should_be_in_quotes(mini_rules: Rules) -> None:
    with pytest.raises(WrongTypeError) as caught:
        mini_rules.sparql(1)  # type: ignore[arg-type]
    assert "quotes" not in str(caught.value)


def test_an_answer_as_one_object_is_json(mini_rules: Rules) -> None:
    found = mini_rules.sparql("SELECT ?day { ?edition dcterms:issued ?day ; a rg:Edition } ORDER BY ?day")
    assert json.loads(json.dumps(found.record())) == found.record()
    assert found.record()["rows"] == [{"day": str(row["day"])} for row in found]
    assert json.dumps(mini_rules.show("320.4").record())
    rule, term = mini_rules.rule("§ 320.4").record(), mini_rules.term("Flutter").record()
    assert json.loads(json.dumps([rule, term])) == [rule, term]
    assert (rule["number"], term["name"]) == ("320.4", "Flutter")


def test_an_unknown_kind_of_terms_lists_the_kinds(mini_rules: Rules) -> None:
    with pytest.raises(rulesgraph.UnknownNameError, match=r"(?s)called 'nonsense'.*keyword ability, "):
        mini_rules.terms(kind="nonsense")


def test_a_store_is_let_go_of_at_the_end_of_a_block(mini_store: Path) -> None:
    with rulesgraph.open(mini_store, timeout=30) as rules:
        before = rules.term("Flutter").name
        assert rules.session.store._timed.close.alive  # type: ignore[attr-defined]
        timed = rules.session.store._timed  # type: ignore[attr-defined]
    assert not timed.close.alive
    assert rules.term("Flutter").name == before  # a question opens it again
    rules.close()


def test_rules_and_terms_show_themselves_in_a_notebook(mini_rules: Rules) -> None:
    rule, term = mini_rules.rule("320.4"), mini_rules.term("Flutter")
    assert rule._repr_html_().startswith("<b>320.4")
    assert f"{rule.document}:" in rule._repr_html_()
    assert term._repr_html_().startswith("<b>Flutter</b><p>")


def test_an_answer_becomes_a_data_frame_of_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, object] = {}
    frames = SimpleNamespace(DataFrame=lambda rows, **how: given.update(rows=rows, **how))
    monkeypatch.setitem(sys.modules, "polars", frames)
    Answer("lit", ("lantern",), (("red",),)).to_polars()
    assert given == {"rows": (("red",),), "schema": ("lantern",), "orient": "row"}
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(UsageError, match="polars is not installed"):
        Answer("lit", (), ()).to_polars()


def test_an_answer_becomes_a_data_frame() -> None:
    pytest.importorskip("pandas")
    frame = Answer("lit", ("lantern", "oil"), (("red", 2), ("blue", 3))).to_pandas()
    assert frame.to_dict("list") == {"lantern": ["red", "blue"], "oil": [2, 3]}
    empty = Answer("lit", ("lantern", "oil"), ()).to_pandas()
    assert list(empty.columns) == ["lantern", "oil"]


def test_without_pandas_an_answer_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match=r"pip install (--python .* )?pandas"):
        Answer("lit", (), ()).to_pandas()


def test_kinds_of_links_come_as_a_list_or_a_text(mini_rules: Rules) -> None:
    told = mini_rules.ask("terms_relying_on", "Lantern", via=["citation", "note"], steps=1)
    assert told.rows
    assert told == mini_rules.ask("terms_relying_on", "Lantern", via="citation,note", steps=1)
    with pytest.raises(UsageError, match="no kind of link is called 'rumour'"):
        mini_rules.ask("terms_relying_on", "Lantern", via=["rumour"])


# -- files and pictures ---------------------------------------------------------------------------


def test_an_export_goes_to_a_file_or_a_stream(mini_rules: Rules, tmp_path: Path) -> None:
    stream = io.BytesIO()
    mini_rules.export("ntriples", stream, edition=EARLY)
    mini_rules.export("ntriples", tmp_path / "early.nt", edition=EARLY)
    assert (tmp_path / "early.nt").read_bytes() == stream.getvalue()
    with pytest.raises(UsageError, match="no notation is called 'word'"):
        mini_rules.export("word", stream)
    assert [path.name for path in tmp_path.iterdir()] == ["early.nt"]


@pytest.mark.parametrize(
    "edition", first(1, (EARLY, None, "all"), pytest.mark.long(small="test_rdflib_gets_what_a_question_sees"))
)
def test_rdflib_gets_what_a_question_sees(mini_rules: Rules, edition: str | None) -> None:
    graph = mini_rules.to_rdflib(edition=edition)
    seen = mini_rules.sparql("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", edition=edition)
    lines = "".join(f"{triple.subject} {triple.predicate} {triple.object} .\n" for triple in seen.triples)
    whole = set(rdflib.Graph().parse(data=lines, format="nt"))
    assert set(graph) == {it for it in whole if "/tenure/" not in str(it)}
    assert dict(graph.namespaces())["rg"] == rdflib.URIRef("https://w3id.org/rulesgraph/ns#")


def test_an_answer_without_a_question_is_drawn(mini_rules: Rules, starter_store: Path) -> None:
    words = f"what changed for flutter between {EARLY} and {LATE}"
    assert mini_rules.picture(answer=words).title == f"What changed in Flutter between {EARLY} and {LATE}?"
    assert rulesgraph.open(starter_store).picture(answer="Quickglass Blade").title == "Quickglass Blade"


def test_a_picture_of_an_answer_takes_words_or_a_name(mini_rules: Rules, tmp_path: Path) -> None:
    named = mini_rules.picture(answer=["terms_relying_on", "Lantern"], path=tmp_path / "graph.html")
    asked = mini_rules.picture(answer="Which terms rely on lanterns?")
    assert (named.title, asked.title) == ("Which terms rely on Lantern?", "Which terms rely on lanterns?")
    assert (named.things, named.links) == (asked.things, asked.links) == (28, 50)
    assert (tmp_path / "graph.html").read_text(encoding="utf-8") == named.html


def held(picture: Picture) -> set[str]:
    """Return a picture's content besides things: the rows of an answer, the land of a map."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', picture.html, re.DOTALL)
    assert found
    return {"answer", "sections"} & set(json.loads(found[1]))


def test_a_short_list_is_a_graph_and_anything_else_lights_up_on_the_map(mini_rules: Rules) -> None:
    whole = mini_rules.picture()
    for asked in (
        ["why", "Lantern", "Moth"],
        ["interaction", "Lantern", "Moth"],
        ["changed_rules"],
        ["statistics"],
    ):
        drawn = mini_rules.picture(answer=asked)
        assert (held(drawn), drawn.things) == ({"answer", "sections"}, whole.things), asked
    few = mini_rules.picture(answer=["definition", "Moth"])
    assert (held(few), few.things) == ({"answer"}, 3)
    assert held(mini_rules.picture(answer=["definition", "Moth"], whole=True)) == {"answer", "sections"}
    assert held(mini_rules.picture(answer=["why", "Lantern", "Moth"], limit=9)) == {"answer"}


def test_a_picture_shows_itself_in_a_frame_that_keeps_its_policy(mini_rules: Rules) -> None:
    shown = mini_rules.picture(around="Moth")._repr_html_()
    assert 'sandbox="allow-scripts"' in shown
    assert shown.count("<") == 2


# -- checks ---------------------------------------------------------------------------------------


def test_checks_take_shapes_of_ours_and_of_ones_own(mini_rules: Rules, tmp_path: Path) -> None:
    plain = mini_rules.check()
    assert mini_rules.check(shapes=True) == plain
    strict = tmp_path / "strict.ttl"
    strict.write_text(
        "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix rg: <https://w3id.org/rulesgraph/ns#> .\n"
        "<urn:shape> a sh:NodeShape ; sh:targetClass rg:Edition ; sh:message 'too many' ;\n"
        "  sh:property [ sh:path rg:unheard ; sh:minCount 1 ] .\n",
        encoding="utf-8",
    )
    found = mini_rules.check(shapes=strict, edition=LATE)
    assert [(row["severity"], row["subject"]) for row in found][
        : len(found) - len(mini_rules.check(edition=LATE))
    ] == [("error", f"edition/{LATE}")]
    with pytest.raises(UsageError, match="time and memory"):
        mini_rules.check(reason=True, seconds=0)


@pytest.mark.parametrize("words", ["redirects", "which lantern burns longest"])
def test_an_answer_can_be_kept_and_sent_but_not_changed(mini_rules: Rules, words: str) -> None:
    answer = mini_rules.ask(words)
    for kept in (copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))):
        assert (type(kept), kept, kept.understood) == (type(answer), answer, answer.understood)
    with pytest.raises(AttributeError, match="rows"):
        answer.rows = ()  # type: ignore[misc]


def test_a_long_answer_prints_its_first_rows_and_says_how_many_there_are() -> None:
    rows = tuple((str(n), "oil " * 100, None) for n in range(500))
    answer = Answer("lit", ("lantern", "text", "line"), rows, "cr-2031-02-01", lead=("None burns.",))
    assert repr(answer) == "Answer('lit', 500 rows, cr-2031-02-01)"
    assert repr(answer[:2]) == "Answer('lit', 2 of 500 rows, cr-2031-02-01)"
    lines = str(answer).splitlines()
    assert (lines[0], lines[1][:10], len(lines), lines[-1]) == ("None burns.", "0 | oil oi", 12, repr(answer))
    assert max(map(len, lines)) <= 100


def test_a_year_is_the_only_edition_of_it_that_is_loaded(tmp_path: Path) -> None:
    rules = rulesgraph.build(sorted(MINI.glob("lanterns-*"))[0], tmp_path / "store").rules
    assert rules.ask("citing", "101", edition="2031").edition == EARLY
    with pytest.raises(UnknownNameError, match=f"Did you mean {EARLY}"):
        rules.drop(EARLY[:-1])
