"""Check the graph's statements against hand-made gold, in one table by kind of statement and by era.

`make quality` prints it, docs/quality.md shows it, and a test compares the two, so that no figure drops
unnoticed. `gold/README.md` says how the gold was made and what counts. If a sample is divided into halves,
the figures are those of the half that was not seen while the rules were written ("unseen").
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import measure
import measure_changes
import measure_citations
import measure_defects
import measure_facts
import measure_history
import measure_lists
import measure_reliance
import rulesgraph
from measure import Score
from real import rules
from rulesgraph.queries.session import Session
from shared import documents


class Measured(NamedTuple):
    """A figure: what was measured, where, on how many statements of the gold, and the target."""

    kind: str
    where: str
    score: Score
    aim: tuple[float, float]


def session_on_rules(shared: Path, day: str) -> Session:
    """Return a session on the rules of a day alone."""
    return rulesgraph.build([rules(shared, day)], store=":memory:").rules.session


def lines(shared: Path, session_of: Callable[[Path, str], Session] = session_on_rules) -> Iterator[Measured]:
    """Yield all figures; `session_of` gives a session on the rules of a day alone."""
    yield from within_editions(shared, session_of)
    yield from of_citations(shared, session_of)
    for where, score, _ in measure_reliance.join_scores(shared):
        yield Measured("rule that defines an entry", where, score, (0.97, 0.97))
    yield from between_editions(shared)


def within_editions(shared: Path, session_of: Callable[[Path, str], Session]) -> Iterator[Measured]:
    """Yield the figures of what is read in one edition."""
    for (where, kind), score in measure.reference_scores(shared).items():
        yield Measured(kind, where, score, (0.99, 0.99))
    for (where, kind), score in measure.mention_scores(shared).items():
        name, _, part = kind.partition(", ")
        if part == "unseen":
            yield Measured(name, where, score, (0.97, 0.95))
    for (where, part, sort), score in measure_facts.scores(shared).items():
        if sort == "all" and part not in measure_facts.ACROSS:
            yield Measured("fact", f"{where}, {part}", score, (0.98, 0.92))
    for (part, sort), score in measure_facts.across(shared).items():
        called = {"all": "fact", "kind": "fact, kind"}.get(sort)
        if called:
            yield Measured(
                called, f"1999 to 2026, {part.removeprefix('across-').replace('-', ' ')}", score, (0.98, 0.92)
            )
    for day, score in measure_lists.scores(shared).items():
        yield Measured("item of a list", f"cr-{day}", score, (1.0, 1.0))
    for edition, score in measure_defects.scores(shared).items():
        yield Measured("defect of a source", edition, score, (0.97, 0.97))
    for day in ("2008-02-01", "2026-01-16"):
        yield _reliance(session_of(shared, day), f"cr-{day}")


def of_citations(shared: Path, session_of: Callable[[Path, str], Session]) -> Iterator[Measured]:
    """Yield the figures of citations in other texts."""
    day = "2026-01-16"
    for kind, (score, aim) in measure_citations.scores(session_of(shared, day), shared, day).items():
        yield Measured(kind, f"cr-{day}", score, aim)


def _reliance(session: Session, edition: str) -> Measured:
    scores = [score for _, score, _, _ in measure_reliance.reliance_scores(session, edition)]
    return Measured("direct reliance", edition, _sum(scores), (0.97, 0.97))


def between_editions(shared: Path) -> Iterator[Measured]:
    """Yield the figures for history: wrong fates were found wrongly, missing ones were missed."""
    rows = [(row, fate) for row, fate in measure_history.judged(shared) if row["half"] == "unseen"]
    start = ""
    for era, end in measure_changes.ERAS:
        own = [(row, fate) for row, fate in rows if start <= row["before"] < end]
        for kind in measure_changes.KINDS:
            right = [measure_changes.is_right(row, fate) for row, fate in own if row["kind"] == kind]
            if right:
                yield Measured(f"rule, {kind}", era, _told(right), (0.95, 0.95))
        start = end
    near = [
        it for it in measure_history.judged(shared, measure_history.NEIGHBOURS) if it[0]["half"] == "unseen"
    ]
    for kind in measure_changes.KINDS:
        right = [measure_changes.is_right(*it) for it in near if it[0]["kind"] == kind]
        if right:
            yield Measured(f"rule, {kind}", "neighbours", _told(right), (0.98, 0.98))
    new = [right for row, right in measure_history.judged_new(shared) if row["half"] == "unseen"]
    yield Measured("rule, new", "neighbours", _told(new), (0.98, 0.98))
    for where, some in (("1999 to 2026", rows), ("neighbours", near)):
        yield Measured("rule split or merged", where, Score(*measure_changes.partings(some)), (0.95, 0.90))
    for before, after in (("2009-05-01", "2009-07-11"), ("2025-04-04", "2025-06-06")):
        score = measure_history.verbatim_score(shared, before, after)
        yield Measured("rule, moved word for word", f"{before} to {after}", score, (1.0, 1.0))
    entries = [right for row, right in measure_history.judged_entries(shared) if row["half"] == "unseen"]
    yield Measured("entry through time", "1999 to 2026", _told(entries), (0.95, 0.95))
    renamings = measure_history.renaming_score(shared)
    yield Measured("renaming of a term", "1999 to 2026", renamings, (0.95, 0.95))


def _told(right: Iterable[bool]) -> Score:
    found = list(right)
    return Score(sum(found), len(found) - sum(found), len(found) - sum(found))


def _sum(scores: Iterable[Score]) -> Score:
    columns = zip(*((it.right, it.wrong, it.missed) for it in scores), strict=True)
    return Score(*(sum(column) for column in columns))


def table(measured: Iterable[Measured]) -> str:
    """Return figures as a Markdown table."""
    written = ["| what is said | where | gold | precision | recall | aim |", "|---|---|---:|---:|---:|---:|"]
    for kind, where, score, aim in measured:
        true = score.right + score.missed
        figures = f"{score.precision:.3f} | {score.recall:.3f} | {aim[0]:.2f} / {aim[1]:.2f}"
        written.append(f"| {kind} | {where} | {true} | {figures} |")
    return "\n".join(written)


def tabbed(table: str) -> str:
    """Return the rows of such a table as tab-separated lines, for the pages."""
    rows = (line.strip("|").split("|") for line in table.splitlines()[2:])
    return "".join("\t".join(cell.strip() for cell in row) + "\n" for row in rows)


if __name__ == "__main__":
    sys.stdout.write(table(lines(documents(*sys.argv[1:2]))) + "\n")
