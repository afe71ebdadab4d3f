"""Ground is shared out: a staggered grid of slots in the shape of an island, split by nearness and size."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..layout import Points

Owners = NDArray[np.intp]

ROW = 3**0.5 / 2
"""The distance of rows in a staggered grid whose neighbours are all 1 apart."""

ROUNDS = 150
"""How often sites change their price before points are handed on."""

RISE = 0.35
"""How much dearer (in squared distances) a site grows for each point that it has too many of."""

COAST = ((2, 0.045, 0.9), (3, 0.06, 2.1), (5, 0.035, 4.0), (9, 0.02, 1.3), (14, 0.012, 5.2))
"""The bays of the island: how many there are around it, how deep, and where the first one lies (radians)."""


def island(count: int, aspect: float) -> Points:
    """Return `count` slots, 1 apart from their neighbours, that together have the shape of an island.

    `aspect` is how much wider than high it is; rows come from the top down, each from left to right.
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


def share_out(points: Points, sites: Points, sizes: Sequence[int], rounds: int = 2) -> Owners:
    """Return for each point the site that it belongs to, so that each site has just as many as its size.

    The sizes add up to the number of points. Shares are the cells of a power diagram, each in one piece;
    `rounds` times each site moves half-way to the middle of its share, so that shares grow round.
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
        _hand_on(cost, shares, over)
    return shares


def _priced(points: Points, sites: Points, wanted: Owners) -> Points:
    """Return what each point pays for each site: the squared distance, and the price of the site.

    A site that too many want grows dearer, one that too few want cheaper, until all or nearly all fits.
    """
    cost: Points = ((points[:, None, :] - sites[None, :, :]) ** 2).sum(axis=2)
    for _ in range(ROUNDS):
        over = np.bincount(cost.argmin(axis=1), minlength=len(sites)) - wanted
        if not over.any():
            break
        cost += RISE * over
    return cost


def _hand_on(cost: Points, owners: Owners, over: Owners) -> None:
    """Hand one point from a site that has too many to one that has too few, by way of those between them.

    Each site on the way gives the point that it loses least by; the way is the cheapest (Bellman and Ford).
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


def run_sites(points: Points, sizes: Sequence[int]) -> Points:
    """Return a site for each size in reading order: bands of rows from the top, each from left to right."""
    band = max(1.0, np.sqrt(np.mean(sizes)) * ROW)
    order = np.lexsort((points[:, 0], np.floor((points[:, 1] - points[:, 1].min() + 1e-6) / band)))
    ends = np.cumsum(sizes)
    sites: Points = np.array(
        [points[order[end - size : end]].mean(axis=0) for size, end in zip(sizes, ends, strict=True)]
    )
    return sites
