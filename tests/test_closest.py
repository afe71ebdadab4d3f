"""The closest rules: what a question in anyone's words finds, in which order, and how bad input ends."""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import rulesgraph
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph import Answer, Rules
from rulesgraph.loaders.indexing.stemmer import stems
from rulesgraph.loaders.language.words import words_in
from rulesgraph.queries.finding.recognition import recognise
from rulesgraph.queries.searching import weights
from rulesgraph.queries.searching.closest import HEADING, closest
from rulesgraph.queries.searching.plain_words import plain_words, words_of_the_rules
from rulesgraph.queries.searching.ranking import Candidates
from rulesgraph.queries.searching.scores import COLUMNS, Passages
from rulesgraph.queries.searching.terms import Sought, opposites_in, sought_in, subjects

NEWEST = "cr-2031-07-01"
DARK = "Does a moth go back when its lantern turns dark?"


def found(rules: Rules, question: str, edition: str | None = None) -> Passages:
    return closest(rules.session, recognise(rules.session, question, edition))


def told(answer: Answer) -> list[tuple[object, ...]]:
    return [(row["number"], row["line"], row["reason"]) for row in answer]


def test_the_closest_rules_come_with_their_reasons(mini_rules: Rules) -> None:
    answer = found(mini_rules, DARK)
    assert told(answer)[:5] == [
        ("310.2b", 73, "mentions Moth, Lantern and Dark; cited by 320.4a; contains “dark” and “moth”"),
        ("202.1", 61, "mentions Moth, Lantern and Dark; contains “moth”, “dark” and “lantern”"),
        ("201.1", 53, "mentions Moth, Lantern and Dark; contains “dark”, “moth” and “lantern”"),
        ("310.2a", 71, "mentions Lantern and Dark; contains “dark” and “lantern”"),
        ("201.1a", 55, "mentions Lantern and Dark; contains “dark” and “lantern”"),
    ]
    first = answer.records()[0]
    assert (answer.columns, answer.edition, answer.heading) == (COLUMNS, NEWEST, HEADING)
    assert first["text"] == "A moth on a dark lantern returns to the bag."
    assert (first["edition"], first["document"]) == (NEWEST, NEWEST)
    assert first["iri"] == f"https://w3id.org/rulesgraph/edition/{NEWEST}/rule/310.2b"
    assert answer.notes == (
        "Recognised: Moth, Lantern, Dark.",
        "Looked for: moth, back, lantern, turns, dark.",
    )
    text = str(first["text"])
    assert [text[start:end] for start, end in answer.marks[0]] == ["moth", "dark", "lantern"]


def test_what_scores_are_made_of_adds_up(mini_rules: Rules) -> None:
    answer = found(mini_rules, DARK)
    assert set(answer.parts[0]) == {"words", "speaks", "cited", "whole"}
    for row, parts in zip(answer, answer.parts, strict=True):
        assert sum(parts.values()) == pytest.approx(row["score"], abs=0.005)


def test_what_defines_the_things_asked_about_comes_first(mini_rules: Rules) -> None:
    assert told(found(mini_rules, "Do drift and flutter work together?")) == [
        ("320.3a", 89, "defines Drift; contains “drift”"),
        ("320.4a", 93, "defines Flutter; contains “flutter”"),
        ("310.2b", 73, "cited by 320.4a"),
    ]


def test_a_rule_above_the_one_named_has_a_reason_too(mini_rules: Rules) -> None:
    reasons = {row["number"]: row["reason"] for row in mini_rules.search("310.2b")}
    assert reasons["310.2b"] == "named in the question: 310.2b"
    assert reasons["310.2"] == "contains a closer rule"


def test_a_misspelt_word_counts_as_the_nearest_unless_it_is_understood(mini_rules: Rules) -> None:
    index = mini_rules.session.index(NEWEST)
    assert [it.word for it in sought_in(index, "a keepeer", {})] == ["keeper"]
    assert [it.word for it in sought_in(index, "a keepeer", {}, ["keepeer"])] == ["keepeer"]


