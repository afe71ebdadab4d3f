"""The prefixes that a query may use undeclared."""

from __future__ import annotations

from ...ontology.iris import Iris
from ...ontology.terms import PREFIXES


def usual_prefixes(iris: Iris) -> dict[str, str]:
    """Return the prefixes that a query may use undeclared; `term:`, `ed:`, `doc:` are this store's data."""
    return {
        **PREFIXES,
        "term": f"{iris.base}term/",
        "ed": f"{iris.base}edition/",
        "doc": f"{iris.base}document/",
    }
