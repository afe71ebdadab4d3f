"""The map for everyone: checked by axe-core, on a phone, as a list, without scripts, and as files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import rulesgraph
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from browser import Tabs
from playwright.sync_api import Browser, Locator, Page, expect

Pages = Callable[..., Page]
SVG = "{http://www.w3.org/2000/svg}"


def unfold(list_of: Locator) -> None:
    """Open a part of the list, which is made when it is opened, and wait until it is there."""
    list_of.locator("> summary").click()
    list_of.locator("> :nth-child(2)").wait_for(state="attached")


@pytest.fixture
def view(tabs: Tabs, mini_store: Path, tmp_path: Path) -> Iterator[Pages]:
    """Open a picture of the mini game without the page's policy, so that axe-core can run in it."""
    rules = rulesgraph.open(mini_store)

    def call(at: str = "", width: int = 1440, height: int = 900, scheme: str = "light", **what: Any) -> Page:
        view = {"width": width, "height": height, "scheme": scheme, "bypass_csp": True}
        return tabs.show(rules.picture(**what).html, tmp_path, at, **view).page

    yield call
    tabs.leave()


STATES: dict[str, dict[str, Any]] = {
    "the whole map": {},
    "a thing": {"at": "#term/moth"},
    "a chain": {"answer": ("why", "Lantern", "Moth")},
    "changes": {"answer": "changed_rules"},
    "time": {"editions": "all"},
    "a graph": {"around": "Moth"},
    "an answer as a graph": {"answer": ("terms_relying_on", "Moth")},
    "neighbours opened": {"around": "Flutter", "depth": 0, "at": "#term/flutter&open=term/flutter"},
    "what became of a thing in each edition": {"editions": "all", "at": "#term/moth"},
    "files of a graph": {"limit": 9},
    "in the dark": {"at": "#term/moth", "scheme": "dark"},
    "on a phone": {"at": "#term/moth", "width": 390, "height": 844},
}


ALL = pytest.mark.long(small="test_axe_finds_nothing")
ONE = "a thing"


@pytest.mark.parametrize("state", [pytest.param(it, marks=() if it == ONE else ALL) for it in STATES])
def test_axe_finds_nothing(view: Pages, state: str) -> None:
    page = view(**STATES[state])
    found = Axe().run(page).response["violations"]
    assert [(it["id"], [node["html"][:120] for node in it["nodes"]]) for it in found] == []


def test_files_and_history_are_judged_where_they_are(view: Pages) -> None:
    """All the panel's controls are there, named and distinct, in the states that axe-core judges."""
    files = view(limit=9).locator("#panel section", has_text="Download").get_by_role("button")
    assert files.all_inner_texts() == ["Picture (PNG)", "Picture (SVG)", "Graph (GraphML)"]
    stages = view(editions="all", at="#term/moth").locator("#panel .past li")
    assert stages.count() > 0
    assert all(stage.inner_text().strip() for stage in stages.all())


@pytest.mark.long(small="test_axe_finds_nothing")
def test_axe_finds_nothing_in_the_open_list_with_its_bundles(view: Pages) -> None:
    page = view()
    section = page.locator("#panel section > details").first
    unfold(section)
    for chapter in section.locator("details").all():
        unfold(chapter)
    expect(page.locator("#panel .bundles").first).to_be_visible()
    assert Axe().run(page, context="#panel").response["violations"] == []


@pytest.mark.long(small="test_axe_finds_nothing")
def test_on_a_phone_the_map_has_room_and_buttons_can_be_hit(view: Pages) -> None:
    page = view(at="#term/moth", width=390, height=844)
    handle, panel = page.locator("#fold"), page.locator("#panel")
    stage, folded = page.locator("#stage").bounding_box(), handle.bounding_box()
    assert stage is not None
    assert folded is not None
    assert folded["y"] - stage["y"] > 0.7 * 844
    expect(handle).to_have_attribute("aria-expanded", "false")
    expect(panel).to_be_hidden()
    assert handle.inner_text().startswith("Moth")
    handle.click()
    expect(handle).to_have_attribute("aria-expanded", "true")
    expect(panel.locator("h2")).to_be_visible()
    assert page.locator("#stage").bounding_box() == stage  # the text lies over the map
    for button in page.locator(".tools button, #panel .links button, #chain").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert Axe().run(page).response["violations"] == []


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_whole_coast_is_in_view(view: Pages, size: tuple[int, int]) -> None:
    page = view(width=size[0], height=size[1])
    around = page.evaluate(
        """() => {
          const canvas = document.querySelector("#stage canvas"), { width, height } = canvas;
          const context = canvas.getContext("2d");
          const [right, bottom] = [width - 1, height - 1];
          const edges = [[0, 0, width, 1], [0, bottom, width, 1], [0, 0, 1, height], [right, 0, 1, height]];
          const seen = edges.map((edge) => new Uint32Array(context.getImageData(...edge).data.buffer));
          return new Set(seen.flatMap((colours) => [...colours])).size;
        }"""
    )
    assert around == 1, "something else than the sea touches the edge"