def test_a_misspelt_name_is_understood_and_said(mini_rules: Rules) -> None:
    answer = found(mini_rules, "would a glimer help")
    assert [row["number"] for row in answer] == ["320.2b", "320.2a"]
    assert answer.notes[1:] == ("Recognised: Glimmer (“glimer”, misspelled).", "Looked for: glimmer, help.")


def test_a_rule_that_is_named_comes_first_and_its_parts_count(mini_rules: Rules) -> None:
    answer = found(mini_rules, "What of 310.2 when three keepers watch?")
    assert told(answer)[:3] == [
        ("310.2", 69, "named in the question: 310.2"),
        ("100.1a", 34, "defines Keeper; contains “watch” and “keepers”"),
        ("310.2c", 75, "part of 310.2; mentions Keeper; contains “keepers”"),
    ]
    assert answer.notes == ("Recognised: 310.2, Keeper.", "Looked for: three, keepers, watch, 3.")


def test_words_count_by_what_they_are(mini_rules: Rules) -> None:
    """Number words and figures match each other, names in other words match by these words."""
    index = mini_rules.session.index(NEWEST)
    sought = sought_in(index, "Would 9 lamps, or two, burn?", {"Lantern": True, "Last Light": False})
    assert {it.word: it.weight for it in sought} == {
        "would": 0.2,
        "9": 0.2,
        "lamps": 1.0,
        "or": 0.2,
        "two": 1.0,
        "burn": 1.0,
        "nine": 0.2,
        "2": 0.2,
        "last": 0.5,
        "light": 0.5,
        "lantern": 1.0,
    }


def test_a_figure_counts_behind_the_word_that_it_follows(tmp_path: Path) -> None:
    """If you ask about shade 3, you do not mean everything with shades, nor three shades."""
    text = (Path(__file__).parent / "mini" / "lanterns-2031-07-01.txt").read_text(encoding="utf-8")
    shades = "".join(f"900.{n} Shade {n} dims lamps.\n\n" for n in range(1, 4))
    more = f"\n9. Shades\n\n900. General\n\n{shades}900.4 There are 3 shades; each shade dims a shade.\n\n"
    head, mark, rest = text.rpartition("\nGlossary\n")
    source = tmp_path / "lanterns-2031-07-01.txt"
    source.write_text(f"{head}{more}{mark}{rest}", encoding="utf-8")
    rules = rulesgraph.build([source], store=":memory:").rules
    for number in (1, 2, 3):
        assert rules.ask(f"shade {number}").records()[0]["number"] == f"900.{number}"
    [shade, figure] = sought_in(rules.session.index(NEWEST), "shades 3", {})[:2]
    assert (shade.beside, figure.beside) == ((), ('"shade 3"',))


def test_a_figure_counts_beside_the_words_on_both_sides(mini_rules: Rules) -> None:
    [figure] = [it for it in sought_in(mini_rules.session.index(NEWEST), "moth at 0 oil", {}) if it.beside]
    assert (figure.word, figure.beside) == ("0", ('"moth 0"', 'NEAR("0" "oil", 2)'))
    [zero] = [it for it in sought_in(mini_rules.session.index(NEWEST), "moth at zero oil", {}) if it.beside]
    assert (zero.word, zero.beside) == (figure.word, figure.beside)


def test_phrases_are_read_as_what_the_rules_say(mini_rules: Rules) -> None:
    """Players do not die, and the question has no dice."""
    index = mini_rules.session.index(NEWEST)
    assert [it.word for it in sought_in(index, "two players died", {})] == ["two", "lose", "game", "2"]


def test_the_words_of_a_long_name_count_less(mini_rules: Rules) -> None:
    sought = sought_in(
        mini_rules.session.index(NEWEST), "last light, moth", {"Last Light": False, "Moth": False}
    )
    weights = {it.word: it.weight for it in sought if it.said}
    assert weights == {"last": 2**-0.25, "light": 2**-0.25, "moth": 1.0}


def test_names_are_looked_for_where_hardly_their_words_are_said(newest_rules: Rules) -> None:
    """In the rules a die is a different thing, and joined or split names are in none."""
    looked_for = {
        "would a creature die": "Looked for: creature, dies.",
        "can planes walkers attack": "Looked for: planeswalker, attack.",
        "a blocker of mine": "Looked for: blocker.",
    }
    for question, told in looked_for.items():
        assert told in found(newest_rules, question).notes


