"""Mentions: names found as whole words, the longest first, and everyday words told apart from terms."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from real import pages, parsed
from rulesgraph.loaders.language.everyday import UNMARKED
from rulesgraph.loaders.language.senses import set_phrases
from rulesgraph.loaders.linking.mentions import MentionFinder, verbs_used
from rulesgraph.loaders.records import Paragraph

NAMES = {
    "ability": ["Ability"],
    "static-ability": ["Static Ability"],
    "mana-ability": ["Mana Ability"],
    "activated-ability": ["Activated Ability"],
    "wall-ability": ["Wall Ability"],
    "dusk-nondawn-order": ["Dusk, Nondawn Order"],
    "dnd-order": ["DND Order"],
    "state-based-effects": ["State-Based Effects"],
    "step": ["Step"],
    "combat-damage": ["Combat Damage"],
    "combat-damage-step": ["Combat Damage Step"],
    "library": ["Library"],
    "life": ["Life", "Life Total"],
    "lose-the-game": ["Lose the Game"],
    "leaves-play": ["Leaves Play"],
    "enters-the-battlefield": ["Enters the Battlefield"],
    "play": ["Play"],
    "event": ["Event"],
    "dash": ["Dash"],
    "match": ["Match"],
    "hand": ["Hand"],
    "legendary": ["Legendary"],
    "artifact": ["Artifact"],
    "aura": ["Aura"],
    "wall": ["Wall"],
    "absorb": ["Absorb"],
    "if": ["If"],
    "you": ["You", "Your"],
    "case": ["Case"],
    "independent": ["Independent"],
    "intervening-if-clause": ['Intervening "If" Clause'],
    "x": ["X"],
    "lifo": ["LIFO"],
    "partner": ["Partner", "Partner with [name]"],
    "isn-t": ["Attacks and Isn't Blocked"],
    "plains": ["Plains"],
}
FINDER = MentionFinder(NAMES)

TABLE = [
    # number and case
    ("Static abilities glow. A LIBRARY dims.", "static-ability:Static abilities library:LIBRARY"),
    ("A state-based effect dims lamps.", "state-based-effects:state-based effect"),
    # hyphens, apostrophes, possessives
    ("A state based effect; its life total's end", "state-based-effects:state based effect life:life total"),
    ("It attacks and isn’t blocked.", "isn-t:attacks and isn’t blocked"),
    ("A non-Aura lamp", "aura:Aura"),
    # whole words only
    ("Abilitylike lamps, lifelike stepping", ""),
    # the longest name, none within it, none across a comma
    ("In the combat damage step combat damage is dealt.",
     "combat-damage-step:combat damage step combat-damage:combat damage"),
    ("a static, ability", "ability:ability"),
    # joined names that share their last word, unless each is a name by itself
    ("A lamp's static, mana, and/or activated abilities dim. Static and lit walls.",
     "static-ability:static mana-ability:mana activated-ability:activated abilities wall:walls"),
    ("A wall and static ability, a library, static ability",
     "wall:wall static-ability:static ability library:library static-ability:static ability"),
    # an abbreviation put into a name
    ("The “Dusk, Nondawn (DND) order” counts.", "dusk-nondawn-order:Dusk, Nondawn (DND) order"),
    # a verb that opens a name, in any form
    ("She loses the game; they lose the game.", "lose-the-game:loses the game lose-the-game:lose the game"),
    ("Lamps enter the battlefield as it enters the battlefield.",
     "enters-the-battlefield:enter the battlefield enters-the-battlefield:enters the battlefield"),
    ("Having lost the game, it entered the battlefield.",
     "lose-the-game:lost the game enters-the-battlefield:entered the battlefield"),
    # the part of a name before its template
    ("It has partner with Lamp.", "partner:partner with"),
    # function words only where they are marked
    ("If you dim a lamp, do it at your own pace.", ""),
    ('The word "if" and the words “your” and "you."', "if:if you:your you:you"),
    ("An If clause; (1) If lamps dim; an intervening “if” clause.",
     "if:If intervening-if-clause:intervening “if” clause"),
    # words that are plain unless they have a capital
    ("In that case, a Case is lit.", "case:Case"),
    # set phrases, and nouns read as verbs
    ("In the event of a tie, an event ends game play after a long dash: dash.", "event:event dash:dash"),
    ("A match ends where names match the lamp.", "match:match"),
    ("On the other hand, a hand is held.", "hand:hand"),
    ("That number; a single step, the first step of lighting, the step of a turn.", "step:step"),
    ("In limited play or in play, she plays a long game; the play.", "play:play"),
    # a name of several words wins over the phrase and over its parts
    ("A lamp leaves play. To play it, put it into play.", "leaves-play:leaves play play:play"),
    # proper names
    ("She dims Wall of Wood, then Lit Hands, then a Wall.", "wall:Wall"),
    ("She has a Legendary Artifact and Urza's Hand.", "legendary:Legendary artifact:Artifact"),
    # names of terms alone make a proper name in brackets, and in a list beside another one
    ("A lamp (Legendary Artifact) and a wall (a Wall) dim.", "wall:wall wall:Wall"),
    ("She has Moth Catcher, Legendary Artifact, and Old Mill.", ""),
    ("She has Legendary Artifact, Old Mill.", ""),
    ("She has a Wall, Legendary Artifact, or Wall, or an Aura.",
     "wall:Wall legendary:Legendary artifact:Artifact wall:Wall aura:Aura"),
    ("Each Aura glows. Lighting Auras dims them.", "aura:Aura aura:Auras"),
    # a variable is no name, a heading is exempt
    ("“Absorb N” glows.", "absorb:Absorb"),
    ("Playing Walls and Lit Hands", "wall:Walls hand:Hands"),
    # capitals that a name needs
    ("X lamps, an x, the lifo, LIFO.", "x:X lifo:LIFO"),
    # a name that is one only in company, and is no company to itself
    ("A lamp is independent of its keeper.", ""),
    ("That effect dims, and the lamp is independent of it.", "independent:independent"),
    # a text that is nothing but the name
    ("Legendary", ""),
    ("Plains are lit by plains.", "plains:Plains plains:plains"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_mentions(text: str, expected: str) -> None:
    found = FINDER.find(text)
    assert " ".join(f"{m.slug}:{text[m.start : m.end]}" for m in found) == expected


def test_own_term_is_no_mention_but_still_hides_what_is_within_it() -> None:
    found = FINDER.find("The combat damage step is a step.", own="combat-damage-step")
    assert [mention.slug for mention in found] == ["step"]


def test_spans_to_skip_hold_no_mention() -> None:
    text = 'See rule 400, "Ability of the Library." Abilities glow.'
    (mention,) = FINDER.find(text, skip=[(4, 39)])
    assert text[mention.start : mention.end] == "Abilities"


def test_term_wins_over_the_set_phrase_of_its_name() -> None:
    finder = MentionFinder({"game-play": ["Game Play"], "play": ["Play"]})
    assert [mention.slug for mention in finder.find("It ends game play.")] == ["game-play"]


def test_name_wins_over_another_terms_plural() -> None:
    finder = MentionFinder({"die": ["Die"], "dice": ["Dice"]})
    assert [mention.slug for mention in finder.find("Throw the dice.")] == ["dice"]


def test_headings_in_capitals_are_no_acronyms() -> None:
    finder = MentionFinder({"lamp": ["LAMP"], "oil": ["OIL"], "dusk": ["Dusk"]})
    assert [mention.slug for mention in finder.find("A lamp burns oil at dusk.")] == ["lamp", "oil", "dusk"]


VERBS = {
    "create": ["Create"],
    "any-target": ["Any Target"],
    "target": ["Target"],
    "dies": ["Dies"],
    "limited": ["Limited"],
    "move": ["Move"],
    "name": ["Name"],
    "paired": ["Paired"],
    "play": ["Play"],
    "locked": ["Locked"],
    "activate": ["Activate"],
    "triggered-ability": ["Triggered Ability"],
}
VERB_TABLE = [
    ("It targeted any target. It has any targets.",
     "target:targeted any-target:any target target:targets"),
    # what a word beside it shows: a token is created, not a light
    ("She created a lamp. She created a token.", "create:created"),
    ("She moves to town. She moves a counter. The text names a town.", "move:moves"),
    # the everyday sense of a form
    ("The named lamp, a lamp named Lit, a way of playing; limited play.", "name:named limited:limited"),
    ("A cost is locked in.", ""),
    ("An activated or triggered ability; it activated.",
     "triggered-ability:triggered ability activate:activated"),
    # a plain form that may be a noun, where only verbs occur
    ("Throw the die. Lamps die. It would die.", "dies:die dies:die"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), VERB_TABLE)
def test_verb_forms(text: str, expected: str) -> None:
    uses = verbs_used(f"You may {name.lower()}. It can't die." for own in VERBS.values() for name in own)
    found = MentionFinder(VERBS, uses).find(text)
    assert " ".join(f"{m.slug}:{text[m.start : m.end]}" for m in found) == expected


def test_without_a_text_that_uses_them_few_names_are_verbs() -> None:
    assert MentionFinder({"douse": ["Douse"]}).find("A lamp was doused.") == ()


def test_every_set_phrase_hides_its_words() -> None:
    words = {word for phrase in set_phrases() for word in phrase.split()}
    finder = MentionFinder({word: [word.capitalize()] for word in words - UNMARKED})
    hidden = [phrase for phrase in set_phrases() if not finder.find(f"so lit {phrase} lit so")]
    assert hidden == list(set_phrases())


def test_no_names_no_mentions() -> None:
    assert MentionFinder({}).find("Lamps glow.") == ()
    assert MentionFinder({"dash": ["—"]}).find("Lamps — glow.") == ()


WORDS = st.sampled_from(
    'If you Aura Wall of Wood combat damage step in the event ( ) " “ . , İ ß — X N life'.split()
)


@given(st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=20).map(" ".join)), st.booleans())
def test_any_text_gives_rising_spans_of_whole_words(text: str, skipped: bool) -> None:
    skip = [(3, 9)] if skipped else []
    free = 0
    for mention in FINDER.find(text, skip):
        assert free <= mention.start < mention.end <= len(text)
        assert not text[mention.start - 1 : mention.start].isalnum() or mention.start == 0
        assert not text[mention.end : mention.end + 1].isalnum()
        assert not skipped or mention.end <= 3 or mention.start >= 9
        free = mention.end


def test_twelve_terms_speak_of_state_based_effects(shared: Path) -> None:
    """Ten terms of the three rulings pages by citing rule 420 or its parts, two by the name alone."""
    documents = [parsed(path) for path in pages(shared)]
    finder = MentionFinder({"state-based-effects": ["State-Based Effects"]})
    speaking = set()
    citing = set()
    for entry in (entry for document in documents for entry in document.entries):
        units: list[Paragraph] = [*entry.paragraphs, *entry.rulings, *entry.notes]
        for unit in units:
            numbers = {target.key for reference in unit.references for target in reference.targets}
            if any(re.fullmatch(r"420(?:\..+)?", number) for number in numbers):
                citing.add(entry.names[0])
            if finder.find(unit.text, [(reference.start, reference.end) for reference in unit.references]):
                speaking.add(entry.names[0])
    assert sorted(citing | speaking) == [
        "Effect", "Ending the Turn", "Equipment", "Leaves Play", "Legendary", "Lethal Damage", "Life",
        "Lose the Game", "Loyalty", "Poison Counter", "Priority", "Protection",
    ]  # fmt: skip
    assert speaking - citing == {"Effect", "Ending the Turn"}
