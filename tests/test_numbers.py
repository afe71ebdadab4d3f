"""Rule numbers: slips corrected, shortened items completed, ranges expanded."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.loaders.language.numbers import LONGEST_RANGE, canonical, completed, open_range

RANGES = [
    ("212.2g", "212.2k", "212.2g 212.2h 212.2i 212.2j 212.2k"),
    # l and o are skipped
    ("704.5k", "704.5p", "704.5k 704.5m 704.5n 704.5p"),
    # unless one is an end
    ("704.5k", "704.5l", "704.5k 704.5l"),
    # two letters go on after z
    ("704.5y", "704.5ab", "704.5y 704.5z 704.5aa 704.5ab"),
    ("306", "309", "306 307 308 309"),
    ("613.7", "613.9", "613.7 613.8 613.9"),
    # unlike ends, wrong order, too far apart: only the ends
    ("601.2a", "601.3b", "601.2a 601.3b"),
    ("601.2", "601.2c", "601.2 601.2c"),
    ("601.2c", "601.2", "601.2c 601.2"),
    ("601", "601.2", "601 601.2"),
    ("601.2", "601", "601.2 601"),
    ("601", "601.2a", "601 601.2a"),
    ("601.2a", "601", "601.2a 601"),
    ("601.2", "602.4", "601.2 602.4"),
    ("601.2a", "602.2c", "601.2a 602.2c"),
    ("309", "306", "309 306"),
    ("100", "999", "100 999"),
    ("420", "420", "420"),
]


@pytest.mark.parametrize(("first", "last", "opened"), RANGES)
def test_range(first: str, last: str, opened: str) -> None:
    assert open_range(first, last) == tuple(opened.split())


@given(st.integers(100, 999), st.integers(1, 200), st.sampled_from(string.ascii_lowercase), st.data())
def test_range_rises_and_skips_l_and_o(chapter: int, rule: int, first: str, data: st.DataObject) -> None:
    last = data.draw(st.sampled_from(string.ascii_lowercase).filter(lambda letter: letter >= first))
    opened = open_range(f"{chapter}.{rule}{first}", f"{chapter}.{rule}{last}")
    letters = [number[-1] for number in opened]
    assert letters == sorted(set(letters))
    assert letters[0] == first
    assert letters[-1] == last
    assert not {"l", "o"} & set(letters[1:-1])


@given(st.integers(100, 999), st.integers(100, 999))
def test_range_of_chapters_is_bounded(first: int, last: int) -> None:
    opened = open_range(str(first), str(last))
    assert 1 <= len(opened) <= LONGEST_RANGE
    assert (opened[0], opened[-1]) == (str(first), str(last))


@pytest.mark.parametrize(
    ("printed", "number"), [("606. 8b", "606.8b"), ("119.1d.", "119.1d"), ("420", "420"), ("420.5", "420.5")]
)
def test_canonical(printed: str, number: str) -> None:
    assert canonical(printed) == number


@pytest.mark.parametrize(
    ("tail", "before", "number"),
    [
        ("b", "608.3a", "608.3b"),
        ("9", "613.7", "613.9"),
        ("1f", "409.1b", "409.1f"),
        ("409f", "409.1b", "409.1f"),
        # nothing to complete it with
        ("5", "409", "5"),
    ],
)
def test_completed(tail: str, before: str, number: str) -> None:
    assert completed(tail, before) == number
