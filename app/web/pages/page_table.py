"""The table of pages, from which the server's routes, the published site and its redirects are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple

from pyoxigraph import RdfFormat, parse
from starlette.routing import compile_path

from ....loaders.history.lives import bundled_lives
from ....loaders.history.timeline import told_of
from ....ontology import RulesgraphError, UnknownNameError, prefixed
from ....queries.catalogue.questions import question, questions
from ....queries.finding.names import identify
from ....queries.finding.things import editions_with
from ....queries.history.beyond import nearest_with
from ....queries.session import Answer
from ....viz.vocabulary.reference import render_vocabulary
from .addresses import CARDS, DEFINING, WITH_PAGES, page_of, sought
from .asking import question_page, questions_page, search_page
from .edition_snapshot import QUERIES, wordings_of
from .layout import Page, PageContext, PageLayout, day, policy_of
from .overview import (
    about_page,
    card_page,
    cards_page,
    changes_page,
    defects_page,
    difference_page,
    edition_page,
    front_page,
    terms_page,
)
from .pictures import MAP, map_page
from .query import query_page
from .rule import provision_page, rule_page
from .tables import Cell, Tabulated, dated
from .term import address_in, term_page

_ASKED = "Did you mean"


def thing_page(context: PageContext, iri: str) -> Page:
    """Return the page of a thing, or the page that says that it does not exist, or no longer."""
    place = context.iris.parse(iri)
    local = iri[len(context.iris.base) :]
    makers: dict[str, Callable[[PageContext, str], Page]] = {
        "term": term_page,
        "edition": lambda context, _: edition_page(context, place.edition),
        "rule": rule_page,
        "section": rule_page,
        "entry": _entry_page,
        "provision": provision_page,
        "card": card_page,
    }
    if local in DEFINING:
        html = render_vocabulary()
        return Page(200, "The vocabulary", html, f"{local}.html", policy=policy_of(html))
    make = makers.get(place.kind)
    try:
        if make is None or place.parts:
            return resource_page(context, iri)
        return make(context, iri)
    except UnknownNameError:
        if place.kind in ("provision", "edition", "term") and not place.parts:
            # An id with only a replacement, an edition that is not loaded, or a subtype only on cards.
            with suppress(UnknownNameError):
                return resource_page(context, iri)
        return missing_page(context, iri)


def _entry_page(context: PageContext, iri: str) -> Page:
    """Return the page of the term that an entry defines, in the entry's edition."""
    edition = context.edition(context.iris.parse(iri).edition)
    terms = context.snapshot(edition.id).terms_of(iri)
    if not terms:
        return missing_page(context, iri)
    return term_page(context, terms[0], edition)


def resource_page(context: PageContext, iri: str) -> Page:
    """Return the statements about a thing; raises `UnknownNameError` if there are none."""
    local = iri[len(context.iris.base) :]
    its = wordings_of(context.session, context.iris.parse(iri)) or [iri]
    rows = context.session.select(QUERIES.bound("described", {"it": its}), of=iri)
    told = [(str(it), str(name), str(value)) for it, name, value in rows]
    if not told:
        lines = (f"{line} ." for line in told_of(bundled_lives(), iri, context.iris).lines)
        known = parse("\n".join(lines), RdfFormat.N_TRIPLES)
        told = [(iri, it.predicate.value, it.object.value) for it in known if it.subject.value == iri]
    if not told:
        raise UnknownNameError("thing", local, ())
    layout = PageLayout(context, f"{local}.html")
    shown = told if context.words else [row for row in told if row[2].startswith("http")]
    first = 0 if len(its) > 1 else 1  # for one thing every row says so
    rows_shown = (
        (_value(layout, it), Cell(prefixed(name), layout.to(name)), _value(layout, value))[first:]
        for it, name, value in shown
    )
    table = Tabulated("Statements", ("wording", "property", "value")[first:], tuple(rows_shown))
    name = context.iris.local(iri)
    return layout.page("resource", name, thing=iri, name=name, table=table)


def _value(layout: PageLayout, value: str) -> Cell:
    context = layout.context
    place = context.iris.parse(value)
    linked = place.kind in WITH_PAGES if not context.live else value.startswith(context.iris.base)
    name = context.iris.local(prefixed(value)) or value
    return Cell(name, layout.to(value) if linked and not place.parts else "")


