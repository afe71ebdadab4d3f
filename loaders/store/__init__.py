"""A triple store behind one protocol: in memory, in a folder on disk, or at any SPARQL 1.1 endpoint."""

from .opening import open_store
from .protocol import MEMORY, Meta, Queryable, Rewrite, Store
from .results import RdfTerm, Result, Row, Solutions, Triples

__all__ = [
    "MEMORY",
    "Meta",
    "Queryable",
    "RdfTerm",
    "Result",
    "Rewrite",
    "Row",
    "Solutions",
    "Store",
    "Triples",
    "open_store",
]
