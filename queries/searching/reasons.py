"""What a score is made of becomes the reason why a passage is shown, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...loaders.language.function_words import FUNCTION_WORDS
from .ranking import Candidates, Ranking

_MOST = 3
"""How many things of a kind a reason names."""

_SHARE = 0.1
"""What makes up less than such a part of a score is no reason."""


def reason(candidates: Candidates, ranking: Ranking, it: int, name_of: Callable[[str], str]) -> str:
    """Return why a passage was chosen, its strongest grounds of each kind; `name_of` gives those of terms.

    That it says what was asked, or defines something, comes first, then what it speaks of, which other
    candidates cite it, that a part of it fits, and which words of the question it has.
    """
    grounds = ranking.grounds(it)
    enough = _SHARE * ranking.totals[it]

    def strongest(kind: str, least: float = 0.0) -> list[str | int]:
        own = grounds.get(kind, {})
        ordered = sorted(own, key=lambda ground: (-own[ground], str(ground)))
        return [ground for ground in ordered if own[ground] > least] if sum(own.values()) > enough else []

    def numbers(kind: str) -> list[str]:
        return [candidates.places[int(other)].number for other in strongest(kind)]

    defined = [name_of(str(slug)) for slug in grounds.get("defines", {})]
    spoken = [name_of(str(slug)) for slug in grounds.get("speaks", {})]
    spoken = [name for name in spoken if name not in defined]
    said = [f"“{word}”" for word in strongest("words", enough) if word not in FUNCTION_WORDS]
    number = candidates.places[it].number
    named = [str(rule) for rule in grounds.get("named", {})]
    clauses = [
        ("named in the question:", [rule for rule in named if rule == number]),
        ("part of", [rule for rule in named if rule != number]),
        ("says whether", [str(pair) for pair in grounds.get("says", {})]),
        ("defines", defined),
        ("speaks of", spoken),
        ("common ground:", [name_of(str(slug)) for slug in strongest("shared")]),
        ("cited by", numbers("cited")),
        ("stands above", numbers("heads")),
        ("has", said),
    ]
    return "; ".join(f"{verb} {listed}" for verb, things in clauses if (listed := _listed(things)))


def _listed(names: Iterable[str]) -> str:
    """Return names as a sentence lists them, `_MOST` at most.

    >>> _listed(["Trample"]), _listed(["Trample", "", "Reach", "Haste"])
    ('Trample', 'Trample, Reach and Haste')
    """
    several = list(dict.fromkeys(filter(None, names)))[:_MOST]
    return " and ".join(filter(None, (", ".join(several[:-1]), *several[-1:])))
