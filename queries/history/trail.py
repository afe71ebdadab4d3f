"""Journey between editions become the rows of one rule or entry, edition by edition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..session import Cells, Edition, Session
from .outcomes import Journey

COLUMNS = ("edition", "number", "change", "confidence")


class Trail:
    """Rules and entries followed from edition to edition; `links` is the whole `journey` along `path`.

    With `headings` false entries are told by their slugs, which need no question to the store.
    """

    def __init__(
        self,
        session: Session,
        path: Sequence[Edition],
        links: Journey,
        every: bool = False,
        headings: bool = True,
    ) -> None:
        self.session = session
        self.path = path
        self.links = links
        self.every = every
        self.headings = headings

    def rows(self, iri: str, name: str) -> list[Cells]:
        """Return the rows of one rule or entry of the first edition, by its IRI and label."""
        rows: list[Cells] = [(self.path[0].id, name, "", 1.0)]
        alive = [iri]
        for place, (there, links) in enumerate(zip(self.path[1:], self.links, strict=True), 1):
            found: list[Cells] = []
            for item in alive:
                taken = links.get(item, ())
                found += [(there.id, self.label(it.other), it.change.value, it.sure) for it in taken]
                if not taken:
                    found.append((there.id, None, gone(self.path), None))
            alive = list(dict.fromkeys(step.other for item in alive for step in links.get(item, ())))
            happened = any(row[2] != "unchanged" for row in found)
            if self.every or place == len(self.path) - 1 or not alive or happened:
                rows += found
            if not alive:
                break
        return rows

    def label(self, iri: str) -> str:
        """Return a rule's number, or an entry's heading."""
        place = self.session.iris.parse(iri)
        if place.kind != "entry" or not self.headings:
            return place.key
        return self._headings.get(iri, place.key)

    @cached_property
    def _headings(self) -> dict[str, str]:
        """The headings of all entries on the way, by IRI."""
        others = {step.other for links in self.links for steps in links.values() for step in steps}
        entries = sorted(it for it in others if self.session.iris.parse(it).kind == "entry")
        found: dict[str, str] = {}
        for entry, title in self.session.run("history", "titles", None, {"entry": entries}):
            found.setdefault(str(entry), str(title))
        return found


def gone(path: Sequence[Edition]) -> str:
    """Return what is said where a path of editions ends for a rule or entry."""
    return "removed" if path[0].age_key <= path[-1].age_key else "not there yet"
