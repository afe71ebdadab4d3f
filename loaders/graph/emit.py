"""Write the triples of one document's graph: what the document says, without anything derived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from ...ontology.iris import CODE, GAME, SHAPES, VOCABULARY, Iris, child, code, slug
from ...ontology.resources import (
    CODES_FILE,
    CONSTRAINTS,
    CONSTRAINTS_FILE,
    SHAPES_FILE,
    VOCABULARY_FILES,
    read_bytes,
)
from ...ontology.terms import DocumentKind
from ..language.names import singular
from ..language.numbers import level, parent
from ..records import (
    SUSPECTED_SHIFT,
    Attribution,
    Document,
    Entry,
    Paragraph,
    Reference,
    Rule,
    Section,
    Target,
    TargetKind,
)
from .quads import C, TripleSet, day, integer, node, text


def rule_parent(iris: Iris, edition: str, number: str) -> str:
    """Return the IRI of the parent by number: a rule's, or a chapter's section."""
    above = parent(number)
    if level(number) == "chapter":
        return iris.section(edition, above)
    return iris.rule(edition, above)


def entry_iri(iris: Iris, edition: str, entry: Entry) -> str:
    """Return the entry's IRI; on a rulings site's rule pages an entry *is* the rule of its number."""
    if entry.is_rule:
        return iris.rule(edition, entry.number, entry.occurrence)
    return iris.entry(edition, entry.key, entry.occurrence)


def paragraph_iri(iris: Iris, edition: str, entry: Entry, paragraph: Paragraph) -> str:
    """Return the IRI of a paragraph below an entry: `…/entry/G16.26/a`, or the rule it is."""
    if entry.is_rule:
        occurrence = int(paragraph.key.partition("~")[2] or 1)
        return iris.rule(edition, paragraph.number, max(occurrence, entry.occurrence))
    return f"{entry_iri(iris, edition, entry)}/{paragraph.key}"


def is_redirect(entry: Entry) -> bool:
    """Return whether the entry only says "See X." about terms."""
    if len(entry.paragraphs) != 1 or entry.rulings or entry.paragraphs[0].examples:
        return False
    words = entry.paragraphs[0]
    rest = words.text
    for reference in reversed(words.references):
        if any(target.kind is not TargetKind.TERM for target in reference.targets):
            return False
        rest = rest[: reference.start] + rest[reference.end :]
    left = [word for word in rest.replace(",", " ").replace(".", " ").split() if word.lower() != "and"]
    return bool(words.references) and [word.lower() for word in left] == ["see"]


def term_slugs(entries: Sequence[Entry]) -> dict[str, str]:
    """Map the slugs of all names in the headings of some entries to the slugs of their terms."""
    slugs = {slug(name): slug(name) for entry in entries for name in entry.names[:1]}
    for entry in entries:
        for name in entry.names[1:]:
            slugs.setdefault(slug(name), slug(entry.names[0]))
    return slugs


def term_slug(slugs: Mapping[str, str], name: str) -> str:
    """Return the slug of the term called `name`, allowing for a plural; an unknown name makes a new one."""
    own = slug(name)
    return slugs.get(own) or slugs.get(slug(singular(name)), own)


class Emitter:
    """Writes one document; `triples` is complete after `emit`.

    With `places_alone` it leaves out what its wordings and IRIs already say: the words, the references to
    numbers in them, the edition and the level of each part. Which term a name means depends on the edition.
    """

    def __init__(self, document: Document, iris: Iris, *, places_alone: bool = False) -> None:
        self.document = document
        self.iris = iris
        self.places_alone = places_alone
        self.has_wordings = has_wordings(document)
        self.edition = document.edition
        self.triples = TripleSet()
        self._say = self.triples.say
        self._in_edition = node(iris.edition(document.edition))
        self._names = term_slugs(document.entries)

    def emit(self) -> TripleSet:
        """Return the triples of the document's graph."""
        document = self.document
        me = node(self.iris.document(document.document))
        self._say(me, type=C["Document"], identifier=text(document.document), inEdition=self._in_edition)
        self._say(me, documentKind=node(code(document.kind.value)), title=text(document.title))
        self._say(me, checksum=text(document.checksum), issued=day(document.issued))
        for section in document.sections:
            it = node(self.iris.section(self.edition, section.number))
            self._frame(it, "Section", section.number, me, section)
            self._say(it, title=text(section.title))
        for rule in document.rules:
            self._rule(rule)
        for entry in document.entries:
            self._entry(entry, me)
        for paragraph in document.paragraphs:
            iri = self.iris.paragraph(self.edition, paragraph.key)
            self._paragraph(iri, paragraph, me)
        return self.triples

    def target(self, target: Target) -> str:
        """Return the IRI of what a reference points to, inside this edition."""
        if target.kind is TargetKind.RULE:
            return self.iris.rule(self.edition, target.key)
        if target.kind is TargetKind.SECTION:
            return self.iris.section(self.edition, target.key)
        if target.kind is TargetKind.ENTRY:
            return self.iris.entry(self.edition, target.key)
        return self.iris.term(term_slug(self._names, target.key))

    def _frame(
        self, it: str, cls: str, number: str, parent: str, record: Section | Rule | Entry | Paragraph
    ) -> None:
        self._say(it, type=C[cls], inEdition=not self.places_alone and self._in_edition, isPartOf=parent)
        self._say(it, firstLine=integer(record.first_line), notation=number and text(number))
        self._say(it, lastLine=record.last_line != record.first_line and integer(record.last_line))

    def _words(self, iri: str, unit: Rule | Paragraph) -> None:
        it = node(iri)
        self._say(it, wording=self.has_wordings and node(self.iris.wording(unit.text)))
        self._say(it, text=not self.places_alone and text(unit.text))
        for place, reference in enumerate(unit.references, start=1):
            names_term = any(target.kind is TargetKind.TERM for target in reference.targets)
            if names_term or not self.places_alone:
                ref = write_reference(self.triples, iri, place, reference)
                targets = [node(self.target(target)) for target in reference.targets]
                self._say(ref, to=targets)
                self._say(it, cites=targets)
        if isinstance(unit, Paragraph):
            for attribution in unit.attributions:
                self._attribution(it, attribution)

    def _attribution(self, it: str, attribution: Attribution) -> None:
        who = slug(attribution.authority)
        when = attribution.as_of.isoformat() if attribution.as_of else "undated"
        me = node(child(self.iris.document(self.document.document), "attribution", f"{who}-{when}"))
        self._say(it, attribution=me)
        self._say(me, type=C["Attribution"], authority=node(self.iris.authority(who)))
        self._say(me, label=text(attribution.authority), asOf=day(attribution.as_of))

    def _examples(self, iri: str, examples: Sequence[Paragraph]) -> None:
        for place, example in enumerate(examples, start=1):
            self._paragraph(child(iri, "example", place), example, node(iri), "Example")

    def _rule(self, rule: Rule) -> None:
        iri = self.iris.rule(self.edition, rule.number, rule.occurrence)
        it = node(iri)
        parent = node(rule_parent(self.iris, self.edition, rule.number))
        self._frame(it, "Rule", rule.number, parent, rule)
        printed = rule.printed if rule.printed != rule.number else ""
        self._say(it, level=not self.places_alone and text(rule.level))
        self._say(it, title=rule.title and text(rule.title), printedNumber=printed and text(printed))
        self._words(iri, rule)
        self._examples(iri, rule.examples)

    def _entry(self, entry: Entry, document: str) -> None:
        iri = entry_iri(self.iris, self.edition, entry)
        it = node(iri)
        headed = bool(entry.heading)
        if headed or not entry.is_rule:
            parent = node(rule_parent(self.iris, self.edition, entry.number)) if entry.is_rule else document
            self._frame(it, "Entry", entry.number, parent, entry)
        if headed:
            heading = text(entry.heading)
            self._say(it, title=heading, defines=node(self.iris.term(slug(entry.names[0]))))
            if entry.is_rule:
                has_words = any(p.number == entry.number for p in entry.paragraphs)
                number = text(level(entry.number))
                self._say(it, type=C["Rule"], level=number, text=not has_words and heading)
        self._say(it, status=entry.status and C[entry.status.capitalize()])
        for paragraph in entry.paragraphs:
            own = paragraph_iri(self.iris, self.edition, entry, paragraph)
            is_inside = own != iri and (headed or not entry.is_rule)
            above = it if is_inside else node(rule_parent(self.iris, self.edition, paragraph.number))
            self._paragraph(own, paragraph, above)
            if entry.is_rule:
                self._say(node(own), type=C["Rule"], level=text(level(paragraph.number)))
        for note in entry.notes:
            self._paragraph(child(iri, "note", note.key), note, it, "Note")
        for ruling in entry.rulings:
            self._paragraph(child(iri, "ruling", ruling.key), ruling, it, "Ruling")
        if headed:
            self._concept_links(entry)

    def _paragraph(self, iri: str, paragraph: Paragraph, parent: str, cls: str = "Paragraph") -> None:
        it = node(iri)
        self._frame(it, cls, paragraph.number, parent, paragraph)
        self._words(iri, paragraph)
        self._say(it, asFound=paragraph.as_found and text(paragraph.as_found))
        self._examples(iri, paragraph.examples)

    def _concept_links(self, entry: Entry) -> None:
        """Write what notes and redirects say about the entry's term."""
        term = node(self.iris.term(slug(entry.names[0])))
        headings = {other.number: other for other in self.document.entries if other.number and other.names}
        noted = [(target, it) for note in entry.notes for it in note.references for target in it.targets]
        others = filter(None, (self._see_also(*it, headings) for it in noted))
        self._say(term, seeAlso=[it for it in map(node, others) if it != term])
        if is_redirect(entry) and not self._is_shifted(entry):
            targets = (target for it in entry.paragraphs[0].references for target in it.targets)
            self._say(term, redirectsTo=[it for it in map(node, map(self.target, targets)) if it != term])

    def _see_also(self, target: Target, reference: Reference, headings: Mapping[str, Entry]) -> str | None:
        """Return the rule, section or term that a note names; an entry means its term."""
        if target.kind is not TargetKind.ENTRY:
            return self.target(target)
        if target.key in headings:
            return self.iris.term(slug(headings[target.key].names[0]))
        if reference.quoted_title:
            return self.iris.term(term_slug(self._names, reference.quoted_title))
        return None

    def _is_shifted(self, entry: Entry) -> bool:
        """Return whether the source seems to print another entry's paragraph here."""
        return any(p.code == SUSPECTED_SHIFT and p.subject == entry.number for p in self.document.problems)


