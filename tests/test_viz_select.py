"""What a page shows of a graph: the selection, the links between the selected things, and its words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyoxigraph
import pytest
import rulesgraph
from rulesgraph.loaders.store.local import MemoryStore
from rulesgraph.ontology.errors import NothingFoundError, UnknownNameError
from rulesgraph.ontology.iris import BASE, Iris
from rulesgraph.ontology.terms import PREFIXES
from rulesgraph.queries.session import Answer, Session
from rulesgraph.queries.session.statements import Statements
from rulesgraph.viz.graph import read_graph
from rulesgraph.viz.select import FEW, LIMIT, around_thing, is_small, joined, of_answer, overview
from rulesgraph.viz.selection import LinkKind, Node, NodeKind, Selection

EDITION = f"{BASE}edition/kites-1"
HEAD = (
    "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in PREFIXES.items())
    + f"""
@prefix t: <{BASE}term/> .
@prefix e: <{EDITION}/entry/> .
@prefix r: <{EDITION}/rule/> .
<{BASE}document/kites-1> rg:inEdition <{EDITION}> ; rg:documentKind rg:Kites ; rg:checksum "0" .
"""
)

KITES = """
<{base}edition/kites-1> a rg:Edition ; dcterms:title "Kite rules, 1 May 2031" ;
  dcterms:issued "2031-05-01"^^xsd:date .
<{base}document/kites-1> a rg:Document ; dcterms:title "Kite pages" .

t:kite a rg:Term, skos:Concept ; skos:prefLabel "Kite" ; skos:altLabel "Kites" .
t:string a rg:Term ; skos:prefLabel "String" .
t:knot a rg:Term ; skos:prefLabel "Knot" .
t:old-kite a rg:Term ; skos:prefLabel "Old Kite" .
t:storms a rg:Term ; skos:prefLabel "Storms" .

e:K1 a rg:Entry ; rg:defines t:kite ; dcterms:isPartOf <{base}document/kites-1> .
e:K1a a rg:Paragraph ; dcterms:isPartOf e:K1 ; skos:notation "K1a" ; rg:firstLine 3 ; rg:lastLine 4 ;
  rg:text "A kite flies on a string. See Rule 20.1a." ; rg:attribution e:K1by ;
  rg:hasReference e:K1ref ; rg:cites r:20.1a ; rg:mentions t:string .
e:K1ref rg:start 30 ; rg:end 40 ; rg:to r:20.1a .
e:K1by rg:authority e:authority ; rg:asOf "2031-04-01"^^xsd:date .
e:authority rdfs:label "KiteRules" .
e:K1n a rg:Note ; dcterms:isPartOf e:K1 ; rg:firstLine 5 ;
  rg:text "Also see Section 2." ; rg:cites <{edition}/section/2> .
e:K2 a rg:Entry ; rg:defines t:string ; dcterms:isPartOf <{base}document/kites-1> .
e:K2a a rg:Paragraph ; dcterms:isPartOf e:K2 ; rg:firstLine 8 ;
  rg:text "A string has a knot." .
e:K2x a rg:Example ; dcterms:isPartOf e:K2a ; rg:firstLine 9 ; rg:text "Tie one knot." .
e:K3 a rg:Entry ; rg:defines t:knot ; dcterms:isPartOf <{base}document/kites-1> .
e:K3a a rg:Paragraph ; dcterms:isPartOf e:K3 ; rg:firstLine 11 ; rg:text "It holds." .
e:K4 a rg:Entry ; rg:defines t:old-kite ; rg:status rg:Obsolete ; dcterms:isPartOf <{base}document/kites-1> .

<{edition}/section/2> a rg:Section ; skos:notation "2" ; dcterms:title "Wind" ; rg:loaded false .
r:20 a rg:Rule ; rg:level "chapter" ; skos:notation "20" ; dcterms:title "Storms" ; rg:loaded false ;
  dcterms:isPartOf <{edition}/section/2> .
