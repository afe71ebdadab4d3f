"""Write a generation of a store to standard output in little memory, in a process of its own."""

from __future__ import annotations

import gzip
import resource
import sys
from contextlib import nullcontext
from typing import BinaryIO, cast

from pyoxigraph import RdfFormat

from ...ontology.terms import PREFIXES
from .layout import Layout
from .worker_protocol import limit

FORMATS = {"nq": RdfFormat.N_QUADS, "trig": RdfFormat.TRIG}
"""The notations that keep named graphs apart, by their endings."""

SECONDS = 600
"""How long one may compute."""

_LEVEL = 4
"""How hard zlib tries: it takes as long as the writing then."""


def dumping(location: str, generation: int, ending: str, packed: bool) -> list[str]:
    """Return the command that writes a generation of a folder in a notation, `packed` by gzip or not."""
    program = f"from {__name__} import main; main()"
    return [sys.executable, "-P", "-c", program, location, str(generation), ending, "gzip" if packed else ""]


def main() -> None:
    """Do what `dumping` asks for; raises what opening a store raises."""
    location, generation, ending, packed = sys.argv[1:]
    limit(resource.RLIMIT_CPU, SECONDS)
    store = Layout(location).open(int(generation))
    form = FORMATS[ending]
    out = sys.stdout.buffer
    with gzip.GzipFile("", "wb", _LEVEL, out, mtime=0) if packed else nullcontext(out) as file:
        store.dump(cast(BinaryIO, file), form, prefixes=None if form == RdfFormat.N_QUADS else PREFIXES)
        file.flush()
