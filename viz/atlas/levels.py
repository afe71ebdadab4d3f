"""Places become levels: from which zoom on each thing is a mark of its own.

As a peak is known by how far it is to the next higher one, a thing is seen from as far as its distance to
the next weightier one allows: at every zoom all marks that are shown stand so far apart that their names fit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..layout import Points

ROOM = (76.0, 34.0)
"""How far apart marks stand at least on the screen, across and down, in pixels: about as much as a name."""

FARTHEST = 0.02
"""A scale from which the whole of any map is seen."""


def scales(
    places: Points, order: Sequence[int], floors: Sequence[float], claims: Sequence[float]
) -> list[float]:
    """Return the least scale at which each place is shown; `order` names places, the weightiest first.

    `floors` are scales below which a place is not shown, whatever room there is. A place waits for those
    weightier ones that would stand too near, whether they are shown by then or only later; `claims` are the
    shares of `ROOM` that each place needs to them.
    """
    points = (places / np.asarray(ROOM))[np.asarray(order, dtype=int)]
    ranked = np.full(len(order), FARTHEST)
    for rank, place in enumerate(order):
        needed = claims[place] / np.sqrt(((points[:rank] - points[rank]) ** 2).sum(axis=1))
        near = needed[needed > ranked[:rank]]
        ranked[rank] = max(FARTHEST, floors[place], near.max(initial=0.0))
    least = np.zeros(len(places))
    least[np.asarray(order, dtype=int)] = ranked
    return [float(scale) for scale in np.ceil(least * 1e4) / 1e4]
