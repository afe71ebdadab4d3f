"""The same sentences name the same things, wherever they come from: documents, questions, quotations."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from asking import IRIS, session_of
from rulesgraph.loaders.language.lexicon import read
from rulesgraph.loaders.linking.mentions import MentionFinder, verbs_used
from rulesgraph.ontology.iris import slug
from rulesgraph.queries.evidence.links import NameFinder
from rulesgraph.queries.finding.recognition import known_names, recognise
from rulesgraph.queries.session import Session
from rulesgraph.queries.verifying.blocks import text_blocks
from rulesgraph.queries.verifying.citations import citations

NAMES = (
    "Activate, Attack, Aura, Block, Cast, Combat Damage, Cost, Counter, Create, Damage, Destroy, Draw, "
    "Exile, First Strike, Flash, Flying, Graveyard, Hand, If, Legendary, Library, Mana, Match, Option, "
    "Order, Play, Player, Reach, Requirement, Restriction, Sacrifice, Spell, Step, Support, Target, Token, "
    "Trample, Wall, X"
).split(", ")

SAME = """
The wall was destroyed. | wall, destroyed
Nobody destroys a library. | destroys, library
Destroying two tokens is enough. | Destroying, tokens
They will destroy every wall. | destroy, wall
You can attack with a token. | attack, token
She attacked the graveyard keeper. | attacked, graveyard
Two walls cannot attack today. | walls, attack
It is attacking alone. | attacking
He cast a spell yesterday. | cast, spell
You may cast spells from a library. | cast, spells, library
Casting it is free of mana. | Casting, mana
They are casting spells. | casting, spells
Combat damage comes second. | Combat damage
He said combat-damage is never undone. | combat-damage
The damage is dealt to a wall. | damage, wall
No damage was marked. | damage
A player draws from a library. | player, draws, library
You can't draw now. | draw
Drawing is fun. | Drawing
Nobody has drawn since. | drawn
It has first strike and reach. | first strike, reach
First-strike walls go first. | First-strike, walls
A wall with reach stays home. | wall, reach
They never reach the city. |
He reaches a decision. |
Flying walls hover above the sea. | Flying, walls
A wall with flying is rare. | wall, flying
You can sacrifice two tokens. | sacrifice, tokens
The token is sacrificed again. | token, sacrificed
By sacrificing a wall she wins. | sacrificing, wall
Exile the spell for good. | Exile, spell
It was exiled by a stranger. | exiled
They exile their graveyard. | exile, graveyard
A spell can't target it. | spell, target
Two targets are too many. | targets
It is targeted by a spell. | targeted, spell
She will create a mess. |
The child created a mess. |
Who creates trouble has trouble. |
She will create a token. | create, token
Two tokens are created. | tokens, created
By creating tokens he stays ahead. | creating, tokens
There are two restrictions on posting. |
There is a restriction on posting. |
It has a restriction on attacking. | restriction, attacking
Two restrictions say who can block. | restrictions, block
This is one requirement of the job. |
All requirements of the job are met. |
A requirement to block is obeyed. | requirement, block
The option of going home stays open. |
His options are poor. |
An option for multiplayer variants is open. | option
Put your library in any order. | library, order
The orders of the king are cruel. |
They order pizza in the evening. |
In order to win, wait. |
The order of a graveyard stays. | order, graveyard
Two matches are held at once. | matches
The colour matches the carpet. |
This match is over. | match
A keeper supports the idea. |
Support is a word of ours. | Support
It takes effect at once, in general. |
On the other hand nobody came. |
He holds it by hand. |
A hand of seven is large. | hand
Her hands are empty. | hands
In the first step of baking, wait. |
This step is skipped. | step
All steps are skipped. | steps
Take these steps. |
He activates the alarm. | activates
You can activate it twice. | activate
Nobody activated it. | activated
A counter is put on a wall. | counter, wall
Nobody counters the spell. | counters, spell
It can't be countered. | countered
Mana is spent on a cost. | Mana, cost
The costs are paid. | costs
Legendary walls are lonely. | Legendary, walls
An aura shines on a wall. | aura, wall
An Aura on a Wall of glass stays. | Aura, Wall
The Wall of Omens is somebody's card. |
Grandmother Trample is a name. |
A legendary wall with trample attacks. | legendary, wall, trample, attacks
They played in the garden. | played
You may play it. | play
They play a game of chance. |
It comes into play tapped. |
If it rains, wait. |
The word "if" says when. | if
The cost is X for all of us. | cost, X
A wall costs x coins. | wall, costs
It has flash and flying. | flash, flying
The signal was flashed twice. | flashed
A graveyard is a pile of tokens. | graveyard, tokens
Graveyards and libraries differ. | Graveyards, libraries
A spell's cost is paid once. | spell, cost
Tokens' costs vary. | Tokens, costs
What trample does is plain. | trample
"""
"""Sentences of our own, and the words in them that name something."""

ALONE = ("Trample", "First strike", "Walls.")
"""What is nothing but a name means it in a question; in a document it is a heading: `Policy.alone`."""

QUOTED = ('the word "create" again', 'what is a "restriction"')
"""Quotation marks are enough in a question, whatever the company: `Policy.quotes`."""

BENT = (("the destruction of the castle", "Destroy"), ("two attackers rest", "Attack"))
"""A question names a thing by any word of its family; a document, by forms of a verb that it uses."""

NUMBERED = (
    "See rule 702.19c.",
    "Rule 100 and rule 704.5k say so.",
    "It takes 300 days.",
    "Rule 613.7e, again.",
)

Case = tuple[str, list[str]]


def cases() -> list[Case]:
    rows = [line.partition("|") for line in SAME.strip().splitlines()]
    return [
        (text.strip(), [name.strip() for name in named.split(",") if name.strip()]) for text, _, named in rows
    ]


SENTENCES = [text for text, _ in cases()]


@pytest.fixture(scope="module")
def session() -> Session:
    return session_of("\n".join(f't:{slug(name)} skos:prefLabel "{name}" .' for name in NAMES))


@pytest.fixture(scope="module")
def documents() -> MentionFinder:
    return MentionFinder({slug(name): [name] for name in NAMES}, verbs_used(SENTENCES))


def in_document(finder: MentionFinder, text: str) -> list[tuple[str, str]]:
    return [(text[it.start : it.end], IRIS.term(it.slug)) for it in finder.find(text)]


def in_question(session: Session, text: str) -> list[tuple[str, str]]:
    # A token keeps its possessive, so the slot of a name in a question leaves nothing of it behind.
    return [
        (re.sub("['’]s?$", "", text[it.start : it.end]), it.meanings[0].thing)
        for it in read(text, known_names(session)).names
    ]


def test_there_are_a_hundred_sentences() -> None:
    assert len(SENTENCES) == len(set(SENTENCES)) == 100


@pytest.mark.parametrize(("text", "named"), cases(), ids=SENTENCES)
def test_documents_and_questions_name_the_same(
    text: str, named: Sequence[str], session: Session, documents: MentionFinder
) -> None:
    assert [used for used, _ in in_document(documents, text)] == named
    assert in_question(session, text) == in_document(documents, text)


@pytest.mark.parametrize(("text", "named"), cases(), ids=SENTENCES)
def test_a_quotation_finds_the_words_again(text: str, named: Sequence[str], session: Session) -> None:
    for used, term in in_question(session, text):
        span = NameFinder(session, {term}).span(text, term)
        assert span is not None
        assert text[slice(*span)].removesuffix("'s") in named, used


@pytest.mark.parametrize("text", SENTENCES)
def test_what_a_question_names_is_recognised_and_the_rest_is_told(text: str, session: Session) -> None:
    recognised = recognise(session, text)
    assert [it.start for it in recognised.things] == [it.start for it in recognised.read.names]
    used = {word for it in recognised.things for word in it.used.lower().split()}
    assert {it.text.lower() for it in recognised.read.rest}.isdisjoint(used)


@pytest.mark.parametrize("text", ALONE)
def test_a_name_alone_is_a_heading_or_a_question(
    text: str, session: Session, documents: MentionFinder
) -> None:
    assert in_document(documents, text) == []
    assert len(in_question(session, text)) == 1


@pytest.mark.parametrize("text", QUOTED)
def test_quotation_marks_are_enough_in_a_question(
    text: str, session: Session, documents: MentionFinder
) -> None:
    assert in_document(documents, text) == []
    assert len(in_question(session, text)) == 1


@pytest.mark.parametrize(("text", "name"), BENT)
def test_a_question_bends_words_further(
    text: str, name: str, session: Session, documents: MentionFinder
) -> None:
    assert in_document(documents, text) == []
    assert [thing for _, thing in in_question(session, text)] == [IRIS.term(slug(name))]


@pytest.mark.parametrize("text", NUMBERED)
def test_numbers_are_cited_as_they_are_read(text: str, session: Session) -> None:
    cited = [number for block in text_blocks(text) for it in citations(block) for number in it.numbers]
    assert cited == [it.number for it in read(text, known_names(session)).numbers]
