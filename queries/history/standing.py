"""A rule or a term becomes the edition in which it was first seen, and that in which its words were new."""

from __future__ import annotations

from collections import defaultdict

from ..session import Session, with_history


def standing(session: Session, iri: str, edition: str) -> tuple[str, str] | None:
    """Return the earliest edition that has a rule or term, and the latest, up to `edition`, that changed it.

    A rule is followed through its provision, a term by its name. None where no history tells of it.
    """
    until = [it.id for it in with_history(session.editions())]
    until = until[: until.index(edition) + 1]
    parse = session.iris.parse
    sources: dict[str, set[str]] = defaultdict(set)
    for unit, before in session.run("history", "standing", None, {"it": [iri]}):
        sources[str(unit)] |= {str(before)} if before else set()
    kept: dict[str, bool] = {}
    for unit, origins in sources.items():
        here = parse(unit)
        same = any(here.kind != "entry" or parse(origin).key == here.key for origin in origins)
        kept[here.edition] = kept.get(here.edition, True) and same
    seen = [name for name in until if name in kept]
    if not seen:
        return None
    return seen[0], next((name for name in reversed(seen) if not kept[name]), seen[0])
