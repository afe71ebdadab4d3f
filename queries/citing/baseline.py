"""Keep findings that are known: by path, number, kind and the words beside, never by line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ...ontology.errors import UsageError
from .flags import Flag

_HEAD = "# rulesgraph baseline 1: findings that are known"
_WAY_OUT = "`rulesgraph cite baseline PATH… --baseline FILE` writes it anew."


def read_baseline(path: Path) -> frozenset[str]:
    """Return the signs of the known findings; raises `UsageError` for a file that is no baseline."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", way_out=_WAY_OUT) from error
    if not lines or lines[0] != _HEAD:
        raise UsageError(f"{path} is not a baseline of this version", way_out=_WAY_OUT)
    return frozenset(line.split("\t", 1)[0] for line in lines[1:] if line)


def baseline_of(flags: Iterable[Flag]) -> str:
    """Return the file for some findings: a sorted line for each, with what it is about for people."""
    lines = {f"{it.sign}\t{it.number}\t{it.finding.kind}\t{it.site.path}" for it in flags}
    return "\n".join((_HEAD, *sorted(lines, key=lambda it: it.split("\t")[::-1]))) + "\n"
