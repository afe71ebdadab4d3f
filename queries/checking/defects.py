"""Find the defects of loaded documents, with their places, evidence and first editions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from ...loaders.describing.inventory import stored_counts
from ...loaders.history.authority import bundled
from ...loaders.history.departures import KINDS, LEAST, compared, texts_in
from ...loaders.history.items import CHANGES, PARTING
from ...loaders.history.lives import bundled_lives
from ...loaders.history.stored import stored_document
from ...loaders.store.folder import FolderStore
from ...loaders.store.protocol import graph_sizes
from ...ontology import code
from ...ontology.errors import damaged_store
from .. import QUERIES
from ..catalogue.questions import header
from ..finding.cases import loaded_cases, rules_now
from ..history.beyond import unlisted
from ..session import MOST_IN_VIEW, Answer, Cells, Edition, Scope, Session, with_history

COLUMNS = ("severity", "check", "subject", "document", "line", "message", "quote", "since")

SEVERITIES = ("error", "warning", "info")
"""The severities of findings, the most serious first."""

WARNINGS = frozenset({"redirect_circle"})
"""The checks whose findings are warnings; all others find errors."""

_FOLLOWED = ("rule", "entry")
"""The kinds of things that have a history; a part shares that of its whole."""


def defects(session: Session, edition: str | None = None) -> Answer:
    """Return the defects of the documents and of the graph, the most serious first.

    Those of the documents were found when they were loaded. `since` is the earliest loaded edition from which
    the same place has had the same defect ever since: rules are followed back through their history, entries
    by name. Those of the graph are found by `checks/` and have no line.

    Raises `UnknownNameError` for an edition that is not loaded.
    """
    scope = session.scope(edition)
    rows: list[Cells] = []
    found = {name: list(_found(session, name)) for name in scope.editions}
    placed = {name: {(str(row[1]), item) for item, row in those if item} for name, those in found.items()}
    since = standing_since(session, placed)
    for name in scope.editions:
        rows += ((*row, since.get((str(row[1]), item), name)) for item, row in found[name])
    told = {(row[1], row[2], row[-1]) for row in rows}
    beside = compared_with_neighbours(session, scope.editions)
    rows += (row for row in beside if (row[1], row[2], row[-1]) not in told)
    rows += _of_the_graph(session, scope)
    rows += stale_cases(session, scope.editions[0]) if scope.editions else ()
    rows.sort(key=lambda row: SEVERITIES.index(str(row[0])))
    followed = [it for it in with_history(session.editions()) if it.id in scope.editions]
    return Answer("check", COLUMNS, tuple(rows), scope.label, tuple(unlisted(followed)))


def _of_the_graph(session: Session, scope: Scope) -> Iterator[Cells]:
    """Yield the findings of `checks/`, one edition at a time, since engines search every graph.

    If there are more editions than one query can see with all links, only the stored statements are checked,
    with the wordings once for all editions.
    """
    apart = [session.scope(name) for name in scope.editions] if len(scope.editions) > 1 else [scope]
    kept = len(apart) > MOST_IN_VIEW
    seen = [(one.default_graphs, one.named_graphs) for one in apart]
    if kept:
        graphs = tuple(session.iris.graph(name) for name in ("wordings", "terms", "ontology"))
        seen.append((graphs, graphs))
        if set(session.current.editions) <= set(scope.editions):
            seen.append((session.current.default_graphs, session.current.named_graphs))
    # In this order each edition is prepared only once.
    found: dict[Check, dict[Cells, None]] = {check: {} for check in checks()}
    for default, named in seen:
        for check, rows in found.items():
            rows.update(dict.fromkeys(session.select(check.text, default, named, kept=kept)))
    for check, rows in found.items():
        for entity, prop, value in rows:
            what = f"{check.title} {prop}: {value}"
            yield (check.severity, check.name, session.iris.local(str(entity)), "", None, what, "", "")


class Check(NamedTuple):
    """One kind of defect; its query gives `?entity ?property ?value`."""

    name: str
    severity: str
    title: str
    text: str


def checks() -> list[Check]:
    """Return all checks, the most serious first, then by name."""
    found = []
    for name in QUERIES.names("checks"):
        text = QUERIES.read("checks", name)
        title = " ".join(value for key, _, _, value in header(text) if key == "check")
        found.append(Check(name, "warning" if name in WARNINGS else "error", title, text))
    return sorted(found, key=lambda it: (SEVERITIES.index(it.severity), it.name))


def problems(session: Session, edition: str) -> list[Cells]:
    """Return the problems noticed when the documents of an edition were loaded.

    Rows: the problem, its code, severity and message, its subject and the subject's name, the document, line
    and quote.
    """
    return session.select(QUERIES.read("checking", "problems"), (session.iris.derived(edition),), kept=True)


def _found(session: Session, edition: str) -> Iterator[tuple[str, Cells]]:
    """Yield the IRI of each problem's subject, or "", and the problem's cells except `since`."""
    seen = set()
    for row in problems(session, edition):
        problem, code, severity, message, concerns, label, source, line, quote = row
        if problem not in seen:  # a place with two titles gives a row for each
            seen.add(problem)
            document = session.iris.parse(str(source)).key if source else ""
            place = (document, line if isinstance(line, int) else None)
            cells = (str(severity), str(code), str(label or ""), *place, str(message), str(quote or ""))
            yield str(concerns or ""), cells


# -- comparison with neighbours -----------------------------------------------------------------------


def compared_with_neighbours(session: Session, names: Sequence[str]) -> Iterator[Cells]:
    """Yield a row for each finding on the editions `names`, with the columns of `defects`.

    Unlikely counts of rules, entries and examples come first. Known editions were compared with known copies
    when they were loaded; newer ones are compared with their loaded neighbours.
    """
    order = with_history(session.editions())
    for place, edition in enumerate(order):
        if edition.id not in names or len(order) < 2:
            continue
        around = order[max(0, place - 1) : place + 2]
        near = {it.id: it for it in session.counted(around)}
        before = near[order[place - 1].id] if place else None
        after = near[order[place + 1].id] if place + 1 < len(order) else None
        yield from _unlikely_counts(near[edition.id], before, after)
        if before and after and edition.id > bundled().editions[-1]:
            yield from _unlike_neighbours(session, before, edition, after)


def _unlike_neighbours(session: Session, before: Edition, own: Edition, after: Edition) -> Iterator[Cells]:
    one, texts, other = (
        texts_in(stored_document(session.store, session.iris, it.id, it.documents[0].id)[0])
        for it in (before, own, after)
    )
    copies, document = f"{before.id} and {after.id}", own.documents[0].id
    found = (it for kind in KINDS for it in compared(kind, texts, one.keys(), other.keys(), copies, LEAST))
    for it in sorted(found, key=lambda it: it.first_line):
        yield it.severity.value, it.code, it.subject, document, it.first_line, it.message, it.quote, own.id


_COUNTED = {"Rule": "rules", "Entry": "glossary entries", "Example": "examples"}

_LOSS = 0.9
"""The share of the previous edition's count below which something must be missing, since rules grow."""

