"""The map through time: what is the same in several editions, and where all of it was."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
import rulesgraph
from playwright.sync_api import Page, expect
from rulesgraph.ontology.errors import UnknownNameError, UsageError
from rulesgraph.viz.map.page import chosen
from test_map_browser import show

__all__ = ["show"]

OLD, NEW = "cr-2031-02-01", "cr-2031-07-01"


@pytest.fixture(scope="module")
def html(mini_store: Path) -> str:
    return rulesgraph.open(mini_store).picture(editions="all").html


def data_in(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found
    whole: dict[str, Any] = json.loads(found[1])
    return whole


@pytest.fixture(scope="module")
def data(html: str) -> dict[str, Any]:
    return data_in(html)


def test_all_are_the_dated_editions_of_the_newest_kind(mini_store: Path) -> None:
    session = rulesgraph.open(mini_store).session
    assert [it.id for it in chosen(session, "all")] == [OLD, NEW]
    assert [it.id for it in chosen(session, f"{NEW}, {OLD}")] == [OLD, NEW]


def test_long_work_reports_its_progress(mini_rules: rulesgraph.Rules) -> None:
    told: list[tuple[str, int, int]] = []
    mini_rules.picture(editions="all", progress=lambda *it: told.append(it))
    mini_rules.check(progress=lambda *it: told.append(it))
    assert told == [
        ("drawing editions", 0, 2),
        ("drawing editions", 1, 2),
        *(("checking", done, 2) for done in range(3)),
    ]


def test_editions_that_are_not_there(mini_store: Path) -> None:
    session = rulesgraph.open(mini_store).session
    with pytest.raises(UnknownNameError, match="cr-2031-03-01"):
        chosen(session, "cr-2031-03-01")
    with pytest.raises(UsageError, match="have a date"):
        chosen(session, " , ")


def test_more_editions_than_a_page_can_hold(
    mini_rules: rulesgraph.Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = mini_rules.session.editions()
    [last] = [it for it in loaded if it.id == "cr-2031-07-01"]
    many = [last._replace(id=f"e{day}", issued=date(2031, 7, 1) + timedelta(day)) for day in range(100)]
    monkeypatch.setattr(type(mini_rules.session), "editions", lambda _: many)
    with pytest.raises(UsageError, match="at most 40 editions, and you asked for 100") as caught:
        mini_rules.picture(editions="all")
    some = str(caught.value).rpartition("--editions ")[2].strip().split(",")
    assert (len(some), some[0], some[-1]) == (40, "e0", "e99")


def test_each_edition_has_its_whole_map(mini_store: Path, data: dict[str, Any]) -> None:
    for time in data["times"]:
        alone = rulesgraph.open(mini_store).picture(edition=time["edition"])
        assert len(time["nodes"]) == alone.things
        bit = 1 << (len(data["times"]) - 1 - data["times"].index(time))
        assert sum(bool(link[0] & bit) for link in data["shared"]) == alone.links


def test_a_thing_is_the_same_through_its_numbers_and_a_wording_is_held_once(data: dict[str, Any]) -> None:
    old, new = ({node["id"]: node for node in time["nodes"]} for time in data["times"])
    both = old.keys() & new.keys()
    assert len(both) > 0.7 * len(old)
    assert any(old[k].get("number") != new[k].get("number") for k in both)  # a rule that moved
    texts = [json.dumps(text) for text in data["texts"]]
    assert len(texts) == len(set(texts))
    assert any(old[k].get("passages", [[-1]])[0][0] == new[k].get("passages", [[-2]])[0][0] for k in both)


def test_what_stays_keeps_its_place(data: dict[str, Any]) -> None:
    spots = [
        {chapter["name"].split(" ", 1)[-1]: (chapter["x"], chapter["y"]) for chapter in t["chapters"]}
        for t in data["times"]
    ]
    both = spots[0].keys() & spots[1].keys()
    assert both
    wide = max(x for x, _ in spots[1].values()) - min(x for x, _ in spots[1].values())
    assert sum(abs(spots[0][name][0] - spots[1][name][0]) for name in both) / len(both) < wide / 3


def when(page: Page) -> str:
    return page.locator("#date").inner_text().split("\n")[0]


@pytest.mark.long(small="test_each_edition_has_its_whole_map")
def test_the_slider_goes_through_time(html: str, show: Callable[..., Page], data: dict[str, Any]) -> None:
    page = show(html)
    assert when(page) == "1 Jul 2031"
    newest = page.locator("#count").inner_text()
    page.locator("#when").fill("0")
    expect(page.locator("h1")).to_have_text(data["times"][0]["title"])
    assert when(page) == "1 Feb 2031"
    assert page.locator("#count").inner_text() != newest
    page.locator("#when").fill("1")
    expect(page.locator("#panel h2")).to_have_text("What 1 Jul 2031 changed")
    expect(page.locator("#count")).to_have_text(newest)


@pytest.mark.long(small="test_each_edition_has_its_whole_map")
def test_search_finds_what_stands_in_the_edition_that_is_shown(html: str, show: Callable[..., Page]) -> None:
    page = show(html)
    page.locator("#search").fill("waning checks")
    assert page.locator("#found .name").first.inner_text() != "Waning Checks"
    page.locator("#when").fill("0")
    page.locator("#search").fill("waning checks")
    assert page.locator("#found .name").first.inner_text() == "Waning Checks"


@pytest.mark.long(small="test_each_edition_has_its_whole_map")
def test_an_address_leads_to_an_edition(html: str, show: Callable[..., Page]) -> None:
    page = show(html, at=f"#&edition={OLD}")
    assert when(page) == "1 Feb 2031"


# -- an answer through time ---------------------------------------------------------------------------


@pytest.mark.long(small="test_each_edition_has_its_whole_map")
def test_each_edition_has_its_own_answer(mini_store: Path, show: Callable[..., Page]) -> None:
    rules = rulesgraph.open(mini_store)
    question = ["terms_relying_on", "Moth"]
    page = show(rules.picture(answer=question, editions="all").html)
    for place, edition in ((1, NEW), (0, OLD)):
        page.locator("#when").fill(str(place))
        expect(page.locator("#panel h2")).to_have_text("Which terms rely on Moth?")
        rows = rules.ask(*question, edition=edition)
        terms = page.locator("#panel .answer > li > p:first-child .word").all_inner_texts()
        assert terms == [row["term"] for row in rows]


def test_an_edition_in_which_nothing_has_the_name_says_so(mini_store: Path) -> None:
    rules = rulesgraph.open(mini_store)
    html = rules.picture(answer=["definition", "Drift"], editions="all").html
    old, new = (time["answer"] for time in data_in(html)["times"])
    assert (new["title"], old["title"]) == (2 * ("What is Drift?",))
    assert (bool(new["rows"]), old["rows"], new["notes"]) == (True, [], [])
    assert "Drift" in old["notes"][0]


def test_an_answer_that_no_edition_has_is_explained(mini_store: Path) -> None:
    with pytest.raises(UnknownNameError, match="Gargoyle"):
        rulesgraph.open(mini_store).picture(answer=["definition", "Gargoyle"], editions="all")
