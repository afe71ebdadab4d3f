"""Figures that are typed as arguments, and figures that are told."""

from __future__ import annotations

import argparse

_MOST_SECONDS = 1e6
_LONGEST = 6
"""Figures of a number of things."""


def seconds(text: str) -> float:
    """Read a time; refuse what is no number above 0, and what is no number of seconds that ends.

    >>> seconds("0.5")
    0.5
    """
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < _MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"a number of seconds above 0, not {text!r}")
    return number


def positive(text: str) -> int:
    """Read how many of something there may be at most; refuse what is no whole number above 0.

    >>> positive("12")
    12
    """
    if not text.isdecimal() or int(text) < 1 or len(text) > _LONGEST:
        raise argparse.ArgumentTypeError(f"a whole number above 0, not {text!r}")
    return int(text)


def counted(number: int, noun: str) -> str:
    """Return a number with what it counts, whose plural ends in ``s``.

    >>> counted(1, "row"), counted(2, "more row")
    ('1 row', '2 more rows')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
