"""The lives of rules and entries become the past of what a picture shows, through the editions loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from .graph import QUERIES, Rows, in_words
from .selection import Epoch, NodeKind, Past

if TYPE_CHECKING:
    from ..queries.session import Scope, Session

PastReader = Callable[[Mapping[str, NodeKind]], Past]
"""Tells the past of things, by IRI and kind."""


def pasts_of(session: Session, scope: Scope, rows: Rows) -> PastReader:
    """Return what tells the past of things of a scope: of rules their own, of terms that of their entries."""

    def past_of(things: Mapping[str, NodeKind]) -> Past:
        from ..queries.history.life import lives_of

        editions = sorted((str(it.issued), it.id) for it in session.editions() if it.issued)
        place = {edition: k for k, (_, edition) in enumerate(editions)}
        items = {iri: iri for iri, kind in things.items() if kind in (NodeKind.CHAPTER, NodeKind.RULE)}
        defined = in_words(rows(QUERIES.bound("entries", {})))
        for entry, term in sorted((entry, term) for term, _, entry, _ in defined):
            if things.get(term) is NodeKind.TERM:
                items[entry] = term
        stages: dict[str, Sequence[Epoch]] = {}
        for edition in scope.editions:
            parsed = {item: session.iris.parse(item) for item in items}
            names = {item: it.key for item, it in parsed.items() if it.edition == edition}
            for item, life in lives_of(session, edition, names).items():
                told = [(place[str(row[0])], str(row[1] or ""), str(row[2])) for row in life]
                stages.setdefault(items[item], told)
        return Past(tuple((edition, day) for day, edition in editions), stages)

    return past_of
