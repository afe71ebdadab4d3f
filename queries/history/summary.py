"""Say in sentences what happened to a term or rule, and follow a rule by its permanent id, loaded or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ...loaders.history.items import ChangeKind
from ...loaders.history.lives import bundled_lives
from ...loaders.history.tenures import Calendar, Tenure
from ...loaders.language.numbers import number_in, order, wholes
from ...loaders.language.words import split_heading
from ...ontology import DCTERMS, UnknownNameError, in_a_list, slug
from ..finding.provisions import elsewhere, rules_of_provision
from ..finding.things import Thing, locate, numbered, stands_in
from ..session import Answer, Cells, Session, with_history
from .beyond import ABSORBED, ALONE, BESIDE, bundled_rows, changes_of, has_gaps, namesakes, today
from .links import HistoryAnswer, rules_of_entry, timeline
from .rows import HistoryRow, doubts
from .trace import histories_of, history_of

CHANGED = (ChangeKind.REWORDED, ChangeKind.MOVED_AND_REWORDED, ChangeKind.SPLIT)
"""Changes that give a rule or an entry other words."""

_OBSOLETE = re.compile(r"\s*\(obsolete\)\s*$", re.IGNORECASE)


class DatedHistory(HistoryAnswer):
    """A history; a limit keeps its newest rows."""

    def limited(self, limit: int | None) -> DatedHistory:
        """Return it with the rows of the latest editions, at most `limit`, in their order."""
        first = super().limited(limit)
        if not first.more or limit is None:
            return self
        ranked = sorted(range(len(self.rows)), key=lambda place: self.stages[place].edition)
        kept = {*ranked[-limit:]}
        rows = (row for place, row in enumerate(self.rows) if place in kept)
        return first._replace(rows=tuple(rows))


def told_history(session: Session, name: str, entry: Sequence[str] = ()) -> DatedHistory:
    """Return the history of a thing; the lead says what it is today.

    The lead also says since when it has been in the rules or, if it is obsolete, what its `entry` says.
    Raises the errors of `history_of`.
    """
    found = history_of(session, name)
    lead = (*state(session, name, found.stages), *(entry or since(session, found))) if found.rows else ()
    return led(found, *lead, *(note for note in found.notes if note == ALONE))


def led(found: Answer, *lead: str) -> DatedHistory:
    """Return a history with some sentences as its lead."""
    notes = (*lead, *(note for note in found.notes if note not in lead))
    kept = found.columns, found.rows, found.edition
    return DatedHistory("history", *kept, notes, lead=lead, answered=found.answered)


def history_of_number(session: Session, number: str, *, former: bool) -> DatedHistory:
    """Return the history of a number's rule, and when other rules had the number.

    If a `former` rule is asked for, it is the one that had the number in the newest loaded edition, else the
    last that lost it, if any did. The lead says what it is today.
    """
    found, lives = told_history(session, number), bundled_lives()
    held = (
        lives.holders(number) if former and any(row.edition in lives.editions for row in found.stages) else ()
    )
    newest = timeline(session)[-1].id
    now, here = (lives.holding(number, it) for it in (lives.editions[-1], newest))
    lost = {it: own.last for it, own in reversed(held) if it != now}
    if not lost:
        return led(found, *found.lead, *(it for it in found.notes if it.startswith(f"{number} was another")))
    rule = here if here in lost else max(lost, key=lost.__getitem__)
    own = history_of_provision(session, rule)
    newest = newest if newest > lost[rule] else ""  # else one of the numbers would be of another time
    was = f"Until {lost[rule]}, {number} was a rule that is {today(number, rule, lost[rule], newest)}."
    return led(own, was, *namesakes(number, rule, own.stages, newest))


def state(session: Session, name: str, rows: Sequence[HistoryRow]) -> Iterator[str]:
    """Yield whether a thing with a history is in the newest rules, or since when it is obsolete or gone."""
    path, kept = [it.id for it in timeline(session)], _marked(rows)
    loaded = "loaded " if path[-1] < bundled_lives().editions[-1] else ""
    current = max((it for it, is_marked in kept.items() if not is_marked), default="")
    marked = [it for it, is_marked in kept.items() if is_marked and it > current]
    last = max(rows, key=lambda row: (row.edition, row.number is not None)).edition
    known = [row.number for row in rows if row.edition <= path[-1]]
    there = [row.number for row in rows if row.edition == path[-1] and row.number is not None]
    there = there or [it for it in known[-1:] if it is not None]  # a number of which no text is loaded
    if marked and there:
        first = min(row.edition for row in rows)
        used = [it for it in path if first <= it < marked[0]]
        earlier = or_earlier(session, marked[0]) if used else " or earlier"
        # Editions in between that are not loaded may have it, too.
        later = " or later" if earlier else ""
        until = f": it was in use from {begun(session, rows)} to {used[-1]}{later}" if used else ""
        yield f"{name} has been obsolete since {marked[0]}{earlier}{until}."
    elif there:
        now = "" if there == [name] else f", as {', '.join(dict.fromkeys(there))}"
        once = [it for it, is_marked in kept.items() if is_marked]
        until = (
            f" {once[0]} calls it obsolete, {min(it for it in kept if it > once[-1])} does not."
            if once
            else ""
        )
        changes = [row for row in rows if row.edition > path[-1] and row.change != ChangeKind.UNCHANGED]
        next_ = min(changes, key=lambda row: row.edition, default=None)
        as_number = f", as {next_.number}" if next_ and next_.number else ""
        then = f"; it was {next_.change} in {next_.edition}{as_number}" if next_ else ""
        yield f"{name} is in the newest {loaded}rules, {path[-1]}{now}{then}.{until}"
    elif not known:
        yield f"{name} is not in {path[-1]}: it came in {rows[0].edition}."
    else:
        late = or_earlier(session, last) if kept else ""  # of rules, all editions are known
        yield f"{name} is not in the newest {loaded}rules, {path[-1]}: it disappeared in {last}{late}."


def _marked(rows: Iterable[HistoryRow]) -> dict[str, bool]:
    """Return whether the entry in each edition of a history calls its term obsolete."""
    named = ((row.edition, row.number) for row in rows if row.number is not None)
    return {edition: bool(_OBSOLETE.search(name)) for edition, name in named if not number_in(name)}


def last_in_use(session: Session, rows: Sequence[HistoryRow]) -> str:
    """Return the last edition that uses a thing with a history, if it is marked as obsolete, else ``""``."""
    path, marked = [it.id for it in timeline(session)], _marked(rows)
    begun, ended = min(marked, default=""), min((it for it in marked if marked[it]), default="")
    is_gone = bool(ended) and marked[max(marked)]
    return max((it for it in path if begun <= it < ended), default="") if is_gone else ""


def changes_within(session: Session, history: HistoryAnswer) -> dict[str, list[str]]:
    """Return the result of `changes_of` for the rules of a history, those of its term, and all below them."""
    newest = timeline(session)[-1]
    rules: dict[str, str] = {}
    there = (row.number for row in history.stages if row.edition == newest.id and row.number is not None)
    for name in dict.fromkeys(there):
        iri, number = locate(session, newest, name)
        own, is_defined = rules_of_entry(session, newest, iri)
        rules |= {iri: number} if number_in(number) else own if is_defined else {}
    document, below = (session.iris.document(newest.documents[0].id),), [*rules]
    while below:
        inside = session.pairs(document, DCTERMS.isPartOf, to=below, kept=True)
        keys = {it: session.iris.parse(it).key for it, _ in inside}
        below = [it for it, key in keys.items() if it == session.iris.rule(newest.id, key)]
        rules |= {it: keys[it] for it in below}
    first = min((row.edition for row in history.stages), default="")
    lives = histories_of(session, newest.id, rules) | _later_parts(rules.values(), newest.id)
    return {edition: sorted(set(numbers), key=order) for edition, numbers in changes_of(lives, first).items()}


def _later_parts(numbers: Iterable[str], newest: str) -> dict[str, list[HistoryRow]]:
    """Return the rows of rules that came below others after the `newest` loaded edition, by permanent id."""
    lives, own = bundled_lives(), [*numbers]
    last, here = lives.editions[-1], {lives.holding(it, newest) for it in own}
    if not newest < last or newest not in lives.editions:
        return {}
    above = {it.number for provision in here if (it := lives.at(provision, last))}
    below = (it for it in lives.numbers if not above.isdisjoint(wholes(it)))
    later = {provision for number in below if (provision := lives.holding(number, last))}
    return {provision: bundled_rows(provision, last) for provision in sorted(later - here)}


def or_earlier(session: Session, edition: str) -> str:
    """Return ``" or earlier"`` if what is new in an edition may be in one before it that is not loaded."""
    beside = [it for it in pairwise(timeline(session)) if it[1].id == edition]
    return " or earlier" if beside and has_gaps(beside[0]) else ""


def begun(session: Session, rows: Sequence[HistoryRow], oldest: str = "") -> str:
    """Return the first edition of a history, *or earlier* if unknown: of entries, not all are known."""
    first = min(row.edition for row in rows)
    is_entry = not any(number_in(row.number or "") for row in rows if row.edition == first)
    is_oldest = first == timeline(session)[0].id != bundled_lives().editions[0]
    is_unknown = first == oldest or (is_entry and (is_oldest or or_earlier(session, first)))
    return f"{first} or earlier" if is_unknown else first


def since(session: Session, history: HistoryAnswer, oldest: str = "") -> Iterator[str]:
    """Yield a summary of a history: since when, its numbers or names, last change and sources.

    `oldest` is the edition before which nothing is known.
    """
    # Headings that differ in quotes or in a remark on their state are one, in its last form.
    numbers = (row.number for row in history.stages if row.number is not None)
    names = list({split_heading(it).names: it for it in numbers}.values())
    if len(called := [it for it in names if not number_in(it)]) == 1:
        names.remove(called[0])  # a term that never had another name
    labels = f", as {', '.join(names)}" if len(names) > 1 else ""
    reworded = [row for row in history.stages if row.change in CHANGED]
    own = [row.edition for row in reworded if not number_in(row.number or "")]
    late = or_earlier(session, max(own)) if own else ""
    entry = f"{max(own)}{late}" if own else ""
    parts = changes_within(session, history)
    gone = [row.edition for row in reworded if number_in(row.number or "")]
    rule = max([*parts, *gone], default="")
    where = f", in {in_a_list(parts[rule])}" if rule in parts and parts[rule] != names[-1:] else ""
    last = f"; the words last changed in {rule or entry}{where}" if rule or entry else ""
    last += f"; those of its entry in {entry}" if rule and entry else ""
    # Texts may have used a name before it had an entry.
    place = "rules" if any(number_in(row.number or "") for row in history.stages) else "glossary"
    yield f"In the {place} since {begun(session, history.stages, oldest)}{labels}{last}."
    yield from (note for note in history.notes if ABSORBED in note)
    yield from doubts(history.stages)


RELATED = ("provision", "number", "from", "to")
"""The columns of a provision's sources, and of what replaced it or a part of it."""

