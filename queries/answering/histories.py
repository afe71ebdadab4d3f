"""Read questions about the history of one thing: what happened to it, and when."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from functools import partial

from ...loaders.history.lives import bundled_lives
from ...loaders.indexing.stemmer import telling_stems
from ...loaders.language.dates import Period, period_called
from ...loaders.language.lexicon import How
from ...loaders.language.names import singular
from ...loaders.language.numbers import number_in
from ...loaders.language.words import sentences
from ...ontology import UnknownNameError, UsageError, counted, with_article
from ..catalogue.questions import question
from ..finding.kinds import kind_called
from ..finding.names import identify
from ..finding.recognition import Recognised
from ..history.links import HistoryAnswer, timeline
from ..session import Answer, Session
from .moment import since_called
from .running import answer_to, command, said_of_obsolete
from .slots import SlotValues, WordReading
from .understanding import name_alone

_BEFORE_ALL = Period(date.min, date.min, 0, 0)
"""A time before every edition: all that is known comes after it."""

_OF_RULES = re.compile(r"(?i)^(?:the )?(?:(?:rules|edition) of )?(?:the )?(?:cr-)?|(?: rules| edition)?$")
"""Matches the words around the date of an edition: *the 2008 rules*."""


def _subject(it: Recognised | str) -> tuple[str, tuple[Recognised, ...]]:
    """Return the name of a thing, and the thing itself unless it is given as a number."""
    return (it, ()) if isinstance(it, str) else (it.name, (it,))


def life(session: Session, given: SlotValues, *, former: bool = False) -> Iterator[WordReading]:
    """Yield the reading for the history of a rule, given by its number, or of a term's entry.

    A number may mean a `former` rule that has another number today.
    """
    it = given.get("concept") or given["number"]
    name, things = _subject(it)
    meaning = f"What is the history of {name}?" if things else f"What became of rule {name}?"
    yield WordReading(meaning, command("trace", name), partial(_life_of, session, it, former=former), things)


def _life_of(session: Session, it: Recognised | str, *, former: bool = False) -> HistoryAnswer:
    """Return the history of a rule, given by its number, or of a thing; the lead says what it is today.

    The lead also has former names that no row has, and which other rules had the number.
    """
    from ..history.summary import history_of_number, led, told_history
    from .dated import named_then

    if isinstance(it, str):
        return history_of_number(session, it, former=former)
    if it.how is How.PLAYERS and number_in(it.name):
        said = f"No text uses the name “{it.used}”, so it has no date: this is the history of {it.name}."
        return told_history(session, it.name, [said])
    newest = timeline(session)[-1].id
    found = told_history(session, it.name, said_of_obsolete(session, {it.iri: it.name}, newest))
    named = named_then(session, it.name, _BEFORE_ALL).strip()
    known = {row.number for row in found.stages if row.number}
    former_name = next((old for old in known if it.how is How.OLD and old.lower() == it.used.lower()), "")
    if former_name:
        return _renamed(session, it.name, former_name)
    if not named or any(f"was called {old} until" in named for old in known):
        return found
    lead = (*found.lead, named) if named.startswith("It is called") else (named, *found.lead)
    return led(found, *lead)


def became(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for since when a thing has had a number, or for the history of one of two things.

    Without another thing, the number is today's. Of two names of one thing, the newer is followed; of two
    things, the obsolete one.
    """
    it, number = given["concept"], given.get("other", "")
    rule = number_in(it if isinstance(it, str) else it.name)
    if rule and not isinstance(number, str) and not number_in(number.name):  # *was 502.9 always trample*
        it, number = number, rule
    one, other = (it if isinstance(it, str) else it.name for it in (it, number))
    if isinstance(number, str):
        from .dated import numbered_since

        thing, things = (other or one, ()) if isinstance(it, str) else (one, (it,))
        since = partial(numbered_since, session, thing, other, one if isinstance(it, str) else "")
        meaning = f"Since when has {one} been {other}?" if other else f"Since when has {one} had its number?"
        yield WordReading(meaning, command("trace", thing), since, things)
        return
    # *Was bury ever a keyword action* does not ask what replaced it.
    found = None if kind_called(session, other) else _replaced(session, one, other)
    if found:
        answer, name = found
        named = tuple(it for it in given.values() if isinstance(it, Recognised))
        yield WordReading(f"What is the history of {name}?", command("trace", name), answer, named)


