"""Errors in a sound graph are found by a shape or a check, whatever property they concern."""

from __future__ import annotations

import pytest
import seeded
from rulesgraph.ontology.terms import PROPERTIES

OF_PROPERTY: dict[str, list[seeded.Sown]] = {}
for _error in seeded.sown():
    OF_PROPERTY.setdefault(_error.property, []).append(_error)


def test_the_graph_is_sound_before() -> None:
    assert seeded.checked(seeded.sound()) == []
    assert seeded.conforms(seeded.sound())


def test_every_property_that_is_written_has_errors() -> None:
    assert OF_PROPERTY.keys() == set(PROPERTIES) - seeded.UNSEEN


MOST = pytest.mark.long(small="test_an_error_is_caught")


@pytest.mark.parametrize(
    ("place", "name"),
    [
        pytest.param(place, name, marks=[MOST] if place % 5 else [])
        for place, name in enumerate(sorted(OF_PROPERTY))
    ],
)
def test_an_error_is_caught(place: int, name: str) -> None:
    """One error of each property, of changing kinds; `seeded` run as a program sows them all."""
    errors = OF_PROPERTY[name]
    error = errors[place % len(errors)]
    assert seeded.is_caught(error), error
