"""The vocabulary as the files that it is offered in: a page for people, Turtle and JSON for programs."""

from __future__ import annotations

from collections.abc import Callable

from ...ontology.resources import CODES_FILE, CONTEXT_FILE, SHAPES_FILE, VOCABULARY_FILES, read_bytes


def _page() -> bytes:
    from .reference import render_vocabulary

    return render_vocabulary().encode()


def _turtle() -> bytes:
    return b"\n".join(map(read_bytes, (*VOCABULARY_FILES, CODES_FILE)))


def _shapes() -> bytes:
    return read_bytes(SHAPES_FILE)


def _context() -> bytes:
    return read_bytes(CONTEXT_FILE)


def _questions() -> bytes:
    from ...queries.export.executables import questions_turtle

    return questions_turtle().encode()


OFFERED: dict[str, Callable[[], bytes]] = {
    "html": _page,
    "turtle": _turtle,
    "shapes": _shapes,
    "context": _context,
    "questions": _questions,
}
"""What each form holds, in UTF-8: the reference page; vocabulary, game and codes; SHACL shapes; JSON-LD
context; the catalogue of questions as SHACL executables."""
