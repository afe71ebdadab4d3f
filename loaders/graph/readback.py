"""Read a document's records back from its graph, to derive its links again.

A page added to an edition changes the links of the pages already loaded, and their files may be gone. The
document graph has everything needed for that. It lacks what only the file has: the encoding, the furniture,
and how a reference spells the name of a term.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date

from ...ontology import DCTERMS, RDFS_LABEL, RG, SKOS, TYPE, DocumentKind
from ...ontology.iris import CODE, Iris, coded
from ..records import (
    Attribution,
    Document,
    Entry,
    Paragraph,
    Problem,
    Reference,
    Rule,
    Section,
    Severity,
    Target,
    TargetKind,
)


class _Reader:
    def __init__(self, triples: Iterable[tuple[str, ...]], iris: Iris) -> None:
        self.iris = iris
        self.facts: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self.parts: dict[str, list[str]] = defaultdict(list)
        for s, p, o in triples:
            self.facts[s][p].append(o)
            if p == DCTERMS.isPartOf:
                self.parts[o].append(s)

    def one(self, subject: str, predicate: str, default: str = "") -> str:
        values = self.facts[subject].get(predicate)
        return values[0] if values else default

    def is_a(self, subject: str, cls: str) -> bool:
        return cls in self.facts[subject].get(TYPE, ())

    def of_type(self, cls: str) -> list[str]:
        """Return the subjects of a class in the order of the document."""
        return self.in_order(s for s in list(self.facts) if self.is_a(s, cls))

    def in_order(self, subjects: Iterable[str]) -> list[str]:
        return sorted(subjects, key=lambda s: (int(self.one(s, RG.firstLine, "0")), s))

    def lines(self, subject: str) -> tuple[int, int]:
        first = self.one(subject, RG.firstLine, "0")
        return int(first), int(self.one(subject, RG.lastLine, first))

    def printed(self, subject: str, words: str) -> tuple[str, str, int, int]:
        """Return the number of a thing, its words under a property, and its lines."""
        return self.one(subject, SKOS.notation), self.one(subject, words), *self.lines(subject)

    def children(self, subject: str, cls: str) -> Iterator[str]:
        yield from self.in_order(s for s in self.parts.get(subject, ()) if self.is_a(s, cls))

    def references(self, subject: str) -> tuple[Reference, ...]:
        found = (
            Reference(
                int(self.one(ref, RG.start)),
                int(self.one(ref, RG.end)),
                self.one(ref, RG.surface),
                self.targets(ref),
                self.one(ref, RG.quotedTitle) or None,
            )
            for ref in self.facts[subject].get(RG.hasReference, ())
        )
        return tuple(sorted(found, key=lambda r: (r.start, r.end)))

    def targets(self, ref: str) -> tuple[Target, ...]:
        """Return the targets of a reference; a term is named as in the words of the reference."""
        found = []
        for iri in sorted(self.facts[ref][RG.to]):
            place = self.iris.parse(iri)
            name = self.one(ref, RG.surface).strip("\"'“”‘’ ")
            found.append(Target(TargetKind(place.kind), name if place.kind == "term" else place.name))
        return tuple(found)

    def attributions(self, subject: str) -> tuple[Attribution, ...]:
        found = []
        for it in sorted(self.facts[subject].get(RG.attribution, ())):
            as_of = self.one(it, RG.asOf)
            found.append(Attribution(self.one(it, RDFS_LABEL), date.fromisoformat(as_of) if as_of else None))
        return tuple(found)

    def below(self, subject: str, cls: str) -> tuple[Paragraph, ...]:
        """Return the parts of a thing that belong to a class: paragraphs, notes, rulings or examples."""
        return tuple(self.paragraph(s) for s in self.children(subject, cls))

    def paragraph(self, subject: str) -> Paragraph:
        return Paragraph(
            self.iris.parse(subject).name,
            *self.printed(subject, RG.text),
            references=self.references(subject),
            attributions=self.attributions(subject),
            examples=self.below(subject, RG.Example),
            as_found=self.one(subject, RG.asFound),
        )

    def rule(self, subject: str) -> Rule:
        return Rule(
            *self.printed(subject, RG.text),
            title=self.one(subject, DCTERMS.title) or None,
            printed=self.one(subject, RG.printedNumber),
            occurrence=self.iris.parse(subject).occurrence,
            references=self.references(subject),
            examples=self.below(subject, RG.Example),
        )

    def entry(self, subject: str) -> Entry:
        place = self.iris.parse(subject)
        own = (self.paragraph(subject),) if self.is_a(subject, RG.Paragraph) else ()
        return Entry(
            place.key,
            *self.printed(subject, DCTERMS.title),
            occurrence=place.occurrence,
            paragraphs=(*own, *self.below(subject, RG.Paragraph)),
            notes=self.below(subject, RG.Note),
            rulings=self.below(subject, RG.Ruling),
            is_rule=self.is_a(subject, RG.Rule),
        )

    def label(self, subject: str) -> str:
        """Return a reader's name for a unit: its number, else its heading."""
        return self.one(subject, SKOS.notation) or self.one(subject, DCTERMS.title)

    def problem(self, subject: str, of: _Reader) -> Problem:
        return Problem(
            self.one(subject, RG.problemCode).removeprefix(CODE),
            self.one(subject, RG.message),
            Severity(coded(self.one(subject, RG.severity))),
            *self.lines(subject),
            subject=of.label(self.one(subject, RG.concerns)),
            quote=self.one(subject, RG.quote),
        )


