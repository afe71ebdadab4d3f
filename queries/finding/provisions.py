"""Find the thing with a permanent id or IRI, and suggest what an unknown number may mean."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Collection, Iterable, Sequence
from string import ascii_uppercase

from ...loaders.history.lives import bundled_lives
from ...loaders.language.numbers import order, wholes
from ...ontology import RG, SKOS, UnknownNameError, from_to, in_a_list
from ..session import Session, with_history
from ..session.places import place_named, without_iri

_ID = re.compile(r"(?:provision/)?(P[0-9a-f]{5,})")


def provision_named(session: Session, name: str) -> str:
    """Return the permanent id in a name, alone or in an IRI; a retired one's successor; or ``""``."""
    found = _ID.fullmatch(name.strip().removeprefix(session.iris.base))
    if not found:
        return ""
    # Few names are ids, so this is read only when needed.
    from ...loaders.history.authority import bundled

    return bundled().given_up.get(found[1], found[1])


def rules_of_provision(session: Session, provision: str) -> list[tuple[str, str, str]]:
    """Return the loaded editions that have a provision, newest first, with its IRI and number in each."""
    iris = session.iris
    followed = [it.id for it in with_history(session.editions())]
    found = session.run("finding", "rules_of_provision", None, {"provision": [iris.provision(provision)]})
    there = [(iris.parse(str(rule)).edition, str(rule), str(number)) for rule, number, _ in found]
    return sorted(there, key=lambda it: followed.index(it[0]), reverse=True)


def permanent_rules(session: Session, edition: str) -> dict[str, str]:
    """Return permanent id → IRI, for the rules of a loaded edition that are in the authority file.

    Other texts than the comprehensive rules have none.
    """
    graphs = (session.iris.document(edition), session.iris.history(edition))
    found = session.pairs(graphs, RG.provision, kept=True)
    return {name[1]: it for it, own in found if (name := _ID.fullmatch(session.iris.local(own)))}


def called_in_editions(session: Session, name: str) -> dict[str, str] | None:
    """Return the number or the term that a permanent id or IRI stands for, by the editions that have it.

    An IRI belongs to one edition, and that of a part stands for the whole. Returns None for other names.
    Raises `UnknownNameError` for an unknown edition.
    """
    if provision := provision_named(session, name):
        return {where: number for where, _, number in rules_of_provision(session, provision)}
    place = place_named(session, name)
    if place is None or not place.edition:
        return None
    graphs = session.scope(place.edition)
    whole = session.iris.iri(place.whole)
    iri = session.iris.iri(place)
    numbers = dict(session.pairs(graphs, SKOS.notation, of=[iri, whole]))
    if whole in numbers:  # otherwise the number of a part is one within its entry
        return {place.edition: numbers.get(iri, numbers[whole])}
    terms = session.pairs(graphs, RG.defines, of=[whole])
    return {place.edition: without_iri(session, min(terms)[1])} if terms else {}


def with_numbers(
    session: Session, names: Sequence[str], edition: str | None
) -> tuple[Sequence[str], str | None]:
    """Return names in which numbers replace permanent ids and IRIs, and the edition of these numbers.

    By default this is the newest edition that has all of them. Raises `UnknownNameError` if no loaded edition
    has one of them, or if the requested edition does not.
    """
    called = {name: called_in_editions(session, name) for name in names}
    there = {name: own for name, own in called.items() if own is not None}
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
    """Return a sentence on which loaded editions have a provision, or on when it existed if none does."""
    tenures = bundled_lives().tenures(provision_named(session, name))
    if loaded or not tenures:
        return f"It is in {', '.join(loaded)}." if loaded else ""
    return f"It existed {from_to(tenures[0].first, tenures[-1].last)}: `rulesgraph trace {name}` follows it."


def provision_at(session: Session, wanted: str, edition: str) -> tuple[str, str]:
    """Return the permanent id and the number of a rule, given either, in an edition of the bundled file.

    Raises `UnknownNameError` if the edition had no such rule.
    """
    lives = bundled_lives()
    own = provision_named(session, wanted)
    held = lives.tenures(own) if own else [it for _, it in lives.holders(wanted)]
    number = next((it.number for it in held if it.first <= edition <= it.last), "") if own else wanted
    provision = own if number and own else lives.holding(wanted, edition)
    if not provision:
        spans = [f"{it.first} to {it.last}" for it in held]
        stood = f"; it existed from {in_a_list(spans[::-1])}" if held else ""
        raise UnknownNameError("rule", wanted, (), f"{edition} is not loaded, and had no such rule{stood}")
    return provision, number


