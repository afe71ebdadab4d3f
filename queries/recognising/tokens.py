"""A text becomes words and symbols as they are compared, each with its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(
    r"\{[^{}\s]{1,5}\}"  # {T}
    r"|[+\-−–]?\d+/[+\-−–]?\d+"  # +1/+1
    r"|[^\W_]+(?:['’][^\W_]+)*"
    r"|∞"
)
_POSSESSIVE = re.compile(r"['’]s?$")
_DOER = re.compile(r"(?<=\w\w)ers?$")
"""What makes of a verb the one who does it: *a double striker*."""

_BENDABLE = 3
"""How many letters a word has at least that is looked for in its other forms."""


class Word(NamedTuple):
    """One word or symbol: `key` is what it is compared by, ``text[start:end]`` what was written."""

    key: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Word]:
    """Yield the words and symbols of a text, in order; all else only parts them.

    >>> [token.key for token in tokens("Moth’s wing: {T}, a +1/−1 Façade")]
    ['moth', 'wing', '{t}', 'a', '+1/-1', 'facade']
    """
    for match in _TOKEN.finditer(text):
        yield Word(_key(match[0]), match.start(), match.end())


@lru_cache(maxsize=8192)
def _key(word: str) -> str:
    small = word.lower().replace("−", "-").replace("–", "-")
    if not small.isascii():
        small = "".join(c for c in unicodedata.normalize("NFKD", small) if not unicodedata.combining(c))
    return _POSSESSIVE.sub("", small) or small


@lru_cache(maxsize=8192)
def other_forms(word: str) -> tuple[str, ...]:
    """Return the other words that `word` may be a form of, or that may be forms of it, the likeliest first.

    >>> other_forms("tapped")[0], "dies" in other_forms("died"), "strike" in other_forms("strikers")
    ('tap', True, True)
    """
    if len(word) < _BENDABLE or not word.isalpha():
        return ()
    from ...loaders.language.everyday import UNBENT
    from ...loaders.language.names import plural, singular
    from ...loaders.language.verbs import plain_verbs, verb_of

    doer = _DOER.sub("ing", word)
    plain = [verb for verb in (*plain_verbs(word), *plain_verbs(doer)) if verb not in UNBENT]
    likely = [singular(word), *plain, plural(word)]
    bending = [*plain, *([] if word in UNBENT else [word])]
    further = sorted({form for verb in bending for form in verb_of(verb).forms})
    return tuple(form for form in dict.fromkeys((*likely, *further)) if form != word)
