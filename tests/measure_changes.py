"""Measure how well changes of rules and entries are found, by `history_changes.tsv`, `history_entries.tsv`.

`gold/README.md` says what the tables contain, how they were drawn and what each kind means. A rule is
``right`` when it leads to its head (or nowhere, if it is gone); the parts of a split and the sources of a
merge are counted one by one. `measure_history.py` prints the figures.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rulesgraph.loaders.history.items import Change, ChangeKind
from rulesgraph.ontology.iris import slug

KINDS = ("reworded", "moved-reworded", "references", "split", "merged", "removed")
ERAS = (("to 2009-05", "2009-05-01"), ("2009-07 to 2019", "2019-08-23"), ("2019 on", "9999"))
HALVES = ("tuned", "unseen")

GoldRow = Mapping[str, str]


@dataclass(frozen=True)
class Ratio:
    """`good` of `all`."""

    good: int
    all: int

    @property
    def share(self) -> float:
        """From 0 to 1; nothing of nothing is all of it."""
        return self.good / self.all if self.all else 1.0

    def __str__(self) -> str:
        return f"{self.good}/{self.all} = {self.share:.3f}"


@dataclass(frozen=True)
class Fate:
    """What became of one rule: `head` is its number after (empty: none).

    `parts` are the other rules it went into, `sources` the other rules that have the same head.
    """

    kind: str
    head: str = ""
    parts: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()


def fates(changes: Iterable[Change]) -> dict[str, Fate]:
    """Return number before → fate, for the rules of the earlier edition."""
    heads: dict[str, str] = {}
    kinds: dict[str, ChangeKind] = {}
    parts: dict[str, set[str]] = defaultdict(set)
    sources: dict[str, set[str]] = defaultdict(set)
    for change in changes:
        if "/rule/" not in change.old:
            continue
        old, new = number(change.old), number(change.new)
        if change.kind is ChangeKind.SPLIT:
            parts[old].add(new)
        else:
            heads[old], kinds[old] = new, change.kind
        if new and change.kind is not ChangeKind.SPLIT:
            sources[new].add(old)
    found = {}
    for old in {*heads, *parts}:
        head = heads.get(old, "")
        others = sources[head] - {old} if head else set()
        found[old] = Fate(
            _kind(old, kinds.get(old), head, parts[old], others),
            head,
            frozenset(parts[old]),
            frozenset(others),
        )
    return found


def _kind(old: str, kind: ChangeKind | None, head: str, parts: set[str], sources: set[str]) -> str:
    if not head and not parts:
        return "removed"
    if parts:
        return "split"
    if sources:
        return "merged"
    if kind is ChangeKind.REFERENCES:
        return "references"
    if kind in (ChangeKind.UNCHANGED, ChangeKind.RENUMBERED):
        return "verbatim"
    return "reworded" if head == old else "moved-reworded"


def number(iri: str) -> str:
    """Return the number at the end of a rule's IRI."""
    return iri.rpartition("/")[2]


def true_parts(row: GoldRow) -> list[frozenset[str]]:
    """Return the rules that a rule went into, the head first; each as the numbers that are right for it."""
    return [] if row["new"] == "-" else [frozenset(part.split("|")) for part in row["new"].split()]


def is_right(row: GoldRow, fate: Fate) -> bool:
    """Return whether a rule leads to its head; if that is open, either of its first two parts is right."""
    parts = true_parts(row)
    if not parts:
        return fate.kind == "removed"
    heads = parts[0] | parts[1] if row["note"].startswith("head open") else parts[0]
    return fate.head in heads


def parts_of(rows: Sequence[tuple[GoldRow, Fate]]) -> tuple[Ratio, Ratio]:
    """Return (precision, recall) of the rules into which split ones went, heads among them."""
    made = found = true = 0
    for row, fate in rows:
        expected = true_parts(row)
        here = {fate.head, *fate.parts} - {""}
        made += len(here)
        found += sum(bool(part & here) for part in expected)
        true += len(expected)
    return Ratio(found, made), Ratio(found, true)


def sources_of(rows: Sequence[tuple[GoldRow, Fate]]) -> tuple[Ratio, Ratio]:
    """Return (precision, recall) of the other rules that went into the same head."""
    made = found = true = 0
    for row, fate in rows:
        expected = set(row["sources"].split())
        made += len(fate.sources)
        found += len(expected & fate.sources)
        true += len(expected)
    return Ratio(found, made), Ratio(found, true)


