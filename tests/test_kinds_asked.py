"""Kinds and procedures are found by their names in the vocabulary and the rules, whether terms or not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import rulesgraph
from commands import Run
from rulesgraph.app.mcp.toolbox import tools
from rulesgraph.loaders.language.names import plural
from rulesgraph.ontology.errors import UnknownNameError
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.finding.kinds import kind_called
from rulesgraph.queries.session import Session, Understood

NEWEST, BEFORE = "cr-2026-01-16", "cr-2008-02-01"
COLORS = ["amber", "ash", "bone", "rust", "soot"]


def names(session: Session, words: str, *given: str, edition: str | None = None) -> list[str]:
    """Return what the rows of an answer are about, each once."""
    found = ask(session, words, given, edition=edition)
    assert found.name != "closest_rules"
    return list(dict.fromkeys(str(row.get("term") or row["item"]) for row in found.records()))


@pytest.mark.parametrize(
    "words",
    [
        "What are the colors?",
        "which colors are there",
        "list all the colurs",
        "COLORS",
        "a color",
        "all colors",
    ],
)
def test_a_kind_without_a_term_is_asked_about_in_the_words_of_its_label(words: str, defined: Session) -> None:
    assert names(defined, words) == COLORS
    assert ask(defined, "What are the colors?").understood == Understood(
        "What is on the list of color? (list_items)",
        (),
        asked=("list_items", "color"),
    )


def test_every_door_asks_about_a_kind(defined_store: Path, defined: Session, run: Run) -> None:
    asked = ("list_items", "Colors")
    told = ask(defined, asked[0], asked[1:])
    rows = told.records()
    assert [row["item"] for row in rows] == COLORS
    assert told.edition == "cr-2032-04-01"
    assert json.loads(run("ask", *asked, "--store", defined_store, "--format", "json")[1]) == rows
    opened = rulesgraph.open(defined_store)
    assert opened.ask(*asked).records() == rows
    tool = tools(opened)["question"](name=asked[0], arguments=[asked[1]])
    assert [row["item"] for row in tool["rows"]] == COLORS


def test_a_kind_of_which_nothing_is_has_no_rows_and_what_is_no_kind_is_unknown(defined: Session) -> None:
    found = ask(defined, "terms_of_kind", ["designations"])
    assert (found.rows, found.edition) == ((), "cr-2032-04-01")
    with pytest.raises(UnknownNameError, match="no term or number is called 'gauntlets'"):
        ask(defined, "terms_of_kind", ["gauntlets"])


@pytest.mark.parametrize("words", ["filling a flask", "fill flasks", "Fill", "the filling of flasks"])
def test_a_procedure_is_asked_about_by_words_of_its_name(words: str, defined: Session) -> None:
    given = words.removeprefix("the ").replace(" of ", " ")
    for answer in (ask(defined, "steps_of", [given]), ask(defined, f"What are the steps of {given}?")):
        assert [row[:3] for row in answer.rows] == [
            ("Filling a flask", 1, "103.1a"),
            ("Filling a flask", 2, "103.1b"),
            ("Filling a flask", 3, "103.1c"),
        ]


@pytest.mark.parametrize("words", ["flask", "opening a flask", "fill bottles"])
def test_other_words_are_no_procedure(words: str, defined: Session) -> None:
    with pytest.raises(UnknownNameError):
        ask(defined, "steps_of", [words])


def test_what_a_kind_is_leads_to_what_is_of_it(defined: Session) -> None:
    found = ask(defined, "how does a color shine on a flask")
    assert found.name == "closest_rules"
    assert found.understood == Understood("", (), ("rulesgraph ask list_items color",))


@pytest.mark.parametrize("words", ["What is a color?", "what are colors", "define color"])
def test_what_a_kind_is_tells_what_is_of_it(words: str, defined: Session) -> None:
    assert names(defined, words) == COLORS


def test_what_was_called_a_type_is_a_card_type(defined: Session) -> None:
    assert [getattr(kind_called(defined, it), "name", None) for it in ("types", "card type", "kind")] == [
        "card type",
        "card type",
        None,
    ]


def test_a_list_that_there_is_not_is_looked_for_without_that_word(mini: Session) -> None:
    found = ask(mini, "all moths with rule numbers")
    assert (found.rows != (), [it for it in (*found.notes, *found.lead) if "list" in it]) == (True, [])


@pytest.mark.parametrize("words", ["list the moths that block lamps", "which chapter has the most moths"])
def test_a_list_that_there_is_not_is_no_list_of_closest_rules(words: str, mini: Session) -> None:
    found = ask(mini, words)
    assert (found.name, found.answered) == ("closest_rules", False)
    assert found.lead[0] == "No such list was found in the rules: these are the closest rules."


STATES = [
    "face down", "face up", "flipped", "phased in", "phased out", "tapped", "unflipped", "untapped"
]  # fmt: skip
PERMANENT = ["artifact", "battle", "creature", "enchantment", "land", "planeswalker"]
CHARACTERISTICS = [
    "abilities", "card type", "color", "expansion symbol", "loyalty", "mana cost", "name", "power",
    "rules text", "subtype", "supertype", "toughness"
]  # fmt: skip

COUNTERS = ["Deathtouch", "Decayed", "Double Strike", "Exalted", "Finality Counter", "First Strike", "Flying",
      "Haste", "Hexproof", "Indestructible", "Lifelink", "Menace", "Poison Counter", "Rad Counter", "Reach",
      "Shadow", "Shield Counter", "Stun Counter", "Trample", "Vigilance"]  # fmt: skip

# (words, the edition in which they are answered, what the rows are about)
ASKED: list[tuple[str, str | None, list[str]]] = [
    ("permanent statuses", NEWEST, STATES),
    ("What are the permanent types?", NEWEST, PERMANENT),
    ("types of permanents", NEWEST, PERMANENT),
    ("what are the statuses of a permanent", NEWEST, STATES),
    ("which characteristics does an object have", BEFORE, CHARACTERISTICS),
    ("list the characteristics of an object", BEFORE, CHARACTERISTICS),
    ("what permanant types are there", BEFORE, [it for it in PERMANENT if it != "battle"]),
    ("What are the types of mana?", NEWEST, ["black", "blue", "colorless", "green", "red", "white"]),
    ("what kinds of mana exist", NEWEST, ["black", "blue", "colorless", "green", "red", "white"]),
    ("different kinds of permanents", NEWEST, PERMANENT),
    ("which colors of mana exist", BEFORE, ["black", "blue", "green", "red", "white"]),
    ("all types of mana with their rule numbers", NEWEST,
     ["black", "blue", "colorless", "green", "red", "white"]),
    ("list the sublayers", NEWEST, [f"613.{it}" for it in ("2a", "2b", "4a", "4b", "4c", "4d")]),
    ("the layers in order", NEWEST, [f"613.1{it}" for it in "abcdefg"]),
    ("list battle types", None, ["Siege"]),
    ("what is a battle type", None, ["Siege"]),
    ("what are the casual variants", None,
     ["Archenemy", "Commander", "Commander Draft", "Conspiracy Draft", "Planechase", "Vanguard"]),
    ("multiplayer variants", BEFORE, ["Emperor", "Free-for-All"]),
    ("which kinds of double-faced cards are there", None,
     ["Modal Double-Faced Cards", "Nonmodal Double-Faced Card"]),
    ("kinds of effects", NEWEST,
     ["Prevention Effect", "Replacement Effect", "Text-Changing Effect", "Type-Changing Effect",
      "Continuous Effect", "One-Shot Effect"]),
    ("kinds of kicker", NEWEST, ["Multikicker", "Sticker Kicker"]),
    ("what kinds of counters are there", NEWEST, COUNTERS),
    ("list the kinds of counters", NEWEST, COUNTERS),
    ("list every zone and its rule number", NEWEST,
     ["battlefield", "command", "exile", "graveyard", "hand", "library", "stack"]),
]  # fmt: skip


@pytest.mark.long(small="test_a_kind_without_a_term_is_asked_about_in_the_words_of_its_label")
@pytest.mark.parametrize(("words", "edition", "whole"), ASKED, ids=[row[0] for row in ASKED])
def test_kinds_of_whole_editions_are_told(
    words: str, edition: str | None, whole: list[str], real: Session
) -> None:
    assert names(real, words, edition=edition) == whole


@pytest.mark.long(small="test_a_list_that_there_is_not_is_no_list_of_closest_rules")
@pytest.mark.parametrize("words", ["the abilities of a planeswalker", "what are the colors of a card"])
def test_a_list_is_not_told_of_what_it_does_not_name(words: str, real: Session) -> None:
    assert ask(real, words, edition=NEWEST).name != "list_items"


@pytest.mark.long(small="test_a_list_that_there_is_not_is_no_list_of_closest_rules")
@pytest.mark.parametrize(("edition", "rule", "last"), [(NEWEST, "104.3", "k"), (BEFORE, "102.3", "g")])
def test_a_rule_that_only_opens_a_list_is_followed_by_its_parts(
    edition: str, rule: str, last: str, real: Session
) -> None:
    found = ask(real, "list all the ways to lose the game", edition=edition)
    parts = [f"{rule}{chr(letter)}" for letter in range(ord("a"), ord(last) + 1)]
    assert [row["number"] for row in found.records()][: len(parts) + 1] == [rule, *parts]
    assert (found.answered, found.lead) == (True, ())


@pytest.mark.long(small="test_a_kind_without_a_term_is_asked_about_in_the_words_of_its_label")
@pytest.mark.parametrize(
    ("kind", "item", "rule"),
    [
        ("keyword abilities", "Trample", "702.19"),
        ("zones", "graveyard", "404"),
        ("phases", "combat phase", "506"),
        ("colors", "red", None),
    ],
)
def test_items_have_the_number_of_their_own_rule(
    kind: str, item: str, rule: str | None, real: Session
) -> None:
    rows = ask(real, "list_items", [kind]).rows
    assert [row[3] for row in rows if row[2] == item] == [rule]


@pytest.mark.long(small="test_a_kind_without_a_term_is_asked_about_in_the_words_of_its_label")
def test_two_ordered_lists_of_one_kind_have_an_order_each(real: Session) -> None:
    rows = ask(real, "list the sublayers", edition=NEWEST).rows
    assert [(row[1], row[3]) for row in rows] == [
        (1, "613.2a"),
        (2, "613.2b"),
        (1, "613.4a"),
        (2, "613.4b"),
        (3, "613.4c"),
        (4, "613.4d"),
    ]


@pytest.mark.long(small="test_a_kind_without_a_term_is_asked_about_in_the_words_of_its_label")
def test_a_kind_is_looked_for_in_the_newest_edition_that_has_things_of_it(real: Session) -> None:
    assert ask(real, "terms_of_kind", ["designation"]).edition == NEWEST
    assert ask(real, "terms_of_kind", ["designation"], edition=BEFORE).rows == ()


# (words, the kinds that the thing is said to be of)
WHETHER = [
    ("is graveyard a hidden zone", {"zone", "public zone"}),
]


@pytest.mark.long(small="test_a_kind_without_a_term_is_asked_about_in_the_words_of_its_label")
@pytest.mark.parametrize(("words", "kinds"), WHETHER, ids=[row[0] for row in WHETHER])
def test_whether_a_thing_is_of_a_kind_is_answered_by_its_kinds(
    words: str, kinds: set[str], real: Session
) -> None:
    found = ask(real, words, edition=NEWEST)
    assert (found.name, {row["kind"] for row in found.records()}) == ("kinds_of", kinds)


@pytest.mark.long(small="test_a_kind_without_a_term_is_asked_about_in_the_words_of_its_label")
@pytest.mark.parametrize(
    "words", ["is monarch a designation", "is tapped a status?", "is creature a permanent type"]
)
def test_whether_a_thing_is_of_a_kind_is_answered_by_a_sentence(words: str, real: Session) -> None:
    found = ask(real, words, edition=NEWEST)
    assert (found.name, {row["says"] for row in found.records()}) == ("whether", {"is"})


@pytest.mark.long(small="test_a_procedure_is_asked_about_by_words_of_its_name")
@pytest.mark.parametrize(
    ("words", "edition", "first", "steps"),
    [
        ("what are the steps of casting a spell", NEWEST, "601.2a", 9),
        ("steps of activating an ability", NEWEST, "602.2a", 2),
        ("how many steps does playing a spell have", BEFORE, "409.1a", 9),
        ("steps of activate", NEWEST, "602.2a", 2),
    ],
)
def test_procedures_of_whole_editions_are_told(
    words: str, edition: str, first: str, steps: int, real: Session
) -> None:
    found = ask(real, words, edition=edition)
    assert (found.name, len(found.rows), found.rows[0][2]) == ("steps_of", steps, first)


@pytest.mark.long(small="test_a_procedure_is_asked_about_by_words_of_its_name")
@pytest.mark.parametrize(
    ("whole", "edition", "numbers"),
    [
        ("turn", NEWEST, ["501", "505", "506", "505", "512"]),
        ("combat phase", NEWEST, ["507", "508", "509", "510", "511"]),
        ("turn", BEFORE, ["301", "305", "306", "305", "312"]),
        ("combat phase", BEFORE, ["307", "308", "309", "310", "311"]),
    ],
)
def test_parts_of_the_turn_have_the_numbers_of_their_own_rules(
    whole: str, edition: str, numbers: list[str], real: Session
) -> None:
    """For a main phase, it is the rule on main phases: its entry refers to theirs; in 2008 it has none."""
    rows = ask(real, "steps_of", [whole], edition=edition).rows
    assert [row[1:3] for row in rows] == [*enumerate(numbers, start=1)]


@pytest.mark.parametrize(
    ("edition", "hundred", "last"), [(NEWEST, 5, ("ending", "end")), (BEFORE, 3, ("end", "end of turn"))]
)
def test_the_phases_have_their_steps_below_them(
    edition: str, hundred: int, last: tuple[str, str], real: Session
) -> None:
    """Of the phases and the steps of a turn, each has its place and the rule that defines it."""
    found = ask(real, "list every phase with its steps in order", edition=edition)
    phase, step = last
    assert found.name == "turn_in_order"
    assert [f"{row['place']} {row['number']} {row['part']}" for row in found] == [
        f"1 {hundred}01 beginning phase",
        f"1.1 {hundred}02 untap step",
        f"1.2 {hundred}03 upkeep step",
        f"1.3 {hundred}04 draw step",
        f"2 {hundred}05 precombat main phase",
        f"3 {hundred}06 combat phase",
        f"3.1 {hundred}07 beginning of combat step",
        f"3.2 {hundred}08 declare attackers step",
        f"3.3 {hundred}09 declare blockers step",
        f"3.4 {hundred}10 combat damage step",
        f"3.5 {hundred}11 end of combat step",
        f"4 {hundred}05 postcombat main phase",
        f"5 {hundred}12 {phase} phase",
        f"5.1 {hundred}13 {step} step",
        f"5.2 {hundred}14 cleanup step",
    ]


@pytest.mark.parametrize(
    ("words", "edition", "count", "within", "without"),
    [
        ("which keyword abilities are static", NEWEST, 90, "Flying", "Evasion Ability"),
        ("list triggered keyword abilities", NEWEST, 50, "Ward", "Trample"),
        ("which keyword abilities were static", BEFORE, 40, "Flash", "Lifelink"),
    ],
)
def test_what_is_of_two_kinds_is_listed_whole(
    words: str, edition: str, count: int, within: str, without: str, real: Session
) -> None:
    found = names(real, words, edition=edition)
    assert len(found) > count
    assert within in found
    assert without not in found


def test_a_list_may_be_asked_for_by_each_of_its_items(newest: Session) -> None:
    assert names(newest, "list every zone") == names(newest, "list all zones")
    for words, opening in (("list every way to lose a game", "104.3"), ("list all the ways to win", "104.2")):
        found = ask(newest, words)
        assert [row[0] for row in found.rows][:3] == [opening, f"{opening}a", f"{opening}b"]
        assert found.answered


def test_what_somebody_does_with_things_is_no_list_of_their_kinds(newest: Session) -> None:
    assert ask(newest, "do I have to tell my opponent how many cards I hold").name == "closest_rules"
    assert ask(newest, "I forgot how many phases there are").name == "list_items"


@pytest.mark.parametrize("edition", [NEWEST, BEFORE])
@pytest.mark.parametrize("kind", ["keyword ability", "static ability"])
def test_a_kind_beside_a_name_of_it_changes_nothing(kind: str, edition: str, real: Session) -> None:
    of_it = [str(it["term"]) for it in ask(real, "terms_of_kind", [kind], edition=edition).records()]
    assert len(of_it) > 8
    for name in of_it[:: len(of_it) // 3]:
        alone = ask(real, f"what is {name}?", edition=edition)
        for words in (f"what is the {name} {kind}?", f"what is the {kind} {name}?", f"{name} {kind}"):
            assert ask(real, words, edition=edition).rows == alone.rows, words


@pytest.mark.parametrize(
    "words",
    ["which keyword abilities trample relies on", "is haste static ability", "what does a flying counter do"],
)
def test_kinds_that_are_asked_for_are_kept(words: str, newest: Session) -> None:
    assert ask(newest, words).name != "definition"


@pytest.mark.parametrize("edition", [NEWEST, BEFORE])
def test_what_is_of_one_kind_and_another_is_asked_in_either_way(edition: str, real: Session) -> None:
    asked = "which keyword abilities are triggered{}"
    found = [ask(real, asked.format(end), edition=edition) for end in ("", " abilities")]
    assert found[0].rows == found[1].rows
    assert 20 < len(found[0]) < len(ask(real, "terms_of_kind", ["triggered ability"], edition=edition))
    none = ask(real, "which keyword actions are triggered abilities", edition=edition)
    told = "“Which terms are a kind of keyword action and of triggered ability?” has no direct answer."
    assert none.name == "closest_rules"
    assert told in none.notes


@pytest.mark.parametrize("zone", ["exile", "the stack", "the graveyard", "the command zone"])
def test_each_of_several_is_what_the_sentence_says(zone: str, newest: Session) -> None:
    found = ask(newest, f"is {zone} a public zone")
    assert (found.name, found.notes) == ("whether", found.lead)
    assert [row[:2] for row in found.rows] == [("is", "400.2")]


def test_an_entry_has_no_number_of_a_rule(newest: Session) -> None:
    assert [row[:2] for row in ask(newest, "is colorless a color").rows] == [("is not", None)]


@pytest.mark.parametrize("edition", ["cr-2008-02-01", "cr-2026-01-16"])
@pytest.mark.parametrize(
    ("kind", "thing"),
    [("keyword ability", "Combat Damage"), ("keyword action", "Stack"), ("step", "Priority")],
)
def test_the_things_of_a_kind_that_rely_on_another(
    kind: str, thing: str, edition: str, real: Session
) -> None:
    found = ask(real, f"Which {plural(kind)} rely on {thing.lower()}?", edition=edition)
    every = {row[0] for row in ask(real, "terms_of_kind", [kind], edition=edition).rows}
    relying = ask(real, "terms_relying_on", [thing], edition=edition).rows
    assert found.rows == tuple(row for row in relying if row[0] in every)
    assert found.rows
    assert f"of the {len(relying)} terms that rely on it." in found.notes[0]


@pytest.mark.parametrize(
    ("edition", "own", "longer"),
    [
        ("cr-2008-02-01", ["420.5n"], ["420.5h"]),
        ("cr-2026-01-16", ["704.5q", "704.5r", "704.5s"], ["704.5c", "704.6b"]),
    ],
)
def test_poison_counters_are_counters_that_are_mentioned(
    edition: str, own: list[str], longer: list[str], real: Session
) -> None:
    relying, mentioning = (
        [row[0] for row in ask(real, f"which state-based actions {verb} counters", edition=edition).rows]
        for verb in ("rely on", "mention")
    )
    assert (relying, mentioning) == (own, [*own, *longer])


def test_texts_that_only_mention_a_longer_term_are_counted(real: Session) -> None:
    short, long = (
        ask(real, "mentions_of", [it], edition="cr-2008-02-01") for it in ("Counter", "Poison Counter")
    )
    more = len({row["line"] for row in long} - {row["line"] for row in short})
    assert f"Also within longer terms, in {more} more texts: Poison Counter ({more})." in short.notes
    assert not [it for it in long.notes if "longer terms" in it]


@pytest.mark.parametrize("edition", ["cr-2008-02-01", "cr-2026-01-16"])
@pytest.mark.parametrize(("noun", "verb"), [("regeneration", "Regenerate"), ("destruction", "Destroy")])
def test_the_noun_of_a_verb_is_mentioned_where_it_stands(
    noun: str, verb: str, edition: str, real: Session
) -> None:
    found = ask(real, f"Which rules mention {noun}?", edition=edition)
    lines = {row["line"] for row in found}
    mentions = ask(real, "mentions_of", [verb], edition=edition)
    having = ask(real, f"which rules contain the word “{noun}”", edition=edition)
    exactly = {row["line"] for row in having if re.search(rf"\b{noun}\b", str(row["text"]), re.IGNORECASE)}
    assert lines == exactly | {row["line"] for row in mentions}
    assert len(lines) > len({row["line"] for row in mentions})


def test_a_list_that_no_rule_gives_is_said_to_be_open(newest: Session) -> None:
    told = "These were found sentence by sentence, not in a list of the rules: there may be more."
    assert told in ask(newest, "what kinds of counters are there").notes
    assert told not in ask(newest, "what card types are there").notes


def test_the_numbered_things_of_a_kind_that_mention_another(newest: Session) -> None:
    found = ask(newest, "Which state-based actions rely on counters?")
    items = {row["item"] for row in ask(newest, "list_items", ["state-based action"])}
    relying = ask(newest, "rules_relying_on", ["Counter"]).rows
    assert found.rows == tuple(row for row in relying if row[0] in items)
    assert {"704.5q", "704.5r"} <= {row[0] for row in found.rows}


def test_the_rule_about_a_thing_is_no_list_with_it(newest: Session) -> None:
    assert [row[0] for row in ask(newest, "Which rules are about the stack?").rows] == ["405"]


@pytest.mark.parametrize("asked", [("whether", "Goblin", "creature type"), ("terms_of_kind", "Goblin")])
def test_what_is_only_on_a_list_is_said_to_be_there(asked: tuple[str, ...], newest: Session) -> None:
    with pytest.raises(UnknownNameError, match="It is on a list: `rulesgraph show Goblin`"):
        ask(newest, asked[0], asked[1:])


@pytest.mark.parametrize(
    ("words", "rules"),
    [
        ("which rule is daybound", ["702.145", "730"]),
        ("which rule covers multikicker", ["702.33"]),
        ("which rule defines trample", ["702.19"]),
    ],
)
def test_a_term_without_a_rule_of_its_name_has_those_of_its_entry(
    words: str, rules: list[str], newest: Session
) -> None:
    found = ask(newest, words)
    assert (found.name, [row["rule"] for row in found]) == ("defining_rules", rules)


@pytest.mark.parametrize("edition", ["cr-2008-02-01", "cr-2026-01-16"])
def test_all_rules_about_a_thing_are_its_rule_with_all_parts(edition: str, real: Session) -> None:
    """They were read as the lists on which the thing stands."""
    found = ask(real, "List all rules about phasing", edition=edition)
    [rule] = [row["rule"] for row in ask(real, "defining_rules", ["Phasing"], edition=edition)]
    parts = [row["number"] for row in ask(real, "parts_of", [str(rule)], edition=edition) if row["number"]]
    assert found.name == "definition"
    assert [row["number"] for row in found if row["number"]] == [rule, *parts]
    mentioned = ask(real, "List all rules that mention phasing", edition=edition)
    assert mentioned.rows == ask(real, "mentions_of", ["Phasing"], edition=edition).rows


def test_a_question_how_many_is_no_name_in_two_editions(real: Session) -> None:
    found = ask(real, "how many rules were there in 2008 and in 2026")
    assert (found.name, found.answered) == ("closest_rules", False)
