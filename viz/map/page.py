"""Write the page of a map: the layout and the words of its things in one self-contained file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from ...ontology.grouping import grouped
from ...ontology.json_values import Json, compact
from ...queries.session.statements import Statements
from ..html import ThingLists, empty_network, render
from ..page import CANVAS, KIND_DATA, PAGE, PANEL, add_thing, passage_data
from ..passages import read_history, read_passages
from ..select import AnsweredQuestion, highlights_of
from ..selection import STRENGTH, LinkKind, Node, NodeKind
from .layout import MapLayout, Region, layout_of_map

MAP = (
    "map/regions.js",
    "map/marks.js",
    "map/links.js",
    "map/chain.js",
    "map/highlights.js",
    "map/map.js",
)
"""The scripts that draw the map."""

SCRIPTS = (*CANVAS, *MAP, *PANEL, "map/overview.js", "map/answer.js", "ranking.js", *PAGE)
"""The parts of the page's script, in the order in which they are joined."""

SEARCH = "search/"
"""The place of the site's search index, for a map that fetches its words."""

MapData = dict[str, Any]
"""The data of the page's script.

A link is its ends and the places of its kinds in order of strength. The regions are `sections`, `chapters`
and `groups`, in the `outline` of the whole map; `bundles` sum up the links between chapters.
"""


MapPage = tuple[str, int, int, str, str]
"""The title of a map, its number of things and of links, its HTML, and the words that it fetches, as JSON.

The last is empty if the page contains the words.
"""


def render_map(stated: Statements, asked: AnsweredQuestion | None = None, *, words_at: str = "") -> MapPage:
    """Return the page of everything in the scope, with the things of an answer highlighted, if any.

    With an address in `words_at` the page fetches the words of things from there. Raises `NothingFoundError`
    if the scope is empty.
    """
    layout = layout_of_map(stated)
    title = " and ".join(stated.titles)
    data = map_data(stated, layout, title)
    kinds = {iri: layout.graph.things[iri].kind for iri in layout.places}
    data["editions"], stages = read_history(stated, kinds)
    for iri, node in zip(layout.places, data["nodes"], strict=True):
        if iri in stages:
            node["past"] = stages[iri]
    if asked:
        ids = {iri: k for k, iri in enumerate(layout.places)}
        data["answer"] = highlights_of(layout.graph, asked.answer, asked.title, asked.about, ids)
        title = asked.title
    words = ""
    if words_at:
        data["words"], words = set_apart([node.pop("passages", []) for node in data["nodes"]], words_at)
        data["search"] = SEARCH
    html = render(title, data, SCRIPTS, note=data["note"], listing=listing_of(layout), fetches=bool(words_at))
    return title, len(layout.places), len(data["links"]), html, words


def set_apart(words: object, address: str) -> tuple[Json, str]:
    """Return the page's reference to the words at an address, and their file, as JSON.

    Both contain the same key.
    """
    text = compact(words)
    of = sha256(text.encode()).hexdigest()[:16]
    return {"at": address, "of": of}, f'{{"of":"{of}","words":{text}}}'


def listing_of(layout: MapLayout) -> ThingLists:
    """Return the names of the things of each chapter, in the order of the numbers."""
    labels = ((chapter, layout.graph.things[iri].label) for iri, chapter in layout.chapter_of.items())
    things = grouped(labels)
    return [(region.name, things[k]) for k, region in enumerate(layout.chapters)]


def map_data(stated: Statements, layout: MapLayout, title: str) -> MapData:
    """Return the data of the page's script: things with places and words, links, regions and bundles."""
    iris = stated.session.iris
    order = list(layout.places)
    place = {iri: k for k, iri in enumerate(order)}
    passages = read_passages(stated, layout.graph, order)
    documents = sorted({p.document for some in passages.values() for p in some})
    network = empty_network()
    for k, iri in enumerate(order):
        thing = layout.graph.things[iri]
        x, y = layout.places[iri]
        told = [(it, passage_data(it, documents, place, iris)) for it in passages.get(iri, ())]
        add_thing(
            network,
            k,
            thing,
            iris,
            size=_size(thing, layout.weight.get(iri, 0.0)),
            x=x,
            y=y,
            least=layout.min_scale[iri],
            chapter=layout.chapter_of.get(iri),
            # A passage that is the thing itself needs no key.
            passages=[{k: v for k, v in it.items() if k != "key" or of.iri != iri} for of, it in told],
        )
    terms = sum(layout.graph.things[iri].kind is NodeKind.TERM for iri in order)
    others = f"all {len(order) - terms:,} sections, chapters and rules"
    return {
        "title": title,
        "note": f"All {terms:,} terms and {others} of {' and '.join(stated.titles)}.",
        "total": len(order),
        "focus": None,
        "base": iris.base,
        "documents": documents,
        "nodes": [_lean(node) for node in network.nodes],
        "links": _links(layout, place),
        **KIND_DATA,
        "outline": layout.outline,
        "sections": [_region(it, place) for it in layout.sections],
        "chapters": [_region(it, place) for it in layout.chapters],
        "groups": [_region(it, place) for it in layout.groups],
        "bundles": [list(bundle) for bundle in layout.bundles],
    }


LEFT_OUT = {"font", "color"}
"""Fields that pyvis sets for each node and the page states once."""

USUAL: dict[str, Json] = {"names": [], "status": "", "loaded": True, "number": "", "passages": []}
"""Fields written only where they differ from the page's default."""


def _lean(node: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value
        for key, value in node.items()
        if key not in LEFT_OUT and not (key in USUAL and value == USUAL[key])
    }


def _size(thing: Node, weight: float) -> float:
    """Return the radius of a mark on the screen, in pixels: it grows with the reliance on the thing."""
    least = {NodeKind.CHAPTER: 6.0, NodeKind.SECTION: 7.0, NodeKind.TERM: 4.5}.get(thing.kind, 4.0)
    return round(min(13.0, least + 1.1 * math.log1p(weight)), 1)


def _links(layout: MapLayout, place: Mapping[str, int]) -> list[list[int]]:
    """Return each link as its ends and the places of its kinds in order of strength, including parts."""
    found: list[list[int]] = []
    for source in place:
        kinds = {target: set(some) for target, some in layout.graph.links.get(source, {}).items()}
        whole = layout.graph.whole.get(source, "")
        if whole in place:
            kinds.setdefault(whole, set()).add(LinkKind.PART)
        for target in sorted(kinds):
            if target in place:
                found.append(
                    [place[source], place[target], *sorted(STRENGTH[kind] for kind in kinds[target])]
                )
    return found


def _region(region: Region, place: Mapping[str, int]) -> dict[str, Any]:
    return {
        "name": region.name,
        "mark": place.get(region.mark),
        "within": region.within,
        **region.area,
    }