def test_players_leave_out_what_ways_to_play_end_in(newest_rules: Rules) -> None:
    notes = found(newest_rules, "mulligan in Two-Headed Giant").notes
    assert notes[0] == "Recognised: Mulligan, Two-Headed Giant Variant."


def test_what_the_rules_say_instead_is_looked_for_and_counts_once(mini_rules: Rules) -> None:
    """The question is not about what only those words have; a rule with both words says the same thing."""
    index = mini_rules.session.index(NEWEST)
    [hers, *others] = sought_in(index, "a fetched pile", {})[1:]
    assert (hers.word, hers.said, hers.instead_of) == ("pile", True, ())
    assert [(it.word, it.said, it.instead_of) for it in others] == [("library", False, ("pile",))]
    candidates = Candidates(index)
    both = [Sought("moth", "moth", 1.0, True), Sought("lantern", "lantern", 1.0, True, False, ("moth",))]
    one, other = (candidates.rank([it]).adds["words"] for it in [both[0], both[1]._replace(instead_of=())])
    ranked = candidates.rank(both).adds["words"]
    assert ranked["moth"] == one["moth"]
    assert ranked["lantern"] == {
        it: pytest.approx(amount - one["moth"].get(it, 0.0))
        for it, amount in other["lantern"].items()
        if amount > one["moth"].get(it, 0.0)
    }


def test_a_rule_called_after_something_else_loses(mini_rules: Rules) -> None:
    candidates = Candidates(mini_rules.session.index(NEWEST))
    drift = candidates.numbered["320.3a"]
    assert candidates.rank([Sought("keeper", "keeper", 1.0, True), Sought("drift", "drift", 1.0, True)]).adds[
        "aside"
    ]
    ranking = candidates.rank([moth := Sought("moth", "moth", 1.0, True)])
    before = sum(sum(own.values()) for kind, own in ranking.grounds(drift).items() if kind != "aside")
    assert ranking.adds["aside"][""][drift] == pytest.approx(-weights.ASIDE * before)
    assert candidates.numbered["201.1"] not in ranking.adds["aside"][""]
    assert drift not in candidates.rank([moth], {"drift": candidates.body_of("drift")}).adds["aside"][""]


def test_rules_of_variants_lose_unless_they_are_asked_about(newest_rules: Rules) -> None:
    candidates = Candidates(newest_rules.session.index("cr-2026-01-16"))
    variants = {place.number for it, place in candidates.places.items() if it in candidates.variants}
    assert variants >= {"800.4a", "810.8a", "704.6a", "119.1c"}  # the last send there, and nowhere else
    assert variants.isdisjoint({"704.5a", "104.3a", "702.19b"})
    life, team = Sought("life", "life", 1.0, True), Sought("team", "team", 1.0, True)
    shares = []
    for asked in ([life], [life, team]):
        grounds = candidates.rank(asked).grounds(candidates.numbered["810.9a"])
        before = {kind: sum(own.values()) for kind, own in grounds.items() if kind not in ("aside", "crowd")}
        shares.append(-grounds["aside"][""] / sum(before.values()))
    assert shares == [pytest.approx(weights.ASIDE + weights.VARIANT), pytest.approx(weights.ASIDE)]
    assert candidates.numbered["119.3"] not in candidates.rank([life]).adds["aside"][""]


def test_a_chapter_is_about_what_stands_there_and_hardly_elsewhere(newest_rules: Rules) -> None:
    """A question without subgames or the monarch does not mean their chapters; costs are everywhere."""
    index = newest_rules.session.index("cr-2026-01-16")
    about = subjects(index)
    numbered = dict(index.execute("SELECT number, id FROM passage WHERE kind IN ('rule', 'subrule')"))
    told = {"724.2": {"monarch"}, "728.1": {"subgam"}, "730.1": {"dai", "night"}, "903.13f": {"draft"}}
    assert {number: about[numbered[number]] for number in told} == told
    assert about[numbered["702.19b"]] == {"trampl"}
    nothing = ["118.1", "302.6", "514.2", "601.2a", "704.5j"]
    assert [number for number in nothing if numbered[number] in about] == []