def _replaced(session: Session, one: str, other: str) -> tuple[Callable[[], Answer], str] | None:
    """Return the history of what replaced another thing, and its name; None if the rules do not say.

    The two are names of one thing at different times, or one of them is obsolete.
    """
    from ..history.summary import told_history

    named = [identify(session, it) for it in (one, other)]
    for it, beside in (named, named[::-1]):
        for alias in it.renamed:
            if beside.key in (alias.iri, it.key):
                new, old = (alias.name, it.name) if alias.later else (it.name, alias.name)
                return partial(_renamed, session, new, old), new
    newest = timeline(session)[-1].id
    for it in named:
        if told := said_of_obsolete(session, {it.key: it.name}, newest):
            return partial(told_history, session, it.name, told), it.name
    return None


def _renamed(session: Session, new: str, old: str) -> HistoryAnswer:
    """Return the history of a thing; the lead says since when it has had its new name."""
    from ..history.summary import led, or_earlier, told_history
    from .dated import name_in

    found = told_history(session, new)
    own = [it.edition for it in found.stages if (it.number or "").split(" (")[0].lower() == new.lower()]
    known = [it.since for it in bundled_lives().renamings if (it.old, it.new) == (old, new)]
    if not known and not own:
        return found
    since = known[-1] if known else own[0]
    said = f"{old} has been called {new} since {since}{'' if known else or_earlier(session, since)}"
    before = [it.id for it in timeline(session) if it.id < since and name_in(session, it, old) == old]
    return led(found, f"{said}; {before[-1]} uses the old name." if before else f"{said}.", *found.lead)


