"""The pages as readers use them: by keyboard, on a phone, checked by axe-core; no data runs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from browser import Watched, until
from commands import MINI
from live import service
from playwright.sync_api import Browser, Locator, Page
from rulesgraph.app.web.pages.layout import EDITOR, static_files
from rulesgraph.loaders.build import build
from sweep import first

NEW = "edition/cr-2031-07-01"

EVIL = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "\"'><svg onload=alert(3)>",
    "{{ 7 * 7 }} {% include 'x' %}",
    "</title></script><script>alert(4)</script>",
    "javascript:alert(5)",
)


@pytest.fixture(scope="module")
def address(mini_store: Path) -> Iterator[str]:
    """The service over the mini game."""
    with service(mini_store) as found:
        yield found


@pytest.fixture(scope="module")
def mapped(address: str) -> str:
    """The same service, with its map drawn: that may take longer than a browser waits."""
    with urlopen(f"{address}map", timeout=300) as answer:
        answer.read()
    return address


@pytest.fixture(scope="module")
def watched(browser: Browser) -> Iterator[Watched]:
    """A page of a desktop that is shared by the tests of this module."""
    found = Watched(browser, 1280, 720)
    yield found
    found.page.close()


@pytest.fixture(autouse=True)
def _quiet(watched: Watched) -> Iterator[None]:
    """Assert that nothing asks another host, complains, or opens a dialog."""
    watched.requests.clear()
    watched.complaints.clear()
    yield
    assert [it for it in watched.requests if not it.startswith(("http://127.0.0.1:", "data:"))] == []
    assert (watched.complaints, watched.dialogs) == ([], [])


def test_a_question_is_asked_and_its_answer_followed(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(address)
    page.locator("#question:focus").wait_for()  # given by the page itself, a moment after it has loaded
    page.keyboard.type("Which terms rely on moth?")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=**")
    assert page.locator("h2#answer").inner_text().startswith("Which terms rely on Moth?")
    in_one_column = "it => getComputedStyle(it).columnWidth == 'auto'"
    assert page.locator("h1").evaluate(in_one_column)
    page.locator("table a", has_text="Flutter").first.click()
    page.wait_for_url("**/term/flutter.html")
    assert page.locator("h1").inner_text() == "Flutter"


@pytest.mark.long(small="test_a_question_is_asked_and_its_answer_followed")
def test_a_name_is_completed_by_keyboard(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(f"{address}terms.html")
    page.locator("#question").focus()
    for typed, name in {"320.4": "320.4", "fluter": "Flutter", "flut": "Flutter"}.items():
        page.locator("#question").fill(typed)
        page.locator(f"[role=option]:text('{name}')").first.wait_for()
    assert page.locator("#question").get_attribute("aria-expanded") == "true"
    page.keyboard.press("ArrowDown")
    assert page.locator("[aria-selected=true]").inner_text() == "Flutter"
    page.keyboard.press("Enter")
    page.wait_for_url("**/term/flutter.html")


def test_the_first_stop_of_the_keyboard_leads_to_the_content(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(f"{address}{NEW}/rule/320.4.html")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


@pytest.mark.long(small="test_a_question_is_asked_and_its_answer_followed")
def test_another_edition_is_chosen_without_a_script(browser: Browser, address: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{address}{NEW}/rule/320.4.html")
    page.locator(".chooser summary").click()
    page.locator(".chooser a", has_text="2031-02-01").click()
    page.wait_for_url("**/edition/cr-2031-02-01/rule/301.3.html")
    assert page.locator(".notice").inner_text() == "An older edition. Today this rule is 320.4."
    page.close()


def test_a_long_page_lists_what_is_on_it_where_there_is_room(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(f"{address}about.html")
    beside = page.get_by_role("navigation", name="On this page")
    beside.get_by_role("link", name="How to cite").click()
    until(page, "scrollY > 0")
    assert page.url == f"{address}about.html#cite"
    assert beside.is_visible()
    page.set_viewport_size({"width": 1100, "height": 720})
    assert beside.is_hidden()
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(media="print")
    assert beside.is_hidden()
    page.emulate_media(media="screen")


@pytest.mark.long(small="test_a_question_is_asked_and_its_answer_followed")
def test_two_editions_are_compared(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(f"{address}changes.html")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**/changes/cr-2031-02-01/cr-2031-07-01.html")
    assert page.locator("ins").count() > 0
    assert page.locator("del").count() > 0


@pytest.mark.long(small="test_a_question_is_asked_and_its_answer_followed")
def test_a_question_of_the_catalogue_has_an_address(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(f"{address}question/interaction.html")
    page.locator("#p-concept").fill("Flutter")
    page.locator("#p-other").fill("Moth")
    page.keyboard.press("Enter")
    page.wait_for_url("**/question/interaction.html?concept=Flutter&other=Moth")
    assert page.locator("h1").inner_text() == "What do Flutter and Moth have in common?"
    assert page.locator("td").count() > 0


@pytest.mark.long(small="test_a_question_is_asked_and_its_answer_followed")
@pytest.mark.parametrize(
    "at", ["term/moth.html", "defects.html", "question/terms_relying_on.html?concept=Moth"]
)
def test_a_printed_page_is_whole_and_without_navigation(watched: Watched, address: str, at: str) -> None:
    page = watched.page
    page.emulate_media(media="print")
    page.goto(address + at)
    count = "it => [...document.querySelectorAll(it)].filter(it => it.checkVisibility()).length"
    assert page.evaluate(count, ".top, footer, .letters, summary, .map-link, form") == 0
    folded = "main details > :not(summary)"
    assert page.evaluate(count, folded) == page.locator(folded).count()
    ways = "[...document.querySelectorAll('.table, pre')].map(it => getComputedStyle(it).overflowX)"
    assert set(page.evaluate(ways)) <= {"visible"}
    page.emulate_media(media="screen")


def test_a_query_is_run_and_can_be_downloaded(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(f"{address}query.html?field=plain")
    page.locator("#query").fill("SELECT ?n { term:flutter skos:prefLabel ?n }")
    page.get_by_role("button", name="Run").click()
    page.locator("td").first.wait_for()  # the page may come late on a busy machine
    assert page.locator("#query").is_visible()
    assert page.locator("td").all_inner_texts() == ["Flutter"]
    link = page.get_by_role("link", name="CSV").get_attribute("href")
    assert page.request.get(f"{address}{link}").text() == "n\r\nFlutter\r\n"


@pytest.fixture
def editor(watched: Watched, address: str) -> Locator:
    """The editor of the SPARQL page, empty."""
    if EDITOR not in static_files():
        pytest.skip("the editor is not built (make editor)")
    watched.page.goto(f"{address}query.html")
    found = watched.page.locator(".cm-content")
    found.click()
    watched.page.keyboard.press("Control+A")
    watched.page.keyboard.press("Delete")
    return found


@pytest.mark.long(small="test_a_query_is_run_and_can_be_downloaded")
def test_a_query_is_written_with_completion_and_run_by_keyboard(watched: Watched, editor: Locator) -> None:
    page = watched.page
    page.keyboard.type("ASK { ?rule rg:dependsO")
    page.get_by_role("option").filter(has_text="rg:dependsOn").first.wait_for()
    page.wait_for_timeout(200)  # an Enter in the first moment of a list is meant for the text
    page.keyboard.press("Enter")
    page.keyboard.type(" ?other ")
    assert page.locator("#query").input_value() == "ASK { ?rule rg:dependsOn ?other }"
    keyword, variable = (
        editor.get_by_text(word, exact=True).first.evaluate("it => getComputedStyle(it).color")
        for word in ("ASK", "?rule")
    )
    assert keyword != variable
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/query.html?query=**")
    assert page.locator("#result + p").inner_text() == "Yes"


@pytest.mark.long(small="test_a_query_is_run_and_can_be_downloaded")
def test_the_editor_lets_the_keyboard_go(watched: Watched, editor: Locator) -> None:
    page = watched.page
    page.keyboard.type("SELECT ")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Run"
    page.keyboard.press("Shift+Tab")
    page.keyboard.type("*")
    assert page.locator("#query").input_value() == "SELECT *"


@pytest.mark.long(small="test_a_query_is_run_and_can_be_downloaded")
def test_an_error_is_marked_where_it_stands(watched: Watched, editor: Locator) -> None:
    page = watched.page
    editor.fill("SELECT * {\n  ?a rg:cites ?b\n  FILTER(?a = = ?b)\n}")
    assert editor.locator(".cm-lintRange-error").inner_text() == "="
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/query.html?query=**")
    assert page.get_by_role("alert").inner_text().startswith("the query does not parse at or before line 4")
    mark = page.locator(".cm-lintRange-error")
    assert mark.inner_text() == "="
    mark.hover()
    assert (
        page.locator(".cm-diagnosticText").inner_text()
        == "the query does not parse at or before line 4, column 2"
    )
    editor.fill("SELECT * { ?a rg:cites ?b }")
    page.locator(".cm-lintRange-error").wait_for(state="detached")
    watched.complaints.clear()  # the browser reports the 400 that was asked for


@pytest.mark.long(small="test_a_question_is_asked_and_its_answer_followed")
def test_an_answer_is_shown_on_the_map(watched: Watched, address: str) -> None:
    page = watched.page
    page.goto(f"{address}question/terms_relying_on.html?concept=Moth")
    shown = page.get_by_role("link", name="Show on the map")
    with urlopen(urljoin(page.url, shown.get_attribute("href")), timeout=300) as answer:
        answer.read()
    shown.click()
    page.locator("canvas").first.wait_for()
    assert page.locator("h1").first.inner_text() != ""


def test_the_map_fetches_its_words_when_somebody_wants_to_read(watched: Watched, mapped: str) -> None:
    page = watched.page
    watched.requests.clear()
    page.goto(f"{mapped}map")
    page.locator("canvas").first.wait_for()
    assert watched.requests == [f"{mapped}map"]
    with page.expect_response("**/map/words.json"):
        page.locator("#search").fill("flutter")
        page.keyboard.press("Enter")
    page.locator("#panel .passage").first.wait_for()
    assert page.locator("#panel h2").inner_text() == "Flutter"
    assert page.locator("#away").count() == 0
    assert page.locator("#panel .links .quote").count() > 0
    page.reload()
    page.locator("#panel .passage").first.wait_for()
    page.locator("#search").fill("lanterns that go dark?")
    page.locator("#found .said", has_text="lantern").first.wait_for()
    fetched = ("map", "map/words.json", "search/names.json", "search/ranking.json")
    assert [watched.requests.count(f"{mapped}{it}") for it in fetched] == [2] * 4
    page.locator("#found li", has_text="Ask “lanterns that go dark?”").click()
    page.wait_for_url("**/search.html?q=lanterns**")
    page.goto("about:blank")


@pytest.mark.long(small="test_the_map_fetches_its_words_when_somebody_wants_to_read")
def test_the_map_through_time_fetches_the_words_of_all_editions_once(watched: Watched, mapped: str) -> None:
    with urlopen(f"{mapped}map?editions=all", timeout=300) as answer:
        answer.read()
    page = watched.page
    watched.requests.clear()
    page.goto(f"{mapped}map?editions=all")
    page.locator("#time").wait_for()
    assert watched.requests == [f"{mapped}map?editions=all"]
    for edition in ("1", "0"):
        page.locator("#when").fill(edition)
        page.locator("#search").fill("flutter")
        page.keyboard.press("Enter")
        page.locator("#panel .passage").first.wait_for()
        assert page.locator("#panel h2").inner_text() == "Flutter"
        assert page.locator("#away").count() == 0
    assert watched.requests == [f"{mapped}map?editions=all", f"{mapped}map/words.json?editions=all"]


@pytest.mark.long(small="test_the_map_fetches_its_words_when_somebody_wants_to_read")
def test_a_chain_on_the_map_waits_for_its_sentences(watched: Watched, mapped: str) -> None:
    page = watched.page
    page.goto(f"{mapped}map#term/flutter&to=term/moth")
    page.locator("#panel .answer .names").first.wait_for()
    assert page.locator("#panel h2").inner_text() == "From Flutter to Moth"


@pytest.mark.long(small="test_the_map_fetches_its_words_when_somebody_wants_to_read")
def test_words_that_cannot_be_fetched_are_said_to_be_away(watched: Watched, mapped: str) -> None:
    page = watched.page
    words = "**/map/words.json"
    page.route(words, lambda route: route.fulfill(status=503, body="{}"))
    page.goto("about:blank")
    page.goto(f"{mapped}map#term/flutter")
    again = page.locator("#away button")
    again.wait_for()
    assert (
        page.locator("#away").inner_text()
        == "The texts could not be loaded: 503 Service Unavailable Try again"
    )
    page.locator("#search").fill("moth lantern")
    assert (
        page.locator("#found .none").inner_text() == "The texts could not be loaded: 503 Service Unavailable"
    )
    page.unroute(words)
    page.route(words, lambda route: route.fulfill(json={"of": "another", "words": []}))
    again.click()
    anew = "The rules were rebuilt after you opened this page. Reload it."
    page.locator("#away", has_text=anew).wait_for()
    page.unroute(words)
    page.route(words, lambda route: route.abort())
    again.click()
    page.locator("#away", has_text="The texts could not be loaded: the server does not answer.").wait_for()
    page.unroute(words)
    again.click()
    page.locator("#panel .passage").first.wait_for()
    assert page.locator("#away").count() == 0
    watched.complaints.clear()  # the browser reports what failed


SEEN = [
    "",
    "terms.html",
    "term/flutter.html",
    f"{NEW}/rule/101.1.html",
    f"{NEW}/rule/320.html",
    f"{NEW}.html",
    "search?q=lit lantern",
    "question/terms_relying_on.html?concept=Moth",
    "changes/cr-2031-02-01/cr-2031-07-01.html",
    "query.html?query=SELECT ?n { term:flutter skos:prefLabel ?n }",
    "query.html?field=plain&query=SELECT ?n { term:flutter skos:prefLabel ?n } #",
    "defects.html",
    "about.html",
    "term/nothing",
    "nowhere.html",
]


@pytest.fixture(scope="module")
def judged(browser: Browser) -> Iterator[Page]:
    """A page of a phone, in which axe-core may run."""
    found = Watched(browser, 390, 844, bypass_csp=True)
    yield found.page
    found.page.close()


ALL = pytest.mark.long(small="test_axe_finds_nothing_and_a_phone_shows_it_whole")


@pytest.mark.parametrize("local", first(1, SEEN, ALL))
def test_axe_finds_nothing_and_a_phone_shows_it_whole(judged: Page, address: str, local: str) -> None:
    judged.emulate_media(color_scheme="light")
    judged.goto(address + local)
    if local.startswith("query.html?query") and EDITOR in static_files():
        judged.locator(".cm-content").wait_for()
    assert faults(judged) == []
    assert judged.evaluate("document.documentElement.scrollWidth") == 390
    # In the dark nothing but the colours is another.
    light = judged.evaluate("getComputedStyle(document.body).color")
    judged.emulate_media(color_scheme="dark")
    assert judged.evaluate("getComputedStyle(document.body).color") != light
    assert faults(judged, runOnly={"type": "rule", "values": ["color-contrast"]}) == []


def faults(page: Page, **options: Any) -> list[tuple[str, str]]:
    """Return what axe-core finds in a page: the name of a rule, and where it is first broken."""
    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    return [(it["id"], it["nodes"][0]["html"][:200]) for it in found]


@pytest.mark.parametrize(
    "count", first(1, (1, len(EVIL)), pytest.mark.long(small="test_nothing_of_the_data_runs"))
)
def test_nothing_of_the_data_runs(watched: Watched, tmp_path: Path, count: int) -> None:
    text = (MINI / "lanterns-2031-07-01.txt").read_text(encoding="utf-8")
    before, heading, behind = text.rpartition("\nGlossary\n")
    for number, evil in zip(("100.1", "100.2", "101.1", "201.1", "201.2", "202.1"), EVIL, strict=True):
        before = before.replace(f"\n{number}. ", f"\n{number}. {evil} ")
    entries = "\n\n".join(f"{evil}\nIt says {evil} of itself. See rule 100.1." for evil in EVIL)
    source = tmp_path / "hostile.txt"
    source.write_text(f"{before}{heading}\n{entries}\n{behind}", encoding="utf-8")
    report = build([source], str(tmp_path / "store"))
    assert not report.refused
    page = watched.page
    with service(tmp_path / "store") as found:
        page.goto(f"{found}terms.html")
        names = page.locator(".names a").evaluate_all(
            "all => all.map(it => [it.textContent, it.getAttribute('href')])"
        )
        terms = [address for name, address in names if any(evil in name for evil in EVIL)]
        assert len(terms) == len(EVIL)
        addresses = [*terms[:count], *(f"{NEW}{it}.html" for it in ("/rule/100.1", "/rule/100", "")[:count])]
        for local in [*addresses, f"search?q={EVIL[1]}", f"question/definition.html?concept={EVIL[0]}"]:
            page.goto(found + local)
            assert page.locator("main img, main svg[onload], main script, iframe").count() == 0
        page.goto(f"{found}{NEW}/rule/100.1.html")
        assert EVIL[0] in page.locator(".rules-text").first.inner_text()
        page.goto(f"{found}{NEW}/rule/201.1.html")
        assert EVIL[3] in page.locator(".rules-text").first.inner_text()
    assert watched.dialogs == []


@pytest.mark.long(small="test_a_question_is_asked_and_its_answer_followed")
def test_a_site_of_files_is_searched_without_a_server(
    watched: Watched, mini_store: Path, tmp_path: Path
) -> None:
    import rulesgraph

    rulesgraph.publish(mini_store, tmp_path / "site")
    handler = partial(_Silent, directory=str(tmp_path / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page = watched.page
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.locator("#question").fill("flutter moth")
        page.keyboard.press("Enter")
        page.locator("#found .hits mark").first.wait_for()
        served = rulesgraph.open(mini_store).search("flutter moth", limit=20)
        assert page.locator("#found .hits a").all_inner_texts()[:5] == [row["number"] for row in served][:5]
        page.locator("#found .hits a").first.click()
        page.wait_for_url("**/rule/320.4*.html")
        page.goto(f"http://127.0.0.1:{server.server_port}/search.html?q=fluter")
        assert page.locator("#found .card a").inner_text() == "Flutter"
        page.goto(f"http://127.0.0.1:{server.server_port}/map.html#term/flutter")
        page.locator("#panel .passage").first.wait_for()
        server.shutdown()
    assert page.context.browser
    beside = page.context.browser.new_page()  # what a browser refuses is no fault of the page
    beside.goto(f"{(tmp_path / 'site' / 'search.html').as_uri()}?q=flutter")
    beside.locator("#found", has_text="python -m http.server").wait_for()
    beside.close()


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""
