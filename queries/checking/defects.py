"""The defects of what is loaded, each with its place, its evidence, and the edition since which it stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..catalogue.checks import SEVERITIES, checks
from ..files import QUERIES
from ..session import Answer, Cells, Session
from .ages import standing_since
from .jumps import jumps
from .losses import losses

COLUMNS = ("severity", "check", "subject", "document", "line", "message", "quote", "since")

GRAVE = ("error", "warning")
"""The severities that a run of checks fails for."""


@dataclass(frozen=True, slots=True)
class _Defect:
    """A problem that a loader found; `item` is the IRI of the unit or entry that it concerns, or empty."""

    code: str
    severity: str
    message: str
    item: str
    subject: str
    document: str
    line: int | None
    quote: str


def defects(session: Session, edition: str | None = None) -> Answer:
    """Return the defects of the documents and of the graph, the gravest first.

    Those of the documents were found when they were loaded; `since` is the earliest loaded edition from
    which the same place has had the same defect without a break: a rule is followed back through its
    history, an entry by its name. Those of the graph are what `checks/` looks for: they have no line.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    scope = session.scope(edition)
    rows: list[Cells] = []
    for name in scope.editions:
        found = list(_found(session, name))
        since = standing_since(session, name, {(it.code, it.item) for it in found if it.item})
        for it in found:
            place = (it.document, it.line, it.message, it.quote)
            rows.append((it.severity, it.code, it.subject, *place, since.get((it.code, it.item), name)))
    rows += (*jumps(session, scope.editions), *losses(session, scope.editions))
    for check in checks():
        for entity, prop, value in session.select(check.text, scope.default_graphs, scope.named_graphs):
            what = f"{check.title} {prop}: {value}"
            rows.append((check.severity, check.name, session.iris.local(str(entity)), "", None, what, "", ""))
    rows.sort(key=lambda row: SEVERITIES.index(str(row[0])))
    return Answer("check", COLUMNS, tuple(rows), scope.label)


def is_grave(found: Answer) -> bool:
    """Tell whether any finding is a warning or worse."""
    return any(row[0] in GRAVE for row in found.rows)


def problems(session: Session, edition: str) -> list[Cells]:
    """Return what was found in the documents of an edition when they were loaded.

    Rows: the problem, its code, severity and message, what it concerns and how that is called, the document,
    line and quote.
    """
    return session.select(QUERIES.read("checking", "problems"), (session.iris.derived(edition),))


def _found(session: Session, edition: str) -> Iterator[_Defect]:
    iris = session.iris
    seen = set()
    for row in problems(session, edition):
        problem, code, severity, message, concerns, label, source, line, quote = row
        if problem in seen:
            continue  # a place with two titles gives a row for each
        seen.add(problem)
        yield _Defect(
            str(code),
            str(severity),
            str(message),
            str(concerns or ""),
            str(label or ""),
            iris.parse(str(source)).key if source else "",
            line if isinstance(line, int) else None,
            str(quote or ""),
        )
