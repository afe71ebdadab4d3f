"""The map of an edition, and views of a part of the graph, as pages that answer at an address."""

from __future__ import annotations

from collections.abc import Sequence

from .page import Page
from .shelf import Shelf
from .vocabulary import policy_of

MAP = "map.html"
"""The address of the map."""

DEEPEST = 3
"""How many links away a view may reach."""


def map_page(
    shelf: Shelf,
    around: str = "",
    depth: str = "",
    answer: str = "",
    values: Sequence[str] = (),
    edition: str = "",
    editions: str = "",
) -> Page:
    """Return the map, or a view: around a thing, of the answer to a question, through several editions.

    Raises as `Rules.picture` does.
    """
    picture = shelf.rules.picture(
        around=around or None,
        depth=min(int(depth), DEEPEST) if depth.isdecimal() else 1,
        answer=(answer, *values) if answer else (),
        edition=edition or None,
        editions=editions or None,
    )
    return Page(200, picture.title, picture.html, MAP, shelf.modified, policy_of(picture.html))