if TYPE_CHECKING:
    from ..finding.recognition import Recognition


class Life(NamedTuple):
    """One rule through all its numbers and wordings: `number` is its newest.

    `standing` are the loaded editions that have it, newest first, each with the IRI and the number of the
    rule; `rows` are those of `trace`; `sources` and `heirs` have the columns of `RELATED`.
    """

    provision: str
    number: str
    standing: tuple[tuple[str, str, str], ...]
    rows: tuple[HistoryRow, ...]
    sources: tuple[Cells, ...]
    heirs: tuple[Cells, ...]


def history_of_provision(session: Session, provision: str) -> HistoryAnswer:
    """Return the history of a provision; raises `UnknownNameError` if it is unknown."""
    for edition, _, number in rules_of_provision(session, provision):  # the newest has its number
        return history_of(session, number, edition)
    return history_of(session, provision)


def life_of_provision(session: Session, provision: str) -> Life:
    """Return what is known about a provision, by its permanent id; raises `UnknownNameError` if unknown."""
    lives = bundled_lives()
    there = rules_of_provision(session, provision)
    tenures = lives.tenures(provision)
    if not there and not tenures:
        raise UnknownNameError(
            "provision", provision, (), "Neither a loaded edition nor the bundled file has it."
        )
    rows = history_of_provision(session, provision).stages
    sources, heirs = (
        tuple(row for other in others for row in _related(other))
        for others in (lives.sources(provision), lives.heirs(provision))
    )
    number = there[0][2] if there else tenures[-1].number
    return Life(provision, number, tuple(there), rows, sources, heirs)


