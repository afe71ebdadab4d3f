"""The lives of rules in a store: equal in any order, visible to plain queries, reported by permanent id."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
import rulesgraph
from commands import MINI, Run, contents
from pyoxigraph import Literal, Triple
from rulesgraph import Rules
from rulesgraph.app.web.linked.data import exists, statements
from rulesgraph.app.web.pages.layout import PageContext
from rulesgraph.app.web.pages.rule import provision_page
from rulesgraph.loaders.history.authority import bundled
from rulesgraph.loaders.history.items import ChangeKind
from rulesgraph.loaders.history.lives import bundled_lives
from rulesgraph.loaders.history.tenures import Calendar, Tenure
from rulesgraph.loaders.history.timeline import tenures_over
from rulesgraph.loaders.store.results import Solutions, Triples
from rulesgraph.ontology.errors import UnknownNameError
from rulesgraph.ontology.iris import Iris
from rulesgraph.ontology.terms import PREFIXES, RG, last_name, usual_prefixes
from rulesgraph.queries.session import Answer, Session, with_history
from rulesgraph.queries.session.views import reaches_timeline
from rulesgraph.queries.sheets.show import show
from rulesgraph.viz.vocabulary.reference import example_queries
from sweep import PartOf

IRIS = Iris()
ONE, TWO, THREE, FOUR = (f"cr-200{place}-01-01" for place in range(1, 5))
DAYS = {name: name.removeprefix("cr-") for name in (ONE, TWO, THREE, FOUR)}

LEGENDS = "P00362"
"""Of two legendary permanents with one name, one goes: a rule that has existed since 1999."""

PATTERNS = {
    "?s ?p ?o": False,
    "?s?p?o": False,
    "?s a ?o": False,
    "?s # about.\n ?p ?o": False,
    "?s skos:notation ?o ; ?p ?other": False,
    "?s !rg:text ?o": False,
    "?s !(rg:text|a) ?o": False,
    "?s rg:cites* ?o": False,
    "?s rg:cites ? ?o": False,
    "?s prov:wasDerivedFrom ?o": False,
    "?s rg:changeKind ?o": False,
    "?s ^rg:hasTenure ?o": False,
    "?s a <http://data.europa.eu/eli/ontology#LegalExpression>": False,
    "?s <https://w3id.org/rulesgraph/ns#has\\u0054enure> ?o": False,
    "?s rdf:type [] FILTER(?s != rg:Rule)": False,
    'BIND("""a "quoted" # word""" AS ?word) ?s rg:hasTenure ?o': False,
    "?s a rg:Provision": True,
    "?s a rg:Rule ; skos:notation ?n OPTIONAL { ?s rg:cites ?o } FILTER(!BOUND(?o) && ?n != '1')": True,
    "?s rg:mentions ?o FILTER(?s != ?o) { ?s rg:provision ?w } UNION { ?s rg:text ?w }": True,
    "{ SELECT ?s ?o ?p { ?s rg:cites+ ?o . ?o dcterms:isPartOf ?p } ORDER BY ?s ?o }": True,
}
"""Patterns of queries, and whether nothing in the timeline can match them."""

HELD_IN = {
    "cr-2008-02-01": 1217,
    "cr-2009-05-01": 1274,
    "cr-2009-07-11": 1576,
    "cr-2025-04-04": 3192,
    "cr-2026-01-16": 3260,
}
"""The number of rules of each real edition whose tenure has words."""


def rows(session: Session, query: str, edition: str | None = None) -> list[tuple[object, ...]]:
    found = session.sparql(query, edition)
    assert isinstance(found, Answer)
    return list(found.rows)


# -- links and the file together ------------------------------------------------------------------------


def nothing(edition: str, number: str) -> str:
    raise AssertionError(f"{number} of {edition} was read")


def test_links_tell_the_tenures_of_what_the_file_does_not_know() -> None:
    calendar = Calendar((), {ONE: DAYS[ONE], TWO: DAYS[TWO], THREE: DAYS[THREE]})
    runs = [
        Tenure("100.1", ONE, ONE),
        Tenure("100.2", TWO, TWO, "", ChangeKind.RENUMBERED),
        Tenure("100.2", THREE, THREE, "", ChangeKind.REFERENCES),
    ]
    assert tenures_over(runs, (), calendar, nothing) == [
        # It may have existed before the oldest edition.
        Tenure("100.1", ONE, ONE, TWO, is_dated=False),
        # That the numbers of cited rules change makes no other wording.
        Tenure("100.2", TWO, THREE, "", ChangeKind.RENUMBERED),
    ]


