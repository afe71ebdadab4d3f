"""Hold all data for judging citations, from a store or from one file without text of the rules.

It knows all rules of its edition, and so which of them a tree cites and which it does not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ...loaders.history.lives import FILE, Lives, bundled_lives
from ...loaders.language.numbers import order, wholes
from ...loaders.reading.references import find_references
from ...loaders.records import TargetKind
from ...ontology.errors import UsageError
from ...ontology.grouping import grouped
from ...ontology.json_values import compact
from ...ontology.resources import packaged
from ..session import Session
from ..verifying.meanings import CHAPTER, Meanings
from ..verifying.rulebook import Book, Rulebook
from ..verifying.topics import RuleWords, Stems, Topics

_VERSION = 1
_LARGEST = 64 << 20
_FIELDS = {"register": str, "edition": str, "others": dict, "rules": dict, "relied": dict}


class Material(NamedTuple):
    """The data to check citations against: numbers and titles, what numbers ever meant, what rules are about.

    `others` has number → provision of each edition that `lives` does not cover.
    """

    book: Book
    lives: Lives
    meanings: Meanings
    topics: Topics
    others: Mapping[str, Mapping[str, str]]
    kept: Mapping[str, int] | None = None

    @property
    def relied(self) -> Mapping[str, int]:
        """How often the rules of the edition cite each of them."""
        if self.kept is not None:
            return self.kept
        items = self.book.items.values() if isinstance(self.book, Rulebook) else ()
        cited = (it for item in items for text in item.texts for it in find_references(text))
        return Counter(target.key for it in cited for target in it.targets if target.kind is TargetKind.RULE)

    @property
    def edition(self) -> str:
        """The edition that citations are checked against."""
        return self.book.name


def material_of(session: Session, edition: str | None = None) -> Material:
    """Return a store's data on an edition of the comprehensive rules, by default the newest.

    Raises `UsageError` if there is none.
    """
    from ..verifying.verify import books

    book, _ = books(session, edition)
    if not book.meanings:
        raise UsageError(
            f"{book.name} is not an edition of the comprehensive rules",
            way_out="Load their text with `rulesgraph build`, or give a file with --data.",
        )
    return Material(book, bundled_lives(), book.meanings, book.topics, book.others)


def write_material(material: Material, out: BinaryIO) -> None:
    """Write the input of `read_material`: numbers, titles, checksums, and stems as numbers; no sentences."""
    rules = {
        number: [it.title, [part for pair in sorted(it.stems.items()) for part in pair]]
        for number, it in material.topics.rules.items()
    }
    content = {
        "edition": material.edition,
        "register": packaged("rulesgraph.loaders.history", FILE).decode("utf-8"),
        "others": material.others,
        "relied": material.relied,
        "rules": rules,
        "terms": material.topics.terms,
    }
    text = compact(content)
    head = {"rulesgraph citations": _VERSION, "sha256": sha256(text.encode()).hexdigest()}
    out.write(f"{json.dumps(head)}\n{text}\n".encode())


def read_material(path: Path) -> Material:
    """Read the output of `write_material`; raises `UsageError` for any other file, and for a damaged one."""
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


def _material(content: Mapping[str, object]) -> Material:
    if any(not isinstance(content[name], kind) for name, kind in _FIELDS.items()):
        raise ValueError
    rules: dict[str, RuleWords] = {}
    told: dict[str, tuple[str, list[int]]] = content["rules"]  # type: ignore[assignment]
    for number, (title, stems) in told.items():
        rules[number] = RuleWords(title, dict(zip(stems[::2], stems[1::2], strict=True)))
    name = str(content["edition"])
    lives = Lives(str(content["register"]))
    others: dict[str, dict[str, str]] = content["others"]  # type: ignore[assignment]
    relied: dict[str, int] = content["relied"]  # type: ignore[assignment]
    terms = [(str(name), str(number)) for name, number in content.get("terms", ())]  # type: ignore[attr-defined]
    book = Book(name, True, {number: it.title for number, it in rules.items()})
    meanings = Meanings(lives, name, book.titles.keys(), others)
    return Material(book, lives, meanings, Topics(rules, Stems(), terms), others, relied)


COLUMNS = ("chapter", "title", "rules", "cited", "share", "weight", "citations", "missing")
_SHOWN = 5


def coverage(
    material: Material, cited: Mapping[str, int], relied: Mapping[str, int]
) -> list[tuple[str | int | float | None, ...]]:
    """Return a row for each chapter, its `missing` rules those with the most reliance first.

    A rule counts as cited if it or a part of it is. `relied` says how often other rules cite each: `weight`
    is the share of that which the cited rules have.
    """
    reached = {whole for number in cited for whole in wholes(number)}
    numbers = (it for it in material.book.titles if "." in it and it[-1].isdigit() and it[:CHAPTER].isdigit())
    chapters = grouped((it[:CHAPTER], it) for it in numbers)
    sites: Counter[str] = Counter()
    for number, count in cited.items():
        sites[number[:CHAPTER]] += count
    rows: list[tuple[str | int | float | None, ...]] = []
    for chapter in sorted(chapters, key=order):
        rules = chapters[chapter]
        found = [it for it in rules if it in reached]
        whole = sum(relied.get(it, 0) for it in rules)
        weight = round(sum(relied.get(it, 0) for it in found) / whole, 2) if whole else None
        missing = sorted({*rules} - reached, key=lambda it: (-relied.get(it, 0), order(it)))
        rows.append(
            (
                *(chapter, material.book.titles.get(chapter, ""), len(rules), len(found)),
                *(round(len(found) / len(rules), 2), weight, sites[chapter]),
                ", ".join(missing[:_SHOWN]) + (" …" if len(missing) > _SHOWN else "") or None,
            )
        )
    return rows
