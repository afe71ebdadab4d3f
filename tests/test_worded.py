"""Ways to ask: of people at a table, programmers, readers of the vocabulary and language models."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from commands import Run
from rulesgraph import Rules
from rulesgraph.ontology.errors import UnknownNameError
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.answering.moment import Moment, moment_of, span_called, timed
from rulesgraph.queries.answering.readings import comparisons
from rulesgraph.queries.history.diff import diff, for_people
from rulesgraph.queries.history.trace import history_of
from rulesgraph.queries.session import Session
from rulesgraph.queries.sheets.show import show
from sweep import PartOf

BEFORE, AFTER = "cr-2031-02-01", "cr-2031-07-01"


MEANT = [
    ("what rule number covers lanterns", "Which rule defines Lantern? (defining_rules)"),
    ("cite the rule for moths", "Which rule defines Moth? (defining_rules)"),
    ("facts about Flutter", "What is known about Flutter? (facts_about)"),
    ("parts of rule 310", "What are the parts of 310? (parts_of)"),
    ("how many subrules does 310 have", "What are the parts of 310? (parts_of)"),
    ("contents of chapter 310", "What are the parts of 310? (parts_of)"),
    ("show the table of contents", "What are the sections and chapters? (contents)"),
    ("circular dependencies", "Which terms rely on each other? (mutual_reliance)"),
    ("Which terms depend on each other?", "Which terms rely on each other? (mutual_reliance)"),
    ("most referenced rules", "Which rules are cited most? (most_cited)"),
    ("most important terms", "Which terms are relied on most? (most_relied_on)"),
    ("what breaks when 310 changes", "Which rules rely on 310? (rules_relying_on)"),
    ("which rules changed", "Which rules changed in this edition? (changed_rules)"),
    ("what examples are there of 101", "What are examples of 101? (examples_of)"),
    ("what is in the graph", "How much is in this edition? (statistics)"),
    ("moth history", "What is the history of Moth?"),
    ("what has changed about moths", "What is the history of Moth?"),
    ("since when do lanterns exist", "What is the history of Lantern?"),
    ("what replaced rule 310.2", "What became of rule 310.2?"),
    ("what was 310.2 called in February 2031", "What became of rule 310.2?"),
    ("is glimmer a static ability", "Is Glimmer a static ability? (whether)"),
    ("which rules mention both moths and lanterns",
     "Which rules mention both Moth and Lantern? (mentions_of_both)"),
    ("did the moth change", "What is the history of Moth?"),
    ("what were the changes in July 2031",
     f"Which rules changed in this edition? (changed_rules) in {AFTER}"),
    ("changes to moths", "What is the history of Moth?"),
    ("give some examples of 101", "What are examples of 101? (examples_of)"),
    ("compare moths and lanterns", "What is Moth, and what is Lantern?"),
    ("compare glimmer in February 2031 and July 2031",
     f"What changed in Glimmer between {BEFORE} and {AFTER}?"),
    ("how did moths change between 2031-02-01 and now",
     f"What changed in Moth between {BEFORE} and {AFTER}?"),
    ("what changed since 2031-02-01 for glimmer / moths, the dusk checks",
     f"What changed in Glimmer, Moth, Dusk Checks between {BEFORE} and {AFTER}?"),
    ("has the moth changed since 2031-02-01", f"What changed in Moth between {BEFORE} and {AFTER}?"),
    ("what did glimmer say in 2031-02-01 and what is it now?",
     f"What changed in Glimmer between {BEFORE} and {AFTER}?"),
    ("how has the game changed since 2031-02-01", f"What changed between {BEFORE} and {AFTER}?"),
    ("what is new in Magic since 2031-02-01", f"What changed between {BEFORE} and {AFTER}?"),
    ("trace the moth", "What is the history of Moth?"),
    ("how many times has the moth changed", "What is the history of Moth?"),
    ("how often was the moth reworded", "What is the history of Moth?"),
    ("trace 310.2", "What became of rule 310.2?"),
    ("compare 310.1 in 2031-02-01 and 2031-07-01", f"What changed in 310.1 between {BEFORE} and {AFTER}?"),
    ("diff 310 between 2031-02-01 and now", f"What changed in 310 between {BEFORE} and {AFTER}?"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "meaning"), MEANT, ids=[row[0] for row in MEANT])
def test_words_of_many_people_are_understood(words: str, meaning: str, mini: Session) -> None:
    answer = ask(mini, words)
    assert answer.understood
    assert answer.understood.meaning == meaning


@pytest.mark.parametrize(
    "words", ["what changed since 2031-02-01 for frobs", "what is new in frobs since 2031-02-01"]
)
def test_changes_of_nothing_known_are_not_all_changes(words: str, mini: Session) -> None:
    with pytest.raises(UnknownNameError, match="'frobs'"):
        ask(mini, words)


@pytest.mark.parametrize(
    ("words", "how", "kind"),
    [
        ("which rules were added since February 2031", "added", "rule"),
        ("which rules are new in July 2031", "added", "rule"),
        ("which rules were removed between 2031-02-01 and 2031-07-01", "removed", "rule"),
        ("what rules got moved since the last edition", "moved", "rule"),
        ("which entries were reworded in the newest edition", "reworded", "entry"),
    ],
)
def test_one_way_of_change_is_asked_for(words: str, how: str, kind: str, mini: Session) -> None:
    answer = ask(mini, words)
    whole = for_people(diff(mini, BEFORE, AFTER, only=how).changes).rows
    assert answer.understood
    assert answer.understood.meaning == (
        f"Which {'rules' if kind == 'rule' else 'entries'} were {how} between {BEFORE} and {AFTER}?"
    )
    assert answer.rows == tuple(row for row in whole if row[1] == kind)


@pytest.mark.parametrize(
    "words",
    [
        "which keyword abilities were added since February 2031",
        "new keyword abilities in July 2031",
        "what new keyword abilities came in the newest rules",
        "which keyword abilities appeared since February 2031",
        "keyword abilities added between February 2031 and July 2031",
    ],
)
def test_who_is_new_of_a_kind(words: str, mini: Session) -> None:
    answer = ask(mini, words)
    assert answer.understood
    assert answer.understood.meaning == f"Which keyword abilities were added between {BEFORE} and {AFTER}?"
    assert ([row[2] for row in answer.rows], answer.edition) == (["Drift"], f"{BEFORE} to {AFTER}")
    meant, *_ = comparisons(mini, words)
    assert meant.command == f"rulesgraph ask '{meant.meaning}'"
    assert ask(mini, meant.meaning).rows == answer.rows
    assert ask(mini, f"which keyword abilities were removed since {BEFORE}").rows == ()


@pytest.mark.parametrize("words", ["in 2031", "July 2031", AFTER, "the newest edition", "2031-07-01"])
def test_a_period_is_told_by_the_editions_around_it(words: str, mini: Session) -> None:
    span = span_called(mini, words)
    assert span
    assert (span.before, span.after, span.whole) == (BEFORE, AFTER, True)


def test_a_period_without_an_edition_is_refused(mini: Session) -> None:
    with pytest.raises(UnknownNameError, match="no loaded edition was issued in 2031-04") as told:
        ask(mini, "which keyword abilities were added in April 2031")
    assert all(near in str(told.value) for near in (BEFORE, AFTER))
    assert span_called(mini, "a lantern") is None


@pytest.mark.long(small="test_who_is_new_of_a_kind")
@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("which keyword abilities were removed since 2008-02-01", ["Imprint", "Substance"]),
        # *Kindred* was called *Tribal*.
        (
            "new card types since 2008-02-01",
            ["battle", "conspiracy", "dungeon", "phenomenon", "plane", "scheme", "vanguard"],
        ),
        ("which zones were added between 2009-05-01 and 2009-07-11", []),
        ("which zones are new since 2009-05-01", ["command"]),
        (
            "which keyword abilities are new in 2009",
            [
                "Intimidate",
                "Cascade",
            ],  # seven more are new since 2008-02-01, the edition before that is loaded
        ),
        (
            "which keyword abilities were added in 2016",
            "Surge Skulk Emerge Escalate Melee Crew".split() + "Fabricate Partner Undaunted".split(),
        ),
        (
            "which keyword actions are new since 2025-05-01",
            "Triple Harness Airbend Earthbend Waterbend Blight".split(),
        ),
        ("which keyword abilities were removed in 2010", []),
        ("what card types were removed after 2008-02-01", []),
    ],
)
def test_who_is_new_of_a_kind_is_told_by_all_of_its_names(
    words: str, names: list[str], real: Session
) -> None:
    assert [row[2] for row in ask(real, words).rows] == names


@pytest.mark.long(small="test_who_is_new_of_a_kind")
def test_what_changed_in_a_year_is_dated_by_the_bundled_list(real: Session) -> None:
    answer = ask(real, "which rules were reworded in 2016")
    assert answer.understood
    assert answer.understood.meaning == "Which rules were reworded in 2016?"
    assert {row[0] for row in answer.rows} == {"reworded", "moved and reworded"}
    assert {str(row[1])[:7] for row in answer.rows} == {"cr-2016"}
    whole = ask(real, "which rules were reworded between 2009-07-11 and 2025-04-04").rows
    assert 0 < len(answer.rows) < len(whole)


def test_what_has_no_name_went_with_the_rules_that_told_of_it(real: Session, mini: Session) -> None:
    answer = ask(real, "when was damage on the stack removed")
    went = dict(zip(("number", "edition", "reason"), (answer.rows[0][it] for it in (0, 2, 6)), strict=True))
    assert went["number"] == "310.4"
    assert went["reason"] == "last in cr-2009-05-01; removed in cr-2009-07-11"
    # What no message named, or what still exists, is no rule that went.
    assert ask(mini, "when was oil of a lantern removed").name != "gone"


@pytest.mark.parametrize(
    "words", ["is the moth still in the rules?", "what happened to moths", "does moth still exist"]
)
def test_the_fate_of_what_nothing_replaced_is_its_life(words: str, mini: Session) -> None:
    answer = ask(mini, words)
    assert answer.understood
    assert answer.understood.meaning == "What is the history of Moth?"
    assert answer.rows == history_of(mini, "Moth").rows
    assert [row[1] for row in answer.rows] == ["Moth", "Moth", "202", "202"]


def test_since_a_year_means_since_its_first_day_or_its_first_edition(
    mini: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first edition is the first one loaded, unless the one in force on its first day is loaded too."""
    assert timed(mini, "new since March 2031 or 2032") == "new since 2031-03-01 or 2032"
    assert timed(mini, "since 2031, since the start of 2032") == (
        "since 2031-02-01, since the start of 2032-01-01"
    )
    assert timed(mini, "since July 2031") == "since 2031-07-01"
    assert timed(mini, "since 2030") == "since 2030"
    assert timed(mini, "gone by March 2031") == f"gone between {BEFORE} and March 2031"
    assert timed(mini, "moths, May 2031 compared to 2032") == "moths in May 2031 vs 2032"
    assert timed(mini, "moths of 2031 versus 2032") == "moths of 2031 vs 2032"
    newest = mini.editions()[0]
    loaded = [newest._replace(id=f"cr-{day}", issued=day) for day in (date(2016, 11, 11), date(2008, 2, 1))]
    monkeypatch.setattr(mini, "editions", lambda: loaded)
    assert timed(mini, "since 2012, since 2016") == "since 2012-01-01, since 2016-11-11"
    loaded[1] = newest._replace(id="cr-2015-11-13", issued=date(2015, 11, 13))
    assert timed(mini, "since 2016") == "since 2016-01-01"