def test_the_file_decides_on_what_it_covers_and_links_go_on_from_there() -> None:
    told = [
        Tenure("100.1", ONE, ONE, TWO),
        Tenure("200.1", TWO, THREE, "", ChangeKind.RENUMBERED, words="aa"),
    ]
    calendar = Calendar((ONE, TWO, THREE), {ONE: DAYS[ONE], THREE: DAYS[THREE], FOUR: DAYS[FOUR]})
    runs = [
        Tenure("100.1", ONE, ONE),
        # A link over a gap says when it was seen, not when it was.
        Tenure("200.1", THREE, THREE, "", ChangeKind.MOVED_AND_REWORDED),
        Tenure("200.1", FOUR, FOUR, "", ChangeKind.REWORDED),
    ]
    assert tenures_over(runs, told, calendar, nothing) == [
        told[0],
        told[1]._replace(until=FOUR),
        Tenure("200.1", FOUR, FOUR, "", ChangeKind.REWORDED),
    ]
    still = [*runs[:1], runs[1]._replace(last=FOUR)]
    assert tenures_over(still, told, calendar, nothing) == [told[0], told[1]._replace(last=FOUR)]


@pytest.mark.parametrize(("words", "goes_on"), [("aa", True), ("bb", False)])
def test_behind_a_gap_the_words_decide(words: str, goes_on: bool) -> None:
    told = [Tenure("100.1", ONE, TWO, "", words="aa")]
    calendar = Calendar((ONE, TWO), {ONE: DAYS[ONE], THREE: DAYS[THREE]})
    runs = [Tenure("100.1", ONE, ONE), Tenure("100.1", THREE, THREE, "", ChangeKind.REWORDED)]
    found = tenures_over(runs, told, calendar, lambda edition, number: words)
    later = Tenure("100.1", THREE, THREE, "", ChangeKind.REWORDED, is_dated=False)
    assert found == ([told[0]._replace(last=THREE)] if goes_on else [told[0]._replace(until=THREE), later])


# -- in a store -----------------------------------------------------------------------------------------


def test_the_timeline_is_the_same_in_any_order_and_goes_with_the_second_edition(
    run: Run, mini_store: Path, tmp_path: Path
) -> None:
    files = sorted(MINI.glob("*.txt"))
    for file in files[::-1]:
        assert run("build", file, "--store", tmp_path)[0] == 0
    assert contents(run, tmp_path) == contents(run, mini_store)
    assert run("drop", "cr-2031-02-01", "--store", tmp_path)[0] == 0
    assert "/tenure/" in contents(run, mini_store)
    assert "/tenure/" not in contents(run, tmp_path)


def test_plain_queries_see_tenures_and_others_the_newest_edition_alone(mini: Session) -> None:
    asked = "?rule skos:notation '320.4' ; rg:provision/rg:hasTenure ?t . ?t rg:hadNumber ?number"
    numbers = [("301.3",), ("320.4",)]
    assert rows(mini, f"SELECT ?number WHERE {{ {asked} }} ORDER BY ?number") == numbers
    assert rows(mini, f"SELECT ?number WHERE {{ {asked} }} ORDER BY ?number", "cr-2031-07-01") == numbers
    [(count,)] = rows(mini, "SELECT (COUNT(*) AS ?n) WHERE { ?rule skos:notation '301.3' }")
    assert count == 0


@pytest.mark.parametrize("session", ["mini", "real"])
def test_every_query_sees_the_newest_edition_and_the_timeline(
    session: str, request: pytest.FixtureRequest, part_of: PartOf
) -> None:
    """The timeline is left out only if that makes no difference, and repeats nothing."""
    seen: Session = request.getfixturevalue(session)
    graphs = seen.iris.graph("current"), seen.iris.graph("timeline")
    current, timeline = ({*seen.store.graph_lines(graph)} for graph in graphs)
    assert current.isdisjoint(timeline)
    sizes = []
    every, *others = PATTERNS.items()
    for pattern, is_left_out in (every, *part_of(others, 8)):
        query = f"SELECT (COUNT(*) AS ?n) WHERE {{ {pattern} }}"
        assert reaches_timeline(query) != is_left_out, pattern
        found = seen.store.query(query, default_graphs=graphs, prefixes=usual_prefixes(seen.iris.base))
        assert isinstance(found, Solutions)
        assert rows(seen, query) == found.plain(), pattern
        sizes += rows(seen, query)
    assert sizes[0] == (len(current) + len(timeline),)
    provisions = rows(seen, "SELECT ?it WHERE { ?it a rg:Provision }")
    lives = rows(seen, "SELECT DISTINCT ?it WHERE { ?it rg:hasTenure ?tenure }")
    assert len(provisions) == len(set(provisions))
    assert {*lives} <= {*provisions}
    about = seen.sparql(f"DESCRIBE <{lives[0][0]}>")
    assert isinstance(about, Triples)
    assert RG.hasTenure in {it.predicate.value for it in about}


