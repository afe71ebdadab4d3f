"""Answer a question: by its name with arguments, or in the user's words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ..cards.current import current_cards
from ..catalogue.questions import is_name, question
from ..reliance.levels import Reach
from ..session import Answer, Session
from .running import answer_to, arguments_of


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
        return answer().limited(limit)
    # A question asked by its name needs nothing of the understanding of words.
    from .worded import answer_in_words

    return answer_in_words(session, name, edition, reach, limit).limited(limit)