_DIP = 0.97
_BULGE = 1.1
"""Compared with both neighbours, a smaller deviation counts: from the smaller, and from the larger one."""


def _unlikely_counts(edition: Edition, before: Edition | None, after: Edition | None) -> Iterator[Cells]:
    """Yield a row for each count that does not fit its neighbours, with the columns of `defects`."""
    for kind, words in _COUNTED.items():
        own = edition.counts.get(kind, 0)
        beside = [None if it is None else it.counts.get(kind, 0) for it in (before, after)]
        if is_out_of_line(own, *beside):
            near = [f"{it.counts.get(kind, 0)} in {it.id}" for it in (before, after) if it is not None]
            message = f"{own} {words}, but there are {' and '.join(near)}: is the text complete?"
            yield ("warning", "count-jump", words, edition.documents[0].id, None, message, "", edition.id)


def is_out_of_line(own: int, before: int | None, after: int | None) -> bool:
    """Return whether a count does not fit those of the editions before and after, if there are any.

    >>> is_out_of_line(700, 690, 710), is_out_of_line(520, 690, 710), is_out_of_line(600, 690, None)
    (False, True, True)
    """
    if before is not None and own < _LOSS * before:
        return True
    if before is None or after is None:
        return False
    return own < _DIP * min(before, after) or own > _BULGE * max(before, after)


# -- since when -------------------------------------------------------------------------------------


