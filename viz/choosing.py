"""What people ask to see becomes a selection of the graph: around a thing, an answer, or an overview."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..ontology.errors import UnknownNameError, UsageError
from ..queries.finding.things import resolve
from ..queries.reliance.reach import reach_of
from . import select
from .forms import LIST, form_of
from .past import pasts_of

if TYPE_CHECKING:
    from ..queries.session import Answer, Cells, Scope, Session
    from .selection import Selection


def choose(
    session: Session,
    *,
    around: str | None = None,
    depth: int = 1,
    asked: Inquiry | None = None,
    edition: str | None = None,
    limit: int | None = None,
) -> Selection:
    """Choose what a page shows, in the edition that the things asked about stand in.

    `around` is a term or number, shown with what is up to `depth` links away; `asked` an answer whose rows
    are shown; without either the most connected things are. `limit` is how many things are shown at most.

    Raises as `select.of_answer` and `queries.finding.things.resolve` do.
    """
    base, most = session.iris.base, limit or select.LIMIT
    found = None
    if around and not asked:
        found = resolve(session, [around], edition)
    scope = asked.scope if asked else found.scope if found else session.scope(edition)
    rows = rows_of(session, scope)
    if asked:
        iris = asked.about[0] if asked.about else ()
        notes = asked.answer.notes
        chosen = select.of_answer(
            rows, asked.answer, title=asked.title, iris=iris, notes=notes, base=base, limit=most
        )
    elif found:
        chosen = select.around(rows, found.things[0].iris, depth=max(0, depth), base=base, limit=most)
    else:
        chosen = select.overview(rows, base=base, limit=most)
    past = pasts_of(session, scope, rows)({node.iri: node.kind for node in chosen.nodes})
    return replace(chosen, past=past)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """An answer with its title, the scope of what it names, and the nodes of what was asked about."""

    title: str
    answer: Answer
    scope: Scope
    about: tuple[tuple[str, ...], ...]


FEW = 70
"""So many rows an answer has at most to be a graph by itself rather than lights on the map."""


def is_small(answer: Answer) -> bool:
    """Tell whether an answer is a short list of things; chains, common ground and changes are for the map."""
    return 0 < len(answer.rows) <= FEW and form_of(answer.columns) == LIST


def inquire(session: Session, asked: Sequence[str], edition: str | None) -> Inquiry:
    """Answer a question in words, or one by its name and arguments; ``why`` is one as well.

    Raises as `queries.answering.ask.ask` does.
    """
    from ..queries.answering.ask import ask
    from ..queries.answering.understanding import match
    from ..queries.reliance.interaction import why_and_where

    name, *values = asked
    if not values and " " in name:
        try:
            understood = match(session, name)
        except UsageError:
            return _in_words(session, name, edition)
        name, values = understood.question.name, list(understood.args)
        edition = edition or understood.edition or None
    if name == WHY and len(values) == 2:
        answer = why_and_where(session, *values, edition=edition, reach=reach_of(steps="all"))
    else:
        answer = ask(session, name, values, edition=edition)
    about = []
    scope = None
    for value in values:
        with suppress(UnknownNameError):  # a date or an authority is no thing of the graph
            meant = resolve(session, [value], edition)
            about.append(tuple(meant.things[0].iris))
            scope = scope or meant.scope
    return Inquiry(_title(name, values), answer, scope or session.scope(edition), tuple(about))


def _in_words(session: Session, words: str, edition: str | None) -> Inquiry:
    """Answer what is no question of the catalogue: a chain, a comparison, or by the closest rules."""
    from ..queries.answering.ask import ask

    answer = ask(session, words, edition=edition)
    meaning = answer.understood.meaning if answer.understood else ""
    return Inquiry(meaning or words, answer, session.scope(answer.edition.replace(", ", ",") or None), ())


def _title(name: str, values: Sequence[str]) -> str:
    """Return a question in words, with what it was asked about."""
    from ..queries.catalogue.questions import question

    if name == WHY:
        return f"Why does {values[0]} rely on {values[1]}?"
    asked = question(name)
    named = zip(asked.parameters, values, strict=False)
    return asked.title.format(**{parameter.name: value for parameter, value in named})


WHY = "why"
"""The question of the shortest chain between two things, which is no question of the catalogue."""


def rows_of(session: Session, scope: Scope) -> Callable[[str], list[Cells]]:
    """Return what runs the queries of a picture over the graphs of a scope."""
    return lambda query: session.select(query, scope.default_graphs, scope.named_graphs)
