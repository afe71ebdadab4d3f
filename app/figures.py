"""Figures that are typed as arguments."""

from __future__ import annotations

import argparse

_MOST_SECONDS = 1e6


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
