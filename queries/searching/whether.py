"""A question whether one thing is another becomes the passages with a sentence that tells it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...loaders.language.names import plural, singular
from ..recognising.recognition import Recognised, Recognition

_OPENS = re.compile(r"\W*(?:is|are|was|were|do|does|did|can|could)\b", re.IGNORECASE)
_SMALL = frozenset(
    "is are was were isn't aren't do does did don't doesn't can could be been become becomes count counts as "
    "considered treated called a an the all every each any some it its my your also always still ever only "
    "really technically actually just even of kind type sort really or not too then".split()
)
"""What such a question is made of besides the two names."""

_IS = (
    r"(?:is|are|was|were|becomes?|remains?|counts? as|isn['’]t|aren['’]t|can['’]t be"
    r"|(?:doesn|don)['’]t (?:become|count as))"
)
_BETWEEN = (
    r"(?: (?:not|never|neither|always|also|still|both|only|just|considered|treated as|an?|the|any"
    r"|(?:kind|type|sort)s? of))*"
)
_ALTERNATIVE = r"(?: [\w-]+ (?:nor|or|and))?"
"""*neither a card nor a permanent*"""


class Whether(NamedTuple):
    """What is asked of each other: whether what has the names of `first` is what has those of `second`."""

    first: tuple[Recognised, ...]
    second: tuple[Recognised, ...]


def whether(recognised: Recognition) -> Whether | None:
    """Return the two things of a question such as *is a moth a lantern*, None for any other."""
    if not _OPENS.match(recognised.text) or not _SMALL.issuperset(recognised.rest):
        return None
    places: dict[tuple[int, int], list[Recognised]] = {}
    for it in recognised.things:
        if it.kind != "term" or not it.stands:
            return None
        if not _SMALL.issuperset(it.used.lower().split()):
            places.setdefault((it.start, it.end), []).append(it)
    if len(places) != 2:
        return None
    first, second = (tuple(places[place]) for place in sorted(places))
    return Whether(first, second)


def telling(asked: Whether, texts: Mapping[str, str]) -> list[str]:
    """Return the keys of the texts that say in a sentence that the first thing is the second, or is not.

    >>> from rulesgraph.queries.recognising.lexicon import How
    >>> moth = Recognised("term", "", "Moth", "moths", 0, 5, How.FORM)
    >>> lamp = moth._replace(name="Lamp", used="lamp")
    >>> texts = ["A moth isn't considered a lamp.", "Lamps are no moth.", "Moths sit on a lamp."]
    >>> telling(Whether((moth,), (lamp,)), {text: text for text in texts})
    ["A moth isn't considered a lamp."]
    """
    says = re.compile(
        rf"\b(?:{_any(asked.first)})(?: (?:cards?|permanents?|objects?))?,? {_IS}\b"
        rf"{_BETWEEN}{_ALTERNATIVE}{_BETWEEN} (?:{_any(asked.second)})\b(?! (?:that|of)\b)",
        re.IGNORECASE,
    )
    return [key for key, text in texts.items() if says.search(text)]


def _any(things: Sequence[Recognised]) -> str:
    """Return a pattern of any of the names of things, in either number."""
    return "|".join(map(re.escape, sorted(set(_forms(things)), key=lambda form: (-len(form), form))))


def _forms(things: Iterable[Recognised]) -> Iterable[str]:
    for it in things:
        yield from (it.name.lower(), singular(it.name).lower(), plural(it.name).lower())
