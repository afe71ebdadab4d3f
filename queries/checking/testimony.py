"""What editions say, as checksums: they bear witness without a word of theirs.

The file is text, its columns apart by tabs:

- ``edition`` and the id of an edition that is heard, the oldest first;
- ``rule``, ``example``, ``entry`` or ``paragraph``; the number or the heading; the sentences one behind the
  other; the first and the last of these editions, counted from 0, that have it so without a gap;
- ``words`` and the checksums of all words in small letters, in one run.

A sentence is six letters of Base64, of which two are its length in letters and figures. Sentences of a few
words are left out: they are the same by chance.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from importlib import resources
from typing import NamedTuple

from ...loaders.language.sentences import between_stops
from ...ontology.errors import UsageError
from .depositions import TELLING, Deposition, DepositionKind, Witness, bare, words_alone

FILE = "testimony.tsv"

_COLUMNS = {
    "rule": DepositionKind.RULE,
    "example": DepositionKind.EXAMPLE,
    "entry": DepositionKind.ENTRY,
    "paragraph": DepositionKind.PARAGRAPH,
}
_NAMES = {kind: name for name, kind in _COLUMNS.items()}
_HASHED, _LENGTH = 3, 2
"""Bytes of a checksum, letters of a length."""

_SENTENCE = 6
_LONGEST = 4095
_WORD = re.compile(r"(?<![\w’'./@:-])[a-z]{3,}(?![\w’'/@:-]|\.\w)")
"""A word, and no part of a longer one or of an address."""


class SentenceMark(NamedTuple):
    """A sentence by its checksum, and its length in letters and figures."""

    checksum: str
    length: int


class Utterance(NamedTuple):
    """What stands under a number or a heading; `key` is that name as two editions share it."""

    kind: DepositionKind
    name: str
    sentences: tuple[SentenceMark, ...]

    @property
    def key(self) -> tuple[DepositionKind, str]:
        """The kind, and the name as two editions share it."""
        return self.kind, bare(self.name)


@dataclass(frozen=True)
class Deponent:
    """What one edition says, as others bear witness to it."""

    name: str
    sayings: Sequence[Utterance]

    @cached_property
    def places(self) -> Mapping[tuple[DepositionKind, str], Sequence[Utterance]]:
        """What stands under each name."""
        found = defaultdict(list)
        for it in self.sayings:
            found[it.key].append(it)
        return found

    @cached_property
    def whole(self) -> Collection[tuple[DepositionKind, tuple[SentenceMark, ...]]]:
        """What stands anywhere, word for word."""
        return {(it.kind, it.sentences) for it in self.sayings}

    @cached_property
    def sentences(self) -> Mapping[SentenceMark, int]:
        """The sentences that stand anywhere, and how often."""
        return Counter(one for it in self.sayings for one in it.sentences)

    def under(self, it: Utterance) -> Sequence[Utterance]:
        """Return what stands under the name of a saying of another edition."""
        return self.places.get(it.key, ())

    def holds(self, it: Utterance) -> bool:
        """Tell whether a saying of another edition stands here, wherever that is; an entry by its name."""
        return bool(self.under(it)) if not it.sentences else (it.kind, it.sentences) in self.whole


class HeardSpan(NamedTuple):
    """A saying with the first and the last heard edition that have it; `run` is its sentences in the file."""

    kind: DepositionKind
    name: str
    run: str
    first: int
    last: int

    @property
    def saying(self) -> Utterance:
        """The saying itself: taking its sentences apart is most of the work, and few are asked for."""
        return Utterance(self.kind, self.name, _marks(self.run))


@dataclass(frozen=True)
class Affidavit:
    """What the heard editions say: each saying with the first and the last that have it, and all words."""

    editions: tuple[str, ...] = ()
    spans: tuple[HeardSpan, ...] = ()
    words: Collection[str] = field(default_factory=frozenset, repr=False)

    @cached_property
    def _sheets(self) -> dict[str, Deponent]:
        return {}

    def sheet(self, edition: str) -> Deponent:
        """Return what a heard edition says, the same object each time: several are often held against one."""
        if edition not in self._sheets:
            place = self.editions.index(edition)
            said = [it.saying for it in self.spans if it.first <= place <= it.last]
            self._sheets[edition] = Deponent(edition, said)
        return self._sheets[edition]

    def around(self, edition: str) -> tuple[str, ...]:
        """Return the heard editions before and after one; itself, twice, where it is heard."""
        if edition in self.editions:
            return (edition, edition)
        before = [it for it in self.editions if it < edition]
        after = [it for it in self.editions if it > edition]
        return (*before[-1:], *after[:1])

    def text(self) -> str:
        """Return the file."""
        lines = [f"edition\t{edition}" for edition in self.editions]
        lines += (f"{_NAMES[it.kind]}\t{it.name}\t{it.run}\t{it.first}\t{it.last}" for it in self.spans)
        run = b"".join(sorted(b64decode(word) for word in self.words))
        return "".join(f"{line}\n" for line in (*lines, f"words\t{b64encode(run).decode()}"))

    @classmethod
    def read(cls, text: str) -> Affidavit:
        """Return what a file says. Raises `UsageError` for a line that is none of its own."""
        editions, spans, words = [], [], ""
        for place, line in enumerate(text.splitlines(), 1):
            match line.split("\t"):
                case [kind, name, run, first, last] if kind in _COLUMNS:
                    spans.append(HeardSpan(_COLUMNS[kind], name, run, int(first), int(last)))
                case ["edition", edition]:
                    editions.append(edition)
                case ["words", words]:
                    pass
                case _:
                    raise UsageError(
                        "the testimony has a line that says nothing",
                        where=f"line {place}",
                        way_out="take the file as `rulesgraph authority --testimony` wrote it",
                    )
        each = frozenset(words[at : at + 4] for at in range(0, len(words), 4))
        return cls(tuple(editions), tuple(spans), each)


def affidavit_of(witnesses: Iterable[Witness]) -> Affidavit:
    """Return the testimony of some editions."""
    heard = sorted(witnesses, key=lambda it: it.name)
    places: dict[Utterance, list[int]] = defaultdict(list)
    for place, witness in enumerate(heard):
        for saying in dict.fromkeys(map(saying_of, witness.pieces)):
            places[saying].append(place)
    spans = []
    for saying, found in sorted(places.items(), key=lambda it: (it[0].kind.value, it[0], it[1])):
        run = "".join(mark + _length(size) for mark, size in saying.sentences)
        first = last = found[0]
        for place in (*found[1:], len(heard) + 1):
            if place > last + 1:
                spans.append(HeardSpan(saying.kind, saying.name, run, first, last))
                first = place
            last = place
    words = frozenset(word_mark(word) for it in heard for piece in it.pieces for word in words_of(piece.text))
    return Affidavit(tuple(it.name for it in heard), tuple(spans), words)


@cache
def bundled_testimony() -> Affidavit:
    """Return the testimony that comes with the project."""
    file = resources.files(__package__) / FILE
    return Affidavit.read(file.read_text(encoding="utf-8")) if file.is_file() else Affidavit()


def saying_of(piece: Deposition) -> Utterance:
    """Return a piece of an edition as others bear witness to it."""
    return Utterance(piece.kind, piece.name, _said(piece))


def words_of(text: str) -> list[str]:
    """Return the words in small letters: names, and what is of one or two letters, tell nothing."""
    return _WORD.findall(text)


@lru_cache(maxsize=1 << 14)
def word_mark(word: str) -> str:
    """Return the checksum of a word or a sentence."""
    return b64encode(blake2b(word.encode(), digest_size=_HASHED).digest()).decode()


def _said(piece: Deposition) -> tuple[SentenceMark, ...]:
    return () if piece.kind is DepositionKind.ENTRY else _marks_of(piece.text)


@lru_cache(maxsize=1 << 14)
def _marks_of(text: str) -> tuple[SentenceMark, ...]:
    """Return the marks of the sentences of a text; most texts stand in many editions."""
    keys = map(words_alone, between_stops(text))
    return tuple(SentenceMark(word_mark(key), min(len(key), _LONGEST)) for key in keys if len(key) >= TELLING)


def _length(letters: int) -> str:
    return b64encode((letters << 4).to_bytes(2)).decode()[:_LENGTH]


@lru_cache(maxsize=1 << 14)
def _marks(run: str) -> tuple[SentenceMark, ...]:
    each = (run[at : at + _SENTENCE] for at in range(0, len(run), _SENTENCE))
    return tuple(SentenceMark(it[:-_LENGTH], _letters(it[-_LENGTH:])) for it in each)


@cache
def _letters(length: str) -> int:
    return int.from_bytes(b64decode(f"{length}A=")) >> 4