def test_the_queries_of_the_vocabulary_page_answer(real_rules: Rules, starter_store: Path) -> None:
    session, queries = real_rules.session, list(example_queries().values())
    found = [rows(session, query) for query in queries]
    life, most, came, abilities, chain, steps, types, facts, rulings, *found, renamed, old, kinds = found
    citing, former, *counted = found
    assert ("State-Based Actions",) in chain
    assert (steps[0], len(steps)) == ((1, "beginning of combat step"), 5)
    assert {("Elf",), ("Time Lord",)} <= {row[:1] for row in types}
    assert {str(row[1]).rpartition("#")[2] for row in facts} >= {"KeywordAbility", "StaticAbility"}
    assert (rulings, len(former)) == ([], 1)
    assert ("State-Based Effects", "State-Based Actions") in {row[:2] for row in renamed}
    assert {("701.8b", "704.5g"), ("704.7", "704.5a"), ("Legend Rule", "704.5j")} <= {*citing}
    counts, entries = counted
    assert counts[0] == (date(2008, 2, 1), 1217, session.iris.edition("cr-2008-02-01"))
    assert [row[:2] for row in counts[-2:]] == [(date(2025, 4, 4), 3192), (date(2026, 1, 16), 3260)]
    assert ("205.4c", "420.5e") in old
    assert kinds == [("triggered", date(2008, 2, 1)), ("static", date(2009, 7, 11))]
    assert ("Alternate Name", date(2025, 4, 4)) in entries
    assert "Trample" not in {name for name, _ in entries}
    assert len(rows(rulesgraph.open(starter_store).session, queries[8])) == 2
    told = bundled_lives().tenures(LEGENDS)
    assert life == [(it.number, date.fromisoformat(it.first.removeprefix("cr-"))) for it in told]
    numbers = {it: {own.number for own in bundled_lives().tenures(it)} for it in bundled_lives().provisions}
    [(provision, count)] = most
    assert count == len(numbers[IRIS.parse(str(provision)).key]) == max(map(len, numbers.values()))
    assert ("704.5z", date(2025, 2, 7)) in came
    assert ("704.5j", date(2009, 7, 11)) not in came
    assert ("Annihilator", "702.86", date(2010, 4, 23)) in abilities
    assert len(abilities) > 50
    assert {row[2].year for row in abilities if isinstance(row[2], date)} <= set(range(2010, 2021))
    assert all(query.count("GRAPH") <= (place >= 8) for place, query in enumerate(queries))


def test_a_rule_of_a_loaded_edition_has_a_tenure_of_its_number_there(real_rules: Rules) -> None:
    session = real_rules.session
    had = {*rows(session, "SELECT ?it ?number WHERE { ?it rg:hasTenure/rg:hadNumber ?number }")}
    for edition in session.editions():
        query = "SELECT ?it ?number WHERE { ?rule rg:provision ?it ; skos:notation ?number }"
        found = rows(session, query, edition.id)
        assert found
        assert had.issuperset(found), edition.id


def test_every_tenure_says_what_it_began_with_and_leads_to_its_words(
    real_rules: Rules, part_of: PartOf
) -> None:
    session = real_rules.session
    tenures = "?provision rg:hasTenure ?tenure"
    missing = f"SELECT ?tenure {{ {tenures} FILTER NOT EXISTS {{ ?tenure rg:changeKind ?kind }} }}"
    assert rows(session, missing) == []
    begun = "?tenure rg:changeKind code:first-known ; rg:firstEdition ?first"
    oldest = f"SELECT DISTINCT ?first {{ {tenures} . {begun} }}"
    assert rows(session, oldest) == [(IRIS.edition(bundled_lives().editions[0]),)]
    # What only one copy says is no tenure.
    slips = {it.wording.number for it in bundled().rows if it.first == it.last}
    counted = {}
    for edition in part_of(with_history(session.editions()), 2):
        held = (
            "?rule rg:provision ?provision ; skos:notation ?number ; rg:wording ?wording ."
            " ?provision rg:hasTenure ?tenure ."
            " ?tenure rg:foldedAs ?words ; rg:firstEdition ?from ; rg:lastEdition ?to"
            f' FILTER(STR(?from) <= "{IRIS.edition(edition.id)}" && STR(?to) >= "{IRIS.edition(edition.id)}")'
        )
        [(count,)] = rows(session, f"SELECT (COUNT(*) AS ?n) {{ {held} }}", edition.id)
        counted[edition.id] = count
        lost = f"SELECT ?number {{ {held} FILTER NOT EXISTS {{ ?wording rg:foldedAs ?words }} }}"
        assert {str(number) for (number,) in rows(session, lost, edition.id)} <= slips, edition.id
    assert counted.items() <= HELD_IN.items()


