"""Cards touched by a release of the rules, and rules behind a card that name what another card names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import rulesgraph
from commands import Run
from real import rules as rules_of
from rulesgraph.ontology.errors import UnknownNameError
from rulesgraph.queries.cards import current, meeting, releases
from rulesgraph.queries.history.diff import for_people

MINI = Path(__file__).with_name("mini")
EARLY, LATE = "cr-2031-02-01", "cr-2031-07-01"


def released(
    folder: Path, texts: dict[str, str], more: dict[str, str] | None = None, line: str = "Artifact"
) -> rulesgraph.Rules:
    """Return both editions of the mini game, with `more` rules in each by its month, and cards."""
    own = {"type_line": line, "layout": "normal", "released_at": "2031-02-01"}
    cards = [{"name": name, "oracle_text": text, "oracle_id": name, **own} for name, text in texts.items()]
    (folder / "cards.json").write_text(json.dumps(cards), encoding="utf-8")
    for month in ("02", "07"):
        text = (MINI / f"lanterns-2031-{month}-01.txt").read_text(encoding="utf-8")
        if more:
            before, heading, after = text.rpartition("\n3. What Happens\n")
            text = f"{before}{more[month]}\n{heading.lstrip()}{after.replace(GLIMMER, MOTHS + GLIMMER)}"
        (folder / f"{month}.txt").write_text(text, encoding="utf-8")
    found = rulesgraph.build([folder / it for it in ("cards.json", "02.txt", "07.txt")], store=":memory:")
    return found.rules


GLIMMER = "\n\nGlimmer\n"
MOTHS = (
    "\n\nDusty Moth\nA dusty moth eats oil. See rule 202.3."
    "\n\nPale Moth\nA pale moth eats wicks. See rule 202.3."
)


def test_cards_that_a_release_touches(tmp_path: Path) -> None:
    """Through the sentences of rules that define what their words name, printed keywords first."""
    texts = {"Night Box": "Trim a lantern.", "Slow Glow": "Glimmer 2", "Wet Wick": "Drift 1"}
    rules = released(tmp_path, texts)
    found = rules.cards_changed(EARLY, LATE)
    assert [tuple(row.values())[:5] for row in found] == [
        ("Slow Glow", "Glimmer", "320.2a", "keyword", "Glimmer 2"),
        ("Wet Wick", "Drift", "320.3a", "keyword", "Drift 1"),
        ("Night Box", "Trim", "201.2", "mention", "Trim a lantern."),
    ]
    assert [(row["before"], row["after"]) for row in found][1] == (  # new; its title above says no more
        "",
        'Drift is a static ability. "Drift" means "This moth may sit on no lantern at all."',
    )
    assert [(row["before"], row["after"]) for row in found][2] == (
        "To trim a lantern means to take one oil from it and turn it to the left. "
        "A trimmed lantern still counts as lit until the next waning check is made.",
        "To trim a lantern means to take one oil from it and turn it to the right. "
        "A trimmed lantern still counts as lit until the next dusk check is made.",
    )
    assert rules.cards_changed(EARLY, LATE, within="201").rows == found.rows[2:]
    none = "5 new or reworded rules without cards to show: 101.2, 201.1a, 310, 310.1 and 310.2."
    assert found.notes[1:] == (none,)
    assert rules.cards_changed(LATE, EARLY).notes[1:-1] == (
        f"{LATE} is newer than {EARLY}: these changes go back in time.",
    )


def test_a_listed_thing_is_touched_by_its_own_rule_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a card whose reminder text alone names it; a term on too many cards is only counted."""
    moths = (
        "202.3. Some moths are always the same:\n\n202.3a A dusty moth {}\n\n202.3b A pale moth eats wicks.\n"
    )
    texts = {
        "Night Box": "Release a dusty moth.",
        "Pale Box": "Release a pale moth.",
        "Wet Wick": "Drift 1 (Release a dusty moth.)",
    }
    more = {
        "02": moths.format("eats oil. It is small. It never sleeps."),
        "07": moths.format("eats old oil. It is small. It always sleeps."),
    }
    rules = released(tmp_path, texts, more)
    found = rules.cards_changed(EARLY, LATE, within="202.3")
    assert [tuple(row.values())[:5] for row in found] == [
        ("Night Box", "Dusty Moth", "202.3a", "mention", "Release a dusty moth."),
        ("Wet Wick", "Dusty Moth", "202.3a", "reminder", "Drift 1 (Release a dusty moth.)"),
    ]
    assert {(row["before"], row["after"]) for row in found} == {
        ("A dusty moth eats oil. It never sleeps.", "A dusty moth eats old oil. It always sleeps.")
    }
    assert rules.diff(EARLY, LATE, within="202.3").terms.rows == (("Dusty Moth", 1, "202.3a"),)
    monkeypatch.setattr(releases, "FEW", 1)
    few = rules.cards_changed(EARLY, LATE, within="202.3")
    assert (few.rows, few.notes[1:]) == (
        (),
        ("2 cards only mention Dusty Moth: `rulesgraph ask cards_with 'Dusty Moth'` lists them.",),
    )


