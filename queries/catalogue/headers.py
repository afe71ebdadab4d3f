"""The lines ``#+ key: value`` at the top of a `.rq` file are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_LINE = re.compile(r"#\+\s*(?P<key>\w+)(?:\s+(?P<name>\w+)(?:\s+\((?P<kind>\w+)\))?)?\s*:\s*(?P<value>.*\S)")


class HeaderLine(NamedTuple):
    """One line of a header: ``#+ key: value``, or ``#+ key name (kind): value``."""

    key: str
    value: str
    name: str = ""
    kind: str = ""


def header(text: str) -> Iterator[HeaderLine]:
    """Yield the lines of a query's header; raises `ValueError` for a line that is none.

    >>> list(header("#+ param moth (term): any of them\\nSELECT"))
    [HeaderLine(key='param', value='any of them', name='moth', kind='term')]
    """
    for line in text.splitlines():
        if line.startswith("#+"):
            match = _LINE.fullmatch(line.rstrip())
            if not match:
                raise ValueError(f"not a line of a header: {line}")
            yield HeaderLine(match["key"], match["value"], match["name"] or "", match["kind"] or "")


def listed(values: Iterable[str]) -> tuple[str, ...]:
    """Return the parts of values that are lists with commas."""
    return tuple(part.strip() for value in values for part in value.split(",") if part.strip())
