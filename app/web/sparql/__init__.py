"""The SPARQL endpoint: queries run in worker processes, which are killed at their deadline."""

from __future__ import annotations

from starlette.routing import BaseRoute, Route

from .endpoint import PATHS, Endpoint


def routes() -> list[BaseRoute]:
    """Return the routes of this room."""
    return [Route(path, Endpoint()) for path in PATHS]
