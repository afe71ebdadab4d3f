"""Find named things, and the graphs of an edition that has all of them.

A number means nothing without an edition, so both are found together: the newest loaded edition that has
everything a question names.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from ...loaders.language.numbers import number_in
from ...loaders.language.words import split_heading
from ...ontology import (
    DCTERMS,
    RDFS_LABEL,
    RG,
    SKOS,
    UnknownNameError,
    UsageError,
    grouped,
    last_name,
    literal,
    slug,
)
from ..session import Edition, Scope, Session
from ..session.places import without_iri
from .names import Named, capital, identify, namesake, the_one_called
from .provisions import (
    called_in_editions,
    elsewhere,
    nearest_numbers,
    place_among,
    whole_elsewhere,
    with_numbers,
)

KINDS = ("Rule", "Section", "Entry", "Paragraph", "Ruling")
"""The kinds of numbered things; a node of two kinds counts as the first of them."""

_DOCUMENT, _NUMBER = (
    r"(?P<document>[a-z][a-z0-9-]*)",
    r"(?P<number>appendix [a-z]|[a-z]{0,2}\d{1,4}(?:[.-]\d+[a-z]?)*)(?!\.?\w)",
)
_SECTIONS = (
    re.compile(rf"\b{_DOCUMENT}\s+(?:sections?\s+)?{_NUMBER}", re.IGNORECASE),
    re.compile(rf"\bsections?\s+{_NUMBER}\s+(?:of|in)\s+(?:the\s+)?{_DOCUMENT}", re.IGNORECASE),
)
"""The short name of a document, followed by a number in it."""

_NEAR = 5
"""The number of editions to name for a thing, those closest in time."""


class Thing(NamedTuple):
    """One thing that a question names.

    `kind` is ``"term"``, ``"rule"``, ``"section"``, ``"entry"``, ``"paragraph"`` or ``"ruling"``; `name` is
    its preferred name or number. `iris` are its nodes in the graphs seen: two for a rule that a release cites
    and that is in the rules in force at the time, and two for a renamed term, the requested one first.
    """

    kind: str
    name: str
    iris: tuple[str, ...]


class Resolution(NamedTuple):
    """The things that a question names, the graphs that contain all of them, and remarks."""

    things: tuple[Thing, ...]
    scope: Scope
    notes: tuple[str, ...] = ()


def resolve(session: Session, given: Sequence[str], edition: str | None = None) -> Resolution:
    """Find the thing with each name, and the graphs that have all of them; a permanent id means its rule.

    Raises `UnknownNameError` with similar names for an unknown one; `UsageError` for an ambiguous name, or if
    no loaded edition has all of them.
    """
    given, edition = with_numbers(session, given, edition)
    if len(given) == 1 and (section := section_named(session, given[0], edition)):
        given, edition = [section[0]], section[1]
    scope = session.scope(edition)
    named = [identify(session, name, scope) for name in given]
    if edition is not None:
        things = [_in_scope(session, it, scope) for it in named]
        for it, thing in zip(named, things, strict=True):
            if thing is None:
                raise _not_there(session, it, scope)
        found = [thing for thing in things if thing]
        return Resolution(tuple(found), scope, _remarks(scope, named, found))
    things = [_in_scope(session, it, scope, renamed=False) for it in named]
    if not all(things):
        scope = _newest_with(session, named)
        things = [_in_scope(session, it, scope) for it in named]
    found = [_with_renamed(it, thing) for it, thing in zip(named, things, strict=True) if thing is not None]
    return Resolution(tuple(found), scope, _remarks(scope, named, found))


def section_named(
    session: Session, words: str, edition: str | None = None, *, whole: bool = True
) -> tuple[str, str] | None:
    """Return the number and edition of what judges call ``MTR 4.3``, in the newest edition of these rules.

    The words may contain other words as well.
    """
    words = words.strip()
    for found in chain.from_iterable(form.finditer(words) for form in _SECTIONS):
        for it in session.editions() if found[0] == words or not whole else ():
            if it.short_name == found["document"].upper() and edition in (None, it.id):
                number = found["number"]
                return number.title() if " " in number else number, it.id
    return None


def _in_scope(session: Session, it: Named, scope: Scope, renamed: bool = True) -> Thing | None:
    """Return the thing as it is in `scope`, or None.

    If something else has the name there, it is taken. With `renamed`, the thing may also be found by its
    names over time, by other forms of its words, or by a name that a text only refers to.
    """
    if it.kind == "number":
        return numbered(session, [it.key], scope).get(it.key)
    terms = it.terms if renamed else (it.key,)
    if session.run("finding", "standing", scope, {"term": terms}):
        return Thing("term", it.name, terms)
    other = namesake(session, scope, it.given or it.name, inflected=renamed)
    if other:
        return Thing("term", other[1], (other[0],))
    referred = renamed and session.pairs(scope, RG.cites, to=[it.key])
    return Thing("term", it.name, (it.key,)) if referred else None


def numbered(
    session: Session, numbers: Iterable[str], scope: Scope | Sequence[str] | None, *, kept: bool = False
) -> dict[str, Thing]:
    """Return the things with some numbers, each as the first of its `KINDS`; in any graph without a scope.

    For `kept` see `Session.run`.
    """
    given = {"number": [literal(number) for number in dict.fromkeys(numbers)]}
    rows = session.run("finding", "number" if scope else "number_anywhere", scope, given, kept=kept)
    ranked = grouped((str(number), (KINDS.index(last_name(str(cls))), str(it))) for it, cls, number in rows)
    return {
        number: Thing(
            KINDS[min(nodes)[0]].lower(), number, tuple(it for rank, it in nodes if rank == min(nodes)[0])
        )
        for number, nodes in ranked.items()
    }


def _with_renamed(it: Named, thing: Thing) -> Thing:
    return thing._replace(iris=it.terms) if it.kind == "term" and thing.iris == (it.key,) else thing


def terms_of(session: Session, graphs: Scope | Sequence[str], thing: Thing) -> tuple[str, ...]:
    """Return the IRIs of the terms of an entry, or of the entry that contains a paragraph, note or ruling."""
    rows = session.run("finding", "term_of", graphs, {"it": thing.iris})
    return tuple(dict.fromkeys(str(row[1]) for row in rows))


def terms_defined_by(session: Session, graphs: Scope | Sequence[str], thing: Thing) -> tuple[str, ...]:
    """Return the IRIs of the terms that a rule itself defines."""
    return tuple(dict.fromkeys(term for term, _ in session.pairs(graphs, RG.definedBy, to=thing.iris)))


def editions_with(session: Session, it: Named, renamed: bool) -> set[str]:
    """Return the ids of the editions that have the thing; with `renamed`, by any of its names."""
    if it.kind == "number":
        nodes = [node for node, _ in session.pairs(None, SKOS.notation, to=[literal(it.key)])]
    else:
        terms = it.terms if renamed else (it.key,)
        rows = session.run("finding", "standing_anywhere", None, {"term": terms})
        defined = [str(row[1]) for row in rows if row[2]]
        nodes = defined or [str(row[1]) for row in rows]
    return {edition for node in nodes if (edition := session.iris.parse(node).edition)}


def _newest_with(session: Session, named: Sequence[Named]) -> Scope:
    """Return the scope of the newest edition that has every named thing."""
    for renamed in (False, True):
        standing = [editions_with(session, it, renamed) for it in named]
        for it, where in zip(named, standing, strict=True):
            if not where and not renamed and not it.renamed:
                raise _unknown("term or number", it.name, session, session.current)
        for edition in session.editions():
            if all(where & {edition.id, edition.rules_in_force} for where in standing):
                return session.scope(edition.with_rules)
    places = "; ".join(f"{it.name} in {', '.join(sorted(editions_with(session, it, True)))}" for it in named)
    raise UsageError(
        "no loaded edition has all of these", where=places, way_out="Ask about each with --edition."
    )


def _not_there(session: Session, it: Named, scope: Scope) -> UnknownNameError:
    what = f"term or number of {scope.label}"
    where = sorted(editions_with(session, it, True))
    if not where:
        return _unknown(what, it.name, session, scope)
    followed = [edition.id for edition in session.editions() if edition.has_history]
    ends = [next((id for id in followed if id in some), "") for some in (where, scope.editions)]
    after = bisect(where, scope.editions[0]) if scope.editions else len(where)
    near = where[max(0, min(after - _NEAR // 2, len(where) - _NEAR)) :][:_NEAR]
    more = f", and in {len(where) - len(near)} others" if len(near) < len(where) else ""
    way_out = [f"It is in {', '.join(near)}{more}."]
    if it.kind == "number" and all(ends):
        way_out.append(f"`rulesgraph trace {it.key} --from {ends[0]} --to {ends[1]}` follows it.")
    return UnknownNameError(what, it.name, (), "\n  ".join(way_out))


def _unknown(what: str, name: str, session: Session, scope: Scope) -> UnknownNameError:
    """Return the error for an unknown number, with its neighbours."""
    numbers = sorted({it for _, it in session.pairs(scope, SKOS.notation)}) if number_in(name) else []
    place = place_among(name, numbers)
    # `trace` follows numbers of the comprehensive rules.
    if numbers and any(it.has_history for it in session.editions()):
        if told := elsewhere(name):
            return UnknownNameError(what, name, (), "\n  ".join(it for it in (told, place) if it))
        if told := whole_elsewhere(name, numbers):
            return UnknownNameError(what, name, (), told)
    return UnknownNameError(what, name, nearest_numbers(name, numbers), place)


def _remarks(scope: Scope, named: Sequence[Named], things: Sequence[Thing]) -> tuple[str, ...]:
    """Return remarks on other names that stand for the same term."""
    remarks = []
    for it, thing in zip(named, things, strict=True):
        if it.kind == "term" and it.key not in thing.iris and thing.name != it.name:
            remarks.append(f"{capital(it.given)} is found under {thing.name} in {scope.label}.")
        elif it.remark:
            remarks.append(it.remark)
        for other in it.renamed:
            if other.iri in thing.iris:
                when = "is now called" if other.later else "was called"
                where = "" if other.told else " in other editions"
                remarks.append(f"{it.name} {when} {other.name}{where}: both names count.")
    return tuple(remarks)


def numbers_in(text: str) -> list[str]:
    """Return the rule numbers in a number, list or range; none for anything else, such as an entry's name."""
    stem = re.sub(r"rules?\s+", "", text.strip(), flags=re.IGNORECASE)
    if number_in(stem) or not any(it.isdigit() for it in stem):
        return [number_in(stem) or text.strip()]
    # Loading the grammar of references pays only for lists and ranges.
    from ...loaders.reading.references import find_references

    found = [t.key for r in find_references(f"rules {stem}") for t in r.targets if t.kind.value == "rule"]
    if len(found) == 1 and re.search(r"\d\w*\s?[-–]\s?\d{3}\.", stem):
        raise UsageError(f"{stem} is not a range of rules", way_out="Begin with the lower number.")
    return found or [text.strip()]