def test_without_script_there_is_a_list(browser: Browser, mini_store: Path, tmp_path: Path) -> None:
    file = tmp_path / "still.html"
    file.write_text(rulesgraph.open(mini_store).picture().html, encoding="utf-8")
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(file.as_uri())
    names = page.locator("noscript li").all_inner_texts()
    assert {"Lantern", "Moth"} <= set(names)
    page.context.close()


@pytest.mark.long(small="test_without_script_there_is_a_list")
def test_all_that_the_map_says_is_a_list_too(view: Pages) -> None:
    page = view()
    names: set[str] = set()
    for section in page.locator("#panel section > details").all():
        unfold(section)
        chapters = section.locator("details").all()
        for chapter in chapters:
            unfold(chapter)
        for chapter in chapters or [section]:  # names without a rule are in no chapter
            things = chapter.locator("ul").first
            expect(things).to_be_attached()
            names |= set(things.locator("li button").all_inner_texts())
    told = page.locator("#count").inner_text()
    sections = int(page.locator("label[for=kind-section] .n").inner_text())
    assert len(names) <= int(told.split(" ")[0]) - sections
    assert {"Lantern", "Moth", "Dusk Checks"} <= names
    page.get_by_role("button", name="Moth", exact=True).first.click()
    expect(page.locator("#panel h2")).to_have_text("Moth")


@pytest.mark.long(small="test_a_graph_can_be_taken_along_as_svg")
def test_the_graph_can_be_taken_along(view: Pages) -> None:
    import networkx as nx

    page = view()
    with page.expect_download() as saved:
        page.locator("#save-graphml").click()
    graph = nx.read_graphml(saved.value.path())
    told = page.locator("#count").inner_text()
    several = sum(" " in link["links"] for *_, link in graph.edges(data=True))
    links = f"{graph.number_of_edges()} links, {several} of several kinds"
    assert told == f"{graph.number_of_nodes()} terms and rules, {links}"
    with page.expect_download() as saved:
        page.locator("#save-png").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")


@pytest.mark.long(small="test_a_graph_can_be_taken_along_as_svg")
def test_what_is_seen_can_be_taken_along_as_svg(view: Pages) -> None:
    """The picture as drawn, land and marks and names, in one well-formed file without anything that runs."""
    page = view()
    with page.expect_download() as saved:
        page.locator("#save-svg").click()
    root = ElementTree.parse(saved.value.path()).getroot()
    box = page.locator("#stage canvas").bounding_box()
    assert box is not None
    assert root.get("viewBox") == f"0 0 {box['width']:.0f} {box['height']:.0f}"
    names = {text.text or "" for text in root.iter(f"{SVG}text")}
    assert any("Lantern" in name for name in names)
    inks = {path.get("fill") for path in root.iter(f"{SVG}path")} | {
        p.get("stroke") for p in root.iter(f"{SVG}path")
    }
    assert {"#2e74b5", "#cf5a12"} <= inks  # terms and chapters
    assert not [it for it in root.iter() if it.tag.rpartition("}")[2] in ("script", "image", "foreignObject")]


def test_a_graph_can_be_taken_along_as_svg(view: Pages) -> None:
    page = view(around="Moth")
    page.keyboard.press("Escape")
    with page.expect_download() as saved:
        page.locator("#save-svg").click()
    root = ElementTree.parse(saved.value.path()).getroot()
    shown = int(page.locator("#count").inner_text().split()[0])
    dots = [path for path in root.iter(f"{SVG}path") if path.get("fill", "none") != "none"]
    assert len(dots) >= shown
    assert "Moth" in {text.text for text in root.iter(f"{SVG}text")}


@pytest.mark.long(small="test_without_script_there_is_a_list")
def test_bundles_are_in_the_list(view: Pages) -> None:
    page = view()
    sections = page.locator("#panel section > details")
    unfold(sections.first)
    for chapter in sections.first.locator("details").all():
        unfold(chapter)
    lines = [line.rpartition(" ") for line in sections.first.locator(".bundles li").all_inner_texts()]
    assert lines
    unfold(sections.nth(1))
    chapters = {it.inner_text() for it in page.locator("#panel details details > summary").all()}
    assert {name for name, _, _ in lines} & chapters
    assert all(float(load.replace(",", "")) > 0 for _, _, load in lines)


@pytest.mark.long(small="test_without_script_there_is_a_list")
def test_history_and_places_in_the_panel(view: Pages, mini_store: Path) -> None:
    page = view(at="#term/moth")
    rules = rulesgraph.open(mini_store)
    stages = [line.split("\n") for line in page.locator(".past li").all_inner_texts()]
    assert stages[0] == ["1 Feb 2031", "first seen"]
    links = [link.get_attribute("href") or "" for link in page.locator(".passage .source a").all()]
    assert links
    for link in links:
        known = rules.sparql(f"SELECT ?text WHERE {{ <{link}> rg:text ?text }}")
        assert isinstance(known, rulesgraph.Answer)
        assert len(known.rows) == 1, link
