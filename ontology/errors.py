"""Errors that end an operation; each says what is wrong, where, and what to do about it.

::

    RulesgraphError
    ├── WrongTypeError        an argument of the wrong type; also a TypeError
    ├── UsageError            the question itself is wrong (exit 2)
    │   └── UnknownNameError  no such term, rule, edition or question; carries suggestions
    ├── SourceError           a document is refused (exit 3)
    ├── StoreError            the store or an endpoint cannot be used (exit 4)
    │   ├── StoreLockedError
    │   ├── StoreMissingError
    │   ├── StoreExhaustedError
    │   └── StoreTimeoutError
    ├── ReasonerError         the reasoner cannot be run, or needs too much (exit 4)
    └── NothingFoundError     a well-formed question without an answer (exit 1)
        └── RulesMissingError no edition of the comprehensive rules is loaded; also a UsageError

A way out names commands; each is a method of `Rules` or a function of `rulesgraph` with the same name, but
`rulesgraph ask --list` is `Rules.questions`, and `rulesgraph editions` `Rules.editions`.
Problems *in* the data are values (`rulesgraph.loaders.records.Problem`); an error means that the operation
cannot continue. Only `rulesgraph.app` turns errors into exit codes.
"""

from __future__ import annotations

from collections.abc import Sequence


class RulesgraphError(Exception):
    """Base of every error raised on purpose.

    `what` says what is wrong, `where` names the place (a file, a line, a store), `way_out` what to
    do about it; `str(error)` joins those that are present.
    """

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", way_out: str = "") -> None:
        self.what = what
        self.where = where
        self.way_out = way_out
        place = where.replace("\n", "\\n")  # a file name may imitate our messages
        head = f"{place}: {what}" if where else what
        super().__init__(f"{head}\n  {way_out}" if way_out else head)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle an error as it is, whatever its constructor takes: worker processes send them."""
        return _unpickled, (type(self), self.args, self.__dict__)


def _unpickled(
    cls: type[RulesgraphError], args: tuple[object, ...], about: dict[str, object]
) -> RulesgraphError:
    error = cls.__new__(cls, *args)
    error.__dict__.update(about)
    return error


class UsageError(RulesgraphError):
    """The request itself is wrong: a bad option, a query that does not parse."""

    exit_code = 2


class WrongTypeError(RulesgraphError, TypeError):
    """An argument of the wrong type, such as the number 702.10 instead of a text: it would be 702.1."""


class UnknownNameError(UsageError):
    """A name that means nothing here; `suggestions` are the nearest known names.

    `what` is the message for something that is not a name, such as a day.
    """

    def __init__(
        self, kind: str, name: str, suggestions: Sequence[str] = (), way_out: str = "", *, what: str = ""
    ) -> None:
        self.kind = kind
        self.name = name
        self.suggestions = tuple(suggestions)
        between = "; " if any("," in it for it in self.suggestions) else ", "
        hint = f"Did you mean {between.join(self.suggestions)}?" if self.suggestions else ""
        said = what or f"no {kind} is called {name!r}"
        super().__init__(said, way_out="\n  ".join(x for x in (hint, way_out) if x))


class SourceError(RulesgraphError):
    """A document that is refused: damaged, of an unknown kind, or unreadable.

    `line` is the line of the original file (from 1) and `excerpt` its text; when both are known the message
    shows the line with a caret under `column` (from 1). Readers need not know the name of their `source`: the
    caller adds it.
    """

    exit_code = 3

    def __init__(
        self,
        what: str,
        *,
        source: str = "",
        line: int | None = None,
        excerpt: str = "",
        column: int | None = None,
        way_out: str = "",
    ) -> None:
        self.reason = what
        self.source = source
        self.line = line
        self.excerpt = excerpt
        self.column = column
        shown = ""
        if excerpt:
            shown = f"\n    {excerpt[:100]}"
            if column is not None and 1 <= column <= 100:
                shown += "\n    " + " " * (column - 1) + "^"
        super().__init__(what + shown, where=source if line is None else f"{source}:{line}", way_out=way_out)

    def of(self, source: str, *, is_quoted: bool = True) -> SourceError:
        """Return the same error with the name of its source, and with its excerpt if that may be quoted."""
        excerpt = self.excerpt if is_quoted else ""
        about = {"line": self.line, "column": self.column}
        return SourceError(self.reason, source=source, excerpt=excerpt, way_out=self.way_out, **about)


class StoreError(RulesgraphError):
    """The store cannot be used: damaged, not a store, an endpoint that is down."""

    exit_code = 4


def damaged_store(reason: str, where: str) -> StoreError:
    """Return the error for a store that can no longer be read."""
    return StoreError(
        f"the store is damaged: {reason}",
        where=where,
        way_out="Move the folder away and load its documents again with `rulesgraph build`.",
    )


class StoreLockedError(StoreError):
    """Another process is writing to the store."""


class StoreMissingError(StoreError):
    """There is no store at the given place yet."""


class StoreExhaustedError(StoreError):
    """A query exceeded the resources of one query, and was killed."""


class StoreTimeoutError(StoreError):
    """The answer took longer than allowed."""


class ReasonerError(RulesgraphError):
    """The reasoner cannot be run, or ran out of time or memory."""

    exit_code = 4


class NothingFoundError(RulesgraphError):
    """A well-formed question that has no answer in the loaded documents."""

    exit_code = 1


class RulesMissingError(NothingFoundError, UsageError):
    """A question that only the comprehensive rules answer, and no edition of them is loaded."""

    def __init__(self, other_way: str = "") -> None:
        super().__init__(
            "no edition of the comprehensive rules is loaded",
            way_out=f"Load some with `rulesgraph build`{other_way}.",
        )
