"""Find a procedure of the rules by the words of its name, in any of their forms."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...loaders.language.names import other_forms
from ...loaders.language.numbers import number_in
from ...ontology.grouping import grouped
from ..session import Scope, Session
from .names import is_name
from .things import Resolution, Thing, resolve

_WORD = re.compile(r"[^\W_]+")
_ARTICLES = frozenset(("a", "an", "the"))
_WHAT_IT_IS = ("step", "phase")


def resolve_procedure(session: Session, words: str, edition: str | None = None) -> Resolution | None:
    """Find the procedures of one name that all of `words` name, in the newest edition that has them, or None.

    Words may leave out some of the name's, but not the first: *cast* and *casting spells* are *cast a spell*.
    A term that is called so counts as well, and says which edition is looked at. Raises `UnknownNameError`
    for an edition that is not loaded, or for a term that does not stand in it.
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
    for loaded in (None, *(it.with_rules for it in session.editions() if not it.current)):
        found = _procedures(session, words, session.scope(loaded))
        if found:
            return found
    return None


def _procedures(session: Session, words: str, scope: Scope) -> Resolution | None:
    wanted = _words(words)
    rows = session.run("finding", "procedures", scope)
    called = grouped((str(name), str(it)) for name, it in rows if _leads_through(wanted, _words(str(name))))
    if len(called) != 1:
        return None
    [(name, nodes)] = called.items()
    return Resolution((Thing("procedure", name, tuple(nodes)),), scope)


def _leads_through(wanted: Sequence[str], own: Sequence[str]) -> bool:
    """Tell whether some words, in any form, are words of a name in their order, the first of it among them.

    >>> _leads_through(["casting", "spells"], ["cast", "spell"]), _leads_through(["spell"], ["cast", "spell"])
    (True, False)
    """
    if not wanted or not own or own[0] not in (wanted[0], *other_forms(wanted[0])):
        return False
    rest = iter(own)
    return all(any(it in (word, *other_forms(word)) for it in rest) for word in wanted)


def _words(name: str) -> Sequence[str]:
    return [word for word in _WORD.findall(name.lower()) if word not in _ARTICLES]


def part_called(session: Session, words: str) -> str:
    """Return the name of a part of the turn that is called by `words` for short: *untap*, else ``""``."""
    named = (f"{words.strip()} {it}" for it in _WHAT_IT_IS) if not number_in(words) else ()
    return next((name for name in named if is_name(session, name)), "")


def resolve_part(session: Session, words: str, edition: str | None = None) -> Resolution | None:
    """Find a part of the turn by its name for short, None for other words; raises as `resolve` does."""
    name = part_called(session, words)
    return resolve(session, [name], edition) if name else None
