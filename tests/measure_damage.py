"""Measure how much damage to a rules text is noticed, and how often an intact text is called damaged.

Copies of every edition are damaged in each way of `HARMS`, at places that a seed chooses, and compared with
the intact edition: alone (as an edition that the authority file covers, as one that it lacks, and as one that
is newer than all of its editions), and beside the editions before and after it. Damage is **noticed** when
the copy is refused, or an error or warning is reported that the intact copy does not have.

An intact edition has a **false alarm** when something is reported that is no slip of its source;
`gold/departures.tsv` has the verdicts on differences from other editions, `gold/defects.tsv` those on the
rest. One half of the editions was seen while the rules were written (`DESIGNED`); the other half counts.

    .venv/bin/python tests/measure_damage.py [TIMES] [SHARED]
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from harms import HARMS
from measure import gold
from real import parsed
from rulesgraph.loaders.building.prepare import defects_of
from rulesgraph.loaders.history.authority import Authority, bundled
from rulesgraph.loaders.history.departures import KINDS, compared, texts_in
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.loaders.reading.detect import load_document
from rulesgraph.loaders.reading.source import decode, read_source
from rulesgraph.loaders.records import Document, Severity
from rulesgraph.ontology.errors import SourceError
from rulesgraph.ontology.iris import Iris
from shared import documents

DESIGNED = ("1999-11-01", "2006-07-15", "2009-05-01", "2013-05-01", "2020-04-17", "2025-06-06")
"""The editions that were seen; the other six count."""

NEAR = ("2012-06-01", "2019-10-04", "2021-04-22")
"""Editions with neighbours before and after within a year."""

COVERED = ("2008-02-01", "2016-11-11", "2026-01-16")
"""Editions that are tried once more with an authority file that covers them."""

SEED = 1


class Trial(NamedTuple):
    """One damaged copy: what was done to which edition; whether it was noticed alone, and beside others."""

    harm: str
    day: str
    alone: bool
    beside: bool


@cache
def without(edition: str) -> Authority:
    """Return the authority file as it would be without an edition."""
    file = bundled()

    def trimmed(covered: Sequence[str], first: str, last: str) -> tuple[str, str]:
        at = covered.index(edition)
        return covered[at + 1] if first == edition else first, covered[at - 1] if last == edition else last

    rows = [(it, *trimmed(file.editions, it.first, it.last)) for it in file.rows]
    texts = [(it, *trimmed(file.covering("example"), it.first, it.last)) for it in file.texts]
    return replace(
        file,
        editions=tuple(it for it in file.editions if it != edition),
        rows=tuple(replace(it, first=a, last=b) for it, a, b in rows if a <= b),
        texts=tuple(it._replace(first=a, last=b) for it, a, b in texts if a <= b),
    )


def findings_alone(document: Document, known: Authority) -> Counter[tuple[str, str, str]]:
    """Return the reports on a document alone, given the authority file."""
    with patch("rulesgraph.loaders.history.departures.bundled", lambda: known):
        defects = defects_of(EditionView([document], Iris()))
    problems = [*document.problems, *(it for it in defects if it.severity is not Severity.INFO)]
    return Counter((it.code, it.subject, it.quote) for it in problems)


def findings_beside(
    document: Document, before: Document | None, after: Document | None
) -> Counter[tuple[str, str, str]]:
    if before is None or after is None:
        return Counter()
    one, own, other = (texts_in(it) for it in (before, document, after))
    found = (it for kind in KINDS for it in compared(kind, own, one.keys(), other.keys(), "others"))
    return Counter(("beside", it.subject, it.message) for it in found)


def editions(shared: Path) -> dict[str, Path]:
    """Return day → file of all available editions, oldest first."""
    files = [*(shared / "corpora" / "cr").glob("*.txt"), *(shared / "corpora" / "pairs").glob("*.txt")]
    return dict(sorted((path.stem, path) for path in files))


def neighbours(shared: Path, day: str) -> tuple[Document | None, Document | None]:
    files = editions(shared)
    days = list(files)
    place = days.index(day)
    return (
        parsed(files[days[place - 1]]) if place else None,
        parsed(files[days[place + 1]]) if place + 1 < len(days) else None,
    )


def trials(shared: Path, day: str, times: int, known: Authority) -> Iterator[Trial]:
    """Yield what is noticed of copies of one edition, each way of `HARMS` so many `times`."""
    lines = list(read_source(editions(shared)[day]).lines)
    whole = parsed(editions(shared)[day])
    beside = neighbours(shared, day)
    sound, usual = findings_alone(whole, known), findings_beside(whole, *beside)
    for name, harm in HARMS.items():
        for time in range(times):
            broken = harm(lines, random.Random(f"{SEED} {day} {name} {time}"))
            if broken is None or broken == lines:
                continue
            end = "" if name.startswith("cut off") else "\n"
            try:
                copy = load_document(decode(("\n".join(broken) + end).encode(), "copy.txt"))
            except SourceError:
                yield Trial(name, day, True, True)
                continue
            alone = copy.edition != whole.edition or bool(findings_alone(copy, known) - sound)
            yield Trial(name, day, alone, alone or bool(findings_beside(copy, *beside) - usual))


def alarms(shared: Path) -> Iterator[tuple[str, int, int]]:
    """Yield day, findings on the intact edition beside others, and false ones among them."""
    judged = {(row["edition"], row["subject"]): row["verdict"] for row in gold("departures.tsv")}
    for day, path in editions(shared).items():
        whole = parsed(path)
        found = findings_beside(whole, *neighbours(shared, day))
        subjects = {subject for _, subject, _ in found}
        true = [it for it in subjects if judged.get((whole.edition, it)) == "true"]
        yield day, len(subjects), len(subjects) - len(true)


def table(found: list[Trial]) -> str:
    """Return what was noticed as a Markdown table: by kind of damage, by edition, and in all."""
    rows: dict[str, list[Trial]] = defaultdict(list)
    for it in found:
        for name in (it.harm, f"all of {it.day}", "**all**"):
            rows[name].append(it)
    ordered = sorted(rows, key=lambda name: (name.startswith("**"), name.startswith("all of"), name))
    written = ["| damage | copies | alone | beside others |", "|---|---:|---:|---:|"]
    for name in ordered:
        alone, beside = sum(it.alone for it in rows[name]), sum(it.beside for it in rows[name])
        written.append(f"| {name} | {len(rows[name])} | {alone} | {beside} |")
    return "\n".join(written)


def main(times: int, shared: Path) -> None:
    """Print the figures of both halves, and the false alarms."""
    days = [path.stem for path in sorted((shared / "corpora" / "cr").glob("*.txt"))]
    for title, chosen, known in (
        ("the half that counts", [day for day in days if day not in DESIGNED], without),
        ("beside neighbours within a year", NEAR, without),
        ("newer than all that the authority file covers", NEAR, lambda _: Authority()),
        ("covered by the authority file", COVERED, lambda _: bundled()),
        ("the half that was looked at", [day for day in days if day in DESIGNED], without),
    ):
        found = [it for day in chosen for it in trials(shared, day, times, known(f"cr-{day}"))]
        sys.stdout.write(f"{title}\n\n{table(found)}\n\n")
        sys.stdout.flush()
    rows = list(alarms(shared))
    false = [day for day, _, wrong in rows if wrong]
    sys.stdout.write(
        f"{len(false)} of {len(rows)} intact editions have a false alarm ({', '.join(false)}); "
        f"{sum(wrong for *_, wrong in rows)} of {sum(told for _, told, _ in rows)} findings are false.\n"
    )


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 1, documents(*given[1:2]))
