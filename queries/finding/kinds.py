"""Find the kind, procedure or part of the turn that words name, and an edition that has it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ...loaders.language.names import other_forms, singular
from ...loaders.language.numbers import number_in
from ...ontology import GAME, RG, UsageError, grouped, literal
from ..session import Scope, Session
from .names import is_name
from .things import Resolution, Thing, resolve

_BETWEEN = re.compile(r"[^\w']+")
_TYPES_OF = re.compile(
    r"\b(?:(?:different|various) )?(?:(?:sub)?type|kind)s of (?:an? |the )?(\w+)", re.IGNORECASE
)
_WHICH_ARE = re.compile(r"(?:which|what) ((?:\w+ )?(\w+)) (?:are|were) (\w+)\W*", re.IGNORECASE)
_IS_A = re.compile(
    r"(\b(?:is|are|was|were) [^.,;?]+? an? )(\w+)(?=\W*$| (?:in|at|before|since|or)\b)", re.IGNORECASE
)
_NOUNS = ("ability", "effect")
_ASKS = re.compile(r"\W*(?:what|which|who|how|when|where|why|can|does|do|if)\b", re.IGNORECASE)
_ARTICLES = frozenset(("a", "an", "the"))


def kind_called(session: Session, words: str) -> Thing | None:
    """Return the kind that the whole of `words` names, in any case and number, with or without articles."""
    said = reword_kinds(session, words)
    # Most words are a question, and reading the names of all kinds takes long.
    return None if _ASKS.match(said) else kinds(session).get(_plainly(said))


def kinds_within(session: Session, words: str) -> list[Thing]:
    """Return the kinds named in `words`, those with the longest label first, each once."""
    said = f" {_plainly(words)} "
    named = sorted((it for it in kinds(session) if f" {it} " in said), key=lambda it: (-len(it), it))
    return list(dict.fromkeys(kinds(session)[it] for it in named))


def reword_kinds(session: Session, words: str) -> str:
    """Turn *kinds of mana* into *mana types*, and *which zones are hidden* into *the hidden zones*.

    *Is it a trigger* asks for a triggered ability, *is it a static* for a static one.
    """

    def called(name: str) -> Thing | None:
        return kinds(session).get(_plainly(name))

    def types(match: re.Match[str]) -> str:
        kind = called(f"{match[1]} type")
        return f"{kind.name}s" if kind else match[0]

    def in_full(match: re.Match[str]) -> str:
        word = match[2].lower()
        own = {it for it in other_forms(word) if it.endswith("ed")}
        own |= set() if is_name(session, word) else {word}
        found = [it for noun in _NOUNS for one in own if (it := f"{one} {noun}") in kinds(session)]
        return f"{match[1]}{found[0]}" if len(found) == 1 else match[0]

    told = _WHICH_ARE.fullmatch(words)
    kind = called(f"{told[3]} {told[2]}") if told else None
    if told and kind and told[1] != told[2]:  # *which keyword abilities are static* names two kinds
        return f"what are the {told[3]} {told[1]}"
    return f"what are the {kind.name}s" if kind else _IS_A.sub(in_full, _TYPES_OF.sub(types, words))


def kinds(session: Session) -> Mapping[str, Thing]:
    """Return the kinds by their labels, with each word in the singular; they are read once in a session."""
    return session.once(_read_kinds)


def _read_kinds(session: Session) -> Mapping[str, Thing]:
    rows = session.run("finding", "kinds", (session.iris.graph("ontology"),))
    return {_plainly(str(name)): Thing("kind", str(label), (str(iri),)) for iri, label, name in rows}


def resolve_kind(session: Session, words: str, edition: str | None = None) -> Resolution | None:
    """Find the kind that words name, and the graphs that contain things of it; None for other words.

    A term with that name is included if it is in these graphs. Raises `UnknownNameError` for an edition that
    is not loaded.
    """
    kind = kind_called(session, words)
    if kind is None:
        return None
    term = _term(session, words, edition)
    if term and (edition is not None or term.scope == session.current):
        return term._replace(things=(kind._replace(iris=(*term.things[0].iris, *kind.iris)),))
    scope = session.scope(edition) if edition is not None else scope_with(session, kind)
    if scope is None and term:
        return term
    return Resolution((kind,), scope or session.current)


def _term(session: Session, words: str, edition: str | None) -> Resolution | None:
    try:
        return resolve(session, [words], edition) if is_name(session, words) else None
    except UsageError:
        return None


def scope_with(session: Session, kind: Thing) -> Scope | None:
    """Return the graphs of the newest edition that has things of a kind; None if none has."""
    rows = session.run("finding", "kinds_within", (session.iris.graph("ontology"),), {"class": kind.iris})
    within = [str(narrower) for _, narrower in rows]
    graphs = session.run("finding", "kinds_anywhere", None, {"class": within})
    standing = {session.iris.parse(str(graph)).edition for (graph,) in graphs}
    if standing.intersection(session.current.editions):
        return session.current
    for edition in session.editions():
        if standing & {edition.id, edition.rules_in_force}:
            return session.scope(edition.with_rules)
    return None


def is_of_kind(session: Session, scope: Scope, term: str, kind: str) -> bool:
    """Return whether a term is a thing of the kind that another names, or a narrower kind.

    A flying counter only has the name of flying.
    """
    classes = [it for _, it in session.pairs(scope, RG.namesKind, of=[kind])]
    rows = session.run("finding", "kinds_within", (session.iris.graph("ontology"),), {"class": classes})
    own = {it for _, it in session.pairs(scope, RG.hasKind, RG.namesKind, of=[term])} if rows else ()
    return any(str(narrower) in own for _, narrower in rows if str(narrower) != GAME.KeywordCounter)


def _plainly(words: str) -> str:
    """Return words in lower case and in the singular, without articles and separators.

    >>> _plainly("the Parts of a Turn"), _plainly("State-based actions")
    ('part of turn', 'state based action')
    """
    found = (word for word in _BETWEEN.split(words.lower()) if word)
    return " ".join(singular(word) for word in found if word not in _ARTICLES)


_WORD = re.compile(r"[^\W_]+")
_WHAT_IT_IS = ("step", "phase")


def resolve_procedure(session: Session, words: str, edition: str | None = None) -> Resolution | None:
    """Find the procedures of the one name that `words` stand for, in the newest edition with them, or None.

    Words may be missing, but not the first: *cast* and *casting spells* stand for *cast a spell*. A term with
    that name is included, and then decides on the edition. Raises `UnknownNameError` for an edition that is
    not loaded, or that does not have the term.
    """
    if number_in(words):
        return None
    if is_name(session, words):
        term = resolve(session, [words], edition)
        found = _procedures(session, words, term.scope)
        both = (*term.things[0].iris, *(found.things[0].iris if found else ()))
        return term._replace(things=(term.things[0]._replace(iris=both),))
    if edition is not None:
        return _procedures(session, words, session.scope(edition))
    for scope in (session.current, *_scopes_with_title(session, words)):
        found = _procedures(session, words, scope)
        if found:
            return found
    return None


def _scopes_with_title(session: Session, words: str) -> Iterator[Scope]:
    """Yield the scopes of earlier editions with titles that `words` stand for; of equals, the newest."""
    wanted = _words(words)
    beginnings = [literal(form) for word in wanted[:1] for form in (word, *other_forms(word))]
    rows = session.run("finding", "titles_anywhere", None, {"beginning": beginnings}) if wanted else []
    titles = grouped((str(title), str(graph)) for title, graph in rows)
    fitting = {title: graphs for title, graphs in titles.items() if _abbreviates(wanted, _words(title))}
    tried: set[frozenset[str]] = set()
    for edition in session.editions() if fitting else ():
        graph = session.iris.document(edition.id)
        own = frozenset(title for title, graphs in fitting.items() if graph in graphs)
        if own and own not in tried and not edition.current:
            tried.add(own)
            yield session.scope(edition.with_rules)


def _procedures(session: Session, words: str, scope: Scope) -> Resolution | None:
    wanted = _words(words)
    rows = session.run("finding", "procedures", scope)
    called = grouped((str(name), str(it)) for name, it in rows if _abbreviates(wanted, _words(str(name))))
    if len(called) != 1:
        return None
    [(name, nodes)] = called.items()
    return Resolution((Thing("procedure", name, tuple(nodes)),), scope)


def _abbreviates(wanted: Sequence[str], own: Sequence[str]) -> bool:
    """Return whether some words, in any form, occur in a name in this order, beginning with its first.

    >>> _abbreviates(["casting", "spells"], ["cast", "spell"]), _abbreviates(["spell"], ["cast", "spell"])
    (True, False)
    """
    if not wanted or not own or own[0] not in (wanted[0], *other_forms(wanted[0])):
        return False
    rest = iter(own)
    return all(any(it in (word, *other_forms(word)) for it in rest) for word in wanted)


def _words(name: str) -> Sequence[str]:
    return [word for word in _WORD.findall(name.lower()) if word not in _ARTICLES]


def part_called(session: Session, words: str) -> str:
    """Return the name of the part of the turn with the short name `words`, such as *untap*; else ``""``."""
    named = (f"{words.strip()} {it}" for it in _WHAT_IT_IS) if not number_in(words) else ()
    return next((name for name in named if is_name(session, name)), "")


def resolve_part(session: Session, words: str, edition: str | None = None) -> Resolution | None:
    """Find a part of the turn by its short name; None for other words. Raises the errors of `resolve`."""
    name = part_called(session, words)
    return resolve(session, [name], edition) if name else None
