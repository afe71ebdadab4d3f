"""An endpoint that gives scripted replies, good or bad."""

from __future__ import annotations

import socket
import threading
import time
import urllib.parse
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

JSON, TEXT, HTML = "application/sparql-results+json", "text/plain", "text/html; charset=utf-8"
YES = b'{"head":{},"boolean":true}'
NO = b'{"head":{},"boolean":false}'
ROW = b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"literal","value":"1"}}]}}'
NONE = b'{"head":{"vars":["x"]},"results":{"bindings":[]}}'

Playing = tuple[int, str, bytes, dict[str, str]] | Callable[[BaseHTTPRequestHandler], None]


def reply(status: int, kind: str, body: bytes, **headers: str) -> Playing:
    return status, kind, body, {name.replace("_", "-"): value for name, value in headers.items()}


class Server:
    """A server that gives scripted replies, repeats the last one, and records the requests."""

    def __init__(self) -> None:
        self.replies: list[Playing] = []
        self.requests: list[tuple[str, dict[str, str], dict[str, list[str]], bytes]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                fields = urllib.parse.parse_qs(body.decode())
                outer.requests.append((self.path, dict(self.headers), fields, body))
                next_reply = outer.replies.pop(0) if len(outer.replies) > 1 else outer.replies[0]
                if callable(next_reply):
                    next_reply(self)
                    return
                status, kind, data, headers = next_reply
                self.send_response(status)
                for name, value in {
                    "Content-Type": kind,
                    "Content-Length": str(len(data)),
                    **headers,
                }.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self._server.server_address[1]}"
        self.address = f"http://{self.host}/sparql"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


def stop_half_way(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", JSON)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(ROW[:30])
    handler.wfile.flush()
    hang_up(handler)


def fall_asleep(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(1)
    hang_up(handler)


def trickle(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", JSON)
    handler.end_headers()
    for _ in range(50):
        time.sleep(0.03)
        try:
            handler.wfile.write(b" ")
        except OSError:
            break
    handler.close_connection = True
