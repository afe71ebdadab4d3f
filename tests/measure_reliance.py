"""Measure precision and recall of direct reliance and of joins, against the hand-made gold in `tests/gold`.

`tests/gold/README.md` says what the tables contain and how they were made: complete lists of the terms that
rely on 33 concepts of two editions, and the rules that define 157 entries of three. Rows marked `open` are
neither required nor counted as wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

from measure import SOURCES, Score, gold
from real import parsed
from rulesgraph.loaders.linking.edition import EditionView
from rulesgraph.ontology.iris import Iris, slug
from rulesgraph.queries.answering.ask import ask
from rulesgraph.queries.answering.running import bound
from rulesgraph.queries.catalogue.questions import asked, question
from rulesgraph.queries.session import Cells, Session


def concepts() -> dict[tuple[str, str], dict[str, str]]:
    """Return (edition, concept) → term → verdict."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in gold("reliance.tsv"):
        found.setdefault((row["edition"], row["concept"]), {})[row["term"]] = row["verdict"]
    return found


def answered(session: Session, edition: str, concept: str) -> set[str]:
    """Return the slugs of the terms that are said to rely on a concept directly."""
    answer = ask(session, "terms_relying_on", [concept.replace("-", " ")], edition=edition)
    return {slug(str(row[0])) for row in answer.rows}


def reliance_scores(session: Session, edition: str) -> Iterator[tuple[str, Score, str, set[str]]]:
    """Yield (concept, score, what is wrong or missed, answer) for each concept of an edition's gold."""
    for (of, concept), verdicts in concepts().items():
        if of == edition:
            found = answered(session, edition, concept)
            right = {term for term, verdict in verdicts.items() if verdict == "right"}
            wrong, missed = sorted(found - verdicts.keys()), sorted(right - found)
            score = Score(len(found & right), len(wrong), len(missed))
            yield concept, score, f"wrong: {', '.join(wrong)}; missed: {', '.join(missed)}", found


def likeness(answers: Iterable[set[str]]) -> float:
    """Return the mean Jaccard index of all pairs of answers: their similarity, from 0 to 1."""
    pairs = list(combinations(answers, 2))
    return sum(len(one & other) / len(one | other) for one, other in pairs) / len(pairs)


def asked_by_walk(session: Session, pair: Sequence[str]) -> Sequence[Cells]:
    """Return the rows that `ask interaction` shows first."""
    return ask(session, "interaction", pair).rows[:10]


def asked_by_query(session: Session, pair: Sequence[str]) -> Sequence[Cells]:
    """Return the rows that the exported query gives."""
    values, scope, _ = bound(session, question("interaction"), pair)
    return session.select(asked(question("interaction"), values), scope.default_graphs, scope.named_graphs)


def interaction_shares(
    session: Session, way: Callable[[Session, Sequence[str]], Sequence[Cells]] = asked_by_walk
) -> tuple[float, float]:
    """Return which shares of the grounds and of the rules of the gold are in the answers."""
    of_grounds, of_rules = [], []
    for row in gold("interaction.tsv"):
        pair = [row["left"].replace("-", " "), row["right"].replace("-", " ")]
        top = way(session, pair)
        grounds = {slug(str(cells[0])) for cells in top}
        numbers = {str(number) for cells in top for number in (cells[0], cells[1], cells[3])}
        of_grounds += [it in grounds for it in row["grounds"].split()]
        of_rules += [it in numbers for it in row["rules"].split()]
    return sum(of_grounds) / len(of_grounds), sum(of_rules) / len(of_rules)


@cache
def join_scores(shared: Path) -> list[tuple[str, Score, list[str]]]:
    """Return (edition, score, differences) for the rules that define entries, join by join."""
    scores = []
    rows = [row for row in gold("joins.tsv") if row["verdict"] != "open"]
    for edition in dict.fromkeys(row["edition"] for row in rows):
        document = parsed(shared / SOURCES[edition])
        view = EditionView([document], Iris())
        right = wrong = missed = 0
        differing = []
        for row in (row for row in rows if row["edition"] == edition):
            term = slug(row["entry"].split(",")[0].strip('"“” '))
            found = {
                view.iris.parse(r).key for r in (*view.defining.get(term, ()), *view.pointed.get(term, ()))
            }
            true = set(row["rule"].split()) - {"-"}
            right += len(found & true)
            wrong += len(found - true)
            missed += len(true - found)
            if found != true:
                differing.append(f"{row['entry']}: {sorted(found)} for {sorted(true)}")
        scores.append((edition, Score(right, wrong, missed), differing))
    return scores
