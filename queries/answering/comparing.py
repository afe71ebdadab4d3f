"""Read questions about two things at once, or the place of one, for which the catalogue has no query."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from ...loaders.language.lexicon import How
from ...loaders.language.numbers import number_in
from ...ontology import slug
from ..catalogue.questions import question
from ..finding.recognition import Recognised
from ..session import Answer, Session, with_history
from .running import answer_to, command
from .slots import SlotValues, WordReading
from .spelling import place_of
from .understanding import name_alone, thing_named


def _gone(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for removed rules, if words name nothing today."""
    words = f"{name_alone(given['what'])} {given.get('doing', '')}".strip()
    if thing_named(session, words) is None and with_history(session.editions()):
        # Few questions need this.
        from .sentences import MOST_GONE, went

        meaning = f"Which rules with “{words}” are gone, and since when?"
        answer = partial(went, session, words, MOST_GONE)
        yield WordReading(meaning, command("search", words, edition="all"), answer)


def _chain(session: Session, given: SlotValues) -> Iterator[WordReading]:
    from ..reliance.interaction import why_and_where

    one, other = given["concept"], given["other"]
    if not isinstance(one, str) and not isinstance(other, str):
        yield WordReading(
            f"Through which links does {one.name} rely on {other.name}?",
            command("why", one.name, other.name, edition=given["edition"]),
            lambda: why_and_where(session, one.name, other.name, edition=given["edition"]),
            (one, other),
        )


def _apart(session: Session, given: SlotValues) -> Iterator[WordReading]:
    one, other = given["concept"], given["other"]
    if isinstance(one, str) or isinstance(other, str):
        yield from _rules_apart(session, [number_in(_name_of(it)) for it in (one, other)], given["edition"])
        return
    asked = question("definition")
    same = one.iri == other.iri
    if same and one.how is other.how is How.PLAYERS:  # *+1/+1 counter vs -1/-1 counter*
        return
    meaning = f"What is {one.name}, and what is {other.name}?"
    answer = partial(_both, session, "definition", given["edition"], one.name, other.name)
    if same:
        meaning = f"What is {one.name}, which is both of these?"
        answer = partial(answer_to, session, asked, (one.name,), given["edition"])
    typed = command("ask", "definition", one.name, edition=given["edition"])
    yield WordReading(meaning, typed, answer, (one, other))


def _name_of(it: Recognised | str) -> str:
    return it if isinstance(it, str) else it.name


def _rules_apart(session: Session, numbers: Sequence[str], edition: str | None) -> Iterator[WordReading]:
    """Yield the reading for what two rules say; two that are only titles stand for what they define."""
    if not all(numbers):
        return
    found = _both(session, "rule_text", edition, *numbers)
    titles = [str(row["title"]) for row in found if row["title"] == row["text"]]
    if len(titles) == len(found) == len(numbers):
        answer = partial(_both, session, "definition", edition, *titles)
        yield WordReading(f"What is {titles[0]}, and what is {titles[1]}?", "", answer)
    typed = command("show", *numbers, edition=edition)
    yield WordReading(f"What do {numbers[0]} and {numbers[1]} say?", typed, lambda: found)


def _both(session: Session, asked: str, edition: str | None, *names: str) -> Answer:
    """Return the answers to one question about two things as one."""
    first, second = (answer_to(session, question(asked), (name,), edition) for name in names)
    rows = tuple(dict.fromkeys((*first.rows, *second.rows)))
    span = " to ".join(dict.fromkeys((first.edition, second.edition)))
    return Answer(asked, first.columns, rows, span, (*first.notes, *second.notes))


def _step_at(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for one step of a procedure, by its place; a phase alone is one of the turn."""
    place = place_of(given["place"])
    if place is None:
        return
    whole = given.get("concept", "turn")
    asked = question("steps_of")

    def answer() -> Answer:
        found = answer_to(session, asked, (whole,), given["edition"])
        column = found.columns.index("step")
        steps = [row[column] for row in found.rows]
        wanted = place or max((it for it in steps if isinstance(it, int)), default=0)
        rows = tuple(row for row in found.rows if row[column] == wanted)
        note = f"It is one of {len(steps)}." if rows else f"There are {len(steps)}."
        return found._replace(rows=rows or found.rows, notes=(*found.notes, *([note] if steps else [])))

    which = f"number {place}" if place else "the last"
    meaning = f"{asked.title.format(concept=whole)} {which.capitalize()}"
    yield WordReading(meaning, command("ask", "steps_of", whole, edition=given["edition"]), answer)


def _part_of_turn(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the reading for whether one part of the turn is in another, by what each is within."""
    part, whole = given["concept"], given["whole"]
    if isinstance(part, str) or isinstance(whole, str):
        return
    asked, where = question("place_in_turn"), given["edition"]
    answer = answer_to(session, asked, (part.name,), where)
    if not answer.rows or not answer_to(session, question("steps_of"), (whole.name,), where).rows:
        return
    within = {slug(str(row["within"])) for row in answer}
    called = str(answer[0]["part"]).capitalize()
    said = f"{called} is{'' if slug(whole.name) in within else ' not'} part of {whole.name.lower()}."
    yield WordReading(
        f"Is {called} part of {whole.name}?",
        command("ask", asked.name, part.name, edition=where),
        lambda: answer._replace(lead=(said, *answer.lead), notes=(said, *answer.notes)),
        (part, whole),
    )


OF_TWO_THINGS: Mapping[str, Callable[[Session, SlotValues], Iterator[WordReading]]] = {
    "gone": _gone,
    "stopped": _gone,
    "chain": _chain,
    "apart": _apart,
    "part_of_turn": _part_of_turn,
    "step_at": _step_at,
}
"""The function for each of the questions of `computed.txt` about two things, or about one and its place."""
