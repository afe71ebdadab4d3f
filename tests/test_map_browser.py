"""The map in a real browser: zoom levels, search, links of what is looked at; nothing foreign runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import real
import rulesgraph
from browser import Tabs, choose, until
from playwright.sync_api import Page, expect
from rulesgraph.viz.map.page import render_map
from test_viz_browser import EVIL
from test_viz_select import stated_by

Show = Callable[..., Page]


@pytest.fixture(scope="module")
def newest_page(store_of: Callable[..., Path], shared: Path) -> str:
    return rulesgraph.open(store_of(real.rules(shared, "2026-01-16"))).picture().html


@pytest.fixture(scope="module")
def mini_page(mini_store: Path) -> str:
    return rulesgraph.open(mini_store).picture().html


@pytest.fixture
def show(tabs: Tabs, tmp_path: Path) -> Iterator[Show]:
    """Show a page; afterwards it must have made no requests and no complaints."""

    def call(html: str, at: str = "", **view: Any) -> Page:
        return tabs.show(html, tmp_path, at, **view).page

    yield call
    assert tabs.leave() == []


def seen(page: Page) -> dict[str, Any]:
    """Return the state of the map at rest: its scale, the number of marks, and its centre."""
    told: list[dict[str, Any]] = [{}, {"": 0}, {}]
    while told[-1] != told[-2] or told[-2] != told[-3]:
        page.wait_for_timeout(200)
        told.append(page.evaluate("({ ...document.querySelector('#stage').dataset })"))
    return {"scale": float(told[-1]["scale"]), "marks": int(told[-1]["marks"]), "middle": told[-1]["middle"]}


def comes_near(page: Page, scale: float) -> None:
    """Wait until the map is zoomed in this far."""
    until(page, f"Number(document.querySelector('#stage').dataset.scale) >= {scale}")


# -- levels and flights -------------------------------------------------------------------------------


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
def test_the_whole_edition_is_in_one_small_page(newest_page: str, show: Show) -> None:
    assert len(newest_page.encode()) < 5_000_000
    page = show(newest_page)
    counts = [int(n.inner_text().replace(",", "")) for n in page.locator("#kinds .n").all()]
    told = page.locator("#count").inner_text()
    assert told.startswith(f"{sum(counts):,} terms and rules, ")


def counted(page: Page) -> dict[str, Any]:
    """Return the legend's count of each kind that is switched on, and the text of the head."""
    numbers = """part => Object.fromEntries(
      [...document.querySelectorAll(`label[for^="${part}-"]`)]
        .filter(({ hidden, control }) => !hidden && control.checked)
        .map((label) => [label.control.id.slice(5), label.querySelector(".n").textContent]))"""
    told = {
        part: {key: int(number.replace(",", "")) for key, number in page.evaluate(numbers, part).items()}
        for part in ("kind", "link")
    }
    return {**told, "head": page.locator("#count").inner_text()}


