"""Look up the history of a rule in every edition that the bundled authority file covers, loaded or not."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from datetime import date
from functools import cache, cached_property, lru_cache
from itertools import pairwise

from ...ontology import grouped, packaged
from .items import DOUBT, ChangeKind
from .tenures import Stage, Successor, Tenure, stages_of, without_slips

FILE = "provisions.tsv"
"""The bundled authority file, beside this module."""

_MOST_READ = 8_000
"""The number of provisions, known or not, that stay parsed; the bundled file has some 3,600."""


class Lives:
    """The provisions of an authority file, followed from edition to edition; the file has no words.

    The file says what replaced a provision. That was split off from it if it begins there; else the provision
    was merged into it.
    """

    def __init__(self, text: str) -> None:
        """Take the text of an authority file."""
        # Most questions are about one provision: only its lines are parsed, found by their order.
        lines = [line for line in text.splitlines() if not line.startswith("text\t")]
        self._lines = sorted(lines)
        self.editions = tuple(self._rows_of("edition"))
        renamed = (line.split("\t")[1:] for line in lines if line.startswith("renamed\t"))
        self.renamings = tuple(Successor(*told) for told in renamed)
        """The renamed terms, oldest first."""
        # The order in which the file lists replacements matters.
        replaced = [line.split("\t")[1:] for line in lines if line.startswith("replaced\t")]
        self._heirs = grouped((old, (since, new)) for old, new, since in replaced)
        self._sources = grouped((new, (since, old)) for old, new, since in replaced)
        self._doubts = {tuple(it[:2]): float(it[2]) for it in map(str.split, self._rows_of("doubtful"))}
        self._tenures = lru_cache(_MOST_READ)(self._read)

    @cached_property
    def checksum(self) -> str:
        """A checksum of the file, whatever the order of its lines."""
        # Imported here because questions do not need it.
        from hashlib import blake2b

        return blake2b("\n".join(self._lines).encode(), digest_size=16).hexdigest()

    def _rows_of(self, kind: str) -> list[str]:
        """Return what follows the first column in the lines that have `kind` there."""
        begins = f"{kind}\t"
        first, end = (bisect_left(self._lines, edge) for edge in (begins, f"{begins}\U0010ffff"))
        return [line.removeprefix(begins) for line in self._lines[first:end]]

    def _read(self, provision: str) -> list[Tenure]:
        """Return which number and words a provision had when, oldest first; nothing if the file lacks it."""
        rows = (line.split("\t") for line in self._rows_of(provision))
        found = [Tenure(it, a, z, words=w, sure=self._doubts.get((provision, a))) for it, w, _, a, z in rows]
        return without_slips(sorted(found, key=lambda it: it.first))

    @cached_property
    def provisions(self) -> list[str]:
        """The ids of all provisions."""
        return sorted({line.partition("\t")[0] for line in self._lines if line.startswith("P")})

    def heirs(self, provision: str) -> list[str]:
        """Return the provisions that replaced one, or a part of it."""
        return list(dict.fromkeys(heir for _, heir in self._heirs.get(provision, ())))

    def sources(self, provision: str) -> list[str]:
        """Return the provisions that one replaced, or replaced a part of."""
        return list(dict.fromkeys(source for _, source in self._sources.get(provision, ())))

    def at(self, provision: str, edition: str) -> Tenure | None:
        """Return what a provision was in an edition that the file covers, None if it did not exist."""
        return next((it for it in self._tenures(provision) if it.first <= edition <= it.last), None)

    def holders(self, number: str) -> list[tuple[str, Tenure]]:
        """Return the provisions that ever had a number, each with the time, the latest first."""
        provisions = self.numbers.get(number, ())
        found = [(it, own) for it in provisions for own in self._tenures(it) if own.number == number]
        return sorted(found, key=lambda it: it[1].last, reverse=True)

    @cached_property
    def numbers(self) -> dict[str, list[str]]:
        """All numbers that rules ever had, each with the provisions that had it."""
        rows = (line.split("\t", 2) for line in self._lines if line.startswith("P"))
        return grouped(dict.fromkeys((row[1], row[0]) for row in rows))

    def became(
        self, provision: str, since: str, edition: str, seen: frozenset[str] = frozenset()
    ) -> list[str]:
        """Return what a provision is in a later edition: itself, or what replaced it since an edition.

        Two rules can have absorbed each other at different times: those `seen` are not followed again.
        """
        if self.at(provision, edition):
            return [provision]
        seen |= {provision}
        heirs = [
            heir
            for told, heir in self._heirs.get(provision, ())
            if since < self._taken_over(provision, heir, told) <= edition and heir not in seen
        ]
        return list(dict.fromkeys(it for heir in heirs for it in self.became(heir, since, edition, seen)))

    def continued(self, provision: str, since: str, edition: str, seen: frozenset[str] = frozenset()) -> str:
        """Return what continues a provision in a later edition: itself, or what took over a part of it last.

        Returns ``""`` if nothing did. For `since` and `seen` see `became`.
        """
        if self.at(provision, edition):
            return provision
        seen |= {provision}
        taken = [
            (stage.edition, heir)
            for heir, stage in self.taken_over_by(provision)
            if since < stage.edition <= edition and heir not in seen
        ]
        for then, heir in sorted(taken, key=lambda it: it[0], reverse=True):
            if found := self.continued(heir, then, edition, seen):
                return found
        return ""

    def is_doubted(self, provision: str, since: str, edition: str) -> bool:
        """Return whether a number that a provision got between two editions may be that of another rule."""
        steps = pairwise(self._tenures(provision))
        return any(
            now.sure is not None
            and now.sure < DOUBT
            and now.number != was.number
            and since < now.first <= edition
            for was, now in steps
        )

    def tenures(self, provision: str) -> list[Tenure]:
        """Return the tenures of a provision, oldest first; none if the file does not know it."""
        own = self._tenures(provision)
        if not own:
            return []
        taken = self._taken_in(provision)
        found = [
            it._replace(
                until=self._edition_after(it.last),
                change=stage.change,
                sources=tuple(old for then, old in taken if it.first <= then <= it.last),
            )
            for it, stage in zip(own, stages_of(own), strict=True)
        ]
        began = ChangeKind.SPLIT if self._made_of(provision) else ChangeKind.ADDED
        known = found[0].first != self.editions[0]
        return [found[0]._replace(change=began if known else None), *found[1:]]

    def _taken_in(self, provision: str) -> list[tuple[str, str]]:
        """Return (edition, provision) of what one was split off from, or absorbed, oldest first."""
        rows = ((since, old) for since, old in self._sources.get(provision, ()) if self._tenures(old))
        return sorted({(self._taken_over(old, provision, since), old) for since, old in rows})

    def _made_of(self, provision: str) -> dict[str, str]:
        """Return what a provision was split off from in its first edition, each with its own first one."""
        came = self._tenures(provision)[0].first
        taken = self._taken_in(provision)
        return {old: self._tenures(old)[0].first for then, old in taken if then == came}

    def span(self, provision: str) -> tuple[str, str]:
        """Return the first edition with a provision and the first without it, ``""`` where none is known."""
        own = self._tenures(provision)
        return (own[0].first, self._edition_after(own[-1].last)) if own else ("", "")

    def in_force(self, day: date) -> str:
        """Return the edition in force on a day, ``""`` for a day before all of them."""
        return max((it for it in self.editions if it <= f"cr-{day}"), default="")

    def edition_before(self, edition: str) -> str:
        """Return the edition before one, or the first of all."""
        return self.editions[max(0, bisect_left(self.editions, edition) - 1)]

    def holding(self, number: str, edition: str) -> str:
        """Return the provision that had a number in an edition, ``""`` for none."""
        return next((it for it, own in self.holders(number) if own.first <= edition <= own.last), "")

    def before(self, provision: str, edition: str) -> list[Stage]:
        """Return the stages of a provision up to an edition, from its first appearance, oldest first.

        What was split off is followed back to what it was part of.
        """
        found: list[Stage] = []
        for it, until in self._origins(provision, edition):
            if found:
                found[0] = found[0]._replace(change=ChangeKind.SPLIT)
            found = [*stages_of([own for own in self._tenures(it) if own.first <= until]), *found]
        return found

    def absorbed(self, provision: str, edition: str) -> list[tuple[str, str, str]]:
        """Return what was merged into a provision up to an edition: (edition, number there, other number)."""
        origins = list(self._origins(provision, edition))
        followed = {it for it, _ in origins}
        return sorted(
            (then, here.number, there.number)
            for it, until in origins
            for then, old in self._taken_in(it)
            if then <= until and old not in followed
            if (here := self.at(it, then)) and (there := self.at(old, self.edition_before(then)))
        )

    def _origins(self, provision: str, edition: str) -> Iterator[tuple[str, str]]:
        """Yield a provision and an edition, then what it was split off from, up to which edition, and so on.

        A rule made of several is followed back to the oldest of them.
        """
        seen: set[str] = set()
        while any(it.first <= edition for it in self._tenures(provision)):
            yield provision, edition
            seen.add(provision)
            came = self._tenures(provision)[0].first
            sources = {old: first for old, first in self._made_of(provision).items() if old not in seen}
            if not sources or min(sources.values()) >= came:
                break
            provision = min(sources, key=sources.__getitem__)
            edition = self.edition_before(came)

    def after(self, provision: str, edition: str) -> list[Stage]:
        """Return the stages of a provision after an edition, and of what it was split or merged into."""
        return sorted(self._after(provision, edition, {provision}), key=lambda it: it.edition)

    def _after(self, provision: str, edition: str, seen: set[str]) -> Iterator[Stage]:
        own = self._tenures(provision)
        if not own:
            return
        yield from (it for it in stages_of(own)[1:] if it.edition > edition)
        end = self._edition_after(own[-1].last)
        followed = False
        for heir, stage in self.taken_over_by(provision):
            if stage.edition <= edition:
                continue
            is_end = stage.edition == end and not followed
            followed = followed or is_end
            if heir not in seen or is_end:
                # The rest may later be merged into what was split off.
                yield stage
            if heir not in seen:
                seen.add(heir)
                yield from self._after(heir, stage.edition, seen)
        if end > edition and not followed:
            yield Stage(end, "", ChangeKind.REMOVED)
        if not end and max(edition, own[-1].first) < self.editions[-1]:
            yield Stage(self.editions[-1], own[-1].number, ChangeKind.UNCHANGED, own[-1].words)

    def went_into(self, provision: str, since: str, edition: str) -> dict[str, ChangeKind]:
        """Return which others of an edition one went into since another: split, if any step was a split."""
        found: dict[str, ChangeKind] = {}
        for heir, stage in self.taken_over_by(provision):
            if since < stage.edition <= edition:
                ways = {heir: ChangeKind.MERGED} if self.at(heir, edition) else {}
                for it, change in (ways | self.went_into(heir, stage.edition, edition)).items():
                    if found.get(it) is not ChangeKind.MERGED:
                        found[it] = ChangeKind.SPLIT if stage.change is ChangeKind.SPLIT else change
        return found

    def taken_over_by(self, provision: str) -> Iterator[tuple[str, Stage]]:
        """Yield what replaced a provision, or a part of it, and how; each once while the provision continues.

        A replacement noted when fewer editions were covered appears again, with its true edition. What begins
        there was split off; into what existed before, it was merged.
        """
        told: set[str] = set()
        rows = ((self._taken_over(provision, it, since), it) for since, it in self._heirs.get(provision, ()))
        for then, heir in sorted(rows, key=lambda row: row[0]):
            stands = self.at(heir, then)
            if stands and (heir not in told or not self.at(provision, then)):
                begins = self._tenures(heir)[0].first == then
                parting = ChangeKind.SPLIT if begins else ChangeKind.MERGED
                yield heir, Stage(then, stands.number, parting, stands.words)
            told.add(heir)

    def _taken_over(self, old: str, new: str, since: str) -> str:
        """Return the edition in which one provision replaced another.

        `since` is the first edition known to have it when the row was written; earlier ones may have been
        covered later.
        """
        own, heirs = self._tenures(old), self._tenures(new)
        if not own or not heirs:
            return since
        return min(since, max(self._edition_after(own[-1].last) or since, heirs[0].first))

    def _edition_after(self, edition: str) -> str:
        """Return the edition after one, ``""`` after the newest."""
        return next(iter(self.editions[bisect_left(self.editions, edition) + 1 :]), "")


@cache
def bundled_lives() -> Lives:
    """Return the lives of the bundled authority file."""
    return Lives(packaged("rulesgraph.loaders.history", FILE).decode("utf-8"))