_NUMBER = re.compile(r"([A-Z]*)(\d+)(?:\.(\d+)([a-z]*))?")

_LIKE = 0.5
"""The minimum similarity of one number to another; 1 means equal."""


def nearest_numbers(number: str, there: Iterable[str]) -> list[str]:
    """Return similar numbers in the same rule or chapter, and that rule or chapter; three at most.

    >>> nearest_numbers("702.3b", ["702", "702.2", "702.2b", "702.3", "702.3a"])
    ['702.3', '702.3a']
    """
    # Imported here because only unknown numbers need it.
    from difflib import get_close_matches

    known = dict.fromkeys(there)
    above = next((it for it in wholes(number)[1:] if it in known), "")
    below = [it for it in known if above in wholes(it)] if above else []
    return list(dict.fromkeys([*get_close_matches(number, below, n=2, cutoff=_LIKE), *below[:1]]))


def place_among(number: str, there: Iterable[str]) -> str:
    """Return a sentence on where a number would be; ``""`` if nothing has numbers of that form.

    >>> rules = ["7", "702", "702.2", "702.2a", "702.3", "702.3b", "704"]
    >>> [place_among(it, rules) for it in ("702.9a", "702.3a", "704.1")]
    ['702 ends at 702.3.', '702.3a would come between 702.3 and 702.3b.', '704 has no parts.']
    >>> [place_among(it, rules) for it in ("999.9", "703.2", "101", "G9")]
    ['The last number is 704.', '703 would come between 702 and 704.', 'The first number is 702.', '']
    >>> place_among("12", rules), place_among("704.0", ["704", "704.1"])
    ('The last number is 7.', '704.0 would come between 704 and 704.1.')
    """
    known = {it for it in there if _series(it) == _series(number)}
    if not known or not _NUMBER.fullmatch(number):
        return ""
    missing, above = number, ""
    for it in wholes(number):
        if it in known:
            above = it
            break
        missing = it
    beside = sorted((it for it in known if wholes(it)[1:2] == ((above,) if above else ())), key=_key)
    return _place(missing, above, beside) or f"The last number is {max(known, key=_key)}."


def elsewhere(number: str, called: str = "it") -> str:
    """Return a sentence on which editions had a number, loaded or not; ``""`` if none had.

    >>> elsewhere("502.15"), elsewhere("999.9")
    ('Editions from cr-2001-07-23 to cr-2009-05-01 have it: `rulesgraph trace 502.15` follows it.', '')
    """
    held = [standing for _, standing in bundled_lives().holders(number)]
    if not held:
        return ""
    first, last = min(it.first for it in held), held[0].last
    there = f"Editions from {first} to {last} have {called}" if first != last else f"{first} has {called}"
    return f"{there}: `rulesgraph trace {number}` follows it."


def whole_elsewhere(number: str, there: Collection[str]) -> str:
    """Return such a sentence for the rule or chapter that would contain a number, if that is not `there`.

    >>> whole_elsewhere("420.99", ["408", "500"]).partition(": ")[0], whole_elsewhere("420.99", ["420"])
    ('No edition has it. Editions from cr-1999-04-23 to cr-2009-05-01 have 420', '')
    """
    above = next((it for it in wholes(number)[1:] if it in there or bundled_lives().holders(it)), "")
    return f"No edition has it. {elsewhere(above, above)}" if above and above not in there else ""


def _place(number: str, above: str, beside: Sequence[str]) -> str:
    """Return where a number would be among its siblings; ``""`` after the last one of all."""
    if not beside:
        return f"{above} has no parts."
    place = bisect(beside, _key(number), key=_key)
    if place == len(beside):
        return f"{above} ends at {beside[-1]}." if above else ""
    before = beside[place - 1] if place else above
    if not before:
        return f"The first number is {beside[0]}."
    return f"{number} would come between {before} and {beside[place]}."


def _series(number: str) -> tuple[str, bool]:
    """Return what numbers at one level have in common: rules have three digits, sections do not."""
    match = _NUMBER.fullmatch(number)
    return (match[1], not match[1] and len(match[2]) == 3) if match else (".", False)


def _key(number: str) -> tuple[int, int, int, str]:
    return order(number.lstrip(ascii_uppercase))