def test_a_card_is_touched_by_what_a_rule_says_of_its_type(tmp_path: Path) -> None:
    """The chapter of the rule defines the type; other rules about it count only for their words."""
    more = {
        month: f"202.4. A moth that {fate} stays.\n" for month, fate in (("02", "sleeps"), ("07", "eats"))
    }
    rules = released(tmp_path, {"Soft Wing": "Glow."}, more, "Artifact — Moth")
    assert [tuple(row.values()) for row in rules.cards_changed(EARLY, LATE, within="202.4")] == [
        (
            "Soft Wing",
            "Moth",
            "202.4",
            "type",
            "Artifact — Moth",
            "A moth that sleeps stays.",
            "A moth that eats stays.",
        )
    ]
    touched = [rules.ask("cards_touched_by", it) for it in ("202.4", "202", "202.1", "201.1")]
    assert [[tuple(row.values()) for row in it] for it in touched] == [
        [("Soft Wing", "Moth", "Artifact — Moth")]
    ] * 3 + [[]]
    assert touched[-1].notes[-1].startswith("None were found. Cards whose text or type line names a term ")


def test_a_rule_that_only_treats_of_a_term_touches_cards_if_its_changed_words_name_it(tmp_path: Path) -> None:
    """Other rules that touch no card are told."""
    rule = "202.3. Some moths are always the same:\n\n202.3a At dusk a dusty moth {} oil, not {}.\n"
    texts = {"Night Box": "Release a dusty moth.", "Pale Box": "Release a pale moth."}
    more = {"02": rule.format("eats", "a lamp"), "07": rule.format("drinks", "a pale moth")}
    found = released(tmp_path, texts, more).cards_changed(EARLY, LATE, within="202.3")
    assert [tuple(row.values())[:3] for row in found] == [("Pale Box", "Pale Moth", "202.3a")]
    more = {"02": rule.format("eats", "a lamp"), "07": rule.format("drinks", "a lamp")}
    found = released(tmp_path, texts, more).cards_changed(EARLY, LATE, within="202.3")
    assert (found.rows, found.notes[1:]) == (
        (),
        ("1 new or reworded rule without cards to show: 202.3a.",),
    )


def test_people_see_each_rule_that_touches_cards_once(run: Run, tmp_path: Path) -> None:
    texts = {f"Box {it}": "Trim a lantern." for it in "abcdefghi"}
    released(tmp_path, texts)
    files = [tmp_path / it for it in ("cards.json", "02.txt", "07.txt")]
    assert run("build", *files, "--store", tmp_path / "store")[0] == 0
    command = ("diff", EARLY, LATE, "--cards", "--store", tmp_path / "store")
    code, out, err = run(*command)
    assert code == 0
    assert "1 row, from" in err
    assert out.split()[5:].count("201.2") == 1
    assert ("[-left.-]" in out, "{+right.+}" in out) == (True, True)
    assert ("Box h" in " ".join(out.split()), "Box i" in " ".join(out.split())) == (True, False)
    assert run(*command, "--limit", 1)[1] == out  # of rules: each still counts all of its cards
    assert "Box i" in " ".join(run(*command, "--all")[1].split())
    assert len(run(*command, "--format", "tsv")[1].splitlines()) == 10
    for clash in ("--only", "added"), ("--terms",), ("--json",):
        assert run(*command, *clash)[0] == 2


