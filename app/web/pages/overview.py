"""The pages that list: the front page, the data, an edition, its terms, its defects, changes; and cards."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from itertools import groupby, pairwise
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from ....loaders.history.items import Item
from ....ontology import UnknownNameError, packaged
from ....queries.cards.current import NamedCard, about_cards, current_cards, listed_types
from ....queries.catalogue.questions import AREAS, questions
from ....queries.finding.names import identify, is_name
from ....queries.history.links import label, outline
from ....queries.history.marking import compared
from ....queries.session import Edition
from ....queries.sheets.card import sheet_about
from ....viz.selection import Node, NodeKind
from .addresses import CARDS, NOTATIONS, cards_link
from .layout import Page, PageContext, PageLayout, marked, schema_org
from .tables import Cell, Tabulated, list_page, table_of

SHOWN = {
    "Which terms rely on state-based actions?": ("state-based actions",),
    "Why does deathtouch rely on state-based actions?": ("deathtouch", "state-based actions"),
    "What does trample interact with?": ("trample",),
    "Can I respond to a mana ability?": ("mana ability",),
}
"""Example questions for new visitors, with the names that must exist."""

_FEWEST = 3
"""The minimum number of questions shown, as far as there are terms for them."""


def front_page(context: PageContext) -> Page:
    """Return the front page."""
    layout = PageLayout(context, "index.html")
    rows = context.rules.contents().records()
    return layout.page(
        "front",
        "The rules as a graph",
        described=schema_org(
            "Dataset",
            context.iris.dataset(),
            "rulesgraph",
            description="The rules documents of Magic: The Gathering as a knowledge graph with its evidence.",
            dateModified=str(context.modified or ""),
        ),
        editions=list(zip(context.editions, rows, strict=True)),
        newest=context.newest,
        tries=[{"words": it, "link": layout.asking(it)} for it in _shown(context)],
        areas=[
            (heading, [(it.name, re.sub(r"\{\w+\}", "…", it.title)) for it in questions() if it.area == key])
            for key, heading in AREAS.items()
        ],
    )


def _shown(context: PageContext) -> list[str]:
    """Return questions that the loaded texts answer; small texts answer few of the usual ones."""
    found = [words for words, names in SHOWN.items() if all(is_name(context.session, it) for it in names)]
    if len(found) < _FEWEST:
        asked = {identify(context.session, it).key for words in found for it in SHOWN[words]}
        terms = [str(row["term"]) for row in context.rules.ask("most_relied_on")]
        own = [it for it in terms if identify(context.session, it).key not in asked]
        found += [f"Which terms rely on {it}?" for it in own[: _FEWEST - len(found)]]
    return found


def about_page(context: PageContext) -> Page:
    """Return the page about the data."""
    layout = PageLayout(context, "about.html")
    rows = context.rules.contents().records()
    return layout.page(
        "about",
        "About the data",
        thing=context.iris.dataset(),
        editions=list(zip(context.editions, rows, strict=True)),
        notations=NOTATIONS,
        version=version("rulesgraph"),
        base=context.iris.base,
        newest=context.newest,
        figures=quality_figures(),
        together=len(context.editions) > 1 and context.session.store.size() <= context.rows,
    )


QUALITY_FILE = "quality.tsv"
"""The measured figures, one a line: the rows of the table in docs/quality.md, checked by a test."""


@cache
def quality_figures() -> tuple[dict[str, Any], ...]:
    """Return the precision and recall of each kind of statement in an edition, as in the README.

    A figure `is_below` if precision or recall does not reach its aim; `aim` has both.
    """
    text = packaged(__package__, QUALITY_FILE).decode("utf-8")
    names = ("kind", "where", "gold", "precision", "recall", "aim")
    figures = [dict(zip(names, line.split("\t"), strict=True)) for line in text.splitlines()]
    return tuple({**it, "is_below": _is_below(it)} for it in figures)


def _is_below(figure: Mapping[str, str]) -> bool:
    precision, recall = (float(it) for it in figure["aim"].split(" / "))
    return float(figure["precision"]) < precision or float(figure["recall"]) < recall


def edition_page(context: PageContext, name: str) -> Page:
    """Return the page of an edition; raises `UnknownNameError` for one that is not loaded."""
    edition = context.edition(name)
    snapshot = context.snapshot(edition.id)
    layout = PageLayout(context, f"edition/{edition.id}.html")
    sections = [(it, snapshot.parts(it.iri)) for it in snapshot.things(NodeKind.SECTION) if it.loaded]
    rows = context.rules.contents().records()
    iri = context.iris.edition(edition.id)
    return layout.page(
        "edition",
        edition.title,
        thing=iri,
        choices=layout.choices(edition),
        described=schema_org("Legislation", iri, edition.title, datePublished=str(edition.issued or "")),
        modified=edition.issued,
        edition=edition,
        counts=next(row for row in rows if row["edition"] == edition.id),
        sections=sections,
        entries=[it for it in snapshot.things(NodeKind.ENTRY) if it.loaded] if not sections else [],
        before={new.id: old for old, new in pairwise(context.followed)}.get(edition.id),
    )


def terms_page(context: PageContext) -> Page:
    """Return the page of all terms of the newest edition, by their first letters."""
    snapshot = context.snapshot(context.newest.id)
    terms = [it for it in snapshot.things(NodeKind.TERM) if it.loaded]
    letters = [(letter, list(them)) for letter, them in groupby(terms, key=_letter)]
    return PageLayout(context, "terms.html").page(
        "terms", "Terms", edition=context.newest, letters=letters, count=len(terms)
    )


def _letter(term: Node) -> str:
    first = term.label[:1].upper()
    return first if first.isalpha() else "#"


def defects_page(context: PageContext, name: str = "") -> Page:
    """Return the defects of an edition, the newest unless one is named.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    edition = context.edition(name) if name else context.newest
    layout = PageLayout(context, f"defects/{edition.id}.html" if name else "defects.html")
    found = context.rules.check(edition=edition.id)
    # If an edition is one document the page has named it; otherwise each defect does.
    said = ("document",) * (len(edition.documents) == 1) + ("since",) * (len(context.editions) == 1)
    table = table_of(layout, context.snapshot(edition.id), found, without=said)
    return layout.page(
        "defects",
        f"Defects of {edition.title}",
        choices=layout.choices(edition, "defects"),
        modified=edition.issued,
        edition=edition,
        table=table,
    )


