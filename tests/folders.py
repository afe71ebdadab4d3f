"""Small stores in folders, for tests of what happens to them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from rulesgraph.loaders.store import Store, open_store

OLD, NEW = "https://w3id.org/rulesgraph/graph/old", "https://w3id.org/rulesgraph/graph/new"


def lines(graph: str, count: int = 500) -> bytes:
    integer = "<http://www.w3.org/2001/XMLSchema#integer>"
    return "".join(f'<x:s> <x:p> "{n}"^^{integer} <{graph}> .\n' for n in range(count)).encode()


def stored(path: Path) -> Path:
    """Make a store with the graph `OLD`; return its folder."""
    with open_store(path, write=True).rewrite() as rewrite:
        rewrite.load([lines(OLD)])
    return path


def generations(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "generations").iterdir())


def everything(folder: Path) -> dict[str, bytes]:
    """Return the content of every file of a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def rewritten(folder: Path, graph: str = NEW) -> Store:
    """Change a store in this process; return it."""
    store = open_store(folder, write=True)
    with store.rewrite() as rewrite:
        rewrite.load([lines(graph)])
    return store


def as_nobody(code: str, *arguments: str, needs: str = "rulesgraph.loaders.store.folder") -> str:
    """Run code as a user who owns nothing, and return what it prints; `needs` are its modules."""
    if os.getuid() == 0:
        code = f"import os, {needs}\nos.setgid(65534)\nos.setuid(65534)\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