@pytest.mark.long(small="test_words_of_many_people_are_understood")
def test_of_two_names_of_one_thing_it_is_told_once(real: Session) -> None:
    answer = ask(real, "what is the difference between exile and removed from the game")
    assert answer.understood
    assert answer.understood.meaning == "What is Exile, which is both of these?"
    assert answer.rows == ask(real, "definition", ["exile"]).rows


@pytest.mark.parametrize(
    ("words", "before", "previous"),
    [
        ("what comes before the watch step", "watch step", "yawn step"),
        ("what comes before watch", "watch step", "yawn step"),
        ("which step comes before the watch step?", "watch step", "yawn step"),
        ("what precedes watch", "watch step", "yawn step"),
        ("what comes before yawn", "yawn step", None),
    ],
)
def test_what_comes_before_is_what_the_other_comes_after(
    words: str, before: str, previous: str | None, defined: Session
) -> None:
    answer = ask(defined, words)
    assert answer.name == "next_before"
    assert {row[:2] for row in answer.rows} == {(before, previous)}


@pytest.mark.parametrize("words", ["order of the night", "what steps are there in a night", "steps of night"])
def test_a_whole_is_told_in_its_order(words: str, defined: Session) -> None:
    answer = ask(defined, words)
    assert [row for row in answer.rows if row[0] == "night"] == [
        ("night", 1, "101.1", "dusk phase", "cr-2032-04-01", 35),
        ("night", 2, "101.1", "dawn phase", "cr-2032-04-01", 35),
    ]


