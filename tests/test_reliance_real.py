"""Who relies on what in the three rulings pages, alone and with the rules of their day."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import real
from asking import column, columns, session_on
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.finding.names import identify
from rulesgraph.queries.finding.things import resolve
from rulesgraph.queries.reliance.levels import reach_of
from rulesgraph.queries.reliance.network import Network
from rulesgraph.queries.reliance.questions import relying
from rulesgraph.queries.reliance.walk import Walk, why
from rulesgraph.queries.session import Session

TWELVE = {
    "citation": {
        "Equipment", "Leaves Play", "Legendary", "Lethal Damage", "Life", "Lose the Game", "Loyalty",
        "Priority", "Protection",
    },
    "note": {"Poison Counter"},
    "mention": {"Effect", "Ending the Turn"},
}  # fmt: skip


@pytest.fixture(scope="module")
def pages(shared: Path, store_of: Callable[..., Path]) -> Session:
    """The three rulings pages alone."""
    return session_on(store_of(*real.pages(shared)))


def test_exactly_twelve_terms_of_three_pages_rely_on_state_based_effects_directly(pages: Session) -> None:
    answer = ask(pages, "terms_relying_on", ["state-based effect"])
    assert answer.edition == "rulings-2008-03-17"
    direct: dict[object, set[object]] = {}
    for name, steps, link, through in columns(answer, ("term", "steps", "link", "through")):
        assert (steps, through) == (1, None)
        direct.setdefault(link, set()).add(name)
    assert direct == TWELVE


def test_every_answer_quotes_words_of_its_line(pages: Session, shared: Path) -> None:
    files = {"g16": "000", "g5": "003", "g12": "004"}
    for name, quote, document, line in columns(
        ask(pages, "terms_relying_on", ["State-Based Effects"]), ("term", "quote", "document", "line")
    ):
        page = real.seed(shared, files[str(document).rpartition("-")[2]])
        text = " ".join(" ".join(page.read_text(encoding="utf-8").splitlines()[int(str(line)) - 1 :]).split())
        assert str(quote) in text, name


def test_the_steps_of_why_are_those_of_the_answer(pages: Session) -> None:
    answer = ask(pages, "terms_relying_on", ["State-Based Effects"], reach=reach_of(steps="all"))
    assert {row[1] for row in answer.rows} >= {1, 2}
    for name, steps, quote in columns(answer, ("term", "steps", "quote")):
        chain = why(pages, str(name), "State-Based Effects")
        assert len(chain.rows) == steps
        assert column(chain, "quote")[-1] == quote


def test_names_are_found_in_any_case_number_and_form(pages: Session) -> None:
    answers = {
        given: column(ask(pages, "terms_relying_on", [given]), "term")
        for given in ("Life", "life total", "LIFE, LIFE TOTAL", "G12.12")
    }
    assert len({tuple(map(str, found)) for found in answers.values()}) == 1


@pytest.mark.long(small="test_the_steps_of_why_are_those_of_the_answer")
def test_a_rulings_release_rests_on_the_rules_of_its_day(shared: Path, store_of: Callable[..., Path]) -> None:
    session = session_on(store_of(*real.pages(shared), real.rules(shared, "2008-02-01")))
    answer = ask(session, "terms_relying_on", ["420.5"])
    assert answer.edition == "rulings-2008-03-17, cr-2008-02-01"
    documents = {
        str(document).partition("-")[0]
        for document, steps in columns(answer, ("document", "steps"))
        if steps == 1
    }
    assert documents == {"rulings", "cr"}


def _hold_overall_against_each_term(session: Session, edition: str, via: str | None) -> None:
    """Check the overall counts and pairs against the answers for each term that has a body."""
    reach = reach_of(via)
    counted = {row[0]: row[1:] for row in ask(session, "most_relied_on", edition=edition, reach=reach).rows}
    pairs = ask(session, "mutual_reliance", edition=edition, reach=reach).rows
    if via is None:
        reach = reach_of("citation,note,definition")
    network = Network(session, session.scope(edition), whole=True)
    asked: dict[object, tuple[int, int]] = {}
    relying_on: dict[object, set[object]] = {}
    for iri in network.bodies.terms:
        name = session.iris.parse(iri).name
        if any(now.later and now.iri in network.bodies.terms for now in identify(session, name).renamed):
            continue  # it is listed under its newer name
        things = resolve(session, [name], edition)
        walk = Walk(session, things, reach, network)
        terms, rules = (relying(walk, reach, terms=kind).rows for kind in (True, False))
        name = things.things[0].name
        if terms or rules:
            asked[name] = (len(terms), len(rules))
        relying_on[name] = {row[0] for row in terms}
    assert counted == asked
    both = {
        (one, other) for one, them in relying_on.items() for other in them if one in relying_on.get(other, ())
    }
    assert {*pairs, *((other, one) for one, other in pairs)} == both
    assert len(pairs) * 2 == len(both) > 0


@pytest.mark.parametrize("via", [None, "citation,mention"])
def test_overall_counts_are_those_of_asking_about_each_term(pages: Session, via: str | None) -> None:
    _hold_overall_against_each_term(pages, "rulings-2008-03-17", via)


@pytest.mark.long(small="test_overall_counts_are_those_of_asking_about_each_term")
@pytest.mark.parametrize("day", ["2008-02-01", "2026-01-16"])
def test_overall_counts_of_whole_editions_are_those_of_asking_about_each_term(
    shared: Path, store_of: Callable[..., Path], day: str
) -> None:
    session = session_on(store_of(*(real.rules(shared, day) for day in real.AROUND)))
    _hold_overall_against_each_term(session, f"cr-{day}", None)
