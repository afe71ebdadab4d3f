"""An exchange gives the whole answer or an error, whatever the server does and however long it takes."""

from __future__ import annotations

import asyncio
import base64
import gzip
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from rulesgraph.loaders.http.exchange import (
    ExchangeError,
    Reply,
    Request,
    exchange,
)

Play = bytes | Callable[[socket.socket], None]
ROOMY = (1 << 20, 30)
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"


def failed(how: str) -> Callable[[ExchangeError], bool]:
    """Return whether an exchange failed in a way that `Failure` names."""
    return lambda error: error.failure == how


class RawServer:
    """Plays one reply per connection; notes the heads of requests, and whether a client leaves too early."""

    def __init__(self) -> None:
        self.plays: list[Play] = []
        self.heads: list[list[str]] = []
        self.left = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/rules"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            with connection:
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = connection.recv(65536)
                    if not piece:
                        break
                    head += piece
                if not head:
                    return
                self.heads.append(head.decode("latin-1").split("\r\n\r\n")[0].split("\r\n"))
                play = self.plays.pop(0) if len(self.plays) > 1 else self.plays[0]
                try:
                    if callable(play):
                        play(connection)
                    else:
                        connection.sendall(play)
                except OSError:
                    self.left.set()

    def stop(self) -> None:
        with socket.create_connection(("127.0.0.1", self.port)):
            pass  # a connection without a request is the end
        self._thread.join()
        self._listener.close()

    def asked_with(self, name: str) -> list[list[str]]:
        """Return the values of a header in each request."""
        return [
            [line.split(": ", 1)[1] for line in head if line.startswith(name + ": ")] for head in self.heads
        ]


@pytest.fixture
def server() -> Iterator[RawServer]:
    running = RawServer()
    yield running
    running.stop()


def closing(reply: bytes) -> bytes:
    """Return a reply that ends its connection, so that the next request makes a new one."""
    return reply.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)


# -- whole answers ---------------------------------------------------------------------------------


def test_an_answer_is_had_whole(server: RawServer) -> None:
    server.plays = [b"HTTP/1.1 404 Not Here\r\nContent-Type: Text/Plain; x=y\r\nContent-Length: 2\r\n\r\nhi"]
    answer = exchange(Request(server.address, "POST", b"ask", {"Accept": "text/x"}), *ROOMY)
    headers = {"content-type": "Text/Plain; x=y", "content-length": "2"}
    assert answer == Reply(404, "Not Here", headers, b"hi")
    assert answer.media_type == "text/plain"
    [[first, *lines]] = server.heads
    assert first == "POST /rules HTTP/1.1"
    assert {"User-Agent: rulesgraph", "Accept: text/x", "Accept-Encoding: identity"} <= set(lines)


def test_a_caller_may_stand_in_a_loop(server: RawServer) -> None:
    server.plays = [OK]

    async def ask() -> Reply:
        return exchange(Request(server.address), *ROOMY)

    assert asyncio.run(ask()).body == b"hi"


def test_what_is_packed_unasked_stays_packed(server: RawServer) -> None:
    packed = gzip.compress(b"x" * 1000)
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(packed)}\r\n\r\n"
    server.plays = [head.encode() + packed]
    assert exchange(Request(server.address), *ROOMY).body == packed


def test_control_characters_are_shown_and_not_obeyed(server: RawServer) -> None:
    server.plays = [b"HTTP/1.1 500 No\tluck \x1b[31m\r\nX-Said: \x9b2J \xe9\r\nContent-Length: 0\r\n\r\n"]
    answer = exchange(Request(server.address), *ROOMY)
    assert (answer.status, answer.reason) == (500, "No luck \\x1b[31m")
    assert answer.headers["x-said"] == "\\x9b2J é"


# -- cut short, too large, too late ----------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhi",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nsome\r\n",
        b"220 mail.invalid ready\r\n",
    ],
)
def test_what_is_cut_short_or_no_http_is_an_error(server: RawServer, reply: bytes) -> None:
    server.plays = [reply]
    with pytest.raises(ExchangeError, check=failed("broken off")) as caught:
        exchange(Request(server.address), *ROOMY)
    assert str(caught.value).isprintable()


def drip(start: bytes) -> Callable[[socket.socket], None]:
    """Send a start, then a byte at a time for ten seconds: a patient client gets a whole answer."""

    def play(connection: socket.socket) -> None:
        connection.sendall(start)
        for _ in range(500):
            connection.sendall(b"x")
            time.sleep(0.02)
        if b"\r\n\r\n" not in start:
            connection.sendall(b"\r\nContent-Length: 0\r\n\r\n")

    return play


