"""Headings of entries become terms: a name that a text uses finds the slug of the term it stands for."""

from __future__ import annotations

from collections.abc import Sequence

from ...ontology.iris import slug
from ..language.names import singular
from ..records import Entry


class Headings:
    """The terms that headings of a document (or an edition) stand for, found by any of their names."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._slugs: dict[str, str] = {}
        for entry in entries:
            for name in entry.names[:1]:
                self._slugs[slug(name)] = slug(name)
        for entry in entries:
            for name in entry.names[1:]:
                self._slugs.setdefault(slug(name), slug(entry.names[0]))

    def slug_of(self, name: str) -> str:
        """Return the slug of the term called `name`, allowing for a plural; unknown names make their own."""
        own = slug(name)
        if own in self._slugs:
            return self._slugs[own]
        return self._slugs.get(slug(singular(name)), own)
