"""What an answer is made from, the state of a store and the program, becomes one name for it."""

from __future__ import annotations

import sys
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions, version
from pathlib import Path


def digest_of(*signs: str) -> str:
    """Return a name for what is made from `signs` by this release of the program."""
    return sha256("\n".join((*signs, version("rulesgraph"))).encode()).hexdigest()


@cache
def program_digest() -> str:
    """Return a name for the program as it is installed, with its files and the packages that it uses.

    Unlike the number of a release it tells apart what was changed between two of them.
    """
    found = sha256("\n".join(sorted(f"{it.name} {it.version}" for it in distributions())).encode())
    for room in ("ontology", "loaders", "queries", "viz", "app"):
        for folder in sys.modules[f"rulesgraph.{room}"].__path__:
            for file in sorted(it for it in Path(folder).rglob("*") if it.is_file()):
                if "__pycache__" not in file.parts:
                    found.update(str(file).encode() + file.read_bytes())
    return found.hexdigest()
