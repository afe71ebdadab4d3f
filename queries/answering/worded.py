"""Answer words: the question that they ask, or what is known about the thing that they name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

from ...loaders.language.everyday import SMALL
from ...loaders.language.lexicon import How
from ...loaders.language.numbers import number_in
from ...loaders.language.words import words_in
from ...ontology.errors import UnknownNameError, UsageError
from ..cards.current import NO_CARDS, current_cards
from ..catalogue.matching import fitting
from ..catalogue.questions import question
from ..finding.kinds import kind_called, kinds_within
from ..finding.names import capital, is_name
from ..finding.recognition import Recognised, recognise
from ..finding.things import section_named
from ..reliance.levels import Reach
from ..searching.plain_words import MAY_COVER, untold_in, without_tournaments, words_of_tournaments
from ..session import Answer, Session, Understood
from .card_lists import doubts_of_cards
from .comparing import comparisons, whereabouts, with_numbers, within_card
from .histories import WordReading, former_of_subject, how_named
from .moment import Moment, moment_beside
from .running import answer_to, command, said_of_obsolete
from .understanding import meanings, name_alone, refusal, thing_named, whole_list

_NAME = re.compile(r"[a-z]+(?:[_-][a-z]+)*", re.IGNORECASE)
"""The form of a question's name."""

_SHOWN_BARE = re.compile(r"^\W*(?:please )?(?:show|give)(?: me| us)?\s+|\s+please\W*$", re.IGNORECASE)
"""Words that turn the name of a thing into a request, and change nothing."""

_LONGEST_ITEM = 4
"""The number of words that may be the name of an item in a list."""

_MOST_OTHERS = 3  # other readings offered


def answer_in_words(
    session: Session, words: str, edition: str | None, reach: Reach | None, limit: int | None = None
) -> Answer:
    """Answer a question in words, by the likeliest reading that finds something.

    `limit` is how many of the closest rules to give if no question fits, ten by default.

    Raises the errors of `ask` if the words are close to a question of the catalogue and name nothing known.
    """
    if not words.strip():
        raise UsageError("the question is empty", way_out="`rulesgraph ask --list` lists some.")
    words, asked = whole_list(session, words, edition)
    if section := section_named(session, words, edition, whole=False):
        from ..searching.search import LIMIT, search

        return search(session, f"in:{section[0]}", edition=section[1], limit=limit or LIMIT)
    if cards := current_cards(session):
        from ..cards.asking import answer_with_cards
        from ..cards.meeting import both
        from .carded import of_cards

        plain = _SHOWN_BARE.sub("", words)
        answered = of_cards(session, words, edition, within_card)
        if answered or (answered := answer_with_cards(session, cards, plain, edition, limit, both)):
            return answered
    # What no rule tells is no question of the catalogue: *how many magic cards are there*.
    likely = iter(()) if untold_in(words) else readings(session, asked, edition, reach, limit)
    empty: tuple[WordReading, Answer] | None = None
    silent: list[str] = []
    undecided: list[str] = []
    for reading in likely:
        try:
            answer = reading.answer()
        except UsageError:
            if not reading.loose:
                raise
            continue
        if answer.rows:
            if edition is None:
                answer = _of_its_time(session, words, reading, answer)
            notes = (*undecided, *_asked_of(edition, reading.edition), *answer.notes)
            answer = answer._replace(notes=(*notes, *_elsewhere(session, words, edition)))
            return _told(with_numbers(words, answer), reading, list(islice(likely, _MOST_OTHERS)))
        if reading.asked[:1] == ("whether",):  # that no rule says so is reported with any other answer
            undecided += answer.notes
            continue
        if not reading.loose and reading.settled:
            empty = empty or (reading, answer)
        elif not reading.loose:
            silent += (f"{reading.meaning} finds nothing.", *answer.notes)
    if empty:
        return _told(empty[1], empty[0], [])
    return _closest(session, words, edition, [*undecided, *silent], limit)


def _asked_of(edition: str | None, meant: str) -> tuple[str, ...]:
    """Return a remark if a question names another edition than the one it was to be asked about."""
    told = f"The question names the time of {meant}, so it was asked about that, not about {edition}."
    return (told,) if edition and meant and meant != edition else ()


def _of_its_time(session: Session, words: str, reading: WordReading, answer: Answer) -> Answer:
    """Return a text, first when it changed later in the time that is meant, or that its term is gone."""
    from .dated import held_until, of_former

    asked, *args = reading.asked or ("",)
    name = reading.thing or (args[0] if asked in ("rule_text", "definition") else "")
    if reading.edition and name:
        return held_until(session, words, number_in(name) or name, answer)
    return of_former(session, name, answer) if name and not number_in(name) else answer


