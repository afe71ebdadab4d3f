"""A chart and the words of its things become one self-contained page."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NotRequired, TypedDict, cast

from ...ontology.iris import Iris
from ...ontology.json_values import Json
from ..choosing import Inquiry
from ..graph import Rows, Vertex, edition_titles
from ..lights import lights, lights_data
from ..network import empty_network
from ..page import KINDS, LINK_KINDS, OPTIONS, PAGE, PANEL, PAPER, PageHead, PassageData, passage_data, render
from ..passages import read_passages
from ..past import PastReader
from ..selection import STRENGTH, LinkKind, NodeKind, Passage
from .borders import Land
from .chart import Chart, Region, chart

LAND = (
    "atlas/land.js",
    "atlas/marks.js",
    "atlas/ties.js",
    "atlas/chain.js",
    "atlas/lights.js",
    "atlas/map.js",
)
"""What draws the map."""

SCRIPTS = (*PAPER, *LAND, *PANEL, "atlas/overview.js", "atlas/answer.js", *PAGE)
"""The parts of the page's script, in the order in which they are joined."""


class LandData(TypedDict):
    """Land as the page's script reads it."""

    x: int
    y: int
    reach: int
    outlines: list[Json]


class RegionData(LandData):
    """A region as the page's script reads it; `mark` is the id of the thing whose name it bears."""

    name: str
    mark: int | None
    within: int


class NodeData(TypedDict, total=False):
    """A thing as the page's script reads it; what is only the usual is not said."""

    id: int
    label: str
    shape: str
    group: str
    size: float
    x: float
    y: float
    least: float
    town: int | None
    iri: str
    key: str
    number: str
    names: list[str]
    status: str
    loaded: bool
    passages: list[PassageData]
    past: Json


class GroundData(TypedDict):
    """What a map has of its own besides things and links."""

    island: LandData
    countries: list[RegionData]
    towns: list[RegionData]
    districts: list[RegionData]
    roads: Json
    documents: list[str]


class AtlasData(GroundData):
    """What the page reads; a link is its ends and the places of its kinds in the order of strength."""

    title: str
    note: str
    total: int
    focus: None
    base: str
    nodes: list[NodeData]
    links: list[list[int]]
    options: Json
    kinds: Json
    linkKinds: Json
    editions: NotRequired[Json]
    answer: NotRequired[Json]
    words: NotRequired[Json]


@dataclass(frozen=True, slots=True)
class Atlas:
    """The page of a whole edition: its title, how many things and links it holds, and all of it as HTML.

    `words` is what the page fetches when somebody wants to read, as JSON, where it was asked for apart.
    """

    title: str
    things: int
    links: int
    html: str
    words: str = ""


def render_atlas(
    rows: Rows,
    base: str,
    asked: Inquiry | None = None,
    pasts: PastReader | None = None,
    *,
    words_at: str = "",
) -> Atlas:
    """Return the page of everything that the scope holds, with an answer lit up on it where one is given.

    `pasts` tells what became of things in the editions before. With an address in `words_at` the page
    fetches the words of things from there. Raises `NothingFoundError` where nothing is.
    """
    drawn = chart(rows)
    head = PageHead(" and ".join(edition_titles(rows)), "")
    data = data_of(rows, drawn, head, base)
    if pasts:
        _tell_pasts(data, drawn, pasts)
    head = replace(head, note=data["note"], listing=listing_of(drawn))
    if asked:
        found = lights(drawn.graph, asked.answer, asked.title, asked.about, asked.answer.notes)
        data["answer"] = lights_data(found, {iri: k for k, iri in enumerate(drawn.places)})
        head = replace(head, title=asked.title)
    words = ""
    if words_at:
        data["words"], words = set_apart([node.pop("passages", []) for node in data["nodes"]], words_at)
    html = render(head, data, SCRIPTS, fetches=bool(words_at))
    return Atlas(head.title, len(drawn.places), len(data["links"]), html, words)


def set_apart(words: object, address: str) -> tuple[Json, str]:
    """Return what a page says of words that it fetches from an address, and what is found there, as JSON.

    Both name what belongs together.
    """
    text = json.dumps(words, ensure_ascii=False, separators=(",", ":"))
    of = sha256(text.encode()).hexdigest()[:16]
    return {"at": address, "of": of}, f'{{"of":"{of}","words":{text}}}'


def _tell_pasts(data: AtlasData, drawn: Chart, pasts: PastReader) -> None:
    past = pasts({iri: drawn.graph.things[iri].kind for iri in drawn.places})
    data["editions"] = past.data()
    for iri, node in zip(drawn.places, data["nodes"], strict=True):
        if iri in past.stages:
            node["past"] = past.of(iri)


