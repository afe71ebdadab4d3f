"""What a store keeps of editions, and what it makes from that on demand."""

from __future__ import annotations

import shutil
from collections import defaultdict
from multiprocessing import get_context
from multiprocessing.queues import SimpleQueue
from pathlib import Path

import pytest
import rulesgraph
from real import rules as rules_of
from rulesgraph.loaders.build import build, drop
from rulesgraph.loaders.building.prepare import defects_of
from rulesgraph.loaders.history.stored import stored_whole, whole
from rulesgraph.loaders.linking.derive import Deriver, mentions_in
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import read_source
from rulesgraph.loaders.store import MEMORY, Store, open_store
from rulesgraph.loaders.store.results import Triples
from rulesgraph.ontology.errors import UsageError
from rulesgraph.ontology.iris import Iris
from rulesgraph.ontology.terms import GAME, RG
from rulesgraph.queries.checking.defects import defects
from rulesgraph.queries.session import ALL, Answer, Session, views
from rulesgraph.queries.session.views import MOST_IN_VIEW
from sweep import PartOf

MINI = Path(__file__).parent / "mini"
OLD, NEW = "cr-2031-02-01", "cr-2031-07-01"
IRIS = Iris()


def check_whole(source: Path, store: Store) -> None:
    """Compare the graphs made from a stored edition with those from its text."""
    document = load_document(read_source(source))
    view = EditionView([document], IRIS)
    defects = defects_of(view)
    told = whole(document, mentions_in(view), IRIS)
    counted = Deriver(view, defects).described()
    made = stored_whole(store, IRIS, document.edition, document.document)
    told[IRIS.derived(document.edition)] |= counted
    assert {graph: {*made[graph]} for graph in told} == {graph: {*it} for graph, it in told.items()}


@pytest.mark.parametrize("name", ["lanterns-2031-02-01.txt", "lanterns-2031-07-01.txt"])
def test_a_stored_edition_gives_what_its_text_gives(mini_store: Path, name: str) -> None:
    check_whole(MINI / name, open_store(mini_store))


@pytest.mark.long(small="test_a_stored_edition_gives_what_its_text_gives")
def test_every_stored_edition_gives_what_its_text_gives(real: Session, shared: Path, part_of: PartOf) -> None:
    for edition in part_of(real.editions(), 2):
        check_whole(rules_of(shared, str(edition.issued)), real.store)


# -- wordings ---------------------------------------------------------------------------------------


def told(store: Path) -> tuple[dict[str, dict[str, set[str]]], dict[str, set[str]]]:
    """Return wording → its statements by property, and wording → its places."""
    held = open_store(store)
    said: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    places: dict[str, set[str]] = defaultdict(set)
    for line in held.graph_lines(IRIS.graph("wordings")):
        subject, name, value = line[:-2].split(" ", 2)
        said[subject][name.rpartition("#")[2][:-1]].add(value)
    for edition in (OLD, NEW):
        for line in held.graph_lines(IRIS.document(edition)):
            subject, name, value = line[:-2].split(" ", 2)
            if name.endswith("#wording>"):
                places[value].add(subject)
    return said, places


def test_a_wording_stands_once_and_somewhere(mini_store: Path) -> None:
    said, places = told(mini_store)
    worded = {it for it in said if "/ref/" not in it}
    assert worded == places.keys()
    texts = [text for it in worded for text in said[it]["text"]]
    assert len(texts) == len(set(texts)) == len(worded)
    assert any(len({it.split("/")[5] for it in own}) > 1 for own in places.values())


def test_a_wording_has_the_mentions_of_all_its_places(mini_store: Path, mini: Session) -> None:
    said, places = told(mini_store)
    mentions: dict[str, set[str]] = defaultdict(set)
    for edition in (OLD, NEW):
        query = (
            "SELECT ?unit ?term WHERE { ?unit rg:mentions ?term FILTER(CONTAINS(STR(?unit), '/edition/')) }"
        )
        answer = mini.sparql(query, edition)
        assert isinstance(answer, rulesgraph.Answer)
        for unit, term in answer.rows:
            mentions[f"<{unit}>"].add(f"<{term}>")
    for wording, own in places.items():
        assert said[wording]["mentions"] == set.intersection(*(mentions[it] for it in own))


def test_what_is_left_of_wordings_is_as_if_an_edition_had_never_come(
    tmp_path: Path, mini_store: Path
) -> None:
    both = tmp_path / "both"
    shutil.copytree(mini_store, both)
    drop("rulings-2031-03-10", both)
    drop(OLD, both)
    build([MINI / "lanterns-2031-07-01.txt"], tmp_path / "alone")
    stores = [open_store(both), open_store(tmp_path / "alone")]
    one, other = ({g: sorted(it.graph_lines(g)) for g in it.graphs()} for it in stores)
    assert one == other


