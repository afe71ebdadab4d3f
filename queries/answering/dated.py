"""Answer when something came, changed, or went: a sentence with the date before its history."""

from __future__ import annotations

import re

from ...loaders.history.items import ChangeKind
from ...loaders.history.lives import bundled_lives
from ...loaders.language.dates import Period, period_called, periods
from ...loaders.language.numbers import number_in
from ...ontology.errors import UsageError
from ...ontology.grouping import in_a_list
from ...ontology.terms import RG
from ..finding.names import identify
from ..finding.provisions import rules_of_provision
from ..history.summary import CHANGED, DatedHistory, changes_within, or_earlier, told_history
from ..history.trace import history_of
from ..searching.scores import Passages
from ..session import Answer, Session, with_history

_WHEN = re.compile(
    r"\W*(?:since when|when|in (?:which|what) (?:year|edition))\s+(?:did|was|were)\b", re.IGNORECASE
)
_OF_A_GAME = re.compile(r"\b(?:i|me|my|we|our|you|your|he|she|his|her|they|opponents?)\b", re.IGNORECASE)


def called_in(session: Session, name: str, when: str) -> DatedHistory:
    """Return the last rows of a history up to a time, loaded or not, first the number or name then.

    Raises `UsageError` for words that name no time.
    """
    period = _period(when)
    found = history_of(session, name)
    until = [row for row in found.rows if str(row[0])[-10:] <= period.last.isoformat()]
    numbers = [row for row in until if row[1] is None or number_in(str(row[1]))]
    last = (numbers or until)[-1:]
    first = min(found.rows, key=lambda row: str(row[0]))
    if last and last[0][1] is not None:
        said = f"{name} was {last[0][1]} in {when}, since {last[0][0]}."
    else:
        said = f"{name} was not in the rules in {when}: they have it since {first[0]}."
    rows = tuple(until) or (first,)
    return DatedHistory("history", found.columns, rows, found.edition, (said, *found.notes), lead=(said,))


def changed_in(session: Session, name: str, when: str) -> DatedHistory:
    """Return a history, first what changed in a time: numbers, words, and the words of parts.

    A number is that of a rule at that time. Raises `UsageError` for words that name no time.
    """
    period = _period(when)
    found = _life_then(session, name, period) if number_in(name) else history_of(session, name)
    happened: dict[str, list[str]] = {}
    for edition, number, change, sure in found.rows:
        if change not in ("", ChangeKind.UNCHANGED, ChangeKind.REFERENCES):
            late = "" if sure is None else or_earlier(session, str(edition))
            which = "its entry " if number and not number_in(str(number)) else f"{number} " if number else ""
            happened.setdefault(str(edition), []).append(f"{which}{change}{late}")
    own = {row[1] for row in found.rows}
    for edition, numbers in changes_within(session, found).items():
        if parts := [it for it in numbers if it not in own]:
            happened.setdefault(edition, []).append(in_a_list(parts))
    first, last = f"cr-{period.first}", f"cr-{period.last}"
    began = min(str(row[0]) for row in found.rows)
    if there := sorted(it for it in happened if first <= it <= last):
        told = "; ".join(f"{it}: {', '.join(happened[it])}" for it in there)
        said = f"Yes, {name} changed in {when}. {told}."
    elif began > last:
        said = f"No, {name} was not in the rules in {when}: they have it since {began}."
    else:
        before = max((it for it in happened if it < first), default="")
        after = min((it for it in happened if it > last), default="")
        late = " or earlier" if all(it.endswith(" or earlier") for it in happened.get(after, ())) else ""
        sides = [f"last before that in {before}"] * bool(before) + [f"next in {after}{late}"] * bool(after)
        known = f": it changed {', '.join(sides)}" if sides else ""
        said = f"No, no change of {name} in {when} is known{known}."
    return DatedHistory(
        "history", found.columns, found.rows, found.edition, (said, *found.notes), lead=(said,)
    )


