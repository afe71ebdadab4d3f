"""Read questions about the history of one thing: what became of it, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from ...loaders.language.lexicon import How
from ..finding.recognition import Recognised
from ..session import Answer, Session, with_history
from .running import command
from .understanding import name_alone, thing_named

_MOST_GONE = 10
"""The maximum number of removed rules in a list."""

SlotValues = Mapping[str, Any]
"""The values in the slots of a question, by name: numbers, ids of editions, words, or recognised things."""


class WordReading(NamedTuple):
    """One reading of words: as a sentence, as a command, and the function that answers it.

    `things` are those recognised in its subject; `thing` is set if the words are only its name, with the
    `edition` that they name beside it. `loose` is true if the words are not quite an example of the question,
    `settled` if an empty result is also an answer: that nothing relies on a thing. `command` is ``""`` if it
    is not worth offering. `asked` is the name of a question of the catalogue, with its arguments.
    """

    meaning: str
    command: str
    answer: Callable[[], Answer]
    things: tuple[Recognised, ...] = ()
    thing: str = ""
    loose: bool = True
    settled: bool = False
    edition: str = ""
    asked: tuple[str, ...] = ()


def life(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the life of a rule, given by its number, or of the entry of a term."""
    from .dated import life_of

    it = given.get("concept") or given["number"]
    name = it if isinstance(it, str) else it.name
    meaning = f"What became of rule {name}?" if isinstance(it, str) else f"What is the history of {name}?"
    things = () if isinstance(it, str) else (it,)
    yield WordReading(meaning, command("trace", name), partial(life_of, session, it), things)


def gone(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the removed rules with words that name nothing today."""
    words = name_alone(given["what"])
    doing = given.get("doing", "")
    words = f"{words} {doing}".strip()
    if thing_named(session, words) is None and len(with_history(session.editions())) > 1:
        # Few questions need this.
        from .dated import went

        meaning = f"Which rules of “{words}” went, and when?"
        answer = partial(went, session, words, _MOST_GONE)
        yield WordReading(meaning, command("search", words, edition="all"), answer)


def became(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the life of the newer of two names of one thing, or of the one of two things that is obsolete."""
    from .dated import replaced

    one, other = (it if isinstance(it, str) else it.name for it in (given["concept"], given["other"]))
    found = replaced(session, one, other)
    if found:
        answer, name = found
        things = tuple(it for it in given.values() if not isinstance(it, str))
        yield WordReading(f"What is the history of {name}?", command("trace", name), answer, things)


def number_then(session: Session, given: SlotValues) -> Iterator[WordReading]:
    """Yield the numbers and names of a thing at a time of which no edition need be loaded."""
    from .dated import called_in

    it = given["concept"]
    name = it if isinstance(it, str) else it.name
    answer = partial(called_in, session, name, given["when"])
    things = () if isinstance(it, str) else (it,)
    yield WordReading(
        f"Which number did {name} have in {given['when']}?", command("trace", name), answer, things
    )


def how_named(it: Recognised) -> str:
    """Return the remark about a thing that was not called by its own name, else ``""``.

    >>> how_named(Recognised("term", "", "Sacrifice", "sac", 0, 3, How.PLAYERS, note="Short for giving up."))
    '"sac" is Sacrifice, in players\\' words: short for giving up.'
    """
    if it.how in (How.EXACT, How.FORM, How.NUMBER):
        return ""
    note = f": {it.note[0].lower()}{it.note[1:]}" if it.note else "."
    return f'"{it.used}" is {it.name}, {it.how.value}{note}'
