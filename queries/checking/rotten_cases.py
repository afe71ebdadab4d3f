"""Find the solved cases whose citations rot: their numbers were none of a rule, or the rules are gone."""

from __future__ import annotations

from collections.abc import Iterator

from ...loaders.history.lives import bundled_lives
from ..cases.alike import all_cases, rules_now
from ..session import Cells, Session


def rotten_cases(session: Session, edition: str) -> Iterator[Cells]:
    """Yield a finding for each number of a case that no rule had on its day, or whose rule is gone.

    Columns are those of `defects`. The authority file tells it: an edition that it lacks has no findings.
    """
    lives = bundled_lives()
    if edition not in lives.editions:
        return
    for case in all_cases(session):
        then = lives.in_force(case.as_of)
        for number in case.numbers:
            if not (then and lives.holding(number, then)):
                what = f"{number} was the number of no rule on {case.as_of}"
            elif not rules_now(case._replace(numbers=(number,)), edition):
                what = f"what {number} was on {case.as_of} is in no rule of {edition}"
            else:
                continue
            place = session.iris.local(case.iri)
            yield "warning", "case-citation", place, "", None, f"{what}.", case.question, ""
