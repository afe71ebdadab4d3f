"""View all documents of an edition as one: their text units, terms, titles and numbers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ...ontology import Iris, child, grouped, slug
from ..graph.emit import entry_iri, paragraph_iri, term_slug, term_slugs
from ..language.words import split_heading
from ..records import Document, Entry, Paragraph, Reference, Rule, Target, TargetKind
from .terms import Terms


@dataclass(frozen=True, slots=True)
class Unit:
    """One text unit with its owner.

    `term` is the slug of the term whose entry contains it (or that it is about), `rule` the IRI of the rule
    that it belongs to; either may be empty. `part` is ``"note"`` ("also see"), ``"ruling"`` or ``"example"``,
    and empty for rules and paragraphs. `label` is a reader's name for its place: a number, a heading.
    """

    iri: str
    record: Rule | Paragraph
    label: str
    term: str = ""
    rule: str = ""
    part: str = ""

    @property
    def text(self) -> str:
        """Its words."""
        return self.record.text

    @property
    def references(self) -> tuple[Reference, ...]:
        """The references in it."""
        return self.record.references

    @property
    def targets(self) -> Iterator[Target]:
        """The targets of these references."""
        return (target for reference in self.references for target in reference.targets)

    @property
    def is_note(self) -> bool:
        """True for an "also see" note."""
        return self.part == "note"


class EditionView:
    """The documents of one edition, indexed for deriving links.

    `about` maps loose paragraphs (glossary prose) to the terms that comparison found for them.
    """

    def __init__(
        self, documents: Sequence[Document], iris: Iris, about: Mapping[str, str] | None = None
    ) -> None:
        self.documents = sorted(documents, key=lambda d: d.document)
        self.iris = iris
        self.edition = self.documents[0].edition
        self.entries: list[Entry] = [entry for d in self.documents for entry in d.entries]
        self._about = about or {}
        self._slugs = term_slugs(self.entries)
        self.units: tuple[Unit, ...] = tuple(self._units())
        self.loaded_rules = self._loaded_rules()
        self.loaded_entries = {
            entry.number: entry for entry in self.entries if entry.number and not entry.is_rule
        }
        self.cited_rules, self.cited_sections, self.cited_entries = self._cited()
        self.titles = self._titles()
        self._terms = self._find_terms()
        self.names = self._terms.names
        self.defining = self._rules(self._terms.titled)
        """The rules whose title is a term's name, by the slug of the term."""
        self.pointed = self._rules({term: (number,) for term, number in self._terms.pointed.items()})
        """The one rule that a term's entry names, if it contains the term's name."""

    # -- text units -----------------------------------------------------------------------------

    def _units(self) -> Iterator[Unit]:
        for document in self.documents:
            for rule in document.rules:
                iri = self.iris.rule(self.edition, rule.number, rule.occurrence)
                yield from _with_examples(Unit(iri, rule, rule.number, rule=iri))
            for entry in document.entries:
                yield from self._entry_units(entry)
            for paragraph in document.paragraphs:
                iri = self.iris.paragraph(self.edition, paragraph.key)
                unit = Unit(iri, paragraph, f"paragraph {paragraph.key}", self._about.get(iri, ""))
                yield from _with_examples(unit)

    def _entry_units(self, entry: Entry) -> Iterator[Unit]:
        iri = entry_iri(self.iris, self.edition, entry)
        term = slug(entry.names[0]) if entry.names else ""
        for paragraph in entry.paragraphs:
            own = paragraph_iri(self.iris, self.edition, entry, paragraph)
            rule = own if entry.is_rule else ""
            yield from _with_examples(Unit(own, paragraph, paragraph.number or entry.heading, term, rule))
        for ruling in entry.rulings:
            own = child(iri, "ruling", ruling.key)
            yield Unit(own, ruling, ruling.number or entry.heading, term, part="ruling")
        for note in entry.notes:
            own = child(iri, "note", note.key)
            yield Unit(own, note, entry.number or entry.heading, term, part="note")

    def holders(self) -> dict[str, str]:
        """Map labels of units, and numbers and headings of entries, to the ids of their documents."""
        found: dict[str, str] = {}
        for document in self.documents:
            labels = [rule.number for rule in document.rules]
            for entry in document.entries:
                labels += [entry.number, entry.heading, *(p.number for p in entry.paragraphs)]
            found |= {label: document.document for label in labels if label}
        return found

    # -- numbers --------------------------------------------------------------------------------

    def _loaded_rules(self) -> frozenset[str]:
        numbers = {rule.number for d in self.documents for rule in d.rules}
        for entry in self.entries:
            if entry.is_rule:
                numbers.update({entry.number} if entry.heading else ())
                numbers.update(paragraph.number for paragraph in entry.paragraphs)
        return frozenset(numbers)

    def _cited(self) -> tuple[set[str], set[str], set[str]]:
        """Return the cited rule, section and entry numbers that no document of the edition contains."""
        found: dict[TargetKind, set[str]] = defaultdict(set)
        for target in chain.from_iterable(unit.targets for unit in self.units):
            found[target.kind].add(target.key)
        sections = {section.number for d in self.documents for section in d.sections}
        return (
            found[TargetKind.RULE] - self.loaded_rules,
            found[TargetKind.SECTION] - sections,
            found[TargetKind.ENTRY] - set(self.loaded_entries),
        )

    def _titles(self) -> dict[str, str]:
        """Return number → title: as loaded, else as most often quoted (ties: alphabetical)."""
        titles: dict[str, str] = {}
        quoted: dict[str, Counter[str]] = defaultdict(Counter)
        for unit in self.units:
            for reference in unit.references:
                if reference.quoted_title and len(reference.targets) == 1:
                    quoted[reference.targets[0].key][reference.quoted_title] += 1
        for number, counter in quoted.items():
            if number in self.cited_rules or number in self.cited_entries or number in self.cited_sections:
                titles[number] = min(counter.items(), key=lambda item: (-item[1], item[0]))[0]
        for document in self.documents:
            for rule in document.rules:
                if rule.title:
                    titles.setdefault(rule.number, rule.title)
        for entry in self.entries:
            if entry.is_rule and entry.heading:
                titles.setdefault(entry.number, entry.heading)
        return titles

    # -- terms ----------------------------------------------------------------------------------

    def _find_terms(self) -> Terms:
        entries: dict[str, list[Reference]] = defaultdict(list)
        for unit in self.units:
            if unit.term and not unit.rule:
                entries[unit.term].extend(unit.references)
        other = {*self.cited_entries, *self.cited_sections}
        titles = {number: title for number, title in self.titles.items() if number not in other}
        texts = {unit.label: unit.text for unit in self.units if unit.rule and not unit.part}
        return Terms(self._headed_names(), self._named_terms(), titles, entries, texts)

    def _rules(self, numbers: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
        """Return slug → IRIs of rules, from slug → numbers."""
        return {
            term: [self.iris.rule(self.edition, number) for number in own] for term, own in numbers.items()
        }

    def _headed_names(self) -> dict[str, list[str]]:
        """Return slug → names of the entries, loaded or known by a quoted title."""
        named = (entry.names for entry in self.entries)
        names = grouped((slug(own[0]), name) for own in named for name in own)
        for number in sorted(self.cited_entries):
            if number in self.titles:
                of_title = split_heading(self.titles[number]).names
                names[term_slug(self._slugs, of_title[0])].extend(of_title)
        return names

    def _named_terms(self) -> list[str]:
        """Return the names of terms that the text refers its readers to."""
        targets = chain.from_iterable(unit.targets for unit in self.units)
        return sorted({target.key for target in targets if target.kind is TargetKind.TERM})

    def term_of(self, name: str) -> str:
        """Return the slug of the term called `name` in this edition."""
        return self._terms.term_of(name)

    def entry_term(self, number: str) -> str:
        """Return the slug of the term of entry `number` (loaded, or known by a quoted title), or ``""``."""
        if number in self.loaded_entries:
            entry = self.loaded_entries[number]
            return slug(entry.names[0]) if entry.names else ""
        return self.term_of(split_heading(self.titles[number]).names[0]) if number in self.titles else ""


def _with_examples(unit: Unit) -> Iterator[Unit]:
    """Yield a unit and the examples below it."""
    yield unit
    for place, example in enumerate(unit.record.examples, start=1):
        yield replace(unit, iri=child(unit.iri, "example", place), record=example, part="example")