def missing_page(context: PageContext, iri: str, at: str = "") -> Page:
    """Return 410 for what an edition had before, with where it went; 404 for what came later, or never was.

    What came later is shown with its origin, and what never was with the nearest names. `at` is the address
    at which the page is shown, if that differs from the thing's.
    """
    iris = context.iris
    place = iris.parse(iri)
    layout = PageLayout(
        context, f"{iris.local(iri)}.html" if iri.startswith(iris.base) else "missing.html", at=at
    )
    name = place.key.replace("-", " ") if place.kind else iris.local(iri)
    order = [it.id for it in context.followed]
    if place.edition and place.edition not in order:
        said = f"No edition “{place.edition}” is loaded."
    elif not place.parts and (life := _life(context, place.edition, name, order)):
        is_past, answer = life
        *_, (_, here, _, _) = answer.rows
        return layout.page(
            "elsewhen",
            f"{name} is {'no longer here' if is_past else 'not here yet'}{f'; it is {here}' if here else ''}",
            status=410 if is_past else 404,
            name=name,
            is_number=place.kind != "entry",
            is_past=is_past,
            rows=[_row(layout, row) for row in answer.rows],
        )
    else:
        said = f"No loaded edition contains “{name}”."
    told, near = _near(context, name) if name else ("", [])
    return layout.page(
        "missing",
        said,
        status=404,
        said=said,
        told=told,
        ends="?" if told == _ASKED else ".",
        near=[(it, _link(layout, it)) for it in near],
    )


def _life(context: PageContext, edition: str, name: str, order: Sequence[str]) -> tuple[bool, Answer] | None:
    """Return what happened to a name that an edition lacks, from the nearest older one with it, and `True`.

    If none has it, its origin in the nearest newer one, and `False`. If no loaded edition has a number, the
    others count.
    """
    if edition not in order:
        return None
    here = order.index(edition)
    try:
        having = editions_with(context.session, identify(context.session, name), False)
        for is_past, others in ((True, order[:here][::-1]), (False, order[here + 1 :])):
            if found := next((it for it in others if it in having), ""):
                return is_past, context.rules.trace(name, found, edition)
        if found := nearest_with(name, edition):
            return found < edition, context.rules.trace(name, found, edition)
    except RulesgraphError:
        pass
    return None


def _row(layout: PageLayout, row: tuple[object, ...]) -> tuple[str, str, str, str]:
    edition, number, change, _ = row
    told = dated(layout, str(edition))
    iri = layout.context.iris.rule(str(edition), str(number)) if number and told["link"] else ""
    return day(told["issued"]), str(number or ""), str(change), layout.to(iri)


def _near(context: PageContext, name: str) -> tuple[str, list[str]]:
    """Return the nearest names, and what to say before them."""
    try:
        sheet = context.rules.show(name)
    except UnknownNameError as error:
        return _ASKED, list(error.suggestions)
    except RulesgraphError:
        return "", []
    if sheet.kind == "item":
        return "A list of the rules has", [sheet.name]
    return "Another edition has" if sheet.name.casefold() == name.casefold() else _ASKED, [sheet.name]


def _link(layout: PageLayout, name: str) -> str:
    thing = layout.context.snapshot(layout.context.newest.id).called(name)
    return layout.to(thing.iri) if thing else f"{layout.links.tool('search')}?q={name}"


class PageKind(NamedTuple):
    """One row of the table: a kind of page that is not the page of a thing.

    Attributes:
        pattern: its address below the base, with its values in braces.
        page: makes it, from the context, the values of the address, and then the request's parameters.
        published: yields the values of those pages that a static site has.
        asked: takes the values of the address, returns the names of the request parameters that it reads.
        also: other addresses at which the server shows it; search and map read parameters, so their links
            have no ending.
        short: addresses that people type, which redirect to it.
        data: the address of its data, for programs that request `also` or `short` as data.
    """

    pattern: str
    page: Callable[..., Page]
    published: Callable[[PageContext], Iterable[tuple[str, ...]]] = lambda _: ((),)
    asked: Callable[..., tuple[str, ...]] = lambda *_: ()
    also: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    data: str = ""