def test_what_came_and_went_between_loaded_editions_is_dated_by_the_list(real_rules: Rules) -> None:
    """As the tenures are; what the list does not know is dated by the edition that was compared."""
    session = real_rules.session
    names = [IRIS.edition(it.id) for it in with_history(session.editions())]
    query = (
        "SELECT ?provision (MIN(STR(?from)) AS ?first) (MAX(STR(?to)) AS ?last) {"
        " ?provision rg:hasTenure ?tenure . ?tenure rg:firstEdition ?from ; rg:lastEdition ?to }"
        " GROUP BY ?provision"
    )
    lives = {it: (str(first), str(last)) for it, first, last in rows(session, query)}
    seen = set()
    for before, after in pairwise(names):
        old, new = (IRIS.history(IRIS.parse(it).edition) for it in (before, after))
        for name, known in (("addedIn", new), ("removedIn", old)):
            pattern = f"GRAPH <{new}> {{ ?rule rg:{name} ?edition }}"
            pattern += f" GRAPH <{known}> {{ ?rule rg:provision ?provision }}"
            for provision, edition in rows(session, f"SELECT ?provision ?edition {{ {pattern} }}"):
                first, last = lives[provision]
                told = IRIS.parse(str(edition)).edition
                assert before < str(edition) <= after
                if name == "addedIn" and first > before:
                    assert edition == first
                if name == "removedIn" and last < after:
                    assert IRIS.edition(bundled_lives().edition_before(told)) == last
                seen.add((name, edition in names))
    assert len(seen) == 4
    between = "rg:earlierEdition ?earlier ; rg:laterEdition ?later"
    renamed = f"GRAPH ?history {{ ?it rg:oldName <{IRIS.term('state-based-effects')}> ; {between} }}"
    assert rows(session, f"SELECT ?earlier ?later {{ {renamed} }}") == [
        (IRIS.edition("cr-2009-05-01"), IRIS.edition("cr-2009-07-11"))
    ]


# -- by the permanent id --------------------------------------------------------------------------------


def test_a_permanent_id_is_shown_as_the_rule_that_it_is(newest_rules: Rules) -> None:
    session = newest_rules.session
    sheet = show(session, LEGENDS)
    assert (sheet.kind, sheet.name) == ("rule", "704.5j")
    assert sheet.notes[0] == f"{LEGENDS} is one rule through all its numbers: 704.5j in {sheet.edition}."
    assert show(session, f"provision/{LEGENDS}") == show(session, IRIS.provision(LEGENDS)) == sheet
    with pytest.raises(UnknownNameError):
        show(session, "P99999")


def test_a_rule_that_no_loaded_edition_has_is_shown_from_the_file(newest_rules: Rules) -> None:
    lives = bundled_lives()
    gone = next(it for it in lives.provisions if lives.heirs(it) and lives.tenures(it)[-1].until)
    sheet = show(newest_rules.session, gone)
    assert (sheet.kind, sheet.name, sheet.number) == ("provision", gone, lives.tenures(gone)[-1].number)
    [history] = [table for table in sheet.tables if table.name == "history"]
    assert history.rows[0][0] == lives.before(gone, lives.tenures(gone)[-1].last)[0].edition
    [heirs] = [table for table in sheet.tables if table.name == "went into"]
    assert [row[0] for row in heirs.rows] == lives.heirs(gone)


