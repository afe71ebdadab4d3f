"""Links between terms and rules become the sentences behind them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..loaders.language.sentences import sentences
from ..loaders.language.words import fold
from . import texts
from .explain import sentence_around

if TYPE_CHECKING:
    from .catalog import Question
    from .runner import Row, Session
    from .scope import Scope


class Link(NamedTuple):
    """One link between IRIs; `kind` is ``"citation"``, ``"note"``, ``"definition"`` or ``"mention"``."""

    source: str
    kind: str
    target: str


class Sentence(NamedTuple):
    """What a link is found in: sorts by the editions that were asked, then in the order of the documents."""

    edition: int
    document: str
    line: int
    start: int
    quote: str


class _Place(NamedTuple):
    """Where the evidence of a link may stand: a span of a text unit, or the unit alone."""

    unit: str
    span: tuple[int, int] | None = None


def sentences_behind(session: Session, scope: Scope, links: Iterable[Link]) -> dict[Link, Sentence]:
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
        for source, unit, to, start, end in session.run("walk", query, scope.linked, {"source": sources}):
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
    rows = session.run("walk", "term_of", scope.linked, {"it": entries}) if entries else []
    return {str(entry): str(term) for entry, term in rows}


def _find_mentions(session: Session, scope: Scope, places: dict[Link, list[_Place]]) -> None:
    mentioning = [link for link in places if link.kind == "mention"]
    for query, sources in _by_query(session, mentioning, "mentions_of"):
        for source, unit, target in session.run("walk", query, scope.linked, {"source": sources}):
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
        for target, unit, start, end in session.run("walk", "titles", scope.linked, {"target": missing}):
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
    query = texts.bind(texts.read_query("walk", "places"), {"unit": units})
    for unit, graph, line, text in session.select(query, scope.linked, scope.documents):
        document = session.iris.parse(str(graph)).key
        edition = session.iris.parse(str(unit)).edition
        place = scope.editions.index(edition) if edition in scope.editions else len(scope.editions)
        found[str(unit)] = (place, document, line if isinstance(line, int) else 0, str(text))
    return found


def _sentence(link: Link, place: _Place, found: dict[str, _Text], names: NameFinder) -> Sentence:
    edition, document, line, text = found[place.unit]
    span = place.span
    if link.kind == "mention":
        span = names.span(text, link.target)
    quote = opening(text) if link.kind == "definition" and span is None else cut(text, span)
    return Sentence(edition, document, line, span[0] if span else 0, quote)


def cut(text: str, span: tuple[int, int] | None) -> str:
    """Return the sentence around a span, or the whole text where no place in it is known."""
    return sentence_around(text, *span) if span else fold(text)


def opening(text: str) -> str:
    """Return the first sentence: what a rule says of the term that it is called by."""
    start, end = next(sentences(text), (0, 0))
    return fold(text[start:end])


def explained(session: Session, question: Question, rows: Sequence[Row]) -> list[Row]:
    """Cut the quotes of rows down to the sentence that counts, and leave out the columns that say where."""
    if not question.cut:
        return list(rows)
    kept = len(question.returns)
    quote = question.returns.index("quote")
    by_name = len(question.cut) == 1
    names = NameFinder(session, {str(row[kept]) for row in rows} if by_name else set())
    finished = []
    for row in rows:
        text = str(row[quote])
        start, end = (*row[kept:], None)[:2]
        span = None
        if by_name:
            span = names.span(text, str(start))
        elif isinstance(start, int) and isinstance(end, int):
            span = (start, end)
        finished.append((*row[:quote], cut(text, span), *row[quote + 1 : kept]))
    return finished


class NameFinder:
    """Finds where texts name some terms, and takes no part of a longer name for one.

    The loaders' finder of mentions decides what is a mention; this one only finds the words again, and
    loads much faster.
    """

    def __init__(self, session: Session, terms: set[str]) -> None:
        self._names: dict[str, dict[str, bool]] = {}
        if terms:
            graph = (session.iris.graph("terms"),)
            for term, name, longer in session.run("find", "longer_names", graph, {"term": sorted(terms)}):
                known = self._names.setdefault(str(term), {})
                known[str(name)] = True
                if longer is not None:
                    known.setdefault(str(longer), False)
        self._patterns: dict[str, re.Pattern[str]] = {}

    def span(self, text: str, term: str) -> tuple[int, int] | None:
        """Return the first place at which `text` names the term (an IRI), or None."""
        names = self._names.get(term)
        if not names:
            return None
        if term not in self._patterns:
            self._patterns[term] = _pattern(names)
        for match in self._patterns[term].finditer(text):
            if match["name"] is not None:
                return match.span()
        return None


def _pattern(names: dict[str, bool]) -> re.Pattern[str]:
    """Return a pattern of whole words, longest first; the group `name` is the term's own."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    own = "|".join(_forms(name) for name in longest_first if names[name])
    longer = "|".join(_forms(name) for name in longest_first if not names[name])
    either = f"(?:{longer})|(?P<name>{own})" if longer else f"(?P<name>{own})"
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)


def _forms(name: str) -> str:
    """Return a pattern for a name and its regular plural, however its words are joined."""
    words = r"[\s\W]+".join(re.escape(word) for word in re.findall(r"\w+", name))
    if words.endswith("y"):
        return f"{words[:-1]}(?:y|ies)"
    return f"{words}(?:e?s)?"
