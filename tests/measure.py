"""Measure precision and recall of the links that loaders find, against the hand-made gold in `tests/gold`.

The gold contains numbers, slugs and titles, no words of the rules. For references, units with a figure or the
word "see" were drawn by seed from three editions, all units that refer the reader to a name were added, and
the rulings pages are complete. For mentions, units of five words and more were drawn, and in seven editions
units with forms of verbs (`gold/README.md`). Each unit was read with the finder's marks in it (mentions in
whole texts, references mostly in windows around figures and the words that announce one), each mark kept or
struck, and missing ones added. Rules of the finder were corrected only on the part called "tuned"; the part
called "unseen" was drawn afterwards; two rules, each made for a case in the tuned part, came after a first
look at it.

Run this file to print the table of docs/quality.md: `.venv/bin/python tests/measure.py ../shared`.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from real import parsed
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.loaders.linking.mentions import MentionFinder, verbs_used
from rulesgraph.loaders.records import Document, Reference, TargetKind
from rulesgraph.ontology.iris import Iris, slug
from shared import documents

GOLD = Path(__file__).parent / "gold"
SOURCES = {
    "cr-1999-11-01": "corpora/cr/1999-11-01.txt",
    "cr-2003-07-01": "corpora/cr/2003-07-01.txt",
    "cr-2008-02-01": "corpora/cr/2008-02-01.txt",
    "cr-2009-07-11": "corpora/cr/2009-07-11.txt",
    "cr-2016-11-11": "corpora/cr/2016-11-11.txt",
    "cr-2020-04-17": "corpora/cr/2020-04-17.txt",
    "cr-2026-01-16": "corpora/cr/2026-01-16.txt",
    "rulings-2008-03-17": "seeds/00[034]_*.txt",
}
MENTIONS = {"mentions.tsv": "mention", "mentions_verbs.tsv": "verb form"}
"""The samples of mentions, and what a score calls them: units of any kind, and units with forms of verbs."""


@dataclass(frozen=True)
class KeyedText:
    """A text unit of a document, by its key in the gold."""

    key: str
    text: str
    references: tuple[Reference, ...]
    own: str = ""


@dataclass(frozen=True)
class Score:
    """How many links or facts were found correctly, found wrongly, and missed."""

    right: int
    wrong: int
    missed: int

    @classmethod
    def of(cls, found: Counter[Any], true: Counter[Any]) -> Score:
        """Compare what was found with what is true."""
        return cls((found & true).total(), (found - true).total(), (true - found).total())

    @property
    def precision(self) -> float:
        """The share of what was found that is right; 1 if nothing was found."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """The share of what is true that was found; 1 if nothing is."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


@cache
def load(shared: Path, name: str) -> tuple[Document, ...]:
    """Return the documents that the gold calls `name`."""
    return tuple(parsed(path) for path in sorted(shared.glob(SOURCES[name])))


def units(documents: tuple[Document, ...]) -> Iterator[KeyedText]:
    """Yield every text unit: `502.15a`, `502.15a/example/1`, `G16.2/a`, `echo/1`, `G16.2/note/1`."""
    for document in documents:
        for rule in document.rules:
            key = f"{rule.number}~{rule.occurrence}" if rule.occurrence > 1 else rule.number
            yield KeyedText(key, rule.text, rule.references)
            for place, example in enumerate(rule.examples, start=1):
                yield KeyedText(f"{key}/example/{place}", example.text, example.references)
        for entry in document.entries:
            own = slug(entry.names[0])
            for paragraph in entry.paragraphs:
                key = f"{entry.key}/{paragraph.key}"
                yield KeyedText(key, paragraph.text, paragraph.references, own)
                for place, example in enumerate(paragraph.examples, start=1):
                    yield KeyedText(f"{key}/example/{place}", example.text, example.references, own)
            for ruling in entry.rulings:
                yield KeyedText(f"{entry.key}/ruling/{ruling.key}", ruling.text, ruling.references, own)
            for note in entry.notes:
                yield KeyedText(f"{entry.key}/note/{note.key}", note.text, note.references, own)