r:20.1 a rg:Rule ; rg:level "rule" ; skos:notation "20.1" ; rg:loaded false ; dcterms:isPartOf r:20 .
r:20.1a a rg:Rule ; rg:level "subrule" ; skos:notation "20.1a" ; rg:loaded false ; dcterms:isPartOf r:20.1 .
r:20.1b a rg:Rule ; rg:level "subrule" ; skos:notation "20.1b" ; rg:loaded false ; dcterms:isPartOf r:20.1 .

t:kite rg:reliesByCitation r:20.1a ; rg:seeAlso <{edition}/section/2> ; rg:usesTerm t:string .
t:string rg:usesTerm t:knot .
t:knot rg:reliesByCitation r:20 .
t:old-kite rg:redirectsTo t:kite .
t:storms rg:definedBy r:20 ; rg:reliesByDefinition r:20 .
"""
"""Invented rules of kite flying: four entries, and one chapter that is only cited."""


def stated_by(turtle: str) -> Statements:
    """Return the graph in some Turtle, as if it were the newest edition of a store."""
    text = HEAD + turtle.format(base=BASE, edition=EDITION)
    lines = pyoxigraph.parse(text.encode(), pyoxigraph.RdfFormat.TURTLE)
    triples = [quad.triple for quad in lines]
    store, iris = MemoryStore(), Iris(BASE)
    graphs = (iris.graph("current"), iris.document("kites-1"), iris.derived("kites-1"))
    with store.rewrite(base=BASE) as rewrite:
        for graph in graphs:
            rewrite.load(f"{triple} <{graph}> .\n".encode() for triple in triples)
    session = Session(store)
    return Statements(session, session.current)


@pytest.fixture(scope="module")
def kites() -> Statements:
    return stated_by(KITES)


def by_label(selection: Selection) -> dict[str, Node]:
    return {node.label: node for node in selection.nodes}


def links(selection: Selection) -> set[tuple[str, str, str]]:
    """Return (from, kinds, to) of every link, by labels."""
    label = {node.iri: node.label for node in selection.nodes}
    return {(label[link.source], " ".join(link.kinds), label[link.target]) for link in selection.links}


def term(slug: str) -> str:
    return f"{BASE}term/{slug}"


def rule(number: str) -> str:
    return f"{EDITION}/rule/{number}"


def told(columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> Answer:
    return Answer("kites", columns, tuple(rows))


@pytest.mark.parametrize(("rows", "small"), [(0, False), (1, True), (FEW, True), (FEW + 1, False)])
def test_a_list_is_short_up_to_so_many_rows(rows: int, small: bool) -> None:
    assert is_small(Answer("sails", ("sail",), (("red",),) * rows)) is small


# -- the whole edition --------------------------------------------------------------------------------


def test_overview_shows_terms_and_what_they_are_linked_to(kites: Statements) -> None:
    chosen = overview(kites)
    kinds = {node.label: node.kind for node in chosen.nodes}
    assert kinds == {
        "Kite": NodeKind.TERM,
        "String": NodeKind.TERM,
        "Knot": NodeKind.TERM,
        "Old Kite": NodeKind.TERM,
        # "Storms" is only the title of 20; 20.1 and 20.1b are neither linked nor a whole of two
        "20 Storms": NodeKind.CHAPTER,
        "20.1a": NodeKind.RULE,
        "2 Wind": NodeKind.SECTION,
    }
    assert chosen.title == "Kite rules, 1 May 2031"
    assert chosen.total == 7
    assert not any(node.reserve for node in chosen.nodes)


def test_links_have_kinds_and_parts_are_joined_to_the_nearest_whole(kites: Statements) -> None:
    assert links(overview(kites)) == {
        ("Kite", "citation", "20.1a"),
        ("Kite", "note", "2 Wind"),
        ("Kite", "mention", "String"),
        ("String", "mention", "Knot"),
        ("Knot", "citation", "20 Storms"),
        ("Old Kite", "redirect", "Kite"),
        ("20.1a", "part", "20 Storms"),  # 20.1, between them, is not shown
        ("20 Storms", "part", "2 Wind"),
    }


def test_a_part_is_joined_to_a_whole_that_is_shown(kites: Statements) -> None:
    """Of 20.1a, 20.1 and 20 the middle one is in reserve."""
    chosen = of_answer(kites, told(("rule",), [("20.1a",), ("20",)]), title="?")
    assert links(chosen) == {("20.1a", "part", "20 Storms")}
    graph = read_graph(kites)
    shown, held = [rule("20"), rule("20.1a")], [rule("20"), rule("20.1a"), rule("20.1")]
    found = {(link.source[-5:], link.target[-5:]) for link in joined(graph, set(shown), held)}
    assert found == {("20.1a", "/20.1"), ("20.1a", "le/20"), ("/20.1", "le/20")}


def test_states(kites: Statements) -> None:
    nodes = by_label(overview(kites))
    assert nodes["Old Kite"].status == "obsolete"
    assert nodes["Kite"].status == ""
    assert (nodes["Kite"].loaded, nodes["20.1a"].loaded, nodes["2 Wind"].loaded) == (True, False, False)
    assert nodes["Kite"].names == ("Kites",)


def test_a_limit_keeps_the_most_connected_and_says_so(kites: Statements) -> None:
    chosen = overview(kites, limit=2)
    shown = [node.label for node in chosen.nodes if not node.reserve]
    assert shown == ["Kite", "20 Storms"]
    assert chosen.note.startswith("The 2 most connected of 7 terms and linked rules: Kite rules")
    assert {node.label for node in chosen.nodes if node.reserve} == {"20.1a", "Knot", "Old Kite", "2 Wind"}
    assert by_label(chosen)["Kite"].beyond == 1  # String is joined to Kite by a mention alone


def test_an_empty_store_has_nothing_to_show() -> None:
    with pytest.raises(NothingFoundError, match="no term"):
        overview(stated_by(""))


def test_a_cited_rule_and_the_same_rule_in_force_are_one_thing() -> None:
    rows = stated_by(
        KITES
        + """
