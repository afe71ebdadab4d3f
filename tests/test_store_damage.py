"""A store on disk that lost a file, or part of one, is reported as damaged, and no command writes to it."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import closing, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
import rulesgraph
from folders import NEW, OLD, everything, generations, lines, rewritten
from rulesgraph.loaders.store import open_store
from rulesgraph.loaders.store.folder import FolderStore
from rulesgraph.loaders.store.layout import Layout
from rulesgraph.loaders.store.protocol import FORMAT
from rulesgraph.loaders.store.results import Solutions
from rulesgraph.ontology.errors import StoreError, StoreMissingError
from sweep import PartOf

NAMES = "SELECT ?g { GRAPH ?g { <x:s> <x:p> 0 } }"


@pytest.fixture
def folder(small_store: Path, tmp_path: Path) -> Path:
    """A store with the graph `OLD`."""
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
    """Write another pointer that has the right seal."""

    def damage(folder: Path) -> None:
        layout = Layout(str(folder))
        layout.point(layout.pointer()._replace(**changes))

    return damage


def flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def replace(pattern: str, old: bytes, new: bytes) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        for path in folder.glob(pattern):
            assert old in path.read_bytes()
            path.write_bytes(path.read_bytes().replace(old, new))

    return damage


DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "pointer missing": (remove("rulesgraph.json"), "damaged: rulesgraph.json is missing"),
    "pointer garbled": (overwrite("rulesgraph.json"), "damaged: rulesgraph.json cannot be read"),
    "pointer cut off": (overwrite("rulesgraph.json", b'{"format": 1, "ba'), "damaged"),
    "pointer of another kind": (overwrite("rulesgraph.json", b"[1]"), "damaged"),
    "pointer to nowhere": (point_to(generation=7), "damaged: generation 7 is missing"),
    "a newer format": (
        point_to(format=FORMAT + 1),
        f"has format {FORMAT + 1}; this version of rulesgraph reads {FORMAT}",
    ),
    "an older format": (point_to(format=1), f"has format 1; this version of rulesgraph reads {FORMAT}"),
    "pointer with another base": (
        replace("rulesgraph.json", b"rulesgraph/", b"rulesgrapi/"),
        "damaged: .* cannot be read",
    ),
    "pointer with another seal": (
        replace("rulesgraph.json", b'"seal"', b'"seam"'),
        "damaged: .* cannot be read",
    ),
    "generations missing": (remove("generations"), "damaged: generation 1 is missing"),
    "generation empty": (remove("generations/1/*"), "damaged: .* of generation 1 is missing"),
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


# -- any file, any damage ---------------------------------------------------------------------------


def flipped(data: bytearray, chance: random.Random) -> bytearray:
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data


CHANGES: dict[str, Callable[[bytearray, random.Random], bytes | bytearray]] = {
    "a bit": flipped,
    "cut": lambda data, chance: data[: chance.randrange(len(data))],
    "emptied": lambda _data, _chance: b"",
    "longer": lambda data, chance: data + chance.randbytes(chance.randrange(1, 99)),
    "another": lambda data, chance: chance.randbytes(len(data)),
    "half": lambda data, _chance: data[: len(data) // 2] + bytes(len(data) - len(data) // 2),
}


def answers(folder: Path) -> tuple[bytes, object, object]:
    rules = rulesgraph.open(folder)
    quads = BytesIO()
    rules.export("nquads", quads)
    return quads.getvalue(), rules.search("mana").rows, rules.ask("most_relied_on").rows


def corrupt(store: Path, copy: Path, rounds: Collection[int]) -> Counter[str]:
    """Damage a file of a copy in each round; return what came of it: the same answers, or an error."""
    expected = answers(store)
    files = sorted(path.relative_to(store) for path in store.rglob("*") if path.is_file())
    ends: Counter[str] = Counter()
    for seed in rounds:
        chance = random.Random(seed)
        name = chance.choice(files)
        data = (store / name).read_bytes()
        change = chance.choice(list(CHANGES)) if data else "longer"
        shutil.copytree(store, copy)
        (copy / name).write_bytes(CHANGES[change](bytearray(data), chance))
        try:
            found, told = answers(copy), ""
        except StoreError as error:
            found, told = expected, error.what
        assert found == expected, f"{change}, {name}, seed {seed}"
        assert told.startswith("the store is damaged: ") or not told, f"{change}, {name}, seed {seed}"
        ends["damaged" if told else "same"] += 1
        shutil.rmtree(copy)
    return ends


def test_no_damage_is_silent(starter_store: Path, tmp_path: Path) -> None:
    assert corrupt(starter_store, tmp_path / "copy", range(25)).keys() == {"same", "damaged"}


@pytest.mark.long(small="test_no_damage_is_silent")
def test_no_damage_of_many_is_silent(starter_store: Path, tmp_path: Path, part_of: PartOf) -> None:
    rounds = part_of(range(25, 225), 50)
    ends = corrupt(starter_store, tmp_path / "copy", rounds)
    assert ends.total() == len(rounds)
    assert ends.keys() == {"same", "damaged"}


def test_an_index_without_half_of_its_rows_is_made_anew(starter_copy: Path) -> None:
    expected = answers(starter_copy)
    [index] = (starter_copy / "index").iterdir()
    with closing(sqlite3.connect(index)) as found, found:
        found.execute("DELETE FROM passage WHERE id % 2")
    assert answers(starter_copy) == expected


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
    """The store was found intact; the files are opened with the first query, as in a worker."""
    store = open_store(folder)
    [manifest] = (folder / "generations" / "1").glob("MANIFEST-*")
    os.truncate(manifest, manifest.stat().st_size - 73)
    for timeout in (None, 60.0):
        with pytest.raises(StoreError, match=f"damaged: {manifest.name} of generation 1 has"):
            store.query(ALL, timeout=timeout)


@pytest.mark.parametrize(("format", "says"), [(FORMAT, "damaged"), (FORMAT - 1, f"format {FORMAT - 1}")])
def test_a_store_without_seals_is_damaged_or_of_an_earlier_release(
    folder: Path, format: int, says: str
) -> None:
    pointer = folder / "rulesgraph.json"
    written = json.loads(pointer.read_text()) | {"format": format}
    pointer.write_text(json.dumps({name: written[name] for name in ("format", "base", "generation")}))
    with pytest.raises(StoreError, match=says):
        open_store(folder)


def test_a_copied_store_is_read_whole_once(folder: Path, tmp_path: Path) -> None:
    """A copy has other times, which then replace the seal's. Hidden changes are for `check --store`."""
    copy = Path(shutil.copytree(folder, tmp_path / "copy", copy_function=shutil.copyfile))
    [table, *_] = (copy / "generations" / "1").glob("*.sst")
    assert open_store(copy).size() == 500
    it = table.stat()
    assert it.st_mtime_ns == (folder / table.relative_to(copy)).stat().st_mtime_ns
    flip(table, 100)
    os.utime(table, ns=(it.st_atime_ns, it.st_mtime_ns))
    changed = FolderStore(str(copy))
    assert changed.base
    with pytest.raises(StoreError, match=f"{table.name} of generation 1 does not match its checksum"):
        changed.verify_files()


def test_a_change_does_not_seal_what_went_wrong_before(folder: Path) -> None:
    """A bit flips and the time of the file does not change: the seal stays that of what was written."""
    [table, *_] = sorted((folder / "generations" / "1").glob("*.sst"))
    it = table.stat()
    flip(table, it.st_size // 2)
    os.utime(table, ns=(it.st_atime_ns, it.st_mtime_ns))
    with suppress(StoreError):  # the engine may notice, or not
        rewritten(folder)
    with pytest.raises(StoreError, match="does not match its checksum"):
        FolderStore(str(folder)).verify_files()


def test_a_store_that_another_program_opened_for_writing_is_whole(folder: Path) -> None:
    """The engine then writes its own manifest, and removes what it no longer needs."""
    before = {path.name for path in (folder / "generations" / "1").iterdir()}
    engine = pyoxigraph.Store(str(folder / "generations" / "1"))
    engine.optimize()
    del engine
    assert before - {path.name for path in (folder / "generations" / "1").iterdir()}
    assert open_store(folder).size() == 500
    assert rewritten(folder).graphs() == [NEW, OLD]
