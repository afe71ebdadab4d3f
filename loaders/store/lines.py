"""Files of N-Quads that a build wrote are read back as text: without an engine, and by the property alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

_ESCAPED = re.compile(r"\\(.)")
_MEANING = {"n": "\n", "r": "\r", "t": "\t"}


def written_statements(path: Path, graph: str, properties: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield (subject, property, value) of the statements with some properties in a file of one graph.

    IRIs and literals come as their text alone. The file has one statement a line, with one space between
    its parts and only those characters escaped that must be.
    """
    wanted = {f"<{name}>": name for name in properties}
    end = len(f" <{graph}> .")
    for line in path.read_text(encoding="utf-8").split("\n"):
        parts = line.split(" ", 2)
        name = wanted.get(parts[1]) if len(parts) == 3 else None
        if name is not None:
            yield parts[0][1:-1], name, _value(parts[2][:-end])


def _value(term: str) -> str:
    if term[0] == "<":
        return term[1:-1]
    words = term[1 : term.rindex('"')]
    return _ESCAPED.sub(lambda it: _MEANING.get(it[1], it[1]), words) if "\\" in words else words
