"""Trace rules and entries from one edition to another, or through their whole history."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ...loaders.history.items import ChangeKind
from ...loaders.history.lives import bundled_lives
from ...loaders.language.numbers import number_in
from ...ontology.errors import UnknownNameError
from ...ontology.iris import slug
from ..finding.names import Named
from ..finding.numbering import elsewhere, nearest_numbers, place_among
from ..finding.things import editions_with, resolve
from ..session import Answer, Cells, Edition, Session, with_history
from .beyond import NOT_LOADED, Beyond, bundled_rows, provisions_of
from .links import (
    PathLinks,
    Step,
    followed,
    gone,
    label,
    labels_of,
    links_along,
    outcomes,
    outline,
    path_between,
    rows_along,
    timeline,
)

COLUMNS = ("edition", "number", "change", "confidence")

ALONE = "One edition alone tells no history: `rulesgraph build` adds others to the one that is loaded."

_HEADING = re.compile(r"rules?\s+", re.IGNORECASE)


def trace(
    session: Session, number: str, start: str, end: str | None = None, *, every: bool = False
) -> Answer:
    """Return where a rule went, or came from: one row for each edition in which something happened.

    `number` is a rule number, a range (``502.15-502.17``) or the name of a glossary entry; `start` and
    `end` are editions of the comprehensive rules (`end` is the newest loaded unless given, and may be
    the older one). Where one of them is not loaded, the bundled authority file tells of rules. The first
    and the last row always stand; with `every`, all editions between do.
    Rows: edition, number (or heading), change against the row's neighbour, confidence (1.0: same words).
    Over several editions a note says what the whole way comes to, in the words of `diff`.

    Raises `UnknownNameError` for an edition or a number that is not there.
    """
    known = timeline(session)
    unloaded = {name for name in map(_edition_id, (start, end or "")) if name in bundled_lives().editions}
    unloaded -= {it.id for it in known}
    if unloaded:
        return _bundled_trace(numbers_in(number), _edition_id(start), _edition_id(end or known[-1].id))
    path = path_between(known, start, end, session)
    rows: list[Cells] = []
    notes: list[str] = []
    for wanted in numbers_in(number):
        iri, name = locate(session, path[0], wanted)
        links = links_along(session, path, {iri})
        rows += rows_along(path, links, (iri, name), labels_of(session, links), every=every)
        notes += _summary(session, path, links, iri)
        notes += _meanwhile(session, path, links, iri)
    scope = f"{path[0].id} to {path[-1].id}"
    return Answer("trace", COLUMNS, tuple(rows), scope, tuple(dict.fromkeys(notes)))


def _edition_id(name: str) -> str:
    """Return the id of the comprehensive rules of a day; an id stays.

    >>> _edition_id("2008-02-01"), _edition_id("cr-2008-02-01")
    ('cr-2008-02-01', 'cr-2008-02-01')
    """
    return f"cr-{name}" if name[:1].isdigit() else name


def _bundled_trace(numbers: Sequence[str], start: str, end: str) -> Answer:
    """Return the rows of `trace` from the bundled authority file, which knows rules and no words."""
    rows: list[Cells] = []
    for number in numbers:
        provision = bundled_lives().holding(number, start)
        if not provision:
            held = [f"{it.first} to {it.last}" for _, it in bundled_lives().holders(number)]
            stood = f"; it stood from {', '.join(held[:3])}" if held else ""
            raise UnknownNameError("rule", number, (), f"{start} is not loaded and had none{stood}")
        rows += bundled_rows(provision, start, end)
    return Answer("trace", COLUMNS, tuple(rows), f"{start} to {end}", (NOT_LOADED,))


def numbers_in(text: str) -> list[str]:
    """Return the rule numbers of a number, list or range; anything else is the name of an entry."""
    stem = _HEADING.sub("", text.strip())
    if number_in(stem) or not any(it.isdigit() for it in stem):
        return [number_in(stem) or text.strip()]
    # Reading references loads a grammar; lists and ranges alone need it.
    from ...loaders.reading.references import find_references

    found = [t.key for r in find_references(f"rules {stem}") for t in r.targets if t.kind.value == "rule"]
    return found or [text.strip()]


def locate(session: Session, edition: Edition, wanted: str) -> tuple[str, str]:
    """Return the IRI and the label of a rule or entry in one edition."""
    document = (session.iris.document(edition.documents[0].id),)
    rule = session.iris.rule(edition.id, wanted)
    if session.run("history", "numbered", document, {"rule": [rule]}):
        return rule, wanted
    rows = session.run("history", "entries_of", document, {"term": [session.iris.term(slug(wanted))]})
    if rows:
        return str(rows[0][0]), str(rows[0][1])
    number = number_in(wanted)
    headed = None if number else _headed(session, document, wanted)
    if headed:
        return headed
    # Only for what is unknown.
    from difflib import get_close_matches

    names = [str(row[0]) for row in session.run("history", "names", document)]
    looked = f"looked in {edition.id}"
    if not number:
        raise UnknownNameError("rule or entry", wanted, get_close_matches(wanted, names, n=3), looked)
    others = sorted(editions_with(session, Named("number", number, number), False))
    place = f"it stands in {', '.join(others[-5:])}" if others else place_among(number, names)
    told = "" if others else elsewhere(number)
    near = [] if others or told else nearest_numbers(number, names)
    looked = f"{looked}: {place}" if place else looked
    raise UnknownNameError("rule or entry", wanted, near, "\n  ".join(it for it in (looked, told) if it))


def _headed(session: Session, document: Sequence[str], wanted: str) -> tuple[str, str] | None:
    """Return the IRI and the label of the one entry with a heading, or a name in it; else of the one rule."""
    # Most names are those of terms.
    from ...loaders.language.names import split_heading
    from ..finding.namesakes import the_one_called

    headings, rules = [], []
    for iri, title, number in session.run("history", "headings", document):
        if number:
            rules.append((str(title), (str(iri), str(number))))
        else:
            names = (str(title), *split_heading(str(title)).names)
            headings += [(name, (str(iri), str(title))) for name in names]
    return the_one_called(headings, wanted, bent=False) or the_one_called(rules, wanted, bent=False)


def _summary(session: Session, path: Sequence[Edition], links: PathLinks, iri: str) -> list[str]:
    """Return what a way of several editions comes to, in a sentence."""
    if len(path) < 3:
        return []
    first, last = path[0], path[-1]
    before = outline(session, first, {iri})
    after = outline(session, last, followed(links, iri))
    found = [f"{it.kind}: {label(after[it.new])}" for it in outcomes(links, before, after)]
    told = "; ".join(found) if found else gone(path)
    return [f"{label(before[iri])} of {first.id} in {last.id}: {told}"]


def _meanwhile(session: Session, path: Sequence[Edition], links: PathLinks, iri: str) -> list[str]:
    """Return a remark when the same number means something else at the other end."""
    here = session.iris.parse(iri)
    rule = session.iris.rule(path[-1].id, here.key)
    if here.kind != "rule" or rule in followed(links, iri):
        return []
    found = outline(session, path[-1], {rule})
    return [f"{here.key} in {path[-1].id} is another rule: “{_short(it.text)}”" for it in found.values()]


def _short(text: str, width: int = 70) -> str:
    return text if len(text) <= width else text[: width - 1].rsplit(" ", 1)[0] + "…"


def history_of(session: Session, number: str, edition: str | None = None, *, namesake: bool = True) -> Answer:
    """Return what became of a rule or entry that stands in an edition, oldest first; columns of `trace`.

    `number` may be a list or range of them, or the name of an entry; without an edition all are looked for in
    the newest that has them, one of the comprehensive rules if there is one.

    A row is there for its first edition, for each with a change, and for the newest. What was split off is
    followed back to what it was part of. An edition that is none of the comprehensive rules gives an answer
    without rows, and a note; a note says where there is one edition alone. An entry of that one has the
    history of the rule with its name, unless `namesake` is false.

    Raises `UnknownNameError` for a number or a name that is not there.
    """
    wanted = numbers_in(number)
    followed = {it.id: it for it in with_history(session.editions())}
    if edition is None:
        try:
            found = resolve(session, wanted)
        except UnknownNameError:
            gone = _bundled_history(session, wanted)
            if gone is None:
                raise
            return gone
        wanted, edition = [it.name for it in found.things], found.scope.editions[0]
        if edition not in followed:
            having = (name for name, it in reversed(followed.items()) if stands_in(session, it, wanted))
            edition = next(having, edition)
    if edition not in followed:
        note = "Only the comprehensive rules have a history of numbers."
        return Answer("history", COLUMNS, (), edition, (note,))
    editions = timeline(session)
    place = [it.id for it in editions].index(edition)
    standing = dict(locate(session, editions[place], it) for it in wanted)
    paths = editions[place::-1], editions[place:]
    back, onward = ((path, links_along(session, path, {*standing})) for path in paths)
    label = labels_of(session, back[1], onward[1])
    rows = _through_all(
        session, editions, edition, standing, lambda it: history_rows(back, onward, it, label)
    )
    told = tuple(row for own in rows.values() for row in own)
    titled = None
    if namesake and len(told) == 1 and len(editions) == 1 and not number_in(wanted[0]):
        titled = _namesake(session, editions[0], next(iter(standing)), wanted[0])
    if titled:
        # No file knows entries of other editions; rules it does.
        of_rule = history_of(session, titled, edition)
        note = f"One edition alone tells no history of an entry. This is that of its rule, rule {titled}."
        return of_rule._replace(notes=(note, *of_rule.notes))
    return Answer("history", COLUMNS, told, f"{told[0][0]} to {told[-1][0]}", _notes(told, len(editions)))


def _namesake(session: Session, edition: Edition, entry: str, name: str) -> str:
    """Return the number of the one rule that defines the term of an entry and has its name, or ``""``."""
    from ..finding.namesakes import the_one_called

    graphs = session.iris.document(edition.documents[0].id), session.iris.derived(edition.id)
    rules = session.run("history", "rules_defining", graphs, {"entry": [entry]})
    found = the_one_called(
        [(str(title), (str(rule), str(number))) for rule, title, number in rules], name, bent=False
    )
    return found[1] if found else ""


def _bundled_history(session: Session, numbers: Sequence[str]) -> Answer | None:
    """Return the history of numbers that no loaded edition has; None where no other has them either."""
    loaded = with_history(session.editions())
    if not loaded:
        return None
    rows: list[Cells] = []
    notes: list[str] = []
    for number in numbers:
        held = bundled_lives().holders(number)
        if not held:
            return None
        provision, last = held[0]
        rows += bundled_rows(provision, last.last)
        notes.append(f"No loaded edition has {number}: it stood until {last.last}.")
    return Answer("history", COLUMNS, tuple(rows), f"{rows[0][0]} to {rows[-1][0]}", (*notes, NOT_LOADED))


def _through_all(
    session: Session,
    editions: Sequence[Edition],
    edition: str,
    standing: Mapping[str, str],
    rows_of: Callable[[tuple[str, str]], list[Cells]],
) -> dict[str, list[Cells]]:
    """Return the rows of rules and entries of an edition, with those of editions that are not loaded."""
    provisions = provisions_of(session, standing)
    beyond = Beyond(session, editions) if provisions else None
    found = {}
    for iri, name in standing.items():
        rows = rows_of((iri, name))
        own = provisions.get(iri)
        found[iri] = beyond.rows(rows, own, edition) if beyond and own else rows
    return found


def _notes(rows: Sequence[Cells], editions: int) -> tuple[str, ...]:
    if any(row[3] is None and row[1] is not None for row in rows):
        return (NOT_LOADED,)
    return () if editions > 1 else (ALONE,)


def stands_in(session: Session, edition: Edition, wanted: Sequence[str]) -> bool:
    """Tell whether an edition has all of some rules and entries."""
    try:
        return bool([locate(session, edition, it) for it in wanted])
    except UnknownNameError:
        return False


def histories_of(session: Session, edition: str, names: Mapping[str, str]) -> dict[str, list[Cells]]:
    """Return the rows of `history_of` for many rules and entries of an edition, by IRI.

    `names` are their numbers or slugs, by which the rows tell them. There are none where the edition is none
    of the comprehensive rules, or the only one.
    """
    editions = with_history(session.editions())
    place = next((k for k, it in enumerate(editions) if it.id == edition), None)
    if place is None or not names:
        return {}
    paths = editions[place::-1], editions[place:]
    back, onward = ((path, links_along(session, path, set(names))) for path in paths)
    parse = session.iris.parse
    # Entries are told by their slugs here, which need no further query.
    label = lambda iri: parse(iri).key  # noqa: E731
    found = _through_all(session, editions, edition, names, lambda it: history_rows(back, onward, it, label))
    return {iri: rows for iri, rows in found.items() if len(editions) > 1 or len(rows) > 1}


def history_rows(
    back: tuple[Sequence[Edition], PathLinks],
    onward: tuple[Sequence[Edition], PathLinks],
    start: tuple[str, str],
    label: Callable[[str], str],
) -> list[Cells]:
    """Return the rows of one rule or entry, by its IRI and label.

    `back` and `onward` are paths of editions that both begin in its own, each with the links along it.
    """
    rows: list[Cells] = []
    iri, name = start
    for edition, links in zip(*back, strict=False):
        origin = _origin(links.get(iri, ()))
        if origin is None:
            break
        rows.append((edition.id, name, origin.change.value, origin.sure))
        iri, name = origin.other, label(origin.other)
    first = back[0][len(rows)].id, name, "", 1.0
    later = rows_along(*onward, start, label)[1:]
    changed = [row for row in reversed(rows) if row[2] != ChangeKind.UNCHANGED]
    newest = [] if later or not rows or rows[0] in changed else rows[:1]
    return [first, *changed, *newest, *later]


def _origin(found: Sequence[Step]) -> Step | None:
    """Return the link to what a rule goes on from, or else to what most of it was part of."""
    return max(
        (step for step in found if step.change is not ChangeKind.MERGED),
        key=lambda step: (step.is_same, step.sure),
        default=None,
    )
