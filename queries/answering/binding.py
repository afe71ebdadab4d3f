"""The arguments of a question become the terms that its query is bound to, and the graphs that it sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...ontology.errors import UnknownNameError, UsageError
from ...ontology.iris import slug
from ...ontology.query_files import literal
from ...ontology.terms import PREFIXES
from ..catalogue.questions import Parameter, ParameterKind, Question
from ..finding.things import Resolution, Thing, resolve, terms_defined_by, terms_of
from ..session import Scope, Session


def bound(
    session: Session, question: Question, args: Sequence[str], edition: str | None = None
) -> tuple[dict[str, Sequence[str]], Scope, list[str]]:
    """Return the terms that the arguments of a question stand for, and the graphs in which all of them do.

    They are what its query is run with: terms for each parameter, a scope, and remarks for people.

    Raises `UnknownNameError` for what stands for nothing, `UsageError` for what is no term or no date
    where one is asked for.
    """
    given = dict(zip(question.parameters, args, strict=True))
    naming = [parameter for parameter in given if parameter.kind.stands_in_editions]
    found = _by_label(session, naming, given, edition)
    if found is None:
        found = resolve(session, [given[parameter] for parameter in naming], edition)
    scope, notes = found.scope, list(found.notes)
    values: dict[str, Sequence[str]] = {}
    for parameter, thing in zip(naming, found.things, strict=True):
        only_term = parameter.kind is ParameterKind.TERM and thing.kind != "term"
        values[parameter.name] = _terms(session, thing, scope, notes) if only_term else thing.iris
        if parameter.kind is ParameterKind.KIND and thing.kind not in ("kind", "term"):
            values[parameter.name] = (*thing.iris, *_terms_behind(session, thing, scope))
    for parameter, words in given.items():
        if parameter.kind is ParameterKind.AUTHORITY:
            iri, scope = _find_authority(session, words, scope, edition)
            values[parameter.name] = (iri,)
        elif parameter.kind is ParameterKind.WORDS:
            values[parameter.name] = _forms(words)
        elif parameter.kind is ParameterKind.DATE:
            values[parameter.name] = (_day(words),)
    return values, scope, notes


def _by_label(
    session: Session, naming: Sequence[Parameter], given: Mapping[Parameter, str], edition: str | None
) -> Resolution | None:
    """Return the kind, the procedure or the part of the turn that is named by its label, else None."""
    given_to = {parameter.kind: given[parameter] for parameter in naming}
    if len(given_to) != 1:
        return None
    # Few questions are about these.
    if ParameterKind.KIND in given_to:
        from ..finding.kinds import resolve_kind

        return resolve_kind(session, given_to[ParameterKind.KIND], edition)
    if ParameterKind.PROCEDURE in given_to:
        from ..finding.procedures import resolve_procedure

        return resolve_procedure(session, given_to[ParameterKind.PROCEDURE], edition)
    if ParameterKind.PART in given_to:
        from ..finding.procedures import resolve_part

        return resolve_part(session, given_to[ParameterKind.PART], edition)
    return None


def _terms(session: Session, thing: Thing, scope: Scope, notes: list[str]) -> Sequence[str]:
    """Return the terms that what carries a number stands for, where only a term will do."""
    terms = _terms_behind(session, thing, scope)
    if not terms:
        raise UsageError(
            f"{thing.name} is a {thing.kind} and stands for no term", way_out="Give the name of a term."
        )
    notes.append(f"{thing.name} is asked about as the term that it stands for.")
    return terms


def _terms_behind(session: Session, thing: Thing, scope: Scope) -> Sequence[str]:
    return terms_of(session, scope, thing) or terms_defined_by(session, scope, thing)


def _forms(words: str) -> Sequence[str]:
    """Return words in small letters, as they are and in both numbers, as terms."""
    # One question takes words.
    from ...loaders.language.names import plural, singular

    small = " ".join(words.lower().split())
    return [literal(form) for form in dict.fromkeys((small, singular(small), plural(small)))]


def _day(words: str) -> str:
    """Return the first day of what a date names, as a term."""
    # Few questions name a date.
    from ...loaders.language.dates import earliest_day

    day = earliest_day(words)
    if day is None:
        raise UsageError(
            f"{words!r} is not a date", way_out="Write it as 2007-05-01, 2007/05/01, 2007-05 or 2007."
        )
    return f'"{day.isoformat()}"^^<{PREFIXES["xsd"]}date>'


def arguments_of(question: Question, args: Sequence[str]) -> tuple[str, ...]:
    """Return as many arguments as the question takes; a name of several words may come in pieces.

    Raises `UsageError` for the wrong number.
    """
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
    return tuple(args)


def is_authority(session: Session, given: str) -> bool:
    """Tell whether anybody of this name is named in brackets behind a paragraph, in any edition."""
    iri = session.iris.authority(slug(given)) if slug(given) else ""
    return any(row[0] == iri for row in session.run("finding", "authorities_anywhere"))


def _find_authority(session: Session, given: str, scope: Scope, edition: str | None) -> tuple[str, Scope]:
    """Return the IRI of an authority and the graphs in which it says something.

    That is `scope` where it is named there, else the newest edition that names it, unless `edition` was
    asked for. Raises `UnknownNameError` with those that there are.
    """
    iri = session.iris.authority(slug(given))
    if any(row[0] == iri for row in session.run("finding", "authorities", scope)):
        return iri, scope
    elsewhere = session.run("finding", "authorities_anywhere")
    naming = {session.iris.parse(str(row[2])).edition for row in elsewhere if row[0] == iri}
    if edition is None:
        for it in session.editions():
            if it.id in naming:
                return iri, session.scope(it.with_rules)
    where = f"It is named in {', '.join(sorted(filter(None, naming)))}." if any(naming) else ""
    names = sorted({str(row[1]) for row in elsewhere} - {given})
    raise UnknownNameError("authority", given, () if where else names[:5], where)
