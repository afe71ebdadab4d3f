"""Requests to a SPARQL endpoint: credentials, time limits, retries, and errors that say what is wrong."""

from __future__ import annotations

import http.client
import netrc
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from email.message import Message
from typing import Any, NoReturn

from ...ontology.errors import StoreError, StoreTimeoutError

_PATIENCE = 600.0
"""Seconds to wait for an answer when no time limit is given."""

_PAUSES = (0.2, 0.8)
"""Seconds before each repetition of a request, when the server is busy or hangs up."""

_BUSY = frozenset({429, 502, 503, 504})

_SHOWN = 300
"""Characters of a server's own message that an error shows."""


@dataclass(frozen=True)
class Answer:
    """What an endpoint sent: the body, its media type without parameters, and all headers."""

    body: bytes
    media_type: str
    headers: Message


class RefusedError(StoreError):
    """The endpoint answered with an error; `status` is that of HTTP."""

    def __init__(self, status: int, what: str, *, where: str, way_out: str = "") -> None:
        self.status = status
        super().__init__(what, where=where, way_out=way_out)


class _HungUpError(StoreError):
    """The connection broke off before the answer was whole."""


class Client:
    """Sends requests to one server; `location` is the address without user and password.

    These come from the address (``http://user:password@host/…``) or from ``~/.netrc``.
    """

    def __init__(self, address: str) -> None:
        parts = urllib.parse.urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
        self.location = parts._replace(netloc=host, fragment="").geturl()
        known = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        user, password = _credentials(parts)
        if user:
            known.add_password(None, f"{parts.scheme}://{host}/", user, password)
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPBasicAuthHandler(known),
            urllib.request.HTTPDigestAuthHandler(known),
            _NoRedirects(),
        )

    def post(
        self, url: str, body: bytes, headers: dict[str, str], timeout: float | None = None, retry: bool = True
    ) -> Answer:
        """Send a POST and read the whole answer; with `retry`, up to three times while the server is busy.

        Raises `StoreTimeoutError`, `RefusedError` for a status of 300 and above, and `StoreError` when
        no answer comes.
        """
        request = urllib.request.Request(url, data=body, headers=headers)
        limit = timeout or _PATIENCE
        deadline = time.monotonic() + limit
        pauses = list(_PAUSES) if retry else []
        while True:
            try:
                return self._send(request, deadline, limit)
            except (RefusedError, _HungUpError) as error:
                if not pauses or (isinstance(error, RefusedError) and error.status not in _BUSY):
                    raise
            time.sleep(pauses.pop(0))

    def _send(self, request: urllib.request.Request, deadline: float, limit: float) -> Answer:
        try:
            with self._opener.open(request, timeout=max(0.001, deadline - time.monotonic())) as response:
                body = bytearray()
                while piece := response.read1():
                    body += piece
                    if time.monotonic() > deadline:
                        raise TimeoutError
                missing = getattr(response, "length", None)
                if missing:
                    raise http.client.IncompleteRead(bytes(body), missing)
                return Answer(bytes(body), response.headers.get_content_type(), response.headers)
        except urllib.error.HTTPError as error:
            with error:
                self._refused(error)
        except urllib.error.URLError as error:
            reason: Any = error.reason
            self._unreached(reason if isinstance(reason, OSError) else error, limit)
        except (OSError, http.client.HTTPException) as error:
            self._unreached(error, limit)

    def _unreached(self, error: Exception, limit: float) -> NoReturn:
        if isinstance(error, TimeoutError):
            raise StoreTimeoutError(
                f"the endpoint took longer than {limit:g} s",
                where=self.location,
                way_out="Ask for less, allow more time, or look at the load of the server.",
            ) from error
        if isinstance(error, ConnectionRefusedError):
            what = "nobody answers there"
        elif isinstance(error, ConnectionError | http.client.HTTPException):
            raise _HungUpError(
                f"the endpoint broke the connection off ({type(error).__name__})",
                where=self.location,
                way_out="Its log may say why; a time limit or a lack of memory on its side is likely.",
            ) from error
        else:
            what = f"the endpoint cannot be reached: {error}"
        raise StoreError(
            what, where=self.location, way_out="Is the server running, and is this its address?"
        ) from error

    def _refused(self, error: urllib.error.HTTPError) -> NoReturn:
        target = error.headers.get("Location")
        way_out = ""
        if error.code < 400 and target:
            way_out = f"The endpoint has moved: use {target}"
        elif error.code in {401, 403}:
            way_out = "Give user and password in the address (http://user:password@host/…) or in ~/.netrc."
        elif error.code in {404, 405}:
            way_out = "Is this the address of the SPARQL endpoint itself?"
        elif error.code in _BUSY:
            way_out = "Try again later."
        said = _plain(error.read(64 * _SHOWN), error.headers.get_content_type())
        what = f"the endpoint refuses: {error.code} {error.reason}{said and ': '}{said}"
        raise RefusedError(error.code, what, where=self.location, way_out=way_out) from None


def _plain(body: bytes, media_type: str) -> str:
    """Return the beginning of a message in one line, an HTML page without its tags."""
    text = body.decode("utf-8", "replace")
    if "html" in media_type:
        text = re.sub(r"(?s)<(style|script|title)\b.*?</\1>|<[^>]*>", " ", text)
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _credentials(parts: urllib.parse.SplitResult) -> tuple[str, str]:
    if parts.username:
        return urllib.parse.unquote(parts.username), urllib.parse.unquote(parts.password or "")
    try:
        found = netrc.netrc(os.environ.get("NETRC")).authenticators(parts.hostname or "")
    except FileNotFoundError:
        return "", ""
    except (OSError, netrc.NetrcParseError) as error:
        raise StoreError(f"~/.netrc cannot be read: {error}") from error
    return (found[0], found[2] or "") if found else ("", "")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A POST must not become a GET on its way."""

    def redirect_request(self, *_: Any) -> None:
        """Follow nothing: the answer is an error that names the new address."""
