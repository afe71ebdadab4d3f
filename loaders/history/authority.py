"""Read the authority file, which gives provisions permanent ids, and look up the ids of an edition's rules.

The file is text with columns separated by tabs. It holds no words of the rules:

- ``edition`` and the id of an edition that it covers;
- ``renamed``, a retired name, its replacement, and the first edition that has the replacement;
- ``provision``, the id, a number, the checksum and the signature of the words, and the first and the last of
a run of consecutive covered editions in which the provision has that number and those words;
- ``corrected``, an id that named another rule by mistake, its correct id, the first and the last edition with
  the mistake, and the day of the correction;
- ``text``, ``example`` or ``paragraph``, its number or heading, the checksum of its words, and the first and
  the last of the consecutive covered editions that have it;
- ``replaced``, a provision (``P00012``, or ``cr-2008-02-01/420.5`` for a provisional one), the one that
  replaced it, and the first edition for which this holds;
- ``withdrawn``, two provisions of which a ``replaced`` row was wrong, and the day when that was found;
- ``doubtful``, a provision, a covered edition in which its words changed so much that it may be another
  rule, and the confidence that it is not.

An id never changes and is never reused: `extended` only adds. It means the rule that it named first. An id
that never named anything but the corrected rule is retired by the correction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from ...ontology import UsageError, grouped, packaged
from ..language.words import wording
from .items import Item, masked
from .likeness import checksum, likenesses, signature, table
from .lives import FILE
from .tenures import Successor

TELLING = 8
"""Words that show which game a rule is from: every game has a chapter "General"."""

LEAST_KNOWN = 0.1
"""The share of an edition's rules whose words must be in the file; with less it is another text or game."""

SAME_NUMBER = 0.3
"""The minimum likeness to the rule with the same number in the nearest covered edition."""

NEW_NUMBER = 0.5
"""The minimum likeness to a rule with another number there, if neither is more like any other."""


@dataclass(frozen=True)
class Wording:
    """A rule for the file: its number (``605.2c~2`` for a second one), checksum and signature.

    A signature takes time, so it is made from the rule's `tokens` when it is needed.
    """

    number: str
    checksum: str
    written: str = field(default="", compare=False)
    tokens: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @cached_property
    def signature(self) -> str:
        """The likeness of the words in 43 letters."""
        return self.written or signature(self.tokens)


@dataclass(frozen=True, slots=True)
class AuthorityRow:
    """A provision with one number and wording, from one covered edition to another without a gap."""

    provision: str
    wording: Wording
    first: str
    last: str


class Correction(NamedTuple):
    """From `first` to `last`, the id `old` should have been `new`; `day` is when the mistake was found."""

    old: str
    new: str
    first: str
    last: str
    day: str


class Doubt(NamedTuple):
    """It is uncertain whether a provision in an edition is the one of the edition before."""

    provision: str
    edition: str
    sure: str


class Text(NamedTuple):
    """A rule, an example or a paragraph of an entry.

    Its kind, its number or heading, and the checksum of its words.
    """

    kind: str
    name: str
    checksum: str


class TextRow(NamedTuple):
    """A text that occurs from one covered edition to another without a gap."""

    text: Text
    first: str
    last: str


class Coverage(NamedTuple):
    """The size of a file: provisions, rows of them, and covered editions."""

    provisions: int
    rows: int
    editions: int