def write_reference(triples: TripleSet, iri: str, place: int, reference: Reference) -> str:
    """Add a reference as it is written, the `place`-th of the unit `iri`; return its node."""
    ref = node(child(iri, "ref", place))
    triples.say(node(iri), hasReference=ref)
    triples.say(ref, type=C["Reference"], surface=text(reference.surface))
    triples.say(ref, start=integer(reference.start), end=integer(reference.end))
    triples.say(ref, quotedTitle=reference.quoted_title and text(reference.quoted_title))
    return ref


def has_wordings(document: Document) -> bool:
    """Return whether a document's text is stored once for all editions, as dated comprehensive rules are."""
    return document.kind is DocumentKind.COMPREHENSIVE and document.issued is not None


def document_triples(document: Document, iris: Iris) -> TripleSet:
    """Return everything a document says: a pure function of the document and the base."""
    return Emitter(document, iris).emit()


def places_triples(document: Document, iris: Iris) -> TripleSet:
    """Return where each wording of a document is: `document/{id}` of the comprehensive rules."""
    return Emitter(document, iris, places_alone=True).emit()


_NAMESPACES = dict(
    zip(
        (*VOCABULARY_FILES, CODES_FILE, SHAPES_FILE, CONSTRAINTS_FILE),
        (VOCABULARY, GAME, CODE, SHAPES, CONSTRAINTS),
        strict=True,
    )
)


@cache
def vocabulary_triples(files: tuple[str, ...] = (*VOCABULARY_FILES, CODES_FILE)) -> TripleSet:
    """Return vocabulary, game ontology and controlled values, with stable IRIs for blank nodes.

    Stores rename blank nodes as they load them. The IRIs are in the namespace of their file, where they
    resolve, numbered by order of appearance; the Turtle files keep their blank nodes.
    """
    from pyoxigraph import BlankNode, RdfFormat, parse

    triples = TripleSet()
    for name in files:
        known: dict[object, str] = {}
        for quad in parse(input=read_bytes(name), format=RdfFormat.TURTLE):
            ends = []
            for it in (quad.subject, quad.object):
                if isinstance(it, BlankNode):
                    ends.append(known.setdefault(it, f"<{_NAMESPACES[name]}expression-{len(known) + 1}>"))
                else:
                    ends.append(str(it))
            triples.add(ends[0], str(quad.predicate), ends[1])
    return triples