def number_now(session: Session, number: str, edition: str, later: str = "") -> str | None:
    """Return the number of an edition's rule in a `later` loaded edition: ``""`` if it is gone.

    By default, that is the newest. Returns None for an edition that is not one of the comprehensive rules.
    """
    loaded = [it.id for it in with_history(session.editions())]
    until = later or loaded[-1] if loaded else ""
    if edition not in loaded or edition == until:
        return number if edition in loaded else None
    lives = bundled_lives()
    if {edition, until} <= {*lives.editions} and (own := lives.holding(number, edition)):
        now = lives.at(lives.continued(own, edition, until) if edition < until else own, until)
        return now.number if now else ""
    # Later rows are of editions that are not loaded.
    until_then = [row for row in history_of(session, number, edition).stages if row.edition <= until]
    return until_then[-1].number or "" if until_then else ""


def numbers_now(session: Session, things: Iterable[Thing]) -> list[str]:
    """Say which numbers rules of older editions have in the newest loaded one, if they differ."""
    told = []
    loaded = with_history(session.editions())
    for it in things:
        standing = {session.iris.parse(iri).edition for iri in it.iris}  # in a release and its rules
        edition = next((other.id for other in loaded if other.id in standing), "")
        now = number_now(session, it.name, edition) if it.kind == "rule" else None
        if now not in (None, it.name):
            later = any(stands_in(session, other, [it.name]) for other in loaded if other.id > edition)
            last = "" if later else ", the last loaded edition with this number,"
            is_called = f"is {now} in" if now else "is gone from"
            told.append(f"{it.name} of {edition}{last} {is_called} {loaded[-1].id}.")
    return told


