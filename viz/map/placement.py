"""Give each thing a cell of a grid shaped like an island, near what it belongs to and relies on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import rustworkx as rx
from numpy.typing import NDArray

from ..layout import Points
from .regions import ChapterRegion, SectionRegion

Owners = NDArray[np.intp]

ROW = 3**0.5 / 2
"""The distance of rows in a staggered grid with neighbours 1 apart."""

PRICE_ROUNDS = 150
"""How often sites change their prices before points are passed on."""

RISE = 0.35
"""How much the price of a site rises (in squared distances) for each point too many."""

COAST = ((2, 0.045, 0.9), (3, 0.06, 2.1), (5, 0.035, 4.0), (9, 0.02, 1.3), (14, 0.012, 5.2))
"""The bays of the coast: their number, their depth, and the angle of the first one (radians)."""


def grid_of(count: int, aspect: float) -> Points:
    """Return `count` cells, 1 apart from their neighbours, that together have the shape of an island.

    `aspect` is the ratio of width to height; rows go from top to bottom, each from left to right.
    """
    high = max(3, int(np.ceil(np.sqrt(count / aspect))) + 4)
    wide = max(3, int(np.ceil(high * aspect)) + 4)
    rows, columns = np.mgrid[-high : high + 1, -wide : wide + 1]
    points = np.stack((columns + 0.5 * (rows % 2), rows * ROW), axis=-1).reshape(-1, 2)
    x, y = points[:, 0] / aspect**0.5, points[:, 1] * aspect**0.5
    angle = np.arctan2(y, x)
    shore = 1 + sum(depth * np.sin(bays * angle + first) for bays, depth, first in COAST)
    far = (np.abs(x) ** 2.6 + np.abs(y) ** 2.6) ** (1 / 2.6) / shore
    nearest = np.sort(np.argsort(far, kind="stable")[:count])
    chosen: Points = points[nearest]
    return chosen


def partition(points: Points, sites: Points, sizes: Sequence[int], rounds: int = 2) -> Owners:
    """Return the site of each point, so that each site has exactly as many points as its size.

    The sizes add up to the number of points. Shares are the cells of a power diagram, each in one piece; each
    site moves half-way to the middle of its share `rounds` times, so that shares become round.
    """
    wanted = np.asarray(sizes)
    cost = _priced(points, sites, wanted)
    for _ in range(rounds):
        owners = cost.argmin(axis=1)
        middles = np.array(
            [
                points[owners == k].mean(axis=0) if (owners == k).any() else site
                for k, site in enumerate(sites)
            ]
        )
        sites = (sites + middles) / 2
        cost = _priced(points, sites, wanted)
    shares: Owners = cost.argmin(axis=1)
    over = np.bincount(shares, minlength=len(sites)) - wanted
    while over.any():
        _pass_on(cost, shares, over)
    return shares


def _priced(points: Points, sites: Points, wanted: Owners) -> Points:
    """Return what each point pays for each site: the squared distance plus the price of the site.

    The price of a site rises if too many points want it, and falls if too few do, until all or nearly all
    fit.
    """
    cost: Points = ((points[:, None, :] - sites[None, :, :]) ** 2).sum(axis=2)
    for _ in range(PRICE_ROUNDS):
        over = np.bincount(cost.argmin(axis=1), minlength=len(sites)) - wanted
        if not over.any():
            break
        cost += RISE * over
    return cost


def _pass_on(cost: Points, owners: Owners, over: Owners) -> None:
    """Pass one point from a site with too many to one with too few, through the sites between them.

    Each site on the path gives up the point that costs it least; the path is the cheapest (Bellman and Ford).
    """
    start = int(over.argmax())
    loss = cost - cost[np.arange(len(owners)), owners][:, None]
    step = np.full((len(over), len(over)), np.inf)
    np.minimum.at(step, owners, np.maximum(loss, 0.0))
    total, before = step[start].copy(), np.full(len(over), start)
    total[start] = 0.0
    for _ in range(len(over)):
        through = total[:, None] + step
        better = through.min(axis=0) < total - 1e-12
        if not better.any():
            break
        before[better] = through.argmin(axis=0)[better]
        total[better] = through.min(axis=0)[better]
    end = int(np.where(over < 0, total, np.inf).argmin())
    over[start] -= 1
    over[end] += 1
    while end != start:
        giver = int(before[end])
        own = np.flatnonzero(owners == giver)
        owners[own[loss[own, end].argmin()]] = end
        end = giver


def row_sites(points: Points, sizes: Sequence[int]) -> Points:
    """Return a site for each size, in reading order: bands of rows from the top, each from left to right."""
    band = max(1.0, np.sqrt(np.mean(sizes)) * ROW)
    order = np.lexsort((points[:, 0], np.floor((points[:, 1] - points[:, 1].min() + 1e-6) / band)))
    ends = np.cumsum(sizes)
    sites: Points = np.array(
        [points[order[end - size : end]].mean(axis=0) for size, end in zip(sizes, ends, strict=True)]
    )
    return sites


# -- places in the grid ------------------------------------------------------------------------------

CELL = (104.0, 50.0)
"""The distance between neighbours in a row, and between rows, in pixels at scale 1; a name fits in."""

ASPECT = 0.74
"""The ratio of the grid's width to its height, in cells; cells themselves are wider than high."""

