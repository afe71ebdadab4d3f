"""Add sets of solved cases to a change of a store, and follow the old numbers of the provisions they cite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from ...ontology.iris import Iris
from ...ontology.query_files import QueryFiles
from ..graph.quads import RDF_TYPE, C, P, TripleSet, day, node, text, write_quads
from ..history.lives import Lives, bundled_lives
from ..store.protocol import Rewrite
from ..store.statements import text_rows
from .reading import CaseSet, CaseSummary, PreparedCases, SolvedCase

_QUERIES = QueryFiles.beside(__name__)


class CaseUpdate:
    """The changes to a store's sets of cases; `sets` are the ids of those that it will have."""

    def __init__(self, rewrite: Rewrite, iris: Iris, scratch: Path) -> None:
        self._rewrite = rewrite
        self._iris = iris
        self._scratch = scratch
        self.sets = {name for (name,) in text_rows(rewrite, _QUERIES.bound("sets", {}))}

    def add(self, files: Iterable[PreparedCases]) -> list[CaseSummary]:
        """Add sets of cases, each with the name of its file; a set replaces one of the same id."""
        done: list[CaseSummary] = []
        for place, (source, found) in enumerate(files):
            lives = bundled_lives()
            triples = TripleSet()
            for statement in _statements(found, lives, self._iris):
                triples.add(*statement)
            path = self._scratch / f"{place}.cases"
            graph = self._iris.cases(found.set_id)
            write_quads(path, triples, graph)
            self._rewrite.replace(graph, path)
            self.sets.add(found.set_id)
            unknown = sum(not provision for case in found.cases for provision in provisions(case, lives))
            done.append(CaseSummary(source, found.set_id, len(found.cases), unknown))
        return done

    def remove(self, name: str) -> bool:
        """Remove a set of cases; return False if none has this id."""
        if name not in self.sets:
            return False
        self.sets.remove(name)
        self._rewrite.drop([self._iris.cases(name)])
        return True


def provisions(case: SolvedCase, lives: Lives) -> list[str]:
    """Return the ids of the provisions that a case cites, in order of its rules; ``""`` for none."""
    edition = lives.in_force(case.as_of)
    return [lives.holding(number, edition) if edition else "" for number in case.rules]


def _statements(found: CaseSet, lives: Lives, iris: Iris) -> Iterator[tuple[str, str, str]]:
    me = node(iris.cases(found.set_id))
    yield me, RDF_TYPE, C["CaseSet"]
    yield me, P["identifier"], text(found.set_id)
    yield me, P["checksum"], text(found.checksum)
    for case in found.cases:
        it = node(iris.cases(found.set_id, case.key))
        yield it, RDF_TYPE, C["SolvedCase"]
        yield it, P["isPartOf"], me
        yield it, P["text"], text(case.question)
        yield it, P["issued"], day(case.as_of)
        for name, value in (("answer", case.answer), ("source", case.source), ("license", case.licence)):
            if value:
                yield it, P[name], text(value)
        for card in case.cards:
            yield it, P["subject"], text(card)
        for number, provision in zip(case.rules, provisions(case, lives), strict=True):
            yield it, P["citesNumber"], text(number)
            if provision:
                yield it, P["references"], node(iris.provision(provision))
