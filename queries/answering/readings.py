"""Read words as questions: a bare name, two things or times, or a question of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain

from ...loaders.language.everyday import FUNCTION_WORDS
from ...loaders.language.lexicon import How
from ...loaders.language.numbers import number_in
from ...ontology import UnknownNameError, UsageError
from ..catalogue.matching import fitting
from ..catalogue.questions import ParameterKind, Question, question
from ..finding.kinds import kind_called
from ..finding.names import is_name
from ..finding.recognition import Recognised
from ..reliance.levels import Reach
from ..session import Answer, Session
from .changes import HOW, OF_A_TIME, all_ever, from_the_list, thing_meant
from .comparing import OF_TWO_THINGS
from .histories import OF_ONE_THING
from .members import (
    catalogued,
    of_both,
    of_either,
    on_list,
    owned,
    step_of_turn,
    steps_of_turn,
    that_begin,
    which_are_both,
    which_rely,
)
from .moment import Moment, TimeSpan, in_the_present, moment_beside, since_called, span_called, timed
from .neutral import is_neutral
from .running import answer_to, command
from .slots import SlotValues, WordReading, computed
from .spelling import respelled
from .understanding import meanings, name_alone, named_as, thing_named
from .whole_texts import is_of_turn, with_chapter, with_parts, with_the_noun

SHOWN_BARE = re.compile(r"^\W*(?:please )?(?:show|give)(?: me| us)?\s+|\s+please\W*$", re.IGNORECASE)
"""Words that turn a name into a request without changing its meaning."""

_PARTED = re.compile(
    r"(?P<subject>.+?)\s*[,:;.?!–—]+\s*(?:and |so |but )?"
    r"(?P<before>(?:when|what|why|how|where|which|who|is|was|are|were|did|does|do|has)\b.*?)"
    r"\b(?:it|they|them|that|this)\b(?P<after>.*)",
    re.IGNORECASE,
)
"""A question after its subject, or after another question about it, that calls it by a pronoun."""

_ALL_RULES = re.compile(r"\W*(?:list|show|find|give)\b.*\b(?:all|every)\b.*\brules?\b", re.IGNORECASE)

_LONGEST_ITEM = 4
"""The maximum number of words in the name of a list item."""


def readings(
    session: Session, words: str, edition: str | None, reach: Reach | None = None, limit: int | None = None
) -> Iterator[WordReading]:
    """Yield what the words may ask, most likely first, except what was once true (see `worded`).

    Words around a question are skipped only if including them gives no question.
    """
    plain = SHOWN_BARE.sub("", words)
    named, where = thing_named(session, plain, edition), edition
    moment = moment_beside(session, plain, edition) if named is None else None
    if moment:
        # *Removed rules in 2009* asks for changes, not for what *removed* means.
        named, where = thing_named(session, moment.rest, moment.edition or None), moment.edition
        with suppress(UnknownNameError):
            if named and any(not it.loose for it in comparisons(session, plain)):
                named = None
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
        rest, when = (moment.rest, moment.edition) if moment else (words, edition)
        where = when or edition
        for own in chain(
            which_are_both(session, rest, where),
            of_either(session, rest, where, partial(readings, session, edition=where, reach=reach)),
            which_rely(session, rest, where, reach),
            that_begin(session, rest, partial(readings, session, edition=where), where),
            steps_of_turn(session, rest, where),
            all_ever(session, words),
        ):
            found = True
            yield own
    for around in (False, True):
        if found:
            break
        for it in _asked(session, words, edition, around, reach, limit):
            found = True
            yield it
    if not named:
        yield from _unnamed(session, moment or Moment("", words), edition)


def of_second_clause(session: Session, words: str, edition: str | None) -> Iterator[WordReading]:
    """Yield the readings of a question that follows its subject: *mana burn: when was it removed*."""
    parted = _PARTED.fullmatch(words)
    if not parted:
        return
    named = thing_named(session, parted["subject"], edition)
    asked = None if named else next(meanings(session, parted["subject"], edition), None)
    things = named[1] if named else asked.things if asked and len(asked.args) == 1 else ()
    if things:
        name = things[0].used if named else things[0].name
        question = f"{parted['before']}{name}{parted['after']}"
        yield from readings(session, question, edition)


_CHANGED_IN = re.compile(
    r"\b(rules|terms|entries|keywords|abilities|actions|added|removed|changed|reworded|renumbered|split|merged)"
    r" ((?:19|20)\d\d)(?=\W*$)",
    re.IGNORECASE,
)
"""A year without a preposition after words for what changed: *removed rules 2009*."""

_VERSUS = re.compile(r"(.+?) (?:vs\.?|versus) (.+)", re.IGNORECASE)


def comparisons(
    session: Session, words: str, edition: str | None = None, *, around: bool = False
) -> Iterator[WordReading]:
    """Yield the readings of `words` about two things or times, the likeliest first; most have none.

    `around` is that of `understanding.meanings`. Raises `UnknownNameError` for an edition that is not loaded.
    """
    among = [it for it in computed() if it.name != "whereabouts" and it.area != "cards"]
    words = timed(session, _CHANGED_IN.sub(r"\1 in \2", words))
    versus = _VERSUS.fullmatch(words)
    if versus and all(thing_named(session, it) for it in versus.groups()):
        meeting = answer_to(session, question("interaction"), versus.groups(), None)
        words = words if meeting.rows and meeting.answered else f"compare {versus[1]} and {versus[2]}"
    for asked in dict.fromkeys((words, respelled(session, words))):
        if found := [*_computed(session, asked, among, around, edition)]:
            yield from found
            return


def whereabouts(session: Session, words: str, *, around: bool = False) -> Iterator[WordReading]:
    """Yield readings for the history of the subject of `words`, if nothing replaced it."""
    among = [it for it in computed() if it.name == "whereabouts"]
    for it in _computed(session, words, among, around, None):
        yield it._replace(loose=True, settled=False)


def _computed(
    session: Session, words: str, among: Sequence[Question], around: bool, edition: str | None
) -> Iterator[WordReading]:
    unknown: UnknownNameError | None = None
    known: WordReading | None = None
    found = False
    for fit in fitting(words, among, around=around):
        # *Who sang in 2019* does not ask about changes, so it needs no edition of 2019.
        is_change = fit.given.get("how", "new").lower() in HOW
        if fit.question.name == "changed_during" and " different" in words:
            continue  # it compares the rules of then with those of today
        if is_change and is_neutral(session, words, fit, None):
            kinds = {it.name: it.kind for it in fit.question.parameters}
            own: list[WordReading] = []
            try:
                given = {name: _meant(session, kinds[name], said) for name, said in fit.given.items()}
                if None in given.values():
                    continue
                own += _ANSWERED[fit.question.name](session, given | {"edition": edition})
            except UnknownNameError as error:  # another fit may need no loaded edition
                unknown = unknown or error
            found = found or bool(own)
            yield from own
            known = known or (None if own else from_the_list(session, fit.question.name, fit.given))
    if known and not found:
        yield known
    elif unknown and not found:
        raise unknown


def _meant(session: Session, kind: ParameterKind, said: str) -> str | TimeSpan | Recognised | None:
    """Return the value of a slot: a number, the time since an edition or a period, a thing, words."""
    if kind is ParameterKind.RULE:
        return number_in(name_alone(said)) or None
    if kind is ParameterKind.EDITION:
        return since_called(session, said)
    if kind is ParameterKind.PERIOD:
        return span_called(session, said)
    if kind is ParameterKind.THING:
        return thing_meant(session, said)
    if kind is ParameterKind.PROCEDURE:
        steps = named_as(session, kind, said, None)
        return steps and (steps[1][0].name if steps[1] else steps[0])
    return said


_ANSWERED: Mapping[str, Callable[[Session, SlotValues], Iterator[WordReading]]] = {
    **OF_TWO_THINGS,
    **OF_A_TIME,
    **OF_ONE_THING,
    "step_of_turn": step_of_turn,
}
"""The function for each of the questions of `computed.txt`."""


def _asked(
    session: Session, words: str, edition: str | None, around: bool, reach: Reach | None, limit: int | None
) -> Iterator[WordReading]:
    unknown: UnknownNameError | None = None
    found = False
    try:
        for own in comparisons(session, words, edition, around=around):
            found = True
            yield own
    except UnknownNameError as error:  # the question may need no loaded edition
        unknown = error
    if edition is None and in_the_present(words):
        return
    for it in meanings(session, words, edition, around=around):
        # An entry leads to the rules.
        is_entry = it.question.name == "rule_text" and it.things and not number_in(it.args[0])
        asked = it._replace(question=question("definition")) if is_entry else it
        # Only what has a number has parts in the text.
        if it.question.name == "parts_of" and not number_in(it.args[0]):
            asked = it._replace(question=question("steps_of"))
        # What defines a number is its own text, and all rules of a chapter are its parts.
        number = number_in(it.args[0]) if it.args else ""
        if number and (asked.question.name == "defining_rules" or _ALL_RULES.match(words)):
            asked = it._replace(question=question("rule_text" if "." in number else "parts_of"))
        where = asked.edition or edition
        # *Is Adventure a spell type* asks for the list that has this word, not for what players call so.
        is_said = asked.question.walk == "whether" and asked.things and asked.things[0].how is How.PLAYERS
        listed = [*on_list(session, asked.things[0].used, asked.args[1], where)] if is_said else []
        if listed:
            yield from listed
            continue
        answer = partial(answer_to, session, asked.question, asked.args, where, reach, limit)
        if asked.question.name == "rule_text":
            answer = partial(with_parts, session, answer, asked.args, where)
        elif asked.question.name == "definition" and is_of_turn(words, asked.names[0]):
            answer = partial(with_chapter, session, answer, where)
        elif asked.question.name == "mentions_of" and asked.things:
            answer = partial(with_the_noun, session, answer, asked.things[0], where)
        elif asked.question.walk == "interaction":
            from ..cards.meeting import in_common

            answer = partial(in_common, session, asked.args, where, answer)
        typed = command("ask", asked.question.name, *asked.names, edition=where)
        meaning = asked.meaning + (f" in {asked.edition}" if asked.edition else "")
        settled = asked.question.follows_links or not asked.args
        loose = asked.loose and bool(asked.args)
        reading = WordReading(meaning, typed, answer, asked.things, loose=loose, settled=settled)
        found = True
        yield reading._replace(edition=asked.edition, asked=(asked.question.name, *asked.args))
    if unknown and not found:
        raise unknown
    yield from whereabouts(session, words, around=around)


def _bare(
    session: Session, name: str, things: tuple[Recognised, ...], edition: str | None
) -> Iterator[WordReading]:
    """Yield the questions that a bare name may ask: what the thing is, or what it says."""
    for it in list(dict.fromkeys(thing.name for thing in things if thing.how is How.PLAYERS)) or [name]:
        own = tuple(thing for thing in things if thing.name == it) or things
        answer = partial(_shown, session, it, edition)
        named = own[0].name if own else number_in(it) or it
        typed = command("show", named, edition=edition)
        yield WordReading(f"{named}, by itself", typed, answer, own, it, loose=False)


def _members(session: Session, moment: Moment, edition: str | None) -> Iterator[WordReading]:
    """Yield the questions that a bare kind may ask, if no term has its name: the things of that kind.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    kind, where = kind_called(session, name_alone(moment.rest)), moment.edition or edition
    if kind and moment.unknown:
        raise moment.unknown
    for name in ("list_items", "terms_of_kind"):
        if kind:
            yield catalogued(session, name, kind.name, where)


