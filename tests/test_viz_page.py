"""The page as text: self-contained, always the same, with nothing but data that cannot run."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.ontology.iris import BASE
from rulesgraph.ontology.json_values import json_in_html
from rulesgraph.viz.page import page_data, render_page
from rulesgraph.viz.selection import Edge, LinkKind, Node, NodeKind, Passage, Selection, Stretch

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def iri(name: str) -> str:
    return f"{BASE}term/{name}"


def pebbles(**changes: Any) -> Selection:
    """Three things: a term that cites a rule that is only cited, and one in reserve."""
    words = (
        Stretch("Move it as "),
        Stretch("12.3", (iri("b"),)),
        Stretch(" says, and "),
        Stretch("elsewhere", (iri("gone"),)),
    )
    nodes = (
        Node(
            iri("a"),
            "Pebble",
            NodeKind.TERM,
            names=("Stone",),
            passages=(Passage("text", words, "P1a", "Pebbles", (4, 6)),),
        ),
        Node(iri("b"), "12.3", NodeKind.RULE, number="12.3", loaded=False, beyond=2),
        Node(iri("c"), "Shore", NodeKind.TERM, status="obsolete", reserve=True),
    )
    links = (
        Edge(iri("a"), iri("b"), (LinkKind.CITATION, LinkKind.MENTION)),
        Edge(iri("c"), iri("a"), (LinkKind.REDIRECT,)),
        Edge(iri("c"), iri("gone"), (LinkKind.MENTION,)),
    )
    return Selection(
        **{"title": "Pebbles", "note": "All.", "nodes": nodes, "links": links, "total": 3, **changes}
    )


class PageParts(HTMLParser):
    """Collects scripts, styles, the policy and every address of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []
        self.addresses: list[str] = []
        self.handlers: list[str] = []
        self.policy = ""
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.addresses += [
            str(given[name]) for name in ("src", "href", "action", "data", "poster") if name in given
        ]
        self.handlers += [name for name in given if name.startswith("on") or name == "style"]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = str(given["content"])
        self._inside = tag
        if tag == "script":
            self.scripts.append((given, ""))

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            given, text = self.scripts[-1]
            self.scripts[-1] = (given, text + data)
        if self._inside == "style":
            self.styles.append(data)


@pytest.fixture(scope="module")
def parts() -> PageParts:
    return PageParts(render_page(pebbles()))


def hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def drawn(selection: Selection) -> Any:
    """Return the data of the page."""
    return page_data(selection)


def test_the_page_asks_nobody_for_anything(parts: PageParts) -> None:
    assert set(parts.addresses) == {"data:,", "#panel"}
    assert not any("@import" in style or "url(" in style for style in parts.styles)


def test_the_policy_runs_the_two_scripts_and_the_one_style_and_nothing_else(parts: PageParts) -> None:
    policy = dict(part.split(" ", 1) for part in parts.policy.split("; "))
    running = [text for given, text in parts.scripts if given.get("type") != "application/json"]
    assert policy["default-src"] == "'none'"
    assert policy["script-src"].split() == [hashed(text) for text in running]
    assert policy["style-src"].split() == [hashed(text) for text in parts.styles]
    assert "unsafe" not in parts.policy
    assert parts.handlers == []


def test_the_page_names_its_library(parts: PageParts) -> None:
    """vis-network's licence asks for its notice."""
    assert any("vis-network" in text and "@license" in text for _, text in parts.scripts)


def test_the_page_says_what_it_is_and_has_no_control_characters() -> None:
    page = render_page(pebbles())
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", page)
    assert page.count('<meta name="description" content="') == 1


def test_the_same_selection_gives_the_same_page() -> None:
    assert render_page(pebbles()) == render_page(pebbles())


def test_the_same_store_gives_the_same_page_whatever_the_order_of_sets(
    starter_store: Path, tmp_path: Path
) -> None:
    pages = []
    for seed in ("1", "2"):
        file = tmp_path / f"{seed}.html"
        command = (
            sys.executable,
            "-m",
            "rulesgraph.app.cli",
            "viz",
            "--store",
            str(starter_store),
            "-o",
            str(file),
        )
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed})
        pages.append(file.read_bytes())
    assert pages[0] == pages[1]


@given(JSON)
def test_embedded_data_reads_back_and_holds_no_tag(data: Any) -> None:
    text = json_in_html(data)
    assert json.loads(text) == data
    assert not set("<>&") & set(text)


@pytest.mark.parametrize(
    "evil", ["</title><script>run()</script>", '"><img src=x onerror=run()>', "{{ 7*7 }}", "'; run() //"]
)
def test_a_title_is_text(evil: str) -> None:
    page = render_page(pebbles(title=evil))
    assert "<img" not in page
    assert len(PageParts(page).scripts) == 3
    assert "49" not in re.findall(r"<title>(.*?)</title>", page)[0]