def _told(answer: Answer, reading: WordReading, others: Sequence[WordReading]) -> Answer:
    """Return an answer that says how the words were understood, and what else they may mean."""
    names = tuple(dict.fromkeys(filter(None, map(how_named, reading.things))))
    shown = [command("show", it.name) for it in reading.things]
    commands = dict.fromkeys((*(it.command for it in others if it.command), *shown))
    commands.pop(reading.command, None)
    about = (tuple(commands)[:_MOST_OTHERS], reading.thing, reading.edition, reading.asked)
    return answer._replace(understood=Understood(reading.meaning, names, *about))


def _closest(
    session: Session, words: str, edition: str | None, notes: Sequence[str], limit: int | None
) -> Answer:
    """Answer with the closest rules if the catalogue has no answer.

    One word, or a question of the catalogue about something unknown, is refused if no rule has its words.
    """
    from ..history.summary import in_numbers_now
    from ..searching.closest import LIMIT, closest, other_rules

    moment = moment_beside(session, words, edition)
    where = (moment.edition if moment else "") or edition
    recognised = recognise(session, words, where)
    unknown = None if recognised.standing or untold_in(words) else _unknown(session, words)
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
    found = closest(session, recognised, limit=limit and max(limit, LIMIT))
    if unknown and not found.rows:
        raise unknown
    terms = {it.iri: it.name for it in recognised.standing if it.kind == "term"}
    bent = (it for it in recognised.standing if it.how is How.FORM)  # *count as* is no *Counts As*
    everyday = {it.iri for it in bent if not it.used.lower().startswith(it.name.lower())}
    named = {iri: name for iri, name in terms.items() if iri not in everyday}
    # *At end of turn* in small letters is a time, not the words on old cards.
    small = (it for it in recognised.standing if it.used.islower() and it.used.split()[0] in SMALL)
    phrases = {it.name for it in small if recognised.text[it.start - 1 : it.start] not in tuple("'\"“‘")}
    now += said_of_obsolete(session, named, recognised.scope.editions[0], phrases)
    if moment and moment.edition:
        from .dated import absent_then

        notes = (*_asked_of(edition, moment.edition), *notes)
        now += absent_then(session, words, moment.edition, recognised.things)
    others = [command("ask", "interaction", *terms.values())] if len(terms) == 2 else []
    others += [command("show", it.name) for it in recognised.standing]
    if not recognised.standing:
        others = [command("ask", "terms_of_kind", it.name) for it in kinds_within(session, words)]
    told = Understood("", others=tuple(others[:_MOST_OTHERS]))
    if moment and moment.unknown and found.rows:
        notes = (*notes, f"{capital(moment.unknown.what)}: these are from {found.edition}.")
    doubts = doubts_of_cards(session, words, edition)
    missing = [NO_CARDS] if found.lead and not doubts and current_cards(session) is None else []
    missing += without_tournaments(session) if any(it.startswith(MAY_COVER) for it in found.lead) else []
    if edition is None:
        from .since import UNDATED, since_when

        if dated := since_when(session, words, found):
            before = () if dated != UNDATED else former_of_subject(session, words)
            now, found = [*now, dated, *before], found._replace(answered=dated != UNDATED)
    notes = (*doubts, *now, *dict.fromkeys(notes), *found.notes, *missing)
    lead = (*doubts, *now, *found.lead)
    return found._replace(notes=notes, lead=lead, answered=found.answered and not doubts, understood=told)


def _elsewhere(session: Session, words: str, edition: str | None) -> list[str]:
    """Return notes on the words of a question that no rule has, but the documents of tournaments may have."""
    theirs = words_of_tournaments(words_in(words))
    index = session.index(session.scope(edition).editions[0]) if theirs else None
    apart = [str(it) for it in theirs if index and not it.is_in(index)]
    return [f"{MAY_COVER} {' or '.join(apart)}.", *without_tournaments(session)] if apart else []


