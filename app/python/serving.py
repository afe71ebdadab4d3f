"""A store is served on the web, where the packages for that are installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...ontology.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def serve(
    store: str | Path = "rulesgraph-store",
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    ready: Callable[[str], object] | None = None,
    **limits: float,
) -> None:
    """Serve a store over HTTP, until the process gets SIGINT or SIGTERM; call it in the main thread.

    Args:
        store: its folder; a new build in it is seen without a restart.
        host: the address to listen on.
        port: the port to listen on; 0 takes a free one.
        ready: is called with the address of the service when it can be asked.
        limits: what SPARQL queries may use up: ``workers`` (how many run at once, each in a process),
            ``timeout`` (seconds that one may take), ``memory`` (bytes), ``answer`` (bytes of one answer),
            ``rows`` (of one answer), ``query`` (bytes of one query), ``waiting`` and ``waiting_each`` (how
            many may wait, of all and of one client), ``cache`` (bytes of answers that are kept),
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
    try:
        from ..web.limits import ServiceLimits
        from ..web.serving import run
    except ModuleNotFoundError as error:
        raise UsageError("the extra web is not installed", way_out='pip install "rulesgraph[web]"') from error
    run(store, host, port, ServiceLimits(**limits), ready)  # type: ignore[arg-type]
