"""Definitions become facts: each statement that a pattern reads, with the sentence that makes it.

Patterns are general forms of English sentences; none knows a particular term. They are gathered here
from the modules of their kinds:

- `definitions`: what kind of thing a term is;
- `lists`: what belongs together, in which order;
- `naming`: other names, and what took a term's place;
- `wordings`: how keyword abilities are written on cards.

What headings state by where they stand is read by `chapters`, what parts list by how they begin by
`openings`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..linking.edition import EditionView, Unit
from . import definitions, lists, naming, wordings
from .chapters import headed
from .context import Context, Pattern
from .openings import opened
from .reader import Reader
from .statements import Statement

PATTERNS: tuple[Pattern, ...] = (
    *definitions.PATTERNS,
    *lists.PATTERNS,
    *naming.PATTERNS,
    *wordings.PATTERNS,
)

_READER = Reader(PATTERNS)


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement with its evidence: the pattern, the unit, and the sentence as it stands there."""

    pattern: str
    statement: Statement
    unit: Unit
    quote: str


def find_facts(view: EditionView, context: Context | None = None) -> Iterator[Fact]:
    """Yield the facts of an edition, in the order of its documents; a statement stands once for each unit.

    Those of headings come last. `context` is that of the edition, where it is at hand.
    """
    context = context or Context(view)
    told: set[tuple[str, Statement]] = set()
    for pattern, sentence, statement in _READER.read(context):
        if (sentence.unit.iri, statement) not in told:
            told.add((sentence.unit.iri, statement))
            yield Fact(pattern.name, statement, sentence.unit, sentence.quote)
    for unit, statement, quote in opened(context):
        yield Fact("opening of parts", statement, unit, quote)
    for unit, statement in headed(view, context):
        yield Fact("heading", statement, unit, unit.text)
