"""The names of terms become the places at which texts use them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..session import Session


class NameFinder:
    """Finds where texts name some terms, and takes no part of a longer name for one.

    The loaders' finder of mentions decides what is a mention; this one only finds the words again, and
    loads much faster.
    """

    def __init__(self, session: Session, terms: Iterable[str] = ()) -> None:
        self._session = session
        self._names: dict[str, dict[str, bool]] = {}
        self._plain: dict[str, re.Pattern[str]] = {}
        self._bent: dict[str, re.Pattern[str]] = {}
        self.learn(terms)

    def learn(self, terms: Iterable[str]) -> None:
        """Look up the names of those terms (IRIs) of which it has not done so yet."""
        new = sorted(set(terms) - self._names.keys())
        if not new:
            return
        self._names.update((term, {}) for term in new)
        graph = (self._session.iris.graph("terms"),)
        for term, name, longer in self._session.run("evidence", "longer_names", graph, {"term": new}):
            known = self._names[str(term)]
            known[str(name)] = True
            if longer is not None:
                known.setdefault(str(longer), False)

    def span(self, text: str, term: str) -> tuple[int, int] | None:
        """Return the first place at which `text` names the term (an IRI), or None.

        Only where the name itself stands nowhere, a form of the verb that it begins with is looked for.
        """
        names = self._names.get(term)
        if not names:
            return None
        if term not in self._plain:
            self._plain[term] = _pattern(names)
        found = _first(self._plain[term], text)
        if found is None:
            if term not in self._bent:
                self._bent[term] = _pattern(
                    {form: own for name, own in names.items() for form in _bent(name)}
                )
            found = _first(self._bent[term], text)
        return found


def _first(pattern: re.Pattern[str], text: str) -> tuple[int, int] | None:
    return next((match.span() for match in pattern.finditer(text) if match["name"] is not None), None)


def _bent(name: str) -> list[str]:
    """Return a name with its first word in each form of the verb that it may be."""
    # Most answers need no verbs, and their forms cost as much as a query.
    from ...loaders.language.verbs import plain_verbs, verb_of

    first, space, rest = name.partition(" ")
    verbs = {first.lower(), *plain_verbs(first.lower())} if first.isalpha() else ()
    return [name, *(f"{form}{space}{rest}" for verb in sorted(verbs) for form in sorted(verb_of(verb).forms))]


def _pattern(names: dict[str, bool]) -> re.Pattern[str]:
    """Return a pattern of whole words, longest first; the group `name` is the term's own."""
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    own = "|".join(_forms(name) for name in longest_first if names[name])
    longer = "|".join(_forms(name) for name in longest_first if not names[name])
    either = f"(?:{longer})|(?P<name>{own})" if longer else f"(?P<name>{own})"
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)


def _forms(name: str) -> str:
    """Return a pattern for a name and its regular plural, however its words are joined."""
    words = r"[\s\W]+".join(re.escape(word) for word in re.findall(r"\w+", name))
    if words.endswith("y"):
        return f"{words[:-1]}(?:y|ies)"
    return f"{words}(?:e?s)?"
