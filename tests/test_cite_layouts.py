"""Lists of rules with their names: right ones raise no alarm, and wrong numbers among them are found."""

from __future__ import annotations

from pathlib import Path

import pytest
from asking import session_on
from citation_layouts import LAYOUTS, CitedEdition, judged_layout, titled
from rulesgraph.queries.citing.cite import judged
from rulesgraph.queries.citing.material import material_of
from rulesgraph.queries.citing.scan import read


def edition(store: Path, *chapters: str) -> CitedEdition:
    """Return the data of an edition with its titled rules in some chapters."""
    material = material_of(session_on(store))
    return material, titled(material, chapters)


@pytest.mark.parametrize("name", ["// CR n: Name", "// CR n name, …", "// Name: CR n", "# name CR n"])
def test_right_names_beside_numbers_raise_no_alarm(newest_store: Path, name: str) -> None:
    found = judged_layout(*edition(newest_store, "701", "702"), LAYOUTS[name])
    assert (found.false, found.fixed, found.found) == (0, 0, found.wrong)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("// CR 702.29 cycling, CR 702.28 shadow, CR 702.27 buyback", []),
        ("// CR 702.10 haste\n// CR 702.20 vigilance\n// CR 701.9 discarding", []),
        ("/* rule 704.5g lethal damage, rule 704.5h deathtouch */", []),
        ("/* rule 704.5j legend rule, 704.5k world rule */", []),
        ("// trample CR 702.19\n// CR 702.110 menace\n// CR 702.9 flying", [("702.110", "702.111", True)]),
    ],
)
def test_a_name_in_the_line_of_a_number_is_its_own(
    newest_store: Path, text: str, found: list[tuple[str, str, bool]]
) -> None:
    material = material_of(session_on(newest_store))
    flags, _ = judged(material, read("a.rs", text)[0], "")
    assert [(it.number, *it.finding.now, it.finding.fix) for it in flags] == found
