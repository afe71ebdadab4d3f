"""Answer when something was added, changed or removed, and which things of a kind are new or gone."""

from __future__ import annotations

from collections.abc import Sequence, Set
from contextlib import suppress
from datetime import date

from ...loaders.history.items import ChangeKind, Item
from ...loaders.history.lives import bundled_lives
from ...loaders.language.dates import Period, period_called, periods
from ...loaders.language.names import either_number
from ...loaders.language.numbers import number_in
from ...ontology import RG, UnknownNameError, UsageError, in_a_list, slug
from ..finding.names import identify
from ..finding.provisions import rules_of_provision
from ..finding.recognition import recognise
from ..finding.things import locate, stands_in
from ..history.beyond import BESIDE, today
from ..history.blame import blame
from ..history.links import HistoryAnswer, outline
from ..history.rows import HistoryRow
from ..history.summary import (
    DatedHistory,
    begun,
    changes_within,
    history_of_provision,
    led,
    number_now,
    or_earlier,
)
from ..history.trace import histories_of, history_of
from ..session import Answer, Edition, Session, with_history
from .moment import TimeSpan, moment_of

_BEHIND_ALL = "cr-~"
"""What sorts behind the ids of all editions of the comprehensive rules."""

LONGEST_TITLE = 60
"""Titles with more characters than this are not compared as names."""


def called_in(session: Session, name: str, when: str) -> DatedHistory:
    """Return the rows of a history up to a time, loaded or not; the lead has the number and name then.

    An entry may be older than the loaded editions. Raises `UsageError` for words that name no time.
    """
    period, found = _period(when), history_of(session, name)
    if not found.rows:
        return led(found._replace(answered=False), *found.notes)
    until = [row for row in found.stages if row.edition[-10:] <= period.last.isoformat()]
    numbers = _of_rules(until)
    last = (numbers or until)[-1:]
    first = min(found.stages, key=lambda row: row.edition)
    path, then = [it.id for it in with_history(session.editions())], f"cr-{period.last}"
    is_known = True
    if numbers and last[0].number is not None:
        others = [place for place, row in enumerate(numbers) if row.number != last[0].number]
        since = numbers[others[-1] + 1 if others else 0].edition
        former = numbers[others[-1]].number if others and since > f"cr-{period.first}" else None
        told, at = (f"{since}; before that it was {former}", "by the end of") if former else (since, "in")
        called = named_then(session, name, period)
        said = f"{name} was {last[0].number} in {when}, since {told}.{called}"
        if "(Obsolete)" in called:
            said = f"{name} was obsolete {at} {when}.{called} Its rule became {last[0].number}, in {told}."
    elif last and last[0].number is not None:
        # Of entries, only those of loaded editions are known.
        is_known = path[-1] >= min(f"cr-{period.first}", bundled_lives().in_force(period.last))
        said = f"The rules had “{last[0].number}” in {when}, since {begun(session, last)}."
        if not is_known:
            said = f"It is not known what the rules of {when} had: {path[-1]} has “{last[0].number}”."
    elif then < (oldest := bundled_lives().editions[0]):
        is_known = False
        has = f"; it has {name}" if first.edition == oldest else ""
        said = f"No edition of {when} is known. The oldest is {oldest}{has}."
    elif last and last[0].change == ChangeKind.REMOVED:
        said = f"{name} was not in the rules in {when}: it was removed in {last[0].edition}."
    else:
        known = begun(session, found.stages)
        without = max((it for it in path if it < first.edition), default="")
        is_known = known == first.edition or without >= then
        said = f"It is not known whether the rules of {when} had {name}: they have had it since {known}."
        said = f"{name} was not in the rules in {when}: they have had it since {known}." if is_known else said
    rows = tuple(until) or (first,)
    return led(found._replace(rows=rows, answered=is_known), said)


