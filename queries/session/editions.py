"""What is loaded, seen as editions with their documents, dates and counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from ...loaders.kinds import DocumentKind
from ...ontology.errors import UnknownNameError
from ...ontology.iris import Iris
from ...ontology.terms import RG
from .answer import Value
from .runner import Runner

_COUNTED = "Rule Section Entry Paragraph Note Ruling Example Reference".split()


class LoadedDocument(NamedTuple):
    """One document of the store; `checksum` is the sha256 of its file, in hexadecimal."""

    id: str
    edition: str
    title: str
    kind: str
    issued: date | None
    checksum: str


class Edition(NamedTuple):
    """One edition of the store; `counts` (class → number of nodes) is empty unless it was asked for."""

    id: str
    title: str
    issued: date | None
    documents: tuple[LoadedDocument, ...]
    current: bool
    rules_in_force: str = ""
    counts: Mapping[str, int] = MappingProxyType({})

    @property
    def with_rules(self) -> str:
        """The edition together with the rules in force at its release, as a scope is asked for."""
        return f"{self.id},{self.rules_in_force}" if self.rules_in_force else self.id

    @property
    def has_history(self) -> bool:
        """True for dated editions of the comprehensive rules: these are followed from one to the next."""
        return self.issued is not None and self.documents[0].kind == DocumentKind.COMPREHENSIVE

    @property
    def age_key(self) -> tuple[date, str]:
        """Sorts editions from oldest to newest; undated ones come first."""
        return self.issued or date.min, self.id


def loaded_editions(runner: Runner, current: Collection[str]) -> tuple[Edition, ...]:
    """Return every loaded edition, newest first, undated ones last; `current` are ids."""
    iris = runner.iris
    documents: dict[str, list[LoadedDocument]] = {}
    for edition, document, kind, title, issued, checksum in runner.run("session", "documents"):
        loaded = LoadedDocument(
            local_id(iris, document),
            local_id(iris, edition),
            str(title),
            str(kind),
            _date(issued),
            str(checksum),
        )
        documents.setdefault(loaded.edition, []).append(loaded)
    derived = [iris.derived(name) for name in documents]
    rows = runner.run("session", "editions", None, {"derived": derived})
    about = {local_id(iris, row[0]): row[1:] for row in rows}
    found = []
    for name, members in documents.items():
        title, issued, rules = about.get(name, (name, members[0].issued, None))
        found.append(
            Edition(
                id=name,
                title=str(title),
                issued=_date(issued),
                documents=tuple(members),
                current=name in current,
                rules_in_force=local_id(iris, rules) if rules else "",
            )
        )
    return tuple(sorted(found, key=lambda edition: edition.age_key, reverse=True))


def with_history(editions: Iterable[Edition]) -> list[Edition]:
    """Return the dated editions of the comprehensive rules, oldest first."""
    return sorted((it for it in editions if it.has_history), key=lambda edition: edition.age_key)


def counted(runner: Runner, editions: Iterable[Edition]) -> tuple[Edition, ...]:
    """Return editions with their counts; what a node is stands in one document of its edition."""
    editions = tuple(editions)
    edition_of = {
        runner.iris.dataset(f"document/{document.id}"): edition.id
        for edition in editions
        for document in edition.documents
    }
    known = {getattr(RG, name): name for name in _COUNTED}
    found: dict[str, dict[str, int]] = {edition.id: {} for edition in editions}
    catalog = (runner.iris.graph("catalog"),)
    for dataset, cls, count in runner.run("session", "counts", catalog, {"set": edition_of}):
        if str(cls) in known:
            counts, name = found[edition_of[str(dataset)]], known[str(cls)]
            counts[name] = counts.get(name, 0) + int(str(count))
    return tuple(edition._replace(counts=found[edition.id]) for edition in editions)


def unknown_edition(name: str, loaded: Iterable[Edition]) -> UnknownNameError:
    """Return the error for an edition that is not loaded, with the nearest that are."""
    # Only where something went wrong: `difflib` takes longer to load than a question to be answered.
    from difflib import get_close_matches

    ids = [edition.id for edition in loaded]
    near = get_close_matches(name, ids, n=3) or [x for x in ids if name and name in x][:3]
    return UnknownNameError("loaded edition", name, near, "rulesgraph editions lists what is loaded")


def local_id(iris: Iris, iri: Value) -> str:
    """Return the id of an edition or a document from its IRI."""
    place = iris.parse(str(iri))
    return place.edition or place.key


def _date(value: Value) -> date | None:
    return value if isinstance(value, date) else None
