"""Follow rules and entries through the editions of the comprehensive rules.

Each edition has links from its rules and entries to what they were in the edition before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from textwrap import shorten
from typing import NamedTuple, cast

from ...loaders.history.items import CHANGES, PARTING, Change, ChangeKind, Item, kind_of
from ...loaders.language.numbers import level, parent
from ...loaders.language.words import split_heading
from ...ontology import DCTERMS, RulesMissingError, UsageError, grouped, slug
from ..session import Answer, Cells, Edition, Session, Value, edition_called, with_history
from .rows import HistoryRow

LINKED = "`diff` reports that, because it compares only the loaded texts. The rows use all known editions."


class HistoryAnswer(Answer):
    """An answer whose rows are of the type `HistoryRow`."""

    @property
    def stages(self) -> tuple[HistoryRow, ...]:
        """The rows, with names for their cells."""
        return cast("tuple[HistoryRow, ...]", self.rows)


class Step(NamedTuple):
    """One link of a history from `item` to `other`: `change` is a value of `CHANGES`, `sure` at most 1."""

    item: str
    other: str
    change: ChangeKind
    sure: float

    @property
    def is_same(self) -> bool:
        """Whether it is still the same rule: neither split off, nor merged into another one."""
        return self.change not in PARTING


def steps(
    session: Session, later: str, items: Iterable[str] | None = None, *, forward: bool = True
) -> list[Step]:
    """Return what items (None: all) became in the edition `later`, or were in the one before it.

    Items that are still themselves come first, then the order is by IRI.
    """
    known = "old" if forward else "new"
    values = {} if items is None else {known: list(items)}
    found = []
    for old, new, link, sure in session.run("history", "links", (session.iris.history(later),), values):
        item, other = (str(old), str(new)) if forward else (str(new), str(old))
        found.append(Step(item, other, CHANGES[str(link)], 1.0 if sure is None else float(str(sure))))
    return sorted(found, key=lambda step: (not step.is_same, step.item, step.other))


_FEW = 200
"""The number of items whose links are queried singly; for more, all of an edition are read at once."""

PathLinks = Sequence[Mapping[str, Sequence[Step]]]
"""For each step of a path of editions, item → its links."""


def links_along(
    session: Session, path: Sequence[Edition], starts: Collection[str] | None = None
) -> PathLinks:
    """Return, for each step of a path of editions, item → its links.

    `path` is a list of neighbouring editions, in either direction. At least everything that `starts` leads to
    is included; without it, every item.
    """
    found: list[Mapping[str, Sequence[Step]]] = []
    for here, there in pairwise(path):
        forward = here.age_key < there.age_key
        asked = starts if starts is not None and len(starts) <= _FEW else None
        later = there if forward else here
        taken = steps(session, later.id, asked, forward=forward) if asked is None or asked else []
        found.append(grouped((step.item, step) for step in taken))
        if asked is not None:
            starts = {step.other for step in taken}
    return found


def outcomes(links: PathLinks, before: Mapping[str, Item], after: Mapping[str, Item]) -> list[Change]:
    """Return what the items `before`, of the first edition of a path, are in the last one.

    `after` are the items of the last edition that `links` lead to. An item without an outcome is gone. Over
    several editions, the kind of change is what the two texts show, unless the rule was split or merged on
    the way.
    """
    found = []
    for iri, item in before.items():
        for other, kind in followed(links, iri).items():
            is_told = kind and (len(links) == 1 or kind in PARTING)
            found.append(Change(kind if kind and is_told else kind_of(item, after[other]), iri, other))
    return found


def followed(links: PathLinks, start: str) -> dict[str, ChangeKind | None]:
    """Return the items at the end of a path to which one leads, with the last kind of link on the way.

    A split or a merge on the way stays; without a step there is no link. The result is the same in the other
    direction: a split counts more than a merge, and if several ways lead to one item, the one with the fewest
    of them is taken.
    """
    reached: dict[str, ChangeKind | None] = {start: None}
    for step in links:
        found: dict[str, ChangeKind | None] = {}
        for item, so_far in reached.items():
            for link in step.get(item, ()):
                change = max(link.change, so_far, key=_parting)
                if link.other not in found or _parting(change) < _parting(found[link.other]):
                    found[link.other] = change
        reached = found
    return reached


def _parting(change: ChangeKind | None) -> int:
    """Return a rank for what a link does: nothing, merge, split."""
    return (None, ChangeKind.MERGED, ChangeKind.SPLIT).index(change if change in PARTING else None)


def rows_along(
    path: Sequence[Edition],
    links: PathLinks,
    start: tuple[str, str],
    label: Callable[[str], str],
    *,
    every: bool = False,
) -> list[HistoryRow]:
    """Return the rows of a rule or entry of the first edition of a path, by its IRI and label.

    The first and the last row are always included; with `every`, so are editions without a change.
    """
    iri, name = start
    rows = [HistoryRow(path[0].id, name, "", 1.0)]
    current = [iri]
    for place, (there, step) in enumerate(zip(path[1:], links, strict=True), 1):
        found: list[HistoryRow] = []
        for item in current:
            taken = step.get(item, ())
            found += [HistoryRow(there.id, label(it.other), it.change.value, it.sure) for it in taken]
            if not taken:
                found.append(HistoryRow(there.id, None, gone(path), None))
        current = list(dict.fromkeys(it.other for item in current for it in step.get(item, ())))
        happened = any(row.change != ChangeKind.UNCHANGED for row in found)
        if every or place == len(path) - 1 or not current or happened:
            rows += found
        if not current:
            break
    return rows


def history_rows(
    back: tuple[Sequence[Edition], PathLinks],
    onward: tuple[Sequence[Edition], PathLinks],
    start: tuple[str, str],
    label: Callable[[str], str],
) -> list[HistoryRow]:
    """Return the rows of one rule or entry, by its IRI and label.

    `back` and `onward` are paths of editions that both begin in its own, each with the links along it.
    """
    rows: list[HistoryRow] = []
    iri, name = start
    for edition, links in zip(*back, strict=False):
        origin = _origin(links.get(iri, ()))
        if origin is None:
            break
        rows.append(HistoryRow(edition.id, name, origin.change.value, origin.sure))
        iri, name = origin.other, label(origin.other)
    first = HistoryRow(back[0][len(rows)].id, name, "", 1.0)
    later = rows_along(*onward, start, label)[1:]
    changed = [row for row in reversed(rows) if row.change != ChangeKind.UNCHANGED]
    newest = [] if later or not rows or rows[0] in changed else rows[:1]
    return [first, *changed, *newest, *later]


def _origin(found: Sequence[Step]) -> Step | None:
    """Return the link to what a rule was before, or else to what most of it was part of."""
    return max(
        (step for step in found if step.change is not ChangeKind.MERGED),
        key=lambda step: (step.is_same, step.sure),
        default=None,
    )


def labels_of(session: Session, *links: PathLinks) -> Callable[[str], str]:
    """Return a function from IRIs of rules and entries on the way to their numbers and headings."""
    parse = session.iris.parse
    others = {it.other for way in links for step in way for taken in step.values() for it in taken}
    entries = sorted(it for it in others if parse(it).kind == "entry")
    headings: dict[str, str] = {}
    for entry, title in sorted(session.pairs(None, DCTERMS.title, of=entries)):
        headings.setdefault(entry, title)
    return lambda iri: headings.get(iri) or parse(iri).key


def gone(path: Sequence[Edition]) -> str:
    """Return a remark on where a path of editions ends for a rule or entry."""
    return "removed" if path[0].age_key <= path[-1].age_key else "not there yet"


def timeline(session: Session) -> list[Edition]:
    """Return the editions of the comprehensive rules, oldest first; raises `RulesMissingError` for none."""
    found = with_history(session.editions())
    if not found:
        raise RulesMissingError
    return found


def place_in(editions: Sequence[Edition], name: str, session: Session) -> int:
    """Return the place of the edition with an id or a date; raises `UnknownNameError`, or `UsageError`."""
    named = edition_called(name, [*editions, *session.editions()])
    if named in editions:
        return editions.index(named)
    raise UsageError(
        f"{named.id} is not an edition of the comprehensive rules",
        way_out="Only those have a history of numbers.",
    )


def path_between(editions: Sequence[Edition], start: str, end: str | None, session: Session) -> list[Edition]:
    """Return the editions from `start` to `end` (by default the newest), which may be the older one.

    Raises the errors of `place_in`.
    """
    first = place_in(editions, start, session)
    last = place_in(editions, end, session) if end else len(editions) - 1
    return list(editions[first : last + 1]) if first <= last else list(editions[last : first + 1])[::-1]


def outline(session: Session, edition: Edition, only: Collection[str] | None = None) -> dict[str, Item]:
    """Return IRI → rule or entry, in the order of the text; `only` those with these IRIs."""
    document = (session.iris.document(edition.documents[0].id),)
    parse = session.iris.parse

    def rows(name: str, kind: str) -> list[Cells]:
        if only is None:
            return session.run("history", name, document, kept=True)
        wanted = [iri for iri in only if parse(iri).kind == kind]
        return session.run("history", name, document, {kind: wanted}, kept=True) if wanted else []

    found = {
        str(rule): Item(str(rule), str(number), str(text)) for rule, number, text in rows("rules", "rule")
    }
    entries = rows("entries", "entry")
    headings = {str(entry): str(heading) for entry, heading, _ in entries}
    words = grouped((str(entry), str(text or "")) for entry, _, text in entries)
    return found | {
        iri: Item(iri, parse(iri).key, "\n".join(texts), title=headings[iri], is_entry=True)
        for iri, texts in words.items()
    }


def label(item: Item) -> str:
    """Return the label of a rule or entry: its number, or its heading."""
    return item.title if item.is_entry else item.key


def remarks(
    session: Session, path: Sequence[Edition], links: PathLinks, iri: str, there: set[str]
) -> Iterator[str]:
    """Yield the overall result of a path of several editions, and the number's other meaning at its end.

    If links over a gap of editions lead elsewhere than the bundled file (`there`), a remark says so.
    """
    first, last = path[0], path[-1]
    reached = followed(links, iri)
    if len(path) > 2:
        before, after = outline(session, first, {iri}), outline(session, last, reached)
        found = []
        for way in outcomes(links, before, after):
            has_moved = way.kind is ChangeKind.REFERENCES and before[way.old].key != after[way.new].key
            kind = f"{ChangeKind.RENUMBERED}, {way.kind}" if has_moved else way.kind
            found.append(f"{kind}: {label(after[way.new])}")
        told = "; ".join(found) if found else gone(path)
        yield f"{label(before[iri])} of {first.id} in {last.id}: {told}"
        linked = {label(it) for it in after.values()}
        if linked.isdisjoint(there) and linked != there:
            yield LINKED
    here = session.iris.parse(iri)
    rule = session.iris.rule(last.id, here.key)
    if here.kind == "rule" and here.key not in there and rule not in reached:
        for it in outline(session, last, {rule}).values():
            text = shorten(it.text, 70, placeholder="…")
            yield f"{here.key} in {last.id} is another rule: “{text}”"


def slips(session: Session, editions: Sequence[Edition], rules: Iterable[str]) -> list[str]:
    """Return a sentence for each of some rules or entries (IRIs) that differ in the loaded copy.

    What a copy lacks is reported too, with the rule that it was part of, or else by its own name.
    """
    iris = session.iris
    places = [iris.parse(it) for it in rules]
    named = {place.key for place in places if place.kind == "rule"}
    headed = {place.key for place in places if place.kind == "entry"}
    wholes = named | {parent(key) for key in named}

    def is_meant(message: str, concerns: Value, is_lost: Value) -> bool:
        if concerns:
            return iris.parse(str(concerns)).key in (wholes if is_lost else named)
        lost = message.partition(" is missing")[0]
        return lost in named or slug(split_heading(lost).names[0]) in headed

    rows = session.run("history", "copies", [iris.derived(it.id) for it in editions], kept=True)
    told = "{}. What you see about it here may be an error in the loaded copy."
    return [told.format(row[0]) for row in rows if is_meant(str(row[0]), *row[1:])]


# -- the rules of an entry, and those below a title ---------------------------------------------------


def parts_of_titles(
    session: Session, edition: Edition, standing: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """Return the numbers of the rules directly below each rule that is only a title, by IRI, in order."""
    document = (session.iris.document(edition.documents[0].id),)
    rules = [iri for iri, number in standing.items() if level(number) == "rule"]
    titled = [iri for iri, _ in session.pairs(document, DCTERMS.title, of=rules, kept=True)]
    inside = session.pairs(document, DCTERMS.isPartOf, to=titled, kept=True)
    below = grouped((whole, it) for it, whole in sorted(inside) if session.iris.parse(it).kind == "rule")
    return {whole: {it: session.iris.parse(it).key for it in parts} for whole, parts in below.items()}


def rules_of_entry(session: Session, edition: Edition, entry: str) -> tuple[dict[str, str], bool]:
    """Return the numbers of the rules that define the term of an entry, or have it in a title of two things
    (*Lamp and Lantern*), by IRI, and True; else of the rules that the entry refers to, and False.
    """
    scope = session.scope(edition.id)
    rows = session.run("history", "rules_of_entry", scope, {"entry": [entry]})
    found = {str(rule): str(number) for rule, number, _ in rows}
    defining = [str(rule) for rule, _, defines in rows if defines]
    if found and not defining:
        name, titles = session.iris.parse(entry).key, session.pairs(scope, DCTERMS.title, of=found)
        defining = [rule for rule, title in titles if name in map(slug, re.split(" and |/", title))]
    return {rule: found[rule] for rule in defining or found}, bool(defining)


def rules_meant(session: Session, edition: Edition, entry: str) -> set[str]:
    """Return the numbers of `rules_of_entry`, and of those about the parts of a phase or turn: its steps."""
    steps = session.run("history", "rules_of_parts", session.scope(edition.id), {"entry": [entry]})
    return {*rules_of_entry(session, edition, entry)[0].values(), *(str(number) for (number,) in steps)}
