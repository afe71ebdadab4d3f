"""Find what changed in a time, and the things of a kind that are new in it, or gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from itertools import pairwise

from ...loaders.history.items import ChangeKind
from ...loaders.language.names import plural, singular
from ...loaders.language.numbers import number_in
from ...ontology import RG, UsageError, counted, grouped, in_a_list, slug
from ..catalogue.questions import question
from ..finding.names import identify, is_name
from ..history.diff import diff, kinds_meant
from ..history.rows import HistoryRow
from ..history.summary import number_now
from ..session import Answer, Cells, Session, with_history
from .dated import LONGEST_TITLE, items_of, kinds_in, lives_called
from .moment import TimeSpan
from .running import answer_to

_GONE = {ChangeKind.REMOVED, ChangeKind.MERGED}

_MOST_UNDATED = 20  # things to name that have no date

Listed = Callable[[str], Iterable[Answer]]
"""Gives the possible answers that list things of a kind in an edition."""


def newcomers(session: Session, listed: Listed, span: TimeSpan) -> Answer:
    """Return the things of a kind that were added in a time (see also `gone`).

    They are in the edition after that time, and the edition before has nothing of that kind by any of their
    names. A thing known only by its rule's number is new if the rule is. The rows are those of the first
    non-empty answer of `listed`. Raises its errors.
    """
    before, after = span.before, span.after
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
    ways = (ChangeKind.ADDED, ChangeKind.SPLIT)
    sure = _within(session, listed, span) if len(lives) < len(new) else set[str]()
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


def gone(session: Session, kind: str, listed: Listed, span: TimeSpan) -> Answer:
    """Return the things of a kind that some loaded edition of a time had, and the last one has not.

    Those that went last come first; a note says which of them are something else now. A thing known only by
    its rule's number is gone if the rule is. Of things that may have gone before or after the time, those are
    left out whose rule did so or has no known date. The columns are those of the newest such list. Raises the
    errors of `listed`.
    """
    before, after = span.before, span.after
    editions = [it.id for it in with_history(session.editions()) if before <= it.id < after]
    current = next((it for it in listed(after) if it.rows), None)
    label = f"{before} to {after}"
    if current is None:
        return Answer("list_items", question("list_items").returns, (), label)
    now, names, held = _held(listed(after)), cache(partial(_names, session)), partial(_provisions, session)
    left, still = dict[str, tuple[str, Cells, TimeSpan]](), {*held(after).values()}
    for edition, then in reversed([*pairwise((*editions, after))]):
        between = span._replace(before=edition, after=then).compared(session)
        found = next((it for it in listed(edition) if it.rows and it.columns == current.columns), current)
        rules = held(edition) if found is not current and any(map(number_in, items_of(found))) else {}
        for name, row in zip(items_of(found), found.rows, strict=True):
            rule = rules.get(session.iris.rule(edition, name), "") if number_in(name) else ""
            is_gone = rule not in still if rule else not number_in(name) and now.isdisjoint(_forms(name))
            is_gone = is_gone and (bool(rule) or now.isdisjoint(names(name)))  # it may be renamed
            if is_gone:
                left.setdefault(rule or slug(name), (name, row, between))
    went = _went(session, [(name, it) for name, _, it in left.values()])
    sure = [(name, row) for name, row, _ in left.values() if went.get(name)]
    undated = [name for name, *_ in left.values() if name not in went]
    those = f"{len(sure)} {kind if len(sure) == 1 else plural(kind)}"
    told = f"{after} {f'lacks {those}' if sure or not span.whole else f'has all {plural(kind)}'}"
    told += f" of {counted(len(editions), 'older loaded edition')}"
    told += "" if span.whole else f" that went {span.name}"
    notes = [f"{told}. Editions that are not loaded may have others."]
    if undated:
        notes.append(f"Perhaps also, but without a known date: {in_a_list(undated, _MOST_UNDATED)}.")
    called = [name for name, _ in sure if not number_in(name)]
    if others := [f"{name} ({it})" for name in called if (it := _place(session, name, after))]:
        notes.append(f"No longer {plural(kind)}, but still in {after}: {in_a_list(others, len(others))}.")
    rows, is_known = tuple(row for _, row in sure), bool(sure or not undated)
    told_first = {"notes": (*notes, *current.notes), "lead": tuple(notes)}
    return current._replace(rows=rows, edition=label, answered=is_known, **told_first)


def _went(session: Session, left: Sequence[tuple[str, TimeSpan]]) -> dict[str, bool]:
    """Return name → whether it went in a time, for things that went between two editions around it.

    A thing is left out if only the date of its rule could decide, and has no rule.
    """
    went = {name: True for name, span in left if span.whole}
    for span in {it for _, it in left if not it.whole}:
        lives = lives_called(session, span.before, [name for name, it in left if it == span])
        went |= {name: not _GONE.isdisjoint(kinds_in(life, span)) for name, life in lives.items()}
    return went


def _place(session: Session, name: str, edition: str) -> str:
    """Return the number of the rule that defines a term in an edition, or its glossary, else ``""``."""
    try:
        found = answer_to(session, question("definition"), (name,), edition)
    except UsageError:
        return ""
    numbers = [str(row["number"]) for row in found if row.get("number")]
    return f"rule {numbers[0]}" if numbers else "glossary" if found.rows else ""


def _provisions(session: Session, edition: str) -> dict[str, str]:
    return dict(session.pairs(session.scope(edition), RG.provision, kept=True))


def _within(session: Session, listed: Listed, span: TimeSpan) -> set[str]:
    """Return the forms of what the first and the last loaded edition of a time show to be new."""
    loaded = [it.id for it in with_history(session.editions()) if span.holds(it.id)]
    ends = [next((found for found in listed(it) if found.rows), None) for it in (loaded[:1] + loaded[-1:])]
    read = [it for it in ends if it is not None]
    if len({it.name for it in read}) != 1 or len(read) != len(ends):  # an end may have no list to read
        return set()
    old, new = (_held([it]) for it in read)
    return new - old


def _held(answers: Iterable[Answer]) -> set[str]:
    return {form for found in answers if found.rows for name in items_of(found) for form in _forms(name)}


def _added(session: Session, before: str, after: str) -> set[str]:
    """Return the slugs of the numbers, titles and headings that were added between two editions."""
    rows = diff(session, before, after, only="added").changes.rows
    names = (str(name) for _, _, _, new, words, *_ in rows for name in (new, words))
    return {form for name in names if len(name) <= LONGEST_TITLE for form in _forms(name)}


def _names(session: Session, name: str) -> set[str]:
    """Return the slugs of a thing's names, present and past."""
    try:
        known = identify(session, name) if is_name(session, name) else None
    except UsageError:
        known = None
    names = (name, known.name, *(it.name for it in known.renamed)) if known else (name,)
    return {form for it in names for form in _forms(it)}


