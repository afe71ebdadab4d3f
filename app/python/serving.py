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
    workers: int | None = None,
    timeout: float | None = None,
    ready: Callable[[str], object] | None = None,
) -> None:
    """Serve a store over HTTP, until the process gets SIGINT or SIGTERM; call it in the main thread.

    Args:
        store: its folder; a new build in it is seen without a restart.
        host: the address to listen on.
        port: the port to listen on; 0 takes a free one.
        workers: how many SPARQL queries run at once, each in a process; None for one on each processor.
        timeout: how many seconds such a query may take; None for 30.
        ready: is called with the address of the service when it can be asked.

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
    except ImportError as error:
        raise UsageError("the extra web is not installed", way_out='pip install "rulesgraph[web]"') from error
    given = {"workers": workers, "timeout": timeout}
    limits = ServiceLimits(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    run(store, host, port, limits, ready)
