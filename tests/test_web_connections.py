"""Half-sent requests end at their deadline, and connections are limited in total and by address."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
import uvicorn
from rulesgraph.app.listening import listening
from rulesgraph.app.web.connections import LimitedProtocol, OpenConnections
from rulesgraph.app.web.service import application, configured
from rulesgraph.app.web.service_limits import ServiceLimits
from uvicorn.server import ServerState

WHOLE = b"GET /sparql?query=ASK%20%7B%7D HTTP/1.1\r\nHost: t\r\nAccept: text/csv\r\n\r\n"
HALF = WHOLE[:-10]
NEVER = 1e6


@contextmanager
def served(store: Path, grace: int = 5, **limits: float) -> Iterator[int]:
    """Run a service in a thread of this process; give its port."""
    service = application(store, ServiceLimits(workers=1, **limits))  # type: ignore[arg-type]
    config = configured(service)
    config.timeout_graceful_shutdown = grace
    server = uvicorn.Server(config)
    with listening("127.0.0.1", 0) as taken:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]})
        thread.start()
        try:
            yield taken.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def connected(port: int, source: str = "127.0.0.1") -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0))


def heard(connection: socket.socket) -> bytes:
    """Return everything that a server says until it closes the connection."""
    data = b""
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(1 << 16):
            data += piece
    return data


def answered(connection: socket.socket) -> bool:
    """Ask on a connection; return whether the answer is right."""
    connection.sendall(WHOLE)
    data = b""
    while not data.endswith(b"true\n"):
        piece = connection.recv(1 << 16)
        if not piece:
            return False
        data += piece
    return data.startswith(b"HTTP/1.1 200 OK\r\n")


def test_half_sent_requests_end_at_the_deadline(mini_store: Path) -> None:
    with served(mini_store, headers=0.2) as port, ExitStack() as opened:
        halves = [opened.enter_context(connected(port)) for _ in range(8)]
        for number, half in enumerate(halves):
            # Some say nothing at all, some send half of their second request, or what is no request yet.
            if number % 4 == 1:
                half.sendall(HALF)
            elif number % 4:
                assert answered(half)
                half.sendall(HALF if number % 4 == 2 else b"\r\n")
        for half in halves:
            assert heard(half).startswith(b"HTTP/1.1 408 Request Timeout\r\n")
        assert answered(opened.enter_context(connected(port)))


def test_a_request_in_pieces_is_answered(mini_store: Path) -> None:
    with served(mini_store, headers=NEVER) as port, connected(port) as one:
        for _ in range(2):
            one.sendall(WHOLE[:20])
            one.sendall(WHOLE[20:-1])
            one.sendall(WHOLE[-1:] + WHOLE[:5])
            assert one.recv(1 << 16).startswith(b"HTTP/1.1 200 OK\r\n")
            one.sendall(WHOLE[5:])
            assert one.recv(1 << 16).startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_query_that_is_cut_as_the_service_stops_is_told_so(mini_store: Path) -> None:
    endless = f"SELECT (COUNT(*) AS ?n) {{ {' '.join(f'?s{n} ?p{n} ?o{n} .' for n in range(8))} }}"
    with ExitStack() as opened:
        with served(mini_store, grace=0) as port:
            one = opened.enter_context(connected(port))
            assert answered(one)  # so it has started
            one.sendall(f"GET /sparql?query={quote(endless)} HTTP/1.1\r\nHost: t\r\n\r\n".encode())
            time.sleep(0.5)
        told = heard(one)
    assert told.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    assert told.endswith(b"The service is stopping.\n")


def test_one_address_cannot_take_all_connections(mini_store: Path) -> None:
    with served(mini_store, headers=NEVER, connections=20, connections_each=8) as port, ExitStack() as opened:
        greedy = [opened.enter_context(connected(port, "127.0.0.2")) for _ in range(8)]
        for one in greedy:
            one.sendall(HALF)
        for _ in range(20):
            with connected(port, "127.0.0.2") as refused:
                assert heard(refused).startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        with connected(port) as honest:
            assert answered(honest)
        # Who hangs up makes room.
        greedy[0].sendall(b"\r\n\r\n")
        greedy[0].close()
        for _ in range(1000):
            with connected(port, "127.0.0.2") as again:
                again.sendall(WHOLE)
                if again.recv(1 << 16).startswith(b"HTTP/1.1 200"):
                    break
        else:
            raise AssertionError("a connection that was closed takes room still")


def test_a_proxy_has_the_connections_of_all_its_clients(
    mini_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This machine is an address, or one named in the environment; if all may connect, limits are equal."""
    for named, proxies in (
        ("", {"127.0.0.1"}),
        ("127.0.0.2, 127.0.0.3", {"127.0.0.2", "127.0.0.3"}),
        ("*", ()),
    ):
        if named:
            monkeypatch.setenv("FORWARDED_ALLOW_IPS", named)
        for source in ("127.0.0.1", "127.0.0.2", "127.0.0.3"):
            with (
                served(mini_store, headers=NEVER, connections=9, connections_each=2) as port,
                ExitStack() as opened,
            ):
                for _ in range(8 if source in proxies else 2):
                    opened.enter_context(connected(port, source)).sendall(HALF)
                with connected(port, source) as last:
                    if source in proxies:
                        assert answered(last)
                    else:
                        assert b"Too many connections are open." in heard(last)