_QUIET = ("renumbered", "references")
"""Changes that keep the sense: they are shown in one line."""


_FOLDED = 200
"""The number of changes from which each chapter is folded: in July 2009 there were thousands."""


def changes_page(context: PageContext) -> Page:
    """Return the page for choosing two editions."""
    pairs = list(pairwise(context.followed))[::-1]
    return PageLayout(context, "changes.html").page(
        "changes", "Changes", pairs=pairs, followed=context.followed[::-1]
    )


def difference_page(context: PageContext, before: str, after: str) -> Page:
    """Return the page of what changed between two editions of the comprehensive rules.

    Raises `UnknownNameError` for an edition that is not loaded, `UsageError` for one without history.
    """
    old, new = context.edition(before), context.edition(after)
    layout = PageLayout(context, f"changes/{old.id}/{new.id}.html")
    found = context.rules.diff(old.id, new.id)
    olds, news = _by_label(context, old), _by_label(context, new)
    titles = {str(row[0]): str(row[1]) for row in found.chapters.rows}
    groups: dict[str, dict[str, Any]] = {}
    counts: dict[str, int] = defaultdict(int)
    for row in found.changes.rows:
        kind, what, was, now = (str(cell) for cell in row[:4])
        counts[kind] += 1
        is_entry, is_quiet = what == "entry", kind in _QUIET
        gone, come = olds.get((is_entry, was)), news.get((is_entry, now))
        change = {
            "kind": kind,
            "before": was,
            "before_link": layout.to(gone.iri) if gone else "",
            "after": now,
            "after_link": layout.to(come.iri) if come else "",
            "words": _words(gone, come) if context.words and not is_quiet else "",
        }
        chapter = "Glossary" if is_entry else (now or was).partition(".")[0]
        group = {"number": chapter, "title": titles.get(chapter, ""), "loud": [], "quiet": []}
        groups.setdefault(chapter, group)["quiet" if is_quiet else "loud"].append(change)
    through_time = urlencode({"editions": f"{old.id},{new.id}"})
    ordered = sorted(groups.values(), key=lambda it: (it["number"] == "Glossary", it["number"]))
    return layout.page(
        "difference",
        f"{old.issued} to {new.issued}: what changed",
        modified=new.issued,
        old=old,
        new=new,
        counts=sorted(counts.items(), key=lambda it: -it[1]),
        groups=ordered,
        notes=found.changes.notes,
        folded=sum(counts.values()) > _FOLDED,
        terms=table_of(layout, context.snapshot(new.id), found.terms),
        shown=f"{layout.links.tool('map')}?{through_time}" if context.live else "",
    )


