"""Parse each real document once per process: all take four seconds, and most tests need none."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import rulesgraph
from rulesgraph import Rules
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import read_source
from rulesgraph.loaders.records import Document

PAGES = ("000", "003", "004")
"""The seeds that are pages of one release of the rulings site: G16, G5 and G12."""

AROUND = ("2008-02-01", "2009-05-01", "2009-07-11", "2025-04-04", "2026-01-16")
"""Days around the renumbering of July 2009 and the moves of 2025: the store of their rules is what tests ask
that need several real editions, so that none but this is built."""

FAR_APART = (*AROUND[:3], "2016-11-11", AROUND[3], "2025-06-06", AROUND[4])
"""More of them, for sweeps that `make test` leaves out."""


def rules(shared: Path, day: str) -> Path:
    """Return the path of the rules of a day such as `2008-02-01`."""
    return shared / "corpora" / "cr" / f"{day}.txt"


def seed(shared: Path, number: str) -> Path:
    """Return the path of the seed with a number such as `000`."""
    return next((shared / "seeds").glob(f"{number}_*"))


def pages(shared: Path) -> list[Path]:
    """Return the paths of the three rulings pages."""
    return [seed(shared, number) for number in PAGES]


@cache
def parsed(path: Path) -> Document:
    """Return the document in a file, parsed by the loader for its content."""
    return load_document(read_source(path))


def rules_without_cases(*sources: Path) -> Rules:
    """Return documents in a store with an empty set of solved cases, which replaces the bundled one."""
    with TemporaryDirectory() as folder:
        none = Path(folder) / "bundled-cases.tsv"
        none.write_text("question\trules\tas_of\n", encoding="utf-8")
        return rulesgraph.build([*sources, none], store=":memory:").rules
