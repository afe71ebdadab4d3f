"""Turn what any SPARQL query gives into an answer: the rows, the truth of an ASK, or the triples."""

from __future__ import annotations

from typing import Any, ClassVar

from pyoxigraph import Triple

from ...loaders.store.results import Triples, plain
from .answer import Answer

_TRUTH = ("answer",)
_PARTS = ("subject", "predicate", "object")


class SparqlAnswer(Answer):
    """The answer to a SPARQL query of any form.

    A SELECT gives its rows. An ASK gives one row with one column, ``answer``, and the answer as a whole is
    true or false as that is; any other answer is true. A CONSTRUCT or DESCRIBE gives a row for each triple,
    with the columns subject, predicate and object.

    Attributes:
        triples: of a CONSTRUCT or DESCRIBE the triples as pyoxigraph has them, one for each row.
    """

    triples: tuple[Triple, ...]

    __slots__ = ("triples",)

    _compared: ClassVar[tuple[str, ...]] = (*Answer._compared, "triples")
    _by_row: ClassVar[tuple[str, ...]] = ("rows", "triples")

    def __init__(self, *values: Any, triples: tuple[Triple, ...] = (), **others: Any) -> None:
        super().__init__(*values, **others)
        self._set(triples=triples)

    def __bool__(self) -> bool:
        """Return what an ASK found; any other answer is true."""
        return self.columns != _TRUTH or self.rows != ((False,),)

    __hash__ = Answer.__hash__


def as_answer(found: Answer | bool | Triples) -> SparqlAnswer:
    """Return as an answer what a session gives for a query."""
    if isinstance(found, bool):
        return SparqlAnswer("sparql", _TRUTH, ((found,),))
    if isinstance(found, Triples):
        triples = tuple(found)
        rows = tuple((plain(it.subject), plain(it.predicate), plain(it.object)) for it in triples)
        return SparqlAnswer("sparql", _PARTS, rows, triples=triples)
    return SparqlAnswer("sparql", found.columns, found.rows, found.edition, found.notes, more=found.more)