def gold(file: str) -> list[dict[str, str]]:
    """Return the rows of a gold file; `-` means nothing."""
    with (GOLD / file).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


GoldLink = tuple[str, str, str]


@cache
def reference_scores(shared: Path) -> dict[tuple[str, str], Score]:
    """Return the score for each (document, kind of link); a link with the wrong title is wrong."""
    true: dict[tuple[str, str], Counter[GoldLink]] = defaultdict(Counter)
    read: dict[str, set[str]] = defaultdict(set)
    for row in gold("references.tsv"):
        read[row["document"]].add(row["unit"])
        if row["targets"] != "-":
            title = "" if row["title"] == "-" else row["title"]
            kind = _kind(row["unit"], row["targets"].startswith("term:"))
            true[row["document"], kind][row["unit"], row["targets"], title] += 1
    found: dict[tuple[str, str], Counter[GoldLink]] = defaultdict(Counter)
    for name, keys in read.items():
        for unit in units(load(shared, name)):
            for reference in unit.references if unit.key in keys else ():
                is_term = reference.targets[0].kind is TargetKind.TERM
                link = (unit.key, _targets(reference), reference.quoted_title or "")
                found[name, _kind(unit.key, is_term)][link] += 1
    return {key: Score.of(found[key], true[key]) for key in sorted(true.keys() | found.keys())}


@cache
def mention_scores(shared: Path) -> dict[tuple[str, str], Score]:
    """Return the score of mentions (unit → term) for each (document, sample and part of it)."""
    true: dict[tuple[str, str], Counter[GoldLink]] = defaultdict(Counter)
    found: dict[tuple[str, str], Counter[GoldLink]] = defaultdict(Counter)
    for sample, kind in MENTIONS.items():
        for row, slugs in mentions(shared, sample):
            key = row["document"], f"{kind}, {row['part']}"
            found[key].update((row["unit"], term, "") for term in slugs)
            true[key].update((row["unit"], term, "") for term in row["terms"].split() if term != "-")
    return {key: Score.of(found[key], true[key]) for key in sorted(true)}


def mentions(shared: Path, sample: str) -> Iterator[tuple[dict[str, str], set[str]]]:
    """Yield each row of a file of mentions with the slugs of the terms that the finder finds there."""
    rows = gold(sample)
    for name in sorted({row["document"] for row in rows}):
        documents = load(shared, name)
        view = EditionView(documents, Iris())
        finder = MentionFinder(view.names, verbs_used(unit.text for unit in view.units))
        by_key = {unit.key: unit for unit in units(documents)}
        for row in rows:
            if row["document"] == name:
                unit = by_key[row["unit"]]
                skip = [(reference.start, reference.end) for reference in unit.references]
                yield row, {mention.slug for mention in finder.find(unit.text, skip, unit.own)}


def _kind(unit: str, is_term: bool) -> str:
    if is_term:
        return "term reference"
    return "note" if "/note/" in unit else "citation"


def _targets(reference: Reference) -> str:
    return ",".join(
        target.key if target.kind is TargetKind.RULE else f"{target.kind.value}:{target.key}"
        for target in reference.targets
    )


def differences(shared: Path) -> Iterator[str]:
    """Yield a line for each mention in a tuned part that differs from the gold, for improving the finder."""
    for sample in MENTIONS:
        for row, slugs in mentions(shared, sample):
            if row["part"] == "tuned":
                for term in sorted(slugs ^ (set(row["terms"].split()) - {"-"})):
                    yield f"{row['document']} {row['unit']}: {'wrong' if term in slugs else 'missed'} {term}"


def table(shared: Path) -> str:
    """Return the measured figures as a Markdown table."""
    lines = ["| document | link | gold | precision | recall |", "|---|---|---|---|---|"]
    for (name, kind), score in {**reference_scores(shared), **mention_scores(shared)}.items():
        true = score.right + score.missed
        lines.append(f"| {name} | {kind} | {true} | {score.precision:.3f} | {score.recall:.3f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    where = documents(*sys.argv[1:2])
    sys.stdout.write(table(where) + "\n\n" + "\n".join(differences(where)) + "\n")
