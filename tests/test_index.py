"""The index of an edition: its sources, its place, and when it is made anew."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import rulesgraph
from commands import MINI
from pyoxigraph import RdfFormat
from rulesgraph.loaders.graph.quads import TripleSet, english, integer, text, write_quads
from rulesgraph.loaders.indexing import index
from rulesgraph.loaders.indexing.passages import TextUnit, read_passages
from rulesgraph.loaders.store import MEMORY, Store, open_store
from rulesgraph.loaders.store.protocol import stored_triples, written_statements
from rulesgraph.ontology.iris import Iris
from rulesgraph.queries.export.notations import lines_of
from rulesgraph.queries.session import Session

NEWEST = "cr-2031-07-01"
IN_EDITION = f"https://w3id.org/rulesgraph/edition/{NEWEST}/"


@pytest.fixture
def store(mini_store: Path, tmp_path: Path) -> Path:
    """A copy of the mini game's store, for a test that changes it."""
    asked = shutil.ignore_patterns("cr-2031-02-01-*", "views")  # made by tests on that edition
    return Path(shutil.copytree(mini_store, tmp_path / "store", ignore=asked))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The editions whose index was made, as it happens."""
    editions: list[str] = []
    reading = read_passages

    def counted(
        store: Store, iris: Iris, edition: str, documents: Sequence[str], written: Mapping[str, Path] | None
    ) -> list[TextUnit]:
        editions.append(edition)
        return reading(store, iris, edition, documents, written)

    monkeypatch.setattr(index, "read_passages", counted)
    return editions


def numbers(store: str | Path) -> list[object]:
    return [row["number"] for row in rulesgraph.open(store).search("trim")]


def names(store: Path) -> list[str]:
    return sorted(path.name for path in (store / "index").iterdir())


def test_passages_have_their_place_and_their_links(mini_store: Path) -> None:
    document = Iris().document(NEWEST)
    store = Session(open_store(mini_store)).holding([document])
    found = {it.iri.removeprefix(IN_EDITION): it for it in read_passages(store, Iris(), NEWEST, [document])}
    assert found["rule/101.1/example/1"] == TextUnit(
        iri=IN_EDITION + "rule/101.1/example/1",
        kind="example",
        number="101.1",
        heading="",
        headings=("Starting the Evening",),
        text="Ada is older than Bo. Ada lights three lanterns, Bo lights three lanterns, and Ada begins.",
        document=NEWEST,
        line=41,
        parent=IN_EDITION + "rule/101.1",
        mentions=("lantern",),
    )
    drift = found["entry/drift/1"]
    assert (drift.kind, drift.number, drift.headings, drift.cites) == ("entry", "", ("Drift",), ("320.3",))
    assert drift.defines == ("drift",)
    assert found["rule/320.3"].headings == ("Keyword Abilities",)
    assert found["rule/320.3"].defines == ("drift",)
    assert found["section/3"].text == "What Happens"
    assert [it.line for it in found.values()] == sorted(it.line for it in found.values())


def test_passages_of_written_files_are_those_of_the_store(mini_store: Path, tmp_path: Path) -> None:
    store, iris = open_store(mini_store), Iris()
    document, derived = iris.document(NEWEST), iris.derived(NEWEST)
    written = {}
    for name, graph in (("document", document), ("derived", derived)):
        written[graph] = tmp_path / name
        written[graph].write_text("".join(lines_of(store, [graph], RdfFormat.N_QUADS)), encoding="utf-8")
    from_files = read_passages(open_store(":memory:"), iris, NEWEST, [document], written)
    assert from_files == read_passages(store, iris, NEWEST, [document])
    one = {document: written[document]}
    assert read_passages(store, iris, NEWEST, [document], one) == from_files


def test_written_statements_have_their_words_as_they_were(tmp_path: Path) -> None:
    words = 'a "b" \\ c\\n\nd\te\rf\u2028g\x07\x08\x0c <https://example.org/p>'
    triples = TripleSet()
    triples.add("<https://example.org/s>", "<https://example.org/p>", text(words))
    triples.add("<https://example.org/s>", "<https://example.org/p>", english("lamp"))
    triples.add("<https://example.org/s>", "<https://example.org/p>", integer(7))
    triples.add("<https://example.org/s>", "<https://example.org/q>", "<https://example.org/o>")
    triples.add("<https://example.org/s>", "<https://example.org/r>", "<https://example.org/o>")
    write_quads(tmp_path / "quads", triples, "https://example.org/g")
    names = ("https://example.org/p", "https://example.org/q")
    store = open_store(MEMORY)
    with store.rewrite() as rewrite:
        rewrite.load(tmp_path / "quads")
    stored = stored_triples(store, "https://example.org/g")
    assert {(name, value) for _, name, value in stored if name in names} == {
        ("https://example.org/p", "7"),
        ("https://example.org/p", words),
        ("https://example.org/p", "lamp"),
        ("https://example.org/q", "https://example.org/o"),
    }
    found = written_statements(tmp_path / "quads", "https://example.org/g", names)
    assert sorted(found) == [
        ("https://example.org/s", "https://example.org/p", "7"),
        ("https://example.org/s", "https://example.org/p", words),
        ("https://example.org/s", "https://example.org/p", "lamp"),
        ("https://example.org/s", "https://example.org/q", "https://example.org/o"),
    ]


def test_a_build_leaves_an_index_for_each_edition_that_it_keeps_whole(store: Path, made: list[str]) -> None:
    assert [name.rsplit("-", 1)[0] for name in names(store)] == ["cr-2031-07-01", "rulings-2031-03-10"]
    assert numbers(store) == ["201.2", None]
    assert made == []


def test_a_missing_index_is_made_where_it_belongs(store: Path, made: list[str]) -> None:
    before = names(store)
    shutil.rmtree(store / "index")
    assert numbers(store) == numbers(store) == ["201.2", None]
    assert made == [NEWEST]
    assert names(store) == [name for name in before if name.startswith(NEWEST)]


@pytest.mark.parametrize("content", [b"", b"no index", b"SQLite format 3\x00" + b"\xff" * 9000])
def test_a_damaged_index_is_made_anew(store: Path, made: list[str], content: bytes) -> None:
    [path] = (store / "index").glob(f"{NEWEST}-*")
    path.write_bytes(content)
    assert numbers(store) == numbers(store) == ["201.2", None]
    assert made == [NEWEST]


@pytest.mark.parametrize("lost", [1, 73, 4000, 4096, 5000])
def test_an_index_that_lost_its_end_is_made_anew(store: Path, made: list[str], lost: int) -> None:
    [path] = (store / "index").glob(f"{NEWEST}-*")
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - lost)
    assert numbers(store) == numbers(store) == ["201.2", None]
    assert made == [NEWEST]


def test_an_index_that_is_damaged_within_is_made_anew(store: Path, made: list[str]) -> None:
    [path] = (store / "index").glob(f"{NEWEST}-*")
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 3000] = b"\x5a" * 3000
    path.write_bytes(data)
    assert numbers(store) == numbers(store) == ["201.2", None]
    assert made == [NEWEST]


def test_the_index_of_another_state_is_not_taken(store: Path, made: list[str]) -> None:
    [own] = (store / "index").glob(f"{NEWEST}-*")
    [other] = (store / "index").glob("rulings-*")
    shutil.copy(other, own)
    assert numbers(store) == ["201.2", None]
    assert made == [NEWEST]


def test_an_edition_that_is_loaded_anew_has_another_index(store: Path, tmp_path: Path) -> None:
    before = rulesgraph.open(store)
    assert before.search("xylophone").rows == ()
    changed = tmp_path / "lanterns.txt"
    text = (MINI / "lanterns-2031-07-01.txt").read_text(encoding="utf-8")
    changed.write_text(
        text.replace("turn it to the right", "turn it").replace("Ada begins", "Ada plays a xylophone")
    )
    rulesgraph.build(changed, store=store)
    assert [row["number"] for row in rulesgraph.open(store).search("xylophone")] == ["101.1"] * 2
    assert before.search("xylophone").rows == ()  # a reader sees one state until it looks again
    before.refresh()
    assert [row["number"] for row in before.search("xylophone")] == ["101.1"] * 2
    assert len(names(store)) == 2


def test_the_index_is_that_of_the_build_that_switched_last(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another build switches, and has made no index yet, when this one makes its own."""
    text = (MINI / "lanterns-2031-07-01.txt").read_text(encoding="utf-8")
    sources = [tmp_path / word / "lanterns.txt" for word in ("xylophone", "tambourine")]
    for source in sources:
        source.parent.mkdir()
        source.write_text(text.replace("Ada begins", f"Ada plays a {source.parent.name}"))
    remove_outdated, building = index.remove_outdated, import_module("rulesgraph.loaders.build")

    def overtaken(*about: Any) -> list[str]:
        lacking = remove_outdated(*about)
        with monkeypatch.context() as another:
            another.setattr(building, "_index_editions", lambda *_args: None)
            rulesgraph.build(sources[1], store=store)
        return lacking

    monkeypatch.setattr(building, "remove_outdated", overtaken)
    rulesgraph.build(sources[0], store=store)
    rules = rulesgraph.open(store)
    found = {word: [row["number"] for row in rules.search(word)] for word in ("xylophone", "tambourine")}
    assert found == {"xylophone": [], "tambourine": ["101.1"] * 2}