@dataclass(frozen=True)
class Authority:
    """The content of the file: the covered editions in order, the rows, and what replaced what."""

    editions: tuple[str, ...] = ()
    rows: tuple[AuthorityRow, ...] = ()
    replaced: tuple[Successor, ...] = ()
    renamed: tuple[Successor, ...] = ()
    corrected: tuple[Correction, ...] = ()
    texts: tuple[TextRow, ...] = ()
    withdrawn: tuple[Successor, ...] = ()
    doubtful: tuple[Doubt, ...] = ()

    @cached_property
    def _by_words(self) -> Mapping[str, list[AuthorityRow]]:
        return grouped((row.wording.checksum, row) for row in self.rows)

    def with_words(self, checksum: str) -> Sequence[AuthorityRow]:
        """Return the rows with some words, by their checksum."""
        return self._by_words.get(checksum, ())

    @cached_property
    def _checksums(self) -> Set[str]:
        return {it.text.checksum for it in self.texts} | self._by_words.keys()

    def knows(self, checksum: str) -> bool:
        """Return whether a covered edition has some words, by their checksum."""
        return checksum in self._checksums

    def covering(self, kind: str) -> Sequence[str]:
        """Return the editions whose texts of a kind are all known: any for rules, else those with a copy."""
        return self.editions if kind == "rule" else self._at_hand

    @cached_property
    def _at_hand(self) -> Sequence[str]:
        return sorted({edition for it in self.texts for edition in (it.first, it.last)})

    def rules_of(self, edition: str) -> dict[str, AuthorityRow]:
        """Return number → row of a covered edition."""
        return {row.wording.number: row for row in self.rows if row.first <= edition <= row.last}

    def texts_of(self, edition: str) -> set[Text]:
        """Return the texts of a covered edition; see `departures` for examples and paragraphs."""
        rules = (Text("rule", name, row.wording.checksum) for name, row in self.rules_of(edition).items())
        return {*rules, *(row.text for row in self.texts if row.first <= edition <= row.last)}

    def provisions(self, edition: str, rules: Sequence[Wording]) -> dict[str, str]:
        """Return number → id for the rules of an edition that have one; the others are provisional.

        The answer depends only on the edition and the file. In a covered edition the number decides, if the
        words are alike. In any other, the words decide first, then the number and the likeness in the nearest
        covered editions on both sides, then a likeness beyond doubt.
        """
        telling = [rule for rule in rules if len(rule.tokens) >= TELLING]
        known = sum(rule.checksum in self._by_words for rule in telling)
        if known < max(1, LEAST_KNOWN * len(telling)):
            return {}
        naming = _Naming(rules)
        if edition in self.editions:
            naming.by_number([self.rules_of(edition)])
        near = [self.rules_of(other) for other in self._nearest(edition)]
        naming.by_words(self._by_words, near)
        naming.by_number(near)
        naming.by_likeness(near)
        return naming.found

    def _nearest(self, edition: str) -> list[str]:
        """Return the covered editions next to one, the later one first: most rules are added for good."""
        before = [it for it in self.editions if it < edition]
        after = [it for it in self.editions if it > edition]
        return [*after[:1], *before[-1:]]

    @property
    def coverage(self) -> Coverage:
        """The size of the file."""
        return Coverage(len({row.provision for row in self.rows}), len(self.rows), len(self.editions))

    @cached_property
    def given_up(self) -> Mapping[str, str]:
        """Return retired id → the id that this rule has instead."""
        named = {row.provision for row in self.rows}
        return {it.old: it.new for it in reversed(self.corrected) if it.old not in named}

    # -- as text --------------------------------------------------------------------------------

    def text(self) -> str:
        """Return the file."""
        lines = [f"edition\t{edition}" for edition in self.editions]
        lines += ["\t".join(("renamed", *it)) for it in self.renamed]
        for row in self.rows:
            it = row.wording
            lines.append(
                f"{row.provision}\t{it.number}\t{it.checksum}\t{it.signature}\t{row.first}\t{row.last}"
            )
        for kind in ("replaced", "withdrawn", "corrected", "doubtful"):
            lines += ["\t".join((kind, *it)) for it in getattr(self, kind)]
        lines += ["\t".join(("text", *it.text, it.first, it.last)) for it in self.texts]
        return "".join(f"{line}\n" for line in lines)

    @classmethod
    def read(cls, text: str) -> Authority:
        """Return the content of a file. Raises `UsageError` for a wrong line."""
        found: dict[str, list[Any]] = {kind: [] for kind in _ROWS}
        for place, line in enumerate(text.splitlines(), 1):
            first, *others = line.split("\t")
            kind, told = (first, others) if first in _ROWS else ("provision", [first, *others])
            try:
                found[kind].append(_ROWS[kind](*told))
            except TypeError as error:
                raise UsageError(
                    "a line of the authority file cannot be read",
                    where=f"line {place}",
                    way_out="Use a file that `rulesgraph authority` wrote.",
                ) from error
        return cls(**{_FIELDS.get(kind, kind): tuple(rows) for kind, rows in found.items()})


