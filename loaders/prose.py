"""A glossary that lost most of its headings becomes a document of loose paragraphs in their order."""

from __future__ import annotations

from .blocks import split_blocks
from .fragments import fragment
from .records import Document, Kind
from .source import Source


def parse(source: Source) -> Document:
    """Return what a piece of glossary prose says; raise SourceError where it holds no paragraph.

    With most headings lost, a paragraph below a heading need not belong to it: all paragraphs are
    loose, and the headings that are left are entries without paragraphs. What term each is about is
    found later, by comparison with an edition (`rulesgraph.loaders.align`).
    """
    return fragment(source, Kind.PROSE, split_blocks(source.lines), headings_own=False)
