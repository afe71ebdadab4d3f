"""Manage the files of a store: generations beside each other, and a pointer to the current one.

::

    rulesgraph-store/
    ├── rulesgraph.json    the pointer: format, base, current generation and its files; replaced atomically
    ├── lock               locked by the process that writes, which leaves its pid in it
        ├── index/             search indexes of editions, made again if they are missing
        ├── views/             all links of editions that are not current, made on demand
    └── generations/
        └── 7/             an Oxigraph database, not changed once it is current; locked by its readers

Each change is made in a new generation, a copy of the current one by hard links. A killed writer leaves at
most a generation that the pointer does not name; the next writer removes it. Former generations are removed
when they have no readers.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import NamedTuple
from zlib import crc32

import pyoxigraph

from ...ontology.errors import StoreError, StoreLockedError, damaged_store
from ..temporary import FileLock
from .protocol import FORMAT, check_format, is_iri
from .sealing import FileSeal, Seals, broken_seals, data_files, is_data, sealed

POINTER = "rulesgraph.json"
_NEW_POINTER = "rulesgraph.json.new"
_LOCK = "lock"
_GENERATIONS = "generations"
INDEX = "index"
VIEWS = "views"
_LARGEST_POINTER = 1 << 20

_PARTS = frozenset(("format", "base", "generation", "files"))
"""The fields of a pointer without the seal, which is their checksum."""


class Pointer(NamedTuple):
    """The content of `rulesgraph.json`; generation 0 means that nothing was built yet.

    `files` are the seals of the generation's files that contain statements or list them.
    """

    format: int = FORMAT
    base: str = ""
    generation: int = 0
    files: Seals = MappingProxyType({})


class Layout:
    """The folder of a store. Every method raises `StoreError` if the disk or the folder cannot be used."""

    def __init__(self, location: str) -> None:
        self.location = location

    def database(self, generation: int) -> str:
        """Return the folder of a generation."""
        return os.path.join(self.location, _GENERATIONS, str(generation))

    def _path(self, name: str) -> str:
        return os.path.join(self.location, name)

    # -- reading --------------------------------------------------------------------------------

    def pointer(self) -> Pointer:
        """Read the pointer; its generation is 0 if there is no store yet and one may be created here."""
        try:
            with open(self._path(POINTER), "rb", opener=_without_waiting) as file:
                data = file.read(_LARGEST_POINTER)
        except FileNotFoundError:
            self._check_vacant()
            return Pointer()
        except OSError as error:
            raise self.unusable(error) from error
        try:
            found = json.loads(data)
            pointer = Pointer(found["format"], found["base"], found["generation"])
            if is_typed := [*map(type, pointer[:3])] == [int, str, int]:
                check_format(pointer.format, self.location)
            is_sealed = is_typed and found.pop("seal") == _seal_of(found)
            is_right = is_sealed and pointer.generation >= 0 and is_iri(pointer.base) and {*found} == _PARTS
            pointer = pointer._replace(files={name: FileSeal(*it) for name, it in found["files"].items()})
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise self.damaged(f"{POINTER} cannot be read") from error
        if not is_right:
            raise self.damaged(f"{POINTER} cannot be read")
        return pointer

    def _check_vacant(self) -> None:
        """Raise `StoreError` unless a store may be created here."""
        try:
            inside = set(os.listdir(self.location))
        except FileNotFoundError:
            return
        except OSError as error:
            raise self.unusable(error) from error
        if inside <= {_LOCK, _NEW_POINTER}:
            return
        if inside <= {_LOCK, _NEW_POINTER, _GENERATIONS, INDEX, VIEWS}:
            raise self.damaged(f"{POINTER} is missing")
        raise StoreError(
            "this folder is not a rulesgraph store, and it is not empty",
            where=self.location,
            way_out="Nothing in it was changed. Choose another folder with --store.",
        )

    def hold(self, generation: int) -> FileLock | None:
        """Protect a generation from removal; return None if it is gone or being removed."""
        path = self.database(generation)
        with self.on_disk(), suppress(FileNotFoundError, BlockingIOError):
            held = FileLock(path, fcntl.LOCK_SH)
            return held if held.is_on(path) else None
        return None

    def check_files(self, pointer: Pointer, *, all_bytes: bool = False) -> None:
        """Raise `StoreError` unless the files of the current generation are as they were written.

        They are compared by name, size and time; with `all_bytes`, by checksum.
        """
        try:
            broken = list(broken_seals(self.database(pointer.generation), pointer.files, all_bytes=all_bytes))
        except FileNotFoundError as error:
            raise self.damaged(f"generation {pointer.generation} is missing, or parts of it are") from error
        except OSError as error:
            raise self.unusable(error) from error
        if broken:
            raise self.damaged("; ".join(broken))

    def open(self, generation: int) -> pyoxigraph.Store:
        """Open a finished generation, read-only."""
        pointer = self.pointer()
        if pointer.generation == generation:  # the sizes of a former generation are no longer known
            self.check_files(pointer)
        try:
            return pyoxigraph.Store.read_only(self.database(generation))
        except FileNotFoundError as error:
            raise self.damaged(f"generation {generation} is missing, or parts of it are") from error
        except PermissionError as error:
            raise self.unusable(error) from error
        except (OSError, RuntimeError) as error:
            raise self.damaged(str(error)) from error

    def fingerprint(self, generation: int) -> str:
        """Return a checksum over the names, sizes and times of a finished generation's data files."""
        from hashlib import sha256

        with self.on_disk():
            files = sorted(data_files(self.database(generation)).items())
        signs = [f"{name} {it.st_size} {it.st_mtime_ns}" for name, it in files if is_data(name)]
        return sha256("\n".join(signs).encode()).hexdigest()

    # -- writing --------------------------------------------------------------------------------

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only process that writes; raise `StoreLockedError` at once if another one is writing."""
        with self.on_disk():
            os.makedirs(self.location, exist_ok=True)
            try:
                lock = FileLock(self._path(_LOCK), fcntl.LOCK_EX, os.O_RDWR | os.O_CREAT)
            except BlockingIOError:
                raise self._locked_by_another() from None
            if not lock.is_on(self._path(_LOCK)):  # the lock was removed with a store that was never finished
                lock.release()
                raise self._locked_by_another()
            os.ftruncate(lock.file, 0)
            os.write(lock.file, str(os.getpid()).encode())
        try:
            yield
        finally:
            os.ftruncate(lock.file, 0)
            fcntl.flock(lock.file, fcntl.LOCK_UN)  # a child may hold it as well
            lock.release()

    def _locked_by_another(self) -> StoreLockedError:
        pid = ""
        with suppress(FileNotFoundError), open(self._path(_LOCK), encoding="ascii", errors="replace") as file:
            pid = file.read(20)
        return StoreLockedError(
            f"another process{f' (pid {pid})' if pid.isdigit() else ''} is writing to the store",
            where=self.location,
            way_out="Try again when it has finished.",
        )

    def next(self, current: Pointer, base: str) -> Pointer:
        """Return the pointer to the next generation; remove leftovers, and mark a new folder as a store."""
        if current.generation:
            self.open(current.generation)  # nothing is removed from a damaged store
        else:
            self.point(Pointer(base=base))
        self.sweep(current.generation)
        return Pointer(base=base, generation=max([current.generation, *self._generations()]) + 1)

    def fresh(self, current: Pointer, new: Pointer) -> pyoxigraph.Store:
        """Open the new generation for writing, as a copy of the current one."""
        with self.on_disk():
            if current.generation:
                self.open(current.generation).backup(self.database(new.generation))
            return pyoxigraph.Store(self.database(new.generation))

    def discard(self, new: Pointer) -> None:
        """Remove a generation that will not be used, and a store without another; the caller has the lock.

        The error happened before the switch.
        """
        from shutil import rmtree

        pointer = self.pointer()
        if pointer.generation != new.generation:
            rmtree(self.database(new.generation), ignore_errors=True)
        if not pointer.generation:
            with suppress(OSError):
                os.rmdir(self._path(_GENERATIONS))
                for name in (_NEW_POINTER, POINTER, _LOCK):
                    with suppress(FileNotFoundError):
                        os.unlink(self._path(name))
                os.rmdir(self.location)

    def sweep(self, current: int) -> None:
        """Remove every generation but the current one and those that are still being read."""
        from shutil import rmtree

        for number in self._generations():
            if number != current:
                with suppress(BlockingIOError), FileLock(self.database(number), fcntl.LOCK_EX):
                    rmtree(self.database(number))

    def _generations(self) -> list[int]:
        os.makedirs(self._path(_GENERATIONS), exist_ok=True)
        return [int(name) for name in os.listdir(self._path(_GENERATIONS)) if name.isdigit()]

    def compact(self, new: Pointer, before: Pointer) -> None:
        """Compact a generation that is at least 1.5 times as large as the one before it.

        The engine leaves removed statements in its files, and the next change would pay for merging them.
        """
        files = data_files(self.database(new.generation))
        if 2 * sum(it.st_size for it in files.values()) > 3 * sum(it.size for it in before.files.values()):
            pyoxigraph.Store(self.database(new.generation)).optimize()

    def finished(self, new: Pointer, before: Pointer) -> Pointer:
        """Return the pointer to a generation that is complete and closed, with its files sealed."""
        return new._replace(files=sealed(self.database(new.generation), before.files))

    def point(self, pointer: Pointer) -> None:
        """Replace the pointer atomically, so that it survives a power cut."""
        content = pointer._asdict() | {"files": dict(pointer.files)}
        with open(self._path(_NEW_POINTER), "w", encoding="utf-8") as file:
            json.dump(content | {"seal": _seal_of(content)}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self._path(_NEW_POINTER), self._path(POINTER))
        folder = os.open(self.location, os.O_RDONLY)
        try:
            with suppress(OSError):  # not every file system can do this
                os.fsync(folder)
        finally:
            os.close(folder)

    # -- errors ---------------------------------------------------------------------------------

    @contextmanager
    def on_disk(self) -> Iterator[None]:
        """Turn disk failures into `StoreError`."""
        try:
            yield
        except OSError as error:
            raise self.unusable(error) from error
        except RuntimeError as error:
            raise self.damaged(str(error)) from error

    def unusable(self, error: OSError) -> StoreError:
        """Return the error for a disk or a folder that cannot be used."""
        if isinstance(error, NotADirectoryError | FileExistsError):
            what, way_out = "this is a file, not the folder of a store", "Choose another folder with --store."
        else:
            what = f"the store cannot be used: {error.strerror or error}"
            way_out = (
                "Check the folder's permissions and its free disk space, or choose another with --store."
            )
        return StoreError(what, where=self.location, way_out=way_out)

    def damaged(self, reason: str) -> StoreError:
        """Return the error for a store that can no longer be read."""
        return damaged_store(reason, self.location)


def folders_for(store: str | None, name: str) -> list[str]:
    """Return where things made from a store may be: in its folder if it has one, then in the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    places = (store, os.path.join(cache, "rulesgraph"))
    return [os.path.join(place, name) for place in places if place is not None]


def _seal_of(content: object) -> int:
    """Return the checksum of a pointer's content."""
    return crc32(json.dumps(content, sort_keys=True).encode())


def _without_waiting(path: str, flags: int) -> int:
    """Open a file without waiting, even if a pipe was put in its place."""
    return os.open(path, flags | os.O_NONBLOCK)