def named_then(session: Session, name: str, period: Period) -> str:
    """Return a sentence on a thing's other name at a time: until when, and which edition uses it."""
    if number_in(name):
        return ""
    called = {it.id: own for it in with_history(session.editions()) if (own := name_in(session, it, name))}
    told = ""
    for it in bundled_lives().renamings:
        if f"cr-{period.first}" < it.since and name in either_number(it.new):
            told, shown = f"It was called {it.old} until {it.since}", (it.old, "cr-", it.since)
        elif f"cr-{period.last}" >= it.since and name in either_number(it.old):
            told, shown = f"It has been called {it.new} since {it.since}", (it.new, it.since, _BEHIND_ALL)
    if told:
        having = [key for key, own in called.items() if own == shown[0] and shown[1] <= key < shown[2]]
        return f" {told}{f'; {having[-1]} uses that name' if having else ''}."
    near = [it for it in called if it <= f"cr-{period.last}"][-1:] or [*called][:1]
    others = [it for it in near if called[it].lower() not in map(str.lower, either_number(name))]
    return "".join(f" It is called {called[it]} in {it}." for it in others)


def name_in(session: Session, edition: Edition, name: str) -> str:
    """Return the heading of a term in an edition, which may use an older or newer name; or ``""``."""
    it = identify(session, name)
    for called in (it.name, *(other.name for other in it.renamed)):
        with suppress(UnknownNameError):
            return locate(session, edition, called)[1]
    return ""


def numbers_then(session: Session, words: str, edition: str = "") -> list[str]:
    """Return what `numbered_then` says about each number in words that name a time."""
    when = next((it.name for it in periods(words)), "")
    numbers = [it.number for it in recognise(session, words).read.numbers] if when else []
    told = (numbered_then(session, it, when, edition) for it in numbers if bundled_lives().holders(it))
    return [it for it in told if it]


_Held = tuple[str, str, str]
"""The last and the first edition in which a provision had a number, and its id."""


def numbered_then(session: Session, number: str, when: str, edition: str = "") -> str:
    """Say which numbers the rule that last had a number in a time has in the loaded editions.

    Returns ``""`` if `edition` has the same rule under that number, or is not in the bundled list.
    """
    lives, period = bundled_lives(), _period(when)
    held, within, then = _held_in(number, period)
    last, _, provision = within[-1] if within else ("", "", "")
    there = lives.holding(number, edition)
    if edition and (edition not in lives.editions or provision == there or (there and not provision)):
        return ""
    if not within:
        last = max((it[0] for it in held if it[0] < then), default="")
        if not last:
            return f"No rule was {number} in {when}: the first is in {held[0][1]}."
        kept = [f", whose rule is {own} in {it}" for it, own in rules_numbered(session, number, last)[:1]]
        return f"No rule was {number} in {when}: the last edition with one is {last}{''.join(kept)}."
    numbers = {own: edition for edition, own in reversed(rules_numbered(session, number, min(last, then)))}
    if not numbers:
        return f"No loaded edition has the rule that was {number} in {when}."
    now = in_a_list([f"{own} in {it}" for own, it in reversed(numbers.items())])
    told, newest = f"The rule that was {number} in {when} is {now}.", with_history(session.editions())[-1].id
    for until, _, it in reversed(within[:-1]):
        if it != provision:
            told += f" Until {until}, {number} was a rule that is {today(number, it, until, newest)}."
    return told


def _held_in(number: str, period: Period) -> tuple[list[_Held], list[_Held], str]:
    """Return which provisions have had a number, which of them in a time, and its last edition."""
    lives = bundled_lives()
    first, then = lives.in_force(period.first), lives.in_force(period.last)
    held = sorted((it.last, it.first, own) for own, it in lives.holders(number))
    return held, [it for it in held if it[0] >= first and it[1] <= then], then


def terms_then(session: Session, words: str) -> list[str]:
    """Say which numbers the terms in words had at the time that the words name."""
    period = next(periods(words), None)
    terms = {it.name for it in recognise(session, words).things if it.kind == "term"} if period else ()
    return [line for it in sorted(terms) if period for line in called_in(session, it, period.name).lead]


