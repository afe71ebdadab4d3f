"""What an answer suggests doing next works, and finds something."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
import rulesgraph
from commands import Run
from real import rules as rules_of
from rulesgraph.loaders.build import starter_cards
from rulesgraph.ontology.errors import UnknownNameError
from rulesgraph.queries.session.answer import Answer
from sweep import PartOf

STARTER = """
equip
lantern
section 4
goblin
Which rule was 410.10 once?
How many keyword abilities are there?
List the turn-based actions
What is a designation?
What is equipment?
What does the word stack mean?
Is echo a static ability?
Which terms rely on state-based effects?
Which rules cite 420?
What do a spell and an ability have in common?
Does echo work with phasing?
Why does the upkeep matter for echo?
Which cards have echo?
What does Lanternfall do?
May Wicker Saint be blocked by Thornwater Adder?
List all cards that flumph
What colour is the box?
What is foobarium?
What changed since 2006?
ekwipment
""".strip().splitlines()

REAL = """
deathtouch
702.19b
502.15
equip
section 5
goblin
What is a designation?
What is banding?
What does the word stack mean?
What was rule 502.15 about?
What is 702.999 about?
Which rule was 410.10 once?
List the keyword actions
Which zones are there?
How many keyword abilities are there?
How many cards are in an opening hand?
How much life does a player begin with?
Is infect a static ability?
Is equipment an artifact?
Was mana burn once a rule?
Did damage use the stack once?
What changed since 2026-01-16?
What changed since 2009?
What changed between 2009-05-01 and 2026-01-16 in 702.2?
When did the mulligan change?
How has trample changed?
What happened to the legend rule?
What did banding say before?
Which terms rely on state-based actions?
Which rules cite 704.5?
What do a spell and an ability have in common?
Does trample work with deathtouch?
Why does deathtouch matter for trample?
Which cards have prowess?
What does Lanternfall do?
May Wax Wisp be blocked by Slow Lantern?
List all cards that flumph
Can I take back a land that I have played?
What colour is the box?
Who invented foobarium?
What is foobarium?
deathtuch
""".strip().splitlines()

_IN_TEXT = re.compile(r"`rulesgraph ([^`]+)`")


def offered(rules: rulesgraph.Rules, question: str) -> Iterator[list[str]]:
    """Yield the commands that an answer, or an error, offers: what comes after `rulesgraph`."""
    try:
        answer = rules.ask(question)
    except UnknownNameError as error:
        answer = Answer("", (), (), notes=(str(error),))
    for hint in answer.understood.others if answer.understood else ():
        yield shlex.split(hint)[1:]
    for typed in _IN_TEXT.findall("\n".join((*answer.notes, *answer.lead))):
        yield shlex.split(typed)


def run_what_is_offered(store: Path, questions: Sequence[str], run: Run) -> None:
    """Run each command that answers to questions suggest, and require that it finds something."""
    rules = rulesgraph.open(store)
    asked = {(*it,): question for question in questions for it in offered(rules, question)}
    # Others only name a command (`search`, `trace NUMBER`), or load documents.
    asked = {it: question for it, question in asked.items() if len(it) > 1 and it[0] not in ("build", "get")}
    asked = {it: question for it, question in asked.items() if not any(map(str.isupper, it))}
    assert len(asked) > len(questions) / 3
    failed = {it: question for it, question in asked.items() if run(*it, "--store", store)[0]}
    assert not failed


def test_whatever_an_answer_offers_finds_something(starter_store: Path, run: Run) -> None:
    run_what_is_offered(starter_store, STARTER, run)


@pytest.mark.long(small="test_whatever_an_answer_offers_finds_something")
def test_whatever_an_answer_offers_on_real_rules_finds_something(
    shared: Path, store_of: Callable[..., Path], run: Run, part_of: PartOf
) -> None:
    store = store_of(*(rules_of(shared, day) for day in ("2009-05-01", "2026-01-16")), starter_cards())
    run_what_is_offered(store, part_of(REAL, 6), run)