TOLD: list[tuple[str, str, tuple[object, ...]]] = [
    ("what comes after untap", "next_after", ("untap step", "upkeep step", "beginning phase")),
    ("what comes before the combat phase", "next_before", ("combat phase", "precombat main phase", "turn")),
    ("what comes before the end step", "next_before", ("end step", "postcombat main phase", "turn")),
    ("what steps does the beginning phase have", "steps_of", ("beginning phase", 1, "502")),
    ("what are all the state-based actions", "list_items", ("state-based actions", None, "704.5a")),
    ("what parts does a turn have", "steps_of", ("turn", 1, "501")),
    ("the parts of the beginning phase", "steps_of", ("beginning phase", 1, "502")),
    ("order of the turn", "steps_of", ("turn", 1, "501")),
    ("is goblin a creature type", "lists_with", ("creature types", "Goblin")),
    ("what kind of thing is Dominaria", "lists_with", ("planar types", "Dominaria")),
    ("what is a goblin", "lists_with", ("creature types", "Goblin")),
    ("what is a map token", "lists_with", ("predefined tokens", "Map token", "111.10s")),
    ("what does a clue do", "closest_rules", ("111.10f",)),
    ("Scouts", "lists_with", ("creature types", "Scout")),
    ("list 3 keyword actions", "list_items", ("Keyword Actions", None, "Activate")),
    ("which zones are hidden", "list_items", ("hidden zones", None, "hand")),
    ("how do i cast a spell", "steps_of", ("cast a spell", 1, "601.2a")),
    ("phases of a turn", "steps_of", ("turn", 1, "501")),
    ("what is trample's rule number", "defining_rules", ("702.19",)),
    ("what does ETB stand for", "definition", (None,)),
    ("are artifacts permanents", "whether", ("is", None, "An artifact is a permanent.")),
]  # fmt: skip


