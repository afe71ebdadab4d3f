"""Seal the files of a generation with sizes, times and checksums, and find files that differ.

A damaged file must be detected before the engine sees it. If the end of a manifest is missing, RocksDB opens
an older state, often an empty one, without an error; if a block of statements has a wrong checksum, a join
collects errors until memory runs out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple
from zlib import crc32

_DATA = re.compile(r"\d+\.(?:sst|blob|log)")
"""The files of a database that contain statements; once complete, they are never written to again."""

_TABLES = (".sst", ".blob")
"""The endings of files whose names are never reused: if another state has the name, it is the same file."""

_CURRENT, _MANIFEST = "CURRENT", "MANIFEST-"
"""The files by which RocksDB finds the others: `CURRENT` names the manifest, which lists them."""

_BLOCK = 1 << 20


class FileSeal(NamedTuple):
    """The size of a file, its CRC-32, and when it was last changed (in nanoseconds)."""

    size: int
    checksum: int
    changed: int


Seals = Mapping[str, FileSeal]


def data_files(folder: str) -> dict[str, os.stat_result]:
    """Return the files of a finished generation that contain statements, or list those that do.

    The others (`LOG`, `LOCK`, `OPTIONS-…`, `IDENTITY`) may change or disappear without changing answers.
    """
    with os.scandir(folder) as entries:
        found = {it.name: it.stat() for it in entries}
    return {name: it for name, it in found.items() if it.st_size and (_lists_files(name) or is_data(name))}


def is_data(name: str) -> bool:
    """Return whether a file of this name contains statements."""
    return bool(_DATA.fullmatch(name))


def _lists_files(name: str) -> bool:
    return name == _CURRENT or name.startswith(_MANIFEST)


def sealed(folder: str, known: Seals) -> dict[str, FileSeal]:
    """Return the seals of a generation that is complete and closed.

    A table shared with the former generation keeps its seal from `known`, so that damage since then is not
    sealed.
    """
    return {
        name: known[name]
        if name.endswith(_TABLES) and name in known
        else FileSeal(it.st_size, _checksum(os.path.join(folder, name)), it.st_mtime_ns)
        for name, it in data_files(folder).items()
    }


def broken_seals(folder: str, seals: Seals, *, all_bytes: bool = False) -> Iterator[str]:
    """Yield what is wrong with the files of a generation, one message a file.

    A file is read if its time differs, or always with `all_bytes`. If its bytes are right, it gets its old
    time back, so that a copied store is read completely only once.
    """
    of_it = f"of generation {os.path.basename(folder)}"
    is_ours = not _has_another_manifest(folder, seals)
    found = data_files(folder)
    for name, seal in seals.items():
        if not (is_ours or (name.endswith(_TABLES) and name in found)):
            continue
        it, path = found.pop(name, None), os.path.join(folder, name)
        if not os.path.exists(path):
            yield f"{name} {of_it} is missing"
        elif it is None or it.st_size != seal.size:
            yield f"{name} {of_it} has {it.st_size if it else 0} bytes instead of {seal.size}"
        elif all_bytes or it.st_mtime_ns != seal.changed:
            if _checksum(path) != seal.checksum:
                yield f"{name} {of_it} does not match its checksum"
            elif it.st_mtime_ns != seal.changed:
                with suppress(OSError):  # the store may belong to another user
                    os.utime(path, ns=(it.st_atime_ns, seal.changed))
    if is_ours:
        yield from (f"{name} {of_it} does not belong to it" for name in found)


def _has_another_manifest(folder: str, seals: Seals) -> bool:
    """Return whether another program opened the generation for writing since it was finished.

    Opening it that way, as `oxigraph serve` does, writes a new manifest and removes the old one and the logs.
    Only RocksDB then knows the files of the store; the remaining tables must be unchanged.
    """
    try:
        with open(os.path.join(folder, _CURRENT), "rb") as file:
            manifest = file.read(100).decode("ascii", "replace").rstrip("\n")
    except OSError:
        return False
    is_new = manifest.startswith(_MANIFEST) and manifest not in seals
    return is_new and os.path.isfile(os.path.join(folder, manifest))


def _checksum(path: str) -> int:
    checksum = 0
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            checksum = crc32(block, checksum)
    return checksum
