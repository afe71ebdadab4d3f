"""An edition seen as a whole becomes the triples of `edition/{id}/derived`: its links and its facts."""

from __future__ import annotations

from collections.abc import Sequence

from ..facts.writing import fact_triples
from ..graph.quads import TripleSet
from ..linking.derive import link_triples
from ..linking.edition import EditionView
from ..records import Problem


def derived_triples(view: EditionView, defects: Sequence[Problem] | None = None) -> TripleSet:
    """Return all that is computed over the documents of one edition, each statement with its evidence.

    `defects` are those of `linking.defects.find_defects`, where they are at hand.
    """
    return link_triples(view, defects) | fact_triples(view)