def _forms(name: str) -> set[str]:
    return {slug(name), slug(singular(name))}


def with_numbers_now(session: Session, answer: Answer) -> Answer:
    """Return a list of things with a note on the numbers in the newest edition of those with others there."""
    *older, newest = (it.id for it in with_history(session.editions()))
    if not {"item", "rule", "document"}.issubset(answer.columns):
        return answer
    named = ((str(row["item"]), str(row["rule"]), str(row["document"])) for row in answer if row["rule"])
    found = ((name, rule, number_now(session, rule, where)) for name, rule, where in named if where in older)
    told = [f"{now} ({name})" for name, rule, now in found if now and now != rule]
    note = f"In {newest} they have other numbers: {in_a_list(told, len(told))}."
    return answer._replace(notes=(note, *answer.notes)) if told else answer


def over_parts(span: TimeSpan, found_in: Callable[[TimeSpan], Answer]) -> Answer:
    """Return what is found in a time, in its one part or in both."""
    found = [found_in(it) for it in span.parts]
    # The answers of the two parts may be different ones: a list of the rules, and terms of a kind.
    last = next((it for it in reversed(found) if it.rows), found[-1])
    rows = dict.fromkeys(row for one in found for row in one.rows if one.columns == last.columns)
    apart = [one for one in found if one.rows and one.columns != last.columns]
    names = [[str(row["item" if "item" in one.columns else one.columns[0]]) for row in one] for one in apart]
    also = [f"Also: {in_a_list(own, len(own))}." for own in names]
    notes = dict.fromkeys((*also, *(note for one in found for note in one.notes)))
    label = f"{span.before} to {span.later}" if span.later else found[0].edition
    is_known = bool(rows) or all(one.answered for one in found)
    return last._replace(rows=tuple(rows), notes=tuple(notes), edition=label, answered=is_known)


def dated(session: Session, changes: Answer, span: TimeSpan, how: str = "") -> Answer:
    """Return the changes between two editions that happened in a time, or only those of one kind.

    The rows are those of `diff`, with the kind of change in that time instead of the overall one.
    """
    # A thing is called as it is after the change, else as it was before.
    places = [
        (span.after, str(new)) if new else (span.before, str(old)) for _, _, old, new, *_ in changes.rows
    ]
    lives: dict[tuple[str, str], Sequence[HistoryRow]] = {}
    for edition, names in grouped(dict.fromkeys(places)).items():
        lives |= {(edition, name): life for name, life in lives_called(session, edition, names).items()}
    kept: list[Cells] = []
    unknown = 0
    for place, (change, kind, *rest) in zip(places, changes.rows, strict=True):
        if kind == "entry" and change not in (ChangeKind.ADDED, ChangeKind.REMOVED):
            unknown += 1  # its rule has a date, but not its own words
            continue
        unknown += place not in lives
        found = kinds_in(lives.get(place, ()), span)
        if wanted := found & kinds_meant(how) if how else found:
            told = change if change in wanted else max(wanted)  # any one of them, always the same
            kept.append((told, kind, *rest))
    return narrowed(changes, tuple(kept), span, unknown)


def narrowed(answer: Answer, kept: tuple[Cells, ...], span: TimeSpan, unknown: int) -> Answer:
    """Return an answer with the rows of one time, and a note on the others."""
    note = f"Of {counted(len(answer.rows), 'change')} between {span.before} and {span.after}, "
    note += f"{len(kept)} {'is' if len(kept) == 1 else 'are'} dated {span.name}"
    no_date = f"{unknown} {'has' if unknown == 1 else 'have'} no known date"
    note += f"; {no_date}: load the editions in between." if unknown else "."
    return answer._replace(rows=kept, notes=(note, *answer.notes), answered=bool(kept) or not unknown)
