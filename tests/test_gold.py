"""The measured quality of links: precision and recall against the gold must not drop."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter, defaultdict
from pathlib import Path
from types import ModuleType

import pytest
from shared import documents


def _measure() -> ModuleType:
    """Load a module beside this one, since test modules are not a package."""
    spec = importlib.util.spec_from_file_location("measure", Path(__file__).with_name("measure.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["measure"] = module
    spec.loader.exec_module(module)
    return module


measure = _measure()

FLOORS = {
    # (document, kind): precision, recall; what was measured, rounded down
    ("cr-1999-11-01", "citation"): (1.0, 1.0),
    ("cr-1999-11-01", "term reference"): (1.0, 1.0),
    ("cr-2008-02-01", "citation"): (1.0, 1.0),
    ("cr-2008-02-01", "term reference"): (1.0, 1.0),
    ("cr-2026-01-16", "citation"): (1.0, 1.0),
    ("cr-2026-01-16", "term reference"): (1.0, 1.0),
    ("rulings-2008-03-17", "citation"): (1.0, 1.0),
    ("rulings-2008-03-17", "note"): (1.0, 1.0),
    ("rulings-2008-03-17", "term reference"): (1.0, 1.0),
    ("cr-1999-11-01", "verb form, tuned"): (1.0, 0.99),
    ("cr-1999-11-01", "verb form, unseen"): (0.98, 1.0),
    ("cr-2003-07-01", "verb form, tuned"): (1.0, 1.0),
    ("cr-2003-07-01", "verb form, unseen"): (0.99, 1.0),
    ("cr-2008-02-01", "mention, tuned"): (0.99, 0.99),
    ("cr-2008-02-01", "mention, unseen"): (0.99, 1.0),
    ("cr-2008-02-01", "verb form, tuned"): (1.0, 1.0),
    ("cr-2008-02-01", "verb form, unseen"): (1.0, 1.0),
    ("cr-2009-07-11", "verb form, tuned"): (1.0, 1.0),
    ("cr-2009-07-11", "verb form, unseen"): (1.0, 1.0),
    ("cr-2016-11-11", "verb form, tuned"): (1.0, 1.0),
    ("cr-2016-11-11", "verb form, unseen"): (1.0, 1.0),
    ("cr-2020-04-17", "verb form, tuned"): (1.0, 1.0),
    ("cr-2020-04-17", "verb form, unseen"): (1.0, 1.0),
    ("cr-2026-01-16", "mention, tuned"): (1.0, 1.0),
    ("cr-2026-01-16", "mention, unseen"): (0.99, 1.0),
    ("cr-2026-01-16", "verb form, tuned"): (1.0, 1.0),
    ("cr-2026-01-16", "verb form, unseen"): (1.0, 1.0),
    ("rulings-2008-03-17", "mention, tuned"): (1.0, 1.0),
    ("rulings-2008-03-17", "mention, unseen"): (1.0, 1.0),
}


def test_links_are_as_good_as_measured(shared: Path) -> None:
    scores = {**measure.reference_scores(shared), **measure.mention_scores(shared)}
    assert scores.keys() == FLOORS.keys()
    fallen = {
        key: (score.precision, score.recall)
        for key, score in scores.items()
        if score.precision < FLOORS[key][0] or score.recall < FLOORS[key][1]
    }
    assert not fallen


@pytest.mark.parametrize("file", ["references.tsv", "mentions.tsv", "mentions_verbs.tsv"])
def test_gold_is_about_units_that_exist(shared: Path, file: str) -> None:
    for name in {row["document"] for row in measure.gold(file)}:
        keys = {unit.key for unit in measure.units(measure.load(shared, name))}
        missing = {row["unit"] for row in measure.gold(file) if row["document"] == name} - keys
        assert not missing


def test_gold_is_large_enough(shared: Path) -> None:
    read = {(row["document"], row["unit"]) for row in measure.gold("references.tsv")}
    for name, least in (("cr-2008-02-01", 120), ("cr-2026-01-16", 120), ("rulings-2008-03-17", 168)):
        assert sum(document == name for document, _ in read) >= least
    mentioned = {(row["document"], row["unit"]) for row in measure.gold("mentions.tsv")}
    for name, least in (("cr-2008-02-01", 60), ("cr-2026-01-16", 60), ("rulings-2008-03-17", 40)):
        assert sum(document == name for document, _ in mentioned) >= least


def test_gold_of_verb_forms_spans_the_eras() -> None:
    parts = Counter((row["document"], row["part"]) for row in measure.gold("mentions_verbs.tsv"))
    assert {document for document, _ in parts} == measure.SOURCES.keys() - {"rulings-2008-03-17"}
    assert {part for _, part in parts} == {"tuned", "unseen"}
    assert min(parts.values()) >= 14


def test_gold_of_mentions_names_terms_of_its_editions(shared: Path) -> None:
    named: dict[str, set[str]] = defaultdict(set)
    for row in measure.gold("mentions_verbs.tsv"):
        named[row["document"]] |= set(row["terms"].split()) - {"-"}
    for row in measure.gold("mentions.tsv"):
        named[row["document"]] |= set(row["terms"].split()) - {"-"}
    for name, slugs in named.items():
        names = measure.EditionView(measure.load(shared, name), measure.Iris()).names
        assert slugs <= names.keys()


def test_gold_holds_no_sentences() -> None:
    for file in ("references.tsv", "mentions.tsv", "mentions_verbs.tsv"):
        for row in measure.gold(file):
            words = row["title"] if "title" in row else row["unit"]
            assert len(words.split()) <= 10
            assert not words.rstrip("!").endswith((".", "?", "!")) or words == "-"


LINKS = {"citation", "note", "entry-mention", "rule-mention"}


def _known(shared: Path, name: str) -> tuple[set[str], set[str]]:
    """Return the slugs of all terms and the numbers of all rules of an edition."""
    documents = measure.load(shared, name)
    names = set(measure.EditionView(documents, measure.Iris()).names)
    rules = [rule for document in documents for rule in document.rules]
    titles = {measure.slug(rule.title) for rule in rules if rule.title}
    return names | titles, {rule.number for rule in rules}


def test_gold_of_reliance_names_terms_of_its_editions(shared: Path) -> None:
    rows = measure.gold("reliance.tsv")
    for name in {row["edition"] for row in rows}:
        slugs, _ = _known(shared, name)
        assert {row[part] for row in rows if row["edition"] == name for part in ("concept", "term")} <= slugs


def test_gold_of_reliance_says_each_thing_once() -> None:
    rows = measure.gold("reliance.tsv")
    keys = [(row["edition"], row["concept"], row["term"]) for row in rows]
    assert len(set(keys)) == len(keys)
    assert not [row for row in rows if row["concept"] == row["term"]]
    assert {row["link"] for row in rows} == LINKS
    assert {row["verdict"] for row in rows} == {"right", "open"}


def test_gold_of_reliance_spans_small_and_large_concepts() -> None:
    right = Counter(
        (row["edition"], row["concept"]) for row in measure.gold("reliance.tsv") if row["verdict"] == "right"
    )
    for name in ("cr-2008-02-01", "cr-2026-01-16"):
        sizes = [size for (edition, _), size in right.items() if edition == name]
        assert len(sizes) >= 8
        assert min(sizes) <= 8
        assert max(sizes) >= 60


def test_gold_of_joins_is_about_entries_and_rules_that_exist(shared: Path) -> None:
    rows = measure.gold("joins.tsv")
    assert len({(row["edition"], row["entry"]) for row in rows}) == len(rows) >= 100
    for name in {row["edition"] for row in rows}:
        here = [row for row in rows if row["edition"] == name]
        headings = {entry.heading for document in measure.load(shared, name) for entry in document.entries}
        assert {row["entry"] for row in here} <= headings
        _, numbers = _known(shared, name)
        assert {number for row in here for number in row["rule"].split()} - {"-"} <= numbers


def test_gold_of_joins_gives_a_rule_unless_there_is_none() -> None:
    for row in measure.gold("joins.tsv"):
        assert row["verdict"] in {"title", "pointer", "none", "open"}
        assert (row["rule"] == "-") == (row["verdict"] == "none")


def test_gold_of_interaction_is_about_terms_and_rules_that_exist(shared: Path) -> None:
    slugs, numbers = _known(shared, "cr-2026-01-16")
    rows = measure.gold("interaction.tsv")
    assert len({frozenset((row["left"], row["right"])) for row in rows}) == len(rows) >= 12
    for row in rows:
        assert {row["left"], row["right"], *row["grounds"].split()} <= slugs
        assert set(row["rules"].split()) <= numbers
        assert row["grounds"]
        assert row["rules"]


def test_a_measuring_script_without_real_documents_ends_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as end:
        documents(tmp_path)
    assert end.value.code == f"the real documents are not at {tmp_path} (set RULESGRAPH_SHARED)"