# -- what the script reads ------------------------------------------------------------------------------


def test_things_and_links() -> None:
    data = drawn(pebbles())
    a, b, c = data["nodes"]
    assert [node["id"] for node in data["nodes"]] == [0, 1, 2]
    assert (a["label"], a["group"], a["shape"], a["key"], a["names"]) == (
        "Pebble",
        "term",
        "dot",
        "term/a",
        ["Stone"],
    )
    assert (b["shape"], b["loaded"], b["beyond"], b["number"]) == ("diamond", False, 2, "12.3")
    assert (c["status"], c["reserve"]) == ("obsolete", True)
    ends = [(edge["from"], edge["to"], edge["kinds"]) for edge in data["edges"]]
    assert ends == [(0, 1, ["citation", "mention"]), (2, 0, ["redirect"])], (
        "a link to what is not here is left out"
    )
    assert data["options"]["physics"] is False
    json.dumps(data)


def test_words_link_to_what_is_in_the_page() -> None:
    (passage,) = drawn(pebbles())["nodes"][0]["passages"]
    assert passage["pieces"] == ["Move it as ", ["12.3", 1], " says, and ", "elsewhere"]
    assert (passage["lines"], passage["number"]) == ((4, 6), "P1a")


def scheme_colours() -> dict[str, dict[str, str]]:
    """Return the colours of the light and the dark scheme by their names in the style sheet."""
    css = (resources.files("rulesgraph.viz") / "templates" / "page.css").read_text(encoding="utf-8")
    first, second = css.split(":root {")[1].split("}")[0], css.split('[data-theme="dark"] {')[1].split("}")[0]
    return {
        name: dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block))
        for name, block in (("light", first), ("dark", second))
    }


def test_every_kind_has_a_name_a_shape_and_a_colour() -> None:
    data = drawn(pebbles())
    assert {kind["key"] for kind in data["kinds"]} == set(NodeKind)
    assert {kind["key"] for kind in data["linkKinds"]} == set(LinkKind)
    assert len({kind["shape"] for kind in data["kinds"]}) == len(NodeKind)
    for colours in scheme_colours().values():
        assert set(LinkKind) <= set(colours)
        assert len({colours[kind] for kind in NodeKind}) == len(NodeKind)


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_shapes_stand_out(scheme: str) -> None:
    """WCAG 2.2: 4.5 for text (1.4.3), 3 for shapes that mean something (1.4.11)."""
    colours = scheme_colours()[scheme]
    for text in ("ink", "soft", "faint", "accent"):
        for ground in ("paper", "card", "raised"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for kind in (*NodeKind, *LinkKind):
        assert contrast(colours[kind], colours["paper"]) >= 3, kind


def test_what_much_relies_on_is_larger() -> None:
    nodes = tuple(Node(iri(str(i)), str(i), NodeKind.TERM) for i in range(5))
    links = tuple(Edge(iri(str(i)), iri("0"), (LinkKind.CITATION,)) for i in range(1, 5))
    sizes = [node["size"] for node in drawn(pebbles(nodes=nodes, links=links))["nodes"]]
    assert sizes[0] > sizes[1] == sizes[2]


def test_too_many_mentions_are_faint_but_for_those_that_join_the_focus() -> None:
    nodes = tuple(Node(iri(str(i)), str(i), NodeKind.TERM, steps=0 if i == 0 else 1) for i in range(30))
    mentions = tuple(
        Edge(iri(str(a)), iri(str(b)), (LinkKind.MENTION,)) for a in range(30) for b in range(30) if a != b
    )
    citation = Edge(iri("1"), iri("2"), (LinkKind.CITATION, LinkKind.MENTION))
    edges = drawn(pebbles(nodes=nodes, links=(*mentions, citation)))["edges"]
    bold = {(edge["from"], edge["to"]) for edge in edges if not edge["faint"]}
    assert bold == {(0, i) for i in range(1, 30)} | {(i, 0) for i in range(1, 30)} | {(1, 2)}
    few = drawn(pebbles(nodes=nodes, links=mentions[:20]))["edges"]
    assert not any(edge["faint"] for edge in few)


LATER = """
import sys
import rulesgraph.viz.map.page, rulesgraph.viz.page, rulesgraph.viz.select
print("pyvis" in sys.modules)
from rulesgraph.viz.html import empty_network
network = empty_network()
print(type(network).__module__, network.directed)
print(all(sys.modules[name].__spec__ for name in ("networkx", "jsonpickle", "IPython.display")))
"""


def test_pyvis_is_imported_when_a_picture_is_asked_for_and_then_as_it_is() -> None:
    """Nothing replaces what pyvis imports: a module made by hand would have no spec."""
    done = subprocess.run([sys.executable, "-c", LATER], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", "pyvis.network True", "True"]
