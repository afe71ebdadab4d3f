"""A client that has an answer already is told so, and gets no other (RFC 9110, 13.1.2)."""

from __future__ import annotations

from starlette.requests import Request


def has_already(request: Request, etag: str) -> bool:
    """Tell whether a client says that it has what an entity tag stands for.

    Tags are compared weakly, as is laid down for `If-None-Match`; ``*`` fits each.
    """
    given = [it.strip().removeprefix("W/") for it in request.headers.get("if-none-match", "").split(",")]
    return etag.removeprefix("W/") in given or given == ["*"]
