"""Make the IRI of a record in its edition, and that of its parent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...ontology.iris import Iris, slug
from ..language.names import singular
from ..language.numbers import level, parent
from ..records import Entry, Paragraph, TargetKind


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
    """Return whether the entry is only a "See X." for terms."""
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
    """Return the slugs of all names in the headings of some entries, each → the slug of its term."""
    slugs = {slug(name): slug(name) for entry in entries for name in entry.names[:1]}
    for entry in entries:
        for name in entry.names[1:]:
            slugs.setdefault(slug(name), slug(entry.names[0]))
    return slugs


def term_slug(slugs: Mapping[str, str], name: str) -> str:
    """Return the slug of the term called `name`, allowing for a plural; an unknown name makes a new one."""
    own = slug(name)
    return slugs.get(own) or slugs.get(slug(singular(name)), own)