@pytest.mark.long(small="test_words_of_many_people_are_understood")
@pytest.mark.parametrize(("words", "name", "lead"), TOLD, ids=[row[0] for row in TOLD])
def test_questions_about_whole_editions_are_answered(
    words: str, name: str, lead: tuple[object, ...], real: Session
) -> None:
    answer = ask(real, words, edition="cr-2026-01-16")
    assert (answer.name, answer.rows[0][: len(lead)]) == (name, lead)


@pytest.mark.parametrize("kind", ["land types", "supertypes"])
def test_how_many_are_listed_is_said_first(kind: str, real: Session) -> None:
    answer = ask(real, f"how many {kind} are there?")
    assert answer.lead == (f"{answer.edition} lists {len(answer)} {kind}.",)
    assert ask(real, f"which {kind} are there?").lead == ()


@pytest.mark.long(small="test_how_many_are_listed_is_said_first")
@pytest.mark.parametrize("edition", ["cr-2008-02-01", "cr-2026-01-16"])
def test_what_is_only_listed_has_a_sheet(edition: str, real: Session, part_of: PartOf) -> None:
    """A name on a list is a term, or is shown with its lists; every tenth of all, or some of these."""
    rows = real.select(
        "PREFIX game: <https://w3id.org/rulesgraph/game#> PREFIX rg: <https://w3id.org/rulesgraph/ns#> "
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
        "SELECT DISTINCT ?item WHERE { ?it a game:Listing ; rg:hasItem/rdfs:label ?item } ORDER BY ?item",
        real.scope(edition).default_graphs,
    )
    assert len(rows) > 100
    for (item,) in part_of(rows[::10], 10):
        sheet = show(real, str(item), edition=edition)
        assert sheet.kind in ("term", "item")
        if sheet.kind == "item":
            assert sheet.tables[0].rows == ask(real, "lists_with", [str(item)], edition=edition).rows
            with pytest.raises(UnknownNameError, match="on a list"):
                Rules(real.store).term(str(item), edition=edition)


