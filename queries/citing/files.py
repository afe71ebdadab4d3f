"""Find the files of a tree to check: those that git tracks, or else all that are not ignored."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...ontology.errors import UsageError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_NEVER = frozenset((".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"))


def files_of(paths: Sequence[Path], changed_since: str | None = None) -> Iterator[Path]:
    """Yield the files below some paths, each once, in order; a file that is named is never ignored.

    With `changed_since` only those that differ from that revision of git. Links to folders are not followed.
    Raises `UsageError` for a path that does not exist, and if git fails.
    """
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path}: there is no such file or folder", way_out="Give files and folders.")
        found = [path] if path.is_file() and not changed_since else _below(path, changed_since)
        for one in found:
            if one not in seen:
                seen.add(one)
                yield one


def _below(path: Path, changed_since: str | None) -> Iterator[Path]:
    folder = path if path.is_dir() else path.parent
    if changed_since:
        names = {
            *_git(folder, "diff", "--name-only", "--relative", "--diff-filter=d", changed_since, "--"),
            *_git(folder, "ls-files", "--others", "--exclude-standard"),
        }
    else:
        try:
            names = {*_git(folder, "ls-files", "--cached", "--others", "--exclude-standard")}
        except UsageError:
            yield from _walk(folder)
            return
    for name in sorted(names):
        one = folder / name
        if one.is_file() and not one.is_symlink() and (path.is_dir() or one == path):
            yield one


def _git(folder: Path, *command: str) -> list[str]:
    """Return the names that a git command prints; raises `UsageError` if it fails."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *command[:1], "-z", *command[1:]], capture_output=True, check=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", b"").decode("utf-8", "replace").strip().splitlines() or [str(error)]
        raise UsageError(f"git cannot list the files of {folder}: {said[0]}") from error
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that is not in git, without those that a .gitignore in it names."""
    # Only for folders without git.
    from pathspec import GitIgnoreSpec

    specs: dict[Path, GitIgnoreSpec] = {}
    for place, folders, names in os.walk(folder):
        here = Path(place)
        if ".gitignore" in names:
            lines = (here / ".gitignore").read_text(encoding="utf-8", errors="replace").splitlines()
            specs[here] = GitIgnoreSpec.from_lines(lines)
        above = [(base, spec) for base, spec in specs.items() if here.is_relative_to(base)]

        folders[:] = sorted(
            name for name in folders if name not in _NEVER and not _ignored(here / name, above, "/")
        )
        for path in (here / name for name in sorted(names)):
            if not _ignored(path, above) and path.is_file() and not path.is_symlink():
                yield path


def _ignored(path: Path, above: Sequence[tuple[Path, GitIgnoreSpec]], end: str = "") -> bool:
    """Return whether one of the .gitignore files above a path names it; `end` is a slash for folders."""
    return any(spec.match_file(path.relative_to(base).as_posix() + end) for base, spec in above)
