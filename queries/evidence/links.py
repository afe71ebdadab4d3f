"""Find the sentences behind links and rows of answers, and cut them out of their texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ...loaders.language.words import Word, fold, sentences, tokens
from ...ontology import bind, players_words
from .. import QUERIES
from ..session import Cells, Scope, Session

if TYPE_CHECKING:
    from ...loaders.language.lexicon import Forms, Lexicon
    from ..catalogue.questions import Question


class Link(NamedTuple):
    """A link between IRIs, and the place where it is stated.

    `kind` is ``"citation"``, ``"note"``, ``"definition"`` or ``"mention"``. `unit` is the text that says so.
    `start` and `end` are the place in it, as code points, if known.
    """

    source: str
    kind: str
    target: str
    unit: str = ""
    start: int = -1
    end: int = -1


class Quotation(NamedTuple):
    """The sort key of a link: by requested editions, then in the order of the documents."""

    edition: int
    document: str
    line: int
    start: int
    words: str


class QuotationFinder:
    """Finds the sentences of links, and caches the texts and names that it has read."""

    def __init__(self, session: Session, scope: Scope) -> None:
        self._session, self._scope = session, scope
        self._read: dict[str, _Text | None] = {}
        self._names = NameFinder(session)

    def find(self, links: Iterable[Link]) -> dict[Link, Quotation]:
        """Return link → its sentence, without links that have no words."""
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
        """Return link → title, for rules that are only cited, from the first text with the title."""
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
        """Return which of these texts exist."""
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
"""A text unit: the place of its edition among those requested, its document, its line, its words."""


def _quotation(link: Link, place: _Text, names: NameFinder) -> Quotation:
    edition, document, line, text = place
    span = (link.start, link.end) if link.start >= 0 else None
    if link.kind == "mention":
        span = names.span(text, link.target)
    words = opening(text) if link.kind == "definition" else cut(text, span)
    return Quotation(edition, document, line, span[0] if span else 0, words)


class NameFinder:
    """Finds where texts name some terms, but not within longer names.

    The loaders decide what is a mention; this finds its words again.
    """

    def __init__(self, session: Session, terms: Iterable[str] = ()) -> None:
        self._session = session
        self._names: dict[str, dict[str, str]] = {}
        self._known: dict[tuple[str, Forms], Lexicon] = {}
        self.learn(terms)

    def learn(self, terms: Iterable[str]) -> None:
        """Look up the names of the terms (IRIs) that are not known yet."""
        new = sorted(set(terms) - self._names.keys())
        if not new:
            return
        self._names.update((term, {}) for term in new)
        graph = (self._session.iris.graph("terms"),)
        for term, name, longer in self._session.run("evidence", "longer_names", graph, {"term": new}):
            known = self._names[str(term)]
            known[str(name)] = str(term)
            if longer is not None:
                known.setdefault(str(longer), "")

    def span(self, text: str, term: str) -> tuple[int, int] | None:
        """Return the first place at which `text` names the term (an IRI), or None.

        If the name itself does not occur, in the singular or plural, other forms are searched, and then
        players' words for it, as on cards (*upkeep*). A name without an entry must begin a line: it is an
        ability word.
        """
        if not self._names.get(term):
            name = r"\W+".join(self._session.iris.slug_of(term).split("-"))
            begun = re.search(rf"(?im)^\W*{name}\b", text)
            return begun.span() if begun else None
        from ...loaders.language.names import other_forms

        words = _words(text)
        for forms in (_numbers, other_forms):
            for first, end, meanings in self._lexicon(term, forms).matches(words):
                if any(it.thing == term for it in meanings):
                    return words[first].start, words[end - 1].end
        said = [re.escape(word) for thing, word, _ in players_words(self._session.iris.base) if thing == term]
        match_of_players = re.search(rf"\b(?:{'|'.join(said)})\b", text, re.IGNORECASE) if said else None
        return match_of_players.span() if match_of_players else None

    def _lexicon(self, term: str, forms: Forms) -> Lexicon:
        from ...loaders.language.lexicon import Lexicon, Meaning
        from ...loaders.language.senses import set_phrases

        if (term, forms) not in self._known:
            names = {name: [Meaning(thing)] for name, thing in self._names[term].items()}
            # Of everyday phrases only those with the same first letters may hide a name; with all of them, a
            # search would begin at every *in* and *to*.
            own = {word.fold[:3] for name in names for word in tokens(name)}
            near = [it for it in set_phrases() if not own.isdisjoint(word[:3] for word in it.split())]
            self._known[term, forms] = Lexicon(names, forms, near)
        return self._known[term, forms]


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[Word, ...]:
    return tuple(tokens(text))


@lru_cache(maxsize=4096)
def _numbers(word: str) -> tuple[str, ...]:
    """Return the regular singular and plural of a word."""
    # Most names are found this way, and the forms of verbs cost as much as a query.
    from ...loaders.language.names import plural, singular

    return singular(word), plural(word)


def explained(session: Session, question: Question, rows: Sequence[Cells]) -> list[Cells]:
    """Cut the quotes of rows down to the relevant sentence, and remove the columns that locate it."""
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


_POINTER = re.compile(r"\W*(?:(?:Also )?see|For (?:more|details|further)|Refer to)\b", re.IGNORECASE)
_BACK_REFERENCE = re.compile(
    r"\W*(?:This|That|These|Those)(?: [\"“][^\"”]{1,30}[\"”])? (?:is|are)\b", re.IGNORECASE
)


def sentence_around(text: str, start: int, end: int) -> str:
    """Return the sentence or sentences around the span `start`, `end`, with collapsed white space.

    A sentence that only points elsewhere ("See rule 1.2.") is returned with its subject, the sentence before
    it, and so is one about what was just said ("This is a check.").

    >>> sentence_around("It dies. This is a check. See 1.2.", 30, 33)
    'It dies. This is a check. See 1.2.'
    """
    spans = sentences(text)
    inside = [n for n, (a, b) in enumerate(spans) if a < end and start < b]
    if not inside:
        return fold(text)
    first, last = inside[0], inside[-1]
    for leaning in (_POINTER, _BACK_REFERENCE):
        if first == 0 or "\n" in text[spans[first - 1][1] : spans[first][0]]:  # another paragraph
            break
        if leaning.match(text, spans[first][0]):
            first -= 1
    return fold(text[spans[first][0] : spans[last][1]])


def cut(text: str, span: tuple[int, int] | None) -> str:
    """Return the sentence around a span, or the whole text if the place is unknown."""
    return sentence_around(text, *span) if span else fold(text)


def opening(text: str) -> str:
    """Return the first sentence, which says what a rule says about the term in its title."""
    start, end = next(iter(sentences(text)), (0, 0))
    return fold(text[start:end])
