"""Change a store in one atomic step: load documents, drop editions, write what was inferred."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import resources
from pathlib import Path

from ..ontology import Iris, StoreMissingError, UsageError
from .building.assemble import Assembly
from .building.prepare import Prepared, Task, prepare, without_conflicts
from .building.report import LoadReport, Refused
from .cards.records import CardSet
from .cases import CaseSet
from .editions import editions_in
from .graph.quads import TripleSet
from .indexing.index import open_index, remove_outdated
from .reading.numbered.form import Form
from .reading.source import Source, decode
from .store import Store, open_store, settle_base
from .store.folder import FolderStore
from .temporary import temporary_folder
from .workers import Progress, Workers, without_collector

_Resources = tuple[Store, Path, Workers, Progress]
"""What every change needs: the store, a temporary folder, worker processes, and a progress callback."""


@contextmanager
def _resources(
    store: str | Path | Store, progress: Progress | None, *, new: bool = False
) -> Iterator[_Resources]:
    """Prepare to change a store, or the one at a location, which need not exist when `new`."""
    target = open_store(store, write=new) if isinstance(store, str | Path) else store
    with without_collector(), temporary_folder() as folder, Workers() as workers:
        yield target, folder, workers, progress or (lambda _label, _done, _total: None)


@contextmanager
def _change(resources: _Resources, base: str | None = None) -> Iterator[Assembly]:
    """Change the store: leaving the block without an error switches to the new state, see `Store.rewrite`."""
    store, folder, workers, progress = resources
    with store.rewrite(base=base) as rewrite:
        yield Assembly(rewrite, Iris(rewrite.base), folder, workers, progress)


def _index_editions(resources: _Resources, assembly: Assembly) -> None:
    """Make the missing indexes of a store in a folder; other stores get theirs at the first search.

    This includes editions of which the store keeps less than a search needs. The files of the renewed graphs
    save queries to the store. The indexes are made from the new state; if one cannot be made now, the first
    search makes it.
    """
    store, _, workers, progress = resources
    if not isinstance(store, FolderStore):
        return
    state = store.state()
    iris = Iris(store.base)
    documents = {
        name: tuple(iris.document(document) for document in info.documents)
        for name, info in editions_in(store, iris).items()
    }
    tasks = []
    known = {**assembly.written, **assembly.whole}
    for name in remove_outdated(store, iris, documents):
        graphs = (*documents[name], iris.derived(name))
        files = {it: known[it] for it in graphs if it in known}
        if assembly.editions[name].is_rules and not assembly.whole.keys() >= {*graphs}:
            continue
        tasks.append((store.location, state, name, documents[name], files))
    for _ in workers.map(_index_edition, tasks, lambda n: progress("indexing", n, len(tasks))):
        pass
    progress("indexing", len(tasks), len(tasks))


def _index_edition(task: tuple[str, tuple[int, str], str, Sequence[str], Mapping[str, Path]]) -> None:
    """Make the index of an edition if it is missing.

    If another build has changed the store meanwhile, it is left to that build or to the first search.
    """
    location, state, edition, documents, files = task
    store = FolderStore(location)
    if store.state() == state:
        open_index(store, Iris(store.base), edition, documents, files).close()


class _NothingLoadedError(Exception):
    """A change had nothing to load: the store stays as it was."""


def starter_sources() -> list[Source]:
    """Return the bundled starter rules, in the order of their names."""
    folder = resources.files("rulesgraph.loaders") / "starter"
    pages = sorted((page for page in folder.iterdir() if page.name.endswith(".txt")), key=lambda p: p.name)
    return [decode(page.read_bytes(), page.name) for page in pages]


def starter_cards() -> Path:
    """Return the file of the bundled starter cards."""
    return Path(str(resources.files("rulesgraph.loaders") / "starter" / "cards.json"))


def find_files(sources: Iterable[str | Path | Source]) -> list[str | Path | Source]:
    """Expand folders into their files (sorted, without hidden ones); keep anything else as it is.

    Links to folders are followed, each folder is read once. Folders inside that cannot be read are kept, too:
    `prepare` refuses them. Raises `UsageError` for a folder without files.
    """
    found: list[str | Path | Source] = []
    for source in sources:
        if source == "":
            raise UsageError("a source has no name", way_out="Give a file or a folder, not an empty name.")
        if isinstance(source, Source) or not os.path.isdir(source):  # False, too, without permission
            found.append(source)
            continue
        inside: list[Path] = []
        barred: list[OSError] = []
        seen = {os.path.realpath(source)}  # a linked folder may lead back to one that holds it
        for folder, folders, files in os.walk(source, onerror=barred.append, followlinks=True):
            shown = sorted(it for it in folders if not it.startswith("."))
            real = {os.path.realpath(Path(folder, it)): it for it in shown}
            folders[:] = [it for path, it in real.items() if path not in seen]
            seen |= real.keys()
            inside += [Path(folder, it) for it in files if not it.startswith(".")]
        inside += [Path(it.filename) for it in barred]
        if not inside:
            raise UsageError(
                "the folder contains no files",
                where=str(source),
                way_out="Give a file or a folder with rules texts.",
            )
        found.extend(sorted(inside))
    return found


def build(
    sources: Sequence[str | Path | Source] | None = None,
    store: str | Path | Store = "rulesgraph-store",
    *,
    base: str | None = None,
    strict: bool = False,
    form: Form | None = None,
    progress: Progress | None = None,
) -> LoadReport:
    """Load documents into a store (or the store at a location) in one atomic step.

    Without `sources` the bundled starter rules and cards are loaded. Valid documents load atomically;
    `LoadReport.refused` lists the others. With `strict`, one invalid document keeps out all. If nothing can
    be loaded, or everything is there already (`LoadReport.changed`), the store stays untouched (and is not
    created). A document that is already loaded is replaced (`LoadReport.replaced` names those whose words
    changed). If two sources are the same document with different words, the second is refused.

    With a `form`, all sources are numbered rules printed in that form.

    Raises `StoreError` when the store cannot be used and `UsageError` for no sources (``[]``) and for a base
    that differs from the store's own.
    """
    started = time.perf_counter()
    if sources is not None and not sources:
        raise UsageError("no sources are given", way_out="Without `sources` the starter rules are loaded.")
    chosen = find_files([*starter_sources(), starter_cards()] if sources is None else sources)
    with _resources(store, progress, new=True) as resources:
        target, folder, workers, tell = resources
        settled = _base_of(target, base)
        tasks = [Task(item, place, settled, folder, strict, form) for place, item in enumerate(chosen)]
        count = len(tasks)
        done = list(workers.map(prepare, tasks, lambda n: tell("reading", n, count), start=True))
        tell("reading", count, count)
        prepared, conflicts = without_conflicts([it for it in done if isinstance(it, Prepared)])
        refused = (*(it for it in done if isinstance(it, Refused)), *conflicts)
        card_files = [it for it in done if isinstance(it, CardSet)]
        case_files = [it for it in done if isinstance(it, CaseSet)]
        if not (prepared or card_files or case_files) or (strict and refused):
            return LoadReport((), refused, 0, time.perf_counter() - started)
        latest = {it.document: it for it in prepared}
        with suppress(_NothingLoadedError), _change(resources, base) as assembly:
            cards = assembly.cards.add(card_files)
            refused += tuple(Refused(*it) for it in assembly.cards.refused)
            cases = assembly.cases.add(case_files)
            unlike = assembly.of_other_kinds(latest.values())
            refused += tuple(unlike.values())
            latest = {key: it for key, it in latest.items() if key not in unlike}
            prepared = [it for it in prepared if it.document in latest]
            if not (prepared or cards or cases) or (strict and refused):
                raise _NothingLoadedError
            replaced = tuple(assembly.other_words(latest.values()))
            assembly.add(list(latest.values()))
            assembly.finish()
        if not assembly.quads:
            return LoadReport((), refused, 0, time.perf_counter() - started)
        _index_editions(resources, assembly)
    summaries = tuple(it.summary for it in prepared)
    quads = target.size() if assembly.cards.sets or assembly.cases.sets else assembly.quads
    seconds = time.perf_counter() - started
    changed = assembly.rewrite.is_changed
    return LoadReport(summaries, refused, quads, seconds, tuple(cards), replaced, tuple(cases), changed)


def _base_of(store: Store, wanted: str | None) -> str:
    """Return the base that the store will have: its current one, else the requested one, else the default."""
    try:
        stored: str | None = store.base
    except StoreMissingError:
        stored = None
    return settle_base(stored, wanted, store.location)


INFERRED = "/inferred"
"""The suffix of an edition's id that names what was inferred from its facts."""


