"""What is loaded, and what can be asked, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...queries.session import Answer

if TYPE_CHECKING:
    from ...queries.session import Session

_COUNTED = {"entries": "Entry", "rules": "Rule"}


def contents(session: Session) -> Answer:
    """Return a row for each loaded edition, newest first; `current` marks what plain questions see."""
    rows = tuple(
        (
            edition.id,
            edition.issued,
            edition.current,
            ", ".join(dict.fromkeys(document.kind for document in edition.documents)),
            *(edition.counts.get(name, 0) for name in _COUNTED.values()),
        )
        for edition in session.editions(counts=True)
    )
    return Answer("editions", ("edition", "issued", "current", "kind", *_COUNTED), rows)


def questions() -> Answer:
    """Return a row for each question of the catalogue, in the order of their names."""
    from ...queries.catalogue.questions import questions as catalogue

    rows = tuple(
        (question.name, ", ".join(parameter.usage for parameter in question.parameters), question.title)
        for question in catalogue()
    )
    return Answer("questions", ("name", "arguments", "question"), rows)
