"""Open a socket that listens at an address, or say why that is not possible."""

from __future__ import annotations

import errno
import ipaddress
import socket

from ..ontology import UsageError

_BACKLOG = 2048
"""The number of connections that may wait to be accepted."""


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; port 0 is a free one.

    Raises `UsageError` for an address that is in use, or does not belong to this machine.
    """
    try:
        six = ipaddress.ip_address(host).version == 6
    except ValueError:
        six = False
    # asyncio sends small answers at once only on sockets that are declared as TCP.
    made = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        made.close()
        raise _refusal(host, port, error) from error
    return made


def address_of(taken: socket.socket, host: str) -> str:
    """Return the address for browsers of a socket that listens at a host."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{taken.getsockname()[1]}/"


def _refusal(host: str, port: int, error: OSError | OverflowError) -> UsageError:
    if isinstance(error, OverflowError):
        return UsageError(
            f"{port} is not a port", way_out="Choose a port from 1 to 65535, or 0 for any free one."
        )
    if error.errno == errno.EADDRINUSE:
        what = f"port {port} is in use by another program"
        return UsageError(what, way_out="Choose another port (--port), or 0 for any free one.")
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return UsageError(f"{host} is not an address of this machine", way_out="Choose another --host.")
    return UsageError(f"port {port} cannot be used: {error.strerror}", way_out="Choose another --port.")
