"""The vocabulary as the files that programs read."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import NamedTuple

from ...ontology.resources import CODES_FILE, CONTEXT_FILE, SHAPES_FILE, VOCABULARY_FILES, read_bytes


class Offer(NamedTuple):
    """A file: what it is called, what it holds, and its media type; `content` gives its bytes, in UTF-8."""

    file: str
    holds: str
    media: str
    content: Callable[[], bytes]

    @property
    def address(self) -> str:
        """The whole file as an address, by which a page can hand it out without asking anybody."""
        return f"data:{self.media};base64,{b64encode(self.content()).decode()}"


def _turtle() -> bytes:
    return b"\n".join(map(read_bytes, (*VOCABULARY_FILES, CODES_FILE)))


def _questions() -> bytes:
    from ...queries.export.executables import questions_turtle

    return questions_turtle().encode()


OFFERED = {
    "turtle": Offer(
        "rulesgraph.ttl", "classes, properties and controlled values, in Turtle", "text/turtle", _turtle
    ),
    "shapes": Offer(
        "shapes.ttl", "what data must be like, in SHACL", "text/turtle", lambda: read_bytes(SHAPES_FILE)
    ),
    "context": Offer(
        "context.jsonld",
        "the context of JSON-LD",
        "application/ld+json",
        lambda: read_bytes(CONTEXT_FILE),
    ),
    "questions": Offer(
        "questions.ttl", "the catalogue of questions, as SHACL executables", "text/turtle", _questions
    ),
}
"""The files by the names that `--as` takes."""
