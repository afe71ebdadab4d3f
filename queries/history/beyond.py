"""Follow a rule through editions that are not loaded, from the bundled authority file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from ...loaders.history.items import ChangeKind, change_of
from ...loaders.history.lives import bundled_lives
from ...loaders.history.tenures import Calendar, Stage
from ...loaders.language.numbers import wholes
from ...ontology import RG, counted, grouped, in_a_list
from ..session import Edition, Scope, Session, with_history
from .links import outline, steps
from .rows import HistoryRow

NOT_LOADED = (
    "Rows without a confidence come from the bundled list of all editions, because one of the two texts is "
    "not loaded. The list has numbers, dates, kinds of change and which rewordings are doubtful, but no text."
)

ABSORBED = "also absorbed"
"""What notes say about a rule that others were merged into."""

ALONE = (
    "Only one edition is loaded, so it is not known what others say: "
    "`rulesgraph get --edition DATE` or `rulesgraph build` loads more."
)

MISSING = "Some editions in between are not loaded, so a change may be older: load them to see."


def has_gaps(editions: Sequence[Edition]) -> bool:
    """Return whether a known edition between the first and the last of these is missing."""
    ids = sorted(it.id for it in editions)
    return any(ids[0] < it < ids[-1] and it not in ids for it in bundled_lives().editions)


def unlisted(editions: Sequence[Edition]) -> list[str]:
    """Report which of some editions with a history are newer than the bundled file."""
    last = bundled_lives().editions[-1]
    newer = [it.id for it in editions if it.id > last]
    told = f"The bundled list of all editions ends with {last}: it does not know {', '.join(newer)}"
    return [f"{told}, nor other editions since then."] if newer else []


def gap_before(session: Session, scope: Scope) -> list[str]:
    """Say since which edition the changes of an edition were made, if it is not the edition before it."""
    known = [it.id for it in with_history(session.editions())]
    place = known.index(scope.editions[0]) if scope.editions[0] in known else -1
    if len(scope.editions) > 1 or place < 0:
        return []
    if not place:
        return [f"No edition before {scope.label} is loaded, so it is not known what was new in it."]
    missing = sum(known[place - 1] < it < known[place] for it in bundled_lives().editions)
    are = f"{counted(missing, 'edition')} in between {'is' if missing == 1 else 'are'} not loaded."
    return [f"These are all changes since {known[place - 1]}: {are}"] if missing else []


def provisions_of(session: Session, rules: Iterable[str]) -> dict[str, str]:
    """Return rule → the id of its provision; entries and rules with a provisional one are left out."""
    parse = session.iris.parse
    asked = [it for it in rules if parse(it).kind == "rule"]
    ids = {rule: parse(provision) for rule, provision in session.pairs(None, RG.provision, of=asked)}
    return {rule: it.key for rule, it in ids.items() if not it.edition}


BESIDE = (ChangeKind.UNCHANGED, ChangeKind.REFERENCES)
"""Changes in links that the file does not record: it ignores the numbers that a rule cites."""


class Beyond:
    """Inserts the stages of a rule in unloaded editions between its rows of the loaded ones."""

    def __init__(self, session: Session, editions: Sequence[Edition]) -> None:
        """Take the loaded editions that have a history."""
        self._session = session
        self._lives = bundled_lives()
        self._loaded = {it.id: it for it in editions}
        days = {it.id: str(it.issued) for it in editions}
        self._calendar = Calendar(self._lives.editions, days)
        self._order = self._calendar.order
        self._compared = self._calendar.compared
        """The loaded editions whose neighbour before is loaded as well: their links say how sure it is."""
        self._told = {new for old, new in pairwise(self._order) if {old, new} <= self._calendar.covered}
        """The editions that the file compares with their neighbour: it says what became of rules there."""

    def rows(self, rows: Sequence[HistoryRow], provision: str, edition: str) -> list[HistoryRow]:
        """Return the rows of a provision through all editions, oldest first.

        `rows` are those of the loaded editions, with the columns of `trace`, `edition` is one that has the
        provision.
        """
        told = [*self._lives.before(provision, edition), *self._lives.after(provision, edition)]
        if not told:
            return [*rows]
        own: Mapping[tuple[str, str | None], HistoryRow] = {
            (row.edition, row.number): row for row in rows if row.change
        }
        told = self._merged_into(self._split_off(told, own, rows), rows)
        found = [self._row(it, own) for it in told]
        there = {row.edition for row in found}
        for row in rows:
            name = row.edition
            if name in there or self._order[name] < self._order[told[0].edition]:
                continue
            if name not in self._compared:
                found += self._after_a_gap(row, told)
            elif row.change and (name not in self._told or row.change in BESIDE):
                # Any other change in a link is a slip of this copy alone.
                found.append(row)
        return sorted(dict.fromkeys(found), key=lambda row: self._order[row.edition])

    def _row(self, stage: Stage, own: Mapping[tuple[str, str | None], HistoryRow]) -> HistoryRow:
        """Return the row of a stage: the file says what happened if it covers that, else links do."""
        linked = own.get((stage.edition, stage.number)) if stage.edition in self._compared else None
        if linked is None:
            return _row(stage)
        return (
            linked if stage.edition not in self._told else _row(stage)._replace(confidence=linked.confidence)
        )

    def between(
        self, rows: Sequence[HistoryRow], provision: str, start: tuple[str, str], *stops: str
    ) -> list[HistoryRow]:
        """Return a provision's rows from a place to an edition, which may be older.

        `start` is an edition and the number there, for the first row. The last of the `stops`, and those on
        the way to it, have a row with the rule's number. Going back in time, a row is for the edition before
        a change.
        """
        at, lives, end = self._order, self._lives, stops[-1]
        begun, same = at[start[0]], ChangeKind.UNCHANGED
        rows = sorted(dict.fromkeys(rows), key=lambda row: at[row.edition])
        found = [HistoryRow(*start, "", None)]
        changes = [row for row in rows if row.change != same]
        chain = [row for row in changes if at[row.edition] <= begun]
        is_forward = begun <= at[end]
        if is_forward:
            found += [row for row in changes if begun < at[row.edition] <= at[end]]
            chain = found if len({row.edition for row in found}) == len(found) else []
        else:
            names = [*at]
            for was, now in [*pairwise(chain)][::-1]:
                if at[end] < at[now.edition]:
                    found.append(now._replace(edition=names[at[now.edition] - 1], number=was.number))
            first = at[chain[0].edition]
            if at[end] < first:
                found.append(HistoryRow(names[first - 1], None, "not there yet", None))
        there = {(row.edition, row.number) for row in found}
        for stop in stops:
            current = [row.number for row in chain if at[row.edition] <= at[stop]][-1:]
            if is_forward and stop in lives.editions:
                heirs = lives.became(provision, start[0], stop)
                current = [it.number for heir in heirs if (it := lives.at(heir, stop))]
            found += [
                HistoryRow(stop, it, same.value, None)
                for it in current
                if it is not None and (stop, it) not in there
            ]
        return sorted(found, key=lambda row: at[row.edition], reverse=not is_forward)

    def absorbed(self, rows: Sequence[HistoryRow], provision: str) -> list[str]:
        """Report which other rules were merged into one, from its rows and its provision, if it has one."""
        at, iris = self._order, self._session.iris
        told = self._lives.absorbed(provision, self._lives.editions[-1]) if provision else []
        for name, number, change, _ in rows:
            is_linked = self._links_alone(name) if provision else name in self._compared
            if number and change != ChangeKind.UNCHANGED and is_linked:
                rule = iris.rule(name, number)
                links = steps(self._session, name, [rule], forward=False)
                merged = (it.other for it in links if it.change is ChangeKind.MERGED)
                told += [(name, number, iris.parse(other).key) for other in merged]
        places = [at[row.edition] for row in rows]
        passed = grouped(
            ((name, number), other) for name, number, other in told if min(places) < at[name] <= max(places)
        )
        return [
            f"{number} {ABSORBED} {' and '.join(others)} in {name}."
            for (name, number), others in passed.items()
        ]

    def _links_alone(self, edition: str) -> bool:
        """Return whether links, and not the file, say where the rules of an edition came from."""
        return edition in self._compared - self._told

    def _split_off(
        self,
        told: Sequence[Stage],
        own: Mapping[tuple[str, str | None], HistoryRow],
        rows: Sequence[HistoryRow],
    ) -> list[Stage]:
        """Follow a rule back to what it was split from, if only loaded neighbours show that."""
        first = told[0]
        split = own.get((first.edition, first.number))
        if (
            first.change
            or not split
            or split.change != ChangeKind.SPLIT
            or not self._links_alone(first.edition)
        ):
            return [*told]
        source = rows[rows.index(split) - 1]
        before = self._calendar.beside(first.edition, -1)
        provision = self._lives.holding(source.number or "", before)
        earlier = self._lives.before(provision, before) if provision else []
        return [*earlier, first._replace(change=ChangeKind.SPLIT), *told[1:]]

    def _merged_into(self, told: Sequence[Stage], rows: Sequence[HistoryRow]) -> list[Stage]:
        """Follow a removed rule to the one that took it in, if only loaded neighbours show that."""
        last = told[-1]
        if last.change is not ChangeKind.REMOVED or not self._links_alone(last.edition):
            return [*told]
        taken = [row for row in rows if row.edition == last.edition]
        found = [Stage(it.edition, it.number, ChangeKind(it.change)) for it in taken if it.number]
        for heir in found:
            found = [*found, *self._lives.after(self._lives.holding(heir.number, last.edition), last.edition)]
        return [*told[:-1], *(found or [last])]

    def _after_a_gap(self, row: HistoryRow, stages: Sequence[Stage]) -> list[HistoryRow]:
        """Return the row of a loaded edition after a stage that has no words."""
        name, number, *_ = row
        earlier = [it for it in stages if self._order[it.edition] < self._order[name] and it.number]
        if number is None or not earlier:
            return []
        change = ChangeKind.UNCHANGED
        if name not in self._lives.editions:
            # Only here is a text compared with the file: an edition that it does not cover is alone.
            from ...loaders.history.authority import wording_of

            rule = self._session.iris.rule(name, number)
            item = outline(self._session, self._loaded[name], [rule])[rule]
            same_words = wording_of(number, item).checksum == earlier[-1].words
            change = change_of(earlier[-1].number == number, same_words)
        elif number not in {it.number for it in earlier}:
            return []  # links over a gap lead elsewhere than the file, which covers all editions between
        is_newest = name == max(self._loaded, key=self._order.__getitem__)
        told = is_newest or change is not ChangeKind.UNCHANGED
        return [HistoryRow(name, number, change.value, None)] if told else []


def nearest_with(number: str, edition: str) -> str:
    """Return the last edition before one that had a number, else the first after it, loaded or not.

    ``""`` if none had it.
    """
    held = [it for _, it in bundled_lives().holders(number)]
    before = max((it.last for it in held if it.last < edition), default="")
    return before or min((it.first for it in held if it.first > edition), default="")


_MOST_NAMESAKES = 3
"""The number of other rules with a number that are listed, the latest."""


def namesakes(
    number: str, provision: str, rows: Iterable[HistoryRow], newest: str = "", *, typed: bool = True
) -> list[str]:
    """Report when other rules than those in a provision's history had a number.

    The sentence gives today's numbers of these rules (see `today`) and, if `typed`, the command that follows
    the last one. For a provision that the bundled file does not know, nothing is reported, because its own
    rule may be among the others.
    """
    lives = bundled_lives()
    held = grouped(lives.holders(number))
    followed = {(row.edition, row.number) for row in rows}
    others = {it: own for it, own in held.items() if followed.isdisjoint((it.first, number) for it in own)}
    if provision not in held or not others:
        return []
    latest = list(others.items())[:_MOST_NAMESAKES]
    spans = []
    for it, own in reversed(latest):
        last = own[0].last
        until = "today" if last == lives.editions[-1] else f"{last} ({today(number, it, last, newest)})"
        spans.append(f"from {own[-1].first} to {until}")
    more = f", and {len(others) - len(latest)} more before" if len(others) > len(latest) else ""
    told = f"{number} was another rule {in_a_list(spans)}{more}"
    which = "it" if len(others) == 1 else "the last of these"
    command = f"rulesgraph trace {number} --from {latest[0][1][0].last}"
    return [f"{told}: `{command}` follows {which}." if typed else f"{told}."]


def today(number: str, provision: str, edition: str, newest: str) -> str:
    """Return what a rule of an edition is today: its number, or that it is gone, and where its parts are.

    *Today* is the `newest` loaded edition, or the newest known one if that is older or unknown.
    """
    lives = bundled_lives()
    newest = newest if edition < newest in lives.editions else lives.editions[-1]

    def known(it: str) -> list[str]:
        return [own.number for heir in lives.became(it, edition, newest) if (own := lives.at(heir, newest))]

    if numbers := known(provision):
        return f"now {' and '.join(numbers)}"
    parts = [lives.holding(it, edition) for it in lives.numbers if it.startswith(f"{number}.")]
    into = sorted({wholes(it)[-1] for part in filter(None, parts) for it in known(part)})
    return f"now gone, its parts in {in_a_list(into)}" if into else "now gone"


_SAME_WORDS = ("", ChangeKind.UNCHANGED, ChangeKind.RENUMBERED, ChangeKind.REFERENCES)
"""Changes in the rows of a rule that keep its words; ``""`` is in the first."""


def changes_of(lives: Mapping[str, Sequence[HistoryRow]], first: str) -> dict[str, list[str]]:
    """Return the editions in which some rules changed or were added (after the `first`), with last numbers.

    `lives` are the rows of each, by IRI.
    """
    return grouped(
        (row.edition, next(it.number for it in reversed(own) if it.number is not None))
        for own in lives.values()
        for place, row in enumerate(own)
        if row.change not in _SAME_WORDS or (place == 0 and row.edition != first)
    )


def bundled_rows(provision: str, edition: str) -> list[HistoryRow]:
    """Return the rows of the whole history of a provision, from an edition that need not be loaded."""
    lives = bundled_lives()
    return [_row(it) for it in (*lives.before(provision, edition), *lives.after(provision, edition))]


def _row(stage: Stage) -> HistoryRow:
    change = stage.change.value if stage.change else ""
    return HistoryRow(stage.edition, stage.number or None, change, stage.sure)
