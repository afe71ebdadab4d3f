"""Limit the connections of a server, and how long a client may take to send the headers of a request."""

from __future__ import annotations

import asyncio
import logging
import resource
from collections import Counter
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from .service_limits import ServiceLimits

_LOG = logging.getLogger(__name__)

_HEADERS = 1 << 17
"""The maximum size in bytes of a request before its body. uvicorn and its parser accept any."""

_ADDRESS = (1 << 16) - 1
"""The maximum size in bytes of an address; the parser accepts no more."""

_AHEAD = 100
"""The number of requests that may be sent on a connection before their answers."""


class OpenConnections:
    """A service's open connections, counted in all and by address."""

    def __init__(self, limits: ServiceLimits) -> None:
        self.header_seconds = limits.headers
        self._each = limits.connections_each
        # Workers, temporary files and the files of the store need some of the files a process may open: if
        # connections take them all, every request fails.
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        room = limits.connections if files == resource.RLIM_INFINITY else max(files - 256, files // 2)
        self._most = min(limits.connections, room)
        self._by_address: Counter[str] = Counter()

    def admit(self, address: str, *, proxy: bool = False) -> bool:
        """Count a connection from an address, unless that would be one too many; a proxy may take all."""
        if self._by_address.total() >= self._most or (not proxy and self._by_address[address] >= self._each):
            return False
        self._by_address[address] += 1
        return True

    def release(self, address: str) -> None:
        """Take a connection off the count."""
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


class LimitedProtocol(HttpToolsProtocol):
    """uvicorn's side of one connection, with the service's limits, which uvicorn itself does not have."""

    def __init__(self, config: Config, *given: Any, **named: Any) -> None:
        super().__init__(config, *given, **named)
        self._open: OpenConnections = config.app.state.connections  # type: ignore[union-attr]
        self._admitted: str | None = None
        self._unanswered: list[RequestResponseCycle] = []
        self._in_headers = False
        self._header_bytes = 0
        self.url = b""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a connection, or refuse it with 503."""
        super().connection_made(cast(asyncio.Transport, transport))
        address = self.client[0] if self.client else ""
        # A trusted proxy holds the connections of all its clients.
        proxies = cast(ProxyHeadersMiddleware, self.config.loaded_app).trusted_hosts
        if self._open.admit(address, proxy=not proxies.always_trust and address in proxies):
            self._admitted = address
            self._start_deadline()
        else:
            self._refuse(
                b"503 Service Unavailable", b"Too many connections are open. Try again in a moment.\n"
            )

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._stop_deadline()
        if self._admitted is not None:
            self._open.release(self._admitted)
            self._admitted = None
        # uvicorn tells only the last of several requests that the client has gone.
        for cycle in self._unanswered:
            cycle.disconnected = True
            cycle.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what has arrived; incomplete headers must be completed in time."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._header_bytes = self._header_bytes + len(data) if self._in_headers else 0
        if self._header_bytes > _HEADERS and len(self.url) > _ADDRESS:
            self.send_400_response("")  # which is about the address
        elif self._header_bytes > _HEADERS:
            self._refuse(
                b"431 Request Header Fields Too Large", b"The headers of the request are too long.\n"
            )
        elif self._deadline is None and (self._in_headers or self._is_idle()):
            self._start_deadline()

    def on_message_begin(self) -> None:
        """Note that a request has begun."""
        self._in_headers = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Note that the headers have arrived in time."""
        self._in_headers = False
        self._stop_deadline()
        if len(self.pipeline) >= _AHEAD:
            raise ValueError  # which stops the parser
        super().on_headers_complete()
        self._unanswered = [it for it in (*self._unanswered, self.cycle) if not it.response_complete]

    def send_400_response(self, msg: str) -> None:
        """Refuse what the parser does not accept."""
        if len(self.pipeline) >= _AHEAD:
            self._refuse(b"400 Bad Request", b"Too many requests were sent before their answers.\n")
        elif len(self.url) > _ADDRESS:
            self._refuse(b"414 URI Too Long", b"The address is too long. Send the query with POST.\n")
        else:
            self._refuse(b"400 Bad Request", f"{msg}\n".encode())

    def _is_idle(self) -> bool:
        """Return whether no answer is being made, and uvicorn is not timing an idle connection."""
        answered = self.cycle is None or self.cycle.response_complete
        return answered and self.timeout_keep_alive_task is None

    def _start_deadline(self) -> None:
        self._deadline = self.loop.call_later(self._open.header_seconds, self._too_late)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_late(self) -> None:
        self._deadline = None
        if self.transport.is_closing():
            return
        if self.cycle is not None and not self.cycle.response_complete:
            # The answer to an earlier request on this connection must not be cut.
            self._start_deadline()
        else:
            self._refuse(b"408 Request Timeout", b"The headers of the request did not arrive in time.\n")

    def _refuse(self, status: bytes, reason: bytes) -> None:
        _LOG.info("%s refused: %s", self.client[0] if self.client else "", reason.decode().strip())
        head = b"HTTP/1.1 %b\r\ncontent-type: text/plain; charset=utf-8\r\n" % status
        head += b"retry-after: 5\r\n" if status.startswith(b"503") else b""
        more = b"connection: close\r\ncontent-length: %d\r\n\r\n" % len(reason)
        self.transport.write(head + more + reason)
        self.transport.close()
