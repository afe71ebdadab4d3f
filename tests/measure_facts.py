"""Measure precision and recall of the facts read from definitions, against `tests/gold/facts.tsv`.

The gold contains ids, slugs and numbers, no words of the rules. It covers the three rulings pages completely,
and glossary entries and rules drawn by seed from three editions of the comprehensive rules. Each paragraph
was read in full with the facts found in it; each fact was kept or struck, and missing facts of the same kinds
were added. A statement counts when it says what kind of thing a term is (a class of the game ontology or
another term of the edition), lists things of such a kind, parts of the turn, layers or steps, gives a term
another name, its meaning or its replacement, or shows how it is written.

Patterns were written on other editions and corrected on the part called "tuned". The parts called "since"
were unseen when they were drawn (2006 and 2020: recall 0.92; 2016: precision 1.00, recall 0.79) and have been
looked at since. The two parts "across" were drawn over ten editions, 18 to 25 units of each: paragraphs of
the glossary by seed, and rules of 6 to 90 words. The first was read and used for corrections; then the second
was drawn, read before the finder ran, and not used. The two parts "again" are the halves of a sample over
nineteen editions (`gold/README.md`), read before the finder ran.

Run this file to print the table of docs/quality.md: `.venv/bin/python tests/measure_facts.py ../shared`.
"""

from __future__ import annotations

import csv
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache, singledispatch
from pathlib import Path

from measure import Score
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse
from real import parsed
from rulesgraph.loaders.facts.context import (
    Division,
    Fact,
    KindOf,
    Listing,
    OtherWords,
    Position,
    Statement,
    Steps,
    Template,
)
from rulesgraph.loaders.facts.find import fact_triples, find_facts
from rulesgraph.loaders.language.names import singular
from rulesgraph.loaders.language.words import straight
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.ontology import RDFS_LABEL, SKOS, last_name
from rulesgraph.ontology.hierarchy import vocabulary_store
from rulesgraph.ontology.iris import Iris, slug
from shared import documents

GOLD = Path(__file__).parent / "gold" / "facts.tsv"
SOURCES = {
    "rulings-2008-03-17": "seeds/00[034]_*.txt",
    "cr-2006-07-15": "corpora/cr/2006-07-15.txt",
    "cr-2020-04-17": "corpora/cr/2020-04-17.txt",
    "cr-2016-11-11": "corpora/cr/2016-11-11.txt",
    **{
        f"cr-{day}": f"corpora/cr/{day}.txt"
        for day in (
            *("1999-11-01", "2003-07-01", "2008-02-01", "2009-05-01", "2009-07-11", "2013-05-01"),
            *("2025-04-04", "2025-06-06", "2026-01-16"),
        )
    },
    **{
        f"cr-{day}": f"corpora/pairs/{day}.txt"
        for day in (
            *("2003-05-26", "2012-02-01", "2012-06-01", "2019-08-23", "2019-10-04", "2021-04-22"),
            "2021-06-18",
        )
    },
}
ACROSS = ("across-tuned", "across-unseen", "again-tuned", "again-unseen")
"""The parts of the two samples over many editions; each has too few facts for a figure of its own."""


@singledispatch
def key(statement: Statement) -> str:
    """Return a statement as the gold writes it: slugs, numbers and names of classes."""
    raise TypeError(statement)


@key.register
def _(said: KindOf) -> str:
    former = "formerly " if said.is_former else ""
    return f"{said.term} {former}{'+'.join(kind.cls or kind.term for kind in said.kinds)}"


@key.register
def _(said: Listing) -> str:
    order = "ordered" if said.is_ordered else "plain"
    return f"{slug(said.name)} {said.count} {order} {slug(said.current_as or 'none')}"


@key.register
def _(said: Division) -> str:
    return f"{slug(said.whole)} {'+'.join(map(slug, said.parts))}"


@key.register
def _(said: Position) -> str:
    return f"{said.part} {said.ordinal} {slug(said.whole)}"