def locate(session: Session, edition: Edition, wanted: str) -> tuple[str, str]:
    """Return the IRI and label of a rule or entry in one edition, by name, number or permanent id."""
    wanted = (called_in_editions(session, wanted) or {}).get(edition.id, wanted)
    document = (session.iris.document(edition.documents[0].id),)
    rule = session.iris.rule(edition.id, wanted)
    if session.pairs(document, SKOS.notation, of=[rule], kept=True):
        return rule, wanted
    term = session.iris.term(slug(without_iri(session, wanted)))
    entries = [entry for entry, _ in session.pairs(document, RG.defines, to=[term], kept=True)]
    if headed := session.pairs(document, DCTERMS.title, of=entries, kept=True):
        return min(headed)
    number = number_in(wanted)
    if not number and (by_heading := _headed(session, document, wanted)):
        return by_heading
    # Imported here because only unknown names need it.
    from difflib import get_close_matches

    names = [str(row[0]) for row in session.run("finding", "names", document, kept=True)]
    looked = f"not in {edition.id}"
    if not number:
        raise UnknownNameError("rule or entry", wanted, get_close_matches(wanted, names, n=3), looked)
    others = sorted(editions_with(session, Named("number", number, number), False))
    if edition.id in others:
        what = f"{number} of {edition.id} has no text of its own"
        raise UsageError(what, way_out="Name a chapter, a rule or an entry in it.")
    many = f"{len(others)} editions from {others[0]} to {others[-1]}" if len(others) > _NEAR else ""
    place = f"found in {many or ', '.join(others)}" if others else place_among(number, names)
    told = "" if others else elsewhere(number) or whole_elsewhere(number, names)
    near = [] if others or told else nearest_numbers(number, names)
    looked = f"{looked}; {place}" if place else looked
    raise UnknownNameError("rule or entry", wanted, near, "\n  ".join(it for it in (looked, told) if it))