def read_document(
    document: str, triples: Iterable[tuple[str, ...]], problems: Iterable[tuple[str, ...]], iris: Iris
) -> Document:
    """Return the records of `document` (its id) from the triples of its graph, each as three texts.

    `problems` are triples of the derived graph about `rg:Problem` nodes of this document.
    """
    reader = _Reader(triples, iris)
    me = iris.document(document)
    issued = reader.one(me, DCTERMS.issued)
    entries = [reader.entry(s) for s in reader.of_type(RG.Entry)]
    in_entries = {s for s in reader.of_type(RG.Entry) if reader.is_a(s, RG.Rule)}
    plain_rules = [
        s for s in reader.of_type(RG.Rule) if s not in in_entries and not reader.is_a(s, RG.Paragraph)
    ]
    stray = _stray_rule_paragraphs(reader, in_entries)
    found = _Reader(problems, iris)
    return Document(
        kind=DocumentKind(coded(reader.one(me, RG.documentKind))),
        document=document,
        edition=iris.parse(reader.one(me, RG.inEdition)).edition,
        title=reader.one(me, DCTERMS.title),
        issued=date.fromisoformat(issued) if issued else None,
        checksum=reader.one(me, RG.checksum),
        encoding="",
        lines=0,
        sections=tuple(
            Section(reader.one(s, SKOS.notation), reader.one(s, DCTERMS.title), *reader.lines(s))
            for s in reader.of_type(RG.Section)
        ),
        rules=tuple(reader.rule(s) for s in plain_rules),
        entries=tuple(sorted([*entries, *stray], key=lambda e: e.first_line)),
        paragraphs=tuple(
            reader.paragraph(s) for s in reader.children(me, RG.Paragraph) if not reader.is_a(s, RG.Rule)
        ),
        problems=tuple(found.problem(s, reader) for s in found.of_type(RG.Problem)),
    )


def _stray_rule_paragraphs(reader: _Reader, headed: set[str]) -> list[Entry]:
    """Return the paragraphs of a rule page that are under no heading, each as the entry of its number."""
    entries = []
    for subject in reader.of_type(RG.Paragraph):
        if not reader.is_a(subject, RG.Rule) or subject in headed:
            continue
        if reader.one(subject, DCTERMS.isPartOf) in headed:
            continue
        paragraph = reader.paragraph(subject)
        entries.append(
            Entry(
                key=paragraph.number,
                number=paragraph.number,
                heading="",
                first_line=paragraph.first_line,
                last_line=paragraph.last_line,
                paragraphs=(paragraph,),
                notes=reader.below(subject, RG.Note),
                is_rule=True,
            )
        )
    return entries
