"""Definitions become facts: sentences of our own and the mini game."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import measure_facts
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.loaders.facts.context import Fact
from rulesgraph.loaders.facts.find import PATTERNS, find_facts, successions
from rulesgraph.loaders.language.words import split_heading
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.loaders.reading.comprehensive import parse as comprehensive
from rulesgraph.loaders.reading.rulings import parse as rulings
from rulesgraph.loaders.reading.source import read_source
from rulesgraph.loaders.records import Document, Entry, Paragraph, Rule
from rulesgraph.ontology.iris import Iris, slug
from rulesgraph.ontology.terms import DocumentKind

MINI = Path(__file__).parent / "mini"
ALWAYS = ("Static Ability", "Keeper", "Lantern", "Moth", "Draw Step", "Ember Zone")
"""Headings that every glossary made here has."""

TERSE = {f"Lamp {n}": [f"A thing number {n}."] for n in range(12)}
"""Entries that make a glossary one of noun phrases."""


def document(entries: dict[str, list[str]], rules: dict[str, str] | None = None) -> Document:
    """Make a document of headings with paragraphs, and of rule numbers with texts."""
    made = [
        Entry(
            slug(split_heading(heading).names[0]), "", heading, 1, 9,
            paragraphs=tuple(Paragraph(str(n), "", text, n, n) for n, text in enumerate(texts, start=1)),
        )
        for heading, texts in ({name: ["See nothing."] for name in ALWAYS} | entries).items()
    ]  # fmt: skip
    numbered = [
        Rule(number, text, n, n, title=text if text.istitle() else None)
        for n, (number, text) in enumerate((rules or {}).items(), start=100)
    ]  # fmt: skip
    return Document(
        DocumentKind.COMPREHENSIVE, "cr-2031-01-01", "cr-2031-01-01", "Lamps",
        date(2031, 1, 1), "0" * 64, "utf-8", 9,
        entries=tuple(made), rules=tuple(numbered),
    )  # fmt: skip


def facts_of(entries: dict[str, list[str]], rules: dict[str, str] | None = None) -> list[Fact]:
    return list(find_facts(EditionView([document(entries, rules)], Iris())))


def keys(found: list[Fact]) -> list[str]:
    return [measure_facts.key(fact.statement) for fact in found]


SENTENCES = [
    # heading, text, pattern, fact
    ("Gloom", "Gloom is an obsolete static ability.", "used to be", "gloom formerly StaticAbility"),
    # what cards of a type are
    ("Gloom", 'A card printed with the type "Gloom" is a static ability.', "is a", "gloom StaticAbility"),
    # a symbol is what it shows only where it is a keyword
    (
        "Dusk Symbol",
        "A dusk symbol is a keyword that represents a static ability.",
        "represents",
        "dusk-symbol StaticAbility",
    ),
    # a kind no longer
    ("Glimmer", '"Glimmer" used to be a static ability.', "used to be", "glimmer formerly StaticAbility"),
    ("Gloom", "An obsolete basic land type.", "used to be", "gloom formerly BasicLandType"),
    ("Lantern", 'Some artifacts have the subtype "Lantern."', "subtype or option", "lantern ArtifactType"),
    (
        "Dusk Option",
        "Some games use the optional dusk or dawn rules.",
        "subtype or option",
        "dusk-option Option",
    ),
    ("Glimmer", "Glimmering, or half of it, is a static ability.", "is a", "glimmer StaticAbility"),
    ("Glimmer", 'A lamp that is a "glimmer" is a moth.', "is a", "glimmer moth"),
    ("Glimmer", "Glimmer is a static ability.", "is a", "glimmer StaticAbility"),
    ("Glimmer", '"Glimmer" is a static ability that sings.', "is a", "glimmer StaticAbility"),
    # the kind follows "kind of", adjectives come before it, a clause after it
    ("Soot", "Soot is a special kind of evasion ability that moths have.", "is a", "soot EvasionAbility"),
    ("Wick", "Wick is one of the five basic land types.", "is a", "wick BasicLandType"),
    ("Noon", "Noon is an odd multiplayer variant for keepers.", "is a", "noon MultiplayerVariant"),
    # a kind that is a term of the edition and no class of the game
    ("Stray Moth", "A stray moth is a moth without a lantern.", "is a", "stray-moth moth"),
    # a pronoun means the term of the entry
    ("Hums", "Hums keep keepers awake.  These are static abilities that hum.", "is a", "hums StaticAbility"),
    # the heading says what the sentence leaves out
    ("Dusk Step", "Dusk is the second and final step of the night phase.", "is a", "dusk-step Step"),
    # the name with its owner, with its genitive, after a lead-in
    ("Keeper", "The keeper of a moth is the moth that lit it.", "is a", "keeper moth"),
    ("Vow", "A vow to hum or sing is any effect that moths fear.", "is a", "vow Effect"),
    ("Host", "In a game of lanterns, a moth's hosts are the other moths on its side.", "is a", "host moth"),
    # a category of something is of its kind, and so is a proper name followed by its kind
    ("Stray Moth", "Stray moths are a category of moths.", "is a", "stray-moth moth"),
    ("Hum", "A Hum moth is a gray moth that hums.", "is a", "hum moth"),
    ("Soot", "Soot is an ability subtype.", "is a", "soot Ability"),
    (
        "Soot Effect",
        "Some effects blacken lanterns that moths lit; such effects are called soot effects.",
        "called",
        "soot-effect Effect",
    ),
    # what is printed in a corner is no part of the noun
    ("Grub", "A grub is a 2/2 gray moth that sleeps.", "is a", "grub moth"),
    ("Larva", "A larva is a 0/1 white moth named Larva.", "is a", "larva moth"),
    # the same kind once more is no other kind
    ("Stray", "A stray is a moth that has left, or a moth that never came.", "is a", "stray moth"),
    # what effects use the word of, and the type whose subtype it is
    (
        "Snuff",
        'Effects that use the word "snuff" are replacement effects.',
        "is a",
        "snuff ReplacementEffect",
    ),
    ("Stool", "A stool is an artifact subtype that keepers sit on.", "is a", "stool ArtifactType"),
    # with what it is linked to or makes
    (
        "Blink",
        "Blink is a static ability linked to a triggered ability.",
        "is a",
        "blink StaticAbility+TriggeredAbility",
    ),
    (
        "Flare",
        "Flare represents two static abilities, one of which may create a delayed triggered ability.",
        "represents",
        "flare StaticAbility+StaticAbility+DelayedTriggeredAbility",
    ),
    # two at once
    ("Oil", "Oil is both a card and a permanent type.", "is a", "oil CardType+PermanentType"),
    (
        "Ash",
        "Ash represents both a static ability and a delayed triggered ability.",
        "represents",
        "ash StaticAbility+DelayedTriggeredAbility",
    ),
    (
        "Ash",
        "Ash is a keyword that represents two abilities. The first is a static ability. The second is a "
        "triggered ability.",
        "represents",
        "ash StaticAbility+TriggeredAbility",
    ),
    (
        "Ash",
        "Ash represents three abilities: two static abilities that glow, one of which smokes, and a "
        "triggered ability.",
        "represents",
        "ash StaticAbility+StaticAbility+TriggeredAbility",
    ),
    ("Ash", "Ash represents two triggered abilities.", "represents", "ash TriggeredAbility+TriggeredAbility"),
    (
        "Late Watch",
        "The second main phase of the night is called the late watch.",
        "called",
        "late-watch Phase",
    ),
    # other names
    ("Wax Type", "Wax subtypes are also called wax types.", "also called", "wax-type also wax-subtypes"),
    (
        "Burn Rule",
        "The keeper yawns. This is referred to as the yawning rule.",
        "referred to as",
        "burn-rule also yawning-rule",
    ),
    ("Shelf", 'It used to be known as the "board" zone.', "also called", "shelf formerly board-zone"),
    ("Shelf", 'The old term for the shelf was "board."', "also called", "shelf formerly board"),
    ("Shelf", "At dusk, the shelf (also known as the ledge) is full.", "also called", "shelf also ledge"),
    ("FIFO", 'An acronym for "First In, First Out," FIFO is how oil burns.', "stands for", "fifo 4"),
    (
        "Hush",
        'The term "hush" is an informal term which describes how moths rest.',
        "stands for",
        "hush 3",
    ),
    ("Snuffer", "This is a nickname for any moth that darkens lanterns.", "stands for", "snuffer 5"),
    # what took the place of a term
    ("Candle", "An obsolete term for a lantern.", "old term for", "candle lantern"),
    (
        "Candle",
        'Cards that were printed with the term "candle" now simply use "lantern."',
        "now say",
        "candle lantern",
    ),
    ("Candle", 'Cards that said "candle" now refer to the keeper\'s "lantern."', "now say", "candle lantern"),
    ("Candle", '(Newer Dusk cards use "lantern" instead.)', "now say", "candle lantern"),
    ("Candle", 'All cards printed so have received errata to say "Lantern."', "now say", "candle lantern"),
    ("Candle", 'Cards with "candles of wax" on them now say "Lantern."', "now say", "candle lantern"),
    (
        "Candle",
        "Some cards say candle. These cards now have the Lantern subtype.",
        "now say",
        "candle lantern-subtype",
    ),
    (
        "Candle",
        "Old cards have received errata in the great book so they have the Lantern subtype instead.",
        "now say",
        "candle lantern-subtype",
    ),
    ("Candle", "All candle cards are now lanterns.", "are now", "candle lanterns"),
    ("Candle", 'An old name that has been renamed. See rule 201.1, "Lantern."', "now say", "candle lantern"),
    # templates
    (
        "Flare",
        'Flare is a static ability. "Flare [cost]" means "Pay [cost]: The lantern flares."',
        "template",
        "flare flare-cost 1",
    ),
    (
        "Flare",
        '"Flare N-[cost]" means "N moths leave" and "The keeper pays [cost]."',
        "template",
        "flare flare-n-cost 2",
    ),
    (
        "Ward Off",
        'Ward off is a static ability written "Ward off [moth]."',
        "written as",
        "ward-off ward-off-moth 1",
    ),
    ("Flare", '"Flare [a lamp]" is the same as "Light [a lamp]."', "template", "flare flare-a-lamp 1"),
    ("Flare", 'Some older cards used the phrase "at [time], flare."', "written as", "flare at-time-flare 1"),
    ("Flare", 'Flares are labeled "Flare [moth]" and burn.', "written as", "flare flare-moth 1"),
    ("Flare Symbol", '"{FLARE N-M} [hum]" means "Hum."', "template", "flare-symbol flare-n-m-hum 2"),
    ("Flare", 'A few lamps have the term flare, which means "Glow."', "bare template", "flare flare 0"),
    ("Shine", "To shine N means to light N lanterns.", "bare template", "shine shine-n 1"),
    # lists
    (
        "Land Type",
        "The list of land types, updated through the Dusk set, is as follows: Bog, Fen, Heath.",
        "list of",
        "land-types 3 plain dusk",
    ),
    (
        "Zone",
        "There are normally three zones: ember, soot, and the shelf.",
        "there are",
        "zones 3 plain none",
    ),
    (
        "Supertype",
        "The supertypes are dim, lit, and pale (see rule 7).",
        "the kinds are",
        "supertypes 3 plain none",
    ),
    (
        "Keyword Counter",
        "The keywords that a keyword counter can be are hum, glow, and soot, as well as kinds of soot.",
        "the kinds are",
        "keyword-counter 3 plain none",
    ),
    (
        "Lamp Moth",
        'The term "lamp moth" tells which are small. It means a tiny, dim, or pale moth.',
        "means one of",
        "lamp-moth 3 plain none",
    ),
    (
        "Night",
        "Each night is divided into two phases: dusk and dawn.",
        "has parts",
        "night dusk-phase+dawn-phase",
    ),
    (
        "Night Phase",
        "It ends late. It has two steps: yawn and sleep.",
        "has parts",
        "night-phase yawn-step+sleep-step",
    ),
    (
        "Layer",
        "Effects apply in two layers: (1) oil effects (see rule 7); and (2) wick effects.",
        "in layers",
        "layers 2 ordered none",
    ),
    ("Draw Step", "This is the third step of the dawn phase.", "place in the turn", "draw-step 3 dawn-phase"),
    (
        "Snuffing",
        "To end the night, follow these steps in order: Dim the lamps. Close the box.",
        "steps in order",
        "end-the-night 2",
    ),
]


@pytest.mark.parametrize(("heading", "text", "pattern", "expected"), SENTENCES)
def test_a_sentence_states(heading: str, text: str, pattern: str, expected: str) -> None:
    found = [fact for fact in facts_of({heading: [text]}) if fact.unit.term == slug(heading)]
    assert expected in keys([fact for fact in found if fact.pattern == pattern])
    for fact in found:
        assert fact.quote in text


@pytest.mark.parametrize(
    "text",
    [
        "Glimmer is a static ability or a triggered ability.",  # a choice
        "A glimmer is a static ability only if a keeper says so.",  # a condition
        "Glimmer is an amount of light.",  # of no kind that is known
        "Glimmer is not a static ability.",
        "A glimmer symbol represents a cost.",
        "The glimmer symbol {G} stands for it. This is a mana cost that moths pay.",  # about the symbol
        "Some keepers like a static ability.",
        "If glimmer is a static ability, lanterns rest.",
        "Lantern is a static ability.",  # about another term than the entry's
        'The keeper says "Glow" and means nothing by it.',
        "Moths are now free.",
        'Cards with "torches" on them now say "Lantern."',  # about neither the entry's term nor another
        "The rest of the night has two long hours: dusk and dawn.",
        "A glimmer is also called glimmers.",  # the same name twice
        "Glimmer is a special version of the ability.",  # of the very ability in question
        "All abilities that said to glimmer are now static abilities.",  # narrowed, not replaced
        "Abilities that said to glimmer are now static abilities.",
        'If a lantern is "glimmering" on a moth, that means it hums.',  # used, and what follows explains it
        "A glimmer moth is a moth that hums.",  # no proper name
    ],
)
def test_a_sentence_states_nothing(text: str) -> None:
    assert [fact for fact in facts_of({"Glimmer": [text]}) if fact.unit.term == "glimmer"] == []


NOUN_PHRASES = [
    ("A zone.", "ember Zone"),
    ("A keyword ability that lets a keeper rest.", "ember KeywordAbility"),
    ("A designation a moth can have.", "ember Designation"),  # a clause without its "that"
    ("A designation moths can have.", "ember Designation"),
    ("An obsolete keyword ability that meant dusk.", "ember formerly KeywordAbility"),
    ("A keyword action that lets a keeper look, rest, and hum.", "ember KeywordAction"),  # commas after
    ("A keyword ability that makes a moth “embered” for a while.", "ember KeywordAbility"),  # another word
    ("A symbol shaped like a moth.", "ember Symbol"),
    ("A moth of at least ten grams.", "ember moth"),  # how much of it, not whose
    ("Part of the turn.", "ember TurnPart"),
    ("A characteristic, and part of a card.", "ember Characteristic+CardPart"),  # two at once
    ("Along with soot, a designation the night can have.", "ember Designation"),
    ("A moth that's asleep.", "ember moth"),
    ("The middle moth in an Ember game.", "ember moth"),  # the game is its variant's
    ("One of the five basic land types.", "ember BasicLandType"),
    ("Moth shed during the night by lanterns.", "ember moth"),  # a mass needs no article
    ("Moth dealt by lanterns.", "ember moth"),
    ("A moth not seen on lanterns.", "ember moth"),
    (
        'A variant of the static ability that lets moths have the "ember" ability.',
        "ember StaticAbility",
    ),  # its name
    ("A moth once no lantern has been lit for it.", "ember moth"),
]


@pytest.mark.parametrize(("text", "expected"), NOUN_PHRASES)
def test_a_terse_glossary_defines_by_noun_phrases(text: str, expected: str) -> None:
    assert expected in keys(facts_of(TERSE | {"Ember": [text], "Ember Variant": ["See nothing."]}))


@pytest.mark.parametrize(
    "text",
    [
        "A keyword ability with ember hums.",  # says the name in what it describes
        "A moth that becomes ember loses its glow.",  # of what becomes so
        "The static ability of a moth is lost.",  # a verb of its own
        "A moth or lantern in the bag.",  # a choice
        "To light a lantern.",
        "The moths that sleep.",  # several, where the heading is one
        "Moths asleep by lanterns.",
        "Soot shed by lanterns.",  # of no kind that is known
    ],
)
def test_a_terse_glossary_says_other_things_too(text: str) -> None:
    assert not [fact for fact in facts_of(TERSE | {"Ember": [text]}) if fact.unit.term == "ember"]


def test_a_glossary_of_sentences_is_not_read_as_noun_phrases() -> None:
    assert keys(facts_of({"Ember": ["A static ability that moths have."]})) == []


RULES = {
    "300": "Burning Oil",
    "300.1": "Burning oil follows the steps listed below, in order.",
    "300.1a": "Open the flask.",
    "300.1b": "Pour.",
    "400": "Keyword Abilities",
    "400.2": "Flutter",
    "400.2a": "Flutter appears on some moths. It represents two static abilities that hum.",
    "500": "State-Based Actions",
    "500.5": "The state-based actions are as follows:",
    "500.5a": "A dark lantern falls.",
    "500.5b": "A lonely moth leaves.",
}


def test_rules_have_steps_items_and_terms_of_their_own() -> None:
    assert keys(facts_of({}, RULES)) == [
        "burning-oil 2",
        "flutter StaticAbility+StaticAbility",
        "state-based-actions 2 plain none",
    ]


def test_a_form_of_an_ability_is_no_variant_of_the_game() -> None:
    entries = {"Moth": ["A moth."], "Hum": ["See nothing."], "Deep Hum": ["A hum variant that moths hear."]}
    rules = {"400": "Keyword Abilities", "400.2": "Hum", "400.2a": "Some hum."}
    found = [fact for fact in facts_of(TERSE | entries, rules) if fact.unit.term == "deep-hum"]
    assert keys(found) == ["deep-hum KeywordAbility"]
    plain = facts_of(TERSE | {"Deep Hum": ["A casual variant that moths hear."]})
    assert keys([fact for fact in plain if fact.unit.term == "deep-hum"]) == ["deep-hum CasualVariant"]


def test_a_form_belongs_to_the_longer_name_that_it_begins_with() -> None:
    entries = {"Hum": ["See nothing."], "Deep Hum": ["See nothing."]}
    rules = {"400": "Keyword Abilities", "400.2": "Hum", "400.2a": '"Deep hum [cost]" means "Hum twice."'}
    found = [fact for fact in facts_of(entries, rules) if fact.pattern == "template"]
    assert keys(found) == ["deep-hum deep-hum-cost 1"]


def test_of_a_list_some_are_listed_once_more() -> None:
    said = {
        "400.2": "The land types are Bog, Fen, Heath, and Moor. "
        "Of that list, Bog and Fen are the basic land types."
    }
    assert keys(facts_of({"Bog": ["A."], "Fen": ["A."]}, said)) == [
        "land-types 4 plain none",
        "basic-land-types 2 plain none",
    ]
    only = "The only zones in the game are the bag, the table, and the shelf."
    for told in (only, only.replace("the game", "Lanterns")):
        assert keys(facts_of({}, {"400.2": told})) == ["zones 3 plain none"]


def test_a_place_is_told_of_two_names() -> None:
    entries = {"Early Dusk Phase": ["A."], "Late Dusk Phase": ["A."]}
    said = {
        "400.2": "There is dusk. Moths wait. The second, or late, dusk phase is the fourth phase of the turn."
    }
    assert keys(facts_of(entries, said)) == ["late-dusk-phase 4 turn"]


def test_what_two_names_of_a_heading_are_each_of_them_is() -> None:
    entries = {"Dusk": ["See rule 1."], "Dawn": ["See rule 1."]}
    rules = {"730": "Dusk And Dawn", "730.1": "Dusk and dawn are designations that a box can have."}
    assert keys(facts_of(entries, rules)) == ["dusk Designation", "dawn Designation"]


def test_mini_game() -> None:
    view = EditionView([comprehensive.parse(read_source(MINI / "lanterns-2031-02-01.txt"))], Iris())
    assert sorted(set(keys(list(find_facts(view))))) == [
        "flutter TriggeredAbility",
        "flutter flutter 0",
        "glimmer StaticAbility",
        "glimmer glimmer-n 1",
        "last-light 5",
        "waning-checks 3 plain none",
    ]
    page = EditionView([rulings.parse(read_source(MINI / "rulings-2031-03-10.txt"))], Iris())
    assert keys(list(find_facts(page))) == ["flutter TriggeredAbility", "glimmer StaticAbility"]


# -- parts --------------------------------------------------------------------------------------------


def test_entries_of_names_given_up_say_what_took_their_place() -> None:
    """A wording is more than a name, and only retired terms are considered."""
    made = document(
        {
            "Candle": ['Except for titles, all uses of "candle" are now "lantern."'],
            "Torch": ["An obsolete term for a lantern."],
            "Wax": ["Old cards have received errata to have the lantern subtype."],
            "Snuff": ["An old name for a moth."],
        }
    )
    view = EditionView([made], Iris())
    assert successions(view, {"candle", "torch", "wax"}) == {("candle", "lantern"), ("torch", "lantern")}
    assert successions(view, set()) == frozenset()


def test_patterns_are_told_apart_and_every_one_is_tested() -> None:
    names = [pattern.name for pattern in PATTERNS]
    assert len(set(names)) == len(names)
    assert all(pattern.cues for pattern in PATTERNS if pattern.where != "entry")


WORDS = st.sampled_from(
    'Glimmer is are a an the static ability [cost] N "Glimmer means represents two abilities: , and or . ; '
    "( ) ¶ The list of land types as follows: called also known now use term It This step first of turn "
    "phase in order (1) (2) layers:".replace("¶", "\n").split(" ")
)


@given(st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=40).map(" ".join)))
def test_any_text_is_read_and_quoted_as_it_stands(text: str) -> None:
    for fact in facts_of({"Glimmer": [text, text], "Land Type": [text]}, {"300.1": text, "300.1a": text}):
        assert fact.quote in text
        assert fact.quote.strip()
