"""Say what is kept of the editions of a build, and what plain queries see of the current ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ...ontology.iris import Iris
from ..graph.quads import P, TripleSet, node
from ..history.stored import Whole, whole
from ..store.protocol import Queryable
from .prepare import Prepared


def prepared_whole(prepared: Prepared, iris: Iris) -> Whole:
    """Return all graphs of an edition that a build has just read."""
    mentions = {place: {*map(iris.slug_of, terms)} for place, _, terms in prepared.reading().placements}
    found = whole(prepared.record(), mentions, iris)
    return found._replace(derived=found.derived | prepared.described())


def kept_links(
    store: Queryable,
    iris: Iris,
    fresh: Mapping[str, Prepared],
    further: Mapping[str, Mapping[str, Collection[str]]],
) -> Iterator[tuple[str, TripleSet]]:
    """Yield the derived graphs that are kept of editions which are `fresh`, or whose mentions change.

    `further` is edition → place → the terms that it mentions beyond what its wording mentions.
    """
    for edition in sorted({*fresh, *further}):
        graph, beyond = iris.derived(edition), further.get(edition, {})
        if edition in fresh:
            kept = fresh[edition].described()
        else:
            starts = tuple(f"{node(place)} {P['mentions']} " for place in beyond)
            lines = (line[:-2] for line in store.graph_lines(graph))
            kept = TripleSet(line for line in lines if not line.startswith(starts))
        for place, terms in sorted(beyond.items()):
            for term in sorted(terms):
                kept.add(node(place), P["mentions"], node(term))
        yield graph, kept