def test_an_edition_that_comes_again_with_other_words_leaves_none_behind(tmp_path: Path) -> None:
    source = tmp_path / "lanterns.txt"
    text = (MINI / "lanterns-2031-07-01.txt").read_text(encoding="utf-8")
    store = tmp_path / "store"
    build([MINI / "lanterns-2031-02-01.txt", MINI / "lanterns-2031-07-01.txt"], store)
    source.write_text(text.replace("Ada begins", "Ada plays a xylophone"), encoding="utf-8")
    build([source], store)
    words = "\n".join(open_store(store).graph_lines(IRIS.graph("wordings")))
    assert "xylophone" in words
    build([MINI / "lanterns-2031-07-01.txt"], store)
    assert "xylophone" not in "\n".join(open_store(store).graph_lines(IRIS.graph("wordings")))


# -- views ------------------------------------------------------------------------------------------


def test_an_edition_is_seen_whole_wherever_the_store_is(mini_store: Path) -> None:
    memory = open_store(MEMORY)
    build([MINI], memory)
    query = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"
    numbers = [Session(store).sparql(query, OLD) for store in (memory, open_store(mini_store))]
    assert numbers[0] == numbers[1]


def test_words_of_an_edition_are_one_step_further(mini: Session) -> None:
    direct = (
        "SELECT ?number ?text WHERE { ?rule skos:notation ?number ; rg:text ?text } ORDER BY ?number ?text"
    )
    by_wording = direct.replace("rg:text", "rg:wording/rg:text")
    for edition in (None, OLD, NEW):
        one, other = mini.sparql(direct, edition), mini.sparql(by_wording, edition)
        assert isinstance(one, rulesgraph.Answer)
        assert isinstance(other, rulesgraph.Answer)
        assert one.rows == other.rows != ()
    old = mini.sparql(
        f"SELECT ?number ?text {{ GRAPH <{mini.iris.document(OLD)}> {{"
        " ?it skos:notation ?number ; rg:wording ?w } ?w rg:text ?text } ORDER BY ?number ?text"
    )
    within = mini.sparql(direct, OLD)
    assert isinstance(old, rulesgraph.Answer)
    assert isinstance(within, rulesgraph.Answer)
    assert old.rows == within.rows


def test_a_wording_is_described(mini: Session) -> None:
    [(wording,)] = mini.sparql("SELECT ?it { ?it a rg:Wording } LIMIT 1").rows  # type: ignore[union-attr]
    about = mini.sparql(f"DESCRIBE <{wording}>")
    assert isinstance(about, Triples)
    assert RG.text in {it.predicate.value for it in about}


