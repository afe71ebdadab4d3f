"""Headings split into names and states; plurals and singulars of names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.loaders.language.names import plural, singular
from rulesgraph.loaders.language.words import Heading, fold, split_heading, straight
from rulesgraph.ontology.iris import slug

HEADINGS = [
    ("Echo", ("Echo",), ""),
    ("Permanently (Obsolete)", ("Permanently",), "obsolete"),
    ("Mana Source (obsolete)", ("Mana Source",), "obsolete"),
    ("LIFO (INFORMAL) ", ("LIFO",), "informal"),
    # several names of one term
    ("Life, Life Total", ("Life", "Life Total"), ""),
    ("Life/Life Total", ("Life", "Life Total"), ""),
    ("You/Your", ("You", "Your"), ""),
    ("Y, Z", ("Y", "Z"), ""),
    ("Phased In, Phased Out", ("Phased In", "Phased Out"), ""),
    ("Respond/Response (Informal)", ("Respond", "Response"), "informal"),
    ("Remove from the Game, Removed, Removed-from-the-Game Zone (Obsolete)",
     ("Remove from the Game", "Removed", "Removed-from-the-Game Zone"), "obsolete"),
    # a quoted part is a name, whatever it looks like
    ('Banding, "Bands with Other"', ("Banding", "Bands with Other"), ""),
    ("Banding, “Bands with Other”", ("Banding", "Bands with Other"), ""),
    ("Banding, Bands with Other (Obsolete)", ("Banding", "Bands with Other"), "obsolete"),
    # commas inside the closing quotes, and inside brackets
    ("Partner, “Partner—[text],” “Partner with [name]”",
     ("Partner", "Partner—[text]", "Partner with [name]"), ""),
    ("Lamp [bright, dim]", ("Lamp [bright, dim]",), ""),
    # one name that has a comma, a slash or quotes in it
    ("Active Player, Nonactive Player Order", ("Active Player, Nonactive Player Order",), ""),
    ("Play/Draw (Informal)", ("Play/Draw",), "informal"),
    ("Power/Toughness", ("Power/Toughness",), ""),
    ("Intervening “If” Clause", ('Intervening "If" Clause',), ""),
    # quotes around the whole, typographic apostrophes
    ("“As though”", ("As though",), ""),
    ("Attacks and Isn’t Blocked", ("Attacks and Isn't Blocked",), ""),
    # lists that are one title
    ("Timing, Priority, and the Stack", ("Timing, Priority, and the Stack",), ""),
    ("(Obsolete)", ("(Obsolete)",), "obsolete"),
]  # fmt: skip


@pytest.mark.parametrize(("heading", "names", "status"), HEADINGS)
def test_heading(heading: str, names: tuple[str, ...], status: str) -> None:
    assert split_heading(heading) == Heading(names, status)


def test_first_name_keeps_its_slug_through_the_spellings_of_editions() -> None:
    for spellings in (
        ("Life, Life Total", "Life/Life Total"),
        ("Control, Controller", "Control/Controller"),
        ("Attacks and Isn't Blocked", "Attacks and Isn’t Blocked"),
        ("Ante", "Ante (Obsolete)"),
    ):
        assert len({slug(split_heading(spelling).names[0]) for spelling in spellings}) == 1


PLURALS = [
    ("Library", "Libraries"),
    ("State-Based Effect", "State-Based Effects"),
    ("Aura", "Auras"),
    ("Text Box", "Text Boxes"),
    ("Source of Damage", "Sources of Damage"),
    ("Source of an Ability", "Sources of an Ability"),
    ("End of Combat Step", "End of Combat Steps"),
    ("Planar Die", "Planar Dice"),
    ("Monarch", "Monarchs"),
    ("Life", "Lives"),
    ("Kindred", "Kindreds"),
    ("Phenomenon", "Phenomena"),
    ("Pass", "Passes"),
]


@pytest.mark.parametrize(("one", "many"), PLURALS)
def test_plural_and_back(one: str, many: str) -> None:
    assert plural(one) == many
    assert singular(many) == one
    assert singular(one) == one


@pytest.mark.parametrize("name", ["Plains", "Equipment", "Mana", "Haste", "Colorless", "X", "Tapped", "Dies"])
def test_name_without_another_number(name: str) -> None:
    assert plural(name) == name
    assert singular(name) == name


@pytest.mark.parametrize("verb", ["Resolve", "Evolve", "Connive", "Tie", "Damage", "Curse"])
def test_singular_guesses_no_stem(verb: str) -> None:
    assert singular(verb + "s") in (verb, verb + "s")
    assert singular(verb) == verb


@given(st.text(max_size=60))
def test_any_heading_has_a_name_of_its_own_text(heading: str) -> None:
    split = split_heading(heading)
    assert split.names
    assert all(name in fold(straight(heading)) or name == heading.strip() for name in split.names)
    for name in split.names:
        plural(name)
        singular(name)