@pytest.mark.long(small="test_what_comes_before_is_what_the_other_comes_after")
@pytest.mark.parametrize("edition", ["cr-2008-02-01", "cr-2026-01-16"])
def test_before_and_after_agree_in_whole_editions(edition: str, real: Session) -> None:
    parts = [str(row[0]) for row in ask(real, "terms_of_kind", ["part of the turn"], edition=edition).rows]
    parts += [str(row[0]) for row in ask(real, "terms_of_kind", ["step"], edition=edition).rows]
    after = {
        (row[0], row[1])
        for it in parts
        for row in ask(real, "next_after", [it], edition=edition).rows
        if row[1]
    }
    before = {
        (row[1], row[0])
        for it in parts
        for row in ask(real, "next_before", [it], edition=edition).rows
        if row[1]
    }
    steps = {pair for pair in after if str(pair[0]).endswith("step") and str(pair[1]).endswith("step")}
    assert steps
    assert {pair for pair in before if pair in steps} == steps


@pytest.mark.long(small="test_words_of_many_people_are_understood")
def test_figures_alone_are_no_word_of_a_name(real: Session) -> None:
    with pytest.raises(UnknownNameError) as caught:
        ask(real, "definition", ["9999.1"])
    assert caught.value.suggestions == ()


@pytest.mark.parametrize(
    ("words", "rest"),
    [
        ("which keyword abilities did 2031 have", "which keyword abilities did have"),
        ("which zones did the 2031 rules have", "which zones did have"),
        ("list the 2031 zones", "list the zones"),
        ("zones 2031", "zones"),
        ("the zones of 2031", "the zones"),
    ],
)
def test_a_year_that_no_preposition_tells_is_when_it_was(words: str, rest: str, mini: Session) -> None:
    assert moment_of(mini, words) == Moment(AFTER, rest)


@pytest.mark.parametrize(
    "words",
    [
        "what did 300.2 say before July 2031",
        "300.2 prior to 2031-07-01",
        f"what is a moth before the edition of {AFTER}",
    ],
)
def test_before_a_day_is_the_edition_in_force_until_then(words: str, mini: Session) -> None:
    assert ask(mini, words).edition == BEFORE


def test_what_is_so_since_a_day_is_asked_of_today(mini: Session) -> None:
    words = "since 2031-02-01 nobody may carry lit lanterns to the moth"
    assert moment_of(mini, words) is None
    assert ask(mini, words).edition == AFTER


def test_a_question_with_a_number_of_old_is_asked_of_today_and_says_what_it_is_now(mini: Session) -> None:
    told = f"301.2 of {BEFORE}, the last loaded edition with this number, is 320.2 in {AFTER}."
    words = "may nobody carry lit lanterns to the moth by rule 301.2 or 502.15"
    answer = ask(mini, words)
    assert (answer.edition, answer.lead[0]) == (AFTER, told)
    assert [row for row in answer if "320.2" in str(row["reason"])]
    assert answer.lead[1].startswith("Editions from cr-2001-07-23 to cr-2009-05-01 have 502.15: ")
    for earlier in (ask(mini, words, edition=BEFORE), ask(mini, f"in {BEFORE}, {words}")):
        assert (earlier.edition, told in earlier.notes) == (BEFORE, False)
        assert "301.2a" in [row["number"] for row in earlier]


