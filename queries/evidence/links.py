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
    """One link between IRIs; `kind` is ``"citation"``, ``"note"``, ``"definition"`` or ``"mention"``."""

    source: str
    kind: str
    target: str


class Quotation(NamedTuple):
    """What a link is found in: sorts by the editions that were asked, then in the order of the documents."""

    edition: int
    document: str
    line: int
    start: int
    words: str


class _Place(NamedTuple):
    """Where the evidence of a link may stand: a span of a text unit, or the unit alone."""

    unit: str
    span: tuple[int, int] | None = None


def sentences_behind(session: Session, scope: Scope, links: Iterable[Link]) -> dict[Link, Quotation]:
    """Return for each link the first sentence that it rests on; a link without words is left out."""
    wanted = sorted(set(links))
    places: dict[Link, list[_Place]] = {link: [] for link in wanted}
    _find_references(session, scope, places)
    _find_mentions(session, scope, places)
    _find_titles(session, scope, places)
    units = sorted({place.unit for found in places.values() for place in found})
    found_texts = _texts(session, scope, units)
    names = NameFinder(session, {link.target for link in wanted if link.kind == "mention"})
    chosen = {}
    for link, found in places.items():
        standing = [
            (found_texts[place.unit][:3], place.span or (0, 0), place)
            for place in found
            if place.unit in found_texts
        ]
        if standing:
            chosen[link] = _sentence(link, min(standing)[2], found_texts, names)
    return chosen


def _find_references(session: Session, scope: Scope, places: dict[Link, list[_Place]]) -> None:
    cited = [link for link in places if link.kind in {"citation", "note"}]
    found: list[tuple[str, str, str, tuple[int, int]]] = []
    for query, sources in _by_query(session, cited, "references_of"):
        for source, unit, to, start, end in session.run("evidence", query, scope.linked, {"source": sources}):
            if isinstance(start, int) and isinstance(end, int):
                found.append((str(source), str(unit), str(to), (start, end)))
    terms = _terms_of_entries(session, scope, {to for _, _, to, _ in found})
    for source, unit, to, span in found:
        link = Link(
            source, "note" if session.iris.parse(unit).part == "note" else "citation", terms.get(to, to)
        )
        if link in places:
            places[link].append(_Place(unit, span))


def _terms_of_entries(session: Session, scope: Scope, cited: set[str]) -> dict[str, str]:
    """Return entry → term: citing an entry is relying on its term."""
    entries = sorted(it for it in cited if session.iris.parse(it).kind == "entry")
    rows = session.run("finding", "term_of", scope.linked, {"it": entries}) if entries else []
    return {str(entry): str(term) for entry, term in rows}


def _find_mentions(session: Session, scope: Scope, places: dict[Link, list[_Place]]) -> None:
    mentioning = [link for link in places if link.kind == "mention"]
    for query, sources in _by_query(session, mentioning, "mentions_of"):
        for source, unit, target in session.run("evidence", query, scope.linked, {"source": sources}):
            link = Link(str(source), "mention", str(target))
            if link in places:
                places[link].append(_Place(str(unit)))


def _find_titles(session: Session, scope: Scope, places: dict[Link, list[_Place]]) -> None:
    """A definition rests on the rule's own words; of a rule that is only cited, on a text with its title."""
    defining = [link for link in places if link.kind == "definition"]
    targets = sorted({link.target for link in defining})
    if not targets:
        return
    loaded = _texts(session, scope, targets)
    quoted: dict[str, list[_Place]] = {target: [_Place(target)] for target in loaded}
    missing = [target for target in targets if target not in loaded]
    if missing:
        for target, unit, start, end in session.run("evidence", "titles", scope.linked, {"target": missing}):
            if isinstance(start, int) and isinstance(end, int):
                quoted.setdefault(str(target), []).append(_Place(str(unit), (start, end)))
    for link in defining:
        places[link] = quoted.get(link.target, [])


def _by_query(session: Session, links: Iterable[Link], query: str) -> Iterable[tuple[str, list[str]]]:
    sources = sorted({link.source for link in links})
    terms = [source for source in sources if session.iris.parse(source).kind == "term"]
    rules = [source for source in sources if session.iris.parse(source).kind != "term"]
    return [(f"{query}_{name}", some) for name, some in (("terms", terms), ("rules", rules)) if some]


_Text = tuple[int, str, int, str]
"""A text unit: the place of its edition among those asked, its document, its line, its words."""


def _texts(session: Session, scope: Scope, units: Sequence[str]) -> dict[str, _Text]:
    if not units:
        return {}
    found = {}
    query = bind(QUERIES.read("evidence", "places"), {"unit": units})
    for unit, graph, line, text in session.select(query, scope.linked, scope.documents):
        document = session.iris.parse(str(graph)).key
        edition = session.iris.parse(str(unit)).edition
        place = scope.editions.index(edition) if edition in scope.editions else len(scope.editions)
        found[str(unit)] = (place, document, line if isinstance(line, int) else 0, str(text))
    return found


def _sentence(link: Link, place: _Place, found: dict[str, _Text], names: NameFinder) -> Quotation:
    edition, document, line, text = found[place.unit]
    span = place.span
    if link.kind == "mention":
        span = names.span(text, link.target)
    quote = opening(text) if link.kind == "definition" and span is None else cut(text, span)
    return Quotation(edition, document, line, span[0] if span else 0, quote)
