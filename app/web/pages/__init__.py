"""Pages for people, made on the server."""

from __future__ import annotations

from starlette.routing import BaseRoute


def routes() -> list[BaseRoute]:
    """Return the routes of this room."""
    return []