def became_kind(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for since when a thing has had a rule, if it is of the kind that words name."""
    it, said = given["concept"], name_alone(given["kind"])
    kind = "" if isinstance(it, str) else _kind_of(session, it.name, said)
    if kind:
        answer = partial(_ruled_since, session, it.name, kind)
        meaning = f"Since when has {it.name} been {with_article(kind)}?"
        yield WordReading(meaning, command("trace", it.name), answer, (it,))


def _kind_of(session: Session, name: str, said: str) -> str:
    """Return the kind of a thing that words name, in full or in part: *keyword*; ``""`` for none."""
    try:
        rows = answer_to(session, question("kinds_of"), (name,), None).rows
        labels = [str(row[1]) for row in rows if row[2] != "used to be"]
        part = re.compile(rf"\b{re.escape(singular(said.lower()))}\b")
        found = next((it for it in labels if part.search(it.lower())), "")
        kind = None if found or not labels else kind_called(session, said)
        told = answer_to(session, question("whether"), (name, kind.name), None).rows if kind else ()
    except UsageError:  # it is no term
        return ""
    return kind.name if kind and any(row[0] == "is" for row in told) else found


def _ruled_since(session: Session, name: str, kind: str) -> Answer:
    """Return a thing's history; the lead says since when its rule has called it so, or else has existed."""
    from ..history.summary import led, told_history
    from .dated import said_since

    found = told_history(session, name)
    ruled = [(str(row[0]), str(row[1])) for row in found.rows if number_in(str(row[1]))]
    if not ruled or found.rows[-1][2] == "removed":  # a rule that is gone was not about what it is today
        return found
    wanted, here = telling_stems(f"{name} {kind}"), timeline(session)[-1].id
    texts = (
        answer_to(session, question("definition"), (name,), here).rows if len(timeline(session)) > 1 else ()
    )
    told = [
        (str(row[0]), text[start:end])
        for row, text in ((row, str(row[1])) for row in texts)
        for start, end in sentences(text)
        if row[0] and text.startswith(f"{name} is ", start) and wanted <= telling_stems(text[start:end])
    ]
    since, number = min(ruled)
    was = f", at first as {number}" if (ruled[-1][0], number) not in ruled else ""
    is_older = since < timeline(session)[0].id
    then = " Its first wording is not loaded, and may have said something else." if is_older else ""
    said = f"{name} is {with_article(kind)}: there has been a rule about it since {since}{was}.{then}"
    if told:  # the rule cannot have said so before it came
        said = said_since(session, told[0][0], here, told[0][1], wanted).replace(f"{since} or earlier", since)
    return led(found, said, *found.lead)


def formerly(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for the sentences of a rule or term, with what they said before."""
    it = given["concept"]
    name, things = _subject(it)
    typed, answer = command("blame", name), partial(former, session, it)
    yield WordReading(f"What did {name} say before?", typed, answer, things)


def former(session: Session, it: Recognised | str) -> Answer:
    """Return what `blame` says about a thing, changed sentences first; the lead has the newest change.

    For an obsolete thing, return its definition in the last edition that used it.
    """
    from ..history.beyond import ALONE
    from ..history.blame import blame
    from ..history.summary import CHANGED, changes_within, last_in_use

    name = it if isinstance(it, str) else it.name
    history = _life_of(session, it)
    if last := last_in_use(session, history.stages):
        defined = answer_to(session, question("definition"), (name,), last)
        return defined._replace(lead=history.lead, notes=(*history.lead, *defined.notes))
    found = blame(session, name)
    rows = sorted(found.rows, key=lambda row: (row[3] is not None, str(row[1])), reverse=True)
    changed = [row for row in rows if row[3] is not None]
    told = next((row for row in changed if number_in(str(row[6]))), changed[0]) if changed else None
    said = []
    if told:
        said = [f"Before {told[1]}, {told[2]} said: “{told[3]}”"]
    elif len(timeline(session)) == 1:
        said = [ALONE]
    elif not (changes_within(session, history) or any(row.change in CHANGED for row in history.stages)):
        said = [f"Every loaded edition that has {name} has the same wording."]
    lead = tuple(dict.fromkeys((*said, *history.lead)))
    return found._replace(rows=tuple(rows), lead=lead, notes=(*lead, *found.notes))


def _at_a_time(
    answer: str, meaning: str, session: Session, given: SlotValues, **more: bool
) -> Iterator[WordReading]:
    """Yield the reading for a function of `dated.py`, about a time for which no edition need be loaded."""
    from . import dated

    when, (name, things) = given["when"], _subject(given["concept"])
    told = partial(getattr(dated, answer), session, name, when, **more)
    yield WordReading(meaning.format(name, when), command("trace", name), told, things)


def _from_then(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for the rule that had a number at a time, not the one that has it today."""
    from ..history.summary import led
    from ..history.trace import trace
    from .dated import numbered_then

    number, when = given["number"], _OF_RULES.sub("", given["when"])
    if period := period_called(when):
        then = bundled_lives().in_force(period.last)

        def told() -> Answer:
            return led(trace(session, number, then), numbered_then(session, number, when))

        typed = f"{command('trace', number)} --from {then}"
        yield WordReading(f"What became of {number} of {when}?", typed, told)


def _since_unloaded(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for changes since a time, from the bundled list, if no two texts can be compared."""
    span = None
    with suppress(UnknownNameError):
        span = since_called(session, given["when"])
    if span is None or span.before == span.after:
        yield from _at_a_time("changed_in", "Did {} change since {}?", session, given, since=True)


OF_ONE_THING: Mapping[str, Callable[[Session, SlotValues], Iterator[WordReading]]] = {
    "then": life,
    "fate": partial(life, former=True),
    "life": life,
    "whereabouts": life,
    "became": became,
    "numbered": became,
    "numbered_now": became,
    "became_kind": became_kind,
    "formerly": formerly,
    "number_from": _from_then,
    "number_then": partial(_at_a_time, "called_in", "Which number did {} have in {}?"),
    "changed_during": partial(_at_a_time, "changed_in", "Did {} change in {}?"),
    "within_unloaded": _since_unloaded,
}
"""The function for each of the questions of `computed.txt` about one thing."""


def how_named(it: Recognised) -> str:
    """Return a remark if the words used another name for a thing, else ``""``.

    >>> how_named(Recognised("term", "", "Sacrifice", "sac", 0, 3, How.PLAYERS, note="Short for giving up."))
    '"sac" is Sacrifice, in players\\' words: short for giving up.'
    """
    if it.how in (How.EXACT, How.FORM, How.NUMBER):
        return ""
    note = f": {it.note[0].lower()}{it.note[1:]}" if it.note else "."
    return f'"{it.used}" is {it.name}, {it.how.value}{note}'


def newest(session: Session, listed: Callable[[str], Iterable[Answer]], edition: str) -> Answer:
    """Return the things of a kind in an edition, and since when each has had a rule, newest first."""
    from .dated import items_of, lives_called

    names = next((items_of(found) for found in listed(edition) if found.rows), [])
    lives = {
        name: [row for row in life if str(row[0]) <= edition]
        for name, life in lives_called(session, edition, names).items()
    }
    rows = sorted(((str(life[0][0]), name, life[-1][1]) for name, life in lives.items()), reverse=True)
    others = len({*names}) - len(rows)
    notes = (f"{counted(others, 'thing')} of this kind left out: no rule of its own gives it a date.",)
    return Answer("newest", ("since", "item", "number"), tuple(rows), edition, notes if others else ())
