"""Scan the text of a SPARQL query: find where its strings end, and which graphs and variables it names.

pyoxigraph has already parsed the query, whatever engine will run it, so the scanner only sees valid SPARQL.
It must find out correctly where strings, IRIs and comments end.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_TOKEN = r"""
      (?P<comment> \#[^\n\r]* )
    | (?P<string> "{3}(?:[^"\\]|\\.|"(?!""))*"{3} | '{3}(?:[^'\\]|\\.|'(?!''))*'{3}
                | "(?:[^"\\\n\r]|\\.)*" | '(?:[^'\\\n\r]|\\.)*' )
    | (?P<iri> <(?:[^<>"{}|^`\\\x00-\x20]|\\[uU][0-9A-Fa-f]+)*> )
    | (?P<variable> [?$]\w+ )
    | (?P<language> @[A-Za-z][A-Za-z0-9-]* )
    | (?P<name> (?:[^\W\d](?:[\w.-]*[\w-])?)? : (?:[\w:.-]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?\#@%-])* )
    | (?P<word> [^\W\d]\w* )
    | (?P<space> \s+ )
    | (?P<symbol> \{\| | \|\} | . )
    """
_ESCAPE = r"(?s)\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.)"
_NEEDS_ESCAPE = {"\\": "\\\\", '"': '\\"', "'": "\\'", "\n": "\\n", "\r": "\\r"}


class Token(NamedTuple):
    """A piece of a query: `kind` is the name of its group in the pattern above."""

    kind: str
    text: str
    start: int

    @property
    def word(self) -> str:
        """The keyword in capitals, or the symbol itself; empty for every other kind."""
        return self.text.upper() if self.kind == "word" else self.text if self.kind == "symbol" else ""


def scan(text: str) -> Iterator[Token]:
    """Cut a query into its tokens; joined, they are the query."""
    found = re.finditer(_TOKEN, text, re.VERBOSE | re.DOTALL)
    return (Token(match.lastgroup or "", match[0], match.start()) for match in found)


def solid(text: str) -> Iterator[Token]:
    """Yield the tokens of a query that mean something: all but white space and comments."""
    return (token for token in scan(text) if token.kind not in {"space", "comment"})


def form(text: str) -> str:
    """Return the form of a query: ``SELECT``, ``ASK``, ``CONSTRUCT`` or ``DESCRIBE``."""
    tokens = solid(text)
    for token in tokens:
        if token.word not in {"PREFIX", "BASE"}:
            return token.word
        for _ in range(2 if token.word == "PREFIX" else 1):
            next(tokens, None)
    return ""


def undeclared(text: str) -> list[str]:
    """Return the prefixes that a query uses and does not declare, in the order of their first use.

    >>> undeclared("PREFIX a: <x:> ASK { ?s a:b 'c:d' ; e:f <g:h> ; :i ?j # k:l")
    ['e', '']
    """
    tokens = list(solid(text))
    declared = {tokens[n + 1].text[:-1] for n, t in enumerate(tokens[:-1]) if t.word == "PREFIX"}
    used = dict.fromkeys(t.text.partition(":")[0] for t in tokens if t.kind == "name")
    return [name for name in used if name not in declared | {"_"}]


def prologue(text: str, prefixes: Mapping[str, str]) -> str:
    """Return the declarations that a query lacks, for an engine that takes prefixes only in the query.

    >>> prologue("ASK { ?s a:b 'c:d' }", {"a": "x:", "c": "y:"})
    'PREFIX a: <x:> '
    """
    return "".join(f"PREFIX {p}: <{prefixes[p]}> " for p in undeclared(text) if p in prefixes)


def decoded(text: str) -> str:
    r"""Return the text without ``\u`` escapes, so that every engine reads it alike.

    By the standard, they are replaced before the query is parsed (SPARQL 1.1, 19.2); pyoxigraph reads them
    only inside strings and IRIs. ``"\u0022"`` is a string to pyoxigraph, but ends a string by the standard.
    """
    if "\\u" not in text and "\\U" not in text:
        return text

    def plain(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code and int(code, 16) <= sys.maxunicode else match[0]

    def quoted(match: re.Match[str]) -> str:
        char = plain(match)
        return _NEEDS_ESCAPE.get(char, char)

    replaced = {"iri": plain, "string": quoted}
    return "".join(
        re.sub(_ESCAPE, replaced[token.kind], token.text) if token.kind in replaced else token.text
        for token in scan(text)
    )


def graphs(tokens: list[Token], prefixes: Mapping[str, str], base: str = "") -> Iterator[str]:
    """Yield the graphs of the FROM clauses; `prefixes` and `base` are those that need no declaration."""
    from urllib.parse import urljoin

    known = dict(prefixes)
    for place, token in enumerate(tokens):
        if token.word == "PREFIX":
            known[tokens[place + 1].text[:-1]] = urljoin(base, tokens[place + 2].text[1:-1])
        elif token.word == "BASE":
            base = urljoin(base, tokens[place + 1].text[1:-1])
        elif token.word == "FROM":
            graph = tokens[place + 1 + (tokens[place + 1].word == "NAMED")].text
            if graph.startswith("<"):
                yield urljoin(base, graph[1:-1])
            else:
                prefix, local = graph.split(":", 1)
                yield known[prefix] + re.sub(r"\\(.)", r"\1", local)


def star(tokens: list[Token]) -> tuple[str, ...]:
    """Return the variables of a ``SELECT *`` in the order in which they are written; of others, none."""
    start = next((i for i, t in enumerate(tokens) if t.word in {"SELECT", "{"}), len(tokens))
    head = [t.word for t in tokens[start : start + 3]]
    if head[:2] != ["SELECT", "*"] and head not in (["SELECT", "DISTINCT", "*"], ["SELECT", "REDUCED", "*"]):
        return ()
    return tuple(dict.fromkeys(t.text[1:] for t in tokens if t.kind == "variable"))
