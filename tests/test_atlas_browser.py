"""The map in a real browser: levels, the flight to a name, links where one looks; nothing foreign runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import real
import rulesgraph
from browser import Watched, chromium
from playwright.sync_api import Browser, Page, expect
from rulesgraph.viz.atlas.page import render_atlas
from test_viz_browser import EVIL
from test_viz_select import rows_of as rows_of_turtle

Show = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def newest(store_of: Callable[..., Path], shared: Path) -> str:
    return rulesgraph.open(store_of(real.rules(shared, "2026-01-16"))).picture().html


@pytest.fixture(scope="module")
def lanterns(mini_store: Path) -> str:
    return rulesgraph.open(mini_store).picture().html


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Show]:
    """Show a page; afterwards it must have asked for nothing and complained of nothing."""
    watched: list[Watched] = []

    def call(html: str, at: str = "", **view: Any) -> Page:
        file = tmp_path / f"page-{len(watched)}.html"
        file.write_text(html, encoding="utf-8")
        it = Watched(browser, **view)
        watched.append(it)
        it.page.goto(file.as_uri() + at)
        it.page.wait_for_function("performance.getEntriesByName('rulesgraph:drawn').length > 0")
        return it.page

    yield call
    for it in watched:
        assert [url for url in it.requests if not url.startswith(("file:", "data:"))] == []
        assert it.complaints == []
        assert it.dialogs == []
        it.page.close()


def seen(page: Page) -> dict[str, Any]:
    """Return what the map tells of itself once it rests: its scale, how many marks it has, and its middle."""
    told: list[dict[str, Any]] = [{}, {"": 0}, {}]
    while told[-1] != told[-2] or told[-2] != told[-3]:
        page.wait_for_timeout(200)
        told.append(page.evaluate("({ ...document.querySelector('#stage').dataset })"))
    return {"scale": float(told[-1]["scale"]), "marks": int(told[-1]["marks"]), "middle": told[-1]["middle"]}


def choose(page: Page, typed: str, name: str) -> None:
    page.locator("#search").fill(typed)
    page.keyboard.press("Enter")
    expect(page.locator("#panel h2")).to_have_text(name)


# -- levels and flights -------------------------------------------------------------------------------


def test_the_whole_edition_is_in_one_small_page(newest: str, show: Show) -> None:
    assert len(newest.encode()) < 5_000_000
    page = show(newest)
    counts = [int(n.inner_text().replace(",", "")) for n in page.locator("#kinds .n").all()]
    told = page.locator("#count").inner_text()
    assert told.startswith(f"{sum(counts):,} terms and rules, ")
    links = [int(n.inner_text().replace(",", "")) for n in page.locator("#links .n").all()]
    assert int(told.split(", ")[1].split()[0].replace(",", "")) <= sum(links)


def test_marks_come_as_one_comes_closer_and_are_never_too_many(newest: str, show: Show) -> None:
    page = show(newest)
    marks = [seen(page)]
    for _ in range(7):
        page.locator("#in").click()
        marks.append(seen(page))
    assert marks[0]["marks"] >= 50
    assert max(it["marks"] for it in marks) <= 300
    assert marks[-1]["scale"] > 4 * marks[0]["scale"]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("trample", "Trample"),
        ("702.19", "702.19 Trample"),
        ("state-based actions", "State-Based Actions"),
        ("702.19B", "702.19b"),
        ("4 zones", "4 Zones"),
    ],
)
def test_the_flight_to_a_name(newest: str, show: Show, typed: str, first: str) -> None:
    page = show(newest)
    choose(page, typed, first)
    expect(page.locator("#stage")).to_have_attribute("data-middle", first)
    assert seen(page)["scale"] >= 0.5


def test_words_of_a_text_are_found(newest: str, show: Show) -> None:
    page = show(newest)
    page.locator("#search").fill("lethal damage")
    hints = page.locator("#found .hint").all_inner_texts()
    assert hints[0] == "term"
    assert "in the text" in hints


def test_a_country_is_flown_to(newest: str, show: Show) -> None:
    page = show(newest)
    before = seen(page)["scale"]
    page.locator("#panel .links button", has_text="4 Zones").click()
    assert seen(page)["scale"] > 2 * before


def test_the_address_leads_to_a_place_and_back_goes_back(lanterns: str, show: Show) -> None:
    page = show(lanterns, at="#term/lantern")
    expect(page.locator("#panel h2")).to_have_text("Lantern")
    choose(page, "glimmer", "Glimmer")
    page.go_back()
    expect(page.locator("#panel h2")).to_have_text("Lantern")


# -- hostile words ------------------------------------------------------------------------------------


def test_nothing_foreign_runs(show: Show) -> None:
    words = [evil.replace("\\", "\\\\").replace('"', '\\"') for evil in EVIL]
    terms = "\n".join(
        f'<http://x.example/t{k}> a rg:Term ; skos:prefLabel "{evil}" ; skos:altLabel "{evil} too" ; '
        f"rg:usesTerm <http://x.example/t{(k + 1) % len(words)}> ."
        for k, evil in enumerate(words)
    )
    braced = terms.replace("{", "{{").replace("}", "}}")
    page = show(render_atlas(rows_of_turtle(braced), "http://x.example/").html)
    for evil in EVIL:
        page.locator("#search").fill(evil[:12])
        page.keyboard.press("Enter")
        assert page.locator("#panel h2").text_content() in EVIL
    foreign = "img, iframe, object, embed, base, [onerror], [onload], [onmouseover], a[href^='javascript']"
    assert page.locator(foreign).count() == 0
    assert page.title() == "Rules · rulesgraph"
