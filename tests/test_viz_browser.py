"""The page in a real browser: it opens fast, makes no requests, runs nothing foreign, and works."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import Tabs, Watched, choose, until
from playwright.sync_api import Browser, Page, expect
from rulesgraph.ontology.iris import BASE
from rulesgraph.viz.page import render_page
from rulesgraph.viz.selection import Edge, LinkKind, Node, NodeKind, Passage, Selection, Stretch

Open = Callable[..., Watched]

# `make test` opens one such page, in test_viz_focus.py; test_viz_page.py checks as text that no words run.
pytestmark = pytest.mark.long(small="test_a_click_opens_the_neighbours_in_reserve_and_the_address_keeps_it")


@pytest.fixture
def show(tabs: Tabs, tmp_path: Path) -> Iterator[Open]:
    """Open the page of a selection; afterwards it must have made no requests and no complaints."""

    def call(selection: Selection, at: str = "", **view: object) -> Watched:
        return tabs.show(render_page(selection), tmp_path, at, **view)

    yield call
    assert tabs.leave() == []


def term(slug: str) -> str:
    return f"{BASE}term/{slug}"


def passage(*pieces: str | tuple[str, str], **where: str) -> Passage:
    parts = tuple(Stretch(p) if isinstance(p, str) else Stretch(p[0], (p[1],)) for p in pieces)
    return Passage(
        where.get("kind", "text"),
        parts,
        where.get("number", ""),
        "Boat pages",
        (7, 9),
        "BoatRules 2031-01-01",
        where.get("iri", ""),
    )


RULE = f"{BASE}edition/boats-1/rule/30.2"


def boats() -> Selection:
    """Five things: *Boat* cites 30.2 and mentions *Oar*; *Raft* redirects to it; *Sail* waits in reserve."""
    nodes = (
        Node(
            term("boat"),
            "Boat",
            NodeKind.TERM,
            names=("Boats", "Skiff"),
            passages=(
                passage(
                    "First words. A boat moves by ",
                    ("oar", term("oar")),
                    ", see ",
                    ("Rule 30.2", RULE),
                    ".",
                    number="B1a",
                    iri=f"{BASE}edition/boats-1/entry/boat/1",
                ),
                passage("Also see the harbour.", kind="note"),
            ),
            beyond=4,
        ),
        Node(RULE, "30.2", NodeKind.RULE, number="30.2", loaded=False),
        Node(term("oar"), "Oar", NodeKind.TERM, status="informal", passages=(passage("It is wet."),)),
        Node(term("raft"), "Raft", NodeKind.TERM, status="obsolete"),
        Node(term("sail"), "Sail", NodeKind.TERM, reserve=True),
    )
    links = (
        Edge(term("boat"), RULE, (LinkKind.CITATION,)),
        Edge(term("boat"), term("oar"), (LinkKind.MENTION,)),
        Edge(term("raft"), term("boat"), (LinkKind.REDIRECT,)),
        Edge(term("sail"), term("boat"), (LinkKind.NOTE,)),
    )
    return Selection("Boat rules", "Everything about boats.", nodes, links, total=9)


def alone() -> Selection:
    """One thing in the middle of the picture, with a neighbour in reserve."""
    nodes = (
        Node(term("boat"), "Boat", NodeKind.TERM),
        Node(term("sail"), "Sail", NodeKind.TERM, reserve=True),
    )
    return Selection("Boat", "One.", nodes, (Edge(term("sail"), term("boat"), (LinkKind.NOTE,)),), total=2)


def middle(page: Page) -> tuple[float, float]:
    box = page.locator("#stage").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


BLUE, GREEN, OCHRE = "46,116,181", "20,134,106", "189,125,0"
"""How terms, sections and rules are painted in the light scheme."""


def painted(page: Page) -> dict[str, tuple[float, float]]:
    """Return every opaque colour of the picture, with the middle of one of its dots on the page."""
    found: dict[str, tuple[float, float]] = page.evaluate(
        """() => {
          const canvas = document.querySelector("#stage canvas");
          const { width, height } = canvas;
          const { left, top } = canvas.getBoundingClientRect();
          const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
          copy.drawImage(canvas, 0, 0);
          const { data } = copy.getImageData(0, 0, width, height);
          const seen = {};
          for (let at = 0; at < data.length; at += 4) {
            const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
            seen[data.slice(at, at + 3).join()] ??= [left + x, top + y + 4];
          }
          return seen;
        }"""
    )
    return found


def chosen(page: Page) -> str:
    """The name of the thing whose words are in the panel."""
    return page.locator("#panel h2").inner_text()


# -- opening ------------------------------------------------------------------------------------------


def test_three_hundred_things_are_drawn_and_rest(show: Open) -> None:
    """The page has their positions, so they stay where the first frame shows them."""
    nodes = tuple(
        Node(term(f"t{i}"), f"Thing {i}", NodeKind.TERM, passages=(passage("Words. " * 60),))
        for i in range(300)
    )
    links = tuple(
        Edge(term(f"t{i}"), term(f"t{(i * k + k) % 300}"), (LinkKind.CITATION,))
        for i in range(300)
        for k in (7, 11, 2)
        if i != (i * k + k) % 300
    )
    selection = Selection("Three hundred", "All.", nodes, links, total=300)
    page = show(selection).page
    first = painted(page)
    assert BLUE in first
    page.wait_for_timeout(300)
    assert painted(page) == first


def test_the_overview_counts_and_ranks(show: Open) -> None:
    page = show(boats()).page
    assert page.title() == "Boat rules · rulesgraph"
    expect(page.locator("#count")).to_have_text("4 of 9 terms and rules, 3 links")
    expect(page.locator("#panel")).to_contain_text("Everything about boats.")
    assert page.locator("#marks .mark").all_inner_texts() == ["obsolete", "informal", "cited only"]
    ranked = page.locator("#panel .bars li").all_inner_texts()
    assert [line.split("\n")[0] for line in ranked] == ["30.2", "Oar"]  # a redirect is no reliance
    page.locator("#panel .bars button").first.click()
    assert chosen(page) == "30.2"


def test_pointing_at_a_thing_dims_what_is_not_linked_to_it(show: Open) -> None:
    nodes = (
        Node(term("boat"), "Boat", NodeKind.TERM),
        Node(f"{BASE}edition/boats-1/section/3", "3 Sea", NodeKind.SECTION),
        Node(RULE, "30.2", NodeKind.RULE),
    )
    page = show(Selection("?", "?", nodes, (Edge(term("boat"), RULE, (LinkKind.CITATION,)),), 3)).page
    assert {BLUE, GREEN, OCHRE} <= painted(page).keys()
    page.mouse.move(*painted(page)[BLUE])
    for _ in range(200):  # until the next frame is drawn
        if GREEN not in painted(page):
            break
        page.wait_for_timeout(50)
    assert {BLUE, OCHRE} <= painted(page).keys()
    assert GREEN not in painted(page)


# -- words and links ----------------------------------------------------------------------------------


def test_a_thing_shows_its_words_their_place_and_its_links(show: Open) -> None:
    page = show(boats()).page
    choose(page, "Boat", "Boat")
    panel = page.locator("#panel")
    expect(panel.locator(".names")).to_have_text("also Boats, Skiff")
    expect(panel.locator(".passage").first).to_contain_text(
        "First words. A boat moves by oar, see Rule 30.2."
    )
    expect(panel.locator(".source").first).to_have_text(
        "B1a · Boat pages · lines 7–9 · [BoatRules 2031-01-01]"
    )
    expect(panel.locator(".passage.note")).to_contain_text("Also see the harbour.")
    sections = {
        section.locator("h3").inner_text(): section.locator("li").all_inner_texts()
        for section in panel.locator("section").all()
    }
    assert sections == {
        "RELIES ON2": [
            "30.2\ncites\nA boat moves by oar, see Rule 30.2.",
            "Oar\nmentions\nA boat moves by oar, see Rule 30.2.",
        ],
        "RELIED ON BY1": ["Sail\nalso see"],
        "REDIRECTED FROM1": ["Raft\nsee"],
    }


def test_words_and_link_rows_lead_on(show: Open) -> None:
    page = show(boats(), at="#term/boat").page
    page.locator(".word", has_text="Rule 30.2").click()
    assert chosen(page) == "30.2"
    expect(page.locator("#panel")).to_contain_text("cited only, not loaded")
    page.locator("#panel .links button", has_text="Boat").click()
    assert chosen(page) == "Boat"


def test_a_click_chooses_and_a_click_beside_lets_go(show: Open) -> None:
    page = show(alone()).page
    page.mouse.click(*middle(page))
    expect(page.locator("#panel h2")).to_have_text("Boat")
    x, y = middle(page)
    page.mouse.click(x - 200, y - 200)
    expect(page.locator("#panel h2")).to_have_count(0)


def test_more_neighbours_and_those_beyond_the_page(show: Open) -> None:
    page = show(boats(), at="#term/boat").page
    expect(page.locator(".more").first).to_contain_text("4 linked things are not in this page")
    expect(page.locator(".more code")).to_have_text('rulesgraph viz --around "Boat" --depth 1 -o graph.html')
    page.locator("#expand").click()
    expect(page.locator("#count")).to_have_text("5 of 9 terms and rules, 4 links")
    expect(page.locator("#expand")).to_have_count(0)


def test_the_iri_can_be_copied(show: Open, browser: Browser) -> None:
    page = show(boats(), at="#term/boat").page
    link = page.locator(".iri a")
    expect(link).to_have_attribute("href", term("boat"))
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    page.locator(".iri button").click()
    expect(page.locator(".iri button")).to_have_text("Copied")
    page.locator("#search").focus()
    page.keyboard.press("Control+V")
    expect(page.locator("#search")).to_have_value(term("boat"))


# -- search -------------------------------------------------------------------------------------------


def test_search(show: Open) -> None:
    page = show(boats()).page
    for typed, found in {
        "boat": ["Boat"],
        "SKI": ["Boat"],  # by another name
        "30": ["30.2"],
        "a": ["Boat", "Oar", "Raft", "Sail"],
        "sail": ["Sail"],  # waits in reserve, and is found
    }.items():
        page.locator("#search").fill(typed)
        assert sorted(page.locator("#found .name").all_inner_texts()) == found, typed
        expect(page.locator("#search")).to_have_attribute("aria-expanded", "true")
    page.locator("#search").fill("zeppelin")
    expect(page.locator("#found")).to_have_text("No name matches. This page holds 5 of 9.")
    page.keyboard.press("Escape")
    expect(page.locator("#search")).to_have_value("")


def test_search_ranks_whole_names_then_beginnings_then_words(show: Open) -> None:
    labels = ("Boathouse", "House Boat", "30 Boats", "Boat", "Lifeboat")
    numbers = {"30 Boats": "30"}
    nodes = tuple(Node(term(name), name, NodeKind.TERM, number=numbers.get(name, "")) for name in labels)
    page = show(Selection("?", "?", nodes, (), total=5)).page
    page.locator("#search").fill("boat")
    found = page.locator("#found .name").all_inner_texts()
    assert found == ["Boat", "Boathouse", "30 Boats", "House Boat", "Lifeboat"]


def test_search_by_keyboard_alone(show: Open) -> None:
    page = show(boats()).page
    page.keyboard.press("/")
    page.keyboard.type("a")
    options = page.locator("#found [role=option]")
    expect(options.nth(0)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    active = page.locator("#search").get_attribute("aria-activedescendant")
    assert active == options.nth(1).get_attribute("id")
    name = options.nth(1).locator(".name").inner_text()
    page.keyboard.press("Enter")
    assert chosen(page) == name
    expect(page.locator("#found")).to_be_hidden()


# -- switches, address, keys --------------------------------------------------------------------------


def test_links_of_a_kind_can_be_switched_off(show: Open) -> None:
    page = show(boats()).page
    page.locator("label[for=link-mention]").click()
    expect(page.locator("#count")).to_have_text("4 of 9 terms and rules, 2 links")
    page.locator("label[for=link-mention]").click()
    expect(page.locator("#count")).to_have_text("4 of 9 terms and rules, 3 links")


def test_things_of_a_kind_can_be_switched_off(show: Open) -> None:
    page = show(boats(), at=f"#{RULE.removeprefix(BASE)}").page
    assert chosen(page) == "30.2"
    page.locator("#kind-rule").focus()
    page.keyboard.press("Space")
    expect(page.locator("#count")).to_have_text("3 of 9 terms and rules, 2 links")
    expect(page.locator("#panel h2")).to_have_count(0)  # what is hidden is let go
    choose(page, "30.2", "30.2")
    expect(page.locator("#kind-rule")).to_be_checked()  # what is chosen is shown


def test_the_address_chooses_and_back_goes_back(show: Open) -> None:
    page = show(boats(), at="#term/oar").page
    assert chosen(page) == "Oar"
    choose(page, "Boat", "Boat")
    assert page.url.endswith("#term/boat")
    page.go_back()
    expect(page.locator("#panel h2")).to_have_text("Oar")


def test_an_address_that_names_nothing_shows_the_overview(show: Open) -> None:
    page = show(boats(), at="#%E0%A4%A").page
    for address in ("term/none", "%", "__proto__", ""):
        expect(page.locator("#panel")).to_contain_text("Everything about boats.")
        page.evaluate("location.hash = '#term/boat'")
        expect(page.locator("#panel h2")).to_have_text("Boat")
        page.evaluate("(address) => { location.hash = address }", address)
    expect(page.locator("#panel")).to_contain_text("Everything about boats.")


def test_a_page_with_a_focus_opens_on_its_words(show: Open) -> None:
    selection = boats()
    page = show(Selection("Boat", "Near.", selection.nodes, selection.links, 5, focus=term("boat"))).page
    assert chosen(page) == "Boat"
    page.locator(".close").click()
    expect(page.locator("#panel")).to_contain_text("Near.")


def test_arrow_keys_walk_along_links(show: Open) -> None:
    page = show(boats(), at="#term/oar").page
    expect(page.locator("#live")).to_have_text("Oar, term, 1 linked thing shown")
    page.locator("#stage").focus()
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
        if chosen(page) != "Oar":
            break
    assert chosen(page) == "Boat", "Boat is the only thing linked to Oar"


def test_every_control_has_a_name_and_is_reached_by_tab(show: Open) -> None:
    page = show(boats(), at="#term/boat").page
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, [tabindex='0'], a[href]")]
             .filter((it) => ![it.getAttribute("aria-label"), it.textContent, it.labels?.[0]?.textContent]
               .some((name) => name?.trim()))
             .map((it) => it.outerHTML)"""
    )
    assert nameless == []
    reached = set()
    for _ in range(24):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
    assert {"search", "fit", "in", "out", "theme", "stage", "kind-term", "link-citation"} <= reached


