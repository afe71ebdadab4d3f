"""Run a service on an address of this machine until it is told to stop."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from ..listening import address_of, listening
from .access import Access
from .connections import LimitedProtocol
from .limits import ServiceLimits
from .service import application

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.applications import Starlette

_GRACE = 5
"""Seconds that open requests have when the service stops."""


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
    """Serve until the process gets SIGINT or SIGTERM; `app/python/serving.py` says the rest."""
    service = application(store, limits, access)
    with listening(host, port) as taken:
        if ready is not None:
            ready(address_of(taken, host))
        # uvicorn stops well at both signals, and gives them to who handled them before.
        before = signal.signal(signal.SIGTERM, lambda *_: None)
        try:
            uvicorn.Server(configured(service)).run(sockets=[taken])
        finally:
            signal.signal(signal.SIGTERM, before)
