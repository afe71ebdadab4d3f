"""A term or rule becomes the passages around it, the nearest first, each with the reason why it is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...ontology.errors import UnknownNameError, UsageError
from ...queries.finding.names import number_in

if TYPE_CHECKING:
    from ...ontology.json_values import Json
    from ..python.nodes import RuleNode
    from ..python.rules import Rules


def neighbours(rules: Rules, name: str, edition: str | None) -> Iterator[dict[str, Json]]:
    """Yield the thing's own passages, those of what it relies on, and those that cite it, each once.

    Raises `UnknownNameError` for a name that stands for nothing.
    """
    seen: set[str] = set()
    for passage in _all(rules, name, edition):
        if str(passage["iri"]) not in seen and passage["text"]:
            seen.add(str(passage["iri"]))
            yield passage


def _all(rules: Rules, name: str, edition: str | None) -> Iterator[dict[str, Json]]:
    yield from _own(rules, name, edition, "itself")
    for row in rules.ask("relied_on_by_term", name, edition=edition):
        yield from _known(rules, str(row["name"]), edition, f"it relies on this: {row['quote']}")
    for row in rules.ask("citing", name, edition=edition):
        yield from _known(rules, str(row["source"]), edition, f"this cites it: {row['quote']}")


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
    """Yield a rule and its parts: a chapter with its rules would be a book, so of one it is the heading."""
    whole = [rule, *(rule.children if "." in rule.number else ())]
    for one in whole:
        yield {
            "name": " ".join(filter(None, (one.number, one.title))),
            "iri": one.iri,
            "edition": one.edition,
            "document": one.document or None,
            "line": one.lines[0] if one.lines else None,
            "text": one.text,
            "why": why,
        }