def standing_since(
    session: Session, defects: Mapping[str, Iterable[tuple[str, str]]]
) -> dict[tuple[str, str], str]:
    """Return the earliest edition from which each defect has existed, if that is an earlier one.

    `defects` of each edition are (code, IRI of the subject). Rules are followed back through their history,
    entries by name, as long as the defect is there. One query covers all editions, because one for each would
    double the time of a check.
    """
    iris = session.iris
    # Each defect → the IRI of its rule or entry, and the rest of the IRI if the defect is in a part of it.
    begun: dict[str, dict[tuple[str, str], tuple[str, str]]] = defaultdict(dict)
    for edition, those in defects.items():
        for name, item in those:
            place = iris.parse(item)
            if place.kind in _FOLLOWED:
                whole = iris.iri(place.whole)
                begun[edition][name, item] = whole, item.removeprefix(whole)
    steps = list(pairwise(it.id for it in reversed(with_history(session.editions()))))
    if not begun or not steps:
        return {}
    known = _known(session, {name for those in begun.values() for name, _ in those})
    origins = _origins(session, known)
    since: dict[tuple[str, str], str] = {}
    standing: dict[tuple[str, str], tuple[str, str]] = {}
    for later, earlier in steps:
        here, there = iris.edition(later), iris.edition(earlier)
        before = {
            defect: (origins.get(whole, there + whole.removeprefix(here)), tail)
            for defect, (whole, tail) in (standing | begun[later]).items()
        }
        standing = {it: place for it, place in before.items() if (it[0], "".join(place)) in known}
        since |= dict.fromkeys(standing, earlier)
    return since


def _known(session: Session, codes: Iterable[str]) -> set[tuple[str, str]]:
    """Return (code, subject) of every problem with one of these codes, in all editions."""
    short = dict(enumerate(codes))
    given = [(code(name), f'"{place}"') for place, name in short.items()]
    rows = session.run("checking", "known", None, {"code short": given})
    return {(short[int(str(place))], str(item)) for place, item in rows}


def _origins(session: Session, known: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return rule or entry with a defect → the same in the previous edition, ``""`` if it is new.

    Unchanged ones with the same number are left out.
    """
    wholes = sorted({session.iris.iri(session.iris.parse(item).whole) for _, item in known})
    rows = session.run("checking", "changed", None, {"new": wholes}) if wholes else []
    found: dict[str, str] = {}
    for new, link, old in sorted(rows):
        change = CHANGES.get(str(link))
        if change and change not in PARTING:
            found[str(new)] = str(old)
        else:
            found.setdefault(str(new), "")
    return found


def stale_cases(session: Session, edition: str) -> Iterator[Cells]:
    """Yield a finding for each rule number in a case that did not exist on its day, or whose rule is gone.

    The columns are those of `defects`. The data come from the authority file; an edition that it lacks has
    none.
    """
    lives = bundled_lives()
    if edition not in lives.editions:
        return
    for case in loaded_cases(session):
        then = lives.in_force(case.as_of)
        for number in case.numbers:
            if not (then and lives.holding(number, then)):
                what = f"no rule had the number {number} on {case.as_of}"
            elif not rules_now(session, case._replace(numbers=(number,)), edition):
                what = f"the rule that was {number} on {case.as_of} is gone from {edition}"
            else:
                continue
            place = session.iris.local(case.iri)
            yield "warning", "case-citation", place, "", None, f"{what}.", case.question, ""


def verify_files(session: Session) -> int:
    """Return how many files match their known checksums; raise `StoreError` if one does not."""
    return session.store.verify_files() if isinstance(session.store, FolderStore) else 0


def verify_store(session: Session) -> Answer:
    """Return an answer without rows; raise `StoreError` if a checksum or a number of statements is wrong."""
    files = verify_files(session)
    known = stored_counts(session.store, session.iris)
    found = graph_sizes(session.store)
    for graph, counts in sorted(known.items()):
        if found.get(graph, 0) != counts.triples:
            reason = f"{graph} has {found.get(graph, 0)} statements instead of {counts.triples}"
            raise damaged_store(reason, session.store.location)
    notes = [f"{files} files are intact." if files else "No file checksums are known."]
    notes.append(f"{len(known)} graphs have the right number of statements.")
    return Answer("check", COLUMNS, (), notes=tuple(notes))
