"""The map of an edition, and views of a part of the graph, as pages that answer at an address."""

from __future__ import annotations

from typing import NamedTuple

from .page import Page
from .shelf import Shelf
from .vocabulary import policy_of

MAP = "map.html"
"""The address of the map."""

DEEPEST = 3
"""How many links away a view may reach."""


class PictureWish(NamedTuple):
    """What a view shows: what is `depth` links around a thing, or the answer to a question, in an edition or
    through several; without any of these the map of the newest edition.
    """

    around: str = ""
    depth: str = ""
    answer: str = ""
    values: tuple[str, ...] = ()
    edition: str = ""
    editions: str = ""


def map_page(shelf: Shelf, wish: PictureWish | None = None) -> Page:
    """Return the map, or a view; raises as `Rules.picture` does."""
    asked = wish or PictureWish()
    picture = shelf.rules.picture(
        around=asked.around or None,
        depth=min(int(asked.depth), DEEPEST) if asked.depth.isdecimal() else 1,
        answer=(asked.answer, *asked.values) if asked.answer else (),
        edition=asked.edition or None,
        editions=asked.editions or None,
    )
    return Page(200, picture.title, picture.html, MAP, shelf.modified, policy_of(picture.html))
