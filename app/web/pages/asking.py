"""The pages that ask: the search, and the questions of the catalogue."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import urlencode

from ....loaders.language.numbers import number_in
from ....ontology import RulesgraphError, UnknownNameError, UsageError, compact
from ....queries.answering.ask import ask
from ....queries.answering.running import bound
from ....queries.cards.current import about_cards, current_cards
from ....queries.cards.naming import cards_in
from ....queries.catalogue.questions import AREAS, Question, example_of, question, questions
from ....queries.catalogue.questions import asked as with_terms
from ....queries.searching.scores import Passages
from ....queries.searching.static_index import PARTS, static_index, static_names
from ....queries.session import Answer
from ....viz.passages import cut
from ....viz.selection import Node
from .layout import Page, PageContext, PageLayout
from .tables import list_page, table_of, way_of

ROWS = 500
"""The number of rows of an answer on one page."""


def questions_page(context: PageContext) -> Page:
    """Return the page of the whole catalogue, by the subjects of questions."""
    areas = [(key, heading, [it for it in questions() if it.area == key]) for key, heading in AREAS.items()]
    return PageLayout(context, "questions.html").page(
        "questions", "What you can ask", areas=areas, asked=_blank
    )


def question_page(context: PageContext, name: str, *given: str) -> Page:
    """Return the page of one question, with its answer if all parameters have values.

    `given` are the values of its parameters, the edition, and which page of a long answer to show; ``""`` for
    missing ones.

    Raises `UnknownNameError` for an unknown question.
    """
    asked = question(name)
    layout = PageLayout(context, f"question/{asked.name}.html")
    *values, edition, place = given or ("",) * (len(asked.parameters) + 2)
    answer, refusal = None, ""
    near: tuple[str, ...] = ()
    if all(values):
        try:
            answer = context.rules.ask(asked.name, *values, edition=edition or None)
        except UnknownNameError as error:
            refusal, near = error.what, error.suggestions
        except UsageError as error:
            refusal = f"{error.what}. {error.way_out}"
    snapshot, query = context.snapshot(context.newest.id), example_of(asked)
    if answer:
        snapshot = context.snapshot(answer.edition.split(", ")[0] or context.newest.id)
        query = with_terms(asked, bound(context.session, asked, tuple(values), edition or None)[0])

    count = len(answer.rows) if answer else 0

    def link_to(page: int) -> str:
        return question_link(layout, asked.name, values, edition=edition, page=str(page))

    # A static site has no server to answer with the next page.
    shown, listed = list_page(count, place, ROWS if context.live else max(count, 1), link_to)
    title = _filled(asked, asked.title, values)
    pictured = urlencode([("answer", asked.name), *(("with", it) for it in values)])
    return layout.page(
        "question",
        title,
        asked=asked,
        fields=list(zip(asked.parameters, values, strict=True)),
        heading=title,
        answer=answer,
        listed=listed,
        table=table_of(layout, snapshot, answer._replace(rows=answer.rows[shown])) if answer else None,
        refusal=refusal,
        near=near,
        query=query,
        run=f"{layout.links.to('query.html')}?{urlencode({'query': query})}",
        shown=f"{layout.links.tool('map')}?{pictured}",
        edition=edition,
        others=[_filled(asked, it, values) for it in asked.phrasings[1:]],
    )


def question_link(layout: PageLayout, name: str, values: Sequence[str] = (), **more: str) -> str:
    """Return the link to a question, with its arguments, and `more` that has a value."""
    if not name:
        return ""
    asked = dict(zip((it.name for it in question(name).parameters), values, strict=False))
    query = urlencode({key: value for key, value in {**asked, **more}.items() if value})
    return layout.links.to(f"question/{name}.html") + (f"?{query}" if query else "")


def _blank(asked: Question) -> list[str]:
    """Return some examples of a question, with placeholders."""
    return [_filled(asked, it, [""] * len(asked.parameters)) for it in asked.phrasings[:4]]


def _filled(asked: Question, phrasing: str, values: Sequence[str]) -> str:
    names = {it.name: value or "…" for it, value in zip(asked.parameters, values, strict=True)}
    return phrasing.format(**names)


SEARCH = "search/{}.json"
"""The address of a part of the index with which a browser searches."""

INDEXES = frozenset(map(SEARCH.format, PARTS))
"""The addresses of all parts."""


def search_names(context: PageContext, edition: str = "") -> str:
    """Return the names that input fields complete as JSON, with those of cards if they have pages.

    Raises `UnknownNameError` for an edition that is not loaded, as `search_files` does.
    """
    names = static_names(context.session, context.edition(edition).id if edition else context.newest.id)
    return compact({**names, "others": _card_names(context)} if context.live else names)


def search_files(context: PageContext, edition: str = "") -> dict[str, str]:
    """Return the index of an edition, the newest unless one is named, as files by their addresses."""
    chosen = context.edition(edition).id if edition else context.newest.id
    index = static_index(context.session, chosen, words=context.words)
    return {SEARCH.format(part): compact(content) for part, content in index.items()}


SHOWN = 20
"""The number of passages shown."""


_NOT_UNDERSTOOD = dict.fromkeys(
    "meaning names link lead table count edition notes shown refusal near cards cases".split(), ""
)
"""The page's content for words that are not a question."""


