"""Verbs: forms by spelling or from the table, which words texts use as verbs, and inflected names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rulesgraph.loaders.language.verbs import is_verb, plain_verbs, verb_of
from rulesgraph.loaders.linking.mentions import Inflections, uses, verbs_used

FORMS = [
    ("light", "light lighting lights lit"),
    ("draw", "draw drawing drawn draws drew"),
    # a last letter that goes, changes or doubles
    ("exile", "exile exiled exiles exiling"),
    ("agree", "agree agreed agreeing agrees"),
    ("carry", "carried carries carry carrying"),
    ("play", "play played playing plays"),
    ("tie", "tie tied ties tying"),
    ("tap", "tap tapped tapping taps"),
    ("search", "search searched searches searching"),
    # a long verb whose stress the letters do not show has both spellings
    ("equip", "equip equiped equiping equipped equipping equips"),
    # an irregular verb with a prefix
    ("foretell", "foretell foretelling foretells foretold"),
    ("behold", "beheld behold beholding beholds"),
]


@pytest.mark.parametrize(("plain", "forms"), FORMS)
def test_forms(plain: str, forms: str) -> None:
    assert sorted(verb_of(plain).forms) == forms.split()


@pytest.mark.parametrize(("plain", "forms"), FORMS)
def test_a_form_leads_back_to_its_verb(plain: str, forms: str) -> None:
    assert all(plain in plain_verbs(form) for form in forms.split() if form != plain)


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=9))
def test_any_word_has_the_verbs_that_it_is_a_form_of(word: str) -> None:
    assert all(word in verb_of(plain).forms for plain in plain_verbs(word))


USED = [
    # after a modal, or a "to" that opens a sentence
    ("She can’t dim it. He may not kindle it.", "dim, kindle"),
    ("To shade a lamp, cover it. It gives light to all.", "shade"),
    # a past after a form of "be" or "have", in quotes too, or after a thing; a past with its complement
    ("It was “snuffed”. They have lit it. Lamps doused by rain", "snuff, light, douse"),
    ("A creature scorched", "scorch"),
    # a third person after its subject, a gerund after a preposition
    ("Each player trims. It wins by trimming.", "trim, win"),
    # a verb with a particle is another verb
    ("It can't fade out.", "fade out"),
    # nothing of that
    ("The dim lights, a kindled lamp, her shades.", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "used"), USED)
def test_verbs_used(text: str, used: str) -> None:
    verbs = verbs_used([text])
    words = "dim, kindle, shade, snuff, light, douse, scorch, trim, win, fade, fade out".split(", ")
    assert ", ".join(word for word in words if uses(verbs, word)) == used


def test_a_gerund_does_not_show_that_it_is_a_verb() -> None:
    verbs = verbs_used(["It is a part of kindling."])
    assert uses(verbs, "kindle")
    assert not uses(verbs, "kindle", besides="kindling")


def bent(names: dict[str, list[str]], text: str, slug: str) -> str:
    return ", ".join(dict.fromkeys(Inflections(names, verbs_used([text])).of_names(names[slug])))


BENT = [
    # a word that the text uses as a verb, and one that it does not
    ("Douse", [], "It can't douse it.", "doused, douses, dousing"),
    ("Douse", [], "The douse is wet.", ""),
    # the first word of several; the word after it shows that it is a verb
    ("Declare Lamps", [], "They may declare it.", "declared lamps, declares lamps, declaring lamps"),
    ("Lose the Lamp", [], "", "loses the lamp, losing the lamp, lost the lamp"),
    ("Comes into Light", [], "", "came into light, come into light, coming into light"),
    # a participle and a gerund, unless the plain verb has its own entry
    ("Drawn", [], "It may draw.", "draw, drawing, draws, drew"),
    ("Drawn", ["Draw"], "It may draw.", ""),
    ("Faded Out", ["Fade"], "It can't fade out.", "fade out, fades out, fading out"),
    # everyday verbs, function words and templates do not bend
    ("Limited", [], "It may limit it.", ""),
    ("Becomes", [], "It may become lit.", ""),
    ("Light [a lamp]", [], "It may light it.", ""),
]


@pytest.mark.parametrize(("name", "others", "text", "forms"), BENT)
def test_names_bend(name: str, others: list[str], text: str, forms: str) -> None:
    assert bent({"own": [name], "others": others}, text, "own") == forms


@pytest.mark.parametrize(
    ("text", "form", "name", "is_one"),
    [
        ("Counter target spell.", "Counter", "Counter", True),
        ("It can't be countered.", "countered", "Counter", True),
        ("Choose one: counter that spell; or draw.", "counter", "Counter", True),
        ("A player counters a spell.", "counters", "Counter", True),
        ("Put a +1/+1 counter on target moth.", "counter", "Counter", False),
        ("Remove two oil counters from it.", "counters", "Counter", False),
        ("You may remove a counter from them.", "counter", "Counter", False),
        ("Can I counter Lantern?", "counter", "Counter", True),
        ("Who may counter my moth?", "counter", "Counter", True),
        ("Exile all moths.", "Exile", "Exile", True),
        ("Each player exiles cards from the top.", "exiles", "Exile", True),
        ("Light it, then exile two moths.", "exile", "Exile", True),
        ("You may light a card you own in exile.", "exile", "Exile", False),
        ("It comes from exile this turn.", "exile", "Exile", False),
    ],
)
def test_a_word_that_is_a_noun_as_well_is_a_verb_by_what_stands_beside_it(
    text: str, form: str, name: str, is_one: bool
) -> None:
    start = text.index(form)
    assert is_verb(text, start, start + len(form), name) is is_one
