"""Turn names of things into IRIs, and IRIs back into names.

The patterns are the identity contract of the project: a rule number belongs to an edition, a term's slug is
the same in every edition, a provision is a rule through all its numbers.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

BASE = "https://w3id.org/rulesgraph/"
"""The base of all data; `--base` replaces it when a store is first built."""

VOCABULARY = "https://w3id.org/rulesgraph/ns#"
"""The namespace of the vocabulary, which never moves."""
GAME = "https://w3id.org/rulesgraph/game#"
"""The namespace of the kinds of things in the game, which never moves."""

CODE = "https://w3id.org/rulesgraph/code#"
"""The namespace of controlled values: kinds of documents and changes, severities, codes of problems."""
SHAPES = "https://w3id.org/rulesgraph/shapes#"
QUESTION = "https://w3id.org/rulesgraph/question#"
"""The namespace of the questions of the catalogue and of their parameters."""
NAMESPACES = (VOCABULARY, GAME)
"""The namespaces of our classes and properties."""

_STATE = re.compile(r"\s*\((?:obsolete|informal)\)\s*$", re.IGNORECASE)
_NOT_ALNUM = re.compile(r"[^a-z0-9]+")
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9.~_-]")


def unaccented(text: str) -> str:
    """Return a text with its letters in their plain forms, without accents (NFKD).

    >>> unaccented("Dandân")
    'Dandan'
    """
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


@lru_cache(maxsize=1 << 13)
def slug(name: str) -> str:
    """Return the slug of one name: NFKD, lower case, all but letters and digits to ``-``.

    >>> slug("Dandân's Limit (Obsolete)")
    'dandan-s-limit'
    """
    name = _STATE.sub("", name)
    flat = unaccented(name).lower()
    return _NOT_ALNUM.sub("-", flat).strip("-") or "x" + "-".join(f"{ord(c):x}" for c in name)


def segment(text: str) -> str:
    """Percent-encode one path segment; letters, digits and ``.~-_`` stay as they are."""
    if not _NOT_PLAIN.search(text):
        return text
    # Few segments need it, and importing it takes as long as a short question.
    from urllib.parse import quote

    return quote(text, safe="~")


def unquote(text: str) -> str:
    """Return the text that `segment` encoded."""
    if "%" not in text:
        return text
    from urllib.parse import unquote as decoded

    return decoded(text)


def code(value: str) -> str:
    """Return the IRI of a controlled value.

    >>> code("web copy")
    'https://w3id.org/rulesgraph/code#web-copy'
    """
    return CODE + value.replace(" ", "-")


def coded(iri: str) -> str:
    """Return the controlled value of an IRI, in words: the inverse of `code`.

    Codes of problems keep their dashes; they are read with `removeprefix`.

    >>> coded("https://w3id.org/rulesgraph/code#web-copy")
    'web copy'
    """
    return iri.removeprefix(CODE).replace("-", " ")


GRAPHS = ("derived", "history", "inferred")
"""The graphs that an edition has in addition to those of its documents."""

_SHARED = frozenset("term document graph authority scheme provision wording card cards case cases".split())
_INSIDE = frozenset(("section", "rule", "entry", "paragraph", "sense", "list", "problem", "renaming"))
_PARTS = frozenset("note ruling example ref fact step match change attribution face keyword tenure".split())
_OCCURRENCE = re.compile(r"(.*)~([2-9]|[1-9]\d+)", re.DOTALL)


class Place(NamedTuple):
    """The parsed parts of an IRI: `Iris.parse` makes it and `Iris.iri` turns it back.

    `kind` is the segment for its kind: ``"term"``, ``"document"``, ``"graph"`` …, ``"edition"``; inside an
    edition ``"rule"``, ``"entry"`` …, or one of `GRAPHS`; ``""`` if it is not ours, with the whole IRI as its
    key. `edition` is the id of the edition that it is or belongs to, `key` its number, slug, id or name,
    `occurrence` is 2 for the second use of a number. `parts` lead from there to a part, each with its kind
    and key: ``(("example", "2"), ("ref", "1"))``; a paragraph of an entry and the n-th sense of a name have
    only a key, and the kind ``""``.
    """

    kind: str
    edition: str = ""
    key: str = ""
    occurrence: int = 1
    parts: tuple[tuple[str, str], ...] = ()

    @property
    def part(self) -> str:
        """The kind of the part: ``"example"``, ``"note"`` …, ``""`` for the whole and for a paragraph."""
        return self.parts[-1][0] if self.parts else ""

    @property
    def whole(self) -> Place:
        """The whole of the part: the rule, the entry …; for a whole, itself."""
        return self._replace(parts=())

    @property
    def name(self) -> str:
        """The last segment in plain letters: the key of a part, else of the whole, with any ``~2``."""
        return self.parts[-1][1] if self.parts else _numbered(self.key, self.occurrence)


class Iris(NamedTuple):
    """Makes the IRIs under one base, and parses them; IRIs, ids and numbers are plain strings."""

    base: str = BASE

    # -- made -----------------------------------------------------------------------------------

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
        """The graph of the statements that the reasoner adds to an edition."""
        return f"{self.base}edition/{edition}/inferred"

    def graph(self, name: str) -> str:
        """`graph/{name}`: `terms`, `wordings`, `current` …"""
        return f"{self.base}graph/{name}"

    def section(self, edition: str, number: str) -> str:
        """`edition/{id}/section/{n}`."""
        return self._inside(edition, "section", number)

    def rule(self, edition: str, number: str, occurrence: int = 1) -> str:
        """`edition/{id}/rule/{number}`, with `~2` for the second use of a number."""
        return self._inside(edition, "rule", number, occurrence)

    def entry(self, edition: str, key: str, occurrence: int = 1) -> str:
        """`edition/{id}/entry/{number or slug}`."""
        return self._inside(edition, "entry", key, occurrence)

    def paragraph(self, edition: str, key: str) -> str:
        """`edition/{id}/paragraph/{n}`: a paragraph under no entry (glossary prose, web copies)."""
        return self._inside(edition, "paragraph", key)

    def sense(self, edition: str, term_slug: str, place: int) -> str:
        """`edition/{id}/sense/{slug}/{n}`: the n-th meaning of a name in an edition."""
        return f"{self._inside(edition, 'sense', term_slug)}/{place}"

    def ordered(self, edition: str, key: str, place: int) -> str:
        """`edition/{id}/list/{key}/{n}`: the n-th list or procedure in one unit."""
        return f"{self._inside(edition, 'list', key)}/{place}"

    def problem(self, edition: str, place: int) -> str:
        """`edition/{id}/problem/{n}`."""
        return self._inside(edition, "problem", str(place))

    def renaming(self, edition: str, old: str) -> str:
        """`edition/{id}/renaming/{slug}`: a term that has another name from this edition on."""
        return self._inside(edition, "renaming", old)

    def provision(self, key: str) -> str:
        """`provision/{key}`: one rule through all its numbers and wordings.

        The key is a permanent id (``P00704``), or, provisionally, an edition, a slash and a number.
        """
        return f"{self.base}provision/" + "/".join(segment(part) for part in key.split("/", 1))

    def wording(self, words: str) -> str:
        """`wording/{hex}`: the exact words of a text unit, in all editions that have them."""
        from hashlib import sha256  # few questions need it

        return f"{self.base}wording/{sha256(words.encode()).hexdigest()[:20]}"

    def card(self, card_slug: str, occurrence: int = 1) -> str:
        """`card/{slug}`: a card by its name; `~2` for a name that differs from another only in marks."""
        return f"{self.base}card/{_numbered(card_slug, occurrence)}"

    def cards(self, card_set: str) -> str:
        """`cards/{set}`: a card data set, and its graph."""
        return f"{self.base}cards/{card_set}"

    def card_links(self, card_set: str) -> str:
        """The graph of an edition's names found in a card data set."""
        return f"{self.base}cards/{card_set}/links"

    def cases(self, case_set: str, key: str = "") -> str:
        """`cases/{set}`: a set of solved cases, and its graph; `case/{set}.{key}`: one of them."""
        return f"{self.base}case/{case_set}.{key}" if key else f"{self.base}cases/{case_set}"

    def authority(self, who: str) -> str:
        """`authority/{slug}`: the authority named at the end of a paragraph."""
        return f"{self.base}authority/{who}"

    def scheme(self, name: str) -> str:
        """`scheme/{name}`: `terms`."""
        return f"{self.base}scheme/{name}"

    def dataset(self, local: str = "") -> str:
        """Return the IRI of the data set, or of the part of it that describes `local`.

        >>> Iris().dataset("edition/starter")
        'https://w3id.org/rulesgraph/dataset/edition/starter'
        """
        return f"{self.base}dataset/{local}" if local else f"{self.base}dataset"

    def iri(self, place: Place) -> str:
        """Return the IRI of a place: the inverse of `parse`."""
        if not place.kind:
            return place.key
        if place.kind == "edition":
            return self.edition(place.edition)
        if place.kind in GRAPHS:
            return f"{self.edition(place.edition)}/{place.kind}"
        where = f"provision/{place.edition}" if place.kind == "provision" and place.edition else place.kind
        tail = f"{where}/{segment(_numbered(place.key, place.occurrence))}"
        whole = f"{self.edition(place.edition)}/{tail}" if place.kind in _INSIDE else self.base + tail
        return whole + "".join(
            f"/{kind}/{segment(key)}" if kind else f"/{segment(key)}" for kind, key in place.parts
        )

    def _inside(self, edition: str, kind: str, key: str, occurrence: int = 1) -> str:
        return f"{self.base}edition/{edition}/{kind}/{segment(_numbered(key, occurrence))}"

    # -- taken apart ----------------------------------------------------------------------------

    def parse(self, iri: str) -> Place:
        """Parse an IRI; one of another base, or of none of the patterns, is its own key.

        >>> Iris().parse("https://w3id.org/rulesgraph/edition/cr-2008-02-01/rule/420.5a/example/1")
        Place(kind='rule', edition='cr-2008-02-01', key='420.5a', occurrence=1, parts=(('example', '1'),))
        """
        other = Place("", key=iri)
        if not iri.startswith(self.base):
            return other
        kind, *tail = iri[len(self.base) :].split("/")
        edition = ""
        if kind == "edition" and tail and tail[0]:
            edition, *tail = tail
            if not tail:
                return Place("edition", edition)
            kind, *tail = tail
            if kind in GRAPHS and not tail:
                return Place(kind, edition)
        elif kind == "provision" and len(tail) > 1 and tail[1] not in _PARTS:
            edition, *tail = tail
        if not tail or not all(tail) or kind not in (_INSIDE if edition and kind != "provision" else _SHARED):
            return other
        key = unquote(tail[0])
        standing = _OCCURRENCE.fullmatch(key) if "~" in key else None
        key, occurrence = (standing[1], int(standing[2])) if standing else (key, 1)
        return Place(kind, edition, key, occurrence, _parts(tail[1:]) if len(tail) > 1 else ())

    def slug_of(self, term: str) -> str:
        """Return the slug of a term's IRI, which contains it unchanged: the key of `parse`, but faster.

        >>> Iris().slug_of("https://w3id.org/rulesgraph/term/first-strike")
        'first-strike'
        """
        return term.removeprefix(self.term(""))

    def local(self, iri: str) -> str:
        """Return `iri` without the base, decoded; an IRI of another base is returned whole."""
        return unquote(iri[len(self.base) :]) if iri.startswith(self.base) else iri

    def within(self, iri: str) -> str:
        """Return the local name of something in an edition, from the id of the edition on.

        >>> Iris().within("https://w3id.org/rulesgraph/edition/cr-2008-02-01/rule/420.5a")
        'cr-2008-02-01/rule/420.5a'
        """
        return self.local(iri).removeprefix("edition/")

    @classmethod
    def around(cls, edition: str) -> Iris:
        """Return the names under the base of an edition's IRI.

        >>> Iris.around("https://example.org/rules#edition/cr-2008-02-01").base
        'https://example.org/rules#'
        """
        return cls(edition.rpartition("edition/")[0])


def _numbered(key: str, occurrence: int) -> str:
    return f"{key}~{occurrence}" if occurrence > 1 else key


def _parts(tail: list[str]) -> tuple[tuple[str, str], ...]:
    """Read ``["a", "ref", "1"]`` as a paragraph and a reference in it."""
    found = []
    segments = iter(tail)
    for it in segments:
        key = next(segments, None) if it in _PARTS else None
        found.append(("", unquote(it)) if key is None else (it, unquote(key)))
    return tuple(found)


def child(unit: str, part: str, key: str | int) -> str:
    """Return the IRI of a part of a text unit: `…/note/1`, `…/ref/3`, `…/example/2`, `…/ruling/1`."""
    return f"{unit}/{part}/{segment(str(key))}"


def owner(part: str) -> str:
    """Return the IRI of a part's whole: the inverse of `child`."""
    return part.rsplit("/", 2)[0]
