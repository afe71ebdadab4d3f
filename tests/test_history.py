"""What became of each rule between two editions, on invented rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rulesgraph.loaders.history.items import Change, ChangeKind, Item
from rulesgraph.loaders.history.matching import changes_between
from rulesgraph.loaders.language.words import wording

KEEPERS = "Each keeper lights three lanterns before the older keeper takes the first turn of the evening."
MOTHS = "A moth whose lantern goes dark returns to the bag unless another lit lantern stands beside it."
OIL = "Whenever a lantern loses its last oil, turn it to the left and take the moths that sit on it."
SHORT = "Flutter"


def item(edition: str, number: str, text: str, title: str = "") -> Item:
    parent = number.partition(".")[0] if "." in number else number[0]
    return Item(f"{edition}/{number}", number, text, f"{edition}/{parent}", title)


def kinds(old: list[Item], new: list[Item]) -> dict[str, ChangeKind]:
    return {change.new or change.old: change.kind for change in changes_between(old, new)}


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        # the same words under the same number
        (("100.1", KEEPERS), ("100.1", KEEPERS), ChangeKind.UNCHANGED),
        # typography is no change of words
        (("100.1", 'Say "dusk" — loudly.'), ("100.1", "Say  “dusk” – loudly."), ChangeKind.UNCHANGED),
        (("100.1", KEEPERS), ("205.3", KEEPERS), ChangeKind.RENUMBERED),
        (("100.1", KEEPERS), ("100.1", KEEPERS.replace("three", "four")), ChangeKind.REWORDED),
        # only the number cited inside moved along
        (("100.1", OIL + " See rule 420.5."), ("100.1", OIL + " See rule 704.5."), ChangeKind.REWORDED),
        (("100.1", MOTHS), ("205.3", MOTHS.replace("bag", "box")), ChangeKind.MOVED_AND_REWORDED),
    ],
)
def test_one_rule(before: tuple[str, str], after: tuple[str, str], kind: ChangeKind) -> None:
    assert kinds([item("a", *before)], [item("b", *after)]) == {f"b/{after[0]}": kind}


def test_unlike_rules_are_not_matched_even_under_one_number() -> None:
    assert kinds([item("a", "100.1", KEEPERS)], [item("b", "100.1", MOTHS)]) == {
        "b/100.1": ChangeKind.ADDED,
        "a/100.1": ChangeKind.REMOVED,
    }


def test_of_equal_words_the_surroundings_decide() -> None:
    """Two chapters with the same short rule change places with their chapters."""
    old = [
        item("a", "300", "Dawn", "Dawn"),
        item("a", "300.1", SHORT),
        item("a", "301", "Dusk", "Dusk"),
        item("a", "301.1", SHORT),
    ]
    new = [
        item("b", "500", "Dawn", "Dawn"),
        item("b", "500.1", SHORT),
        item("b", "501", "Dusk", "Dusk"),
        item("b", "501.1", SHORT),
    ]
    pairs = {(c.old, c.new) for c in changes_between(old, new)}
    assert {("a/300.1", "b/500.1"), ("a/301.1", "b/501.1")} <= pairs


def test_a_chapter_with_another_title_goes_on_in_its_rules() -> None:
    old = [item("a", "300", "Waning", "Waning"), item("a", "300.1", KEEPERS), item("a", "300.2", MOTHS)]
    new = [item("b", "310", "Dusk", "Dusk"), item("b", "310.1", KEEPERS), item("b", "310.2", MOTHS)]
    assert kinds(old, new)["b/310"] is ChangeKind.MOVED_AND_REWORDED
    # one rule alone may have been taken out of its chapter
    assert kinds(old[:2], new[:2])["b/310"] is ChangeKind.ADDED


def test_a_lead_over_all_rivals_makes_up_for_strange_surroundings() -> None:
    """Half of the words, and nothing else alike: the same rule; with a rival as like, nobody knows which."""
    moved = MOTHS.replace("A moth", "Any moth").replace("returns to the bag", "goes back into its box")
    old = [item("a", "100.1", MOTHS)]
    assert kinds(old, [item("b", "205.3", moved)]) == {"b/205.3": ChangeKind.MOVED_AND_REWORDED}
    rivals = [item("b", "205.3", moved), item("b", "206.7", moved.replace("box", "chest"))]
    assert ChangeKind.MOVED_AND_REWORDED not in kinds(old, rivals).values()


def test_a_rule_that_was_split_and_one_that_was_merged() -> None:
    both = f"{KEEPERS} {MOTHS}"
    split = changes_between(
        [item("a", "100.1", both)], [item("b", "100.1", KEEPERS), item("b", "100.2", MOTHS)]
    )
    assert Change(ChangeKind.SPLIT, "a/100.1", "b/100.2", 1.0) in split
    merged = changes_between(
        [item("a", "100.1", KEEPERS), item("a", "100.2", MOTHS)], [item("b", "100.1", both)]
    )
    assert Change(ChangeKind.MERGED, "a/100.2", "b/100.1", 1.0) in merged
    assert not [c for c in (*split, *merged) if c.kind in (ChangeKind.ADDED, ChangeKind.REMOVED)]


WORDS = st.lists(
    st.sampled_from("lantern moth oil dark lit keeper turn bag table left".split()), min_size=1, max_size=12
)


@settings(max_examples=60)
@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8))
def test_every_item_has_exactly_one_fate(old_words: list[list[str]], new_words: list[list[str]]) -> None:
    old = [item("a", f"100.{n}", " ".join(words)) for n, words in enumerate(old_words, 1)]
    new = [item("b", f"100.{n}", " ".join(words)) for n, words in enumerate(new_words, 1)]
    changes = changes_between(old, new)
    whole = [c for c in changes if c.kind not in (ChangeKind.SPLIT, ChangeKind.MERGED)]
    fates = [c.new for c in whole if c.new] + [c.new for c in changes if c.kind is ChangeKind.SPLIT]
    kept = {c.old for c in whole if c.new}
    split = {c.old for c in changes if c.kind is ChangeKind.SPLIT} - kept
    ends = [c.old for c in whole if c.old] + [c.old for c in changes if c.kind is ChangeKind.MERGED]
    ends += split
    assert sorted(fates) == sorted(i.iri for i in new)
    assert sorted(ends) == sorted(i.iri for i in old)
    equal = {i.folded: i.key for i in old}
    for i in new:
        if equal.get(i.folded) == i.key:
            assert Change(ChangeKind.UNCHANGED, f"a/{i.key}", i.iri) in changes


def test_folding_keeps_the_words() -> None:
    assert wording(" The “Lantern”™  _game_—now ") == 'The "Lantern" game-now'
