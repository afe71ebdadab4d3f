"""Links of the walk become the sentences behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from . import lookup
from .explain import Evidence, fold, occurrences, sentence_around, sentences

if TYPE_CHECKING:
    from .catalog import Question
    from .runner import Row, Session, Value
    from .scope import Scope


class Link(NamedTuple):
    """One link between IRIs; `kind` is ``"citation"``, ``"note"``, ``"definition"`` or ``"mention"``."""

    source: str
    kind: str
    target: str


class Sentence(NamedTuple):
    """What a link is found in: sorts in the order of the documents."""

    document: str
    line: int
    start: int
    evidence: Evidence


_QUERIES = {
    "citation": ("cited_by_term", "cited_by_rule"),
    "note": ("cited_by_term",),
    "definition": ("titled",),
    "mention": ("mentioned",),
}


def sentences_behind(session: Session, scope: Scope, links: Iterable[Link]) -> dict[Link, Sentence]:
    """Return for each link the first sentence that it rests on; a link without words is left out."""
    wanted = set(links)
    by_query: dict[str, set[tuple[str, str]]] = {}
    for link in wanted:
        for query in _QUERIES[link.kind]:
            by_query.setdefault(query, set()).add((link.source, link.target))
    finder = _Mentions(session, {link.target for link in wanted if link.kind == "mention"})
    found: dict[Link, Sentence] = {}
    for query, pairs in sorted(by_query.items()):
        for row in session.run("walk", query, scope, {"source target": sorted(pairs)}):
            link = Link(str(row[0]), str(row[2]), str(row[1]))
            if link in wanted and link not in found:
                found[link] = _sentence(session, link, row, finder)
    return found


def _sentence(session: Session, link: Link, row: Sequence[Value], finder: _Mentions) -> Sentence:
    text, start, end, document, line, *skipped = row[3:]
    words = str(text)
    span: tuple[int, int] | None = None
    if isinstance(start, int) and isinstance(end, int):
        span = (start, end)
    elif link.kind == "mention":
        span = finder.span(words, link.target, _spans(skipped))
    quote = cut(words, span) if span or link.kind == "mention" else opening(words)
    name = session.iris.local(str(document)).removeprefix("document/")
    where = line if isinstance(line, int) else 0
    return Sentence(name, where, span[0] if span else 0, Evidence(quote, name, where or None))


def _spans(given: Sequence[Value]) -> list[tuple[int, int]]:
    """Read spans as the query writes them: ``12-30 40-44``."""
    pairs = [pair.partition("-") for value in given if isinstance(value, str) for pair in value.split()]
    return [(int(start), int(end)) for start, _, end in pairs]


def cut(text: str, span: tuple[int, int] | None) -> str:
    """Return the sentence around a span, or the whole text where no place in it is known."""
    return sentence_around(text, *span) if span else fold(text)


def opening(text: str) -> str:
    """Return the first sentence: what a rule says of the term that it is called by."""
    first = sentences(text)[:1]
    return fold(text[first[0][0] : first[0][1]]) if first else ""


def explained(session: Session, question: Question, rows: Sequence[Row]) -> list[Row]:
    """Cut the quotes of rows down to the sentence that counts, and leave out the columns that say where."""
    if not question.cut:
        return list(rows)
    kept = len(question.returns)
    place = question.returns.index("quote")
    finder = None if len(question.cut) == 2 else _Mentions(session, {str(row[kept]) for row in rows})
    finished = []
    for row in rows:
        text = str(row[place])
        start, end = (*row[kept:], None)[:2]
        span = None
        if finder:
            span = finder.span(text, str(start))
        elif isinstance(start, int) and isinstance(end, int):
            span = (start, end)
        finished.append((*row[:place], cut(text, span), *row[place + 1 : kept]))
    return finished


class _Mentions:
    """Finds where a text names a term, by the same rules as the loaders find mentions.

    Only the names that could swallow the wanted ones are learnt beside them: a lamp is not mentioned in
    "lamp oil" where that is a term as well.
    """

    def __init__(self, session: Session, terms: set[str]) -> None:
        self._names: dict[str, list[str]] = {}
        if not terms:
            return
        rows = [(str(label), str(term)) for label, term, _ in lookup.labels(session)]
        wanted = [label.casefold() for label, term in rows if term in terms]
        for label, term in rows:
            if term in terms or any(name in label.casefold() for name in wanted):
                self._names.setdefault(term, []).append(label)
        from ..loaders.mentions import MentionFinder

        self._finder = MentionFinder(self._names)

    def span(self, text: str, term: str, skip: Sequence[tuple[int, int]] = ()) -> tuple[int, int] | None:
        found = next((m for m in self._finder.find(text, skip) if m.slug == term), None)
        if found:
            return found.start, found.end
        return next(occurrences(text, self._names.get(term, ())), None)
