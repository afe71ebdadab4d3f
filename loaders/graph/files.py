"""Triples in files of N-Quads, one named graph each, and back."""

from __future__ import annotations

from pathlib import Path

from .quads import TripleSet


def write_quads(path: Path, triples: TripleSet, graph: str) -> None:
    """Write triples as N-Quads of one graph."""
    with path.open("wb") as file:
        for chunk in triples.nquads(graph):
            file.write(chunk)


def moved_quads(path: Path, graph: str, to: str) -> list[bytes]:
    """Return the lines of a file that `write_quads` wrote, as they are in another graph."""
    end, other = (f" <{name}> .\n".encode() for name in (graph, to))
    return path.read_bytes().replace(end, other).splitlines(keepends=True)