@key.register
def _(said: Steps) -> str:
    return f"{slug(said.name)} {len(said.items) + len(said.rules)}"


@key.register
def _(said: OtherWords) -> str:
    if said.relation == "standsFor":
        return f"{said.term} {len(said.words.split())}"
    which = {"formerlyCalled": "formerly ", "alsoCalled": "also "}.get(said.relation, "")
    return f"{said.term} {which}{slug(said.words)}"


@key.register
def _(said: Template) -> str:
    return f"{said.term} {slug(said.wording)} {len(said.parameters)}"


_SORTS = {
    KindOf: "kind", Listing: "list", Division: "parts of the turn", Position: "place in the turn",
    Steps: "steps", Template: "template",
}  # fmt: skip
_RELATIONS = {"standsFor": "stands for", "gaveWayTo": "replaced"}


def sort_of(statement: Statement) -> str:
    """Return what the gold calls a kind of statement."""
    if isinstance(statement, OtherWords):
        return _RELATIONS.get(statement.relation, "other name")
    return _SORTS[type(statement)]


@cache
def view(shared: Path, name: str) -> EditionView:
    """Return the edition that the gold calls `name`."""
    paths = sorted(shared.glob(SOURCES[name]))
    return EditionView([parsed(path) for path in paths], Iris())


@cache
def facts(shared: Path, name: str) -> tuple[Fact, ...]:
    """Return the facts of an edition."""
    return tuple(find_facts(view(shared, name)))


def unit_key(iri: str) -> str:
    """Return how the gold calls a unit: `entry/G16.2/a`, `rule/502.15a`."""
    return Iris().local(iri).split("/", 2)[2]


