"""Answer with an error as a page, a problem object or a sentence, whichever `Accept` prefers."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...loaders.store.worker_protocol import LONGER
from ...ontology.errors import (
    NothingFoundError,
    RulesgraphError,
    StoreExhaustedError,
    StoreTimeoutError,
    UnknownNameError,
    UsageError,
)
from .headers import preferred
from .limits import CrowdedError
from .pages.layout import refused_page

PLAIN, PROBLEM, PAGE = "text/plain", "application/problem+json", "text/html"

_RETRY_AFTER = {"Retry-After": "5"}
"""The seconds after which a refused client may try again."""

_LOG = logging.getLogger(__name__)


def form_of(request: Request) -> str:
    """Return the media type of an error that the client prefers: `PAGE`, `PROBLEM` (RFC 9457) or `PLAIN`."""
    offers = (PLAIN, PROBLEM, PAGE, "application/json", "application/ld+json")
    kind = preferred(request.headers.get("accept"), offers) or PLAIN
    return kind if kind in (PLAIN, PAGE) else PROBLEM


def refusal(
    request: Request, status: int, reason: str, headers: dict[str, str] | None = None, *, shown: str = ""
) -> Response:
    """Return an answer of a status of 400 or more with its reason, in the form that the client prefers.

    `shown` is what a page says instead of the reason.
    """
    kind = form_of(request)
    title = HTTPStatus(status).phrase
    if kind == PAGE:
        body = refused_page(request.url.path, title, shown or reason)
    elif kind == PLAIN:
        body = f"{reason}\n"
    else:
        body = json.dumps({"title": title, "status": status, "detail": reason}, ensure_ascii=False) + "\n"
    told = {"Cache-Control": "no-store", "Vary": "Accept", **(headers or {})}
    return Response(body, status, told, media_type=f"{kind}; charset=utf-8" if kind == PLAIN else kind)


def status_of(error: RulesgraphError) -> int:
    """Return the status for an error."""
    if isinstance(error, UnknownNameError):
        return 404
    if isinstance(error, UsageError):
        return 400
    if isinstance(error, NothingFoundError):  # no map of cards alone
        return 404
    return 503 if isinstance(error, StoreTimeoutError | StoreExhaustedError) else 500


def told(error: RulesgraphError) -> tuple[int, str]:
    """Return the status and the message for an error; details of the store stay inside."""
    status = status_of(error)
    if status == 500:
        return status, "The service cannot read its data."
    return status, "\n".join(it for it in (error.what, error.way_out.replace(LONGER, "")) if it)


async def on_http_error(request: Request, error: Exception) -> Response:
    """Answer for an error of a route, or for a missing route."""
    assert isinstance(error, HTTPException)
    reason = error.detail
    if error.status_code == 404 and reason == HTTPStatus.NOT_FOUND.phrase:
        reason = "There is nothing at this address."
    elif error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        reason = f"{request.method} is not allowed here; {allowed} are." if allowed else reason
    return refusal(request, error.status_code, reason, dict(error.headers or {}))


async def on_own_error(request: Request, error: Exception) -> Response:
    """Answer for one of our own errors, which says what, where and why; details of the store stay inside."""
    assert isinstance(error, RulesgraphError)
    status, reason = told(error)
    if status == 500:
        _LOG.error("%s %s: %s", request.method, request.url.path, error)
    return refusal(request, status, reason, _RETRY_AFTER if status == 503 else None, shown=_suggestion(error))


def _suggestion(error: RulesgraphError) -> str:
    """Return the page's text about an unknown name, without commands that the reader may not have."""
    if not isinstance(error, UnknownNameError):
        return ""
    near = f"\nDid you mean {', '.join(error.suggestions)}?" if error.suggestions else ""
    return f"No {error.kind} is called “{error.name}”.{near}"


async def on_crowd(request: Request, error: Exception) -> Response:
    """Answer when there is no turn, or no room."""
    return refusal(request, 503, str(error), _RETRY_AFTER)


def stopping(app: ASGIApp) -> ASGIApp:
    """Return a middleware that answers requests with 503 if they are cancelled before their answer began."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await app(scope, receive, noted)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            if not has_begun:
                refused = refusal(Request(scope), 503, "The service is stopping.", _RETRY_AFTER)
                await refused(scope, receive, send)

    return answer


async def on_departure(request: Request, error: Exception) -> Response:
    """Answer to a client that has gone."""
    return Response(status_code=499)


async def on_any_error(request: Request, error: Exception) -> Response:
    """Answer for an unexpected error; the log has the details."""
    return refusal(request, 500, "An unexpected error occurred; the service log has the details.")


HANDLERS: dict[type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
    HTTPException: on_http_error,
    RulesgraphError: on_own_error,
    CrowdedError: on_crowd,
    ClientDisconnect: on_departure,
    Exception: on_any_error,
}
"""The handlers of requests that ended with an error, by its kind."""
