"""Build the service: its routes, its middleware, what starts and stops with it; and run it at an address."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route

from ..listening import address_of, listening
from .connections import LimitedProtocol, OpenConnections
from .current import Current
from .errors import HANDLERS
from .limits import FairTurns, ServiceLimits
from .linked.routing import AT_ONCE, linked_routes
from .negotiation import Packing
from .pages.renderer import Renderer
from .pages.routing import page_routes
from .security import ANY, EXPOSED, Access, AccessControl, SecurityHeaders
from .sparql.endpoint import Endpoint
from .sparql.executor import QueryExecutor

if TYPE_CHECKING:
    from pathlib import Path

_OPEN_TO_ALL = Middleware(
    CORSMiddleware,
    allow_origins=["*"],
    allow_methods=["GET", "HEAD", "POST", "OPTIONS"],
    allow_headers=["*"],
    expose_headers=EXPOSED,
    max_age=86_400,
)


def application(
    store: str | Path, limits: ServiceLimits | None = None, access: Access | None = None
) -> Starlette:
    """Return the service over the folder of a store; without `access` it answers everybody.

    A new build of the store is seen without a restart. Raises the errors of `Current`.
    """
    access = access or Access(ANY)
    service = Starlette(
        routes=[
            *(Route(path, Endpoint) for path in ("/sparql", "/sparql/")),
            *linked_routes(),
            *page_routes(),
        ],
        middleware=[
            Middleware(AccessControl, access=access),
            Middleware(SecurityHeaders),
            *([_OPEN_TO_ALL] if access.is_public else []),
            Middleware(Packing),
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


def configured(service: Starlette) -> uvicorn.Config:
    """Return how uvicorn runs a service."""
    return uvicorn.Config(
        service,
        http=LimitedProtocol,
        ws="none",
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )


def run(
    store: str | Path,
    host: str,
    port: int,
    limits: ServiceLimits,
    access: Access,
    ready: Callable[[str], object] | None,
) -> None:
    """Serve until the process gets SIGINT or SIGTERM; `rulesgraph.serve` says the rest."""
    service = application(store, limits, access)
    with listening(host, port) as taken:
        address = address_of(taken, host)
        service.state.renderer.home = access.public if access.public not in ("", ANY) else address
        if ready is not None:
            ready(address)
        # uvicorn stops well at both signals, and passes them to the previous handlers.
        before = signal.signal(signal.SIGTERM, lambda *_: None)
        try:
            uvicorn.Server(configured(service)).run(sockets=[taken])
        finally:
            signal.signal(signal.SIGTERM, before)
