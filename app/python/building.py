"""Loading documents, from files, folders, web addresses or their publisher, into a store."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from ...loaders.build import build as load
from ...loaders.building.report import DocumentSummary, LoadReport, ProblemSummary, Refused
from ...loaders.http.addresses import without_password
from ...loaders.reading.numbered.form import read_form
from ...loaders.reading.source import LARGEST, Source, decode
from ...loaders.store import Store, open_store
from ...loaders.workers import without_collector
from ...ontology import DocumentKind, SourceError, UsageError
from ...queries.session import Session
from ..files import output_file, usual_store
from ..operations import typed
from .rules import Rules

_MOST_SECONDS = 60.0
_STALLED_SECONDS = 20.0
_MOST_REDIRECTS = 10


@dataclass(frozen=True, slots=True)
class Report(LoadReport):
    """The outcome of a build, and the store that was built.

    Attributes:
        documents: the loaded documents: ``.document`` and ``.edition`` are their ids; ``.rules``,
            ``.entries``, ``.references`` and so on count what is in each; ``.problems`` lists what is wrong
            with it, by line.
        refused: the refused documents, each with its ``.source`` and ``.reason``.
        replaced: the documents that replaced loaded ones with a different text, each with its ``.source`` and
            the checksum of the ``.former`` bytes.
        quads: the size of the store afterwards; 0 if nothing was loaded and the store is unchanged.
        seconds: the wall time of the build.
        changed: whether the build changed the store.

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
        """The rules in the store; raises `StoreMissingError` if nothing was ever loaded.

        >>> rulesgraph.build(store=":memory:").rules
        Rules(':memory:')
        """
        assert self._store is not None
        return Rules(self._store)


