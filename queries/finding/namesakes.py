"""Find the term that an edition calls by a name which other editions have for another term."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...loaders.language.names import other_forms, plural, singular, split_heading
from ...ontology.iris import slug
from ..session import Scope, Session

_WORD = re.compile(r"[^\W_]+")


def namesake(session: Session, scope: Scope, name: str, bent: bool) -> tuple[str, str] | None:
    """Return (IRI, preferred name) of the one term that the texts of a scope call by `name`, or None.

    A heading of several names (*Lamp, Lamp Oil*) gives each of them; a name in another number is the same,
    and, if `bent`, one in other forms of its words (*Remove*, *Removed*).
    """
    called = [
        (own, (str(term), str(preferred)))
        for term, preferred, kind, words in session.run("finding", "called", scope)
        for own in (split_heading(str(words)).names if kind == "entry" else (str(words).rstrip(" .,;"),))
    ]
    return the_one_called(called, name, bent)


def the_one_called(
    called: Sequence[tuple[str, tuple[str, str]]], name: str, bent: bool = True
) -> tuple[str, str] | None:
    """Return the one thing that pairs of name and thing call by `name` in any number or form, or None."""
    spelled = {slug(form) for form in (name, singular(name), plural(name))}
    ways = [lambda own: slug(own) in spelled, *([_bent_as(name)] if bent else [])]
    for is_meant in ways:
        found = {thing for own, thing in called if is_meant(own)}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _bent_as(name: str) -> Callable[[str], bool]:
    """Return what tells whether a name is made of the same words as `name`, in any of their forms."""
    forms = [frozenset((word, *other_forms(word))) for word in _words(name)]

    def is_bent(other: str) -> bool:
        words = _words(other)
        return len(words) == len(forms) and all(word in own for word, own in zip(words, forms, strict=True))

    return is_bent


def _words(name: str) -> Sequence[str]:
    return _WORD.findall(slug(name))
