"""Report what a build did: counts and problems for each document, and a reason for each refusal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from itertools import chain

from ...ontology.json_values import Json
from ..cards.records import CardSummary
from ..cases import CaseSummary
from ..records import Document, Paragraph, Problem, Rule


@dataclass(frozen=True, slots=True)
class ProblemSummary:
    """One problem in a source; `line` is where it starts in the original file, from 1."""

    code: str
    severity: str
    message: str
    subject: str
    line: int


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """One loaded document: where it came from, what it is, and counts of what it contains.

    `source` is the name of its file, `document` and `edition` are its ids, and `kind` is the kind of
    document. `lines` counts non-blank lines; `entries` includes those of glossaries; `references` counts
    every occurrence, also in notes and examples; `furniture` and `unaccounted` count lines.
    """

    source: str
    kind: str
    document: str
    edition: str
    issued: date | None
    encoding: str
    entries: int
    paragraphs: int
    notes: int
    rulings: int
    sections: int
    chapters: int
    rules: int
    subrules: int
    examples: int
    references: int
    lines: int
    furniture: int
    unaccounted: int
    problems: tuple[ProblemSummary, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A source that was not loaded, and why."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """A document that replaced one with different words; `former` is the SHA-256 of the bytes of that."""

    document: str
    source: str
    former: str


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a build did: `quads` is the size of the store afterwards, `seconds` the wall time.

    Unless `changed`, the store is the same as before.
    """

    documents: tuple[DocumentSummary, ...] = ()
    refused: tuple[Refused, ...] = ()
    quads: int = 0
    seconds: float = 0.0
    cards: tuple[CardSummary, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    cases: tuple[CaseSummary, ...] = ()
    changed: bool = False

    def record(self) -> dict[str, Json]:
        """Return the report as one dictionary of plain JSON values, with seconds to the millisecond.

        >>> LoadReport(quads=3, seconds=0.00149).record()
        {'documents': [], 'refused': [], 'quads': 3, 'seconds': 0.001, 'changed': False}
        """
        cards = {"cards": [asdict(it) for it in self.cards]} if self.cards else {}
        replaced = {"replaced": [asdict(it) for it in self.replaced]} if self.replaced else {}
        return {
            "documents": [asdict(it) for it in self.documents],
            "refused": [asdict(it) for it in self.refused],
            **cards,
            **replaced,
            **({"cases": [it._asdict() for it in self.cases]} if self.cases else {}),
            "quads": self.quads,
            "seconds": round(self.seconds, 3),
            "changed": self.changed,
        }


def document_summary(document: Document, source: str, defects: Sequence[Problem] = ()) -> DocumentSummary:
    """Return the counts of one document, its problems, and the `defects` that only its parts together show.

    `lines` are the non-blank ones; `references` counts occurrences, in notes and examples too. On a rulings
    site's rule pages an entry is a rule and its paragraphs are subrules, counted as both.
    """
    entries = document.entries
    paragraphs = [*document.paragraphs, *(p for e in entries for p in e.paragraphs)]
    levels = [rule.level for rule in document.rules]
    for entry in entries:
        if entry.is_rule:
            levels.extend(["rule"] if entry.heading else [])
            levels.extend("subrule" if p.number[-1:].isalpha() else "rule" for p in entry.paragraphs)
    known = {(it.code, it.subject) for it in document.problems}
    problems = [*document.problems, *(it for it in defects if (it.code, it.subject) not in known)]
    problems.sort(key=lambda it: it.first_line)
    return DocumentSummary(
        source=source,
        kind=document.kind.value,
        document=document.document,
        edition=document.edition,
        issued=document.issued,
        encoding=document.encoding,
        entries=sum(1 for e in entries if e.heading),
        paragraphs=len(paragraphs),
        notes=sum(len(entry.notes) for entry in entries),
        rulings=sum(len(entry.rulings) for entry in entries),
        sections=len(document.sections),
        chapters=levels.count("chapter"),
        rules=levels.count("rule"),
        subrules=levels.count("subrule"),
        examples=sum(len(it.examples) for it in chain[Rule | Paragraph](document.rules, paragraphs)),
        references=sum(len(unit.references) for unit in document.units),
        lines=document.lines,
        furniture=len(document.furniture),
        unaccounted=len(document.unaccounted),
        problems=tuple(
            ProblemSummary(it.code, it.severity.value, it.message, it.subject, it.first_line)
            for it in problems
        ),
    )