def search_page(context: PageContext, words: str = "", edition: str = "") -> Page:
    """Return the results for some words, both as a question and in the text.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    chosen = context.edition(edition) if edition else context.newest
    layout = PageLayout(context, "search" if context.live else "search.html")
    if not words:
        return layout.page(
            "search", "Search", words="", thing_found=None, understood=None, hits=[], closest=[]
        )
    answer = _asked(context, words, edition)
    said = answer.understood if isinstance(answer, Answer) else None
    named = said.edition if said and not edition else ""  # in the words themselves
    thing = _thing(context, named or chosen.id, words, said.thing if said else "")
    told = {"".join(piece.text for piece in passage.pieces) for passage in thing.passages} if thing else set()
    covered = False
    if isinstance(answer, Answer) and not isinstance(answer, Passages):
        # Words that are not a name are an answered question: passages with "what" and "is" add nothing.
        covered = bool(answer.rows and said and not said.thing)
        answer = answer._replace(rows=tuple(it for it in answer.rows if told.isdisjoint(it)))
        told.update(str(cell) for row in answer.rows for cell in row)
    closest = _hits(layout, answer) if isinstance(answer, Passages) else []
    found = None if covered else _searched(context, said.thing if said and named else words, edition or named)
    shown = {it["link"] for it in closest}
    hits = [
        it
        for it in (_hits(layout, found) if found else [])
        if it["link"] not in shown and it["text"] not in told
    ]
    return layout.page(
        "search",
        f"{words} – search",
        words=words,
        thing_found=thing,
        understood=_understood(layout, words, edition, answer),
        hits=hits,
        closest=closest,
        # The notes of the closest rules say the same about the words, and more about cards.
        found_notes=found.notes if found and not closest else (),
    )


def _asked(context: PageContext, words: str, edition: str) -> Answer | UsageError:
    try:
        return ask(context.rules.session, words, edition=edition or None)
    except UsageError as error:
        # A number alone that only unloaded editions had.
        if number_in(words) and not edition and context.followed:
            with suppress(RulesgraphError):
                return context.rules.trace(words)
        return error


def _understood(layout: PageLayout, words: str, edition: str, answer: Answer | UsageError) -> dict[str, Any]:
    """Return the result of understanding words: a table or passages, with notes, or why there is none."""
    context = layout.context
    if isinstance(answer, UsageError):
        near = answer.suggestions if isinstance(answer, UnknownNameError) else ()
        return {**_NOT_UNDERSTOOD, "refusal": answer.what, "near": near}
    said = answer.understood
    asked = {"answer": words, "edition": edition} if edition else {"answer": words}
    if answer.name == "card_text":
        asked = {"answer": "rules_of_card", "with": str(answer.rows[0][0])}
    shown = f"{layout.links.tool('map')}?{urlencode(asked)}" if answer.rows and " " in words else ""
    if isinstance(answer, Passages):
        solved = {*map(str, answer.cases)}
        notes = _linked(layout, words, [it for it in answer.notes if it not in solved])
        cards = table_of(layout, context.snapshot(context.newest.id), answer.cards) if answer.cards else ""
        rule = partial(context.iris.rule, answer.edition)
        cases = [(it, [(own, layout.to(rule(own))) for own in it.rules]) for it in answer.cases]
        return {**_NOT_UNDERSTOOD, "notes": notes, "shown": shown, "cards": cards, "cases": cases}
    way = way_of(answer)
    chosen = way[1] if way else answer.edition.split(", ")[0]
    loaded = {it.id for it in context.editions}  # a history includes editions that are not
    snapshot = context.snapshot(chosen if chosen in loaded else context.newest.id)
    more = [it for it in answer.notes if it not in answer.lead]
    cut = f"These are the first {ROWS} of {len(answer.rows):,}; the page of the question has all."
    name, *values = (said and said.asked) or ("",)
    return {
        **_NOT_UNDERSTOOD,
        "meaning": said.meaning.replace(f" ({name})", "") if said and not said.thing else "",
        "names": said.names if said else (),
        "link": question_link(layout, name, values),
        "table": table_of(layout, snapshot, answer._replace(rows=answer.rows[:ROWS])),
        "count": len(answer.rows) + answer.more,
        "lead": _linked(layout, words, answer.lead),
        "edition": answer.edition,
        "notes": _linked(layout, words, (*more, *([cut] if len(answer.rows) > ROWS else []))),
        "shown": "" if way else shown,  # a map is of one edition
    }


_COMMAND = re.compile(r"(?:^|[:;] )(?:see )?`rulesgraph [^`]*`[^.]*")
"""What a note says of a command, as far as the end of its sentence."""


def _linked(layout: PageLayout, words: str, notes: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Return notes in pieces, each with a link if it is the name of a card that words mean, or may mean.

    Commands and options are for the command line.
    """
    session = layout.context.session
    found = cards_in(session, words) if current_cards(session) else ()
    cards = {name: iri for it in found for name, iri in ((it.name, it.iri), *it.begun.items()) if iri}
    names = re.compile(f"({'|'.join(map(re.escape, sorted(cards, key=len, reverse=True))) or '$.'})")
    return [
        [(it, layout.to(cards[it]) if it in cards else "") for it in names.split(told)]
        for note in notes
        if (told := _COMMAND.sub("", note)) != "." and "--" not in told
    ]


