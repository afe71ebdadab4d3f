"""A question about a name that is obsolete leads to the last edition that used it."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
import rulesgraph
from real import AROUND
from real import rules as document
from rulesgraph.app.web.pages.asking import search_page
from rulesgraph.app.web.pages.layout import PageContext
from rulesgraph.queries.answering.sentences import APART

MINI = Path(__file__).parent / "mini" / "lanterns-2031-02-01.txt"
OLD, NEW = "cr-2031-02-01", "cr-2031-04-01"


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> rulesgraph.Rules:
    """Two editions: *Snuff*, which *Dark* mentions, is obsolete in the newer one, *Glow* in both."""
    text = MINI.read_text(encoding="utf-8")
    dark, before = "Dark\nA lantern that is not lit is dark.", "\nTrim\nTo trim"
    assert dark in text
    assert before in text
    folder = tmp_path_factory.mktemp("snuffed")
    older, newer = folder / "lanterns-2031-02-01.txt", folder / "lanterns-2031-04-01.txt"
    spoken = text.replace(dark, f"{dark} Nobody may snuff it.")
    older.write_text(
        spoken.replace(before, f"\nSnuff\nTo put out a lit lantern.\n{before}"), encoding="utf-8"
    )
    gone = text.replace(before, f"\nSnuff (Obsolete)\nA word out of use.\n{before}")
    newer.write_text(gone.replace("February 1", "April 1"), encoding="utf-8")
    return rulesgraph.build([older, newer], store=":memory:").rules


@pytest.mark.parametrize(
    ("question", "notes"),
    [
        (
            ("terms_relying_on", "Snuff"),
            [
                f"Snuff is obsolete in {NEW}; "
                f"`rulesgraph ask terms_relying_on Snuff --edition {OLD}` has 1 row."
            ],
        ),
        (
            ("Which terms rely on snuff?",),
            [
                f"Snuff is obsolete in {NEW}; "
                f"`rulesgraph ask terms_relying_on snuff --edition {OLD}` has 1 row."
            ],
        ),
        (
            ("interaction", "snuff", "keeper"),
            [
                f"Snuff is obsolete in {NEW}; "
                f"`rulesgraph ask interaction snuff keeper --edition {OLD}` has 1 row."
            ],
        ),
        # never in use, and of two the one that is obsolete there
        (
            ("terms_relying_on", "Glow"),
            [f"Glow is obsolete in {NEW}, and no loaded edition uses it."],
        ),
        (
            ("interaction", "glow", "snuff"),
            [f"Glow and Snuff are obsolete in {NEW}, and no loaded edition uses them."],
        ),
        # in use, by its name and its number
        (("terms_relying_on", "Last Light"), []),
        (("terms_relying_on", "100.1a"), []),
    ],
)
def test_what_finds_nothing_about_an_obsolete_name_says_where_it_was_in_use(
    rules: rulesgraph.Rules, question: tuple[str, ...], notes: list[str]
) -> None:
    answer = rules.ask(*question)
    assert (answer.rows, answer.edition, list(answer.notes)) == ((), NEW, notes)


def test_an_edition_that_is_named_is_looked_at_alone(rules: rulesgraph.Rules) -> None:
    assert rules.ask("terms_relying_on", "Snuff", edition=NEW).notes == ()
    assert [row[0] for row in rules.ask("terms_relying_on", "Snuff", edition=OLD).rows] == ["Dark"]


def test_the_closest_rules_say_so_as_well(rules: rulesgraph.Rules) -> None:
    answer = rules.ask("What does snuff cite?")
    assert (answer.name, list(answer.notes[:4])) == (
        "closest_rules",
        [
            f"Snuff is obsolete in {NEW}: “A word out of use.”",
            "“What does Snuff cite? (cited_by)” has no direct answer.",
            f"No direct answer in {NEW}; use --edition to ask about another edition.",
            f"Snuff is obsolete in {NEW}; `rulesgraph ask cited_by snuff --edition {OLD}` has 0 rows.",
        ],
    )


def test_the_closest_rules_begin_with_what_the_entry_says(mini_rules: rulesgraph.Rules) -> None:
    answer = mini_rules.ask("Can glow harm me?")
    assert answer.name == "closest_rules"
    assert answer.lead[0] == "Glow is obsolete in cr-2031-07-01: “They now have glimmer. See Glimmer.”"
    older = mini_rules.ask("Can glimmer harm me?", edition="cr-2031-02-01")
    assert not [it for it in older.lead if "obsolete" in it]


@pytest.mark.long(small="test_what_finds_nothing_about_an_obsolete_name_says_where_it_was_in_use")
def test_mana_burn_leads_to_the_last_rules_that_had_it(shared: Path, store_of: Callable[..., Path]) -> None:
    real = rulesgraph.open(store_of(*(document(shared, day) for day in AROUND)))
    assert list(real.ask("Which terms rely on mana burn?").notes) == [
        "Mana Burn is obsolete in cr-2026-01-16; "
        "`rulesgraph ask terms_relying_on 'mana burn' --edition cr-2009-05-01` has 4 rows."
    ]


@pytest.mark.long(small="test_what_finds_nothing_about_an_obsolete_name_says_where_it_was_in_use")
def test_the_words_of_a_number_of_old_come_with_the_number_of_today(real_rules: rulesgraph.Rules) -> None:
    said = "420.5e of cr-2009-05-01, the last loaded edition with this number, is 704.5j in cr-2026-01-16."
    for words in (("rule_text", "420.5e"), ("what does rule 420.5e say",)):
        answer = real_rules.ask(*words)
        assert (answer.edition, answer.notes[0]) == ("cr-2009-05-01", said)
    for edition in (None, "cr-2009-05-01"):
        assert said in real_rules.show("420.5e", edition=edition).notes
        rule = real_rules.rule("420.5e", edition=edition)
        assert (rule.notes, rule.now) == ((said,), "704.5j")
    earlier = real_rules.rule("420.5e", edition="cr-2008-02-01")
    assert earlier.notes == ("420.5e of cr-2008-02-01 is 704.5j in cr-2026-01-16.",)
    found = real_rules.search("420.5e")
    assert (found.rows[0][0], found.edition, found.notes[0]) == ("420.5e", "cr-2009-05-01", said)
    for number in ("704.5j", "310.4"):
        assert not real_rules.ask("rule_text", number).notes
    assert said in unescape(search_page(PageContext(real_rules), "420.5e").html)


@pytest.mark.long(small="test_what_finds_nothing_about_an_obsolete_name_says_where_it_was_in_use")
def test_an_entry_that_stays_as_it_is_has_the_history_of_its_rule(
    shared: Path, store_of: Callable[..., Path], newest_rules: rulesgraph.Rules
) -> None:
    days = ("2025-04-04", "2026-01-16")
    rules = rulesgraph.open(store_of(*(document(shared, day) for day in days)))
    own = [row for row in rules.history("Deathtouch").rows if row[1] == "Deathtouch"]
    assert own == [
        (f"cr-{days[0]}", "Deathtouch", "", 1.0),
        (f"cr-{days[1]}", "Deathtouch", "unchanged", 1.0),
    ]
    of_rule = rules.history("Deathtouch").rows[len(own) :]
    alone = [row[:3] for row in newest_rules.history("Deathtouch").rows if row[1] != "Deathtouch"]
    assert [row[:3] for row in of_rule] == alone
    assert len(alone) > 3
    changed = "the words last changed in cr-2025-11-14, in 702.2c."
    told = f"In the rules since cr-2007-05-01, as 502.63, 702.2; {changed}"
    assert told in rules.show("Deathtouch").notes
    assert str(rules.history("Vigilance").rows[2][0]) < "cr-2025-04-04"


def test_a_time_in_small_letters_is_no_obsolete_term(newest_rules: rulesgraph.Rules) -> None:
    told = "At End of Turn is obsolete in cr-2026-01-16"
    for words, is_told in [
        ("Does damage wear off at end of turn?", False),
        ("what happens at end of turn to tokens", False),
        ("when do 'at end of turn' abilities trigger", True),
        ("What do At End of Turn abilities do", True),
    ]:
        assert any(it.startswith(told) for it in newest_rules.ask(words).lead) is is_told, words
    # Something replaced this one.
    [lead] = newest_rules.ask("can I sacrifice a creature in play").lead
    assert lead.startswith("In Play is obsolete in cr-2026-01-16")


@pytest.mark.parametrize("words", ["when did they get rid of snuff?", "In which edition did we drop snuff"])
def test_what_people_did_to_the_rules_is_asked_of_the_rules(rules: rulesgraph.Rules, words: str) -> None:
    found = rules.ask(words)
    assert (found.name, found.lead[0]) == (
        "history",
        f"Snuff has been obsolete since {NEW}: it was in use from {OLD} or earlier to {OLD}.",
    )


def test_a_question_about_the_change_of_one_thing_among_others_has_its_history(
    rules: rulesgraph.Rules,
) -> None:
    found = rules.ask("when did snuff change so that a keeper may trim a lantern")
    assert found.lead[0] == APART
    assert found.lead[1].startswith(f"Snuff has been obsolete since {NEW}: ")
    assert not found.answered
    assert rules.ask("when was the trim of a lantern changed").lead[0] != APART
