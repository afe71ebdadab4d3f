"""Documents, wherever they are, fill a store, and the account of it leads to what can be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...loaders.build import build as load
from ...loaders.building.account import Account, DocumentSummary, ProblemSummary, Refused
from ...loaders.building.workshop import without_collector
from ...loaders.http.shown import without_password
from ...loaders.kinds import DocumentKind
from ...loaders.reading.source import Source
from ...loaders.store import open_store
from ...ontology.errors import SourceError
from ...queries.session import Session
from .rules import Rules

if TYPE_CHECKING:
    from ...loaders.store import Store


@dataclass(frozen=True, slots=True)
class Report(Account):
    """The outcome of a build, and the way to what was built.

    Attributes:
        documents: those that were loaded: ``.document`` and ``.edition`` are their ids, ``.rules``,
            ``.entries``, ``.references`` and the like how much of what stands in each, ``.problems`` what is
            wrong with it, by line.
        refused: those that were not, each with its ``.source`` and ``.reason``.
        quads: the size of the store afterwards; 0 when nothing was loaded, and the store is as it was.
        seconds: the wall time of the build.

    >>> report = rulesgraph.build(store=":memory:")
    >>> [(document.document, document.entries) for document in report.documents]
    [('starter-g12', 18), ('starter-g16', 31), ('starter-g5', 21), ('starter-101', 22)]
    """

    _store: Store | None = field(default=None, repr=False)

    @property
    def location(self) -> str:
        """Where the store is, without a password.

        >>> rulesgraph.build(store=":memory:").location
        ':memory:'
        """
        return without_password(self._store.location) if self._store else ""

    @property
    def rules(self) -> Rules:
        """The rules that the store holds now; raises `StoreMissingError` when it was never filled.

        >>> rulesgraph.build(store=":memory:").rules
        Rules(':memory:')
        """
        assert self._store is not None
        return Rules(self._store)


def build(
    sources: str | Path | Sequence[str | Path] = (),
    store: str | Path = "rulesgraph-store",
    *,
    base: str | None = None,
    strict: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
) -> Report:
    """Load documents into a store, all in one switch, and return an account of it.

    Args:
        sources: files, folders with everything in them, and web addresses; without any, the bundled starter
            rules. What a document is, its content says. One that is loaded again replaces its former self.
        store: a folder, which need not exist yet; the address of a SPARQL 1.1 endpoint; or ``":memory:"`` for
            a store that ends with the process and is `Report.rules`.
        base: the IRI under which the data stands, for a store that is built for the first time.
        strict: whether to refuse documents with defects, and to load none if one is refused.
        progress: is called with what is being done, how much of it is done, and how much there is.

    Documents that are damaged, or something else, are no error: `Report.refused` names them.

    Raises:
        UsageError: for a folder without files, or a base that is not the store's own.
        StoreLockedError: when somebody else is writing to the store.
        StoreError: when the store cannot be used.

    >>> report = rulesgraph.build(store=":memory:")
    >>> report.refused, report.rules.rule("G12.9").title
    ((), 'Legendary')
    """
    named: Sequence[str | Path] = [sources] if isinstance(sources, str | Path) else sources
    found, unreachable = _fetched(named)
    target = open_store(store, write=True)
    if unreachable and (strict or not found):
        return Report(refused=unreachable, _store=target)
    account = load(found, target, base=base, strict=strict, progress=progress)
    values = {it.name: getattr(account, it.name) for it in fields(Account)}
    with without_collector():
        values["documents"] = _beside_others(account.documents, target)
    return Report(**{**values, "refused": (*unreachable, *account.refused)}, _store=target)


def _beside_others(documents: Sequence[DocumentSummary], store: Store) -> tuple[DocumentSummary, ...]:
    """Return the documents, also with the problems that show beside other editions: jumps and losses."""
    # Only editions of the rules have neighbours.
    dated = [it.edition for it in documents if it.kind == DocumentKind.COMPREHENSIVE and it.issued]
    if not dated:
        return tuple(documents)
    from ...queries.checking.jumps import jumps
    from ...queries.checking.losses import losses

    session = Session(store)
    found: dict[str, tuple[ProblemSummary, ...]] = {}
    for row in (*jumps(session, dated), *losses(session, dated)):
        severity, code, subject, document, line, message, *_ = row
        place = line if isinstance(line, int) else 0
        told = ProblemSummary(str(code), str(severity), str(message), str(subject), place)
        found[str(document)] = (*found.get(str(document), ()), told)
    return tuple(replace(it, problems=(*it.problems, *found.get(it.document, ()))) for it in documents)


def _fetched(sources: Iterable[str | Path]) -> tuple[list[str | Path | Source], tuple[Refused, ...]]:
    """Replace web addresses by what stands there; also return those where nothing could be had."""
    from ..fetch import fetch, is_address

    found: list[str | Path | Source] = []
    unreachable: list[Refused] = []
    for source in sources:
        if not isinstance(source, str) or not is_address(source):
            found.append(source)
            continue
        try:
            found.append(fetch(source))
        except SourceError as error:
            unreachable.append(Refused(without_password(source), str(error)))
    return found, tuple(unreachable)