def _life_then(session: Session, number: str, period: Period) -> Answer:
    """Return the history of the rule that last had a number in a time, loaded or not."""
    lives = bundled_lives()
    held = [lives.holding(number, lives.in_force(day)) for day in (period.last, period.first)]
    provision = next(filter(None, held), "")
    for edition, _, then in rules_of_provision(session, provision) if provision else ():
        return history_of(session, then, edition)
    return history_of(session, provision or number)


def numbered_since(session: Session, name: str, number: str, earlier: str = "") -> DatedHistory:
    """Return a history, first since when the rule of a thing has had a number, after an `earlier` one.

    Raises `UsageError` if it never had one of them.
    """
    found = history_of(session, name)
    rows = [row for row in found.rows if row[1] is None or number_in(str(row[1]))]
    held = [place for place, row in enumerate(rows) if row[1] == number]
    if not held or (earlier and earlier not in {row[1] for row in rows}):
        raise UsageError(f"{name} never was {earlier or number}")
    began, ended = rows[held[0]], rows[held[-1] + 1 : held[-1] + 2]
    since = f"{began[0]}{'' if began[3] is None else or_earlier(session, str(began[0]))}"
    called = "" if name == number else f"{name} "
    said = f"was {number} from {since} until {ended[0][0]}" if ended else f"has been {number} since {since}"
    was = f"; before that it was {rows[held[0] - 1][1]}." if held[0] else ", from its beginning."
    said = f"{called or 'This rule '}{said}{was}"
    return DatedHistory(
        "history", found.columns, found.rows, found.edition, (said, *found.notes), lead=(said,)
    )


def held_until(session: Session, words: str, name: str, found: Answer) -> Answer:
    """Return the text of a thing in one edition, first when it changed later in a time that words name."""
    period = next((it for it in periods(words) if it.first != it.last), None)
    if period is None:
        return found
    life = history_of(session, name, found.edition)
    changed = {str(row[0]) for row in life.rows if row[2] in CHANGED}
    if not number_in(name) or len(found.rows) > 1:
        changed |= changes_within(session, life).keys()
    later = sorted(it for it in changed if found.edition < it <= f"cr-{period.last}")
    if not later:
        return found
    said = f"These words are of {found.edition}. In {period.name} they changed in {', '.join(later)}."
    return found._replace(lead=(said, *found.lead), notes=(said, *found.notes))


def of_former(session: Session, name: str, found: Answer) -> Answer:
    """Return the text of a term, first that the newest edition lacks it if an older one was asked.

    If no rule defines it there, the rules among the rows are those that its entry refers to.
    """
    followed = [it.id for it in with_history(session.editions())]
    term = identify(session, name)
    if found.edition not in followed[:-1] or term.renamed:
        return found
    said = (
        f"{term.name} is no term of the newest edition, {followed[-1]}: these words are of {found.edition}."
    )
    cited = [str(row[0]) for row in found.rows if row[0]]
    if cited and not session.pairs(session.scope(found.edition), RG.definedBy, of=[term.key]):
        said += f" No rule there is about it: its entry refers to {in_a_list(cited)}."
    return found._replace(lead=(said, *found.lead), notes=(said, *found.notes))


def _period(when: str) -> Period:
    period = period_called(when)
    if period is None:
        raise UsageError(f"“{when}” is no day, month or year")
    return period


def undated(session: Session, words: str, found: Passages) -> tuple[str, ...]:
    """Return what to say before the closest rules if words ask when the rules changed: no date is known.

    It has since when the closest rule has had its words.
    """
    if not _WHEN.match(words) or _OF_A_GAME.search(words):
        return ()
    number = str(found.rows[0][0] or "") if found.rows else ""
    said = "No date is known for this."
    if number:
        life = told_history(session, number)
        said = " ".join((said, f"The closest rule of today is {number}:", *life.lead[1:2]))
    return (said,)
