"""Checksums of what many editions say, which come with the project, bear witness beside the store.

They have no words, but they know how many sentences stand where, how long these are, and whether they are
the same. Of an edition that they do not know they tell what those on both sides of it agree on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ...loaders.history.authority import LEAST_KNOWN
from ...loaders.language.numbers import order
from ...loaders.language.words import beginning
from .depositions import DepositionKind, Witness, bare
from .testimony import Affidavit, Deponent, SentenceMark, Utterance, saying_of, word_mark, words_of
from .witnesses import APART, Departure

_KNOWN = 0.5
"""The share of what is known that must stand in a text for it to have lost the rest."""

_FOREIGN, _NEAR = 4, 12
"""Words that nobody else has, and among how many, from which a text is of another kind. The rules of a new
edition have three at most, but for forms of one word and for lists of names."""

_STEM = 4
"""Letters that forms of one word share."""

_WORDS = re.compile(r"\w[\w’'-]*,?")


class _Bench(NamedTuple):
    """Those on both sides who bear witness, and how they are called in a message."""

    before: Deponent
    after: Deponent

    @property
    def is_itself(self) -> bool:
        """True where the edition is known itself."""
        return self.before.name == self.after.name

    @property
    def named(self) -> str:
        if self.is_itself:
            return f"{self.before.name} is known to have"
        return f"{self.before.name} and {self.after.name} are known to have"


def departures_from_known(own: Witness, testimony: Affidavit) -> Iterator[Departure]:
    """Yield where an edition has lost what those around it have, or has what no edition has."""
    near = testimony.around(own.name)
    if not near:
        return
    bench = _Bench(testimony.sheet(near[0]), testimony.sheet(near[-1]))
    sheet = Deponent(own.name, [saying_of(it) for it in own.pieces])
    agreed = [it for it in bench.before.sayings if bench.after.holds(it)]
    held = sum(sheet.holds(it) for it in agreed) / max(1, len(agreed))
    if len(near) > 1 and held > _KNOWN:
        told = set()
        for it in _lost(own, sheet, bench):
            if it.name not in told:
                told.add(it.name)
                yield it
    if held > LEAST_KNOWN:
        yield from _foreign(own, sheet, bench, testimony)


# -- what is missing --------------------------------------------------------------------------------


def _lost(own: Witness, sheet: Deponent, bench: _Bench) -> Iterator[Departure]:
    for it in bench.before.sayings:
        there, kept = sheet.under(it), bench.after.under(it)
        if it.kind is DepositionKind.ENTRY:
            if not there and kept:
                yield _gone(own, it, f"is not here, and {bench.named} it")
        elif not there:
            if _stands(it, sheet, bench) and not sheet.holds(it) and _has_place(it, sheet):
                yield _gone(own, it, f"is not here, or not in the words that {bench.named} for it")
        elif it not in there and _missing(it, sheet, bench):
            yield from _shortened(own, it, there, sheet, bench)


def _stands(it: Utterance, sheet: Deponent, bench: _Bench) -> bool:
    """Tell whether both sides have a saying: under its name, or elsewhere if it is nowhere here."""
    is_elsewhere = all(one in sheet.sentences for one in it.sentences)
    stays = it in bench.after.under(it)
    return bool(it.sentences) and (stays or (bench.after.holds(it) and not is_elsewhere))


def _missing(it: Utterance, sheet: Deponent, bench: _Bench) -> list[SentenceMark]:
    """Return what a saying has that is nowhere here, or not often enough if the edition itself is known."""
    times = bench.before.sentences if bench.is_itself else {}
    return [one for one in it.sentences if sheet.sentences[one] < times.get(one, 1)]


def _has_place(it: Utterance, sheet: Deponent) -> bool:
    """Tell whether what a saying is part of stands there: what is lost whole is told once."""
    if it.kind is DepositionKind.RULE:
        return True
    above = DepositionKind.RULE if it.kind is DepositionKind.EXAMPLE else DepositionKind.ENTRY
    return bool(sheet.under(it._replace(kind=above)))


def _shortened(
    own: Witness, it: Utterance, there: Sequence[Utterance], sheet: Deponent, bench: _Bench
) -> Iterator[Departure]:
    """Yield what became of a saying of which sentences are missing where its name stands."""
    kept = bench.after.under(it)
    missing = _missing(it, sheet, bench)
    best = max(there, key=lambda other: len({*other.sentences} & {*it.sentences}))
    if bench.after.holds(it):
        if len(there) < min(len(bench.before.under(it)), len(kept)) and not {*best.sentences} & {
            *it.sentences
        }:
            yield _gone(own, it, f"is not here, or not in the words that {bench.named} for it")
        elif _are_apart(missing, [one for one in best.sentences if one not in it.sentences]):
            yield _cut(own, it, f"departs from the words that {bench.named} for it")
        return
    theirs = {one for other in kept for one in other.sentences}
    is_plain = {*best.sentences} <= theirs | {*it.sentences}
    is_less = bool(kept) and len(best.sentences) < min(len(it.sentences), len(kept[0].sentences))
    is_common = any(one in theirs for one in missing)
    is_alone = len(there) == len(kept) == 1 and len(it.sentences) == len(kept[0].sentences)
    if is_common and (is_plain or (is_less and is_alone)):
        yield _cut(own, it, f"lacks a sentence that {bench.named} there")


def _are_apart(missing: Sequence[SentenceMark], strange: Sequence[SentenceMark]) -> bool:
    return abs(sum(it.length for it in missing) - sum(it.length for it in strange)) >= APART


# -- what is of another text ------------------------------------------------------------------------


def _foreign(own: Witness, sheet: Deponent, bench: _Bench, testimony: Affidavit) -> Iterator[Departure]:
    """Yield the sentences whose words no known edition has, nor this one anywhere else."""
    known = {*bench.before.sentences, *bench.after.sentences}
    said = zip(own.pieces, sheet.sayings, strict=True)
    strange = [piece for piece, saying in said if not known.issuperset(saying.sentences)]
    if not strange:
        return
    times = Counter(word for piece in own.pieces for word in set(words_of(piece.text)))
    for piece in strange:
        if odd := _odd(piece.text, times, testimony):
            message = f"{piece.kind.value} {piece.name} has words that no known edition has: "
            yield Departure(False, piece.name, piece.line, message + ", ".join(odd), beginning(piece.text))


def _odd(text: str, times: Mapping[str, int], testimony: Affidavit) -> Sequence[str]:
    """Return words that stand close together and nowhere else; a comma behind one is a sign of a list."""
    telling = {it for it in words_of(text) if times[it] == 1 and word_mark(it) not in testimony.words}
    if len(telling) < _FOREIGN:
        return ()
    words = _WORDS.findall(text)
    for place in range(len(words)):
        near = {it[:_STEM]: it for it in words[place : place + _NEAR] if it in telling}
        if len(near) >= _FOREIGN:
            return list(near.values())
    return ()


# -- how it is told ---------------------------------------------------------------------------------


def _gone(own: Witness, it: Utterance, what: str) -> Departure:
    return Departure(True, it.name, _line_before(it, own), f"{it.kind.value} {it.name} {what}", "")


def _cut(own: Witness, it: Utterance, what: str) -> Departure:
    there = next(piece for piece in own.pieces if saying_of(piece).key == it.key)
    return Departure(False, it.name, there.line, f"{it.kind.value} {it.name} {what}", beginning(there.text))


def _line_before(it: Utterance, own: Witness) -> int:
    """Return the line of what a saying would stand behind."""
    if it.kind in (DepositionKind.RULE, DepositionKind.EXAMPLE):
        before = (
            piece
            for piece in own.pieces
            if piece.kind is DepositionKind.RULE and order(piece.name) <= order(it.name)
        )
    else:
        before = (
            piece
            for piece in own.pieces
            if piece.kind is DepositionKind.ENTRY and bare(piece.name) <= bare(it.name)
        )
    return max((piece.line for piece in before), default=0)
