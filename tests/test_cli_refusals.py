"""What the command line does with bad input: it says what, where and what to do, and changes nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import rulesgraph
from commands import PAGE, Run, contents
from folders import as_nobody, everything
from sweep import first

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")


BAD = {
    "empty.txt": (b"", "the file is empty"),
    "blank.txt": (b"\n \r\n\t\n", "the file is empty"),
    "image.png": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)), "not a"),
    "noise.txt": (bytes(range(256)) * 8, "not a text"),
    "rules.pdf": (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n", "PDF"),
    "rules.html": (
        b"<!DOCTYPE html>\n<html><body><p>420.5. A rule.</p></body></html>\n",
        "not a rules document",
    ),
    "diary.txt": (b"Monday. It rained.\nTuesday. It rained again.\nNobody came.\n", "not a rules document"),
}


@pytest.mark.parametrize(
    "name", first(3, BAD, pytest.mark.long(small="test_a_bad_file_is_refused_and_the_store_stays"))
)
def test_a_bad_file_is_refused_and_the_store_stays(
    run: Run, starter_copy: Path, tmp_path: Path, name: str
) -> None:
    data, said = BAD[name]
    (tmp_path / name).write_bytes(data)
    before = everything(starter_copy)
    code, out, err = run("build", name, "--store", starter_copy)
    assert (code, out) == (3, "")
    assert err.startswith(f"refused: {name}")
    assert said in err
    assert len(err.splitlines()) <= 5
    assert "Traceback" not in err
    assert everything(starter_copy) == before
    code, out, _ = run("build", name, "--json", "--store", starter_copy)
    assert code == 3
    [refusal] = json.loads(out)["refused"]
    assert refusal["source"] == name
    assert said in refusal["reason"]


@pytest.mark.parametrize("name", ["2013-02-01-cut-off.txt", "2016-08-26-utf16-reencoded.txt"])
def test_damaged_rules_are_refused(run: Run, starter_copy: Path, shared: Path, name: str) -> None:
    before = everything(starter_copy)
    code, out, err = run("build", shared / "corpora" / "damaged" / name, "--store", starter_copy)
    assert (code, out) == (3, "")
    assert name in err
    assert "copy" in err  # the way out
    assert everything(starter_copy) == before


def test_a_missing_path(run: Run, starter_copy: Path) -> None:
    before = everything(starter_copy)
    code, out, err = run("build", "no/such/file.txt", "--store", starter_copy)
    assert (code, out) == (3, "")
    assert "no/such/file.txt: no such file" in err
    assert everything(starter_copy) == before


@pytest.fixture
def unreadable(tmp_path: Path) -> Path:
    """An unreadable file: root may read any regular file, but not the memory of a process."""
    secret = tmp_path / "secret.txt"
    if os.geteuid() != 0:
        secret.write_bytes(PAGE.read_bytes())
        secret.chmod(0)
    elif Path("/proc/self/mem").exists():
        secret.symlink_to("/proc/self/mem")
    else:
        pytest.skip("root may read every file here")
    return secret


def test_a_file_that_cannot_be_read(run: Run, starter_copy: Path, unreadable: Path) -> None:
    before = everything(starter_copy)
    code, out, err = run("build", unreadable.name, "--store", starter_copy)
    assert (code, out) == (3, "")
    assert err.startswith("refused: secret.txt: the file cannot be read: ")
    assert everything(starter_copy) == before


TRIED = """
import sys
from rulesgraph.app.web.site.folder import site_folder
from rulesgraph.loaders.build import find_files
from rulesgraph.loaders.reading.source import read_source
from rulesgraph.ontology.errors import RulesgraphError
kind, place = sys.argv[1:]
try:
    if kind == "site":
        with site_folder(place):
            pass
    else:
        read_source(*find_files([place]))
except RulesgraphError as error:
    print(error.exit_code, error)
