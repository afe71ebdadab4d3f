"""The ways to damage texts really do damage, and the same damage each time."""

from __future__ import annotations

import random

import pytest
from copies import GOOD
from harms import HARMS

MORE = [
    f"101.{n}. Captain {n} sails out at dusk (see 100.1). Nobody sees her leave. Two gulls see her return."
    for n in range(4, 44)
]
LONG = "A wind from the west that brings rain to the harbour, and brings the ships home."
TEXT = GOOD.replace(
    "\n\n2. Afloat\n\n200. General\n\n200.1", "\n\n".join(["", *MORE, "2. Afloat\n\n200. General\n\n200.1"])
)
LINES = TEXT.replace("\n\nCredits\n\nH", f"\n\nZephyr\n{LONG}\n\nCredits\n\nH").splitlines()


@pytest.mark.parametrize("name", HARMS)
def test_each_way_does_one_damage(name: str) -> None:
    lines = list(LINES)
    broken = HARMS[name](lines, random.Random(name))
    assert lines == LINES
    assert (broken is None) is (name == "a line of the contents lost")  # the contents are too short
    assert broken != LINES
    assert broken == HARMS[name](lines, random.Random(name))
