"""The questions: SPARQL files with headers, and the code that finds, binds, runs and explains them.

From the ground up: `session` runs queries over the graphs that a question sees; `catalogue` defines the
questions and `finding` finds their subjects; `evidence` shows the sentences behind links; `reliance` follows
those links, `history` follows rules through the editions, `checking` looks for defects; `answering` puts a
question through all of these.
"""

from __future__ import annotations

from ..ontology import QueryFiles, packaged

QUERIES = QueryFiles("rulesgraph.queries")

SCRIPTS = ("suggest.js", "ranking.js")


def scripts() -> dict[str, bytes]:
    """Return the scripts that read the index of a site, by name; pictures need only the first."""
    return {name: packaged("rulesgraph.queries", "searching", name) for name in SCRIPTS}
