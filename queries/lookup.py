"""What people type becomes the thing they mean: a term by any of its names, or whatever carries a number.

A number is nothing without an edition, so the thing and the edition are found together: the newest
loaded edition in which every thing that a question names stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..ontology.errors import UnknownNameError, UsageError
from ..ontology.iris import VOCABULARY, slug
from . import texts

if TYPE_CHECKING:
    from .runner import Session
    from .scope import Scope

_NUMBER = re.compile(
    r"(?:(?:comp(?:rehensive)?|cr|rulings?)\s+)?(?:(?:rules?|sections?|chapters?|entry|paragraph|cr)\s*)?"
    r"(\d{1,3}(?:\.\d+[a-z]{0,2})?|[a-z]{1,2}\d+(?:\.\d+[a-z]?)?(?:\.ruling\.\d+)?)\.?",
    re.IGNORECASE,
)
_KINDS = ("Rule", "Section", "Entry", "Paragraph", "Ruling")
"""What carries a number, the kind that a node of two kinds is taken for first."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that a question names.

    `kind` is ``"term"``, ``"rule"``, ``"section"``, ``"entry"``, ``"paragraph"`` or ``"ruling"``; `name`
    its preferred name or its number; `iris` its nodes in the graphs seen: a rule cited by a release and
    the same rule in the rules then in force are two, and so are a term and what it was renamed to (the
    first is the one that was asked for).
    """

    kind: str
    name: str
    iris: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The things that a question names, the graphs in which all of them stand, and remarks."""

    things: tuple[Thing, ...]
    scope: Scope
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Named:
    """A thing before its edition is known: `key` is a term's IRI or a number."""

    kind: str
    name: str
    key: str
    renamed: tuple[tuple[str, str, str], ...] = ()
    """Of a term: (IRI, name, ``"earlier"`` or ``"later"``) of what it was called at other times."""

    remark: str = ""
    """What to say of a term that was found by a name which no loaded edition knows."""


def resolve(session: Session, given: Sequence[str], edition: str | None = None) -> Resolution:
    """Find each of the names, and the graphs in which all of them stand.

    Raises `UnknownNameError` with the nearest names for one that stands for nothing, `UsageError` for
    one that stands for several things, or where no loaded edition holds all of them.
    """
    named = [identify(session, name) for name in given]
    if edition is not None:
        scope = session.scope(edition)
        things = [_in_scope(session, it, scope) for it in named]
        for it, thing in zip(named, things, strict=True):
            if thing is None:
                raise _not_there(session, it, scope)
        found = [thing for thing in things if thing]
        return Resolution(tuple(found), scope, _remarks(session, named, found))
    scope = session.current
    things = [_in_scope(session, it, scope, renamed=False) for it in named]
    if not all(things):
        scope = _newest_with(session, named)
        things = [_in_scope(session, it, scope) for it in named]
    found = [
        _with_renamed(it, thing, session)
        for it, thing in zip(named, things, strict=True)
        if thing is not None
    ]
    return Resolution(tuple(found), scope, _remarks(session, named, found))


def number_in(text: str) -> str:
    """Return the number that `text` gives, or ``""``.

    >>> [number_in(x) for x in ("rule 420.5A", "G16.26", "Section 4", "704.", "Ring 2")]
    ['420.5a', 'G16.26', '4', '704', '']
    """
    match = _NUMBER.fullmatch(text.strip())
    if not match:
        return ""
    number = match[1]
    if number[0].isdigit():
        return number.lower()
    head, dot, tail = number.partition(".")
    return head.upper() + dot + tail.lower().replace("ruling", "Ruling")


# -- names ----------------------------------------------------------------------------------------


def identify(session: Session, given: str) -> Named:
    """Return what a name stands for, in whatever edition; raises as `resolve` does."""
    name = " ".join(given.split()).strip("\"'“”‘’")
    if not name:
        raise UsageError("a name is empty", way_out="Give a term or a rule number.")
    number = number_in(name)
    if number:
        return Named("number", number, number)
    term, remark = _term_called(session, name), ""
    if term is None:
        from .formerly import other_name

        other, remark = other_name(name) or ("", "")
        term = _term_called(session, other) if other else None
    if term is None:
        raise UnknownNameError("term or number", given, _suggestions(session, name))
    return Named("term", term[1], term[0], _renamed(session, term[0]), remark)


def _term_called(session: Session, name: str) -> tuple[str, str] | None:
    """Return (IRI, preferred name) of the term called `name`, in any case and number."""
    iri = session.iris.term(slug(name))
    graph = (session.iris.graph("terms"),)
    labels = {name, name.title(), name.capitalize()}
    query = texts.bind(
        texts.read_query("find", "term"),
        {"term": [iri], "label": [texts.literal(label) for label in sorted(labels)]},
    )
    rows = [(str(row[0]), str(row[1])) for row in session.select(query, graph, ())]
    exact = [row for row in rows if row[0] == iri]
    if exact or rows:
        return _only(name, exact or rows)
    wanted = {slug(name)}
    found = _by_slug(session, wanted)
    if not found:
        from ..loaders.language.names import plural, singular, split_heading

        forms = (singular(name), plural(name), *split_heading(name).names[:1])
        found = _by_slug(session, {slug(form) for form in forms})
    return _only(name, found) if found else None


def _by_slug(session: Session, wanted: set[str]) -> list[tuple[str, str]]:
    """Return the terms with a name that is the same but for case and punctuation."""
    found = {
        str(term): str(preferred) for label, term, preferred in labels(session) if slug(str(label)) in wanted
    }
    return sorted(found.items())


