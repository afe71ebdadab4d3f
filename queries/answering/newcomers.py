"""Find things of a kind that one edition has and another lacks under any name, and removed rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from ...loaders.indexing.stemmer import stems
from ...loaders.language.names import singular
from ...loaders.language.numbers import number_in
from ...loaders.language.words import telling_words
from ...ontology.errors import UsageError
from ...ontology.iris import slug
from ..catalogue.questions import question
from ..finding.names import identify
from ..finding.recognition import recognise
from ..history.diff import diff
from ..history.links import links_along, timeline
from ..searching.closest import closest
from ..searching.scores import COLUMNS, Passages
from ..session import Answer, Edition, Session

_LONGEST_TITLE = 60
"""The maximum number of characters in a title that is compared as a name."""


Listed = Callable[[str], Iterable[Answer]]
"""Gives the possible answers that list things of a kind in an edition."""


def newcomers(session: Session, listed: Listed, before: str, after: str) -> Answer:
    """Return the things of a kind in the edition `after` that had no name of that kind in `before`.

    With a later edition `before` these are the ones that went. A thing of a kind known only by its number is
    new where the rule is. The rows are those of the first non-empty answer of `listed`. Raises its errors.
    """
    span = " to ".join(sorted((before, after)))
    of_old = (found for found in listed(before) if found.rows)
    former = {form for found in of_old for name in _called(found) for form in _forms(name)}
    answer = next((found for found in listed(after) if found.rows), None)
    if answer is None:
        return Answer("list_items", question("list_items").returns, (), span)
    called = _called(answer)
    # Without any earlier member of the kind, newcomers cannot be identified: all members then count as old.
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


def _called(answer: Answer) -> list[str]:
    column = answer.columns.index("item" if "item" in answer.columns else "term")
    return [str(row[column]) for row in answer.rows]


def _added(session: Session, before: str, after: str) -> set[str]:
    """Return the slugs of the numbers, titles and headings of what was added between two editions."""
    rows = diff(session, before, after, only="added").changes.rows
    names = (str(name) for row in rows for name in row[3:5])
    return {form for name in names if len(name) <= _LONGEST_TITLE for form in _forms(name)}


def _names(session: Session, name: str) -> set[str]:
    """Return the slugs of the names of something, now and at other times."""
    try:
        known = identify(session, name)
    except UsageError:
        return _forms(name)
    return {
        form for it in (name, known.name, *(other.name for other in known.renamed)) for form in _forms(it)
    }


def _forms(name: str) -> set[str]:
    return {slug(name), slug(singular(name))}


_LOOKED_AT = 200
"""The number of closest rules of all editions that are examined."""


def departed(session: Session, words: str, limit: int) -> Passages:
    """Return the rules with all of `words` that have no successor in the next edition, the closest first.

    Columns are those of a search; the reason names the first edition without the rule.
    """
    found = closest(session, recognise(session, words, "all"), limit=_LOOKED_AT)
    wanted = _stems(words)
    rows = [row for row in found.rows if wanted <= _stems(str(row[1]))]
    path = timeline(session)
    without: dict[str, Edition] = {}
    for here, there in pairwise(path):
        rules = [str(row[7]) for row in rows if row[2] == here.id]
        [links] = links_along(session, [here, there], rules) if rules else [{}]
        without |= {rule: there for rule in rules if not links.get(rule)}
    went = [
        (*row[:6], f"in {row[2]} last; {without[str(row[7])].id} is without it", row[7])
        for row in rows
        if row[7] in without
    ]
    span = f"{path[0].id} to {path[-1].id}"
    shown = tuple(went[:limit])
    unmarked = ((),) * len(shown)
    return Passages("gone", COLUMNS, shown, span, more=len(went) - len(shown), marks=unmarked)


def _stems(words: str) -> frozenset[str]:
    return frozenset(stems(telling_words(words)).values())