def test_a_title_may_have_what_is_no_word_to_the_index() -> None:
    """Python and the index disagree on what a letter is."""
    with closing(sqlite3.connect(":memory:")) as index:
        index.executescript("""
            CREATE TABLE passage (id, heading, kind, parent);
            CREATE TABLE occurrence (term, doc, col);
            INSERT INTO passage VALUES
                (1, 'Moth \u19b0', 'chapter', NULL), (2, '\u19b0 Drift', 'rule', 1), (3, '\u19b0', 'rule', 1);
        """)
        assert subjects(index) == {2: frozenset({"drift"}), 3: frozenset()}


@pytest.mark.parametrize(
    ("question", "notes"),
    [
        ("who sang?", ("The rules say nothing about “sang”.", "Looked for: sang.")),
        (
            "¿Cómo funciona?",
            ("The rules say nothing about “cómo” or “funciona”.", "Looked for: cómo, funciona."),
        ),
        ("Where is it?", ()),
        (" ? ", ()),
        ("\x00\x07 \ud800?", ()),
    ],
)
def test_where_nothing_is_close_nothing_is_shown(
    mini_rules: Rules, question: str, notes: tuple[str, ...]
) -> None:
    answer = found(mini_rules, question)
    assert (answer.rows, answer.heading) == ((), "")
    assert answer.notes == (
        *notes,
        "No term matched, and no rule contains enough of these words.",
    )


def test_a_contraction_is_no_form_of_another_word(mini_rules: Rules) -> None:
    """*A keeper who cannot light three lanterns* has nothing of "won", and *won't* neither."""
    assert found(mini_rules, "She won’t, they can’t, we don't?").rows == ()


def test_a_question_is_answered_in_the_edition_that_is_asked_for(mini_rules: Rules) -> None:
    assert told(found(mini_rules, DARK, "cr-2031-02-01"))[0][:2] == ("300.2b", 75)
    rulings = found(mini_rules, DARK, "rulings-2031-03-10")
    assert [row["number"] for row in rulings] == ["G7.1a", "G7.2.Ruling.1", "G7.5a"]


def test_of_several_editions_that_say_the_same_the_newest_is_told(mini_rules: Rules) -> None:
    answer = found(mini_rules, DARK, "all")
    assert len({row["text"] for row in answer}) == len(answer)
    assert answer.records()[0]["edition"] == NEWEST


@given(st.text(max_size=80))
def test_any_question_ends_well(mini_rules: Rules, question: str) -> None:
    answer = found(mini_rules, question)
    assert len(answer.rows) <= 10
    assert (answer.heading == HEADING) == bool(answer.rows)
    scores = [float(str(row["score"])) for row in answer]
    assert scores == sorted(scores, reverse=True)


# -- ask ------------------------------------------------------------------------------------------


