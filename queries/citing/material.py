"""Read and write the data for judging citations: from a store, or from a file that contains no rules text.

The data cover all rules of an edition, so they also show which rules a tree does not cite.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from ...loaders.history.lives import FILE, Lives
from ...loaders.language.numbers import order, wholes
from ...ontology import RulesMissingError, UsageError, compact, grouped, packaged
from ..session import Session
from ..verifying.meanings import CHAPTER, Meanings
from ..verifying.rulebook import Book
from ..verifying.topics import RuleWords, Stems, Topics

_VERSION = 1
_LARGEST = 64 << 20
_FIELDS = {"register": str, "edition": str, "others": dict, "rules": dict, "relied": dict}


def material_of(session: Session, edition: str | None = None) -> Book:
    """Return a store's data on an edition of the comprehensive rules, by default the newest.

    Raises `UsageError` if there is none.
    """
    from ..verifying.verify import books

    book, _ = books(session, edition)
    if not book.whole and edition is None:
        raise RulesMissingError(", or give a file with --data")
    if not book.whole:
        raise UsageError(
            f"{book.name} is not an edition of the comprehensive rules",
            way_out="Load their text with `rulesgraph build`, or give a file with --data.",
        )
    return book


def write_material(book: Book, out: BinaryIO) -> None:
    """Write a file for `read_material`: numbers, titles, checksums, and stems as numbers; no sentences."""
    rules = {
        number: [it.title, [part for pair in sorted(it.stems.items()) for part in pair]]
        for number, it in book.topics.rules.items()
    }
    content = {
        "edition": book.name,
        "register": packaged("rulesgraph.loaders.history", FILE).decode("utf-8"),
        "others": book.meanings.others,
        "relied": book.relied,
        "rules": rules,
        "terms": book.topics.terms,
    }
    text = compact(content)
    head = {"rulesgraph citations": _VERSION, "sha256": sha256(text.encode()).hexdigest()}
    out.write(f"{json.dumps(head)}\n{text}\n".encode())


def read_material(path: Path) -> Book:
    """Read a file from `write_material`; raises `UsageError` for any other or damaged file."""
    try:
        if path.stat().st_size > _LARGEST:
            raise UsageError(f"{path} is too large to be a file of citations", way_out=_WAY_OUT)
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", way_out=_WAY_OUT) from error
    head, _, text = data.partition(b"\n")
    try:
        told = json.loads(head)
        version, checksum = told["rulesgraph citations"], told["sha256"]
    except (ValueError, TypeError, KeyError):
        raise UsageError(f"{path} is not a file of citations", way_out=_WAY_OUT) from None
    if version != _VERSION:
        raise UsageError(
            f"{path} is of version {version!r}; this program reads version {_VERSION}", way_out=_WAY_OUT
        )
    text = text.removesuffix(b"\n")
    if sha256(text).hexdigest() != checksum:
        raise UsageError(f"{path} is damaged: its checksum does not match its content", way_out=_WAY_OUT)
    try:
        return _material(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError, IndexError):
        raise UsageError(f"{path} is not a complete file of citations", way_out=_WAY_OUT) from None


_WAY_OUT = "`rulesgraph export --as citations -o FILE` writes one from a store."


def _material(content: Mapping[str, Any]) -> Book:
    if any(not isinstance(content[name], kind) for name, kind in _FIELDS.items()):
        raise ValueError
    rules = {
        number: RuleWords(title, dict(zip(stems[::2], stems[1::2], strict=True)))
        for number, (title, stems) in content["rules"].items()
    }
    terms = [(str(name), str(number)) for name, number in content.get("terms", ())]
    name, titles = content["edition"], {number: it.title for number, it in rules.items()}
    meanings = Meanings(Lives(content["register"]), name, titles.keys(), content["others"])
    return Book(name, True, titles, meanings, Topics(rules, Stems(), terms), content["relied"])


COLUMNS = ("chapter", "title", "rules", "cited", "share", "weight", "citations", "missing")
_SHOWN = 5


def coverage(book: Book, cited: Mapping[str, int]) -> list[tuple[str | int | float | None, ...]]:
    """Return a row for each chapter, with the `missing` rules that are relied on most first.

    Citing a part of a rule counts as citing the rule. `weight` is the share of all reliance between rules
    that goes to the cited ones.
    """
    relied, titles = book.relied, book.titles
    reached = {whole for number in cited for whole in wholes(number)}
    numbers = (it for it in titles if "." in it and it[-1].isdigit() and it[:CHAPTER].isdigit())
    chapters = grouped((it[:CHAPTER], it) for it in numbers)
    counts = grouped((number[:CHAPTER], count) for number, count in cited.items())
    rows: list[tuple[str | int | float | None, ...]] = []
    for chapter in sorted(chapters, key=order):
        rules = chapters[chapter]
        found = [it for it in rules if it in reached]
        whole = sum(relied.get(it, 0) for it in rules)
        weight = round(sum(relied.get(it, 0) for it in found) / whole, 2) if whole else None
        missing = sorted({*rules} - reached, key=lambda it: (-relied.get(it, 0), order(it)))
        rows.append(
            (
                *(chapter, titles.get(chapter, ""), len(rules), len(found)),
                *(round(len(found) / len(rules), 2), weight, sum(counts[chapter])),
                ", ".join(missing[:_SHOWN]) + (" …" if len(missing) > _SHOWN else "") or None,
            )
        )
    return rows
