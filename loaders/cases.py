"""Read solved cases from JSON Lines or a tab-separated table, and add them to a change of a store.

The first line of a table names its columns. Cases are linked to provisions, so old numbers are followed.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from ..ontology import Iris, QueryFiles, SourceError, slug
from .given import beginning, read_whole
from .graph.quads import C, TripleSet, day, node, text, write_quads
from .history.lives import Lives, bundled_lives
from .language.numbers import number_in
from .store.protocol import Rewrite, text_rows

COLUMNS = ("id", "question", "answer", "cards", "rules", "as_of", "source", "licence")
"""The columns of a case; question, rules and as_of are never empty. Further columns are ignored."""

BUNDLED = "bundled-cases"
"""The name of the bundled cases, which are used even if not loaded, unless a set of this name is loaded."""

_TELLING = frozenset(("question", "rules"))
"""The columns by which a file of cases is known; it needs `as_of` as well."""

_SNIFFED = 1 << 16
_PARTED = re.compile(r"[\s,;]+")
_DAY = re.compile(r"(?:[a-z]+-)?(\d{4}-\d\d-\d\d)")
_LONGEST = 4000
"""How many characters of a question or an answer are kept."""


class SolvedCase(NamedTuple):
    """A question that was answered: `rules` are the numbers cited, as of the day `as_of`."""

    key: str
    question: str
    answer: str
    cards: tuple[str, ...]
    rules: tuple[str, ...]
    as_of: date
    source: str
    licence: str


class CaseSet(NamedTuple):
    """The cases of one file, the `source`."""

    source: str
    set_id: str
    checksum: str
    cases: tuple[SolvedCase, ...]


class CaseSummary(NamedTuple):
    """What a build loaded: the file, the id of the set, and how many cases and unknown numbers it has."""

    source: str
    case_set: str
    cases: int
    unknown: int


def is_case_data(path: str | Path) -> bool:
    """Return whether a file holds cases, judged by its first line; False if it cannot be read."""
    try:
        head = beginning(path, _SNIFFED) if os.path.isfile(path) else b""
        first = head.partition(b"\n")[0].decode("utf-8-sig").strip()
        found = json.loads(first) if first.startswith("{") else first.split("\t")
    except (OSError, ValueError):
        return False
    return set(found) >= _TELLING


def bundled_file() -> Path:
    """Return the table of the bundled cases, as `build` reads it."""
    return Path(__file__).with_name("cases.tsv")


def bundled_cases() -> list[dict[str, str]]:
    """Return the bundled cases; `part` says which half was never used for tuning."""
    text = bundled_file().read_text("utf-8")
    return list(csv.DictReader(StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def read_cases(path: str | Path) -> CaseSet:
    """Return the cases of a file; raises `SourceError`, with the line, for one that cites no rules."""
    data = read_whole(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError("it is not UTF-8 text") from error
    cases = tuple(_case(row, line) for line, row in _rows(text))
    keys = [it.key for it in cases]
    if len(set(keys)) < len(keys):
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise SourceError(f"two cases have the id {twice!r}")
    return CaseSet(str(path), slug(Path(path).stem), hashlib.sha256(data).hexdigest(), cases)


def _rows(text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if not text.startswith("{"):
        table = csv.DictReader(StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
        yield from enumerate(table, start=2)
        return
    for line, one in enumerate(text.split("\n"), start=1):
        if one.strip():
            try:
                row = json.loads(one)
            except ValueError as error:
                raise SourceError("this line is not JSON", line=line) from error
            if not isinstance(row, dict):
                raise SourceError("this line is not a JSON object", line=line)
            yield line, row


def _case(row: Mapping[str, Any], line: int) -> SolvedCase:
    said = {name: _words(row.get(name)) for name in COLUMNS}
    question = said["question"][:_LONGEST]
    rules = tuple(dict.fromkeys(map(number_in, _PARTED.split(said["rules"]))))
    day = _DAY.fullmatch(said["as_of"])
    if not question:
        raise SourceError("this case has no question", line=line)
    if not all(rules):
        raise SourceError(f"this case cites no rule numbers: {said['rules']!r}", line=line)
    if day is None:
        needed = "`as_of` must be the date or the edition of its rules"
        raise SourceError(
            f"this case has no valid date or edition: {needed}, not {said['as_of']!r}", line=line
        )
    try:
        as_of = date.fromisoformat(day[1])
    except ValueError as error:
        raise SourceError(f"there is no day {day[1]}", line=line) from error
    cards = tuple(filter(None, (it.strip() for it in said["cards"].split(";"))))
    key = slug(said["id"] or str(line))
    answer = said["answer"][:_LONGEST]
    return SolvedCase(key, question, answer, cards, rules, as_of, said["source"], said["licence"])


def _words(value: object) -> str:
    """Return a value as it is written in a table: lists separated by semicolons."""
    parts = value if isinstance(value, list) else [value]
    return "; ".join(" ".join(str(it).split()) for it in parts if it is not None)


_QUERIES = QueryFiles.beside(__name__)


class CaseUpdate:
    """The changes to a store's sets of cases; `sets` are the ids of those that it will have afterwards."""

    def __init__(self, rewrite: Rewrite, iris: Iris, scratch: Path) -> None:
        self._rewrite = rewrite
        self._iris = iris
        self._scratch = scratch
        self.sets = {name for (name,) in text_rows(rewrite, _QUERIES.bound("cases", {}))}

    def add(self, files: Iterable[CaseSet]) -> list[CaseSummary]:
        """Add sets of cases, each with the name of its file; a set replaces one of the same id."""
        done: list[CaseSummary] = []
        for place, found in enumerate(files):
            lives = bundled_lives()
            path = self._scratch / f"{place}.cases"
            graph = self._iris.cases(found.set_id)
            write_quads(path, _statements(found, lives, self._iris), graph)
            self._rewrite.replace(graph, path)
            self.sets.add(found.set_id)
            unknown = sum(not provision for case in found.cases for provision in provisions(case, lives))
            done.append(CaseSummary(found.source, found.set_id, len(found.cases), unknown))
        return done

    def remove(self, name: str) -> bool:
        """Remove a set of cases; return False if none has this id."""
        if name not in self.sets:
            return False
        self.sets.remove(name)
        self._rewrite.drop([self._iris.cases(name)])
        return True


def provisions(case: SolvedCase, lives: Lives) -> list[str]:
    """Return the ids of the provisions that a case cites, in order of its rules; ``""`` for none."""
    edition = lives.in_force(case.as_of)
    return [lives.holding(number, edition) if edition else "" for number in case.rules]


def _statements(found: CaseSet, lives: Lives, iris: Iris) -> TripleSet:
    triples, me = TripleSet(), node(iris.cases(found.set_id))
    triples.say(me, type=C["CaseSet"], identifier=text(found.set_id), checksum=text(found.checksum))
    for case in found.cases:
        it = node(iris.cases(found.set_id, case.key))
        triples.say(it, type=C["SolvedCase"], isPartOf=me, text=text(case.question), issued=day(case.as_of))
        triples.say(it, answer=case.answer and text(case.answer), source=case.source and text(case.source))
        triples.say(it, license=case.licence and text(case.licence), subject=map(text, case.cards))
        known = map(iris.provision, filter(None, provisions(case, lives)))
        triples.say(it, citesNumber=map(text, case.rules), references=map(node, known))
    return triples