def in_numbers_then(session: Session, words: str) -> tuple[str, str, str]:
    """Return words about a rule at a time with its number of that time, the edition to ask, and a remark.

    If the edition of the time lacks the number in the words, another loaded edition of that time may have
    it. Otherwise the rule that had it then is asked for in the edition that has it or, if there was none, the
    rule that had it last before is followed to that time or, for a newer number, today's rule back to it. All
    are ``""`` if the number is right or nothing is known about it.
    """
    moment, period, lives = moment_of(session, words), next(periods(words), None), bundled_lives()
    loaded = with_history(session.editions())
    where = next((it for it in loaded if moment and it.id == moment.edition), None)
    numbers = [it.number for it in recognise(session, words).read.numbers]
    if moment is None or where is None or len(numbers) != 1 or stands_in(session, where, numbers):
        return "", "", ""
    [number] = numbers
    for it in reversed(loaded):
        is_then = period and it.issued and period.first <= it.issued <= period.last
        if is_then and stands_in(session, it, numbers):
            now = number_now(session, number, it.id, where.id)
            told = f"it is {now} in {where.id}" if now else f"{where.id} does not have that rule"
            return words, it.id, f"{number} is a number of {it.id}; {told}."
    if period and (within := _held_in(number, period)[1]):
        edition, own = min(rules_numbered(session, number, within[-1][0]), default=("", ""))
        told = f"{numbered_then(session, number, period.name)} These are the words of {edition}."
        return (moment.rest.replace(number, own, 1), edition, told) if edition else ("", "", "")
    held = ((it.last, own) for own, it in lives.holders(number) if it.last < where.id)
    last, provision = max(held, default=("", ""))
    if last and (then := lives.at(lives.continued(provision, last, where.id), where.id)):
        told = f"{number} of {last} was {then.number} in {where.id}."
    elif not last and (then := lives.at(lives.holding(number, loaded[-1].id), where.id)):
        told = f"No rule was {number} in {where.id}: today’s {number} was {then.number} then."
    else:
        return "", "", ""
    return words.replace(number, then.number, 1), where.id, told


def rules_numbered(session: Session, number: str, then: str) -> list[tuple[str, str]]:
    """Return the loaded editions with the rule that had a number in the edition `then`, and its number."""
    provision = bundled_lives().holding(number, then)
    found = rules_of_provision(session, provision) if provision else []
    return [(edition, own) for edition, _, own in found]


def changed_in(session: Session, name: str, when: str, *, since: bool = False) -> DatedHistory:
    """Return a history; the lead says what changed in a time, or since: numbers, wording, and parts.

    If `name` is a number, it means the rule that had it at that time. Raises `UsageError` for words that name
    no time.
    """
    period, time = _period(when), f"{'since' if since else 'in'} {when}"
    found = _life_then(session, name, period) if number_in(name) else history_of(session, name)
    happened: dict[str, list[str]] = {}
    for edition, number, change, sure in found.stages:
        if change not in ("", *BESIDE):
            late = "" if sure is None else or_earlier(session, edition)
            which = "its entry " if number and not number_in(number) else f"{number} " if number else ""
            happened.setdefault(edition, []).append(f"{which}{change}{late}")
    own = {row.number for row in found.stages}
    for edition, numbers in changes_within(session, found).items():
        if parts := [it for it in numbers if it not in own]:
            happened.setdefault(edition, []).append(in_a_list(parts))
    first, last = f"cr-{period.first}", f"cr-{date.max if since else period.last}"
    began = min(row.edition for row in found.stages)
    if there := sorted(it for it in happened if first <= it <= last):
        told = "; ".join(f"{it}: {', '.join(happened[it])}" for it in there)
        said = f"Yes, {name} changed {time}. {told}."
    elif last < bundled_lives().editions[0]:
        return called_in(session, name, when)
    elif began > last:
        said = f"No, {name} was not in the rules {time}: they have had it since {began}."
    else:
        before = max((it for it in happened if it < first), default="")
        after = min((it for it in happened if it > last), default="")
        late = " or earlier" if all(it.endswith(" or earlier") for it in happened.get(after, ())) else ""
        sides = [f"last in {before}"] * bool(before) + [f"next in {after}{late}"] * bool(after)
        known = f": it changed {' and '.join(sides)}" if sides else ""
        said = f"No, {name} is not known to have changed {time}{known}."
    return led(found, said)


def _life_then(session: Session, number: str, period: Period) -> HistoryAnswer:
    """Return the history of the rule that last had a number in a time, loaded or not."""
    lives = bundled_lives()
    held = (lives.holding(number, lives.in_force(day)) for day in (period.last, period.first))
    provision = next(filter(None, held), "")
    return history_of_provision(session, provision) if provision else history_of(session, number)