<{base}edition/cr-1/rule/20.1a> a rg:Rule ; rg:level "subrule" ; skos:notation "20.1a" ;
  rg:text "Wind blows." .
r:20.1a rg:sameRule <{base}edition/cr-1/rule/20.1a> ."""
    )
    same = [node for node in overview(rows).nodes if node.number == "20.1a"]
    assert [(node.iri, node.loaded) for node in same] == [(f"{BASE}edition/cr-1/rule/20.1a", True)]
    assert ("Kite", "citation", "20.1a") in links(overview(rows))
    assert same[0].passages[0].text == "Wind blows."


# -- around one thing ---------------------------------------------------------------------------------


def test_around_a_term_in_either_direction(kites: Statements) -> None:
    chosen = around_thing(kites, [term("kite")])
    steps = {node.label: node.steps for node in chosen.nodes if not node.reserve}
    assert steps == {"Kite": 0, "20.1a": 1, "2 Wind": 1, "Old Kite": 1, "String": 1}
    assert chosen.focus == term("kite")
    assert chosen.note == "Everything within one link of Kite: Kite rules, 1 May 2031."


def test_mentions_count_at_the_first_step_only(kites: Statements) -> None:
    near = {node.label for node in around_thing(kites, [term("kite")], depth=2).nodes if not node.reserve}
    assert "Knot" not in near  # Kite mentions String, String mentions Knot
    assert "20 Storms" in near  # it contains 20.1a


def test_the_rule_that_defines_a_term_and_its_parts_belong_to_the_term(kites: Statements) -> None:
    chosen = around_thing(kites, [term("storms")])
    steps = {node.label: node.steps for node in chosen.nodes if not node.reserve}
    assert steps == {"Storms": 0, "20 Storms": 0, "20.1a": 0, "Kite": 1, "Knot": 1}


def test_around_a_rule_its_parts_are_shown(kites: Statements) -> None:
    steps = {node.label: node.steps for node in around_thing(kites, [rule("20.1")]).nodes if not node.reserve}
    assert steps == {"20.1": 0, "20.1a": 0, "20.1b": 0, "Kite": 1}


def test_around_a_section_its_chapters_are_one_step_away(kites: Statements) -> None:
    steps = {n.label: n.steps for n in around_thing(kites, [f"{EDITION}/section/2"]).nodes if not n.reserve}
    assert steps == {"2 Wind": 0, "20 Storms": 1, "Kite": 1}


def test_around_takes_the_first_node_that_is_there(kites: Statements) -> None:
    assert around_thing(kites, [f"{BASE}edition/none/rule/20", rule("20")]).focus == rule("20")


def test_around_something_that_is_not_there(kites: Statements) -> None:
    with pytest.raises(UnknownNameError):
        around_thing(kites, [term("umbrella")])


def test_a_neighbourhood_over_the_limit_keeps_the_nearest(kites: Statements) -> None:
    chosen = around_thing(kites, [term("kite")], limit=3)
    shown = [node for node in chosen.nodes if not node.reserve]
    assert len(shown) == 3
    assert shown[0].label == "Kite"
    assert {"String"} <= {node.label for node in chosen.nodes if node.reserve}
    assert chosen.note.startswith("The nearest 3 of 5 things within one link of Kite")


# -- answers ------------------------------------------------------------------------------------------


def test_an_answer_is_joined_to_what_was_asked_about(kites: Statements) -> None:
    answer = told(
        ("term", "steps", "link", "quote"), [("Kite", 1, "citation", "Knot"), ("Old Kite", 2, "redirect", "")]
    )
    chosen = of_answer(kites, answer, title="Who relies on storms?", iris=[term("storms")])
    steps = {node.label: node.steps for node in chosen.nodes}
    # 20.1a, a part of the rule that defines storms, is on the way; a quote's words name nothing
    assert steps == {"Storms": 0, "Kite": 1, "Old Kite": 2, "20.1a": None, "20 Storms": None}
    assert chosen.title == "Who relies on storms?"
    ids = {node.iri: k for k, node in enumerate(chosen.nodes)}
    assert chosen.answer == {
        "title": "Who relies on storms?",
        "form": "list",
        "about": [ids[term("storms")]],
        "notes": [],
        "rows": [
            {"things": [ids[term("kite")]], "how": "citation", "said": ["Knot"], "where": ["", 0]},
            {"things": [ids[term("old-kite")]], "how": "redirect", "said": [], "where": ["", 0]},
        ],
    }


def test_a_way_goes_on_from_the_parts_of_a_rule() -> None:
    """Knot cites 20; it is 20.1b, a part of 20, that cites 30."""
    rows = stated_by(
        KITES
        + """
