"""Each sentence of a rule or entry shows since when it has been worded so, and what it said before."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from html import unescape
from pathlib import Path

import pytest
import rulesgraph
from asking import session_on
from commands import Run
from real import AROUND, rules
from rulesgraph import Rules
from rulesgraph.app.web.pages.layout import PageContext
from rulesgraph.app.web.pages.page_table import thing_page
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.queries.history.blame import blame
from rulesgraph.queries.session import Session

EARLY, LATE = "cr-2031-02-01", "cr-2031-07-01"
TRIMS = (
    (
        "To trim a lantern means to take one oil from it and turn it to the right.",
        LATE,
        "201.2",
        "To trim a lantern means to take one oil from it and turn it to the left.",
        None,
        None,
        "201.2",
    ),
    (
        "A trimmed lantern still counts as lit until the next dusk check is made.",
        LATE,
        "201.2",
        "A trimmed lantern still counts as lit until the next waning check is made.",
        None,
        None,
        "201.2",
    ),
)


def test_a_sentence_that_was_reworded_has_what_it_said_before(mini: Session) -> None:
    found = blame(mini, "201.2")
    assert found.rows == TRIMS
    assert found.notes == (
        f"{EARLY} is the oldest edition loaded: it is not known where its sentences "
        "first appeared, and their wording is dated by the last change to the whole rule. Load earlier "
        "editions to find out more.",
    )
    before = blame(mini, "201.2", EARLY)
    assert [row[:4] for row in before.rows] == [(row[3], EARLY, "201.2", None) for row in TRIMS]


def test_calls_that_share_what_they_read_answer_alike(mini: Session) -> None:
    names = ("201.2", "310.2b", "201.2")
    alone = [blame(mini, name) for name in names]
    texts = partial(blame, mini, read={})
    assert [texts(name) for name in names] == alone


def test_a_rule_that_moved_has_its_words_from_its_old_number(mini: Session) -> None:
    [row] = blame(mini, "310.2b").rows
    assert row[1:] == (EARLY, "300.2b", None, None, None, "310.2b")


def test_a_title_is_followed_by_the_rules_below_it(mini: Session) -> None:
    [title] = blame(mini, "320.3", alone=True).rows
    assert blame(mini, "320.3").rows == (title, *blame(mini, "320.3a").rows)
    assert blame(mini, "310.2").rows == blame(mini, "310.2", alone=True).rows, "it has words of its own"


def test_entries_are_told_by_their_headings(mini: Session) -> None:
    places = ("Drift", "Drift", "320.3", "320.3a", "320.3a")
    drift = [(LATE, it, None, LATE, it, it) for it in places]
    assert [row[1:] for row in blame(mini, "drift").rows] == drift
    assert {row[1:] for row in blame(mini, "Moth").rows} == {
        (EARLY, it, None, None, None, it) for it in ("Moth", "202")
    }


def test_a_sentence_that_is_said_again_elsewhere_began_there(tmp_path: Path) -> None:
    """One that moved is followed, and an entry has its heading rather than a slug."""
    repeated, moving = "Only a lit lantern draws moths.", "It sits on a lantern."
    files = []
    for day in ("2031-02-01", "2031-07-01"):
        text = (Path(__file__).parent / "mini" / f"lanterns-{day}.txt").read_text()
        if day == "2031-07-01":
            text = text.replace("They wait for nobody.", f"They wait for nobody. {repeated}")
            text = text.replace(f" {moving}", "")
            text = text.replace("one lantern. A moth", f"one lantern. {moving} A moth")
        files.append(tmp_path / f"{day}.txt")
        files[-1].write_text(text)
    session = rulesgraph.build(files, store=tmp_path / "store").rules.session
    told = {row[0]: row[1:] for number in ("310.1", "202.1") for row in blame(session, number).rows}
    assert told[repeated] == (LATE, "310.1", None, LATE, "310.1", "310.1")
    assert told[moving] == (EARLY, "Moth", None, None, None, "202.1")


def test_what_is_not_there_is_refused(mini: Session, starter_store: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"310\.9"):
        blame(mini, "310.9")
    with pytest.raises(UsageError, match="no edition of the comprehensive rules"):
        blame(session_on(starter_store), "Legend")


def test_the_command_prints_a_row_for_each_sentence(run: Run, mini_store: Path) -> None:
    code, out, err = run("blame", "rule", "201.2", "--store", mini_store, "--format", "json")
    assert code == 0
    assert [tuple(row.values()) for row in json.loads(out)] == [*TRIMS]
    assert "first appeared" in err


# -- the real rules -------------------------------------------------------------------------------------


def test_one_text_knows_since_when_the_whole_rule_reads_so(newest_rules: Rules) -> None:
    found = blame(newest_rules.session, "704.5j")
    assert {row[1:] for row in found.rows} == {("cr-2022-09-08", "704.5j", None, None, None, "704.5j")}
    assert "first appeared" in found.notes[0]


def test_each_sentence_of_the_newest_edition_is_in_its_text_since_it_is_said_to_be(
    shared: Path, store_of: Callable[..., Path]
) -> None:
    """In a chapter, no sentence occurs in a loaded edition before the one where it began."""
    location = store_of(*(rules(shared, day) for day in AROUND))
    found = rulesgraph.open(location)
    texts = {day: set(_masked(found, f"cr-{day}")) for day in AROUND}
    checked = 0
    for number in ("702.19b", "704.5a", "601.2", "510.1c", "903.9"):
        for sentence, since, _, before, *_ in blame(found.session, number).rows:
            words = _mask(str(sentence))
            having = [f"cr-{day}" for day in AROUND if words in texts[day]]
            assert having[-1] == f"cr-{AROUND[-1]}"
            assert str(since) <= having[0], (number, sentence)
            assert before is None or _mask(str(before)) != words
            checked += 1
    assert checked > 12


def _masked(found: Rules, edition: str) -> list[str]:
    from rulesgraph.loaders.language.words import sentences
    from rulesgraph.queries.history.links import outline
    from rulesgraph.queries.session import with_history

    [held] = [it for it in with_history(found.session.editions()) if it.id == edition]
    texts = [item.text for item in outline(found.session, held).values()]
    return [_mask(text[start:end]) for text in texts for start, end in sentences(text)]


def _mask(text: str) -> str:
    from rulesgraph.loaders.history.items import Item

    return Item("", "", text).masked


def test_pages_tell_the_ages_of_sentences_where_they_differ(mini_rules: Rules) -> None:
    context = PageContext(mini_rules)
    iris = context.iris
    for iri in (iris.rule(LATE, "101.2"), iris.term("lose-the-evening")):
        page = thing_page(context, iri).html
        _, _, told = page.partition("<summary>Its sentences date from 2031</summary>")
        ages, _, _ = told.partition("</details>")
        assert ages.count("<dt>") == 2, iri
        assert "1 July 2031" in ages
        assert "<del>waning</del> <ins>dusk</ins>" in ages
    # Both sentences of the one are of a day, the other has one.
    for number in ("201.2", "100.1"):
        assert "Its sentences date from" not in thing_page(context, iris.rule(LATE, number)).html


@pytest.mark.long(small="test_pages_tell_the_ages_of_sentences_where_they_differ")
@pytest.mark.parametrize(("number", "count"), [("704.5j", 3), ("103.5", 3)])
def test_pages_tell_how_sure_the_ages_are(number: str, count: int, real_rules: Rules) -> None:
    found = real_rules.blame(number)
    context = PageContext(real_rules)
    page = unescape(thing_page(context, context.iris.rule(found.edition, number)).html)
    told = page.partition("Its sentences date from")[2].partition("</details>")[0]
    assert len(found.notes) == count
    assert all(f'<p class="quiet">{it}</p>' in told for it in found.notes)


def test_a_static_site_does_without_the_ages_of_sentences(mini_rules: Rules) -> None:
    context = PageContext(mini_rules, live=False)
    assert "Its sentences date from" not in thing_page(context, context.iris.rule(LATE, "101.2")).html
