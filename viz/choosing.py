"""What people ask to see becomes a selection of the graph: around a thing, an answer, or an overview."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from . import select

if TYPE_CHECKING:
    from ..queries.session import Cells, Scope, Session
    from .selection import Selection


def choose(
    session: Session,
    *,
    around: str | None = None,
    depth: int = 1,
    answer: Sequence[str] = (),
    edition: str | None = None,
    limit: int | None = None,
) -> Selection:
    """Choose what a page shows, in the edition that the things asked about stand in.

    `around` is a term or number, shown with what is up to `depth` links away; `answer` a question in words,
    or the name of one and its arguments, whose rows are shown; without either the most connected things are.
    `limit` is how many things are shown at most.

    Raises as `queries.ask.ask` and `queries.lookup.resolve` do.
    """
    from ..queries.answering.ask import ask
    from ..queries.answering.understanding import match
    from ..queries.finding.things import resolve

    base = session.iris.base
    if answer:
        name, *values = answer
        if not values and " " in name:
            asked = match(session, name)
            name, values = asked.question.name, list(asked.args)
        told = ask(session, name, values, edition=edition)
        about = resolve(session, values[:1], edition) if values else None
        scope = about.scope if about else session.scope(edition)
        iris = about.things[0].iris if about else ()
        title = " ".join([name.replace("_", " ").capitalize(), *values])
        return select.of_answer(
            rows_of(session, scope), told, title=title, iris=iris, base=base, limit=limit or select.LIMIT
        )
    if around:
        found = resolve(session, [around], edition)
        rows = rows_of(session, found.scope)
        return select.around(
            rows, found.things[0].iris, depth=max(0, depth), base=base, limit=limit or select.LIMIT
        )
    return select.overview(rows_of(session, session.scope(edition)), base=base, limit=limit or select.LIMIT)


def rows_of(session: Session, scope: Scope) -> Callable[[str], list[Cells]]:
    """Return what runs the queries of a picture over the graphs of a scope."""
    return lambda query: session.select(query, scope.default_graphs, scope.named_graphs)
