"""Queries of strangers are refused before they are parsed, where parsing them could end the process."""

from __future__ import annotations

from ...ontology.errors import UsageError
from . import scan

LONGEST_QUERY = 10_000
"""Characters that a query may have."""

_DEEPEST = 25
"""How deep a query may nest: every level costs the parser time, and thousands of them its stack."""

_LONGEST_RUN = 8
"""How many operators may stand one behind the other, as in ``!!!``: each is a level, too."""

_MOST_STEPS = 50
"""How many steps all property paths may have together: thousands take the engine minutes to plan."""


def admit(query: str, longest: int = LONGEST_QUERY) -> None:
    """Raise `UsageError` for a query that is too long, or nested too deeply, to be parsed here."""
    if len(query) > longest:
        raise UsageError(f"the query has more than {longest} characters")
    if _is_plain(query):
        return
    deepest, longest, steps = _measured(query)
    if deepest > _DEEPEST or longest > _LONGEST_RUN:
        raise UsageError("the query is nested too deeply", way_out=f"It may have {_DEEPEST} levels.")
    if steps > _MOST_STEPS:
        raise UsageError(f"its property paths have more than {_MOST_STEPS} steps")


def admit_of_ours(query: str, levels: int) -> None:
    """Raise `UsageError` for a query of the user's own that has more levels than the parser's stack holds."""
    if _measured(query)[0] > levels:
        raise UsageError("the query is nested too deeply", way_out=f"It may have {levels} levels.")


def _measured(query: str) -> tuple[int, int, int]:
    """Return the levels of a query, its longest run of operators, and the steps of all its paths together."""
    depth = deepest = run = longest = steps = 0
    for token in scan.scan(scan.decoded(query)):
        if token.kind in {"space", "comment"}:
            continue
        symbol = token.text if token.kind == "symbol" else ""
        run = run + 1 if symbol and symbol in "!-+^" else 0
        longest = max(longest, run)
        steps += symbol == "/"
        depth += symbol.count("{") + (symbol in {"(", "["})
        deepest = max(deepest, depth)
        depth -= symbol.count("}") + (symbol in {")", "]"})
    return deepest, longest, steps


def _is_plain(query: str) -> bool:
    """Tell whether a query has too few characters of the kinds that count to be beyond any bound.

    What stands in strings, names and comments is counted as well: a query that is not plain may be fine.
    """
    opening, operators = map(query.count, "{(["), map(query.count, "!-+^")
    return sum(opening) <= _DEEPEST and sum(operators) <= _LONGEST_RUN and query.count("/") <= _MOST_STEPS
