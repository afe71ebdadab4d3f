"""A question that finds nothing about an obsolete name becomes the edition to ask: the last that used it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from shlex import quote

from ...ontology.errors import UsageError
from ..catalogue.questions import ParameterKind, Question
from ..finding.names import identify
from ..session import Answer, Session

_OF_NAMES = (ParameterKind.TERM, ParameterKind.THING)


def when_in_use(
    session: Session, question: Question, args: Sequence[str], empty: Answer, ask: Callable[[str], Answer]
) -> tuple[str, ...]:
    """Return remarks on names that are obsolete where an answer found nothing: where they were in use last.

    `ask` puts the same question to an edition, by its id. A name is in use where something defines it and no
    entry calls it obsolete; of several obsolete names, the newest edition is told that used all of them.
    """
    given = zip(question.parameters, args, strict=True)
    names = _terms(session, [words for parameter, words in given if parameter.kind in _OF_NAMES])
    rows = session.run("answering", "bygone", None, {"term": list(names)}) if names else []
    obsolete: dict[str, set[str]] = {term: set() for term in names}
    defined: dict[str, set[str]] = {term: set() for term in names}
    for term, evidence, how in rows:
        where = obsolete if how == "obsolete" else defined
        where[str(term)].add(session.iris.parse(str(evidence)).edition)
    looked_at = set(empty.edition.split(", "))
    gone = [term for term in names if obsolete[term] & looked_at]
    if not gone:
        return ()
    said = " and ".join(names[term] for term in gone)
    said += f" {'is' if len(gone) == 1 else 'are'} obsolete in {empty.edition}"
    used = set.intersection(*(defined[term] - obsolete[term] for term in gone))
    last = next((it.id for it in session.editions() if it.id in used), "")
    if not last:
        return (f"{said}, and in use in no loaded edition.",)
    try:
        rows_there = len(ask(last))
    except UsageError:  # what else is named does not stand there
        return (f"{said}, and in use last in {last}.",)
    asked = " ".join(map(quote, ("rulesgraph", "ask", question.name, *args, "--edition", last)))
    return (f"{said}; `{asked}` has {rows_there} {'row' if rows_there == 1 else 'rows'}.",)


def _terms(session: Session, words: Sequence[str]) -> dict[str, str]:
    """Return the terms that words name, numbers left out: IRI → preferred name."""
    try:
        named = [identify(session, it) for it in words]
    except UsageError:  # a kind, or a part of the turn, by its label
        return {}
    return {it.key: it.name for it in named if it.kind == "term"}
