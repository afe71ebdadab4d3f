"""The questions: SPARQL files with headers, and the code that finds, binds, runs and explains them.

From the ground up: `session` runs queries over the graphs that a question sees; `catalogue` holds what
can be asked and `finding` what is asked about; `evidence` shows the words that links rest on; `reliance`
follows those links, `history` follows rules through the editions, `checking` looks for what is wrong;
`answering` puts a question through all of these.
"""

from __future__ import annotations

from ..ontology.resources import QueryFiles, packaged

QUERIES = QueryFiles("rulesgraph.queries")

SCRIPTS = ("suggest.js", "ranking.js")


def scripts() -> dict[str, bytes]:
    """Return the scripts that read the index of a site, by name; of pictures the first is enough."""
    return {name: packaged("rulesgraph.queries", "searching", name) for name in SCRIPTS}
