"""The gold of what became of rules and entries is consistent."""

from __future__ import annotations

from collections import Counter

import measure_history as measure

_RULES = measure.gold("history_changes.tsv")
_NEAR = measure.gold("history_neighbours.tsv")
_ENTRIES = measure.gold("history_entries.tsv")


def _parts(row: dict[str, str]) -> list[set[str]]:
    return [] if row["new"] == "-" else [set(part.split("|")) for part in row["new"].split()]


def _key(row: dict[str, str], old: str) -> tuple[str, str, str]:
    return row["before"], row["after"], old


def test_each_rule_stands_once() -> None:
    assert len({_key(row, row["old"]) for row in _RULES}) == len(_RULES)
    assert Counter(row["kind"] for row in _RULES) == {
        "reworded": 230,
        "moved-reworded": 128,
        "split": 103,
        "removed": 73,
        "merged": 51,
        "references": 29,
    }


def test_each_rule_between_near_editions_stands_once_and_nowhere_else() -> None:
    own = [_key(row, row["old"] + row["new"] * (row["kind"] == "new")) for row in _NEAR]
    assert len(set(own)) == len(own)
    assert not {_key(row, row["old"]) for row in _RULES} & set(own)
    assert Counter(row["kind"] for row in _NEAR) == {
        "reworded": 79,
        "moved-reworded": 28,
        "new": 25,
        "split": 14,
        "removed": 10,
        "merged": 7,
        "references": 1,
    }


def test_numbers_agree_with_the_kind() -> None:
    for row in (*_RULES, *(row for row in _NEAR if row["kind"] != "new")):
        parts, kind = _parts(row), row["kind"]
        assert (len(parts) > 1) == (kind == "split"), row
        assert (not parts) == (kind == "removed"), row
        assert (row["sources"] != "-") == (kind == "merged"), row
        assert row["half"] in {"tuned", "unseen"}
        if kind in {"reworded", "moved-reworded"}:
            assert ({row["old"]} == parts[0]) == (kind == "reworded"), row


def test_all_sources_of_a_merge_have_its_head() -> None:
    rows = {_key(row, row["old"]): row for row in _RULES}
    for row in _RULES:
        for source in row["sources"].replace("-", "").split():
            other = rows.get(_key(row, source))
            assert source != row["old"]
            if other is not None:
                assert _parts(other)[0] & _parts(row)[0], (row, other)
                assert other["kind"] == "split" or row["old"] in other["sources"].split(), (row, other)


def test_the_hard_cases_are_there() -> None:
    rows = {(row["before"], row["old"]): row["new"] for row in _RULES}
    known = {
        ("2003-05-26", "310.1"): "310.1 310.2",
        ("2003-05-26", "402.10"): "402.2 415.2",
        ("2003-05-26", "406.1e"): "406.4 406.5",
        ("2012-02-01", "901.7a"): "901.8 901.7a",
        ("2019-08-23", "601.3"): "601.3 601.4",
        ("2021-04-22", "701.36a"): "701.36a 111.10f",
    }
    assert {key: rows[key] for key in known} == known


def test_names_agree_with_the_kind() -> None:
    assert Counter(row["kind"] for row in _ENTRIES) == {
        "same": 39,
        "renamed": 38,
        "removed": 33,
        "split": 6,
        "merged": 4,
    }
    for row in _ENTRIES:
        assert (row["new"] == "-") == (row["kind"] == "removed"), row
        assert (";" in row["new"]) == (row["kind"] == "split"), row
