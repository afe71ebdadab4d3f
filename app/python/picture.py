"""An interactive graph as a page that a notebook shows and a file keeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ...queries.session import Session


@dataclass(frozen=True, slots=True)
class Picture:
    """A page: `html` is all of it, `things` and `links` count what it shows at first.

    >>> Picture("Lantern", 3, 2, "<!doctype html>")
    Picture(title='Lantern', things=3, links=2)
    """

    title: str
    things: int
    links: int
    html: str = field(repr=False)

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


def draw(
    session: Session,
    around: str | None,
    depth: int,
    answer: Sequence[str],
    edition: str | None,
    limit: int | None,
    editions: str | Sequence[str] | None = None,
) -> Picture:
    """Return the picture of what is linked to a thing, of an answer, of what is most connected, or of all."""
    from ...viz.choosing import choose, inquire, rows_of

    if editions:
        from ...viz.atlas.times import render_times

        atlas = render_times(session, editions if isinstance(editions, str) else ",".join(editions))
        return Picture(atlas.title, atlas.things, atlas.links, atlas.html)
    if around is None and limit is None:
        from ...viz.atlas.page import render_atlas

        asked = inquire(session, answer, edition) if answer else None
        scope = asked.scope if asked else session.scope(edition)
        atlas = render_atlas(rows_of(session, scope), session.iris.base, asked)
        return Picture(atlas.title, atlas.things, atlas.links, atlas.html)
    from ...viz.page import render_page

    selection = choose(session, around=around, depth=depth, answer=answer, edition=edition, limit=limit)
    shown = {node.iri for node in selection.nodes if not node.reserve}
    links = sum({link.source, link.target} <= shown for link in selection.links)
    return Picture(selection.title, len(shown), links, render_page(selection))
