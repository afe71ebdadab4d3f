"""A store is written as a static site, where the packages for that are installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...ontology.errors import UsageError
from .rules import Rules, open

if TYPE_CHECKING:
    from pathlib import Path

    from ..web.site.publish import Publication


def publish(
    store: str | Path | Rules,
    folder: str | Path,
    *,
    words: bool = True,
    address: str = "",
    progress: Callable[[str, int, int], None] | None = None,
) -> Publication:
    """Write a store as a site of files: pages, linked data, a search, the map, downloads; tell what it holds.

    Only files with other bytes than before are written, and what is gone is taken away.

    Args:
        store: its folder, or what `open` gave.
        folder: where to write the site: a new or empty folder, or one that holds such a site.
        words: False leaves the words of the documents out.
        address: where the site will be, for the redirects of w3id.org; the base of the data unless told.
        progress: is called with what is being done, how much of it is done, and how much there is.

    Raises:
        StoreMissingError: when nothing was ever built there.
        StoreError: when the store cannot be used.
        UsageError: for a folder with other files, a store without editions, and where the extra ``web`` is
            not installed.

    >>> rulesgraph.publish("no-such-folder", "site")
    Traceback (most recent call last):
    rulesgraph.ontology.errors.StoreMissingError: no-such-folder: ...
    """
    try:
        from ..web.site.publish import publish
    except ModuleNotFoundError as error:
        raise UsageError("the extra web is not installed", way_out='pip install "rulesgraph[web]"') from error
    rules = store if isinstance(store, Rules) else open(store)
    return publish(rules, folder, words=words, address=address, progress=progress)
