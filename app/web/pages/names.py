"""An edition becomes the names that are completed as one types, each with its page."""

from __future__ import annotations

from ....viz.selection import NodeKind
from .addresses import page_of
from .shelf import Shelf
from .volume import Subject

_KINDS = (NodeKind.TERM, NodeKind.CHAPTER, NodeKind.RULE, NodeKind.ENTRY)


def names(shelf: Shelf, edition: str) -> list[list[str]]:
    """Return pairs of a name and the address of its page: of terms, of rules with a title, of chapters."""
    return [
        [it.label, page_of(shelf.iris, it.iri)]
        for it in named_things(shelf, edition)
        if it.kind is NodeKind.TERM or it.title
    ]


def named_things(shelf: Shelf, edition: str) -> list[Subject]:
    """Return the terms, chapters, rules and entries of an edition that are in its documents."""
    return [it for it in shelf.volume(edition).things(*_KINDS) if it.loaded]