SPARE = 0.05
"""The share of cells that stay empty in a chapter."""

SEED = 420
ROUNDS = 300

COHESION = 0.06
"""The closeness of the chapters of one section in the layout, in addition to the links between them.

With less, a few changed links would rotate the map of one edition against that of the next."""


Centres = dict[str, tuple[float, float]]
"""The places of chapters of other editions, by name without number; 1 is the spread of the whole map."""


@dataclass(slots=True)
class Placement:
    """Where everything is: cells, 1 apart from their neighbours, and their owners.

    `section`, `chapter` and `group` give the owner of each cell, as its place among the sections, the
    chapters of all sections, and `groups` (-1: none); `at` is the cell of each thing.
    """

    cells: Points
    section: Owners
    chapter: Owners
    group: Owners
    groups: list[tuple[int, str]] = field(default_factory=list)
    at: dict[str, int] = field(default_factory=dict)

    def positions(self) -> dict[str, tuple[int, int]]:
        """Return the place of each thing in pixels at scale 1."""
        places = scaled(self.cells)
        return {iri: (round(float(places[k, 0])), round(float(places[k, 1]))) for iri, k in self.at.items()}


def scaled(points: Points) -> Points:
    """Return points of the grid in pixels at scale 1."""
    places: Points = points * np.array([CELL[0], CELL[1] / ROW])
    return places


def lay_out(
    sections: Sequence[SectionRegion],
    close: Mapping[tuple[int, int], float],
    before: Mapping[int, tuple[float, float]],
) -> Placement:
    """Return the placement of everything; the same sections always give the same one.

    `close` says how close two chapters should be, by their places among the chapters of all sections;
    `before` has the positions of chapters already placed.
    """
    chapters = [(k, chapter) for k, section in enumerate(sections) for chapter in section.chapters]
    sizes = [(held := len(chapter.things)) + math.ceil(SPARE * held) + 1 for _, chapter in chapters]
    needs = [int(bool(section.mark)) for section in sections]
    for (k, _), size in zip(chapters, sizes, strict=True):
        needs[k] += size
    cells = grid_of(sum(needs), ASPECT)
    no_owner = np.full(len(cells), -1)
    centres = _centres_of([k for k, _ in chapters], sizes, close, cells, before)
    middles = np.zeros((len(sections), 2))
    for (k, _), size, centre in zip(chapters, sizes, centres, strict=True):
        middles[k] += centre * size / (needs[k] - bool(sections[k].mark))
    placement = Placement(cells, partition(cells, middles, needs, rounds=3), no_owner.copy(), no_owner.copy())
    for k, section in enumerate(sections):
        free = _take_middle(placement, np.flatnonzero(placement.section == k), section.mark)
        own = [t for t, (home, _) in enumerate(chapters) if home == k]
        share = partition(cells[free], _fitted(centres[own], cells[free]), [sizes[t] for t in own])
        for place, t in enumerate(own):
            placement.chapter[free[share == place]] = t
            _fill_chapter(placement, free[share == place], chapters[t][1], t)
    return placement