def _unknown(session: Session, words: str) -> UnknownNameError | None:
    """Return the error for an unknown thing that words ask about, None if they ask no known question.

    Raises `UsageError` for names of several things.
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


def readings(
    session: Session, words: str, edition: str | None, reach: Reach | None = None, limit: int | None = None
) -> Iterator[WordReading]:
    """Yield what the words may ask, most likely first.

    Words around a question are skipped only if nothing is asked with them.
    """
    plain = _SHOWN_BARE.sub("", words)
    named, where = thing_named(session, plain, edition), edition
    moment = moment_beside(session, plain, edition) if named is None else None
    if moment:
        named, where = thing_named(session, moment.rest, moment.edition or None), moment.edition
        if named and moment.unknown:
            raise moment.unknown
    found = False
    if named:
        for own in _bare(session, named[0], named[1], where):
            found = True
            yield (
                own._replace(meaning=f"{own.meaning} in {where}", edition=where) if moment and where else own
            )
    else:
        yield from _members(session, moment or Moment("", words), edition)
    for around in (False, True):
        if found:
            break
        for it in _asked(session, words, edition, around, reach, limit):
            found = True
            yield it
    if not named:
        yield from _unnamed(session, moment or Moment("", words), edition)


def _asked(
    session: Session, words: str, edition: str | None, around: bool, reach: Reach | None, limit: int | None
) -> Iterator[WordReading]:
    yield from comparisons(session, words, around=around)
    for asked in meanings(session, words, edition, around=around):
        where = asked.edition or edition
        answer = partial(answer_to, session, asked.question, asked.args, where, reach, limit)
        if asked.question.name == "rule_text":
            answer = partial(_with_parts, session, answer, asked.args, where)
        elif asked.question.walk == "interaction":
            from ..cards.meeting import in_common

            answer = partial(in_common, session, asked.args, where, answer)
        typed = command("ask", asked.question.name, *asked.names, edition=where)
        meaning = asked.meaning + (f" in {asked.edition}" if asked.edition else "")
        settled = asked.question.follows_links or not asked.args
        loose = asked.loose and bool(asked.args)
        reading = WordReading(meaning, typed, answer, asked.things, loose=loose, settled=settled)
        yield reading._replace(edition=asked.edition, asked=(asked.question.name, *asked.args))
    yield from whereabouts(session, words, around=around)


def _with_parts(
    session: Session, text: Callable[[], Answer], args: Sequence[str], edition: str | None
) -> Answer:
    """Return the text of a rule; whoever asks what a mere heading says means the rules below it."""
    found = text()
    if any(row[1] != row[2] for row in found.rows):
        return found
    parts = answer_to(session, question("parts_of"), tuple(args), edition)
    rows = ((number, *told) for number, _, *told in parts.rows)
    return found._replace(rows=(*found.rows, *rows))


def _bare(
    session: Session, name: str, things: tuple[Recognised, ...], edition: str | None
) -> Iterator[WordReading]:
    """Yield the questions of a bare name: what the thing is, or what it says."""
    for it in list(dict.fromkeys(thing.name for thing in things if thing.how is How.PLAYERS)) or [name]:
        own = tuple(thing for thing in things if thing.name == it) or things
        answer = partial(_shown, session, it, edition)
        named = own[0].name if own else number_in(it) or it
        typed = command("show", named, edition=edition)
        yield WordReading(f"{named}, by itself", typed, answer, own, it, loose=False)


def _members(session: Session, moment: Moment, edition: str | None) -> Iterator[WordReading]:
    """Yield the questions of a bare kind, if no term has its name: the things of that kind.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    kind, where = kind_called(session, name_alone(moment.rest)), moment.edition or edition
    if kind and moment.unknown:
        raise moment.unknown
    for name in ("list_items", "terms_of_kind"):
        if kind:
            yield _catalogued(session, name, kind.name, where)


def _catalogued(session: Session, name: str, about: str, edition: str | None) -> WordReading:
    """Return a question of the catalogue about one thing, or words."""
    asked = question(name)
    answer = partial(answer_to, session, asked, (about,), edition or None)
    meaning = f"{asked.title.format(**{asked.parameters[0].name: about})} ({name})"
    return WordReading(meaning, command("ask", name, about, edition=edition), answer, asked=(name, about))


def _unnamed(session: Session, moment: Moment, edition: str | None) -> Iterator[WordReading]:
    """Yield the questions about a thing without a term: things of a kind, or the rules below a title.

    *What is a designation* asks for them; a title is that of rules which define a term; *goblin* is listed.
    """
    where = moment.edition or edition
    asked = [fit.given["concept"] for fit in fitting(moment.rest) if fit.question.name == "definition"]
    for said in dict.fromkeys(map(name_alone, asked or (moment.rest,))):
        if asked and kind_called(session, said):
            yield from _members(session, moment._replace(rest=said), edition)
        elif thing_named(session, said, where) is None and _is_called(session, said):
            typed = command("show", said, edition=where)
            meaning = question("definition").title.format(concept=said) + " (definition)"
            yield WordReading(meaning, typed, partial(_shown, session, said, where))
        elif len(said.split()) <= _LONGEST_ITEM and not _is_called(session, f"{said} token"):
            listed = _catalogued(session, "lists_with", said, where)
            if listed.answer().rows:
                yield listed


def _is_called(session: Session, words: str) -> bool:
    try:
        return is_name(session, words)
    except UsageError:  # several are
        return False


def _shown(session: Session, name: str, edition: str | None) -> Answer:
    asked = question("rule_text" if number_in(name) else "definition")
    return answer_to(session, asked, (name,), edition)
