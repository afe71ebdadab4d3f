"""The `.rq` files of the questions: each room holds those that it runs."""

from __future__ import annotations

from ..ontology.query_files import QueryFiles

QUERIES = QueryFiles("rulesgraph.queries")
