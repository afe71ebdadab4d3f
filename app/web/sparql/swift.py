"""Plain requests for queries are answered where their bytes come in; all others go on to the service.

A query of which the engine has the answer in 40 µs would spend three times that in the layers of a service: a
task, a scope and its headers, middlewares. So the protocol of the server is asked first whether a request is
one line and plain headers, and the answer whole and small. Whatever else it turns out to be is handed to the
service as it came, with what was found out, and with it all that comes on that connection.
"""

from __future__ import annotations

import re
import string
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.exceptions import HTTPException
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ..compression import SMALLEST
from ..headers import DATA_SECURITY, OPEN_TO_ALL
from .clerk import QUICK
from .endpoint import FOUND, answer_headers, tag_of
from .formats import Formats, negotiated
from .protocol import asked_in
from .spool import LargeAnswer
from .turns import CrowdedError

if TYPE_CHECKING:
    import asyncio

    from uvicorn.config import Config
    from uvicorn.server import ServerState

    from ..current import Current
    from .clerk import Answered, Errand
    from .desk import QueryDesk

_PATHS = frozenset((b"GET /sparql", b"GET /sparql/"))
_END_OF_LINE = b" HTTP/1.1\r\n"
_QUERY_SIGNS = b"!$%&'()*+,./:;=?@~_-" + (string.ascii_letters + string.digits).encode()
_HEADER = re.compile(rb"([!#$%&'*+.^`|~\w-]+):[ \t]*([ -~]*)\r\n", re.ASCII)
_NOT_PLAIN = frozenset(
    b"content-length transfer-encoding expect upgrade te trailer range if-match if-none-match "
    b"if-modified-since if-unmodified-since if-range forwarded x-forwarded-for x-forwarded-proto".split()
)
"""Headers that the service has to look at."""

_LONGEST, _LARGEST = 16_000, 64_000
"""Bytes of a request, and below which an answer stays, that are plain."""


class _Manner(NamedTuple):
    """How answers to requests with the same headers are written."""

    accept: str | None
    most: int
    """Bytes that an answer stays below; beyond, it might be compressed, or would be sent in pieces."""


class _Question(NamedTuple):
    """A request that is being answered: as it came, and how its answer is written and kept."""

    request: bytes
    key: tuple[str, _Manner, bytes]
    formats: Formats
    tag: str


