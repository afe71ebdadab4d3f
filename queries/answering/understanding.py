"""What people ask, by a question's name or in words, becomes a question of the catalogue with arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...loaders.language.dates import earliest_day
from ...ontology.errors import UnknownNameError, UsageError
from ..catalogue.questions import Parameter, ParameterKind, Question
from ..finding.kinds import kind_called, kinds_turned
from ..finding.names import identify, number_in
from ..recognising.lexicon import How
from ..recognising.recognition import Recognised, recognise
from ..session import Session
from .moment import Moment, moment_of
from .respelling import respelled

_AROUND = re.compile(
    r"^(?:the|an?|my|your|his|their|our|some|any|all|every|this|that|rules?|terms?|entry|entries|concept|keyword|"
    r"mechanic|word|of|in|mtg|magic)\s+"
    r"|\s+(?:mechanic|keyword|rule|rules|thing|stuff|mechanics|term|word|really|an?|the)$",
    re.IGNORECASE,
)
"""What stands around the name of a thing and is no part of it."""

_AS_WRITTEN = (How.EXACT, How.OLD, How.NUMBER)
"""How a thing is recognised that is found by the words as they stand."""

_OF_NUMBERS = "rule_text"
"""The question whose looser wordings are about numbers alone: of a term they ask for its definition."""

_SMALL = frozenset("the a an my your his their our some any all this that of".split())


class Asked(NamedTuple):
    """A question of the catalogue with one argument for each of its parameters, in their order.

    `edition` is the one that the words name, else ``""``; `things` are what was recognised in the arguments,
    `loose` is true where the words are none of the question's own phrasings.
    """

    question: Question
    args: tuple[str, ...]
    edition: str = ""
    things: tuple[Recognised, ...] = ()
    loose: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The arguments, things by their names."""
        names = {said.lower(): it.name for it in reversed(self.things) for said in (it.used, it.name)}
        return tuple(names.get(arg.lower()) or number_in(arg) or arg for arg in self.args)

    @property
    def meaning(self) -> str:
        """The question in the catalogue's own words, about things by their names."""
        named = dict(zip((it.name for it in self.question.parameters), self.names, strict=True))
        return f"{self.question.title.format(**named)} ({self.question.name})"


def match(session: Session, words: str) -> Asked:
    """Return the question that `words` ask, with its arguments: the first of `meanings`.

    Raises `UnknownNameError` with the nearest questions when none fits, and with the nearest names when one
    does but names something unknown.
    """
    for it in meanings(session, words):
        return it
    raise refusal(session, words)


