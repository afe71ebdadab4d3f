"""List which rules of an edition a tree cites and which it does not, by chapter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ...loaders.language.numbers import order, wholes
from .material import Material

COLUMNS = ("chapter", "title", "rules", "cited", "share", "weight", "citations", "missing")
_SHOWN = 5
_CHAPTER = 3


def coverage(
    material: Material, cited: Mapping[str, int], relied: Mapping[str, int]
) -> list[tuple[str | int | float | None, ...]]:
    """Return a row for each chapter, its `missing` rules those that most relies on.

    A rule counts as cited if it or a part of it is. `relied` says how often each is cited by others of
    the rules: `weight` is the share of that which the cited rules have.
    """
    reached = {whole for number in cited for whole in wholes(number)}
    chapters: dict[str, list[str]] = {}
    for number in material.book.titles:
        if "." in number and number[-1].isdigit() and number[:_CHAPTER].isdigit():
            chapters.setdefault(number[:_CHAPTER], []).append(number)
    sites: Counter[str] = Counter()
    for number, count in cited.items():
        sites[number[:_CHAPTER]] += count
    rows: list[tuple[str | int | float | None, ...]] = []
    for chapter in sorted(chapters, key=order):
        rules = chapters[chapter]
        found = [it for it in rules if it in reached]
        whole = sum(relied.get(it, 0) for it in rules)
        weight = round(sum(relied.get(it, 0) for it in found) / whole, 2) if whole else None
        missing = sorted({*rules} - reached, key=lambda it: (-relied.get(it, 0), order(it)))
        rows.append(
            (
                *(chapter, material.book.titles.get(chapter, ""), len(rules), len(found)),
                *(round(len(found) / len(rules), 2), weight, sites[chapter]),
                ", ".join(missing[:_SHOWN]) + (" …" if len(missing) > _SHOWN else "") or None,
            )
        )
    return rows
