"""The `.rq` files of this package, by folder and name."""

from __future__ import annotations

from ..ontology.query_files import QueryFiles, bind, literal

__all__ = ["bind", "has_query", "literal", "names_in", "read_query"]

_FILES = QueryFiles("rulesgraph.queries")
read_query = _FILES.read
names_in = _FILES.names
has_query = _FILES.has