def _headed(session: Session, document: Sequence[str], wanted: str) -> tuple[str, str] | None:
    """Return the IRI and label of the only entry with a heading, or a name in it; else of the only rule."""
    headings, rules = [], []
    for iri, title, number in session.run("finding", "headings", document, kept=True):
        if number:
            rules.append((str(title), (str(iri), str(number))))
        else:
            names = (str(title), *split_heading(str(title)).names)
            headings += [(name, (str(iri), str(title))) for name in names]
    return the_one_called(headings, wanted, inflected=False) or the_one_called(rules, wanted, inflected=False)


def stands_in(session: Session, edition: Edition, wanted: Sequence[str]) -> bool:
    """Return whether an edition has all of these rules and entries."""
    try:
        return bool([locate(session, edition, it) for it in wanted])
    except UnknownNameError:
        return False


def is_authority(session: Session, given: str) -> bool:
    """Return whether any edition names an authority in brackets after a paragraph."""
    iri = session.iris.authority(slug(given)) if slug(given) else ""
    return any(row[0] == iri for row in session.run("finding", "authorities_anywhere"))


def find_authority(session: Session, given: str, scope: Scope, edition: str | None) -> tuple[str, Scope]:
    """Return the IRI of an authority, and the graphs that name it.

    They are `scope` if it does, else the newest edition that does, unless `edition` was requested. Raises
    `UnknownNameError` with the known authorities.
    """
    iri = session.iris.authority(slug(given))
    if session.pairs(scope, RDFS_LABEL, of=[iri]):
        return iri, scope
    elsewhere = session.run("finding", "authorities_anywhere")
    naming = {session.iris.parse(str(row[2])).edition for row in elsewhere if row[0] == iri}
    if edition is None:
        for it in session.editions():
            if it.id in naming:
                return iri, session.scope(it.with_rules)
    where = f"It is named in {', '.join(sorted(filter(None, naming)))}." if any(naming) else ""
    names = sorted({str(row[1]) for row in elsewhere} - {given})
    raise UnknownNameError("authority", given, () if where else names[:5], where)


def terms_for(session: Session, thing: Thing, scope: Scope, notes: list[str]) -> Sequence[str]:
    """Return the terms of a numbered thing if the parameter takes only terms."""
    terms = terms_behind(session, thing, scope)
    if not terms:
        raise UsageError(f"{thing.name} is a {thing.kind}, not a term", way_out="Give the name of a term.")
    notes.append(f"Answered for the term that {thing.name} stands for.")
    return terms


def terms_behind(session: Session, thing: Thing, scope: Scope) -> Sequence[str]:
    """Return the terms of a numbered thing: those of its entry, else those that it defines."""
    return terms_of(session, scope, thing) or terms_defined_by(session, scope, thing)
