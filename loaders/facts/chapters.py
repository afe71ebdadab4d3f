"""Headings become facts: below a heading that names a kind, headings name the things of that kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ..language.names import singular
from ..linking.edition import EditionView, Unit
from ..records import Rule
from .context import Context
from .kinds import game_kinds
from .statements import Kind, KindOf, Listing, Statement

_LEAST = 3
"""How many headings make a list."""


def headed(view: EditionView, context: Context) -> Iterator[tuple[Unit, Statement]]:
    """Yield what the headings of rules state, each with the heading that states it.

    A chapter "Lanterns", most of whose rules are headings, lists the lanterns, and each of its headings
    names one. Where headings say the kind once more ("Lanterns by Night"), they divide what is said of it.
    """
    units = {unit.rule: unit for unit in context.units() if unit.rule}
    for document in view.documents:
        below: dict[str, list[Rule]] = defaultdict(list)
        for rule in document.rules:
            below[rule.parent].append(rule)
        for rule in document.rules:
            cls = game_kinds().of(rule.title or "")
            heads = [it for it in below[rule.number] if it.title]
            if cls and _LEAST <= len(heads) > len(below[rule.number]) / 2 and not _divides(rule, heads):
                own = [units[_iri(view, it)] for it in heads]
                yield (
                    units[_iri(view, rule)],
                    Listing(rule.title or "", cls, tuple(_names(heads)), tuple(own)),
                )
                for head in own:
                    for term in _terms(head.text, context):
                        yield head, KindOf(term, (Kind(cls, context.term(rule.title or "")),))


def _iri(view: EditionView, rule: Rule) -> str:
    return view.iris.rule(view.edition, rule.number, rule.occurrence)


def _names(heads: Sequence[Rule]) -> Iterator[str]:
    for head in heads:
        yield head.title or ""


def _divides(rule: Rule, heads: Sequence[Rule]) -> bool:
    """Tell whether a heading has the word for the kind in it."""
    kind = singular((rule.title or "").split()[-1]).lower()
    return any(kind == singular(word).lower() for name in _names(heads) for word in name.split())


def _terms(heading: str, context: Context) -> Iterator[str]:
    """Yield the term that a heading names, and both where it joins two that stand by themselves."""
    joined = [context.term(name) for name in heading.split(" and ")]
    yield from dict.fromkeys(
        term for term in (context.term(heading), *(joined if all(joined) else ())) if term
    )
