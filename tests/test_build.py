"""Building a store: the same quads in any order, completely or not at all."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from rulesgraph.loaders.build import build, drop, find_files, starter_sources
from rulesgraph.loaders.building.assemble import Assembly
from rulesgraph.loaders.graph.quads import RDF_TYPE, C, P
from rulesgraph.loaders.store import MEMORY, Store, open_store
from rulesgraph.ontology.errors import StoreMissingError, UnknownNameError, UsageError
from rulesgraph.ontology.iris import BASE, Iris
from rulesgraph.queries.session import Session
from sweep import first

MINI = Path(__file__).parent / "mini"
FIRST = MINI / "lanterns-2031-02-01.txt"
SECOND = MINI / "lanterns-2031-07-01.txt"
RULINGS = MINI / "rulings-2031-03-10.txt"
GOLDEN = Path(__file__).parent / "golden"


def quads(store: Path | Store) -> list[str]:
    """Return every quad of a store as a sorted line."""
    store = open_store(store) if isinstance(store, Path) else store
    return sorted(f"{line} <{graph}> ." for graph in store.graphs() for line in lines(store, graph))


def lines(store: Path | Store, graph: str) -> list[str]:
    store = open_store(store) if isinstance(store, Path) else store
    return [line.removesuffix(" .") for line in store.graph_lines(graph)]


def as_reviewed(name: str, found: list[str], update_golden: bool) -> None:
    path = GOLDEN / name
    if update_golden:
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(found) + "\n", encoding="utf-8")
    assert found == path.read_text(encoding="utf-8").splitlines()


def test_what_the_mini_game_says_is_as_reviewed(mini_store: Path, update_golden: bool) -> None:
    """All graphs but the vocabulary and the merged one, as sorted N-Quads."""
    left_out = tuple(f"<{Iris().graph(name)}> ." for name in ("current", "ontology", "catalog"))
    found = [quad for quad in quads(mini_store) if not quad.endswith(left_out)]
    as_reviewed("mini.nq", found, update_golden)


def test_what_follows_from_it_is_as_reviewed(mini_store: Path, update_golden: bool) -> None:
    """The complete graphs of the editions of which the store keeps less."""
    iris = Iris()
    graphs = [
        g for name in ("cr-2031-02-01", "cr-2031-07-01") for g in (iris.document(name), iris.derived(name))
    ]
    whole = Session(open_store(mini_store)).holding(graphs)
    found = sorted(f"{line} <{graph}> ." for graph in graphs for line in lines(whole, graph))
    as_reviewed("mini-whole.nq", found, update_golden)


@pytest.mark.parametrize(
    "order",
    first(
        1,
        ([SECOND, FIRST, RULINGS], [RULINGS, SECOND, FIRST], [FIRST, RULINGS, SECOND]),
        pytest.mark.long(small="test_nothing_hangs_on_the_order_or_on_loading_at_once"),
    ),
)
def test_nothing_hangs_on_the_order_or_on_loading_at_once(
    mini_store: Path, tmp_path: Path, order: list[Path]
) -> None:
    for source in order:
        build([source], str(tmp_path))
    assert quads(tmp_path) == quads(mini_store)


def test_an_older_edition_that_comes_and_goes_leaves_what_plain_queries_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edition(year: int) -> Path:
        source = tmp_path / f"{year}.txt"
        source.write_text(SECOND.read_text(encoding="utf-8").replace("2031", str(year)), encoding="utf-8")
        return source

    store, again = open_store(MEMORY), open_store(MEMORY)
    years = (2041, 2042, 2043, 2044)
    build([edition(year) for year in years], again)
    build([edition(year) for year in years if year != 2042], store)
    before = quads(store)
    merged = []
    monkeypatch.setattr(Assembly, "_merge", lambda _, graphs, into: merged.append(into))
    build([edition(2042)], store)
    assert quads(store) == quads(again)
    drop("cr-2042-07-01", store)
    assert quads(store) == before
    assert merged == []


def test_loading_again_changes_nothing(mini_store: Path, tmp_path: Path) -> None:
    location = shutil.copytree(mini_store, tmp_path / "store")
    account = build([FIRST, RULINGS], str(location))
    assert quads(location) == quads(mini_store)
    assert account.quads == len(quads(location))


def test_an_edition_that_goes_leaves_no_trace(mini_store: Path, tmp_path: Path) -> None:
    both, one = shutil.copytree(mini_store, tmp_path / "both"), open_store(MEMORY)
    build([SECOND, RULINGS], one)
    drop("cr-2031-02-01", str(both))
    assert quads(both) == quads(one)
    with pytest.raises(UnknownNameError, match="cr-2031-07-01"):
        drop("cr-2031-07-02", str(both))


def test_another_encoding_gives_the_same_graph_but_for_the_checksum(mini_store: Path, tmp_path: Path) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    text = FIRST.read_text(encoding="utf-8")
    (copies / "a.txt").write_bytes(text.replace("\n", "\r\n").encode("utf-16"))
    (copies / "b.txt").write_bytes(SECOND.read_text(encoding="utf-8").replace("\n", "\r").encode("utf-8-sig"))
    (copies / "c.txt").write_bytes(RULINGS.read_bytes())
    store = open_store(MEMORY)
    build([copies], store)
    ours, theirs = set(quads(store)), set(quads(mini_store))
    assert {line.split()[1] for line in ours ^ theirs} == {f"<{BASE}ns#checksum>"}


def test_what_plain_queries_see_is_a_set_of_the_newest(mini_store: Path) -> None:
    iris = Iris()
    current = lines(mini_store, iris.graph("current"))
    assert not [line for line, count in Counter(current).items() if count > 1]
    parts = [
        iris.document("cr-2031-07-01"),
        iris.derived("cr-2031-07-01"),
        iris.history("cr-2031-07-01"),
        iris.graph("terms"),
        iris.graph("ontology"),
    ]
    whole = Session(open_store(mini_store)).holding(parts[:1])
    tenures = [line.split() for line in lines(mini_store, iris.graph("timeline"))]
    lives = {f"{it} {RDF_TYPE} {C['Provision']}" for it, name, *_ in tenures if name == P["hasTenure"]}
    assert set(current) == lives | {line for graph in parts for line in lines(whole, graph)}


def test_a_triple_stands_in_one_graph_of_an_edition(mini_store: Path) -> None:
    store = open_store(mini_store)
    graphs = [graph for graph in store.graphs() if "/document/" in graph or "/edition/" in graph]
    editions: dict[str, list[str]] = {}
    for graph in graphs:
        name = Iris().local(graph).split("/")[1]
        editions.setdefault("rulings" if name.startswith("rulings") else name, []).append(graph)
    for own in editions.values():
        counted = Counter(line for graph in own for line in lines(mini_store, graph))
        assert not [line for line, count in counted.items() if count > 1]


def test_a_release_is_joined_to_the_rules_of_its_day(mini_store: Path) -> None:
    store = open_store(mini_store)
    found = store.query(
        "SELECT ?r ?c WHERE { GRAPH ?g { ?r <https://w3id.org/rulesgraph/ns#rulesInForce> ?c } }"
    )
    assert not isinstance(found, bool)
    assert [tuple(Iris().local(str(getattr(t, "value", ""))) for t in row) for row in found] == [
        ("edition/rulings-2031-03-10", "edition/cr-2031-02-01")
    ]


def test_another_base_moves_the_data_and_not_the_vocabulary(tmp_path: Path) -> None:
    location = tmp_path / "store"
    build([FIRST], str(location), base="https://rules.example/")
    store = open_store(location)
    assert store.base == "https://rules.example/"
    assert all(graph.startswith("https://rules.example/") for graph in store.graphs())
    assert any("<https://w3id.org/rulesgraph/ns#text>" in quad for quad in quads(location))
    build([SECOND], str(location))
    assert all(graph.startswith("https://rules.example/") for graph in store.graphs())
    with pytest.raises(UsageError, match=r"https://rules\.example/"):
        build([SECOND], str(location), base="https://other.example/")


def test_bad_documents_are_named_and_the_good_ones_load(tmp_path: Path) -> None:
    bad = tmp_path / "notes.txt"
    bad.write_text("Milk, bread, and a small lamp.\n", encoding="utf-8")
    report = build([bad, FIRST], str(tmp_path / "store"))
    assert [d.document for d in report.documents] == ["cr-2031-02-01"]
    assert [r.source for r in report.refused] == [str(bad)]
    assert str(bad) in report.refused[0].reason


def test_one_document_with_other_words_is_a_conflict_that_names_both(tmp_path: Path) -> None:
    release = "This search based on the March 3, 2007 release of the Rulings.\nG31.1 - Dusk\n"
    texts = {"a": "- G31.1a - It dims.", "b": "- G31.1a - It glows.", "c": "  * G31.1a - It\n    dims."}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(release + text, encoding="utf-8")
    report = build([tmp_path / f"{name}.txt" for name in texts], tmp_path / "store")
    assert [Path(it.source).name for it in report.documents] == ["a.txt", "c.txt"]
    [refused] = report.refused
    assert Path(refused.source).name == "b.txt"
    assert str(tmp_path / "a.txt") in refused.reason
    assert "different words" in refused.reason


def test_other_words_in_the_place_of_loaded_ones_are_told(tmp_path: Path) -> None:
    release = "This search based on the March 3, 2007 release of the Rulings.\nG31.1 - Dusk\n"
    texts = {"a": "- G31.1a - It dims.", "b": "  * G31.1a - It\n    dims.", "c": "- G31.1a - It glows."}
    files = [tmp_path / f"{name}.txt" for name in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text(release + text, encoding="utf-8")
    told = [build([file], tmp_path / "store").replaced for file in (*files, files[2])]
    assert [len(it) for it in told] == [0, 0, 1, 0]
    [replaced] = told[2]
    assert replaced.source == str(files[2])
    assert replaced.former == sha256(files[1].read_bytes()).hexdigest()


@pytest.mark.parametrize("strict", [False, True])
def test_nothing_loadable_leaves_no_store(tmp_path: Path, strict: bool) -> None:
    bad = tmp_path / "notes.txt"
    bad.write_text("Milk, bread, and a small lamp.\n", encoding="utf-8")
    sources = [bad, FIRST] if strict else [bad]
    report = build(sources, str(tmp_path / "store"), strict=strict)
    assert report.refused
    assert not report.documents
    with pytest.raises(StoreMissingError):
        open_store(tmp_path / "store")


def test_linked_folders_are_read_once(tmp_path: Path) -> None:
    for folder in ("rules", "elsewhere"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").touch()
    (tmp_path / "rules" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / "round").symlink_to(tmp_path / "rules")
    (tmp_path / "rules" / "again").symlink_to(tmp_path / "rules" / "linked")
    rules = tmp_path / "rules"
    assert find_files([rules]) == [rules / "a.txt", rules / "linked" / "a.txt"]


def test_folders_open_into_files_without_hidden_ones(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("b.txt", "deep/a.txt", ".hidden"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert find_files([tmp_path]) == [tmp_path / "b.txt", tmp_path / "deep" / "a.txt"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="no files"):
        find_files([tmp_path / "empty"])


def test_no_sources_are_not_the_starter_rules(tmp_path: Path) -> None:
    nothing: tuple[list[str], tuple[()]] = ([], ())
    for sources in nothing:
        with pytest.raises(UsageError, match="no sources are given"):
            build(sources, str(tmp_path / "store"))
    assert not (tmp_path / "store").exists()


def test_the_starter_rules_are_clean(tmp_path: Path) -> None:
    report = build(store=str(tmp_path / "store"))
    assert len(report.documents) == len(starter_sources())
    assert sum(d.entries for d in report.documents) >= 70
    assert [d.problems for d in report.documents] == [()] * len(report.documents)


@pytest.mark.long(small="test_a_build_that_is_killed_leaves_the_store_as_it_was")
def test_a_build_that_is_killed_at_any_time_leaves_the_store_as_it_was(
    mini_store: Path, tmp_path: Path
) -> None:
    location = tmp_path / "store"
    build([FIRST], str(location))
    before = quads(location)
    program = (
        "import sys; from rulesgraph.loaders.build import build; print('go', flush=True); "
        "build(sys.argv[2:], sys.argv[1])"
    )
    for wait in (0.05, 0.2, 0.4):
        work = subprocess.Popen(
            [sys.executable, "-c", program, str(location), *map(str, (SECOND, RULINGS))],
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert work.stdout
        work.stdout.readline()
        time.sleep(wait)
        ended = work.poll()
        if ended is None:
            os.killpg(work.pid, signal.SIGKILL)
        work.wait()
        work.stdout.close()
        if ended == 0:
            break
        assert quads(location) in (before, quads(mini_store))
    build([SECOND, RULINGS], str(location))
    assert quads(location) == quads(mini_store)


LET_LOOSE = """
import gc
from rulesgraph.loaders.workers import without_collector
with without_collector():
    made = [[place] for place in range(100_000)]
    gc.callbacks.append(lambda phase, _info: print(phase))
made.append([])
print(gc.isenabled(), gc.get_freeze_count())
"""


@pytest.mark.skipif(
    sys.version_info[:2] == (3, 12),
    reason="3.12 counts objects of its own as frozen: there all are looked through",
)
def test_what_a_build_leaves_is_not_looked_through_when_the_collector_is_let_loose() -> None:
    """In a separate process, because objects frozen in this one would stay frozen."""
    done = subprocess.run([sys.executable, "-c", LET_LOOSE], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[:1] == ["True 0"]