def test_ask_falls_back_to_the_closest_rules(
    run: Run, mini_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, out, err = run("ask", DARK, "--store", mini_store)
    assert code == 0
    assert out.startswith(
        "310.2b · cr-2031-07-01:73 · mentions Moth, Lantern and Dark; cited by 320.4a;\n"
        "contains “dark” and “moth”\n"
        "    A moth on a dark lantern returns to the bag.\n\n"
    )
    assert err.replace(f" --store {mini_store}", "") == (
        f"{HEADING}\nOf the texts after the first 5, only the beginning is shown: --all shows them.\n"
        "Recognised: Moth, Lantern, Dark.\n"
        "Looked for: moth, back, lantern, turns, dark.\n"
        "10 rows, from cr-2031-07-01\n"
        "Or: rulesgraph show Moth; rulesgraph show Lantern; rulesgraph show Dark\n"
    )


def test_ask_explains_scores(run: Run, mini_store: Path) -> None:
    code, out, _ = run("ask", "would a glimmer help", "--explain", "--format", "json", "--store", mini_store)
    rows = json.loads(out)
    assert code == 0
    assert list(rows[0]) == [*COLUMNS, "parts"]
    kinds = [[part.rpartition(" ")[0] for part in row["parts"].split(" + ")] for row in rows]
    assert kinds == [["words", "defines", "whole", "speaks"]] * 2


def test_a_question_about_nothing_in_the_rules_ends_with_one(run: Run, mini_store: Path) -> None:
    code, out, err = run("ask", "who sang in 2019?", "--store", mini_store)
    assert (code, out) == (1, "")
    assert err.replace(f" --store {mini_store}", "") == (
        "The rules say nothing about “sang”.\nRecognised: 2019.\nLooked for: sang, 2019.\n"
        "No term matched, and no rule contains enough of these words.\n"
        "No cards are loaded: `rulesgraph build` reads MTGJSON's and Scryfall's files.\n"
        "nothing found, from cr-2031-07-01\n"
    )


@pytest.mark.parametrize(
    "question", ["moth " * 20_000, "\x1b[31m moth \x00?", "蛾は?", "ночная бабочка?", " ?"]
)
def test_bad_questions_end_well(run: Run, mini_store: Path, question: str) -> None:
    code, _, err = run("ask", question, "--store", mini_store)
    assert code in {0, 1}
    assert "Traceback" not in err
    assert "\x1b" not in err


# -- real editions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When two World permanents are out, which one of them stays?", ["704.5k"]),
        # Words in both, and in little else, show where two abilities meet.
        ("Does trample work with deathtouch?", ["702.19b", "702.2c", "702.19c"]),
        ("Does 702.19c apply to planeswalkers too?", ["702.19c"]),
        # Its entry cites that rule alone, which has the name only in another form.
        ("Can I respond to a loyalty ability?", ["117.7"]),
    ],
)
def test_real_editions_have_close_rules(newest_rules: Rules, question: str, first: list[str]) -> None:
    assert [row["number"] for row in found(newest_rules, question)][: len(first)] == first


def test_common_ground_is_a_reason(newest_rules: Rules) -> None:
    answer = found(newest_rules, "Does trample work with deathtouch?")
    reasons = {str(row["number"]): str(row["reason"]) for row in answer}
    assert "common ground: Excess Damage and Lethal Damage" in reasons["702.2c"]


def test_an_opposite_is_one_that_the_edition_has(newest_rules: Rules) -> None:
    """*Undying* is not the opposite of *dies*, nor *unable* that of *abilities*."""
    index = newest_rules.session.index("cr-2026-01-16")
    said = "dies abilities tapped unblocked played earth lock".split()
    assert opposites_in(index, said) == {"tapped": "untapped", "unblocked": "blocked"}
    assert "un" not in {it.word[:2] for it in sought_in(index, "does my token trigger dies abilities", {})}


def assert_tells_what_is_there(answer: Passages) -> None:
    for row, marks in zip(answer, answer.marks, strict=True):
        text = str(row["text"])
        own = set(stems(words_in(text)).values())
        clauses = str(row["reason"]).split("; ")
        [contains] = [it for it in clauses if it.startswith("contains")] or [""]
        told = [*re.findall("“([^”]+)”", contains), *(text[start:end] for start, end in marks)]
        assert {stems([word])[word] for word in told} <= own, (row["number"], told)
        assert row["reason"]


def test_a_reason_tells_no_word_that_is_not_there(newest_rules: Rules) -> None:
    for question in ("Does my token trigger dies abilities?", "Can I sacrifice it as a cost in response?"):
        assert_tells_what_is_there(found(newest_rules, question))