def _of_rules(rows: Sequence[HistoryRow]) -> list[HistoryRow]:
    """Return the rows of a history that are of rules, not of entries."""
    return [row for row in rows if row.number is None or number_in(row.number)]


def numbered_since(session: Session, name: str, number: str, earlier: str = "") -> DatedHistory:
    """Return a history; the lead says since when a thing's rule has had a number, after an `earlier` one.

    Without a number, its last one is meant. Raises `UsageError` if it never had one of them.
    """
    found = history_of(session, name)
    rows = _of_rules(found.stages)
    number = number or next((row.number for row in reversed(rows) if row.number), "")
    held = [place for place, row in enumerate(rows) if row.number == number]
    if not held or (earlier and earlier not in {row.number for row in rows}):
        raise UsageError(f"{name} was never {earlier or number or 'in the rules under a number'}")
    began, ended = rows[held[0]], rows[held[-1] + 1 : held[-1] + 2]
    since = f"{began.edition}{'' if began.confidence is None else or_earlier(session, began.edition)}"
    called = "This rule" if name == number else name
    said = (
        f"was {number} from {since} until {ended[0].edition}" if ended else f"has been {number} since {since}"
    )
    was = f"; before that it was {rows[held[0] - 1].number}." if held[0] else "; no earlier number is known."
    return led(found, f"{called} {said}{was}")


def said_since(session: Session, rule: str, edition: str, sentence: str, wanted: Set[str]) -> str:
    """Say since when a rule has had a sentence with all the wanted stems, and what it said before."""
    traced = blame(session, rule, edition, alone=True, having=wanted).rows
    _, since, number, before, first, *_ = next(row for row in traced if row[0] == sentence)
    is_loaded = any(it.id == since for it in with_history(session.editions()))
    late = or_earlier(session, str(since)) if is_loaded and (before or first) else " or earlier"
    was = f", at first as {number}" if number != rule else ""
    then = f" Until then it said: “{before}”" if before else ""
    return f"{rule} has had this sentence, in some form, since {since}{late}{was}: “{sentence}”{then}"


def _period(when: str) -> Period:
    period = period_called(when)
    if period is None:
        raise UsageError(f"“{when}” is not a day, month or year")
    return period


def lives_called(session: Session, edition: str, names: Sequence[str]) -> dict[str, list[HistoryRow]]:
    """Return name → history of the rule with that number or title, or that defines the term."""
    found = rules_called(session, edition, names)
    lives = histories_of(session, edition, {it.iri: it.key for it in found.values()})
    return {name: lives[it.iri] for name, it in found.items() if it.iri in lives}


def rules_called(session: Session, edition: str, names: Sequence[str]) -> dict[str, Item]:
    """Return name → the rule with that number or title, or that defines the term."""
    [here] = [it for it in with_history(session.editions()) if it.id == edition]
    items = outline(session, here)
    rules = [it for it in items.values() if not it.is_entry]
    titles = {slug(it.text): it for it in rules if len(it.text) <= LONGEST_TITLE}
    numbers = {it.key: it for it in rules}
    defined = dict(session.pairs(session.scope(edition), RG.definedBy))
    found: dict[str, Item] = {}
    for name in names:
        rule = defined.get(session.iris.term(slug(name)), "")
        if it := numbers.get(name) or titles.get(slug(name)) or items.get(rule):
            found[name] = it
    return found


def kinds_in(life: Sequence[HistoryRow], span: TimeSpan) -> set[str]:
    """Return what happened to a rule in a time, from the rows of its history."""
    kinds = {row.change for row in life[1:] if span.holds(row.edition)} - {ChangeKind.UNCHANGED, ""}
    begun = {row.edition for row in life[:1] if span.holds(row.edition)} - {bundled_lives().editions[0]}
    return {ChangeKind.ADDED.value} if begun else kinds


def items_of(answer: Answer) -> list[str]:
    """Return the names in the rows of a list of things."""
    column = answer.columns.index("item" if "item" in answer.columns else "term")
    return [str(row[column]) for row in answer.rows]
