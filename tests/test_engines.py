"""Questions have the same answers on every engine, and a killed load leaves nothing behind."""

from __future__ import annotations

import gc
import signal
import subprocess
import urllib.parse
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import pytest
import real
from asking import session_on, table
from commands import MINI, PROGRAM
from rulesgraph.loaders.build import build
from rulesgraph.loaders.http.addresses import without_password
from rulesgraph.loaders.store import open_store
from rulesgraph.loaders.store.client import Client
from rulesgraph.loaders.store.upload import NEW
from rulesgraph.ontology import grouped
from rulesgraph.ontology.errors import RulesgraphError
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.answering.running import bound
from rulesgraph.queries.catalogue.questions import ParameterKind, asked, question, questions
from rulesgraph.queries.session import Session
from servers import run_jena, run_oxigraph, run_virtuoso
from sweep import PartOf

NAMES = {
    "mini": ("Waning Checks", "Lantern", "Moth", "Keyword Abilities", "310"),
    "defined": ("Night", "Yawn Step", "Zone", "color", "fill flasks", "103"),
    "flawed": ("Peal", "102"),
}
"""Names of terms and numbers of rules, by the folder of documents that contains them."""

REAL = ("Trample", "State-Based Actions", "702.19", "Protection")

OTHERS = {ParameterKind.DATE: "2031-02", ParameterKind.AUTHORITY: "Ada"}

pytestmark = pytest.mark.long(small="test_each_question_gives_its_table")


ENGINES: dict[str, Callable[[Path], Iterator[str]]] = {
    "jena": run_jena,
    "oxigraph": run_oxigraph,
    "virtuoso": partial(run_virtuoso, most_rows=100_000),
}


@pytest.fixture(scope="module", params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The mini game in an engine, built in two steps so that graphs are added and changed."""
    folder = tmp_path_factory.mktemp(str(request.param))
    for address in ENGINES[request.param](folder):
        first, *others = sorted(MINI.iterdir())
        for sources in ([first], others):
            assert not build(sources, address).refused
        yield address


def test_an_engine_is_found_by_the_address_of_its_server(engine: str) -> None:
    """Or, where a server has many, of its data set."""
    server, _, _ = engine.rpartition("/")
    assert open_store(server).location == without_password(engine)


AskedWith = tuple[str, tuple[str, ...]]
"""The name of a question, and what it is asked with."""


def cases(names: Sequence[str]) -> Iterator[AskedWith]:
    """Yield every question with each name that it accepts, or two of them if it takes two."""
    for it in questions():
        kinds = [parameter.kind for parameter in it.parameters]
        if len(kinds) == 1:
            yield from ((it.name, (name,)) for name in ((OTHERS[kinds[0]],) if kinds[0] in OTHERS else names))
        else:
            yield it.name, tuple(names[: len(kinds)])


def told(session: Session, name: str, arguments: Sequence[str]) -> str:
    """Return an answer as a table, or the reason for none."""
    try:
        return table(ask(session, name, arguments))
    except RulesgraphError as error:
        return str(error)


def differing(here: Session, there: Session, known: Sequence[tuple[str, Sequence[str]]]) -> list[object]:
    """Return where the exported queries, with the arguments that `here` resolves, differ `there`."""
    found: list[object] = []
    for name, arguments in known:
        try:
            values, scope, _ = bound(here, question(name), arguments)
        except RulesgraphError:
            continue
        query = asked(question(name), values)
        rows = [it.select(query, scope.default_graphs, scope.named_graphs) for it in (here, there)]
        if rows[0] != rows[1]:
            found.append((name, arguments))
    return found


class InAFolder(NamedTuple):
    """What a store in a folder answers to every question."""

    session: Session
    answers: dict[AskedWith, str]


@pytest.fixture(scope="module")
def in_a_folder(store_of: Callable[..., Path]) -> Callable[[str], InAFolder]:
    """Ask a store of the documents in a folder, once for all engines."""

    @cache
    def found(folder: str) -> InAFolder:
        session = session_on(store_of(Path(__file__).with_name(folder)))
        return InAFolder(session, {it: told(session, *it) for it in cases(NAMES[folder])})

    return found


@pytest.fixture
def tidy() -> None:
    """Release what other tests left here: answers of pyoxigraph must not end in a client's thread."""
    gc.collect()


@pytest.mark.usefixtures("tidy")
@pytest.mark.parametrize("folder", sorted(NAMES))
@pytest.mark.parametrize("kind", sorted(ENGINES))
def test_every_question_has_the_answer_that_a_folder_gives(
    kind: str,
    folder: str,
    in_a_folder: Callable[[str], InAFolder],
    tmp_path: Path,
    part_of: PartOf,
) -> None:
    """Every term and number for each question, or a part of them."""
    here, answers = in_a_folder(folder)
    asked_of = [it for own in grouped((it[0], it) for it in answers).values() for it in part_of(own, 2)]
    for address in ENGINES[kind](tmp_path):
        assert not build([Path(__file__).with_name(folder)], address).refused
        there = session_on(address)
        assert [it for it in asked_of if told(there, *it) != answers[it]] == []
        assert differing(here, there, asked_of) == []
        assert {name for name, _ in asked_of} == {it.name for it in questions()}


@pytest.mark.usefixtures("tidy")
def test_virtuoso_has_the_same_answers_about_a_whole_edition(
    newest: Session, shared: Path, tmp_path: Path, part_of: PartOf
) -> None:
    """Differences in its plans show where there are many texts."""
    for address in run_virtuoso(tmp_path, most_rows=100_000):
        assert not build([real.rules(shared, real.AROUND[-1])], address).refused
        there, known = session_on(address), part_of(cases(REAL), 60)
        assert differing(newest, there, known) == []


def test_every_engine_holds_the_same_triples(engine: str, mini_store: Path) -> None:
    there, here = open_store(engine), open_store(mini_store)
    assert there.graphs() == here.graphs()
    for graph in here.graphs():
        lines = [list(store.graph_lines(graph)) for store in (there, here)]
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
"""The program, which stops and waits when it has sent half of the first large graph."""


def test_a_load_killed_in_the_middle_leaves_the_old_answers(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    parts = urllib.parse.urlsplit(engine)
    if parts.username and parts.password:
        monkeypatch.setenv("RULESGRAPH_USER", parts.username)
        monkeypatch.setenv("RULESGRAPH_PASSWORD", parts.password)
        engine = without_password(engine)
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
    contents = Client(engine)
    assert [graph for graph in contents.sizes() if graph.startswith(NEW)], "something was being sent"
    kept = (Path(__file__).with_name("golden") / "answers" / "definition.tsv").read_text(encoding="utf-8")
    assert table(ask(session_on(engine), "definition", ("moths",))) == kept
    assert open_store(engine).graphs() == before
    assert not [graph for graph in contents.sizes() if graph.startswith(NEW)]