PAGES = (
    PageKind("index.html", front_page, also=("",), data="dataset"),
    PageKind("terms.html", terms_page, short=("terms",), data="scheme/terms"),
    PageKind("questions.html", questions_page, short=("questions",), data="question"),
    PageKind("changes.html", changes_page, short=("changes", "diff")),
    PageKind("defects.html", defects_page, short=("defects",)),
    PageKind("about.html", about_page, short=("about",)),
    PageKind("search.html", search_page, asked=lambda: ("q", "edition"), also=("search",), short=("ask",)),
    # The map contains the words of the documents, so a site without words has none.
    PageKind(MAP, map_page, lambda context: ((),) if context.words else (), also=("map",)),
    PageKind("query.html", query_page, lambda _: (), short=("query",)),
    # Only one's own server publishes the words of cards.
    PageKind(CARDS, cards_page, lambda _: (), lambda: ("term", "page"), short=("cards",)),
    PageKind(
        "question/{name}.html",
        question_page,
        lambda context: ((it.name,) for it in questions()),
        lambda name: (*(it.name for it in question(name).parameters), "edition", "page"),
        short=("question/{name}",),
    ),
    PageKind(
        "changes/{before}/{after}.html",
        difference_page,
        lambda context: ((before.id, after.id) for before, after in pairwise(context.followed)),
        short=("changes/{before}/{after}",),
    ),
    PageKind(
        "defects/{edition}.html",
        defects_page,
        lambda context: ((it.id,) for it in context.editions),
        short=("defects/{edition}",),
    ),
)

THINGS = {
    **dict.fromkeys("term edition document provision wording authority scheme graph dataset".split(), True),
    **dict.fromkeys("card cards case cases".split(), False),
}
"""The folders of things, each with a page and its data; whether a site has them too."""

NAMES = (*DEFINING, "dataset")
"""The things beside these folders."""

_MATCHERS = [(compile_path(f"/{it.pattern}")[0], it) for it in PAGES]


def page_at(context: PageContext, address: str) -> Page:
    """Return the page that belongs at an address; raises `UnknownNameError` if none does."""
    for matcher, kind in _MATCHERS:
        if found := matcher.match(f"/{address}"):
            return kind.page(context, *found.groups())
    page = thing_page(context, sought(context.iris, address)[0])
    if page.status != 200:
        raise UnknownNameError("page", address, ())
    return page


def home_of(context: PageContext, address: str) -> str:
    """Return the address of the page for the thing at an address, without making it.

    It differs for the entry of a term that is shown on the term's own page.
    """
    iri, _ = sought(context.iris, address)
    place = context.iris.parse(iri)
    if place.kind != "entry" or place.parts:
        return address
    snapshot = context.snapshot(place.edition)
    terms = snapshot.terms_of(iri)
    return address_in(context, snapshot, terms[0]) if terms else address


def addresses_of(context: PageContext) -> Iterator[tuple[str, str]]:
    """Yield the pages of a site that are not about one thing, each with the newest edition that it names."""
    known = {it.id for it in context.editions}
    for matcher, kind in _MATCHERS:
        names = list(matcher.groupindex)
        for values in kind.published(context):
            address = kind.pattern.format(**dict(zip(names, values, strict=True)))
            yield address, next((it for it in reversed(values) if it in known), "")
    yield from ((f"{name}.html", "") for name in NAMES)
    yield from ((f"edition/{it.id}.html", it.id) for it in context.editions)


def things_of(context: PageContext, edition: str) -> list[str]:
    """Return the IRIs of an edition's things that have a page on a site, or redirect to one."""
    snapshot = context.snapshot(edition)
    found = [it for it in snapshot.graph.things if context.iris.parse(it).edition in ("", edition)]
    entries = (entry for term in snapshot.graph.things for entry in snapshot.entries(term))
    found += [it for it in entries if context.iris.parse(it).edition == edition]
    found += snapshot.nameless
    found += snapshot.provisions.values()
    found += [context.iris.document(it.id) for it in context.edition(edition).documents]
    return sorted({it for it in found if page_of(context.iris, it)})
