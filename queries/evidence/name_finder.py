"""The names of terms become the places at which texts use them."""

from __future__ import annotations

import re

from ..session import Session


class NameFinder:
    """Finds where texts name some terms, and takes no part of a longer name for one.

    The loaders' finder of mentions decides what is a mention; this one only finds the words again, and
    loads much faster.
    """

    def __init__(self, session: Session, terms: set[str]) -> None:
        self._names: dict[str, dict[str, bool]] = {}
        if terms:
            graph = (session.iris.graph("terms"),)
            for term, name, longer in session.run("evidence", "longer_names", graph, {"term": sorted(terms)}):
                known = self._names.setdefault(str(term), {})
                known[str(name)] = True
                if longer is not None:
                    known.setdefault(str(longer), False)
        self._patterns: dict[str, re.Pattern[str]] = {}

    def span(self, text: str, term: str) -> tuple[int, int] | None:
        """Return the first place at which `text` names the term (an IRI), or None."""
        names = self._names.get(term)
        if not names:
            return None
        if term not in self._patterns:
            self._patterns[term] = _pattern(names)
        for match in self._patterns[term].finditer(text):
            if match["name"] is not None:
                return match.span()
        return None


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