# -- light, dark, small -------------------------------------------------------------------------------


@pytest.mark.parametrize(("scheme", "other"), [("light", "dark"), ("dark", "light")])
def test_light_and_dark(show: Open, scheme: str, other: str) -> None:
    page = show(boats(), scheme=scheme).page
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", scheme)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    expect(root).to_have_attribute("data-theme", other)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != ground


def test_without_a_script_a_dark_scheme_is_dark(browser: Browser, tmp_path: Path) -> None:
    (file := tmp_path / "boats.html").write_text(render_page(boats()), encoding="utf-8")
    with browser.new_context(java_script_enabled=False, color_scheme="dark") as plain:
        page = plain.new_page()
        page.goto(file.as_uri())
        expect(page.locator("body")).to_have_css("background-color", "rgb(17, 21, 27)")
        expect(page.locator(".plain li").first).to_have_css("color", "rgb(232, 235, 240)")


def test_nothing_sticks_out_of_a_small_window(show: Open) -> None:
    page = show(boats(), at="#term/boat", width=1024, height=700).page
    for width, height in ((1024, 700), (390, 844), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for part in ("#stage", "#panel", "#search"):
            box = page.locator(part).bounding_box()
            assert box is not None
            assert box["x"] >= 0, part
            assert box["x"] + box["width"] <= width + 1, part
            assert box["width"] > 100, part
            assert box["height"] > 30, part


def test_a_chosen_name_stays_in_the_picture_however_long_it_is(show: Open) -> None:
    nodes = (Node(term("boat"), "WIDE BOAT " * 20, NodeKind.TERM),)
    page = show(Selection("Boat", "One.", nodes, (), total=1), at="#term/boat", width=320, height=568).page
    inked: list[int] = page.evaluate("""() => {
      const context = document.querySelector("#stage canvas").getContext("2d");
      const { width, height, data } = context.getImageData(0, 0, context.canvas.width, context.canvas.height);
      const drawn = (x) => [...Array(height).keys()].some((y) => data[4 * (y * width + x) + 3] > 0);
      return [...Array(width).keys()].filter(drawn);
    }""")
    assert 3 <= min(inked) < max(inked) <= 316


# -- untrusted words ----------------------------------------------------------------------------------

EVIL = (
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"><svg onload=document.title='owned'>",
    "<!--<script>",
    "' onmouseover='document.title=1' href='javascript:alert(1)",
    "\u2028\u2029\\u003cscript\\u003e ${document.title='owned'} {{7*7}}",
)


def test_nothing_foreign_runs(show: Open) -> None:
    """The same words as title, note, name, number, IRI, document, text, quote and link."""
    nodes: list[Node] = [Node("__proto__", "constructor", NodeKind.SECTION)]
    links: list[Edge] = []
    for at, evil in enumerate(EVIL):
        bad, rule = f"javascript:alert({at})//{evil}", term(f"b{at}")
        words = (
            Passage(
                "text", (Stretch(evil), Stretch(evil, (rule,)), Stretch(". Then.")), evil, evil, (1, 1), evil
            ),
            Passage("note", (Stretch(evil),)),
        )
        nodes += [
            Node(bad, f"{at} {evil}", NodeKind.TERM, number=evil, names=(evil,), passages=words, beyond=1),
            Node(rule, f"rule {evil}", NodeKind.RULE, number=evil, passages=words),
        ]
        links += [
            Edge(bad, rule, (LinkKind.CITATION, LinkKind.MENTION)),
            Edge(rule, bad, (LinkKind.REDIRECT,)),
        ]
    everything = " ".join(EVIL)
    page = show(Selection(everything, everything, tuple(nodes), tuple(links), total=99)).page
    assert page.title() == f"{everything} · rulesgraph"
    for at, evil in enumerate(EVIL):
        page.locator("#search").fill(f"{at} {evil[:9]}")
        page.keyboard.press("Enter")
        assert page.locator("#panel h2").text_content() == f"{at} {evil}"
        expect(page.locator("#panel .iri span")).to_have_count(1)  # no web address: nothing to click
        assert page.locator("#panel .passage p").first.text_content() == f"{evil}{evil}. Then."
        page.locator("#panel .links button").first.hover()
        page.locator("#panel .word").first.click()
        assert page.locator("#panel h2").text_content() == f"rule {evil}"
    page.mouse.move(*middle(page))
    foreign = "img, iframe, object, embed, base, [onerror], [onload], [onmouseover], a[href^='javascript']"
    assert page.locator(foreign).count() == 0
    assert page.locator("script").count() == 3
    assert page.title() == f"{everything} · rulesgraph"


def test_the_policy_stops_what_would_run(browser: Browser, tmp_path: Path) -> None:
    """The second barrier: a script that got into the page does not run, and nothing is fetched."""
    text = render_page(boats()).replace(
        "<main>", "<script>document.title = 'owned'</script><img src='https://example.org/x.png'><main>"
    )
    file = tmp_path / "broken-into.html"
    file.write_text(text, encoding="utf-8")
    watched = Watched(browser)
    watched.page.goto(file.as_uri())
    until(watched.page, "performance.getEntriesByName('rulesgraph:drawn').length > 0")
    assert watched.page.title() == "Boat rules · rulesgraph"
    assert sum("Content Security Policy" in complaint for complaint in watched.complaints) == 2
    written = watched.page.evaluate(
        """() => {
          try { document.body.innerHTML = "<b>x</b>"; return "written"; } catch (error) { return error.name; }
        }"""
    )
    assert written == "TypeError"
    watched.page.close()
