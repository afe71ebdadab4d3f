"""A service is run on an address of this machine until it is told to stop."""

from __future__ import annotations

import ipaddress
import signal
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from ...ontology.errors import UsageError
from .limits import ServiceLimits
from .service import application

if TYPE_CHECKING:
    from pathlib import Path

_GRACE = 5
"""Seconds that open requests have when the service stops."""

_BACKLOG = 2048
"""Connections that may wait to be taken."""


def run(
    store: str | Path, host: str, port: int, limits: ServiceLimits, ready: Callable[[str], object] | None
) -> None:
    """Serve until the process gets SIGINT or SIGTERM; `app/python/serving.py` says the rest."""
    service = application(store, limits)
    with _listening(host, port) as listening:
        if ready is not None:
            shown = f"[{host}]" if ":" in host else host
            ready(f"http://{shown}:{listening.getsockname()[1]}/")
        config = uvicorn.Config(
            service,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=_GRACE,
        )
        # uvicorn stops well at both signals, and gives them to who handled them before.
        before = signal.signal(signal.SIGTERM, lambda *_: None)
        try:
            uvicorn.Server(config).run(sockets=[listening])
        finally:
            signal.signal(signal.SIGTERM, before)


def _listening(host: str, port: int) -> socket.socket:
    try:
        six = ipaddress.ip_address(host).version == 6
    except ValueError:
        six = False
    listening = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listening.close()
        raise UsageError(
            f"{host}:{port} cannot be listened on: {error}", way_out="Give another address (--host, --port)."
        ) from error
    return listening