def told_of(triples: list[Triple], subject: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for it in triples:
        if it.subject.value == subject:  # type: ignore[union-attr]
            found.setdefault(last_name(it.predicate.value), set()).add(it.object.value)  # type: ignore[union-attr]
    return found


def test_a_permanent_id_answers_in_rdf_with_its_life(newest_rules: Rules) -> None:
    """One text is loaded: numbers and days come from the bundled file, and are marked so."""
    context = PageContext(newest_rules)
    iri = IRIS.provision(LEGENDS)
    triples = statements(context, iri)
    about = told_of(triples, iri)
    assert about["hasTenure"] == {f"{iri}/tenure/{it.first}" for it in bundled_lives().tenures(LEGENDS)}
    assert about["source"] == {IRIS.dataset("provisions")}
    tenure = told_of(triples, f"{iri}/tenure/cr-2009-07-11")
    assert tenure == {
        "type": {"https://w3id.org/rulesgraph/ns#Tenure", f"{PREFIXES['eli']}LegalExpression"},
        "realizes": {iri},
        "hadNumber": {"704.5k"},
        "firstEdition": {IRIS.edition("cr-2009-07-11")},
        "lastEdition": {IRIS.edition("cr-2013-05-01")},
        "first_date_entry_in_force": {"2009-07-11"},
        "date_no_longer_in_force": {"2013-07-13"},
        "changeKind": {"https://w3id.org/rulesgraph/code#moved-and-reworded"},
        "foldedAs": {"qD4qW8Qa"},
    }
    newest = newest_rules.session.editions()[0].id
    assert told_of(triples, IRIS.rule(newest, "704.5j"))["provision"] == {iri}
    long = {str(it.subject) for it in triples if isinstance(it.object, Literal) and len(it.object.value) > 50}
    assert long == {f"<{IRIS.dataset('provisions')}>"}  # which is described


def test_what_took_over_from_a_rule_is_told_from_both_ends(newest_rules: Rules) -> None:
    context, lives = PageContext(newest_rules), bundled_lives()
    old = next(it for it in lives.provisions if lives.heirs(it) and lives.tenures(it)[-1].until)
    new = lives.heirs(old)[0]
    for end in (old, new):
        triples = statements(context, IRIS.provision(end))
        assert IRIS.provision(new) in told_of(triples, IRIS.provision(old))["isReplacedBy"]
    assert exists(context, IRIS.provision(old))
    assert not exists(context, IRIS.provision("P99999"))


def test_a_rule_that_gave_a_part_away_is_not_replaced(newest_rules: Rules) -> None:
    """While it exists, only the tenure of the rule with the part tells where that came from."""
    context, lives = PageContext(newest_rules), bundled_lives()
    old = next(it for it in lives.provisions if lives.heirs(it) and not lives.tenures(it)[-1].until)
    new = lives.heirs(old)[0]
    for end in (old, new):
        told = told_of(statements(context, IRIS.provision(end)), IRIS.provision(old))
        assert "isReplacedBy" not in told
    assert any(old in it.sources for it in lives.tenures(new))
    stored = {str(one) for one, _ in newest_rules.session.pairs(None, PREFIXES["dcterms"] + "isReplacedBy")}
    assert stored
    assert not [it for it in stored if lives.tenures(key := IRIS.parse(it).key) and not lives.span(key)[1]]


def test_a_term_answers_with_the_life_of_its_entry(mini_rules: Rules) -> None:
    context = PageContext(mini_rules)
    iri = IRIS.term("dusk-checks")
    triples = statements(context, iri)
    tenure = f"{iri}/tenure/cr-2031-07-01"
    assert told_of(triples, iri)["hasTenure"] == {tenure}
    assert told_of(triples, tenure)["wasDerivedFrom"] == {IRIS.term("waning-checks")}
    assert told_of(statements(context, tenure), tenure) == told_of(triples, tenure)
    assert told_of(statements(context, tenure), iri) == {"hasTenure": {tenure}}  # the way back
    assert exists(context, tenure)
    assert not exists(context, f"{iri}/tenure/cr-1999-01-01")
    [old] = told_of(statements(context, IRIS.term("waning-checks")), IRIS.term("waning-checks"))["hasTenure"]
    assert old.endswith("/tenure/cr-2031-02-01")


def test_a_permanent_id_has_a_page_where_no_loaded_edition_has_the_rule(newest_rules: Rules) -> None:
    context, lives = PageContext(newest_rules), bundled_lives()
    gone = next(it for it in lives.provisions if lives.heirs(it) and lives.tenures(it)[-1].until)
    page = provision_page(context, IRIS.provision(gone))
    assert page.status == 200
    assert lives.tenures(gone)[-1].number in page.html
    assert f"provision/{lives.heirs(gone)[0]}" in page.html or lives.heirs(gone)[0] in page.html
    with pytest.raises(UnknownNameError):
        provision_page(context, IRIS.provision("P99999"))
