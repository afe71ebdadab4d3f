"""Collect the passages around a term or rule, verbatim, within a budget of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from json import dumps
from typing import TypedDict

from ...loaders.language.numbers import number_in
from ...ontology import UsageError, counted
from ...queries.session import Session
from .nodes import RuleNode, TermNode, answer_about

NodeFinders = tuple[Callable[..., RuleNode], Callable[..., TermNode]]
"""What returns the rule with a number in an edition, and the term with a name."""

LETTERS = 4
"""A token of a language model is about four letters of English; budgets are counted that way."""

_MOST_TOKENS = 20_000
"""The largest budget; a larger one counts as this."""

_LEAST_ROOM = 80
"""With fewer letters left than this, nothing more is looked up."""

_MOST_NAMED = 20
"""How many names are given of passages that did not fit."""

_ITSELF = "itself"
"""The reason given for passages of the requested thing itself."""


class NearPassage(TypedDict):
    """A passage: what it is called, where it is, its text, and why it is there."""

    name: str
    iri: str
    edition: str
    document: str | None
    line: int | None
    text: str
    why: str


class Neighbourhood(TypedDict):
    """The passages around a thing, how many did not fit, the names of the first of these, and remarks."""

    edition: str
    passages: list[NearPassage]
    left_out: int
    others: list[str]
    notes: list[str]


def around(session: Session, find: NodeFinders, name: str, tokens: int, edition: str | None) -> Neighbourhood:
    """Return the passages around a thing, see `Things.neighbourhood`; `find` finds rules and terms."""
    room = max(1, min(tokens, _MOST_TOKENS)) * LETTERS
    passages: dict[str, NearPassage] = {}
    others: dict[str, None] = {}
    for other, why in _near(session, name, edition):
        if passages and room <= _LEAST_ROOM:  # nothing more is looked up
            others[other] = None
            continue
        # What cites a thing may have neither a number nor a name.
        with nullcontext() if why == _ITSELF else suppress(UsageError):
            # For a thing that the newest edition lacks, the passages come from the edition that has it.
            where = edition or next((it["edition"] for it in passages.values()), None)
            for passage in _passages(session, find, other, where, why):
                cost = len(dumps(passage, ensure_ascii=False))
                if passage["iri"] in passages or not passage["text"]:
                    continue
                if cost > room and passages:
                    others[number_in(passage["name"].split()[0]) or passage["name"]] = None
                    continue
                room -= cost
                passages[passage["iri"]] = passage
    left = [*others]
    told = f"{counted(len(left), 'passage')} left out: ask again with more `tokens`"
    notes = [f"{told}, or read one of `others` with `rule` or `term`."] if left else []
    return {
        "edition": next((it["edition"] for it in passages.values()), ""),
        "passages": [*passages.values()],
        "left_out": len(left),
        "others": left[:_MOST_NAMED],
        "notes": notes,
    }


def _near(session: Session, name: str, edition: str | None) -> Iterator[tuple[str, str]]:
    """Yield a thing, what it relies on, and what cites it, each once by its name, with why it is there."""
    seen = {name}
    yield name, _ITSELF
    for question, column, reason in (
        ("relied_on_by_term", "name", "it relies on this"),
        ("citing", "source", "this cites it"),
    ):
        for row in answer_about(session, question, name, edition):
            other = str(row[column])
            if other not in seen:
                seen.add(other)
                yield other, f"{reason}: {row['quote']}"


def _passages(
    session: Session, find: NodeFinders, name: str, edition: str | None, why: str
) -> Iterator[NearPassage]:
    """Yield the passages of a thing; raises the errors of `Things.rule` and `Things.term`."""
    rule_called, term_called = find
    if number_in(name):
        yield from _passages_of_rule(rule_called(name, edition=edition), why)
        return
    term = term_called(name, edition=edition)
    first = next(iter(answer_about(session, "definition", term.name, edition)), None)
    yield {
        "name": term.name,
        "iri": term.iri,
        "edition": term.edition,
        "document": str(first["document"]) if first else None,
        "line": int(str(first["line"])) if first else None,
        "text": term.definition,
        "why": why,
    }
    for rule in term.defined_by:
        yield from _passages_of_rule(rule, f"it defines {term.name}" if why == _ITSELF else why)


def _passages_of_rule(rule: RuleNode, why: str) -> Iterator[NearPassage]:
    """Yield a rule and its parts; nothing for a whole chapter that nobody asked for: it would be too long."""
    is_asked = why == _ITSELF
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
