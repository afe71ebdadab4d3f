"""A word becomes the words that it may be a form of, and those that may be forms of it."""

from __future__ import annotations

import re
from functools import lru_cache

from .everyday import UNBENT
from .names import plural, singular
from .verbs import plain_verbs, verb_of, verbs_of_noun

_DOER = re.compile(r"(?<=\w\w)ers?$")
"""What makes of a verb the one who does it: *a double striker*."""

_BENDABLE = 3
"""How many letters a word has at least that is looked for in its other forms."""


@lru_cache(maxsize=8192)
def other_forms(word: str) -> tuple[str, ...]:
    """Return the other words that `word` may be a form of, or that may be forms of it, the likeliest first.

    >>> other_forms("tapped")[0], "dies" in other_forms("died"), "strike" in other_forms("strikers")
    ('tap', True, True)
    >>> "destroy" in other_forms("destruction")
    True
    """
    if len(word) < _BENDABLE or not word.isalpha():
        return ()
    doer = _DOER.sub("ing", word)
    guesses = (*plain_verbs(word), *plain_verbs(doer), *verbs_of_noun(singular(word)))
    plain = [verb for verb in guesses if verb not in UNBENT]
    likely = [singular(word), *plain, plural(word)]
    bending = [*plain, *([] if word in UNBENT else [word])]
    further = sorted({form for verb in bending for form in verb_of(verb).forms})
    return tuple(form for form in dict.fromkeys((*likely, *further)) if form != word)
