"""What changed becomes a count for each chapter."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from ...loaders.history.items import ChangeKind, Item
from ..session import Cells
from .outcomes import Outcome
from .steps import PARTING

_COUNTED = (
    ChangeKind.ADDED,
    ChangeKind.REMOVED,
    ChangeKind.REWORDED,
    ChangeKind.MOVED_AND_REWORDED,
    ChangeKind.RENUMBERED,
    ChangeKind.REFERENCES,
    ChangeKind.SPLIT,
    ChangeKind.MERGED,
)
CHAPTER_COLUMNS = ("chapter", "title", "changes", *(kind.value for kind in _COUNTED))

_GLOSSARY = ("Glossary", "")
_AGO = " (before)"


def chapters(
    changes: Iterable[Outcome], ways: Sequence[Outcome], old: Mapping[str, Item], new: Mapping[str, Item]
) -> tuple[Cells, ...]:
    """Return a row for each chapter of the later edition with changes, then the glossary.

    What is gone counts for the chapter that its own went on as; for one that is gone as well, a row stands
    under its old number, marked so.
    """
    titles = {it.key: it.text for it in new.values() if _is_chapter(it)}
    titles |= {it.key + _AGO: it.text for it in old.values() if _is_chapter(it)}
    went_on = {
        old[it.before].key: new[it.after].key
        for it in ways
        if _is_chapter(old[it.before]) and it.change not in PARTING
    }
    counts: dict[str, Counter[ChangeKind]] = defaultdict(Counter)
    glossary: Counter[ChangeKind] = Counter()
    for change in changes:
        item = new.get(change.after) or old[change.before]
        chapter = item.key.partition(".")[0]
        if item.is_entry:
            glossary[change.change] += 1
        elif change.after:
            counts[chapter][change.change] += 1
        else:
            counts[went_on.get(chapter, chapter + _AGO)][change.change] += 1
    rows = [_row(chapter, titles.get(chapter, ""), counts[chapter]) for chapter in sorted(counts)]
    return tuple([*rows, _row(*_GLOSSARY, glossary)] if glossary else rows)


def _is_chapter(item: Item) -> bool:
    return not item.is_entry and "." not in item.key


def _row(chapter: str, title: str, counted: Counter[ChangeKind]) -> Cells:
    return chapter, title, counted.total(), *(counted[kind] for kind in _COUNTED)
