"""The defects of what is loaded, with those that shapes and the reasoner find, as one list."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...ontology.errors import UsageError

if TYPE_CHECKING:
    from ...queries.session import Answer, Session


@dataclass(frozen=True, slots=True)
class Reasoning:
    """How to reason: with explanations, over a Turtle file of one's own too, in what time and memory."""

    explain: bool = False
    own: str | Path | None = None
    seconds: float = 300
    megabytes: int = 2000

    def __post_init__(self) -> None:
        if self.seconds <= 0 or self.megabytes <= 0:
            raise UsageError("the reasoner needs some time and some memory", way_out="Give more than 0.")


def check(
    session: Session, edition: str | None, shapes: bool | str | Path, reasoning: Reasoning | None
) -> Answer:
    """Return the findings, the gravest first; see `Rules.check`."""
    from ...queries.checking.defects import defects

    found = defects(session, edition=edition)
    if shapes:
        from ...queries.checking.shapes import violations

        own = "" if shapes is True else str(shapes)
        found = found._replace(rows=(*violations(session, edition, own), *found.rows))
    if reasoning:
        reasoned = reason(session, edition, reasoning)
        rows, notes = (*reasoned.rows, *found.rows), (*found.notes, *reasoned.notes)
        found = found._replace(rows=rows, notes=notes)
    return found


def reason(session: Session, edition: str | None, how: Reasoning) -> Answer:
    """Return what contradicts; what follows is kept in the store, unless statements from elsewhere helped."""
    from ...queries.checking.conclusions import Limits, conclude

    own = None
    if how.own:
        from ...queries.checking.own_files import read_turtle
        from ...queries.checking.own_statements import Own

        own = Own(str(how.own), read_turtle(str(how.own)))
    limits = Limits(how.seconds, how.megabytes)
    reasoned = conclude(session, edition, own=own, explain=how.explain, limits=limits)
    findings = reasoned.findings
    if own:
        note = f"Nothing was written: what follows rests on {own.name} too."
    elif not findings.notes:
        from ...loaders.http.shown import without_password
        from ...loaders.infer import write_inferred

        count = write_inferred(session.store, reasoned.inferred)
        place = without_password(session.store.location)
        note = f"{count:,} statements follow; they are in {place} as inferred."
    else:
        return findings
    return findings._replace(notes=(note, *findings.notes))
