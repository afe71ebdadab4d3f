"""Definitions become facts: each statement that a pattern reads, with the sentence that makes it.

Patterns are general forms of English sentences; none knows a particular term. They are gathered here
from the modules of their kinds:

- `facts_definitions`: what kind of thing a term is;
- `facts_lists`: what belongs together, in which order;
- `facts_names`: other names, what took a term's place, and the wordings of keyword abilities.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from . import facts_definitions, facts_lists, facts_names
from .edition import EditionView, Unit
from .facts_definitions import KindOf
from .facts_lists import Division, Listing, Place, Steps
from .facts_names import OtherName, Replaced, StandsFor, Template
from .facts_text import Context, Pattern, Reader

Statement = KindOf | Listing | Division | Place | Steps | OtherName | StandsFor | Replaced | Template

PATTERNS: tuple[Pattern, ...] = (*facts_definitions.PATTERNS, *facts_lists.PATTERNS, *facts_names.PATTERNS)

_READER = Reader(PATTERNS)


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement with its evidence: the pattern, the unit, and the sentence as it stands there."""

    pattern: str
    statement: Statement
    unit: Unit
    quote: str


def find_facts(view: EditionView) -> Iterator[Fact]:
    """Yield the facts of an edition, in the order of its documents; a statement stands once for each unit."""
    told: set[tuple[str, Statement]] = set()
    for pattern, sentence, statement in _READER.read(Context(view)):
        if (sentence.unit.iri, statement) not in told:
            told.add((sentence.unit.iri, statement))
            yield Fact(pattern.name, statement, sentence.unit, sentence.quote)
