"""Lay out a whole edition as a map: everything that its page draws, except the words."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...ontology import RDFS_LABEL, RG, NothingFoundError, grouped
from ...queries.session.statements import Statements
from ..graph import Graph, read_graph
from ..layout import Points
from ..selection import LinkKind, NodeKind
from .lines import Area, Bundle, bundle, closeness, flows_between, outlines_of, touching_owners, weights
from .placement import CELL, Centres, Placement, lay_out
from .regions import ChapterRegion, regions_of

WINDOW = (900.0, 660.0)
"""The size of the window in which the whole map is assumed to be seen, in pixels."""

NEAR = 0.8
"""The scale from which on anything may be shown."""

CROWDED = 0.62
"""The share of `ROOM` that a chapter needs: chapters are shown from afar, even if not all names fit."""

RANKS = {NodeKind.SECTION: 3, NodeKind.CHAPTER: 2, NodeKind.TERM: 1}
"""The kinds of things that are shown from farther away than others, whatever relies on them."""


class Region(NamedTuple):
    """A section, a chapter or a group of its things: the name, the thing that it is (or empty) and the area.

    `within` is the place of the region around it: for a chapter the section, for a group the chapter.
    """

    name: str
    mark: str
    within: int
    area: Area


class MapLayout(NamedTuple):
    """A map without words: places, levels and weights of things, regions and bundles."""

    graph: Graph
    places: Mapping[str, tuple[int, int]]
    min_scale: Mapping[str, float]
    weight: Mapping[str, float]
    chapter_of: Mapping[str, int]
    outline: Area
    sections: tuple[Region, ...]
    chapters: tuple[Region, ...]
    groups: tuple[Region, ...]
    bundles: tuple[Bundle, ...]
    centres: Centres


def layout_of_map(stated: Statements, before: Centres | None = None) -> MapLayout:
    """Return the map of everything in the scope. The same graph gives the same map.

    `before` are the places of a neighbouring edition's chapters: those of the same name start from there.

    Raises `NothingFoundError` if the scope is empty.
    """
    graph = _without_old_terms(read_graph(stated))
    if not graph.things:
        raise NothingFoundError("there is nothing to show", way_out="Load a document: rulesgraph build FILE")
    said = stated.pairs(RG.hasKind)
    called = dict(stated.of({kind for _, kind in said}, RDFS_LABEL))
    kinds = grouped(sorted((term, called[kind]) for term, kind in said if kind in called))
    sections = regions_of(graph, kinds)
    chapters = [(k, chapter) for k, section in enumerate(sections) for chapter in section.chapters]
    chapter_of = {iri: k for k, (_, chapter) in enumerate(chapters) for iri in chapter.things}
    flows = flows_between(graph, chapter_of)
    centres = before or {}
    known = {k: centres[name] for k, (_, it) in enumerate(chapters) if (name := _name(it)) in centres}
    placement = lay_out(sections, closeness(flows), known)
    outline, *areas = outlines_of(placement)
    places = placement.positions()
    weight = weights(graph)
    touching = touching_owners(placement.cells, placement.chapter)
    middles = [
        places[it.mark] if it.mark else (area["x"], area["y"])
        for (_, it), area in zip(chapters, areas[1], strict=True)
    ]
    return MapLayout(
        graph,
        places,
        _min_scales(graph, places, weight),
        weight,
        chapter_of,
        outline,
        tuple(Region(it.name, it.mark, -1, area) for it, area in zip(sections, areas[0], strict=True)),
        tuple(Region(it.name, it.mark, k, area) for (k, it), area in zip(chapters, areas[1], strict=True)),
        tuple(
            Region(name, "", chapter, area)
            for (chapter, name), area in zip(placement.groups, areas[2], strict=True)
        ),
        tuple(bundle(middles, touching, flows)),
        _centres(chapters, placement),
    )


def _name(chapter: ChapterRegion) -> str:
    """Return the name of a chapter without its number, by which editions match it."""
    return re.sub(r"^[\d.]+ ", "", chapter.name)


def _centres(chapters: Sequence[tuple[int, ChapterRegion]], placement: Placement) -> Centres:
    """Return the middle of each chapter, in units of the spread of the whole placement."""
    cells = placement.cells
    middle, spread = cells.mean(axis=0), cells.std(axis=0)
    found = {}
    for k, (_, chapter) in enumerate(chapters):
        x, y = (cells[placement.chapter == k].mean(axis=0) - middle) / spread
        found[_name(chapter)] = (float(x), float(y))
    return found


def _without_old_terms(graph: Graph) -> Graph:
    """Remove terms of other editions, about which nothing is said here, but keep their names as old names."""
    foreign = {
        iri
        for iri, thing in graph.things.items()
        if thing.kind is NodeKind.TERM
        and not thing.entered
        and all(kinds <= {LinkKind.RENAMING} for _, kinds in graph.near(iri))
    }
    for iri in sorted(foreign):
        now, seen = iri, {iri}
        while now in foreign:
            after = [other for other in sorted(graph.links.get(now, {})) if other not in seen]
            if not after:
                break
            now = after[0]
            seen.add(now)
        if now not in foreign:
            graph.things[now].names += (graph.things[iri].label,)
    for iri in foreign:
        del graph.things[iri]
        graph.links.pop(iri, None)
        graph.into.pop(iri, None)
    for links in graph.links.values():
        for iri in foreign & links.keys():
            del links[iri]
    for sources in graph.into.values():
        sources.difference_update(foreign)
    return graph


def _min_scales(
    graph: Graph, places: Mapping[str, tuple[int, int]], weight: Mapping[str, float]
) -> dict[str, float]:
    """Return the scale from which on each thing is shown: chapters from afar, bare numbers only close up."""
    iris = list(places)
    order = sorted(
        range(len(iris)),
        key=lambda k: (-RANKS.get(graph.things[iris[k]].kind, 0), -weight.get(iris[k], 0.0), iris[k]),
    )
    whole = math.sqrt(WINDOW[0] * WINDOW[1] / (len(iris) * CELL[0] * CELL[1]))
    floors = [min(NEAR, whole * _nearness(graph, iri)) for iri in iris]
    claims = [CROWDED if graph.things[iri].kind is NodeKind.CHAPTER else 1.0 for iri in iris]
    points = np.array([places[iri] for iri in iris], dtype=float)
    return dict(zip(iris, minimum_scales(points, order, floors, claims), strict=True))


def _nearness(graph: Graph, iri: str) -> float:
    """Return how much closer than the whole map the farthest view of a thing is, as a factor."""
    if graph.things[iri].kind is not NodeKind.RULE:
        return 0.0
    return 2.4 if graph.things[graph.whole.get(iri, iri)].kind is NodeKind.RULE else 1.5


# -- zoom levels -------------------------------------------------------------------------------------

ROOM = (76.0, 34.0)
"""The minimum distance of marks on the screen, across and down, in pixels: about a name."""

FARTHEST = 0.02
"""A scale at which the whole of any map is visible."""


def minimum_scales(
    places: Points, order: Sequence[int], floors: Sequence[float], claims: Sequence[float]
) -> list[float]:
    """Return the lowest scale at which each place is shown; `order` names places, the weightiest first.

    `floors` are scales below which a place is not shown, even if there is room. A place waits for all
    weightier ones that would be too near, whether they are shown by then or only later; `claims` are the
    shares of `ROOM` that each place needs around it.
    """
    points = (places / np.asarray(ROOM))[np.asarray(order, dtype=int)]
    ranked = np.full(len(order), FARTHEST)
    for rank, place in enumerate(order):
        needed = claims[place] / np.sqrt(((points[:rank] - points[rank]) ** 2).sum(axis=1))
        near = needed[needed > ranked[:rank]]
        ranked[rank] = max(FARTHEST, floors[place], near.max(initial=0.0))
    lowest = np.zeros(len(places))
    lowest[np.asarray(order, dtype=int)] = ranked
    return [float(scale) for scale in np.ceil(lowest * 1e4) / 1e4]
