"""Passages as an answer: with their reasons, the places of words in them, and the parts of each score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from ...ontology.grouping import grouped
from ..session import Answer, Scope, Session

if TYPE_CHECKING:
    # Every display of an answer checks whether it is passages; few have searched words.
    from .grammar import Spans

COLUMNS = ("number", "text", "edition", "document", "line", "score", "reason", "iri")
"""The columns of a passage."""


@dataclass(frozen=True, slots=True, repr=False)
class Passages(Answer):
    """An answer whose rows are passages, verbatim, the best first; its columns are `COLUMNS`.

    Attributes:
        marks: for each row, where its text has searched words: pairs of code points from 0, the end
        exclusive.
        parts: for each row, the parts of its score; the numbers add up to it.
        heading: a line before the rows, so that readers do not overrate them.
    """

    marks: tuple[Spans, ...] = field(default=(), kw_only=True)
    parts: tuple[Mapping[str, float], ...] = field(default=(), kw_only=True, hash=False)
    heading: str = field(default="", kw_only=True)

    _by_row: ClassVar[tuple[str, ...]] = ("rows", "marks", "parts")


def texts_of(session: Session, scope: Scope, iris: Sequence[str]) -> dict[str, str]:
    """Return the words of passages, by IRI; for a section its title."""
    if not iris:
        return {}
    if not scope.too_many:
        rows = session.run("searching", "texts", scope, {"it": iris})
        return {str(it): str(text) for it, text in rows}
    found: dict[str, str] = {}
    documents = {
        it.id: [session.iris.document(document.id) for document in it.documents] for it in session.editions()
    }
    for edition, own in grouped((session.iris.parse(it).edition, it) for it in iris).items():
        rows = session.run("searching", "texts", documents[edition], {"it": own}, kept=True)
        found |= {str(it): str(text) for it, text in rows}
    return found