@pytest.mark.parametrize("off", [(), ("link-citation",), ("kind-chapter", "link-mention")], ids="+".join)
@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
def test_head_and_legend_count_the_same(mini_page: str, show: Show, off: tuple[str, ...]) -> None:
    """Each number is counted again in the data of the page."""
    data = json.loads(mini_page.partition('id="data">')[2].partition("</script>")[0])
    kinds = {node["id"]: node["group"] for node in data["nodes"]}
    names = [kind["key"] for kind in data["linkKinds"]]
    hidden = {it.split("-")[1] for it in off}
    shown = {node for node, kind in kinds.items() if kind not in hidden}
    links = [
        [name for k in of if (name := names[k]) not in hidden]
        for a, b, *of in data["links"]
        if a in shown and b in shown
    ]
    links = [of for of in links if of]
    several = sum(len(of) > 1 for of in links)
    page = show(mini_page)
    for it in off:
        page.locator(f"label[for={it}]").click()
    first = f"{len(shown):,} of {len(kinds):,}" if "kind-chapter" in off else f"{len(kinds):,}"
    assert counted(page) == {
        "kind": Counter(kind for kind in kinds.values() if kind not in hidden),
        "link": Counter(name for of in links for name in of),
        "head": f"{first} terms and rules, {len(links):,} links"
        + (f", {several} of several kinds" if several else ""),
    }


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
def test_marks_come_as_one_comes_closer_and_are_never_too_many(newest_page: str, show: Show) -> None:
    page = show(newest_page)
    marks = [seen(page)]
    for _ in range(7):
        page.locator("#in").click()
        marks.append(seen(page))
    assert marks[0]["marks"] >= 50
    assert max(it["marks"] for it in marks) <= 300
    assert marks[-1]["scale"] > 4 * marks[0]["scale"]


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
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
def test_the_flight_to_a_name(newest_page: str, show: Show, typed: str, first: str) -> None:
    page = show(newest_page)
    choose(page, typed, first)
    expect(page.locator("#stage")).to_have_attribute("data-middle", first)
    comes_near(page, 0.5)


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
def test_words_of_a_text_are_found(newest_page: str, show: Show) -> None:
    page = show(newest_page)
    page.locator("#search").fill("lethal damage")
    hints = page.locator("#found .hint").all_inner_texts()
    assert hints[0] == "term"
    assert "in the text" in hints


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
def test_a_section_is_flown_to(newest_page: str, show: Show) -> None:
    page = show(newest_page)
    before = seen(page)["scale"]
    page.locator("#panel .links button", has_text="4 Zones").click()
    comes_near(page, 2 * before)


def test_the_address_leads_to_a_place_and_back_goes_back(mini_page: str, show: Show) -> None:
    page = show(mini_page, at="#term/lantern")
    expect(page.locator("#panel h2")).to_have_text("Lantern")
    choose(page, "glimmer", "Glimmer")
    page.go_back()
    expect(page.locator("#panel h2")).to_have_text("Lantern")


# -- hostile words ------------------------------------------------------------------------------------


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
def test_nothing_foreign_runs(show: Show) -> None:
    words = [evil.replace("\\", "\\\\").replace('"', '\\"') for evil in EVIL]
    terms = "\n".join(
        f't:x{k} a rg:Term ; skos:prefLabel "{evil}" ; skos:altLabel "{evil} too" ; '
        f"rg:usesTerm t:x{(k + 1) % len(words)} ."
        for k, evil in enumerate(words)
    )
    braced = terms.replace("{", "{{").replace("}", "}}")
    page = show(render_map(stated_by(braced))[3])
    for evil in EVIL:
        page.locator("#search").fill(evil[:12])
        page.keyboard.press("Enter")
        assert page.locator("#panel h2").text_content() in EVIL
    foreign = "img, iframe, object, embed, base, [onerror], [onload], [onmouseover], a[href^='javascript']"
    assert page.locator(foreign).count() == 0
    assert page.title() == "Rules · rulesgraph"


# -- questions on the map -----------------------------------------------------------------------------


def answered(store: Path, *asked: str) -> str:
    return rulesgraph.open(store).picture(answer=asked, whole=True).html


def rows_in(panel: Any) -> list[str]:
    """Return the first line of each row of an answer: its things, and how they are linked."""
    first = panel.locator(".answer > li > p:first-child")
    parts = "lines => lines.map(line => [...line.childNodes].map(part => part.textContent.trim()).join(' '))"
    rows: list[str] = first.evaluate_all(parts)
    return rows


def test_a_chain_lights_up_step_by_step(mini_store: Path, show: Show) -> None:
    answer = rulesgraph.open(mini_store).why("Lantern", "Moth")
    page = show(answered(mini_store, "why", "Lantern", "Moth"))
    expect(page.locator("#panel h2")).to_have_text("Why does Lantern rely on Moth?")
    rows = rows_in(page.locator("#panel"))
    assert rows == [f"{row['step']} {row['from']} → {row['to']} {row['link']}" for row in answer]
    for row, told in zip(answer, page.locator("#panel .answer > li").all(), strict=True):
        assert str(row["quote"]) in told.inner_text()
        assert f"{row['document']} · line {row['line']}" in told.inner_text()


