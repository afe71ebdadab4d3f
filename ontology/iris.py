"""Names of things turned into IRIs, and IRIs turned back into names.

The patterns are the identity contract of the project: a rule number lives inside an edition, a
term's slug is the same in every edition, a provision is a rule through all its numbers.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple
from urllib.parse import quote, unquote

BASE = "https://w3id.org/rulesgraph/"
"""The base of all data; `--base` replaces it when a store is first built."""

VOCABULARY = "https://w3id.org/rulesgraph/ns#"
"""The namespace of the vocabulary, which never moves."""

_STATE = re.compile(r"\s*\((?:obsolete|informal)\)\s*$", re.IGNORECASE)
_NOT_ALNUM = re.compile(r"[^a-z0-9]+")


def slug(name: str) -> str:
    """Return the slug of one name: NFKD, lower case, all but letters and digits to ``-``.

    >>> slug("Dandân's Limit (Obsolete)")
    'dandan-s-limit'
    """
    name = _STATE.sub("", name)
    decomposed = unicodedata.normalize("NFKD", name)
    flat = "".join(c for c in decomposed if not unicodedata.combining(c)).lower()
    return _NOT_ALNUM.sub("-", flat).strip("-") or "x" + "-".join(f"{ord(c):x}" for c in name)


def segment(text: str) -> str:
    """Percent-encode one path segment; letters, digits and ``.~-_`` stay as they are."""
    return quote(text, safe="~")


class Iris(NamedTuple):
    """Makes the IRIs under one base; all arguments and results are plain strings."""

    base: str = BASE

    def term(self, term_slug: str) -> str:
        """`term/{slug}`: a name in the rules, the same in every edition."""
        return f"{self.base}term/{term_slug}"

    def edition(self, edition: str) -> str:
        """`edition/{id}`: one dated release, of one or more documents."""
        return f"{self.base}edition/{edition}"

    def document(self, document: str) -> str:
        """`document/{id}`: one file as loaded; also the name of its graph."""
        return f"{self.base}document/{document}"

    def derived(self, edition: str) -> str:
        """The graph of links computed over all documents of an edition."""
        return f"{self.base}edition/{edition}/derived"

    def history(self, edition: str) -> str:
        """The graph of what became of each rule since the edition before."""
        return f"{self.base}edition/{edition}/history"

    def inferred(self, edition: str) -> str:
        """The graph of what the reasoner adds to an edition."""
        return f"{self.base}edition/{edition}/inferred"

    def graph(self, name: str) -> str:
        """`graph/{name}`: `terms`, `ontology`, `catalog`, `current`."""
        return f"{self.base}graph/{name}"

    def section(self, edition: str, number: str) -> str:
        """`edition/{id}/section/{n}`."""
        return f"{self.base}edition/{edition}/section/{segment(number)}"

    def rule(self, edition: str, number: str, occurrence: int = 1) -> str:
        """`edition/{id}/rule/{number}`, with `~2` for a number that stands a second time."""
        tail = f"~{occurrence}" if occurrence > 1 else ""
        return f"{self.base}edition/{edition}/rule/{segment(number)}{tail}"

    def entry(self, edition: str, key: str, occurrence: int = 1) -> str:
        """`edition/{id}/entry/{number or slug}`."""
        tail = f"~{occurrence}" if occurrence > 1 else ""
        return f"{self.base}edition/{edition}/entry/{segment(key)}{tail}"

    def paragraph(self, edition: str, key: str) -> str:
        """`edition/{id}/paragraph/{n}`: a paragraph under no entry (glossary prose, web copies)."""
        return f"{self.base}edition/{edition}/paragraph/{segment(key)}"

    def provision(self, edition: str, number: str) -> str:
        """`provision/{edition}/{number}`: one rule through all its numbers and wordings."""
        return f"{self.base}provision/{edition}/{segment(number)}"

    def local(self, iri: str) -> str:
        """Return `iri` without the base, decoded; an IRI of another base comes back whole."""
        return unquote(iri[len(self.base) :]) if iri.startswith(self.base) else iri

    def edition_of(self, iri: str) -> str | None:
        """Return the edition's id when `iri` lies inside one.

        >>> Iris().edition_of("https://w3id.org/rulesgraph/edition/cr-2008-02-01/rule/420.5a")
        'cr-2008-02-01'
        """
        match = re.match(r"edition/([^/]+)", self.local(iri))
        return match[1] if match else None


def child(unit: str, part: str, key: str | int) -> str:
    """Return the IRI of a part of a text unit: `…/note/1`, `…/ref/3`, `…/example/2`, `…/ruling/1`."""
    return f"{unit}/{part}/{segment(str(key))}"
