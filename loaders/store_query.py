"""A SPARQL query is read just far enough to refuse it, to bind its variables and to order its columns.

pyoxigraph parses every query first, whatever engine will run it, so the scanner below only meets
valid SPARQL: what it has to get right is where strings, IRIs and comments end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import pyoxigraph
from pyoxigraph import Literal, NamedNode, Variable

from ..ontology.errors import UsageError
from .store_results import Term

_WORTH_A_LOOK = r"(?i)service|from|\\u|select[^{?$]*\*"
"""Where this is not found there is nothing to refuse and no order to restore, and the scan is spared."""

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
_POSITION = r"error at (\d+):(\d+): (.*)"
_ESCAPE = r"(?s)\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.)"
_NEEDS_ESCAPE = {"\\": "\\\\", '"': '\\"', "'": "\\'", "\n": "\\n", "\r": "\\r"}
_UPDATES = frozenset("INSERT DELETE LOAD CLEAR CREATE DROP COPY MOVE ADD WITH".split())
_UNUSED = Variable("rulesgraph_is_only_parsing")


class _Token(NamedTuple):
    kind: str
    text: str
    start: int

    @property
    def word(self) -> str:
        """The keyword in capitals, or the symbol itself; empty for every other kind."""
        return self.text.upper() if self.kind == "word" else self.text if self.kind == "symbol" else ""


class Prepared(NamedTuple):
    """A query that may run: `text` has its variables bound, and reads the same to every engine.

    `graphs` are those of its own FROM clauses, `star` is the order of the variables of a ``SELECT *``
    (empty for any other query).
    """

    text: str
    graphs: Sequence[str] = ()
    star: Sequence[str] = ()


def prepare(text: str, bindings: Mapping[str, Term] | None = None) -> Prepared:
    """Check a query and bind its variables.

    A bound variable has its value in the whole outermost WHERE group; a subquery sees it when it
    selects the variable.

    Raises `UsageError` for what does not parse, for updates, for SERVICE, and for a variable that
    cannot be bound.
    """
    _parse(text)
    if not bindings and not re.search(_WORTH_A_LOOK, text):
        return Prepared(text)
    tokens = [t for t in _scan(_decode(text)) if t.kind != "comment"]
    if any(token.word == "SERVICE" for token in tokens):
        raise UsageError(
            "SERVICE is not allowed: a query must not send requests to other hosts",
            way_out="Ask the other endpoint by itself and join the answers.",
        )
    clean = "".join(token.text for token in tokens)
    solid = [t for t in _scan(clean) if t.kind != "space"]
    bound = _bind(clean, solid, bindings) if bindings else clean
    return Prepared(bound, tuple(_dataset(solid)), _star(solid))


def form(text: str) -> str:
    """Return what a query asks for: ``SELECT``, ``ASK``, ``CONSTRUCT`` or ``DESCRIBE``."""
    return next((token.word for token in _after_prologue(text)), "")


def _scan(text: str) -> Iterator[_Token]:
    found = re.finditer(_TOKEN, text, re.VERBOSE | re.DOTALL)
    return (_Token(match.lastgroup or "", match[0], match.start()) for match in found)


@cache
def _parser() -> pyoxigraph.Store:
    return pyoxigraph.Store()


def _parse(text: str) -> None:
    """Parse without running: a value for a variable that is not there stops what follows the parsing."""
    try:
        _parser().query(text, substitutions={_UNUSED: Literal("")})
    except RuntimeError:
        return
    except SyntaxError as error:
        raise _syntax_error(text, str(error)) from None
    except ValueError as error:
        raise UsageError(f"the query does not parse: {error}") from None


def _syntax_error(text: str, message: str) -> UsageError:
    if not text.strip():
        return UsageError("the query is empty")
    first = form(text)
    if first in _UPDATES:
        return UsageError(
            f"a query only reads, and this is an update ({first})",
            way_out="`rulesgraph build` and `rulesgraph drop` are what changes a store.",
        )
    unknown = _undeclared(text)
    match = re.search(_POSITION, message, re.DOTALL)
    if unknown or not match:
        return UsageError(f"the query does not parse: {unknown or message}")
    # The parser tells how far it came, which is not always where the mistake is, and what it was ready
    # for, of which only whole sentences help.
    lines = text.split("\n")[: int(match[1])]
    line, column = len(lines), int(match[2])
    while line > 1 and not lines[line - 1][: column - 1].strip():
        line -= 1
        column = len(lines[line - 1]) + 1
    reason = next(
        (
            f": {part}"
            for part in match[3].removeprefix("expected one of ").split(", ")
            if part.count(" ") > 3
        ),
        "",
    )
    start = max(0, column - 80)
    return UsageError(
        f"the query does not parse at or before line {line}, column {column}{reason}\n"
        f"    {lines[line - 1][start : start + 100]}\n    {' ' * (column - 1 - start)}^"
    )


def _undeclared(text: str) -> str:
    declared = {name for name, _ in re.findall(r"(?i)\bPREFIX\s+([^\s:]*):\s*(<)", text)}
    for token in _scan(text):
        prefix = token.text.partition(":")[0]
        if token.kind == "name" and prefix != "_" and prefix not in declared:
            return f"the prefix {prefix}: is not declared"
    return ""


def _after_prologue(text: str) -> Iterator[_Token]:
    tokens = (t for t in _scan(text) if t.kind not in {"space", "comment"})
    for token in tokens:
        if token.word == "PREFIX":
            next(tokens, None)
            next(tokens, None)
        elif token.word == "BASE":
            next(tokens, None)
        else:
            yield token


def _decode(text: str) -> str:
    r"""Return the text without ``\u`` escapes, so that it reads the same to every engine.

    The standard has them replaced before the query is parsed (SPARQL 1.1, 19.2), pyoxigraph reads
    them inside strings and IRIs alone: ``"\u0022"`` is a string to one, and ends a string to the other.
    """
    if "\\u" not in text and "\\U" not in text:
        return text

    def plain(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else match[0]

    def quoted(match: re.Match[str]) -> str:
        char = plain(match)
        return _NEEDS_ESCAPE.get(char, char)

    replaced = {"iri": plain, "string": quoted}
    return "".join(
        re.sub(_ESCAPE, replaced[token.kind], token.text) if token.kind in replaced else token.text
        for token in _scan(text)
    )


def _dataset(tokens: list[_Token]) -> Iterator[str]:
    """Yield the graphs of the FROM clauses."""
    from urllib.parse import urljoin

    known, base = dict[str, str](), ""
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


def _star(tokens: list[_Token]) -> tuple[str, ...]:
    """Return the variables of a ``SELECT *`` in the order in which they are written."""
    start = next((i for i, t in enumerate(tokens) if t.word in {"SELECT", "{"}), len(tokens))
    head = [t.word for t in tokens[start : start + 3]]
    if head[:2] != ["SELECT", "*"] and head not in (["SELECT", "DISTINCT", "*"], ["SELECT", "REDUCED", "*"]):
        return ()
    return tuple(dict.fromkeys(t.text[1:] for t in tokens if t.kind == "variable"))


# -- binding ---------------------------------------------------------------------------------------


class _Group(NamedTuple):
    """Places of tokens: the braces of the outermost WHERE group."""

    opens: int
    closes: int


def _bind(text: str, tokens: list[_Token], bindings: Mapping[str, Term]) -> str:
    mentioned = {t.text[1:] for t in tokens if t.kind == "variable"}
    for name, term in bindings.items():
        if name not in mentioned:
            raise UsageError(f"the query has no variable ?{name} to bind")
        if not isinstance(term, NamedNode | Literal):
            raise UsageError(f"?{name} can be bound to an IRI or a literal, not to {term}")
    names = " ".join(f"?{name}" for name in bindings)
    group = _outermost_group(tokens)
    if group is None:
        raise UsageError(f"the query has no WHERE group in which to bind {names}")
    start, end = tokens[group.opens].start + 1, tokens[group.closes].start
    head, inside, tail = text[:start], text[start:end], text[end:]
    construct = next((t for t in tokens[: group.opens] if t.word == "CONSTRUCT"), None)
    if construct and not any(t.word == "{" for t in tokens[: group.opens]):
        # CONSTRUCT WHERE { … } is short for a template that is the pattern as well, and takes no VALUES.
        cut = construct.start + len(construct.text)
        where = "" if tokens[group.opens - 1].word == "WHERE" else " WHERE "
        head = f"{head[:cut]} {{{inside}}} {head[cut:-1]}{where}{{"
    if tokens[group.opens + 1].word == "SELECT":
        inside = f"{{{inside}}}"
    terms = " ".join(str(term) for term in bindings.values())
    bound = f"{head} VALUES ({names}) {{ ({terms}) }} {inside}{tail}"
    try:
        _parse(bound)
    except UsageError:
        raise UsageError(f"{names} cannot be bound: the query gives it a value of its own") from None
    return bound


def _outermost_group(tokens: list[_Token]) -> _Group | None:
    """Return the WHERE group: the first braces outside parentheses that are no CONSTRUCT template."""
    opened: list[int] = []
    parentheses = 0
    for place, token in enumerate(tokens):
        if token.word == "(" and not opened:
            parentheses += 1
        elif token.word == ")" and not opened:
            parentheses -= 1
        elif token.word == "{":
            opened.append(place)
        elif token.word == "}":
            start = opened.pop()
            if not opened and not parentheses and tokens[start - 1].word != "CONSTRUCT":
                return _Group(start, place)
    return None
