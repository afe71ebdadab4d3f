"""docs/licences.md names every package that an installation brings."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, distribution

import pytest
from licences import BEGIN, END, ROOT, brought, tables

PAGE = ROOT / "docs" / "licences.md"


def installed(line: str) -> bool:
    """Return whether a line of the page is of a package that is here: newer Pythons want fewer."""
    try:
        return (
            not line.startswith("| ")
            or line == "| package | licence |"
            or bool(distribution(line.split()[1]))
        )
    except PackageNotFoundError:
        return sys.version_info < (3, 12)


def test_every_package_is_named_with_its_licence(pytestconfig: pytest.Config) -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    said, _, after = rest.partition(END)
    expected = list(tables())
    if pytestconfig.getoption("--update-golden"):
        PAGE.write_text(f"{before}{BEGIN}" + "\n".join(expected) + f"{END}{after}", encoding="utf-8")
    assert [line for line in said.split("\n") if installed(line)] == expected


def test_what_comes_through_an_extra_of_a_dependency_is_named() -> None:
    assert {"pyjwt", "cryptography", "cffi"} <= brought(["pyjwt[crypto]"]).keys()
    assert "cryptography" not in brought(["pyjwt"])
    assert "html5rdf" in brought(["pyshacl"], frozenset(brought(["rdflib"])))


def test_what_is_bundled_within_packages_is_named() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for part in ("vis-network", "CodeMirror", "Lezer", "Pellet", "HermiT", "GEOS", "OpenJDK", "Bootstrap"):
        assert part in text
