"""The focus of a graph in a real browser: a click opens, a double click moves, a slider sets the distance."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from browser import Tabs
from playwright.sync_api import expect
from rulesgraph.ontology.iris import BASE
from rulesgraph.viz.page import render_page
from test_viz_browser import Open, alone, boats, chosen, middle, show, term

__all__ = ["show"]


def test_a_click_opens_the_neighbours_in_reserve_and_the_address_keeps_it(show: Open) -> None:
    page = show(alone()).page
    expect(page.locator("#count")).to_have_text("1 of 2 terms and rules, 0 links")
    page.mouse.click(*middle(page))
    expect(page.locator("#count")).to_have_text("2 terms and rules, 1 link")
    assert page.evaluate("location.hash") == "#term/boat&open=term/boat"
    again = show(alone(), at="#term/boat&open=term/boat").page
    expect(again.locator("#count")).to_have_text("2 terms and rules, 1 link")


@pytest.mark.long(small="test_a_click_opens_the_neighbours_in_reserve_and_the_address_keeps_it")
def test_a_double_click_moves_the_focus_and_back_goes_back(show: Open) -> None:
    page = show(alone()).page
    page.mouse.dblclick(*middle(page))
    expect(page.locator("#panel h2")).to_have_text("Boat")
    expect(page.locator("#count")).to_have_text("2 terms and rules, 1 link")
    assert page.evaluate("location.hash") == "#term/boat&around=term/boat"
    page.locator("#depth").fill("0")
    expect(page.locator("#count")).to_have_text("1 of 2 terms and rules, 0 links")
    assert page.evaluate("location.hash") == "#term/boat&around=term/boat&depth=0"
    page.go_back()
    expect(page.locator("#panel h2")).to_have_text("Boat")
    expect(page.locator("#middle")).to_have_text("Show only its neighbourhood")


@pytest.mark.long(small="test_a_click_opens_the_neighbours_in_reserve_and_the_address_keeps_it")
def test_a_double_click_counts_while_the_page_is_busy_with_its_first_half(show: Open) -> None:
    """Both happen before the page gets either, and what was under them has gone by then."""
    page = show(alone()).page
    page.evaluate(
        """() => document.addEventListener("click", () => {
          const end = performance.now() + 700; // longer than two clicks may lie apart
          while (performance.now() < end);
          document.querySelector("#stage").style.translate = "40%";
        }, { once: true })"""
    )
    page.mouse.dblclick(*middle(page))
    expect(page.locator("#middle")).to_have_text("Show everything again")
    assert page.evaluate("location.hash") == "#term/boat&around=term/boat"


@pytest.mark.long(small="test_a_click_opens_the_neighbours_in_reserve_and_the_address_keeps_it")
def test_the_keyboard_moves_the_focus_too(show: Open) -> None:
    page = show(boats(), at="#term/oar").page
    page.locator("#middle").click()
    expect(page.locator("#count")).to_have_text("2 of 9 terms and rules, 1 link")
    assert page.evaluate("location.hash") == "#term/oar&around=term/oar"
    shown = [int(told.inner_text()) for told in page.locator("#kinds .n").all()]
    assert sum(shown) == 2  # the legend counts what the head counts
    page.locator("#middle").click()
    expect(page.locator("#count")).to_have_text("4 of 9 terms and rules, 3 links")
    assert page.evaluate("location.hash") == "#term/oar"


@pytest.mark.long(small="test_a_click_opens_the_neighbours_in_reserve_and_the_address_keeps_it")
def test_each_passage_leads_to_where_it_stands_in_its_edition(show: Open) -> None:
    page = show(boats(), at="#term/boat").page
    links = [link.get_attribute("href") for link in page.locator(".passage .source a").all()]
    assert links == [f"{BASE}edition/boats-1/entry/boat/1", term("boat")]


@pytest.mark.long(small="test_a_click_opens_the_neighbours_in_reserve_and_the_address_keeps_it")
def test_the_panel_tells_an_answer_row_by_row_with_its_sentences(show: Open) -> None:
    rows = [
        {
            "things": [0, 1],
            "how": "citation",
            "said": ["A boat moves."],
            "where": ["Boat pages", 7],
        },
        {"things": [], "how": "", "said": ["Words."], "where": ["", 0]},
    ]
    told = {"title": "?", "form": "list", "about": [0], "rows": rows, "notes": ["A note."]}
    found = show(replace(boats(), focus=term("boat"), answer=told)).page
    assert [it.split("\n\n") for it in found.locator("#panel ol.answer > li").all_inner_texts()] == [
        ["Boat · 30.2citation", "A boat moves.", "Boat pages · line 7"],
        ["Words."],
    ]
    expect(found.get_by_text("A note.")).to_be_visible()
    found.locator("#panel ol.answer").get_by_role("button", name="Boat").click()
    assert chosen(found) == "Boat"


def test_one_thing_alone_is_counted_as_what_it_is(show: Open) -> None:
    page = show(replace(alone(), nodes=alone().nodes[:1], links=(), total=1)).page
    expect(page.locator("#count")).to_have_text("1 term, 0 links")


def test_how_to_see_all_is_true_where_there_is_more_than_a_graph_shows(show: Open) -> None:
    page = show(replace(boats(), focus=term("boat"), total=1241)).page
    command = 'rulesgraph viz --around "Boat" --depth 1 --limit 9999 -o graph.html'
    expect(page.locator(".more code")).to_have_text(command)


def test_on_a_site_all_is_seen_on_its_map(tabs: Tabs, tmp_path: Path) -> None:
    html = render_page(replace(boats(), focus=term("boat"), total=1241), map_at="map")
    page = tabs.show(html, tmp_path, "#term/boat").page
    expect(page.locator(".more a")).to_have_attribute("href", "map#term/boat")
    expect(page.locator("#panel")).not_to_contain_text("rulesgraph")
    assert tabs.leave() == []
