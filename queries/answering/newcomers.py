"""Find what is of a kind in one edition and was not in another, under any of its names."""

from __future__ import annotations

from collections.abc import Iterator

from ...loaders.language.names import singular
from ...loaders.language.numbers import number_in
from ...ontology.errors import UsageError
from ...ontology.iris import slug
from ..catalogue.questions import question
from ..finding.names import identify
from ..history.diff import diff
from ..session import Answer, Session
from .running import answer_to

_LONGEST_TITLE = 60
"""How many characters a title has at most that is compared as a name."""


def newcomers(session: Session, kind: str, before: str, after: str) -> Answer:
    """Return those of `kind` in the edition `after` that under no name were of it in the edition `before`.

    With a later edition `before` these are those that went. What is of a kind by its number alone is new
    where the rule is. The rows are those of ``list_items``, or of ``terms_of_kind`` where nothing lists them.
    `kind` is a label of the vocabulary or a term. Raises as `ask` does.
    """
    span = " to ".join(sorted((before, after)))
    of_old = (found for found in _members(session, kind, before) if found.rows)
    former = {form for found in of_old for name in _called(found) for form in _forms(name)}
    answer = next((found for found in _members(session, kind, after) if found.rows), None)
    if answer is None:
        return Answer("list_items", question("list_items").returns, (), span)
    called = _called(answer)
    # Without one that was of the kind it cannot be told who joined it: then those that were there are old.
    is_told = bool(former)
    added = set() if is_told and not any(map(number_in, called)) else _added(session, before, after)
    rows = (
        row
        for name, row in zip(called, answer.rows, strict=True)
        if (
            former.isdisjoint(_names(session, name))
            if is_told and not number_in(name)
            else not added.isdisjoint(_forms(name))
        )
    )
    return answer._replace(rows=tuple(rows), edition=span)


def _members(session: Session, kind: str, edition: str) -> Iterator[Answer]:
    for name in ("list_items", "terms_of_kind"):
        yield answer_to(session, question(name), (kind,), edition)


def _called(answer: Answer) -> list[str]:
    column = answer.columns.index("item" if "item" in answer.columns else "term")
    return [str(row[column]) for row in answer.rows]


def _added(session: Session, before: str, after: str) -> set[str]:
    """Return the slugs of the numbers, titles and headings of what was added between two editions."""
    rows = diff(session, before, after, only="added").changes.rows
    names = (str(name) for row in rows for name in row[3:5])
    return {form for name in names if len(name) <= _LONGEST_TITLE for form in _forms(name)}


def _names(session: Session, name: str) -> set[str]:
    """Return the slugs of what something is called, now and at other times."""
    try:
        known = identify(session, name)
    except UsageError:
        return _forms(name)
    return {
        form for it in (name, known.name, *(other.name for other in known.renamed)) for form in _forms(it)
    }


def _forms(name: str) -> set[str]:
    return {slug(name), slug(singular(name))}