def _unnamed(session: Session, moment: Moment, edition: str | None) -> Iterator[WordReading]:
    """Yield the questions about something that is no term: things of a kind, or the rules below a title.

    *What is a designation* asks for these things. The title is one of rules that define terms. *Goblin* is on
    a list.
    """
    where = moment.edition or edition
    yield from owned(session, moment.rest, where)
    yield from of_both(session, moment.rest, where)
    fits = [*fitting(moment.rest)]
    pairs = ((it.given["concept"], it.given["other"]) for it in fits if it.question.name == "whether")
    for said, kind in dict.fromkeys((name_alone(one), name_alone(other)) for one, other in pairs):
        is_one = said.istitle() or " " not in said  # *the stack always* is none
        if is_one and said.lower() not in FUNCTION_WORDS and kind_called(session, kind):
            yield from on_list(session, said, kind, where)
    asked = [fit.given["concept"] for fit in fits if fit.question.name == "definition"]
    for said in dict.fromkeys(map(name_alone, asked or (moment.rest,))):
        if asked and kind_called(session, said):
            yield from _members(session, moment._replace(rest=said), edition)
        elif thing_named(session, said, where) is None and _is_called(session, said):
            typed = command("show", said, edition=where)
            meaning = question("definition").title.format(concept=said) + " (definition)"
            yield WordReading(meaning, typed, partial(_shown, session, said, where))
        elif len(said.split()) <= _LONGEST_ITEM and not _is_called(session, f"{said} token"):
            listed = catalogued(session, "lists_with", said, where)
            if (found := listed.answer()).rows:
                yield listed.answered(found)


def _is_called(session: Session, words: str) -> bool:
    try:
        return is_name(session, words)
    except UsageError:  # several are
        return False


def _shown(session: Session, name: str, edition: str | None) -> Answer:
    asked = question("rule_text" if number_in(name) else "definition")
    return answer_to(session, asked, (name,), edition)
