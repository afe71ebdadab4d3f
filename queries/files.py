"""The non-Python files of this package: its queries, and scripts for browsers."""

from __future__ import annotations

from ..ontology.query_files import QueryFiles
from ..ontology.resources import packaged

QUERIES = QueryFiles("rulesgraph.queries")

SCRIPTS = ("suggest.js", "ranking.js")


def scripts() -> dict[str, bytes]:
    """Return the scripts that read the index of a site, by name; of pictures the first is enough."""
    return {name: packaged("rulesgraph.queries", "searching", name) for name in SCRIPTS}
