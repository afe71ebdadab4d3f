"""Read the licences of installed packages from their metadata, for the tables of docs/licences.md."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- from the packages -->\n", "<!-- to here -->\n"
_EXTRA = re.compile(r"extra == ['\"](.+?)['\"]")


def requirements() -> dict[str, list[str]]:
    """Return the requirements of the plain installation (``""``) and of each extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {"": project["dependencies"], **project["optional-dependencies"]}


def plain(name: str) -> str:
    """Return a package name in the form in which the registry compares names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def brought(wanted: Iterable[str], known: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return what comes with some packages and their extras, except those `known`, with their licences."""
    found: dict[str, str] = {}
    walked: set[tuple[str, str]] = set()

    def walk(requirement: str) -> None:
        match = re.match(r"([\w.-]+)\s*(?:\[(.*?)\])?", requirement)
        assert match
        name = plain(match[1])
        try:
            package = distribution(name)
        except PackageNotFoundError:  # for another system, or another Python
            return
        found[name] = licence(package.metadata.json)
        for extra in {"", *map(plain, re.findall(r"[\w.-]+", match[2] or ""))}:
            if (name, extra) not in walked:
                walked.add((name, extra))
                for more in package.requires or ():
                    if extra in (set(map(plain, _EXTRA.findall(more))) or {""}):
                        walk(more)

    for requirement in wanted:
        walk(requirement)
    return {name: found[name] for name in sorted(found.keys() - known)}


def licence(metadata: dict[str, str | list[str]]) -> str:
    """Return the licence that a package names: as an expression, in a classifier, or in words."""
    if "license_expression" in metadata:
        return str(metadata["license_expression"])
    classifiers = metadata.get("classifier", [])
    named = [it.rpartition(" :: ")[2] for it in classifiers if it.startswith("License :: OSI Approved :: ")]
    return ", ".join(named) or str(metadata.get("license", "not named")).partition("\n")[0]


def tables() -> Iterator[str]:
    """Yield the lines of the tables: the plain installation, then what each extra adds."""
    base: frozenset[str] = frozenset()
    for extra, wanted in requirements().items():
        found = brought(wanted, base)
        base = base or frozenset(found)
        title = f"The extra `{extra}` brings besides" if extra else "A plain installation"
        yield from (f"**{title}**", "", "| package | licence |", "|---|---|")
        yield from (f"| {name} | {text} |" for name, text in found.items())
        yield ""
