"""The map of an edition, and views of a part of the graph, as pages that answer at an address."""

from __future__ import annotations

from typing import NamedTuple

from ....viz.choosing import rows_of
from ....viz.select import of_answer
from ...python.picture import Sketch, draw
from .page import Page
from .shelf import Shelf
from .vocabulary import policy_of

MAP = "map.html"
"""The address of the map."""

WORDS = "map/words.json"
"""The address of its words; what is asked for behind it is the same as of the map."""

DEEPEST = 3
"""How many links away a view may reach."""


class PictureWish(NamedTuple):
    """What a view shows: what is `depth` links around a thing, or the answer to a question, in an edition or
    through several; without any of these the map of the newest edition.
    """

    around: str = ""
    depth: int = 1
    answer: str = ""
    values: tuple[str, ...] = ()
    edition: str = ""
    editions: str = ""
    things: tuple[str, ...] = ()
    """IRIs: the things themselves, and how they are linked."""

    @classmethod
    def of(
        cls, around: str, depth: str, answer: str, values: tuple[str, ...], edition: str, editions: str
    ) -> PictureWish:
        """Return the wish behind the parts of an address; what means nothing there makes no other wish."""
        steps = min(int(depth), DEEPEST) if around and depth.isdecimal() else 1
        return cls(around, steps, answer, values if answer else (), edition, editions)


class _Column(NamedTuple):
    """Things as the table of an answer."""

    columns: tuple[str]
    rows: list[tuple[str]]


def map_page(shelf: Shelf, wish: PictureWish | None = None) -> Page:
    """Return the map, or a view; raises as `Rules.picture` does."""
    asked = wish or PictureWish()
    if asked.things:
        return _page_of_things(shelf, asked.things)
    sketch = Sketch(
        around=asked.around or None,
        depth=asked.depth,
        answer=(asked.answer, *asked.values) if asked.answer else (),
        edition=asked.edition or None,
        editions=asked.editions or None,
        words_at=WORDS,
    )
    picture = draw(shelf.session, sketch)
    policy = policy_of(picture.html)
    return Page(200, picture.title, picture.html, MAP, shelf.modified, policy, picture.words)


def _page_of_things(shelf: Shelf, things: tuple[str, ...]) -> Page:
    """Return the view of some things; raises `NothingFoundError` where none of them can be drawn."""
    from ....viz.page import render_page

    session = shelf.session
    table = _Column(("thing",), [(it,) for it in things])
    rows = rows_of(session, session.scope())
    html = render_page(of_answer(rows, table, title="The result of a query", base=session.iris.base))
    return Page(200, "The result of a query", html, MAP, shelf.modified, policy_of(html))