def _by_label(context: PageContext, edition: Edition) -> dict[tuple[bool, str], Item]:
    return {(it.is_entry, label(it)): it for it in outline(context.session, edition).values()}


def _words(before: Item | None, after: Item | None) -> Markup:
    if before is None or after is None:
        only = before or after
        tag = Markup("<del>{}</del>") if after is None else Markup("{}")
        return tag.format(only.text if only else "")
    return marked(compared(before.text, after.text))


# -- cards -------------------------------------------------------------------------------------------

MOST = 100
"""The number of cards on one page of a list."""


def card_page(context: PageContext, iri: str) -> Page:
    """Return the page of a card of the newest data set; raises `UnknownNameError` if it has no such card."""
    data = current_cards(context.session)
    rows = about_cards(context.session, data, "titles", {"card": [iri]}) if data else []
    if data is None or not rows:
        raise UnknownNameError("card", context.iris.parse(iri).key, ())
    name = str(rows[0][1])
    sheet = sheet_about(context.session, data, NamedCard(name, name, 0, 0, iri))
    layout = PageLayout(context, f"{iri.removeprefix(context.iris.base)}.html")
    snapshot = context.snapshot(context.newest.id)
    tables = [table_of(layout, snapshot, table) for table in sheet.tables]
    names, notes = sheet.other_names, sheet.notes
    return layout.page("card", name, thing=iri, name=name, names=names, tables=tables, notes=notes)


def cards_page(context: PageContext, term: str = "", place: str = "") -> Page:
    """Return one page of all cards, or of those that name a term; `place` is its number, from 1.

    Raises `UnknownNameError` for a name that no term has.
    """
    data = current_cards(context.session)
    types = listed_types(context.session, term) if term else ()
    named = identify(context.session, term) if term and not types else None
    if named and named.kind != "term":
        raise UnknownNameError("term", term, ())
    terms = (named.key,) if named else types
    if data is None:
        rows = []
    elif terms:
        rows = about_cards(context.session, data, "listed", {"term": terms})
    else:
        rows = [(*row, None) for row in about_cards(context.session, data, "titles", {})]
    layout = PageLayout(context, CARDS)
    part, listed = list_page(len(rows), place, MOST, lambda at: cards_link(layout.links, term, at))
    columns = ("card", "types") if terms else ("card",)
    shown = tuple(
        (Cell(str(name), layout.to(str(card))), Cell(str(types or "")))[: len(columns)]
        for card, name, types in rows[part]
    )
    table = Tabulated("Cards", columns, shown)
    title = f"Cards with {term}" if term else "Cards"
    return layout.page("cards", title, heading=title, listed=listed, table=table, data=data)
