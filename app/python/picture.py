"""An interactive graph as a page that a notebook shows and a file keeps."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ...queries.session import Session
    from ...viz.atlas.page import Atlas


@dataclass(frozen=True, slots=True)
class Picture:
    """A page: `html` is all of it, `things` and `links` count what it shows at first.

    On the web a map has its `words` (JSON) beside it, and fetches them; elsewhere they are in the page.

    >>> Picture("Lantern", 3, 2, "<!doctype html>")
    Picture(title='Lantern', things=3, links=2)
    """

    title: str
    things: int
    links: int
    html: str = field(repr=False)
    words: str = field(default="", repr=False)

    def write(self, path: str | Path) -> None:
        """Write the page to a file, whole or not at all, or to stdout for ``"-"``.

        Raises `UsageError` when the place cannot be written.

        >>> Picture("Lantern", 3, 2, "<!doctype html>").write("no-such-folder/graph.html")
        Traceback (most recent call last):
        rulesgraph.ontology.errors.UsageError: no-such-folder/graph.html: it cannot be written: ...
        """
        from ..files import output_file

        with output_file(path) as out:
            out.write(self.html.encode())

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, where its security policy holds."""
        frame = 'style="width: 100%; height: 600px; border: 0" sandbox="allow-scripts"'
        return f'<iframe title="{escape(self.title)}" {frame} srcdoc="{escape(self.html)}"></iframe>'


class Sketch(NamedTuple):
    """What a picture shows, as `Rules.picture` has it.

    `words_at` is the address, as seen from the page, at which a map finds its words.
    """

    around: str | None = None
    depth: int = 1
    answer: Sequence[str] = ()
    edition: str | None = None
    limit: int | None = None
    editions: str | Sequence[str] | None = None
    whole: bool = False
    words_at: str = ""


def draw(session: Session, sketch: Sketch) -> Picture:
    """Return the picture of what is linked to a thing, of an answer, of what is most connected, or of all."""
    from ...ontology.errors import NothingFoundError
    from ...viz.choosing import choose, inquire, is_small, rows_of

    around, depth, answer, edition, limit, editions, whole, words_at = sketch
    if editions:
        from ...viz.atlas.times import render_times

        names = editions if isinstance(editions, str) else ",".join(editions)
        return _of_map(render_times(session, names, answer, words_at=words_at))
    asked = inquire(session, answer, edition) if answer else None
    if around is not None or limit is not None or (asked and not whole and is_small(asked.answer)):
        from ...viz.page import render_page

        # An answer that names nothing, as a count does, has its words on the map.
        with suppress(NothingFoundError) if asked and limit is None else nullcontext():
            chosen = choose(session, around=around, depth=depth, asked=asked, edition=edition, limit=limit)
            shown = {node.iri for node in chosen.nodes if not node.reserve}
            links = sum({link.source, link.target} <= shown for link in chosen.links)
            return Picture(chosen.title, len(shown), links, render_page(chosen))
    from ...viz.atlas.page import render_atlas
    from ...viz.past import pasts_of

    scope = asked.scope if asked else session.scope(edition)
    rows = rows_of(session, scope)
    return _of_map(
        render_atlas(rows, session.iris.base, asked, pasts_of(session, scope, rows), words_at=words_at)
    )


def _of_map(atlas: Atlas) -> Picture:
    return Picture(atlas.title, atlas.things, atlas.links, atlas.html, atlas.words)