def gold() -> list[dict[str, str]]:
    """Return the rows of the gold: document, part, unit, sort, fact; `-` where a unit states nothing."""
    with GOLD.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def scores(shared: Path, documents: tuple[str, ...] = tuple(SOURCES)) -> dict[tuple[str, str, str], Score]:
    """Return the score of each (document, part of the sample, sort of fact); "all" are all sorts together."""
    parts: dict[tuple[str, str], set[str]] = defaultdict(set)
    true: dict[tuple[str, str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    found: dict[tuple[str, str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for row in gold():
        if row["document"] not in documents:
            continue
        parts[row["document"], row["part"]].add(row["unit"])
        if row["sort"] != "-":
            for sort in (row["sort"], "all"):
                true[row["document"], row["part"], sort][row["unit"], row["fact"]] += 1
    for (name, part), units in parts.items():
        for fact in facts(shared, name):
            if (unit := unit_key(fact.unit.iri)) in units:
                for sort in (sort_of(fact.statement), "all"):
                    found[name, part, sort][unit, key(fact.statement)] += 1
    return {it: Score.of(found[it], true[it]) for it in sorted(true.keys() | found.keys())}


def across(shared: Path) -> dict[tuple[str, str], Score]:
    """Return the score of each (part, sort of fact) of the samples over many editions."""
    summed: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for (_, part, sort), score in scores(shared).items():
        if part in ACROSS:
            own = summed[part, sort]
            own[:] = [own[0] + score.right, own[1] + score.wrong, own[2] + score.missed]
    ordered = sorted(summed, key=lambda key: (ACROSS.index(key[0]), key[1]))
    return {key: Score(*summed[key]) for key in ordered}


def by_pattern(shared: Path) -> dict[str, Score]:
    """Return for each pattern how many of its facts are right and wrong; misses have no pattern."""
    true = {(row["document"], row["unit"], row["fact"]) for row in gold()}
    read = {(row["document"], row["unit"]) for row in gold()}
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name in SOURCES:
        for fact in facts(shared, name):
            unit = unit_key(fact.unit.iri)
            if (name, unit) in read:
                counts[fact.pattern][(name, unit, key(fact.statement)) not in true] += 1
    return {pattern: Score(right, wrong, 0) for pattern, (right, wrong) in sorted(counts.items())}


def differences(shared: Path) -> Iterable[str]:
    """Yield a line for each fact that differs from the gold, for improving the patterns."""
    for name in SOURCES:
        rows = [row for row in gold() if row["document"] == name]
        units = {row["unit"] for row in rows}
        true = {(row["unit"], row["fact"]) for row in rows if row["sort"] != "-"}
        got = {(unit_key(fact.unit.iri), key(fact.statement)) for fact in facts(shared, name)}
        got = {pair for pair in got if pair[0] in units}
        for unit, fact in sorted(true ^ got):
            yield f"{name} {unit}: {'missed' if (unit, fact) in true else 'wrong'} {fact}"


def said_where(view: EditionView) -> Counter[str]:
    """Return how many facts of an edition name what they state in their quote, and where the others do.

    Others are headings, follow from the sentence ("inferred"), or introduce a list: its items are rules, have
    the number of one, or are named in the rule or paragraph that they are derived from. Those left count by
    their id.
    """
    triples: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    lines = b"".join(fact_triples(view).nquads("http://g"))
    for it in parse(input=lines, format=RdfFormat.N_QUADS):
        assert isinstance(it, Quad)
        assert isinstance(it.subject, NamedNode)
        assert isinstance(it.object, NamedNode | Literal)
        triples[it.subject.value][last_name(it.predicate.value)].append(it.object.value)
    names = {view.iris.term(term): list(called) for term, called in view.names.items()}
    for labels in vocabulary_store().quads_for_pattern(None, None, None):
        if isinstance(labels.object, Literal) and labels.predicate.value in (RDFS_LABEL, SKOS.altLabel):
            names.setdefault(str(getattr(labels.subject, "value", "")), []).append(labels.object.value)
    texts = {unit.iri: unit.text for unit in view.units if not unit.part}
    where: Counter[str] = Counter()
    for me, fact in [*triples.items()]:
        if "factProperty" not in fact:
            continue
        [quote], [pattern] = fact["quote"], fact["pattern"]
        things = [it for it in fact["factObject"] if it not in texts and not triples[it]["notation"]]
        of_objects = [names.get(it) or triples[it]["label"] for it in things]
        if fact["factObject"] and not things:
            where["list below"] += 1
        elif all(_is_said(called, quote) for called in [*of_objects, *([it] for it in fact["factValue"])]):
            where["quote"] += 1
        elif pattern in ("heading", "inferred"):
            where[pattern] += 1
        else:
            below = [" ".join(map(texts.__getitem__, triples[it]["wasDerivedFrom"])) for it in things]
            where["list below" if things and all(map(_is_said, of_objects, below)) else me] += 1
    return where


def _is_said(names: Iterable[str], text: str) -> bool:
    """Return whether all words of one of the names are in a text, in either number, or a word for them."""
    said = _in_singular(text)
    return any(said.issuperset(_in_singular(name)) for name in names)


def _in_singular(text: str) -> set[str]:
    same = {"subtype": "type", "optional": "option"}
    words = (singular(word) for word in re.findall(r"[^\W_]+", straight(text).lower()))
    return {same.get(word, word) for word in words}


def table(shared: Path) -> str:
    """Return the measured figures as Markdown tables: by document and sort, then by pattern."""
    lines = ["| document | part | fact | gold | precision | recall |", "|---|---|---|---|---|---|"]
    for (name, part, sort), score in scores(shared).items():
        true = score.right + score.missed
        lines.append(f"| {name} | {part} | {sort} | {true} | {score.precision:.3f} | {score.recall:.3f} |")
    lines += ["", "| pattern | facts | precision |", "|---|---|---|"]
    for pattern, score in by_pattern(shared).items():
        lines.append(f"| {pattern} | {score.right + score.wrong} | {score.precision:.3f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    where = documents(*sys.argv[1:2])
    sys.stdout.write(table(where) + "\n\n" + "\n".join(differences(where)) + "\n")
