"""A question becomes an answer: its parameters found, its graphs chosen, its rows explained."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..ontology.errors import UnknownNameError, UsageError
from ..ontology.iris import slug
from . import catalog, texts
from .lookup import Thing, resolve
from .runner import Answer
from .walking import Reach

if TYPE_CHECKING:
    from .catalog import Question
    from .runner import Session
    from .scope import Scope

THINGS = ("concept", "other")
"""Parameters that name a term or carry a number; they decide the edition, too."""


TERM_ONLY = ("a term", "an obsolete or renamed term")
"""Descriptions of parameters for which an entry or a rule stands for its term."""

Walker = Callable[["Session", Sequence[str], "str | None", Reach], Answer]


def ask(
    session: Session,
    name: str,
    args: Sequence[str] = (),
    *,
    edition: str | None = None,
    reach: Reach | None = None,
) -> Answer:
    """Answer a question of the catalogue: `name` with its arguments, or a whole question in words.

    `reach` (see `walking.reach_of`) says how far questions of reliance go, and over which kinds of link;
    `edition` is an id, several (``"A,B"``) or ``"all"``. Without it the answer is taken from
    the newest loaded edition in which everything that the question names stands, and names it.

    Raises `UnknownNameError` with suggestions for an unknown question, term, number or edition, and
    `UsageError` for the wrong number of arguments. Nothing found is an answer without rows.
    """
    if not args and (" " in name.strip() or name.strip().endswith("?")):
        from .words import match

        question, args = match(session, name)
    else:
        question = catalog.question(name)
    args = _arguments(question, args)
    if question.walk:
        return _walk(question)(session, args, edition, reach or Reach())
    if reach is not None and reach != Reach():
        raise UsageError(
            f"{question.name} follows no chain of links",
            way_out="--via and --steps are for questions of reliance: terms_relying_on and its like.",
        )
    return run(session, question, args, edition)


def run(session: Session, question: Question, args: Sequence[str], edition: str | None = None) -> Answer:
    """Answer by the question's own query, with its parameters bound."""
    given = dict(zip((p.name for p in question.parameters), args, strict=True))
    named = [value for name, value in given.items() if name in THINGS]
    found = resolve(session, named, edition)
    things = dict(zip((name for name in given if name in THINGS), found.things, strict=True))
    scope = found.scope
    notes = list(found.notes)
    values: dict[str, list[str]] = {}
    for parameter in question.parameters:
        if parameter.name in things:
            thing = things[parameter.name]
            only_term = parameter.description in TERM_ONLY
            values[parameter.name] = _nodes(session, thing, scope, only_term, notes)
        elif parameter.name == "authority":
            iri, scope = _authority(session, given["authority"], scope, edition)
            values["authority"] = [iri]
        else:
            values[parameter.name] = [_date(given[parameter.name])]
    rows = session.select(texts.bind(question.text, values), scope.default_graphs, scope.named_graphs)
    if question.finish:
        from .replaced import replacements

        finished = replacements(session, scope, rows)
    else:
        from .evidence import explained

        finished = explained(session, question, rows)
    if scope.united:
        notes.append("The editions were united: what several of them say is one row for each.")
    if not finished and edition is None and len(session.editions()) > len(scope.editions):
        notes.append(f"Nothing in {scope.label}; --edition asks of another edition.")
    return Answer(question.name, question.returns, tuple(dict.fromkeys(finished)), scope.label, tuple(notes))


def _walk(question: Question) -> Walker:
    from . import reliance

    walks: Mapping[str, Walker] = {
        "terms_relying_on": reliance.terms_relying_on,
        "rules_relying_on": reliance.rules_relying_on,
        "relied_on_by_term": reliance.relied_on_by_term,
    }
    return walks[question.walk]


def _arguments(question: Question, args: Sequence[str]) -> Sequence[str]:
    """Return as many arguments as the question takes; a name of several words may come in pieces."""
    wanted = question.parameters
    if len(wanted) == 1 and len(args) > 1:
        args = (" ".join(args),)
    if len(args) != len(wanted):
        takes = ", ".join(f"{p.name} ({p.description})" for p in wanted) or "no arguments"
        raise UsageError(
            f"{question.name} takes {takes}; {len(args) or 'none'} given",
            way_out=f"{question.title}  rulesgraph ask {question.name} "
            + " ".join(p.name.upper() for p in wanted),
        )
    return args


def _nodes(session: Session, thing: Thing, scope: Scope, only_term: bool, notes: list[str]) -> list[str]:
    """Return the nodes to ask about; an entry's number stands for its term where only a term will do."""
    if not only_term or thing.kind == "term":
        return list(thing.iris)
    rows = session.run("walk", "term_of", scope, {"it": thing.iris})
    if not rows:
        rows = session.run("walk", "defined", scope, {"rule": thing.iris})
    terms = list(dict.fromkeys(str(row[1]) for row in rows))
    if not terms:
        raise UsageError(
            f"{thing.name} is a {thing.kind} and stands for no term", way_out="Give the name of a term."
        )
    notes.append(f"{thing.name} is asked about as the term that it stands for.")
    return terms


def _authority(session: Session, given: str, scope: Scope, edition: str | None) -> tuple[str, Scope]:
    """Return the IRI of an authority and the graphs in which it says something."""
    iri = session.iris.authority(slug(given))
    known = {str(row[0]): str(row[1]) for row in session.run("find", "authorities", scope, {})}
    if iri in known:
        return iri, scope
    elsewhere = session.select(texts.read_query("find", "authorities_anywhere"))
    naming = {session.iris.parse(str(row[2])).edition for row in elsewhere if row[0] == iri}
    if edition is None:
        for it in session.editions():
            if it.id in naming:
                return iri, session.scope(it.with_rules)
    where = f"It is named in {', '.join(sorted(filter(None, naming)))}." if any(naming) else ""
    names = sorted({str(row[1]) for row in elsewhere} - {given})
    raise UnknownNameError("authority", given, () if where else names[:5], where)


def _date(given: str) -> str:
    match = re.fullmatch(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?", given.strip())
    if match:
        from datetime import date

        try:
            day = date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
        except ValueError:
            day = None
        if day:
            return f'"{day.isoformat()}"^^<http://www.w3.org/2001/XMLSchema#date>'
    raise UsageError(f"{given!r} is no date", way_out="Write it as 2007-05-01, 2007/05/01, 2007-05 or 2007.")
