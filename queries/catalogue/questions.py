"""The headers of the `.rq` files become a catalogue: what can be asked, in which words, and what comes back.

A header stands at the top of each answer::

    #+ question: Which terms rely on {concept}?
    #+ question: What breaks when {concept} changes?
    #+ area: reliance
    #+ param concept (thing): a term or a rule number
    #+ returns: term, quote, document, line
    #+ cut: start, end
    #+ walk: terms_relying_on
    #+ note: what a reader should know of the rows

The first question is the title, the others are more ways to ask; a `wording` is a looser one, with choices:
``how (does|do) {concept} work``. `area` is what it is about (`AREAS`). A parameter is the variable of the
query with the kind of thing that it takes (`ParameterKind`) and what to give, in words. `cut` names
columns of the query that say where in the text of `quote` the evidence stands: code points, or a term
whose name is looked for; they are used and left out. `walk` names what answers instead of the query
alone, which then is its first step, as plain SPARQL; `finish` names what completes the rows of the
query; `against` names what the rows are told against, where there is none without it; `instead` the
question that may name more things than this one does.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import NamedTuple

from ...ontology.errors import UnknownNameError
from ..files import QUERIES
from .headers import header, listed

AREAS = {
    "names": "Terms and their names",
    "reliance": "What rests on what",
    "kinds": "Kinds and lists",
    "order": "Steps and their order",
    "history": "What changed",
    "texts": "What the texts say",
    "defects": "Defects of the texts",
}
"""What questions are about, as people read it, in the order in which they may want to know."""


class ParameterKind(StrEnum):
    """What an argument of a question has to be."""

    TERM = "term"
    """A term by any of its names; the number of an entry or rule stands for the term that it defines."""

    THING = "thing"
    """A term, or whatever carries a number."""

    KIND = "kind"
    """A kind of thing in the game by a label of the vocabulary, a term that names one, or a number."""

    PROCEDURE = "procedure"
    """A procedure by what the rules call it, or whatever has one: a term, or what carries a number."""

    PART = "part"
    """A part of the turn, with or without *step* or *phase* behind its name, or what carries a number."""

    RULE = "rule"
    """The number of a rule, section or entry; the name of a term is no mistake, but nothing is its part."""

    WORDS = "words"
    """Words as a text has them, in any case and number."""

    DATE = "date"
    """A day, or a month or year, which stand for their first day."""

    AUTHORITY = "authority"
    """Who is named in brackets behind a paragraph."""

    @property
    def stands_in_editions(self) -> bool:
        """True for what decides in which edition a question is answered."""
        return self not in (ParameterKind.WORDS, ParameterKind.DATE, ParameterKind.AUTHORITY)


class Parameter(NamedTuple):
    """One thing that a question names: the variable of the query, its kind, and what to give."""

    name: str
    kind: ParameterKind
    description: str

    @property
    def usage(self) -> str:
        """The parameter as help shows it.

        >>> Parameter("concept", ParameterKind.THING, "a term or a rule number").usage
        'CONCEPT (thing)'
        """
        return f"{self.name.upper()} ({self.kind})"


class Question(NamedTuple):
    """One question of the catalogue; `phrasings` are ways to ask it, the first of them its title.

    `wordings` are more ways, in which people ask it too, with choices between words.
    """

    name: str
    phrasings: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    returns: tuple[str, ...]
    cut: tuple[str, ...]
    walk: str
    finish: str
    note: str
    text: str
    against: str = ""
    wordings: tuple[str, ...] = ()
    instead: str = ""
    area: str = ""

    @property
    def title(self) -> str:
        """The question as people ask it."""
        return self.phrasings[0]

    @property
    def query(self) -> str:
        """The SPARQL below the header."""
        lines = self.text.splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith("#+"))


_OLD_NAMES = {"shared_grounds": "interaction"}
"""What questions were called before."""


def question(name: str) -> Question:
    """Return the question called `name`; raises `UnknownNameError` with the nearest."""
    folded = _folded(name)
    if not QUERIES.has("answers", folded):
        from difflib import get_close_matches

        near = get_close_matches(folded, QUERIES.names("answers"), n=3, cutoff=0.5)
        raise UnknownNameError("question", name, near, "rulesgraph ask --list shows all questions")
    return read_question(folded, QUERIES.read("answers", folded))


def is_name(words: str) -> bool:
    """Tell the name of a question from words.

    >>> is_name("What is a moth?"), is_name("terms_relying_on"), is_name("moth")
    (False, True, False)
    """
    return " " not in words.strip() and QUERIES.has("answers", _folded(words))


def _folded(name: str) -> str:
    """Return the name of a question as its file has it; those of before are those of today."""
    folded = name.strip().lower().replace("-", "_").replace(" ", "_")
    return _OLD_NAMES.get(folded, folded)


@cache
def questions() -> tuple[Question, ...]:
    """Return all questions, sorted by name."""
    return tuple(read_question(name, QUERIES.read("answers", name)) for name in QUERIES.names("answers"))


def read_question(name: str, text: str) -> Question:
    """Read the header of one answer; raises `ValueError` for a line that is none, and for unknown words."""
    found: dict[str, list[str]] = {}
    parameters = []
    for line in header(text):
        if line.key == "param":
            parameters.append(Parameter(line.name, ParameterKind(line.kind), line.value))
        else:
            found.setdefault(line.key, []).append(line.value)
    area = " ".join(found.get("area", ()))
    if area and area not in AREAS:
        raise ValueError(f"not an area of questions: {area}")
    return Question(
        name=name,
        phrasings=tuple(found.get("question", ())),
        parameters=tuple(parameters),
        returns=listed(found.get("returns", ())),
        cut=listed(found.get("cut", ())),
        walk=" ".join(found.get("walk", ())),
        finish=" ".join(found.get("finish", ())),
        note=" ".join(found.get("note", ())),
        text=text,
        against=" ".join(found.get("against", ())),
        wordings=tuple(found.get("wording", ())),
        instead=" ".join(found.get("instead", ())),
        area=area,
    )
