"""Behind every engine the questions have the same answers, and a load that is killed leaves nothing."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from asking import session_on, table
from commands import MINI, PROGRAM
from rulesgraph.loaders.build import build
from rulesgraph.loaders.store import open_store
from rulesgraph.loaders.store.client import Client
from rulesgraph.loaders.store.conversation import Conversation
from rulesgraph.loaders.store.upload import NEW
from rulesgraph.queries.answering.ask import ask
from servers import run_oxigraph, run_virtuoso

GOLDEN = Path(__file__).with_name("golden") / "answers"

ASKED: list[tuple[str, tuple[str, ...], str | None]] = [
    ("also_see", ("Flutter",), "rulings-2031-03-10"),
    ("cited_by", ("Lose the Evening",), "rulings-2031-03-10"),
    ("citing", ("310",), None),
    ("contents", (), None),
    ("defining_rules", ("Moth",), None),
    ("definition", ("moths",), None),
    ("interaction", ("Flutter", "Lantern"), None),
    ("mentions_of", ("Glimmer",), None),
    ("most_relied_on", (), None),
    ("new_terms", (), None),
    ("newest_paragraphs", (), "rulings-2031-03-10"),
    ("parts_of", ("300",), "cr-2031-02-01"),
    ("relied_on_by_term", ("Flutter",), None),
    ("rule_text", ("201.1",), None),
    ("rules_relying_on", ("Waning Checks",), None),
    ("rulings_by", ("Ada",), "rulings-2031-03-10"),
    ("terms_defined_by", ("3",), None),
    ("terms_mentioned_in", ("202",), None),
    ("terms_relying_on", ("Waning Checks",), None),
    ("unused_terms", (), None),
]
"""Questions of every sort, of whose answers over a folder there is a golden copy."""

pytestmark = pytest.mark.long(small="test_each_question_gives_its_table")


ENGINES: dict[str, Callable[[Path], Iterator[str]]] = {
    "oxigraph": run_oxigraph,
    "virtuoso": partial(run_virtuoso, most_rows=100_000),
}


@pytest.fixture(scope="module", params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The mini game behind an engine: built in two steps, so that graphs are added and changed."""
    folder = tmp_path_factory.mktemp(str(request.param))
    for address in ENGINES[request.param](folder):
        first, *others = sorted(MINI.iterdir())
        for sources in ([first], others):
            assert not build(sources, address).refused
        yield address


@pytest.mark.parametrize(("name", "arguments", "edition"), ASKED, ids=[name for name, *_ in ASKED])
def test_every_engine_gives_the_same_table(
    engine: str, name: str, arguments: tuple[str, ...], edition: str | None
) -> None:
    answer = ask(session_on(engine), name, arguments, edition=edition)
    assert table(answer) == (GOLDEN / f"{name}.tsv").read_text(encoding="utf-8")


def test_every_engine_holds_the_same_triples(engine: str, mini_store: Path) -> None:
    there, here = open_store(engine), open_store(mini_store)
    assert there.graphs() == here.graphs()
    for graph in here.graphs():
        lines = [[line for line in store.graph_lines(graph) if "_:" not in line] for store in (there, here)]
        assert sorted(lines[0]) == sorted(lines[1])


SENDING = """
import os, signal, sys
from rulesgraph.loaders.store.upload import Upload

add = Upload._add
def halt(self, graph, lines, sent):
    add(self, graph, lines[: len(lines) // 2], sent)
    os.write(1, b"halted\\n")
    while True:
        signal.pause()

Upload._add = halt
from rulesgraph.app.cli import main
sys.argv[0] = "rulesgraph"
main()
"""
"""The program, which stands still when it has sent half of the first large graph."""


def test_a_load_killed_in_the_middle_leaves_the_old_answers(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = open_store(engine).graphs()
    page = (MINI / "lanterns-2031-07-01.txt").read_text(encoding="utf-8")
    more = "".join(f"900.{number}. Lamp number {number} is a lantern.\n\n" for number in range(1, 400))
    page = page.replace("July 1, 2031", "May 1, 2032")
    head, mark, rest = page.rpartition("\nGlossary\n")
    later = tmp_path / "lanterns-2032-05-01.txt"
    later.write_text(f"{head}\n9. More Lamps\n\n900. General\n\n{more}{mark}{rest}", encoding="utf-8")
    command = [PROGRAM[0], "-c", SENDING, "build", str(later), "--store", engine]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"halted\n", process.communicate()
        process.send_signal(signal.SIGKILL)
    contents = Conversation(Client(engine))
    assert [graph for graph in contents.sizes() if graph.startswith(NEW)], "something was being sent"
    kept = (GOLDEN / "definition.tsv").read_text(encoding="utf-8")
    assert table(ask(session_on(engine), "definition", ("moths",))) == kept
    assert open_store(engine).graphs() == before
    assert not [graph for graph in contents.sizes() if graph.startswith(NEW)]
