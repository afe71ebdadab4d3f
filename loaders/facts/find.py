"""Find the facts of an edition: each statement with the pattern and the sentence it comes from.

Patterns are general forms of English sentences and do not mention particular terms. They are in three
modules:

- `definitions`: what kind of thing a term is;
- `lists`: members, parts and steps, and their order;
- `naming`: other names, replacements, and how cards word keyword abilities.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from ...ontology import slug
from ..graph.quads import TripleSet
from ..language.names import singular
from ..language.words import sentences, straight
from ..linking.edition import EditionView, Unit
from . import definitions, lists, naming
from .context import WHERE, Context, Continued, Fact, KindOf, OtherWords, Pattern, Sentence, Statement
from .lists import listed_below
from .writing import FactWriter

PATTERNS: tuple[Pattern, ...] = (*definitions.PATTERNS, *lists.PATTERNS, *naming.PATTERNS, *naming.TEMPLATES)


def find_facts(view: EditionView, context: Context | None = None) -> Iterator[Fact]:
    """Yield the facts of an edition in the order of its documents, each statement once for each unit.

    Facts from headings come last. `context` is the edition's, if it exists already.
    """
    context = context or Context(view)
    told: set[tuple[str, Statement]] = set()
    for pattern, sentence, statement in _READER.read(context):
        if (sentence.unit.iri, statement) not in told:
            told.add((sentence.unit.iri, statement))
            yield Fact(pattern.name, statement, sentence.unit, sentence.quote)
    former = {
        (it.term, kind.cls) for _, it in told if isinstance(it, KindOf) and it.is_former for kind in it.kinds
    }
    yield from listed_below(view, context, former)


def fact_triples(view: EditionView) -> TripleSet:
    """Return the facts of an edition, for `edition/{id}/derived`."""
    context = Context(view)
    writer = FactWriter(view, context)
    facts = list(find_facts(view, context))
    writer.count_senses(facts)
    for fact in facts:
        writer.write_fact(fact)
    writer.name_kinds(view.names)
    return writer.triples


def successions(view: EditionView, obsolete: Collection[str]) -> frozenset[tuple[str, str]]:
    """Return (slug of a term, slug of its replacement) from what the entries of `obsolete` terms say.

    Words that contain more than the term's name ("the lit supertype", for *Lit*) are a wording that replaced
    it.
    """
    context = Context(view)
    entries = [unit for unit in context.units() if unit.term in obsolete]
    return frozenset(
        (said.term, said.new)
        for _, _, said in _NAMING.read(context, entries)
        if isinstance(said, OtherWords) and said.new in (slug(said.words), slug(singular(said.words)))
    )


_Matched = tuple[int, tuple[int, int], tuple[int, int], tuple[tuple[Pattern, tuple[re.Match[str], ...]], ...]]
"""A sentence that patterns match: its place and span in its text, the span before it, the matches."""


class Reader:
    """Runs patterns over sentences, skipping those without their cues.

    Matches depend only on the words, so they are cached by them: most texts are in many editions.
    """

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        ordered = sorted(patterns, key=lambda pattern: WHERE.index(pattern.where))
        self._patterns = [(it, re.compile(it.regex)) for it in ordered]
        self._found = lru_cache(maxsize=1 << 13)(self._find)

    def read(
        self, context: Context, units: Iterable[Unit] | None = None
    ) -> Iterator[tuple[Pattern, Sentence, Statement]]:
        """Yield what the sentences of an edition, or of `units`, state, each with its pattern."""
        for unit in context.units() if units is None else units:
            plain = straight(unit.text)
            for place, (start, end), before, matched in self._found(unit.text, bool(unit.term)):
                sentence = Sentence(
                    unit,
                    plain[start:end],
                    unit.text[start:end],
                    place,
                    context.own(unit),
                    plain[slice(*before)],
                    plain[end:],
                )
                for pattern, matches in matched:
                    for match in matches:
                        for said in pattern.build(match, sentence, context):
                            yield (pattern, *_with_the_rest(said, sentence))

    def _find(self, text: str, is_entry: bool) -> tuple[_Matched, ...]:
        """Return the sentences of a text that patterns match; the text may be an entry's."""
        plain = straight(text)
        found = []
        before = (0, 0)
        for place, (start, end) in enumerate(sentences(plain)):
            words = plain[start:end]
            matches = tuple(
                (it, own)
                for it, regex in self._patterns
                if it.reads(place, is_entry) and it.is_cued(words) and (own := tuple(regex.finditer(words)))
            )
            if matches:
                found.append((place, (start, end), before, matches))
            before = start, end
        return tuple(found)


def _with_the_rest(said: Statement | Continued, sentence: Sentence) -> tuple[Sentence, Statement]:
    """Return a statement and its sentence, with the quote extended to the last sentence that it needs."""
    if not isinstance(said, tuple):
        return sentence, said
    statement, length = said
    text, end = sentence.unit.text, len(sentence.unit.text) - len(sentence.rest)
    until = next((b for a, b in sentences(sentence.rest) if a < length <= b), 0)
    return replace(sentence, quote=text[end - len(sentence.quote) : end + until]), statement


_READER = Reader(PATTERNS)
_NAMING = Reader(naming.PATTERNS)
