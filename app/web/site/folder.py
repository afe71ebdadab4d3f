"""The folder of a site: new files are drafted beside it, then replace the old ones."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from ....loaders.temporary import FileLock, unfinished
from ....ontology import UsageError

MANIFEST = ".rulesgraph-site.json"
DRAFT = ".rulesgraph-new"
VERSION = 1


class SiteFolder:
    """A folder that is a site of ours, or empty.

    New files are drafted in a folder inside it; until `finish`, the site stays as it is. Then each file is
    replaced at once: a site that is stopped in the middle has only whole files, and the next run repairs it.
    `state` names what it was made from when it was finished, or is empty, and `pages` is the number of its
    files that were pages.

    Make one by `site_folder`. Raises `UsageError` for a folder with other files.
    """

    def __init__(self, place: Path) -> None:
        self.place = place
        self._draft = self.place / DRAFT
        self.state, self.pages = "", 0
        self._known = self._read()
        shutil.rmtree(self._draft, ignore_errors=True)
        self._draft.mkdir()

    def _read(self) -> dict[str, str]:
        manifest = self.place / MANIFEST
        if manifest.is_file():
            try:
                read = json.loads(manifest.read_text(encoding="utf-8"))
                files = read["files"] if read["version"] == VERSION else {}
                self.state, self.pages = str(read.get("state", "")), int(read.get("pages", 0))
                return {str(name): str(digest) for name, digest in files.items()}
            except (ValueError, KeyError, AttributeError, TypeError) as error:
                raise self._foreign() from error
        if any(it.name != DRAFT for it in self.place.iterdir()):
            raise self._foreign()
        return {}

    def _foreign(self) -> UsageError:
        return UsageError(
            "the folder contains files that are not from `rulesgraph publish`",
            where=str(self.place),
            way_out="Choose an empty folder, or one with such a site.",
        )

    def draft(self, address: str, content: bytes) -> tuple[str, str]:
        """Draft a file of the site beside its place, unless it is there already; return name and digest."""
        name, digest = file_of(address), sha256(content).hexdigest()
        if self._known.get(name) != digest or not (self.place / name).is_file():
            target = self._draft / name
            try:
                target.write_bytes(content)
            except FileNotFoundError:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        return name, digest

    def whole(self) -> set[str]:
        """Return the names of the files that it had when it was finished, or none if one is missing."""
        return set(self._known) if all((self.place / it).is_file() for it in self._known) else set()

    def finish(self, files: dict[str, str], state: str = "", pages: int = 0) -> tuple[int, int]:
        """Put new files in their place and remove old ones; return how many there were of each.

        `files` are those of the site with their digests, `state` names what the site is made from, `pages`
        counts its pages. A name that was a folder may be a file now, and the other way round.
        """
        gone = sorted(self._known.keys() - files.keys(), reverse=True)
        # After a stop in between, the content of files that are being replaced is unknown.
        changing = {name: "" for name, digest in files.items() if self._known.get(name, digest) != digest}
        self._write_manifest({**self._known, **files, **changing})
        for name in gone:
            self._take_away(name)
        written = 0
        for drafts, _, names in os.walk(self._draft):
            target = self.place / os.path.relpath(drafts, self._draft)
            target.mkdir(parents=True, exist_ok=True)
            for name in sorted(names):
                Path(drafts, name).replace(target / name)
            written += len(names)
        self._write_manifest(files, state, pages)
        return written, len(gone)

    def _take_away(self, name: str) -> None:
        """Remove a file, and the folders that are empty then; a stopped run may have done so."""
        missing = (FileNotFoundError, NotADirectoryError)  # a file may be where a folder was
        with suppress(*missing):
            (self.place / name).unlink()
        for folder in [self.place / it for it in PurePosixPath(name).parents][:-1]:
            try:
                folder.rmdir()
            except missing:
                continue
            except OSError:  # something is in it
                break

    def _write_manifest(self, files: dict[str, str], state: str = "", pages: int = 0) -> None:
        told = {"version": VERSION, "state": state, "pages": pages, "files": dict(sorted(files.items()))}
        text = json.dumps(told, indent=0) + "\n"
        draft = self._draft / MANIFEST
        draft.write_text(text, encoding="utf-8")
        draft.replace(self.place / MANIFEST)


@contextmanager
def site_folder(place: str | Path) -> Iterator[SiteFolder]:
    """Reserve a folder for this process while it becomes a site.

    At the end no draft is left, nor a folder that was made for a site that failed; the next process removes
    the remains of a killed one.

    Raises `UsageError` for a place that is not a folder, that has other files or cannot be written, or where
    another process is working.
    """
    path = Path(place)
    if os.path.exists(path) and not path.is_dir():
        raise UsageError("this is not a folder", where=str(path), way_out="Choose a folder.")
    new = [it for it in (path, *path.parents) if not os.path.exists(it)]
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = FileLock(str(path), fcntl.LOCK_EX)
        (path / DRAFT).mkdir(exist_ok=True)
    except PermissionError as error:
        raise UsageError("it cannot be written", where=str(path), way_out="Choose another folder.") from error
    except BlockingIOError as error:
        raise UsageError(
            "another process is writing a site there", where=str(path), way_out="Wait until it has finished."
        ) from error
    clear = partial(_clear, path / DRAFT, new)
    with lock, unfinished(clear):
        try:
            yield SiteFolder(path)
        finally:
            clear()


def _clear(draft: Path, new: Iterable[Path]) -> None:
    """Remove drafts, and new folders that are empty, the innermost first."""
    shutil.rmtree(draft, ignore_errors=True)
    with suppress(OSError):
        for folder in new:
            folder.rmdir()


def file_of(address: str) -> str:
    """Return the name of the file that a web server returns for an address.

    Raises `UsageError` for one outside of the site.

    >>> file_of("term/two%20words.html"), file_of("")
    ('term/two words.html', 'index.html')
    """
    name = unquote(address) or "index.html"
    parts = name.split("/")
    if "\0" in name or any(part in ("", ".", "..") for part in parts) or parts[0] in (DRAFT, MANIFEST):
        raise UsageError(f"no file can have the address {address!r}")
    return name