"""


def test_places_of_others_are_refused() -> None:
    needs = "rulesgraph.app.web.site.folder, rulesgraph.loaders.build"
    with TemporaryDirectory() as name:
        hidden = Path(name)
        (hidden / "page.txt").write_bytes(PAGE.read_bytes())
        for mode in (0o000, 0o555):
            hidden.chmod(mode)
            for place in (name, f"{name}/site"):
                said = as_nobody(TRIED, "site", place, needs=needs)
                assert said == f"2 {place}: it cannot be written\n  Choose another folder.\n"
        hidden.chmod(0)
        said = as_nobody(TRIED, "source", f"{name}/page.txt", needs=needs)
        assert said.startswith(f"3 {name}/page.txt: the file cannot be read: Permission denied\n")
        assert said.endswith("  Make it readable (chmod a+rX).\n")
        with TemporaryDirectory() as outer:
            inside = Path(outer, "inside")
            inside.mkdir(mode=0)
            Path(outer).chmod(0o755)
            said = as_nobody(TRIED, "source", outer, needs=needs)
            assert said.startswith(f"3 {inside}: the folder cannot be read: Permission denied\n")
        hidden.chmod(0o700)


def test_of_a_mixed_folder_the_good_documents_load(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "page.txt").write_bytes(PAGE.read_bytes())
    for name, (data, _) in BAD.items():
        (folder / name).write_bytes(data)
    code, out, err = run("build", "mixed", "--store", "store")
    assert code == 3
    assert "starter-g16" in out
    assert all(f"refused: mixed/{name}" in err for name in BAD)
    assert err.count("refused:") == len(BAD)
    assert run("show", "Protection", "--store", "store")[0] == 0
    code, out, err = run("build", "mixed", "--strict", "--store", "strict")
    assert (code, out) == (3, "")
    assert "Nothing was loaded" in err
    assert not (tmp_path / "strict").exists()


def test_a_folder_without_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    code, out, err = run("build", "bare", "--store", "s")
    assert (code, out) == (2, "")
    assert "bare: the folder contains no files" in err


@pytest.mark.parametrize("command", [["build"], ["editions"], ["ask", "redirects"], ["drop", "starter"]])
def test_a_folder_or_file_that_is_no_store(run: Run, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "cat.jpg").write_bytes(b"meow")
    (tmp_path / "file").write_bytes(b"not a store")
    for place in ("photos", "file"):
        code, out, err = run(*command, "--store", place)
        assert (code, out) == (4, "")
        assert err.startswith(f"rulesgraph: {place}: ")
        assert "--store" in err
    assert (tmp_path / "photos" / "cat.jpg").read_bytes() == b"meow"
    assert [path.name for path in (tmp_path / "photos").iterdir()] == ["cat.jpg"]
    assert (tmp_path / "file").read_bytes() == b"not a store"


@pytest.mark.parametrize(
    "command", [["editions"], ["ask", "redirects"], ["show", "x"], ["check"], ["export", "--as", "csv"]]
)
def test_no_store_yet(run: Run, tmp_path: Path, command: list[str]) -> None:
    code, out, err = run(*command)
    assert (code, out) == (4, "")
    assert "rulesgraph-store: there is no store here yet" in err
    assert "`rulesgraph build`" in err
    assert not (tmp_path / "rulesgraph-store").exists()


@pytest.mark.parametrize(
    "command",
    [
        *(["trace", "420.5"], ["blame", "420.5"], ["questions"], ["authority"], ["cite", "."]),
        *(["verify", "page.txt"], ["diff", "a", "b"]),
    ],
    ids=" ".join,
)
def test_no_rules_yet(run: Run, starter_store: Path, command: list[str]) -> None:
    """One exit code, and advice that names the store."""
    Path("page.txt").write_text("See rule 999.9.\n")
    code, out, err = run(*command, "--store", starter_store)
    assert (code, out) == (1, "")
    assert "comprehensive rules" in err
    assert f"`rulesgraph build --store {starter_store}`" in err


def test_a_refused_build_makes_no_store(run: Run) -> None:
    Path("diary.txt").write_bytes(BAD["diary.txt"][0])
    assert run("build", "diary.txt", "--store", "new")[2].endswith(
        "Nothing was loaded; new was not created.\n"
    )


HOLDER = """
import sys
from rulesgraph.loaders.store import open_store
with open_store(sys.argv[1], write=True).rewrite() as rewrite:
    print("locked", flush=True)
    sys.stdin.read()
    raise SystemExit
"""


@pytest.fixture
def locked(starter_copy: Path) -> Iterator[Path]:
    """A store to which another process is writing."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, starter_copy], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"locked\n"
        yield starter_copy
        assert holder.stdin
        holder.stdin.close()


def test_a_store_that_another_process_writes_to(run: Run, locked: Path) -> None:
    before = contents(run, locked)  # reading goes on
    for command in (["build", PAGE], ["drop", "starter"]):
        code, out, err = run(*command, "--store", locked)
        assert (code, out) == (4, "")
        assert str(locked) in err
        assert "process" in err
    assert contents(run, locked) == before


def test_an_endpoint_that_is_down(run: Run) -> None:
    code, out, err = run("editions", "--store", "http://127.0.0.1:9/sparql")
    assert (code, out) == (4, "")
    assert "http://127.0.0.1:9/sparql" in err


@pytest.mark.parametrize("command", ["check", "sparql", "ask", "build"])
def test_a_store_that_lost_the_end_of_a_file(run: Run, starter_copy: Path, command: str) -> None:
    """RocksDB opens it as an empty store: `check` found nothing wrong, and a build sealed the loss."""
    [manifest] = starter_copy.glob("generations/*/MANIFEST-*")
    os.truncate(manifest, manifest.stat().st_size - 73)
    before = {path: path.read_bytes() for path in starter_copy.rglob("*") if path.is_file()}
    words = {"sparql": ["ASK { ?s ?p ?o }"], "ask": ["redirects"]}.get(command, [])
    code, out, err = run(command, *words, "--store", starter_copy)
    assert (code, out) == (4, "")
    assert f"the store is damaged: {manifest.name} of generation {manifest.parent.name} has" in err
    assert f"load its documents again with `rulesgraph build --store {starter_copy}`" in err
    with pytest.raises(rulesgraph.RulesgraphError, match="damaged"):
        rulesgraph.open(starter_copy)
    assert {path: path.read_bytes() for path in before} == before


def test_a_damaged_store(run: Run, starter_copy: Path) -> None:
    for path in starter_copy.rglob("*"):
        if path.is_file() and path.suffix in {".sst", ".log"} | (
            {""} if path.name.startswith("MANIFEST") else set()
        ):
            path.write_bytes(b"garbage")
    code, out, err = run("ask", "redirects", "--store", starter_copy)
    assert (code, out) == (4, "")
    assert str(starter_copy) in err
    assert "Traceback" not in err
