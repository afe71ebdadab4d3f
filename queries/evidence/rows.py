"""Rows of an answer that quote whole texts become rows that quote the sentence that counts."""

from __future__ import annotations

from collections.abc import Sequence

from ..catalogue.questions import Question
from ..session import Cells, Session
from .name_finder import NameFinder
from .quotes import cut


def explained(session: Session, question: Question, rows: Sequence[Cells]) -> list[Cells]:
    """Cut the quotes of rows down to the sentence that counts, and leave out the columns that say where."""
    if not question.cut:
        return list(rows)
    kept = len(question.returns)
    quote = question.returns.index("quote")
    by_name = len(question.cut) == 1
    names = NameFinder(session, {str(row[kept]) for row in rows} if by_name else set())
    finished = []
    for row in rows:
        text = str(row[quote])
        start, end = (*row[kept:], None)[:2]
        span = None
        if by_name:
            span = names.span(text, str(start))
        elif isinstance(start, int) and isinstance(end, int):
            span = (start, end)
        finished.append((*row[:quote], cut(text, span), *row[quote + 1 : kept]))
    return finished