def silence(connection: socket.socket) -> None:
    """Wait until the client has gone."""
    connection.settimeout(10)
    if not connection.recv(1):
        raise ConnectionError


@pytest.mark.parametrize(
    "play",
    [
        silence,
        drip(b"HTTP/1.1 200 "),
        drip(b"HTTP/1.1 200 OK\r\nX-Drip: "),
        drip(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"),
        drip(b'HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 500\r\n\r\n'),
        drip(b"HTTP/1.1 302 There\r\nLocation: /there\r\nContent-Length: 500\r\n\r\n"),
    ],
    ids=["silence", "reason", "header", "body", "challenge", "redirect"],
)
def test_one_deadline_bounds_it_all(server: RawServer, play: Play) -> None:
    server.plays = [play]
    with pytest.raises(ExchangeError, match=r"^it takes longer than 0\.2 seconds$", check=failed("late")):
        exchange(Request(server.address, credentials=("ada", "secret"), redirects=3), 1000, 0.2)
    assert server.left.wait(20)


def test_the_deadline_bounds_repetitions(server: RawServer) -> None:
    server.plays = [b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"]
    with pytest.raises(ExchangeError, check=failed("late")):
        exchange(Request(server.address, pauses=(0.01, 60)), 1000, 0.3)


def test_a_server_may_fall_silent_for_so_long(server: RawServer) -> None:
    server.plays = [silence]
    with pytest.raises(ExchangeError, match=r"^no data arrived for 0\.1 seconds$", check=failed("late")):
        exchange(Request(server.address), 1000, 30, stall=0.1)


def test_a_name_may_take_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    known = threading.Event()

    def find(*_asked: object, **_options: object) -> None:
        known.wait(20)
        raise OSError("late news, of which nobody hears")

    monkeypatch.setattr(socket, "getaddrinfo", find)
    with pytest.raises(ExchangeError, check=failed("late")):
        exchange(Request("http://rules.invalid/"), 1000, 0.1)
    known.set()


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n",
        b'HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 3000000\r\n\r\n',
        b"HTTP/1.1 302 There\r\nLocation: /there\r\nContent-Length: 3000000\r\n\r\n",
    ],
)
def test_every_body_on_the_way_is_bounded(server: RawServer, head: bytes) -> None:
    server.plays = [head + b"x" * 3_000_000]
    with pytest.raises(ExchangeError, match=r"^it is larger than 2 MB$", check=failed("too large")):
        exchange(Request(server.address, credentials=("ada", "secret"), redirects=3), 2 << 20, 30)


def test_as_many_bytes_as_allowed(server: RawServer) -> None:
    server.plays = [OK]
    assert exchange(Request(server.address), 2, 30).body == b"hi"
    with pytest.raises(ExchangeError, check=failed("too large")):
        exchange(Request(server.address), 1, 30)


# -- again and elsewhere ---------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [b"HTTP/1.1 429 Busy\r\nContent-Length: 0\r\n\r\n", b""])
def test_repeated_while_it_makes_sense(server: RawServer, fault: bytes) -> None:
    server.plays = [closing(fault), closing(fault), OK]
    assert exchange(Request(server.address, pauses=(0.01, 0.01)), *ROOMY).status == 200
    assert len(server.heads) == 3


