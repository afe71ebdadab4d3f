"""Read what people type into a search: words to find, and conditions on where to find them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import NamedTuple

from ...loaders.indexing.stemmer import TOKENIZER, in_plain_forms, without_contractions
from ...loaders.language.names import plural
from ...loaders.language.numbers import number_in
from ...loaders.language.words import words_in
from ...ontology import UsageError

KINDS = {
    "section": ("section",),
    "chapter": ("chapter",),
    "rule": ("rule", "subrule"),
    "subrule": ("subrule",),
    "heading": (),
    "example": ("example",),
    "entry": ("entry",),
    "note": ("note",),
    "ruling": ("ruling",),
    "paragraph": ("paragraph",),
}
"""The values of `kind:`, and the kinds of passages that each stands for; a heading has a title."""

MOST_WORDS = 64
"""The maximum number of words in a search; anything longer is a text."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_PIECE = re.compile(
    r"""(?i:(?P<key>in|kind|edition|cites)):(?:"(?P<quoted>[^"]*)"?|(?P<value>\S*))|"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+)"""
)
_STOPS = "?!.,;:()"
_TYPOGRAPHIC = str.maketrans("“”„‘’", '"""\'\'')


class Wanted(NamedTuple):
    """Something to search for: a word, or adjacent words; with `prefix`, the last may be longer.

    `said` is how it was written, without final punctuation.
    """

    words: tuple[str, ...]
    prefix: bool = False
    said: str = ""

    def __eq__(self, other: object) -> bool:
        """Return whether two are the same, however written."""
        return isinstance(other, Wanted) and self[:2] == other[:2]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:2])

    @property
    def match(self) -> str:
        """The item as an FTS5 query, with letters and digits quoted so that nothing else is interpreted."""
        return self._quoted(in_plain_forms(" ".join(self.words)))

    @property
    def marked(self) -> str:
        """The item as it may be in a text with plural nouns."""
        one = in_plain_forms(" ".join(self.words))
        return " OR ".join(dict.fromkeys(map(self._quoted, (" ".join(self.words), one, plural(one)))))

    def is_in(self, index: sqlite3.Connection) -> bool:
        """Return whether any passage has it."""
        found = index.execute("SELECT 1 FROM words WHERE words MATCH ? LIMIT 1", (self.match,))
        return found.fetchone() is not None

    def _quoted(self, words: str) -> str:
        return f'"{words}"' + ("*" if self.prefix else "")

    def __str__(self) -> str:
        return f"“{self.said or ' '.join(self.words)}”"


class Search(NamedTuple):
    """What to find, and where: inside a number, in passages of some kinds or that cite some numbers.

    `kinds` are keys of `KINDS`; `edition` is as in `--edition`, or ``""``.
    """

    wanted: tuple[Wanted, ...] = ()
    within: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    edition: str = ""


def read_search(text: str) -> Search:
    """Read what was typed. Any text is a search, unless a condition is incomplete.

    Raises `UsageError` for a condition without a value, an unknown kind, or an invalid number.

    >>> found = read_search('moth* "lit lamps" in:310 kind:Rule')
    >>> [it.match for it in found.wanted], found.within, found.kinds
    (['"moth"*', '"lit lamp"'], ('310',), ('rule',))
    """
    wanted: dict[Wanted, None] = {}
    conditions: dict[str, list[str]] = {"in": [], "kind": [], "cites": [], "edition": []}
    for piece in _PIECE.finditer(without_contractions(cleaned(text).translate(_TYPOGRAPHIC))):
        key = (piece["key"] or "").lower()
        if key:
            conditions[key] += _values(key, piece["quoted"] or piece["value"] or "")
            continue
        said = (piece["phrase"] if piece["phrase"] is not None else piece["word"]).strip(_STOPS)
        words = tuple(words_in(said))
        if words and len(wanted) < MOST_WORDS:
            wanted[Wanted(words[:MOST_WORDS], said.endswith("*"), said)] = None
    return Search(
        tuple(wanted),
        tuple(map(_number, conditions["in"])),
        tuple(map(_kind, conditions["kind"])),
        tuple(map(_number, conditions["cites"])),
        ",".join(conditions["edition"]),
    )


def cleaned(text: str) -> str:
    """Return a text with spaces for control characters and for halves of surrogate pairs."""
    return _CONTROL.sub(" ", text)


def _values(key: str, given: str) -> list[str]:
    values = [value.strip() for value in re.split(r"[,|]", given) if value.strip()]
    if not values:
        raise UsageError(
            f"{key}: names nothing", way_out=f"Write it without a space, as in {key}:{_EXAMPLES[key]}"
        )
    return values


_EXAMPLES = {"in": "702", "kind": "rule", "cites": "704.5", "edition": "all"}


_DEEP = re.compile(r"\w{0,2}\d{1,3}(?:[.-]\d{1,3}[a-z]?){2,}")
"""The form of numbers in other kinds of rules: 1.6.1.5, 2-8-4-2."""


def _number(given: str) -> str:
    number = number_in(given)
    if not number and _DEEP.fullmatch(given):
        return given
    if not number:
        raise UsageError(f"{given!r} is not a rule number", way_out="Numbers look like 702, 704.5k or G16.2.")
    return number


def _kind(given: str) -> str:
    kind = given.lower()
    kind = kind if kind in KINDS else {"entries": "entry"}.get(kind, kind.removesuffix("s"))
    if kind not in KINDS:
        raise UsageError(f"{given!r} is not a kind of passage", way_out=f"Choose from: {', '.join(KINDS)}")
    return kind


Spans = tuple[tuple[int, int], ...]
"""Places in a text as code points, end exclusive."""

_BEGIN, _END = "\x02", "\x03"


def marks(texts: Sequence[str], wanted: Iterable[Wanted]) -> tuple[Spans, ...]:
    """Return the places in each text that have one of the words.

    >>> marks(["A moth sits.", "Moths, and no lamp."], [Wanted(("moth",)), Wanted(("lamp",))])
    (((2, 6),), ((0, 5), (14, 18)))
    """
    match = " OR ".join(it.marked for it in wanted if "/" not in "".join(it.words))  # here, +1/+1 is 1 and 1
    found: dict[int, Spans] = {}
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE VIRTUAL TABLE it USING fts5(text, tokenize='{TOKENIZER}')")
        database.executemany(
            "INSERT INTO it(rowid, text) VALUES (?, ?)",
            ((place, re.sub(f"[{_BEGIN}{_END}]", " ", text)) for place, text in enumerate(texts)),
        )
        shown = "SELECT rowid, highlight(it, 0, ?, ?) FROM it WHERE it MATCH ?"
        for place, marked in database.execute(shown, (_BEGIN, _END, match)) if match else ():
            found[place] = tuple(_spans(marked))
    return tuple(found.get(place, ()) for place in range(len(texts)))


def _spans(marked: str) -> Iterable[tuple[int, int]]:
    gone = 0
    for match in re.finditer(f"{_BEGIN}([^{_END}]*){_END}", marked):
        start = match.start() - gone
        gone += 2
        yield start, start + len(match[1])
