"""Build the service: its routes, its middleware, what starts and stops with it; and run it at an address."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from copy import deepcopy
from importlib.metadata import version
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route
from uvicorn.config import LOGGING_CONFIG

from ..listening import address_of, listening
from ..terminal import shows_colours
from .connections import LimitedProtocol, OpenConnections
from .current import Current, health
from .errors import HANDLERS, stopping
from .headers import ANY, EXPOSED, access_control, packing, security_headers
from .limits import FairTurns
from .linked.routing import AT_ONCE, linked_routes
from .pages.renderer import Renderer
from .pages.routing import page_routes
from .service_limits import ServiceLimits
from .sparql.endpoint import Endpoint
from .sparql.executor import QueryExecutor

_LOG = logging.getLogger(__name__)

_OPEN_TO_ALL = Middleware(
    CORSMiddleware,
    allow_origins=["*"],
    allow_methods=["GET", "HEAD", "POST", "OPTIONS"],
    allow_headers=["*"],
    expose_headers=EXPOSED,
    max_age=86_400,
)


def application(store: str | Path, limits: ServiceLimits | None = None, public: str = ANY) -> Starlette:
    """Return the service over the folder of a store; see `access_control` for who may read.

    A new build of the store is seen without a restart. Raises the errors of `Current`.
    """
    service = Starlette(
        routes=[
            Route("/health", health),
            *(Route(path, Endpoint) for path in ("/sparql", "/sparql/")),
            *linked_routes(),
            *page_routes(),
        ],
        middleware=[
            Middleware(access_control, public=public),
            Middleware(security_headers),
            *([_OPEN_TO_ALL] if public else []),
            Middleware(packing),
            Middleware(stopping),
        ],
        exception_handlers=HANDLERS,
        lifespan=_lifespan,
    )
    service.state.current = Current(store)
    service.state.limits = limits or ServiceLimits()
    # Each service renders its own pages: two in one process may have different stores.
    service.state.renderer = Renderer(service.state.limits)
    service.state.dumps = FairTurns(AT_ONCE, 0, 0)
    service.state.connections = OpenConnections(service.state.limits)
    service.state.executor = QueryExecutor(service.state.current.location, service.state.limits)
    return service


@asynccontextmanager
async def _lifespan(service: Starlette) -> AsyncIterator[None]:
    """Start the processes that answer queries before the first request, and end them after the last one."""
    executor: QueryExecutor = service.state.executor
    snapshot = service.state.current.now()
    renderer: Renderer = service.state.renderer
    try:
        await executor.start(snapshot)
        warming = asyncio.ensure_future(renderer.warm(snapshot))
        try:
            yield
        finally:
            warming.cancel()
            await renderer.close()
    finally:
        await executor.close()


_GRACE = 5
"""The seconds that open requests have when the service stops."""


def configured(service: Starlette, *, quiet: bool = True) -> uvicorn.Config:
    """Return how uvicorn runs a service."""
    return uvicorn.Config(
        service,
        http=LimitedProtocol,
        ws="none",
        log_config=_log(quiet),
        access_log=not quiet,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )


def _log(quiet: bool) -> dict[str, Any]:
    """Return how the service logs: as uvicorn does, but all of it to stderr, and with the time."""
    log = deepcopy(LOGGING_CONFIG)
    log["handlers"]["access"]["stream"] = log["handlers"]["default"]["stream"]
    for form in log["formatters"].values():
        form |= {"fmt": f"%(asctime)s {form['fmt']}", "use_colors": shows_colours(sys.stderr)}
    log["loggers"]["uvicorn"]["level"] = log["loggers"]["uvicorn.error"]["level"] = "ERROR"
    log["loggers"]["rulesgraph"] = {"handlers": ["default"], "level": "WARNING" if quiet else "INFO"}
    return log


class _Server(uvicorn.Server):
    """uvicorn's server, which tells `ready` when it answers, and which signal stopped it.

    A second signal stops it without waiting for requests. uvicorn raises signals again inside its event loop,
    where the second one interrupts what ends the service.
    """

    def __init__(self, config: uvicorn.Config, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._ready = ready
        self.stopped_by = 0

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: Any = None) -> None:
        await super().shutdown(sockets)
        if self.force_exit:  # uvicorn would leave this out
            await self.lifespan.shutdown()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        watched = [it for it in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(it) != signal.SIG_IGN]
        before = {it: signal.signal(it, self.handle_exit) for it in watched}
        try:
            yield
        finally:
            for it, handler in before.items():
                signal.signal(it, handler)

    def handle_exit(self, sig: int, frame: object) -> None:
        self.force_exit, self.should_exit = self.should_exit, True
        self.stopped_by = self.stopped_by or sig


def run(
    store: str | Path,
    host: str,
    port: int,
    limits: Mapping[str, Any],
    public: str,
    ready: Callable[[str], object] | None,
    *,
    quiet: bool = False,
) -> None:
    """Serve until the process gets SIGINT or SIGTERM; `rulesgraph.serve` says the rest."""
    service = application(store, ServiceLimits(**limits), public)
    with listening(host, port) as taken:
        address = address_of(taken, host)
        home = f"{public.rstrip('/')}/" if public not in ("", ANY) else ""
        service.state.renderer.public, service.state.renderer.home = home, home or address

        def announce() -> None:
            current: Current = service.state.current
            told = version("rulesgraph"), current.location, current.now(), address
            _LOG.info("rulesgraph %s serves %s, %s, at %s", *told)
            if ready is not None:
                ready(address)

        server = _Server(configured(service, quiet=quiet), announce)
        server.run(sockets=[taken])
        _LOG.info("rulesgraph has stopped")
    if server.stopped_by == signal.SIGINT:
        raise KeyboardInterrupt
