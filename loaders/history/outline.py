"""Keep the data for comparisons of one edition in a file: its rules, entries and names."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ...ontology.iris import slug
from ..facts.find import successions
from ..graph.places import entry_iri, rule_parent
from ..linking.edition import EditionView
from ..linking.labels import NamedTerm
from .authority import Authority, wording_of
from .items import Item


@dataclass(frozen=True, slots=True)
class Digest:
    """The data for comparing one edition: its rules and entries, its names, the obsolete ones."""

    items: tuple[Item, ...]
    names: tuple[NamedTerm, ...]
    obsolete: frozenset[str]
    replaced: tuple[tuple[str, str], ...] = ()
    """IRIs of provisions that went into one of this edition, and the IRI of that one."""
    succession: frozenset[tuple[str, str]] = frozenset()
    """Slugs of retired terms, and of their replacements according to their own entries."""


def write_digest(path: Path, digest: Digest) -> None:
    """Keep a digest in a file."""
    path.write_bytes(pickle.dumps(digest, pickle.HIGHEST_PROTOCOL))


@lru_cache(maxsize=3)
def read_digest(path: Path) -> Digest:
    """Return the digest in a file that this build wrote; each is read three times in a row."""
    found: Digest = pickle.loads(path.read_bytes())
    return found


def digest_of(view: EditionView, names: list[NamedTerm], authority: Authority) -> Digest:
    """Return the rules and entries of an edition in the order of the text, with its names.

    The rules have their provisions from the authority file.
    """
    iris = view.iris
    items = []
    obsolete = set()
    for document in view.documents:
        for rule in document.rules:
            iri = iris.rule(document.edition, rule.number, rule.occurrence)
            parent = rule_parent(iris, document.edition, rule.number)
            items.append(Item(iri, rule.number, rule.text, parent, rule.title or ""))
        for entry in document.entries:
            words = "\n".join(paragraph.text for paragraph in entry.paragraphs)
            iri = entry_iri(iris, document.edition, entry)
            items.append(Item(iri, entry.key, words, title=entry.heading, is_entry=True))
            if entry.status == "obsolete" and entry.names:
                obsolete.add(slug(entry.names[0]))
    rules = [item for item in items if not item.is_entry]
    given = authority.provisions(
        view.edition, [wording_of(iris.parse(item.iri).name, item) for item in rules]
    )

    def identified(item: Item) -> Item:
        if item.is_entry or not given:
            return item
        name = iris.parse(item.iri).name
        provision = iris.provision(given.get(name, f"{view.edition}/{name}"))
        return item._replace(provision=provision, is_settled=name in given)

    here = set(given.values())
    ended = [*((it.old, it.new) for it in authority.replaced), *authority.given_up.items()]
    replaced = tuple((iris.provision(old), iris.provision(new)) for old, new in ended if new in here)
    return Digest(
        tuple(map(identified, items)),
        tuple(names),
        frozenset(obsolete),
        replaced,
        successions(view, obsolete),
    )
