"""The bundled starter rules: clean pages in our own words that keep the facts of the real ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from real import parsed, seed
from rulesgraph.loaders.reading.rulings import parse as rulings
from rulesgraph.loaders.reading.source import decode, read_source
from rulesgraph.loaders.records import Document, Entry, Paragraph, Target, TargetKind

PAGES = {"g5": 21, "g12": 18, "g16": 31}
"""Page → entries."""

SPEAK_OF_STATE_BASED_EFFECTS = {
    "Effect",
    "Ending the Turn",
    "Equipment",
    "Leaves Play",
    "Legendary",
    "Lethal Damage",
    "Life",
    "Lose the Game",
    "Loyalty",
    "Poison Counter",
    "Priority",
    "Protection",
}
LONGEST_SHARED_RUN = 5
"""Words in a row that a starter sentence may have in common with a real document."""


def load(name: str) -> Document:
    data = files("rulesgraph.loaders").joinpath("starter", f"{name}.txt").read_bytes()
    return rulings.parse(decode(data, name))


@pytest.fixture(scope="module")
def starter() -> dict[str, Document]:
    return {name: load(name) for name in (*PAGES, "rules")}


def units(entry: Entry) -> list[Paragraph]:
    examples = [example for paragraph in entry.paragraphs for example in paragraph.examples]
    return [*entry.paragraphs, *entry.rulings, *entry.notes, *examples]


def targets(entry: Entry) -> set[Target]:
    return {target for unit in units(entry) for reference in unit.references for target in reference.targets}


def test_pages_are_clean_and_of_one_edition(starter: dict[str, Document]) -> None:
    for name, document in starter.items():
        assert document.edition == "starter"
        assert document.issued is None
        assert document.problems == (), name
        assert document.unaccounted == (), name
    assert {name: len(starter[name].entries) for name in PAGES} == PAGES
    assert starter["g16"].document == "starter-g16"


def test_every_entry_has_words_of_ours(starter: dict[str, Document]) -> None:
    for name in PAGES:
        for entry in starter[name].entries:
            assert entry.paragraphs, entry.heading
            assert entry.names, entry.number
            dated: list[Paragraph] = [*entry.paragraphs, *entry.rulings]
            for unit in dated:
                assert {a.authority for a in unit.attributions} == {"rulesgraph"}, unit.number


def test_titles_of_all_cited_chapters_are_there(starter: dict[str, Document]) -> None:
    rules = starter["rules"]
    titled = {rule.number for rule in rules.rules} | {entry.number for entry in rules.entries}
    cited = {
        target.key
        for name in PAGES
        for entry in starter[name].entries
        for target in targets(entry)
        if target.kind is TargetKind.RULE
    }
    assert {number.partition(".")[0] for number in cited} <= titled
    quoted = {
        (reference.targets[0].key, reference.quoted_title)
        for name in PAGES
        for entry in starter[name].entries
        for unit in units(entry)
        for reference in unit.references
        if reference.quoted_title and reference.targets[0].kind is TargetKind.RULE
    }
    titles = {rule.number: rule.title for rule in rules.rules} | {e.number: e.heading for e in rules.entries}
    assert all(titles[number] == title for number, title in quoted)


def test_exactly_twelve_terms_speak_of_state_based_effects(starter: dict[str, Document]) -> None:
    speaking, citing = set(), set()
    for name in PAGES:
        for entry in starter[name].entries:
            words = " ".join(unit.text for unit in units(entry)).lower()
            if any(t.kind is TargetKind.RULE and t.key.split(".")[0] == "420" for t in targets(entry)):
                citing.add(entry.names[0])
            if "state-based effect" in words:
                speaking.add(entry.names[0])
    assert speaking | citing == SPEAK_OF_STATE_BASED_EFFECTS
    assert speaking - citing == {"Effect", "Ending the Turn"}


def test_redirects_lead_where_they_belong(starter: dict[str, Document]) -> None:
    texts = {e.names[0]: [p.text for p in e.paragraphs] for e in starter["g16"].entries}
    assert texts["Plainscycling"] == ["See Landcycling."]
    assert texts["Plainswalk"] == ["See Landwalk."]


@pytest.mark.parametrize(("name", "number"), [("g5", "003"), ("g12", "004"), ("g16", "000")])
def test_facts_agree_with_the_real_page(
    shared: Path, starter: dict[str, Document], name: str, number: str
) -> None:
    """Headings, states, numbers and what each entry refers to are the real ones; only the words are ours."""
    real = parsed(seed(shared, number))
    ours = starter[name]
    assert [(e.number, e.heading, e.status) for e in ours.entries] == [
        (e.number, e.heading, e.status) for e in real.entries
    ]
    # The real page prints Plainswalk's redirect under Plainscycling; the starter has both where they belong.
    moved = {"G16.12", "G16.13"}
    for our_entry, real_entry in zip(ours.entries, real.entries, strict=True):
        if our_entry.number not in moved:
            assert targets(our_entry) == targets(real_entry), our_entry.heading
            assert len(our_entry.notes) == len(real_entry.notes)


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower().replace("’", "'"))


def runs(words: list[str], length: int) -> Iterator[tuple[str, ...]]:
    return (tuple(words[start : start + length]) for start in range(len(words) - length + 1))


def test_no_sentence_is_anybody_elses(shared: Path, starter: dict[str, Document]) -> None:
    """Between its references, no starter text shares six words in a row with any real document."""
    length = LONGEST_SHARED_RUN + 1
    ours: dict[tuple[str, ...], str] = {}
    for name in PAGES:
        for entry in starter[name].entries:
            for unit in units(entry):
                text = unit.text
                for reference in reversed(unit.references):
                    text = f"{text[: reference.start]}\n{text[reference.end :]}"
                for stretch in text.split("\n"):
                    ours.update((run, entry.number) for run in runs(words_of(stretch), length))
    assert len(ours) > 500
    folder = shared / "corpora" / "cr"
    for path in sorted([*folder.glob("*.txt"), *(shared / "seeds").glob("*.txt")]):
        words = words_of("\n".join(read_source(path).lines))
        found = {" ".join(run): ours[run] for run in runs(words, length) if run in ours}
        assert not found, path.name
