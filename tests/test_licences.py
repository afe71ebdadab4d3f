"""docs/licences.md names every package that an installation brings."""

from __future__ import annotations

import pytest
from licences import BEGIN, END, ROOT, tables

PAGE = ROOT / "docs" / "licences.md"


def test_every_package_is_named_with_its_licence(pytestconfig: pytest.Config) -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    expected = f"{before}{BEGIN}" + "\n".join(tables()) + f"{END}{after}"
    if pytestconfig.getoption("--update-golden"):
        PAGE.write_text(expected, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == expected


def test_what_is_bundled_within_packages_is_named() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for part in ("vis-network", "CodeMirror", "Lezer", "Pellet", "HermiT", "GEOS", "OpenJDK", "Bootstrap"):
        assert part in text
