"""An edition seen as a whole becomes the triples of `edition/{id}/derived`: its links and its facts."""

from __future__ import annotations

from ..facts.writing import fact_triples
from ..graph.quads import TripleSet
from ..linking.derive import link_triples
from ..linking.edition import EditionView


def derived_triples(view: EditionView) -> TripleSet:
    """Return all that is computed over the documents of one edition, each statement with its evidence."""
    return link_triples(view) | fact_triples(view)
