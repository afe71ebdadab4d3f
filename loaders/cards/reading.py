"""Read card data as it is downloaded: MTGJSON (AtomicCards, sets), Scryfall (oracle cards, rulings).

A file is JSON or JSON Lines, gzipped or not, and is read piece by piece: its objects are never all in memory.
The keys of an object show what it is, so a file may hold cards and rulings. Other objects are counted; a file
with many of them is refused, and so is one that is cut off or damaged.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from ...ontology import SourceError, slug
from ..given import beginning
from .records import Card, CardFace, CardRuling, CardSet

MOST_BYTES = 2 << 30
"""The maximum size of an unpacked file; the largest bulk files of all printings are half as large."""

MOST_CARDS = 200_000
LONGEST_TEXT = 20_000
"""The maximum length of a text in characters; the longest text of a card has two thousand."""

_SNIFFED = 1 << 16
_GZIP = b"\x1f\x8b"
_MTGJSON = re.compile(rb'\s*\{\s*"(?:meta|data)"\s*:')
_SIGNS = re.compile(rb'"(?:oracle_id|oracle_text|scryfallOracleId|manaValue|convertedManaCost)"')
_TOKENS = frozenset(("token", "double_faced_token", "emblem", "art_series"))
"""Layouts of objects printed beside the cards of a set."""

_MOST_OTHERS = 0.05
"""A file is refused if this share of its objects are neither cards nor rulings."""

_BROKEN = "The file is truncated or damaged: download it again."


def is_card_data(path: str | Path) -> bool:
    """Return whether a file holds cards or rulings, judged by its first bytes; False if it cannot be read."""
    try:
        head = beginning(path, _SNIFFED) if os.path.isfile(path) else b""
    except (OSError, ValueError):
        return False
    if head.startswith(_GZIP):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, _SNIFFED)
        except zlib.error:
            return False
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return head[:1] in (b"{", b"[") and bool(_SIGNS.search(head))


def read_cards(path: str | Path) -> CardSet:
    """Read a file of cards, or of rulings about cards.

    The id of the set is made from its source and its date: the date in the file's `meta`, else the newest
    date in the file, else the day on which the file was last changed (UTC). Raises `SourceError` with what is
    wrong, and where.
    """
    gathered = _Gathered()
    with _opened(Path(path)) as file:
        is_mtgjson = bool(_MTGJSON.match(file.head))
        for it in _mtgjson(file, gathered) if is_mtgjson else _values(file):
            gathered.take(it)
    with open(path, "rb") as raw:
        changed = datetime.fromtimestamp(os.fstat(raw.fileno()).st_mtime, UTC).date()
        return gathered.card_set(hashlib.file_digest(raw, "sha256").hexdigest(), changed)


# -- bytes ----------------------------------------------------------------------------------------


class _Bytes:
    """The unpacked bytes of a file, up to a limit; `head` are the first, `done` counts those read."""

    def __init__(self, raw: BinaryIO) -> None:
        start = raw.read(2)
        raw.seek(0)
        self._file: Any = gzip.GzipFile(fileobj=raw) if start == _GZIP else raw
        self.head = self._file.read(_SNIFFED).removeprefix(b"\xef\xbb\xbf")
        self._kept = self.head
        self.done = 0

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; the first call returns the head, whatever its size."""
        if not size:
            return b""
        data, self._kept = self._kept or self._file.read(size), b""
        self.done += len(data)
        if self.done > MOST_BYTES:
            raise SourceError(
                f"it has more than {MOST_BYTES:,} bytes",
                way_out="Use the file of cards, not the one with all printings in all languages.",
            )
        return data


@contextmanager
def _opened(path: Path) -> Iterator[_Bytes]:
    """Open a JSON file; the error says why it cannot be read to its end."""
    import ijson  # type: ignore[import-untyped]

    where = ""
    try:
        with path.open("rb") as raw:
            file = _Bytes(raw)
            try:
                yield file
            finally:
                where = f", near byte {file.done:,}"
    except (EOFError, zlib.error, gzip.BadGzipFile, ijson.JSONError, UnicodeDecodeError) as error:
        what = " ".join(str(error).split())[:120] or "it ends too early"
        raise SourceError(f"this is incomplete JSON{where}: {what}", way_out=_BROKEN) from error
    except OSError as error:
        raise SourceError(f"the file cannot be read: {error}", way_out=_BROKEN) from error


