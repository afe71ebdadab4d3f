"""Compare an edition with those before and after it, and report what only it lost or has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...loaders.history.authority import bundled
from ...loaders.history.departures import KINDS, LEAST, compared, texts_in
from ...loaders.history.stored import stored_document
from ..session import Cells, Edition, Session, with_history
from .counts import unlikely_counts


def compared_with_neighbours(session: Session, names: Sequence[str]) -> Iterator[Cells]:
    """Yield a row for each finding on the editions `names`, with the columns of `defects`.

    Counts of rules, entries and examples that are out of line come first. The words of known editions were
    held against known copies when they were loaded; those of newer ones are held against loaded neighbours.
    """
    order = with_history(session.editions())
    for place, edition in enumerate(order):
        if edition.id not in names or len(order) < 2:
            continue
        around = order[max(0, place - 1) : place + 2]
        near = {it.id: it for it in session.counted(around)}
        before = near[order[place - 1].id] if place else None
        after = near[order[place + 1].id] if place + 1 < len(order) else None
        yield from unlikely_counts(near[edition.id], before, after)
        if before and after and edition.id > bundled().editions[-1]:
            yield from _departures(session, before, edition, after)


def _departures(session: Session, before: Edition, own: Edition, after: Edition) -> Iterator[Cells]:
    one, texts, other = (
        texts_in(stored_document(session.store, session.iris, it.id, it.documents[0].id)[0])
        for it in (before, own, after)
    )
    copies, document = f"{before.id} and {after.id}", own.documents[0].id
    found = (it for kind in KINDS for it in compared(kind, texts, one.keys(), other.keys(), copies, LEAST))
    for it in sorted(found, key=lambda it: it.first_line):
        yield it.severity.value, it.code, it.subject, document, it.first_line, it.message, it.quote, own.id
