"""What became of each rule between two editions of invented rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.loaders.history.entries import renamed_entries
from rulesgraph.loaders.history.items import Change, ChangeKind, Item
from rulesgraph.loaders.history.matching import changes_between
from rulesgraph.loaders.history.renames import Renaming, Vocabulary, find_renamings
from rulesgraph.loaders.history.tenures import Successor
from rulesgraph.loaders.language.words import wording
from rulesgraph.loaders.linking.labels import NamedTerm
from rulesgraph.ontology.iris import Iris, slug
from sweep import part_of_the_examples

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
        (("100.1", OIL + " See rule 420.5."), ("100.1", OIL + " See rule 704.5."), ChangeKind.REFERENCES),
        (("100.1", OIL + " See rule 420.5."), ("205.3", OIL + " See rule 704.5."), ChangeKind.REFERENCES),
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


def _between_neighbours(edition: str, text: str) -> list[Item]:
    """Return a chapter with a rule between two that stay."""
    rules = [("100.1", KEEPERS), ("100.2", text), ("100.3", MOTHS)]
    return [item(edition, "100", "Dusk", "Dusk"), *(item(edition, *rule) for rule in rules)]


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        # a statement turned round: most of its few words are there
        (
            "Lanterns have no handles.",
            "A lantern has one handle of brass. Handles are lit after dusk. Some lanterns have two.",
            ChangeKind.REWORDED,
        ),
        # the number's last use is in the end of its own subject
        (
            "Glimmer is a static ability that makes wings shine while the fog lies on the table.",
            "Glimmer was taken out of the game, and nothing in print refers to it now.",
            ChangeKind.REWORDED,
        ),
        # another rule in its place
        (
            "Glimmer is a static ability that makes wings shine while the fog lies on the table.",
            "Players count their cups aloud.",
            ChangeKind.ADDED,
        ),
    ],
)
def test_what_stands_where_it_stood_and_speaks_of_the_same_is_the_same(
    before: str, after: str, kind: ChangeKind
) -> None:
    assert kinds(_between_neighbours("a", before), _between_neighbours("b", after))["b/100.2"] is kind


def test_a_rule_that_was_taken_apart_goes_on_as_the_first_of_equal_parts() -> None:
    first = "Wings of amber glow when the brazier burns beside the northern gate of the harbour."
    second = "Bells of copper ring when the ferryman lands beneath the southern arch at noon."
    fates = {
        change.new: change.kind
        for change in changes_between(
            [item("a", "100.1", f"For a feast: {first} {second}")],
            [item("b", "300.1", first), item("b", "300.2", second)],
        )
    }
    assert fates["b/300.2"] is ChangeKind.SPLIT
    assert fates["b/300.1"] is ChangeKind.MOVED_AND_REWORDED


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
    # a single rule may have been taken out of its chapter
    assert kinds(old[:2], new[:2])["b/310"] is ChangeKind.ADDED


def test_half_of_the_words_are_enough_and_the_place_decides_between_rivals() -> None:
    moved = MOTHS.replace("A moth", "Any moth").replace("returns to the bag", "goes back into its box")
    old = [item("a", "100", "Dawn", "Dawn"), item("a", "100.1", MOTHS), item("a", "100.2", OIL)]
    first = [item("b", "200", "Dusk", "Dusk"), item("b", "200.1", moved.replace("box", "chest"))]
    second = [item("b", "205", "Dawn", "Dawn"), item("b", "205.3", moved), item("b", "205.4", OIL)]
    assert ("a/100.1", "b/205.3") in {(c.old, c.new) for c in changes_between(old, [*first, *second])}


def test_a_number_alone_is_no_evidence_but_number_place_and_a_few_words_are() -> None:
    around = [item("a", "100", "Dawn", "Dawn"), item("a", "100.1", KEEPERS), item("a", "100.3", OIL)]
    old = [*around[:2], item("a", "100.2", "A moth may not sit on two lanterns at once."), around[2]]

    def fate(text: str) -> ChangeKind:
        new = [item("b", i.key, i.text, i.title) for i in around]
        return kinds(old, [*new[:2], item("b", "100.2", text), new[2]])["b/100.2"]

    assert fate("A moth may sit wherever its keeper wants it, even on two lanterns.") is ChangeKind.REWORDED
    assert fate("Fog costs one drop for each player who rolled sixes.") is ChangeKind.ADDED


def test_a_chapter_is_not_renamed_by_the_likeness_of_a_title() -> None:
    old = [
        item("a", "503", "Copying Lanterns and Moths", "Copying Lanterns and Moths"),
        item("a", "503.1", KEEPERS),
    ]
    new = [
        item("b", "603", "Lighting Lanterns and Moths", "Lighting Lanterns and Moths"),
        item("b", "603.1", OIL),
    ]
    assert set(kinds(old, new).values()) == {ChangeKind.ADDED, ChangeKind.REMOVED}


def test_a_split_rule_goes_on_as_its_head_and_names_its_parts() -> None:
    """The head is the part that opens as before, under any number, even if another part has more of it."""
    tail = f"{MOTHS} {OIL}"
    old = [item("a", "406.1e", f"{KEEPERS} {tail}")]
    new = [item("b", "406.4", KEEPERS), item("b", "406.5", tail)]
    found = {(c.kind, c.old, c.new) for c in changes_between(old, new)}
    assert found == {
        (ChangeKind.MOVED_AND_REWORDED, "a/406.1e", "b/406.4"),
        (ChangeKind.SPLIT, "a/406.1e", "b/406.5"),
    }


def test_a_rule_like_the_one_that_went_on_was_not_merged_with_it() -> None:
    """What both rules say in the same words shows nothing; what only one of them said does."""
    dawn = "At dawn, each keeper may light one lantern before any moth takes flight."
    dusk = "At dusk, each keeper may light one lantern before any moth goes to sleep."
    old = [item("a", "100.1", dawn), item("a", "100.2", dusk)]
    changed = dawn.replace("one lantern", "one or two lanterns")
    assert Change(ChangeKind.REMOVED, "a/100.2", "") in changes_between(old, [item("b", "100.1", changed)])
    both = changed.replace("At dawn", "At dawn, and at dusk").replace("flight", "flight or goes to sleep")
    merged = [c for c in changes_between(old, [item("b", "100.1", both)]) if c.kind is ChangeKind.MERGED]
    assert [(c.old, c.new) for c in merged] == [("a/100.2", "b/100.1")]


def entry(edition: str, heading: str, text: str) -> Item:
    key = slug(heading.partition(",")[0])
    return Item(f"{edition}/entry/{key}", key, text, title=heading, is_entry=True)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        # the same name, whatever it says
        (("Bag", KEEPERS), [("Bag", OIL)], [("reworded", "bag", "bag")]),
        (("Bag", KEEPERS), [("Bag", KEEPERS)], [("unchanged", "bag", "bag")]),
        # another name for the same words, or a longer one for some of them
        (("Bag", KEEPERS), [("Sack", KEEPERS)], [("renumbered", "bag", "sack")]),
        (("Bag", KEEPERS), [("Moth Bag", f"{KEEPERS} {OIL}")], [("moved and reworded", "bag", "moth-bag")]),
        (("Bag", KEEPERS), [("Sack", OIL)], [("added", "", "sack"), ("removed", "bag", "")]),
        # another form of the name, whatever it says: of several things, or of what is done
        (("Moth Bag", KEEPERS), [("Moth Bags", OIL)], [("moved and reworded", "moth-bag", "moth-bags")]),
        (("Moth Bags", KEEPERS), [("Moth Bag", OIL)], [("moved and reworded", "moth-bags", "moth-bag")]),
        (("Turn a Lamp", OIL), [("Turning a Lamp", OIL)], [("renumbered", "turn-a-lamp", "turning-a-lamp")]),
        (("Turning a Lamp", OIL), [("Turn a Lamp", OIL)], [("renumbered", "turning-a-lamp", "turn-a-lamp")]),
        # one form went on as itself, the other is another thing
        (("Bag", OIL), [("Bags", OIL), ("Bag", MOTHS)], [("added", "", "bags"), ("reworded", "bag", "bag")]),
        # a heading of two names
        (
            ("Moth, Moths' Dance", KEEPERS),
            [("Moth", KEEPERS), ("Moths' Dance", OIL)],
            [("split", "moth", "moths-dance"), ("unchanged", "moth", "moth")],
        ),
    ],
)
def test_entries_are_followed_by_name(
    before: tuple[str, str], after: list[tuple[str, str]], found: list[tuple[str, str, str]]
) -> None:
    changes = changes_between([entry("a", *before)], [entry("b", *it) for it in after])
    seen = [(c.kind.value, c.old.rpartition("/")[2], c.new.rpartition("/")[2]) for c in changes]
    assert sorted(seen) == found


def test_what_is_named_after_a_new_thing_is_no_other_name_of_what_is_named_after_an_old_one() -> None:
    lamp, sack = entry("a", "Lamp", OIL), entry("a", "Sack", KEEPERS)
    old, new = entry("a", "Lamp Case", MOTHS), entry("b", "Candle Case", MOTHS)
    after = [entry("b", "Lamp", OIL), new]
    removed, added = (Change(ChangeKind.REMOVED, old.iri, ""), Change(ChangeKind.ADDED, "", new.iri))
    moved = Change(ChangeKind.RENUMBERED, old.iri, new.iri)
    candle = entry("b", "Candle", KEEPERS)
    assert {removed, added} <= set(changes_between([lamp, sack, old], [*after, candle]))
    # No candles, candles that were there before, or no lamps any more: it is the case that has another name.
    assert moved in changes_between([lamp, old], after)
    assert moved in changes_between([lamp, old, entry("a", "Candle", KEEPERS)], [*after, candle])
    assert moved in changes_between([lamp, old], [new, candle])


def test_a_title_that_stays_is_no_name_given_up() -> None:
    """The title of the chapter "Lighting Lamps" is a name of *Lamp* since then."""
    old, new = item("a", "400", "Lighting Lamps", "Lighting Lamps"), item("b", "500", OIL, "Lighting Lamps")
    names = ("lighting-lamps", (), ("Lighting Lamps",)), ("lamp", ("Lamp",), ("Lighting Lamps",))
    before, after = (Vocabulary.of([NamedTerm(*it)], frozenset()) for it in names)
    changes = [Change(ChangeKind.MOVED_AND_REWORDED, old.iri, new.iri, 0.9)]
    items = {it.iri: it for it in (old, new)}
    assert find_renamings(changes, items, before, after) == []
    # A chapter with another title, which is one name of a term that is new: that is the term.
    turned = item("a", "400", "Turning Wicks", "Turning Wicks")
    before = Vocabulary.of([NamedTerm("turning-wicks", (), ("Turning Wicks",))], frozenset())
    items[turned.iri] = turned
    assert find_renamings(changes, items, before, after) == [Renaming("turning-wicks", "lamp", 4, 1.0)]


def test_a_name_given_up_between_the_editions_is_followed() -> None:
    iris = Iris()
    old, new = (
        Item(iris.entry(edition, key), key, text, title=key.title(), is_entry=True)
        for edition, key, text in (("cr-2001-01-01", "bag", OIL), ("cr-2005-01-01", "sack", MOTHS))
    )
    apart = changes_between([old], [new])
    for since, kind in (
        ("cr-2003-01-01", "moved and reworded"),
        ("cr-2005-01-01", "moved and reworded"),
        ("cr-2001-01-01", "added"),
        ("cr-2006-01-01", "added"),
    ):
        known = (Successor("Bag", "Sack", since),)
        changes = renamed_entries(
            apart, (), known, {it.iri: it for it in (old, new)}, "cr-2001-01-01", "cr-2005-01-01", iris
        )
        assert sorted(change.kind for change in changes)[0] == kind


def test_a_name_given_up_twice_is_followed_to_the_form_that_stands_after() -> None:
    iris = Iris()
    days = "cr-2001-01-01", "cr-2005-01-01"
    old = Item(iris.entry(days[0], "bag"), "bag", OIL, title="Bag", is_entry=True)
    new = Item(iris.entry(days[1], "dusk-crates"), "dusk-crates", MOTHS, title="Dusk Crates", is_entry=True)
    known = (Successor("Bag", "Sack", "cr-2002-01-01"), Successor("Sack", "Dusk Crate", "cr-2004-01-01"))
    items = {it.iri: it for it in (old, new)}
    [change] = renamed_entries(changes_between([old], [new]), (), known, items, *days, iris)
    assert (change.old, change.new) == (old.iri, new.iri)
    # A name that came back to itself on the way leads nowhere.
    circle = (Successor("Bag", "Sack", "cr-2002-01-01"), Successor("Sack", "Bag", "cr-2004-01-01"))
    apart = renamed_entries(changes_between([old], [new]), (), circle, items, *days, iris)
    assert {change.kind for change in apart} == {ChangeKind.REMOVED, ChangeKind.ADDED}


def test_a_name_goes_on_with_the_word_behind_it_that_says_what_it_names() -> None:
    old = entry("a", "Dusk", "Dusk is the second of the steps. See rule 5, which is about a counter.")
    for heading, is_same in (("Dusk Step", True), ("Dusk Counter", False), ("Late Dusk Step", False)):
        new = entry("b", heading, MOTHS)
        changes = changes_between([old, entry("a", "Oil", OIL)], [new, entry("b", "Oil", OIL)])
        assert any((it.old, it.new) == (old.iri, new.iri) for it in changes) is is_same


def test_an_entry_of_a_name_given_up_says_what_took_its_place() -> None:
    before, after = (
        Vocabulary.of([NamedTerm(slug(name), (name,), ()) for name in names], obsolete, said)
        for names, obsolete, said in (
            (("Candle",), frozenset(), frozenset()),
            (("Candle", "Lantern"), frozenset(["candle"]), frozenset([("candle", "lantern")])),
        )
    )
    assert find_renamings([], {}, before, after) == [Renaming("candle", "lantern", 8, 1.0)]
    # Where the name is still there, or the other was there before, nothing was renamed.
    assert find_renamings([], {}, after, after) == []


def test_a_rule_that_was_split_and_one_that_was_merged() -> None:
    both = f"{KEEPERS} {MOTHS}"
    split = changes_between(
        [item("a", "100.1", both)], [item("b", "100.1", KEEPERS), item("b", "100.2", MOTHS)]
    )
    assert Change(ChangeKind.SPLIT, "a/100.1", "b/100.2", 0.95) in split
    merged = changes_between(
        [item("a", "100.1", KEEPERS), item("a", "100.2", MOTHS)], [item("b", "100.1", both)]
    )
    assert Change(ChangeKind.MERGED, "a/100.2", "b/100.1", 0.97) in merged
    assert not [c for c in (*split, *merged) if c.kind in (ChangeKind.ADDED, ChangeKind.REMOVED)]


WORDS = st.lists(
    st.sampled_from("lantern moth oil dark lit keeper turn bag table left".split()), min_size=1, max_size=12
)


@part_of_the_examples(0.6)
@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=8))
def test_every_item_has_exactly_one_fate(old_words: list[list[str]], new_words: list[list[str]]) -> None:
    old = [item("a", f"100.{n}", " ".join(words)) for n, words in enumerate(old_words, 1)]
    new = [item("b", f"100.{n}", " ".join(words)) for n, words in enumerate(new_words, 1)]
    changes = changes_between(old, new)
    whole = [c for c in changes if c.kind not in (ChangeKind.SPLIT, ChangeKind.MERGED)]
    # A sentence may also go from one rule to another where both go on.
    went_on = {c.new for c in whole if c.new}
    split_off = {c.new for c in changes if c.kind is ChangeKind.SPLIT} - went_on
    fates = [*(c.new for c in whole if c.new), *split_off]
    # One that is gone was merged into at most one; sentences of it may have gone into others as well.
    kept = {c.old for c in whole if c.new}
    merged = [c.old for c in changes if c.kind is ChangeKind.MERGED and c.old not in kept]
    split = {c.old for c in changes if c.kind is ChangeKind.SPLIT} - kept - {*merged}
    ends = [*(c.old for c in whole if c.old), *merged, *split]
    assert sorted(fates) == sorted(i.iri for i in new)
    assert sorted(ends) == sorted(i.iri for i in old)
    equal = {i.folded: i.key for i in old}
    for i in new:
        if equal.get(i.folded) == i.key:
            assert Change(ChangeKind.UNCHANGED, f"a/{i.key}", i.iri) in changes


def test_folding_keeps_the_words() -> None:
    assert wording(" The “Lantern”™  _game_—now ") == 'The "Lantern" game-now'
