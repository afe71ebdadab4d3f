"""Read the statements to export from a store, with or without words of sources, and describe them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

from ...loaders.describing.describe import catalog_triples
from ...loaders.describing.inventory import Inventory, count_lines, described_graphs, stored_titles
from ...loaders.editions import EditionInfo, editions_in
from ...loaders.graph.emit import vocabulary_triples
from ...loaders.store import Store
from ...ontology.iris import Iris
from ...ontology.terms import DCTERMS, PREFIXES, RDFS_LABEL, RG, SKOS

MOST_WORDS = 7
"""The number of words in a row up to which a literal is a name; a longer one is a sentence."""

NAMES = frozenset(
    f"<{name}>"
    for name in (
        *(DCTERMS.title, RDFS_LABEL, SKOS.prefLabel, SKOS.altLabel),
        RG.quotedTitle,
    )
)
"""Titles and names are facts, however long."""

_IS_EDITION = f"> <{PREFIXES['rdf']}type> <{RG.Edition}>"
_LEFT_OUT = f'> <{RG.textLeftOut}> "true"^^<{PREFIXES["xsd"]}boolean>'
"""What an edition says if its texts were left out, so that shapes know."""

_WORD = re.compile(r"\w+")
_LITERAL = re.compile(r'^\S+ (\S+) "((?:[^"\\]|\\.)*)"')


class Extract:
    """A store as an export sees it: its graphs, perhaps without words, perhaps with another catalog."""

    def __init__(self, store: Store, *, words: bool = True, wordings: bool = True) -> None:
        """Without `wordings`, nothing leads to one: `graph/wordings` is not exported."""
        self.iris = Iris(store.base)
        self._unseen = None if wordings else f"> <{RG.wording}> <"
        self.words = words
        self._store = store
        self._catalog: list[str] | None = None

    @property
    def base(self) -> str:
        """The base of its IRIs."""
        return self.iris.base

    def graph_lines(self, graph: str) -> Iterator[str]:
        """Yield the triples of a graph as N-Triples, without line ends."""
        lines = self._lines(graph)
        return lines if self._unseen is None else (it for it in lines if str(self._unseen) not in it)

    def _lines(self, graph: str) -> Iterator[str]:
        if graph == self.iris.graph("catalog") and self._catalog is not None:
            yield from self._catalog
        elif self.words:
            yield from self._store.graph_lines(graph)
        else:
            spared = {self.iris.graph(name) for name in ("ontology", "catalog")}
            keep = (lambda _: True) if graph in spared else without_words(graph == self.iris.graph("current"))
            for line in filter(keep, self._store.graph_lines(graph)):
                yield line
                if _IS_EDITION in line:
                    yield line.replace(_IS_EDITION, _LEFT_OUT)

    def describe(self, editions: Sequence[str], current: Sequence[str], *, apart: bool) -> None:
        """Limit the catalog to some editions, and to their statements as they are exported.

        `current` are those in `graph/current`, if that is exported; `apart` says whether graphs keep names.
        """
        found = editions_in(self._store, self.iris)
        chosen = [info for name, info in found.items() if name in editions]
        counts, seen = {}, set[str]()
        for graph in self._described(chosen, current):
            lines = list(self.graph_lines(graph))
            if not apart:  # a statement of two graphs occurs once
                lines = [line for line in lines if line not in seen]
                seen.update(lines)
            counts[graph] = count_lines("".join(f"{line}\n" for line in lines).encode(), graph, self.iris)
        titles = stored_titles(self._store, self.iris, chosen)
        contents = Inventory(chosen, titles, counts, current, self.words, apart)
        self._catalog = [f"{line} ." for line in catalog_triples(self.iris, contents).lines]

    def _described(self, editions: Sequence[EditionInfo], current: Sequence[str]) -> Iterable[str]:
        # Those two belong to no single edition, and are only in whole exports.
        whole = {self.iris.graph(name) for name in ("current", "timeline", "wordings")}
        return (g for g in described_graphs(self.iris, editions) if current or g not in whole)


def without_words(with_ontology: bool = False) -> Callable[[str], bool]:
    """Return a test for lines of N-Triples that may be exported without the words of sources.

    Properties that the vocabulary marks with `rg:carriesWords` may not, nor any other literal of more than
    `MOST_WORDS` words, except names. A graph `with_ontology` also contains the vocabulary, whose explanations
    are ours.
    """
    closed = word_properties()
    ours = vocabulary_triples().lines if with_ontology else frozenset[str]()

    def passes(line: str) -> bool:
        literal = _LITERAL.match(line)
        if literal is None or literal[1] in NAMES:
            return True
        long = literal[1] in closed or len(_WORD.findall(literal[2])) > MOST_WORDS
        return not long or line.removesuffix(".").rstrip() in ours

    return passes


@cache
def word_properties() -> frozenset[str]:
    """Return the properties with words: the definitions of terms, and those that the vocabulary marks."""
    mark = f" <{RG.carriesWords}> "
    marked = {line.partition(" ")[0] for line in vocabulary_triples().lines if mark in line}
    return frozenset(marked | {f"<{PREFIXES['skos']}definition>"})
