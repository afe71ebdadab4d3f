"""Two questions about opposite ends of the same statement return the same statements."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from asking import session_on
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.finding.names import identify
from rulesgraph.queries.session import Session
from sweep import PartOf

MINI = "cr-2031-07-01"

Pairs = set[tuple[object, object]]


def _rows(session: Session, edition: str, question: str, *names: object) -> Iterator[dict[str, object]]:
    answer = ask(session, question, [str(it) for it in names], edition=edition)
    for row in answer.rows:
        yield dict(zip(answer.columns, row, strict=True))


def _terms(session: Session, edition: str) -> list[str]:
    """Return the terms of an edition: what texts mention, and what nothing refers to."""
    asked = (_rows(session, edition, it) for it in ("most_mentioned", "unused_terms"))
    return sorted({str(row["term"]) for rows in asked for row in rows})


def _hold_reliance_against_itself(session: Session, edition: str, terms: Iterable[str]) -> None:
    chosen = [*terms]
    forth = {
        (term, str(row["name"]))
        for term in chosen
        for row in _rows(session, edition, "relied_on_by_term", term)
        if row["kind"] == "term"
    }
    # At either end, a term includes its names at other times.
    every = {*chosen, *(other for _, other in forth)}
    called = {it: {it, *(own.name for own in identify(session, it).renamed)} for it in every}
    back = set[tuple[str, str]]()
    for other in {other for _, other in forth}:
        relying = {row["term"] for row in _rows(session, edition, "terms_relying_on", other)}
        back |= {(term, min(called[other])) for term in chosen if called[term] & relying}
    assert back == {(term, min(called[other])) for term, other in forth}
    assert forth


def _hold_kinds_against_themselves(session: Session, edition: str, terms: Iterable[str]) -> None:
    chosen = [*terms]
    forth: Pairs = {
        (term, row["kind"]) for term in chosen for row in _rows(session, edition, "kinds_of", term)
    }
    back: Pairs = set()
    for kind in {kind for _, kind in forth}:
        rows = _rows(session, edition, "terms_of_kind", kind)
        back |= {(row["term"], row["kind"]) for row in rows if row["term"] in chosen and row["kind"] == kind}
    assert back == forth
    assert forth


HELD = [_hold_reliance_against_itself, _hold_kinds_against_themselves]


@pytest.mark.parametrize("held", HELD)
def test_both_ends_of_a_statement_of_the_mini_game_agree(
    mini_store: Path, held: Callable[[Session, str, Iterable[str]], None]
) -> None:
    session = session_on(mini_store)
    held(session, MINI, _terms(session, MINI))


@pytest.mark.long(small="test_both_ends_of_a_statement_of_the_mini_game_agree")
@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("day", ["2008-02-01", "2026-01-16"])
def test_both_ends_of_a_statement_of_whole_editions_agree(
    real: Session, day: str, held: Callable[[Session, str, Iterable[str]], None], part_of: PartOf
) -> None:
    terms = _terms(real, f"cr-{day}")
    random.Random(day).shuffle(terms)
    held(real, f"cr-{day}", part_of(islice(terms, 40), 16))
