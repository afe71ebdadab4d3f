"""Where the sentences of rules come from: splits, merges, and neither."""

from __future__ import annotations

from rulesgraph.loaders.history.items import Change, ChangeKind, Item, Scales
from rulesgraph.loaders.history.matching import changes_between
from rulesgraph.loaders.history.pairing import Pairing
from rulesgraph.loaders.history.sources import flows

HEAD = "Every keeper lights three lanterns before the evening bell rings twice."
TAIL = "Dark lamps go back into the oaken bag, wick first."
OTHER = "A gull may steal one crumb from the pier each morning of the voyage."
PLAIN = [
    f"Nobody rows the {boat} boat without its {boat} flag." for boat in "red blue green grey black".split()
]


def edition(name: str, *texts: str) -> list[Item]:
    """Return a chapter of rules, followed by rules that stay unchanged."""
    own = [Item(f"{name}/100.{n}", f"100.{n}", text, f"{name}/100") for n, text in enumerate(texts, 1)]
    rest = [Item(f"{name}/200.{n}", f"200.{n}", text, f"{name}/200") for n, text in enumerate(PLAIN, 1)]
    return [*own, *rest]


def partings(old: list[Item], new: list[Item]) -> list[tuple[str, str, str]]:
    """Return the splits and merges, each as its kind and the two numbers; they are likelier than not."""
    changes = [it for it in changes_between(old, new) if it.kind in (ChangeKind.SPLIT, ChangeKind.MERGED)]
    assert all(it.confidence >= 0.5 for it in changes)
    return [(it.kind.value, it.old.partition("/")[2], it.new.partition("/")[2]) for it in changes]


def test_a_sentence_that_became_a_rule_was_split_off() -> None:
    old, new = edition("a", f"{HEAD} {TAIL}", OTHER), edition("b", HEAD, TAIL, OTHER)
    assert partings(old, new) == [("split", "100.1", "100.2")]


def test_a_sentence_that_moved_to_another_rule_was_split_off() -> None:
    old, new = edition("a", f"{HEAD} {TAIL}", OTHER), edition("b", HEAD, f"{OTHER} {TAIL}")
    assert partings(old, new) == [("split", "100.1", "100.2")]


def test_a_rule_that_another_one_took_in_was_merged() -> None:
    old, new = edition("a", HEAD, TAIL, OTHER), edition("b", f"{HEAD} {TAIL}", OTHER)
    assert partings(old, new) == [("merged", "100.2", "100.1")]


def test_what_stands_as_it_stood_gives_nothing_away() -> None:
    """Another rule that also says the same was not split off."""
    old, new = edition("a", f"{HEAD} {TAIL}", OTHER), edition("b", f"{HEAD} {TAIL}", TAIL, OTHER)
    assert partings(old, new) == []


def test_sentences_in_another_order_are_the_same_sentences() -> None:
    old, new = edition("a", f"{HEAD} {TAIL}", OTHER), edition("b", f"{TAIL} {HEAD}", OTHER)
    assert [it for it in changes_between(old, new) if it.kind is not ChangeKind.UNCHANGED] == [
        Change(ChangeKind.REWORDED, "a/100.1", "b/100.1", 0.98)
    ]


def test_a_sentence_has_one_source_and_a_source_several_heirs() -> None:
    old = edition("a", TAIL, "Dark lamps go under the table.", HEAD)
    new = edition("b", HEAD, TAIL, f"{TAIL.removesuffix('.')} again.")
    pairing, scales = Pairing(old, new), Scales([*old, *new])
    pairing.pair(old[2], new[0], 1.0)
    found = [(it.old.iri, it.new.iri) for it in flows(pairing, scales)]
    assert [pair for pair in found if "100" in pair[0]] == [("a/100.1", "b/100.2"), ("a/100.1", "b/100.3")]