def _only(name: str, found: Sequence[tuple[str, str]]) -> tuple[str, str]:
    if len(found) > 1:
        several = " or ".join(f"{preferred!r}" for _, preferred in found)
        raise UsageError(f"{name!r} may be {several}", way_out="Give the whole name.")
    return found[0]


def labels(session: Session) -> list[tuple[object, ...]]:
    """Return every name of every term: (name, IRI, preferred name)."""
    graph = (session.iris.graph("terms"),)
    return [tuple(row) for row in session.select(texts.read_query("find", "labels"), graph, ())]


def _renamed(session: Session, term: str) -> tuple[tuple[str, str, str], ...]:
    graph = (session.iris.graph("terms"),)
    query = texts.bind(texts.read_query("find", "renamed"), {"term": [term]})
    return tuple((str(row[1]), str(row[2]), str(row[3])) for row in session.select(query, graph, ()))


def _suggestions(session: Session, name: str) -> list[str]:
    """Return the nearest names, nearest first, each term once."""
    from rapidfuzz import fuzz, process, utils

    known = {str(label): str(preferred) for label, _, preferred in labels(session)}
    near = process.extract(
        name, list(known), scorer=fuzz.WRatio, processor=utils.default_process, limit=12, score_cutoff=72
    )
    ranked = sorted(near, key=lambda hit: (-fuzz.ratio(name.lower(), hit[0].lower()), hit[0]))
    return list(dict.fromkeys(known[label] for label, _, _ in ranked))[:3]


# -- editions -------------------------------------------------------------------------------------


def _in_scope(session: Session, it: Named, scope: Scope, renamed: bool = True) -> Thing | None:
    """Return the thing as it stands in `scope`, or None; `renamed` lets its other names stand for it."""
    if it.kind == "number":
        rows = session.run("find", "number", scope, {"number": [texts.literal(it.key)]})
        return _numbered(it.key, rows)
    terms = [it.key, *(iri for iri, _, _ in it.renamed)] if renamed else [it.key]
    rows = session.run("find", "standing", scope, {"term": terms})
    standing = {str(row[0]) for row in rows}
    return Thing("term", it.name, tuple(terms)) if standing else None


def _numbered(number: str, rows: Iterable[Sequence[object]]) -> Thing | None:
    kinds: dict[str, list[str]] = {}
    for it, cls in rows:
        kinds.setdefault(str(cls).removeprefix(VOCABULARY), []).append(str(it))
    for kind in _KINDS:
        if kind in kinds:
            return Thing(kind.lower(), number, tuple(dict.fromkeys(kinds[kind])))
    return None


def _with_renamed(it: Named, thing: Thing, session: Session) -> Thing:
    if it.kind != "term":
        return thing
    return replace(thing, iris=tuple(dict.fromkeys((it.key, *(iri for iri, _, _ in it.renamed)))))


def editions_with(session: Session, it: Named, renamed: bool) -> set[str]:
    """Return the ids of the editions in which the thing stands; `renamed` counts its other names."""
    if it.kind == "number":
        query = texts.bind(texts.read_query("find", "number_anywhere"), {"number": [texts.literal(it.key)]})
        nodes = [str(row[0]) for row in session.select(query)]
    else:
        terms = [it.key, *(iri for iri, _, _ in it.renamed)] if renamed else [it.key]
        query = texts.bind(texts.read_query("find", "standing_anywhere"), {"term": terms})
        rows = session.select(query)
        defined = [str(row[1]) for row in rows if row[2]]
        nodes = defined or [str(row[1]) for row in rows]
    return {edition for node in nodes if (edition := session.iris.parse(node).edition)}


def _newest_with(session: Session, named: Sequence[Named]) -> Scope:
    """Return the scope of the newest edition in which every named thing stands."""
    for renamed in (False, True):
        standing = [editions_with(session, it, renamed) for it in named]
        for it, where in zip(named, standing, strict=True):
            if not where and not renamed and not it.renamed:
                raise UnknownNameError("term or number", it.name, _near(session, it))
        for edition in session.editions():
            if all(where & {edition.id, edition.rules_in_force} for where in standing):
                return session.scope(edition.with_rules)
    places = "; ".join(f"{it.name} in {', '.join(sorted(editions_with(session, it, True)))}" for it in named)
    raise UsageError(
        "no loaded edition holds all of these", where=places, way_out="Ask about each with --edition."
    )


def _not_there(session: Session, it: Named, scope: Scope) -> UnknownNameError:
    where = sorted(editions_with(session, it, True))
    way_out = f"It stands in {', '.join(where[-5:])}." if where else ""
    suggestions = [] if where else _near(session, it)
    return UnknownNameError(f"term or number of {scope.label}", it.name, suggestions, way_out)


def _near(session: Session, it: Named) -> list[str]:
    """Return numbers like a number that nothing carries: those of its parent, then those that look alike."""
    if it.kind != "number":
        return []
    rows = session.run("find", "numbers", session.current, {})
    numbers = [str(row[0]) for row in rows]
    above = re.sub(r"\.?\d*[a-z]*$", "", it.key)
    below = [n for n in numbers if above and (n == above or re.match(re.escape(above) + r"[.a-z]", n))]
    from difflib import get_close_matches

    return list(dict.fromkeys([*get_close_matches(it.key, below, n=2, cutoff=0.5), *below[:1]]))[:3]


def _remarks(session: Session, named: Sequence[Named], things: Sequence[Thing]) -> tuple[str, ...]:
    """Say which other names of a term count as the term."""
    remarks = []
    for it, thing in zip(named, things, strict=True):
        if it.remark:
            remarks.append(it.remark)
        for iri, name, direction in it.renamed:
            if iri in thing.iris:
                when = "is now called" if direction == "later" else "was called"
                remarks.append(f"{it.name} {when} {name} in other editions: both names count.")
    return tuple(remarks)
