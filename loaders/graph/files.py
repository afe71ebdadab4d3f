"""Triples in files of N-Quads, one named graph each, and back."""

from __future__ import annotations

from pathlib import Path

from .quads import TripleSet


def write_quads(path: Path, triples: TripleSet, graph: str) -> None:
    """Write triples as N-Quads of one graph."""
    with path.open("wb") as file:
        for chunk in triples.nquads(graph):
            file.write(chunk)


def read_lines(path: Path, graph: str) -> list[str]:
    """Return the triples of a file that `write_quads` wrote, as lines of `TripleSet`."""
    end = len(f" <{graph}> .")
    return [line[:-end] for line in path.read_text(encoding="utf-8").split("\n") if line]
