"""Define records of what a picture shows, independent of SPARQL and HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from ..ontology import BASE


class NodeKind(StrEnum):
    """The kinds of node, each with its own shape and colour."""

    TERM = "term"
    CHAPTER = "chapter"
    RULE = "rule"
    SECTION = "section"
    ENTRY = "entry"


class LinkKind(StrEnum):
    """The kinds of link, strongest first."""

    CITATION = "citation"
    NOTE = "note"
    DEFINITION = "definition"
    REDIRECT = "redirect"
    RENAMING = "renaming"
    PART = "part"
    MENTION = "mention"


STRENGTH = {kind: place for place, kind in enumerate(LinkKind)}
"""The rank of each kind of link, from the strongest (0); a link is drawn as its strongest kind."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a passage's text; `targets` are the IRIs that it names (several for a range)."""

    text: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """Text of a document with its position.

    `kind` is ``"text"``, ``"note"``, ``"ruling"`` or ``"example"``; `lines` are the first and last line in
    the source (0, 0 if unknown); the pieces joined are the text; `iri` is that of the passage.
    """

    kind: str
    pieces: tuple[Stretch, ...]
    number: str = ""
    document: str = ""
    lines: tuple[int, int] = (0, 0)
    attribution: str = ""
    iri: str = ""

    @property
    def text(self) -> str:
        """The words without their links."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(slots=True)
class Node:
    """A thing, and its place in a picture.

    `names` are its other names; `status` is ``"obsolete"``, ``"informal"`` or empty; `loaded` is false for a
    thing that is only cited, `entered` true for a term that a loaded entry defines. In a picture, `steps` is
    the distance from the focus, if there is one; a node in `reserve` is in the page, but hidden until a
    neighbour is expanded; `beyond` counts the linked things that are not in the page.
    """

    iri: str
    label: str
    kind: NodeKind
    number: str = ""
    names: tuple[str, ...] = ()
    status: str = ""
    loaded: bool = True
    passages: tuple[Passage, ...] = ()
    steps: int | None = None
    reserve: bool = False
    beyond: int = 0
    entered: bool = False

    @property
    def title(self) -> str:
        """The part of its label after its number; empty if it has no number."""
        is_numbered = self.number and self.label.startswith(self.number)
        return self.label[len(self.number) :].strip() if is_numbered else ""

    @property
    def own(self) -> list[Passage]:
        """Its passages of text, except one that only repeats its title."""
        return [it for it in self.passages if it.kind == "text" and it.text != self.title]

    @property
    def examples(self) -> list[Passage]:
        """Its passages that are examples."""
        return [it for it in self.passages if it.kind == "example"]


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed link between two shown nodes; `kinds` come strongest first."""

    source: str
    target: str
    kinds: tuple[LinkKind, ...]


HistoryStage = tuple[int, str, str]
"""A stage of a thing: the edition's place, the thing's number or slug there, and what changed (or "")."""


ThingHistory = tuple[Sequence[tuple[str, str]], Mapping[str, Sequence[HistoryStage]]]
"""The id and day of each edition, oldest first, and the stages of each thing, by IRI.

An edition that is not loaded has no id here.
"""


Highlights = dict[str, Any]
"""An answer in a picture: `title`, `form`, `about`, `notes` and `rows`.

Each row has its `things`, `how` they are meant, in a word, the sentences `said`, and `where` these are:
document and line. Things are given by their ids in the page; others are left out.
"""


@dataclass(frozen=True, slots=True)
class Selection:
    """The part of the graph that a page shows.

    `note` is a sentence that says what was chosen; `total` counts the things that it was chosen from; `focus`
    is the IRI in the middle, or empty; `history` has the stages of its things so far; `answer` has the rows
    that it was made from, if any.
    """

    title: str
    note: str
    nodes: tuple[Node, ...]
    links: tuple[Edge, ...]
    total: int
    focus: str = ""
    base: str = BASE
    history: ThingHistory = ((), MappingProxyType({}))
    answer: Highlights | None = None
