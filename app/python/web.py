"""Serve a store over HTTP, or publish it as a static site, if the packages for that are installed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...ontology import UsageError
from ...ontology.extras import remedy
from ..files import usual_store
from .rules import Rules, open

if TYPE_CHECKING:
    from pathlib import Path

    from ..web.site.publish import Publication


_SITE = r"https?://(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?"


def _check_site(address: str, path: str) -> None:
    """Raise `UsageError` unless this is empty, or the address of a site with a path of this pattern."""
    if address and not re.fullmatch(_SITE + path, address, re.ASCII):
        way_out = 'Write it as "https://rules.example/"; only a published site may have a path.'
        raise UsageError("this is not the address of a site", where=repr(address), way_out=way_out)


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Raise `UsageError` if an import in the block fails because an extra is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(f"the extra {name} is not installed", way_out=remedy(name)) from error


def serve(
    store: str | Path | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    public: str = "",
    quiet: bool = False,
    ready: Callable[[str], object] | None = None,
    **limits: float,
) -> None:
    """Serve a store over HTTP until the process gets SIGINT or SIGTERM; call this in the main thread.

    Args:
        store: its folder (default: see `open`); new builds are picked up without a restart.
        host: the address to listen on.
        port: the port to listen on; 0 takes a free one.
        public: the public address of the service, for example that of a proxy in front of it, without a path,
            or ``"*"`` for any; anybody may then read the store, including scripts of other sites. Without it,
            the service answers only under the name ``localhost`` or an IP address, and refuses scripts of
            other sites.
        quiet: log only warnings and errors, not every request. The log goes to stderr.
        ready: called with the address of the service when it is ready.
        limits: limits on SPARQL queries: ``workers`` (how many run at a time, each in its own process),
            ``timeout`` (seconds per query), ``memory`` (bytes), ``answer`` (bytes per answer), ``rows`` (per
            answer), ``query`` (bytes per query), ``waiting`` and ``waiting_each`` (how many may wait, in all
            and per client), ``connections`` and ``connections_each`` (how many may be open, in all and per
            address), ``headers`` (seconds for the headers of a request to arrive), ``cache`` (bytes of cached
            answers), ``files`` (bytes of temporary files that hold large answers until they are read).

    Raises:
        StoreMissingError: if there is no store there.
        StoreError: if the store cannot be used.
        UsageError: for a store that is not a folder, for an address that cannot be listened on or is not that
            of a site, and if the extra ``web`` is not installed.
        KeyboardInterrupt: if stopped by SIGINT.

    >>> rulesgraph.serve("no-such-folder")
    Traceback (most recent call last):
    rulesgraph.ontology.errors.StoreMissingError: no-such-folder: ...
    """
    if public != "*":
        _check_site(public, "/?")
    with extra("web"):
        from ..web.service import run
    run(store or usual_store(), host, port, limits, public, ready, quiet=quiet)


def publish(
    store: str | Path | Rules,
    folder: str | Path,
    *,
    words: bool = True,
    address: str = "",
    progress: Callable[[str, int, int], None] | None = None,
) -> Publication:
    """Write a store as a static site: pages, linked data, search, map, downloads. Return what it contains.

    Only changed files are written, and files that are no longer needed are removed.

    Args:
        store: its folder, or what `open` returned.
        folder: where to write the site: a new or empty folder, or one that already holds such a site.
        words: False leaves out the text of the documents.
        address: the future address of the site, for canonical links, the sitemap and redirects (default: the
            base).
        progress: called with what is being done, how much of it is done, and the total.

    Raises:
        StoreMissingError: if there is no store there.
        StoreError: if the store cannot be used.
        UsageError: for a folder with other files or that cannot be written, an address that is not that of a
            site, a store without editions, and if the extra ``web`` is not installed.

    >>> rulesgraph.publish("no-such-folder", "site")
    Traceback (most recent call last):
    rulesgraph.ontology.errors.StoreMissingError: no-such-folder: ...
    """
    _check_site(address, r"(/[\w.~%!$&'()*+,;=:@/-]*)?")
    with extra("web"):
        from ..web.site.publish import publish
    rules = store if isinstance(store, Rules) else open(store)
    return publish(rules, folder, words=words, address=address, progress=progress)