@typed
def build(
    sources: str | Path | Sequence[str | Path] | None = None,
    store: str | Path | None = None,
    *,
    base: str | None = None,
    strict: bool = False,
    form: str | Path | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Report:
    """Load the valid documents into a store, at once, and return a report.

    Args:
        sources: files, whole folders and web addresses (default: the bundled starter rules and cards). The
            kind of a document is recognised by its content. If a document is already loaded, it is replaced;
            a message says if its text differs.
        store: a folder, which need not exist yet; the address of a SPARQL 1.1 endpoint; or ``":memory:"`` for
            a store that lasts as long as the process and is `Report.rules` (default: see `open`).
        base: the base IRI of the data; only for a new store.
        strict: refuse documents that have defects; if one is refused, load nothing.
        form: a TOML file that describes the layout of other numbered rules; it is used for all sources.
        progress: called with what is being done, how much of it is done, and the total.

    A document that is missing, damaged or of an unknown kind, solved cases included, raises no error. Unless
    `strict`, the others are loaded without it: see `Report.refused`.

    Raises:
        UsageError: for no sources (``[]``), a folder without files, a base that is not the store's, or an
            invalid form.
        StoreLockedError: if another process is writing to the store.
        StoreError: if the store cannot be used.

    >>> report = rulesgraph.build(store=":memory:")
    >>> report.refused, report.rules.rule("G12.9").title
    ((), 'Legendary')
    """
    named = [sources] if isinstance(sources, str | Path) else sources
    printed = read_form(form) if form else None
    found, unreachable = _fetched(named) if named is not None else (None, ())
    target = open_store(store or usual_store(), write=True)
    if unreachable and (strict or not found):
        return Report(refused=unreachable, _store=target)
    done = load(found, target, base=base, strict=strict, form=printed, progress=progress)
    values = {it.name: getattr(done, it.name) for it in fields(LoadReport)}
    with without_collector():
        values["documents"] = _beside_others(done.documents, target)
    return Report(**{**values, "refused": (*unreachable, *done.refused)}, _store=target)


def _beside_others(documents: Sequence[DocumentSummary], store: Store) -> tuple[DocumentSummary, ...]:
    """Return the documents, with the problems that only comparison with other editions shows added."""
    # Only editions of the rules have neighbours.
    dated = [it.edition for it in documents if it.kind == DocumentKind.COMPREHENSIVE and it.issued]
    if not dated:
        return tuple(documents)
    from ...queries.checking.defects import compared_with_neighbours

    session = Session(store)
    found: dict[str, tuple[ProblemSummary, ...]] = {}
    for row in compared_with_neighbours(session, dated):
        severity, code, subject, document, line, message, *_ = row
        place = line if isinstance(line, int) else 0
        told = ProblemSummary(str(code), str(severity), str(message), str(subject), place)
        found[str(document)] = (*found.get(str(document), ()), told)
    return tuple(replace(it, problems=(*it.problems, *found.get(it.document, ()))) for it in documents)


def _fetched(sources: Iterable[str | Path]) -> tuple[list[str | Path | Source], tuple[Refused, ...]]:
    """Replace web addresses with their contents; also return those that could not be downloaded."""
    found: list[str | Path | Source] = []
    unreachable: list[Refused] = []
    for source in sources:
        try:
            found.append(fetch(source) if isinstance(source, str) and is_address(source) else source)
        except SourceError as error:
            unreachable.append(Refused(without_password(str(source)), str(error)))
    return found, tuple(unreachable)


def is_address(source: str) -> bool:
    """Return whether a source is an address, on the web or not, rather than a path.

    >>> is_address("https://example.org/rules.txt"), is_address("file:rules.txt"), is_address("rules.txt")
    (True, True, False)
    """
    return re.match(r"(?i)[a-z][a-z0-9+.-]*://|(?:https?|file|ftp):", source) is not None


def fetch(address: str) -> Source:
    """Fetch one document into memory; its name is the address without user and password.

    Raises the errors of `download`, and `SourceError` if it is not text.
    """
    return decode(download(address), without_password(address))


def download(address: str, named: str = "") -> bytes:
    """Return the contents of an address; `named` is the host that the user named, if it is a different one.

    Raises `SourceError` if that fails: for an address that is not on the web, a status other than 200, an
    incomplete answer, more than 16 MB, more than 60 seconds in all, or 20 seconds without a byte.
    """
    from ...loaders.http.exchange import ExchangeError, Request, exchange

    name = without_password(address)
    request = Request(
        address, headers={"Accept": "text/plain, */*;q=0.1"}, redirects=_MOST_REDIRECTS, named=named
    )
    try:
        answer = exchange(request, LARGEST, _MOST_SECONDS, _STALLED_SECONDS)
    except ExchangeError as error:
        raise _refusal(f"it cannot be downloaded: {error}", name) from error
    if answer.status != 200:
        raise _refusal(f"the server answered {answer.status} {answer.reason}".rstrip(), name)
    return answer.body


def _refusal(what: str, name: str) -> SourceError:
    return SourceError(
        what, source=name, way_out="Check the address, or download the file yourself and give its path."
    )


PUBLISHER = (
    "https://magic.wizards.com/en/rules",
    "https://media.wizards.com/{year}/downloads/MagicCompRules%20{date}.txt",
    "Wizards of the Coast",
)
"""The source of texts: a page with links to them, the address of one by its date, and their owner."""

_LINK = re.compile(r"""href\s*=\s*["']([^"']+\.txt)["']""", re.IGNORECASE)
_DAY = re.compile(r"(?<!\d)(?:19|20)\d{6}(?!\d)")


@typed
def get(
    address: str = "",
    store: str | Path | None = None,
    *,
    edition: str | None = None,
    agree: Callable[[str], bool] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Report:
    """Download a rules text, keep the file, and load it into a store.

    Args:
        address: the address of a text (default: the newest one linked from the publisher's page).
        store: see `build`.
        edition: get the edition of this date (YYYY-MM-DD) from the publisher.
        agree: called before the first download, with a statement of who owns the text; return False to stop.
        progress: see `build`.

    The file is kept in ``$XDG_DATA_HOME/rulesgraph`` (``~/.local/share/rulesgraph``). To use another
    publisher, write three lines into ``$XDG_CONFIG_HOME/rulesgraph/publisher`` (``~/.config/…``): a page with
    links to texts, the address of a text with ``{year}`` and ``{date}`` in it, which become ``2026`` and
    ``20260116``, and the owner of the texts.

    Raises:
        SourceError: if there is no such text, or it is not a rules text; the file is not kept.
        UsageError: for an invalid date, and if the user did not agree.
        StoreError: if the store cannot be used.

    >>> rulesgraph.get("ftp://rules.example/rules.txt")
    Traceback (most recent call last):
    rulesgraph.ontology.errors.SourceError: ftp://rules.example/rules.txt: it cannot be downloaded: ...
    """
    page, text, owner = _publisher()
    named = ""
    folder = _home("XDG_DATA_HOME", ".local/share")
    if address and edition:
        raise UsageError("you gave both an address and an edition", way_out="Give one of them.")
    statement = (
        f"The rules text belongs to {owner}; use it as they allow. This command downloads it from "
        f"{urlsplit(address or text).hostname}, keeps it in {folder}, and loads it into the store."
    )
    if agree and not folder.exists() and not agree(statement):
        raise UsageError("nothing was downloaded")
    if edition:
        day = _day(edition)
        address = text.replace("{year}", str(day.year)).replace("{date}", f"{day:%Y%m%d}")
    elif not address:
        address, named = _newest(page), urlsplit(page).hostname or ""
    data = download(address, named)
    name = unquote(urlsplit(address).path).rpartition("/")[2]
    path = folder / (re.sub(r"[^\w. -]", "_", name).lstrip(".") or "rules.txt")
    folder.mkdir(parents=True, exist_ok=True)
    before = path.read_bytes() if path.exists() else None
    with output_file(path) as out:
        out.write(data)
    report = build(path, store, progress=progress)
    if report.refused:
        if before is None:
            path.unlink()
        else:
            path.write_bytes(before)
        raise SourceError(report.refused[0].reason, source=without_password(address))
    return report


def _newest(page: str) -> str:
    """Return the address of the newest text that a page links to."""
    links = map(unescape, _LINK.findall(download(page).decode("utf-8", "replace")))
    found = [(day[0], link) for link in links if (day := _DAY.search(unquote(link)))]
    if not found:
        raise SourceError(
            "the page has no link to a rules text",
            source=page,
            way_out="Give the address of a text, or its date with --edition.",
        )
    return urljoin(page, max(found)[1].replace(" ", "%20"))


def _publisher() -> tuple[str, str, str]:
    """Return the source of texts: the user's file, else the built-in one."""
    path = _home("XDG_CONFIG_HOME", ".config") / "publisher"
    if not path.exists():
        return PUBLISHER
    page, text, owner, *_ = map(str.strip, [*path.read_text("utf-8-sig", "replace").split("\n"), "", ""])
    if not owner or "{date}" not in text:
        raise UsageError(
            "this file needs three lines: a page, an address with {date} in it, and the publisher's name",
            where=str(path),
        )
    return page, text, owner


def _home(variable: str, usual: str) -> Path:
    return Path(os.environ.get(variable) or Path.home() / usual) / "rulesgraph"


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.removeprefix("cr-"))
    except ValueError:
        raise UsageError(f"{text!r} is not a date", way_out="Write it like 2026-01-16.") from None
