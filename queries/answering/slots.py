"""What reading a question in words gives: the values in its slots, and readings that can be answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from ...ontology import packaged
from ..catalogue.questions import Question, read_question
from ..finding.recognition import Recognised
from ..session import Answer

SlotValues = Mapping[str, Any]
"""The values in the slots of a question, by name: numbers, ids of editions, words, or recognised things.
``edition`` is the id of the edition that the whole question is about, None for the newest."""


class WordReading(NamedTuple):
    """One reading of words: as a sentence, as a command, and the function that answers it.

    `things` were recognised in its subject. `thing` is set if the words are only a name, `edition` if they
    also name an edition. `loose` is true if the words are not quite an example of the question. `settled` is
    true if an empty result is an answer too: that nothing relies on a thing. `command` is ``""`` if it is not
    worth offering. `asked` is the name of a question of the catalogue, with its arguments.
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

    def answered(self, found: Answer) -> WordReading:
        """Return the reading with its answer, so that it is not looked for again."""
        return self._replace(answer=lambda: found)


@cache
def computed() -> tuple[Question, ...]:
    """Return the questions that functions answer (see `readings.py`)."""
    text = packaged("rulesgraph.queries", "answering", "computed.txt").decode("utf-8")
    blocks = text.split("#+ name: ")[1:]
    return tuple(read_question(*(part.strip() for part in block.split("\n", 1))) for block in blocks)
