"""Say how an answer differs between editions: a text or a fact of a year, and what was once true."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from ...loaders.history.lives import bundled_lives
from ...loaders.indexing.stemmer import telling_stems
from ...loaders.language.dates import Period, periods
from ...loaders.language.numbers import number_in
from ...ontology import RG, UsageError, from_to, in_a_list, with_article
from ..catalogue.questions import question
from ..finding.names import capital, identify
from ..finding.recognition import recognise
from ..history.beyond import ALONE
from ..history.links import timeline
from ..history.summary import CHANGED, changes_within, or_earlier
from ..history.trace import history_of
from ..searching.closest import closest
from ..searching.scores import Passages
from ..session import MOST_IN_VIEW, Answer, Cells, Edition, Session, with_history
from .dated import name_in, numbered_then, rules_numbered
from .histories import former
from .running import answer_to
from .sentences import APART, MOST_GONE, UNDATED, UNTOLD, since_when, subjects, went, with_all
from .slots import WordReading
from .stated import DECIDES
from .whole_texts import with_parts

AskIn = Callable[[str], Answer]
"""Answers the same question in an edition, by its id."""

_TEXTS = ("rule_text", "definition")
_FACTS = ("whether", "kinds_of")

_WAS = re.compile(r"\W*(?:was|were)\b", re.IGNORECASE)

_MOST_SEARCHED = 8
"""The maximum number of editions that are searched for sentences, one by one."""

_WHETHER = re.compile(r"\W*(?:did|was|were|could|had|is|are|do|does|can)\b", re.IGNORECASE)


class _Said(NamedTuple):
    """What an edition says; two editions say the same if their keys are equal."""

    edition: str
    key: str
    text: str


def of_its_time(session: Session, words: str, reading: WordReading, answer: Answer, ask: AskIn) -> Answer:
    """Return an answer whose lead says how it differs in the time that words name, or that its term went."""
    asked, *args = reading.asked or ("",)
    name = reading.thing or (args[0] if asked in (*_TEXTS, *_FACTS) else "")
    is_text = bool(reading.thing) or asked in _TEXTS
    if not reading.edition and asked in _FACTS and _WAS.match(words):
        once = throughout(session, words, ask)
        return once if once.rows else answer
    if not reading.edition:
        return of_former(session, name, answer) if is_text and name and not number_in(name) else answer
    period = next(periods(words), None)
    if period is None:
        return answer
    if is_text and (meant := _numbered_otherwise(session, number_in(name), period, answer)):
        return meant
    then = [it.id for it in in_force(session, period) if it.id <= answer.edition]
    changed = _changes(session, name, answer) if name else set(then)
    before = [it for it, after in pairwise(then) if any(it < x <= after for x in changed)]
    found, _ = _differing(before[-MOST_IN_VIEW:], ask)
    if found and _without_places(found[-1][1]) == _without_places(answer):
        found.pop()
    found.append((answer.edition, answer))
    editions = [edition for edition, _ in found]
    if len(found) > 1:
        columns, rows = _together([it for _, it in found])
        answer = answer._replace(columns=columns, rows=rows, edition=", ".join(editions))
    said = _held(period, editions, changed, is_text) if name else _missing(period, editions)
    if len(found) > 1 and not is_text:
        told = _told(session, found, words, editions[-1])
        said = f"The editions of {period.name} differ: {told} {said}".rstrip()
    return answer._replace(lead=(said, *answer.lead), notes=(said, *answer.notes)) if said else answer


def _numbered_otherwise(session: Session, number: str, period: Period, found: Answer) -> Answer | None:
    """Return the text of the rule that had a number at a time, if the text found is another rule's.

    It comes from the last loaded edition with the rule up to that time, else from the first after it.
    """
    said = numbered_then(session, number, period.name, found.edition) if number else ""
    if not said:
        return None
    then = bundled_lives().in_force(period.last)
    standing = {it: own for it, own in rules_numbered(session, number, then) if own}
    edition = max((it for it in standing if it <= then), default=min(standing, default=""))
    if edition:
        own = standing[edition]
        asked = partial(answer_to, session, question("rule_text"), (own,), edition)
        found = with_parts(session, asked, (own,), edition)
        held = _held(period, [edition], _changes(session, own, found), is_text=True)
        said = f"{said} This is {own} of {edition}. {held}".rstrip()
    return found._replace(lead=(said, *found.lead), notes=(said, *found.notes), answered=bool(edition))


def in_force(session: Session, period: Period) -> list[Edition]:
    """Return the loaded editions that were in force during a time, oldest first."""
    start = bundled_lives().in_force(period.first)
    first, last = f"cr-{period.first}", f"cr-{period.last}"
    return [it for it in with_history(session.editions()) if it.id == start or first <= it.id <= last]


def _changes(session: Session, name: str, found: Answer) -> set[str]:
    """Return the editions, loaded or not, in which the wording of a thing or of its parts changed."""
    here = next((it for it in session.editions() if it.id == found.edition), None)
    name = number_in(name) or (name_in(session, here, name) if here else "") or name
    life = history_of(session, name, found.edition)
    changed = {row.edition for row in life.stages if row.change in CHANGED}
    if not number_in(name) or len(found.rows) > 1:
        changed |= changes_within(session, life).keys()
    return changed


def _held(period: Period, editions: Sequence[str], changed: set[str], is_text: bool) -> str:
    """Say which editions a wording is from, and when it changed during a time or shortly before."""
    first, last = f"cr-{period.first}", f"cr-{period.last}"
    if period.first == period.last:  # a day has one text, so it did not change that day
        changed = {it for it in changed if it > editions[-1]}
    told = {
        "Before": sorted(it for it in changed if editions[-1] < it < first),
        "In": sorted(it for it in changed if first <= it <= last),
    }
    times = (f" {when} {period.name} it changed with {', '.join(own)}." for when, own in told.items() if own)
    what = "This wording is from" if is_text else "This is based on the wording of"
    return f"{what} {in_a_list(editions, len(editions))}.{''.join(times)}" if any(told.values()) else ""


def _missing(period: Period, editions: Sequence[str]) -> str:
    """Say which later editions of a time are not loaded."""
    later = [it for it in bundled_lives().editions if editions[-1] < it <= f"cr-{period.last}"]
    are = "is" if len(later) == 1 else "are"
    return f"This is from {in_a_list(editions)}: {in_a_list(later)} {are} not loaded." if later else ""


def said_then(session: Session, words: str, asked: str, edition: str) -> list[str]:
    """Return what each edition of the time in `words` says about a yes-or-no question, in sentences.

    `asked` is the question without the time, `edition` the last edition of that time. Other editions of that
    time, loaded or not, are named.
    """
    period = next((it for it in periods(words) if it.first != it.last), None)
    path = [it.id for it in in_force(session, period) if it.id < edition] if period else []
    editions = [*path, edition][-MOST_IN_VIEW:] if _WHETHER.match(asked) else []
    said = _sentences(session, asked, editions)
    lead = []
    if any(it.key for it in said):
        lead.append(capital(_by_edition(session, said, edition)))
    elif path:
        lead.append(f"Also in force then: {in_a_list(path)}. Use --edition to ask about them.")
    missing = _missing(period, [edition]) if period else ""
    return [*lead, *([missing] if missing else [])]


def _sentences(session: Session, asked: str, editions: Iterable[str]) -> list[_Said]:
    """Return the shortest sentence with all words of a question in each edition, and its number."""
    wanted = telling_stems(asked)
    said: list[_Said] = []
    for it in editions:
        found = closest(session, recognise(session, asked, it)).passages
        having = [(row, own) for row in found for own in with_all(wanted, row.text, asked)]
        shortest = sorted((len(own), own, row.number or "") for row, own in having)[:1]
        _, sentence, number = shortest[0] if shortest else (0, "", "")
        told = f"{number} “{sentence}”" if sentence else "no sentence has these words"
        said.append(_Said(it, sentence, told))
    return said


def of_former(session: Session, name: str, found: Answer) -> Answer:
    """Return the text of a term; if it comes from an older edition, the lead says that the newest lacks it.

    If no rule defines the term there, the lead says so: the rules in the rows are those that its entry cites.
    """
    followed = [it.id for it in with_history(session.editions())]
    term = identify(session, name)
    if found.edition not in followed[:-1] or term.renamed:
        return found
    newest = followed[-1]
    said = f"{term.name} is not a term in the newest edition, {newest}: this is from {found.edition}."
    cited = [str(row[0]) for row in found.rows if row[0]]
    if cited and not session.pairs(session.scope(found.edition), RG.definedBy, of=[term.key]):
        said += f" No rule there is about it; its entry refers to {in_a_list(cited)}."
    return found._replace(lead=(said, *found.lead), notes=(said, *found.notes))


def throughout(session: Session, present: str, ask: AskIn) -> Answer:
    """Return whether something is true in each loaded edition in which the wording about it changed.

    Without rows, no edition decides.
    """
    path = with_history(session.editions())
    name = next((it.name for it in recognise(session, present, "all").things if it.kind == "term"), "")
    having = [it for it in path if name and name_in(session, it, name)]
    editions = [it.id for it in having]
    if len(editions) > MOST_IN_VIEW:
        changed = _changes(session, name, Answer("history", (), (), editions[-1]))
        pairs = pairwise(editions)
        editions = editions[:1] + [it for was, it in pairs if any(was < x <= it for x in changed)]
    found, last = _differing(editions, ask)
    found = [it for it in found if it[1].name in _FACTS]
    if not any(decided(it, present) or it.name == "kinds_of" for _, it in found):
        gone = went(session, present, MOST_GONE)
        return gone if gone.rows or len(path) > _MOST_SEARCHED else _said_once(session, present, path)
    columns, rows = _together([it for _, it in found])
    is_said = any(decided(it, present) for _, it in found)
    lead = [
        *(() if is_said else ("No loaded edition says so.",)),
        capital(_told(session, found, present, having[-1].id if last == editions[-1] else last)),
    ]
    if len(path) == 1:
        lead.append(ALONE)
    label = ", ".join(edition for edition, _ in found)
    return Answer("whether", columns, rows, label, (*lead,), lead=(*lead,), answered=len(path) > 1)


def _said_once(session: Session, present: str, path: Sequence[Edition]) -> Answer:
    """Return the sentences with all words of a question, if some editions lack them."""
    said = _sentences(session, present, [it.id for it in path])
    rows = tuple((it.text.split()[0], it.key, it.edition) for it in said if it.key)
    if len({bool(it.key) for it in said}) == 1:  # all or none have one, so nothing was true only once
        return Answer("said_once", (), (), "")
    lead = (capital(_by_edition(session, said, path[-1].id)),)
    # The first edition may say the same in other words.
    is_told = bool(said[0].key)
    columns = ("number", "quote", "document")
    return Answer("said_once", columns, rows, path[-1].id, lead, lead=lead, answered=is_told)


def _together(answers: Sequence[Answer]) -> tuple[tuple[str, ...], tuple[Cells, ...]]:
    """Return the columns and rows of several answers; with answers to `whether`, kinds take their columns."""
    if len({it.columns for it in answers}) == 1:
        return answers[0].columns, tuple(row for it in answers for row in it.rows)
    rows: list[Cells] = []
    for it in answers:
        told = ((f"is {with_article(str(row[1]))}", None, *row[3:]) for row in _by_sentences(it.rows))
        rows += it.rows if it.name == "whether" else told
    return next(it.columns for it in answers if it.name == "whether"), tuple(rows)


def _by_sentences(rows: Sequence[Cells]) -> list[Cells]:
    """Return only the kinds that whole sentences give, if any do; headings say less."""
    return [row for row in rows if str(row[3]).endswith(".")] or [*rows]


def _differing(editions: Iterable[str], ask: AskIn) -> tuple[list[tuple[str, Answer]], str]:
    """Return each edition whose answer differs from the one before, with its answer.

    Also returns the last edition that has an answer, ``""`` if none has.
    """
    found: list[tuple[str, Answer]] = []
    last = ""
    for edition in editions:
        with suppress(UsageError):  # it has no such thing
            answer = ask(edition)
            is_answer = answer.rows and answer.understood and answer.understood.meaning
            last = edition if is_answer else last
            if is_answer and not (found and _without_places(answer) == _without_places(found[-1][1])):
                found.append((edition, answer))
    return found, last


def _without_places(answer: Answer) -> set[tuple[str, ...]]:
    """Return the rows of an answer without what says where, or in which set of cards, they stand."""
    places = ("number", "document", "line", "current_as")
    kept = [at for at, it in enumerate(answer.columns) if it not in places]
    return {tuple(re.sub(r"\d+(?:\.\d+[a-z]*)?", "#", str(row[at])) for at in kept) for row in answer.rows}


def _told(session: Session, found: Sequence[tuple[str, Answer]], words: str, last: str) -> str:
    """Say what editions say about a fact: *until cr-A: is “…”; from cr-B: …*; or which rows."""
    if any(it.name not in _FACTS for _, it in found):
        return f"the rows are from {in_a_list([edition for edition, _ in found], len(found))}, in this order."
    is_asked = any(decided(it, words) for _, it in found)
    said = [
        _Said(edition, key, ": ".join((key, quote)))
        for edition, it in found
        for key, quote in (decided(it, words) or _otherwise(it, is_asked),)
    ]
    return _by_edition(session, said, last)


def _by_edition(session: Session, told: Sequence[_Said], last: str) -> str:
    """Say what editions say, up to a `last` one, wherever it differs from the edition before."""
    changed = (it for was, it in pairwise(told) if it.key != was.key)
    (first, _, own), *later = (told[0], *changed)
    path = [it.id for it in with_history(session.editions())]
    if not later:
        said = f"{from_to(first, last)}: {own}"
    else:
        since = (f"from {it}{or_earlier(session, it)}: {text}" for it, _, text in later)
        said = "; ".join((f"until {path[path.index(later[0].edition) - 1]}: {own}", *since))
    return said if said.endswith(".”") else f"{said}."


def decided(answer: Answer, words: str) -> tuple[str, str] | None:
    """Return what an answer says about a fact, and its sentence; None if it does not decide."""
    if answer.name == "whether":
        deciding = [row for row in answer.rows if row[0] in DECIDES]
        found = min(deciding, key=lambda row: DECIDES.index(str(row[0])), default=None)
        number = f" ({found[1]})" if found and found[1] else ""
        return (str(found[0]), f"“{found[2]}”{number}") if found else None
    if answer.name != "kinds_of":
        return None
    wanted = telling_stems(words)
    asked = [wanted - telling_stems(str(row[0])) for row in answer.rows]
    # *Was it always a keyword* asks for a keyword ability.
    kinds = [
        row for it, row in zip(asked, answer.rows, strict=True) if it and it <= telling_stems(str(row[1]))
    ]
    return _kind(kinds) if kinds else None


def _otherwise(answer: Answer, is_asked: bool) -> tuple[str, str]:
    says, told = (
        _kind(answer.rows) if answer.name == "kinds_of" else ("both are named", f"“{answer.rows[0][2]}”")
    )
    return f"{'not stated, but ' if is_asked else ''}{says}", told


def _kind(rows: Sequence[Cells]) -> tuple[str, str]:
    row = _by_sentences(rows)[0]
    return with_article(str(row[1])), f"“{row[3]}”"


def of_the_past(session: Session, words: str, found: Passages) -> tuple[Sequence[str], bool]:
    """Return what to say before the closest rules if words ask about the past, and whether that answers them.

    Without an answer, this is the history of the one thing that they name. It is empty for other words.
    """
    said, is_known = since_when(session, words, found)
    if said not in (UNDATED, UNTOLD):
        return ([said] if said else []), is_known
    things = {it.iri: it for it in recognise(session, words).standing if it.kind in ("term", "rule")}
    about = [*things.values()] if len(things) == 1 else subjects(words, things.values())
    told = former(session, about[0]).lead if about else ()
    lead = APART if told and said == UNDATED else said
    return [ALONE if len(timeline(session)) == 1 else lead, *told], False