@pytest.mark.long(small="test_a_reason_tells_no_word_that_is_not_there")
@pytest.mark.parametrize("edition", ["cr-2008-02-01", "cr-2026-01-16"])
def test_no_reason_tells_a_word_that_is_not_there(real_rules: Rules, edition: str) -> None:
    with (Path(__file__).parent / "gold" / "questions.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            assert_tells_what_is_there(found(real_rules, row["question"], edition))


# -- words of people ------------------------------------------------------------------------------


def test_words_are_read_in_any_form_and_the_longest_way() -> None:
    assert words_of_the_rules(["wear", "off"]) == {
        "end": ("end", ("wear", "off")),
        "expir": ("expire", ("wear", "off")),
        "until": ("until", ("wear", "off")),
        "attach": ("attached", ("wear",)),
    }
    assert words_of_the_rules(["pile", "of", "librari"]) == {"zone": ("zone", ("librari",))}


def test_every_word_of_the_rules_stands_in_them(newest_rules: Rules) -> None:
    index = newest_rules.session.index("cr-2026-01-16")
    given = dict.fromkeys(word for _, instead in plain_words() for word in instead)
    stem_of = stems(given)
    standing = "SELECT 1 FROM occurrence WHERE term = ? LIMIT 1"
    assert [word for word in given if not index.execute(standing, (stem_of[word],)).fetchone()] == []


def test_no_word_is_given_twice() -> None:
    said = [(" ".join(words), " ".join(instead)) for words, instead in plain_words()]
    assert len(set(said)) == len(said)
    assert [words for words, instead in said if words in instead.split()] == []


@pytest.mark.parametrize(
    ("words", "number", "place"),
    [
        # what a keyword does comes before its variants, and leaves room for other rules
        ("does hexproof stop a board wipe", "702.11b", 1),
        ("how does lifelink work with noncombat damage", "702.15b", 3),
        # a figure belongs to what it is of
        ("Does an indestructible creature die if its toughness is 0?", "704.5f", 3),
        ("If a planeswalker has zero loyalty what happens?", "704.5i", 3),
        # the steps say when something happens
        ("when do I draw a card", "504.1", 1),
        # a statement about untapped ones answers for tapped ones
        ("can I block with a tapped creature", "509.1a", 5),
        # who asks who wins may have to hear of a draw
        ("Who wins if both players lose at the same time?", "104.4a", 2),
        ("Both of us hit zero life. Is it a draw?", "104.4a", 2),
        # a token that went elsewhere is in another zone
        ("My token was bounced, can I replay it?", "111.7", 2),
        # an Aura that enchants a thing is attached to it
        ("What happens to an Aura when the creature it enchants dies?", "704.5m", 8),
        # rules for teams come after those for everybody
        ("what happens if I have 0 life", "704.5a", 3),
        ("my life total is zero", "704.5a", 3),
        ("When two teams have 0 life in Two-Headed Giant", "704.6a", 4),
        # a counter is another thing than to counter, and its sign counts
        ("do +1/+1 and -1/-1 counters cancel out", "704.5q", 1),
        ("can I attack with a creature I just stole", "302.6", 1),
        ("I have no cards in my library and must draw", "704.5b", 1),
        ("who gets priority after my spell resolves", "117.3b", 1),
        ("do I get my mana back if my spell is countered?", "701.6b", 1),
        # large numbers stand in figures
        ("twenty-one combat damage from one commander", "704.6c", 2),
        # who leaves, leaves the game, and what players call a thing counts less than its name
        ("What happens to my creatures when an opponent quits?", "800.4a", 1),
        ("Does an ability still resolve if I kill its source?", "113.7a", 5),
    ],
)
def test_the_rule_that_decides_is_near_the_top(
    words: str, number: str, place: int, newest_rules: Rules
) -> None:
    numbers = [row["number"] for row in newest_rules.ask(words)]
    assert number in numbers[:place]


@pytest.mark.parametrize(
    ("words", "number", "place"),
    [
        ("when do I draw a card", "304.1", 1),
        ("can I block with a tapped creature", "309.2a", 5),
        ("Who wins if both players lose at the same time?", "102.4a", 1),
        ("Both players reach 0 life at the same time", "102.4a", 1),
        ("My token was bounced, can I replay it?", "420.5f", 3),
        ("do +1/+1 and -1/-1 counters cancel out", "420.5n", 2),
        ("do I get my mana back if my spell is countered?", "414.2", 1),
        ("What happens to my creatures when an opponent quits?", "600.4a", 1),
        # a figure may come before what it is of
        ("do I lose if my lifelink creature deals damage while I'm at 0 life", "420.5a", 10),
    ],
)
def test_the_rule_that_decided_is_near_the_top(
    words: str, number: str, place: int, real_rules: Rules
) -> None:
    numbers = [row["number"] for row in real_rules.ask(words, edition="cr-2008-02-01")]
    assert number in numbers[:place]


def test_a_number_word_alone_is_no_ground(newest_rules: Rules) -> None:
    """Many rules have *two* and 2; what was asked is about something else."""
    assert newest_rules.ask("have I two Frobnics").rows == ()
