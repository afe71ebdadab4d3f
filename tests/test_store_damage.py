"""A store on disk that lost a file, or a part of one, is called damaged, and nobody writes to it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from folders import NEW, OLD, everything, generations, lines, rewritten
from rulesgraph.loaders.store import Solutions, open_store
from rulesgraph.loaders.store.protocol import FORMAT
from rulesgraph.ontology.errors import StoreError, StoreMissingError

NAMES = "SELECT ?g { GRAPH ?g { <x:s> <x:p> 0 } }"


@pytest.fixture
def folder(small_store: Path, tmp_path: Path) -> Path:
    """A store that holds the graph `OLD`."""
    return Path(shutil.copytree(small_store, tmp_path / "store"))


def remove(pattern: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        found = list(folder.glob(pattern))
        assert found
        for path in found:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    return damage


def overwrite(pattern: str, data: bytes = b"") -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        found = list(folder.glob(pattern))
        assert found
        for path in found:
            path.write_bytes(
                data or b"garbage!" * (path.stat().st_size // 8) + b"!" * (path.stat().st_size % 8)
            )

    return damage


def point_to(**changes: Any) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        pointer = folder / "rulesgraph.json"
        pointer.write_text(json.dumps(json.loads(pointer.read_text()) | changes))

    return damage


DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "pointer missing": (remove("rulesgraph.json"), "damaged: rulesgraph.json is missing"),
    "pointer garbled": (overwrite("rulesgraph.json"), "damaged: rulesgraph.json cannot be read"),
    "pointer cut off": (overwrite("rulesgraph.json", b'{"format": 1, "ba'), "damaged"),
    "pointer of another kind": (overwrite("rulesgraph.json", b"[1]"), "damaged"),
    "pointer to nowhere": (point_to(generation=7), "damaged: generation 7 is missing"),
    "a newer format": (
        point_to(format=FORMAT + 1),
        f"has format {FORMAT + 1}, and this rulesgraph knows {FORMAT}",
    ),
    "an older format": (point_to(format=1), f"has format 1, and this rulesgraph knows {FORMAT}"),
    "generations missing": (remove("generations"), "damaged: generation 1 is missing"),
    "generation empty": (remove("generations/1/*"), "damaged: generation 1 is missing"),
    "manifest garbled": (overwrite("generations/1/MANIFEST-*"), "damaged"),
    "manifest missing": (remove("generations/1/MANIFEST-*"), "damaged"),
    "current garbled": (overwrite("generations/1/CURRENT"), "damaged"),
    "data garbled": (overwrite("generations/1/*.sst"), "damaged|failed"),
    "data missing": (remove("generations/1/*.sst"), "damaged|failed"),
}


@pytest.mark.parametrize(("damage", "says"), DAMAGES.values(), ids=DAMAGES)
def test_damage_is_told(folder: Path, damage: Callable[[Path], None], says: str) -> None:
    damage(folder)
    before = everything(folder)

    def read() -> None:
        store = open_store(folder)
        found = store.query(NAMES)
        assert isinstance(found, Solutions)
        list(found)
        list(store.graph_lines(OLD))
        store.size()

    with pytest.raises(StoreError, match=says) as caught:
        read()
    assert caught.value.way_out
    assert not isinstance(caught.value, StoreMissingError)
    assert everything(folder) == before


@pytest.mark.parametrize("kind", [kind for kind in DAMAGES if "data" not in kind])
def test_a_damaged_store_is_not_written_to(folder: Path, kind: str) -> None:
    damage, says = DAMAGES[kind]
    damage(folder)
    before = everything(folder)
    with pytest.raises(StoreError, match=says):
        rewritten(folder)
    after = everything(folder)
    assert {name: after[name] for name in before} == before


# -- a file that lost its end -----------------------------------------------------------------------

ALL = "SELECT ?g ?s ?p ?o { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g ?s ?p ?o"
LOSSES: dict[str, Callable[[int], int | None]] = {
    "cut at its end": lambda size: max(0, size - min(73, size // 2 + 1)),
    "cut to nothing": lambda _size: 0,
    "deleted": lambda _size: None,
}


def kind_of(path: Path) -> str:
    """Return what kind of file of RocksDB this is: `sst`, `log`, `MANIFEST`, `LOG` …"""
    return path.suffix[1:] if path.name[0].isdigit() else path.name.partition("-")[0]


def rows_of(folder: Path) -> list[str]:
    found = open_store(folder).query(ALL)
    assert isinstance(found, Solutions)
    return [str(row) for row in found]


@pytest.fixture
def changed(folder: Path) -> Path:
    """A store that was changed after it was made, so that it has files of every kind."""
    store = open_store(folder, write=True)
    with store.rewrite() as rewrite:
        rewrite.drop([OLD])
        rewrite.load([lines(NEW)])
    return folder


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_a_file_that_lost_its_end_never_makes_a_store_emptier(
    changed: Path, tmp_path: Path, loss: Callable[[int], int | None]
) -> None:
    """Each kind of file loses bytes in a copy: the answers are the same, or the store is called damaged."""
    [generation] = generations(changed)
    expected = rows_of(changed)
    told = set()
    for path in sorted((changed / "generations" / generation).iterdir()):
        copy = Path(shutil.copytree(changed, tmp_path / "copy" / path.name))
        victim = copy / "generations" / generation / path.name
        left = loss(path.stat().st_size)
        if left is None:
            victim.unlink()
        else:
            os.truncate(victim, left)
        before = everything(copy)
        try:
            found = rows_of(copy)
        except StoreError as error:
            message = str(error)
        else:
            assert found == expected, path.name
            message = ""
        if message:
            told.add(kind_of(path))
            assert "the store is damaged: " in message
            assert path.name in message
            with pytest.raises(StoreError, match="damaged"):
                rewritten(copy)
            after = everything(copy)
            assert {name: after[name] for name in before} == before
        shutil.rmtree(copy)
    assert {"sst", "MANIFEST", "CURRENT"} <= told <= {"sst", "MANIFEST", "CURRENT", "log"}


def test_a_reader_that_opens_the_files_late_sees_that_they_are_torn(folder: Path) -> None:
    """The store was found whole; the files are opened with the first query, as a worker does it."""
    store = open_store(folder)
    [manifest] = (folder / "generations" / "1").glob("MANIFEST-*")
    os.truncate(manifest, manifest.stat().st_size - 73)
    for timeout in (None, 60.0):
        with pytest.raises(StoreError, match=f"damaged: {manifest.name} of generation 1 has"):
            store.query(ALL, timeout=timeout)


def test_a_store_without_sizes_opens_as_before(folder: Path) -> None:
    """An earlier release wrote it; the next change notes them."""
    pointer = folder / "rulesgraph.json"
    older = {name: value for name, value in json.loads(pointer.read_text()).items() if name != "files"}
    pointer.write_text(json.dumps(older))
    assert open_store(folder).size() == 500
    rewritten(folder)
    [generation] = generations(folder)
    for name, size in json.loads(pointer.read_text())["files"].items():
        assert (folder / "generations" / generation / name).stat().st_size == size


def test_a_store_that_another_program_opened_for_writing_is_whole(folder: Path) -> None:
    """The engine then writes a manifest of its own, and removes what it does not need any more."""
    before = {path.name for path in (folder / "generations" / "1").iterdir()}
    engine = pyoxigraph.Store(str(folder / "generations" / "1"))
    engine.optimize()
    del engine
    assert before - {path.name for path in (folder / "generations" / "1").iterdir()}
    assert open_store(folder).size() == 500
    assert rewritten(folder).graphs() == [NEW, OLD]
