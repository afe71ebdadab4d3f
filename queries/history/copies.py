"""Say where an answer rests on a copy that differs from the known one of its edition."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...loaders.language.numbers import parent
from ..session import Edition, Session


def slips(session: Session, editions: Sequence[Edition], rules: Iterable[str]) -> list[str]:
    """Return a sentence for each of some rules (IRIs) that only the loaded copy of an edition has so.

    A rule that a copy lacks is reported too: its problem concerns the rule that it was part of.
    """
    iris = session.iris
    places = [place for place in map(iris.parse, rules) if place.kind == "rule"]
    named = {place.key for place in places}
    wholes = named | {parent(place.key) for place in places}
    derived = [iris.derived(it.id) for it in editions]
    rows = session.run("history", "copies", derived, kept=True) if named else []
    return [
        f"{message}. What is said about it here may be a slip of the loaded copy."
        for message, concerns, is_lost in rows
        if not concerns or iris.parse(str(concerns)).key in (wholes if is_lost else named)
    ]
