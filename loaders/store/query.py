"""A SPARQL query is checked before any engine sees it, and its variables are bound."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple, Self

import pyoxigraph
from pyoxigraph import Literal, Variable

from ...ontology.errors import UsageError
from .bounds import AnswerBounds
from .results import RdfTerm

_WORTH_A_LOOK = r"(?i)service|\bfrom\b|\\u|select[^{?$(]*\*"
"""Where this is not found there is nothing to refuse and no order to restore, and the scan is spared."""

_PERHAPS_WORTH_A_LOOK = ("service", "from", "\\u", "*")
"""Without any of these there is nothing to look at either, which is told at once."""

_POSITION = r"error at (\d+):(\d+): (.*)"
_UPDATES = frozenset("INSERT DELETE LOAD CLEAR CREATE DROP COPY MOVE ADD WITH".split())
_UNUSED = Variable("rulesgraph_is_only_parsing")


class PreparedQuery(NamedTuple):
    """A query that may run: `text` has its variables bound, and reads the same to every engine.

    `graphs` are those of its own FROM clauses, `star` is the order of the variables of a ``SELECT *``
    (empty for any other query), `prefixes` are those that it may use undeclared. `default_graphs` and
    `named_graphs` are what it sees where it has no FROM (None: all), `timeout` is how many seconds it has,
    `base` is what its relative IRIs are resolved against (none: it may have none), `bounds` are those of
    its answer.
    """

    text: str
    graphs: Sequence[str] = ()
    star: Sequence[str] = ()
    prefixes: Mapping[str, str] = {}
    default_graphs: Sequence[str] | None = None
    named_graphs: Sequence[str] | None = None
    timeout: float | None = None
    base: str | None = None
    bounds: AnswerBounds | None = None

    def over(self, default_graphs: Sequence[str] | None, named_graphs: Sequence[str] | None) -> Self:
        """Return the query over some graphs; one with a FROM keeps to its own."""
        return (
            self if self.graphs else self._replace(default_graphs=default_graphs, named_graphs=named_graphs)
        )


def prepare(
    text: str,
    bindings: Mapping[str, RdfTerm] | None = None,
    prefixes: Mapping[str, str] | None = None,
    base: str | None = None,
) -> PreparedQuery:
    """Check a query and bind its variables.

    A bound variable has its value in the whole outermost WHERE group; a subquery sees it when it
    selects the variable. `prefixes` need no declaration; one that the query declares itself wins.
    `base` is what relative IRIs are resolved against, until the query has a BASE.

    Raises `UsageError` for what does not parse, for updates, for SERVICE, and for a variable that
    cannot be bound.
    """
    known = dict(prefixes or {})
    _parse(text, known, base)
    if not bindings and not re.search(_WORTH_A_LOOK, text):
        return PreparedQuery(text, prefixes=known, base=base)

    from . import scan

    tokens = [t for t in scan.scan(scan.decoded(text)) if t.kind != "comment"]
    if any(token.word == "SERVICE" for token in tokens):
        raise UsageError(
            "SERVICE is not allowed: a query must not send requests to other hosts",
            way_out="Ask the other endpoint by itself and join the answers.",
        )
    clean = "".join(token.text for token in tokens)
    solid = [t for t in scan.scan(clean) if t.kind != "space"]
    graphs = tuple(scan.graphs(solid, known, base or ""))
    prepared = PreparedQuery(clean, graphs, scan.star(solid), known, base=base)
    if not bindings:
        return prepared
    bound = scan.bind(clean, solid, bindings)
    try:
        _parse(bound, known, base)
    except UsageError:
        names = " ".join(f"?{name}" for name in bindings)
        raise UsageError(f"{names} cannot be bound: the query gives it a value of its own") from None
    return prepared._replace(text=bound)


def unparsed(
    text: str,
    prefixes: Mapping[str, str],
    base: str | None,
    default_graphs: Sequence[str] | None,
    named_graphs: Sequence[str] | None,
    bounds: AnswerBounds,
) -> PreparedQuery | None:
    """Return a query as it is, for an engine that parses it; None for one that has to be prepared.

    It takes along those prefixes alone whose names it has, and none where it declares some itself: the
    engine reads the IRI of each for each query. Where the engine does not take it, it has to be prepared.
    """
    folded = text.lower()
    for sign in _PERHAPS_WORTH_A_LOOK:
        if sign in folded:
            return None
    declares = "prefix" in folded
    used = {} if declares else {name: iri for name, iri in prefixes.items() if name + ":" in text}
    return PreparedQuery(text, (), (), used, default_graphs, named_graphs, None, base, bounds)


_LEVELS = 500
"""How deep a query may nest: the parser keeps levels on the stack, and some thousand end the process."""


@cache
def _parser() -> pyoxigraph.Store:
    return pyoxigraph.Store()


def _parse(text: str, prefixes: dict[str, str], base: str | None) -> None:
    """Parse without running: a value for a variable that is not there stops what follows the parsing."""
    if sum(map(text.count, "{([")) > _LEVELS:
        from .guard import admit_of_ours

        admit_of_ours(text, _LEVELS)
    try:
        _parser().query(text, base_iri=base, prefixes=prefixes, substitutions={_UNUSED: Literal("")})
    except RuntimeError:
        return
    except SyntaxError as error:
        raise _syntax_error(text, prefixes, str(error)) from None
    except ValueError as error:
        raise UsageError(f"the query does not parse: {error}") from None


def _syntax_error(text: str, prefixes: Mapping[str, str], message: str) -> UsageError:
    from .scan import form, undeclared

    if not text.strip():
        return UsageError("the query is empty")
    first = form(text)
    if first in _UPDATES:
        return UsageError(
            f"a query only reads, and this is an update ({first})",
            way_out="`rulesgraph build` and `rulesgraph drop` are what changes a store.",
        )
    missing = (f"the prefix {name}: is not declared" for name in undeclared(text) if name not in prefixes)
    unknown = next(missing, "")
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
    expected = match[3].removeprefix("expected one of ").split(", ")
    reason = next((f": {part}" for part in expected if part.count(" ") > 3), "")
    start = max(0, column - 80)
    return UsageError(
        f"the query does not parse at or before line {line}, column {column}{reason}\n"
        f"    {lines[line - 1][start : start + 100]}\n    {' ' * (column - 1 - start)}^"
    )
