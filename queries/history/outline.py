"""Rules and entries of an edition of the comprehensive rules, with their words, as history compares them."""

from __future__ import annotations

from collections.abc import Collection

from ...loaders.history.items import Item
from ..session import Cells, Edition, Session


def outline(session: Session, edition: Edition, only: Collection[str] | None = None) -> dict[str, Item]:
    """Return IRI → rule or entry, in the order of the text; `only` those with these IRIs."""
    document = (session.iris.document(edition.documents[0].id),)
    parse = session.iris.parse

    def rows(name: str, kind: str) -> list[Cells]:
        if only is None:
            return session.run("history", name, document)
        wanted = [iri for iri in only if parse(iri).kind == kind]
        return session.run("history", name, document, {kind: wanted}) if wanted else []

    found = {
        str(rule): Item(str(rule), str(number), str(text)) for rule, number, text in rows("rules", "rule")
    }
    headings: dict[str, str] = {}
    words: dict[str, list[str]] = {}
    for entry, heading, text in rows("entries", "entry"):
        headings[str(entry)] = str(heading)
        words.setdefault(str(entry), []).append(str(text or ""))
    found |= {
        iri: Item(iri, parse(iri).key, "\n".join(texts), title=headings[iri], is_entry=True)
        for iri, texts in words.items()
    }
    return found


def label(item: Item) -> str:
    """Return what people call a rule or entry: its number, or its heading."""
    return item.title if item.is_entry else item.key
