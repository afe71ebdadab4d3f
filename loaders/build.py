"""Documents fill a store: read, derived, joined across editions and switched in, whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from importlib import resources
from pathlib import Path

from ..ontology.errors import SourceError, UnknownNameError, UsageError
from ..ontology.iris import Iris
from .assemble import Assembly
from .detect import load_document
from .records import Document, Severity
from .report import Report, document_summary
from .source import Source, decode, read_source
from .store import open_store

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


def _quiet(_label: str, _done: int, _total: int) -> None:
    return None


def starter_sources() -> list[Source]:
    """Return the bundled starter rules, in the order of their names."""
    folder = resources.files("rulesgraph.loaders") / "starter"
    pages = sorted((page for page in folder.iterdir() if page.name.endswith(".txt")), key=lambda p: p.name)
    return [decode(page.read_bytes(), page.name) for page in pages]


def find_files(sources: Iterable[str | Path | Source]) -> list[str | Path | Source]:
    """Open up folders into their files (sorted, without hidden ones); anything else stays as it is.

    Raises `UsageError` for a folder without files.
    """
    found: list[str | Path | Source] = []
    for source in sources:
        if isinstance(source, Source) or not Path(source).is_dir():
            found.append(source)
            continue
        root = Path(source)
        inside = [
            path
            for path in sorted(root.rglob("*"))
            if not path.is_dir() and not any(part.startswith(".") for part in path.relative_to(root).parts)
        ]
        if not inside:
            raise UsageError(
                "the folder holds no files",
                where=str(root),
                way_out="Name a file or a folder with rules texts.",
            )
        found.extend(inside)
    return found


def read_documents(
    sources: Sequence[str | Path | Source], *, strict: bool = False, progress: Progress = _quiet
) -> tuple[list[tuple[str, Document]], list[dict[str, str]]]:
    """Read every source; return (source name, document) pairs and what was refused with its reason.

    With `strict` a document with any problem worth a warning is refused as well.
    """
    documents: list[tuple[str, Document]] = []
    refused: list[dict[str, str]] = []
    for place, item in enumerate(sources):
        name = item.name if isinstance(item, Source) else str(item)
        progress("reading", place, len(sources))
        try:
            source = item if isinstance(item, Source) else read_source(item)
            document = load_document(source)
        except SourceError as error:
            refused.append({"source": name, "reason": str(error)})
            continue
        defects = [p for p in document.problems if p.severity is not Severity.INFO]
        if strict and defects:
            first = defects[0]
            reason = (
                f"{name}:{first.first_line}: {first.message} ({len(defects)} problem(s) in all)\n"
                "  Without --strict the document loads and its problems are kept beside it."
            )
            refused.append({"source": name, "reason": reason})
            continue
        documents.append((name, document))
    progress("reading", len(sources), len(sources))
    return documents, refused


def build(
    sources: Sequence[str | Path | Source] = (),
    store_location: str = "rulesgraph-store",
    *,
    base: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Load documents into the store and switch to the result at once.

    Without `sources` the bundled starter rules are loaded. Good documents load, bad ones are listed in
    `Report.refused`; with `strict` a single bad one keeps all out. When nothing is loadable the store
    stays untouched (and is not created). A document that is loaded again replaces its former self.

    Raises `StoreError` when the store cannot be used and `UsageError` for a base that differs from the
    store's own.
    """
    started = time.perf_counter()
    tell = progress or _quiet
    chosen = find_files(sources) if sources else list(starter_sources())
    read, refused = read_documents(chosen, strict=strict, progress=tell)
    if not read or (strict and refused):
        return Report([], refused, 0, time.perf_counter() - started)
    store = open_store(store_location, write=True)
    with store.rewrite(base=base) as rewrite:
        iris = Iris(rewrite.base)
        assembly = Assembly(rewrite, iris, tell)
        assembly.add(_latest_of_each(read))
        assembly.finish()
    size = store.size()
    summaries = [document_summary(document, name) for name, document in read]
    return Report(summaries, refused, size, time.perf_counter() - started)


def _latest_of_each(read: Iterable[tuple[str, Document]]) -> list[Document]:
    """Return one document for each id, the last one read: loading again replaces."""
    latest = {document.document: document for _, document in read}
    return list(latest.values())


def drop(edition: str, store_location: str, *, progress: Progress | None = None) -> None:
    """Take an edition out of the store, and renew all that rested on it.

    Raises `UnknownNameError` when it is not loaded.
    """
    store = open_store(store_location, write=True)
    with store.rewrite() as rewrite:
        assembly = Assembly(rewrite, Iris(rewrite.base), progress or _quiet)
        if edition not in assembly.editions:
            raise UnknownNameError("edition", edition, sorted(assembly.editions))
        assembly.remove(edition)
        assembly.finish()
