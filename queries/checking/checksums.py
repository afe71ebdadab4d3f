"""Compare an edition with the checksums of others, which come with the project.

They have no words, but say how many sentences stand where, how long these are, and whether they are the
same. For an edition that they do not cover they say what those on both sides of it agree on.

The file is text, its columns separated by tabs:

- ``edition`` and the id of an edition, the oldest first;
- ``rule``, ``example``, ``entry`` or ``paragraph``; the number or the heading; the checksums of the
  sentences, one behind the other; the first and the last of these editions, counted from 0, that have it so
  without a gap;
- ``words`` and the checksums of all words in small letters, in one run.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from typing import Any

from ...loaders.history.authority import LEAST_KNOWN
from ...loaders.language.numbers import order
from ...loaders.language.words import beginning
from ...ontology.errors import UsageError
from ...ontology.grouping import grouped
from ..session import Session, with_history
from .texts import APART, CALLED, Departure, EditionText, TextPiece, bare, checksum, letters_in, text_of

FILE = "checksums.tsv"

_KNOWN = 0.5
"""The share of what is known that must stand in a text for it to have lost the rest."""

_FOREIGN, _NEAR = 4, 12
"""Words that nobody else has, and among how many, from which a text is of another kind. The rules of a new
edition have three at most, but for forms of one word and for lists of names."""

_STEM = 4
"""Letters that forms of one word share."""

_WORDS = re.compile(r"\w[\w’'-]*,?")
_WORD = re.compile(r"(?<![\w’'./@:-])[a-z]{3,}(?![\w’'/@:-]|\.\w)")
"""A word in small letters, and no part of a longer one or of an address. Names, and what is of one or two
letters, tell nothing."""


@dataclass(frozen=True)
class KnownTexts:
    """What some editions say, as checksums.

    Each of `pieces` has the places of the first and the last of the `editions` that have it without a gap.
    """

    editions: tuple[str, ...] = ()
    pieces: tuple[tuple[TextPiece, int, int], ...] = ()
    words: Collection[str] = field(default_factory=frozenset, repr=False)

    @cached_property
    def _texts(self) -> dict[str, EditionText]:
        return {}

    def text(self, edition: str) -> EditionText:
        """Return what one of the editions says, the same object each time: several are compared with one."""
        if edition not in self._texts:
            place = self.editions.index(edition)
            pieces = [it for it, first, last in self.pieces if first <= place <= last]
            self._texts[edition] = EditionText(edition, pieces)
        return self._texts[edition]

    def around(self, edition: str) -> tuple[str, ...]:
        """Return the editions before and after one; itself, twice, where it is among them."""
        if edition in self.editions:
            return (edition, edition)
        before = [it for it in self.editions if it < edition]
        after = [it for it in self.editions if it > edition]
        return (*before[-1:], *after[:1])

    def as_file(self) -> str:
        """Return the file."""
        lines = [f"edition\t{edition}" for edition in self.editions]
        lines += (f"{it.kind}\t{it.name}\t{it.run}\t{first}\t{last}" for it, first, last in self.pieces)
        run = b"".join(sorted(b64decode(word) for word in self.words))
        return "".join(f"{line}\n" for line in (*lines, f"words\t{b64encode(run).decode()}"))

    @classmethod
    def read(cls, text: str) -> KnownTexts:
        """Return the content of a file. Raises `UsageError` for a wrong line."""
        editions, pieces, words = [], [], ""
        for place, line in enumerate(text.splitlines(), 1):
            match line.split("\t"):
                case [kind, name, run, first, last] if kind in CALLED:
                    pieces.append((TextPiece(kind, name, run=run), int(first), int(last)))
                case ["edition", edition]:
                    editions.append(edition)
                case ["words", words]:
                    pass
                case _:
                    raise UsageError(
                        "this line of the checksums cannot be read",
                        where=f"line {place}",
                        way_out="Use a file that `rulesgraph authority --checksums` wrote.",
                    )
        each = frozenset(words[at : at + 4] for at in range(0, len(words), 4))
        return cls(tuple(editions), tuple(pieces), each)


def checksums_of(texts: Iterable[EditionText]) -> KnownTexts:
    """Return the checksums of some editions."""
    known = sorted(texts, key=lambda it: it.name)
    places = grouped(
        (piece, place)
        for place, text in enumerate(known)
        for piece in dict.fromkeys(TextPiece(it.kind, it.name, run=it.checksums) for it in text.pieces)
    )
    pieces = []
    for piece, found in sorted(places.items(), key=lambda it: (CALLED[it[0].kind], it[0].name, it[0].run)):
        first = last = found[0]
        for place in (*found[1:], len(known) + 1):
            if place > last + 1:
                pieces.append((piece, first, last))
                first = place
            last = place
    words = frozenset(
        checksum(word) for it in known for piece in it.pieces for word in _WORD.findall(piece.text)
    )
    return KnownTexts(tuple(it.name for it in known), tuple(pieces), words)


@cache
def bundled_checksums() -> KnownTexts:
    """Return the checksums that come with the project."""
    return KnownTexts.read((resources.files(__package__) / FILE).read_text(encoding="utf-8"))


def checksums_in(session: Session) -> KnownTexts:
    """Return the checksums of the loaded editions of the comprehensive rules."""
    return checksums_of(text_of(session, it) for it in with_history(session.editions()))


def departures_from_known(own: EditionText, known: KnownTexts) -> Iterator[Departure]:
    """Yield where an edition has lost what those around it have, or has what no edition has."""
    near = [known.text(it) for it in known.around(own.name)]
    if not near:
        return
    before, after = near[0], near[-1]
    agreed = [it for it in before.pieces if after.has(it)]
    held = sum(own.has(it) for it in agreed) / max(1, len(agreed))
    if len(near) > 1 and held > _KNOWN:
        told: dict[str, Departure] = {}
        for it in _lost(before, own, after):
            told.setdefault(it.name, it)
        yield from told.values()
    if held > LEAST_KNOWN:
        yield from _foreign(own, before, after, known.words)


# -- what is missing --------------------------------------------------------------------------------


def _lost(before: EditionText, own: EditionText, after: EditionText) -> Iterator[Departure]:
    those = "{} is" if before is after else "{} and {} are"
    having = f"{those.format(before.name, after.name)} known to have"
    for it in before.pieces:
        there, kept = own.under(it), after.under(it)
        if it.kind == "entry":
            if not there and kept:
                yield _gone(own, it, f"is not here, and {having} it")
        elif not there:
            if _is_nowhere(it, before, own, after):
                yield _gone(own, it, f"is not here, or not in the words that {having} for it")
        elif all(it.checksums != other.checksums for other in there):
            yield from _shortened(it, before, own, after, having)


def _is_nowhere(it: TextPiece, before: EditionText, own: EditionText, after: EditionText) -> bool:
    """Return whether both sides have a piece, under its name or elsewhere, and `own` has it nowhere.

    What it is part of stands there: what is lost whole is reported once.
    """
    is_elsewhere = all(one in own.sentences for one in it.sentences)
    stays = any(it.checksums == other.checksums for other in after.under(it))
    whole = it._replace(kind="rule" if it.kind in ("rule", "example") else "entry")
    return (
        bool(it.sentences)
        and (stays or (after.has(it) and not is_elsewhere))
        and not own.has(it)
        and (it.kind == "rule" or bool(own.under(whole)))
    )


def _shortened(
    it: TextPiece, before: EditionText, own: EditionText, after: EditionText, having: str
) -> Iterator[Departure]:
    """Yield what became of a piece that lacks sentences under its name."""
    # Of an edition that is known itself, a sentence has to stand as often as it is known to.
    times = before.sentences if before is after else {}
    missing = [one for one in it.sentences if own.sentences[one] < times.get(one, 1)]
    if not missing:
        return
    there, kept = own.under(it), after.under(it)
    said = {*it.sentences}
    best = max(there, key=lambda other: len({*other.sentences} & said))
    if after.has(it):
        strange = [one for one in best.sentences if one not in said]
        if len(there) < min(len(before.under(it)), len(kept)) and said.isdisjoint(best.sentences):
            yield _gone(own, it, f"is not here, or not in the words that {having} for it")
        elif abs(letters_in(missing) - letters_in(strange)) >= APART:
            yield _cut(there[0], it, f"departs from the words that {having} for it")
        return
    theirs = {one for other in kept for one in other.sentences}
    is_plain = {*best.sentences} <= theirs | said
    is_less = bool(kept) and len(best.sentences) < min(len(it.sentences), len(kept[0].sentences))
    is_alone = len(there) == len(kept) == 1 and len(it.sentences) == len(kept[0].sentences)
    if not theirs.isdisjoint(missing) and (is_plain or (is_less and is_alone)):
        yield _cut(there[0], it, f"lacks a sentence that {having} there")


# -- what is of another text ------------------------------------------------------------------------


def _foreign(
    own: EditionText, before: EditionText, after: EditionText, words: Collection[str]
) -> Iterator[Departure]:
    """Yield the pieces with words that no known edition has, nor this one anywhere else."""
    known = {*before.sentences, *after.sentences}
    strange = [piece for piece in own.pieces if not known.issuperset(piece.sentences)]
    if not strange:
        return
    times = Counter(word for piece in own.pieces for word in set(_WORD.findall(piece.text)))
    for piece in strange:
        alone = {it for it in _WORD.findall(piece.text) if times[it] == 1 and checksum(it) not in words}
        if odd := _close_together(piece.text, alone):
            message = f"{piece.called} has words that no known edition has: {', '.join(odd)}"
            yield Departure(False, piece.name, piece.line, message, beginning(piece.text))


def _close_together(text: str, alone: Collection[str]) -> Sequence[str]:
    """Return words that stand close together, forms of one word once.

    A comma is read as part of the word before it, so that the words of a list are not among those `alone`.
    """
    words = _WORDS.findall(text) if len(alone) >= _FOREIGN else []
    for place in range(len(words)):
        near = {it[:_STEM]: it for it in words[place : place + _NEAR] if it in alone}
        if len(near) >= _FOREIGN:
            return list(near.values())
    return ()


# -- how it is reported --------------------------------------------------------------------------------


def _gone(own: EditionText, it: TextPiece, what: str) -> Departure:
    """Return that a piece is lost, with the line after which it would stand."""
    kind, key = ("rule", order) if it.kind in ("rule", "example") else ("entry", bare)
    place: Any = key(it.name)
    lines = (one.line for one in own.pieces if one.kind == kind and key(one.name) <= place)
    return Departure(True, it.name, max(lines, default=0), f"{it.called} {what}", "")


def _cut(there: TextPiece, it: TextPiece, what: str) -> Departure:
    return Departure(False, it.name, there.line, f"{it.called} {what}", beginning(there.text))
