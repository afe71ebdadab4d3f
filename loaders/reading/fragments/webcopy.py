"""A glossary copied to a reading site becomes a document of entries, with the site's damage mended."""

from __future__ import annotations

from ...kinds import DocumentKind
from ...records import Document
from ..source import Source
from .blocks import split_blocks
from .filters import mend
from .parse import fragment


def parse(source: Source) -> Document:
    """Return what a web copy says; raise SourceError where it holds no paragraph.

    Filtered words and turned quotes are mended (`filters`); a paragraph that changed
    keeps its words in `as_found`. Copies are cut anywhere: paragraphs before the first heading are
    loose, and a heading at the very end has none.
    """
    return fragment(source, DocumentKind.WEB_COPY, split_blocks(source.lines, mend), headings_own=True)
