"""Names that an edition uses as verbs become their verb forms.

The first word of a name bends: *Destroy* gives *destroyed*, *Enters the Battlefield* gives *entered the
battlefield*. It bends where the edition uses it as a verb, or where the word behind it shows that it is one
(*Lose the Game*). A name that is a participle or a gerund (*Cycling*, *Phased Out*) has the other forms of
its verb only where no term is named by the plain verb: with a term *Draw*, who draws a card does not name
*Drawing a Card*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ..language.everyday import UNBENT, UNMARKED
from ..language.verbs import PARTICLES, plain_verbs, verb_of
from .usage import VerbsUsed

_PARTS = re.compile("[ -]")
_OBJECT = frozenset("a an the in into from out".split())
"""Words behind a verb, and behind no noun that opens a name."""

_BEFORE_PLAIN = re.compile(
    r"\b(?:to|may|can|cannot|could|must|would|will|they|you|\w+n['’]t|"
    r"(?!(?:as|has|is|its|this|was)\b)\w+s) $"
)
_BEFORE_THIRD = re.compile(
    r"\b(?:it|she|who|that|which|and|or|player|opponent|controller|card|creature|object|permanent|spell) $"
)


class Inflections:
    """The verb forms of names.

    `before` tells of forms that may be nouns as well (*die*, of the name *Dies*; *pairs*, of *Paired*) what
    has to stand before them.
    """

    def __init__(self, names: Mapping[str, Sequence[str]], verbs: VerbsUsed) -> None:
        """Take all names of an edition, and the verbs that it uses."""
        self._verbs = verbs
        self._names = {name.lower() for own in names.values() for name in own}
        self.before: dict[str, re.Pattern[str]] = {}

    def of_names(self, names: Sequence[str]) -> Iterator[str]:
        """Yield the forms of each name whose first word is a verb, in small letters."""
        for name in map(str.lower, names):
            first, *rest = _PARTS.split(name)
            if "[" in name or not first.isalpha() or name in UNMARKED:
                continue
            for plain in self._plain_verbs(first, rest):
                verb = verb_of(plain)
                if not rest and plain != first:
                    may_be_nouns = {plain: _BEFORE_PLAIN, verb.third: _BEFORE_THIRD}
                    self.before |= {form: may_be_nouns[form] for form in may_be_nouns.keys() - self._names}
                for form in sorted(verb.forms - {first}):
                    yield " ".join((form, *rest))

    def _plain_verbs(self, first: str, rest: Sequence[str]) -> Iterator[str]:
        """Yield the verbs that `first` is a form of, as the first word of a name."""
        behind = rest[0] if rest else ""
        particle = f" {behind}" if behind in PARTICLES else ""
        guesses = plain_verbs(first)
        if not particle and not UNBENT.isdisjoint((first, *guesses)):
            return
        named = not self._names.isdisjoint(guess + particle for guess in guesses)
        for plain in (first, *guesses):
            finite = first in (plain, verb_of(plain).third)
            shown = behind in _OBJECT and not (plain == first and guesses)
            besides = "" if plain == first else first
            if (finite or not named) and (shown or self._verbs.uses(plain + particle, besides)):
                yield plain
