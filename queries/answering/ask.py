"""Answer a question: by its name with arguments, or in the user's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from ...ontology import UnknownNameError, UsageError, in_a_list
from ..cards.current import current_cards
from ..catalogue.questions import is_name, question
from ..finding.names import capital
from ..reliance.levels import Reach
from ..session import Answer, Session
from .running import answer_to, arguments_of, command


def ask(
    session: Session,
    name: str,
    args: Sequence[str] = (),
    *,
    edition: str | None = None,
    reach: Reach | None = None,
    limit: int | None = None,
) -> Answer:
    """Answer a question of the catalogue, `name` with its arguments, or a question in words.

    `reach` (see `reach_of`) says how far questions of reliance go, and over which kinds of link; `edition` is
    an id, several (``"A,B"``) or ``"all"``. Without it the answer comes from the newest loaded edition that
    has everything the question names, and says so. `Answer.understood` says how words were understood. The
    first `limit` rows are returned.

    Raises `UnknownNameError` with suggestions for an unknown question, term, number or edition, and
    `UsageError` for the wrong number of arguments. An answer without rows means that nothing was found.
    """
    if args or is_name(name):
        asked = question(name)
        given = arguments_of(asked, args)
        answer = partial(answer_to, session, asked, given, edition, reach, limit)
        if asked.walk == "interaction" and current_cards(session):
            from ..cards.meeting import in_common

            return in_common(session, given, edition, answer).limited(limit)
        try:
            return answer().limited(limit)
        except UnknownNameError as error:
            raise _of_a_list(session, error, edition) from None
    # Questions asked by name do not need the code that understands words.
    from .counts import by_edition
    from .worded import answer_in_words

    if edition and len(one := session.scope(edition).editions) == 1:  # by its id, however it was called
        [edition] = one
    in_words = partial(answer_in_words, session, edition=edition, reach=reach, limit=limit)
    try:
        found = (None if edition else by_edition(session, name)) or _of_two(session, name, in_words)
        return (found or in_words(name)).limited(limit)
    except UnknownNameError:
        if two := _TWO.fullmatch(name):
            in_words(two["first"])  # raises the error that names the thing alone
        raise


_TWO = re.compile(
    r"(?P<first>.+?)\W{0,2} and (?P<second>(?:since )?(?:when|which|what|where|who|why|how) .+)",
    re.IGNORECASE,
)
"""Two questions in one: *what is ward, and when was it added*."""

_CLOSEST = 3  # rules to name for a second question that has no answer of its own

_PRONOUN = re.compile(r"\b(?:it|they|them|that|this)\b", re.IGNORECASE)


def _is_read(answer: Answer) -> bool:
    return bool(answer.understood and answer.understood.meaning)


def _of_two(session: Session, words: str, ask: Callable[[str], Answer]) -> Answer | None:
    """Answer two questions in one with the rows of the first, and what the second is answered with.

    Returns None if words are not two questions that can each be read, the second one about the same thing.
    """
    from ..finding.recognition import recognise

    two = _TWO.fullmatch(words)
    about = recognise(session, two["first"]).standing if two else ()
    if not two or len({it.iri for it in about}) != 1:
        return None
    asked = _PRONOUN.sub(about[0].used, two["second"], count=1)
    try:
        first, second = ask(two["first"]), ask(asked)
        is_first, is_second = map(_is_read, (first, second))
        is_one = not is_second and _is_read(ask(words))  # *what did it say then, and what is it now*
    except UsageError:
        return None
    is_told = second.answered and (is_second or (is_first and second.rows and asked != two["second"]))
    if is_one or not is_told:
        return None
    if not is_first or not first.rows:
        told = f"Only “{asked}” was understood, not “{two['first']}”."
        return second._replace(lead=(told, *second.lead), notes=(told, *second.notes))
    columns = ("number", "rule")
    numbers = dict.fromkeys(str(row[it]) for it in columns if it in second.columns for row in second)
    told = in_a_list([*numbers]) if is_second else f"the closest rules are {in_a_list([*numbers][:_CLOSEST])}"
    said = second.lead or tuple(f"“{asked}”: {told}." for _ in [*numbers][:1])
    if not said:
        return None
    more = f"`{command('ask', asked, edition=None)}` has the second answer whole."
    return first._replace(lead=(*first.lead, *said), notes=(*first.notes, *said, more))


def _of_a_list(session: Session, error: UnknownNameError, edition: str | None) -> UnknownNameError:
    """Return an error that also says so if the unknown thing has no term but is on a list of the rules."""
    is_name = error.kind.split(" of ")[0] in _OF_NAMES
    if not is_name or not answer_to(session, question("lists_with"), (error.name,), edition).rows:
        return error
    shown = command("show", error.name, edition=edition)
    return UnknownNameError(error.kind, error.name, error.suggestions, f"It is on a list: `{shown}`.")


_OF_NAMES = ("term or number", "term, number or card", "term, number or question", "rule or entry")
_OF_WORDS = (*_OF_NAMES, "loaded edition")
"""The kinds of unknown things that a question in words may be about; others are mistakes in an argument."""


def ask_or_abstain(
    session: Session,
    name: str,
    args: Sequence[str],
    edition: str | None,
    reach: Reach | None,
    limit: int | None,
) -> Answer:
    """Answer like `ask`, but if a question in words is about something unknown, say so in an answer.

    Raises the errors of `ask` for questions asked by name and for unknown editions.
    """
    try:
        return ask(session, name, args, edition=edition, reach=reach, limit=limit)
    except UnknownNameError as error:
        if args or error.kind.split(" of ")[0] not in _OF_WORDS:
            raise
        lines = (capital(it.strip()) for it in str(error).splitlines())
        # The bundled list has the numbers of editions without text.
        from .dated import numbers_then, terms_then

        said = (it if it[-1:] in tuple(".?") else f"{it}." for it in lines)
        lead = (*numbers_then(session, name), *terms_then(session, name), *said)
        where = session.scope(edition).label  # where the edition is the unknown thing, this is an error
        return Answer("ask", (), (), where, lead, lead=lead, answered=False)
