"""Find the kind of thing in the game that words name, and the editions that have things of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

from ...ontology.errors import UsageError
from ..session import Scope, Session
from .names import is_name
from .things import Resolution, Thing, resolve

_BETWEEN = re.compile(r"[^\w']+")
_TYPES_OF = re.compile(r"\btypes of (?:an? |the )?(\w+)", re.IGNORECASE)
_WHICH_ARE = re.compile(r"(?:which|what) (\w+) are (\w+)\W*", re.IGNORECASE)
_ARTICLES = frozenset(("a", "an", "the"))


class GameKind(NamedTuple):
    """A class of the vocabulary of the game, by its IRI, and its label."""

    iri: str
    label: str


_KNOWN: WeakKeyDictionary[Session, Mapping[str, GameKind]] = WeakKeyDictionary()


def kind_called(session: Session, words: str) -> GameKind | None:
    """Return the kind that all of `words` name: in any case and number, with articles or without."""
    return kinds(session).get(_plainly(kinds_turned(session, words)))


def kinds_within(session: Session, words: str) -> list[GameKind]:
    """Return the kinds that `words` name among other things, the longest label first, each once."""
    said = f" {_plainly(words)} "
    named = sorted((it for it in kinds(session) if f" {it} " in said), key=lambda it: (-len(it), it))
    return list(dict.fromkeys(kinds(session)[it] for it in named))


def kinds_turned(session: Session, words: str) -> str:
    """Return words with *types of cards* as *card types*, *which zones are hidden* as *the hidden zones*."""

    def called(name: str) -> GameKind | None:
        return kinds(session).get(_plainly(name))

    def types(match: re.Match[str]) -> str:
        kind = called(f"{match[1]} type")
        return f"{kind.label}s" if kind else match[0]

    told = _WHICH_ARE.fullmatch(words)
    kind = called(f"{told[2]} {told[1]}") if told else None
    return f"what are the {kind.label}s" if kind else _TYPES_OF.sub(types, words)


def kinds(session: Session) -> Mapping[str, GameKind]:
    """Return the kinds by their labels with each word in the singular; they are read once in a session."""
    if session not in _KNOWN:
        rows = session.run("finding", "kinds", (session.iris.graph("ontology"),))
        _KNOWN[session] = {_plainly(str(name)): GameKind(str(iri), str(label)) for iri, label, name in rows}
    return _KNOWN[session]


def resolve_kind(session: Session, words: str, edition: str | None = None) -> Resolution | None:
    """Find the kind that words name, and the graphs in which something is of it; None for what is no kind.

    The term that is called so counts as well, where it stands in these graphs. Raises `UnknownNameError` for
    an edition that is not loaded.
    """
    kind = kind_called(session, words)
    if kind is None:
        return None
    term = _term(session, words, edition)
    if term and (edition is not None or term.scope == session.current):
        return term._replace(things=(Thing("kind", kind.label, (*term.things[0].iris, kind.iri)),))
    scope = session.scope(edition) if edition is not None else scope_with(session, kind)
    if scope is None and term:
        return term
    return Resolution((Thing("kind", kind.label, (kind.iri,)),), scope or session.current)


def _term(session: Session, words: str, edition: str | None) -> Resolution | None:
    try:
        return resolve(session, [words], edition) if is_name(session, words) else None
    except UsageError:
        return None


def scope_with(session: Session, kind: GameKind) -> Scope | None:
    """Return the graphs of the newest edition in which something is of a kind, None where nothing is."""
    rows = session.run("finding", "kinds_within", (session.iris.graph("ontology"),), {"class": [kind.iri]})
    within = [str(narrower) for _, narrower in rows]
    graphs = session.run("finding", "kinds_anywhere", None, {"class": within})
    standing = {session.iris.parse(str(graph)).edition for (graph,) in graphs}
    if standing.intersection(session.current.editions):
        return session.current
    for edition in session.editions():
        if standing & {edition.id, edition.rules_in_force}:
            return session.scope(edition.with_rules)
    return None


def _plainly(words: str) -> str:
    """Return words in small letters and in the singular, without articles and what parts them.

    >>> _plainly("the Parts of a Turn"), _plainly("State-based actions")
    ('part of turn', 'state based action')
    """
    # Questions about terms alone do without.
    from ...loaders.language.names import singular

    found = (word for word in _BETWEEN.split(words.lower()) if word)
    return " ".join(singular(word) for word in found if word not in _ARTICLES)
