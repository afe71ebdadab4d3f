"""What is known of the data becomes a page: what it holds, its licences, downloads, and how to cite it."""

from __future__ import annotations

from importlib.metadata import version

from .page import Page
from .press import NOTATIONS, Press
from .quality import quality_figures
from .shelf import Shelf


def about_page(shelf: Shelf, most: int = 0) -> Page:
    """Return the page about the data; one answer of the service, if there is one, has `most` triples."""
    press = Press(shelf, "about.html")
    rows = shelf.rules.contents().records()
    return press.page(
        "about",
        "About the data",
        thing=shelf.iris.dataset(),
        editions=list(zip(shelf.editions, rows, strict=True)),
        notations=NOTATIONS,
        version=version("rulesgraph"),
        base=shelf.iris.base,
        newest=shelf.newest,
        figures=quality_figures(),
        together=len(shelf.editions) > 1 and shelf.session.store.size() <= most,
    )
