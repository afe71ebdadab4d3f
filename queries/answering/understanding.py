"""Understand words as a question from the catalogue, with its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ...loaders.language.dates import period_called
from ...loaders.language.everyday import FUNCTION_WORDS
from ...loaders.language.lexicon import How
from ...loaders.language.names import singular
from ...loaders.language.numbers import number_in
from ...ontology import UnknownNameError, UsageError
from ..cards.current import current_cards, is_ability_word, types_called
from ..catalogue.matching import Fit, fitting, nearest
from ..catalogue.questions import ParameterKind, Question
from ..finding.kinds import is_of_kind, kind_called, part_called, resolve_procedure, reword_kinds
from ..finding.names import identify
from ..finding.recognition import Recognised, Recognition, recognise
from ..finding.things import is_authority
from ..searching.scores import texts_of
from ..session import Session
from .moment import Moment, moment_beside
from .neutral import ends_neutrally, is_neutral
from .spelling import respelled

_AROUND = re.compile(
    r"^(?:the|an?|my|your|his|their|our|some|any|all|every|this|that|rules?|terms?|entry|entries|concept|keyword|"
    r"mechanic|word|of|in|mtg|magic|two|three|four|five|ten|\d\d?)\s+"
    r"|\s+(?:mechanic|keyword|rule|rules|thing|stuff|mechanics|term|word|really|an?|the)$",
    re.IGNORECASE,
)
"""Words around a name that are not part of it."""

_ARTICLE = re.compile(r"^(?:the|an?) ")

_AS_WRITTEN = (How.EXACT, How.OLD, How.NUMBER)
"""The ways to recognise a thing by its exact words."""

_OF_CLAUSES = re.compile(r",|\b(?:when|if|unless|while|because)\b", re.IGNORECASE)
"""Words that begin a clause, so search words do not contain them."""

_OF_CARDS = re.compile(r"\bcards?\b", re.IGNORECASE)
_IN_A_GAME = r"\b(?:in|my|our|your|his|her|their) (?:(?:the|an?|my|our|your|his|her|their) )?"
_OF_PLAY = r"\b(?:should|must|(?:have|need) to|I|we)\b"
"""Words of a question about the game: *what cards should a deck have*."""

_ALL_CARDS = frozenset("list names some any all every of the cards card".split())
"""Words that, together, mean cards of any kind: *a list of all the cards*."""

_PLACES = "SELECT place FROM words JOIN passage ON id = words.rowid WHERE words MATCH ? LIMIT 20"
_TWO = 2

_COUNTED = re.compile(r"(?:two|three|four|five|six|several|many|multiple|more|\d\d?) ", re.IGNORECASE)
"""Matches the beginning of a circumstance: *the stack with three players* is not about two things."""

LONG_AGO = re.compile(
    r"\b(?:back in the (?:good )?(?:old )?days?|in the (?:good )?old days|under the old|old[- ]school)\b"
    r"|\bthe old(?= [\w ]*\brules?\b)",
    re.IGNORECASE,
)
"""Words for a time without a year: *back in the day*, *under the old legend rule*."""

NO_YEAR = "These are the newest rules. For older rules, name a year: “in 2008”."
"""The remark on such words."""

_SMALL = frozenset("the a an my your his their our some any all this that of please thanks exactly".split())


class Asked(NamedTuple):
    """A question of the catalogue with one argument for each of its parameters, in order.

    `edition` is the one that the words name, else ``""``. `things` were recognised in the arguments. `loose`
    is true if the words are not quite those of an example.
    """

    question: Question
    args: tuple[str, ...]
    edition: str = ""
    things: tuple[Recognised, ...] = ()
    loose: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The arguments, with things by their names."""
        names = {said.lower(): it.name for it in reversed(self.things) for said in (it.used, it.name)}
        return tuple(names.get(arg.lower()) or number_in(arg) or arg for arg in self.args)

    @property
    def meaning(self) -> str:
        """The question in the catalogue's words, with things by their names."""
        title = re.sub(r"\ba (?=[aeiou])", "an ", self.question.about(self.names), flags=re.IGNORECASE)
        return f"{title} ({self.question.name})"


