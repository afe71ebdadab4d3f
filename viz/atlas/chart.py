"""An edition's graph becomes a chart: everything that the page of the map is drawn from, without words."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...ontology.errors import NothingFoundError
from ...ontology.query_files import QueryFiles
from ..graph import Graph, Rows, in_words, read_graph
from ..selection import LinkKind, NodeKind
from .borders import Land, borders
from .gazetteer import Town, settle
from .levels import scales
from .places import SLOT, Ground, Spots, lay_out
from .roads import Road, neighbours, roads
from .traffic import closeness, traffic, weights

QUERIES = QueryFiles.beside(__name__)

WINDOW = (900.0, 660.0)
"""The window that the whole map is thought to be seen in, in pixels."""

NEAR = 0.8
"""The scale from which anything may be seen."""

CROWDED = 0.62
"""The share of its room that a chapter needs: towns are seen from afar, though not all their names are."""

RANKS = {NodeKind.SECTION: 3, NodeKind.CHAPTER: 2, NodeKind.TERM: 1}
"""Which kinds of thing are seen from farther than others, whatever relies on them."""


@dataclass(frozen=True, slots=True)
class Region:
    """A country, town or district: its name, the thing that it is (or empty) and its land.

    `within` is the place of the region around it: of a town the country, of a district the town.
    """

    name: str
    mark: str
    within: int
    land: Land


@dataclass(frozen=True, slots=True)
class Chart:
    """A map without words: places, levels and weights of things, regions and roads."""

    graph: Graph
    places: Mapping[str, tuple[int, int]]
    least: Mapping[str, float]
    weight: Mapping[str, float]
    town_of: Mapping[str, int]
    island: Land
    countries: tuple[Region, ...]
    towns: tuple[Region, ...]
    districts: tuple[Region, ...]
    roads: tuple[Road, ...]
    spots: Spots


def chart(rows: Rows, before: Spots | None = None) -> Chart:
    """Return the chart of all that the scope holds. The same graph gives the same chart.

    `before` is where the towns of a neighbouring edition lie: those of the same name start from there.

    Raises `NothingFoundError` where nothing is.
    """
    graph = _of_the_edition(read_graph(rows))
    if not graph.things:
        raise NothingFoundError("there is nothing to show", way_out="Load a document: rulesgraph build FILE")
    kinds: dict[str, list[str]] = defaultdict(list)
    for term, kind in in_words(rows(QUERIES.bound("kinds", {}))):
        kinds[term].append(kind)
    countries = settle(graph, kinds)
    towns = [(k, town) for k, country in enumerate(countries) for town in country.towns]
    town_of = {iri: k for k, (_, town) in enumerate(towns) for iri in _lives_in(town)}
    flows = traffic(graph, town_of)
    spots = before or {}
    known = {k: spots[name] for k, (_, it) in enumerate(towns) if (name := _name(it)) in spots}
    ground = lay_out(countries, closeness(flows), known)
    island, *lands = borders(ground)
    places = ground.positions()
    weight = weights(graph)
    return Chart(
        graph,
        places,
        _levels(graph, places, weight),
        weight,
        town_of,
        island,
        tuple(Region(it.name, it.mark, -1, land) for it, land in zip(countries, lands[0], strict=True)),
        tuple(Region(it.name, it.mark, k, land) for (k, it), land in zip(towns, lands[1], strict=True)),
        tuple(
            Region(name, "", town, land)
            for (town, name), land in zip(ground.districts, lands[2], strict=True)
        ),
        tuple(
            roads(
                [
                    places[it.mark] if it.mark else (land.x, land.y)
                    for (_, it), land in zip(towns, lands[1], strict=True)
                ],
                neighbours(ground.slots, ground.town),
                flows,
            )
        ),
        _spots(towns, ground),
    )


def _name(town: Town) -> str:
    """Return the name of a town without its number, by which editions know it."""
    return re.sub(r"^[\d.]+ ", "", town.name)


def _spots(towns: Sequence[tuple[int, Town]], ground: Ground) -> Spots:
    """Return where the middle of each town lies, in spreads of the whole ground."""
    slots = ground.slots
    middle, spread = slots.mean(axis=0), slots.std(axis=0)
    found = {}
    for k, (_, town) in enumerate(towns):
        x, y = (slots[ground.town == k].mean(axis=0) - middle) / spread
        found[_name(town)] = (float(x), float(y))
    return found


def _of_the_edition(graph: Graph) -> Graph:
    """Take out terms of other editions, of which nothing is said here, and keep them as old names."""
    strangers = {
        iri
        for iri, thing in graph.things.items()
        if thing.kind is NodeKind.TERM
        and not thing.entered
        and all(kinds <= {LinkKind.RENAMING} for _, kinds in graph.near(iri))
    }
    for iri in sorted(strangers):
        now, seen = iri, {iri}
        while now in strangers:
            after = [other for other in sorted(graph.links.get(now, {})) if other not in seen]
            if not after:
                break
            now = after[0]
            seen.add(now)
        if now not in strangers:
            graph.things[now].names.append(graph.things[iri].label)
    for iri in strangers:
        del graph.things[iri]
        graph.links.pop(iri, None)
        graph.into.pop(iri, None)
    for links in graph.links.values():
        for iri in strangers & links.keys():
            del links[iri]
    for sources in graph.into.values():
        sources.difference_update(strangers)
    return graph


def _lives_in(town: Town) -> list[str]:
    return [*([town.mark] if town.mark else []), *(iri for block in town.blocks for iri in block)]


def _levels(
    graph: Graph, places: Mapping[str, tuple[int, int]], weight: Mapping[str, float]
) -> dict[str, float]:
    """Return from which scale on each thing is seen: chapters from afar, what is only a number from near."""
    iris = list(places)
    order = sorted(
        range(len(iris)),
        key=lambda k: (-RANKS.get(graph.things[iris[k]].kind, 0), -weight.get(iris[k], 0.0), iris[k]),
    )
    whole = math.sqrt(WINDOW[0] * WINDOW[1] / (len(iris) * SLOT[0] * SLOT[1]))
    floors = [min(NEAR, whole * _nearness(graph, iri)) for iri in iris]
    claims = [CROWDED if graph.things[iri].kind is NodeKind.CHAPTER else 1.0 for iri in iris]
    points = np.array([places[iri] for iri in iris], dtype=float)
    return dict(zip(iris, scales(points, order, floors, claims), strict=True))


def _nearness(graph: Graph, iri: str) -> float:
    """Return how many times nearer than the whole map a thing is seen at the farthest."""
    if graph.things[iri].kind is not NodeKind.RULE:
        return 0.0
    return 2.4 if graph.things[graph.whole.get(iri, iri)].kind is NodeKind.RULE else 1.5
