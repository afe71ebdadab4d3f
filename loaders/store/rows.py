"""The rows of a SELECT as text: what loaders read back of what they wrote."""

from __future__ import annotations

from collections.abc import Iterator

from .protocol import Queryable
from .results import RdfTerm, Solutions


def text_rows(store: Queryable, query: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a SELECT: IRIs and literals as their text alone, what is unbound as none.

    Raises what `Queryable.query` raises.
    """
    found = store.query(query)
    assert isinstance(found, Solutions)
    for row in found:
        yield tuple(map(_text, row))


def _text(term: RdfTerm | None) -> str:
    return "" if term is None else str(getattr(term, "value", term))