_ROWS: Mapping[str, Callable[..., object]] = {
    "edition": lambda edition: edition,
    "provision": lambda it, number, words, likeness, first, last: AuthorityRow(
        it, Wording(number, words, likeness), first, last
    ),
    "replaced": Successor,
    "renamed": Successor,
    "corrected": Correction,
    "text": lambda kind, name, words, first, last: TextRow(Text(kind, name, words), first, last),
    "withdrawn": Successor,
    "doubtful": Doubt,
}
"""Functions that make a row of each kind from its columns."""

_FIELDS = {"edition": "editions", "provision": "rows", "text": "texts"}
"""Kind of rows → the field of `Authority` that has them, if it is called otherwise."""


@cache
def bundled() -> Authority:
    """Return the bundled authority file."""
    return Authority.read(packaged("rulesgraph.loaders.history", FILE).decode("utf-8"))


def text_of(kind: str, name: str, words: str) -> Text:
    """Return a rule, an example or a paragraph in the form of the file."""
    return Text(kind, wording(name), checksum(masked(words)))


def wording_of(number: str, rule: Item) -> Wording:
    """Return a rule in the form of the file: its words with rule numbers as ``#``."""
    return _wording(number, rule.masked, rule.tokens)


@lru_cache(maxsize=1 << 13)
def _wording(number: str, words: str, tokens: tuple[str, ...]) -> Wording:
    return Wording(number, checksum(words), tokens=tokens)


class _Naming:
    """The rules of one edition while they get their ids; no id is given twice."""

    def __init__(self, rules: Sequence[Wording]) -> None:
        self.rules = rules
        self.found: dict[str, str] = {}
        self._given: set[str] = set()

    def _left(self) -> list[Wording]:
        return [rule for rule in self.rules if rule.number not in self.found]

    def _give(self, rule: Wording, provision: str) -> None:
        if rule.number not in self.found and provision not in self._given:
            self.found[rule.number] = provision
            self._given.add(provision)

    def by_number(self, tables: Iterable[Mapping[str, AuthorityRow]]) -> None:
        """Give the id of the same number where the words are similar enough, most similar first."""
        chosen = [
            (rule, rows[rule.number]) for rows in tables for rule in self._left() if rule.number in rows
        ]
        other = [n for n, (rule, row) in enumerate(chosen) if rule.checksum != row.wording.checksum]
        signed = [(chosen[n][0].signature, chosen[n][1].wording.signature) for n in other]
        alike = dict.fromkeys(range(len(chosen)), 1.0) | dict(zip(other, likenesses(signed), strict=True))
        for n in sorted(alike, key=lambda n: -alike[n]):
            if alike[n] >= SAME_NUMBER:
                self._give(chosen[n][0], chosen[n][1].provision)

    def by_words(
        self, by_words: Mapping[str, list[AuthorityRow]], near: Sequence[Mapping[str, AuthorityRow]]
    ) -> None:
        """Give the id with the same words; of several, prefer the same number, then a near edition."""
        close = {row.provision for rows in near for row in rows.values()}
        for want_number, want_close in ((True, True), (True, False), (False, True), (False, False)):
            for rule in self._left():
                for row in by_words.get(rule.checksum, ()):
                    fits = not want_number or row.wording.number == rule.number
                    if fits and (not want_close or row.provision in close):
                        self._give(rule, row.provision)

    def by_likeness(self, near: Sequence[Mapping[str, AuthorityRow]]) -> None:
        """Give the id of the most similar rule, where the similarity is mutual."""
        for rows in near:
            free = [row for row in rows.values() if row.provision not in self._given]
            left = self._left()
            if not free or not left:
                continue
            alike = table([rule.signature for rule in left], [row.wording.signature for row in free])
            best = alike.argmax(axis=1)
            for place, rule in enumerate(left):
                there = best[place]
                if alike[place, there] >= NEW_NUMBER and alike[:, there].argmax() == place:
                    self._give(rule, free[there].provision)
