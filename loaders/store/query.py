"""Check a SPARQL query before an engine sees it."""

from __future__ import annotations

import re
import resource
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple, Self

import pyoxigraph
from pyoxigraph import Literal, Variable

from ...ontology.errors import UsageError
from .results import AnswerBounds

_NEEDS_SCAN = r"(?i)service|\bfrom\b|\\u|select[^{?$(]*\*"
"""A query that does not match has nothing to refuse and no order to restore: it need not be scanned."""

_POSITION = r"error at (\d+):(\d+): (.*)"
_UPDATES = frozenset("INSERT DELETE LOAD CLEAR CREATE DROP COPY MOVE ADD WITH".split())
_FORMS = frozenset(("SELECT", "ASK", "CONSTRUCT", "DESCRIBE"))
_UNUSED = Variable("rulesgraph_is_only_parsing")


class PreparedQuery(NamedTuple):
    """A query with what it sees. One from `prepare` may run, and every engine reads its `text` alike.

    `graphs` are those of its own FROM clauses, `star` is the order of the variables of a ``SELECT *`` (empty
    for any other query), `prefixes` are those that it may use undeclared. `default_graphs` and `named_graphs`
    are what it sees without FROM (None: all), `timeout` is its limit in seconds, `base` is what its relative
    IRIs are resolved against (none: it may have none), `bounds` are those of its answer.
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
        """Return the query over some graphs; one with a FROM keeps its own."""
        return (
            self if self.graphs else self._replace(default_graphs=default_graphs, named_graphs=named_graphs)
        )


_Parse = Callable[[str, dict[str, str], str | None], None]


def prepare(
    text: str,
    prefixes: Mapping[str, str] | None = None,
    base: str | None = None,
    parse: _Parse | None = None,
    timeout: float | None = None,
) -> PreparedQuery:
    """Check a query, within a time limit; what is left of it is the limit of the prepared query.

    `prefixes` need no declaration; the query's own declarations win. Relative IRIs are resolved against
    `base`, until the query has a BASE. `parse` is the parser: `parse_safely`, unless the caller is a process
    that may crash.

    Raises `UsageError` for a query that does not parse, for updates and for SERVICE; `StoreExhaustedError`
    for a query that overflows the parser's stack, `StoreTimeoutError` for one that takes too long to parse.
    """
    if timeout is None:
        return _prepared(text, dict(prefixes or {}), base, parse or parse_safely)
    if not 0 < timeout < float("inf"):
        raise UsageError(f"a time limit must be a positive number of seconds, not {timeout}")
    start = time.monotonic()
    query = _prepared(text, dict(prefixes or {}), base, parse or partial(parse_safely, seconds=timeout))
    spent = time.monotonic() - start
    # A limit that has already run out ends the query at once.
    return query._replace(timeout=timeout if spent < _NOTHING else max(timeout - spent, _SHORTEST))


def _prepared(text: str, known: dict[str, str], base: str | None, parse: _Parse) -> PreparedQuery:
    parse(text, known, base)
    if not re.search(_NEEDS_SCAN, text):
        return PreparedQuery(text, prefixes=known, base=base)

    from . import scan

    tokens = [t for t in scan.scan(scan.decoded(text)) if t.kind != "comment"]
    if any(token.word == "SERVICE" for token in tokens):
        raise UsageError(
            "SERVICE is not allowed: a query must not send requests to other hosts",
            way_out="Ask the other endpoint by itself and join the answers.",
        )
    clean = "".join(token.text for token in tokens)
    solid = list(scan.solid(clean))
    graphs = tuple(scan.graphs(solid, known, base or ""))
    return PreparedQuery(clean, graphs, scan.star(solid), known, base=base)


@cache
def _parser() -> pyoxigraph.Store:
    return pyoxigraph.Store()


_STACK_PER_CHARACTER = 8_000
"""The bytes of stack that are enough for one character; most queries are too short to count tokens."""


_QUICK = 25
"""A query with at most this many of these brackets is parsed here, in a tenth of a second or two.

