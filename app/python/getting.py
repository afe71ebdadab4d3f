"""Download a rules text from its publisher, keep it, and load it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import date
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from ...loaders.http.addresses import without_password
from ...ontology.errors import SourceError, UsageError
from ..files import output_file
from ..operations import typed
from .building import Report, build, download

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
        address = text.format(year=day.year, date=f"{day:%Y%m%d}")
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
