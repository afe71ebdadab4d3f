"""How the glossary of the comprehensive rules is read: headings, senses, tables, duplicates."""

from __future__ import annotations

import pytest
from rulesgraph.loaders.reading.glossary import is_heading
from rulesgraph.loaders.records import Document, Entry
from test_comprehensive import FRONT, parse


def entries(glossary: str) -> list[Entry]:
    return list(with_glossary(glossary).entries)


def with_glossary(glossary: str) -> Document:
    return parse(f"{FRONT}100.1. One ship.\n\nGlossary\n\n{glossary}\n\nCredits\n\nNobody.\n")


HEADINGS = [
    ("Active Player, Nonactive Player Order", True),
    ("“As though”", True),
    ("Comes into Play", True),
    ("Start Your Engines!", True),
    ("Mana Source (obsolete)", True),
    ("Venture into [Quality]", True),
    ("Watchtowers Lighthouses candlesticks lanterns", True),  # half of the words are small
    ("Watchtowers lighthouses candlesticks", False),
    ("a lantern that no keeper likes", True),  # as long as anything may be
    ("a lantern that no keeper lights", False),
    ("See Landwalk.", False),
    ("1. Text on an object", False),
    ("A ship that leaves the harbour while the tide is out and the", False),
    ("Homelands [symbol]", False),
]


@pytest.mark.parametrize(("text", "heading"), HEADINGS)
def test_headings_of_entries(text: str, heading: bool) -> None:
    assert is_heading(text) is heading


def test_entries_senses_and_states() -> None:
    ship, tide, dock = entries(
        "Ship\n1. It sails.\n\n2. It sinks.\nSee rule 100.1.\n\n"
        "Tide, Tides\nIt turns.\nExample: It turns twice.\n\nDry Dock (Obsolete)\nA pier."
    )
    assert [(p.key, p.number, p.text) for p in ship.paragraphs] == [
        ("1", "1", "It sails."),
        ("2", "2", "It sinks."),
        ("3", "", "See rule 100.1."),
    ]
    assert tide.names == ("Tide", "Tides")
    assert [example.text for example in tide.paragraphs[0].examples] == ["It turns twice."]
    assert (dock.key, dock.status) == ("dry-dock", "obsolete")
    assert ship.paragraphs[2].references[0].targets[0].key == "100.1"


def test_a_table_in_an_entry() -> None:
    table = "    First Set [symbol]\n\n    Second Set [symbol]\n\n    Reprints\n    They have none."
    for glossary in (table, table.replace("    ", "").replace("\nThey have none.", " [symbol]")):
        others = "\n\n".join(f"Tide {n}\nIt turns." for n in range(9))
        found = entries(f"Symbol\nThe symbols are:\n\n    Sets\n\n{glossary}\n\n{others}")
        assert [entry.heading for entry in found[:2]] == ["Symbol", "Tide 0"]


def test_a_list_with_headings_of_its_own() -> None:
    others = "\n\n".join(f"Tide {n}\nIt turns." for n in range(90))
    lists = "Sets\n\n    First Set\n    Second Set\n\nReprints\n\n    Third Set\n\nGifts\n\n    Fourth Set"
    found = entries(f"Symbol\nThe symbols are:\n\n{lists}\n\n{others}")
    assert [entry.heading for entry in found[:2]] == ["Symbol", "Tide 0"]


def test_a_heading_in_the_line_of_its_first_sense() -> None:
    document = with_glossary("Ship1. It sails.\n2. It sinks.\n\nTide\nIt turns.")
    assert [(it.code, it.subject) for it in document.problems] == [("glued-heading", "Ship")]
    assert document.unaccounted == ()
    ship, tide = document.entries
    assert (ship.heading, ship.first_line) == ("Ship", ship.paragraphs[0].first_line)
    assert [(p.number, p.text) for p in ship.paragraphs] == [("1", "It sails."), ("2", "It sinks.")]
    assert tide.heading == "Tide"
    # without a second sense the number may be part of the name
    assert [entry.heading for entry in entries("Ship\nIt sails.\n\nTide1. It turns.")] == ["Ship"]


def test_a_heading_without_a_blank_line_before_it() -> None:
    found = entries(
        "Ship\nIt sails.\nTide\nIt turns.\nIt turns again.\nWave\nIt breaks.\n\nYard\nIt is long."
    )
    assert [(entry.heading, [p.text for p in entry.paragraphs]) for entry in found] == [
        ("Ship", ["It sails."]),
        ("Tide", ["It turns.", "It turns again."]),
        ("Wave", ["It breaks."]),
        ("Yard", ["It is long."]),
    ]
    # a line that the alphabet has elsewhere is no heading
    assert [entry.heading for entry in entries("Ship\nIt sails.\nAnchor\nIt holds.\n\nTide\nIt turns.")] == [
        "Ship", "Tide",
    ]  # fmt: skip


def test_an_entry_twice() -> None:
    found = entries("Ship\nIt sails.\n\nShip\nIt sinks.")
    assert [(entry.key, entry.occurrence) for entry in found] == [("ship", 1), ("ship", 2)]


def test_a_heading_apart_from_its_text() -> None:
    found = entries("Harbour\nIt is deep.\n\nShip\n\nIt sails.\n\nTide\nIt turns.")
    assert [(entry.heading, entry.paragraphs[0].text) for entry in found] == [
        ("Harbour", "It is deep."),
        ("Ship", "It sails."),
        ("Tide", "It turns."),
    ]


def test_an_entry_out_of_the_alphabet_is_told() -> None:
    """Spaces and hyphens may count or not; entries sorted in either way are in order."""
    boats = ["Bow", "Boat Hook", "Boats", "Boat-Shaped", "Boatswain"]
    names = [*boats, "Oar, Oars", "Oar Lock", "Oar (Obsolete)", "Zed"]
    document = with_glossary("\n\n".join(f"{name}\nIt is wet." for name in names))
    told = [(it.code, it.subject, it.severity.value) for it in document.problems if it.code == "out-of-order"]
    assert told == [("out-of-order", "Bow", "info"), ("out-of-order", "Oar (Obsolete)", "info")]


def test_a_sense_whose_number_is_on_a_line_of_its_own() -> None:
    (ship,) = entries("Ship\n1.\nIt sails.\n2.\nIt sinks.")
    assert [(p.number, p.text) for p in ship.paragraphs] == [("1", "It sails."), ("2", "It sinks.")]


def test_a_heading_within_an_entry_of_a_wrapped_text() -> None:
    words = (
        "\n".join(["It turns in the dark of the night, and then it", "turns again all night long"] * 6) + "."
    )
    found = entries(f"Ship\n{words}\nTide\n{words}\n\nWave\n{words}")
    assert [entry.heading for entry in found] == ["Ship", "Tide", "Wave"]