def test_a_view_stays_until_the_store_changes(mini_store: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(mini_store, store, ignore=shutil.ignore_patterns("views"))
    query = "SELECT ?text WHERE { ?rule skos:notation '101.1' ; rg:text ?text }"
    first = Session(open_store(store)).sparql(query, OLD)
    [kept] = (store / "views").iterdir()
    made = kept.stat().st_ino
    assert Session(open_store(store)).sparql(query, OLD) == first
    assert [it.stat().st_ino for it in (store / "views").iterdir()] == [made]
    drop(NEW, store)
    assert Session(open_store(store)).sparql(query, OLD) == first


def _counted(store: Path, found: SimpleQueue[int]) -> None:
    found.put(len(rulesgraph.open(store).ask("statistics", edition=ALL)))


def test_a_forked_process_writes_no_view(mini_store: Path, tmp_path: Path) -> None:
    """Its engine would wait forever for threads that only the parent has."""
    copy = shutil.copytree(mini_store, tmp_path / "copy", ignore=shutil.ignore_patterns("views"))
    rules = rulesgraph.open(copy)
    rules.ask("statistics", edition=OLD)  # this view is written, so the engine has threads
    before = {*(copy / "views").iterdir()}
    fork = get_context("fork")
    found = fork.SimpleQueue()
    child = fork.Process(target=_counted, args=(copy, found))
    child.start()
    child.join(60)
    ended, written = child.exitcode, {*(copy / "views").iterdir()} - before
    child.kill()
    assert (ended, written) == (0, set())
    assert found.get() == len(rules.ask("statistics", edition=ALL))


def test_views_that_have_no_room_go_the_oldest_first(
    mini_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    shutil.copytree(mini_store, store, ignore=shutil.ignore_patterns("views"))
    query = "SELECT ?text WHERE { ?rule skos:notation '101.1' ; rg:text ?text }"

    def stays(edition: str) -> set[str]:
        assert Session(open_store(store)).sparql(query, edition)
        return {it.name for it in (store / "views").iterdir()}

    first = stays(OLD)
    both = stays(f"{OLD},{NEW}")
    assert len(first) == 1
    assert first < both
    monkeypatch.setattr(views, "_ROOM", 0)
    shutil.rmtree(store / "views")
    assert stays(OLD) == first
    assert stays(f"{OLD},{NEW}") == both - first


def test_many_editions_are_asked_one_by_one(real_rules: rulesgraph.Rules) -> None:
    loaded = real_rules.session.editions()
    assert len(loaded) > MOST_IN_VIEW
    found = real_rules.ask("citing", "104", edition=ALL)
    alone = [row for it in loaded for row in real_rules.ask("citing", "104", edition=it.id).rows]
    assert found.rows == tuple(dict.fromkeys(alone))
    assert any("one by one" in note for note in found.notes)


def test_a_check_of_many_editions_makes_no_views(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the store keeps of each is checked, since making the rest of all would take minutes."""
    text = (MINI / "lanterns-2031-07-01.txt").read_text(encoding="utf-8")
    store = open_store(MEMORY)
    for year in range(2041, 2042 + MOST_IN_VIEW):
        source = tmp_path / f"{year}.txt"
        source.write_text(text.replace("2031", str(year)), encoding="utf-8")
        build([source], store)
    session = Session(store)
    monkeypatch.setattr("rulesgraph.queries.session.views.open_view", lambda *_: pytest.fail("a view"))
    assert defects(session, ALL).rows == ()
    name = IRIS.term("moth")
    lost = f"<{name}> <{RG.usesTerm}> <{IRIS.term('no-moth')}> <{IRIS.derived('cr-2042-07-01')}> .\n"
    with store.rewrite(base=IRIS.base) as rewrite:
        rewrite.load([lost.encode()])
    assert [row[1] for row in defects(Session(store), ALL).rows] == ["link_to_nothing"]


@pytest.mark.parametrize("asked", [("most_renumbered",), ("cards_with", "Trample")])
def test_what_belongs_to_no_edition_is_not_asked_of_many(
    real_rules: rulesgraph.Rules, asked: tuple[str, ...]
) -> None:
    """Cards and the timeline are not seen when editions are asked one by one: an answer would be empty."""
    with pytest.raises(UsageError, match=f"{asked[0]} cannot be asked of"):
        real_rules.ask(*asked, edition=ALL)


def test_a_thing_in_more_editions_than_a_view_has_is_refused(
    real_rules: rulesgraph.Rules,
) -> None:
    """Of so many editions no text would be seen."""
    editions = [it.id for it in real_rules.session.editions()]
    assert len(editions) > 4
    for asked in (
        lambda which: real_rules.show("704.5f", edition=which),
        lambda which: real_rules.rule("704.5f", edition=which).text,
        lambda which: real_rules.term("Trample", edition=which).iri,
        lambda which: real_rules.neighbourhood("704.5f", edition=which),
    ):
        with pytest.raises(UsageError, match=f"of {len(editions)} editions at once\n.*at most 4 editions"):
            asked("all")
        assert asked(",".join(editions[:2]))
    assert real_rules.rule("704.5f", edition=",".join(editions[:2])).edition == editions[0]


def test_sparql_of_many_editions_sees_what_the_store_keeps_and_refuses_the_rest(
    real_rules: rulesgraph.Rules,
) -> None:
    """Facts of this many editions are not derived; finding none would silently be wrong."""
    session = real_rules.session
    count = len(session.editions())
    for pattern in (
        "?t rg:hasKind ?kind",
        "?t a game:Ability",
        f"?t a <{GAME.Ability}>",
        f"?t <{RG.reliesOn}> ?other",
    ):
        with pytest.raises(UsageError, match=f"of {count} editions at once"):
            session.sparql(f"SELECT ?t {{ {pattern} }}", ALL)
    found = session.sparql("SELECT DISTINCT ?rule { ?rule a rg:Rule ; skos:notation '100.1' }", ALL)
    assert isinstance(found, Answer)
    assert len(found.rows) == sum(it.has_history for it in session.editions())


def test_a_graph_of_older_editions_is_told_to_lack_what_is_derived(mini: Session) -> None:
    """Also if other patterns have rows; with the edition named the graph has it."""
    query = "SELECT ?t { ?t a rg:Term MINUS { GRAPH ?g { ?t rg:hasKind game:Ability } } }"
    plain, named = mini.sparql(query), mini.sparql(query, f"{OLD},{NEW}")
    assert isinstance(plain, Answer)
    assert isinstance(named, Answer)
    assert plain.rows
    assert [note.partition(" for ")[0] for note in plain.notes] == ["rg:hasKind, game:Ability are written"]
    assert named.notes == ()
