"""An interactive graph as an HTML page, for a file or a notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from typing import NamedTuple

from ...loaders.language.numbers import order
from ...loaders.workers import Progress
from ...ontology import NothingFoundError, UnknownNameError, UsageError, counted
from ...queries.catalogue.questions import question
from ...queries.finding.things import resolve
from ...queries.reliance.levels import reach_of
from ...queries.session import Answer, Session, check_limit
from ...queries.session.statements import Statements
from ...viz.select import AnsweredQuestion, choose, is_small, of_answer
from ...viz.selection import Selection
from ..files import output_file


@dataclass(frozen=True, slots=True)
class Picture:
    """An HTML page in `html`; `things` and `links` count what it shows at first.

    On the web, a map loads its `words` (JSON) separately; elsewhere they are in the page.

    >>> Picture("Lantern", 3, 2, "<!doctype html>")
    Picture(title='Lantern', things=3, links=2)
    """

    title: str
    things: int
    links: int
    html: str = field(repr=False)
    words: str = field(default="", repr=False)

    def write(self, path: str | Path) -> None:
        """Write the page to a file, completely or not at all, or to stdout for ``"-"``.

        Raises `UsageError` if the file cannot be written.

        >>> Picture("Lantern", 3, 2, "<!doctype html>").write("no-such-folder/graph.html")
        Traceback (most recent call last):
        rulesgraph.ontology.errors.UsageError: no-such-folder/graph.html: it cannot be written: ...
        """
        with output_file(path) as out:
            out.write(self.html.encode())

    def _repr_html_(self) -> str:
        """Return the page in its own frame, where its security policy applies."""
        frame = 'style="width: 100%; height: 600px; border: 0" sandbox="allow-scripts"'
        return f'<iframe title="{escape(self.title)}" {frame} srcdoc="{escape(self.html)}"></iframe>'


class PictureRequest(NamedTuple):
    """What to draw, as `Rules.picture` has it.

    By default it is the map of the newest edition.
    """

    around: str | None = None
    depth: int = 1
    answer: Sequence[str] = ()
    cited: Sequence[str] = ()
    edition: str | None = None
    limit: int | None = None
    editions: str | Sequence[str] | None = None
    whole: bool = False
    things: Sequence[str] = ()
    """Only on the web: the IRIs of the things themselves, and how they are linked."""


def draw(
    session: Session,
    wanted: PictureRequest,
    *,
    words_at: str = "",
    progress: Progress | None = None,
) -> Picture:
    """Return the picture of a thing, of an answer, of what is most connected, or of everything.

    The first of these decides: `things`, `editions` (a map through time), then a thing, a limit or a short
    answer (a graph). Anything else is shown on the map of an edition.

    `words_at` is the address, as seen from the page, of a map's words.
    """
    from ...queries.cards.naming import card_meant

    around, depth, answer, cited, edition, limit, editions, whole, things = wanted
    check_limit(limit)
    if depth < 0:
        raise UsageError(f"the depth is {depth}", way_out="0 draws only the thing itself.")
    if things:
        named = Answer("things", ("thing",), tuple((it,) for it in things))
        stated = Statements(session, session.scope())
        return _picture_of(of_answer(stated, named, title="The result of a query"))
    if around and not answer and (card := card_meant(session, around)):
        answer = ("rules_of_card", card.name)
    if editions:
        from ...viz.map.page import render_editions

        each = partial(answer_question, session, answer) if answer else None
        names = editions if isinstance(editions, str) else ",".join(editions)
        return Picture(*render_editions(session, names, each, words_at=words_at, progress=progress))
    asked = answer_question(session, answer, edition) if answer else None
    if cited:
        asked, whole = cited_rules(session, cited, edition), True
    if around is not None or limit is not None or (asked and not whole and is_small(asked.answer)):
        # An answer that names nothing, such as a count, is shown in words on the map.
        with suppress(NothingFoundError) if asked and limit is None else nullcontext():
            chosen = choose(session, around=around, depth=depth, asked=asked, edition=edition, limit=limit)
            return _picture_of(chosen, map_at="map" if words_at else "")
    from ...viz.map.page import render_map

    stated = Statements(session, asked.scope if asked else session.scope(edition))
    return Picture(*render_map(stated, asked, words_at=words_at))


def _picture_of(chosen: Selection, map_at: str = "") -> Picture:
    from ...viz.page import render_page

    shown = {node.iri for node in chosen.nodes if not node.reserve}
    links = sum({link.source, link.target} <= shown for link in chosen.links)
    return Picture(chosen.title, len(shown), links, render_page(chosen, map_at=map_at))


def cited_rules(session: Session, paths: Sequence[str], edition: str | None) -> AnsweredQuestion:
    """Return the rules that files and folders cite, each with how often, as an answer for the map.

    Raises `NothingFoundError` if they cite none that the edition has.
    """
    from ...queries.citing.cite import SourceTree
    from ...queries.verifying.verify import books

    book, _ = books(session, edition)
    sites = SourceTree(paths).read().sites
    counts = Counter(number for it in sites for number in it.citation.numbers if number in book.titles)
    if not counts:
        raise NothingFoundError(f"no rule of {book.name} is cited in {', '.join(paths)}")
    rows = tuple((number, counted(counts[number], "citation")) for number in sorted(counts, key=order))
    found = Answer("cited", ("number", "message"), rows, book.name)
    return AnsweredQuestion(f"Rules cited in {', '.join(paths)}", found, session.scope(book.name), ())


_WHY = "why"
"""The shortest chain between two things, which is not a question of the catalogue."""


def answer_question(session: Session, asked: Sequence[str], edition: str | None) -> AnsweredQuestion:
    """Answer a question in words, or one by its name and arguments; ``why`` counts as one.

    Raises the errors of `queries.answering.ask.ask`.
    """
    from ...queries.answering.ask import ask
    from ...queries.reliance.interaction import why_and_where

    name, *values = asked
    if not values and " " in name:
        answer = ask(session, name, edition=edition)
        understood = answer.understood
        if not understood or not understood.asked:  # a chain, a comparison, or the closest rules
            known = {it.id for it in session.editions()}  # a card's text comes from a set of cards
            seen = session.scope(",".join(it for it in answer.edition.split(", ") if it in known) or edition)
            return AnsweredQuestion((understood and understood.meaning) or name, answer, seen, ())
        name, *values = understood.asked
        edition = edition or understood.edition or None
    elif name == _WHY and len(values) == 2:
        answer = why_and_where(session, *values, edition=edition, reach=reach_of(steps="all"))
    else:
        answer = ask(session, name, values, edition=edition)
    about = []
    scope = None
    for value in values:
        with suppress(UnknownNameError):  # a date or an authority is not a thing in the graph
            meant = resolve(session, [value], edition)
            about.append(tuple(meant.things[0].iris))
            scope = scope or meant.scope
    return AnsweredQuestion(_title(name, values), answer, scope or session.scope(edition), tuple(about))


def _title(name: str, values: Sequence[str]) -> str:
    """Return a question in words, with its subjects."""
    if name == _WHY:
        return f"Why does {values[0]} rely on {values[1]}?"
    return question(name).about(values)