def test_the_index_of_a_dropped_edition_goes(store: Path) -> None:
    rulesgraph.open(store).drop("cr-2031-02-01")
    assert not [name for name in names(store) if name.startswith("cr-2031-02-01")]


def test_where_the_store_cannot_be_written_to_the_cache_has_it(
    store: Path, tmp_path: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.rmtree(store / "index")
    (store / "index").write_text("in the way, as a disk is that can only be read")
    assert numbers(store) == numbers(store) == ["201.2", None]
    assert made == [NEWEST]
    [cached] = (tmp_path / "cache" / "rulesgraph" / "index").iterdir()
    assert cached.name.startswith(NEWEST)


def test_where_nothing_can_be_written_the_index_lives_in_memory(
    store: Path, tmp_path: Path, made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.rmtree(store / "index")
    (store / "index").write_text("in the way")
    rules = rulesgraph.open(store)
    assert [row["number"] for row in rules.search("trim")] == ["201.2", None]
    assert [row["number"] for row in rules.search("trim")] == ["201.2", None]
    assert made == [NEWEST]


def test_a_store_in_memory_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: list[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rules = rulesgraph.build(MINI, store=":memory:").rules
    assert [row["number"] for row in rules.search("trim")] == ["201.2", None]
    assert made == [NEWEST]
    assert not (tmp_path / "cache").exists()


def test_a_python_without_full_text_search_says_so(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree(store / "index")

    def without(*_: object) -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr(index, "fill", without)
    with pytest.raises(rulesgraph.RulesgraphError, match="no search index can be made: no such module: fts5"):
        rulesgraph.open(store).search("trim")


def test_the_same_edition_gives_the_same_index(store_of: Callable[..., Path], mini_store: Path) -> None:
    alone = store_of(MINI / "lanterns-2031-07-01.txt")
    dumps = []
    for store in (alone, mini_store):
        rules = rulesgraph.open(store)
        lines = [line for line in rules.session.index(NEWEST).iterdump() if "sqlite_" not in line]
        dumps.append([line for line in lines if "'state'" not in line])
    assert dumps[0] == dumps[1]
