"""Find the things of a kind that are new in a time, or gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...loaders.history.items import ChangeKind
from ...loaders.language.names import singular
from ...loaders.language.numbers import number_in
from ...ontology import UsageError, slug
from ..catalogue.questions import question
from ..finding.names import identify
from ..history.diff import diff
from ..session import Answer, Session, with_history
from .dated import LONGEST_TITLE, items_of, kinds_in, lives_called, narrowed
from .moment import TimeSpan

Listed = Callable[[str], Iterable[Answer]]
"""Gives the possible answers that list things of a kind in an edition."""


def newcomers(session: Session, listed: Listed, span: TimeSpan, how: str) -> Answer:
    """Return the things of a kind that were ``added`` in a time, or ``removed``.

    Added things are in the edition after that time, and the edition before has nothing of that kind by any of
    their names; removed things, the other way round. A thing known only by its rule's number is new if the
    rule is. The rows are those of the first non-empty answer of `listed`. Raises its errors.
    """
    before, after = (span.before, span.after) if how == "added" else (span.after, span.before)
    label = f"{span.before} to {span.after}"
    former = _held(listed(before))
    answer = next((found for found in listed(after) if found.rows), None)
    if answer is None:
        return Answer("list_items", question("list_items").returns, (), label)
    called = items_of(answer)
    # Without an earlier member of the kind, we cannot tell which are new, so all count as old.
    added = set() if former and not any(map(number_in, called)) else _added(session, before, after)
    new = [
        (name, row)
        for name, row in zip(called, answer.rows, strict=True)
        if (
            former.isdisjoint(_names(session, name))
            if former and not number_in(name)
            else not added.isdisjoint(_forms(name))
        )
    ]
    found = answer._replace(rows=tuple(row for _, row in new), edition=label)
    if span.whole:
        return found
    lives = lives_called(session, after, [name for name, _ in new])
    ways = (ChangeKind.ADDED, ChangeKind.SPLIT) if how == "added" else (ChangeKind.REMOVED, ChangeKind.MERGED)
    sure = _within(session, listed, span, how) if len(lives) < len(new) else set[str]()
    # The date of a rule decides, where one is known.
    kept = tuple(
        row
        for name, row in new
        if not (
            kinds_in(lives[name], span).isdisjoint(ways) if name in lives else _forms(name).isdisjoint(sure)
        )
    )
    unknown = sum(name not in lives and _forms(name).isdisjoint(sure) for name, _ in new)
    return narrowed(found, kept, span, unknown)


def _within(session: Session, listed: Listed, span: TimeSpan, how: str) -> set[str]:
    """Return the forms of what the first and the last loaded edition of a time show to be new or gone."""
    loaded = [it.id for it in with_history(session.editions()) if span.holds(it.id)]
    ends = [next((found for found in listed(it) if found.rows), None) for it in (loaded[:1] + loaded[-1:])]
    read = [it for it in ends if it is not None]
    if len({it.name for it in read}) != 1 or len(read) != len(ends):  # an end may have no list to read
        return set()
    old, new = (_held([it]) for it in read)
    return new - old if how == "added" else old - new


def _held(answers: Iterable[Answer]) -> set[str]:
    return {form for found in answers if found.rows for name in items_of(found) for form in _forms(name)}


def _added(session: Session, before: str, after: str) -> set[str]:
    """Return the slugs of the numbers, titles and headings that were added between two editions."""
    rows = diff(session, before, after, only="added").changes.rows
    names = (str(name) for row in rows for name in row[3:5])
    return {form for name in names if len(name) <= LONGEST_TITLE for form in _forms(name)}


def _names(session: Session, name: str) -> set[str]:
    """Return the slugs of a thing's names, present and past."""
    try:
        known = identify(session, name)
    except UsageError:
        return _forms(name)
    names = (name, known.name, *(it.name for it in known.renamed))
    return {form for it in names for form in _forms(it)}


def _forms(name: str) -> set[str]:
    return {slug(name), slug(singular(name))}
