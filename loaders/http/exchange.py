"""Send one request to a web server and return the whole answer, within limits, or fail."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import ssl
from collections.abc import AsyncIterator, Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache, partial
from threading import Thread
from typing import Literal, ParamSpec, TypeVar

import httpx

from .addresses import TORN, in_one_line, is_torn, without_password

P = ParamSpec("P")
T = TypeVar("T")

BUSY = frozenset({429, 502, 503, 504})
"""Statuses with which a server asks to be tried again later."""

_LAST_PORT = 65535
_AUTHENTICATIONS = 2
"""Repetitions of a request with user and password: httpx counts them as redirects."""


Credentials = tuple[str, str] | str
"""User and password, or a token instead of both (RFC 6750)."""


Failure = Literal["address", "unreached", "refused", "broken off", "late", "too large"]
"""Why there is no whole answer:

- the address, or one that the server redirects to, is not a web address;
- no connection could be made; *refused* if the machine answers but nothing listens;
- the connection ended before the answer was whole, or the answer was not HTTP;
- the time ran out before the answer was whole;
- the answer has more bytes than allowed.
"""


class ExchangeError(Exception):
    """There is no complete answer; the text says why in one line, without passwords, `failure` in a word."""

    def __init__(self, failure: Failure, reason: str) -> None:
        super().__init__(reason)
        self.failure = failure


@dataclass(frozen=True)
class Reply:
    """A server's answer: `reason` and the headers (names in lower case) contain no control characters."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        """The media type without its parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True)
class Request:
    """A request: user and password may be in the address, or beside it if it has none.

    They are sent when the server asks for them, but a token at once. `redirects` is the maximum number of
    redirects; none to a private address of another host is followed. `pauses` are the seconds before each
    repetition while the server is busy or hangs up. `named` is the host that the user named if the address
    comes from elsewhere: private addresses of other hosts are refused.
    """

    address: str
    method: str = "GET"
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    credentials: Credentials | None = field(default=None, repr=False)
    redirects: int = 0
    pauses: Sequence[float] = ()
    named: str = ""


def exchange(request: Request, size: int, seconds: float, stall: float | None = None) -> Reply:
    """Send a request and return the answer of at most `size` bytes, whatever its status.

    `seconds` are counted from the first name look-up to the last byte, including repetitions; `stall` is how
    many may pass without a byte (None: any). A body that is shorter than announced is an error; one that is
    compressed without being asked for stays so. Raises `ExchangeError`.
    """
    outcome: Future[Reply] = Future()
    # A separate thread, since the caller may already run in an event loop, as in a notebook.
    thread = Thread(target=_settle, args=(outcome, partial(_run, request, size, seconds, stall)), daemon=True)
    thread.start()
    try:
        return outcome.result()
    finally:
        if outcome.done():
            thread.join()


def _run(request: Request, size: int, seconds: float, stall: float | None) -> Reply:
    with asyncio.Runner() as runner:
        runner.get_loop().set_default_executor(_UnjoinedThreads())
        return runner.run(_converse(request, size, seconds, stall))


async def _converse(request: Request, size: int, seconds: float, stall: float | None) -> Reply:
    url, credentials = _target(request)
    try:
        async with (
            asyncio.timeout(seconds),
            _client(request, size, stall, request.named or url.host) as client,
        ):
            for pause in request.pauses:
                try:
                    answer = await _send(client, request, url, credentials)
                    if answer.status not in BUSY:
                        return answer
                except ExchangeError as error:
                    if error.failure != "broken off":
                        raise
                await asyncio.sleep(pause)
            return await _send(client, request, url, credentials)
    except TimeoutError:
        raise ExchangeError("late", f"it takes longer than {seconds:g} seconds") from None


def _target(request: Request) -> tuple[httpx.URL, Credentials | None]:
    """Return the target of the request, and its user and password: the address is sent without them."""
    if is_torn(request.address):
        raise ExchangeError("address", f"this is not a web address: {TORN}")
    try:
        url = httpx.URL(request.address)
    except (httpx.InvalidURL, ValueError) as error:
        raise ExchangeError(
            "address", in_one_line(without_password(f"this is not a web address: {error}"))
        ) from None
    if url.scheme not in {"http", "https"}:
        raise ExchangeError("address", "only http:// and https:// addresses can be downloaded")
    if not url.host:
        raise ExchangeError("address", "the address names no host")
    if url.port is not None and not 0 < url.port <= _LAST_PORT:
        raise ExchangeError("address", f"there is no port {url.port}")
    own = (url.username, url.password) if url.username else None
    return url.copy_with(userinfo=b"", fragment=None), own or request.credentials