class SwiftProtocol(HttpToolsProtocol):
    """The server's side of one connection; the service is the application of its configuration."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        state = config.app.state  # type: ignore[union-attr]
        self._desk: QueryDesk = state.desk
        self._current: Current = state.current
        self._plain = True
        self._errand: Errand | None = None
        self._later = b""
        self._stopping = False
        self._active = 0.0
        self._idling: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """Answer a plain request; hand any other one, and the connection with it, over to the service."""
        if not self._plain:
            super().data_received(data)
        elif self._errand is not None:
            self._later += data
            self.flow.pause_reading()
        else:
            line, _, headers = data.partition(_END_OF_LINE)
            path, _, query = line.partition(b"?")
            plain = path in _PATHS and len(data) <= _LONGEST and not query.translate(None, _QUERY_SIGNS)
            manner = _manner(headers) if plain else None
            if manner is None or self.flow.write_paused:
                self._hand_over(data)
            else:
                self._ask(data, query, manner)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give up what nobody waits for any more."""
        if self._errand is not None:
            self._desk.leave(self._errand)
            self._errand = None
        if self._idling is not None:
            self._idling.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close the connection, once what was asked is answered."""
        self._stopping = True
        if self._errand is None:
            super().shutdown()

    def _ask(self, request: bytes, query: bytes, manner: _Manner) -> None:
        snapshot = self._current.now()
        key = (snapshot.digest, manner, query)
        reply = self._desk.swift.get(key)
        if reply is not None:
            self._write(reply)
            return
        try:
            asked = asked_in(query, self._desk.limits.query)
        except HTTPException:
            asked = None
        formats = negotiated(manner.accept, asked.form if asked else None)
        if asked is None or formats == (None, None):
            self._hand_over(request)
            return
        question = _Question(request, key, formats, tag_of(snapshot, asked, formats))
        found = self._desk.kept(question.tag)
        if found is not None:
            self._answer(question, found)
            return
        client = self.client[0] if self.client else ""
        begun = time.monotonic()

        def tell(outcome: Answered | Exception) -> None:
            self._errand = None
            self._answer(question, outcome, time.monotonic() - begun)

        try:
            self._errand = self._desk.ask(snapshot, asked, formats.names, client, tell)
        except CrowdedError as error:
            self._hand_over(request, error)

    def _answer(self, question: _Question, outcome: Answered | Exception, seconds: float = 0) -> None:
        """Write what came of a question after so many seconds, or have the service do so.

        What came quickly is kept as it is written alone: for who wants it otherwise it is asked again.
        """
        if self.transport.is_closing():
            if isinstance(outcome, tuple) and isinstance(outcome[1], LargeAnswer):
                outcome[1].close()
            return
        reply = _reply(question, outcome)
        if reply is None or seconds >= QUICK:
            self._desk.keep(question.tag, outcome)
        if reply is None:
            self._hand_over(question.request, outcome)
            return
        self._desk.swift.put(question.key, reply, len(question.key[2]) + len(reply))
        self._write(reply)
        if self._later:
            later, self._later = self._later, b""
            self.flow.resume_reading()
            self.data_received(later)

    def _write(self, reply: bytes) -> None:
        self.transport.write(_beginning(*self.server_state.default_headers) + reply)
        self.server_state.total_requests += 1
        self._active = time.monotonic()
        if self._stopping:
            self.transport.close()
        elif self._idling is None:
            self._idling = self.loop.call_later(self.timeout_keep_alive, self._idle)

    def _idle(self) -> None:
        """Close the connection if nothing has been asked for as long as one is kept."""
        self._idling = None
        left = self._active + self.timeout_keep_alive - time.monotonic()
        if not self._plain or self.transport.is_closing():
            return
        if left <= 0 and self._errand is None:
            self.transport.close()
        else:
            self._idling = self.loop.call_later(max(left, 1), self._idle)

    def _hand_over(self, request: bytes, found: object = None) -> None:
        """Have the service answer a request, for which it is told what was found, and all that come after."""
        self._plain = False
        known = self.app_state
        if found is not None:
            self.app_state = {**known, FOUND: found}
        super().data_received(request)
        self.app_state = known
        if self._stopping:
            super().shutdown()
        if self._later:
            later, self._later = self._later, b""
            self.flow.resume_reading()
            super().data_received(later)


@lru_cache(256)
def _manner(headers: bytes) -> _Manner | None:
    """Return what a block of headers, with its last empty line, asks for; None where it is not plain."""
    accept, coding, hosts, place = [], [], 0, 0
    while found := _HEADER.match(headers, place):
        place = found.end()
        name, value = found[1].lower(), found[2].decode().strip()
        hosts += name == b"host"
        if name == b"accept":
            accept.append(value)
        elif name == b"accept-encoding":
            coding.append(value)
        elif name in _NOT_PLAIN or (name == b"connection" and value.lower() != "keep-alive"):
            return None
    if headers[place:] != b"\r\n" or hosts != 1 or len(accept) > 1 or len(coding) > 1:
        return None
    return _Manner(accept[0] if accept else None, SMALLEST if coding else _LARGEST)


def _reply(question: _Question, outcome: Answered | Exception) -> bytes | None:
    """Return the rest of the headers, and the body, of an answer that is plain."""
    if isinstance(outcome, Exception):
        return None
    kind, body = outcome
    media = {"results": question.formats.results, "graph": question.formats.graph}.get(kind)
    if media is None or isinstance(body, LargeAnswer) or len(body) >= question.key[1].most:
        return None
    lead, tag = _lead(media), question.tag.encode()
    return b"%b%b\r\ncontent-length: %d\r\n\r\n%b" % (lead, tag, len(body), body)


@lru_cache(4)
def _beginning(*headers: tuple[bytes, bytes]) -> bytes:
    """Return the first line of a reply, and the headers of all replies of this second."""
    return b"HTTP/1.1 200 OK\r\n" + b"".join([b"%b: %b\r\n" % pair for pair in headers])


@lru_cache(32)
def _lead(media: str) -> bytes:
    """Return the headers of all answers of a media type, up to the value of the entity tag."""
    told = {**DATA_SECURITY, **OPEN_TO_ALL, **answer_headers(media, None)}.items()
    return "".join(f"{name.lower()}: {value}\r\n" for name, value in told).encode() + b"etag: "