The parser tries each level several times: 250 nested lists take it half a minute.
"""

_SLOW_BRACKETS = ("(", "[", "<<", "{|")

_NOTHING, _SHORTEST = 0.1, 1e-3
"""Seconds: parsing up to the first is not counted; at least the second is left to run the query."""


def parse_safely(text: str, prefixes: dict[str, str], base: str | None, seconds: float | None = None) -> None:
    """Parse a query within a time limit, if there is one; raise `UsageError` if it does not parse.

    The parser recurses in native code: if the stack overflows, the process crashes without a message. A query
    that might cause that, or take long, is parsed in a separate process: `StoreExhaustedError` says that this
    crashed, `StoreTimeoutError` that it was killed.
    """
    stack = stack_size()
    is_deep = len(text) > stack // _STACK_PER_CHARACTER and not fits_stack(text, stack)
    if is_deep or (seconds is not None and sum(map(text.count, _SLOW_BRACKETS)) > _QUICK):
        from .worker_protocol import parse_apart

        if _measured(text)[0] > _LEVELS:
            raise UsageError("the query is nested too deeply", way_out=f"It may have {_LEVELS} levels.")
        parse_apart(text, prefixes, base, stack, seconds)
        return
    parse_here(text, prefixes, base)


def stack_size() -> int:
    """Return the minimum stack size of a thread of this process, in bytes."""
    chosen = threading.stack_size()
    if chosen:
        # `threading.stack_size` resets the size when it is called without an argument.
        threading.stack_size(chosen)
        return chosen
    size, _ = resource.getrlimit(resource.RLIMIT_STACK)
    # If there is no limit, the C library gives threads two megabytes.
    return 2 << 20 if size == resource.RLIM_INFINITY else size


def parse_here(text: str, prefixes: dict[str, str], base: str | None) -> None:
    """Parse in this process, whatever the risk; raise `UsageError` if the query does not parse."""
    # A value for a variable that does not exist ends the call between parsing and running.
    try:
        _parser().query(text, base_iri=base, prefixes=prefixes, substitutions={_UNUSED: Literal("")})
    except RuntimeError:
        return
    except SyntaxError as error:
        raise _syntax_error(text, prefixes, str(error)) from None
    except ValueError as error:
        raise UsageError(f"the query does not parse: {error}") from None


_SENTENCE = re.compile(r"\w+(?: [\w'-]+){4,}")
"""A sentence among what the parser expected: the rest are tokens and sets of characters."""


def _syntax_error(text: str, prefixes: Mapping[str, str], message: str) -> UsageError:
    from .scan import form, undeclared

    if not text.strip():
        return UsageError("the query is empty")
    first = form(text)
    if first in _UPDATES:
        return UsageError(
            f"queries can only read, and this is an update ({first})",
            way_out="Only `rulesgraph build` and `rulesgraph drop` change a store.",
        )
    missing = (f"the prefix {name}: is not declared" for name in undeclared(text) if name not in prefixes)
    unknown = next(missing, "")
    match = re.search(_POSITION, message, re.DOTALL)
    if unknown or not match:
        way_out = f"These need no declaration: {', '.join(prefixes)}." if unknown and prefixes else ""
        return UsageError(f"the query does not parse: {unknown or message}", way_out=way_out)
    # The parser says how far it got, which is not always where the mistake is, and what it expected; only
    # whole sentences of that help.
    lines = text.split("\n")[: int(match[1])]
    line, column = len(lines), int(match[2])
    while line > 1 and not lines[line - 1][: column - 1].strip():
        line -= 1
        column = len(lines[line - 1]) + 1
    expected = match[3].removeprefix("expected one of ").split(", ")
    reason = next((f": {part}" for part in expected if _SENTENCE.fullmatch(part)), "")
    start = max(0, column - 80)
    what = f"the query does not parse at or before line {line}, column {column}{reason}"
    if first not in _FORMS:  # anything else may be a file with secrets: it is not quoted
        return UsageError(what, way_out="A query asks with SELECT, ASK, CONSTRUCT or DESCRIBE.")
    return UsageError(
        f"{what}\n    {lines[line - 1][start : start + 100]}\n    {' ' * (column - 1 - start)}^"
    )


LONGEST_QUERY = 10_000
"""The maximum number of characters in a query."""

_DEEPEST = 25
"""The maximum nesting of a query: every level takes the parser time, and thousands exhaust its stack."""

_LONGEST_RUN = 8
"""The maximum run of operators, as in ``!!!``: each counts as a level."""

_MOST_STEPS = 50
"""The maximum number of steps in all property paths: thousands take the engine minutes to plan."""


def admit(query: str, longest: int = LONGEST_QUERY) -> None:
    """Raise `UsageError` for a query that is too long, or nested too deeply, to be parsed here."""
    if len(query) > longest:
        raise UsageError(f"the query has more than {longest} characters")
    opening, operators = map(query.count, "{(["), map(query.count, "!-+^")
    if sum(opening) <= _DEEPEST and sum(operators) <= _LONGEST_RUN and query.count("/") <= _MOST_STEPS:
        return
    deepest, longest, steps, _ = _measured(query)
    if deepest > _DEEPEST or longest > _LONGEST_RUN:
        raise UsageError("the query is nested too deeply", way_out=f"It may have {_DEEPEST} levels.")
    if steps > _MOST_STEPS:
        raise UsageError(f"its property paths have more than {_MOST_STEPS} steps")


_STACK_PER_TOKEN = 4_000
"""Bytes of the parser's stack for each token of a flat list; the most measured was 3,300, for DESCRIBE."""

_STACK_PER_LEVEL = 10_000
"""Bytes for each level of brackets; measured: 9,100 for calls of functions."""

_LEVELS = 500
"""The maximum number of levels in any query, wherever it is parsed."""


def fits_stack(query: str, size: int) -> bool:
    """Return whether half of a stack of `size` bytes is enough to parse a query."""
    deepest, *_, tokens = _measured(query)
    return tokens * _STACK_PER_TOKEN + deepest * _STACK_PER_LEVEL <= size // 2


def _measured(query: str) -> tuple[int, int, int, int]:
    """Return the levels of a query, its longest run of operators, the steps in its paths, and its tokens."""
    from . import scan

    depth = deepest = run = longest = steps = tokens = 0
    values = False
    for token in scan.solid(scan.decoded(query)):
        symbol = token.text if token.kind == "symbol" else ""
        # To the parser, the rows of VALUES are a plain list, however many there are.
        values = token.word == "VALUES" or (values and symbol != "}")
        tokens += not values
        run = run + 1 if symbol and symbol in "!-+^" else 0
        longest = max(longest, run)
        steps += symbol == "/"
        depth += symbol.count("{") + (symbol in {"(", "["})
        deepest = max(deepest, depth)
        depth -= symbol.count("}") + (symbol in {")", "]"})
    return deepest, longest, steps, tokens