def _searched(context: PageContext, words: str, edition: str) -> Passages | None:
    try:
        return context.rules.search(words, limit=SHOWN, edition=edition or None)
    except RulesgraphError:
        return None  # words that cannot be searched for: a lone quote, an unknown condition


def _hits(layout: PageLayout, found: Answer) -> list[dict[str, Any]]:
    assert isinstance(found, Passages)
    hits = []
    for row, marks in zip(found.records(), found.marks, strict=True):
        where = f"{row['document']}, line {row['line']}" if row["line"] else str(row["document"])
        link = layout.to(str(row["iri"]))
        name = str(row["number"] or _name(layout.context, str(row["iri"]), str(row["edition"])))
        text = str(row["text"])
        hit = {"number": name, "link": link, "text": text, "place": where, "reason": row["reason"]}
        hits.append({**hit, "pieces": [*cut(text, dict.fromkeys(marks, ("marked",)))]})
    return hits


def _name(context: PageContext, iri: str, edition: str) -> str:
    """Return the name of an entry's term, or its slug if no page has read the edition yet."""
    slug = context.iris.parse(iri).key
    snapshot = context.snapshot(edition) if edition == context.newest.id else None
    term = context.iris.term(slug)
    return snapshot.thing(term).label if snapshot and snapshot.has(term) else slug.replace("-", " ")


def _thing(context: PageContext, edition: str, words: str, understood: str) -> Node | None:
    """Return the thing that an edition calls by some words, or by those understood as a name."""
    snapshot = context.snapshot(edition)
    called = (words, words.title(), words.removeprefix("rule "), understood, understood.title())
    return next((found for it in called if it and (found := snapshot.called(it))), None)


def _card_names(context: PageContext) -> list[list[str]]:
    """Return pairs of the name of a card and the address of its page."""
    data = current_cards(context.session)
    rows = about_cards(context.session, data, "titles", {}) if data else []
    return [[str(name), f"{str(card).removeprefix(context.iris.base)}.html"] for card, name in rows]
