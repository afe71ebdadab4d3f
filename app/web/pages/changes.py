"""Two editions become a page of what changed between them, chapter by chapter, with the words marked."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import urlencode

from markupsafe import Markup

from ....loaders.history.items import Item
from ....queries.history.diff import compared
from ....queries.history.outline import label, outline
from ....queries.session import Edition
from .page import Page
from .press import Press, marked
from .shelf import Shelf
from .tables import table_of

_QUIET = ("renumbered", "references")
"""Changes that leave the sense as it was: they are told in a line."""


@dataclass(frozen=True, slots=True)
class WordChange:
    """One change: the numbers before and after with their pages, and the words with what changed marked."""

    kind: str
    before: str
    before_link: str
    after: str
    after_link: str
    words: Markup


@dataclass(slots=True)
class ChapterChanges:
    """The changes of one chapter: those of the words, and those of numbers alone."""

    number: str
    title: str
    loud: list[WordChange]
    quiet: list[WordChange]


def changes_page(shelf: Shelf) -> Page:
    """Return the page on which two editions are chosen."""
    pairs = list(pairwise(shelf.followed))[::-1]
    return Press(shelf, "changes.html").page("changes", "Changes", pairs=pairs, followed=shelf.followed[::-1])


def difference_page(shelf: Shelf, before: str, after: str) -> Page:
    """Return the page of what changed between two editions of the comprehensive rules.

    Raises `UnknownNameError` for an edition that is not loaded, `UsageError` for one without history.
    """
    old, new = shelf.edition(before), shelf.edition(after)
    press = Press(shelf, f"changes/{old.id}/{new.id}.html")
    found = shelf.rules.diff(old.id, new.id)
    olds, news = _by_label(shelf, old), _by_label(shelf, new)
    groups: dict[str, ChapterChanges] = {}
    titles = {str(row[0]): str(row[1]) for row in found.chapters.rows}
    counts: dict[str, int] = defaultdict(int)
    for row in found.changes.rows:
        kind, what, was, now, _ = (str(cell) for cell in row)
        counts[kind] += 1
        is_entry = what == "entry"
        change = WordChange(
            kind,
            was,
            press.to(olds[is_entry, was].iri) if was else "",
            now,
            press.to(news[is_entry, now].iri) if now else "",
            Markup("")
            if kind in _QUIET or not shelf.words
            else _words(olds.get((is_entry, was)), news.get((is_entry, now))),
        )
        chapter = "Glossary" if is_entry else (now or was).partition(".")[0]
        group = groups.setdefault(chapter, ChapterChanges(chapter, titles.get(chapter, ""), [], []))
        (group.quiet if kind in _QUIET else group.loud).append(change)
    through_time = urlencode({"editions": f"{old.id},{new.id}"})
    ordered = sorted(groups.values(), key=lambda it: (it.number == "Glossary", it.number))
    return press.page(
        "difference",
        f"{old.issued} to {new.issued}: what changed",
        modified=new.issued,
        old=old,
        new=new,
        counts=sorted(counts.items(), key=lambda it: -it[1]),
        groups=ordered,
        terms=table_of(press, shelf.volume(new.id), found.terms),
        followed=shelf.followed[::-1],
        shown=f"{press.links.tool('map')}?{through_time}" if shelf.live else "",
    )


def _by_label(shelf: Shelf, edition: Edition) -> dict[tuple[bool, str], Item]:
    return {(it.is_entry, label(it)): it for it in outline(shelf.session, edition).values()}


def _words(before: Item | None, after: Item | None) -> Markup:
    if before is None or after is None:
        only = before or after
        tag = Markup("<del>{}</del>") if after is None else Markup("{}")
        return tag.format(only.text if only else "")
    return marked(compared(before.text, after.text))