def in_numbers_now(session: Session, recognised: Recognition) -> tuple[Recognition, list[str]]:
    """Return a question with the rules of its edition for those that only others have, and remarks."""
    bygone = [it for it in recognised.things if it.kind == "rule" and not it.stands]
    told = numbers_now(session, [Thing(it.kind, it.name, (it.iri,)) for it in bygone])
    editions = {it: session.iris.parse(it.iri).edition for it in bygone}
    where = next(iter(recognised.scope.editions), "")
    now = {it: number_now(session, it.name, edition, where) or "" for it, edition in editions.items()}
    here = numbered(session, filter(None, now.values()), recognised.scope) if bygone else {}
    things = tuple(
        it._replace(iri=here[now[it]].iris[0], name=now[it], stands=True) if now.get(it) in here else it
        for it in recognised.things
    )
    named = {it.name for it in recognised.things}
    unknown = dict.fromkeys(it.number for it in recognised.read.numbers if it.number not in named)
    told += filter(None, (elsewhere(it, it) for it in unknown))
    return recognised._replace(things=things), told


def _related(provision: str) -> list[Cells]:
    """Return the row of another provision: its last number, and from when to when it existed."""
    tenures = bundled_lives().tenures(provision)
    return [(provision, tenures[-1].number, tenures[0].first, tenures[-1].last)] if tenures else []


def entry_tenures(session: Session, key: str) -> list[Tenure]:
    """Return how long a term's entry, by its slug, kept each wording in the loaded editions.

    Empty for a term without an entry, and if only one edition is loaded. If an edition in between is not
    loaded, the day of a change is unknown.
    """
    editions = {it.id: it for it in with_history(session.editions())}
    here = next((it for it in reversed(editions.values()) if stands_in(session, it, [key])), None)
    if here is None or len(editions) == 1:
        return []
    calendar = Calendar(bundled_lives().editions, {name: str(it.issued) for name, it in editions.items()})
    names = [*editions]
    found: list[Tenure] = []
    former = ""
    for name, heading, change, _ in history_of(session, key, here.id, alone=True).stages:
        called = slug(split_heading(heading).names[0]) if heading else ""
        if found and former == key and (called != key or change not in BESIDE):
            before = names[names.index(name) - 1]
            found[-1] = found[-1]._replace(last=before, until=name if name in calendar.compared else "")
        if called == key and (not found or change not in BESIDE):
            kind = ChangeKind(change) if change else None
            came = (session.iris.term(former),) if former not in ("", key) else ()
            dated = name in calendar.compared
            found.append(
                Tenure("", name, name, "", kind or (ChangeKind.ADDED if dated else None), came, "", dated)
            )
        former = called
    if found and former == key:
        found[-1] = found[-1]._replace(last=here.id)
    return found
