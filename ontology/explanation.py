"""The axioms by which a reasoner explains itself become sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from .statements import with_article

_FORMS: tuple[tuple[str, str], ...] = (
    (r"Functional (?P<p>\S+)", "nothing has more than one '{p}'"),
    (r"InverseFunctional (?P<p>\S+)", "no two things have the same '{p}'"),
    (r"Irreflexive (?P<p>\S+)", "nothing stands to itself as '{p}'"),
    (r"Asymmetric (?P<p>\S+)", "'{p}' holds in one direction only"),
    (r"Symmetric (?P<p>\S+)", "'{p}' holds in both directions"),
    (r"Transitive (?P<p>\S+)", "'{p}' goes on along a chain"),
    (r"NOT \((?P<s>\S+) (?P<p>\S+) (?P<o>.+)\)", "it is said not to be so that {s} '{p}' {o}"),
    (r"(?P<s>\S+) type (?P<a>.+)", "{s} is {a}"),
    (r"(?P<every>\S+) subClassOf (?P<a>.+)", "every {every} is {a}"),
    (r"(?P<every>\S+) equivalentTo (?P<every2>.+)", "'{every}' and '{every2}' are one class"),
    (r"(?P<a>.+) disjointWith (?P<a2>.+)", "nothing is both {a} and {a2}"),
    (r"(?P<p>\S+) domain (?P<a>.+)", "what has '{p}' is {a}"),
    (r"(?P<p>\S+) range (?P<a>.+)", "the value of '{p}' is {a}"),
    (r"(?P<p>\S+) subPropertyOf (?P<p2>\S+)", "what stands to another as '{p}' stands to it as '{p2}' too"),
    (r"(?P<p>\S+) propertyDisjointWith (?P<p2>\S+)", "nothing stands to another both as '{p}' and as '{p2}'"),
    (r"(?P<p>\S+) inverseOf (?P<p2>\S+)", "'{p}' and '{p2}' are one relation seen from its two ends"),
    (r"(?P<s>\S+) differentFrom (?P<o>\S+)", "{s} and {o} are two things"),
    (r"(?P<s>\S+) sameAs (?P<o>\S+)", "{s} and {o} are one thing"),
    (r"(?P<s>\S+) (?P<p>\S+) (?P<o>.+)", "{s} '{p}' {o}"),
)
_READ = tuple((re.compile(form), said) for form, said in _FORMS)
_EXPRESSION = re.compile(r"[^\s()\[\],]+")
_SMALL = frozenset({"and", "or", "not", "some", "only", "value", "min", "max", "exactly", "self", "inv"})


def in_sentences(explanation: str, called: Callable[[str], str]) -> list[str]:
    """Return the lines of a reasoner's explanation as sentences.

    `called` gives the name for the word by which the reasoner calls a class, a property or a thing.

    >>> in_sentences("1)   dim subClassOf lit\\n     Functional of", str)
    ['every dim is a lit', "nothing has more than one 'of'"]
    """
    lines = (re.sub(r"^\s*\d+\)\s+", "", line).strip() for line in explanation.splitlines())
    return [_sentence(line, called) for line in lines if line]


def _sentence(line: str, called: Callable[[str], str]) -> str:
    for form, said in _READ:
        match = form.fullmatch(line)
        if match:
            return said.format_map(_Parts(match.groupdict(), called))
    return line


class _Parts(dict[str, str]):
    """The parts of a line as they are said: `a` with an article, words of the reasoner by their names."""

    def __init__(self, found: Mapping[str, str], called: Callable[[str], str]) -> None:
        super().__init__({key: self._said(key, value, called) for key, value in found.items()})

    @staticmethod
    def _said(key: str, value: str, called: Callable[[str], str]) -> str:
        if value.startswith('"'):
            return re.sub(r"\^\^\S+$", "", value)
        if " " in value or "[" in value:
            return "what is so: " + _EXPRESSION.sub(
                lambda word: word[0] if word[0] in _SMALL or word[0].isdigit() else called(word[0]), value
            )
        return with_article(called(value)) if key.startswith("a") else called(value)
