"""Say in sentences what became of a term or a rule, from its history."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...loaders.history.items import ChangeKind
from ...loaders.history.lives import bundled_lives
from ...loaders.language.numbers import number_in, order
from ...ontology.grouping import in_a_list
from ...ontology.terms import DCTERMS
from ..finding.things import locate
from ..session import Answer, Cells, Session
from .beyond import ABSORBED, changes_of, has_gaps
from .links import doubts, rules_of_entry, timeline
from .trace import histories_of, history_of

CHANGED = (ChangeKind.REWORDED, ChangeKind.MOVED_AND_REWORDED, ChangeKind.SPLIT)
"""Changes after which a rule or an entry has other words."""

_OBSOLETE = re.compile(r"\s*\(obsolete\)\s*$", re.IGNORECASE)


class DatedHistory(Answer):
    """A history, of which a limit keeps the newest rows."""

    def limited(self, limit: int | None) -> DatedHistory:
        """Return it with the rows of the latest editions, at most `limit`, in their order."""
        first = super().limited(limit)
        if not first.more or limit is None:
            return self
        ranked = sorted(range(len(self.rows)), key=lambda place: str(self.rows[place][0]))
        kept = {*ranked[-limit:]}
        rows = (row for place, row in enumerate(self.rows) if place in kept)
        return first._replace(rows=tuple(rows))


def told_history(session: Session, name: str, entry: Sequence[str] = ()) -> DatedHistory:
    """Return the history of a thing, first its state today.

    Then comes since when it is in the rules, or, if it is obsolete, what its `entry` says. Raises the errors
    of `history_of`.
    """
    found = history_of(session, name)
    lead = (*state(session, name, found.rows), *(entry or since(session, found))) if found.rows else ()
    lead = lead if len(timeline(session)) > 1 else ()
    notes = (*lead, *(note for note in found.notes if note not in lead))
    return DatedHistory("history", found.columns, found.rows, found.edition, notes, lead=lead)


def state(session: Session, name: str, rows: Sequence[Cells]) -> Iterator[str]:
    """Yield whether a thing with a history is in the newest rules, or since when it is obsolete or gone."""
    path = [it.id for it in timeline(session)]
    entry = [row for row in rows if row[1] is not None and not number_in(str(row[1]))]
    kept = {str(row[0]): bool(_OBSOLETE.search(str(row[1]))) for row in entry}
    current = max((it for it, is_marked in kept.items() if not is_marked), default="")
    marked = [it for it, is_marked in kept.items() if is_marked and it > current]
    last = str(max(rows, key=lambda row: (str(row[0]), row[1] is not None))[0])
    there = [str(row[1]) for row in rows if row[0] == path[-1] and row[1] is not None]
    if marked and there:
        first = min(str(row[0]) for row in rows)
        used = [it for it in path if first <= it < marked[0]]
        until = f": it was in use from {_begun(session, rows)} to {used[-1]}" if used else ""
        earlier = or_earlier(session, marked[0]) if used else " or earlier"
        yield f"{name} has been obsolete since {marked[0]}{earlier}{until}."
    elif there:
        now = "" if there == [name] else f", as {', '.join(dict.fromkeys(there))}"
        once = [it for it, is_marked in kept.items() if is_marked]
        until = (
            f" {once[0]} calls it obsolete, {min(it for it in kept if it > once[-1])} not." if once else ""
        )
        yield f"{name} is in the newest rules, {path[-1]}{now}.{until}"
    else:
        yield f"{name} is not in the newest rules, {path[-1]}: it went in {last}."


def changes_within(session: Session, history: Answer) -> dict[str, list[str]]:
    """Return the result of `changes_of` for the rules of a history, those of its term, and all below them."""
    newest = timeline(session)[-1]
    rules: dict[str, str] = {}
    for name in {str(row[1]): None for row in history.rows if row[0] == newest.id and row[1] is not None}:
        iri, number = locate(session, newest, name)
        own, is_defined = rules_of_entry(session, newest, iri)
        rules |= {iri: number} if number_in(number) else own if is_defined else {}
    document, below = (session.iris.document(newest.documents[0].id),), [*rules]
    while below:
        inside = session.pairs(document, DCTERMS.isPartOf, to=below, kept=True)
        keys = {it: session.iris.parse(it).key for it, _ in inside}
        below = [it for it, key in keys.items() if it == session.iris.rule(newest.id, key)]
        rules |= {it: keys[it] for it in below}
    first = min((str(row[0]) for row in history.rows), default="")
    lives = histories_of(session, newest.id, rules)
    return {edition: sorted(set(numbers), key=order) for edition, numbers in changes_of(lives, first).items()}


def or_earlier(session: Session, edition: str) -> str:
    """Return ``" or earlier"`` if what is new in an edition may be in one before it that is not loaded."""
    beside = [it for it in pairwise(timeline(session)) if it[1].id == edition]
    return " or earlier" if beside and has_gaps(beside[0]) else ""


def _begun(session: Session, rows: Sequence[Cells], oldest: str = "") -> str:
    """Return the first edition of a history, *or earlier* if no one knows: only rules are known in all."""
    first = min(str(row[0]) for row in rows)
    is_entry = not any(number_in(str(row[1])) for row in rows if row[0] == first and row[1] is not None)
    is_oldest = first == timeline(session)[0].id != bundled_lives().editions[0]
    is_unknown = first == oldest or (is_entry and (is_oldest or or_earlier(session, first)))
    return f"{first} or earlier" if is_unknown else first


def since(session: Session, history: Answer, oldest: str = "") -> Iterator[str]:
    """Yield a summary of a history: since when, its numbers or names, last change and sources.

    `oldest` is the edition before which nothing is known.
    """
    names = list(dict.fromkeys(str(row[1]) for row in history.rows if row[1] is not None))
    if len(called := [it for it in names if not number_in(it)]) == 1:
        names.remove(called[0])  # a term that never had another name
    labels = f", as {', '.join(names)}" if len(names) > 1 else ""
    own = [str(row[0]) for row in history.rows if row[2] in CHANGED and not number_in(str(row[1]))]
    late = or_earlier(session, max(own)) if own else ""
    entry = f"{max(own)}{late}" if own else ""
    parts = changes_within(session, history)
    gone = [str(row[0]) for row in history.rows if row[2] in CHANGED and number_in(str(row[1]))]
    rule = max([*parts, *gone], default="")
    where = f", in {in_a_list(parts[rule])}" if rule in parts and parts[rule] != names[-1:] else ""
    last = f"; the words last changed in {rule or entry}{where}" if rule or entry else ""
    last += f"; those of its entry in {entry}" if rule and entry else ""
    yield f"In the rules since {_begun(session, history.rows, oldest)}{labels}{last}."
    yield from (note for note in history.notes if ABSORBED in note)
    yield from doubts(history.rows)
