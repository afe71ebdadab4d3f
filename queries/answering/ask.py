"""A question becomes an answer: understood, bound to what it names, run, and its rows explained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ...ontology.errors import UnknownNameError, UsageError
from ...ontology.query_files import bind
from ..catalogue.questions import Question
from ..evidence.rows import explained
from ..reliance.reach import Reach
from ..session import Answer, Session
from .binding import bound
from .understanding import is_in_words, understand

Walker = Callable[[Session, Sequence[str], str | None, Reach], Answer]


def ask(
    session: Session,
    name: str,
    args: Sequence[str] = (),
    *,
    edition: str | None = None,
    reach: Reach | None = None,
) -> Answer:
    """Answer a question of the catalogue: `name` with its arguments, or a whole question in words.

    `reach` (see `reach_of`) says how far questions of reliance go, and over which kinds of link;
    `edition` is an id, several (``"A,B"``) or ``"all"``. Without it the answer is taken from
    the newest loaded edition in which everything that the question names stands, and names it.

    Raises `UnknownNameError` with suggestions for an unknown question, term, number or edition, and
    `UsageError` for the wrong number of arguments. Nothing found is an answer without rows. A question in
    words that asks nothing of the catalogue gets the closest rules (see `closest`).
    """
    in_words = not args and is_in_words(name)
    try:
        question, args = understand(session, name, args)
    except UsageError as error:
        if not in_words:
            raise
        return closest_or_refused(session, name, edition, error)
    if question.walk:
        return _walk(question)(session, args, edition, reach or Reach())
    if reach is not None and reach != Reach():
        raise UsageError(
            f"{question.name} follows no chain of links",
            way_out="--via and --steps are for questions of reliance: terms_relying_on and its like.",
        )
    return run(session, question, args, edition)


def closest_or_refused(session: Session, words: str, edition: str | None, refusal: UsageError) -> Answer:
    """Answer by the closest rules what the catalogue has no answer for.

    A question of the catalogue that names nothing known is refused as it was.
    """
    # Questions of the catalogue do without.
    from ..recognising.recognition import recognise
    from ..searching.closest import closest

    recognised = recognise(session, words, edition)
    if isinstance(refusal, UnknownNameError) and refusal.kind == "question":
        return closest(session, recognised)
    if not recognised.standing:
        raise refusal
    found = closest(session, recognised)
    told = " ".join(str(refusal).split())
    return replace(found, notes=(f"{told[:1].upper()}{told[1:]}", *found.notes))


def run(session: Session, question: Question, args: Sequence[str], edition: str | None = None) -> Answer:
    """Answer by the question's own query, with its parameters bound."""
    values, scope, notes = bound(session, question, args, edition)
    rows = session.select(bind(question.text, values), scope.default_graphs, scope.named_graphs)
    if question.finish:
        # One question needs it.
        from .replaced import replacements

        finished = replacements(session, scope, rows)
    else:
        finished = explained(session, question, rows)
    if scope.united:
        notes.append("The editions were united: what several of them say is one row for each.")
    if not finished and edition is None and len(session.editions()) > len(scope.editions):
        notes.append(f"Nothing in {scope.label}; --edition asks of another edition.")
    return Answer(question.name, question.returns, tuple(dict.fromkeys(finished)), scope.label, tuple(notes))


def _walk(question: Question) -> Walker:
    # Questions that follow no links do without the walks.
    from ..reliance import questions
    from ..reliance.interaction import interaction

    walks: Mapping[str, Walker] = {
        "terms_relying_on": questions.terms_relying_on,
        "rules_relying_on": questions.rules_relying_on,
        "relied_on_by_term": questions.relied_on_by_term,
        "interaction": interaction,
    }
    return walks[question.walk]