r:30 a rg:Rule ; rg:level "chapter" ; skos:notation "30" .
r:20.1b rg:reliesByCitation r:30 ."""
    )
    chosen = of_answer(rows, told(("term",), [("Knot",)]), title="?", iris=[rule("30")])
    assert {node.label for node in chosen.nodes} == {"30", "Knot", "20 Storms", "20.1b"}
    assert links(chosen) == {
        ("Knot", "citation", "20 Storms"),
        ("20.1b", "part", "20 Storms"),
        ("20.1b", "citation", "30"),
    }


def test_a_citation_of_the_defining_rule_goes_before_a_mention_of_the_term() -> None:
    rows = stated_by(KITES + "t:kite rg:usesTerm t:storms .")
    chosen = of_answer(rows, told(("term",), [("Kite",)]), title="?", iris=[term("storms")])
    assert {node.label for node in chosen.nodes} == {"Storms", "20 Storms", "20.1a", "Kite"}


def test_what_an_answer_names_beyond_the_limit_waits_in_reserve() -> None:
    extra = "".join(f't:n{i} a rg:Term ; skos:prefLabel "N{i}" . ' for i in range(LIMIT + 20))
    names = [(f"N{i}",) for i in range(LIMIT + 20)]
    chosen = of_answer(stated_by(KITES + extra), told(("term",), names), title="?")
    assert sum(not node.reserve for node in chosen.nodes) == LIMIT
    assert sum(node.reserve for node in chosen.nodes) == 20
    assert chosen.note.startswith("The first 300 of the 320 things that the answer names")


@pytest.mark.parametrize("cell", ["Knot", term("knot")])
def test_a_cell_names_a_thing_by_name_or_iri(kites: Statements, cell: str) -> None:
    chosen = of_answer(kites, told(("thing", "count"), [(cell, 3)]), title="?")
    assert [node.label for node in chosen.nodes] == ["Knot"]


def test_a_cell_names_a_rule_by_its_number(kites: Statements) -> None:
    chosen = of_answer(kites, told(("rule",), [("20.1a",)]), title="?")
    assert [node.iri for node in chosen.nodes] == [rule("20.1a")]


def test_an_answer_that_names_nothing(kites: Statements) -> None:
    with pytest.raises(NothingFoundError):
        of_answer(kites, told(("count",), [(3,), (None,)]), title="?")


# -- words --------------------------------------------------------------------------------------------


def test_passages_keep_their_place_and_link_what_they_name(kites: Statements) -> None:
    text, note = by_label(overview(kites))["Kite"].passages
    assert (text.kind, text.number, text.document, text.lines) == ("text", "K1a", "Kite pages", (3, 4))
    assert text.attribution == "KiteRules 2031-04-01"
    assert text.text == "A kite flies on a string. See Rule 20.1a."
    assert [(piece.text, piece.targets) for piece in text.pieces if piece.targets] == [
        ("string", (term("string"),)),
        ("Rule 20.1a", (rule("20.1a"),)),
    ]
    assert (note.kind, note.text) == ("note", "Also see Section 2.")


def test_a_reference_to_a_part_that_is_not_shown_leads_to_its_whole(kites: Statements) -> None:
    chosen = of_answer(kites, told(("thing",), [("Kite",), ("20 Storms",)]), title="?")
    (text, _) = by_label(chosen)["Kite"].passages
    assert (rule("20"),) in {piece.targets for piece in text.pieces}


def test_a_range_names_all_its_rules_and_a_rule_page_s_entry_stays_a_rule() -> None:
    rows = stated_by(
        KITES
        + """
