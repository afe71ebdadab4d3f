"""Words of anybody become a page: the thing that they name, the question that they ask, passages."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from ....ontology.errors import RulesgraphError, UnknownNameError, UsageError
from ....queries.searching.found import Passages
from ....queries.session import Answer
from .page import Page
from .press import Press
from .question import question_link
from .shelf import Shelf
from .tables import Tabulated, stretches, table_of, way_of
from .volume import Subject

SHOWN = 20
"""How many passages are shown."""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that was found: where it stands, its words in pieces, and why."""

    number: str
    link: str
    pieces: list[tuple[str, bool]]
    reason: str
    place: str

    @property
    def text(self) -> str:
        """All of its words."""
        return "".join(text for text, _ in self.pieces)


@dataclass(frozen=True, slots=True)
class Understanding:
    """What words were understood as: a table or passages, what was said of it, or why there is none.

    `shown` is the link to the answer on the map.
    """

    meaning: str = ""
    names: tuple[str, ...] = ()
    link: str = ""
    table: Tabulated | None = None
    notes: tuple[str, ...] = ()
    shown: str = ""
    refusal: str = ""
    near: tuple[str, ...] = ()


def search_page(shelf: Shelf, words: str, edition: str = "") -> Page:
    """Return what is found for words: asked as a question, and looked for in the text.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    chosen = shelf.edition(edition) if edition else shelf.newest
    press = Press(shelf, "search" if shelf.live else "search.html")
    if not words:
        return press.page(
            "search", "Search", words="", thing_found=None, understood=None, hits=[], closest=[]
        )
    answer = _asked(shelf, words, edition)
    said = answer.understood if isinstance(answer, Answer) else None
    named = said.edition if said and not edition else ""  # in the words themselves
    thing = _thing(shelf, named or chosen.id, words, said.thing if said else "")
    told = {"".join(piece.text for piece in passage.pieces) for passage in thing.passages} if thing else set()
    covered = False
    if isinstance(answer, Answer) and not isinstance(answer, Passages):
        # Words that are no name are an answered question: passages with "what" and "is" tell nothing more.
        covered = bool(answer.rows and said and not said.thing)
        answer = answer._replace(rows=tuple(it for it in answer.rows if told.isdisjoint(it)))
        told.update(str(cell) for row in answer.rows for cell in row)
    closest = _hits(press, answer) if isinstance(answer, Passages) else []
    found = None if covered else _searched(shelf, said.thing if said and named else words, edition or named)
    shown = {it.link for it in closest}
    hits = [it for it in (_hits(press, found) if found else []) if it.link not in shown]
    hits = [it for it in hits if it.text not in told]
    return press.page(
        "search",
        f"{words} – search",
        words=words,
        thing_found=thing,
        understood=_understood(press, words, edition, answer),
        hits=hits,
        closest=closest,
        found_notes=found.notes if found else (),
    )


def _asked(shelf: Shelf, words: str, edition: str) -> Answer | UsageError:
    try:
        return shelf.rules.ask(words, edition=edition or None)
    except UsageError as error:
        return error


def _understood(press: Press, words: str, edition: str, answer: Answer | UsageError) -> Understanding:
    shelf = press.shelf
    if isinstance(answer, UsageError):
        near = answer.suggestions if isinstance(answer, UnknownNameError) else ()
        return Understanding(refusal=answer.what, near=near)
    said = answer.understood
    asked = {"answer": words, "edition": edition} if edition else {"answer": words}
    shown = f"{press.links.tool('map')}?{urlencode(asked)}" if answer.rows and " " in words else ""
    if isinstance(answer, Passages):
        return Understanding(notes=answer.notes, shown=shown)
    way = way_of(answer)
    volume = shelf.volume(way[1] if way else answer.edition.split(", ")[0] or shelf.newest.id)
    meaning, _, name = (said.meaning if said else "").rpartition(" (")
    return Understanding(
        meaning=meaning,
        names=said.names if said else (),
        link=question_link(press, name.rstrip(")")) if meaning else "",
        table=table_of(press, volume, answer),
        notes=answer.notes,
        shown="" if way else shown,  # a map is of one edition
    )


def _searched(shelf: Shelf, words: str, edition: str) -> Passages | None:
    try:
        return shelf.rules.search(words, limit=SHOWN, edition=edition or None)
    except RulesgraphError:
        return None  # words that are no search: a lone quote, an unknown condition


def _hits(press: Press, found: Answer) -> list[FoundPassage]:
    assert isinstance(found, Passages)
    hits = []
    for place, row in enumerate(found.records()):
        marks = found.marks[place] if place < len(found.marks) else ()
        where = f"{row['document']}, line {row['line']}" if row["line"] else str(row["document"])
        link = press.to(str(row["iri"]))
        name = str(row["number"] or _name(press.shelf, str(row["iri"]), str(row["edition"])))
        hits.append(FoundPassage(name, link, stretches(str(row["text"]), marks), str(row["reason"]), where))
    return hits


def _name(shelf: Shelf, iri: str, edition: str) -> str:
    """Return the name of the term of an entry; an edition that is not read for pages yet gives its slug."""
    slug = shelf.iris.parse(iri).key
    volume = shelf.volume(edition) if edition == shelf.newest.id else None
    term = shelf.iris.term(slug)
    return volume.thing(term).label if volume and volume.has(term) else slug.replace("-", " ")


def _thing(shelf: Shelf, edition: str, words: str, understood: str) -> Subject | None:
    """Return what an edition calls by some words, or by those that were understood to be a name."""
    volume = shelf.volume(edition)
    called = (words, words.title(), words.removeprefix("rule "), understood, understood.title())
    return next((found for it in called if it and (found := volume.called(it))), None)
