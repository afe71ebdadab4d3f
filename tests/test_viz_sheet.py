"""A picture on paper and on a phone: what is printed, what scrolls, and what a touch means."""

from __future__ import annotations

from browser import until
from playwright.sync_api import Locator, Page, expect
from test_map_reach import Pages, view

__all__ = ["view"]

PHONE = {"width": 390, "height": 844}
ON_ITS_SIDE = {"width": 844, "height": 390}

EDGE = """() => {
  const canvas = document.querySelector("#stage canvas");
  return [...canvas.getContext("2d").getImageData(2, 2, 1, 1).data].slice(0, 3).join(" ");
}"""
"""The colour of the picture's corner."""


def press(page: Page, what: Locator) -> None:
    """Press at a place, as a finger does: whatever is on top there is hit."""
    box = what.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + min(box["height"], 40) / 2)


def test_paper_is_light_and_has_the_chapters_of_the_list(view: Pages) -> None:
    page = view(scheme="dark")
    dark, section = page.evaluate(EDGE), page.locator("#panel section > details").first
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert (dark, page.evaluate(EDGE)) == ("11 15 20", "233 240 244")  # --sea of either scheme
    page.emulate_media(media="print")
    for shown in (page.locator("#stage canvas"), page.locator("#count"), section.locator("details").first):
        expect(shown).to_be_visible()
    for needless in ("#search", "#tools", "#save-png", ".keys"):
        expect(page.locator(needless)).to_be_hidden()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    until(page, f"({EDGE})() === '{dark}'")
    expect(section.locator("details").first).to_be_hidden()
    expect(page.locator(".keys")).to_be_visible()


def test_a_graph_is_printed_with_the_text_that_a_phone_had_folded_away(view: Pages) -> None:
    page = view(around="Moth", **PHONE)
    expect(page.locator("#panel")).to_be_hidden()
    page.emulate_media(media="print")
    expect(page.locator("#panel h2")).to_have_text("Moth")
    expect(page.locator("#legend")).to_be_visible()
    picture, text = page.locator("#stage canvas").bounding_box(), page.locator("#panel").bounding_box()
    assert picture is not None
    assert text is not None
    assert picture["y"] + picture["height"] <= text["y"]
    assert picture["height"] <= 0.6 * PHONE["height"] + 1


def test_the_list_scrolls_by_itself_and_the_picture_stays(view: Pages) -> None:
    page = view(width=1280, height=720)
    panel = page.locator("#panel")
    before = page.locator("#stage").get_attribute("data-scale")
    panel.hover()
    page.mouse.wheel(0, 240)
    until(page, "document.querySelector('#panel').scrollTop > 0")
    assert page.evaluate("document.scrollingElement.scrollTop") == 0
    assert page.locator("#stage").get_attribute("data-scale") == before
    press(page, page.locator("#panel summary").first)
    expect(page.locator("#panel details[open] details").first).to_be_visible()
    assert panel.evaluate("it => it.scrollTop") > 0  # what opens does not lead away from where one reads


def test_what_is_pressed_on_the_sheet_is_not_pressed_on_the_map(view: Pages) -> None:
    page = view(at="#term/moth", **PHONE)
    sheet, handle = page.locator("#sheet"), page.locator("#fold")
    press(page, handle)
    expect(page.locator("#panel h2")).to_have_text("Moth")
    row = page.locator("#panel .links button").first
    row.scroll_into_view_if_needed()
    assert sheet.evaluate("it => it.scrollTop") > 0
    name = row.locator("span").first.inner_text()
    press(page, row)
    expect(page.locator("#panel h2")).to_have_text(name)
    assert sheet.evaluate("it => it.scrollTop") == 0  # another text is read from its beginning
    expect(handle).to_have_attribute("aria-expanded", "true")
    press(page, handle)
    expect(page.locator("#panel")).to_be_hidden()
    assert handle.inner_text().startswith(name)


def test_on_its_side_a_phone_has_slider_and_sheet_beside_each_other(view: Pages) -> None:
    page = view(editions="all", **ON_ITS_SIDE)
    stage, time, sheet, tools = (
        page.locator(it).evaluate("it => it.getBoundingClientRect().toJSON()")
        for it in ("#stage", "#time", "#sheet", "#tools")
    )
    assert time["right"] <= sheet["left"]
    assert tools["bottom"] <= time["top"]
    assert min(time["top"], sheet["top"]) - stage["top"] > 0.6 * stage["height"]
    assert max(time["bottom"], sheet["bottom"]) <= ON_ITS_SIDE["height"]
