"""Editions of the rules become findings where they lost what the editions before and after them agree on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..session import Cells, Edition, Session, with_history
from .witnesses import Deposition, DepositionKind, Witness, departures


def losses(session: Session, names: Sequence[str]) -> Iterator[Cells]:
    """Yield a finding for each place where one of the editions `names` departs from both its neighbours.

    An edition without one of them loaded has nothing that could bear witness: rules do go away.
    """
    order = with_history(session.editions())
    read: dict[str, Witness] = {}
    for (before, edition), (_, after) in pairwise(pairwise(order)):
        if edition.id not in names:
            continue
        three = {it.id: read.get(it.id) or witness_of(session, it) for it in (before, edition, after)}
        read = three
        document = edition.documents[0].id
        for it in departures(three[edition.id], three[before.id], three[after.id]):
            code = "lost-text" if it.lost else "altered-text"
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
