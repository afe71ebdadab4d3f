"""Which links are links of reliance, and how far they are followed."""

from __future__ import annotations

from typing import NamedTuple

from ...ontology.errors import UsageError

KINDS = ("citation", "note", "definition", "mention")
"""The kinds of link, strongest first."""

EXPLICIT = KINDS[:3]
"""Those that are followed beyond the link that touches what is asked about."""

RANK = {kind: rank for rank, kind in enumerate(KINDS)}
"""The place of each kind from the strongest (0)."""


ALL_STEPS = "all"
"""What `--steps` calls no limit."""


class Reach(NamedTuple):
    """How far and over which links to walk; `steps` None is no limit.

    Where `via` is None the link that touches what is asked about may be of any kind, and all others are
    explicit: chains of mentions soon connect everything with everything.
    """

    via: tuple[str, ...] | None = None
    steps: int | None = 1

    def kinds(self, step: int) -> tuple[str, ...]:
        """Return the kinds of link that may be taken at a step, counted from what is asked about."""
        if self.via is not None:
            return self.via
        return KINDS if step == 1 else EXPLICIT

    def allow(self, step: int) -> bool:
        """Tell whether a walk may be `step` steps long."""
        return self.steps is None or step <= self.steps


def reach_of(via: str | None = None, steps: int | str | None = None) -> Reach:
    """Read `--via` and `--steps`: without steps, one; ``"all"`` is no limit.

    Raises `UsageError` for kinds that there are not, and for what is no number of steps.
    """
    return Reach(_kinds(via), _steps(steps))


def _steps(steps: int | str | None) -> int | None:
    if steps is None:
        return 1
    if str(steps).strip().lower() == ALL_STEPS:
        return None
    try:
        number = int(steps)
    except ValueError:
        number = 0
    if number < 1:
        raise UsageError(
            f"a chain has at least one step, not {steps}", way_out=f"Give a number, or {ALL_STEPS}."
        )
    return number


def _kinds(via: str | None) -> tuple[str, ...] | None:
    if via is None:
        return None
    kinds = [kind.strip().lower().removesuffix("s") for kind in via.split(",") if kind.strip()]
    wrong = [kind for kind in kinds if kind not in RANK]
    if wrong or not kinds:
        raise UsageError(
            f"no kind of link is called {wrong[0]!r}" if wrong else "no kind of link is named",
            way_out=f"The kinds are {', '.join(KINDS)}.",
        )
    return tuple(kind for kind in KINDS if kind in kinds)
