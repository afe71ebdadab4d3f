"""The SPARQL endpoint: a request of the protocol becomes an answer of a process that can be ended."""

from __future__ import annotations

from starlette.routing import BaseRoute, Route

from .endpoint import Endpoint
from .lane import PATHS


def routes() -> list[BaseRoute]:
    """Return the routes of this room."""
    return [Route(path, Endpoint()) for path in PATHS]
