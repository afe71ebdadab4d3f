"""Answer words: the question that they ask, or what is known about the thing they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice, product
from typing import Any

from ...loaders.language.dates import Period, period_called, periods
from ...loaders.language.everyday import SMALL
from ...loaders.language.lexicon import How
from ...loaders.language.numbers import number_in, parent
from ...loaders.language.words import words_in
from ...ontology import RulesMissingError, UnknownNameError, UsageError, in_a_list
from ..cards.current import NO_CARDS, current_cards
from ..catalogue.questions import question
from ..finding.kinds import kinds_within
from ..finding.names import capital
from ..finding.recognition import Recognised, Recognition, recognise
from ..finding.things import section_named
from ..history.links import HistoryAnswer
from ..reliance.levels import Reach
from ..searching.plain_words import MAY_COVER, untold_in, without_tournaments, words_of_tournaments
from ..searching.scores import Passages
from ..session import Answer, Session, Understood
from .card_lists import doubts_of_cards
from .changes import of_sets, within_card
from .counts import of_how_many, with_numbers
from .histories import how_named
from .members import catalogued
from .moment import in_the_present, moment_beside
from .readings import SHOWN_BARE, of_second_clause, readings
from .running import command, said_of_obsolete
from .slots import WordReading
from .spelling import asking_respelled, in_the_passive, of_several
from .understanding import LONG_AGO, NO_YEAR, refusal
from .whole_texts import FOR_A_LIST, no_such_list, whole_list, with_literal, words_asked_for

_NAME = re.compile(r"[a-z]+(?:[_-][a-z]+)*", re.IGNORECASE)
"""Matches the name of a question in the catalogue."""

_WAS_A = re.compile(r"\W*(?:was|were)\b.+\ban?\b", re.IGNORECASE)

_MOST_OTHERS = 3  # other readings offered


def answer_in_words(
    session: Session, words: str, edition: str | None, reach: Reach | None, limit: int | None = None
) -> Answer:
    """Answer a question in words by the likeliest reading that finds something.

    If no question fits, `limit` of the closest rules are returned, ten by default.

    Raises the errors of `ask` if the words are close to a question of the catalogue but name nothing known,
    and `RulesMissingError` if no edition is loaded.
    """
    if not words.strip():
        raise UsageError("the question is empty", way_out="`rulesgraph ask --list` lists some.")
    words, asked = whole_list(session, of_several(in_the_passive(asking_respelled(words))), edition)
    if section := section_named(session, words, edition, whole=False):
        from ..searching.search import LIMIT, search

        return search(session, f"in:{section[0]}", edition=section[1], limit=limit or LIMIT)
    if literal := words_asked_for(session, words, edition):
        return with_literal(session, words, literal, edition, limit)
    if current_cards(session):
        from .carded import closest_to, of_cards

        answered = of_cards(session, words, edition, within_card)
        if answered or (answered := closest_to(session, SHOWN_BARE.sub("", words), edition, limit)):
            return answered
    if not session.editions():
        raise RulesMissingError
    # A question that no rule can answer is not one of the catalogue: *how many magic cards are there*.
    is_apart = untold_in(words) or any(of_sets(words, sure=True))
    likely = iter(()) if is_apart else of_how_many(partial(readings, session), asked, edition, reach, limit)
    likely = chain(likely, _once(session, words, edition), of_second_clause(session, words, edition))
    silent: list[str] = []
    undecided: list[str] = []  # what the rules do not say in so many words
    failed: UsageError | None = None
    for reading in likely:
        try:
            answer = reading.answer()
        except UsageError as error:
            if reading.loose:
                continue
            failed = error
            break
        if answer.rows:
            if edition is None:
                from .over_time import of_its_time

                other = partial(_asked_in, session, words, reading.edition)
                answer = of_its_time(session, words, reading, answer, other)
            notes = (*undecided, *_asked_of(edition, reading.edition), *answer.notes)
            answer = answer._replace(notes=(*notes, *_elsewhere(session, words, edition)))
            return _told(with_numbers(words, answer, whole=bool(reading.asked)), reading, likely)
        if reading.asked[:1] == ("whether",):  # that no rule says so is reported with any other answer
            undecided += answer.notes
            continue
        if not reading.loose and reading.settled:
            return _told(answer, reading, ())
        if not reading.loose:
            # Rules follow, so "Nothing" would be wrong.
            told = (it.replace("Nothing in ", "No direct answer in ") for it in answer.notes)
            silent += (f"“{reading.meaning}” has no direct answer.", *told)
    then = _in_numbers_then(session, words, edition, failed, (reach, limit))
    found = then or _closest(session, words, edition, [*undecided, *silent], limit)
    return found._replace(lead=(*undecided, *found.lead), answered=False) if undecided else found


def _in_numbers_then(
    session: Session, words: str, edition: str | None, failed: UsageError | None, given: tuple[Any, ...]
) -> Answer | None:
    """Answer words with the number that a rule had at the time they name, if they name another.

    Otherwise returns None, or raises what `failed` before. `given` is passed on to `answer_in_words`.
    """
    from .dated import in_numbers_then

    asked, then, told = ("", "", "") if edition else in_numbers_then(session, words)
    if told:
        found = answer_in_words(session, asked, then, *given)
        return found._replace(lead=(told, *found.lead), notes=(told, *found.notes))
    if failed:
        raise failed
    return None


def _asked_in(session: Session, words: str, meant: str, edition: str) -> Answer:
    """Answer words in an edition, without the time that they name if they mean another edition."""
    moment = moment_beside(session, words, edition) if meant else None
    return answer_in_words(session, moment.rest if moment else words, edition, None)


def _asked_of(edition: str | None, meant: str) -> tuple[str, ...]:
    """Return a remark if a question names another edition than the one the caller gave."""
    told = f"The question names a time, so it was asked about {meant}, not about {edition}."
    return (told,) if edition and meant and meant != edition else ()


def _once(session: Session, words: str, edition: str | None) -> Iterator[WordReading]:
    """Yield the reading for whether something was once true, in each edition, if words ask that."""
    once = f"{words} once" if _WAS_A.match(words) else ""
    if edition is None and (present := in_the_present(words) or in_the_present(once)):
        from .over_time import throughout

        answer = partial(throughout, session, present, partial(_asked_in, session, present, ""))
        yield WordReading(f"{capital(present).rstrip('?')}, in each edition?", "", answer)


def _told(answer: Answer, reading: WordReading, likely: Iterable[WordReading]) -> Answer:
    """Return an answer that says how the words were understood, and what else they may mean."""
    others: list[WordReading] = []
    with suppress(UnknownNameError):  # another meaning may need an edition that is not loaded
        others += filter(_finds_something, islice(likely, _MOST_OTHERS))
    names = tuple(dict.fromkeys(filter(None, map(how_named, reading.things))))
    shown = [command("show", it.name) for it in reading.things]
    commands = dict.fromkeys((*(it.command for it in others), *shown))
    commands.pop(reading.command, None)
    about = (tuple(commands)[:_MOST_OTHERS], reading.thing, reading.edition, reading.asked)
    return answer._replace(understood=Understood(reading.meaning, names, *about))


def _finds_something(reading: WordReading) -> bool:
    """Return whether a reading is worth offering: a question of the catalogue must find something."""
    with suppress(UsageError):
        return bool(reading.command and (not reading.asked or reading.answer().rows))
    return False


def _closest(
    session: Session, words: str, edition: str | None, notes: Sequence[str], limit: int | None
) -> Answer:
    """Answer with the closest rules, because the catalogue has no answer.

    A single word, or a question of the catalogue about something unknown, is rejected if no rule has its
    words.
    """
    from ..history.summary import in_numbers_now
    from ..searching.closest import LIMIT, closest, other_rules
    from .over_time import of_the_past
    from .sentences import ASKS_WHEN

    moment = moment_beside(session, words, edition)
    where = (moment.edition if moment else "") or edition
    bare = FOR_A_LIST.sub("", words).strip()
    recognised = recognise(session, LONG_AGO.sub("", bare), where)
    unknown = None if recognised.standing or untold_in(words) else _unknown(session, bare)
    if unknown:
        recognised = recognise(session, unknown.name, edition)  # no rule is about the words around it
    other, telling = other_rules(session, recognised) if edition is None else ("", [])
    if other:
        said, here = " and ".join(f"“{it}”" for it in telling), recognised.scope.label
        recognised = recognise(session, recognised.text, other)
        notes = (
            *notes,
            f"{said}: {other} covers that, so it was searched instead. --edition {here} searches {here}.",
        )
    recognised, now = in_numbers_now(session, recognised)
    # A question about when something changed does not describe a situation.
    is_situation = not ASKS_WHEN.match(words)
    found = closest(session, recognised, limit=limit and max(limit, LIMIT), cases=is_situation)
    if unknown and not found.rows:
        raise unknown
    terms = {it.iri: it.name for it in recognised.standing if it.kind == "term"}
    now += _of_obsolete(session, recognised, terms)
    if moment and moment.edition:
        from .over_time import said_then

        notes = (*_asked_of(edition, moment.edition), *notes)
        now += _absent_then(session, words, moment.edition, recognised.things)
        now += said_then(session, words, moment.rest, moment.edition) if edition is None else ()
        found = _of_no_other_rule(session, words, moment.edition, found)
    told = Understood("", others=_offered(session, recognised, words, edition, [*terms.values()], found))
    if moment and moment.unknown and found.rows:
        now += [f"{capital(moment.unknown.what)}: these are from {found.edition}."]
        found = found._replace(answered=False)
    doubts = [*doubts_of_cards(session, words, edition)]
    doubts += () if doubts else no_such_list(words, found)
    doubts += [NO_YEAR] if LONG_AGO.search(words) and not where else []
    doubts += () if where else of_sets(words, sure=bool(recognised.standing))
    past, is_known = of_the_past(session, words, found) if edition is None else ((), True)
    now = [*dict.fromkeys((*past, *now))]
    notes = (*doubts, *now, *dict.fromkeys(notes), *found.notes, *_not_loaded(session, found, doubts))
    lead = (*doubts, *now, *found.lead)
    return found._replace(
        notes=notes, lead=lead, answered=found.answered and is_known and not doubts, understood=told
    )


def _of_obsolete(session: Session, recognised: Recognition, terms: Mapping[str, str]) -> list[str]:
    """Return remarks on the obsolete terms in a question, from its terms as IRI → name."""
    bent = (it for it in recognised.standing if it.how is How.FORM)  # *summoning sickness* is no *Summon*
    everyday = {it.iri for it in bent if it.used.lower().removesuffix("s") != it.name.lower()}
    everyday |= {it.iri for it in recognised.standing if recognised.text[it.end :].startswith(" rule")}
    named = {iri: name for iri, name in terms.items() if iri not in everyday}
    # *At end of turn* in small letters is a time, not the words on old cards.
    small = (it for it in recognised.standing if it.used.islower() and it.used.split()[0] in SMALL)
    phrases = {it.name for it in small if recognised.text[it.start - 1 : it.start] not in tuple("'\"“‘")}
    return said_of_obsolete(session, named, recognised.scope.edition, phrases)


def _offered(
    session: Session,
    recognised: Recognition,
    words: str,
    edition: str | None,
    terms: Sequence[str],
    found: Answer,
) -> tuple[str, ...]:
    """Return commands that lead on from the closest rules."""
    kinds = () if recognised.standing else kinds_within(session, words)
    asked = product(kinds, ("list_items", "terms_of_kind"))
    listed = (catalogued(session, name, it.name, edition) for it, name in asked)
    # If no rule mentions both, they may have nothing in common.
    meet = len(terms) == 2 and any(all(it in str(row["reason"]) for it in terms) for row in found)
    others = [command("ask", "interaction", *terms)] if meet else []
    others += [command("show", it.name) for it in recognised.standing]
    return (*islice(chain(others, (it.command for it in listed if _finds_something(it))), _MOST_OTHERS),)


def _absent_then(session: Session, words: str, edition: str, things: Iterable[Recognised]) -> list[str]:
    """Return remarks on the terms and rules in words that an edition, or the time they name, lacks."""
    from .dated import called_in, numbers_then

    period = next(periods(words), None) or period_called(edition.removeprefix("cr-"))
    # A single word of player slang may mean something else.
    sure = (it for it in things if it.how is How.EXACT or (it.how is How.PLAYERS and " " in it.used))
    absent = [it.name for it in sure if it.kind == "term" and not it.stands]
    told = []
    for name in dict.fromkeys(absent):
        if period:
            found = called_in(session, name, period.name)
            told += [*found.lead, *_reworded(found, period)]
    return told + numbers_then(session, words, edition)


def _reworded(found: HistoryAnswer, period: Period) -> Iterator[str]:
    """Yield a remark on the editions of a time that reworded a rule, and the last one before."""
    from ..history.summary import CHANGED

    numbered = (row for row in found.stages if row.number and number_in(row.number))
    changed = [row.edition for row in numbered if row.change in CHANGED]
    within = [it for it in changed if it >= f"cr-{period.first}"]
    before = [f"before {period.name} in {it}" for it in changed if it < f"cr-{period.first}"][-1:]
    if told := [f"in {in_a_list(within)}"] * bool(within) + before:
        yield f"That rule was reworded {', and '.join(told)}."


def _with_those_above(number: str) -> Iterator[str]:
    """Yield a number and those of the rules above it."""
    while number:
        yield number
        number = parent(number) if len(number) > 1 else ""


def _of_no_other_rule(session: Session, words: str, edition: str, found: Passages) -> Passages:
    """Return an answer without rules whose numbers meant other rules at the time that the words name."""
    from .dated import numbers_then

    if not numbers_then(session, words, edition):
        return found
    numbers = {it.number for it in recognise(session, words).read.numbers}
    whole = (set(_with_those_above(row.number or "")) for row in found.passages)
    kept = (place for place, own in enumerate(whole) if numbers.isdisjoint(own))
    return found._at(kept)._replace(answered=False)


def _not_loaded(session: Session, found: Answer, doubts: Sequence[str]) -> Iterator[str]:
    """Yield remarks on what may have the answer but is not loaded: cards, tournament rules."""
    data = current_cards(session)
    is_unknown = any(it.startswith("No rule has ") for it in found.notes)
    if data is None and (found.lead or is_unknown) and not doubts:
        yield NO_CARDS
    if data and not (found.rows or doubts):
        yield f"If you mean cards, they are not in {data.title}."
    if any(it.startswith(MAY_COVER) for it in found.lead):
        yield from without_tournaments(session)


def _elsewhere(session: Session, words: str, edition: str | None) -> list[str]:
    """Return notes on words of a question that no rule has but the tournament documents may have."""
    theirs = words_of_tournaments(words_in(words))
    index = session.index(session.scope(edition).edition) if theirs else None
    apart = [str(it) for it in theirs if index and not it.is_in(index)]
    return [f"{MAY_COVER} {' or '.join(apart)}.", *without_tournaments(session)] if apart else []


def _unknown(session: Session, words: str) -> UnknownNameError | None:
    """Return the error for an unknown thing that words ask about; None if they ask no known question.

    Raises `UsageError` for a name of several things.
    """
    if _NAME.fullmatch(words.strip()):
        try:
            question(words)
        except UnknownNameError as error:
            if "_" in words:
                raise
            return error if error.suggestions else UnknownNameError("term, number or question", words)
    refused = refusal(session, words)
    if not isinstance(refused, UnknownNameError):
        raise refused
    return refused if refused.kind != "question" else None
