"""Check whether `trace`, `diff` and `show` agree about every rule and entry of two editions.

Each is asked in its own way: `diff` about everything at once, `trace` forward from every earlier item, `show`
(its history) backward from every later item. Links and permanent ids are compared too. As a program, it
prints the disagreements for all neighbouring editions of the real rules and for three pairs that are far
apart.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import rulesgraph
from measure_history import digest
from rulesgraph.loaders.history.authority import bundled
from rulesgraph.loaders.history.graphs import GOES_ON, Comparison, compare, write_digest
from rulesgraph.loaders.history.items import PARTING
from rulesgraph.loaders.history.lives import bundled_lives
from rulesgraph.loaders.history.matching import changes_between
from rulesgraph.loaders.language.words import split_heading, wording
from rulesgraph.ontology.grouping import grouped
from rulesgraph.ontology.iris import Iris, coded, slug
from rulesgraph.queries.history.diff import diff
from rulesgraph.queries.history.links import (
    history_rows,
    label,
    labels_of,
    links_along,
    outline,
    path_between,
    rows_along,
    timeline,
)
from rulesgraph.queries.history.trace import histories_of
from rulesgraph.queries.session import Answer, Session
from shared import documents

FAR_APART = (
    ("cr-1999-11-01", "cr-2026-01-16"),
    ("cr-2003-07-01", "cr-2016-11-11"),
    ("cr-2008-02-01", "cr-2025-04-04"),
)

Saying = tuple[str, str]
"""A change, and the number or heading at the other end."""

Sayings = dict[str, Counter[Saying]]
"""Map each number or heading to what is said of it, and how often: some numbers occur twice."""


def disagreements(session: Session, before: str, after: str) -> Iterator[str]:
    """Yield a sentence for each item on which `trace` or `show` disagrees with `diff`.

    For neighbouring editions, changes are compared; for others, where everything went.
    """
    compared = diff(session, before, after).changes
    gone, came = defaultdict[str, Counter[Saying]](Counter), defaultdict[str, Counter[Saying]](Counter)
    for change, _, old, new in (row[:4] for row in compared.rows):
        gone[str(old)][str(change), str(new)] += 1
        came[str(new)][str(change), _key(str(old))] += 1
    if len(path_between(timeline(session), before, after, session)) > 2:
        yield from _astray(session, before, after, gone)
        return
    traced = _traced(session, before, after)
    for name in {*traced, *gone} - {""}:
        if traced.get(name, Counter()) != gone.get(name, Counter()):
            yield f"{name} of {before}: trace {traced.get(name)}, diff {gone.get(name)}"
    shown = _shown(session, after)
    for name in {*shown, *came} - {""}:
        told = Counter({it: n for it, n in came[name].items() if it[0] != "merged"})
        whole = Counter({it: n for it, n in told.items() if it[0] != "split"})
        # A sheet follows one origin: if none has the same life, one of those it was split from.
        mine = shown.get(name, Counter())
        # Of a new rule that others went into `diff` names those; its own life begins with it.
        if came[name] and not told and mine == Counter({("added", ""): 1}):
            continue
        if not (mine == whole or (mine <= told and whole <= mine and mine.total() <= whole.total() + 1)):
            yield f"{name} of {after}: show {mine}, diff {told}"


def _traced(session: Session, before: str, after: str) -> Sayings:
    path = path_between(timeline(session), before, after, session)
    links = links_along(session, path)
    name_of = labels_of(session, links)
    said: Sayings = defaultdict(Counter)
    for iri, item in outline(session, path[0]).items():
        rows = rows_along(path, links, (iri, label(item)), name_of)[1:]
        said[label(item)].update((str(it[2]), str(it[1] or "")) for it in rows if it[2] != "unchanged")
    return said


def _shown(session: Session, edition: str) -> Sayings:
    """Return what the history on the sheet of each item says about its own edition."""
    editions = timeline(session)
    place = [it.id for it in editions].index(edition)
    path = editions[place::-1]
    links = links_along(session, path)
    name_of = labels_of(session, links)
    said: Sayings = defaultdict(Counter)
    for iri, item in outline(session, editions[place]).items():
        *earlier, last = history_rows((path, links), (path[:1], []), (iri, label(item)), name_of)
        if last[0] == edition and last[2] != "unchanged":
            said[label(item)][str(last[2] or "added"), _key(str(earlier[-1][1])) if earlier else ""] += 1
    return said


Begun = tuple[str, str]
"""The first edition of a tenure, and the number in it."""


def told_apart(session: Session) -> Iterator[str]:
    """Yield a sentence for each rule of a loaded edition whose history and tenures disagree.

    The histories are those of `trace`, `show`, pages and maps, the tenures those of `graph/timeline`: since
    when, under which numbers, and through what kind of change.
    """
    tenures = _tenures(session)
    begun = {it: kind for own in tenures.values() for it, kind in own.items()}
    # What only one copy says is no tenure.
    slips = {(row.wording.number, row.first) for row in bundled().rows if row.first == row.last}
    for edition in timeline(session):
        rules = {iri: item.key for iri, item in outline(session, edition).items() if not item.is_entry}
        provisions = dict(_expressed(session, edition.id))
        for iri, rows in histories_of(session, edition.id, rules).items():
            own = tenures.get(provisions.get(iri, ""), {})
            # A rule can go on at a place into which another part of it, split off before, is merged as well.
            told = grouped(((str(row[0]), str(row[1])), str(row[2])) for row in rows)
            name = f"{rules[iri]} of {edition.id}"
            stands = any(number == rules[iri] and first <= edition.id for first, number in own)
            if not stands and (session.iris.parse(iri).name, edition.id) not in slips:
                yield f"{name}: no tenure has its number, {own}"
            for place, kind in own.items():
                # A new item has no change in a history, nor has the first item of a history.
                said = told.get(place, [])
                if kind not in said and not ("" in said and kind in _BEGINS):
                    yield f"{name}: its history says {said} of {place}, its tenure {kind}"
            for place, change in ((place, change) for place, said in told.items() for change in said):
                is_told = place in begun or change not in _TELLING
                if not is_told and not (change == "merged" and _stands(tenures, place)):
                    yield f"{name}: no tenure begins with {change} at {place}"


_TELLING = {"renumbered", "reworded", "moved and reworded", "split", "merged"}
_BEGINS = {"first known", "added", "merged"}


def _tenures(session: Session) -> dict[str, dict[Begun, str]]:
    """Return provision → its tenures with their kinds of change."""
    rows = session.sparql(
        "SELECT ?provision ?first ?number ?kind WHERE { ?provision rg:hasTenure ?tenure ."
        " ?tenure rg:firstEdition ?first ; rg:hadNumber ?number ; rg:changeKind ?kind }"
    )
    assert isinstance(rows, Answer)
    found: dict[str, dict[Begun, str]] = defaultdict(dict)
    for provision, first, number, kind in rows.rows:
        place = session.iris.parse(str(first)).edition, str(number)
        found[str(provision)][place] = coded(str(kind))
    return found


def _expressed(session: Session, edition: str) -> Iterator[tuple[str, str]]:
    found = session.sparql("SELECT ?rule ?provision WHERE { ?rule rg:provision ?provision }", edition)
    assert isinstance(found, Answer)
    yield from ((str(rule), str(provision)) for rule, provision in found.rows)


def _stands(tenures: dict[str, dict[Begun, str]], place: Begun) -> bool:
    """Return whether some rule has a number in an edition, since then or earlier."""
    return any(number == place[1] and first <= place[0] for own in tenures.values() for first, number in own)


def _key(name: str) -> str:
    """Return a number, or a heading without marks, case and further names, which may change."""
    return slug(split_heading(name).names[0]) if name and not name[0].isdigit() else name


def _astray(session: Session, before: str, after: str, gone: Sayings) -> Iterator[str]:
    """Compare where everything went, across editions in between; items without a row may not have changed."""
    path = path_between(timeline(session), before, after, session)
    links = links_along(session, path)
    name_of = labels_of(session, links)
    kept = {(label(it), wording(it.text)) for it in outline(session, path[-1]).values()}
    for iri, item in outline(session, path[0]).items():
        name = label(item)
        ends = {
            str(row[1]) for row in rows_along(path, links, (iri, name), name_of) if row[0] == after and row[1]
        }
        told = {number for _, number in gone.get(name, Counter()) if number}
        unsaid = {end for end in ends - told if (end, wording(item.text)) not in kept}
        removed = ("removed", "") in gone.get(name, Counter())
        if told - ends or unsaid or (not ends) != removed:
            yield f"{name} of {before}: trace {sorted(ends)}, diff {sorted(told)}"


def unlike_lives(shared: Path, before: str, after: str) -> Iterator[str]:
    """Yield a sentence for each rule whose links between two days differ from the authority file.

    The file has both editions; rules that it does not know are left out. Links across several editions are
    compared with the stages of each rule, which `trace` shows.
    """
    since, edition = f"cr-{before}", f"cr-{after}"
    lives, iris = bundled_lives(), Iris()
    sides = [digest(shared, day, known=True) for day in (before, after)]
    old, new = ({it.iri: iris.parse(it.provision).key for it in of.items if it.is_settled} for of in sides)
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in (since, edition)]
        for file, of in zip(files, sides, strict=True):
            write_digest(file, of)
        changes, _ = compare(Comparison(files[0], files[1], since, edition, iris.base))
    ends = ((it.kind in PARTING, old.get(it.old, ""), new.get(it.new, "")) for it in changes)
    linked = {it for it in ends if it[1] or it[2]}
    told = {(False, it, it) for it in {*old.values()} & {*new.values()}}
    for provision in old.values():
        stages = (it for it in lives.after(provision, since) if it.edition <= edition)
        parts = {lives.holding(it.number, it.edition) for it in stages if it.change in PARTING}
        told |= {(True, provision, heir) for heir in parts & {*new.values()} - {provision}}
    told |= {(False, it, "") for it in {*old.values()} - {one for _, one, _ in told}}
    told |= {(False, "", it) for it in {*new.values()} - {other for _, _, other in told}}
    for which, apart in (("links", linked - told), ("lives", told - linked)):
        for is_part, one, other in sorted(apart):
            what = "a part of " if is_part else ""
            yield f"only the {which} say that {what}{one or 'nothing'} became {other or 'nothing'}"


def ids_astray(shared: Path, days: Sequence[str]) -> list[tuple[str, str]]:
    """Return (rule, rule before) for neighbours where links and ids disagree about continuing rules."""
    found = []
    for before, after in pairwise(days):
        old, new = (digest(shared, day, known=True).items for day in (before, after))
        provisions = {item.iri: item.provision for item in (*old, *new) if not item.is_entry}
        linked = {
            (change.new, change.old)
            for change in changes_between(old, new)
            if change.kind in GOES_ON and change.old in provisions
        }
        earlier = {provisions[item.iri]: item.iri for item in old if not item.is_entry}
        same = {(i.iri, earlier[i.provision]) for i in new if not i.is_entry and i.provision in earlier}
        found += sorted(linked ^ same)
    return found


def main() -> None:
    """Build a store of all editions and print the disagreements in it."""
    shared = documents()
    files = sorted(
        path for folder in ("cr", "more", "pairs") for path in (shared / "corpora" / folder).glob("*.txt")
    )
    with tempfile.TemporaryDirectory() as folder:
        session = rulesgraph.build(files, store=folder).rules.session
        names = [it.id for it in timeline(session)]
        pairs = [*pairwise(names), *FAR_APART]
        found = [said for pair in pairs for said in disagreements(session, *pair)]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"trace, diff and show: {len(pairs)} pairs of editions, {len(found)} disagreements")
    apart = [*told_apart(session)]
    print(*apart, sep="\n", end="\n" if apart else "")
    print(f"histories and tenures: {len(names)} editions, {len(apart)} disagreements")
    days = [name.removeprefix("cr-") for name in names]
    drawn = [sorted(random.Random(seed).sample(days, 4)) for seed in range(5)]
    astray = [it for chosen in (days, *drawn) for it in ids_astray(shared, chosen)]
    print(*astray, sep="\n", end="\n" if astray else "")
    print(f"links and ids: {len(days)} editions and {len(drawn)} draws of 4, {len(astray)} disagreements")
    sys.exit(bool(found or apart or astray))


if __name__ == "__main__":
    main()
