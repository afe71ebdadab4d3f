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
