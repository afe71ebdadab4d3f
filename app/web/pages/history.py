"""Pages and lists of what changed: between two editions, and to one rule through all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup, escape

from ....loaders.history.items import Item
from ....ontology.errors import RulesgraphError
from ....queries.history.diff import compared
from ....queries.history.links import label, outline
from ....queries.session import Cells, Edition
from .addresses import standing_iri
from .layout import Page, PageContext, PageLayout
from .tables import table_of

_TOLD = {
    "": "first seen",
    "unchanged": "unchanged",
    "renumbered": "renumbered, words unchanged",
    "references": "only the numbers of cited rules changed",
    "reworded": "reworded",
    "moved and reworded": "moved and reworded",
    "split": "split",
    "merged": "merged",
    "removed": "removed",
}


def timeline(
    layout: PageLayout, name: str, edition: Edition, here: str, *, entry: bool = False, title: str = ""
) -> list[dict[str, Any]]:
    """Return the history of a rule or an entry, newest first: the editions that changed it, and how.

    It is empty if nothing is known about other editions, and for a name that stands twice, or for nothing.
    An edition that is not loaded has no page to link to, and no words.

    Args:
        layout: the page on which it stands.
        name: the number of the rule, or the heading of the entry, in `edition`.
        edition: an edition that has it.
        here: the IRI of what the page is about.
        entry: whether it is a glossary entry.
        title: the title of the rule, if it has one: words that say no more are left out.
    """
    context = layout.context
    if not edition.has_history:
        return []
    try:
        history = context.history.rows(name, edition.id)
    except RulesgraphError:
        return []
    return steps_of(layout, history, here, entry=entry, title=title)


def steps_of(
    layout: PageLayout, history: Sequence[Cells], here: str = "", *, entry: bool = False, title: str = ""
) -> list[dict[str, Any]]:
    """Return the rows of a history as `timeline` does."""
    context = layout.context
    loaded = {it.id: it.issued for it in context.followed}
    found: list[dict[str, Any]] = []
    before = ""
    for its_edition, number, change, _ in history:
        issue = str(its_edition)
        if not found or found[-1]["edition"] != issue:
            step: dict[str, Any] = {
                "edition": issue,
                "issued": loaded.get(issue) or date.fromisoformat(issue.removeprefix("cr-")),
                "link": layout.links.to(f"edition/{issue}.html") if issue in loaded else "",
                "change": _TOLD.get(str(change), str(change)) if found else "first seen",
                "rules": [],
            }
            found.append(step)
        if number is None:
            continue
        if issue not in loaded:
            found[-1]["rules"].append({"number": number, "link": "", "words": "", "here": False})
            before = ""
            continue
        iri = standing_iri(context.iris, issue, str(number), is_entry=entry)
        text = _text(layout, issue, iri)
        changed = change not in ("", "unchanged", "renumbered") and before and text
        words = marked(compared(before, text)) if changed else escape(text)
        same = change in ("unchanged", "renumbered") or text == title
        rule = {"number": number, "link": layout.to(iri), "words": "" if same else words, "here": iri == here}
        found[-1]["rules"].append(rule)
        before = text or before
    return found[::-1]


class DatedSentence(NamedTuple):
    """A sentence with the day since which it reads so, the link to that edition, and what changed then."""

    since: date
    link: str
    words: Markup


def sentences_of(layout: PageLayout, name: str, edition: Edition) -> list[DatedSentence]:
    """Return since when each sentence of a rule or an entry stands; nothing if all stand since the same day.

    `name` is the number of the rule, or the heading of the entry, in `edition`.
    """
    context = layout.context
    if not edition.has_history or not context.words:
        return []
    try:
        rows = context.history.sentences(name, edition.id)
    except RulesgraphError:
        return []
    if len({row[1] for row in rows}) < 2:
        return []
    loaded = {it.id: it.issued for it in context.followed}
    found = []
    for sentence, edition_id, _, before, *_ in rows:
        since, text = str(edition_id), str(sentence)
        found.append(
            DatedSentence(
                loaded.get(since) or date.fromisoformat(since.removeprefix("cr-")),
                layout.links.to(f"edition/{since}.html") if since in loaded else "",
                marked(compared(str(before), text)) if before else escape(text),
            )
        )
    return found


def _text(layout: PageLayout, edition: str, iri: str) -> str:
    if not layout.context.words:
        return ""
    try:
        return layout.context.history.text(layout.context.edition(edition), iri)
    except RulesgraphError:
        return ""


class RuleVersion(NamedTuple):
    """One provision as it stands in an edition."""

    edition: Edition
    iri: str
    number: str


def rule_versions(context: PageContext, provision: str) -> list[RuleVersion]:
    """Return where a provision stands, the newest edition first."""
    if not provision:
        return []
    ids = {it.id: it for it in context.editions}
    found = []
    for rule, number in context.history.expressions(provision):
        edition = ids.get(context.iris.parse(rule).edition)
        if edition:
            found.append(RuleVersion(edition, rule, number))
    return sorted(found, key=lambda it: (it.edition.age_key, it.iri), reverse=True)


_QUIET = ("renumbered", "references")
"""Changes that leave the sense as it was: they are shown in one line."""


_FOLDED = 200
"""From how many changes on each chapter is folded: in July 2009 there were thousands."""


def changes_page(context: PageContext) -> Page:
    """Return the page on which two editions are chosen."""
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
        kind, what, was, now, _ = (str(cell) for cell in row)
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
        folded=sum(counts.values()) > _FOLDED,
        terms=table_of(layout, context.snapshot(new.id), found.terms),
        followed=context.followed[::-1],
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


def marked(stretches: Sequence[tuple[str, str]]) -> Markup:
    """Return compared words with removed ones struck out and new ones marked.

    >>> str(marked([("same", "Take"), ("gone", "<three>"), ("come", "four")]))
    'Take <del>&lt;three&gt;</del> <ins>four</ins>'
    """
    tags = {"same": "{}", "gone": "<del>{}</del>", "come": "<ins>{}</ins>"}
    return Markup(" ").join(Markup(tags[what]).format(words) for what, words in stretches)
