"""A rule or entry of one edition becomes its whole life: from where it first stood to the newest edition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..history.trace import COLUMNS, trace
from ..session import Answer

if TYPE_CHECKING:
    from ..session import Session

RULES = "comprehensive rules"
"""The kind of documents whose rules are followed from edition to edition."""


def life_of(session: Session, number: str, edition: str) -> Answer:
    """Return what became of a rule or entry that stands in an edition, oldest first; columns of `trace`.

    It is followed back to the earliest loaded edition that has it, and told from there on. An edition that
    is none of the comprehensive rules gives an answer without rows, and a note.
    """
    loaded = [it for it in session.editions() if it.issued and it.documents[0].kind == RULES]
    if edition not in {it.id for it in loaded}:
        note = "Only the comprehensive rules have a history of numbers."
        return Answer("history", COLUMNS, (), edition, (note,))
    oldest = min(loaded, key=lambda it: (str(it.issued), it.id))
    back = [row for row in trace(session, number, edition, oldest.id).rows if row[1] is not None]
    first = back[-1][0]
    origin = next(row for row in back if row[0] == first)
    told = trace(session, str(origin[1]), str(first))
    return Answer("history", COLUMNS, told.rows, told.edition, told.notes)
