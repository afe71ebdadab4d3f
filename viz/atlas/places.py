"""Countries become places: a slot of the island for each thing, near what it belongs to and relies on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import rustworkx as rx

from ..layout import Points
from .gazetteer import Country, Town
from .slots import ROW, Owners, island, run_sites, share_out

SLOT = (104.0, 50.0)
"""How far neighbours stand apart in a row, and rows from each other, in pixels at scale 1: a name fits."""

ASPECT = 0.74
"""How much wider than high the island is, counted in slots; slots themselves are wider than high."""

FIELDS = 0.05
"""The share of slots that stay empty in a town."""

SEED = 420
ROUNDS = 300

COHESION = 0.04
"""How close the towns of one country are for the layout, besides their traffic."""


Spots = dict[str, tuple[float, float]]
"""Where towns of other editions lie, by their names without numbers; 1 is the spread of the whole map."""


@dataclass(slots=True)
class Ground:
    """Where everything is: slots, 1 apart from their neighbours, and who owns them.

    `country`, `town` and `district` hold the owner of each slot by its place among the countries, the
    towns of all countries, and `districts` (-1: none); `at` is the slot of each thing.
    """

    slots: Points
    country: Owners
    town: Owners
    district: Owners
    districts: list[tuple[int, str]] = field(default_factory=list)
    at: dict[str, int] = field(default_factory=dict)

    def positions(self) -> dict[str, tuple[int, int]]:
        """Return the place of each thing in pixels at scale 1."""
        places = scaled(self.slots)
        return {iri: (round(float(places[k, 0])), round(float(places[k, 1]))) for iri, k in self.at.items()}


def scaled(points: Points) -> Points:
    """Return points of the grid in pixels at scale 1."""
    places: Points = points * np.array([SLOT[0], SLOT[1] / ROW])
    return places


def lay_out(
    countries: Sequence[Country],
    close: Mapping[tuple[int, int], float],
    before: Mapping[int, tuple[float, float]],
) -> Ground:
    """Return the ground on which everything has its place.

    `close` says how close two towns are to lie, by their places among the towns of all countries; `before`
    where those lie that have a place already. The same countries give the same ground.
    """
    towns = [(k, town) for k, country in enumerate(countries) for town in country.towns]
    sizes = [len(town) + math.ceil(FIELDS * len(town)) + 1 for _, town in towns]
    needs = [int(bool(country.mark)) for country in countries]
    for (k, _), size in zip(towns, sizes, strict=True):
        needs[k] += size
    slots = island(sum(needs), ASPECT)
    nobody = np.full(len(slots), -1)
    spots = _spots([k for k, _ in towns], sizes, close, slots, before)
    middles = np.zeros((len(countries), 2))
    for (k, _), size, spot in zip(towns, sizes, spots, strict=True):
        middles[k] += spot * size / (needs[k] - bool(countries[k].mark))
    ground = Ground(slots, share_out(slots, middles, needs, rounds=3), nobody.copy(), nobody.copy())
    for k, country in enumerate(countries):
        free = _take_middle(ground, np.flatnonzero(ground.country == k), country.mark)
        own = [t for t, (home, _) in enumerate(towns) if home == k]
        share = share_out(slots[free], _fitted(spots[own], slots[free]), [sizes[t] for t in own])
        for place, t in enumerate(own):
            ground.town[free[share == place]] = t
            _fill_town(ground, free[share == place], towns[t][1], t)
    return ground


def _fill_town(ground: Ground, free: Owners, town: Town, number: int) -> None:
    """Give every thing of a town its slot: its mark in the middle, blocks around it in reading order."""
    free = _take_middle(ground, free, town.mark)
    names = town.districts or [""] * len(town.blocks)
    districts = sorted(set(names), key=lambda name: (-names.count(name), name))
    parts = [
        [block for block, of in zip(town.blocks, names, strict=True) if of == name] for name in districts
    ]
    sizes = [sum(map(len, blocks)) for blocks in parts]
    if not sizes:
        return
    sizes = _padded(sizes, len(free))
    share = share_out(ground.slots[free], run_sites(ground.slots[free], sizes), sizes)
    for k, (name, blocks) in enumerate(zip(districts, parts, strict=True)):
        part = free[share == k]
        if name:
            ground.district[part] = len(ground.districts)
            ground.districts.append((number, name))
        _fill(ground, part, blocks)


def _fill(ground: Ground, free: Owners, blocks: Sequence[Sequence[str]]) -> None:
    sizes = _padded([len(block) for block in blocks], len(free))
    share = share_out(ground.slots[free], run_sites(ground.slots[free], sizes), sizes, rounds=1)
    for k, block in enumerate(blocks):
        own = free[share == k]  # slots stand in reading order
        ground.at.update(zip(block, own.tolist(), strict=False))


def _padded(sizes: Sequence[int], total: int) -> list[int]:
    """Return the sizes with what is left of the total spread among them, the same for each share of it."""
    padded = list(sizes)
    spare = total - sum(sizes)
    for n in range(spare):
        padded[(2 * n + 1) * len(sizes) // (2 * spare)] += 1
    return padded


def _take_middle(ground: Ground, free: Owners, mark: str) -> Owners:
    """Give a mark the slot in the middle of what is free; return what is left."""
    if not mark:
        return free
    places = ground.slots[free]
    middle = int(((places - places.mean(axis=0)) ** 2).sum(axis=1).argmin())
    ground.at[mark] = int(free[middle])
    return np.delete(free, middle)


def _spots(
    home: Sequence[int],
    sizes: Sequence[int],
    close: Mapping[tuple[int, int], float],
    slots: Points,
    before: Mapping[int, tuple[float, float]],
) -> Points:
    """Return a spot for each town by springs, from where it was or where the order of numbers puts it.

    Where most towns have a place, the others find theirs among them, and nothing else moves.
    """
    count = len(home)
    angle = 2 * np.pi * (np.cumsum(sizes) - np.asarray(sizes) / 2) / sum(sizes)
    first = np.stack((-np.cos(angle), -np.sin(angle)), axis=1)
    for k, spot in before.items():
        first[k] = spot
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
    return _fitted(np.array([found[k] for k in range(count)]).reshape(-1, 2), slots)


def _fitted(spots: Points, slots: Points) -> Points:
    """Return spots moved and stretched so that they spread as far as the slots do."""
    spread = np.maximum(spots.std(axis=0), 1e-9)
    fitted: Points = (spots - spots.mean(axis=0)) / spread * slots.std(axis=0) + slots.mean(axis=0)
    return fitted