def partings(rows: Sequence[tuple[GoldRow, Fate]]) -> tuple[int, int, int]:
    """Return how many links of splits and merges are right, wrong and missed, heads of splits left out."""
    right = wrong = missed = 0
    for row, fate in rows:
        expected = true_parts(row)
        good = frozenset[str]().union(*expected)
        right += len(fate.parts & good)
        wrong += len(fate.parts - good)
        here = {fate.head, *fate.parts}
        missed += sum(not part & here for part in expected[1:])
        if row["kind"] == "merged" or fate.kind == "merged":
            right += fate.kind == "merged" and is_right(row, fate)
            wrong += fate.kind == "merged" and not is_right(row, fate)
            missed += row["kind"] == "merged" and not is_right(row, fate)
    return right, wrong, missed


def judged(rows: Iterable[GoldRow], fate_of: Callable[[GoldRow], Fate]) -> list[tuple[GoldRow, Fate]]:
    """Return each row of the gold with what was found."""
    return [(row, fate_of(row)) for row in rows]


def called(kind: str, rows: Sequence[tuple[GoldRow, Fate]]) -> tuple[Ratio, Ratio]:
    """Return (precision, recall) of calling a change by its kind."""
    made = [row for row, fate in rows if fate.kind == kind]
    true = [fate for row, fate in rows if row["kind"] == kind]
    good = sum(row["kind"] == kind for row in made)
    return Ratio(good, len(made)), Ratio(good, len(true))


def lines(rows: Sequence[tuple[GoldRow, Fate]], halves: Sequence[str] = HALVES) -> list[str]:
    """Return the figures as lines of text, each half separately."""
    out = []
    for half in halves:
        mine = [it for it in rows if it[0]["half"] == half]
        out.append(f"{half}: led right {_right(mine)}")
        since = ""
        for name, until in ERAS:
            era = [it for it in mine if since < it[0]["after"] <= until]
            since = until
            each = ", ".join(f"{k} {_right([i for i in era if i[0]['kind'] == k])}" for k in KINDS)
            out.append(f"  {name}: {_right(era)} ({each})")
        for kind in KINDS:
            true = [it for it in mine if it[0]["kind"] == kind]
            precision, recall = called(kind, mine)
            out.append(
                f"  {kind}: led right {_right(true)}; so called: precision {precision}, recall {recall}"
            )
        for name, (precision, recall) in (
            ("parts of splits", parts_of([it for it in mine if it[0]["kind"] == "split"])),
            ("sources of merges", sources_of([it for it in mine if it[0]["kind"] == "merged"])),
        ):
            out.append(f"  {name}: precision {precision}, recall {recall}")
        out.append("  links of splits and merges: {} right, {} wrong, {} missed".format(*partings(mine)))
    return out


def _right(rows: Sequence[tuple[GoldRow, Fate]]) -> Ratio:
    return Ratio(sum(is_right(row, fate) for row, fate in rows), len(rows))


# -- entries ------------------------------------------------------------------------------------------


def entry_fates(changes: Iterable[Change]) -> dict[str, str]:
    """Return key before → key after (empty: none), for the entries of the earlier edition."""
    return {number(c.old): number(c.new) if c.new else "" for c in changes if "/entry/" in c.old}


def entry_is_right(row: GoldRow, found: Mapping[str, str]) -> bool:
    """Return whether an entry leads to its successor; a merged one also if it counts as removed.

    If the head of a split one is open, its first two parts are both right, as for rules.
    """
    after = found.get(_key(row["entry"]))
    parts = [_key(part) for part in row["new"].split("; ")] if row["new"] != "-" else [""]
    expected = set(parts[: 2 if row["note"].startswith("head open") else 1])
    return after in (expected | {""} if row["kind"] == "merged" else expected)


def _key(heading: str) -> str:
    """Return the key of a heading: the slug of the first of its names."""
    return slug(re.split(r"[/,;]", heading)[0])


def entry_lines(rows: Sequence[tuple[GoldRow, bool]]) -> list[str]:
    """Return the figures of entries through time as lines of text."""
    out = []
    for half in HALVES:
        mine = [it for it in rows if it[0]["half"] == half]
        kinds = dict.fromkeys(row["kind"] for row, _ in mine)
        each = ", ".join(
            f"{kind} {_share([i for i in mine if i[0]['kind'] == kind])}" for kind in sorted(kinds)
        )
        out.append(f"entries, {half}: led right {_share(mine)} ({each})")
    return out


def _share(rows: Sequence[tuple[GoldRow, bool]]) -> Ratio:
    return Ratio(sum(good for _, good in rows), len(rows))
