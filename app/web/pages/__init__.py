"""Pages for people: rules and their parameters become a page, the same on the server and on a static site."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from starlette.routing import BaseRoute

from ....ontology.errors import RulesgraphError

if TYPE_CHECKING:
    from ..current import Snapshot


async def warm(snapshot: Snapshot) -> None:
    """Make a page of the newest edition, so that nobody has to wait until the edition is read."""
    from .edition import terms_page
    from .routing import PRESSROOM

    with suppress(RulesgraphError):
        await PRESSROOM.ask(snapshot, "terms", terms_page)


def close() -> None:
    """End what is made in processes of their own."""
    from .routing import PRESSROOM

    PRESSROOM.close()


def routes() -> list[BaseRoute]:
    """Return the routes of this room."""
    from .routing import page_routes

    return page_routes()
