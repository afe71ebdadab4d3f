"""The rule that defines a term although no rule has its name as title."""

from __future__ import annotations

import pytest
from rulesgraph.loaders.linking.terms import Terms
from rulesgraph.loaders.records import Reference, Target, TargetKind
from rulesgraph.ontology.iris import slug

NAMES = {"lunar": ["Lunar"]}


def pointed(texts: dict[str, str], cited: tuple[str, ...] = ("202", "320.5")) -> dict[str, str]:
    """Return the rules that cite `cited` and to which the entries of *Lunar* refer."""
    references = [Reference(0, 0, "", (Target(TargetKind.RULE, number),)) for number in cited]
    titles = {"202": "Moths", "203": "Bags"}
    return Terms(NAMES, [], titles, {"lunar": references}, titles | texts).pointed


@pytest.mark.parametrize(
    "words",
    [
        'Some moths have the subtype "Lunar." A lunar moth sits on two lanterns.',
        'Some moths have the subtype "Lunar". A lunar moth sits on two lanterns.',
        "Some moths are called “Lunars.”",
    ],
)
def test_a_chapter_that_an_entry_names_has_one_rule_that_begins_by_giving_the_name(words: str) -> None:
    assert pointed({"202.3": words, "202.4": "A lunar moth is blue."}) == {"lunar": "202.3"}


@pytest.mark.parametrize(
    "texts",
    [
        {"202.3": "Some moths have the subtype Lunar. They sit on two lanterns."},
        {"202.3": "Choose a word for each. “Lunar” is no colour."},
        {"202.3": "A keeper says “Lunar” before the moth moves."},
        {"202.3a": "Some moths have the subtype “Lunar.”"},
        {"203.3": "Some bags have the subtype “Lunar.”"},
        {"202.3": "Some moths are called “Lunar.”", "202.4": "Some bags are called “Lunar.”"},
    ],
    ids=["not quoted", "not first", "amid the sentence", "a part", "another chapter", "two rules"],
)
def test_no_rule_is_that_one_otherwise(texts: dict[str, str]) -> None:
    assert pointed(texts) == {}


def test_the_one_rule_that_an_entry_names_goes_before_a_part_of_it() -> None:
    texts = {"202": "Lunar Moths", "202.3": "Some moths have the subtype “Lunar.”"}
    assert pointed(texts, ("202",)) == {"lunar": "202"}


@pytest.mark.parametrize(
    ("titles", "cited", "found"),
    [
        # what is done to things of the name, where the entry is sent there
        ({"303": "Handling Lunar Moths"}, ("202", "303"), ["303"]),
        ({"303": "Lighting a Lunar Moth"}, ("202", "303"), []),
        ({"303": "Handling Lunar Moths"}, ("202",), []),
        ({"303": "Handling Lunar Moths", "304": "Lighting Lunar Moths"}, ("303", "304"), []),
        ({"303": "Handling Lunar Moths and Bags"}, ("303", "202"), []),
        ({"303": "Lunar Moths", "304": "Handling Lunar Moths"}, ("303", "304"), ["303"]),
    ],
    ids=["done to them", "to one", "not cited", "two of them", "and to others", "its own title"],
)
def test_a_title_tells_what_is_done_to_things_of_the_name(
    titles: dict[str, str], cited: tuple[str, ...], found: list[str]
) -> None:
    references = [Reference(0, 0, "", (Target(TargetKind.RULE, number),)) for number in cited]
    terms = Terms({"lunar-moth": ["Lunar Moth"]}, [], titles, {"lunar-moth": references}, titles)
    assert terms.titled.get("lunar-moth", []) == found
    assert set(terms.names) == {"lunar-moth"} | {
        slug(title) for number, title in titles.items() if number not in found
    }


@pytest.mark.parametrize(
    ("name", "words", "found"),
    [
        ("Kindle", "Lamps that are kindled by moths burn low.", {"kindle": "320.5"}),
        ("Dim", "A lamp that was dimmed stays so.", {"dim": "320.5"}),
        ("Kindle", "The kindling of lamps takes long.", {}),
        ("Kindle Lamps", "Lamps kindled by moths burn low.", {}),
    ],
    ids=["a participle", "a doubled letter", "a noun", "a name of two words"],
)
def test_the_one_rule_that_an_entry_names_says_the_verb(name: str, words: str, found: dict[str, str]) -> None:
    reference = Reference(0, 0, "", (Target(TargetKind.RULE, "320.5"),))
    terms = Terms({slug(name): [name]}, [], {}, {slug(name): [reference]}, {"320.5": words})
    assert terms.pointed == found