# -- objects --------------------------------------------------------------------------------------


def _values(file: _Bytes) -> Iterator[Any]:
    """Yield the objects of an array, of lines, or of a list as Scryfall's searches return it."""
    import ijson

    prefix = "item" if file.head.lstrip()[:1] == b"[" else ""
    for value in ijson.items(file, prefix, use_float=True, multiple_values=not prefix):
        held = (
            isinstance(value, Mapping) and "name" not in value and (value.get("data") or value.get("cards"))
        )
        yield from held if isinstance(held, list) else (value,)


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _mtgjson(file: _Bytes, gathered: _Gathered) -> Iterator[Any]:
    """Yield the faces in a file of MTGJSON; its `data` are cards by name, one set, or sets by code."""
    for key, value in _pairs(file):
        if key == "meta":
            gathered.meta = value if isinstance(value, Mapping) else {}
        elif key == "code" and isinstance(value, str):
            gathered.code = value
        elif isinstance(value, Mapping):
            yield from _listed(value.get("cards"))
            gathered.left_out["tokens"] += len(_listed(value.get("tokens")))
        elif isinstance(value, list):
            if key == "tokens":
                gathered.left_out["tokens"] += len(value)
            elif key == "cards" or all(isinstance(it, Mapping) and "type" in it for it in value):
                yield from value


def _pairs(file: _Bytes) -> Iterator[tuple[str, Any]]:
    """Yield ``meta`` and its value, and each key and value of ``data``, in order."""
    import ijson
    from ijson.common import ObjectBuilder  # type: ignore[import-untyped]

    builder: ObjectBuilder | None = None
    under = ""
    for prefix, event, value in ijson.parse(file, use_float=True):
        if builder:
            builder.event(event, value)
            if prefix == under and event in ("end_map", "end_array"):
                yield under.removeprefix("data."), builder.value
                builder = None
        elif event == "map_key" and prefix in ("", "data"):
            under = f"{prefix}.{value}" if prefix else str(value)
        elif prefix == under and under != "data" and under:
            if event in ("start_map", "start_array"):
                builder = ObjectBuilder()
                builder.event(event, value)
            else:
                yield under.removeprefix("data."), value


class _Named(NamedTuple):
    """The data of a card collected so far."""

    layout: str
    faces: dict[str, CardFace]
    rulings: dict[CardRuling, None]
    oracle: str


_NAMESAKES = "other cards of the same name"


def _is_another(card: _Named, oracle: object) -> bool:
    """Return whether an object is of another card than the one with its name, by their ids."""
    return bool(oracle and card.oracle) and str(oracle) != card.oracle


def _is_record(value: object) -> bool:
    return isinstance(value, Mapping)


