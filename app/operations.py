"""Operations: functions whose signature and docstring contain everything that each interface needs.

The command line, shell completion, the tools for language models and the reference page of commands are made
from them.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from datetime import date
from functools import cache, wraps
from inspect import BoundArguments, Parameter, isfunction, signature
from numbers import Integral, Real
from os import PathLike
from types import NoneType
from typing import Any, NamedTuple, TypeVar, cast

from ..ontology.errors import UsageError, WrongTypeError

Method = TypeVar("Method", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)

METHODS: dict[str, Callable[..., Any]] = {}
"""The methods of `Rules` that are commands even without a printer."""

TOOLS: dict[str, Callable[..., Any]] = {}
"""The methods of `Rules` that language models can call."""

_KINDS: dict[str, type] = {
    **{"str": str, "int": Integral, "float": Real, "None": NoneType},
    **{"date": date, "Path": PathLike, "Sequence": Iterable},
}
"""The types of arguments that are checked."""

_OF_EDITIONS = frozenset(("edition", "before", "after", "start", "end", "written", "asof"))
"""The parameters that name an edition: a date may be a `datetime.date`."""

_LEAST = 100
"""The smallest number of a rule."""

_IN_QUOTES = 'Write it in quotes, as in "702.19" or "2026-04-17".'
_TYPE = re.compile(r"(\w+)(?:\[([^\]]*)\])?")
_QUOTED = re.compile(r'``"?(.*?)"?``|`([^`]*)`')


class OperationParameter(NamedTuple):
    """A parameter of an operation; `default` is Ellipsis if a value is required."""

    name: str
    annotation: str
    default: object
    is_variadic: bool
    help: str


def operation(*doors: str) -> Callable[[Method], Method]:
    """Mark a method of `Rules` as an operation; `doors` are ``"command"``, ``"tool"``, or both."""

    def marked(work: Method) -> Method:
        for door, operations in (("command", METHODS), ("tool", TOOLS)):
            if door in doors:
                operations[work.__name__] = work
        return work

    return marked


def typed(work: Method) -> Method:
    """Let a function or method raise `WrongTypeError` for an argument that is not of its declared type.

    >>> @typed
    ... def light(lantern: str, oil: int | None = None): ...
    >>> light("red", "much")
    Traceback (most recent call last):
    rulesgraph.ontology.errors.WrongTypeError: `oil` is 'much' and should be int or None
    """

    @wraps(work)
    def checked(*given: Any, **named: Any) -> Any:
        try:
            bound = signature(work).bind(*given, **named)
        except TypeError:  # Python's own error says which argument is missing or unknown
            return work(*given, **named)
        arguments, known = bound.arguments, parameters(work)
        for name in _OF_EDITIONS & arguments.keys():
            if isinstance(arguments[name], date):
                arguments[name] = f"{arguments[name]:%Y-%m-%d}"
        for it in (known[name] for name in arguments if name in known):
            values = arguments[it.name] if it.is_variadic else (arguments[it.name],)
            for value in values:
                if not _is_a(value, it.annotation):
                    is_bare = isinstance(value, date) or (isinstance(value, int | float) and value >= _LEAST)
                    raise WrongTypeError(
                        f"`{it.name}` is {value!r:.60} and should be {it.annotation.replace(' | ', ' or ')}",
                        way_out=_IN_QUOTES if is_bare and "str" in it.annotation else "",
                    )
        try:
            return work(*bound.args, **bound.kwargs)
        except UnicodeEncodeError as error:
            raise UsageError(
                f"{error.object!r:.60} is not a valid text", way_out="Leave out lone surrogates."
            ) from error

    return cast("Method", checked)


def typed_methods(cls: Class) -> Class:
    """Make the public methods of a class `typed`."""
    for name, work in [*vars(cls).items()]:
        if isfunction(work) and not name.startswith("_"):
            setattr(cls, name, typed(work))
    return cls


def _is_a(value: Any, annotation: str) -> bool:
    """Return whether a value has one of the types of an annotation, or one of these is not checked."""
    for kind, inside in _TYPE.findall(annotation):
        is_odd = isinstance(value, bool) and kind in {"int", "float"}
        if kind not in _KINDS or (isinstance(value, _KINDS[kind]) and not is_odd):
            # Anything but a collection, such as a generator, can be read only once.
            each = value if inside and isinstance(value, Collection) else ()
            return all(_is_a(it, inside) for it in each)
    return False


@cache
def parameters(work: Callable[..., Any]) -> dict[str, OperationParameter]:
    """Return the parameters of an operation by name, in order, without `self` and ``**others``.

    >>> def light(self, lantern: str, *moths: str, oil: int = 3):
    ...     '''Light a lantern.
    ...
    ...     Args:
    ...         lantern: which one.
    ...     '''
    >>> [(it.name, it.default, it.help) for it in parameters(light).values()]
    [('lantern', Ellipsis, 'which one'), ('moths', (), ''), ('oil', 3, '')]
    """
    said = _described(work.__doc__ or "")
    found = {}
    for name, it in signature(work).parameters.items():
        if name != "self" and it.kind is not Parameter.VAR_KEYWORD:
            is_variadic = it.kind is Parameter.VAR_POSITIONAL
            missing = () if is_variadic else ...
            default = missing if it.default is Parameter.empty else it.default
            annotation = "" if it.annotation is Parameter.empty else str(it.annotation)
            found[name] = OperationParameter(name, annotation, default, is_variadic, said.get(name, ""))
    return found


def call(work: Callable[..., Any], options: object, **given: object) -> Any:
    """Call an operation with the attributes of `options` named like its parameters, and `given`."""
    known = parameters(work)
    values = {name: getattr(options, name) for name in known if hasattr(options, name)} | given
    bound = BoundArguments(signature(work), OrderedDict(values))
    others = {name: it for name, it in given.items() if name not in known}
    return work(*bound.args, **bound.kwargs, **others)


def _described(docstring: str) -> dict[str, str]:
    """Return the text on each parameter in the section ``Args:`` of a docstring, on one line."""
    section = docstring.partition("Args:\n")[2].partition("\n\n")[0]
    indent = len(section) - len(section.lstrip(" "))
    parts = re.split(rf"^ {{{indent}}}(\w+): ", section, flags=re.MULTILINE)
    return {
        name: " ".join(text.split()).rstrip(".") for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def summary_of(work: Callable[..., Any]) -> str:
    """Return the first line of a docstring, as plain text without its full stop."""
    return plain_text((work.__doc__ or "").partition("\n")[0]).rstrip(".")


def plain_text(text: str) -> str:
    """Return a part of a docstring without the marks for code.

    >>> plain_text('one of ``"moth"`` and `lantern`')
    'one of moth and lantern'
    """
    return _QUOTED.sub(lambda it: it[1] or it[2], text)
