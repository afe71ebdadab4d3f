"""Precision and recall of the links that loaders find, against gold made by hand in `tests/gold`.

The gold holds numbers, slugs and titles, no words of the rules. For references, units were drawn by a
seeded choice among those of three editions that have a figure or the word "see", all that send the reader
to a name were added, and the rulings pages are there whole. For mentions, units of five words and more
were drawn. Each unit was read with the finder's marks in it (mentions in whole texts, references
mostly in windows around figures and the words that announce one), each mark kept or struck, and what
was missing added. Rules of the finder were mended on the part called "tuned" alone; the part called
"unseen" was drawn afterwards; two rules, each made for a case in the tuned part, came after a first look
at it.

Run this file to print the table of the README: `.venv/bin/python tests/measure.py ../shared`.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from real import parsed
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.loaders.linking.mentions import MentionFinder
from rulesgraph.loaders.records import Document, Reference, TargetKind
from rulesgraph.ontology.iris import Iris, slug

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


@dataclass(frozen=True)
class Unit:
    """One text unit of a document, by the key that the gold calls it by."""

    key: str
    text: str
    references: tuple[Reference, ...]
    own: str = ""


@dataclass(frozen=True)
class Score:
    """How many links were found rightly, found wrongly, and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """The share of the found links that are right."""
        return self.right / (self.right + self.wrong)

    @property
    def recall(self) -> float:
        """The share of the true links that were found."""
        return self.right / (self.right + self.missed)


@cache
def load(shared: Path, name: str) -> tuple[Document, ...]:
    """Return the documents that the gold calls `name`."""
    return tuple(parsed(path) for path in sorted(shared.glob(SOURCES[name])))


def units(documents: tuple[Document, ...]) -> Iterator[Unit]:
    """Yield every text unit: `502.15a`, `502.15a/example/1`, `G16.2/a`, `echo/1`, `G16.2/note/1`."""
    for document in documents:
        for rule in document.rules:
            key = f"{rule.number}~{rule.occurrence}" if rule.occurrence > 1 else rule.number
            yield Unit(key, rule.text, rule.references)
            for place, example in enumerate(rule.examples, start=1):
                yield Unit(f"{key}/example/{place}", example.text, example.references)
        for entry in document.entries:
            own = slug(entry.names[0])
            for paragraph in entry.paragraphs:
                key = f"{entry.key}/{paragraph.key}"
                yield Unit(key, paragraph.text, paragraph.references, own)
                for place, example in enumerate(paragraph.examples, start=1):
                    yield Unit(f"{key}/example/{place}", example.text, example.references, own)
            for ruling in entry.rulings:
                yield Unit(f"{entry.key}/ruling/{ruling.key}", ruling.text, ruling.references, own)
            for note in entry.notes:
                yield Unit(f"{entry.key}/note/{note.key}", note.text, note.references, own)


def gold(file: str) -> list[dict[str, str]]:
    """Return the rows of a gold file; `-` stands for nothing."""
    with (GOLD / file).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


Link = tuple[str, str, str]


def reference_scores(shared: Path) -> dict[tuple[str, str], Score]:
    """Return the score for each (document, kind of link); a link with the wrong title is wrong."""
    true: dict[tuple[str, str], Counter[Link]] = defaultdict(Counter)
    read: dict[str, set[str]] = defaultdict(set)
    for row in gold("references.tsv"):
        read[row["document"]].add(row["unit"])
        if row["targets"] != "-":
            title = "" if row["title"] == "-" else row["title"]
            kind = _kind(row["unit"], row["targets"].startswith("term:"))
            true[row["document"], kind][row["unit"], row["targets"], title] += 1
    found: dict[tuple[str, str], Counter[Link]] = defaultdict(Counter)
    for name, keys in read.items():
        for unit in units(load(shared, name)):
            for reference in unit.references if unit.key in keys else ():
                is_term = reference.targets[0].kind is TargetKind.TERM
                link = (unit.key, _targets(reference), reference.quoted_title or "")
                found[name, _kind(unit.key, is_term)][link] += 1
    return {key: _score(found[key], true[key]) for key in sorted(true.keys() | found.keys())}


def mention_scores(shared: Path) -> dict[tuple[str, str], Score]:
    """Return the score of mentions (unit → term) for each (document, part of the sample)."""
    scores = {}
    for name in sorted({row["document"] for row in gold("mentions.tsv")}):
        documents = load(shared, name)
        finder = MentionFinder(EditionView(documents, Iris()).names)
        by_key = {unit.key: unit for unit in units(documents)}
        for part in ("tuned", "unseen"):
            true: Counter[Link] = Counter()
            found: Counter[Link] = Counter()
            for row in gold("mentions.tsv"):
                if (row["document"], row["part"]) != (name, part):
                    continue
                unit = by_key[row["unit"]]
                skip = [(reference.start, reference.end) for reference in unit.references]
                slugs = {mention.slug for mention in finder.find(unit.text, skip, unit.own)}
                found.update((unit.key, term, "") for term in slugs)
                true.update((unit.key, term, "") for term in row["terms"].split() if term != "-")
            scores[name, f"mention, {part}"] = _score(found, true)
    return scores


def _kind(unit: str, is_term: bool) -> str:
    if is_term:
        return "term reference"
    return "note" if "/note/" in unit else "citation"


def _targets(reference: Reference) -> str:
    return ",".join(
        target.key if target.kind is TargetKind.RULE else f"{target.kind.value}:{target.key}"
        for target in reference.targets
    )


def _score(found: Counter[Link], true: Counter[Link]) -> Score:
    return Score((found & true).total(), (found - true).total(), (true - found).total())


def differences(shared: Path) -> Iterator[str]:
    """Yield a line for each mention that differs from the gold: for people who mend the finder."""
    for name in SOURCES:
        documents = load(shared, name)
        finder = MentionFinder(EditionView(documents, Iris()).names)
        by_key = {unit.key: unit for unit in units(documents)}
        for row in gold("mentions.tsv"):
            if row["document"] == name:
                unit = by_key[row["unit"]]
                skip = [(reference.start, reference.end) for reference in unit.references]
                slugs = {mention.slug for mention in finder.find(unit.text, skip, unit.own)}
                true = set(row["terms"].split()) - {"-"}
                for term in sorted(slugs ^ true):
                    yield f"{name} {unit.key}: {'wrong' if term in slugs else 'missed'} {term}"


def table(shared: Path) -> str:
    """Return the measured figures as a Markdown table."""
    lines = ["| document | link | gold | precision | recall |", "|---|---|---|---|---|"]
    for (name, kind), score in {**reference_scores(shared), **mention_scores(shared)}.items():
        true = score.right + score.missed
        lines.append(f"| {name} | {kind} | {true} | {score.precision:.3f} | {score.recall:.3f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    where = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")
    sys.stdout.write(table(where) + "\n\n" + "\n".join(differences(where)) + "\n")
