"""Serve a store over HTTP, or publish it as a static site, if the packages for that are installed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...ontology.errors import UsageError
from ...ontology.extras import remedy
from ..files import usual_store
from .rules import Rules, open

if TYPE_CHECKING:
    from pathlib import Path

    from ..web.site.publish import Publication


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Import the packages of an extra within; raises `UsageError` if they are not installed."""
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
    ready: Callable[[str], object] | None = None,
    **limits: float,
) -> None:
    """Serve a store over HTTP, until the process gets SIGINT or SIGTERM; call it in the main thread.

    Args:
        store: its folder (default: see `open`); a new build in it is seen without a restart.
        host: the address to listen on.
        port: the port to listen on; 0 takes a free one.
        public: the address at which everybody may read the store, scripts of other sites as well: that of a
            proxy in front of the service, or ``"*"`` for any. Without it the service answers only where it is
            called ``localhost`` or by its number, and only its own pages.
        ready: is called with the address of the service when it can be asked.
        limits: what SPARQL queries may use up: ``workers`` (how many run at once, each in a process),
            ``timeout`` (seconds that one may take), ``memory`` (bytes), ``answer`` (bytes of one answer),
            ``rows`` (of one answer), ``query`` (bytes of one query), ``waiting`` and ``waiting_each`` (how
            many may wait, of all and of one client), ``connections`` and ``connections_each`` (how many may
            be open, in all and from one address), ``headers`` (seconds in which those of a request have to
            come), ``cache`` (bytes of answers that are kept),
            ``files`` (bytes of temporary files, in which large answers wait for who reads them).

    Raises:
        StoreMissingError: when nothing was ever built there.
        StoreError: when the store cannot be used.
        UsageError: for a store that is no folder, for an address that cannot be listened on, and where the
            extra ``web`` is not installed.
        KeyboardInterrupt: when SIGINT stopped it.

    >>> rulesgraph.serve("no-such-folder")
    Traceback (most recent call last):
    rulesgraph.ontology.errors.StoreMissingError: no-such-folder: ...
    """
    with extra("web"):
        from ..web.access import Access
        from ..web.limits import ServiceLimits
        from ..web.service import run
    run(store or usual_store(), host, port, ServiceLimits(**limits), Access(public), ready)  # type: ignore[arg-type]


def publish(
    store: str | Path | Rules,
    folder: str | Path,
    *,
    words: bool = True,
    address: str = "",
    progress: Callable[[str, int, int], None] | None = None,
) -> Publication:
    """Write a store as a site of files: pages, linked data, search, map, downloads. Return what it holds.

    Only files that changed are written, and files that are no longer needed are removed.

    Args:
        store: its folder, or what `open` returned.
        folder: where to write the site: a new or empty folder, or one that holds such a site.
        words: False leaves the words of the documents out.
        address: where the site will be, for canonical links, its map, and redirects (default: the base).
        progress: is called with what is being done, how much of it is done, and the total.

    Raises:
        StoreMissingError: when nothing was ever built there.
        StoreError: when the store cannot be used.
        UsageError: for a folder with other files, a store without editions, and where the extra ``web`` is
            not installed.

    >>> rulesgraph.publish("no-such-folder", "site")
    Traceback (most recent call last):
    rulesgraph.ontology.errors.StoreMissingError: no-such-folder: ...
    """
    with extra("web"):
        from ..web.site.publish import publish
    rules = store if isinstance(store, Rules) else open(store)
    return publish(rules, folder, words=words, address=address, progress=progress)
