"""Linked data: every address under the base becomes what is known of the thing that it names."""

from __future__ import annotations

from starlette.routing import BaseRoute


def routes() -> list[BaseRoute]:
    """Return the routes of this room."""
    from .routing import linked_routes

    return linked_routes()