def _client(request: Request, size: int, stall: float | None, named: str) -> httpx.AsyncClient:
    async def refuse_private(sent: httpx.Request) -> None:
        if sent.url.host != named and await _is_private(sent.url.host):
            raise ExchangeError("address", f"it points to a private address of another host, {sent.url.host}")

    async def bound(response: httpx.Response) -> None:
        # Before anything is read, also of intermediate answers.
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _Bounded(response.stream, size)
        response.headers.pop("Content-Encoding", None)

    try:
        return httpx.AsyncClient(
            verify=_trust(),
            timeout=stall,
            follow_redirects=request.redirects > 0,
            max_redirects=request.redirects + _AUTHENTICATIONS,
            headers={"User-Agent": "rulesgraph", "Accept-Encoding": "identity"},
            event_hooks={"request": [refuse_private], "response": [bound]},
        )
    except (ImportError, ValueError, httpx.InvalidURL) as error:
        reason = in_one_line(without_password(str(error)))
        raise ExchangeError("unreached", f"the proxy in the environment cannot be used: {reason}") from error


async def _is_private(host: str) -> bool:
    """Return whether a host has an address that is not public: of this machine, its network or its link."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None)
    except OSError:  # a proxy may know the host
        return False
    return not all(ipaddress.ip_address(where[0]).is_global for *_, where in found)


@cache
def _trust() -> ssl.SSLContext:
    """Return the system's trusted certificates; httpx would use its own list."""
    return ssl.create_default_context()


async def _send(
    client: httpx.AsyncClient, request: Request, url: httpx.URL, credentials: Credentials | None
) -> Reply:
    try:
        async with client.stream(
            request.method,
            url,
            content=request.body or None,
            headers=dict(request.headers),
            auth=_AuthWhenAsked(credentials),
        ) as response:
            body = b"".join([piece async for piece in response.aiter_raw()])
    except httpx.TimeoutException:
        raise ExchangeError("late", f"no data arrived for {client.timeout.read:g} seconds") from None
    except httpx.TooManyRedirects:
        raise ExchangeError("address", "the server redirects too often") from None
    except httpx.UnsupportedProtocol:
        raise ExchangeError(
            "address", "the server redirects to something that is not a web address"
        ) from None
    except httpx.ConnectError as error:
        raise _unreached(error) from error
    except httpx.TransportError as error:
        raise ExchangeError("broken off", in_one_line(str(error)) or type(error).__name__) from error
    except (httpx.InvalidURL, httpx.RequestError, ValueError) as error:
        raise ExchangeError("address", in_one_line(without_password(str(error)))) from error
    headers = {name: in_one_line(value) for name, value in response.headers.items()}
    return Reply(response.status_code, in_one_line(response.reason_phrase), headers, body)


def _unreached(error: httpx.ConnectError) -> ExchangeError:
    """Return the root cause of an error whose own text only says that all attempts failed."""
    bottom: BaseException = error
    while bottom.__cause__ or bottom.__context__:
        bottom = bottom.__cause__ or bottom.__context__ or bottom
    if isinstance(bottom, BaseExceptionGroup):
        bottom = bottom.exceptions[-1]
    reason = getattr(bottom, "strerror", None) or str(bottom) or type(bottom).__name__
    if isinstance(bottom, OSError) and bottom.errno and reason.startswith("Connect call failed"):
        reason = os.strerror(bottom.errno)  # asyncio names the address instead
    is_refused = isinstance(bottom, ConnectionRefusedError)
    return ExchangeError("refused" if is_refused else "unreached", in_one_line(reason))


class _AuthWhenAsked(httpx.Auth):
    """User and password, sent in the way that the server asks for; a token is sent at once.

    They do not follow a redirect to another host, scheme or port. The exception is httpx's: they stay if the
    same host redirects from ``http`` to ``https``, both at their usual ports.
    """

    def __init__(self, credentials: Credentials | None) -> None:
        self._credentials = credentials

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        if isinstance(self._credentials, str):
            request.headers["Authorization"] = f"Bearer {self._credentials}"
        response = yield request
        if response.status_code == httpx.codes.UNAUTHORIZED and isinstance(self._credentials, tuple):
            digest = response.headers.get("WWW-Authenticate", "").lower().startswith("digest")
            way = httpx.DigestAuth if digest else httpx.BasicAuth
            yield from way(*self._credentials).auth_flow(request)


class _Bounded(httpx.AsyncByteStream):
    """The bytes of a body, as they arrive, up to a maximum."""

    def __init__(self, stream: httpx.AsyncByteStream, size: int) -> None:
        self._stream = stream
        self._size = size

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = self._size
        async for piece in self._stream:
            left -= len(piece)
            if left < 0:
                raise ExchangeError("too large", f"it is larger than {self._size >> 20} MB")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


class _UnjoinedThreads(ThreadPoolExecutor):
    """Works in threads that are not joined at the end: a name look-up cannot be stopped, only abandoned."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        Thread(target=_settle, args=(future, partial(fn, *args, **kwargs)), daemon=True).start()
        return future


def _settle(future: Future[T], work: Callable[[], T]) -> None:
    """Do the work, and report the outcome."""
    try:
        result = work()
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)
