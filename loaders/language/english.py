"""A word is told from a slip of the pen: whether it is an English one."""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from typing import Any

_LIST = ("symspellpy", "frequency_dictionary_en_82_765.txt")
"""The package that brings a list of English words, and its file: a word and how often it is used a line."""


def is_english(word: str) -> bool:
    """Tell whether a word is English, in any case.

    >>> is_english("Lanterns"), is_english("lanterm")
    (True, False)
    """
    return f"\n{word.lower()} " in _words()


@cache
def _words() -> str:
    # One text that is searched is there in a tenth of the time that a set of its words takes.
    package, name = _LIST
    # Its package is not imported for it, nor `importlib.resources`: each would take longer than the reading.
    spec: Any = find_spec(package)
    data: bytes = spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), name))
    return "\n" + data.decode("utf-8-sig").replace("\r\n", "\n")