def meanings(session: Session, words: str, edition: str | None = None) -> Iterator[Asked]:
    """Yield the questions that `words` may ask, the likeliest first, each once.

    All the words count: one that neither a question nor the name of a thing accounts for fits nothing. Of
    several phrasings that fit, the one with the most words of its own comes first. Where nothing fits, words
    of questions that are misspelled are read as they were meant. An edition or a day that the words name is
    where the question is asked, unless the question itself is about it or `edition` is given already.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    for way in _ways(session, kinds_turned(session, words), edition):
        seen: set[tuple[str, tuple[str, ...]]] = set()
        for it in _meanings(session, way.rest, edition or way.edition or None):
            if way.unknown:
                raise way.unknown
            if (it.question.name, it.names) not in seen:
                seen.add((it.question.name, it.names))
                yield it._replace(edition=way.edition)
        if seen:
            return


def _ways(session: Session, words: str, edition: str | None) -> Iterator[Moment]:
    """Yield the words as they are, respelled, and without the edition that they name, with that."""
    yield Moment("", words)
    meant = respelled(session, words)
    if meant != words:
        yield Moment("", meant)
    moment = moment_of(session, meant) if edition is None else None
    if moment:
        yield moment


def _meanings(session: Session, words: str, edition: str | None) -> Iterator[Asked]:
    # A question asked by its name needs no phrasings: reading all of them costs more than its answer.
    from ..catalogue.phrasings import fitting

    for fit in fitting(words):
        if fit.loose and fit.question.name == _OF_NUMBERS and not number_in(name_alone(*fit.given.values())):
            continue
        args: list[str] = []
        things: list[Recognised] = []
        for parameter in fit.question.parameters:
            known = _known(session, parameter, fit.given[parameter.name], edition)
            if known is None:
                break
            args.append(known[0])
            things += known[1]
        else:
            if "kind" in fit.given and not kind_called(session, fit.given["kind"]):
                continue
            yield Asked(fit.question, tuple(args), "", tuple(things), fit.loose)


def refusal(session: Session, words: str) -> UsageError:
    """Return the error for words that ask nothing: what is unknown in them, else the nearest questions."""
    from ..catalogue.phrasings import fitting, nearest

    for fit in fitting(words):
        for parameter in fit.question.parameters:
            if parameter.kind.stands_in_editions and not fit.loose:
                try:
                    identify(session, name_alone(fit.given[parameter.name]))
                except UsageError as error:
                    return error
    return UnknownNameError("question", words, nearest(words), "rulesgraph ask --list shows all questions")


def _known(
    session: Session, parameter: Parameter, words: str, edition: str | None
) -> tuple[str, tuple[Recognised, ...]] | None:
    """Return what to ask about, and how it was recognised; None for words that name nothing of the kind."""
    if parameter.kind is ParameterKind.DATE:
        return (words, ()) if earliest_day(words) else None
    if not parameter.kind.stands_in_editions:
        return (name_alone(words) if parameter.kind is ParameterKind.WORDS else words), ()
    known = thing_named(session, words, edition)
    if parameter.kind is ParameterKind.KIND and not (known and all(it.stands for it in known[1])):
        kind = kind_called(session, words)
        known = (kind.label, ()) if kind else known
    if parameter.kind is ParameterKind.PROCEDURE and known is None:
        # Few questions are about procedures.
        from ..finding.procedures import resolve_procedure

        steps = resolve_procedure(session, name_alone(words), edition)
        known = (steps.things[0].name, ()) if steps else None
    if parameter.kind is ParameterKind.PART:
        from ..finding.parts import part_called

        known = thing_named(session, part_called(session, name_alone(words)) or words, edition)
    number = number_in(known[0]) if known else ""
    is_rule = number[-1:].isalpha() or bool(number and known and known[1])
    return None if is_rule and parameter.kind is ParameterKind.TERM else known


def thing_named(
    session: Session, words: str, edition: str | None = None
) -> tuple[str, tuple[Recognised, ...]] | None:
    """Return the name of the one thing that all of `words` name, and how it was recognised, or None.

    What stands around a name (*the trample mechanic*) does not count. A name that an edition is found by
    comes back as it was written.
    """
    if number_in(name_alone(words)):
        return words, ()
    for said in (words, name_alone(words)):
        things = _recognised(session, said, edition)
        if things:
            return (things[0].used if things[0].how in _AS_WRITTEN else things[0].name), things
    return None


def _recognised(session: Session, words: str, edition: str | None) -> tuple[Recognised, ...]:
    """Return what `words` name where they name one thing and nothing else."""
    found = recognise(session, words, edition)
    places = {(it.start, it.end) for it in found.things}
    whole = len(places) == 1 and set(found.rest) <= _SMALL
    return tuple(it for it in found.things if it.kind not in ("edition", "date")) if whole else ()


def name_alone(words: str) -> str:
    """Return a name without what may stand around it.

    >>> name_alone("the trample mechanic"), name_alone("rule 100"), name_alone("flying a")
    ('trample', '100', 'flying')
    """
    before, bare = "", words.strip("\"'“”‘’ ")
    while before != bare:
        before, bare = bare, _AROUND.sub("", bare)
    return bare
