"""Lists of what became of one rule or entry through all editions, for its page."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from typing import Any, NamedTuple

from markupsafe import escape

from ....ontology.errors import RulesgraphError
from ....queries.history.diff import compared
from ....queries.session import Cells, Edition
from .addresses import standing_iri
from .layout import PageContext, PageLayout, marked

_TOLD = {
    "": "first seen",
    "renumbered": "renumbered, words unchanged",
    "references": "only the numbers of cited rules changed",
}


def timeline(
    layout: PageLayout, name: str, edition: Edition, here: str, *, entry: bool = False, title: str = ""
) -> list[dict[str, Any]]:
    """Return the history of a rule or an entry, newest first: the editions that changed it, and how.

    It is empty if nothing is known about other editions, and for a name that occurs twice, or never. An
    edition that is not loaded has no page to link to, and no words.

    Args:
        layout: the page that contains it.
        name: the number of the rule, or the heading of the entry, in `edition`.
        edition: an edition that has it.
        here: the IRI of the subject of the page.
        entry: whether it is a glossary entry.
        title: the title of the rule, if it has one: words that only repeat it are left out.
    """
    history: Sequence[Cells] = ()
    if edition.has_history:
        with suppress(RulesgraphError):
            history = layout.context.history.rows(name, edition.id)
    return steps_of(layout, history, here, entry=entry, title=title)


def steps_of(
    layout: PageLayout, history: Sequence[Cells], here: str = "", *, entry: bool = False, title: str = ""
) -> list[dict[str, Any]]:
    """Return the rows of a history as `timeline` does."""
    context = layout.context
    loaded = {it.id for it in context.followed}
    found: list[dict[str, Any]] = []
    before = ""
    for its_edition, number, change, _ in history:
        issue = str(its_edition)
        if not found or found[-1]["edition"] != issue:
            change_told = _TOLD.get(str(change), str(change)) if found else "first seen"
            found.append({**dated(layout, issue), "edition": issue, "change": change_told, "rules": []})
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


def sentences_of(layout: PageLayout, name: str, edition: Edition) -> list[dict[str, Any]]:
    """Return since when each sentence of a rule or an entry is as it is; nothing if all have the same day.

    `name` is the number of the rule, or the heading of the entry, in `edition`. Each sentence has the day
    since which it has its words, a link to that edition, and the change.
    """
    rows: Sequence[Cells] = ()
    if edition.has_history and layout.context.words:
        with suppress(RulesgraphError):
            rows = layout.context.history.sentences(name, edition.id)
    if len({row[1] for row in rows}) < 2:
        return []
    found = []
    for sentence, since, _, before, *_ in rows:
        words = marked(compared(str(before), str(sentence))) if before else escape(str(sentence))
        found.append({**dated(layout, str(since)), "words": words})
    return found


def dated(layout: PageLayout, edition: str) -> dict[str, Any]:
    """Return the day of an edition, loaded or not, and the link to its page if it is loaded."""
    loaded = next((it for it in layout.context.followed if it.id == edition), None)
    issued = (loaded and loaded.issued) or date.fromisoformat(edition.removeprefix("cr-"))
    return {"issued": issued, "link": layout.links.to(f"edition/{edition}.html") if loaded else ""}


def _text(layout: PageLayout, edition: str, iri: str) -> str:
    with suppress(RulesgraphError):
        return (
            layout.context.history.text(layout.context.edition(edition), iri) if layout.context.words else ""
        )
    return ""


class RuleVersion(NamedTuple):
    """One provision in an edition."""

    edition: Edition
    iri: str
    number: str


def rule_versions(context: PageContext, provision: str) -> list[RuleVersion]:
    """Return where a provision is, the newest edition first."""
    if not provision:
        return []
    ids = {it.id: it for it in context.editions}
    found = []
    for rule, number in context.history.expressions(provision):
        edition = ids.get(context.iris.parse(rule).edition)
        if edition:
            found.append(RuleVersion(edition, rule, number))
    return sorted(found, key=lambda it: (it.edition.age_key, it.iri), reverse=True)
