"""A term or rule becomes the passages around it, the nearest first, each with the reason why it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from ...ontology.errors import UnknownNameError, UsageError
from ...queries.finding.names import number_in

if TYPE_CHECKING:
    from ...ontology.json_values import Json
    from ..python.nodes import RuleNode
    from ..python.rules import Rules


NeighbourSearch = Callable[[], Iterator[dict[str, "Json"]]]
"""Looks up the passages of one neighbour; what nobody has room for need not be looked up."""


def neighbours(rules: Rules, name: str, edition: str | None) -> Iterator[NeighbourSearch]:
    """Yield the thing itself, what it relies on, and what cites it, each once.

    Raises `UnknownNameError` for a name that stands for nothing.
    """
    seen = {name}
    yield lambda: _own(rules, name, edition, "itself")
    for question, column, reason in (
        ("relied_on_by_term", "name", "it relies on this"),
        ("citing", "source", "this cites it"),
    ):
        for row in rules.ask(question, name, edition=edition):
            other, why = str(row[column]), f"{reason}: {row['quote']}"
            if other not in seen:
                seen.add(other)
                yield partial(_known, rules, other, edition, why)


def _known(rules: Rules, name: str, edition: str | None, why: str) -> Iterator[dict[str, Json]]:
    try:
        yield from _own(rules, name, edition, why)
    except (UnknownNameError, UsageError):  # a passage under no number and no name
        return


def _own(rules: Rules, name: str, edition: str | None, why: str) -> Iterator[dict[str, Json]]:
    if number_in(name):
        yield from _rule(rules.rule(name, edition=edition), why)
        return
    term = rules.term(name, edition=edition)
    first = next(iter(rules.ask("definition", term.name, edition=edition)), None)
    yield {
        "name": term.name,
        "iri": term.iri,
        "edition": term.edition,
        "document": first and str(first["document"]),
        "line": first and int(str(first["line"])),
        "text": term.definition,
        "why": why,
    }
    for rule in term.defined_by:
        yield from _rule(rule, f"it defines {term.name}" if why == "itself" else why)


def _rule(rule: RuleNode, why: str) -> Iterator[dict[str, Json]]:
    """Yield a rule and its parts; of a chapter that is but a neighbour nothing: its rules would be a book."""
    is_asked = why == "itself"
    whole = [rule, *(rule.children if "." in rule.number or is_asked else ())]
    for one in whole:
        if one.text == one.title and not is_asked:
            continue
        yield {
            "name": " ".join(filter(None, (one.number, one.title))),
            "iri": one.iri,
            "edition": one.edition,
            "document": one.document or None,
            "line": one.lines[0] if one.lines else None,
            "text": one.text,
            "why": why,
        }
