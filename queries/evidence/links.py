"""Links between terms and rules become the sentences behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...ontology.query_files import bind
from ..files import QUERIES
from ..session import Scope, Session
from .name_finder import NameFinder
from .quotes import cut, opening


class Link(NamedTuple):
    """One link between IRIs, and where it stands.

    `kind` is ``"citation"``, ``"note"``, ``"definition"`` or ``"mention"``. `unit` is the text that says so,
    `start` and `end` the place in it, in code points, where it is known.
    """

    source: str
    kind: str
    target: str
    unit: str = ""
    start: int = -1
    end: int = -1


class Quotation(NamedTuple):
    """What a link is found in: sorts by the editions that were asked, then in the order of the documents."""

    edition: int
    document: str
    line: int
    start: int
    words: str


def quotations(session: Session, scope: Scope, links: Iterable[Link]) -> dict[Link, Quotation]:
    """Return for each link the sentence that it rests on; a link without words is left out."""
    return QuotationFinder(session, scope).find(links)


class QuotationFinder:
    """Finds the sentences that links rest on; texts and names that it has read once it knows."""

    def __init__(self, session: Session, scope: Scope) -> None:
        self._session, self._scope = session, scope
        self._read: dict[str, _Text | None] = {}
        self._names = NameFinder(session)

    def find(self, links: Iterable[Link]) -> dict[Link, Quotation]:
        """Return for each link the sentence that it rests on; a link without words is left out."""
        wanted = sorted(set(links))
        texts = self._texts({link.unit for link in wanted if link.unit})
        self._names.learn(link.target for link in wanted if link.kind == "mention")
        titles = self._titles([link for link in wanted if link.unit not in texts])
        found = {}
        for link in wanted:
            if link.unit in texts:
                found[link] = _quotation(link, texts[link.unit], self._names)
            elif link in titles:
                found[link] = titles[link]
        return found

    def _titles(self, links: Sequence[Link]) -> dict[Link, Quotation]:
        """A rule that is only cited is called by its title in the first text that gives it."""
        targets = sorted({link.target for link in links if link.kind == "definition"})
        if not targets:
            return {}
        rows = self._session.run("evidence", "titles", self._scope.linked, {"target": targets})
        places = [(str(target), str(unit), start, end) for target, unit, start, end in rows]
        texts = self._texts({unit for _, unit, _, _ in places})
        said: dict[str, list[Quotation]] = {}
        for target, unit, start, end in places:
            if unit in texts and isinstance(start, int) and isinstance(end, int):
                edition, document, line, text = texts[unit]
                words = cut(text, (start, end))
                said.setdefault(target, []).append(Quotation(edition, document, line, start, words))
        return {link: min(said[link.target]) for link in links if link.target in said}

    def _texts(self, units: set[str]) -> dict[str, _Text]:
        """Return those of some texts that there are."""
        new = sorted(units - self._read.keys())
        if new:
            self._read.update((unit, None) for unit in new)
            session, scope = self._session, self._scope
            query = bind(QUERIES.read("evidence", "places"), {"unit": new})
            for unit, graph, line, words in session.select(query, scope.linked, scope.documents):
                document = session.iris.parse(str(graph)).key
                edition = session.iris.parse(str(unit)).edition
                place = scope.editions.index(edition) if edition in scope.editions else len(scope.editions)
                self._read[str(unit)] = place, document, line if isinstance(line, int) else 0, str(words)
        return {unit: text for unit in units if (text := self._read[unit]) is not None}


_Text = tuple[int, str, int, str]
"""A text unit: the place of its edition among those asked, its document, its line, its words."""


def _quotation(link: Link, place: _Text, names: NameFinder) -> Quotation:
    edition, document, line, text = place
    span = (link.start, link.end) if link.start >= 0 else None
    if link.kind == "mention":
        span = names.span(text, link.target)
    words = opening(text) if link.kind == "definition" else cut(text, span)
    return Quotation(edition, document, line, span[0] if span else 0, words)
