"""A question of the catalogue with its arguments becomes its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...ontology.errors import UsageError
from ...ontology.query_files import bind
from ..catalogue.questions import Question
from ..catalogue.questions import question as called
from ..evidence.rows import explained
from ..reliance.reach import Reach
from ..session import Answer, Scope, Session, with_history
from .binding import bound

Walker = Callable[[Session, Sequence[str], str | None, Reach], Answer]


def answer_to(
    session: Session, question: Question, args: Sequence[str], edition: str | None, reach: Reach | None = None
) -> Answer:
    """Answer a question of the catalogue, by the walk behind it or by its own query; raises as `ask` does."""
    reach = reach or Reach()
    if not question.walk and reach != Reach():
        raise UsageError(
            f"{question.name} follows no chain of links",
            way_out="--via and --steps are for questions of reliance: terms_relying_on and its like.",
        )

    def answered(where: str | None) -> Answer:
        if question.walk:
            return _walk(question)(session, args, where, reach)
        return run(session, question, args, where)

    answer = answered(edition)
    if answer.rows or edition is not None:
        return answer
    # Most questions find something.
    from .bygone import when_in_use

    return answer._replace(notes=answer.notes + when_in_use(session, question, args, answer, answered))


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
    oldest = _oldest(session, scope) if question.against and not finished else ""
    if oldest:
        notes.append(f"No edition before {oldest} is loaded, so what is new in it cannot be told.")
    elif not finished and edition is None and len(session.editions()) > len(scope.editions):
        notes.append(f"Nothing in {scope.label}; --edition asks of another edition.")
    if question.instead:
        named = {row[0] for row in finished}
        notes += _instead(session, called(question.instead), args, edition, than=len(named))
    return Answer(question.name, question.returns, tuple(dict.fromkeys(finished)), scope.label, tuple(notes))


def _instead(
    session: Session, other: Question, args: Sequence[str], edition: str | None, than: int
) -> list[str]:
    """Return a note with what to ask instead, where that names more things than `than`."""
    from shlex import quote  # one question needs it

    rows = len(run(session, other, args, edition).rows)
    asked = f"`rulesgraph ask {' '.join(map(quote, (other.name, *args)))}`"
    return [f"{asked} has {rows} {'row' if rows == 1 else 'rows'}."] if rows > than else []


def _oldest(session: Session, scope: Scope) -> str:
    """Return the oldest loaded edition that has a history, where it alone is looked at."""
    known = with_history(session.editions())
    return known[0].id if known and scope.editions == (known[0].id,) else ""


def _walk(question: Question) -> Walker:
    # Questions that follow no links do without the walks, and each walk without the others.
    walks: Mapping[str, Walker]
    if question.walk == "interaction":
        from ..reliance.interaction import interaction

        walks = {"interaction": interaction}
    elif question.walk in ("most_relied_on", "mutual_reliance"):
        from ..reliance import overall

        walks = {"most_relied_on": overall.most_relied_on, "mutual_reliance": overall.mutual_reliance}
    else:
        from ..reliance import questions

        walks = {
            "terms_relying_on": questions.terms_relying_on,
            "rules_relying_on": questions.rules_relying_on,
            "relied_on_by_term": questions.relied_on_by_term,
        }
    return walks[question.walk]
