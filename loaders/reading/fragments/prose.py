"""A glossary that lost most of its headings becomes a document of loose paragraphs in their order."""

from __future__ import annotations

from collections import Counter

from ...kinds import DocumentKind
from ...records import Document
from ..source import Source
from .blocks import BlockKind, split_blocks
from .filters import mend
from .parse import fragment

_KEPT = 0.5
"""Headings for each paragraph in a text that kept them; whole glossaries have two for three."""


def parse(source: Source) -> Document:
    """Return what a piece of glossary prose says; raise SourceError where it holds no paragraph.

    With most headings lost, a paragraph below a heading need not belong to it: all paragraphs are
    loose, and the headings that are left are entries without paragraphs. What term each is about is
    found later, by comparison with an edition (`rulesgraph.loaders.linking.align`). A text with a heading for
    every other paragraph kept its headings, and they own what stands below them. A copy with too little
    of a site's damage to be told as one is mended all the same.
    """
    blocks = split_blocks(source.lines, mend)
    counts = Counter(block.kind for block in blocks)
    kept = counts[BlockKind.HEADING] >= _KEPT * counts[BlockKind.PARAGRAPH]
    return fragment(source, DocumentKind.PROSE, blocks, headings_own=kept)