def test_two_cards_meet_in_the_rules_behind_one_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a rule about a keyword that names something from the other card, unless nearly every card does."""
    texts = {"Night Box": "Trim a lantern. It loses oil.", "Slow Glow": "Glimmer 2"}
    rules = released(tmp_path, texts)
    found = rules.interaction("Night Box", "Slow Glow")
    meant = '"Glimmer N" means "This lantern loses no oil for the next N dusk checks."'
    assert [row[:5] for row in found.rows] == [
        ("Lantern (201)", "Night Box", "Trim a lantern.", "320.2a", meant)
    ]
    turned = rules.interaction("Slow Glow", "Night Box")
    assert [(row[0], *row[3:5], *row[1:3]) for row in turned.rows] == [row[:5] for row in found.rows]
    assert found.notes[1:] == turned.notes[1:] == (meeting._BEHIND,)
    monkeypatch.setattr(current, "FEW", 0)
    assert rules.interaction("Night Box", "Slow Glow").rows == ()


def test_the_abilities_of_two_cards_meet_first(tmp_path: Path) -> None:
    """Keywords that a card has or gives, not those that it only names."""
    texts = {"Slow Glow": "Glimmer 2", "Pale Wing": "Each moth has flutter.", "Wet Net": "Catch any flutter."}
    rules = released(tmp_path, texts)
    own = rules.interaction("Glimmer", "Flutter").rows
    assert own
    found = rules.interaction("Slow Glow", "Pale Wing")
    assert found.rows[: len(own)] == own
    assert meeting._BEHIND in found.notes
    assert own[0] not in rules.interaction("Slow Glow", "Wet Net").rows
    asked = rules.ask("Does Slow Glow stop Pale Wing?")
    ground, number, quote, other, said, _ = own[0]
    # They share only dusk checks, as many do: that counts for the closest rules, and is not told.
    assert f"Both: {ground}. {number}: “{quote}” {other}: “{said}”" not in asked.lead
    assert {number, other} <= {row["number"] for row in asked}
    assert not [it for it in rules.ask("Does Slow Glow stop Wet Net?").lead if str(quote) in it]


@pytest.mark.long(small="test_where_two_cards_hardly_meet_counts_but_is_not_told")
def test_where_the_abilities_of_two_cards_meet_is_told_first(tmp_path: Path, shared: Path) -> None:
    file = tmp_path / "cards.json"
    own = {"type_line": "Creature — Gnat", "layout": "normal", "released_at": "2026-01-16"}
    texts = {"Stinging Gnatling": "Deathtouch", "Ramming Gnatling": "Trample"}
    cards = [{"name": it, "oracle_text": text, "oracle_id": it, **own} for it, text in texts.items()]
    file.write_text(json.dumps(cards), encoding="utf-8")
    rules = rulesgraph.build([rules_of(shared, "2026-01-16"), file], store=":memory:").rules
    ground, number, quote, other, said, _ = rules.interaction("Deathtouch", "Trample").rows[0]
    asked = rules.ask("what if Stinging Gnatling fights Ramming Gnatling")
    assert asked.lead[0] == f"Both: {ground}. {number}: “{quote}” {other}: “{said}”"
    assert (number, other) == ("702.2c", "702.19b")


def test_what_changed_for_a_card(tmp_path: Path) -> None:
    """Its rules are those about the rarer terms in its words, or else about all of them."""
    rules = released(tmp_path, {"Slow Glow": "Glimmer 2", "Wet Net": "Zorblax."})
    found = rules.diff(EARLY, LATE, within="Slow Glow")
    assert found.changes.rows == rules.diff(EARLY, LATE, within="320.2").changes.rows != ()
    assert found.changes.notes[0] == (
        "Slow Glow is a card: these are the changes to rules about Glimmer (320.2)."
    )
    asked = rules.ask("What changed for Slow Glow since 2031-02-01?")
    assert asked.rows == for_people(found.changes).rows
    assert asked.understood
    assert asked.understood.others == (f"rulesgraph diff {EARLY} {LATE} --within 'Slow Glow'",)
    for name in ("Wet Net", "Pale Wing"):  # it names no term; there is none
        with pytest.raises(UnknownNameError):
            rules.diff(EARLY, LATE, within=name)


@pytest.mark.parametrize(
    ("words", "day", "notes"),
    [
        ("Is the 2008 ruling on Quickglass Blade still true?", "2008", ()),
        ("are the rulings on quickglass blade from February 2008 still right", "2008-02", ()),
        ("Is the ruling of 2008-02-01 on Quickglass Blade still correct?", "2008-02-01", ()),
        ("Do the 2010 rulings on Quickglass Blade still apply?", "2010", ("2008-02-01",)),
        ("Which 2010 rulings on Quickglass Blade are outdated?", "2010", ("2008-02-01",)),
        ("Is the 2010 ruling on Slow Lantern still true?", "2010", None),
    ],
)
def test_rulings_of_one_time(words: str, day: str, notes: tuple[str, ...] | None) -> None:
    rules = rulesgraph.build(store=":memory:").rules
    found = rules.ask(words)
    assert found.name == "check"
    none = [f"No ruling is from {day}: the rulings are from {it}." for it in notes or ()]
    assert [*found.notes] == (none if notes is not None else ["There are no rulings to check."])


def test_a_question_with_a_card_is_asked_of_the_time_that_it_names(tmp_path: Path) -> None:
    rules = released(tmp_path, {"Night Box": "Trim a lantern."})
    then = rules.ask("In March 2031, when may I trim a lantern with Night Box?")
    said = f"The rules are those of {EARLY}; the cards and rulings are today’s."
    assert (then.edition, then.lead[0], then.answered) == (EARLY, said, True)
    long_ago = rules.ask("In 1931, when may I trim a lantern with Night Box?")
    assert (long_ago.edition, long_ago.answered) == (LATE, False)
    assert long_ago.lead[0].endswith(f"in force in 1931: these are from {LATE}.")
    no_year = rules.ask("Back in the day, may I trim a lantern with Night Box?")
    assert (no_year.edition, no_year.answered, "name a year" in no_year.lead[0]) == (LATE, False, True)
    given = rules.ask("Back in the day, may I trim a lantern with Night Box?", edition=EARLY)
    assert (given.edition, [it for it in given.lead if "name a year" in it]) == (EARLY, [])
    now = rules.ask("When may I trim a lantern with Night Box?")
    assert (now.edition, [it for it in now.lead if "The rules are" in it]) == (LATE, [])