@pytest.mark.long(small="test_a_chain_lights_up_step_by_step")
def test_common_ground_lights_up(mini_store: Path, show: Show) -> None:
    page = show(answered(mini_store, "interaction", "Flutter", "Moth"))
    grounds = [row.split(" · ")[0] for row in rows_in(page.locator("#panel"))]
    expected = rulesgraph.open(mini_store).interaction("Flutter", "Moth")
    assert len(expected.rows) > 1
    assert grounds == [row["ground"] for row in expected]


@pytest.mark.long(small="test_a_chain_lights_up_step_by_step")
def test_the_changes_of_a_release_are_heat(mini_store: Path, show: Show) -> None:
    changed = rulesgraph.open(mini_store).ask("changed_rules")
    page = show(answered(mini_store, "changed_rules"))
    expect(page.locator("#panel .kind")).to_contain_text("changes")
    assert len(rows_in(page.locator("#panel"))) == len(changed)
    how = Counter(row["change"] for row in changed)
    legend = ", ".join(page.locator("#panel .changes li").all_inner_texts()).split(", ")
    assert sorted(legend) == sorted(f"{number} {kind}" for kind, number in how.items())


@pytest.mark.long(small="test_a_chain_lights_up_step_by_step")
def test_an_empty_answer_says_so(mini_store: Path, show: Show) -> None:
    page = show(answered(mini_store, "ambiguous_names"))
    assert not rulesgraph.open(mini_store).ask("ambiguous_names").rows
    expect(page.locator("#panel")).to_contain_text("Nothing in cr-2031-07-01")


@pytest.mark.long(small="test_a_chain_lights_up_step_by_step")
def test_a_chain_is_asked_for_on_the_page_and_kept_in_the_address(mini_store: Path, show: Show) -> None:
    html = rulesgraph.open(mini_store).picture().html
    page = show(html, at="#term/trim")
    page.locator("#chain").click()
    page.keyboard.type("dusk checks")
    page.keyboard.press("Enter")
    expect(page.locator("#panel h2")).to_have_text("From Trim to Dusk Checks")
    steps = rows_in(page.locator("#panel .answer").first.locator(".."))
    assert steps[0].startswith("1 Trim → ")
    assert len(steps) == len(rulesgraph.open(mini_store).why("Trim", "Dusk Checks"))
    shared_view = show(html, at=page.evaluate("location.hash"))
    expect(shared_view.locator("#panel h2")).to_have_text("From Trim to Dusk Checks")
    page.go_back()
    expect(page.locator("#panel h2")).to_have_text("Trim")


@pytest.mark.long(small="test_a_chain_lights_up_step_by_step")
def test_a_chain_may_begin_with_a_mention_as_why_says(
    store_of: Callable[..., Path], shared: Path, newest_page: str, show: Show
) -> None:
    page = show(newest_page, at="#term/trample&to=term/deathtouch")
    steps = rows_in(page.locator("#panel .answer").first.locator(".."))
    why = rulesgraph.open(store_of(real.rules(shared, "2026-01-16"))).why("Trample", "Deathtouch")
    assert [row.split()[-1] for row in steps] == [row["link"] for row in why] == ["mention", "citation"]


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
def test_depth_and_switches_are_kept_in_the_address(mini_page: str, show: Show) -> None:
    page = show(mini_page, at="#term/moth")
    page.locator("#depth").fill("2")
    page.locator("label[for=kind-chapter]").click()
    assert page.evaluate("location.hash") == "#term/moth&depth=2&without=chapter"
    again = show(mini_page, at="#term/moth&depth=2&without=chapter")
    expect(again.locator("#depth")).to_have_value("2")
    expect(again.locator("#kind-chapter")).not_to_be_checked()
    expect(again.locator("#kind-rule")).to_be_checked()