e:K1ref rg:to r:20.1b .
r:20.1b a rg:Entry ; rg:defines t:storms ; rg:text "Also of storms." ."""
    )
    chosen = of_answer(rows, told(("thing",), [("Kite",), ("20.1a",), ("20.1b",), ("Storms",)]), title="?")
    (text, _) = by_label(chosen)["Kite"].passages
    assert text.pieces[-2].targets == (rule("20.1a"), rule("20.1b"))


def test_examples_stand_behind_their_paragraph(kites: Statements) -> None:
    passages = by_label(overview(kites))["String"].passages
    assert [(passage.kind, passage.text) for passage in passages] == [
        ("text", "A string has a knot."),
        ("example", "Tie one knot."),
    ]


# -- real pages ---------------------------------------------------------------------------------------


def test_the_graph_of_the_starter_rules(starter_store: Any) -> None:
    """The terms that mention state-based effects or cite rule 420 are one step around them."""
    session = rulesgraph.open(starter_store).session
    stated = Statements(session, session.current)
    chosen = around_thing(stated, [term("state-based-effects")])
    near = {node.label for node in chosen.nodes if node.steps == 1 and node.kind is NodeKind.TERM}
    assert near >= set(
        "Effect|Ending the Turn|Equipment|Leaves Play|Legendary|Lethal Damage|Life|Lose the Game|Loyalty"
        "|Poison Counter|Priority|Protection".split("|")
    )
    graph = read_graph(stated)
    assert LinkKind.MENTION in graph.links[term("effect")][term("state-based-effects")]
    assert "obsolete" in {thing.status for thing in graph.things.values()}
