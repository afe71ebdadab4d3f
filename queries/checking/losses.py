"""Editions of the rules become findings where they lost what other editions say that they must have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..session import Cells, Edition, Session, with_history
from .checksums import departures_from_known
from .depositions import Deposition, DepositionKind, Witness
from .testimony import Affidavit, affidavit_of, bundled_testimony
from .witnesses import Departure, departures


def losses(session: Session, names: Sequence[str]) -> Iterator[Cells]:
    """Yield a finding for each place where one of the editions `names` departs from what is known of it.

    The editions before and after it bear witness where both are loaded, and the checksums of those that come
    with the project. One neighbour alone does not: rules do go away.
    """
    order = with_history(session.editions())
    read: dict[str, Witness] = {}
    for place, edition in enumerate(order):
        if edition.id not in names:
            continue
        near = order[max(0, place - 1) : place + 2]
        heard = near if len(near) == 3 else [edition]
        read = {it.id: read.get(it.id) or witness_of(session, it) for it in heard}
        own = read[edition.id]
        found: list[Departure] = []
        if len(near) == 3:
            found += departures(own, read[near[0].id], read[near[2].id])
        told = {it.name for it in found}
        known = departures_from_known(own, bundled_testimony())
        found += (it for it in known if it.name not in told)
        for it in sorted(found, key=lambda it: it.line):
            code = "lost-text" if it.lost else "altered-text"
            document = edition.documents[0].id
            yield ("warning", code, it.name, document, it.line, it.message, it.quote, edition.id)


def witness_of(session: Session, edition: Edition) -> Witness:
    """Return the words of an edition of the rules as the store has them."""
    graphs = [session.iris.document(document.id) for document in edition.documents]
    rows = session.run("checking", "said", graphs)
    pieces = [
        Deposition(DepositionKind(str(part)), str(name), str(text), int(str(line)))
        for part, name, text, line in rows
    ]
    return Witness(edition.id, pieces)


def testimony_in(session: Session) -> Affidavit:
    """Return, as checksums, what the loaded editions of the comprehensive rules say."""
    return affidavit_of(witness_of(session, it) for it in with_history(session.editions()))
