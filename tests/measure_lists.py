"""Compare the lists in real editions, item by item, with the gold in `lists.tsv`.

The gold was made from the lines of the files, by their numbers: the headings below the chapters of keyword
actions and abilities, the parts of the rules that list actions; the short lists were read by a person. It
contains only names and numbers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import measure
import real
from measure import Score
from rulesgraph.loaders.facts.find import fact_triples
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.ontology.iris import Iris

Said = dict[str, dict[str, list[str]]]


def gold() -> dict[tuple[str, str], set[str]]:
    """Return (day, class of the game or name of the list) → what the edition lists, in small letters."""
    lists: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in measure.gold("lists.tsv"):
        lists[row["edition"], row["kind"]].add(row["item"].lower())
    return lists


@cache
def facts(path: Path) -> Said:
    """Return the facts of an edition: subject → property → objects, all by their last words."""
    found: Said = defaultdict(lambda: defaultdict(list))
    for line in fact_triples(EditionView([real.parsed(path)], Iris())).lines:
        subject, prop, value = line.split(" ", 2)
        found[subject][local(prop)].append(value)
    return found


def local(iri: str) -> str:
    """Return the last word of an IRI."""
    return re.split(r"[#/]", iri.strip("<>"))[-1]


def listed(shared: Path, day: str, kind: str) -> list[set[str]]:
    """Return the items of each list that an edition has of the things of a class, in small letters.

    `kind` is the class, or what the list is called, if its things are of none.
    """
    graph = facts(real.rules(shared, day))
    lists = [
        it
        for it in list(graph)
        if [local(cls) for cls in graph[it].get("listOf", ())] == [kind]
        or ("Listing" in map(local, graph[it].get("type", ())) and graph[it]["label"] == [f'"{kind}"@en'])
    ]
    return [{_called(graph, item) for item in graph[it]["hasItem"]} for it in lists]


def scores(shared: Path) -> dict[str, Score]:
    """Return day → how many items of its lists are right, wrong and missed; one listed twice is wrong."""
    found: dict[str, Score] = {}
    for day in sorted({day for day, _ in gold()}):
        true = {(kind, item) for (of, kind), items in gold().items() if of == day for item in items}
        said = Counter(
            (kind, item)
            for of, kind in gold()
            if of == day
            for items in listed(shared, day, kind)
            for item in items
        )
        right = len(true & said.keys())
        found[day] = Score(right, said.total() - right, len(true) - right)
    return found


def _called(graph: Said, thing: str) -> str:
    name = (graph[thing].get("notation") or graph[thing]["label"])[0]
    return name.split('"')[1].replace("’", "'").lower()
