"""Write an edition as passages for retrieval programs, each with everything known about it.

A passage is a rule or entry with everything below it that has no number: examples, notes, paragraphs.
`CHUNKS` says what else is joined. Every line of an edition's words is in exactly one passage, and so is every
number: as its `number` or, for joined parts and bare headings, as one of its `parts`. `id` is the end of the
IRI, from the id of the edition on. `cites` and `cited_by` contain ids of other passages; if something cited
is not in the file, they contain the id that it would have.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import BinaryIO, NamedTuple

from ...ontology import RG, SKOS, Json, UsageError, grouped, last_name
from ..session import Edition, Session
from .extract import natural

CHUNKS = ("subrule", "rule", "entry")
"""What a passage contains: one number; a rule with its subrules, or an entry with its numbered
paragraphs; the same for entries only."""

FIELDS = (
    "id iri kind number heading text examples notes parts parent cites cited_by defines terms provision"
    " edition date document line last_line checksum"
).split()
"""The keys of a line, in this order; every line has all of them."""


class PassagePart(NamedTuple):
    """One part of a document: a rule, an entry, a paragraph, an example."""

    iri: str
    kind: str
    number: str
    title: str
    text: str
    line: int
    last: int
    whole: str
    document: str


def write_passages(
    session: Session, out: BinaryIO, *, edition: str | None, chunk: str | None, words: bool, shortest: int
) -> None:
    """Write the passages of what a question about `edition` sees, edition by edition, as UTF-8.

    A heading of fewer than `shortest` characters is joined to the first passage below it.

    Raises `UsageError` for a `chunk` that is not one of `CHUNKS`, or if `shortest` is below 1.
    """
    if shortest < 1:
        raise UsageError(
            f"a passage has at least one character, not {shortest}", way_out="1 joins no headings."
        )
    wanted = CHUNKS[0] if chunk is None else chunk
    if wanted not in CHUNKS:
        raise UsageError(f"{wanted!r} is not a size of passages", way_out=f"There are {', '.join(CHUNKS)}.")
    loaded = {it.id: it for it in session.editions()}
    names = dict(sorted(session.pairs((session.iris.graph("terms"),), SKOS.prefLabel)))
    for name in session.scope(edition).editions:
        for line in EditionPassages(session, loaded[name], names, wanted, shortest).lines(words):
            out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")


@dataclass(eq=False)
class EditionPassages:
    """The passages of one edition; `names` are the names of terms."""

    _session: Session
    _edition: Edition
    _names: dict[str, str]
    _chunk: str
    _shortest: int = 0

    def lines(self, words: bool) -> Iterator[dict[str, Json]]:
        """Yield the passages as lines, in the order of the documents."""
        for lead, held in self.members.items():
            if self._chunk != "entry" or self._units[lead].kind in {"entry", "paragraph"}:
                yield self._line(self._units[lead], held, words)

    @cached_property
    def members(self) -> dict[str, list[PassagePart]]:
        """The units of each passage, by the IRI of its leading unit."""
        return grouped((self._lead(unit), unit) for unit in self._units.values())

    @cached_property
    def _units(self) -> dict[str, PassagePart]:
        found: dict[str, PassagePart] = {}
        for document in self._edition.documents:
            graph = (self._session.iris.document(document.id),)
            rows = self._session.run("export", "units", graph)
            for iri, cls, number, title, text, line, last, whole in rows:
                kind = last_name(str(cls)).lower()
                words = str(number or ""), str(title or ""), str(text or "")
                lines = int(str(line)), int(str(last))
                found[str(iri)] = PassagePart(str(iri), kind, *words, *lines, str(whole or ""), document.id)
        return found

    @cached_property
    def _links(self) -> dict[str, dict[str, list[str]]]:
        """The links of each unit, by the local name of the link; `definedBy` is reversed, to `defines`."""
        iris = self._session.iris
        documents = [iris.document(it.id) for it in self._edition.documents]
        graphs = (*documents, iris.derived(self._edition.id), iris.history(self._edition.id))
        found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for link in ("cites", "mentions", "provision", "definedBy", "defines"):
            for unit, target in sorted(self._session.pairs(graphs, getattr(RG, link))):
                if link == "definedBy":
                    found["defines"][target].append(unit)
                else:
                    found[link][unit].append(target)
        return found

    @cached_property
    def _cited_by(self) -> dict[str, set[str]]:
        """Passage → the passages that cite it."""
        found: dict[str, set[str]] = defaultdict(set)
        for unit, targets in self._links["cites"].items():
            if unit in self._units:
                for target in targets:
                    found[self._passage_of(target)].add(self._lead(self._units[unit]))
        return found

    def _lead(self, unit: PassagePart) -> str:
        """Return the leading unit of the passage that contains a unit."""
        lead = self._own_lead(unit)
        while lead in self._joined:
            lead = self._joined[lead]
        return lead

    @cached_property
    def _joined(self) -> dict[str, str]:
        """Bare heading → the passage that it joins, which may be joined itself."""
        held = grouped((self._own_lead(unit), unit) for unit in self._units.values())
        bare = {
            lead
            for lead, parts in held.items()
            if all(it.title and it.text in {"", it.title} for it in parts)
            and sum(len(it.title) for it in parts) < self._shortest
        }
        return {one: two for one, two in pairwise(held) if one in bare and self._heads(one, two)}

    def _heads(self, one: str, two: str) -> bool:
        """Return whether the next unit is under a heading, or next to a chapter without rules."""
        unit = self._units[one]
        is_chapter = unit.kind == "rule" and "." not in unit.number and unit.whole
        return self._is_within(two, one) or bool(is_chapter and self._is_within(two, unit.whole))

    def _is_within(self, iri: str, whole: str) -> bool:
        while iri in self._units and iri != whole:
            iri = self._units[iri].whole
        return iri == whole

    def _own_lead(self, unit: PassagePart) -> str:
        """Return the unit that a unit is joined to according to `CHUNKS`."""
        whole = self._units.get(unit.whole)
        if whole is None or unit.kind in {"section", "entry"}:
            return unit.iri
        if unit.kind == "rule":
            joins = self._chunk != "subrule" and whole.kind == "rule" and "." in whole.number
            return self._own_lead(whole) if joins else unit.iri
        alone = self._chunk == "subrule" and unit.number and whole.number
        return unit.iri if alone else self._own_lead(whole)

    def _passage_of(self, target: str) -> str:
        return self._lead(self._units[target]) if target in self._units else target

    def _heading(self, unit: PassagePart) -> list[str]:
        above = self._units.get(unit.whole)
        own = [" ".join(filter(None, (unit.number, unit.title)))] if unit.title else []
        return [*(self._heading(above) if above else []), *own]

    def _line(self, lead: PassagePart, held: Sequence[PassagePart], words: bool) -> dict[str, Json]:
        own = {unit.iri for unit in held}
        text = "\n".join(
            f"{unit.number} {unit.text}" if unit.number and unit is not lead and lead.number else unit.text
            for unit in held
            if unit.text
            and unit.kind not in {"example", "note"}
            and (unit is lead or not self._is_within(lead.iri, unit.iri))
        )
        cites = {self._passage_of(it) for it in self._all("cites", own)} - own
        line: dict[str, Json] = {
            "id": self._id(lead.iri),
            "iri": lead.iri,
            "kind": lead.kind,
            "number": lead.number or None,
            "heading": self._heading(lead),
            "text": text if words else None,
            "examples": [self._of_part(it, lead) for it in held if it.kind == "example"] if words else None,
            "notes": [it.text for it in held if it.kind == "note"] if words else None,
            "parts": [it.number for it in held if it.number and it is not lead],
            "parent": self._id(lead.whole) if lead.whole in self._units else None,
            "cites": self._ids(cites),
            "cited_by": self._ids(self._cited_by.get(lead.iri, set()) - {lead.iri}),
            "defines": self._named("defines", own),
            "terms": self._named("mentions", own),
            "provision": next(iter(self._links["provision"].get(lead.iri, ())), None),
            "edition": self._edition.id,
            "date": self._edition.issued.isoformat() if self._edition.issued else None,
            "document": lead.document,
            "line": lead.line,
            "last_line": max(unit.last for unit in held),
            "checksum": hashlib.sha256(text.encode()).hexdigest(),
        }
        assert list(line) == FIELDS
        return line

    def _of_part(self, unit: PassagePart, lead: PassagePart) -> str:
        """Return an example, with the number of the part it belongs to unless that is the leading one."""
        about = self._units[unit.whole]
        return unit.text if about is lead or not about.number else f"{about.number} {unit.text}"

    def _all(self, link: str, units: set[str]) -> set[str]:
        links = self._links[link]
        return {target for unit in units for target in links.get(unit, ())}

    def _named(self, link: str, units: set[str]) -> list[Json]:
        return [*sorted({self._names.get(it, it) for it in self._all(link, units)})]

    def _ids(self, iris: set[str]) -> list[Json]:
        return [*sorted((self._id(iri) for iri in iris), key=natural)]

    def _id(self, iri: str) -> str:
        return self._session.iris.within(iri)
