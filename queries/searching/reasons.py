"""Say why each of the closest rules was chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...loaders.language.everyday import FUNCTION_WORDS
from ...ontology import in_a_list
from .grammar import Wanted
from .ranking import Candidates
from .scores import Ranking

_MOST, _SHARE = 3, 0.1
"""The maximum number of things of a kind in a reason, and the minimum share of the score to be one."""


def reason(candidates: Candidates, ranking: Ranking, it: int, name_of: Callable[[str], str]) -> str:
    """Return why a passage was chosen: the strongest grounds of each kind.

    `name_of` gives the name of a term, or how the question calls a rule. Definitions come first, then what
    the passage mentions, which candidates cite it, and which of the question's words its text has. Words only
    in its title, in its examples or in entries that cite it are named if there is no other reason.
    """
    grounds = ranking.grounds(it)
    enough = _SHARE * ranking.totals[it]

    def strongest(kind: str, least: float = 0.0) -> list[str | int]:
        own = grounds.get(kind, {})
        ordered = sorted(own, key=lambda ground: (-own[ground], str(ground)))
        return [ground for ground in ordered if own[ground] > least] if sum(own.values()) > enough else []

    defined = [name_of(str(slug)) for slug in grounds.get("defines", {})]
    spoken = [name for it in grounds.get("speaks", {}) if (name := name_of(str(it))) not in defined]
    said = [str(word) for word in strongest("words", enough) if word not in FUNCTION_WORDS]
    own = [word for word in said if it in candidates.matching(Wanted((word,)).match)]
    number, named = candidates.places[it].number, [str(rule) for rule in grounds.get("named", {})]
    clauses = [
        ("named in the question:", [name_of(rule) for rule in named if rule == number]),
        ("part of", [rule for rule in named if rule != number]),
        ("defines", defined),
        ("mentions", spoken),
        ("common ground:", [name_of(str(slug)) for slug in strongest("shared")]),
        ("cited by", [candidates.places[int(other)].number for other in strongest("cited")]),
        ("contains", [f"“{word}”" for word in own]),
        ("decided", ["similar cases"] if strongest("cases") else []),
    ]
    told = [f"{verb} {listed}" for verb, things in clauses if (listed := _listed(things))]
    beside = _listed(f"“{word}”" for word in said)
    return "; ".join(told) or (
        f"its title, examples or entries: {beside}" if beside else "contains a closer rule"
    )


def _listed(names: Iterable[str]) -> str:
    return in_a_list([*dict.fromkeys(filter(None, names))][:_MOST])