def test_connections_are_capped_in_all(mini_store: Path) -> None:
    with served(mini_store, headers=NEVER, connections=10, connections_each=8) as port, ExitStack() as opened:
        for number in range(10):
            one = opened.enter_context(connected(port, f"127.0.0.{2 + number % 5}"))
            one.sendall(HALF)
        with connected(port) as refused:
            assert b"Too many connections are open." in heard(refused)


def test_files_are_left_for_all_else() -> None:
    import resource

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    connections = OpenConnections(ServiceLimits(connections=10 * files, connections_each=10 * files))
    admitted = sum(connections.admit("a") for _ in range(files))
    assert files // 2 <= admitted < files
    connections.release("a")
    assert connections.admit("b")
    assert not connections.admit("b")


class NotingTransport(asyncio.Transport):
    """Notes each piece that is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if not self.closed:
            self.pieces.append(bytes(data))

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True


async def sent(store: Path, *received: bytes) -> list[bytes]:
    """Return the pieces that a connection sends after what it receives, the last answer with them."""
    service = application(store, ServiceLimits(workers=1))
    config = configured(service)
    config.load()
    transport = NotingTransport()
    async with service.router.lifespan_context(service):
        protocol = LimitedProtocol(config, ServerState(), {})
        protocol.connection_made(transport)
        for data in received:
            protocol.data_received(data)
        while not transport.closed and not (protocol.cycle and protocol.cycle.response_complete):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)
        protocol.connection_lost(None)
    return transport.pieces


def test_headers_without_end_are_refused(mini_store: Path) -> None:
    rows = b"X: more\r\n" * 1000
    for piece in (b"GET /sparql?query=" + b"x" * 10_000, b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000, rows):
        start = b"GET / HTTP/1.1\r\n" if piece is rows else b""
        more = piece if piece is rows else b"x" * 10_000
        [told] = asyncio.run(sent(mini_store, start + piece, *[more] * 40))
        # An endless address gets one error, in however many pieces it arrives.
        assert told.startswith(b"HTTP/1.1 414 " if b"query" in piece else b"HTTP/1.1 431 ")


def test_a_query_too_long_for_an_address_is_to_be_posted(mini_store: Path) -> None:
    def asked(length: int) -> list[bytes]:
        address = b"/sparql?query=ASK%7B%7D"
        return [b"GET " + address.ljust(length, b"+"), b" HTTP/1.1\r\nHost: t\r\nAccept: text/csv\r\n\r\n"]

    answer = b"".join(asyncio.run(sent(mini_store, *asked(65_535))))
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    [told] = asyncio.run(sent(mini_store, *asked(65_536)))
    assert told.startswith(b"HTTP/1.1 414 ")
    assert told.endswith(b"Send the query with POST.\n")


def test_requests_sent_far_ahead_are_refused(mini_store: Path) -> None:
    answers = b"".join(asyncio.run(sent(mini_store, WHOLE * 50)))
    assert answers.count(b"HTTP/1.1 200 OK\r\n") == 50
    assert b"requests were sent before their answers" in asyncio.run(sent(mini_store, WHOLE * 500))[-1]
