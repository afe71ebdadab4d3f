"""The headers of the `.rq` files become a catalogue: what can be asked, in which words, and what comes back.

A header stands at the top of each answer::

    #+ question: Which terms rely on {concept}?
    #+ question: What breaks when {concept} changes?
    #+ param concept: a term or a rule number
    #+ returns: term, quote, document, line
    #+ cut: start, end
    #+ walk: terms_relying_on
    #+ note: what a reader should know of the rows

The first question is the title, the others are more ways to ask. `cut` names columns of the query that
say where in the text of `quote` the evidence stands: code points, or a term whose name is looked for;
they are used and left out. `walk` names what answers instead of the query alone, which then is its
first step, as plain SPARQL; `finish` names what completes the rows of the query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..ontology.errors import UnknownNameError
from . import texts

_LINE = re.compile(r"#\+\s*(?P<key>\w+)(?:\s+(?P<name>\w+))?\s*:\s*(?P<value>.*\S)")
SEVERITIES = ("error", "warning", "info")
PROFILE = {
    "citation_without_reference": "error",
    "name_of_two_terms": "error",
    "part_of_itself": "error",
    "redirect_circle": "warning",
    "reference_out_of_text": "error",
    "reliance_without_kind": "error",
    "term_without_name": "error",
    "text_without_place": "error",
}
"""How grave the finding of each check is: a query does not say."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One thing that a question names: the variable of the query and what to give."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the catalogue; `phrasings` are ways to ask it, the first of them its title."""

    name: str
    phrasings: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    returns: tuple[str, ...]
    cut: tuple[str, ...]
    walk: str
    finish: str
    note: str
    text: str

    @property
    def title(self) -> str:
        """The question as people ask it."""
        return self.phrasings[0]

    @property
    def projection(self) -> tuple[str, ...]:
        """The columns of the query itself."""
        return (*self.returns, *self.cut)


@dataclass(frozen=True, slots=True)
class Check:
    """One defect that can be looked for; its query gives `?entity ?property ?value`."""

    name: str
    severity: str
    title: str
    text: str


def question(name: str) -> Question:
    """Return the question called `name`; raises `UnknownNameError` with the nearest."""
    folded = name.strip().lower().replace("-", "_").replace(" ", "_")
    if not texts.has_query("answers", folded):
        from difflib import get_close_matches

        near = get_close_matches(folded, texts.names_in("answers"), n=3, cutoff=0.5)
        raise UnknownNameError("question", name, near, "rulesgraph ask --list shows all questions")
    return read_question(folded, texts.read_query("answers", folded))


def questions() -> tuple[Question, ...]:
    """Return all questions, sorted by name."""
    return tuple(read_question(name, texts.read_query("answers", name)) for name in texts.names_in("answers"))


def read_question(name: str, text: str) -> Question:
    """Read the header of one answer; raises `ValueError` for a line that is none."""
    found: dict[str, list[str]] = {}
    parameters = []
    for key, of, value in _header(text):
        if key == "param":
            parameters.append(Parameter(of, value))
        else:
            found.setdefault(key, []).append(value)
    return Question(
        name=name,
        phrasings=tuple(found.get("question", ())),
        parameters=tuple(parameters),
        returns=_list(found.get("returns", ())),
        cut=_list(found.get("cut", ())),
        walk=" ".join(found.get("walk", ())),
        finish=" ".join(found.get("finish", ())),
        note=" ".join(found.get("note", ())),
        text=text,
    )


def check(name: str) -> Check:
    """Return the check called `name`."""
    text = texts.read_query("checks", name)
    title = " ".join(value for key, _, value in _header(text) if key == "check")
    return Check(name, PROFILE[name], title, text)


def checks() -> tuple[Check, ...]:
    """Return all checks, the gravest first, then by name."""
    found = [check(name) for name in texts.names_in("checks")]
    return tuple(sorted(found, key=lambda it: (SEVERITIES.index(it.severity), it.name)))


def _header(text: str) -> Iterable[tuple[str, str, str]]:
    for line in text.splitlines():
        if line.startswith("#+"):
            match = _LINE.fullmatch(line.rstrip())
            if not match:
                raise ValueError(f"not a line of a header: {line}")
            yield match["key"], match["name"] or "", match["value"]


def _list(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())