def _fill_chapter(placement: Placement, free: Owners, chapter: ChapterRegion, number: int) -> None:
    """Give every thing of a chapter its cell: its mark in the middle, blocks around it in reading order."""
    free = _take_middle(placement, free, chapter.mark)
    names = chapter.groups or [""] * len(chapter.blocks)
    groups = sorted(set(names), key=lambda name: (-names.count(name), name))
    parts = [
        [block for block, of in zip(chapter.blocks, names, strict=True) if of == name] for name in groups
    ]
    sizes = [sum(map(len, blocks)) for blocks in parts]
    if not sizes:
        return
    sizes = _padded(sizes, len(free))
    share = partition(placement.cells[free], row_sites(placement.cells[free], sizes), sizes)
    for k, (name, blocks) in enumerate(zip(groups, parts, strict=True)):
        part = free[share == k]
        if name:
            placement.group[part] = len(placement.groups)
            placement.groups.append((number, name))
        _fill(placement, part, blocks)


def _fill(placement: Placement, free: Owners, blocks: Sequence[Sequence[str]]) -> None:
    sizes = _padded([len(block) for block in blocks], len(free))
    share = partition(placement.cells[free], row_sites(placement.cells[free], sizes), sizes, rounds=1)
    for k, block in enumerate(blocks):
        own = free[share == k]  # cells are in reading order
        placement.at.update(zip(block, own.tolist(), strict=False))


def _padded(sizes: Sequence[int], total: int) -> list[int]:
    """Return the sizes with the rest of the total spread evenly among them."""
    padded = list(sizes)
    spare = total - sum(sizes)
    for n in range(spare):
        padded[(2 * n + 1) * len(sizes) // (2 * spare)] += 1
    return padded


def _take_middle(placement: Placement, free: Owners, mark: str) -> Owners:
    """Give a mark the middle free cell; return the others."""
    if not mark:
        return free
    places = placement.cells[free]
    middle = int(((places - places.mean(axis=0)) ** 2).sum(axis=1).argmin())
    placement.at[mark] = int(free[middle])
    return np.delete(free, middle)


def _centres_of(
    home: Sequence[int],
    sizes: Sequence[int],
    close: Mapping[tuple[int, int], float],
    cells: Points,
    before: Mapping[int, tuple[float, float]],
) -> Points:
    """Return a centre for each chapter by springs, from its old place or the one that its number suggests.

    If most chapters have a place, the others are fitted in among them, and nothing else moves.
    """
    count = len(home)
    angle = 2 * np.pi * (np.cumsum(sizes) - np.asarray(sizes) / 2) / sum(sizes)
    first = np.stack((-np.cos(angle), -np.sin(angle)), axis=1)
    for k, centre in before.items():
        first[k] = centre
    settled = set(before) if 2 * len(before) > count else None
    graph: rx.PyGraph[int, float] = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    pulls = {(a, b): COHESION for a in range(count) for b in range(a + 1, count) if home[a] == home[b]}
    for pair, share in close.items():
        pulls[pair] = pulls.get(pair, 0.0) + share
    graph.add_edges_from([(a, b, pull) for (a, b), pull in sorted(pulls.items())])
    found = rx.spring_layout(
        graph,
        pos={k: (float(x), float(y)) for k, (x, y) in enumerate(first)},
        k=1.4 / np.sqrt(count),
        num_iter=ROUNDS,
        fixed=settled,
        weight_fn=float,
        seed=SEED,
    )
    return _fitted(np.array([found[k] for k in range(count)]).reshape(-1, 2), cells)


def _fitted(centres: Points, cells: Points) -> Points:
    """Return centres moved and scaled so that they spread as far as the cells do."""
    spread = np.maximum(centres.std(axis=0), 1e-9)
    fitted: Points = (centres - centres.mean(axis=0)) / spread * cells.std(axis=0) + cells.mean(axis=0)
    return fitted
