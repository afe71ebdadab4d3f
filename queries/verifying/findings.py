"""What there is to say of one citation."""

from __future__ import annotations

from typing import NamedTuple

STANDS = "stands"
"""What `finding` says of a citation that nothing is wrong with; only `every` shows such."""


class Finding(NamedTuple):
    """What is to be said of one number of a citation; `now` are the numbers to look at instead."""

    kind: str
    message: str = ""
    now: tuple[str, ...] = ()
    quote: str = ""
