"""Find the rules about the terms in a card's words: of a verb and a noun with one name, that one is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...loaders.language.verbs import is_verb
from ...loaders.language.words import sentences
from ...ontology import grouped
from ..evidence.links import NameFinder
from ..session import Cells, Scope, Session
from .current import TermOnCard, terms_and_actions


def rules_about(
    session: Session, scope: Scope, said: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, TermOnCard, str]]:
    """Return the terms of a card's sentences, each with its rule in an edition, and its first sentence.

    *Counter* is an action and a thing, each with its own rule: there is one row for each that is meant.
    """
    return _about(session, terms_and_actions(session, scope, said), said)


def _about(
    session: Session, found: Mapping[str, tuple[Sequence[TermOnCard], ...]], said: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, TermOnCard, str]]:
    """Yield what `rules_about` does; `found` are the other rules and the rules about actions, by term."""
    names = NameFinder(session, [term for term, (things, actions) in found.items() if things and actions])
    for term, (things, actions) in found.items():
        first = (*said[term], "")[0]
        if not (things and actions):
            yield term, (*things, *actions)[0], first
            continue
        used: dict[bool, str] = {}
        for sentence in said[term]:
            for is_action in _as_verb(names, sentence, term, things[0].name):
                used.setdefault(is_action, sentence)
        for is_action, sentence in used.items() if used else ((False, first),):
            yield term, (actions if is_action else things)[0], sentence


def meant(session: Session, scope: Scope, rows: Iterable[Cells]) -> list[Cells]:
    """Return the rows (term, text, number, title, IRI of the term) about rules that a card's words mean."""
    rows = list(rows)
    texts = grouped((str(row[4]), str(row[1])) for row in rows)
    said = {
        term: [text[start:end] for text in dict.fromkeys(own) for start, end in sentences(text)]
        for term, own in texts.items()
    }
    both = {term: it for term, it in terms_and_actions(session, scope, said).items() if all(it)}
    about = {(term, it.number): quote for term, it, quote in _about(session, both, said)}
    return [
        (row[0], about.get((str(row[4]), str(row[2])), row[1]), *row[2:])
        for row in rows
        if row[4] not in both or (row[4], row[2]) in about
    ]


def _as_verb(names: NameFinder, sentence: str, term: str, name: str) -> Iterator[bool]:
    """Yield for each place at which a sentence names a term whether it is a verb there."""
    done = 0
    while span := names.span(sentence[done:], term):
        start, end = (done + it for it in span)
        yield is_verb(sentence, start, end, name)
        done = end
