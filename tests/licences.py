"""The licences of what an installation brings, as the packages name them: the tables of docs/licences.md."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- from the packages -->\n", "<!-- to here -->\n"


def requirements() -> dict[str, list[str]]:
    """Return what the plain installation asks for (``""``), and each extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {"": project["dependencies"], **project["optional-dependencies"]}


def plain(name: str) -> str:
    """Return a name of a package as the registry compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def brought(wanted: Iterable[str], known: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return all packages that come with some, but for those `known`, each with its licence."""
    found: dict[str, str] = {}

    def walk(requirement: str) -> None:
        match = re.match(r"[\w.-]+", requirement)
        assert match
        name = plain(match[0])
        if name in found or name in known:
            return
        try:
            package = distribution(name)
        except PackageNotFoundError:  # for another system, or another Python
            return
        found[name] = licence(package.metadata.json)
        for more in package.requires or ():
            if "extra ==" not in more:
                walk(more)

    for requirement in wanted:
        walk(requirement)
    return dict(sorted(found.items()))


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