def meanings(
    session: Session, words: str, edition: str | None = None, *, around: bool = False
) -> Iterator[Asked]:
    """Yield the questions that `words` may ask, likeliest first, each once.

    Every word counts: if one belongs neither to a question nor to a name, nothing fits, unless `around`
    allows neutral words around a question (see `is_neutral`). If nothing fits, misspelled words of questions
    are corrected. If the words name an edition or a day, the question is asked there, unless the question
    itself is about it (see `moment_beside`).

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    for way in ways(session, reword_kinds(session, words), edition):
        seen: set[tuple[str, tuple[str, ...]]] = set()
        found = _meanings(session, way.rest, way.edition or edition, around)
        # We have only today's cards, so a question about an earlier time is rather about its rules.
        for it in sorted(found, key=lambda it: it.question.area == "cards") if way.edition else found:
            if way.unknown:
                raise way.unknown
            if (it.question.name, it.names) not in seen:
                seen.add((it.question.name, it.names))
                yield it._replace(edition=way.edition)
        if seen:
            return


def ways(session: Session, words: str, edition: str | None) -> Iterator[Moment]:
    """Yield the words unchanged, then respelled, then without the edition that they name, and the edition."""
    yield Moment("", words)
    meant = respelled(session, words)
    if meant != words:
        yield Moment("", meant)
    if moment := moment_beside(session, meant, edition):
        yield moment


def _meanings(session: Session, words: str, edition: str | None, around: bool) -> Iterator[Asked]:
    known: dict[tuple[ParameterKind, str], Known | None] = {}
    # If one example fits exactly, a loose fit of another is not meant.
    said_exactly = False
    for fit in fitting(words, around=around):
        if fit.question.area == "cards" and not _may_be_of_cards(session, words, fit):
            continue
        if around and not is_neutral(session, words, fit, edition):
            continue
        if fit.question.walk == "interaction" and any(map(_COUNTED.match, fit.given.values())):
            continue
        args: list[str] = []
        things: list[Recognised] = []
        for parameter in fit.question.parameters:
            said = fit.given.get(parameter.name) or fit.given["number"]
            if (parameter.kind, said) not in known:
                known[parameter.kind, said] = named_as(session, parameter.kind, said, edition)
            found = known[parameter.kind, said]
            if fit.question.area == "cards" and (
                is_ability_word(session, alone := name_alone(said))
                or (found is None and types_called(session, alone))
            ):
                found = alone, ()
            is_words = parameter.kind is ParameterKind.WORDS
            if found is None or (is_words and ends_neutrally(session, words, fit, said, edition)):
                break
            args.append(found[0])
            things += found[1]
        else:
            is_kind = "kind" not in fit.given or kind_called(session, fit.given["kind"])
            is_number = "number" not in fit.given or number_in(name_alone(fit.given["number"]))
            # No rule says whether anything is a rule: *is a moth rule 201.1*.
            is_decided = fit.question.walk != "whether" or not number_in(args[1])
            asked = Asked(fit.question, tuple(args), "", tuple(things), not fit.exact)
            # A thing is not compared with itself: *+1/+1 counters and -1/-1 counters*.
            is_of_one = len(args) == _TWO and len({it.lower() for it in asked.names}) == 1
            fits = is_kind and is_number and is_decided and not is_of_one and (fit.exact or not said_exactly)
            if fits and not any(_is_cut(session, words, it, edition) for it in fit.given.values()):
                said_exactly = said_exactly or fit.exact
                yield asked


def _is_cut(session: Session, words: str, said: str, edition: str | None) -> bool:
    """Return whether a part of words is only a part of a name there: *mana* in *is mana burn a rule*."""
    named = _ARTICLE.sub("", said.lower().strip("\"'“”‘’?!.,;: "))
    rest = words.lower()
    if f"{named} rule" in rest and _is_rule_called(session, f"{named} rule", edition):
        return True
    for it in recognise(session, words).things:
        used = it.used.lower()
        is_name = it.how is How.EXACT or singular(used) == it.name.lower()
        if is_name and used != named and f" {named} " in f" {used} ":
            rest = f"{rest[: it.start]}{' ' * (it.end - it.start)}{rest[it.end :]}"
    return re.search(rf"(?<!\w){re.escape(named)}(?!\w)", rest) is None and named in words.lower()


def _may_be_of_cards(session: Session, words: str, fit: Fit) -> bool:
    """Return whether words can be a question about cards: their names, or a type before what they have.

    *My library* is about a game, and *which creatures have ward* names cards by their type.
    """
    said = [name_alone(it) for it in fit.given.values()]
    of_a_game = (rf"{_IN_A_GAME}{re.escape(it)}|{_OF_PLAY}" for it in said)
    is_of_a_game = any(re.search(it, words, re.IGNORECASE) for it in of_a_game)
    if not said:  # *Which terms are on cards?*
        return current_cards(session) is not None
    whole = re.search(rf"\bcards? {re.escape(said[0])}", words, re.IGNORECASE)
    if whole and len(said) < _TWO and thing_named(session, whole[0]):  # *card types*
        return False
    # In *a list of cards with ward*, a card is nothing that cards have.
    if is_of_a_game or _ALL_CARDS.issuperset(said[0].lower().split()) or current_cards(session) is None:
        return False
    return len(said) < _TWO or bool(_OF_CARDS.search(words)) or bool(types_called(session, said[0]))


def refusal(session: Session, words: str) -> UsageError:
    """Return the error for words that are not a question: what is unknown, or the nearest questions."""
    for fit in fitting(words):
        # Words that begin with their subject may be search words: *lanterns and moths*.
        # Nor is a function word the name of one of two things: *we both go to zero*.
        whole, named = name_alone(words).lower(), [name_alone(it).lower() for it in fit.given.values()]
        opens = any(map(whole.startswith, named)) or (
            len(named) > 1 and any(FUNCTION_WORDS.issuperset(it.split()) for it in named)
        )
        for parameter in fit.question.parameters:
            if parameter.kind.stands_in_editions and fit.exact and not opens and parameter.name in fit.given:
                try:
                    identify(session, name_alone(fit.given[parameter.name]))
                except UsageError as error:
                    return error
    return UnknownNameError("question", words, nearest(words), "`rulesgraph ask --list` shows all questions.")


Known = tuple[str, tuple[Recognised, ...]]
"""The value of an argument, and how it was recognised."""


def named_as(session: Session, kind: ParameterKind, words: str, edition: str | None) -> Known | None:
    """Return the value of an argument; None if the words name nothing of its kind."""
    if kind is ParameterKind.CARD:
        # Few questions are about cards.
        from ..cards.naming import card_called

        card = card_called(session, words)
        return (card.name, ()) if card else None
    if kind is ParameterKind.DATE:
        return (words, ()) if period_called(words) else None
    if kind is ParameterKind.AUTHORITY:
        return (words, ()) if is_authority(session, words) else None
    if kind is ParameterKind.WORDS:
        return None if _OF_CLAUSES.search(words) else (name_alone(words), ())
    known = thing_named(session, words, edition)
    if kind is ParameterKind.KIND and known and any(map(_is_participle, known[1])):
        return None
    if kind is ParameterKind.KIND and not (known and all(it.stands for it in known[1])):
        game_kind = kind_called(session, words)
        known = (game_kind.name, ()) if game_kind else known
    if kind is ParameterKind.PROCEDURE and known is None:
        steps = resolve_procedure(session, name_alone(words), edition)
        known = (steps.things[0].name, ()) if steps else None
    if kind is ParameterKind.PART:
        known = thing_named(session, part_called(session, name_alone(words)) or words, edition)
    number = number_in(known[0]) if known else ""
    is_rule = number[-1:].isalpha() or bool(number and known and known[1])
    return None if is_rule and kind is ParameterKind.TERM else known


def _is_participle(it: Recognised) -> bool:
    """Return whether a verb names a thing: something that can be *attacked* is not a kind of attack."""
    return re.fullmatch(r"\w+ed" if it.how is How.EXACT else r"\w+(?:ed|ing)", it.used.lower()) is not None


def thing_named(session: Session, words: str, edition: str | None = None) -> Known | None:
    """Return the name of the one thing that `words` as a whole name, and how it was recognised, or None.

    Neither filler around a name (*the trample mechanic*) nor its kind (*the trample ability*) counts.
    The name of an edition is returned as written.
    """
    if number_in(name_alone(words)):
        return words, ()
    for said in _barer(words):
        found = recognise(session, said, edition)
        bare = _ARTICLE.sub("", said.lower())
        is_whole = any(it.stands and it.used.lower() == bare for it in found.things)
        if not is_whole and _is_rule_called(session, bare, edition):
            return None
        if not (found.things and _SMALL.issuperset(found.rest)):
            continue
        own = _without_kinds(session, found)
        if len({(it.start, it.end) for it in own}) == 1:
            things = tuple(it for it in own if it.kind not in ("edition", "date"))
            if things:
                return (things[0].used if things[0].how in _AS_WRITTEN else things[0].name), things
    return None


def _is_rule_called(session: Session, named: str, edition: str | None) -> bool:
    """Return whether the texts call a rule so, whether a term has that name or not: *legend rule* in 2008."""
    if not (named.endswith(" rule") and session.editions()):
        return False
    scope = session.scope(edition)
    inside = session.iris.edition(scope.edition)
    phrase = 'text : "{}"'.format(named.replace('"', " "))
    places = session.index(scope.edition).execute(_PLACES, (phrase,)).fetchall()
    texts = texts_of(session, scope, [f"{inside}/{place}" for (place,) in places]).values()
    return any(re.search(rf"\b{re.escape(named)}\b", text, re.IGNORECASE) for text in texts)


def _without_kinds(session: Session, recognised: Recognition) -> list[Recognised]:
    """Return what a text names, but for kinds beside things of them: *the trample keyword ability*.

    In the plural, a kind before a name is no part of it: *the keyword abilities trample needs*.
    """
    text, scope = recognised.text, recognised.scope
    kinds: list[Recognised] = []
    for one, other in pairwise(recognised.things):
        if not text[one.end : other.start].isspace():
            continue
        if is_of_kind(session, scope, one.iri, other.iri):
            kinds.append(other)
        elif singular(one.used) == one.used and is_of_kind(session, scope, other.iri, one.iri):
            kinds.append(one)
    if kinds and kind_called(session, text):  # *a battle type*
        return [*recognised.things]
    return [it for it in recognised.things if it not in kinds]


def name_alone(words: str) -> str:
    """Return a name without filler words around it.

    >>> name_alone("the trample mechanic"), name_alone("rule 100"), name_alone("flying a")
    ('trample', '100', 'flying')
    """
    *_, bare = _barer(words)
    return bare


def _barer(words: str) -> Iterator[str]:
    """Yield words unchanged, then with less and less around the name."""
    yield words
    before, bare = "", words.strip("\"'“”‘’?!.,;: ")
    while before != bare:
        yield bare
        before, bare = bare, _AROUND.sub("", bare, count=1)