def drop(edition: str, store: str | Path | Store, *, progress: Progress | None = None) -> None:
    """Remove an edition, or a set of cards or cases, from a store (or a location); update what depends on it.

    `ID/inferred` removes what `write_inferred` added to an edition.

    Raises `UnknownNameError` if it is not loaded.
    """
    with _resources(store, progress) as resources:
        with _change(resources) as assembly:
            if edition.endswith(INFERRED):
                assembly.infer({edition.removesuffix(INFERRED): TripleSet()})
                return
            if not (assembly.cards.remove(edition) or assembly.cases.remove(edition)):
                assembly.remove(edition)
            assembly.finish()
        _index_editions(resources, assembly)


def write_inferred(store: str | Path | Store, inferred: Mapping[str, Iterable[str]]) -> int:
    """Replace `edition/{id}/inferred` of each edition given, and update what queries without GRAPH see.

    `inferred` is edition → triples as N-Triples without the full stop, ``<s> <p> <o>``; an edition without
    triples loses the graph. Everything is written or nothing. Returns the number of triples.

    Raises `UnknownNameError` for an edition that is not loaded, `StoreError` when the store cannot be
    written.
    """
    triples = {edition: TripleSet(lines) for edition, lines in inferred.items()}
    with _resources(store, None) as resources, _change(resources) as assembly:
        assembly.infer(triples)
    return sum(map(len, triples.values()))