def test_what_is_asked_of_a_time_without_an_edition_is_told(mini: Session) -> None:
    with pytest.raises(UnknownNameError, match="no loaded edition was in force before 2031-02-01"):
        ask(mini, "what did 300.2 say before 2031-02-01")
    [told] = [
        it for it in ask(mini, "who may carry lit lanterns to the moth before 2031").notes if "force" in it
    ]
    assert told == f"No loaded edition was in force before 2031: these are from {AFTER}."


@pytest.mark.parametrize("words", ["2031 zones", "has 2031 oil", "what did 300.2 have"])
def test_other_figures_are_no_year(words: str, mini: Session) -> None:
    assert moment_of(mini, words) is None


def test_which_things_a_year_had_are_those_of_its_rules(mini: Session, run: Run, mini_store: Path) -> None:
    answer = ask(mini, "which static abilities did February 2031 have")
    assert (answer.edition, [str(row["term"]) for row in answer]) == (BEFORE, ["Glimmer"])
    code, sheet, said = run("ask", "waning checks in February 2031", "--store", str(mini_store))
    assert (code, re.findall(r"^edition +(\S+)$", sheet, re.MULTILINE)) == (0, [BEFORE])
    assert f"Understood as: Waning Checks, by itself in {BEFORE}" in said


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("step 2 of filling a flask", 2),
        ("what is the first step of filling flasks?", 1),
        ("the 2nd step to fill a flask", 2),
        ("last step of filling a flask", -1),
    ],
)
def test_one_step_is_asked_for_by_its_place(words: str, place: int, defined: Session) -> None:
    steps = ask(defined, "steps_of", ["filling a flask"])
    found = ask(defined, words)
    wanted = steps.rows[place - 1 if place > 0 else place]
    assert (found.name, found.rows, found.notes) == ("steps_of", (wanted,), (f"It is one of {len(steps)}.",))


def test_a_place_that_no_step_has_is_told_by_all_of_them(defined: Session) -> None:
    assert (
        ask(defined, "step 9 of filling a flask").rows == ask(defined, "steps_of", ["filling a flask"]).rows
    )


@pytest.mark.parametrize(
    ("words", "text"), [("phase 2", "precombat main phase"), ("step 3 of combat", "declare blockers step")]
)
def test_one_part_of_the_turn_is_asked_for_by_its_place(words: str, text: str, newest_rules: Rules) -> None:
    assert [row["text"] for row in newest_rules.ask(words)] == [text]


@pytest.mark.parametrize("words", ["+1/+1 counter vs -1/-1 counter", "+1/+1 counters and -1/-1 counters"])
def test_a_thing_is_not_compared_with_itself(words: str, newest: Session) -> None:
    answer = ask(newest, words)
    assert (answer.name, answer.rows[0][0]) == ("closest_rules", "704.5q")


@pytest.mark.long(small="test_one_step_is_asked_for_by_its_place")
@pytest.mark.parametrize(
    ("words", "edition", "numbers"),
    [
        ("what happens in the untap step", "cr-2026-01-16", "502 502.1 502.2 502.2a 502.3 502.4"),
        ("what happens at cleanup", "cr-2026-01-16", "514 514.1 514.2 514.3 514.3a"),
        ("what happens during the untap step?", "cr-2008-02-01", "302 302.1 302.2 302.3"),
    ],
)
def test_all_that_happens_in_a_part_of_the_turn(
    words: str, edition: str, numbers: str, real: Session
) -> None:
    found = ask(real, words, edition=edition)
    assert [row[0] for row in found.rows if row[0]] == numbers.split()
