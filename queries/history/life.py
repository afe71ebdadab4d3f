"""A rule or entry of one edition becomes its whole life: from where it first stood to the newest edition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...loaders.history.items import ChangeKind
from ...ontology.errors import UnknownNameError
from ..finding.things import resolve
from ..session import Answer, Cells, Edition, Session, with_history
from .outcomes import journey
from .steps import Step
from .timeline import timeline
from .trace import locate, numbers_in
from .trail import COLUMNS, Trail


def life_of(session: Session, number: str, edition: str | None = None) -> Answer:
    """Return what became of a rule or entry that stands in an edition, oldest first; columns of `trace`.

    `number` may be a list or range of them, or the name of an entry; without an edition all are looked for in
    the newest that has them, one of the comprehensive rules if there is one.

    A row is there for its first edition, for each with a change, and for the newest. What was split off is
    followed back to what it was part of. An edition that is none of the comprehensive rules gives an answer
    without rows, and a note; a note says where there is one edition alone.

    Raises `UnknownNameError` for a number or a name that is not there.
    """
    wanted = numbers_in(number)
    followed = {it.id: it for it in with_history(session.editions())}
    if edition is None:
        found = resolve(session, wanted)
        wanted, edition = [it.name for it in found.things], found.scope.editions[0]
        if edition not in followed:
            having = (name for name, it in reversed(followed.items()) if _stand_in(session, it, wanted))
            edition = next(having, edition)
    if edition not in followed:
        note = "Only the comprehensive rules have a history of numbers."
        return Answer("history", COLUMNS, (), edition, (note,))
    editions = timeline(session)
    place = [it.id for it in editions].index(edition)
    standing = dict(locate(session, editions[place], it) for it in wanted)
    paths = editions[place::-1], editions[place:]
    back, onward = (Trail(session, path, journey(session, path, {*standing})) for path in paths)
    rows = tuple(row for iri, name in standing.items() for row in life(back, onward, iri, name))
    scope = f"{editions[0].id} to {editions[-1].id}"
    notes = () if len(editions) > 1 else ("Its history takes more editions of the rules than this one.",)
    return Answer("history", COLUMNS, rows, scope, notes)


def _stand_in(session: Session, edition: Edition, wanted: Sequence[str]) -> bool:
    try:
        return bool([locate(session, edition, it) for it in wanted])
    except UnknownNameError:
        return False


def lives_of(session: Session, edition: str, names: Mapping[str, str]) -> dict[str, list[Cells]]:
    """Return the rows of `life_of` for many rules and entries of an edition, by IRI.

    `names` are their numbers or slugs, by which the rows tell them. There are none where the edition is none
    of the comprehensive rules, or the only one.
    """
    editions = with_history(session.editions())
    place = next((k for k, it in enumerate(editions) if it.id == edition), None)
    if place is None or len(editions) < 2 or not names:
        return {}
    paths = editions[place::-1], editions[place:]
    back, onward = (
        Trail(session, path, journey(session, path, set(names)), headings=False) for path in paths
    )
    return {iri: life(back, onward, iri, name) for iri, name in names.items()}


def life(back: Trail, onward: Trail, iri: str, name: str) -> list[Cells]:
    """Return the rows of one rule or entry, by its IRI and label; both trails begin in its edition."""
    rows: list[Cells] = []
    here = iri, name
    for edition, links in zip(back.path, back.links, strict=False):
        origin = _origin(links.get(here[0], ()))
        if origin is None:
            break
        rows.append((edition.id, here[1], origin.change.value, origin.sure))
        here = origin.other, back.label(origin.other)
    first = back.path[len(rows)].id, here[1], "", 1.0
    told = onward.rows(iri, name)[1:]
    changed = [row for row in reversed(rows) if row[2] != ChangeKind.UNCHANGED]
    newest = [] if told or not rows or rows[0] in changed else rows[:1]
    return [first, *changed, *newest, *told]


def _origin(found: Sequence[Step]) -> Step | None:
    """Return the link to what a rule goes on from, or else to what most of it was part of."""
    return max(
        (step for step in found if step.change is not ChangeKind.MERGED),
        key=lambda step: (step.same_life, step.sure),
        default=None,
    )
