"""Pages for people: rules and their parameters become a page, the same on the server and on a static site."""

from __future__ import annotations

from starlette.routing import BaseRoute


def routes() -> list[BaseRoute]:
    """Return the routes of this room."""
    from .routing import page_routes

    return page_routes()
