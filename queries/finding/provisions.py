"""Find the rules that a permanent id stands for."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ...loaders.history.lives import bundled_lives
from ...ontology.errors import UnknownNameError
from ..session import Session, with_history

_ID = re.compile(r"(?:provision/)?(P[0-9a-f]{5,})")


def provision_named(session: Session, name: str) -> str:
    """Return the permanent id that a name is, alone or as an IRI; ``""`` for anything else."""
    found = _ID.fullmatch(name.strip().removeprefix(session.iris.base))
    return found[1] if found else ""


def rules_of_provision(session: Session, provision: str) -> list[tuple[str, str, str]]:
    """Return the loaded editions that have a provision, the newest first, with its IRI and number there."""
    iris = session.iris
    followed = [it.id for it in with_history(session.editions())]
    found = session.run("finding", "rules_of_provision", None, {"provision": [iris.provision(provision)]})
    there = [(iris.parse(str(rule)).edition, str(rule), str(number)) for rule, number, _ in found]
    return sorted(there, key=lambda it: followed.index(it[0]), reverse=True)


def with_numbers(
    session: Session, names: Sequence[str], edition: str | None
) -> tuple[Sequence[str], str | None]:
    """Return names with numbers instead of permanent ids, and the edition that has the numbers.

    Without an edition that is the newest one that has all of them. Raises `UnknownNameError` for an id that
    no loaded edition has, or not the one that is asked for.
    """
    there = {
        name: {where: number for where, _, number in rules_of_provision(session, provision)}
        for name in names
        if (provision := provision_named(session, name))
    }
    if not there:
        return names, edition
    having = session.scope(edition).editions if edition else tuple(it.id for it in session.editions())
    for name, own in there.items():
        having = tuple(it for it in having if it in own)
        if not having:
            raise UnknownNameError("provision", name, (), _where(session, name, own))
    found = [there[name][having[0]] if name in there else name for name in names]
    return found, edition or (None if having[0] in session.current.editions else having[0])


def _where(session: Session, name: str, loaded: Collection[str]) -> str:
    """Say which loaded editions have a provision, or when it stood if none has it."""
    tenures = bundled_lives().tenures(provision_named(session, name))
    if loaded or not tenures:
        return f"It is in {', '.join(loaded)}." if loaded else ""
    return f"It existed from {tenures[0].first} to {tenures[-1].last}: `rulesgraph trace {name}` follows it."


def provision_at(session: Session, wanted: str, edition: str) -> tuple[str, str]:
    """Return what had a number, or was a permanent id, in an edition that the bundled file covers; both.

    Raises `UnknownNameError` where that was nothing.
    """
    lives = bundled_lives()
    own = provision_named(session, wanted)
    held = lives.tenures(own) if own else [it for _, it in lives.holders(wanted)]
    number = next((it.number for it in held if it.first <= edition <= it.last), "") if own else wanted
    provision = own if number and own else lives.holding(wanted, edition)
    if not provision:
        spans = [f"{it.first} to {it.last}" for it in held]
        stood = f"; it existed from {', '.join(spans[:3])}" if held else ""
        raise UnknownNameError("rule", wanted, (), f"{edition} is not loaded, and had no such rule{stood}")
    return provision, number
