"""The passages around a term or rule, nearest first, each with the reason why it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from ...loaders.language.numbers import number_in
from ...ontology.errors import UnknownNameError, UsageError
from ..operations import operation, typed_methods
from .asking import Asking
from .things import Things

if TYPE_CHECKING:
    from .nodes import RuleNode

LETTERS = 4
"""A token of a language model is about four letters of English; budgets are kept by that measure."""

JsonPassage = dict[str, Any]

_MOST_TOKENS = 20_000

_LEAST_ROOM = 80
"""The number of letters left below which nothing more is looked up."""


@typed_methods
class Neighbourhood(Asking, Things):
    """The part of `Rules` that collects passages around a thing."""

    @operation("tool")
    def neighbourhood(self, name: str, tokens: int = 1500, *, edition: str | None = None) -> JsonPassage:
        """Collect the passages around a term or rule, verbatim, closest first, within a token budget.

        Args:
            name: a term or the number of a rule.
            tokens: the budget.
            edition: the edition to look at, see `Rules`.

        Its own text comes first, then what it relies on, then what cites it. `left_out` counts the things
        that did not fit, wholly or in part.

        >>> [passage["name"] for passage in lanterns.neighbourhood("Flutter", tokens=300)["passages"]]
        ['Flutter', '320.4a', 'Dusk Checks']
        """
        # Imported here because most questions do not need it.
        from json import dumps

        room = max(1, min(tokens, _MOST_TOKENS)) * LETTERS
        passages: dict[str, JsonPassage] = {}
        left_out = 0
        for look_up in _neighbours(self, name, edition):
            fits = room > _LEAST_ROOM or not passages
            for passage in look_up() if fits else ():
                cost = len(dumps(passage, ensure_ascii=False))
                if passage["iri"] in passages or not passage["text"]:
                    continue
                if cost > room and passages:
                    fits = False
                    continue
                room -= cost
                passages[str(passage["iri"])] = passage
            left_out += not fits
        label = next((str(it["edition"]) for it in passages.values()), "")
        notes = [f"{left_out} left out: ask again with more `tokens`."] if left_out else []
        return {"edition": label, "passages": [*passages.values()], "left_out": left_out, "notes": notes}


def _neighbours(
    rules: Neighbourhood, name: str, edition: str | None
) -> Iterator[Callable[[], Iterator[JsonPassage]]]:
    """Yield functions that look up the passages of the thing, of what it relies on, and of what cites it.

    Each looks up nothing until it is called: there may be no space for it. Raises `UnknownNameError` for an
    unknown name.
    """
    seen = {name}
    yield lambda: _passages(rules, name, edition, "itself")
    for asked, column, reason in (
        ("relied_on_by_term", "name", "it relies on this"),
        ("citing", "source", "this cites it"),
    ):
        for row in rules.ask(asked, name, edition=edition):
            other, why = str(row[column]), f"{reason}: {row['quote']}"
            if other not in seen:
                seen.add(other)
                yield partial(_passages_if_known, rules, other, edition, why)


def _passages_if_known(
    rules: Neighbourhood, name: str, edition: str | None, why: str
) -> Iterator[JsonPassage]:
    try:
        yield from _passages(rules, name, edition, why)
    except (UnknownNameError, UsageError):  # a passage with neither number nor name
        return


def _passages(rules: Neighbourhood, name: str, edition: str | None, why: str) -> Iterator[JsonPassage]:
    if number_in(name):
        yield from _passages_of_rule(rules.rule(name, edition=edition), why)
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
        yield from _passages_of_rule(rule, f"it defines {term.name}" if why == "itself" else why)


def _passages_of_rule(rule: RuleNode, why: str) -> Iterator[JsonPassage]:
    """Yield a rule and its parts; nothing for a whole chapter that was not requested: it would be a book."""
    is_asked = why == "itself"
    for one in (rule, *(rule.children if "." in rule.number or is_asked else ())):
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
