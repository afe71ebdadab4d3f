"""Trace rules and entries from one edition to another, or through their whole history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...loaders.history.items import ChangeKind
from ...loaders.history.lives import bundled_lives
from ...loaders.language.numbers import number_in
from ...ontology.errors import RulesMissingError, UnknownNameError, UsageError
from ..finding.provisions import provision_at, provision_named
from ..finding.things import locate, numbers_in, resolve, stands_in
from ..session import Answer, Cells, Edition, Session, edition_called, ids_called, with_history
from .beyond import (
    ALONE,
    MISSING,
    NOT_LOADED,
    Beyond,
    bundled_rows,
    changes_of,
    has_gaps,
    namesakes,
    provisions_of,
    unlisted,
)
from .links import (
    HistoryAnswer,
    history_rows,
    labels_of,
    links_along,
    parts_of_titles,
    path_between,
    place_in,
    remarks,
    rows_along,
    rules_of_entry,
    timeline,
)
from .releases import PageHistory, history_in_releases, release_called, releases_beside
from .rows import COLUMNS, HistoryRow, doubts

PARTS = (
    "{0} is only a title. The rules below it in {2} changed in {1}: "
    "`rulesgraph blame {0}` dates their sentences."
)


def trace(
    session: Session, number: str, start: str, end: str | None = None, *, every: bool = False
) -> Answer:
    """Return what became of a rule, or where it came from: a row for each edition with a change.

    `number` is a rule number, a range (``502.15-502.17``) or the name of a glossary entry; `start` and `end`
    are editions of the comprehensive rules (`end` is the newest loaded by default, and may be older than
    `start`). The first and the last row are always included; with `every`, so are all loaded editions
    between. The bundled authority file says what happened to a rule in editions that are not loaded; if
    `start` or `end` is not loaded, it alone decides, and `every` is ignored. A paragraph of another document
    is followed through the releases that have its page. Rows: edition, number (or heading), change from the
    row before, confidence (1.0: same words). Over several editions, a note gives the overall result.

    Raises `UnknownNameError` for an unknown edition or number, and `UsageError` if `start` is empty.
    """
    if not start:
        raise UsageError("--to and --every need --from", way_out="Give the edition that the number is from.")
    if release := release_called(session, start):
        return _trace_releases(session, number, release, end, every=every)
    known = timeline(session)
    ends = [_edition_id(session, known, name) for name in (start, end or known[-1].id)]
    if not {*ends} <= {it.id for it in known}:
        return _trace_beyond(session, known, numbers_in(number), *ends)
    path = path_between(known, start, end, session)
    names, leads = with_rules(session, path[0], numbers_in(number))
    rows: list[HistoryRow] = []
    notes: list[str] = []
    for iri, name in names.items():
        links = links_along(session, path, {iri})
        provision = provisions_of(session, [iri]).get(iri, "")
        beyond = Beyond(session, known)
        if provision and has_gaps(path):
            life = _through_all(session, known, path[0].id, {iri: name})[iri]
            stops = [it.id for it in (path[1:] if every else path[-1:])]
            own = beyond.between(life, provision, (path[0].id, name), *stops)
        else:
            own = rows_along(path, links, (iri, name), labels_of(session, links), every=every)
        rows += own
        there = {row.number for row in own if row.edition == path[-1].id and row.number is not None}
        notes += [*remarks(session, path, links, iri, there), *beyond.absorbed(own, provision)]
    if len(path) > 1:
        notes += _notes(rows, path, names.values())
    told = tuple(dict.fromkeys((*notes, *leads)))
    return Answer("trace", COLUMNS, tuple(rows), f"{path[0].id} to {path[-1].id}", told)


def _trace_releases(
    session: Session, number: str, release: Edition, end: str | None, *, every: bool
) -> Answer:
    """Return the rows of `trace` for a paragraph of a rulings site, or of tournament rules."""
    known = releases_beside(session, release)
    if end and release_called(session, end) not in known:
        others = ", ".join(it.id for it in known if it is not release) or "none"
        raise UsageError(
            f"{end} is not a release of the same text as {release.id}", way_out=f"These are loaded: {others}."
        )
    path = path_between(known, release.id, end, session)
    history = PageHistory(session, number.strip(), path)
    rows = tuple(history.rows(every=every))
    notes = (ALONE,) if len(history.path) == 1 else doubts(rows)
    return Answer("trace", COLUMNS, rows, f"{history.path[0].id} to {history.path[-1].id}", notes)


def _edition_id(session: Session, editions: Sequence[Edition], name: str) -> str:
    """Return the id of an edition that is loaded or that the bundled file covers, by its id or date."""
    meant = ids_called(name, [it.id for it in editions])
    return meant[0] if len(meant) == 1 else editions[place_in(editions, name, session)].id


def _trace_beyond(
    session: Session, editions: Sequence[Edition], numbers: Sequence[str], start: str, end: str
) -> Answer:
    """Return the rows of `trace` if `start` or `end` is not loaded: only rules are known there."""
    loaded = {it.id: it for it in editions}
    beyond = Beyond(session, editions)
    rows: list[HistoryRow] = []
    notes = [NOT_LOADED, *unlisted([it for it in editions if it.id in (start, end)])]
    for wanted in numbers:
        if start in loaded:
            iri, number = list(with_rules(session, loaded[start], [wanted])[0].items())[-1]
            if session.iris.parse(iri).kind != "rule":
                raise UsageError(
                    f"{end} is not loaded, and {number} is an entry",
                    way_out="Load it, or trace a rule: its entries are not known until it is loaded.",
                )
            life = _through_all(session, editions, start, {iri: number})[iri]
            provision = provisions_of(session, [iri]).get(iri, "")
        else:
            provision, number = provision_at(session, wanted, start)
            life = beyond.rows(_loaded_rows(session, editions, provision, start), provision, start)
            if end in loaded and end not in bundled_lives().editions:
                life += _uncovered_rows(session, editions, provision, start, end)
        own = beyond.between(life, provision, (start, number), end)
        rows += own
        notes += beyond.absorbed(own, provision)
    return Answer("trace", COLUMNS, tuple(rows), f"{start} to {end}", tuple(notes))


def _loaded_rows(
    session: Session, editions: Sequence[Edition], provision: str, start: str
) -> list[HistoryRow]:
    """Return the rows of a provision from its links, from the loaded edition after `start`, or before it."""
    later = [it.id for it in editions if it.id > start]
    earlier = [it.id for it in editions if it.id < start]
    for edition in (*later, *reversed(earlier)):
        for _, rule, number in _rules_of(session, edition, [session.iris.provision(provision)]):
            return _linked_rows(session, editions, edition, {str(rule): str(number)})[str(rule)]
    return []


def _rules_of(session: Session, edition: str, provisions: Sequence[str]) -> list[Cells]:
    """Return (provision, rule, number) of those of some provisions that an edition has."""
    graphs = (session.iris.document(edition), session.iris.history(edition))
    return session.run("finding", "rules_of", graphs, {"provision": provisions}, kept=True)


def _uncovered_rows(
    session: Session, editions: Sequence[Edition], provision: str, start: str, end: str
) -> list[HistoryRow]:
    """Return the rows, in editions that the bundled file does not cover, of what a provision is in `end`."""
    covered = bundled_lives().editions
    until = max((name for name in covered if name <= end), default="")
    ids = bundled_lives().became(provision, start, until) if start <= end else [provision]
    iris = [session.iris.provision(it) for it in ids]
    found = _rules_of(session, end, iris) if iris else []
    if iris and not found and start <= end:
        return [HistoryRow(end, None, ChangeKind.REMOVED.value, None)]
    lives = _through_all(session, editions, end, {str(rule): str(number) for _, rule, number in found})
    return [row for life in lives.values() for row in life if row.edition not in covered]


def history_of(
    session: Session, number: str, edition: str | None = None, *, alone: bool = False
) -> HistoryAnswer:
    """Return the history of a rule or entry of an edition, oldest first, with the columns of `trace`.

    `number` may be a list or range of numbers, or the name of an entry. Without an edition, they are looked
    up in the newest that has them all, one of the comprehensive rules if possible, and a note says when other
    rules had their numbers.

    There is a row for the first edition, for each with a change, and for the newest. A rule that was split
    off is followed back to what it was part of. A paragraph of a release is followed through all loaded
    releases; for other texts there is a note instead of rows. A note also says if there is only one edition.
    After an entry comes the history of the rule that defines its term, unless `alone`.

    Raises `UnknownNameError` for an unknown number or name.
    """
    wanted, anywhere = numbers_in(number), edition is None
    followed = {it.id: it for it in with_history(session.editions())}
    if edition is None:
        try:
            found = resolve(session, wanted)
        except UnknownNameError:
            gone = _bundled_history(session, wanted)
            if gone is None:
                raise
            return gone
        wanted, edition = [it.name for it in found.things], found.scope.edition
        if edition not in followed:
            having = (name for name, it in reversed(followed.items()) if stands_in(session, it, wanted))
            edition = next(having, edition)
    elif edition not in followed:
        edition = edition_called(edition, session.editions()).id
    if edition not in followed:
        if told := history_in_releases(session, wanted, edition):
            return HistoryAnswer("history", COLUMNS, told, f"{told[0].edition} to {told[-1].edition}")
        note = "Only the comprehensive rules have a history of numbers."
        note += "" if followed else f" {RulesMissingError().way_out}"
        return HistoryAnswer("history", COLUMNS, (), edition, (note,))
    editions, place = timeline(session), [*followed].index(edition)
    names, notes = with_rules(session, editions[place], wanted, alone=alone)
    rows = _through_all(session, editions, edition, names)
    if not alone and len(names) == 1:
        rows |= _last_rules(session, editions, next(iter(rows.values())))
    told = tuple(row for own in rows.values() for row in own)
    notes += _notes(told, editions, names.values())
    own, beyond = provisions_of(session, names), Beyond(session, editions)
    for iri, called in names.items():
        provision = own.get(iri, "")
        notes += beyond.absorbed(rows[iri], provision)
        if anywhere and provision and called in wanted:
            notes += namesakes(called, provision, rows[iri], editions[-1].id)
    spanned = [row.edition for row in told]
    titles = {} if alone else parts_of_titles(session, editions[place], names)
    for iri, parts in titles.items():
        changed = changes_of(_through_all(session, editions, edition, parts), min(spanned))
        if changed:
            notes.append(PARTS.format(names[iri], ", ".join(sorted(changed)), edition))
    return HistoryAnswer("history", COLUMNS, told, f"{min(spanned)} to {max(spanned)}", tuple(notes))


def with_rules(
    session: Session, edition: Edition, wanted: Iterable[str], *, alone: bool = False
) -> tuple[dict[str, str], list[str]]:
    """Return rules and entries of an edition with their labels, by IRI, and notes.

    After an entry comes the rule that defines its term, unless `alone`. If several rules define it, or the
    entry only refers to rules, a note names them.
    """
    names: dict[str, str] = {}
    notes: list[str] = []
    for iri, name in (locate(session, edition, it) for it in wanted):
        names[iri] = name
        rules, is_defined = ({}, False) if alone else rules_of_entry(session, edition, iri)
        if is_defined and len(rules) == 1:
            names |= rules
        elif rules:
            where = "" if edition == timeline(session)[-1] else f" --from {edition.id}"
            followed = ", ".join(f"`rulesgraph trace {number}{where}`" for number in rules.values())
            notes.append(f"For the rules on {name}: {followed}.")
    return names, notes


def _last_rules(
    session: Session, editions: Sequence[Edition], entry: Sequence[HistoryRow]
) -> dict[str, list[HistoryRow]]:
    """Return the rows of the rules that last defined the term of an entry, by its own rows; by IRI."""
    loaded = {it.id: it for it in editions}
    for row in reversed(entry):
        then, heading = loaded.get(row.edition), row.number
        if then and heading and not number_in(heading):
            rules, is_defined = rules_of_entry(session, then, locate(session, then, heading)[0])
            if is_defined:
                return _through_all(session, editions, then.id, rules)
    return {}


def _bundled_history(session: Session, numbers: Sequence[str]) -> HistoryAnswer | None:
    """Return the history of numbers that no loaded edition has; None if no other has them either."""
    rows: list[HistoryRow] = []
    notes: list[str] = []
    lives = bundled_lives()
    for number in numbers:
        own = provision_named(session, number)
        held = [(own, it) for it in reversed(lives.tenures(own))] if own else lives.holders(number)
        if not held:
            return None
        provision, last = held[0]
        found = bundled_rows(provision, last.first)
        rows += found
        stands = "is in" if last.last == lives.editions[-1] else "existed until"
        notes.append(f"No loaded edition has {number}: it {stands} {last.last}.")
        notes += [] if own else namesakes(number, provision, found)
    span = f"{rows[0].edition} to {rows[-1].edition}"
    return HistoryAnswer("history", COLUMNS, tuple(rows), span, (*notes, NOT_LOADED))


def _through_all(
    session: Session,
    editions: Sequence[Edition],
    edition: str,
    names: Mapping[str, str],
    label: Callable[[str], str] | None = None,
) -> dict[str, list[HistoryRow]]:
    """Return the rows of rules and entries of an edition, with those of editions that are not loaded.

    `label` gives their names in the rows (numbers and headings).
    """
    linked = _linked_rows(session, editions, edition, names, label)
    provisions = provisions_of(session, names)
    if not provisions:
        return linked
    beyond = Beyond(session, editions)
    return {
        iri: beyond.rows(rows, provisions[iri], edition) if iri in provisions else rows
        for iri, rows in linked.items()
    }


def _linked_rows(
    session: Session,
    editions: Sequence[Edition],
    edition: str,
    names: Mapping[str, str],
    label: Callable[[str], str] | None = None,
) -> dict[str, list[HistoryRow]]:
    """Return the rows of rules and entries of one loaded edition, from the links of all of them."""
    place = [it.id for it in editions].index(edition)
    paths = editions[place::-1], editions[place:]
    back, onward = ((path, links_along(session, path, {*names})) for path in paths)
    called = label or labels_of(session, back[1], onward[1])
    return {iri: history_rows(back, onward, (iri, name), called) for iri, name in names.items()}


def _notes(rows: Sequence[HistoryRow], editions: Sequence[Edition], names: Iterable[str]) -> list[str]:
    """Return notes on rows of rules and entries: what is not loaded, and what is uncertain."""
    listed = any(row.confidence is None and row.number is not None for row in rows)
    if not listed and len(editions) == 1:
        return [ALONE]
    missing = [] if all(map(number_in, names)) or not has_gaps(editions) else [MISSING]
    return [*missing, *([NOT_LOADED, *unlisted(editions)] if listed else []), *doubts(rows)]


def histories_of(session: Session, edition: str, names: Mapping[str, str]) -> dict[str, list[HistoryRow]]:
    """Return the rows of `history_of` for many rules and entries of an edition, by IRI.

    `names` are their numbers or slugs, which the rows show. Of an edition without others there are none.
    """
    editions = with_history(session.editions())
    if not names or all(it.id != edition for it in editions):
        return {}
    found = _through_all(session, editions, edition, names, lambda iri: session.iris.parse(iri).key)
    return {iri: rows for iri, rows in found.items() if len(editions) > 1 or len(rows) > 1}