def listing_of(drawn: Chart) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the names of what lives in each town, in the order of the numbers."""
    things: dict[int, list[str]] = defaultdict(list)
    for iri, town in drawn.town_of.items():
        things[town].append(drawn.graph.things[iri].label)
    return tuple((region.name, tuple(things[k])) for k, region in enumerate(drawn.towns))


def data_of(rows: Rows, drawn: Chart, head: PageHead, base: str) -> AtlasData:
    """Return what the page's script reads of a chart, with the words that `rows` bring."""
    passages = read_passages(rows, drawn.graph, list(drawn.places))
    return atlas_data(drawn, passages, replace(head, note=_note(drawn, edition_titles(rows))), base)


def _note(drawn: Chart, titles: Sequence[str]) -> str:
    terms = sum(drawn.graph.things[iri].kind is NodeKind.TERM for iri in drawn.places)
    others = len(drawn.places) - terms
    return f"All {terms:,} terms and all {others:,} sections, chapters and rules of {' and '.join(titles)}."


def atlas_data(
    drawn: Chart, passages: Mapping[str, tuple[Passage, ...]], head: PageHead, base: str
) -> AtlasData:
    """Return what the page's script reads: things with places and words, links, regions and roads."""
    iris = Iris(base)
    order = list(drawn.places)
    place = {iri: k for k, iri in enumerate(order)}
    documents = sorted({p.document for some in passages.values() for p in some})
    network = empty_network()
    for k, iri in enumerate(order):
        thing = drawn.graph.things[iri]
        x, y = drawn.places[iri]
        network.add_node(
            k,
            label=thing.label,
            shape=KINDS[thing.kind][2],
            group=thing.kind.value,
            size=_size(thing, drawn.weight.get(iri, 0.0)),
            x=x,
            y=y,
            least=drawn.least[iri],
            town=drawn.town_of.get(iri),
            iri=iri,
            key=iris.local(iri),
            number=thing.number,
            names=thing.names,
            status=thing.status,
            loaded=thing.loaded,
            passages=[_lean_passage(p, iri, documents, place, iris) for p in passages.get(iri, ())],
        )
    return {
        "title": head.title,
        "note": head.note,
        "total": len(order),
        "focus": None,
        "base": base,
        "documents": documents,
        "nodes": [_lean(node) for node in network.nodes],
        "links": _links(drawn, place),
        "options": OPTIONS,
        "kinds": [
            {"key": kind.value, "name": name, "plural": plural, "shape": shape}
            for kind, (name, plural, shape) in KINDS.items()
        ],
        "linkKinds": [
            {"key": kind.value, "name": name, "says": says} for kind, (name, says) in LINK_KINDS.items()
        ],
        "island": _land(drawn.island),
        "countries": [_region(it, place) for it in drawn.countries],
        "towns": [_region(it, place) for it in drawn.towns],
        "districts": [_region(it, place) for it in drawn.districts],
        "roads": [list(road) for road in drawn.roads],
    }


def _lean_passage(
    passage: Passage, owner: str, documents: Sequence[str], place: Mapping[str, int], iris: Iris
) -> PassageData:
    """Return a passage as the page reads it; one that is the thing itself has no key of its own."""
    data = passage_data(passage, documents, place, iris)
    if passage.iri == owner:
        del data["key"]
    return data


LEFT_OUT = {"font", "color"}
"""What pyvis says of each node and the page says once."""

USUAL: dict[str, Json] = {"names": [], "status": "", "loaded": True, "number": "", "passages": []}
"""What is said only where it is otherwise; the page knows."""


def _lean(node: Mapping[str, object]) -> NodeData:
    kept = {
        key: value
        for key, value in node.items()
        if key not in LEFT_OUT and not (key in USUAL and value == USUAL[key])
    }
    return cast("NodeData", kept)


def _size(thing: Vertex, weight: float) -> float:
    """Return the radius of a mark on the screen, in pixels: it grows with what relies on the thing."""
    least = {NodeKind.CHAPTER: 6.0, NodeKind.SECTION: 7.0, NodeKind.TERM: 4.5}.get(thing.kind, 4.0)
    return round(min(13.0, least + 1.1 * math.log1p(weight)), 1)


def _links(drawn: Chart, place: Mapping[str, int]) -> list[list[int]]:
    """Return each link as its ends and the places of its kinds in the order of strength; parts among them."""
    found: list[list[int]] = []
    for source in place:
        kinds = {target: set(some) for target, some in drawn.graph.links.get(source, {}).items()}
        whole = drawn.graph.whole.get(source, "")
        if whole in place:
            kinds.setdefault(whole, set()).add(LinkKind.PART)
        for target in sorted(kinds):
            if target in place:
                found.append(
                    [place[source], place[target], *sorted(STRENGTH[kind] for kind in kinds[target])]
                )
    return found


def _region(region: Region, place: Mapping[str, int]) -> RegionData:
    land = _land(region.land)
    return {"name": region.name, "mark": place.get(region.mark), "within": region.within, **land}


def _land(land: Land) -> LandData:
    return {"x": land.x, "y": land.y, "reach": land.reach, "outlines": [list(line) for line in land.outlines]}