def moved(target: str) -> bytes:
    return closing(f"HTTP/1.1 302 There\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode())


def test_redirects_are_followed_so_many_times(server: RawServer) -> None:
    server.plays = [moved("/a"), moved("/b"), OK]
    assert exchange(Request(server.address, redirects=2), *ROOMY).body == b"hi"
    assert [head[0] for head in server.heads] == [f"GET /{name} HTTP/1.1" for name in ("rules", "a", "b")]
    server.plays = [moved("/c")]
    assert exchange(Request(server.address), *ROOMY).status == 302
    with pytest.raises(ExchangeError, match=r"^the server redirects too often$", check=failed("address")):
        exchange(Request(server.address, redirects=2), *ROOMY)


@pytest.mark.parametrize("target", ["ftp://127.0.0.1/x", "file:///etc/hostname"])
def test_redirects_stay_on_the_web(server: RawServer, target: str) -> None:
    server.plays = [moved(target)]
    with pytest.raises(
        ExchangeError,
        match=r"^the server redirects to something that is not a web address$",
        check=failed("address"),
    ):
        exchange(Request(server.address, redirects=2), *ROOMY)


@pytest.mark.parametrize(
    "host", ["localhost", "169.254.169.254", "10.0.0.1", "192.168.1.1", "[::1]", "[fe80::1]", "0.0.0.0"]
)
def test_redirects_do_not_lead_to_private_addresses_of_others(server: RawServer, host: str) -> None:
    server.plays = [moved(f"http://{host}:{server.port}/secret")]
    with pytest.raises(ExchangeError, match="it points to a private address", check=failed("address")):
        exchange(Request(server.address, redirects=2), *ROOMY)
    assert len(server.heads) == 1


# -- addresses and passwords -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("file:///etc/hostname", "only http:// and https:// addresses can be downloaded"),
        ("ftp://ada:secret@127.0.0.1/rules.txt", "only http:// and https:// addresses can be downloaded"),
        ("http://", "the address names no host"),
        ("http:rules.txt", "the address names no host"),
        ("http://ada:secret@127.0.0.1:x/", "this is not a web address: Invalid port: 'x'"),
        ("http://[::1/x", "this is not a web address: Invalid port: ':1'"),
        ("http://127.0.0.1/\x1b", "this is not a web address: "),
        ("http://\u2028.invalid/", "this is not a web address: "),
    ],
)
def test_addresses_that_are_none(address: str, says: str) -> None:
    with pytest.raises(ExchangeError, check=failed("address")) as caught:
        exchange(Request(address), *ROOMY)
    assert str(caught.value).startswith(says)
    assert str(caught.value).isprintable()
    assert "secret" not in str(caught.value)


def test_nobody_listens() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(ExchangeError) as caught:
            exchange(Request(f"http://127.0.0.1:{unused.getsockname()[1]}/"), *ROOMY)
    assert (str(caught.value), caught.value.failure) == ("Connection refused", "refused")


def test_a_password_is_used_and_the_resolver_hears_the_host_alone(
    server: RawServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    lookup = socket.getaddrinfo

    def find(host: str, *more: int, **options: int) -> object:
        asked.append(host)
        return lookup("127.0.0.1", *more, **options)

    monkeypatch.setattr(socket, "getaddrinfo", find)
    who = b'HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'
    server.plays = [closing(who), OK]
    address = f"http://ada:s%40cret@régles.invalid:{server.port}/für/alle#part"
    assert exchange(Request(address, credentials=("other", "x")), *ROOMY).body == b"hi"
    assert set(asked) <= {"xn--rgles-bsa.invalid", b"xn--rgles-bsa.invalid"}
    basic = "Basic " + base64.b64encode(b"ada:s@cret").decode()
    assert server.asked_with("Authorization") == [[], [basic]]
    assert server.heads[0][0] == "GET /f%C3%BCr/alle HTTP/1.1"


def test_a_password_may_be_asked_for_by_digest(server: RawServer) -> None:
    who = b'HTTP/1.1 401 Who\r\nWWW-Authenticate: Digest realm="x", nonce="n"\r\nContent-Length: 0\r\n\r\n'
    server.plays = [closing(who), closing(who), OK]
    assert exchange(Request(server.address, credentials=("ada", "secret")), *ROOMY).body == b"hi"
    first, second, third = server.asked_with("Authorization")
    assert (first, second) == ([], [])
    assert third[0].startswith('Digest username="ada", realm="x", nonce="n", uri="/rules"')


def test_a_password_is_not_taken_elsewhere(server: RawServer) -> None:
    other = RawServer()
    try:
        who = b'HTTP/1.1 401 Who\r\nWWW-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'
        server.plays = [closing(who), moved(other.address)]
        other.plays = [OK]
        request = Request(server.address, credentials=("ada", "secret"), redirects=1)
        assert exchange(request, *ROOMY).body == b"hi"
        assert [len(found) for found in server.asked_with("Authorization")] == [0, 1]
        assert other.asked_with("Authorization") == [[]]
    finally:
        other.stop()


def test_a_token_is_sent_at_once_and_not_taken_elsewhere(server: RawServer) -> None:
    other = RawServer()
    try:
        server.plays = [moved("/here"), moved(other.address)]
        other.plays = [OK]
        request = Request(server.address, credentials="t0ken", redirects=2)
        assert exchange(request, *ROOMY).body == b"hi"
        assert server.asked_with("Authorization") == [["Bearer t0ken"], ["Bearer t0ken"]]
        assert other.asked_with("Authorization") == [[]]
        assert "t0ken" not in repr(request)
    finally:
        other.stop()


def test_an_unusable_proxy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://ada:secret@127.0.0.1")
    with pytest.raises(ExchangeError) as caught:
        exchange(Request("http://127.0.0.1/"), *ROOMY)
    assert str(caught.value).startswith("the proxy in the environment cannot be used: ")
    assert "secret" not in str(caught.value)
