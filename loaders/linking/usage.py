"""The texts of an edition tell which words it uses as verbs.

A word is used as a verb where it stands in a place that only a verb can take: plain behind a modal
(*can't attack*) or a *To* that opens a sentence, in the past behind a form of *be* or *have*, behind a
thing, or before what completes it (*is destroyed*, *damage dealt to it*), in the third person behind who
does it (*a player cycles*), as a gerund behind a preposition. A verb and its particle (*phase out*) are
another verb than the word alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from ..language.verbs import PARTICLES, verb_of

_BEFORE = {
    "plain": "may can can't cannot could couldn't must mustn't would wouldn't will won't shall should "
    "shouldn't don't doesn't didn't",
    "past": "is isn't are aren't was wasn't were weren't be been being has hasn't have haven't had hadn't "
    "they card cards creature creatures object objects permanent permanents spell spells token tokens",
    "third": "player opponent teammate it she who",
    "gerund": "by of for from than without before after while",
}
"""The words that stand before each form."""

_FORM = {word: form for form, words in _BEFORE.items() for word in words.split()}
_BETWEEN = (" not ", " also ", " only ", " never ", '"', "“", "(", "[")
"""What may stand between them and the form, or before them."""

_COMPLETIONS = frozenset("by due from into onto this to using".split())
"""Words behind a past, and behind no adjective."""

_MARKS = ".,;:!?)]”'"


@lru_cache(maxsize=1 << 14)
def _verbs(text: str) -> frozenset[tuple[str, str]]:
    """Return the verbs that a text shows, each with the form that stands there."""
    return frozenset(_verbs_in(text))


def _verbs_in(text: str) -> Iterator[tuple[str, str]]:
    whole = f". {text} .".replace("To ", "shall ").lower().replace("’", "'")
    for between in _BETWEEN:
        whole = whole.replace(between, " ")
    words = [*whole.split(), ""]
    for before, word, behind in zip(words, words[1:], words[2:], strict=False):
        if before in _FORM:
            particle = behind.strip(_MARKS)
            verb = word.strip(_MARKS)
            yield _FORM[before], f"{verb} {particle}" if particle in PARTICLES else verb
        if behind in _COMPLETIONS:
            yield "past", word


class VerbsUsed:
    """The verbs that texts use; without texts, none."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._seen: set[tuple[str, str]] = set()
        for text in texts:
            self._seen |= _verbs(text)

    def uses(self, plain: str, besides: str = "") -> bool:
        """Tell whether the texts use a verb, given by its plain form, with its particle if it has one.

        `besides` is a form that shows nothing: a name that is a gerund stands where gerunds do.
        """
        word, space, particle = plain.partition(" ")
        verb = verb_of(word)
        places = {"plain": {word}, "past": verb.past, "third": {verb.third}, "gerund": verb.gerund}
        return any(
            (form, word + space + particle) in self._seen
            for form, words in places.items()
            for word in words
            if word != besides
        )
