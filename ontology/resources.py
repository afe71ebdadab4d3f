"""The files of the vocabulary, read from wherever the package is installed."""

from __future__ import annotations

import os
import sys
from typing import Any

VOCABULARY_FILES = ("vocabulary.ttl", "game.ttl")
"""Documents and links; kinds of things in the game: together the ontology."""

CODES_FILE = "codes.ttl"
"""The controlled values, in SKOS."""

PLAYERS_FILE = "players.ttl"
"""What players say instead of a name, in SKOS-XL; its IRIs are relative to the base of a store."""

SHAPES_FILE = "shapes.ttl"
CONTEXT_FILE = "context.jsonld"


def packaged(package: str, *path: str) -> bytes:
    """Return the bytes of a file of an imported package; raises `OSError` when there is none.

    The package's own loader reads it: to import `importlib.resources` takes more time than a whole answer.
    """
    spec: Any = sys.modules[package].__spec__
    data: bytes = spec.loader.get_data(os.path.join(os.path.dirname(spec.origin), *path))
    return data


def names_in(package: str, folder: str) -> list[str]:
    """Return the names of the files in a folder of an imported package, sorted."""
    spec: Any = sys.modules[package].__spec__
    return sorted(os.listdir(os.path.join(os.path.dirname(spec.origin), folder)))


def read_bytes(name: str) -> bytes:
    """Return the bytes of one file of this folder: ``vocabulary.ttl``, ``game.ttl``, ``shapes.ttl`` …"""
    return packaged("rulesgraph.ontology", name)


def read_text(name: str) -> str:
    """Return one file of this folder as text (UTF-8)."""
    return read_bytes(name).decode("utf-8")


def ontology_turtle() -> tuple[bytes, ...]:
    """Return the vocabulary and the game ontology, each as one Turtle document."""
    return tuple(read_bytes(name) for name in VOCABULARY_FILES)
