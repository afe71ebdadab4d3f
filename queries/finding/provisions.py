"""Find what a permanent id of a rule, or an IRI of the store, stands for."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ...loaders.history.lives import bundled_lives
from ...ontology.errors import UnknownNameError
from ...ontology.iris import Place
from ...ontology.terms import RG, SKOS
from ..session import Session, with_history

_ID = re.compile(r"(?:provision/)?(P[0-9a-f]{5,})")

_KINDS = frozenset(("term", "section", "rule", "entry", "paragraph"))
"""What can be asked about by its IRI."""


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


def _place_named(session: Session, name: str) -> Place | None:
    """Return what an IRI of the store names, also without its base; None for other words."""
    for before in ("", session.iris.base, session.iris.edition("")):
        place = session.iris.parse(before + name.strip())
        if place.kind in _KINDS:
            return place
    return None


def without_iri(session: Session, name: str) -> str:
    """Return the preferred name of a term that is given by its IRI, and any other name as it is."""
    place = _place_named(session, name)
    if place is None or place.kind != "term":
        return name
    iri = session.iris.iri(place)
    return dict(session.pairs((session.iris.graph("terms"),), SKOS.prefLabel, of=[iri])).get(iri, name)


def called_in_edition(session: Session, name: str) -> dict[str, str] | None:
    """Return the number, or the term, of what an IRI names in its edition; of a part, that of the whole.

    None for what is no IRI of something in an edition. Raises `UnknownNameError` for an unknown edition.
    """
    place = _place_named(session, name)
    if place is None or not place.edition:
        return None
    graphs = session.scope(place.edition)
    whole = session.iris.iri(place.whole)
    iri = session.iris.iri(place)
    numbers = dict(session.pairs(graphs, SKOS.notation, of=[iri, whole]))
    if whole in numbers:  # else the number of a part is one within its entry
        return {place.edition: numbers.get(iri, numbers[whole])}
    terms = session.pairs(graphs, RG.defines, of=[whole])
    return {place.edition: without_iri(session, min(terms)[1])} if terms else {}


def with_numbers(
    session: Session, names: Sequence[str], edition: str | None
) -> tuple[Sequence[str], str | None]:
    """Return names with numbers instead of permanent ids and of IRIs, and the edition that has the numbers.

    Without an edition that is the newest one that has all of them. Raises `UnknownNameError` for what no
    loaded edition has, or not the one that is asked for.
    """
    there: dict[str, dict[str, str]] = {}
    for name in names:
        if provision := provision_named(session, name):
            there[name] = {where: number for where, _, number in rules_of_provision(session, provision)}
        elif (called := called_in_edition(session, name)) is not None:
            there[name] = called
    if not there:
        return names, edition
    having = session.scope(edition).editions if edition else tuple(it.id for it in session.editions())
    for name, own in there.items():
        having = tuple(it for it in having if it in own)
        if not having:
            what = "provision" if provision_named(session, name) else "rule or entry"
            raise UnknownNameError(what, name, (), _where(session, name, own))
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
