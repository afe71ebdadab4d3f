"""Follow a rule by its permanent id, whether a loaded edition has it or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ...loaders.history.items import ChangeKind
from ...loaders.history.lives import Tenure, bundled_lives
from ...loaders.history.runs import Calendar
from ...loaders.language.words import split_heading
from ...ontology.errors import UnknownNameError
from ...ontology.iris import slug
from ..finding.provisions import elsewhere, rules_of_provision
from ..finding.things import Thing, numbered, stands_in
from ..session import Cells, Session, with_history
from .beyond import bundled_rows
from .trace import history_of

RELATED = ("provision", "number", "from", "to")
"""The columns of a provision's sources, and of what replaced it or a part of it."""

if TYPE_CHECKING:
    from ..finding.recognition import Recognition


class Life(NamedTuple):
    """One rule through all its numbers and wordings: `number` is its newest.

    `standing` are the loaded editions that have it, newest first, each with the IRI and the number of the
    rule; `rows` are those of `trace`; `sources` and `heirs` have the columns of `RELATED`.
    """

    provision: str
    number: str
    standing: tuple[tuple[str, str, str], ...]
    rows: tuple[Cells, ...]
    sources: tuple[Cells, ...]
    heirs: tuple[Cells, ...]


def life_of_provision(session: Session, provision: str) -> Life:
    """Return what is known about a provision, by its permanent id; raises `UnknownNameError` if unknown."""
    lives = bundled_lives()
    there = rules_of_provision(session, provision)
    tenures = lives.tenures(provision)
    if not there and not tenures:
        raise UnknownNameError(
            "provision", provision, (), "Neither a loaded edition nor the bundled file has it."
        )
    if there:
        edition, _, number = there[0]
        rows = history_of(session, number, edition, alone=True).rows
    else:
        rows = tuple(bundled_rows(provision, tenures[-1].last))
    sources, heirs = (
        tuple(row for other in others for row in _related(other))
        for others in (lives.sources(provision), lives.heirs(provision))
    )
    number = there[0][2] if there else tenures[-1].number
    return Life(provision, number, tuple(there), rows, sources, heirs)


def number_now(session: Session, number: str, edition: str) -> str | None:
    """Return what a rule of an edition is called in the newest loaded one: ``""`` if it is gone.

    It is None for an edition that is not one of the comprehensive rules.
    """
    loaded = [it.id for it in with_history(session.editions())]
    if edition not in loaded or edition == loaded[-1]:
        return number if edition in loaded else None
    # Later rows are of editions that are not loaded.
    *_, last = (row for row in history_of(session, number, edition).rows if str(row[0]) <= loaded[-1])
    return str(last[1] or "")


def numbers_now(session: Session, things: Iterable[Thing]) -> list[str]:
    """Say what rules of older editions are called in the newest loaded one, where that differs."""
    told = []
    loaded = with_history(session.editions())
    for it in things:
        standing = {session.iris.parse(iri).edition for iri in it.iris}  # in a release and its rules
        edition = next((other.id for other in loaded if other.id in standing), "")
        now = number_now(session, it.name, edition) if it.kind == "rule" else None
        if now not in (None, it.name):
            later = any(stands_in(session, other, [it.name]) for other in loaded if other.id > edition)
            last = "" if later else ", the last loaded edition with this number,"
            is_called = f"is {now} in" if now else "is gone from"
            told.append(f"{it.name} of {edition}{last} {is_called} {loaded[-1].id}.")
    return told


def in_numbers_now(session: Session, recognised: Recognition) -> tuple[Recognition, list[str]]:
    """Return a question with the rules of today for those that are only in older ones, and what to tell."""
    bygone = [it for it in recognised.things if it.kind == "rule" and not it.stands]
    told = numbers_now(session, [Thing(it.kind, it.name, (it.iri,)) for it in bygone])
    editions = {it: session.iris.parse(it.iri).edition for it in bygone}
    now = {it: number_now(session, it.name, edition) or "" for it, edition in editions.items()}
    here = numbered(session, filter(None, now.values()), recognised.scope) if bygone else {}
    things = tuple(
        it._replace(iri=here[now[it]].iris[0], name=now[it], stands=True) if now.get(it) in here else it
        for it in recognised.things
    )
    named = {it.name for it in recognised.things}
    unknown = dict.fromkeys(it.number for it in recognised.read.numbers if it.number not in named)
    told += filter(None, (elsewhere(it, it) for it in unknown))
    return recognised._replace(things=things), told


def _related(provision: str) -> list[Cells]:
    """Return the row of another provision: its last number, and from when to when it existed."""
    tenures = bundled_lives().tenures(provision)
    return [(provision, tenures[-1].number, tenures[0].first, tenures[-1].last)] if tenures else []


def entry_tenures(session: Session, key: str) -> list[Tenure]:
    """Return how long the entry of a term, by its slug, had the same words in the loaded editions.

    It is empty for a term without an entry, and if only one edition is loaded.
    If an edition between two is not loaded, the day on which its words changed is unknown.
    """
    editions = {it.id: it for it in with_history(session.editions())}
    here = next((it for it in reversed(editions.values()) if stands_in(session, it, [key])), None)
    if here is None or len(editions) == 1:
        return []
    calendar = Calendar(bundled_lives().editions, {name: str(it.issued) for name, it in editions.items()})
    names = [*editions]
    found: list[Tenure] = []
    former = ""
    for edition, heading, change, _ in history_of(session, key, here.id, alone=True).rows:
        name, called = str(edition), slug(split_heading(str(heading)).names[0]) if heading else ""
        if found and former == key and (called != key or change not in _SAME):
            before = names[names.index(name) - 1]
            found[-1] = found[-1]._replace(last=before, until=name if name in calendar.compared else "")
        if called == key and (not found or change not in _SAME):
            kind = ChangeKind(str(change)) if change else None
            came = (session.iris.term(former),) if former not in ("", key) else ()
            dated = name in calendar.compared
            found.append(
                Tenure("", name, name, "", kind or (ChangeKind.ADDED if dated else None), came, "", dated)
            )
        former = called
    if found and former == key:
        found[-1] = found[-1]._replace(last=here.id)
    return found


_SAME = (ChangeKind.UNCHANGED, ChangeKind.REFERENCES)