class _Gathered:
    """Cards and rulings as they come; `meta` is the file's own description, `code` that of a set."""

    def __init__(self) -> None:
        self.meta: Mapping[str, Any] = {}
        self.code = ""
        self.left_out: Counter[str] = Counter()
        self.is_mtgjson = False
        self._cards: dict[str, _Named] = {}
        self._loose: dict[str, dict[CardRuling, None]] = defaultdict(dict)
        self._taken = 0
        self._newest: date | None = None
        self._first_stranger = ""

    def take(self, it: Any) -> None:
        """Add one object: a card, a face or a ruling; count anything else."""
        self._taken += 1
        if not isinstance(it, Mapping):
            self._count_other(it)
        elif isinstance(it.get("comment"), str) and isinstance(it.get("oracle_id"), str):
            ruling = CardRuling(self._day(it.get("published_at")), self._text(it["comment"]))
            self._loose[it["oracle_id"]][ruling] = None
        elif not isinstance(it.get("name"), str) or not it["name"].strip():
            self._count_other(it)
        elif isinstance(it.get("type"), str) and "layout" in it:
            self.is_mtgjson = True
            self._face_of_mtgjson(it)
        elif isinstance(it.get("type_line"), str) or isinstance(it.get("card_faces"), list):
            self._card_of_scryfall(it)
        else:
            self._count_other(it)
        if len(self._cards) > MOST_CARDS:
            raise SourceError(
                f"it has more than {MOST_CARDS:,} cards", way_out="Use the file with one object per card."
            )

    def _count_other(self, it: object) -> None:
        self.left_out["neither cards nor rulings"] += 1
        self._first_stranger = self._first_stranger or repr(it)[:80]

    def _text(self, value: object) -> str:
        if value is not None and not isinstance(value, str):
            raise SourceError(f"a text is {value!r}", way_out=_BROKEN)
        if value and len(value) > LONGEST_TEXT:
            raise SourceError(f"a text has {len(value):,} characters, more than any card", way_out=_BROKEN)
        return (value or "").strip()

    def _day(self, value: object) -> date | None:
        try:
            day = date.fromisoformat(str(value))
        except ValueError:
            return None
        self._newest = max(self._newest or day, day)
        return day

    def _named(self, name: str, layout: object, oracle: object) -> _Named:
        plain = " ".join(name.split())
        return self._cards.setdefault(plain, _Named(str(layout or ""), {}, {}, str(oracle or "")))

    def _face_of_mtgjson(self, it: Mapping[str, Any]) -> None:
        ids = it.get("identifiers")
        oracle = it.get("scryfallOracleId") or (
            ids.get("scryfallOracleId") if isinstance(ids, Mapping) else ""
        )
        card = self._named(it["name"], it["layout"], oracle)
        if _is_another(card, oracle):
            self.left_out[_NAMESAKES] += 1
            return
        name = " ".join(str(it.get("faceName") or it["name"]).split())
        words = map(self._text, (it["type"], it.get("text"), it.get("manaCost")))
        card.faces[str(it.get("side") or "") + name] = CardFace(name, *words)
        for ruling in filter(_is_record, _listed(it.get("rulings"))):
            card.rulings[CardRuling(self._day(ruling.get("date")), self._text(ruling.get("text")))] = None

    def _card_of_scryfall(self, it: Mapping[str, Any]) -> None:
        if str(it.get("layout")) in _TOKENS:
            self.left_out["tokens"] += 1
            return
        self._day(it.get("released_at"))
        faces = [*filter(_is_record, _listed(it.get("card_faces")))] or [it]
        oracle = it.get("oracle_id") or next((face.get("oracle_id") for face in faces), "")
        card = self._named(it["name"], it.get("layout"), oracle)
        if _is_another(card, oracle):
            self.left_out[_NAMESAKES] += 1
            return
        for place, face in enumerate(faces):
            name = " ".join(str(face.get("name") or it["name"]).split())
            line = face.get("type_line") or it.get("type_line")
            words = map(self._text, (line, face.get("oracle_text"), face.get("mana_cost")))
            card.faces[f"{place:03}{name}"] = CardFace(name, *words)

    def card_set(self, checksum: str, changed: date) -> CardSet:
        """Return everything collected, with cards by name; raises `SourceError` if there is too little.

        `changed` is the date of a set whose objects have none.
        """
        strangers = self.left_out["neither cards nor rulings"]
        if strangers > _MOST_OTHERS * self._taken or not (self._cards or self._loose):
            raise SourceError(
                f"{strangers:,} of {self._taken:,} objects are neither cards nor rulings",
                excerpt=self._first_stranger,
                way_out="Load MTGJSON's AtomicCards or sets, or Scryfall's oracle cards or rulings.",
            )
        cards = []
        for name, it in sorted(self._cards.items()):
            rulings = (*it.rulings, *self._loose.pop(it.oracle, ())) if it.oracle else tuple(it.rulings)
            faces = tuple(face for _, face in sorted(it.faces.items()))
            cards.append(Card(name, it.layout, faces, tuple(dict.fromkeys(rulings)), it.oracle))
        loose = {key: tuple(own) for key, own in sorted(self._loose.items())}
        source = self._text(self.meta.get("source")) or ("MTGJSON" if self.is_mtgjson else "Scryfall")
        issued = self._day(self.meta.get("date")) or self._newest or changed
        name = slug(" ".join(filter(None, (source, self.code, issued.isoformat()))))
        left_out = {what: count for what, count in self.left_out.items() if count}
        return CardSet(name, source, issued, checksum, tuple(cards), loose, left_out)
