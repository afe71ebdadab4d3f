"""Hold the editions of a store, with their documents and counts, and the graphs that a question sees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from ...loaders.store.results import Cells, Value
from ...ontology import DocumentKind, Iris, RulesMissingError, UnknownNameError

ALL = "all"
"""The name of all editions together."""

NOW = ("newest", "latest")
"""The names that mean no particular edition."""

_DAY = len("2009-07-11")
"""The number of letters in the date that ends the id of a dated edition."""


class LoadedDocument(NamedTuple):
    """A document of the store; `checksum` is the sha256 of its file in hexadecimal."""

    id: str
    edition: str
    title: str
    kind: str
    issued: date | None
    checksum: str


class Edition(NamedTuple):
    """An edition in the store; `counts` (class → number of nodes) is empty unless you request it."""

    id: str
    title: str
    issued: date | None
    documents: tuple[LoadedDocument, ...]
    current: bool
    rules_in_force: str = ""
    counts: Mapping[str, int] = MappingProxyType({})

    @property
    def with_rules(self) -> str:
        """The name of the scope with the edition and the rules in force at its release.

        >>> Edition("rulings-2031", "", None, (), True, "cr-2031-02-01").with_rules
        'rulings-2031,cr-2031-02-01'
        """
        return f"{self.id},{self.rules_in_force}" if self.rules_in_force else self.id

    @property
    def has_history(self) -> bool:
        """True for dated editions of the comprehensive rules, which are compared with each other.

        A store keeps only where their wordings are, and derives everything else on demand.

        >>> Edition("starter", "", None, (), True).has_history
        False
        """
        return self.issued is not None and self.documents[0].kind == DocumentKind.COMPREHENSIVE

    @property
    def short_name(self) -> str:
        """What numbered rules of this kind are usually called; empty for all other documents.

        >>> document = LoadedDocument("mtr-2031-02-01", "mtr-2031-02-01", "", DocumentKind.NUMBERED, None, "")
        >>> Edition("mtr-2031-02-01", "", date(2031, 2, 1), (document,), True).short_name
        'MTR'
        """
        if self.documents[0].kind != DocumentKind.NUMBERED:
            return ""
        return self.id.partition("-fragment-")[0].removesuffix(f"-{self.issued}").upper()

    @property
    def age_key(self) -> tuple[date, str]:
        """Sorts editions from the oldest to the newest; undated ones come first.

        >>> Edition("starter", "", None, (), True).age_key
        (datetime.date(1, 1, 1), 'starter')
        """
        return self.issued or date.min, self.id


def with_history(editions: Iterable[Edition]) -> list[Edition]:
    """Return the dated editions of the comprehensive rules, oldest first."""
    return sorted((it for it in editions if it.has_history), key=lambda edition: edition.age_key)


def edition_called(name: str, loaded: Sequence[Edition]) -> Edition:
    """Return the edition with an id or date, or the only loaded one of a month or year.

    Raises `UnknownNameError` if none is loaded.
    """
    for edition in loaded:
        if name in (edition.id, str(edition.issued)):
            return edition
    if name.lower() in NOW and loaded:
        return max(loaded, key=lambda it: (it.has_history, it.age_key))
    own = id_called(name, loaded)
    return next(it for it in loaded if it.id == own)


def id_called(name: str, loaded: Sequence[Edition]) -> str:
    """Return the id of the only loaded edition with a name; raises `UnknownNameError` if there is none."""
    ids = [edition.id for edition in loaded]
    meant = [it for it in ids_called(name, ids) if it in ids]
    if len(meant) != 1:
        raise unknown_edition(name, loaded)
    return meant[0]


def ids_called(name: str, loaded: Iterable[str]) -> list[str]:
    """Return the ids of the editions, loaded or known by their numbers, with this id or date.

    A month or year stands for all editions issued in it.

    >>> ids_called("July 2009", ["rulings-2008-03-17"]), ids_called("17 March 2008", ["rulings-2008-03-17"])
    (['cr-2009-07-11'], ['rulings-2008-03-17'])
    >>> ids_called("CR-2009-07-11", [])
    ['cr-2009-07-11']
    """
    # Imported here because it loads more slowly than a question is answered.
    from ...loaders.history.lives import bundled_lives
    from ...loaders.language.dates import period_called

    known = sorted({*loaded, *bundled_lives().editions})
    if same := [it for it in known if it.lower() == name.strip().lower()]:
        return same
    period = period_called(name)
    return [it for it in known if period and str(period.first) <= it[-_DAY:] <= str(period.last)]


def unknown_edition(name: str, loaded: Iterable[Edition]) -> UnknownNameError:
    """Return the error for an edition that is not loaded, with loaded ones of a similar name or date."""
    from difflib import get_close_matches

    from ...loaders.history.lives import bundled_lives
    from ...loaders.language.dates import period_called

    ids = [edition.id for edition in loaded]
    issued = ids_called(name, ids)
    if len(issued) == 1 and issued[0] not in ids:
        return UnknownNameError("loaded edition", name, (), without_text(issued[0]))
    way_out = "`rulesgraph editions` lists what is loaded."
    if issued:
        there = [it for it in issued if it in ids]
        what = f"{len(issued)} editions were issued in {name}"
        if len(there) < len(issued):
            loaded_now = {0: "none is", 1: "only one is"}.get(len(there), f"{len(there)} are")
            what += f", and {loaded_now} loaded"
        return UnknownNameError("edition", name, there, "" if there else way_out, what=what)
    if period := period_called(name):
        known = bundled_lives().in_force(period.last)
        told = f"None was issued then; {known} was in force. " if known else ""
        return UnknownNameError("loaded edition", name, (), told + way_out)
    if name.strip().lower() == ALL or "," in name:
        told = "only one edition at a time can be asked here"
        return UnknownNameError("edition", name, (), "Name one, or none for the newest.", what=told)
    near = [*dict.fromkeys(get_close_matches(name, ids, n=3))] or [x for x in ids if name and name in x][:3]
    named = "Name an edition by its id (cr-2009-07-11) or its date (2009-07-11, July 2009)."
    return UnknownNameError("loaded edition", name, near, f"{named}\n  {way_out}" if not near else way_out)


def without_text(edition: str) -> str:
    """Return what to do about an edition of which only the numbers are known."""
    return (
        f"only the rule numbers of {edition} are known: `rulesgraph build FILE` loads its text\n"
        f"  `rulesgraph get --edition {edition.removeprefix('cr-')}` downloads it from the publisher\n"
        f"  `rulesgraph trace NUMBER --from {edition}` works without it"
    )


def local_id(iris: Iris, iri: Value) -> str:
    """Return the id of an edition or document from its IRI."""
    place = iris.parse(str(iri))
    return place.edition or place.key


class Scope(NamedTuple):
    """The graphs that a question sees; `editions` are ids, the requested one first."""

    editions: tuple[str, ...]
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    united: bool = False
    """True if it combines editions that were not in force together."""

    documents: tuple[str, ...] = ()
    """The graphs of documents among them."""

    linked: tuple[str, ...] = ()
    """The default graphs with texts and their links, because queries over fewer graphs are faster."""

    too_many: bool = False
    """True if there are too many editions to see together with all their links."""

    @property
    def label(self) -> str:
        """The editions, as an answer names them."""
        return ", ".join(self.editions)

    @property
    def edition(self) -> str:
        """The id of the requested edition; raises `RulesMissingError` if none is loaded."""
        if not self.editions:
            raise RulesMissingError
        return self.editions[0]


def scope_of(iris: Iris, editions: Sequence[str], documents: Sequence[str], *, united: bool = False) -> Scope:
    """Return the scope of some editions, each with its own graphs."""
    own = [
        graph for name in editions for graph in (iris.derived(name), iris.history(name), iris.inferred(name))
    ]
    graphs = (*documents, *own, iris.graph("terms"), iris.graph("ontology"))
    linked = (*documents, *(iris.derived(name) for name in editions))
    return Scope(tuple(editions), graphs, graphs, united, tuple(documents), linked)


def editions_of(
    iris: Iris, stored: Iterable[Sequence[str]], details: Iterable[Cells], current: Collection[str]
) -> tuple[Edition, ...]:
    """Return the editions of stored documents, newest first, undated ones last.

    `details`: the IRI of each edition with its title, its date, and the rules in force with it.
    """
    documents: dict[str, list[LoadedDocument]] = {}
    for document, edition, kind, issued, title, checksum in stored:
        ids = local_id(iris, document), local_id(iris, edition)
        day = date.fromisoformat(issued) if issued else None
        documents.setdefault(ids[1], []).append(LoadedDocument(*ids, title, kind, day, checksum))
    about = {local_id(iris, row[0]): row[1:] for row in details}
    found = []
    for name, members in documents.items():
        called, issued_on, rules = about.get(name, (name, members[0].issued, None))
        found.append(
            Edition(
                id=name,
                title=str(called),
                issued=issued_on if isinstance(issued_on, date) else None,
                documents=tuple(members),
                current=name in current,
                rules_in_force=local_id(iris, rules) if rules else "",
            )
        )
    return tuple(sorted(found, key=lambda edition: edition.age_key, reverse=True))
