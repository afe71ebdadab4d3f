"""The map with odd data: endless names, right-to-left letters, a hub, dissimilar editions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rulesgraph
from browser import Watched, choose, until
from playwright.sync_api import Browser, Page, expect
from rulesgraph.viz.map.page import render_map
from test_viz_select import stated_by

LONG = "Anchorage " * 20 + "End"
UNBROKEN = "Anchor" * 34
HEBREW = "עוגן כבד"
NEIGHBOURS = 400


def odd() -> str:
    """Return the page of a hub that 400 terms name, with terms of long names and one in Hebrew."""
    names = [LONG, UNBROKEN, HEBREW, *(f"Rope {k}" for k in range(NEIGHBOURS - 3))]
    terms = [
        f't:x{k} a rg:Term ; skos:prefLabel "{name}" ; rg:usesTerm t:hub .' for k, name in enumerate(names)
    ]
    turtle = "\n".join(['t:hub a rg:Term ; skos:prefLabel "Hub" .', *terms])
    return render_map(stated_by(turtle))[3]


@pytest.fixture(scope="module")
def watched(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    file = tmp_path_factory.mktemp("odd") / "odd.html"
    file.write_text(odd(), encoding="utf-8")
    it = Watched(browser)
    it.page.goto(file.as_uri())
    until(it.page, "performance.getEntriesByName('rulesgraph:drawn').length > 0")
    yield it
    assert it.complaints == []
    it.page.close()


@pytest.fixture
def page(watched: Watched) -> Iterator[Page]:
    """The one page of this file, in its initial state."""
    yield watched.page
    watched.page.emulate_media(reduced_motion="no-preference")
    watched.page.set_viewport_size({"width": 1440, "height": 900})
    watched.page.keyboard.press("Escape")
    watched.page.keyboard.press("Escape")


def is_in_its_place(page: Page) -> bool:
    """Return whether nothing extends beyond the window or the panel."""
    inside: bool = page.evaluate(
        "[document.documentElement, document.querySelector('#panel'), document.querySelector('#found')]"
        ".every(it => it.scrollWidth <= it.clientWidth)"
    )
    return inside


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
@pytest.mark.parametrize("name", [LONG, UNBROKEN, HEBREW], ids=["long", "unbroken", "hebrew"])
def test_a_name_of_any_kind_is_found_and_stays_in_its_place(page: Page, name: str) -> None:
    page.locator("#search").fill(name[:30])
    expect(page.locator("#found .name").first).to_have_text(name)
    assert is_in_its_place(page)
    page.keyboard.press("Enter")
    expect(page.locator("#panel h2")).to_have_text(name)
    expect(page.locator("#stage")).to_have_attribute("data-middle", name)
    assert is_in_its_place(page)


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
def test_a_hub_shows_its_neighbours_few_at_first(page: Page) -> None:
    choose(page, "hub", "Hub")
    section = page.locator("#panel section", has_text="Relied on by")
    expect(section.locator("h3 .n")).to_have_text(str(NEIGHBOURS))
    assert section.locator("li").count() == 30
    section.get_by_text(f"Show all {NEIGHBOURS}").click()
    assert section.locator("li").count() == NEIGHBOURS
    assert int(page.locator("#stage").get_attribute("data-marks") or 0) <= 300


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
def test_who_wants_no_motion_is_there_at_once(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    before = page.locator("#stage").get_attribute("data-scale")
    page.evaluate(
        """() => {
          const stage = document.querySelector("#stage");
          window.scales = [];
          const watch = new MutationObserver(() => window.scales.push(stage.dataset.scale));
          watch.observe(stage, { attributes: true });
        }"""
    )
    choose(page, "rope 7", "Rope 7")
    expect(page.locator("#stage")).to_have_attribute("data-middle", "Rope 7")
    after = page.locator("#stage").get_attribute("data-scale")
    assert set(page.evaluate("window.scales")) <= {before, after}  # none on the way


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
def test_at_two_hundred_per_cent_the_map_keeps_its_room(page: Page) -> None:
    page.set_viewport_size({"width": 720, "height": 450})  # what 200 % leaves of 1440 x 900
    choose(page, "hub", "Hub")
    assert is_in_its_place(page)
    stage = page.locator("#stage").bounding_box()
    assert stage is not None
    assert (stage["width"] > 400, stage["height"] > 300) == (True, True)


# -- editions that share nothing -----------------------------------------------------------------------

TEXT = """Test Rules

These rules are effective as of {day}.

1. {name}

100. General

100.1. {one}

100.2. {two}

100.3. {three}

Glossary

{thing}
{two}

Credits

Nobody.
"""


UNLIKE = (
    ("March 4, 2032", "The Sea", "Ship", "Sails are raised.", "Nobody rows.", "Nets dry."),
    ("May 6, 2033", "The Land", "Cart", "Wheels turn downhill.", "An ox may refuse.", "Hay is eaten."),
)


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("strangers")
    for day, name, thing, *rules in UNLIKE:
        text = TEXT.format(
            day=day, name=name, thing=thing, **dict(zip(("one", "two", "three"), rules, strict=True))
        )
        (folder / f"{thing}.txt").write_text(text, encoding="utf-8")
    rulesgraph.build(sorted(folder.glob("*.txt")), str(folder / "store"))
    return folder / "store"


@pytest.mark.long(small="test_the_address_leads_to_a_place_and_back_goes_back")
def test_editions_that_share_nothing(strangers: Path, browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "time.html"
    picture = rulesgraph.open(strangers).picture(editions="all", path=file)
    assert picture.things > 6
    it = Watched(browser)
    it.page.goto(file.as_uri())
    it.page.emulate_media(reduced_motion="reduce")
    for place, own, other in (("0", "Ship", "Cart"), ("1", "Cart", "Ship")):
        it.page.locator("#when").fill(place)
        it.page.locator("#search").fill(other)
        expect(it.page.locator("#found .none")).to_contain_text("No name matches.")
        choose(it.page, own, own)
    history: list[Any] = it.page.locator(".past li").all_inner_texts()
    assert [line.split("\n") for line in history] == [["6 May 2033", "added"]]
    assert it.complaints == []
    it.page.close()
