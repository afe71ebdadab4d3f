"""An address becomes a socket that listens, for the servers of this house."""

from __future__ import annotations

import ipaddress
import socket

from ..ontology.errors import UsageError

_BACKLOG = 2048
"""Connections that may wait to be taken."""


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; port 0 is a free one.

    Raises `UsageError` for an address that is taken, or is not one of this machine's.
    """
    try:
        six = ipaddress.ip_address(host).version == 6
    except ValueError:
        six = False
    # asyncio sends small answers at once only on sockets that say that they are of TCP.
    made = socket.socket(socket.AF_INET6 if six else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        made.close()
        raise UsageError(
            f"port {port} cannot be used: {error}", way_out="Give another one (--port)."
        ) from error
    return made
