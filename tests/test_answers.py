"""Every question of the catalogue, asked about the mini game, gives its golden table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asking import session_of, session_on, table
from commands import Run
from rulesgraph.loaders.build import build
from rulesgraph.loaders.store import PreparedQuery, open_store
from rulesgraph.loaders.store.folder import FolderStore
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.ontology.resources import bind
from rulesgraph.queries import QUERIES
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.catalogue.questions import question, questions
from rulesgraph.queries.finding.things import resolve
from rulesgraph.queries.reliance.levels import reach_of
from rulesgraph.queries.session import Session

GOLDEN = Path(__file__).with_name("golden") / "answers"

# The arguments of each question, and its edition; None is the edition that it finds by itself.
ASKED: dict[str, tuple[tuple[str, ...], str | None]] = {
    "also_see": (("Flutter",), "rulings-2031-03-10"),
    "called_also": (("Shelf",), None),
    "authorities": ((), "rulings-2031-03-10"),
    "citing": (("310",), None),
    "cited_by": (("Lose the Evening",), "rulings-2031-03-10"),
    "defining_rules": (("Moth",), None),
    "definition": (("moths",), None),
    "examples_of": (("101",), None),
    "facts_about": (("Flare",), None),
    "interaction": (("Flutter", "Lantern"), None),
    "kinds_of": (("Box",), None),
    "list_items": (("Land Type",), None),
    "lists_with": (("bogs",), None),
    "mentions_of": (("Glimmer",), None),
    "mentions_of_both": (("Moth", "Lantern"), None),
    "narrower_terms": (("Static Ability",), None),
    "whether": (("Lantern", "Dark"), "cr-2031-02-01"),
    "newest_paragraphs": ((), "rulings-2031-03-10"),
    "next_after": (("Yawn Step",), None),
    "next_before": (("Watch Step",), None),
    "paragraphs_changed_since": (("2031-02",), "rulings-2031-03-10"),
    "parts_of": (("300",), "cr-2031-02-01"),
    "place_in_turn": (("Watch Step",), None),
    "relied_on_by_term": (("Flutter",), None),
    "replacement": (("Glow",), None),
    "rule_text": (("201.1",), None),
    "rules_relying_on": (("Waning Checks",), None),
    "rulings": ((), "rulings-2031-03-10"),
    "rulings_by": (("Ada",), "rulings-2031-03-10"),
    "steps_of": (("103",), None),
    "cards_touched_by": (("502.7",), None),
    "cards_with": (("Protection",), None),
    "cards_with_both": (("Artifact", "Lifelink"), None),
    "rules_of_card": (("Wicker Saint",), None),
    "rulings_about": (("Merrin, Keeper of Tolls",), None),
    "template_of": (("Hum",), None),
    "terms_defined_by": (("3",), None),
    "terms_mentioned_in": (("202",), None),
    "terms_of_kind": (("Static Ability",), None),
    "terms_relying_on": (("Waning Checks",), None),
}
QUESTIONS = QUERIES.names("answers")

# Questions about defects: the mini game has none, the documents in `flawed` have one or more of each.
ABOUT_FLAWS = {
    "ambiguous_names",
    "cited_only",
    "dangling_references",
    "mismatched_titles",
    "mutual_reliance",
    "problems",
    "undated_paragraphs",
    "undefined_entries",
}

# Questions about what definitions say: the documents in `defined` define in every way.
ABOUT_FACTS = {
    "called_also",
    "facts_about",
    "kinds_of",
    "list_items",
    "lists_with",
    "narrower_terms",
    "next_after",
    "next_before",
    "place_in_turn",
    "steps_of",
    "template_of",
    "terms_of_kind",
    "turn_in_order",
}


# Questions about cards: the starter rules have some.
ABOUT_CARDS = {
    "cards_touched_by",
    "cards_with",
    "cards_with_both",
    "rules_of_card",
    "rulings_about",
    "terms_on_cards",
}


@pytest.fixture(scope="module")
def carded() -> Session:
    """A session over the starter rules and cards."""
    store = open_store(":memory:", write=True)
    assert not build(store=store).refused
    return Session(store)


@pytest.fixture(scope="module")
def flawed(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """A session over documents with defects of many kinds."""
    location = tmp_path_factory.mktemp("flawed") / "store"
    assert not build([Path(__file__).with_name("flawed")], str(location)).refused
    return session_on(location)


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_question_gives_its_table(
    name: str, mini: Session, flawed: Session, defined: Session, carded: Session, update_golden: bool
) -> None:
    args, edition = ASKED.get(name, ((), None))
    session = flawed if name in ABOUT_FLAWS else defined if name in ABOUT_FACTS else mini
    session = carded if name in ABOUT_CARDS else session
    answer = ask(session, name, args, edition=edition)
    assert answer.rows, "a table without rows would hold nothing against a question that finds nothing"
    found = table(answer)
    kept = GOLDEN / f"{name}.tsv"
    if update_golden:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(found, encoding="utf-8")
    assert found == kept.read_text(encoding="utf-8")


def test_every_question_has_its_table_and_every_table_its_question() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(QUESTIONS)


def test_questions_with_parameters_are_all_asked_about_something() -> None:
    assert {q.name for q in questions() if q.parameters} <= set(ASKED)


@pytest.mark.parametrize(
    ("name", "thing"),
    [
        ("terms_relying_on", "Waning Checks"),
        ("terms_relying_on", "300.2"),
        ("rules_relying_on", "Waning Checks"),
        ("relied_on_by_term", "Lose the Evening"),
        ("relied_on_by_term", "201"),
    ],
)
def test_the_query_of_a_walk_gives_its_direct_answers_by_itself(name: str, thing: str, mini: Session) -> None:
    """Run on a SPARQL endpoint, the file alone returns the first step of the walk, place by place."""
    edition = "rulings-2031-03-10,cr-2031-02-01"
    scope = mini.scope(edition)
    [found] = resolve(mini, [thing], edition).things
    bound = bind(question(name).text, {"concept": found.iris})
    direct = ask(mini, name, [thing], edition=edition, reach=reach_of("citation,note"))
    link = direct.columns.index("link")
    alone: dict[object, object] = {}
    for row in mini.select(bound, scope.default_graphs, scope.named_graphs):
        assert (row[link - 1], row[link + 4]) == (1, None)
        alone.setdefault(row[0], row[link])  # the strongest link comes first
    assert alone == {row[0]: row[link] for row in direct.rows}
    assert alone


def test_the_newest_edition_in_which_everything_stands_answers(mini: Session) -> None:
    assert ask(mini, "citing", ["310"]).edition == "cr-2031-07-01"
    # the release of rulings is newer than the rules that it was made under, and is seen with them
    assert ask(mini, "terms_relying_on", ["Waning Checks"]).edition == "rulings-2031-03-10, cr-2031-02-01"
    assert ask(mini, "terms_relying_on", ["Dusk Checks"]).edition == "cr-2031-07-01"


def test_an_edition_that_lacks_the_thing_is_named_in_the_refusal(mini: Session) -> None:
    way_out = (
        r"no term or number of cr-2031-07-01 is called '300\.2b'\n  It is in cr-2031-02-01, "
        r"rulings-2031-03-10\.\n"
        r"  `rulesgraph trace 300\.2b --from cr-2031-02-01 --to cr-2031-07-01` follows it\."
    )
    with pytest.raises(UnknownNameError, match=way_out):
        ask(mini, "citing", ["300.2b"], edition="cr-2031-07-01")
    with pytest.raises(UnknownNameError, match=r"(?s)of rulings-2031-03-10.*It is in cr-2031-07-01\.$"):
        ask(mini, "citing", ["320.3a"], edition="rulings-2031-03-10")


@pytest.mark.parametrize("name", ["cr-1998-01-01", "<script>", "\0", "\ufffd", "C:\\", "{x}", "a b"])
def test_an_edition_that_no_edition_can_be_called_is_unknown_as_any_other(mini: Session, name: str) -> None:
    with pytest.raises(UnknownNameError, match="no loaded edition is called"):
        ask(mini, "definition", ["Moth"], edition=name)


def test_all_editions_can_be_united_but_not_for_reliance(mini: Session) -> None:
    united = ask(mini, "documents", edition="all")
    assert len(united.rows) == 3
    assert "asked together" in united.notes[0]
    with pytest.raises(UsageError, match="all editions at once"):
        ask(mini, "terms_relying_on", ["Moth"], edition="all")


def test_several_editions_can_be_asked_together(mini: Session) -> None:
    both = ask(mini, "documents", edition="cr-2031-02-01,cr-2031-07-01")
    assert [row[0] for row in both.rows] == ["cr-2031-02-01", "cr-2031-07-01"]


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("terms_relying_on", [], "takes concept"),
        ("interaction", ["Moth"], "takes concept.*other"),
        ("statistics", ["Moth"], "takes no arguments"),
        ("paragraphs_changed_since", ["soon"], "not a date"),
        ("paragraphs_changed_since", ["2031-13"], "not a date"),
        ("rulings_by", ["Nobody"], "no authority"),
        ("terms_relyin_on", ["Moth"], "Did you mean terms_relying_on"),
        ("definition", ["Lanter"], "Did you mean Lantern"),
        ("definition", ["evening"], "Did you mean Lose the Evening"),
        ("citing", ["310.99"], r"Did you mean 310.*310 ends at 310\.2\."),
        ("citing", ["999.9"], r"called '999\.9'\n  The last number is 320\.4a\."),
        ("citing", ["205.1"], r"\n  205 would come between 202 and 310\."),
        ("definition", ["  "], "the name is empty"),
        ("statistics", [], "edition is called 'cr-2031'.*Did you mean cr-2031"),
    ],
)
def test_wrong_use_is_answered_with_the_way_out(
    name: str, args: list[str], message: str, mini: Session
) -> None:
    edition = "cr-2031" if "edition" in message else None
    with pytest.raises(UsageError, match=f"(?s){message}"):
        ask(mini, name, args, edition=edition)


def test_a_kind_is_asked_about_by_any_name_that_a_text_has_for_it(mini: Session) -> None:
    found = ask(mini, "terms_of_kind", ["Keyword Abilities"])
    assert [row[:2] for row in found.rows] == [
        (name, "keyword ability") for name in ("Drift", "Flutter", "Glimmer")
    ]


def test_who_is_named_in_older_documents_alone_is_found_there(mini: Session) -> None:
    """The newest rules give no name, and no edition was asked for."""
    here = ask(mini, "rulings_by", ["Ada"], edition="rulings-2031-03-10")
    found = ask(mini, "rulings_by", ["Ada"])
    assert found.edition == "rulings-2031-03-10, cr-2031-02-01"
    assert found.rows == here.rows


def test_reach_is_for_questions_of_reliance_alone(mini: Session) -> None:
    with pytest.raises(UsageError, match="does not follow chains"):
        ask(mini, "citing", ["310"], reach=reach_of(None, 2))


def test_an_old_name_of_a_question_still_asks_it(mini: Session) -> None:
    both = ["Flutter", "Lantern"]
    assert ask(mini, "shared_grounds", both) == ask(mini, "interaction", both)


def test_each_argument_is_one_but_a_name_may_be_typed_in_pieces(
    mini: Session, run: Run, mini_store: Path
) -> None:
    with pytest.raises(UsageError, match=r"definition takes concept \(.*\); 3 given"):
        ask(mini, "definition", ["Lose", "the", "Evening"])
    found = [
        run("ask", "definition", *it, "--store", mini_store)
        for it in (["Lose", "the", "Evening"], ["Lose the Evening"])
    ]
    assert found[0] == found[1]
    assert found[0][0] == 0


def test_other_names_are_those_of_terms_that_stand_in_the_edition(mini: Session) -> None:
    moths = (
        ("Keyword Abilities", "Keyword Ability"),
        ("Lantern", "Lanterns"),
        ("Lantern", "Light"),
        ("Moth", "Moths"),
    )
    assert ask(mini, "other_names", edition="cr-2031-02-01").rows == moths
    assert ask(mini, "other_names", edition="rulings-2031-03-10").rows == ()


def test_an_answer_without_rows_is_an_answer(mini: Session) -> None:
    none = ask(mini, "rulings")
    assert none.rows == ()
    assert none.notes == ("Nothing in cr-2031-07-01; use --edition to ask about another edition.",)


@pytest.mark.parametrize("name", sorted(ABOUT_FLAWS - {"mutual_reliance", "cited_only"}))
def test_the_mini_game_has_no_defects(name: str, mini: Session) -> None:
    assert ask(mini, name, edition="rulings-2031-03-10,cr-2031-02-01").rows == ()


def test_what_relies_on_a_term_by_citation_is_among_what_cites_it(mini: Session) -> None:
    edition = "rulings-2031-03-10,cr-2031-02-01"
    reach = reach_of("citation,note")
    counted = ask(mini, "most_relied_on", edition=edition, reach=reach).rows
    found = 0
    for term in (str(row[0]) for row in counted):
        citing = {cell[2:] for cell in ask(mini, "citing", [term], edition=edition).rows}
        for name in ("terms_relying_on", "rules_relying_on"):
            for said in ask(mini, name, [term], edition=edition, reach=reach).rows:
                assert said[3:6] in citing
                found += 1
    assert found == sum(int(str(row[1])) + int(str(row[2])) for row in counted) > 0


def test_a_term_cites_and_mentions_what_its_rule_does(mini: Session) -> None:
    entry, rule = (
        ask(mini, "cited_by", [thing], edition="cr-2031-07-01").rows for thing in ("Flutter", "320.4")
    )
    assert rule
    assert set(entry) >= set(rule)
    named, within = (
        {row[0] for row in ask(mini, "terms_mentioned_in", [thing], edition="cr-2031-07-01").rows}
        for thing in ("Flutter", "320.4")
    )
    assert named >= within - {"Flutter"}
    assert "Flutter" in within - named


def test_a_kind_is_told_by_the_sentences_that_have_the_thing_on_their_list() -> None:
    told = "".join(
        f"e:f{n} a rg:Fact ; rg:factSubject e:list ; rg:factObject e:{thing} ; rg:pattern 'there are'@en ; "
        f"rg:quote '{thing} is one.'@en ; prov:wasDerivedFrom e:p{n} . e:p{n} rg:firstLine {n} . "
        for n, thing in ((1, "dusk"), (2, "dawn"))
    )
    session = session_of(
        "t:dusk a rg:Term ; skos:prefLabel 'Dusk'@en ; rg:represents e:dusk . e:entry rg:defines t:dusk . "
        "e:list rg:hasItem e:dusk , e:dawn ; rg:listOf e:Hour . e:Hour rdfs:label 'hour'@en . " + told
    )
    assert [row[1:4] for row in ask(session, "kinds_of", ["Dusk"]).rows] == [
        ("hour", "there are", "dusk is one.")
    ]


def test_a_query_of_ours_is_run_once(mini_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer is kept, but not a long one, and nobody can change what the next one gets."""
    session = session_on(mini_store)
    graphs = session.scope().default_graphs
    ran = []
    run = FolderStore.run

    def counted(store: FolderStore, query: PreparedQuery, *given: Any) -> Any:
        ran.append(query.text)
        return run(store, query, *given)

    monkeypatch.setattr(FolderStore, "run", counted)
    text = "SELECT ?number {{ ?rule <http://www.w3.org/2004/02/skos/core#notation> ?number }} LIMIT {}"
    first = session.select(text.format(3), graphs)
    first.clear()
    assert len(session.select(text.format(3), graphs)) == 3
    assert len(ran) == 1
    assert session.select(text.format(3), (session.iris.graph("catalog"),)) == []
    assert len(ran) == 2
    monkeypatch.setattr("rulesgraph.queries.session.session.MOST_ROWS_KEPT", 2)
    for times in (3, 4):
        assert len(session.select(text.format(5), graphs)) == 5
        assert len(ran) == times
