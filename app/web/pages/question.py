"""A question of the catalogue becomes a page: a form, its answer, and the SPARQL behind it."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from ....ontology.errors import UnknownNameError, UsageError
from ....ontology.query_files import bind
from ....queries.answering.binding import bound
from ....queries.catalogue.questions import AREAS, Question, question, questions
from ....queries.session import Answer
from .page import Page
from .press import Press
from .shelf import Shelf
from .tables import table_of


def questions_page(shelf: Shelf) -> Page:
    """Return the page of the whole catalogue, by what questions are about."""
    areas = [(key, heading, [it for it in questions() if it.area == key]) for key, heading in AREAS.items()]
    return Press(shelf, "questions.html").page("questions", "What can be asked", areas=areas, asked=_blank)


def question_page(shelf: Shelf, name: str, values: Sequence[str] = (), edition: str = "") -> Page:
    """Return the page of one question, answered where it has all that it asks about.

    Raises `UnknownNameError` for a question that there is not.
    """
    asked = question(name)
    press = Press(shelf, f"question/{asked.name}.html")
    given = [*values, *[""] * (len(asked.parameters) - len(values))]
    answer, refusal = None, ""
    near: tuple[str, ...] = ()
    if all(given):
        try:
            answer = shelf.rules.ask(asked.name, *given, edition=edition or None)
        except UnknownNameError as error:
            refusal, near = error.what, error.suggestions
        except UsageError as error:
            refusal = f"{error.what}. {error.way_out}"
    volume = shelf.volume(_first_edition(answer) or shelf.newest.id)
    query = _query(shelf, asked, given, edition) if answer else asked.query
    return press.page(
        "question",
        _title(asked, given),
        asked=asked,
        fields=list(zip(asked.parameters, given, strict=True)),
        heading=_title(asked, given),
        answer=answer,
        table=table_of(press, volume, answer) if answer else None,
        refusal=refusal,
        near=near,
        query=query,
        run=f"{press.links.to('query.html')}?{urlencode({'query': query})}",
        shown=f"{press.links.tool('map')}?{_pictured(asked, given)}",
        address=question_link(press, asked.name, given),
        edition=edition,
        others=[_filled(asked, it, given) for it in asked.phrasings[1:]],
    )


def question_link(press: Press, name: str, values: Sequence[str] = ()) -> str:
    """Return the link to a question, with what it is asked about."""
    if not name:
        return ""
    asked = dict(zip((it.name for it in question(name).parameters), values, strict=False))
    query = urlencode({key: value for key, value in asked.items() if value})
    return press.links.to(f"question/{name}.html") + (f"?{query}" if query else "")


def _blank(asked: Question) -> list[str]:
    """Return some ways to ask a question of nothing in particular."""
    return [_filled(asked, it, [""] * len(asked.parameters)) for it in asked.phrasings[:4]]


def _pictured(asked: Question, values: Sequence[str]) -> str:
    return urlencode([("answer", asked.name), *(("with", value) for value in values)])


def _title(asked: Question, values: Sequence[str]) -> str:
    return _filled(asked, asked.title, values)


def _filled(asked: Question, phrasing: str, values: Sequence[str]) -> str:
    names = {it.name: value or "…" for it, value in zip(asked.parameters, values, strict=True)}
    return phrasing.format(**names)


def _first_edition(answer: Answer | None) -> str:
    return answer.edition.split(", ")[0] if answer else ""


def _query(shelf: Shelf, asked: Question, values: Sequence[str], edition: str) -> str:
    """Return the SPARQL with what it is asked about in its place."""
    found, _, _ = bound(shelf.session, asked, tuple(values), edition or None)
    return bind(asked.query, found)
